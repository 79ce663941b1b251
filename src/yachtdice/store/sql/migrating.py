"""Bringing a database to the schema that this version of the package knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from yachtdice.store.contract import StoreError
from yachtdice.store.sql.schema import HEAD, metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from yachtdice.store.sql.database import Database

_SCRIPTS = Path(__file__).parent / "migrations"


class SchemaError(StoreError):
    """A database that this version cannot use; `found` is its revision, empty where it has none."""

    def __init__(self, found: str, why: str) -> None:
        super().__init__(f"the database has schema {found or 'unknown'}: {why}")
        self.found = found


def migrate(database: Database) -> None:
    """Bring *database* up to `HEAD`.

    Nothing slow happens inside the transaction, for which other processes wait: what it needs is
    imported before it begins.

    Raises:
        SchemaError: If it is newer than this version, or holds something else.
    """
    with database.writer.begin() as connection:
        if _is_current(connection):
            return
    # Alembic takes a good part of the time to start, and a database that is current does without.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with database.writer.begin() as connection:
        database.prepare(connection)
        if _is_current(connection):  # another process was quicker
            return
        found = revision(connection)
        if found and found not in known:
            raise SchemaError(found, f"this version knows {HEAD}; a newer yacht-dice wrote it")
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)


def _is_current(connection: Connection) -> bool:
    found = revision(connection)
    if not found and set(inspect(connection).get_table_names()) & set(metadata.tables):
        raise SchemaError("", "it holds tables of this name that are not ours")
    return found == HEAD


def revision(connection: Connection) -> str:
    """Return the revision of the database, empty where it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found or "")
