"""The tables of the database. A change to them is a new file in `migrations/versions`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    MetaData,
    Table,
    Text,
)

HEAD = "0001"
"""The revision that this version of the package reads and writes."""

metadata = MetaData()

streams = Table(
    "streams",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("stage", Text, nullable=False),
    Index("streams_by_stage", "stage"),
)

_stream = ForeignKey("streams.stream", ondelete="CASCADE")

events = Table(
    "events",
    metadata,
    Column("stream", Text, _stream, primary_key=True),
    # The key is the optimistic lock: of two events for one place, one is refused.
    Column("seq", BigInteger, primary_key=True),
    Column("time", Double, nullable=False),
    Column("actor", Text, nullable=False),
    Column("request", Text),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    # Absent requests are NULL, of which there may be many.
    Index("events_by_request", "stream", "request", unique=True),
    sqlite_with_rowid=False,
)

members = Table(
    "members",
    metadata,
    Column("member", Text, primary_key=True),
    Column("stream", Text, ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True),
    Index("members_by_stream", "stream"),
    sqlite_with_rowid=False,
)
