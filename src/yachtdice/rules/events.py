"""What has happened in a game: immutable, in the past tense, enough to replay it.

When something happened, who asked for it and its number in the stream belong to whoever stores
events. Seats are counted from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from yachtdice.rules.category import Category
    from yachtdice.rules.dice import Dice
    from yachtdice.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began. An empty name means that the seat is called by its number."""

    rules: RuleSet
    names: tuple[str, ...]
    first: int = 0
    """The seat that has the first turn."""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice that were not kept were rolled, and fell in this order."""

    seat: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiceHeld:
    """These dice were kept; the rest are to be rolled."""

    seat: int
    kept: Dice


@dataclass(frozen=True, slots=True)
class CategoryScored:
    """A box was filled with what the dice on the table are worth in it."""

    seat: int
    category: Category
    points: int


@dataclass(frozen=True, slots=True)
class TurnEntered:
    """A whole turn with real dice was entered; how it went, perhaps its dice too, is not known."""

    seat: int
    category: Category
    points: int
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class ScoreCorrected:
    """A box of a game with real dice was put right, perhaps filled instead of another one."""

    seat: int
    category: Category
    points: int
    instead_of: Category | None = None


@dataclass(frozen=True, slots=True)
class PlayerResigned:
    """A seat gave up."""

    seat: int


Event: TypeAlias = (
    GameStarted
    | DiceRolled
    | DiceHeld
    | CategoryScored
    | TurnEntered
    | ScoreCorrected
    | PlayerResigned
)
