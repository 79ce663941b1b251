"""What the compiled kernel does in which order: its steps, rows and lists, as plain data.

Numba keeps what it has compiled as long as `kernel.py` stays the same: after a change here, touch
that file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from yachtdice.solver.arrays.lattice import (
    DOWN,
    FIRST_ROLL,
    KEEP_COUNT,
    ROLL_COUNT,
    ROLL_PROBABILITIES,
    ROLLS,
    UP,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Step: TypeAlias = tuple[int, list[int]]
"""A row that is computed, and the rows that it is computed from."""

MEANS: list[Step] = [(row, UP[row].tolist()) for row in range(FIRST_ROLL - 1, -1, -1)]
"""First half of a reroll: a keep is worth the mean over the die added to it."""

_down = [sorted(set(row)) for rows in DOWN for row in rows.tolist()]
MAXIMA: list[Step] = [(row, [row, *_down[row]]) for row in range(1, KEEP_COUNT)]
"""Second half: dice are worth the most that they, or all but one of them, are worth."""

WAYS = np.rint(ROLL_PROBABILITIES * 7776).astype(np.int64)
"""(252,): how many orders of five dice make each roll: seven different numbers, 7,776 in all."""
BY_WAYS = np.argsort(WAYS, kind="stable")
"""(252,): the rolls with few orders first."""
SIXES = ROLL_COUNT // 6
"""How many sixes of rolls there are: each number of ways belongs to a whole number of them."""

# Rows of the keeps that serve to score, before the keeps are worth anything.
FACES = 0
"""From here on: what the box of each face is worth with 0 to 5 dice that show it, six to a face."""
HALVES = FACES + 36
"""The best of two and of three faces."""
OTHERS = HALVES + 2 * (21 + 56)
"""What the other boxes pay together."""


def _score_steps() -> tuple[list[Step], list[int]]:
    steps: list[Step] = []
    halves: list[dict[tuple[int, ...], int]] = []
    row = HALVES
    for start in (0, 3):
        rows: dict[tuple[int, ...], int] = {(n,): FACES + 6 * start + n for n in range(6)}
        for face in (start + 1, start + 2):
            longer: dict[tuple[int, ...], int] = {}
            for parts, source in rows.items():
                for n in range(6 - sum(parts)):
                    steps.append((row, [source, FACES + 6 * face + n]))
                    longer[*parts, n] = row
                    row += 1
            rows = longer
        halves.append(rows)
    assert row == OTHERS
    order = sorted(range(ROLL_COUNT), key=lambda roll: ROLLS[roll].counts)
    for roll in order:
        counts = ROLLS[roll].counts
        steps.append((FIRST_ROLL + roll, [halves[0][counts[:3]], halves[1][counts[3:]]]))
    return steps, order


SCORES, _order = _score_steps()
"""Rows that are the larger of two: the low faces, the high ones, and at last the 252 rolls."""
SCORE_ORDER = np.array(_order)
"""(252,): the order in which the rolls come."""

WITH_COUNT = np.array(
    [[[dice.counts[face] for dice in ROLLS].index(n) for n in range(6)] for face in range(6)]
)
"""(6, 6): a roll in which so many dice show each face."""


def next_uses(steps: Sequence[Step]) -> list[dict[int, int]]:
    """Return after each step when each row is read next, if it is not written first."""
    needed: dict[int, int] = {}
    uses = []
    for time in range(len(steps) - 1, -1, -1):
        uses.append(dict(needed))
        row, sources = steps[time]
        needed.pop(row, None)
        needed.update(dict.fromkeys(sources, time))
    return uses[::-1]
