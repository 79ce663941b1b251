"""A game: its events so far, and the position that they lead to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yachtdice.rules.dice import Dice
from yachtdice.rules.errors import (
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    SetupError,
    SetupReason,
    shown,
)
from yachtdice.rules.events import (
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Event,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.rules.moves import Hold, Move, Score
from yachtdice.rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yachtdice.rules.category import Category
    from yachtdice.rules.ruleset import RuleSet

_NO_EVENT = IllegalMoveReason.NOT_A_MOVE


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """The history of a game. Every step makes a new game; undo is keeping the old one.

    >>> from yachtdice import TRADITIONAL
    >>> game = Game.start(TRADITIONAL, ["Ana", "Guest"]).roll([4, 1, 4, 2, 6])
    >>> game.position.dice, game.version
    (Dice([1, 2, 4, 4, 6]), 2)

    Attributes:
        events: What has happened, the `GameStarted` first.
        position: Where the events lead; derived from them.
    """

    events: tuple[Event, ...]
    position: Position = field(compare=False)

    @classmethod
    def start(cls, rules: RuleSet, names: Sequence[str], first: int = 0) -> Game:
        """Return a new game under *rules* with a seat for each of *names*.

        Raises:
            SetupError: If there are not 1 to 12 names, one is no text, or *first* is no seat.
        """
        if isinstance(names, str):  # a sequence of names, too: of its letters
            raise SetupError(SetupReason.NAME, f"one text, {shown(names)}, instead of a list")
        for name in names:
            _check_name(name)
        position = Position.start(rules, len(names), first)
        return cls((GameStarted(rules, tuple(names), first),), position)

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Game:
        """Return the game that consists of *events*, each checked like a step of its own.

        Raises:
            SetupError: If the first of them, or a later one, does not start a game as it should.
            IllegalMoveError: If one is not possible after those before it.
        """
        stream = iter(events)
        started = next(stream, None)
        if not isinstance(started, GameStarted):
            raise SetupError(SetupReason.NOT_STARTED, shown(started))
        game = cls.start(started.rules, started.names, started.first)
        for event in stream:
            game = game.apply(event)
        return game

    def __repr__(self) -> str:
        """Return who plays, how much has happened, and where that has led."""
        names = ", ".join(map(repr, self.names))
        return f"Game([{names}], events={self.version}, position={str(self.position)!r})"

    @property
    def started(self) -> GameStarted:
        """The event that began the game."""
        event = self.events[0]
        assert isinstance(event, GameStarted)  # by construction
        return event

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        return self.position.rules

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called; an empty name means that it is the seat's number."""
        return self.started.names

    @property
    def version(self) -> int:
        """The number of events so far."""
        return len(self.events)

    def positions(self) -> Iterator[Position]:
        """Yield the position after each event, as many as there are events."""
        started = self.started
        position = Position.start(started.rules, len(started.names), started.first)
        yield position
        for event in self.events[1:]:
            position = _after(position, event)
            yield position

    def roll(self, faces: Sequence[int]) -> Game:
        """Return the game after the dice that were not kept fell like this.

        Raises:
            DiceError: If there are no such dice.
            IllegalMoveError: If no roll is to come, or one of another number of dice.
        """
        faces = tuple(faces)
        after = self.position.roll(Dice(faces))
        # Integers of another kind, such as NumPy's, are recorded as `int`.
        rolled = DiceRolled(self.position.seat, tuple(map(int, faces)))
        return Game((*self.events, rolled), after)

    def play(self, move: Move) -> Game:
        """Return the game after the seat to move has decided on *move*.

        Raises:
            IllegalMoveError: If *move* is not legal.
        """
        seat = self.position.seat
        if isinstance(move, Hold):
            return self.apply(DiceHeld(seat, move.kept))
        after = self.position.play(move)
        points = after.cards[seat][move.category]
        assert points is not None  # the move has filled it
        return Game((*self.events, CategoryScored(seat, move.category, points)), after)

    def enter(self, category: Category, result: Dice | int) -> Game:
        """Return the game after a whole turn of which only its last dice, or its points, are known.

        Raises:
            DiceError: If the dice are not five.
            IllegalMoveError: If the turn has begun, the box is not open, or cannot be worth that.
        """
        if isinstance(result, Dice):
            # Without such a category no points are right, and `apply` says so.
            points = self.rules.score(category, result) if self.rules.has(category) else 0
            return self.apply(TurnEntered(self.position.seat, category, points, result))
        return self.apply(TurnEntered(self.position.seat, category, result))

    def correct(
        self, seat: int, category: Category, points: int, instead_of: Category | None = None
    ) -> Game:
        """Return the game after a box of *seat* was corrected, as `Position.correct` says.

        Raises:
            IllegalMoveError: If there is no such seat or box, or it cannot be worth that.
        """
        return self.apply(ScoreCorrected(seat, category, points, instead_of))

    def resign(self, seat: int) -> Game:
        """Return the game after *seat* has given up.

        Raises:
            IllegalMoveError: If the game is over, or the seat has resigned or is not there.
        """
        return self.apply(PlayerResigned(seat))

    def apply(self, event: Event) -> Game:
        """Return the game after *event*, which has to fit.

        Raises:
            SetupError: If it starts a game.
            DiceError: If there are no such dice.
            IllegalMoveError: If it is not possible now, for that seat, or with those points, or
                is no event at all.
        """
        return Game((*self.events, event), _after(self.position, event))


def _after(position: Position, event: Event) -> Position:  # noqa: C901 - a case for each event
    if isinstance(event, GameStarted):
        raise SetupError(SetupReason.NOT_STARTED, "a game starts once")
    if isinstance(event, PlayerResigned):
        return position.resign(event.seat)
    if isinstance(event, ScoreCorrected):
        return position.correct(event.seat, event.category, event.points, event.instead_of)
    seat = getattr(event, "seat", None)
    is_seat = type(seat) is int and seat == position.seat
    if not (is_seat or position.is_over):
        reason = IllegalMoveReason.WRONG_SEAT if isinstance(event, Event) else _NO_EVENT
        raise IllegalMoveError(reason, position, event)
    match event:
        case DiceRolled(_, faces):
            if any(type(face) is not int for face in faces):
                raise DiceError(faces, "a face is a whole number")
            return position.roll(Dice(faces))
        case DiceHeld(_, kept):
            return position.play(Hold(kept))
        case CategoryScored(seat, category, points):
            after = position.play(Score(category))
            if type(points) is not int or after.cards[seat][category] != points:
                raise IllegalMoveError(IllegalMoveReason.WRONG_POINTS, position, event)
            return after
        case TurnEntered(_, category, points, dice):
            after = position.enter(category, points)
            if dice is not None and position.rules.score(category, dice) != points:
                raise IllegalMoveError(IllegalMoveReason.WRONG_POINTS, position, event)
            return after
        case _:  # whatever the types say
            raise IllegalMoveError(_NO_EVENT, position, event)


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise SetupError(SetupReason.NAME, shown(name))
    try:
        name.encode()
    except UnicodeEncodeError:
        raise SetupError(SetupReason.NAME, shown(name)) from None
