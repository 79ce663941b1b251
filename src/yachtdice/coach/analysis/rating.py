"""The bot level whose losses are closest to a player's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.bots import FOR_POINTS, bot_expected
from yachtdice.solutions import Solutions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import RuleSet


def compute_levels(rules: RuleSet, solutions: Solutions | None = None) -> Mapping[str, float]:
    """Return the expected total of each level that plays for points.

    Takes seconds, with an upper bonus minutes; *solutions* keep what they find.
    """
    solutions = solutions or Solutions()
    return {level: bot_expected(level, rules, solutions) for level in FOR_POINTS}


def loss_per_turn(levels: Mapping[str, float], rules: RuleSet) -> dict[str, float]:
    """Return what each level gives away in a turn on average."""
    best = max(levels.values())
    return {level: (best - total) / len(rules.categories) for level, total in levels.items()}


def like_level(loss: float, levels: Mapping[str, float], rules: RuleSet) -> str:
    """Return the level whose loss in a turn is nearest to *loss*."""
    losses = loss_per_turn(levels, rules)
    return min(losses, key=lambda level: abs(losses[level] - loss))
