"""Streams, their events and their members."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "streams",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
    )
    op.create_index("streams_by_stage", "streams", ["stage"])
    op.create_table(
        "events",
        sa.Column(
            "stream", sa.Text, sa.ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("request", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("events_by_request", "events", ["stream", "request"], unique=True)
    op.create_table(
        "members",
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column(
            "stream", sa.Text, sa.ForeignKey("streams.stream", ondelete="CASCADE"), primary_key=True
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("members_by_stream", "members", ["stream"])
