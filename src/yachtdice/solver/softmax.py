"""A policy that errs: a move is the less likely the more it loses (softmax)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE, Category, Move, Score
from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.arrays.lattice import FIRST_ROLL, OPTION_STARTS, OPTIONS, Floats, roll_index
from yachtdice.solver.arrays.policy import Mixed

if TYPE_CHECKING:
    from yachtdice.rules import Position
    from yachtdice.solver.arrays.states import States
    from yachtdice.solver.arrays.turn import Turns
    from yachtdice.solver.solo import SoloSolution

_IS_ALL_FIVE = OPTIONS[:, 1] >= FIRST_ROLL


@dataclass(frozen=True, slots=True)
class Softmax:
    """Every move that gives away *cap* points or less, with a weight of exp(-loss / temperature).

    Losses within `TOLERANCE` of the cap count as equal to it, so that the rounding of one processor
    or another decides nothing.

    The weights of the moves of a roll, divided by their sum, are their chances. Two errors are not
    made, as they would look silly. What is best scored at once is not rerolled: where a box is
    among the best moves, no hold has a weight. And a Yacht is not wasted: where the dice pay more
    than the least in the box `yacht`, and it is open, only best moves have one.
    """

    temperature: float
    """In points: a move that gives away so much is e times less likely than a best one."""
    cap: float
    """In points."""

    def chances(self, solution: SoloSolution, position: Position) -> dict[Move, float]:
        """Return the chance of each move that has one, those with the least loss first.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        cap = 0.0 if _has_yacht(solution.states, position) else self.cap
        choices = [choice for choice in solution.rank(position) if choice.loss <= cap + TOLERANCE]
        if any(choice.is_best and isinstance(choice.move, Score) for choice in choices):
            choices = [choice for choice in choices if isinstance(choice.move, Score)]
        weights = [exp(-choice.loss / self.temperature) for choice in choices]
        total = sum(weights)
        return {c.move: weight / total for c, weight in zip(choices, weights, strict=True)}

    def choose(self, turns: Turns, rolls_left: int) -> Mixed:
        """Return the chances of all moves; the same as `chances`, for many states at once."""
        best = turns.rolls[rolls_left]
        cap = np.full(best.shape, self.cap)
        for box in turns.states.boxes:
            if box.category is Category.YACHT:
                is_open = turns.states.open[turns.block] & box.bit != 0
                cap[np.ix_(box.which > 0, is_open)] = 0
        boxes = self._weights(turns.scores - best, cap)
        total = boxes.sum(axis=0)
        holds = np.zeros((len(OPTIONS), best.shape[1]))
        if rolls_left:
            rolls, keeps = OPTIONS.T
            gains = turns.keeps[rolls_left].take(keeps, axis=0)
            gains -= best.take(rolls, axis=0)
            # Scoring at once stands among the keeps as the roll itself.
            cap[turns.rolls[0] >= best - TOLERANCE] = -1
            holds = self._weights(gains, cap.take(rolls, axis=0))
            holds[_IS_ALL_FIVE] = 0
            total += np.add.reduceat(holds, OPTION_STARTS[:-1], axis=0)
            holds /= total.take(rolls, axis=0)
        return Mixed(holds, boxes / total)

    def _weights(self, gains: Floats, cap: Floats) -> Floats:
        """Return the weights of moves that gain so much on the best, which is never positive."""
        is_allowed = gains >= -cap - TOLERANCE
        gains *= 1 / self.temperature
        np.exp(gains, out=gains)
        gains *= is_allowed
        return gains


def _has_yacht(states: States, position: Position) -> bool:
    for box in states.boxes:
        if box.category is Category.YACHT and len(position.dice) == DICE:
            is_open = position.card[Category.YACHT] is None
            return is_open and bool(box.which[roll_index(position.dice)])
    return False
