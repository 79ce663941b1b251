"""A store in a database, through SQLAlchemy Core: SQLite for one process, PostgreSQL for several.

One thread writes. It commits together whatever arrived while it was busy (group commit), so that
many changes share one flush to disk. What differs between the databases is behind `Database`.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from yachtdice.store.contract import (
    StoreBrokenError,
    StoreClosedError,
    Stored,
    StoreError,
    StreamInfo,
    StreamSnapshot,
    Write,
)
from yachtdice.store.sql.appending import append, append_checked
from yachtdice.store.sql.database import READERS
from yachtdice.store.sql.loading import load
from yachtdice.store.sql.migrating import migrate
from yachtdice.store.sql.postgres import Postgres
from yachtdice.store.sql.scanning import LAST_ACTIVE, scan, snapshots, streams_of
from yachtdice.store.sql.schema import leases, streams
from yachtdice.store.sql.sqlite import Sqlite
from yachtdice.store.sql.waiting import (
    ANSWER_TIMEOUT,
    RETRY_FOR,
    Job,
    Overdue,
    Waker,
    no_answer,
    retry,
    wake,
)

if TYPE_CHECKING:
    from yachtdice.store.contract import Listener
    from yachtdice.store.sql.database import Database

T = TypeVar("T")
_log = logging.getLogger(__name__)

MAX_BATCH = 256
PROBE_BYTES = 16 * 1024
"""Bytes that `SqlStore.ping` writes: some pages, as the longest usual write takes."""


def is_shareable(address: str) -> bool:
    """Return whether several processes can share the database at *address*."""
    return address.partition(":")[0].partition("+")[0] == "postgresql"


class SqlStore:
    """A `Store` in a database."""

    def __init__(self, database: Database) -> None:
        """Use `SqlStore.open` instead, which checks the address."""
        self.observe: Callable[[int, float], None] | None = None
        self._database = database
        self._me = secrets.token_hex(8)
        try:
            # The file of SQLite and its WAL exist before any second connection opens.
            retry(partial(migrate, database), database.is_transient, time.monotonic() + RETRY_FOR)
        except BaseException:
            database.close()
            raise
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._is_closed = False
        self._reading = ThreadPoolExecutor(READERS, "store reader")
        self._overdue = Overdue()
        self._wanted: list[tuple[str, int, asyncio.Future[list[Stored]]]] = []
        self._loading: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, address: str, cluster_key: str = "") -> SqlStore:
        """Return the store at *address*, its schema brought up to date.

        That is `sqlite:///path/to/file`, `sqlite://` for memory, or
        `postgresql://user@host/database`. Several processes may share the latter: all of them pass
        the same *cluster_key*. Without one, a store cannot `subscribe`.

        Raises:
            StoreError: If the address is not valid, the database is in use (StoreInUseError,
                ClusterKeyMismatchError), or its schema is too new.
        """
        try:
            url = make_url(address)
        except ArgumentError as error:
            raise StoreError(f"not the address of a database: {address!r:.80}") from error
        kind = url.get_backend_name()
        try:
            if kind == "sqlite":
                return cls(Sqlite(url))
            if kind == "postgresql":
                return cls(Postgres(url, cluster_key))
        except SQLAlchemyError as error:
            where = url.render_as_string(hide_password=True)
            raise StoreError(f"cannot open {where}: {error.__cause__ or error}") from error
        raise StoreError(f"{kind!r}: only sqlite:///FILE and postgresql://... are known")

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same streams."""
        return self._database.is_shared

    @property
    def is_listening(self) -> bool:
        """Whether listeners currently receive all changes; see `Store.is_listening`."""
        return self._database.is_listening

    def subscribe(self, listener: Listener) -> None:
        """Notify *listener* from now on of what other processes do with the streams."""
        self._database.subscribe(listener)

    async def broadcast(self, text: str) -> None:
        """Send *text* to the listeners of all other processes."""
        await self._do(lambda connection: self._database.broadcast(connection, text))

    async def lease(self, name: str, seconds: float) -> float:
        """Acquire or renew the lease called *name*; see `Store.lease`."""
        now = self._database.now
        take = sa.text(
            f"INSERT INTO leases (name, holder, until) VALUES (:name, :me, {now} + :seconds) "  # noqa: S608
            "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until "
            f"WHERE leases.holder = excluded.holder OR leases.until <= {now} RETURNING name"
        )
        look = sa.text(f"SELECT until - {now} FROM leases WHERE name = :name")  # noqa: S608

        def run(connection: Connection) -> float:
            wanted = {"name": name, "me": self._me, "seconds": seconds}
            if connection.execute(take, wanted).first() is not None:
                return 0.0
            left = connection.execute(look, {"name": name}).scalar()
            return max(float(left or 0.0), 0.001)

        return await self._do(run)

    def append(self, *writes: Write) -> asyncio.Future[None]:
        """Append all of *writes* or none; see `Store.append`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._overdue.watch(loop, future)
        self._put(Job(Waker(loop, future), writes))
        return future

    async def load(self, stream: str, after: int = 0) -> list[Stored]:
        """Return the events of *stream* from number *after* + 1 on.

        Calls that arrive while a reader is busy are answered together by the next query.
        """
        future: asyncio.Future[list[Stored]] = asyncio.get_running_loop().create_future()
        self._wanted.append((stream, after, future))
        if self._loading is None:
            self._loading = asyncio.create_task(self._load_all())
        return await future

    async def _load_all(self) -> None:
        while self._wanted:
            batch, self._wanted = self._wanted[:MAX_BATCH], self._wanted[MAX_BATCH:]
            keys = [(stream, after) for stream, after, _ in batch]
            failure: Exception | None = None
            found: list[list[Stored]] = []
            try:
                found = await self._read(partial(load, wanted=keys))
            except Exception as error:  # noqa: BLE001 - passed on to the callers
                failure = error
            for number, (_, _, future) in enumerate(batch):
                if future.done():  # cancelled
                    continue
                if failure is None:
                    future.set_result(found[number])
                else:
                    future.set_exception(failure)
        self._loading = None

    async def streams_of(self, member: str, limit: int) -> list[StreamInfo]:
        """Return the streams of *member*, the most lately active first."""
        return await self._read(lambda connection: streams_of(connection, member, limit))

    async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
        """Return the first *limit* streams whose names come after *after*, in their order."""
        return await self._read(lambda connection: scan(connection, after, limit))

    async def snapshots(self, names: Sequence[str]) -> list[StreamSnapshot]:
        """Return the streams called *names* that exist, ordered by name."""
        return await self._read(lambda connection: snapshots(connection, names))

    async def sweep(self, stage: str, before: float, limit: int) -> list[str]:
        """Delete up to *limit* streams in *stage* whose newest event is older; return which."""
        is_old = sa.and_(streams.c.stage == stage, before > LAST_ACTIVE)
        wanted = (
            sa.select(streams.c.stream)
            .where(is_old)
            .order_by(LAST_ACTIVE, streams.c.stream)
            .limit(limit)
        )
        # A reader searches for them, which takes long in a large database; the writer checks the
        # few that were found again, once they are locked.
        found = await self._read(lambda connection: list(connection.execute(wanted).scalars()))
        among = streams.c.stream.in_(found)
        hold = sa.select(streams.c.stream).where(among).order_by(streams.c.stream).with_for_update()
        again = sa.select(streams.c.stream).where(among, is_old)
        ended = sa.delete(leases).where(leases.c.until < sa.text(f"{self._database.now} - 3600"))

        def run(connection: Connection) -> list[str]:
            connection.execute(ended)
            connection.execute(hold)
            old = set(connection.execute(again).scalars())
            connection.execute(sa.delete(streams).where(streams.c.stream.in_(old)))
            self._database.announce(connection, dict.fromkeys(sorted(old), 0))
            return [stream for stream in found if stream in old]

        return await self._do(run) if found else []

    async def delete(self, stream: str) -> bool:
        """Delete *stream*; return whether there was one."""
        wanted = sa.delete(streams).where(streams.c.stream == stream)

        def run(connection: Connection) -> bool:
            is_there = connection.execute(wanted).rowcount > 0
            if is_there:
                self._database.announce(connection, {stream: 0})
            return is_there

        return await self._do(run)

    async def ping(self) -> None:
        """Read, and write a row that takes new space; see `Store.ping`.

        Updating a row in place would succeed on a full disk, and so would a write that is undone
        within its transaction.
        """
        if self._is_closed or not self._thread.is_alive():
            raise StoreClosedError
        await self._read(lambda connection: connection.execute(sa.select(1)).scalar())
        probe = {"name": f"probe {self._me}", "filler": secrets.token_hex(PROBE_BYTES // 2)}
        write = sa.text(
            "INSERT INTO leases (name, holder, until) "  # noqa: S608
            f"VALUES (:name, :filler, {self._database.now}) "
            "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder"
        )
        await self._do(lambda connection: connection.execute(write, probe))
        is_over = leases.c.until < sa.text(f"{self._database.now} - 3600")  # of a process that died
        remove = sa.delete(leases).where(sa.or_(leases.c.name == probe["name"], is_over))
        await self._do(lambda connection: connection.execute(remove))

    async def close(self) -> None:
        """Finish the jobs in the queue, reject later ones, and release the database."""
        with self._gate:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._reading.shutdown(wait=False)
        self._database.close()

    def _put(self, job: Job) -> None:
        with self._gate:
            if self._is_closed:
                job.error = StoreClosedError()
            else:
                self._jobs.put(job)
        if job.error is not None:
            job.waker.tell(job)

    async def _do(self, run: Callable[[Connection], T]) -> T:
        """Run *run* in the writer's thread, within a transaction."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._put(Job(Waker(loop, future), run=run))
        return await self._wait(future)

    async def _read(self, run: Callable[[Connection], T]) -> T:
        readers = self._database.readers
        if readers is None:
            return await self._do(run)

        def read_once() -> T:
            with readers.connect() as connection:
                return run(connection)

        def read() -> T:
            until = time.monotonic() + RETRY_FOR
            try:
                return retry(read_once, self._database.is_transient, until)
            except SQLAlchemyError as error:
                raise StoreBrokenError(str(error.__cause__ or error)) from error

        if self._is_closed:
            raise StoreClosedError
        reading = asyncio.get_running_loop().run_in_executor(self._reading, read)
        return await self._wait(reading)

    async def _wait(self, outcome: Awaitable[T]) -> T:
        try:
            # Not `wait_for`: up to Python 3.11 it loses a cancellation that comes with the answer.
            async with asyncio.timeout(ANSWER_TIMEOUT):
                return await outcome
        except TimeoutError as error:
            raise no_answer() from error

    def _run(self) -> None:
        """Process jobs until the sentinel None, which is the last item in the queue."""
        is_open = True
        while is_open:
            batch: list[Job] = []
            job = self._jobs.get()
            while job is not None:
                batch.append(job)
                if len(batch) == MAX_BATCH:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            is_open = job is not None
            if batch:
                self._work(batch)

    def _work(self, batch: list[Job]) -> None:
        """Try all at once; if that fails, one by one, so that only the failing job is rejected."""
        begun = time.perf_counter()
        until = time.monotonic() + RETRY_FOR  # shared by the whole batch: others wait meanwhile
        if not self._try(batch, append):
            for number, job in enumerate(batch):
                self._alone(job, until)
                if job.error is not None and self._database.is_unreachable(job.error.__cause__):
                    for other in batch[number + 1 :]:
                        other.error = job.error
                    break
        appends = sum(bool(job.writes) for job in batch)
        if self.observe is not None and appends:
            self.observe(appends, time.perf_counter() - begun)
        wakers: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        for job in batch:
            wakers.setdefault(job.waker.loop, []).append(job)
        for loop, jobs in wakers.items():
            try:
                loop.call_soon_threadsafe(wake, jobs)
            except RuntimeError:  # the loop was closed, so nobody waits
                _log.warning("changes were appended for an event loop that is closed")

    def _alone(self, job: Job, until: float) -> None:
        def run() -> None:
            if not self._try([job], append_checked):
                assert job.error is not None
                raise job.error

        # Another process was quicker, or the connection broke after a commit that may or may not
        # have happened. Trying again finds out; versions and request ids prevent duplicates.
        with suppress(StoreError):  # stored in the job
            retry(run, lambda error: self._database.is_transient(error.__cause__), until)

    def _try(self, jobs: list[Job], append: Callable[[Connection, list[Write]], None]) -> bool:
        """Run *jobs* in one transaction; if it fails, set their errors and return False."""
        try:
            with self._database.writer.begin() as connection:
                for job in jobs:
                    if job.run is not None:
                        job.result = job.run(connection)
                writes = [write for job in jobs for write in job.writes]
                append(connection, writes)
                if writes:
                    self._database.announce(connection, _versions(writes))
        except StoreError as error:
            failure: StoreError = error
        except Exception as error:  # noqa: BLE001 - passed on to the callers
            failure = StoreBrokenError(f"{type(error).__name__}: {error}")
            failure.__cause__ = error
        else:
            for job in jobs:
                job.error = None
            return True
        for job in jobs:
            job.error = failure
        return False


def _versions(writes: Sequence[Write]) -> dict[str, int]:
    return {write.stream: write.expected + len(write.entries) for write in writes}
