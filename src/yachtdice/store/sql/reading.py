"""Read-only access to a database, beside the servers that write to it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from yachtdice.store.contract import StoreError, StreamSnapshot
from yachtdice.store.sql.migrating import SchemaError, revision
from yachtdice.store.sql.scanning import old_streams, scan
from yachtdice.store.sql.schema import HEAD

T = TypeVar("T")
_BUSY_TIMEOUT = 5.0


class Reader:
    """The streams of a database. It takes no lock and does not migrate the schema."""

    def __init__(self, engine: Engine) -> None:
        """Use `Reader.open` instead."""
        self._engine = engine

    @classmethod
    async def open(cls, address: str) -> Reader:
        """Return a reader of the database at *address*, as `SqlStore.open` takes it.

        Raises:
            StoreError: If there is none, or its schema is not the one this version reads.
        """
        try:
            url = make_url(address)
        except ArgumentError as error:
            raise StoreError(f"not the address of a database: {address!r:.80}") from error
        reader = cls(_engine(url))
        try:
            await reader._read(_check)
        except BaseException:
            await reader.close()
            raise
        return reader

    async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
        """Return the first *limit* streams whose names come after *after*, in their order."""
        return await self._read(lambda connection: scan(connection, after, limit))

    async def old(self, stage: str, before: float) -> int:
        """Return the number of streams that `Store.sweep` would delete."""
        return await self._read(lambda connection: old_streams(connection, stage, before))

    async def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    async def _read(self, run: Callable[[Connection], T]) -> T:
        def read() -> T:
            with self._engine.connect() as connection:
                return run(connection)

        try:
            return await asyncio.to_thread(read)
        except SQLAlchemyError as error:
            raise StoreError(str(error.__cause__ or error)) from error


def _check(connection: Connection) -> None:
    found = revision(connection)
    if found != HEAD:
        why = f"this version reads {HEAD}; a server of this version brings older ones up to date"
        raise SchemaError(found, why)


def _engine(url: URL) -> Engine:
    kind = url.get_backend_name()
    if kind == "postgresql":
        return sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            connect_args={"connect_timeout": 5},
            execution_options={"postgresql_readonly": True},
            hide_parameters=True,
        )
    if kind != "sqlite" or not url.database:
        raise StoreError(f"{kind!r}: only sqlite:///FILE and postgresql://... can be read")
    path = Path(url.database).absolute()
    if not path.is_file():
        raise StoreError(f"there is no file {path}")

    def connect() -> sqlite3.Connection:
        # With mode=ro it neither writes nor checkpoints, which only the server's writer may.
        address = f"file:{quote(str(path))}?mode=ro"
        connection = sqlite3.connect(
            address, uri=True, check_same_thread=False, timeout=_BUSY_TIMEOUT
        )
        connection.isolation_level = None  # SQLAlchemy's events below say when one begins
        return connection

    engine = sa.create_engine("sqlite://", creator=connect, hide_parameters=True)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine
