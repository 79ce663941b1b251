"""Tables of two servers on one store: as if there were one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count

import pytest

from tests.play.conftest import ANA, BOB, Clock
from tests.postgres import Postgres
from tests.waiting import DEADLINE, until_async
from yachtdice import Category
from yachtdice.play.online import sharing
from yachtdice.play.online.presence import AWAY_AFTER
from yachtdice.play.online.tables import Outcome, Tables
from yachtdice.play.table.actions import Action, Begin, Fill, PlayOn, Roll, Skip
from yachtdice.play.table.events import Mode
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.play.table.table import Table
from yachtdice.store.sql.engine import SqlStore

pytestmark = [pytest.mark.system, pytest.mark.anyio]

Pair = tuple[Tables, Tables]
_REQUESTS = (f"r{number}" for number in count())


@pytest.fixture
def url(postgresql: Postgres) -> str:
    return postgresql.database()


@pytest.fixture
async def pair(url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pair]:
    """Two servers, whose clock the test rules over."""
    monkeypatch.setattr(sharing, "REPORT_EVERY", 1e9)  # they talk when the test says so
    servers = [Tables(SqlStore.open(url, "key"), clock=clock, bot_pause=0) for _ in range(2)]
    for tables in servers:
        await tables.start()
    yield servers[0], servers[1]
    for tables in servers:
        await tables.close()


async def exchange(pair: Pair) -> None:
    """Let each tell the other whom it has seen, and wait until that was heard."""
    for here, there in (pair, pair[::-1]):
        heard = asyncio.Event()
        handle = there._sharing._handle_line  # noqa: SLF001

        def listen(
            line: str, heard: asyncio.Event = heard, handle: Callable[[str], None] = handle
        ) -> None:
            handle(line)
            if line == "that was all":
                heard.set()

        there._sharing._handle_line = listen  # type: ignore[method-assign] # noqa: SLF001
        await here._sharing.report()  # noqa: SLF001
        await here.store.broadcast("that was all")
        async with asyncio.timeout(DEADLINE):
            await heard.wait()


async def act(tables: Tables, table: Table, who: str, action: Action) -> Outcome:
    return await tables.act(table.id, who, table.version, next(_REQUESTS), action)


async def do(tables: Tables, table: Table, who: str, action: Action) -> Table:
    outcome = await act(tables, table, who, action)
    assert outcome.refusal is None
    return outcome.table


async def begun(tables: Tables) -> Table:
    """Return an online table of Ana's and Bob's at which Ana is to move."""
    table = await tables.open(ANA, people=[("Ana", None)], mode=Mode.ONLINE)
    table = (await tables.join(table.id, BOB, "Bob")).table
    return await do(tables, table, ANA, Begin(0))


async def test_what_one_has_answered_the_other_shows_at_once(pair: Pair) -> None:
    """The person may come to the other server with the very next request."""
    table = await begun(pair[0])
    boxes = iter(Category)
    for number in range(20):
        here, there = pair[number % 2], pair[(number + 1) % 2]
        who = ANA if table.to_move == 0 else BOB
        action = Roll() if number % 2 == 0 else Fill(next(boxes))
        table = await do(here, table, who, action)
        assert await there.get(table.id) == table
        assert (await there.mine(who))[0] == table
    # An action at a version that this server has not heard of is no stale one.
    table = await do(pair[0], table, ANA if table.to_move == 0 else BOB, Roll())
    outcome = await act(pair[1], table, ANA if table.to_move == 0 else BOB, Fill(Category.CHOICE))
    assert outcome.refusal is None


async def test_who_watches_one_sees_each_version_that_the_other_makes(pair: Pair) -> None:
    table = await begun(pair[0])
    seen: list[int] = []
    known, stop = await pair[1].listen(table.id, lambda newer: seen.append(newer.version))
    assert known == table
    for category in list(Category)[:6]:
        for action in (Roll(), Fill(category)):
            table = await do(pair[0], table, ANA if table.to_move == 0 else BOB, action)
    await until_async(lambda: bool(seen) and seen[-1] == table.version)
    assert seen == sorted(set(seen))
    steps = await pair[1].steps(table.id, known.version, table.version)
    assert [step.version for step in steps] == list(range(known.version + 1, table.version + 1))
    assert steps[-1] == table
    assert await pair[1].steps(table.id, 0, 2) == await pair[0].steps(table.id, 0, 2)
    stop()


async def test_a_request_that_is_retried_at_the_other_is_answered_once(pair: Pair) -> None:
    table = await begun(pair[0])
    await pair[1].get(table.id)
    first = await pair[0].act(table.id, ANA, table.version, "r", Roll())
    again = await pair[1].act(table.id, ANA, table.version, "r", Roll())
    assert (again.table, again.is_repeated) == (first.table, True)
    later = await do(pair[0], first.table, ANA, Fill(Category.CHOICE))
    again = await pair[1].act(table.id, ANA, table.version, "r", Roll())
    assert (again.table, again.is_repeated) == (first.table, True)
    assert await pair[1].get(table.id) == later


async def test_of_two_who_race_one_is_refused_and_sees_why(pair: Pair) -> None:
    for _ in range(20):
        table = await begun(pair[0])
        await pair[1].get(table.id)
        outcomes = await asyncio.gather(*(act(tables, table, ANA, Roll()) for tables in pair))
        (refused,) = [outcome for outcome in outcomes if outcome.refusal]
        assert isinstance(refused.refusal, TableError)
        assert refused.refusal.reason is TableReason.STALE
        (done,) = [outcome for outcome in outcomes if not outcome.refusal]
        assert refused.table == done.table
        assert done.table.version == table.version + 1


async def test_the_last_seat_is_taken_once(pair: Pair) -> None:
    table = await pair[0].open(ANA, people=[("Ana", None)], mode=Mode.ONLINE, size=2)
    await pair[1].get(table.id)
    outcomes = await asyncio.gather(
        pair[0].join(table.id, BOB, "Bob"), pair[1].join(table.id, "eve" * 8, "Eve")
    )
    assert sorted(outcome.refusal is None for outcome in outcomes) == [False, True]
    assert outcomes[0].table == outcomes[1].table


async def test_all_who_sit_down_at_once_get_a_seat(pair: Pair) -> None:
    """However often one server is quicker than the other."""
    for _ in range(5):
        table = await pair[0].open(ANA, people=[("Ana", None)], mode=Mode.ONLINE, size=6)
        await pair[1].get(table.id)
        guests = [f"guest{number}" * 4 for number in range(5)]
        outcomes = await asyncio.gather(
            *(pair[n % 2].join(table.id, who, f"Guest {n}") for n, who in enumerate(guests))
        )
        assert all(outcome.refusal is None for outcome in outcomes)
        seats = (await pair[0].get(table.id)).seats
        assert sorted(seat.holder or "" for seat in seats) == sorted([ANA, *guests])


async def test_steps_of_a_table_that_is_gone_are_none(pair: Pair) -> None:
    table = await begun(pair[0])
    await pair[0].store.delete(table.id)
    await until_async(lambda: pair[1].cached(table.id) is None)
    with pytest.raises(TableNotFoundError):
        await pair[1].steps(table.id, 0, table.version)


async def test_a_computer_moves_once_wherever_it_is_watched(pair: Pair) -> None:
    table = await pair[0].open(ANA, people=[("Ana", None), ("", "greedy")], first=1)
    stops = [(await tables.listen(table.id, lambda _: None))[1] for tables in pair]

    def is_ana_s() -> bool:
        known = [tables.cached(table_id) for tables in pair]
        return all(one is not None and one.to_move != 1 for one in known)

    table_id = table.id
    boxes = iter(Category)
    while not table.is_over:
        await until_async(is_ana_s)
        table = await pair[1].get(table.id)
        if table.to_move == 0:
            table = await do(pair[0], table, ANA, Roll())
            table = await do(pair[1], table, ANA, Fill(next(boxes)))
    assert await pair[0].get(table.id) == table
    store = pair[0].store
    assert [event.seq for event in await store.load(table.id)] == list(range(1, table.version + 1))
    for stop in stops:
        stop()


async def test_a_computer_is_taken_over_from_a_server_that_died(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yachtdice.play.online.bot_mover.BOT_LEASE", 0.5)
    table = await pair[0].open(ANA, people=[("Ana", None), ("", "greedy")])
    assert await pair[1].store.lease(f"computer {table.id}", 0.5) == 0  # and it falls silent
    if table.to_move == 0:
        table = await do(pair[0], table, ANA, Roll())
        table = await do(pair[0], table, ANA, Fill(Category.CHOICE))
    await until_async(lambda: pair[0].cached(table.id).to_move == 0)  # type: ignore[union-attr]


async def test_who_is_there_is_there_for_both(pair: Pair, clock: Clock) -> None:
    table = await begun(pair[0])
    await pair[1].get(table.id)
    _, stop = await pair[0].listen(table.id, lambda _: None, BOB)
    for _ in range(5):  # Ana comes by the other, Bob watches at one
        clock.now += AWAY_AFTER / 2
        await pair[1].get(table.id, ANA)
        await exchange(pair)
    assert [tables.absent(table) for tables in pair] == [frozenset(), frozenset()]
    stop()
    await exchange(pair)
    clock.now += AWAY_AFTER - 1
    await pair[1].get(table.id, ANA)
    await exchange(pair)
    assert [tables.absent(table) for tables in pair] == [frozenset(), frozenset()]
    clock.now += 2
    assert [tables.absent(table) for tables in pair] == [{1}, {1}]
    outcome = await act(pair[1], table, ANA, PlayOn(1, "greedy"))
    assert outcome.refusal is None


async def test_a_server_that_opens_a_table_late_asks_who_is_there(pair: Pair, clock: Clock) -> None:
    table = await begun(pair[0])
    table = await do(pair[0], table, ANA, Roll())
    table = await do(pair[0], table, ANA, Fill(Category.CHOICE))
    clock.now += AWAY_AFTER + 1
    await pair[0].get(table.id, ANA)
    assert pair[0].absent(table) == {1}
    await pair[1].get(table.id)
    await until_async(lambda: pair[1].absent(table) == {1})
    outcome = await act(pair[1], table, ANA, Skip(1))
    assert outcome.refusal is None


async def test_a_table_that_is_deleted_is_gone_for_all(pair: Pair) -> None:
    table = await begun(pair[0])
    told: list[Table] = []
    _, stop = await pair[1].listen(table.id, told.append)
    await pair[0].store.delete(table.id)
    await until_async(lambda: pair[1].cached(table.id) is None)
    assert told  # and who watches looks, and goes
    for tables in pair:
        with pytest.raises(TableNotFoundError):
            await tables.get(table.id)
    stop()


async def test_without_notifications_every_request_reads_the_store(
    pair: Pair, postgresql: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begun(pair[0])
    seen: list[int] = []
    _, stop = await pair[1].listen(table.id, lambda newer: seen.append(newer.version))
    monkeypatch.setattr("yachtdice.store.sql.postgres.RETRY_AFTER", 1.0)
    await asyncio.to_thread(postgresql.cut, "query NOT LIKE '%pg_terminate%'")
    await until_async(lambda: not pair[1].store.is_listening)
    table = await do(pair[0], table, ANA, Roll())
    outcome = await act(pair[1], table, ANA, Fill(Category.CHOICE))
    assert outcome.refusal is None
    await until_async(lambda: pair[1].store.is_listening)
    table = outcome.table
    await until_async(lambda: seen[-1] == table.version)
    assert seen == sorted(set(seen))
    stop()


async def test_after_the_database_was_away_everybody_is_up_to_date(
    pair: Pair, postgresql: Postgres
) -> None:
    table = await begun(pair[0])
    seen: list[int] = []
    _, stop = await pair[1].listen(table.id, lambda newer: seen.append(newer.version))
    await asyncio.to_thread(postgresql.restart)
    async with asyncio.timeout(DEADLINE):
        while True:
            try:
                table = await do(pair[0], table, ANA, Roll())
                break
            except AssertionError:
                raise
            except Exception:  # noqa: BLE001 - until it is back
                await asyncio.sleep(0.05)
    await until_async(lambda: bool(seen) and seen[-1] == table.version)
    assert await pair[1].get(table.id) == table
    stop()
