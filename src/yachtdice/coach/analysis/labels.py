"""Labels of decisions by their loss, and the kinds of mistakes."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from yachtdice.rules import Hold, Move
from yachtdice.solver.arrays.choice import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence


class Label(Enum):
    """How bad a decision was; the value is a stable key."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_wrong(self) -> bool:
        """Whether the decision is worth talking about."""
        return self not in {Label.BEST, Label.FINE}


THRESHOLDS: tuple[tuple[float, Label], ...] = (
    (4.0, Label.BLUNDER),
    (1.5, Label.MISTAKE),
    (0.5, Label.INACCURACY),
    (0.0, Label.FINE),
)
"""The loss in points from which on a decision bears a label, the worst first.

For scale: under the traditional rules a turn of perfect play brings 14 points, and the computer's
levels `skilled`, `casual` and `novice` give away 1.2, 2.6 and 4.5 of them.
"""


class Kind(Enum):
    """What was wrong with a decision; the value is a stable key."""

    KEPT_WRONG = "kept_wrong"
    """Other dice should have been kept."""
    STOPPED_EARLY = "stopped_early"
    """Rolling on was better than scoring."""
    ROLLED_ON = "rolled_on"
    """Scoring was better than rolling on."""
    WRONG_BOX = "wrong_box"
    """Another box should have been filled."""


def label_of(loss: float) -> Label:
    """Return the label of a decision that gave away *loss* points."""
    if loss <= TOLERANCE:
        return Label.BEST
    return next(label for minimum, label in THRESHOLDS if loss >= minimum)


def kind_of(move: Move, best: Sequence[Move]) -> Kind:
    """Return what was wrong with *move*, none of the equally good *best* ones."""
    holds = isinstance(move, Hold)
    # Where a hold and a box are equally good, to roll or to stop was not the fault.
    if any(isinstance(other, Hold) is holds for other in best):
        return Kind.KEPT_WRONG if holds else Kind.WRONG_BOX
    return Kind.ROLLED_ON if holds else Kind.STOPPED_EARLY
