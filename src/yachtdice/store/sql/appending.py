"""The SQL statements with which the writer appends events.

SQLite releases the GIL while it runs a statement; between two statements the writer has to get it
back from a busy event loop. So many events go into one statement.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

from yachtdice.store.contract import RequestRepeatedError, VersionConflictError, Write
from yachtdice.store.sql.schema import events, members, streams

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Few different lengths, so that the database soon has a prepared statement for each.
_LENGTHS = (64, 16, 4, 1)

_NEW_STREAM = sa.insert(streams)
_NEW_STAGE = (
    sa.update(streams)
    .where(streams.c.stream == sa.bindparam("s"))
    .values(stage=sa.bindparam("new_stage"))
)
_NEW_MEMBER = sa.insert(members)
_OLD_MEMBER = sa.delete(members).where(
    members.c.member == sa.bindparam("m"), members.c.stream == sa.bindparam("s")
)


def append(connection: Connection, writes: Sequence[Write]) -> None:
    """Append *writes* within the transaction of *connection*.

    Raises:
        IntegrityError: If one expected fewer events than there are, or repeats a request.
        VersionConflictError: If one expected more; it does not say which.
    """
    if not writes:
        return
    # Always in the same order, so that two processes cannot deadlock.
    writes = sorted(writes, key=_by_stream)
    new = [
        {"stream": write.stream, "created": write.time, "stage": write.stage or ""}
        for write in writes
        if not write.expected
    ]
    if new:
        connection.execute(_NEW_STREAM, new)
    staged = [w for w in writes if w.expected and w.stage is not None]
    if staged:
        connection.execute(_NEW_STAGE, [{"s": w.stream, "new_stage": w.stage} for w in staged])
    _insert(connection, [row for write in writes for row in _rows(write)])
    # The primary key rules out duplicate numbers; this rules out gaps.
    before = [(write.stream, write.expected) for write in writes if write.expected]
    if _count(connection, before) != len(before):
        raise VersionConflictError("", 0, 0)
    enrolled = sorted((member, write.stream) for write in writes for member in write.members)
    if enrolled:
        connection.execute(_OLD_MEMBER, [{"m": m, "s": s} for m, s in enrolled])
        connection.execute(_NEW_MEMBER, [{"member": m, "stream": s} for m, s in enrolled])


def append_checked(connection: Connection, writes: Sequence[Write]) -> None:
    """Append *writes* like `append`, with an error that names the write that failed.

    Raises:
        VersionConflictError: If one expected another version.
        RequestRepeatedError: If the request id of one is already stored.
    """
    for write in writes:
        if write.request is not None:
            known = sa.select(events.c.seq).where(
                events.c.stream == write.stream, events.c.request == write.request
            )
            if connection.execute(known).first() is not None:
                raise RequestRepeatedError(write.stream, write.request)
        newest = sa.select(sa.func.max(events.c.seq)).where(events.c.stream == write.stream)
        actual = connection.execute(newest).scalar() or 0
        if actual != write.expected:
            raise VersionConflictError(write.stream, write.expected, actual)
        append(connection, [write])


def _by_stream(write: Write) -> tuple[str, int]:
    return write.stream, write.expected


def _rows(write: Write) -> Iterator[tuple[object, ...]]:
    last = write.expected + len(write.entries)
    for seq, entry in enumerate(write.entries, start=write.expected + 1):
        data = json.dumps(entry.data, separators=(",", ":"), allow_nan=False)
        request = write.request if seq == last else None
        yield write.stream, seq, write.time, write.actor, request, entry.kind, data


def _insert(connection: Connection, rows: list[tuple[object, ...]]) -> None:
    for part in parts(rows):
        values = tuple(value for row in part for value in row)
        connection.exec_driver_sql(_insertion(len(part), connection.dialect.paramstyle), values)


def _count(connection: Connection, keys: list[tuple[str, int]]) -> int:
    found = 0
    for part in parts(keys):
        values = tuple(value for key in part for value in key)
        counting = _counting(len(part), connection.dialect.paramstyle)
        found += connection.exec_driver_sql(counting, values).scalar_one()
    return found


def parts(
    rows: Sequence[tuple[object, ...]],
) -> Iterator[Sequence[tuple[object, ...]]]:
    """Yield *rows* in few parts, of few different lengths."""
    done = 0
    for length in _LENGTHS:
        while len(rows) - done >= length:
            yield rows[done : done + length]
            done += length


@cache
def _insertion(rows: int, style: str) -> str:
    names = ", ".join(column.name for column in events.columns)
    rows_of_places = places(rows, len(events.columns), style)
    return f"INSERT INTO events ({names}) VALUES {rows_of_places}"  # noqa: S608 - names and places only


@cache
def _counting(rows: int, style: str) -> str:
    # As a join: SQLite would look at every event for (stream, seq) IN (VALUES ...).
    return (
        f"WITH keys (s, n) AS (VALUES {places(rows, 2, style)}) "  # noqa: S608 - places only
        "SELECT count(*) FROM keys JOIN events ON events.stream = keys.s AND events.seq = keys.n"
    )


def places(rows: int, columns: int, style: str) -> str:
    """Return the places for the values of so many rows in a statement."""
    place = "?" if style == "qmark" else "%s"
    row = f"({', '.join([place] * columns)})"
    return ", ".join([row] * rows)
