"""Which of the computer's levels gives away about as much."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from yachtdice.bots import LEVELS, bot_expected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import RuleSet

_KNOWN: dict[str, dict[str, float]] = {
    # traditional
    "4e0a72128a74f1b1": {
        "novice": 112.58399396621871,
        "casual": 135.94170244554581,
        "skilled": 153.1253420228916,
        "perfect": 166.95506770457226,
    },
    # all-dice
    "5231cdd2fbe2ee04": {
        "novice": 115.35910237985671,
        "casual": 138.93584440505103,
        "skilled": 156.0585365383893,
        "perfect": 169.773889052638,
    },
    # console
    "e6843c5e29ef76c0": {
        "novice": 139.05877308138963,
        "casual": 163.8900877145353,
        "skilled": 180.71095988641952,
        "perfect": 191.7743691883415,
    },
    # knizia
    "c15fb633e595e474": {
        "novice": 115.39008255089551,
        "casual": 138.96262791983355,
        "skilled": 156.08305066213097,
        "perfect": 169.7987054989399,
    },
}
"""The expected totals of the levels for the rule sets that come with the package.

By the first 16 digits of their fingerprint. `bot_expected` computes them anew, which takes seconds,
with an upper bonus minutes; a test holds the two together.
"""


def known_levels(rules: RuleSet) -> Mapping[str, float] | None:
    """Return the expected total of each level under *rules*, at once; None for house rules."""
    return _KNOWN.get(rules.fingerprint[:16])


@lru_cache(maxsize=8)
def compute_levels(rules: RuleSet) -> Mapping[str, float]:
    """Return the expected total of each level: takes seconds, with an upper bonus minutes."""
    return {level: bot_expected(level, rules) for level in LEVELS}


def loss_per_turn(levels: Mapping[str, float], rules: RuleSet) -> dict[str, float]:
    """Return what each level gives away in a turn on average."""
    best = max(levels.values())
    return {level: (best - total) / len(rules.categories) for level, total in levels.items()}


def like_level(loss: float, levels: Mapping[str, float], rules: RuleSet) -> str:
    """Return the level whose loss in a turn is nearest to *loss*."""
    losses = loss_per_turn(levels, rules)
    return min(losses, key=lambda level: abs(losses[level] - loss))
