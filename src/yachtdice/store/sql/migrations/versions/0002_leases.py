"""Who does what only one process is to do."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "leases",
        sa.Column("name", _Text, primary_key=True),
        sa.Column("holder", _Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
