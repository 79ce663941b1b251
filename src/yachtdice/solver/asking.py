"""The distribution of totals of any policy, by asking it about every roll it can meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from yachtdice.rules import CATEGORIES, Dice, Hold, Move, Position, Scorecard
from yachtdice.solver.distribution import Distribution

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet
    from yachtdice.solver.arrays.lattice import Floats

Policy: TypeAlias = Callable[[Position], Move | Mapping[Move, float]]
"""What is done in a position of solitaire play: a move, or moves with their chances."""

_SLACK = 1e-9


def evaluate_policy(rules: RuleSet, policy: Policy) -> Distribution:
    """Return the distribution of the totals of solitaire games played by *policy*.

    Called by `SoloSolution.evaluate`.

    Raises:
        IllegalMoveError: If the policy makes a move that is not legal.
        ValueError: If its chances do not add up to 1.
    """
    bonus = rules.upper_bonus
    width = 1 + sum(rules.possible_points(category)[-1] for category in rules.scorers)
    width += bonus.points if bonus else 0
    row = np.zeros(width)
    row[0] = 1
    # Cards with the same boxes used and the same upper total, up to the threshold, have one future.
    layer = {(0, 0): (Scorecard(rules), row)}
    for _ in rules.scorers:
        after: dict[tuple[int, int], tuple[Scorecard, Floats]] = {}
        for card, row in layer.values():
            for (box, points), chance in _turn(card, policy).items():
                filled = card.fill(CATEGORIES[box], points)
                state = filled.mask, min(filled.upper, bonus.threshold) if bonus else 0
                shown, target = after.get(state, (filled, np.zeros(width)))
                after[state] = min(shown, filled, key=_points), target
                gain = filled.total - card.total
                target[gain:] += chance * row[: width - gain]
        layer = after
    return Distribution(0, np.sum([row for _, row in layer.values()], axis=0)).trimmed()


def _points(card: Scorecard) -> tuple[int, ...]:
    return tuple(points or 0 for points in card.points)


def _turn(card: Scorecard, policy: Policy) -> dict[tuple[int, int], float]:
    """Return how a turn with that card ends: a box's index and its points, with their chance."""
    start = Position(card.rules, (card,), 0, Dice(), card.rules.rolls)
    ends: dict[tuple[int, int], float] = {}
    to_roll = {start: 1.0}
    while to_roll:
        rolled: dict[Position, float] = {}
        for position, chance in to_roll.items():
            for dice, probability in position.outcomes():
                after = position.roll(dice)
                rolled[after] = rolled.get(after, 0.0) + chance * float(probability)
        to_roll = {}
        for position, chance in rolled.items():
            for move, share in _chances(policy(position)).items():
                after = position.play(move)
                if isinstance(move, Hold):
                    to_roll[after] = to_roll.get(after, 0.0) + chance * share
                else:
                    points = after.card[move.category]
                    assert points is not None  # the move has filled it
                    end = move.category.index, points
                    ends[end] = ends.get(end, 0.0) + chance * share
    return ends


def _chances(decision: Move | Mapping[Move, float]) -> Mapping[Move, float]:
    if not isinstance(decision, Mapping):
        return {decision: 1.0}
    if abs(sum(decision.values()) - 1) > _SLACK or min(decision.values()) < 0:
        raise ValueError(f"the chances of {dict(decision)} do not add up to 1")
    return decision
