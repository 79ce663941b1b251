"""A PostgreSQL database, which several processes may share.

Each process writes through one connection, reads through a few, and listens through one more. Each
batch of changes sends one NOTIFY with the new versions of its streams; processes that need the
events load them. Notifications arrive after the commits and in their order.
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
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from yachtdice.store.contract import ClusterKeyMismatchError, StoreError
from yachtdice.store.sql.database import READERS

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy.engine import URL, Connection, Engine

    from yachtdice.store.contract import Listener

_log = logging.getLogger(__name__)

STATEMENT_TIMEOUT = 15_000
"""Milliseconds after which PostgreSQL cancels a statement."""
IDLE_TIMEOUT = 2_000
"""Milliseconds after which PostgreSQL ends a transaction whose process sends nothing.

Other processes may wait for its locks; a healthy transaction takes a few milliseconds.
"""
MIGRATION_IDLE_TIMEOUT = 60_000
"""The same limit during a migration, for which all processes wait anyway."""
MAX_PAYLOAD = 7900
"""Bytes of one notification; PostgreSQL's own limit is just under 8,000."""
RETRY_AFTER = 0.25
"""Seconds between attempts to reconnect the listener."""
CHECK_EVERY = 5.0
"""Seconds between checks that the listening connection is alive."""
PROBE_EVERY = 30.0
"""Seconds between notifications to oneself."""
PROBE_TIMEOUT = 10.0
"""Seconds after which a notification to oneself counts as lost."""
_WAIT = 0.25  # seconds between checks whether to stop

_CHANGES, _TALK = "yacht_changes", "yacht_talk"
_CONNECTION = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# The first half of our advisory locks' keys.
_SCHEMA, _CLUSTER = 0x59414348, 0x54594D4B

_NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")
# SQLSTATEs of conflicts and lost connections (class 08, 23505, 40001, 40P01, 57P0x); see
# appendix A of PostgreSQL's manual.
_TRANSIENT = ("08", "23505", "40001", "40P01", "57P")


class Postgres:
    """A `Database` that several processes share."""

    is_shared = True
    now = "extract(epoch from clock_timestamp())"

    def __init__(self, url: URL, cluster_key: str) -> None:
        """Connect to *url*; all processes that share the database need the same *cluster_key*.

        Raises:
            ClusterKeyMismatchError: If a process with another key is connected.
            SQLAlchemyError: If there is no connection.
            StoreError: If the driver is not installed.
        """
        try:
            import psycopg  # noqa: F401, PLC0415 - only who has PostgreSQL needs it
        except ImportError as error:
            raise StoreError("install yacht-dice[postgres]") from error
        url = url.set(drivername="postgresql+psycopg")
        self.writer: Engine = _engine(url, "yacht writer", 1)
        self.readers: Engine = _engine(url, "yacht reader", READERS)
        self._me = secrets.token_hex(4)
        self._news: _News | None = None
        self._cluster_key = int.from_bytes(sha256(cluster_key.encode()).digest()[:4]) >> 1
        try:
            self.writer.connect().close()  # fails at once if the server cannot be reached
            if cluster_key:
                self._news = _News(self.readers, url, self._me, self._cluster_key)
        except BaseException:
            self.close()
            raise

    @property
    def is_listening(self) -> bool:
        """Whether notifications of other processes arrive now."""
        return self._news is not None and self._news.is_connected and self._news.is_delivering

    def prepare(self, connection: Connection) -> None:
        """Lock the schema against other processes until the transaction ends.

        The usual limits are lifted: building an index of a large table takes minutes, for which the
        other processes wait here.
        """
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(
            sa.text(f"SET LOCAL idle_in_transaction_session_timeout = {MIGRATION_IDLE_TIMEOUT}")
        )
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_SCHEMA})"))

    def announce(self, connection: Connection, versions: Mapping[str, int]) -> None:
        """Notify other processes of new versions once the transaction commits."""
        words = [f"{stream}:{version}" for stream, version in versions.items()]
        for payload in _payloads(self._me, words):
            connection.execute(_NOTIFY, {"channel": _CHANGES, "payload": payload})

    def broadcast(self, connection: Connection, text: str) -> None:
        """Send *text* to other processes once the transaction commits."""
        payload = f"{self._me} {text}"
        connection.execute(_NOTIFY, {"channel": _TALK, "payload": payload})

    def subscribe(self, listener: Listener) -> None:
        """Call *listener*, in another thread, for what other processes do and send."""
        assert self._news is not None  # opened with a cluster key
        self._news.subscribe(listener)

    def is_transient(self, error: BaseException | None) -> bool:
        """Return whether *error* is a conflict or a lost connection."""
        if not isinstance(error, DBAPIError):
            return False
        state = str(getattr(error.orig, "sqlstate", None) or "")
        return error.connection_invalidated or state.startswith(_TRANSIENT)

    def is_unreachable(self, error: BaseException | None) -> bool:
        """Return whether *error* says that the server cannot be reached."""
        if not isinstance(error, DBAPIError) or error.connection_invalidated:
            return False
        return getattr(error.orig, "sqlstate", None) is None and "connect" in str(error.orig)

    def close(self) -> None:
        """Close all connections."""
        if self._news is not None:
            self._news.close()
        self.readers.dispose()
        self.writer.dispose()


class _News:
    """Listens for notifications in a thread of its own, and holds the lock of the cluster key."""

    def __init__(self, engine: Engine, url: URL, me: str, cluster_key: int) -> None:
        self.is_connected = False
        self.is_delivering = True
        """Whether the latest notification to oneself arrived.

        A pooler in between takes LISTEN, and may then use another connection to the server.
        """
        self._probe_at = 0.0
        self._lost_at: float | None = None
        self._engine = engine
        self._url = url
        self._me = me
        self._cluster_key = cluster_key
        self._listener: Listener | None = None
        self._is_closed = threading.Event()
        self._connection = self._connect()
        self._check_cluster_key()
        self._thread = threading.Thread(target=self._run, name="store news", daemon=True)

    def subscribe(self, listener: Listener) -> None:
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
        """Return a connection that listens and holds the lock of the cluster key."""
        arguments, options = self._engine.dialect.create_connect_args(self._url)
        connection: psycopg.Connection[Any] = self._engine.dialect.loaded_dbapi.connect(
            *arguments,
            **{**options, **_CONNECTION, "application_name": "yacht news", "autocommit": True},
        )
        try:
            connection.execute(f"LISTEN {_CHANGES}")
            connection.execute(f"LISTEN {_TALK}")
            connection.execute(f"SELECT pg_advisory_lock_shared({_CLUSTER}, {self._cluster_key})")
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_cluster_key(self) -> None:
        # Our own lock is taken already, so of two processes that start at once one sees the other.
        others = self._connection.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE datname = current_database() AND locktype = 'advisory' "
            "AND objsubid = 2 AND classid = %s AND objid <> %s",
            (_CLUSTER, self._cluster_key),
        ).fetchone()
        if others and others[0]:
            self._connection.close()
            raise ClusterKeyMismatchError("another server on this database has another secret")

    def _run(self) -> None:
        from psycopg import Error  # noqa: PLC0415

        listener = self._listener
        assert listener is not None
        while not self._is_closed.is_set():
            try:
                if not self.is_connected:
                    self._connection = self._connect()
                    self.is_connected = True
                    listener.on_gap()  # notifications in between are lost
                self._listen(listener)
            except (Error, OSError) as error:
                if self._is_closed.is_set():
                    return
                if self.is_connected:
                    _log.warning(
                        "lost the connection that listens to other servers", exc_info=error
                    )
                self.is_connected = False
                with suppress(Exception):
                    self._connection.close()
                self._is_closed.wait(RETRY_AFTER)

    def _listen(self, listener: Listener) -> None:
        tried = self._probe_at = time.monotonic()
        self._lost_at = None
        while not self._is_closed.is_set():
            for notice in self._connection.notifies(timeout=_WAIT, stop_after=1):
                sender, _, text = notice.payload.partition(" ")
                if sender == self._me:
                    self._delivered(listener)
                    continue
                if notice.channel == _CHANGES:
                    listener.on_change(dict(_versions(text)))
                else:
                    listener.on_message(text)
            if time.monotonic() - tried > CHECK_EVERY:
                tried = time.monotonic()
                self._connection.execute("SELECT 1")
            self._probe(listener)

    def _probe(self, listener: Listener) -> None:
        """Send a notification to oneself once in a while; notice that one is lost.

        It goes by another connection: over its own, a pooler might deliver it by chance.
        """
        now = time.monotonic()
        if self._lost_at is not None and now >= self._lost_at:
            self._lost_at = None
            if self.is_delivering:
                _log.warning(
                    "notifications are not delivered: LISTEN does not work through a pooler"
                )
            self.is_delivering = False
            listener.on_gap()
        if now >= self._probe_at:
            every = PROBE_EVERY if self.is_delivering else min(PROBE_EVERY, PROBE_TIMEOUT)
            self._probe_at = now + every
            with suppress(SQLAlchemyError), self._engine.begin() as connection:
                connection.execute(_NOTIFY, {"channel": _TALK, "payload": self._me})
                self._lost_at = time.monotonic() + PROBE_TIMEOUT

    def _delivered(self, listener: Listener) -> None:
        """Note that a notification to oneself has arrived."""
        self._lost_at = None
        if not self.is_delivering:
            self.is_delivering = True
            _log.info("notifications are delivered again")
            listener.on_gap()


def _versions(text: str) -> Iterator[tuple[str, int]]:
    for word in text.split():
        stream, _, version = word.rpartition(":")
        yield stream, int(version)


def _payloads(me: str, words: list[str]) -> Iterator[str]:
    """Yield *words* in as few notifications as possible: one unless a batch is very large."""
    payload = me
    for word in words:
        if len(payload) + 1 + len(word) > MAX_PAYLOAD:
            yield payload
            payload = me
        payload = f"{payload} {word}"
    if payload != me:
        yield payload


def _engine(url: URL, name: str, size: int) -> Engine:
    engine = sa.create_engine(
        url,
        hide_parameters=True,  # keeps names and holders out of the log
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
        cursor.execute(f"SET statement_timeout = {STATEMENT_TIMEOUT}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT}")
        # A commit is durable when it returns, even if the server is configured otherwise.
        cursor.execute("SHOW synchronous_commit")
        if cursor.fetchone() == ("off",):
            cursor.execute("SET synchronous_commit = on")
    connection.commit()
