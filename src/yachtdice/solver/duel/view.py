"""A two-player position as the solver represents it, and the values of its turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from yachtdice.rules import DICE
from yachtdice.solver.arrays.lattice import Floats, keep_index, roll_index
from yachtdice.solver.arrays.turn import study_rows

if TYPE_CHECKING:
    from yachtdice.rules import Category, Position
    from yachtdice.solver.arrays.states import States

Kind: TypeAlias = Literal["exact", "estimate"]
"""Whether chances are those of perfect play of both, or an estimate of them."""


@dataclass(frozen=True)
class View:
    """The start of a turn: what matters of a game for two."""

    mover: int
    """The boxes that the seat to move has open, as bits."""
    waiter: int
    """The boxes that the other seat has open."""
    lead: int
    """The points of the seat to move less those of the other."""


@dataclass(frozen=True, eq=False)
class DuelTurn:
    """One turn, as arrays: the mover's chances to win, a tie counting one half (shared evenly).

    Rolls and keeps are numbered as in `yachtdice.solver.arrays.lattice`.
    """

    kind: Kind
    tolerance: float
    """Chances that differ by no more count as equal."""
    categories: tuple[Category, ...]
    """The categories in the order of `Category.index`, which numbers the boxes below."""
    value: float
    """The chance before the first roll."""
    scores: Floats
    """(boxes, 252): the chance after scoring a roll in a box; -inf if the box is not open."""
    keeps: Floats
    """(rolls, 462): the chance if a keep is held with r rolls left, for r = 0, 1, ...

    Rows 210 to 461 are scoring at once. For r = 0 the others are -inf.
    """
    rolls: Floats
    """(rolls, 252): the chance with a roll and r rolls left when the best is made of it."""

    def at(self, position: Position) -> float:
        """Return the chance in a position of this turn."""
        if position.is_turn_start:
            return self.value
        if len(position.dice) == DICE:
            return float(self.rolls[position.rolls_left, roll_index(position.dice)])
        return float(self.keeps[position.rolls_left, keep_index(position.dice)])


def duel_turn(states: States, kind: Kind, tolerance: float, brought: Floats) -> DuelTurn:
    """Return the turn in which the rows of *states* bring the chances *brought*, (rows,)."""
    turns = study_rows(states, brought[:, None], np.zeros(1, np.int64))
    return DuelTurn(
        kind,
        tolerance,
        tuple(box.category for box in states.boxes),
        float(turns.values[0]),
        turns.scores[..., 0],
        turns.keeps[..., 0],
        turns.rolls[..., 0],
    )
