"""The values of the turns of many cards, computed in one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from yachtdice.solver import SoloSolution, Turn
from yachtdice.solver.arrays.lattice import Integers
from yachtdice.solver.arrays.policy import best_keeps
from yachtdice.solver.arrays.turn import study

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yachtdice.rules import Scorecard


class TurnBook:
    """What a turn from each of some cards is worth, as `SoloSolution.turn` says of one."""

    def __init__(self, solution: SoloSolution, cards: Iterable[Scorecard]) -> None:
        """Compute the turns of those of *cards* that are not full."""
        self._states = solution.states
        self.points: Integers = np.array([box.points for box in solution.states.boxes])
        """(boxes, 252): what each roll is worth in each box, a bonus apart."""
        self._has_bonus = solution.rules.upper_bonus is not None
        numbers = np.array(sorted({self._number(card) for card in cards if not card.is_full}))
        self._turns: dict[int, Turn] = {}
        if not len(numbers):
            return
        found = study(solution.states, solution.values, numbers)
        keeps = np.stack([best_keeps(found, left) for left in range(solution.rules.rolls)])
        categories = tuple(box.category for box in solution.states.boxes)
        for i, number in enumerate(numbers.tolist()):
            self._turns[number] = Turn(
                categories,
                float(solution.values[number]),
                found.scores[..., i],
                found.keeps[..., i],
                found.rolls[..., i],
                keeps[..., i],
                found.best_boxes[:, i],
            )

    def turn(self, card: Scorecard) -> Turn:
        """Return the turn of one of the cards."""
        return self._turns[self._number(card)]

    def worth(self, card: Scorecard) -> float:
        """Return the expected final total of one of the cards, between two turns."""
        return card.total + (0.0 if card.is_full else self.turn(card).value)

    def _number(self, card: Scorecard) -> int:
        upper = card.upper if self._has_bonus else 0
        return self._states.number(card.rules.mask & ~card.mask, upper)
