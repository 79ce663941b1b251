"""The states of solitaire play: which boxes are open and, towards a bonus, the upper points.

States are numbered layer by layer, by the number of open boxes, so that a layer is a slice and
everything that its states lead to lies in the slice before it. Where a rule set has an upper bonus,
a set of open boxes has one state for each upper total that can come about and from which the bonus
can still be reached, and one *settled* state for all others: what is to come does not depend on the
upper total once the bonus is won, or out of reach. Without a bonus every state is settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from yachtdice.rules import CATEGORIES, UPPER_CATEGORIES, Category
from yachtdice.solver.arrays.lattice import ROLL_COUNT, ROLLS, Integers
from yachtdice.solver.errors import ValueTableError, ValueTableReason

if TYPE_CHECKING:
    from yachtdice.rules import Position, RuleSet

SETTLED = -1
"""Stands for the upper total of a settled state."""

_UPPER_MASK = (1 << len(UPPER_CATEGORIES)) - 1
_SETS = 1 << len(CATEGORIES)


@dataclass(frozen=True, eq=False)
class Box:
    """A category as the solver sees it: what it pays for each roll, and nothing else."""

    category: Category
    bit: int
    """Its bit in masks."""
    points: Integers
    """(252,): what each roll is worth in it."""
    pays: Integers
    """The distinct numbers of points, rising."""
    which: Integers
    """(252,): for each roll the index into `pays`."""
    is_upper: bool
    """Whether its points count towards a bonus."""


@dataclass(frozen=True, eq=False)
class Successors:
    """What filling boxes leads to from some states, each array (rows, width)."""

    is_open: NDArray[np.bool_]
    """Whether the row's box is open."""
    states: Integers
    """The state afterwards; 0 if the box is not open."""
    points: Integers
    """What is scored, with the bonus where it is won."""


class States:
    """All states of a rule set, numbered; see the module."""

    def __init__(self, rules: RuleSet) -> None:
        """Number the states of *rules*."""
        self.rules = rules
        self.boxes: tuple[Box, ...] = tuple(
            _box(rules, c) for c in CATEGORIES if c in rules.scorers
        )
        self._bits: Integers = np.array([box.bit for box in self.boxes])
        sizes = [len(box.pays) for box in self.boxes]
        self.row_box: Integers = np.repeat(np.arange(len(sizes)), sizes)
        """(rows,): the box of each row; a row is a box and a number of points that it can pay."""
        self.row_points: Integers = np.concatenate([box.pays for box in self.boxes])
        """(rows,): the points of each row; those of a box rise."""
        self.box_rows: Integers = np.cumsum([0, *sizes])
        """(boxes + 1,): the rows of box b are those from box_rows[b] to before box_rows[b + 1]."""
        self.roll_rows: Integers = np.array(
            [box.which + first for box, first in zip(self.boxes, self.box_rows, strict=False)]
        )
        """(boxes, 252): the row of each box to which each roll belongs."""
        uppers = [box.is_upper for box in self.boxes]
        self._upper_rows = np.flatnonzero(np.array(uppers)[self.row_box])
        bonus = rules.upper_bonus
        self.bonus: int = bonus.points if bonus else 0
        self.threshold: int = bonus.threshold if bonus else 0
        sets = range(_UPPER_MASK + 1)
        columns = [self._columns(open_) if bonus else [0] for open_ in sets]
        self._column: Integers = np.array(columns)
        """(64, threshold + 1): the place among the states of a set of open boxes; 0 is settled."""
        alive = [np.flatnonzero(np.greater(column, 0)) for column in columns]
        totals = [np.concatenate(([SETTLED], totals)) for totals in alive]
        subsets = np.arange(_SETS)
        subsets = subsets[subsets & ~rules.mask == 0]
        size = np.bitwise_count(subsets)
        order = np.argsort(size, kind="stable")
        subsets = subsets[order]
        counts = np.array([len(part) for part in totals])[subsets & _UPPER_MASK]
        starts = np.cumsum(counts) - counts
        self.first: Integers = np.full(_SETS, -1, np.int64)
        """(4096,): the number of the settled state of a set of *open* boxes; -1 for no such set."""
        self.first[subsets] = starts
        layers = np.searchsorted(size[order], np.arange(len(self.boxes) + 1))
        self.layers: tuple[int, ...] = (*starts[layers].tolist(), int(counts.sum()))
        """States with n open boxes are numbered from layers[n] to before layers[n + 1]."""
        self.open: Integers = np.repeat(subsets, counts)
        """The open boxes of each state as bits, numbered by `Category.index`."""
        self.upper: Integers = np.full(len(self.open), SETTLED)
        """The upper total of each state, -1 where it is settled."""
        if self.bonus:
            self.upper = np.concatenate([totals[mask & _UPPER_MASK] for mask in subsets.tolist()])

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.open)

    @property
    def start(self) -> int:
        """The state of the empty card."""
        return self.number(self.rules.mask, 0)

    @cached_property
    def maximum(self) -> Integers:
        """(4096,): the most that a set of open boxes can still bring, a bonus aside."""
        maximum = np.zeros(_SETS, np.int64)
        for box in self.boxes:
            maximum += np.where(np.arange(_SETS) & box.bit, box.pays[-1], 0)
        return maximum

    def number(self, open_: int, upper: int) -> int:
        """Return the state with those boxes *open_* and so many points in the upper ones.

        Raises:
            ValueError: If there are no such boxes, or the upper total cannot come about.
        """
        first = int(self.first[open_]) if 0 <= open_ < _SETS else -1
        column = int(self._column[open_ & _UPPER_MASK, min(upper, self.threshold)])
        if first < 0 or column < 0 or upper < 0:
            raise ValueError(f"no state with open boxes {open_:#x} and upper total {upper}")
        return first + column

    def numbers(self, open_: Integers, upper: Integers) -> Integers:
        """Return the states with those boxes *open_* and so many points in the upper ones."""
        first: Integers = self.first.take(open_)
        if not self.bonus:
            return first
        column: Integers = self._column[open_ & _UPPER_MASK, np.minimum(upper, self.threshold)]
        return first + column

    def of(self, position: Position) -> int:
        """Return the state of the card of the seat to move, as it is before the turn is scored.

        Raises:
            ValueTableError: If the position belongs to other rules.
        """
        card = position.card
        if card.rules is not self.rules and card.rules.fingerprint != self.rules.fingerprint:
            raise ValueTableError(ValueTableReason.OTHER_RULES, card.rules.key)
        return self.number(self.rules.mask & ~card.mask, card.upper if self.bonus else 0)

    def successors(self, block: Integers) -> Successors:
        """Return what filling each box with each number of points that it can pay leads to.

        *block* are numbers of states, width of them.
        """
        is_open, after_box = self._without(block)
        is_open, after = is_open[self.row_box], after_box[self.row_box]
        points = np.repeat(self.row_points[:, None], len(block), axis=1)
        if self.bonus:
            rows = self._upper_rows
            after[rows], points[rows] = self._towards_bonus(block)
        return Successors(is_open, np.where(is_open, after, 0), points)

    def bring(
        self, values: NDArray[Any], block: Integers, unit: int = 1, closed: float = -np.inf
    ) -> NDArray[Any]:
        """Return what each box brings: the points it pays, and the value of the state after it.

        *values* are those of all states of the layers below, in units of 1 / *unit* points. The
        result has the shape (rows, width). Where a box is not open it is *closed*, or that and some
        points: it has to be so low that they do not matter.
        """
        is_open, after_box = self._without(block)
        brought = np.where(is_open, values[after_box], closed)[self.row_box]
        brought += (self.row_points.astype(values.dtype) * unit)[:, None]
        if self.bonus:
            rows = self._upper_rows
            after, points = self._towards_bonus(block)
            upper = values[after] + points.astype(values.dtype) * unit
            brought[rows] = np.where(is_open[self.row_box[rows]], upper, closed)
        return brought

    def _without(self, block: Integers) -> tuple[NDArray[np.bool_], Integers]:
        """Return for each box whether it is open, and the state after it if it is no upper one."""
        open_ = self.open[block]
        is_open = open_ & self._bits[:, None] != 0
        after = np.where(is_open, self.first[open_ & ~self._bits[:, None]], 0)
        # Only the upper boxes change a state's place among those of a set of open boxes.
        return is_open, after + (block - self.first[open_]) if self.bonus else after

    def _towards_bonus(self, block: Integers) -> tuple[Integers, Integers]:
        """Return for each row of an upper box the state after it, and the points with the bonus."""
        boxes = self.row_box[self._upper_rows, None]
        rest = self.open[block] & ~self._bits[boxes]
        upper = self.upper[block]
        points = self.row_points[self._upper_rows, None]
        total = np.minimum(upper + points, self.threshold)
        column = np.where(upper < 0, 0, self._column[rest & _UPPER_MASK, total])
        won = (upper >= 0) & (total == self.threshold)
        return np.maximum(self.first[rest] + column, 0), points + self.bonus * won

    def _columns(self, open_: int) -> Integers:
        """Return the place of each upper total up to the threshold, with those upper boxes open.

        0 where nothing depends on the total any more, -1 where it cannot come about.
        """
        reached = np.zeros(self.threshold + 1, bool)
        reached[0] = True
        gain = 0
        for box in self.boxes:
            if not box.is_upper:
                continue
            if open_ & box.bit:
                gain += int(box.pays[-1])
                continue
            before, reached = reached, np.zeros_like(reached)
            for points in box.pays:
                kept = max(len(reached) - int(points), 0)
                reached[len(reached) - kept :] |= before[:kept]
                # Everything from the threshold on is one total.
                reached[-1] |= before[kept:].any()
        totals = np.arange(self.threshold + 1)
        alive = reached & (totals < self.threshold) & (totals + gain >= self.threshold)
        return np.where(reached, np.where(alive, np.cumsum(alive), 0), -1)


def _box(rules: RuleSet, category: Category) -> Box:
    points = np.array([rules.score(category, dice) for dice in ROLLS], np.int64)
    pays, which = np.unique(points, return_inverse=True)
    bit = 1 << category.index
    assert which.shape == (ROLL_COUNT,)
    return Box(category, bit, points, pays, which, category in UPPER_CATEGORIES)
