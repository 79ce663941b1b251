"""Whole streams out of a database, page by page: for `Store.scan` and `Store.snapshots`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from yachtdice.store.contract import Stored, StreamDamagedError, StreamSnapshot
from yachtdice.store.sql.schema import events, members, streams

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row


def scan(connection: Connection, after: str, limit: int) -> list[StreamSnapshot]:
    """Return the first *limit* streams whose names come after *after*; see `Scannable.scan`."""
    _use_one_snapshot(connection)
    wanted = (
        sa.select(streams.c.stream, streams.c.stage)
        .where(streams.c.stream > after)
        .order_by(streams.c.stream)
        .limit(limit)
    )
    return _snapshots(connection, connection.execute(wanted))


def snapshots(connection: Connection, names: Sequence[str]) -> list[StreamSnapshot]:
    """Return the streams called *names* that exist; see `Store.snapshots`."""
    _use_one_snapshot(connection)
    wanted = (
        sa.select(streams.c.stream, streams.c.stage)
        .where(streams.c.stream.in_(names))
        .order_by(streams.c.stream)
    )
    return _snapshots(connection, connection.execute(wanted))


def _use_one_snapshot(connection: Connection) -> None:
    """Make all following statements read the same snapshot of the database."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="REPEATABLE READ")


def old_streams(connection: Connection, stage: str, before: float) -> int:
    """Return the number of streams in *stage* whose newest event is older than *before*."""
    newest = (
        sa.select(events.c.time)
        .where(events.c.stream == streams.c.stream)
        .order_by(events.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    wanted = sa.select(sa.func.count()).where(streams.c.stage == stage, before > newest)
    return connection.execute(wanted).scalar_one()


def _snapshots(connection: Connection, found: Iterable[Row[Any]]) -> list[StreamSnapshot]:
    stages: dict[str, str] = {row.stream: row.stage for row in found}
    of_stream: defaultdict[str, list[Stored]] = defaultdict(list)
    wanted = sa.select(events).where(events.c.stream.in_(stages))
    wanted = wanted.order_by(events.c.stream, events.c.seq)
    for name, seq, time, actor, request, kind, data in connection.execute(wanted):
        try:
            read = json.loads(data)
        except ValueError as error:
            raise StreamDamagedError(name, f"event {seq} holds no JSON: {error}") from error
        if not isinstance(read, dict):
            raise StreamDamagedError(name, f"event {seq} holds no object")
        of_stream[name].append(Stored(name, seq, time, actor, request, kind, read))
    members_of: defaultdict[str, list[str]] = defaultdict(list)
    enrolled = sa.select(members.c.stream, members.c.member).where(members.c.stream.in_(stages))
    for name, member in connection.execute(enrolled):
        members_of[name].append(member)
    return [
        StreamSnapshot(name, stage, tuple(sorted(members_of[name])), tuple(of_stream[name]))
        for name, stage in stages.items()
    ]
