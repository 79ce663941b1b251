"""Optimal solitaire play: the expected total of every position, maximised."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from yachtdice.rules import DICE, Category
from yachtdice.solver.arrays.choice import Choice, rank_moves
from yachtdice.solver.arrays.lattice import Floats, Integers, keep_index, roll_index
from yachtdice.solver.arrays.policy import PERFECT, TurnPolicy, best_keeps
from yachtdice.solver.arrays.states import States
from yachtdice.solver.arrays.turn import solve_states, study
from yachtdice.solver.asking import Policy, evaluate_policy
from yachtdice.solver.distribution import Distribution
from yachtdice.solver.errors import ValueTableError
from yachtdice.solver.exact import ExactSolution, solve_exactly
from yachtdice.solver.forward import final_totals
from yachtdice.solver.simulation import Decisions
from yachtdice.solver.tables import load_table, save_table
from yachtdice.solver.target import Targets, TargetSolution, solve_targets

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from yachtdice.rules import Position, RuleSet

_KIND = "solo"
_TOTALS = "totals"
_TURNS_KEPT = 256


@dataclass(frozen=True, eq=False)
class Turn:
    """One turn from one card, as arrays. Values are points still to come, a bonus included.

    Rolls and keeps are numbered as in `yachtdice.solver.arrays.lattice`.
    """

    categories: tuple[Category, ...]
    """The categories in the order of `Category.index`, which numbers the boxes below."""
    value: float
    """What the turn and all later ones are worth before the first roll."""
    scores: Floats
    """(boxes, 252): what scoring a roll in a box brings, later turns included; -inf if not open."""
    keeps: Floats
    """(rolls, 462): what holding a keep is worth with r rolls left, for r = 0, 1, ...

    Rows 210 to 461 are scoring at once. For r = 0 the others are -inf.
    """
    rolls: Floats
    """(rolls, 252): what a roll is worth with r rolls left when the best is made of it."""
    best_keep: Integers
    """(rolls, 252): the best keep of each roll with r rolls left; 210 and more is to score."""
    best_box: Integers
    """(252,): the best box for each roll."""


class SoloSolution:
    """Perfect solitaire play under one rule set. Only the card of the seat to move is looked at.

    >>> from yachtdice import TRADITIONAL, Position, parse_dice
    >>> solution = solve(TRADITIONAL)
    >>> round(solution.expected, 9)
    166.955067705
    >>> position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    >>> best = solution.rank(position)[0]
    >>> best.move, round(best.value, 3)
    (Hold(kept=Dice([4, 4])), 164.716)
    """

    def __init__(self, states: States, values: Floats) -> None:
        """Take the *values* of all *states*, as `solve` computes them."""
        self.states = states
        self.values = values
        """(states,): points still to come from each state, numbered as in `states`."""
        self.values.flags.writeable = False
        self._turns: dict[int, Turn] = {}

    @property
    def rules(self) -> RuleSet:
        """The rule set that is solved."""
        return self.states.rules

    @property
    def expected(self) -> float:
        """The expected total of a game."""
        return float(self.values[self.states.start])

    def value(self, position: Position) -> float:
        """Return the expected final total of the card of the seat to move, from *position* on.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        state = self.states.of(position)
        points = position.card.total
        if position.is_over:
            return float(points)
        if position.is_turn_start:
            return points + float(self.values[state])
        turn = self._turn(state)
        if len(position.dice) == DICE:
            return points + float(turn.rolls[position.rolls_left, roll_index(position.dice)])
        return points + float(turn.keeps[position.rolls_left, keep_index(position.dice)])

    def rank(self, position: Position) -> list[Choice]:
        """Return every legal move with its value and loss, best first; none if a roll is to come.

        Values are expected final totals. Moves within 1e-9 are equal: they share a place, and come
        in an order that does not depend on rounding: boxes before holds, boxes in the order of
        `Category.index`, more dice held before fewer, and high dice before low ones.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        state = self.states.of(position)
        if len(position.dice) < DICE:
            return []
        turn = self._turn(state)
        roll, left = roll_index(position.dice), position.rolls_left
        keeps = turn.keeps[left] if left else None
        return rank_moves(turn.categories, turn.scores[:, roll], keeps, roll, position.card.total)

    def turn(self, mask: int, upper: int = 0) -> Turn:
        """Return the turn with the boxes of *mask* used and *upper* points in the upper ones.

        *upper* does not matter where the rule set has no bonus.

        Raises:
            ValueError: If no such card can come about.
        """
        if mask & ~self.rules.mask or mask == self.rules.mask:
            raise ValueError(f"no turn with used boxes {mask:#x}")
        return self._turn(self.states.number(self.rules.mask & ~mask, upper))

    def distribution(
        self, position: Position | None = None, policy: TurnPolicy = PERFECT
    ) -> Distribution:
        """Return the distribution of the final total from *position* on, or of a whole game.

        It is exact, not simulated. The mean under perfect play is `value(position)`.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        if position is None and policy is PERFECT:
            return self._totals
        return final_totals(self.states, self.values, policy, position)

    @cached_property
    def _totals(self) -> Distribution:
        return final_totals(self.states, self.values, PERFECT)

    @property
    def sd(self) -> float:
        """The standard deviation of the total of a game."""
        return self.distribution().sd

    def evaluate(self, policy: TurnPolicy | Policy) -> Distribution:
        """Return the distribution of the totals of games played by *policy*; its mean is exact.

        A `TurnPolicy`, which works on arrays, takes about a second without an upper bonus. Any
        other callable is handed a solo `Position` and returns a move, or a mapping of moves to
        chances. It is asked about every roll of every card that it can come to, up to three
        million times under the published rules, once each; the card that it is shown has the
        lowest points that such a card can have, so it may depend on the open boxes and, where there
        is a bonus, on the upper total, but not on other points.

        Raises:
            IllegalMoveError: If the policy makes a move that is not legal.
            ValueError: If its chances do not add up to 1.
        """
        if isinstance(policy, TurnPolicy):
            return self.distribution(policy=policy)
        return evaluate_policy(self.rules, policy)

    @cached_property
    def decisions(self) -> Decisions | None:
        """What perfect play does with each roll of each card, for simulations.

        None if a table of that would be too large, as only odd house rules make it.
        """
        return Decisions.of(self, PERFECT)

    @cached_property
    def targets(self) -> Targets:
        """The best chance of every total, computed on first use, in seconds."""
        return solve_targets(self)

    def target(self, points: int) -> TargetSolution:
        """Return play for the best chance of a total of at least so many *points*."""
        return self.targets.at(points)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the values to a file, at once or not at all.

        Raises:
            OSError: If the file cannot be written.
        """
        save_table(path, _KIND, self.rules, self.values)

    @classmethod
    def load(cls, path: str | os.PathLike[str], rules: RuleSet) -> SoloSolution:
        """Return the solution of *rules* that `save` wrote.

        Raises:
            ValueTableError: If the file cannot be read, is damaged, or holds anything else.
        """
        states = States(rules)
        return cls(states, load_table(path, _KIND, rules, len(states)))

    def forget(self) -> None:
        """Drop the cached turns."""
        self._turns.clear()

    def _turn(self, state: int) -> Turn:
        turn = self._turns.get(state)
        if turn is None:
            if len(self._turns) >= _TURNS_KEPT:
                self.forget()
            turn = self._turns[state] = self._study(state)
        return turn

    def _study(self, state: int) -> Turn:
        turns = study(self.states, self.values, np.array([state]))
        keeps = [best_keeps(turns, left)[:, 0] for left in range(self.rules.rolls)]
        return Turn(
            tuple(box.category for box in self.states.boxes),
            float(self.values[state]),
            turns.scores[..., 0],
            turns.keeps[..., 0],
            turns.rolls[..., 0],
            np.stack(keeps),
            turns.best_boxes[:, 0],
        )


@overload
def solve(
    rules: RuleSet, *, exact: Literal[False] = False, compiled: bool | None = None
) -> SoloSolution: ...
@overload
def solve(rules: RuleSet, *, exact: Literal[True]) -> ExactSolution: ...
def solve(
    rules: RuleSet, *, exact: bool = False, compiled: bool | None = None
) -> SoloSolution | ExactSolution:
    """Return perfect play under *rules*, computed from the last turn back to the first.

    *exact* asks for rational arithmetic: fractions instead of float64, and only the values of
    cards. *compiled* asks for Numba, or against it; see `turn.column_values` for what it is worth.

    Raises:
        ImportError: If Numba is asked for and is not installed.
    """
    if exact:
        return solve_exactly(rules)
    states = States(rules)
    return SoloSolution(states, solve_states(states, compiled=compiled))


def solo_path(rules: RuleSet, folder: str | os.PathLike[str]) -> Path:
    """Return where `cached_solution` keeps the values of *rules* in *folder*."""
    return Path(folder) / f"solo-{rules.fingerprint[:16]}.table"


def cached_solution(rules: RuleSet, folder: str | os.PathLike[str]) -> SoloSolution:
    """Return the solution of *rules* from a file in *folder*, or compute it and put it there.

    A file that is not what it should be is replaced. A folder that cannot be read or written costs
    only the time to solve.
    """
    path = solo_path(rules, folder)
    try:
        return SoloSolution.load(path, rules)
    except ValueTableError:
        solution = solve(rules)
    _keep(path, _KIND, rules, solution.values)
    return solution


def cached_totals(
    solution: SoloSolution,
    folder: str | os.PathLike[str],
    progress: Callable[[int], object] | None = None,
) -> Distribution:
    """Return the distribution of the totals of perfect play, as `distribution` does of a game.

    It comes from a file in *folder*, or is computed and put there, by the rules of
    `cached_solution`: with an upper bonus that takes some seconds. *progress* is called with the
    number of states passed through since the last call, at most all of `solution.states`.
    """
    states, rules = solution.states, solution.rules
    path = Path(folder) / f"totals-{rules.fingerprint[:16]}.table"
    count = 1 + int(states.maximum[rules.mask]) + states.bonus
    try:
        return Distribution(0, load_table(path, _TOTALS, rules, count)).trimmed()
    except ValueTableError:
        totals = final_totals(states, solution.values, PERFECT, progress=progress)
    chances = np.zeros(count)
    chances[totals.minimum : totals.maximum + 1] = totals.probabilities
    _keep(path, _TOTALS, rules, chances)
    return totals


def _keep(path: Path, kind: str, rules: RuleSet, values: Floats) -> None:
    """Write a table if possible; if not, it is computed again next time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_table(path, kind, rules, values)
