"""The statements that list streams and read whole ones, page by page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from yachtdice.store.contract import Stored, StreamDamagedError, StreamInfo, StreamSnapshot
from yachtdice.store.sql.schema import events, members, streams

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

_VERSION = (
    sa.select(sa.func.max(events.c.seq))
    .where(events.c.stream == streams.c.stream)
    .scalar_subquery()
)
LAST_ACTIVE: sa.ScalarSelect[float] = (
    sa.select(events.c.time)
    .where(events.c.stream == streams.c.stream)
    .order_by(events.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
"""The time of the newest event of a stream, within a statement on `streams`."""


def streams_of(connection: Connection, member: str, limit: int) -> list[StreamInfo]:
    """Return the streams of *member*, the most recently active first."""
    wanted = (
        sa.select(streams.c.stream, _VERSION, streams.c.created, LAST_ACTIVE, streams.c.stage)
        .join(members, members.c.stream == streams.c.stream)
        .where(members.c.member == member)
        .order_by(LAST_ACTIVE.desc(), streams.c.stream)
        .limit(limit)
    )
    return [StreamInfo(*row) for row in connection.execute(wanted)]


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
    wanted = sa.select(sa.func.count()).where(streams.c.stage == stage, before > LAST_ACTIVE)
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
