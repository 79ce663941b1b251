"""Simulate many games at once, roll by roll.

Nothing of the exact distribution is used: each game has its own dice, its own decisions and its own
card. Perfect play, and any other policy that always makes the same move, is looked up in a table of
decisions; a policy that draws its moves is asked about all states of a layer and takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    KEEP_COUNT,
    OPTION_STARTS,
    OPTIONS,
    ROLL_COUNT,
    Floats,
    Integers,
)
from yachtdice.solver.arrays.policy import PERFECT, Mixed, Pure, TurnPolicy
from yachtdice.solver.arrays.throws import THROWS, Throws, rerolls
from yachtdice.solver.arrays.turn import WIDTH, Turns, study

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.solver.arrays.states import States
    from yachtdice.solver.solo import SoloSolution

_AT_ONCE = 1 << 14
"""How many games are played together by a table: their arrays fit the second-level cache."""
_AT_ONCE_ASKING = 1 << 19
_LARGEST_TABLE = 500_000_000
"""In bytes; the table of the `console` rules has 120 million."""

_SPAN = 32
"""As many keeps as a roll can have."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """The totals of many simulated games."""

    counts: Integers
    """(totals,): how many games ended with 0, 1, 2, ... points."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.counts.sum())

    @cached_property
    def mean(self) -> float:
        """The average total."""
        return float(self.counts @ np.arange(len(self.counts)) / self.games)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the totals of these games, of which there must be two."""
        off = np.arange(len(self.counts)) - self.mean
        return float(np.sqrt(self.counts @ off**2 / (self.games - 1)))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.sd / float(np.sqrt(self.games))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the limits between which the true average lies with that *confidence*."""
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error
        return self.mean - reach, self.mean + reach


def simulate(
    solution: SoloSolution,
    games: int,
    *,
    seed: int | None = None,
    policy: TurnPolicy = PERFECT,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Simulate *games* played by *policy* and return their totals.

    The same *seed*, policy and number of games mean the same dice and decisions everywhere.
    *progress* is called with the number of games played since the last call.

    Raises:
        ValueError: If there is not at least one game.
    """
    if games < 1:
        raise ValueError(f"{games} games cannot be played")
    states = solution.states
    throws = Throws(seed)
    maximum = int(states.maximum[solution.rules.mask]) + states.bonus
    counts = np.zeros(maximum + 1, np.int64)
    table = solution.decisions if policy is PERFECT else Decisions.of(solution, policy)
    at_once = _AT_ONCE if table else _AT_ONCE_ASKING
    for done in range(0, games, at_once):
        count = min(at_once, games - done)
        if table:
            totals = _play_by_table(states, table, count, throws)
        else:
            totals = _play_asking(solution, policy, count, throws)
        counts += np.bincount(totals, minlength=len(counts))
        if progress:
            progress(count)
    return Simulation(counts)


@dataclass(frozen=True, eq=False)
class Decisions:
    """What a policy does with each roll in each state, as a table of bytes."""

    keeps: NDArray[np.uint8]
    """(rolls, states x 252): with r rolls left, which of the keeps in `lattice.OPTIONS`.

    0 is the roll itself. Nothing is held with r = 0.
    """
    boxes: NDArray[np.uint8]
    """(states x 252,): which box is scored."""

    @classmethod
    def of(cls, solution: SoloSolution, policy: TurnPolicy) -> Decisions | None:
        """Return the decisions of *policy*, or None if it does not always make the same move.

        None too if it scores with some rolls left what it would reroll with fewer, or if the table
        would be too large, as only odd house rules make it.
        """
        states, rolls = solution.states, solution.rules.rolls
        if len(states) * ROLL_COUNT * (rolls + 1) > _LARGEST_TABLE:
            return None
        keeps = np.zeros((rolls, len(states), ROLL_COUNT), np.uint8)
        boxes = np.zeros((len(states), ROLL_COUNT), np.uint8)
        place = np.zeros((ROLL_COUNT, KEEP_COUNT), np.uint8)
        place[OPTIONS[:, 0], OPTIONS[:, 1]] = np.arange(len(OPTIONS)) - OPTION_STARTS[OPTIONS[:, 0]]
        for start, end in pairwise(states.layers[1:]):
            for low in range(start, end, WIDTH):
                block = np.arange(low, min(low + WIDTH, end))
                turns = study(states, solution.values, block)
                for left in range(rolls):
                    decision = policy.choose(turns, left)
                    if not isinstance(decision, Pure):
                        return None
                    if left:
                        held = place[np.arange(ROLL_COUNT)[:, None], decision.keep]
                        keeps[left, block] = held.T
                    else:
                        boxes[block] = decision.box.T
        scored = keeps[1:] == 0
        if (scored[1:] & ~scored[:-1]).any():
            return None
        return cls(keeps.reshape(rolls, -1), boxes.ravel())


class _Cards:
    """The cards of the games that are played together."""

    def __init__(self, states: States, count: int) -> None:
        self._states = states
        self._open = np.full(count, states.rules.mask)
        self._upper = np.zeros(count, np.int64)
        self.totals = np.zeros(count, np.int64)
        self._bits = np.array([box.bit for box in states.boxes])
        self._is_upper = np.array([box.is_upper for box in states.boxes])
        self._points = np.concatenate([box.points for box in states.boxes])

    def numbers(self) -> Integers:
        """Return the state of each game."""
        return self._states.numbers(self._open, self._upper)

    def fill(self, boxes: Integers, rolls: Integers) -> None:
        """Score those rolls in those boxes."""
        points = self._points.take(boxes * ROLL_COUNT + rolls)
        self.totals += points
        self._open ^= self._bits.take(boxes)
        if self._states.bonus:
            before = self._upper
            self._upper = before + points * self._is_upper.take(boxes)
            threshold = self._states.threshold
            won = (before < threshold) & (self._upper >= threshold)
            self.totals += self._states.bonus * won


def _play_by_table(states: States, table: Decisions, count: int, throws: Throws) -> Integers:
    """Return the totals of *count* games."""
    # Where a keep's row of rerolls begins: for each roll and each of its at most 32 keeps.
    rows = np.zeros(ROLL_COUNT * _SPAN, np.int32)
    rolls, keeps = OPTIONS.T
    rows[rolls * _SPAN + np.arange(len(OPTIONS)) - OPTION_STARTS[rolls]] = keeps * THROWS
    after, last = rerolls().ravel(), len(table.keeps)
    cards = _Cards(states, count)
    for _ in states.boxes:
        base = cards.numbers() * ROLL_COUNT
        thrown = throws.take(last * count).reshape(last, count)
        # With nothing kept, row 0, a throw is a roll.
        roll = after.take(thrown[0])
        for left in range(last - 1, 0, -1):
            option = roll.astype(np.int16) * _SPAN
            option += table.keeps[left].take(base + roll)
            roll = after.take(rows.take(option) + thrown[last - left])
        cards.fill(table.boxes.take(base + roll).astype(np.int64), roll)
    return cards.totals


def _play_asking(
    solution: SoloSolution, policy: TurnPolicy, count: int, throws: Throws
) -> Integers:
    """Return the totals of *count* games in which moves are drawn."""
    states = solution.states
    cards = _Cards(states, count)
    for _ in states.boxes:
        numbers = cards.numbers()
        order = np.argsort(numbers, kind="stable")
        present, starts = np.unique(numbers[order], return_index=True)
        ends = np.append(starts[1:], count)
        boxes, rolls = np.empty((2, count), np.int64)
        for low in range(0, len(present), WIDTH):
            part = slice(low, low + WIDTH)
            games = order[starts[low] : ends[part][-1]]
            columns = np.repeat(np.arange(len(present[part])), ends[part] - starts[part])
            turns = study(states, solution.values, present[part])
            boxes[games], rolls[games] = _ask(turns, policy, columns, throws)
        cards.fill(boxes, rolls)
    return cards.totals


def _ask(
    turns: Turns, policy: TurnPolicy, columns: Integers, throws: Throws
) -> tuple[Integers, Integers]:
    """Return the box and the roll with which each game's turn ends.

    *columns* says to which of the *turns* each game belongs.
    """
    boxes = np.zeros(len(columns), np.int64)
    keeps = np.zeros(len(columns), np.int64)
    rolls = np.zeros(len(columns), np.int64)
    games = np.arange(len(columns))
    after = rerolls()
    for left in range(turns.states.rules.rolls - 1, -1, -1):
        rolls[games] = after[keeps[games], throws.take(len(games))]
        decision = policy.choose(turns, left)
        column, roll = columns[games], rolls[games]
        if isinstance(decision, Pure):
            boxes[games] = decision.box[roll, column]
            keeps[games] = decision.keep[roll, column]
        else:
            drawn = throws.chances(len(games))
            keeps[games], boxes[games] = _draw(decision, column, roll, drawn)
        if left:
            games = games[keeps[games] < FIRST_ROLL]
    return boxes, rolls


def _draw(
    decision: Mixed, column: Integers, roll: Integers, drawn: Floats
) -> tuple[Integers, Integers]:
    """Return for each game the keep, 210 or more if it scores, and the box, both drawn."""
    width = decision.holds.shape[1]
    sums = np.concatenate([np.zeros((1, width)), np.cumsum(decision.holds, axis=0)])
    low, high = OPTION_STARTS[roll], OPTION_STARTS[roll + 1]
    base, top = sums[low, column], sums[high, column]
    wanted = base + drawn
    holds = wanted < top
    # The first option whose sum is beyond what is wanted, by halving the at most 32 of them.
    option, beyond = low, high
    for _ in range(_SPAN.bit_length()):
        middle = (option + beyond) // 2
        is_low = sums[np.minimum(middle + 1, len(OPTIONS)), column] <= wanted
        option = np.where(is_low & (middle < beyond), middle + 1, option)
        beyond = np.where(is_low, beyond, middle)
    keep = np.where(holds, OPTIONS[np.minimum(option, len(OPTIONS) - 1), 1], FIRST_ROLL)
    scored = np.cumsum(decision.boxes[:, roll, column], axis=0)
    # Rounding must not lead beyond the last box that has a chance.
    left = np.minimum(drawn - (top - base), np.nextafter(scored[-1], 0))
    return keep, (scored > left).argmax(axis=0)
