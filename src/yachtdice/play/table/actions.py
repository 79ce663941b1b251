"""The actions of people at a table, for `Tables.act`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yachtdice.bots import DEFAULT_LEVEL
from yachtdice.rules import Category, Dice


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice, keeping some of them first.

    With system dice leave *faces* out; with real dice give what the rolled ones show, in any order.
    """

    kept: Dice | None = None
    """The dice to keep, from none to four; None for the first roll, or after a `Keep`."""
    faces: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Decide which dice to keep, and roll later. `Roll(kept)` does both at once."""

    kept: Dice


@dataclass(frozen=True, slots=True)
class Fill:
    """Score the dice on the table in a box."""

    category: Category


@dataclass(frozen=True, slots=True)
class EnterDice:
    """Real dice: enter a whole turn by the box and the dice that it ended with."""

    category: Category
    dice: Dice


@dataclass(frozen=True, slots=True)
class EnterPoints:
    """Real dice: enter a whole turn by the box and its points alone."""

    category: Category
    points: int


@dataclass(frozen=True, slots=True)
class Correct:
    """Real dice: correct a box; *instead_of* names the box that wrongly got the points."""

    seat: int
    category: Category
    points: int
    instead_of: Category | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign: on one device *seat*, or the seat whose turn it is if that is None."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AddBot:
    """Host, before the game: let a bot take the next free seat."""

    level: str


@dataclass(frozen=True, slots=True)
class Begin:
    """Host: begin the game with the taken seats; *first* starts, None draws lots."""

    first: int | None = 0


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave. Before the game the seat is free again; in the game it is absent at once."""


@dataclass(frozen=True, slots=True)
class Return:
    """Come back after `Leave`, or take over from the bot that played on."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Host: remove another's seat; in the game only one that is absent."""

    seat: int


@dataclass(frozen=True, slots=True)
class Skip:
    """Anybody else at the table: let an absent seat resign."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Anybody else at the table: let a bot play for an absent seat until it returns."""

    seat: int
    level: str = DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class Rematch:
    """Open a table with the same people, each moved one seat on, and begin.

    Online once the game is over; on one device at any time, and then the old game is left.
    """


Action: TypeAlias = (
    Roll
    | Keep
    | Fill
    | EnterDice
    | EnterPoints
    | Correct
    | Resign
    | AddBot
    | Begin
    | Leave
    | Return
    | Remove
    | Skip
    | PlayOn
    | Rematch
)
