"""Policies on arrays: what is done with every roll, for many states at once.

A `TurnPolicy` is given the `Turns` of a block of states and says what it does with each roll while
so many rolls are left. Perfect play is one; the bots are others. `yachtdice.solver.forward` turns a
policy into the exact distribution of totals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np

from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    OPTION_STARTS,
    OPTIONS,
    OPTIONS_BY_PLACE,
    ROLL_COUNT,
    ROLLS_BY_OPTIONS,
    Floats,
    Integers,
)

if TYPE_CHECKING:
    from yachtdice.solver.arrays.turn import Turns


@dataclass(frozen=True, eq=False)
class Pure:
    """One move for each roll."""

    keep: Integers
    """(252, width): the keep that is held; 210 and more is to score at once."""
    box: Integers
    """(252, width): the box that is scored, if one is."""


@dataclass(frozen=True, eq=False)
class Mixed:
    """A distribution over moves for each roll: holds and boxes together add up to 1."""

    holds: Floats
    """(4368, width): the chance of each of `lattice.OPTIONS`; 0 where that is the roll itself."""
    boxes: Floats
    """(boxes, 252, width): the chance of scoring in each box."""


Decision: TypeAlias = Pure | Mixed


@runtime_checkable
class TurnPolicy(Protocol):
    """A way to play that depends on the turn alone: on the card, the dice and the rolls left."""

    def choose(self, turns: Turns, rolls_left: int) -> Decision:
        """Return what is done with each roll while *rolls_left* rolls are left.

        With none left nothing is held: `Pure.keep` is not looked at, and `Mixed.holds` must be 0.
        """
        ...


class Perfect:
    """Always a best move; of several the first in the order of `SoloSolution.rank`."""

    def choose(self, turns: Turns, rolls_left: int) -> Pure:
        """Return the best keep of each roll, and its best box."""
        return Pure(best_keeps(turns, rolls_left), turns.best_boxes)


PERFECT = Perfect()


class Uniform:
    """Any legal move, each as likely as any other."""

    def choose(self, turns: Turns, rolls_left: int) -> Mixed:
        """Return one over the number of legal moves for each of them."""
        boxes = np.isfinite(turns.scores).astype(np.float64)
        moves = boxes.sum(axis=0)
        holds = np.zeros((len(OPTIONS), len(turns.block)))
        if rolls_left:
            # Holding all five dice is no move.
            holds[OPTIONS[:, 1] < FIRST_ROLL] = 1
            moves += np.diff(OPTION_STARTS)[:, None] - 1
        return Mixed(holds / moves[OPTIONS[:, 0]], boxes / moves)


def best_keeps(turns: Turns, rolls_left: int) -> Integers:
    """Return the best keep of each roll, (252, width); of equal ones that with the highest number.

    Scoring at once, the roll itself as a keep, has the highest of all.
    """
    if not rolls_left:
        rolls = np.arange(FIRST_ROLL, FIRST_ROLL + ROLL_COUNT)
        return np.repeat(rolls[:, None], len(turns.block), axis=1)
    keeps = turns.keeps[rolls_left]
    enough = turns.rolls[rolls_left][ROLLS_BY_OPTIONS] - TOLERANCE
    found = np.full(enough.shape, -1)
    worth = np.empty(enough.shape)
    # From the last place, where the keeps with the lowest numbers are, to the first.
    for numbers in reversed(OPTIONS_BY_PLACE):
        part = slice(len(numbers))
        np.take(keeps, numbers, axis=0, out=worth[part], mode="clip")
        np.copyto(found[part], numbers[:, None], where=worth[part] >= enough[part])
    result = np.empty_like(found)
    result[ROLLS_BY_OPTIONS] = found
    return result
