"""A database in PostgreSQL, which several processes may share.

Each process writes through one connection, reads through a few, and listens through one more. With
each batch of changes goes one NOTIFY that says which streams have become how long; what is in them,
whoever needs it loads. Notifications come in the order of the commits and only after them.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from yachtdice.store.contract import MarkError, StoreError
from yachtdice.store.sql.database import READERS

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy.engine import URL, Connection, Engine

    from yachtdice.store.contract import Listener

_log = logging.getLogger(__name__)

LONGEST_STATEMENT = 15_000
"""Milliseconds after which PostgreSQL gives a statement up, so that nobody waits for ever."""
LONGEST_SILENCE = 2_000
"""Milliseconds after which PostgreSQL ends a transaction whose process has fallen silent.

Others may wait for what it has written and not committed; it takes milliseconds otherwise.
"""
LONGEST_MIGRATION_SILENCE = 60_000
"""Likewise while the schema is changed, when all processes wait anyway."""
LONGEST_PAYLOAD = 7900
"""Bytes of one notification; PostgreSQL takes fewer than 8,000."""
RETRY_AFTER = 0.25
"""Seconds between two tries to listen again."""
LOOK_EVERY = 5.0
"""Seconds between two trials whether the connection that listens is alive."""
_WAIT = 0.25  # seconds until it looks up to see whether it is to end

_CHANGES, _TALK = "yacht_changes", "yacht_talk"
_CONNECTION = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# The first half of our advisory locks; the second says which.
_SCHEMA, _MARK = 0x59414348, 0x54594D4B

_NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")
# A transaction that had to give way to another one, or lost its connection: see the manual's
# appendix on error codes (class 08, 23505, 40001, 40P01, 57P0x).
_PASSING = ("08", "23505", "40001", "40P01", "57P")


class Postgres:
    """A `Database` that several processes share."""

    is_shared = True
    now = "extract(epoch from clock_timestamp())"

    def __init__(self, url: URL, mark: str) -> None:
        """Connect to *url*; all that share the database must have the same *mark*.

        Raises:
            MarkError: If a process with another mark is at work there.
            SQLAlchemyError: If there is no connection.
            StoreError: If the driver is not installed.
        """
        try:
            import psycopg  # noqa: F401, PLC0415 - only who has PostgreSQL needs it
        except ImportError as error:
            raise StoreError("install yacht-dice[postgres]") from error
        url = url.set(drivername="postgresql+psycopg")
        self.writer = _engine(url, "yacht writer", 1)
        self.readers = _engine(url, "yacht reader", READERS)
        self._me = secrets.token_hex(4)
        self._news: _News | None = None
        self._mark = int.from_bytes(sha256(mark.encode()).digest()[:4]) >> 1
        try:
            self.writer.connect().close()  # if there is nobody, that is how it is told
            if mark:
                self._news = _News(self.writer, url, self._me, self._mark)
        except BaseException:
            self.close()
            raise

    @property
    def is_heard(self) -> bool:
        """Whether what the others do is heard now."""
        return self._news is not None and self._news.is_connected

    def prepare(self, connection: Connection) -> None:
        """Let one process at a time look after the schema, until the transaction ends.

        The limits are for short transactions: an index of a large table takes minutes, and as long
        the other processes wait here.
        """
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(
            sa.text(f"SET LOCAL idle_in_transaction_session_timeout = {LONGEST_MIGRATION_SILENCE}")
        )
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_SCHEMA})"))

    def announce(self, connection: Connection, versions: Mapping[str, int]) -> None:
        """Tell the others, once the transaction is committed, how long streams have become."""
        words = [f"{stream}:{version}" for stream, version in versions.items()]
        for payload in _payloads(self._me, words):
            connection.execute(_NOTIFY, {"channel": _CHANGES, "payload": payload})

    def say(self, connection: Connection, text: str) -> None:
        """Tell the others *text*, once the transaction is committed."""
        payload = f"{self._me} {text}"
        connection.execute(_NOTIFY, {"channel": _TALK, "payload": payload})

    def attend(self, listener: Listener) -> None:
        """Tell *listener* from now on, in another thread, what the others do and say."""
        assert self._news is not None  # opened with a mark
        self._news.attend(listener)

    def is_passing(self, error: BaseException | None) -> bool:
        """Return whether the same may go well at the next try."""
        if not isinstance(error, DBAPIError):
            return False
        state = str(getattr(error.orig, "sqlstate", None) or "")
        return error.connection_invalidated or state.startswith(_PASSING)

    def is_away(self, error: BaseException | None) -> bool:
        """Return whether *error* says that there is no server to talk to."""
        if not isinstance(error, DBAPIError) or error.connection_invalidated:
            return False
        return getattr(error.orig, "sqlstate", None) is None and "connect" in str(error.orig)

    def close(self) -> None:
        """Let go of all connections."""
        if self._news is not None:
            self._news.close()
        self.readers.dispose()
        self.writer.dispose()


class _News:
    """Listens, in a thread of its own, for as long as the process lives; and holds the mark."""

    def __init__(self, engine: Engine, url: URL, me: str, mark: int) -> None:
        self.is_connected = False
        self._engine = engine
        self._url = url
        self._me = me
        self._mark = mark
        self._listener: Listener | None = None
        self._is_closed = threading.Event()
        self._connection = self._connect()
        self._check_mark()
        self._thread = threading.Thread(target=self._run, name="store news", daemon=True)

    def attend(self, listener: Listener) -> None:
        assert self._listener is None
        self._listener = listener
        self.is_connected = True
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._connection.close()

    def _connect(self) -> psycopg.Connection[Any]:
        """Return a connection that listens and holds the mark."""
        arguments, options = self._engine.dialect.create_connect_args(self._url)
        connection: psycopg.Connection[Any] = self._engine.dialect.loaded_dbapi.connect(
            *arguments,
            **{**options, **_CONNECTION, "application_name": "yacht news", "autocommit": True},
        )
        try:
            connection.execute(f"LISTEN {_CHANGES}")
            connection.execute(f"LISTEN {_TALK}")
            connection.execute(f"SELECT pg_advisory_lock_shared({_MARK}, {self._mark})")
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_mark(self) -> None:
        # Whoever comes second at the same moment sees the first one's lock: it is taken already.
        others = self._connection.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE datname = current_database() AND locktype = 'advisory' "
            "AND objsubid = 2 AND classid = %s AND objid <> %s",
            (_MARK, self._mark),
        ).fetchone()
        if others and others[0]:
            self._connection.close()
            raise MarkError("another server on this database has another secret")

    def _run(self) -> None:
        from psycopg import Error  # noqa: PLC0415

        listener = self._listener
        assert listener is not None
        while not self._is_closed.is_set():
            try:
                if not self.is_connected:
                    self._connection = self._connect()
                    self.is_connected = True
                    listener.missed()  # whatever happened meanwhile
                self._listen(listener)
            except (Error, OSError) as error:
                if self._is_closed.is_set():
                    return
                if self.is_connected:
                    _log.warning("what other servers do is not heard now", exc_info=error)
                self.is_connected = False
                with suppress(Exception):
                    self._connection.close()
                self._is_closed.wait(RETRY_AFTER)

    def _listen(self, listener: Listener) -> None:
        tried = time.monotonic()
        while not self._is_closed.is_set():
            for notice in self._connection.notifies(timeout=_WAIT, stop_after=1):
                sender, _, text = notice.payload.partition(" ")
                if sender == self._me:
                    continue
                if notice.channel == _CHANGES:
                    listener.changed(dict(_versions(text)))
                else:
                    listener.heard(text)
            if time.monotonic() - tried > LOOK_EVERY:
                tried = time.monotonic()
                self._connection.execute("SELECT 1")


def _versions(text: str) -> Iterator[tuple[str, int]]:
    for word in text.split():
        stream, _, version = word.rpartition(":")
        yield stream, int(version)


def _payloads(me: str, words: list[str]) -> Iterator[str]:
    """Yield as few notifications as *words* need: one, unless a batch is very large."""
    payload = me
    for word in words:
        if len(payload) + 1 + len(word) > LONGEST_PAYLOAD:
            yield payload
            payload = me
        payload = f"{payload} {word}"
    if payload != me:
        yield payload


def _engine(url: URL, name: str, size: int) -> Engine:
    engine = sa.create_engine(
        url,
        hide_parameters=True,  # names and holders have no business in a log
        isolation_level="READ COMMITTED",
        connect_args={**_CONNECTION, "application_name": name},
        pool_size=size,
        max_overflow=0,
        pool_use_lifo=True,
    )
    sa.event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: psycopg.Connection[Any], _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = {LONGEST_STATEMENT}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {LONGEST_SILENCE}")
        # Nothing is answered before it is on the disk, however the server is set up otherwise.
        cursor.execute("SHOW synchronous_commit")
        if cursor.fetchone() == ("off",):
            cursor.execute("SET synchronous_commit = on")
    connection.commit()
