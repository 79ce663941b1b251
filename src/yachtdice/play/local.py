"""A game on this machine: its record, its dice, its bots and its file, without a user interface.

Every step is on disk before it counts: where the file cannot be written, the step has not happened,
and a roll that was already made for it waits, so that trying again shows the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, Self

from yachtdice.bots import make_bot
from yachtdice.dice_source import DiceSource, SeededDice, SystemDice
from yachtdice.i18n import explain, seat_names
from yachtdice.i18n import gettext as _
from yachtdice.notation import Record
from yachtdice.rules import (
    DICE,
    CategoryScored,
    Dice,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    Hold,
    Position,
    Score,
    TurnEntered,
    YachtError,
)
from yachtdice.solutions import Solutions

if TYPE_CHECKING:
    from yachtdice.rules import Category, Move, RuleSet
    from yachtdice.store.savefile import SaveFile

REAL = "real"
SYSTEM = "system"
_SEED = "seed "


class UnknownDiceError(YachtError):
    """A record whose source of dice is not known here, so the game cannot continue."""

    def __init__(self, dice: str) -> None:
        super().__init__(f"dice {dice!r:.60} cannot be rolled here")
        self.dice = dice


@explain.register
def _explain(error: UnknownDiceError) -> str:
    del error
    return _("The dice of this game came from elsewhere, so it cannot go on here.")


class Player(Protocol):
    """Chooses the moves of a bot."""

    def choose(self, position: Position) -> Move:
        """Return one of the legal moves of *position*, which has dice to decide on."""
        ...


MakePlayer = Callable[[str, "RuleSet", "str | None"], Player]
"""Makes the bot of a level for a rule set; with the same seed it makes the same choices."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Who plays, and who begins."""

    names: tuple[str, ...]
    """A seat with an empty name is called by its number."""
    bots: Mapping[int, str]
    """The level of each seat that a bot plays."""
    first: int = 0


class LocalGame:
    """A game that is played at one keyboard, written to a file after every step.

    Each step returns the events that it added; they are on disk by then. Steps raise
    `IllegalMoveError` or `DiceError` as `Game` does, and `SaveError` where the file cannot be
    written; in both cases the game is what it was before.
    """

    def __init__(self, record: Record, save: SaveFile, make: MakePlayer | None = None) -> None:
        """Continue *record*, which *save* holds or will hold.

        *make* makes the computers; by default they are bots that share solutions of their own.

        Raises:
            UnknownDiceError: If its dice come from a source that is not known here.
        """
        self.save = save
        self._record = record
        self._make = make or partial(make_bot, solutions=Solutions())
        self._dice_source = _dice_source(record)
        # Dice that have fallen for a step that did not get to the disk.
        self._fallen: list[int] = []

    @classmethod
    def start(  # noqa: PLR0913 - a game is made of so many things
        cls,
        save: SaveFile,
        rules: RuleSet,
        seats: Seats,
        *,
        dice: str = SYSTEM,
        date: str = "",
        shows_odds: bool = False,
        make: MakePlayer | None = None,
    ) -> Self:
        """Begin a game and write it to *save*. *dice* are `system`, `real` or `seed` and a seed.

        *shows_odds* says whether the players see how likely each is to win.

        Raises:
            SetupError: If there cannot be such a game.
            SaveError: If it cannot be written.
        """
        game = Game.start(rules, seats.names, seats.first)
        record = Record(game, date, dice, dict(seats.bots), shows_odds=shows_odds)
        local = cls(record, save, make)
        save.write(local.record)
        return local

    @classmethod
    def resume(cls, save: SaveFile, make: MakePlayer | None = None) -> Self:
        """Continue the game in *save*, with the dice that would have come next.

        Raises:
            SaveError: If it cannot be read.
            NotationError: If it is not the record of a game.
            UnknownDiceError: If its dice come from a source that is not known here.
        """
        return cls(save.read(), save, make)

    @property
    def record(self) -> Record:
        """The game so far with its headers, as in the file."""
        return self._record

    @property
    def game(self) -> Game:
        """The game so far."""
        return self._record.game

    @property
    def position(self) -> Position:
        """The current position."""
        return self._record.game.position

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the active language."""
        return seat_names(self._record.game.names, self._record.bots)

    @property
    def is_real(self) -> bool:
        """Whether people roll real dice and report them."""
        return self._record.dice == REAL

    @property
    def bot_to_move(self) -> str | None:
        """The level of the bot whose turn it is, None if it is a person's or nobody's."""
        return None if self.position.is_over else self._record.bots.get(self.position.seat)

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back: people who report real dice make mistakes."""
        return self.is_real and self._undone() is not None

    def roll(self) -> tuple[Event, ...]:
        """Roll all five dice at the start of a turn, or those not kept after a hold."""
        return self._roll(self.game)

    def hold(self, kept: Dice) -> tuple[Event, ...]:
        """Keep dice; the others are rolled in the same step, unless they are real."""
        game = self.game.play(Hold(kept))
        return self._accept(game) if self.is_real else self._roll(game)

    def report(self, faces: Sequence[int]) -> tuple[Event, ...]:
        """Enter what real dice show; after a hold, five are the kept ones and the rolled ones."""
        kept = self.position.dice
        if self.position.must_roll and kept and len(faces) == DICE and kept <= Dice(faces):
            faces = (Dice(faces) - kept).faces
        return self._accept(self.game.roll(faces))

    def score(self, category: Category) -> tuple[Event, ...]:
        """Score the dice in a box."""
        return self._accept(self.game.play(Score(category)))

    def enter(self, category: Category, result: Dice | int) -> tuple[Event, ...]:
        """Enter a whole turn with real dice by its last dice, or only by its points.

        It replaces what was entered of the same turn before.
        """
        game = self._turn_start() if self.is_real else self.game
        self._write(game.enter(category, result))
        return self.game.events[-1:]

    def correct(
        self, seat: int, category: Category, points: int, instead_of: Category | None = None
    ) -> tuple[Event, ...]:
        """Correct a box, as `Game.correct` does."""
        return self._accept(self.game.correct(seat, category, points, instead_of))

    def resign(self) -> tuple[Event, ...]:
        """Let the seat to move resign."""
        return self._accept(self.game.resign(self.position.seat))

    def play_bot(self) -> tuple[Event, ...]:
        """Let the bot whose turn it is take one step: roll, hold (and roll), or score.

        With real dice it only decides; somebody rolls for it and reports.

        Raises:
            YachtError: If its level is not known, or needs what is not installed.
        """
        assert self.bot_to_move is not None
        if self.position.must_roll:
            return self.roll()
        move = self._player().choose(self.position)
        return self.hold(move.kept) if isinstance(move, Hold) else self.score(move.category)

    def undo(self) -> tuple[Event, ...]:
        """Undo the last step of a person, with the steps of bots after it.

        Returns the events that are gone; none where there is nothing to take back.
        """
        version = self._undone() if self.is_real else None
        if version is None:
            return ()
        gone = self.game.events[version:]
        self._write(Game.replay(self.game.events[:version]))
        return gone

    def _roll(self, game: Game) -> tuple[Event, ...]:
        """Roll the dice that are due in *game*, and accept the result."""
        # Where no roll is to come, none is made: the game itself then says why not.
        count = DICE - len(game.position.dice) if game.position.must_roll else 0
        missing = count - len(self._fallen)
        if missing > 0:
            self._fallen += self._dice_source.roll(missing)
        events = self._accept(game.roll(self._fallen[:count]))
        del self._fallen[:count]
        return events

    def _accept(self, game: Game) -> tuple[Event, ...]:
        """Write *game* to the file, then make it the current one; return its new events."""
        events = game.events[self.game.version :]
        self._write(game)
        return events

    def _write(self, game: Game) -> None:
        record = replace(self._record, game=game)
        self.save.write(record)
        self._record = record

    def _player(self) -> Player:
        record, position = self._record, self.position
        level = record.bots[position.seat]
        if not record.dice.startswith(_SEED):
            return self._make(level, position.rules, None)
        # A seed of its own for each decision: after an interruption the same ones follow.
        seed = f"{record.dice.removeprefix(_SEED)}/{position.seat}/{record.game.version}"
        return self._make(level, position.rules, seed)

    def _undone(self) -> int | None:
        """Return the version of the game before the last step of a person."""
        for version in range(self.game.version - 1, 0, -1):
            event = self.game.events[version]
            if not (
                isinstance(event, (DiceHeld, CategoryScored)) and event.seat in self._record.bots
            ):
                return version
        return None

    def _turn_start(self) -> Game:
        """Return the game without what was entered of the current turn."""
        events = self.game.events
        if self.position.is_over or self.position.is_turn_start:
            return self.game
        begin = len(events)
        while not isinstance(events[begin - 1], (CategoryScored, TurnEntered)) and begin > 1:
            begin -= 1
        # What others did in the meantime stays: a box was put right, somebody gave up.
        seat = self.position.seat
        later = (
            event
            for event in events[begin:]
            if not (isinstance(event, (DiceRolled, DiceHeld)) and event.seat == seat)
        )
        return Game.replay([*events[:begin], *later])


def seeded(seed: str) -> str:
    """Return the entry in a record for dice from *seed*."""
    return f"{_SEED}{seed}"


def _dice_source(record: Record) -> DiceSource:
    """Return the source of the next dice; with real dice it is never used.

    Raises:
        UnknownDiceError: If it is not known.
    """
    if record.dice.startswith(_SEED):
        rolled = sum(len(e.faces) for e in record.game.events if isinstance(e, DiceRolled))
        return SeededDice(record.dice.removeprefix(_SEED), skip=rolled)
    if record.dice in {SYSTEM, REAL, ""}:
        return SystemDice()
    raise UnknownDiceError(record.dice)
