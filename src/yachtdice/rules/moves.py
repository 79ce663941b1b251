"""What a player can decide: which dice to hold, or where to score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yachtdice.rules.category import CATEGORIES, Category
from yachtdice.rules.dice import KEEPS, Dice


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep these dice, from none to four of them, and roll the rest.

    Attributes:
        kept: The dice kept.
    """

    kept: Dice

    @property
    def index(self) -> int:
        """0 to 461: the number of the move among `MOVES`, which never changes."""
        return self.kept.index


@dataclass(frozen=True, slots=True)
class Score:
    """Fill a box with what the dice are worth in it, and end the turn.

    Attributes:
        category: The box that is filled.
    """

    category: Category

    @property
    def index(self) -> int:
        """462 to 473: the number of the move among `MOVES`, which never changes."""
        return len(KEEPS) + self.category.index


Move: TypeAlias = Hold | Score
"""A decision."""

MOVES: tuple[Move, ...] = (*map(Hold, KEEPS), *map(Score, CATEGORIES))
"""All 474 moves: the holds in the order of `KEEPS`, then the boxes in the order of `CATEGORIES`.

`MOVES[move.index] == move`. Holds of all five dice have numbers as well, although none is legal.

>>> Hold(Dice([4, 4])).index, Score(Category.CHOICE).index
(22, 472)
"""
