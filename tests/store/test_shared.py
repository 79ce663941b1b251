"""Several processes on one PostgreSQL: races, news, leases, and connections that break."""

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import AsyncIterator, Mapping
from itertools import chain

import pytest
from sqlalchemy import Connection, event

from tests.postgres import Postgres
from tests.waiting import DEADLINE, until_async
from yachtdice.store.contract import (
    MAX_TEXT,
    ClusterKeyMismatchError,
    Entry,
    RequestRepeatedError,
    StoreBrokenError,
    StoreError,
    VersionConflictError,
    Write,
)
from yachtdice.store.sql import postgres
from yachtdice.store.sql.appending import append_checked
from yachtdice.store.sql.engine import SqlStore

pytestmark = [pytest.mark.system, pytest.mark.anyio]
CLUSTER_KEY = "one secret for all"
NOBODY = "postgresql://nobody@127.0.0.1:1/nothing"


class Recorder:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.versions: list[tuple[str, int]] = []
        self.texts: list[str] = []
        self.gaps = 0
        self._news = threading.Condition()

    def on_change(self, versions: Mapping[str, int]) -> None:
        with self._news:
            self.versions.extend(versions.items())
            self._news.notify_all()

    def on_message(self, text: str) -> None:
        with self._news:
            self.texts.append(text)
            self._news.notify_all()

    def on_gap(self) -> None:
        with self._news:
            self.gaps += 1
            self._news.notify_all()

    async def until(self, news: str, number: int) -> None:
        """Wait until there are so many of the news of one kind."""

        def wait() -> bool:
            with self._news:
                return self._news.wait_for(lambda: self._count(news) >= number, DEADLINE)

        assert await asyncio.to_thread(wait), (news, self._count(news))

    def _count(self, news: str) -> int:
        found = getattr(self, news)
        return found if isinstance(found, int) else len(found)


def one(stream: str, expected: int = 0, request: str | None = None) -> Write:
    return Write(stream, expected, [Entry("k", {})], 1.0, request=request, stage=f"s{expected}")


@pytest.fixture
def url(postgresql: Postgres) -> str:
    return postgresql.database()


@pytest.fixture
async def pair(url: str) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    stores = SqlStore.open(url, CLUSTER_KEY), SqlStore.open(url, CLUSTER_KEY)
    yield stores
    for store in stores:
        await store.close()


async def test_each_hears_of_the_others_changes_in_order_and_not_of_its_own(
    pair: tuple[SqlStore, SqlStore],
) -> None:
    mine, theirs = pair
    here, there = Recorder(), Recorder()
    mine.subscribe(here)
    theirs.subscribe(there)
    assert mine.is_shared
    assert mine.is_listening
    for version in range(50):
        await mine.append(one("s", version))
    await theirs.append(one("t"))
    await mine.delete("s")
    await there.until("versions", 51)
    assert there.versions == [("s", version) for version in range(1, 51)] + [("s", 0)]
    await here.until("versions", 1)
    assert here.versions == [("t", 1)]


async def test_a_batch_is_one_notification_and_even_a_huge_one_is_sent(
    pair: tuple[SqlStore, SqlStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = pair
    there = Recorder()
    batches: list[int] = []
    on_change = there.on_change

    def count(versions: Mapping[str, int]) -> None:
        batches.append(len(versions))
        on_change(versions)

    monkeypatch.setattr(there, "on_change", count)
    theirs.subscribe(there)
    names = [f"a-table-with-a-long-name-{number:04}" for number in range(250)]
    await mine.append(*map(one, names))
    await there.until("versions", 250)
    assert sorted(there.versions) == [(name, 1) for name in names]
    assert len(batches) == 2  # as few as the length of a notification allows


async def test_what_is_not_kept_is_not_sent(pair: tuple[SqlStore, SqlStore]) -> None:
    mine, theirs = pair
    there = Recorder()
    theirs.subscribe(there)
    await mine.append(one("s"))
    with pytest.raises(VersionConflictError):
        await mine.append(one("t"), one("s", 5))
    await mine.append(one("u"))
    await there.until("versions", 2)
    assert there.versions == [("s", 1), ("u", 1)]


async def test_the_others_are_told_any_text(pair: tuple[SqlStore, SqlStore]) -> None:
    mine, theirs = pair
    there = Recorder()
    theirs.subscribe(there)
    texts = ["a b\nc", "x" * MAX_TEXT, "%s ' \" \\"]
    for text in texts:
        await mine.broadcast(text)
    await there.until("texts", 3)
    assert there.texts == texts


async def test_of_all_that_race_for_one_version_one_wins(pair: tuple[SqlStore, SqlStore]) -> None:
    """In both processes at once, at many streams in opposite orders: nobody waits for ever."""
    streams = [f"s{number}" for number in range(20)]
    await asyncio.gather(*(pair[0].append(one(stream)) for stream in streams))
    for version in range(1, 16):
        writes = [
            (store, stream)
            for store, order in ((pair[0], streams), (pair[1], streams[::-1]))
            for stream in chain(order, order)
        ]
        outcomes = await asyncio.gather(
            *(store.append(one(stream, version)) for store, stream in writes),
            return_exceptions=True,
        )
        won = [stream for (_, stream), end in zip(writes, outcomes, strict=True) if end is None]
        assert sorted(won) == sorted(streams)
        lost = [outcome for outcome in outcomes if outcome is not None]
        assert [error for error in lost if not isinstance(error, VersionConflictError)] == []
    for stream in streams:
        assert [event.seq for event in await pair[1].load(stream)] == list(range(1, 17))


async def test_one_at_a_time_has_a_lease_until_it_runs_out(
    pair: tuple[SqlStore, SqlStore],
) -> None:
    mine, theirs = pair
    long = 10 * DEADLINE
    assert await mine.lease("computer", long) == 0
    assert 0 < await theirs.lease("computer", long) <= long
    assert await theirs.lease("other", long) == 0
    assert await mine.lease("computer", 0.1) == 0  # it is kept, for less
    while wait := await theirs.lease("computer", long):
        assert wait <= 0.1
        await asyncio.sleep(wait)
    assert long - DEADLINE < await mine.lease("computer", 1) <= long


async def test_a_swept_table_that_was_played_on_meanwhile_stays(
    pair: tuple[SqlStore, SqlStore],
) -> None:
    mine, theirs = pair
    await mine.append(Write("s", 0, [Entry("k", {})], 1.0, stage="open"))
    outcomes = await asyncio.gather(
        mine.sweep("open", 5, 9),
        theirs.append(Write("s", 1, [Entry("k", {})], 9.0)),
        return_exceptions=True,
    )
    left = len(await mine.load("s"))
    assert (outcomes[0], outcomes[1] is None, left) in [([], True, 2), (["s"], False, 0)]


async def test_who_has_another_secret_is_refused_while_the_others_are_there(url: str) -> None:
    store = SqlStore.open(url, CLUSTER_KEY)
    with pytest.raises(ClusterKeyMismatchError, match="another secret"):
        SqlStore.open(url, "another one")
    await store.append(one("s"))  # the first is not disturbed
    await store.close()
    await SqlStore.open(url, "another one").close()


async def test_both_may_be_the_first(url: str) -> None:
    """Two that start at once on an empty database make its schema once."""
    stores = await asyncio.gather(
        *(asyncio.to_thread(SqlStore.open, url, CLUSTER_KEY) for _ in range(4)),
        return_exceptions=True,
    )
    for store in stores:
        assert isinstance(store, SqlStore), store
        await store.close()


async def test_a_connection_that_was_cut_is_made_anew_and_says_so(
    pair: tuple[SqlStore, SqlStore], postgresql: Postgres
) -> None:
    mine, theirs = pair
    there = Recorder()
    theirs.subscribe(there)
    await mine.append(one("s"))
    await there.until("versions", 1)
    assert postgresql.cut("query NOT LIKE '%pg_terminate%'") >= 4
    await there.until("gaps", 1)
    await mine.append(one("s", 1))  # nobody notices that the writer's was cut as well
    assert len(await theirs.load("s")) == 2  # nor a reader's
    await there.until("versions", 2)
    assert there.versions == [("s", 1), ("s", 2)]


async def test_a_connection_that_delivers_nothing_is_noticed(
    pair: tuple[SqlStore, SqlStore],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A pooler takes LISTEN, and then uses another connection."""
    caplog.set_level(logging.INFO, postgres.__name__)
    monkeypatch.setattr(postgres, "PROBE_EVERY", 0.1)
    monkeypatch.setattr(postgres, "PROBE_TIMEOUT", 0.05)
    mine, theirs = pair
    database = theirs._database  # noqa: SLF001 - its listening connection
    assert isinstance(database, postgres.Postgres)
    news = database._news  # noqa: SLF001
    assert news is not None
    news._connection.execute("UNLISTEN *")  # noqa: SLF001
    there = Recorder()
    theirs.subscribe(there)
    await until_async(lambda: not theirs.is_listening)
    await mine.append(one("s"))
    assert len(await theirs.load("s")) == 1
    assert there.versions == []
    await there.until("gaps", 3)  # for each probe that is lost, anything may have changed
    monkeypatch.setattr(postgres, "PROBE_TIMEOUT", DEADLINE)
    for channel in ("yacht_changes", "yacht_talk"):
        await asyncio.to_thread(news._connection.execute, f"LISTEN {channel}")  # noqa: SLF001
    await until_async(lambda: theirs.is_listening)
    await mine.append(one("s", 1))
    await there.until("versions", 1)
    assert there.versions == [("s", 2)]
    said = [record.message for record in caplog.records if record.name == postgres.__name__]
    assert said[0].startswith("notifications are not delivered")
    assert said[-1] == "notifications are delivered again"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
async def test_while_the_database_is_away_everything_is_refused_at_once(
    pair: tuple[SqlStore, SqlStore], postgresql: Postgres, number: signal.Signals
) -> None:
    mine, theirs = pair
    there = Recorder()
    theirs.subscribe(there)
    await mine.append(one("s"))
    states = [theirs.is_listening]
    postgresql.stop(number)
    try:
        async with asyncio.timeout(DEADLINE):
            outcomes = await asyncio.gather(
                *(mine.append(one(f"t{number}")) for number in range(100)), return_exceptions=True
            )
            assert {type(outcome) for outcome in outcomes} == {StoreBrokenError}
            assert not [outcome for outcome in outcomes if "has not answered" in str(outcome)]
            for asked in (mine.load("s"), mine.ping(), mine.lease("x", 1), mine.broadcast("x")):
                with pytest.raises(StoreBrokenError):
                    await asked
            while states[-1]:
                await asyncio.sleep(0.01)
                states.append(theirs.is_listening)
    finally:
        postgresql.start()
    await there.until("gaps", 1)
    states.append(theirs.is_listening)
    assert all(states[-1:])
    await mine.append(one("s", 1))
    assert len(await theirs.load("s")) == 2


async def test_a_commit_whose_answer_was_lost_is_not_done_twice(
    pair: tuple[SqlStore, SqlStore], postgresql: Postgres
) -> None:
    """Cut at any moment, a retry with the same id finds what became of it."""
    mine, _ = pair
    await mine.append(one("s"))

    async def cut() -> None:
        for _ in range(30):
            await asyncio.to_thread(postgresql.cut, "query ~ 'events'")

    cutting = asyncio.create_task(cut())
    number = 0
    while not cutting.done():
        number += 1
        with contextlib.suppress(RequestRepeatedError):  # the writer itself has tried again
            await mine.append(one("s", number, f"r{number}"))
    await cutting
    events = await mine.load("s")
    assert [event.request for event in events[1:]] == [f"r{n + 1}" for n in range(number)]


async def test_a_write_is_tried_for_a_time_and_not_a_number_of_times(
    pair: tuple[SqlStore, SqlStore], postgresql: Postgres
) -> None:
    """A slow machine gets few tries into the moment for which connections are cut."""
    mine, _ = pair
    await mine.append(one("s"))
    cuts = 0

    def cut(_: object, __: object, statement: str, *___: object) -> None:
        nonlocal cuts
        if "INTO events" in statement and cuts < 15:
            cuts += 1
            postgresql.cut("application_name = 'yacht writer'")

    event.listen(mine._database.writer, "before_cursor_execute", cut)  # noqa: SLF001
    await mine.append(one("s", 1))
    assert cuts == 15
    assert len(await mine.load("s")) == 2


async def test_a_process_that_stands_still_in_the_middle_keeps_nobody_waiting(
    pair: tuple[SqlStore, SqlStore],
) -> None:
    mine, theirs = pair
    await mine.append(one("s"))
    begun, gate = threading.Event(), threading.Event()

    def stand_still(connection: Connection) -> None:
        append_checked(connection, [one("s", 1)])
        if not begun.is_set():
            begun.set()
            assert gate.wait(DEADLINE)

    standing = asyncio.ensure_future(theirs._do(stand_still))  # noqa: SLF001 - as if it was stopped
    await asyncio.to_thread(begun.wait, DEADLINE)
    await mine.append(one("s", 1))  # once the other's transaction was ended for it
    gate.set()
    with pytest.raises(VersionConflictError):
        await standing
    assert len(await theirs.load("s")) == 2
    await theirs.append(one("s", 2))


def test_where_there_is_no_database_it_is_said() -> None:
    with pytest.raises(StoreError, match=r"cannot open postgresql://nobody@127\.0\.0\.1:1/nothing"):
        SqlStore.open(NOBODY, CLUSTER_KEY)
    with pytest.raises(StoreError) as caught:
        SqlStore.open("postgresql://nobody:password@127.0.0.1:1/nothing", CLUSTER_KEY)
    assert "password" not in str(caught.value)
