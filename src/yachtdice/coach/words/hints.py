"""Advice during play, for tables where everybody wants it and everybody can see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.coach.words.terms import advice_text, number
from yachtdice.i18n import category_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import Category, Dice, Hold, Move, Position, Score

if TYPE_CHECKING:
    from yachtdice.solver import SoloSolution


@dataclass(frozen=True, slots=True)
class Hint:
    """What is best now; values are expected final totals of the card to move."""

    expected: float
    """The expected final total, if the best is made of everything."""
    best: Move | None = None
    """None where the dice have to be rolled first."""
    keep: Dice | None = None
    """The dice to keep if one rolls on; None where one cannot."""
    keep_value: float | None = None
    box: Category | None = None
    """The box to fill if one scores now."""
    box_value: float | None = None


def hint(position: Position, solution: SoloSolution) -> Hint | None:
    """Return what is best in *position*; None where the game is over.

    Raises:
        ValueTableError: If *solution* belongs to other rules.
    """
    if position.is_over:
        return None
    choices = solution.rank(position)
    if not choices:
        return Hint(solution.value(position))
    keep = next((c for c in choices if isinstance(c.move, Hold)), None)
    box = next(c for c in choices if isinstance(c.move, Score))
    return Hint(
        expected=choices[0].value,
        best=choices[0].move,
        keep=keep.move.kept if keep and isinstance(keep.move, Hold) else None,
        keep_value=keep.value if keep else None,
        box=box.move.category if isinstance(box.move, Score) else None,
        box_value=box.value,
    )


def hint_sentences(given: Hint) -> tuple[str, ...]:
    """Return the advice in words: what is best, what else there is, and the expected total."""
    sentences = []
    if given.best is not None:
        sentences.append(advice_text(given.best))
    if isinstance(given.best, Hold) and given.box is not None and given.box_value is not None:
        sentences.append(
            _("{category}, scored now, expects: {total}").format(
                category=category_name(given.box), total=number(given.box_value)
            )
        )
    elif isinstance(given.best, Score) and given.keep is not None and given.keep_value is not None:
        message = _("Rolling on with {dice} expects: {total}")
        if not given.keep:
            message = _("Rolling all five dice again expects: {total}")
        sentences.append(message.format(dice=given.keep, total=number(given.keep_value)))
    # Translators: the points at the end of the game, on average.
    sentences.append(_("Expected total: {total}").format(total=number(given.expected)))
    return tuple(sentences)
