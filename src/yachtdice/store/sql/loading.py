"""The statement by which readers load what is new in many streams at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from yachtdice.store.contract import Stored
from yachtdice.store.sql.appending import parts, places
from yachtdice.store.sql.schema import events

if TYPE_CHECKING:
    from sqlalchemy import Connection


def load(connection: Connection, wanted: Sequence[tuple[str, int]]) -> list[list[Stored]]:
    """Return for each (stream, number) the events of that stream after that number, in order."""
    found: list[list[Stored]] = [[] for _ in wanted]
    numbered = [(place, *key) for place, key in enumerate(wanted)]
    for part in parts(numbered):
        values = tuple(value for row in part for value in row)
        statement = _statement(len(part), connection.dialect.paramstyle)
        for place, stream, seq, time, actor, request, kind, data in connection.exec_driver_sql(
            statement, values
        ):
            event = Stored(stream, seq, time, actor, request, kind, json.loads(data))
            found[place].append(event)
    return found


@cache
def _statement(rows: int, style: str) -> str:
    columns = ", ".join(f"events.{column.name}" for column in events.columns)
    return (
        f"WITH wanted (place, s, n) AS (VALUES {places(rows, 3, style)}) "  # noqa: S608 - no values
        f"SELECT wanted.place, {columns} FROM wanted "
        "JOIN events ON events.stream = wanted.s AND events.seq > wanted.n "
        "ORDER BY wanted.place, events.seq"
    )
