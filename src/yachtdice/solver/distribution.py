"""The distribution of a final total."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from yachtdice.solver.arrays.lattice import Floats


@dataclass(frozen=True, eq=False)
class Distribution:
    """How likely each final total is, computed and not simulated.

    >>> coin = Distribution(10, np.array([0.5, 0.0, 0.5]))
    >>> coin.mean, coin.sd, coin.total(12), coin.at_least(11), coin.below(12), coin.quantile(0.6)
    (11.0, 1.0, 0.5, 0.5, 0.5, 12)
    """

    minimum: int
    """The total to which the first of `probabilities` belongs."""
    probabilities: Floats
    """(totals,) float64: the probability of each total from `minimum` on."""

    @property
    def maximum(self) -> int:
        """The total to which the last of `probabilities` belongs."""
        return self.minimum + len(self.probabilities) - 1

    def total(self, points: int) -> float:
        """Return the chance of a total of exactly so many *points*."""
        if not self.minimum <= points <= self.maximum:
            return 0.0
        return float(self.probabilities[points - self.minimum])

    def at_least(self, points: int) -> float:
        """Return the chance of a total of so many *points* or more."""
        return float(self.probabilities[max(points - self.minimum, 0) :].sum())

    def below(self, points: int) -> float:
        """Return the chance of a total of fewer *points*: the share of games that these beat."""
        return float(self.probabilities[: max(points - self.minimum, 0)].sum())

    @cached_property
    def mean(self) -> float:
        """The expected total."""
        return self.minimum + float(self.probabilities @ np.arange(len(self.probabilities)))

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the total."""
        off = np.arange(len(self.probabilities)) - (self.mean - self.minimum)
        return float(np.sqrt(self.probabilities @ off**2))

    def quantile(self, q: float) -> int:
        """Return the lowest total that is reached or missed with a chance of at least *q*.

        Raises:
            ValueError: If *q* is not between 0 and 1.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"{q} is not between 0 and 1")
        # Sums that should be equal to q may be short of it by rounding.
        below = np.cumsum(self.probabilities) >= q - 1e-12
        return self.minimum + int(below.argmax() if below.any() else len(below) - 1)

    def trimmed(self) -> Distribution:
        """Return the same without the impossible totals at both ends."""
        possible = np.flatnonzero(self.probabilities)
        if not len(possible):
            return self
        first, last = int(possible[0]), int(possible[-1])
        return Distribution(self.minimum + first, self.probabilities[first : last + 1])
