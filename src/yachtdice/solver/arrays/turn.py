"""One turn from many states at once: from what the boxes are worth to what everything is worth.

The values here are expectations of points *still to come*, an upper bonus included, as float64. The
last axis is always the states, a slice of one layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    KEEP_COUNT,
    ROLL_COUNT,
    ROLL_PROBABILITIES,
    Floats,
    Integers,
    best,
    expect,
)

if TYPE_CHECKING:
    from yachtdice.solver.arrays.states import States

WIDTH = 256
"""How many columns are worked on together: as many as the second-level cache holds."""

_MANY = 1_000_000


class Leaves:
    """What rolls are worth in their best boxes, from what the rows (see `States`) bring.

    More points in a box are never worth less, with a bonus too: who has more can play as if he had
    not. So every roll is worth at least the best of the boxes when each pays its least, and only
    rolls that pay more than that are looked at one by one.
    """

    def __init__(self, states: States) -> None:
        """Prepare for the boxes of *states*."""
        self._minimum = states.box_rows[:-1]
        self._plan: list[tuple[Integers | None, Integers]] = []
        for box, rows in zip(states.boxes, states.roll_rows, strict=True):
            rolls = np.flatnonzero(box.which)
            # Where most rolls pay, going through all of them spares the detour over their numbers.
            dense = len(rolls) > ROLL_COUNT // 2
            self._plan.append((None, rows) if dense else (rolls, rows[rolls]))

    def __call__(self, rows: NDArray[Any], out: NDArray[Any], scratch: NDArray[Any]) -> None:
        """Put what rolls are worth into *out*, (252, width); *scratch* is as large."""
        out[:] = rows[self._minimum].max(axis=0)
        for rolls, which in self._plan:
            part = scratch[: len(which)]
            np.take(rows, which, axis=0, out=part, mode="clip")
            if rolls is None:
                np.maximum(out, part, out=out)
            else:
                out[rolls] = np.maximum(out[rolls], part)


class TurnValues:
    """What turns are worth, from what the rows bring: for many columns at once."""

    width = WIDTH
    """How many columns it is best to give it at a time."""

    def __init__(self, states: States) -> None:
        """Prepare for turns of the rules of *states*."""
        self._rerolls = states.rules.rolls - 1
        self._leaves = Leaves(states)
        self._table = np.empty(KEEP_COUNT * WIDTH)
        self._scratch = np.empty(ROLL_COUNT * WIDTH)

    def __call__(self, rows: Floats) -> Floats:
        """Return what a turn is worth, (width,), where the *rows*, (rows, width), bring so much."""
        width = rows.shape[1]
        values = np.empty(width)
        for low in range(0, width, WIDTH):
            values[low : low + WIDTH] = self._block(rows[:, low : low + WIDTH])
        return values

    def _block(self, rows: Floats) -> Floats:
        width = rows.shape[1]
        table = self._table[: KEEP_COUNT * width].reshape(KEEP_COUNT, width)
        scratch = self._scratch[: ROLL_COUNT * width].reshape(ROLL_COUNT, width)
        self._leaves(rows, table[FIRST_ROLL:], scratch)
        for _ in range(self._rerolls):
            expect(table, scratch)
            best(table, scratch)
        value: Floats = ROLL_PROBABILITIES @ table[FIRST_ROLL:]
        return value


class ColumnValues(Protocol):
    """What `TurnValues` and its compiled twin do."""

    width: int
    """How many columns it is best to give it at a time."""

    def __call__(self, rows: Floats) -> Floats:
        """Return what a turn is worth, (width,), where the *rows*, (rows, width), bring so much."""
        ...


def column_values(states: States, columns: int, *, compiled: bool | None = None) -> ColumnValues:
    """Return what works out so many *columns* of turns: *compiled* by Numba, or in NumPy.

    Numba is six to ten times faster at it, but importing it takes as long as NumPy takes for
    100,000 columns; compiling, once on each machine, takes twice that. By default it is used from a
    million columns on, where it can be imported.

    Raises:
        ImportError: If Numba is asked for and is not installed.
    """
    if compiled is None:
        try:
            return column_values(states, 0, compiled=columns >= _MANY)
        except (ImportError, RuntimeError):
            # Numba raises the latter where it finds no folder to keep what it has compiled.
            compiled = False
    if not compiled:
        return TurnValues(states)
    from yachtdice.solver.arrays.kernel import CompiledTurnValues  # noqa: PLC0415 - see above

    return CompiledTurnValues(states)


def solve_states(states: States, *, compiled: bool | None = None) -> Floats:
    """Return the value of every state, in the order of their numbers."""
    turn_values = column_values(states, len(states), compiled=compiled)
    values = np.zeros(len(states))
    for start, end in pairwise(states.layers[1:]):
        for low in range(start, end, turn_values.width):
            block = np.arange(low, min(low + turn_values.width, end))
            values[block] = turn_values(states.bring(values, block))
    return values


@dataclass(frozen=True, eq=False)
class Turns:
    """Everything about the turn from each of some states of one layer; see the module for units."""

    states: States
    block: Integers
    """(width,): the numbers of the states."""
    scores: Floats
    """(boxes, 252, width): what scoring a roll in a box brings; -inf where the box is not open."""
    keeps: Floats
    """(rolls, 462, width): what dice are worth if held with r rolls left, for r = 0, 1, ...

    Rows 210 to 461 are the rolls themselves: what scoring them at once brings. The others are
    -inf for r = 0.
    """
    rolls: Floats
    """(rolls, 252, width): what a roll is worth, with r rolls left, when the best is made of it."""
    values: Floats
    """(width,): what the states are worth."""

    @cached_property
    def best_boxes(self) -> Integers:
        """(252, width): the best box for each roll; of equal ones that with the lowest index."""
        enough = self.scores >= self.rolls[0] - TOLERANCE
        found: Integers = enough.argmax(axis=0)
        return found


def study(states: States, values: Floats, block: Integers) -> Turns:
    """Return the turns from the states whose numbers are *block*, all of one layer."""
    return study_rows(states, states.bring(values, block), block)


def study_rows(states: States, rows: Floats, block: Integers) -> Turns:
    """Return the turns of the states *block* if what they bring is *rows*, (rows, width)."""
    width = len(block)
    scores = rows[states.roll_rows]
    keeps = np.full((states.rules.rolls, KEEP_COUNT, width), -np.inf)
    keeps[:, FIRST_ROLL:] = scores.max(axis=0)
    rolls = np.empty((states.rules.rolls, ROLL_COUNT, width))
    rolls[0] = keeps[0, FIRST_ROLL:]
    table = np.empty((KEEP_COUNT, width))
    for left in range(1, states.rules.rolls):
        table[FIRST_ROLL:] = rolls[left - 1]
        expect(table)
        keeps[left, :FIRST_ROLL] = table[:FIRST_ROLL]
        table[FIRST_ROLL:] = keeps[left, FIRST_ROLL:]
        best(table)
        rolls[left] = table[FIRST_ROLL:]
    return Turns(states, block, scores, keeps, rolls, ROLL_PROBABILITIES @ rolls[-1])
