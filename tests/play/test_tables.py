"""Tables in use: who may do what, versions, retries, races."""

import asyncio
from collections.abc import Callable

import pytest

from tests.play.conftest import ANA, BOB, EVE, Clock, World, reason
from tests.waiting import DEADLINE
from yachtdice import (
    CATEGORIES,
    Category,
    Dice,
    DiceRolled,
    IllegalMoveReason,
)
from yachtdice.notation import format_record, parse_record
from yachtdice.play.online.records import record_of
from yachtdice.play.online.tables import Outcome
from yachtdice.play.online.tokens import holder_of, is_table_id, new_table_id, new_token
from yachtdice.play.table.actions import (
    Action,
    AddBot,
    Begin,
    Correct,
    EnterDice,
    EnterPoints,
    Fill,
    Keep,
    Leave,
    PlayOn,
    Rematch,
    Remove,
    Resign,
    Return,
    Roll,
    Skip,
)
from yachtdice.play.table.events import DiceKind, Mode
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.play.table.table import Table
from yachtdice.store.memory import MemoryStore
from yachtdice.store.sql.engine import SqlStore

pytestmark = pytest.mark.anyio

R = TableReason


# Opening


async def test_a_table_on_one_device_begins_at_once(world: World) -> None:
    people = [("Ana", None), ("", "greedy"), (" Bob ", None)]
    table = await world.tables.open(ANA, people=people, first=2, hints=True)
    assert is_table_id(table.id)
    assert [(s.name, s.holder, s.bot) for s in table.seats] == [
        ("Ana", ANA, None),
        ("", None, "greedy"),
        ("Bob", ANA, None),
    ]
    assert table.seats_of(ANA) == (0, 2)
    assert table.seats_of(BOB) == table.seats_of(None) == ()
    assert table.game is not None
    assert table.game.names == ("Ana", "", "Bob")
    assert (table.to_move, table.hints, table.opened.date) == (2, True, "2027-01-15")
    assert table.can_move(ANA)
    assert not table.can_move(BOB)
    assert not table.can_move(None)


async def test_who_starts_can_be_drawn_by_lot(world: World) -> None:
    world.script(6, 4, 3)  # of three seats
    people = [("", None)] * 3
    table = await world.tables.open(ANA, people=people, first=None)
    assert table.to_move == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"people": []}, R.SEAT_COUNT),
        ({"people": [("", None)] * 7}, R.SEAT_COUNT),
        ({"people": [("", None)] * 3, "size": 2}, R.SEAT_COUNT),
        ({"size": 7}, R.SEAT_COUNT),
        ({"people": [("", "greedy")]}, R.SEAT_COUNT),
        ({"people": [("", None)] * 2, "mode": Mode.ONLINE}, R.SEAT_COUNT),
        ({"first": 1}, R.FIRST_SEAT),
        ({"first": -1}, R.FIRST_SEAT),
        ({"people": [("\ud800", None)]}, R.NAME),
        ({"people": [("", None), ("", "godlike")]}, R.LEVEL),
        ({"people": [("", None), ("", "greedy")], "dice": DiceKind.REAL}, R.NO_BOTS),
    ],
)
async def test_tables_that_cannot_be(
    world: World, options: dict[str, object], why: TableReason
) -> None:
    with pytest.raises(TableError) as caught:
        await world.tables.open(ANA, **options)  # type: ignore[arg-type]
    assert caught.value.reason is why
    assert await world.tables.mine(ANA) == []


async def test_a_retried_opening_opens_one_table(world: World) -> None:
    first, second = await asyncio.gather(
        world.tables.open(ANA, request_id="r"), world.tables.open(ANA, request_id="r")
    )
    third = await world.tables.open(ANA, request_id="r")
    assert first.id == second.id == third.id
    assert (await world.tables.open(BOB, request_id="r")).id != first.id
    assert (await world.tables.open(ANA, request_id="s")).id != first.id
    assert len(await world.tables.mine(ANA)) == 2


def test_tokens_and_ids_are_not_guessed() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == len({holder_of(token) for token in tokens}) == 100
    assert all(len(token) == 32 and token not in holder_of(token) for token in tokens)
    assert all(is_table_id(new_table_id()) for _ in range(10))
    assert not any(
        map(is_table_id, ["", "a" * 15, "A" * 16, "a" * 17, "../../../../../x", "1" * 16])
    )


# The lobby


async def test_guests_take_seats_and_the_host_begins(world: World) -> None:
    table = await world.online(BOB)
    assert (table.free_seats, table.host, table.to_move) == (4, ANA, None)
    table = await world.do(table, ANA, AddBot("greedy"))
    assert reason(await world.act(table, BOB, Begin())) is R.NOT_HOST
    assert reason(await world.act(table, ANA, Roll())) is R.NOT_BEGUN
    assert reason(await world.act(table, ANA, Begin(3))) is R.FIRST_SEAT
    table = await world.do(table, ANA, Begin(1))
    assert table.game is not None
    assert table.game.names == ("Ana", "Bob", "")
    assert table.can_move(BOB)
    assert table.free_seats == 0
    for action in (Begin(), AddBot("greedy")):
        assert reason(await world.act(table, ANA, action)) is R.BEGUN


async def test_a_link_never_seats_twice(world: World) -> None:
    table = await world.online(BOB)
    again = await world.tables.join(table.id, BOB, "Other")
    assert again.is_repeated
    assert again.table == table
    table = await world.do(table, ANA, Begin())
    assert (await world.tables.join(table.id, BOB, "Bob")).table.seats_of(BOB) == (1,)
    late = await world.tables.join(table.id, EVE, "Eve")
    assert reason(late) is R.BEGUN
    assert late.table == table


async def test_two_guests_who_come_at_once_get_two_seats(world: World) -> None:
    table = await world.online()
    guests = [f"{number:024}" for number in range(7)]
    outcomes = await asyncio.gather(*(world.tables.join(table.id, g, "") for g in guests))
    assert sorted(map(str, map(reason, outcomes))) == [str(None)] * 5 + [str(R.FULL)] * 2
    table = await world.tables.get(table.id)
    assert len({seat.holder for seat in table.seats}) == 6


async def test_nobody_joins_where_all_seats_are_on_one_device(world: World) -> None:
    table = await world.tables.open(ANA)
    assert reason(await world.tables.join(table.id, BOB, "Bob")) is R.NOT_ONLINE
    for action in (Leave(), Return(), Skip(0), PlayOn(0)):
        assert reason(await world.act(table, ANA, action)) is R.NOT_ONLINE


async def test_a_bad_name_takes_no_seat(world: World) -> None:
    table = await world.online()
    assert reason(await world.tables.join(table.id, BOB, "\ud800")) is R.NAME
    assert (await world.tables.get(table.id)).version == table.version


async def test_seats_close_up_when_somebody_leaves_the_lobby(world: World) -> None:
    table = await world.online(BOB, EVE)
    table = await world.do(table, BOB, Leave())
    assert [seat.name for seat in table.seats] == ["Ana", "Eve"]
    table = await world.do(table, ANA, Remove(1))
    assert [seat.name for seat in table.seats] == ["Ana"]
    assert reason(await world.act(table, ANA, Remove(0))) is R.NO_SUCH_SEAT
    assert reason(await world.act(table, ANA, Remove(5))) is R.NO_SUCH_SEAT
    assert reason(await world.act(table, EVE, Leave())) is R.NOT_SEATED
    table = (await world.tables.join(table.id, BOB, "Bob")).table
    table = await world.do(table, ANA, Leave())
    assert table.host == BOB  # whoever is first of those still there
    table = await world.do(table, BOB, Begin())
    assert table.can_move(BOB)


# Acting


async def test_dice_are_kept_and_rolled_in_one_step(world: World) -> None:
    table = await world.tables.open(ANA)
    world.script(4, 1, 4, 2, 6, 5, 4, 3)
    table = await world.do(table, ANA, Roll())
    version = table.version
    table = await world.do(table, ANA, Roll(Dice([4, 4])))
    assert table.version == version + 2
    assert table.game is not None
    assert table.game.position.dice == Dice([3, 4, 4, 4, 5])
    assert isinstance(table.game.events[-1], DiceRolled)
    assert table.game.events[-1].faces == (5, 4, 3)
    table = await world.do(table, ANA, Fill(Category.FOURS))
    assert table.game is not None
    assert table.game.position.cards[0].total == 12


async def test_dice_can_be_kept_first_and_rolled_later(world: World) -> None:
    table = await world.tables.open(ANA)
    table = await world.do(table, ANA, Roll())
    assert table.game is not None
    kept = Dice(table.game.position.dice.faces[:2])
    table = await world.do(table, ANA, Keep(kept))
    assert reason(await world.act(table, ANA, Keep(kept))) is IllegalMoveReason.MUST_ROLL
    table = await world.do(table, ANA, Roll())
    assert table.game is not None
    assert kept <= table.game.position.dice


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Roll(), IllegalMoveReason.MUST_DECIDE),
        (Roll(Dice([6, 6])), IllegalMoveReason.NOT_ON_TABLE),
        (Keep(Dice([1, 1])), IllegalMoveReason.NOT_ON_TABLE),
        (Roll(faces=(1, 2, 3, 4, 5)), R.SYSTEM_DICE),
        (EnterPoints(Category.ONES, 1), R.SYSTEM_DICE),
        (EnterDice(Category.ONES, Dice([1] * 5)), R.SYSTEM_DICE),
        (Correct(0, Category.ONES, 1), R.SYSTEM_DICE),
        (Resign(1), R.NO_SUCH_SEAT),
        (Remove(0), R.NO_SUCH_SEAT),
    ],
)
async def test_what_may_not_be_done_changes_nothing(
    world: World, action: Action, why: TableReason | IllegalMoveReason
) -> None:
    table = await world.tables.open(ANA)
    world.script(1, 2, 3, 4, 5)
    table = await world.do(table, ANA, Roll())
    outcome = await world.act(table, ANA, action)
    assert reason(outcome) is why
    assert outcome.table == await world.tables.get(table.id) == table


async def test_a_refused_roll_takes_no_dice(world: World) -> None:
    table = await world.tables.open(ANA)
    world.script(1, 2, 3, 4, 5)
    table = await world.do(table, ANA, Roll())
    world.script(6, 6, 6, 6, 6)
    await world.act(table, ANA, Roll())
    await world.act(table, ANA, Roll(), version=1)
    table = await world.do(table, ANA, Roll(Dice()))
    assert table.game is not None
    assert table.game.position.dice == Dice([6] * 5)


@pytest.mark.parametrize("mode", [Mode.DEVICE, Mode.ONLINE])
@pytest.mark.parametrize("who", [BOB, EVE])
async def test_strangers_and_other_seats_are_refused(world: World, mode: Mode, who: str) -> None:
    if mode is Mode.DEVICE:
        table = await world.tables.open(ANA)
    else:
        table = await world.do(await world.online(BOB), ANA, Begin())
    seated = bool(table.seats_of(who))
    moves: list[Action] = [Roll(), Fill(Category.ONES), Keep(Dice())]
    for action in moves:
        assert reason(await world.act(table, who, action)) is (
            R.NOT_YOUR_TURN if seated else R.NOT_SEATED
        )
    others: list[Action] = [Begin(), Remove(0), AddBot("greedy")]
    for action in others:
        assert reason(await world.act(table, who, action)) is (
            R.NOT_HOST if seated else R.NOT_SEATED
        )
    if not seated:
        outsiders: list[Action] = [Resign(), Leave(), Return(), Skip(0), PlayOn(0), Rematch()]
        for action in outsiders:
            assert reason(await world.act(table, who, action)) is R.NOT_SEATED
        assert reason(await world.act(table, who, Roll(), version=1)) is R.NOT_SEATED
    assert await world.tables.get(table.id) == table


async def test_a_stale_action_shows_the_table_as_it_is(world: World) -> None:
    table = await world.tables.open(ANA)
    rolled = await world.do(table, ANA, Roll())
    for version in (0, table.version, rolled.version + 1, 10**9):
        outcome = await world.act(table, ANA, Roll(), version=version)
        assert reason(outcome) is R.STALE
        assert outcome.table == rolled


async def test_a_retried_request_gets_the_first_answer(
    world: World, restart: Callable[[], World]
) -> None:
    table = await world.tables.open(ANA)
    first = await world.tables.act(table.id, ANA, table.version, "r", Roll())
    again = await world.tables.act(table.id, ANA, table.version, "r", Roll())
    assert again == Outcome(first.table, is_repeated=True)
    later = await world.do(table, ANA, Fill(Category.ONES))
    for tables in (world.tables, restart().tables):
        again = await tables.act(table.id, ANA, table.version, "r", Roll())
        assert again == Outcome(first.table, is_repeated=True)
        assert await tables.get(table.id) == later


async def test_request_ids_of_others_are_no_concern(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    await world.tables.act(table.id, ANA, table.version, "r", Roll())
    outcome = await world.tables.act(table.id, BOB, table.version + 1, "r", Roll())
    assert reason(outcome) is R.NOT_YOUR_TURN


async def test_of_two_different_actions_at_one_version_exactly_one_wins(world: World) -> None:
    table = await world.do(await world.tables.open(ANA), ANA, Roll())
    actions: list[Action] = [Fill(category) for category in CATEGORIES]
    outcomes = await asyncio.gather(
        *(world.act(table, ANA, action, version=table.version) for action in actions)
    )
    assert sorted(str(reason(outcome)) for outcome in outcomes) == sorted(
        [str(None), *[str(R.STALE)] * (len(actions) - 1)]
    )
    assert {outcome.table for outcome in outcomes} == {await world.tables.get(table.id)}


async def test_who_stops_waiting_undoes_nothing(clock: Clock) -> None:
    world = World(SqlStore.open("sqlite://"), clock)
    table = await world.tables.open(ANA)
    told = asyncio.Event()
    await world.tables.listen(table.id, lambda _: told.set())
    task = asyncio.create_task(world.act(table, ANA, Roll(), version=table.version))
    room = world.room(table)
    while room.pending is None:  # noqa: ASYNC110 - until the task has come so far
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(told.wait(), DEADLINE)
    assert (await world.tables.get(table.id)).version == table.version + 1
    assert len(await world.store.load(table.id)) == table.version + 1
    await world.tables.close()


async def test_another_process_that_wrote_meanwhile_is_noticed(clock: Clock) -> None:
    """As it may happen once two servers share a database: the loser catches up."""
    store = MemoryStore()
    one, two = World(store, clock), World(store, clock)
    table = await one.tables.open(ANA)
    assert await two.tables.get(table.id) == table
    seen: list[Table] = []
    await two.tables.listen(table.id, seen.append)
    rolled = await one.do(table, ANA, Roll())
    outcome = await two.tables.act(table.id, ANA, table.version, "r", Roll())
    assert reason(outcome) is R.STALE
    assert outcome.table == rolled
    assert seen[-1] == rolled


@pytest.mark.parametrize("table_id", ["", "x", "a" * 16, "../secret", "\ud800" * 16])
async def test_there_is_no_such_table(world: World, table_id: str) -> None:
    with pytest.raises(TableNotFoundError):
        await world.tables.get(table_id)
    with pytest.raises(TableNotFoundError):
        await world.tables.join(table_id, ANA, "Ana")
    with pytest.raises(TableNotFoundError):
        await world.tables.act(table_id, ANA, 1, "r", Roll())


async def test_everything_is_there_after_a_restart(
    world: World, restart: Callable[[], World]
) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    table = await world.do(table, ANA, Roll())
    again = restart()
    assert await again.tables.get(table.id) == table
    assert [t.id for t in await again.tables.mine(BOB)] == [table.id]
    table = await again.do(table, ANA, Fill(Category.CHOICE))
    assert table.can_move(BOB)


# Real dice


async def test_a_scorekeeper_types_rolls_dice_or_points_and_corrects(world: World) -> None:
    table = await world.tables.open(ANA, people=[("A", None), ("B", None)], dice=DiceKind.REAL)
    assert reason(await world.act(table, ANA, Roll())) is R.REAL_DICE
    table = await world.do(table, ANA, Roll(faces=(4, 1, 4, 2, 6)))
    table = await world.do(table, ANA, Roll(Dice([4, 4]), (4, 4, 1)))
    table = await world.do(table, ANA, Fill(Category.FOUR_OF_A_KIND))
    table = await world.do(table, ANA, EnterDice(Category.CHOICE, Dice([1, 2, 2, 4, 6])))
    table = await world.do(table, ANA, EnterPoints(Category.YACHT, 50))
    table = await world.do(table, ANA, Correct(0, Category.SIXES, 12, Category.YACHT))
    assert table.game is not None
    assert [card.total for card in table.game.position.cards] == [28, 15]
    bad = await world.act(table, ANA, Correct(1, Category.CHOICE, 31))
    assert reason(bad) is IllegalMoveReason.WRONG_POINTS
    record = record_of(table)
    assert parse_record(format_record(record)) == record
    assert record.dice == "real"
