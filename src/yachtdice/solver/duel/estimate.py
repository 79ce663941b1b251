"""An estimate of everybody's chances from the exact distributions of solitaire play, for any seats.

The seat to move plays the turn that it is in for its chance to win; afterwards everybody is taken
to play for the highest expected total. For two seats that is put right by two numbers: who is
behind takes risks that do not pay in points and wins more often than that, and who moves last knows
what it takes. Both hardly depend on the position; the documentation says how well they do.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from yachtdice.rules import CATEGORIES
from yachtdice.solver.arrays.policy import PERFECT
from yachtdice.solver.arrays.turn import WIDTH, study
from yachtdice.solver.duel.backward import OddsArray
from yachtdice.solver.forward import turn_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.solver.arrays.lattice import Floats
    from yachtdice.solver.solo import SoloSolution

RISK = 0.98
"""The power to which odds are raised: the smaller, the more it helps to play for the win."""
LAST = 1.028
"""By how much the odds of the seat that moves last are better."""

Seat: TypeAlias = tuple[int, int]
"""What an estimate needs of a card: the boxes open, as bits, and the points scored."""


class Estimate:
    """Estimated chances under one rule set without an upper bonus."""

    def __init__(self, solo: SoloSolution) -> None:
        """Estimate by the solution of solitaire play."""
        self._solo = solo
        self._states = solo.states
        self._bits = np.array([box.bit for box in self._states.boxes])[self._states.row_box]
        self._maximum = int(self._states.maximum[solo.rules.mask])

    @cached_property
    def to_come(self) -> Floats:
        """(4096, points): how likely each number of points is still to come, by the open boxes."""
        states = self._states
        found = np.zeros((1 << len(CATEGORIES), 1 + self._maximum))
        found[0, 0] = 1
        for start, end in zip(states.layers[1:], states.layers[2:], strict=False):
            for low in range(start, end, WIDTH):
                block = np.arange(low, min(low + WIDTH, end))
                open_ = states.open[block]
                chances = turn_outcomes(study(states, self._solo.values, block), PERFECT)
                for bit, points, chance in zip(
                    self._bits.tolist(), states.row_points.tolist(), chances, strict=True
                ):
                    which = np.flatnonzero(chance)
                    if len(which):
                        moved = found[open_[which] ^ bit, : 1 + self._maximum - points]
                        found[open_[which], points:] += chance[which, None] * moved
        return found

    def brought(self, mover: Seat, others: Sequence[Seat]) -> Floats:
        """Return the mover's share after each box with each number of points, (rows,).

        A share is the chance to win alone, and of a win shared by n seats an n-th.
        """
        open_, total = mover
        share = self._share(others)
        brought = np.full(len(self._bits), -np.inf)
        for row in np.flatnonzero(self._bits & open_):
            left = self.to_come[open_ ^ self._bits[row]]
            start = total + int(self._states.row_points[row])
            brought[row] = left[: len(share) - start] @ share[start : start + len(left)]
        if len(others) == 1:
            rows = np.flatnonzero(self._bits & open_)
            left_open = open_.bit_count() - 1, others[0][0].bit_count()
            brought[rows] = played_to_win(brought[rows], *left_open)
        return brought

    def shares(self, seats: Sequence[Seat]) -> list[float]:
        """Return the share of every seat when all play for points; they add up to 1."""
        return [
            float(self._final(seat) @ self._share([*seats[:i], *seats[i + 1 :]]))
            for i, seat in enumerate(seats)
        ]

    def _final(self, seat: Seat) -> Floats:
        """Return how likely each final total of a seat is, from 0 to the most there is."""
        open_, total = seat
        final = np.zeros(1 + self._maximum)
        final[total:] = self.to_come[open_, : 1 + self._maximum - total]
        return final

    def _share(self, others: Sequence[Seat]) -> Floats:
        """Return what share each final total is worth against the *others*."""
        tied = np.zeros((len(others) + 1, 1 + self._maximum))
        tied[0] = 1
        for seat in others:
            final = self._final(seat)
            below = np.cumsum(final) - final
            tied[1:] = tied[1:] * below + tied[:-1] * final
            tied[0] *= below
        return (1 / np.arange(1, len(others) + 2)) @ tied


def played_to_win(chance: OddsArray, mine: int, theirs: int) -> OddsArray:
    """Return the chance to win, from that by distributions, of a seat that has just scored.

    *mine* and *theirs* are how many boxes it and the other seat have open.
    """
    if not mine + theirs:
        return chance
    # The other seat is next: with as many boxes open on both cards it is first in each round.
    last = LAST if mine >= theirs else 1 / LAST
    chance = np.clip(chance, 0, 1)
    won, lost = last * chance**RISK, (1 - chance) ** RISK
    return won / (won + lost)
