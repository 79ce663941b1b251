"""Streams, their events and their members."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "streams",
        sa.Column("stream", _Text, primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("stage", _Text, nullable=False),
    )
    op.create_index("streams_by_stage", "streams", ["stage"])
    op.create_table(
        "events",
        sa.Column(
            "stream", _Text, sa.ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("actor", _Text, nullable=False),
        sa.Column("request", _Text),
        sa.Column("kind", _Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("events_by_request", "events", ["stream", "request"], unique=True)
    op.create_table(
        "members",
        sa.Column("member", _Text, primary_key=True),
        sa.Column(
            "stream", _Text, sa.ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("members_by_stream", "members", ["stream"])
