"""Play for the highest probability of at least a given total, whatever the average.

The chance depends on the state and on the points that are still needed, so all totals are solved
together: for each state a column of the turn's table for each number of points needed, from 1 up
to the most that the state can still bring. Whoever needs none has got there, whoever needs more
than that has not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE, Score
from yachtdice.solver.arrays.choice import Choice, hold_moves, order
from yachtdice.solver.arrays.lattice import Floats, Integers, keep_index, roll_index
from yachtdice.solver.arrays.turn import Turns, column_values, study_rows
from yachtdice.solver.tables import load_table, save_table

if TYPE_CHECKING:
    import os

    from yachtdice.rules import Move, Position
    from yachtdice.solver.arrays.states import States
    from yachtdice.solver.solo import SoloSolution

_KIND = "target"
_STATES = 1000
"""How many states are laid out at a time."""
_TURNS_KEPT = 64
_RELATIVE_TOLERANCE = 1e-12
"""A relative tolerance: chances are sums of products, so rounding is in proportion to them."""


class Targets:
    """The best chance of every total from every card."""

    def __init__(self, solution: SoloSolution, chances: Floats) -> None:
        """Take the *chances* in the order that `solve_targets` computes them in."""
        self._solution = solution
        self._places = Places(solution.states)
        self._chances = chances
        self._chances.flags.writeable = False
        self._turns: dict[tuple[int, int], Turns] = {}

    def at(self, points: int) -> TargetSolution:
        """Return play for a total of at least so many *points*."""
        return TargetSolution(self, points)

    def chances(self) -> Floats:
        """Return the chance of at least n points in a game, for n = 0, 1, ... up to the most.

        Each is for play that wants just this total: they are not of one policy.
        """
        start = self._solution.states.start
        return self._chances[self._places.first[start] :][: self._places.maximum[start] + 1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file, at once or not at all.

        Raises:
            OSError: If the file cannot be written.
        """
        save_table(path, _KIND, self._solution.rules, self._chances)

    @classmethod
    def load(cls, path: str | os.PathLike[str], solution: SoloSolution) -> Targets:
        """Return the table that `save` wrote for the rules of *solution*.

        Raises:
            ValueTableError: If the file cannot be read, is damaged, or holds anything else.
        """
        count = len(Places(solution.states))
        return cls(solution, load_table(path, _KIND, solution.rules, count))

    def chance(self, position: Position, points: int) -> float:
        """Return the best chance of a final total of at least *points* from *position* on."""
        state = self._solution.states.of(position)
        needed = points - position.card.total
        if position.is_over:
            return float(needed <= 0)
        if position.is_turn_start:
            return float(self._chances[self._places.of(state, needed)])
        turn, left = self._turn(state, needed), position.rolls_left
        if len(position.dice) == DICE:
            return float(turn.rolls[left, roll_index(position.dice), 0])
        return float(turn.keeps[left, keep_index(position.dice), 0])

    def rank(self, position: Position, points: int) -> list[Choice]:
        """Return every legal move with the best chance of *points* or more after it, best first."""
        # Moves with the same chance stay in the order of the higher average.
        moves = [choice.move for choice in self._solution.rank(position)]
        if not moves:
            return []
        state = self._solution.states.of(position)
        turn = self._turn(state, points - position.card.total)
        roll, left = roll_index(position.dice), position.rolls_left
        values: dict[Move, float] = {}
        for box, scores in zip(self._solution.states.boxes, turn.scores, strict=True):
            values[Score(box.category)] = float(scores[roll, 0])
        if left:
            holds, numbers = hold_moves(roll)
            values |= zip(holds, turn.keeps[left, numbers, 0].tolist(), strict=True)
        chances = [values[move] for move in moves]
        return order(moves, chances, max(chances) * _RELATIVE_TOLERANCE)

    def _turn(self, state: int, needed: int) -> Turns:
        # All points above the most, and all below 1, are the same.
        needed = min(max(needed, 0), int(self._places.maximum[state]) + 1)
        turn = self._turns.get((state, needed))
        if turn is None:
            if len(self._turns) >= _TURNS_KEPT:
                self._turns.clear()
            block = np.array([state])
            rows = self._places.bring(self._chances, block, np.array([needed]))
            turn = study_rows(self._solution.states, rows, block)
            self._turns[state, needed] = turn
        return turn


@dataclass(frozen=True, slots=True)
class TargetSolution:
    """Play for a total of at least `points`, from any card.

    >>> from yachtdice import Category, OfAKind, Position, RuleSet
    >>> from yachtdice.solver import solve
    >>> one_box = RuleSet("one-box", {Category.YACHT: OfAKind(5, 50)}, rolls=1)
    >>> target = solve(one_box).target(50)
    >>> round(target.chance(Position.start(one_box)) * 7776, 9)
    6.0
    """

    targets: Targets
    """The tables, which serve every total."""
    points: int
    """The total to reach."""

    def chance(self, position: Position) -> float:
        """Return the chance that the card of the seat to move ends with `points` or more.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        return self.targets.chance(position, self.points)

    def rank(self, position: Position) -> list[Choice]:
        """Return every legal move with the chance after it as its value, best first.

        Chances that differ by less than 1e-12 of the best are equal; moves with equal chances come
        in the order of `SoloSolution.rank`. Empty where a roll is to come.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        return self.targets.rank(position, self.points)


class Places:
    """Where in the table the chance for a state and a number of points needed stands.

    Each state has places for 0 points needed, where the chance is 1, up to one more than the most
    that it can bring, where it is 0.
    """

    def __init__(self, states: States) -> None:
        """Lay out the table for *states*."""
        self._states = states
        self.maximum: Integers = states.maximum[states.open] + states.bonus * (states.upper >= 0)
        """(states,): the most that each state can still bring."""
        sizes = self.maximum + 2
        self.first: Integers = np.cumsum(sizes) - sizes
        """(states,): the place for 0 points needed."""
        self._count = int(sizes.sum())

    def __len__(self) -> int:
        """Return the number of places."""
        return self._count

    def of(self, state: Integers | int, needed: Integers | int) -> Integers:
        """Return the places for those states and points needed."""
        needed = np.minimum(np.maximum(needed, 0), self.maximum[state] + 1)
        place: Integers = self.first[state] + needed
        return place

    def bring(self, chances: Floats, block: Integers, needed: Integers) -> Floats:
        """Return what each row brings, (rows, pairs): the chance after it, as `States.bring` does.

        A pair is a state, from *block*, and so many points *needed*.
        """
        after = self._states.successors(block)
        places = self.of(after.states, needed - after.points)
        return np.where(after.is_open, chances[places], -np.inf)


def solve_targets(solution: SoloSolution, *, compiled: bool | None = None) -> Targets:
    """Return the best chance of every total from every card: see `SoloSolution.target`."""
    states = solution.states
    places = Places(states)
    turn_values = column_values(states, len(places), compiled=compiled)
    chances = np.zeros(len(places))
    chances[places.first] = 1
    for start, end in pairwise(states.layers[1:]):
        for first in range(start, end, _STATES):
            states_ = np.arange(first, min(first + _STATES, end))
            maximum = places.maximum[states_]
            block = np.repeat(states_, maximum)
            needed = 1 + np.arange(len(block)) - np.repeat(np.cumsum(maximum) - maximum, maximum)
            for low in range(0, len(block), turn_values.width):
                part = slice(low, low + turn_values.width)
                rows = places.bring(chances, block[part], needed[part])
                chances[places.of(block[part], needed[part])] = turn_values(rows)
    return Targets(solution, chances)
