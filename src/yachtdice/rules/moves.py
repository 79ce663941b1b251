"""What a player can decide: which dice to hold, or where to score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from yachtdice.rules.category import Category
    from yachtdice.rules.dice import Dice


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep these dice, from none to four of them, and roll the rest."""

    kept: Dice


@dataclass(frozen=True, slots=True)
class Score:
    """Fill this box with what the dice are worth in it, and end the turn."""

    category: Category


Move: TypeAlias = Hold | Score
