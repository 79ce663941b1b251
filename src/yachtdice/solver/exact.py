"""Perfect solitaire play in rational arithmetic: integers over a power of six.

A turn of r rolls throws 5 r dice, so that with n boxes open every value is an integer over
6^(5 r n), and nothing but sums and comparisons of integers is needed: the float64 solution can be
held against it, and the value of a card be printed to as many digits as anybody likes.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE, FACES, KEEPS, Category, roll_outcomes
from yachtdice.solver.arrays.lattice import FIRST_ROLL, KEEP_COUNT, ROLL_COUNT, best, expect
from yachtdice.solver.arrays.states import States
from yachtdice.solver.arrays.turn import Leaves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from yachtdice.rules import RuleSet

_SIX = len(FACES)
_ORDERS = np.array([int(p * _SIX**DICE) for _, p in roll_outcomes(DICE)], object)
"""(252,): in how many orders the five dice of each roll can fall, out of 7,776."""

_UNITS = np.array([[_SIX ** len(dice)] for dice in KEEPS], object)
"""(462, 1): what brings the sums over the dice not kept, made by `expect`, to a common unit."""


_WIDTH = 32
"""How many states are worked on together: their integers fit the second-level cache."""

_NEVER = 10**9
"""More points than any box can pay, or any card can bring."""


class ExactSolution:
    """What every card is worth, as a fraction.

    >>> from yachtdice import TRADITIONAL
    >>> solution = solve_exactly(TRADITIONAL)
    >>> solution.value([Category.YACHT])
    Fraction(8697425, 3779136)
    """

    def __init__(self, states: States, numerators: NDArray[np.object_]) -> None:
        """Take the *numerators* of all *states*, over 6^(5 x rolls a turn x open boxes)."""
        self._states = states
        self._numerators = numerators

    @property
    def rules(self) -> RuleSet:
        """The rule set that is solved."""
        return self._states.rules

    @property
    def expected(self) -> Fraction:
        """The expected total of a game."""
        return self.value()

    def value(self, open_: Iterable[Category] | None = None, upper: int = 0) -> Fraction:
        """Return the points still to come with those boxes open, or with all of them.

        A bonus still to come is among them; *upper*, the points in the upper boxes that are used,
        matters only where there is one.

        Raises:
            ValueError: If there are no such boxes, or the upper total cannot come about.
        """
        rules = self.rules
        mask = rules.mask if open_ is None else sum({1 << c.index for c in open_})
        state = self._states.number(mask, upper if self._states.bonus else 0)
        return Fraction(self._numerators[state], _SIX ** (DICE * rules.rolls * mask.bit_count()))


def solve_exactly(rules: RuleSet) -> ExactSolution:
    """Return the exact value of every card under *rules*: see `solve`, which is the way in."""
    states = States(rules)
    leaves = Leaves(states)
    numerators = np.zeros(len(states), object)
    unit = 1
    for start, end in pairwise(states.layers[1:]):
        for low in range(start, end, _WIDTH):
            block = np.arange(low, min(low + _WIDTH, end))
            rows = states.bring(numerators, block, unit, closed=-unit * _NEVER)
            numerators[block] = _turn(leaves, rows, rules.rolls)
        unit *= _SIX ** (DICE * rules.rolls)
    return ExactSolution(states, numerators)


def _turn(leaves: Leaves, rows: NDArray[np.object_], rolls: int) -> NDArray[np.object_]:
    table = np.zeros((KEEP_COUNT, rows.shape[1]), object)
    scratch = np.zeros((ROLL_COUNT, rows.shape[1]), object)
    leaves(rows, table[FIRST_ROLL:], scratch)
    for _ in range(rolls - 1):
        expect(table, scratch)
        table *= _UNITS
        best(table, scratch)
    value: NDArray[np.object_] = _ORDERS @ table[FIRST_ROLL:]
    return value
