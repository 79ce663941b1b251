"""A database in one SQLite file, or in memory, used by one process.

SQLite up to 3.51.2 can damage a WAL database when two connections write or checkpoint; here exactly
one does, and readers are read-only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.pool import QueuePool, StaticPool

from yachtdice.store.contract import StoreInUseError
from yachtdice.store.sql.database import READERS

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Connection, Engine

    from yachtdice.store.contract import Listener

BUSY_TIMEOUT = 5000
"""Milliseconds for which a connection waits for another's lock."""
JOURNAL_SIZE_LIMIT = 16 * 1024 * 1024
"""Bytes to which the write-ahead log is cut back once it has grown beyond them.

It grows while a long reading, such as a backup, keeps its pages; by default it never shrinks.
"""


class Sqlite:
    """A `Database` that no other process writes to."""

    is_shared = False
    is_listening = True
    now = "((julianday('now') - 2440587.5) * 86400.0)"

    def __init__(self, url: URL) -> None:
        """Open the file and lock it for this process.

        Raises:
            StoreInUseError: If another process holds the lock.
        """
        path = url.database or ""
        self.writer: Engine = _engine(path, is_writer=True)
        # A database in memory has one connection.
        self.readers: Engine | None = _engine(path, is_writer=False) if path else None
        self._lock = _lock(Path(path)) if path else None

    def prepare(self, connection: Connection) -> None:
        """Do nothing: the file is locked for this process."""

    def announce(self, connection: Connection, versions: Mapping[str, int]) -> None:
        """Do nothing: there are no other processes."""

    def broadcast(self, connection: Connection, text: str) -> None:
        """Do nothing: there are no other processes."""

    def subscribe(self, listener: Listener) -> None:
        """Do nothing: there are no other processes."""

    def is_transient(self, error: BaseException | None) -> bool:  # noqa: ARG002 - see `Database`
        """Return False: with one writer, whatever fails would fail again."""
        return False

    def is_unreachable(self, error: BaseException | None) -> bool:  # noqa: ARG002
        """Return False: an open file cannot be unreachable."""
        return False

    def close(self) -> None:
        """Close the connections and release the lock."""
        if self.readers is not None:
            self.readers.dispose()
        self.writer.dispose()
        if self._lock is not None:
            self._lock.release()


def _lock(path: Path) -> FileLock:
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreInUseError(f"{path} is in use by another yacht server") from None
    return lock


def _prepare(connection: sqlite3.Connection, *, is_writer: bool) -> None:
    connection.isolation_level = None  # SQLAlchemy's events below say when one begins
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")  # before anything can be busy
    connection.execute("PRAGMA foreign_keys = ON")
    if is_writer:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_SIZE_LIMIT}")


def _engine(path: str, *, is_writer: bool) -> Engine:
    def connect() -> sqlite3.Connection:
        if not path:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
        else:
            mode = "rwc" if is_writer else "ro"
            address = f"file:{quote(str(Path(path).absolute()))}?mode={mode}"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            _prepare(connection, is_writer=is_writer)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = sa.create_engine(
        "sqlite://",
        creator=connect,
        hide_parameters=True,  # keeps names and holders out of the log
        poolclass=StaticPool if is_writer else QueuePool,
        **({} if is_writer else {"pool_size": READERS, "max_overflow": 0}),
    )
    begin = "BEGIN IMMEDIATE" if is_writer else "BEGIN"
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine
