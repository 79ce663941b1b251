"""Decides which events an action at a table leads to, or why it is refused. It changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from yachtdice.bots import LEVELS
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
from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    SeatLeft,
    SeatPlayedOn,
    SeatRemoved,
    SeatReturned,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.names import clean_name
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.table import MAX_SEATS, Seat, Table
from yachtdice.rules import (
    DICE,
    DiceHeld,
    DiceRolled,
    Game,
    GameStarted,
    Hold,
    PlayerResigned,
    RuleSet,
    Score,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from yachtdice.dice_source import DiceSource

    Facts: TypeAlias = tuple[Table, str, frozenset[int]]


def decide(
    table: Table, holder: str, action: Action, dice_source: DiceSource, absent: frozenset[int]
) -> tuple[AnyEvent, ...]:
    """Return the events that *action* of *holder* leads to; for a `Rematch`, see `rematch`.

    *absent* are the seats that may be skipped, played on or removed.

    Raises:
        TableError: If the table does not allow it.
        YachtError: If the rules of the game do not.
    """
    if table.next is not None:
        raise TableError(TableReason.LEFT, table.next)
    match action:
        case AddBot() | Begin() | Remove():
            return _hosted(table, holder, action, dice_source, absent)
        case Leave() | Return() | Skip() | PlayOn():
            return _seated(table, holder, action, absent)
        case Rematch():
            raise TypeError(action)
        case Resign(seat):
            return (PlayerResigned(_resigning(table, holder, seat)),)
        case Correct():
            return _corrected(table, holder, action)
        case _:
            return _moved(table, holder, action, dice_source)


def draw_lots(seats: int, dice_source: DiceSource) -> int:
    """Return a random seat: roll a die until it shows one of the first *seats* faces."""
    while True:
        (face,) = dice_source.roll(1)
        if face <= seats:
            return face - 1


def opening(
    opened: TableOpened,
    people: Sequence[tuple[str, str | None]],
    first: int | None,
    dice_source: DiceSource,
) -> tuple[AnyEvent, ...]:
    """Return the events of a new table; *people* are names, with a level for bots.

    On one device the game begins at once, with *first*; an online table waits for guests.

    Raises:
        TableError: If there are too many or too few people, a level does not exist, or bots are to
            play with real dice.
    """
    if not 1 <= len(people) <= opened.size <= MAX_SEATS:
        raise TableError(TableReason.SEAT_COUNT, f"{len(people)} of {opened.size}")
    events: list[AnyEvent] = [opened]
    for seat, (name, level) in enumerate(people):
        if level is None:
            events.append(SeatTaken(seat, name, opened.host))
        else:
            check_bot(opened.dice, level)
            events.append(BotSeated(seat, level, name))
    persons = sum(level is None for _, level in people)
    if not persons or (opened.mode is Mode.ONLINE and persons > 1):
        raise TableError(TableReason.SEAT_COUNT, "who opens an online table sits on one seat")
    if opened.mode is Mode.DEVICE:
        events.append(_started(opened.rules, [name for name, _ in people], first, dice_source))
    return tuple(events)


def joining(table: Table, holder: str, name: str) -> tuple[AnyEvent, ...]:
    """Return the event that seats *holder* at an online table in its lobby.

    Raises:
        TableError: If the table does not allow it, or the name is not valid.
    """
    if table.mode is Mode.DEVICE:
        raise TableError(TableReason.NOT_ONLINE)
    if table.game is not None:
        raise TableError(TableReason.BEGUN)
    if not table.free_seats:
        raise TableError(TableReason.FULL)
    return (SeatTaken(len(table.seats), clean_name(name), holder),)


def check_bot(dice: DiceKind, level: str) -> None:
    """Check that a computer can play at *level*, one of `bots.LEVELS`, with such dice.

    Raises:
        TableError: If it cannot.
    """
    if dice is DiceKind.REAL:
        raise TableError(TableReason.NO_BOTS)
    if level not in LEVELS:
        raise TableError(TableReason.LEVEL, repr(level[:40]))


def rematch(table: Table, holder: str, date: str) -> tuple[tuple[AnyEvent, ...], tuple[Seat, ...]]:
    """Return the events that open the rematch of *table*, and its seats.

    The second seat moves to the first place, and so on; the same place starts. Removed seats are
    left out.

    Raises:
        TableError: If *holder* may not ask for it now.
    """
    if table.next is not None:
        raise TableError(TableReason.LEFT, table.next)
    if not table.seats_of(holder):
        raise TableError(TableReason.NOT_SEATED)
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    if table.mode is Mode.ONLINE and not table.is_over:
        raise TableError(TableReason.NOT_OVER)
    old = table.opened
    seats = [s for s in (*table.seats[1:], table.seats[0]) if s.holder or s.is_computer]
    seats = [s for s in seats if not (s.left and s.holder is None)]
    opened = replace(old, date=date, previous=table.id)
    events: list[AnyEvent] = [opened]
    for number, seat in enumerate(seats):
        if seat.holder is not None:
            events.append(SeatTaken(number, seat.name, seat.holder))
        else:
            assert seat.bot is not None  # nobody's seat is a computer's
            events.append(BotSeated(number, seat.bot, seat.name))
    names = tuple(seat.name for seat in seats)
    first = min(table.game.started.first, len(names) - 1)
    events.append(GameStarted(old.rules, names, first))
    return tuple(events), tuple(seats)


def _started(
    rules: RuleSet, names: Sequence[str], first: int | None, dice_source: DiceSource
) -> GameStarted:
    if first is None:
        first = draw_lots(len(names), dice_source)
    if not 0 <= first < len(names):
        raise TableError(TableReason.FIRST_SEAT, str(first))
    return GameStarted(rules, tuple(names), first)


def _hosted(
    table: Table,
    holder: str,
    action: AddBot | Begin | Remove,
    dice_source: DiceSource,
    absent: frozenset[int],
) -> tuple[AnyEvent, ...]:
    if not table.seats_of(holder):
        raise TableError(TableReason.NOT_SEATED)
    if table.host != holder:
        raise TableError(TableReason.NOT_HOST)
    if isinstance(action, Remove):
        return _removed(table, holder, action.seat, absent)
    if table.game is not None:
        raise TableError(TableReason.BEGUN)
    if isinstance(action, Begin):
        names = [seat.name for seat in table.seats]
        return (_started(table.rules, names, action.first, dice_source),)
    check_bot(table.dice, action.level)
    if not table.free_seats:
        raise TableError(TableReason.FULL)
    return (BotSeated(len(table.seats), action.level),)


def _removed(table: Table, holder: str, seat: int, absent: frozenset[int]) -> tuple[AnyEvent, ...]:
    if not 0 <= seat < len(table.seats) or table.seats[seat].holder == holder:
        raise TableError(TableReason.NO_SUCH_SEAT, str(seat))
    if table.game is None:
        return (SeatRemoved(seat),)
    _check_absent(table, seat, absent)
    return (SeatRemoved(seat), *_resigned(table.game, seat))


def _resigned(game: Game, seat: int) -> tuple[AnyEvent, ...]:
    if game.position.is_over or seat in game.position.resigned:
        return ()
    return (PlayerResigned(seat),)


def _check_absent(table: Table, seat: int, absent: frozenset[int]) -> None:
    if not 0 <= seat < len(table.seats) or table.seats[seat].holder is None:
        raise TableError(TableReason.NO_SUCH_SEAT, str(seat))
    if seat not in absent:
        raise TableError(TableReason.NOT_ABSENT, str(seat))


def _seated(
    table: Table, holder: str, action: Leave | Return | Skip | PlayOn, absent: frozenset[int]
) -> tuple[AnyEvent, ...]:
    mine = table.seats_of(holder)
    if not mine:
        raise TableError(TableReason.NOT_SEATED)
    if table.mode is Mode.DEVICE:
        raise TableError(TableReason.NOT_ONLINE)
    seat = table.seats[mine[0]]
    match action:
        case Leave():
            if seat.left:
                raise TableError(TableReason.LEFT)
            return (SeatLeft(mine[0]),)
        case Return():
            if not seat.left and seat.bot is None:
                raise TableError(TableReason.NOT_AWAY)
            return (SeatReturned(mine[0]),)
        case Skip(other):
            game = _game(table)
            _check_absent(table, other, absent - set(mine))
            return game.resign(other).events[-1:]
        case PlayOn(other, level):
            _game(table)
            check_bot(table.dice, level)
            _check_absent(table, other, absent - set(mine))
            return (SeatPlayedOn(other, level),)
        case _:
            assert_never(action)


def _game(table: Table) -> Game:
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    return table.game


def _resigning(table: Table, holder: str, seat: int | None) -> int:
    mine = table.seats_of(holder)
    if not mine:
        raise TableError(TableReason.NOT_SEATED)
    position = _game(table).position
    if seat is None:
        seat = position.seat if position.seat in mine else mine[0]
    if seat not in mine:
        raise TableError(TableReason.NO_SUCH_SEAT, str(seat))
    position.resign(seat)
    return seat


def _corrected(table: Table, holder: str, action: Correct) -> tuple[AnyEvent, ...]:
    if not table.seats_of(holder):
        raise TableError(TableReason.NOT_SEATED)
    game = _game(table)
    if table.dice is not DiceKind.REAL:
        raise TableError(TableReason.SYSTEM_DICE)
    after = game.correct(action.seat, action.category, action.points, action.instead_of)
    return (after.events[-1],)


def _moved(
    table: Table,
    holder: str,
    action: Roll | Keep | Fill | EnterDice | EnterPoints,
    dice_source: DiceSource,
) -> tuple[AnyEvent, ...]:
    if not table.seats_of(holder):
        raise TableError(TableReason.NOT_SEATED)
    game = _game(table)
    if not game.position.is_over and not table.can_move(holder):
        raise TableError(TableReason.NOT_YOUR_TURN)
    known = len(game.events)
    match action:
        case Roll(kept, faces):
            after = game if kept is None else game.play(Hold(kept))
            return _rolled(table, after, known, faces, dice_source)
        case Keep(kept):
            after = game.play(Hold(kept))
        case Fill(category):
            after = game.play(Score(category))
        case EnterDice(category, dice):
            _check_real(table)
            after = game.enter(category, dice)
        case EnterPoints(category, points):
            _check_real(table)
            after = game.enter(category, points)
        case _:
            assert_never(action)
    return after.events[known:]


def _rolled(
    table: Table, game: Game, known: int, faces: tuple[int, ...] | None, dice_source: DiceSource
) -> tuple[AnyEvent, ...]:
    if faces is not None:
        _check_real(table)
    elif table.dice is DiceKind.REAL:
        raise TableError(TableReason.REAL_DICE)
    position = game.position
    if faces is None:
        # A roll that is not due is refused before any dice are taken from the source.
        faces = dice_source.roll(DICE - len(position.dice)) if position.must_roll else ()
    return game.roll(faces).events[known:]


def _check_real(table: Table) -> None:
    if table.dice is not DiceKind.REAL:
        raise TableError(TableReason.SYSTEM_DICE)


def bot_event(table: Table, move: Hold | Score | None, dice_source: DiceSource) -> AnyEvent:
    """Return the event of the bot whose turn it is: its *move*, or a roll if there is none."""
    game = table.game
    assert game is not None  # only called for a computer to move
    if move is None:
        position = game.position
        return DiceRolled(position.seat, tuple(dice_source.roll(DICE - len(position.dice))))
    if isinstance(move, Hold):
        return DiceHeld(game.position.seat, move.kept)
    return game.play(move).events[-1]
