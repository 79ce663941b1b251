"""Who comes, leaves and comes back; rematches, computers, those who watch, old tables."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.play.conftest import ANA, BOB, EVE, Clock, World, finish, reason
from tests.waiting import DEADLINE, until_async
from yachtdice import (
    TRADITIONAL,
    Category,
    Dice,
    IllegalMoveReason,
    Position,
    RuleSet,
)
from yachtdice.bots import Bot, make_bot
from yachtdice.notation import format_record, parse_record
from yachtdice.play.online.bot_mover import BotPool
from yachtdice.play.online.presence import AWAY_AFTER, IDLE_AFTER
from yachtdice.play.online.records import record_of
from yachtdice.play.table.actions import (
    AddBot,
    Begin,
    Fill,
    Leave,
    PlayOn,
    Rematch,
    Remove,
    Resign,
    Return,
    Roll,
    Skip,
)
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.play.table.stages import KEEP_LOBBY, KEEP_UNFINISHED
from yachtdice.play.table.table import Table
from yachtdice.store.memory import MemoryStore

pytestmark = pytest.mark.anyio

R = TableReason


# Leaving and coming back


async def test_a_seat_that_is_not_seen_can_be_played_on_and_taken_back(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin(1))
    assert reason(await world.act(table, ANA, PlayOn(1, "greedy"))) is R.NOT_ABSENT
    world.clock.now += AWAY_AFTER - 1
    assert world.tables.absent(table) == frozenset()
    await world.tables.get(table.id, ANA)
    world.clock.now += 1
    assert world.tables.absent(table) == {1}
    assert reason(await world.act(table, ANA, PlayOn(0, "greedy"))) is R.NOT_ABSENT
    assert reason(await world.act(table, ANA, PlayOn(1, "godlike"))) is R.LEVEL
    table = await world.do(table, ANA, PlayOn(1, "greedy"))
    assert table.bot_to_move == "greedy"
    assert not table.can_move(BOB)
    table = (await world.until(table, lambda newer: newer.to_move == 0))[-1]
    assert reason(await world.act(table, ANA, Return())) is R.NOT_AWAY
    table = await world.do(table, BOB, Return())
    assert table.seats[1].bot is None
    assert table.seats_of(BOB) == (1,)


async def test_an_absent_seat_can_be_skipped(world: World) -> None:
    table = await world.do(await world.online(BOB, EVE), ANA, Begin(1))
    table = await world.do(table, BOB, Leave())
    assert world.tables.absent(table) == {1}  # who gets up is absent at once
    assert reason(await world.act(table, ANA, Skip(2))) is R.NOT_ABSENT
    table = await world.do(table, EVE, Skip(1))
    assert table.game is not None
    assert table.game.position.resigned == {1}
    assert table.to_move == 2
    assert world.tables.absent(table) == frozenset()


async def test_who_got_up_can_come_back(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    table = await world.do(table, BOB, Leave())
    assert reason(await world.act(table, BOB, Leave())) is R.LEFT
    table = await world.do(table, BOB, Return())
    assert world.tables.absent(table) == frozenset()


async def test_the_host_removes_a_seat_that_has_gone(world: World) -> None:
    table = await world.do(await world.online(BOB, EVE), ANA, Begin(1))
    assert reason(await world.act(table, ANA, Remove(1))) is R.NOT_ABSENT
    table = await world.do(table, BOB, Leave())
    assert reason(await world.act(table, EVE, Remove(1))) is R.NOT_HOST
    table = await world.do(table, ANA, Remove(1))
    assert table.seats_of(BOB) == ()
    assert table.to_move == 2
    assert reason(await world.act(table, BOB, Return())) is R.NOT_SEATED


async def test_a_stream_keeps_a_seat_present_but_not_for_ever_in_its_turn(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin(1))
    _, stop = await world.tables.listen(table.id, lambda _: None, BOB)
    world.clock.now += AWAY_AFTER + 1
    await world.tables.get(table.id, ANA)
    assert world.tables.absent(table) == frozenset()
    world.clock.now += IDLE_AFTER
    assert world.tables.absent(table) == {0, 1}
    await world.tables.get(table.id, ANA)
    assert world.tables.absent(table) == {1}
    stop()
    await world.tables.close()


async def test_the_host_passes_on_when_absent_people_left(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    table = await world.do(table, ANA, Leave())
    assert table.host == BOB
    table = await world.do(table, BOB, Remove(0))
    assert table.to_move == 1


async def test_resigning(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    table = await world.do(table, BOB, Resign())
    again = await world.act(table, BOB, Resign())
    assert reason(again) is IllegalMoveReason.RESIGNED
    device = await world.tables.open(ANA, people=[("", None)] * 3)
    device = await world.do(device, ANA, Resign(1))
    device = await world.do(device, ANA, Resign())
    assert device.game is not None
    assert device.game.position.resigned == {0, 1}


# Rematch


async def test_a_rematch_moves_everybody_one_seat_on(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, AddBot("greedy"))
    table = await world.do(table, ANA, Begin(1))
    assert reason(await world.act(table, ANA, Rematch())) is R.NOT_OVER
    for who in (ANA, BOB):
        table = await world.do(table, who, Resign())
    table = (await world.until(table, lambda newer: newer.is_over))[-1]
    old = await world.do(table, BOB, Rematch())
    assert old.next is not None
    new = await world.tables.get(old.next)
    assert [s.name for s in new.seats] == ["Bob", "", "Ana"]
    assert (new.previous, new.host) == (old.id, ANA)
    assert new.game is not None
    assert new.game.started.first == 1
    for action in (Rematch(), Roll(), Leave(), Resign()):
        assert reason(await world.act(old, ANA, action)) is R.LEFT
    assert [t.id for t in await world.tables.mine(BOB)][:2] in (
        [old.id, new.id],
        [new.id, old.id],
    )


async def test_a_retried_rematch_leads_to_the_same_table(world: World) -> None:
    table = await world.tables.open(ANA)
    table = await world.do(table, ANA, Resign())
    first, second = await asyncio.gather(
        *(world.tables.act(table.id, ANA, table.version, "r", Rematch()) for _ in range(2))
    )
    assert first.refusal is second.refusal is None
    assert first.table.next == second.table.next is not None


async def test_no_computer_moves_into_a_game_that_was_left(world: World) -> None:
    table = await world.tables.open(ANA, people=[("", None), ("", "greedy")])
    table = await world.do(table, ANA, Roll())
    world.pause_bots(3600)
    table = await world.do(table, ANA, Fill(Category.ONES))
    assert table.bot_to_move == "greedy"
    world.pause_bots(0)
    left = await world.do(table, ANA, Rematch())
    assert left.bot_to_move is None
    assert left.next is not None
    await world.tables.get(left.next)
    for _ in range(50):
        await asyncio.sleep(0)
    assert await world.tables.get(table.id) == left


# Computers


async def test_a_computer_plays_to_the_end(world: World) -> None:
    table = await world.tables.open(ANA, people=[("", "greedy"), ("", None)])
    table = await world.do(table, ANA, Resign())
    states = await world.until(table, lambda newer: newer.is_over)
    versions = [state.version for state in states]
    assert versions == list(range(versions[0], states[-1].version + 1))
    table = await world.tables.get(table.id)
    assert table.game is not None
    assert table.game.position.cards[0].is_full
    assert record_of(table).bots == {0: "greedy"}


async def test_a_computer_that_fails_is_logged_and_harms_nobody(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    def no_bot(level: str, rules: RuleSet) -> Bot:
        raise ImportError(level, rules.key)

    world = World(MemoryStore(), clock, BotPool(no_bot))
    table = await world.tables.open(ANA, people=[("", None), ("", "perfect")], first=1)
    room = world.room(table)
    await until_async(lambda: "a computer could not move" in caplog.text)
    assert room.is_idle
    table = await world.do(table, ANA, Resign(0))
    assert room.table == table


async def test_a_computer_goes_on_after_a_restart(
    world: World, restart: Callable[[], World]
) -> None:
    world.pause_bots(3600)
    table = await world.tables.open(ANA, people=[("", None), ("", "greedy")], first=1)
    await world.tables.close()
    again = restart()
    again.store._is_closed = False  # type: ignore[attr-defined]  # noqa: SLF001 - the same memory
    await again.until(table, lambda newer: newer.to_move == 0)


# Watching, listing, sweeping, closing


async def test_listeners_get_each_state_and_learn_of_the_end(world: World) -> None:
    table = await world.tables.open(ANA)
    states: list[Table] = []
    now, stop = await world.tables.listen(table.id, states.append)
    assert now == table
    rolled = await world.do(table, ANA, Roll())
    assert states == [rolled]
    await world.tables.close()
    assert states == [rolled, rolled]
    stop()
    world.room(table).notify()
    assert len(states) == 2


async def test_listeners_learn_who_is_absent(clock: Clock) -> None:
    """Time passes for the loop; the table's own clock tells whether somebody is away by then."""
    world = World(MemoryStore(), clock, away_after=0.01)
    table = await world.do(await world.online(BOB), ANA, Begin())
    told = asyncio.Event()
    _, stop = await world.tables.listen(table.id, lambda _: told.set(), ANA)
    world.clock.now += 1
    await asyncio.wait_for(told.wait(), DEADLINE)
    assert world.tables.absent(table) == {1}
    stop()


async def test_ones_own_tables_the_latest_first(world: World) -> None:
    first = await world.tables.open(ANA)
    world.clock.now += 1
    second = await world.online(BOB)
    assert [table.id for table in await world.tables.mine(ANA)] == [second.id, first.id]
    assert [table.id for table in await world.tables.mine(BOB)] == [second.id]
    assert await world.tables.mine(EVE) == []
    world.clock.now += 1
    await world.do(first, ANA, Roll())
    assert [table.id for table in await world.tables.mine(ANA, 1)] == [first.id]


async def test_stale_tables_are_deleted_and_finished_ones_kept(world: World) -> None:
    lobby = await world.online()
    begun = await world.tables.open(ANA)
    over = await finish(world, await world.tables.open(ANA), ANA)
    world.clock.now += KEEP_LOBBY
    assert await world.tables.sweep() == 0
    world.clock.now += 1
    assert await world.tables.sweep() == 1
    with pytest.raises(TableNotFoundError):
        await world.tables.get(lobby.id)
    world.clock.now += KEEP_UNFINISHED
    assert await world.tables.sweep() == 1
    assert [table.id for table in await world.tables.mine(ANA)] == [over.id]
    assert begun.id != over.id


async def test_a_record_tells_a_whole_game(world: World) -> None:
    table = await world.tables.open(ANA, people=[('A"{', None), ("", None)])
    record = record_of(table)
    assert parse_record(format_record(record)) == record
    over = await finish(world, table, ANA)
    record = record_of(over)
    assert parse_record(format_record(record)) == record
    assert (record.game.rules, record.dice, record.date) == (TRADITIONAL, "system", "2027-01-15")
    with pytest.raises(TableError):
        record_of(await world.online())


async def test_rooms_that_nobody_uses_are_forgotten(clock: Clock) -> None:
    world = World(MemoryStore(), clock, max_rooms=3)
    tables = [await world.tables.open(ANA) for _ in range(10)]
    assert len(world.tables) == 3
    for table in tables:
        assert await world.tables.get(table.id) == table


async def test_closing_ends_all_that_was_begun(world: World) -> None:
    before = asyncio.all_tasks()
    world.pause_bots(3600)
    table = await world.tables.open(ANA, people=[("", None), ("", "greedy")], first=1)
    online = await world.do(await world.online(BOB), ANA, Begin())
    _, stop = await world.tables.listen(online.id, lambda _: None, ANA)
    assert world.room(table).users
    await world.tables.close()
    assert not world.room(table).users
    stop()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


async def test_only_so_many_bots_are_kept() -> None:
    made: list[str] = []

    def make(level: str, rules: RuleSet) -> Bot:
        made.append(rules.key)
        return make_bot(level, rules)  # which costs next to nothing at this level

    pool = BotPool(make)
    for number in range(100):
        position = Position.start(replace(TRADITIONAL, key=f"house-{number}"))
        position = position.roll(Dice([1, 2, 3, 4, 6]))
        for _ in range(2):
            assert await pool.choose("random", position) in position.legal_moves()
    assert len(pool) <= 64
    assert len(made) == 100  # each was kept for its second move
