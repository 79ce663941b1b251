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

HEAD = "0002"
"""The revision that this version of the package reads and writes."""

metadata: MetaData = MetaData()

# Texts are neutral keys: compared byte by byte, in any database.
_Text = Text().with_variant(Text(collation="C"), "postgresql")

streams: Table = Table(
    "streams",
    metadata,
    Column("stream", _Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("stage", _Text, nullable=False),
    Index("streams_by_stage", "stage"),
)

_stream = ForeignKey("streams.stream", ondelete="CASCADE")

events: Table = Table(
    "events",
    metadata,
    Column("stream", _Text, _stream, primary_key=True),
    # The key is the optimistic lock: of two events for one place, one is refused.
    Column("seq", BigInteger, primary_key=True),
    Column("time", Double, nullable=False),
    Column("actor", _Text, nullable=False),
    Column("request", _Text),
    Column("kind", _Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    # Absent requests are NULL, of which there may be many.
    Index("events_by_request", "stream", "request", unique=True),
    sqlite_with_rowid=False,
)

members: Table = Table(
    "members",
    metadata,
    Column("member", _Text, primary_key=True),
    Column("stream", _Text, ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True),
    Index("members_by_stream", "stream"),
    sqlite_with_rowid=False,
)

leases: Table = Table(
    "leases",
    metadata,
    Column("name", _Text, primary_key=True),
    Column("holder", _Text, nullable=False),
    # Seconds since 1970 by the clock of the database, which all processes share.
    Column("until", Double, nullable=False),
    sqlite_with_rowid=False,
)
