"""Exact outlook of a move: the rest of the turn under best play."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.coach.analysis.report import Outlook
from yachtdice.rules import Category, Dice, Hold, Move
from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    KEEP_COUNT,
    ROLL_COUNT,
    Floats,
    Integers,
    keep_index,
    roll_index,
    spread,
)

if TYPE_CHECKING:
    from yachtdice.solver import Turn


def outlook(turn: Turn, points: Integers, dice: Dice, rolls_left: int, move: Move) -> Outlook:
    """Return what *move* leads to if the best is made of it until the end of the turn.

    *turn* is that of the card, *points* (boxes, 252) what each roll is worth in each box.
    """
    if isinstance(move, Hold):
        ends = _ends(turn, keep_index(move.kept), rolls_left)
        filled = turn.best_box
    else:
        ends = np.zeros(ROLL_COUNT)
        ends[roll_index(dice)] = 1.0
        filled = np.full(ROLL_COUNT, turn.categories.index(move.category))
    rolls = np.arange(ROLL_COUNT)
    paid = points[filled, rolls]
    now = float(ends @ paid)
    # What a box brings now and later is known for every roll; closed boxes (-inf) are never filled.
    value = float(ends @ turn.scores[filled, rolls])
    later = value - now
    return Outlook(
        now,
        later if abs(later) > TOLERANCE else 0.0,
        _by_box(turn, filled, ends * (paid > 0)),
        _by_box(turn, filled, ends * (paid == 0)),
    )


def _ends(turn: Turn, keep: int, rolls_left: int) -> Floats:
    """Return with which dice the turn ends, (252,) chances, when *keep* is held."""
    ends = np.zeros(ROLL_COUNT)
    rolled = roll_chances()[keep]
    for left in range(rolls_left - 1, 0, -1):
        keeps = turn.best_keep[left]
        stops = keeps >= FIRST_ROLL
        ends += rolled * stops
        held = np.bincount(keeps[~stops], rolled[~stops], KEEP_COUNT)[:FIRST_ROLL]
        rolled = held @ roll_chances()
    result: Floats = ends + rolled
    return result


def _by_box(turn: Turn, filled: Integers, ends: Floats) -> dict[Category, float]:
    chances = np.bincount(filled, ends, len(turn.categories)).tolist()
    return {box: chance for box, chance in zip(turn.categories, chances, strict=True) if chance}


@cache
def roll_chances() -> Floats:
    """Return the chance of each roll after each keep of fewer than five dice, (210, 252)."""
    table = np.eye(KEEP_COUNT, FIRST_ROLL)
    spread(table)
    return np.ascontiguousarray(table[FIRST_ROLL:].T)
