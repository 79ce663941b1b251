"""Dice for simulations: reproducible from a seed on every platform, one look-up a roll.

The dice are made of the raw output of PCG64, which NumPy never changes. Of each 64-bit number the
four 16-bit parts, lowest first, are taken in turn; a part below 62,208 = 8 x 7,776 is, divided by
8, one *throw*, five dice in order; others are passed over, so that every throw is equally likely. A
roll of fewer dice uses the last of the five.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE, FACES, KEEPS
from yachtdice.solver.arrays.lattice import FIRST_ROLL, KEEP_COUNT, ROLLS, Floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

THROWS = len(FACES) ** DICE
"""7,776: in how many orders five dice can fall."""

_FAIR = (1 << 16) // THROWS * THROWS
_SHARE = _FAIR // THROWS
_LEAST = 1 << 12


class Throws:
    """An endless row of throws that belongs to a seed."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin the row of *seed*, or one that nobody has seen before."""
        self._source = np.random.PCG64(seed)
        self._ready = np.zeros(0, np.uint16)

    def take(self, count: int) -> NDArray[np.uint16]:
        """Return the next *count* throws, each 0 to 7,775."""
        while len(self._ready) < count:
            raw = self._source.random_raw(max(count // 3, _LEAST))
            parts = raw.astype("<u8").view("<u2")
            fair = parts[parts < _FAIR] // np.uint16(_SHARE)
            self._ready = np.concatenate([self._ready, fair])
        taken, self._ready = self._ready[:count], self._ready[count:]
        return taken

    def chances(self, count: int) -> Floats:
        """Return *count* numbers from 0 up to, but not including, 1, for whatever is not dice."""
        raw = self._source.random_raw(count)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53


@cache
def rerolls() -> NDArray[np.uint8]:
    """Return (462, 7776): the roll that each keep becomes when the other dice show each throw."""
    throws = np.array(list(product(range(len(FACES)), repeat=DICE)))
    weights = len(FACES) ** np.arange(DICE)[::-1]
    numbers = {dice.faces: number for number, dice in enumerate(ROLLS)}
    rolls = np.array(
        [numbers[tuple(sorted(faces))] for faces in product(FACES, repeat=DICE)], np.uint8
    )
    table = np.empty((KEEP_COUNT, THROWS), np.uint8)
    for number, kept in enumerate(KEEPS[:FIRST_ROLL]):
        dice = throws.copy()
        dice[:, : len(kept)] = np.array(kept.faces, np.int64) - 1
        table[number] = rolls[dice @ weights]
    table[FIRST_ROLL:] = np.arange(len(ROLLS))[:, None]
    return table
