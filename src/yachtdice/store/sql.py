"""Streams in a database, through SQLAlchemy Core: SQLite now, and nothing that PostgreSQL lacks.

One thread writes, and commits for everybody who came while it was busy (group commit), so that full
durability costs one flush of the disk for many. SQLite up to 3.51.2 can damage a WAL database when
two connections write or checkpoint; there is exactly one here, and readers are read-only.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from yachtdice.store.appending import keep, keep_checked
from yachtdice.store.entries import StoreClosedError, Stored, StoreError, StreamInfo, Write
from yachtdice.store.migrating import migrate
from yachtdice.store.schema import events, members, streams

T = TypeVar("T")
_log = logging.getLogger(__name__)

BUSY_TIMEOUT = 5000
"""Milliseconds for which a connection waits for another's lock."""
MOST_IN_BATCH = 256
READERS = 4

_VERSION = (
    sa.select(sa.func.max(events.c.seq))
    .where(events.c.stream == streams.c.stream)
    .scalar_subquery()
)
_ACTIVE = (
    sa.select(events.c.time)
    .where(events.c.stream == streams.c.stream)
    .order_by(events.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)


class StoreInUseError(StoreError):
    """Another process has the database open; there is one writer at a time."""


class StoreBrokenError(StoreError):
    """The database could not keep something: a full disk, a lost connection."""


class _Job:
    """Something for the writer: writes, or a function that needs its connection."""

    __slots__ = ("done", "error", "result", "run", "writes")

    def __init__(
        self,
        done: Callable[[_Job], None],
        writes: Sequence[Write] = (),
        run: Callable[[Connection], Any] | None = None,
    ) -> None:
        self.done = done
        self.writes = writes
        self.run = run
        self.result: Any = None
        self.error: BaseException | None = None


class SqlStore:
    """A `Store` in a database."""

    def __init__(self, url: URL) -> None:
        """Take `SqlStore.open` instead: it checks the address and brings the schema up to date."""
        self._url = url
        self._is_memory = url.get_backend_name() == "sqlite" and not url.database
        self._lock = _lock(url)
        try:
            self._writer = _engine(url, is_writer=True)
            # The file and its WAL exist before any second connection opens.
            with self._writer.begin() as connection:
                migrate(connection)
        except BaseException:
            self._let_go()
            raise
        self._readers = self._writer if self._is_memory else _engine(url, is_writer=False)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, address: str) -> SqlStore:
        """Return the store at *address*: `sqlite:///path/to/file`, or `sqlite://` for memory.

        Raises:
            StoreError: If that is no address, the database is in use, or its schema is too new.
        """
        try:
            url = make_url(address)
        except ArgumentError as error:
            raise StoreError(f"not the address of a database: {address!r:.80}") from error
        if url.get_backend_name() != "sqlite":
            raise StoreError(f"{url.get_backend_name()!r}: only sqlite:///FILE is known")
        try:
            return cls(url)
        except SQLAlchemyError as error:
            raise StoreError(f"cannot open {url.database}: {error.__cause__ or error}") from error

    def append(self, *writes: Write) -> asyncio.Future[None]:
        """Keep all of *writes* or none; see `Store.append`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._put(_Job(_Waker(loop, future), writes))
        return future

    async def load(self, stream: str, after: int = 0) -> list[Stored]:
        """Return the events of *stream* from number *after* + 1 on."""
        wanted = (
            sa.select(events)
            .where(events.c.stream == stream, events.c.seq > after)
            .order_by(events.c.seq)
        )
        return await self._read(
            lambda connection: [
                Stored(stream, seq, time, actor, request, kind, json.loads(data))
                for _, seq, time, actor, request, kind, data in connection.execute(wanted)
            ]
        )

    async def streams_of(self, member: str, limit: int) -> list[StreamInfo]:
        """Return the streams of *member*, the most lately active first."""
        wanted = (
            sa.select(streams.c.stream, _VERSION, streams.c.created, _ACTIVE, streams.c.stage)
            .join(members, members.c.stream == streams.c.stream)
            .where(members.c.member == member)
            .order_by(_ACTIVE.desc(), streams.c.stream)
            .limit(limit)
        )
        return await self._read(
            lambda connection: [StreamInfo(*row) for row in connection.execute(wanted)]
        )

    async def sweep(self, stage: str, before: float, limit: int) -> list[str]:
        """Delete up to *limit* streams in *stage* whose newest event is older; return which."""
        is_old = sa.and_(streams.c.stage == stage, before > _ACTIVE)
        wanted = (
            sa.select(streams.c.stream)
            .where(is_old)
            .order_by(_ACTIVE, streams.c.stream)
            .limit(limit)
        )
        # Readers look for them, which takes long in a large database; the writer looks again.
        found = await self._read(lambda connection: list(connection.execute(wanted).scalars()))
        again = sa.select(streams.c.stream).where(streams.c.stream.in_(found), is_old)

        def run(connection: Connection) -> list[str]:
            old = set(connection.execute(again).scalars())
            connection.execute(sa.delete(streams).where(streams.c.stream.in_(old)))
            return [stream for stream in found if stream in old]

        return await self._do(run) if found else []

    async def delete(self, stream: str) -> bool:
        """Delete *stream*; return whether there was one."""
        wanted = sa.delete(streams).where(streams.c.stream == stream)
        return await self._do(lambda connection: connection.execute(wanted).rowcount > 0)

    async def ping(self) -> None:
        """Return if the database can be read and the writer is at work.

        Raises:
            StoreError: If not.
        """
        if self._is_closed or not self._thread.is_alive():
            raise StoreClosedError
        await self._read(lambda connection: connection.execute(sa.select(1)).scalar())

    async def close(self) -> None:
        """Keep what came before, refuse what comes after, and let go of the file."""
        with self._gate:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._let_go()

    def _let_go(self) -> None:
        for engine in (getattr(self, "_readers", None), getattr(self, "_writer", None)):
            if engine is not None:
                engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def _put(self, job: _Job) -> None:
        with self._gate:
            if self._is_closed:
                job.error = StoreClosedError()
            else:
                self._jobs.put(job)
        if job.error is not None:
            job.done(job)

    async def _do(self, run: Callable[[Connection], T]) -> T:
        """Run in the writer's thread, in a transaction of its own."""
        outcome: Future[T] = Future()

        def done(job: _Job) -> None:
            if job.error is not None:
                outcome.set_exception(job.error)
            else:
                outcome.set_result(job.result)

        self._put(_Job(done, run=run))
        return await asyncio.wrap_future(outcome)

    async def _read(self, run: Callable[[Connection], T]) -> T:
        if self._is_memory:  # a database in memory has one connection
            return await self._do(run)

        def read() -> T:
            with self._readers.connect() as connection:
                return run(connection)

        try:
            return await asyncio.to_thread(read)
        except SQLAlchemyError as error:
            raise StoreBrokenError(str(error.__cause__ or error)) from error

    def _run(self) -> None:
        """Work until the end mark comes, which is the last thing in the queue."""
        is_open = True
        while is_open:
            batch: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_IN_BATCH:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            is_open = job is not None
            if batch:
                self._work(batch)

    def _work(self, batch: list[_Job]) -> None:
        """Try all at once; if that fails, one by one, so that only the guilty fail."""
        if not self._try(batch, keep):
            for job in batch:
                self._try([job], keep_checked)
        wakers: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in batch:
            if isinstance(job.done, _Waker):
                wakers.setdefault(job.done.loop, []).append(job)
            else:
                job.done(job)
        for loop, jobs in wakers.items():
            try:
                loop.call_soon_threadsafe(_wake, jobs)
            except RuntimeError:  # the loop was closed: nobody waits any more
                _log.warning("changes were kept for a loop that is closed")

    def _try(self, jobs: list[_Job], keep: Callable[[Connection, list[Write]], None]) -> bool:
        """Return whether *jobs* were done in one transaction; if not, each has the error."""
        try:
            with self._writer.begin() as connection:
                for job in jobs:
                    if job.run is not None:
                        job.result = job.run(connection)
                keep(connection, [write for job in jobs for write in job.writes])
        except StoreError as error:
            failure: StoreError = error
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait have to be told
            failure = StoreBrokenError(f"{type(error).__name__}: {error}")
            failure.__cause__ = error
        else:
            for job in jobs:
                job.error = None
            return True
        for job in jobs:
            job.error = failure
        return False


class _Waker:
    """Tells a future on its loop how a job ended; the writer calls it once for a whole batch."""

    __slots__ = ("future", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[None]) -> None:
        self.loop = loop
        self.future = future

    def __call__(self, job: _Job) -> None:
        if self.future.done():
            return
        if job.error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(job.error)


def _wake(jobs: list[_Job]) -> None:
    for job in jobs:
        job.done(job)


def _lock(url: URL) -> FileLock | None:
    """Return the lock that says that this process has the file, which only one may."""
    if not url.database:
        return None
    path = Path(url.database)
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreInUseError(f"{path} is in use by another yacht server") from None
    return lock


def _engine(url: URL, *, is_writer: bool) -> Engine:
    path = url.database

    def connect() -> sqlite3.Connection:
        if not path:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
        else:
            mode = "rwc" if is_writer else "ro"
            address = f"file:{quote(str(Path(path).absolute()))}?mode={mode}"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.isolation_level = None  # SQLAlchemy's events below say when one begins
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")  # before anything can be busy
        connection.execute("PRAGMA foreign_keys = ON")
        if is_writer:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        return connection

    engine = sa.create_engine(
        "sqlite://",
        creator=connect,
        hide_parameters=True,  # names and holders have no business in a log
        poolclass=StaticPool if is_writer else QueuePool,
        **({} if is_writer else {"pool_size": READERS, "max_overflow": 0}),
    )
    begin = "BEGIN IMMEDIATE" if is_writer else "BEGIN"
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine
