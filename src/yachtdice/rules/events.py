"""Events: what has happened in a game, immutable and enough to replay it.

An event has no time, author or number of its own; a store adds these. Seats are counted from 0.
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
    """A game began.

    Attributes:
        rules: The rule set of the game.
        names: One for each seat; an empty one means that the seat is called by its number.
        first: The seat that has the first turn.
    """

    rules: RuleSet
    names: tuple[str, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice that were not kept were rolled.

    Attributes:
        seat: Whose turn it was.
        faces: What they show, in the order in which they fell.
    """

    seat: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiceHeld:
    """Some dice were kept; the rest are to be rolled.

    Attributes:
        seat: Whose turn it was.
        kept: None to four dice.
    """

    seat: int
    kept: Dice


@dataclass(frozen=True, slots=True)
class CategoryScored:
    """A box was filled with what the dice on the table are worth in it.

    Attributes:
        seat: Whose turn it was.
        category: The box.
        points: What it holds now.
    """

    seat: int
    category: Category
    points: int


@dataclass(frozen=True, slots=True)
class TurnEntered:
    """A whole turn with real dice was entered; how it went is not known.

    Attributes:
        seat: Whose turn it was.
        category: The box that was filled.
        points: What it holds now.
        dice: The last dice of the turn; None where they are not known either.
    """

    seat: int
    category: Category
    points: int
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class ScoreCorrected:
    """A box of a game with real dice was corrected, perhaps filled instead of another one.

    Attributes:
        seat: Whose card was corrected, which need not have been the one to move.
        category: The box.
        points: What it holds now.
        instead_of: The box that was opened for it; None if it is the same one.
    """

    seat: int
    category: Category
    points: int
    instead_of: Category | None = None


@dataclass(frozen=True, slots=True)
class PlayerResigned:
    """A seat gave up.

    Attributes:
        seat: Which one.
    """

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
"""Something that has happened in a game."""
