"""Why a move was better, in sentences. Every number in them is a fact that was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.coach.analysis.labels import Kind
from yachtdice.coach.words.terms import dice_text, number, percent
from yachtdice.i18n import category_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import Dice, Hold, Score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.coach.analysis.report import Decided, Facts
    from yachtdice.rules import Category

MAX_CHANCES = 3
"""How many boxes are named with their chances."""

MIN_DIFFERENCE = 0.02
"""How large a chance, or the difference of two, has to be to be named."""

_NOTHING = 0.005
"""Differences below this are shown as zero, and not worth a sentence."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence, perhaps with a list of facts that it introduces."""

    sentence: str
    facts: tuple[str, ...] = ()


def reasons(decision: Decided) -> tuple[Reason, ...]:
    """Return why the best move was better; nothing for a decision that was fine."""
    facts, kind = decision.facts, decision.kind
    if facts is None or kind is None:
        return ()
    best = decision.best[0]
    if kind is Kind.WRONG_BOX:
        assert isinstance(decision.move, Score)
        assert isinstance(best, Score)
        sentences = _boxes(facts, decision.move.category, best.category)
        return tuple(map(Reason, sentences))
    return (Reason(_gain(decision)), *_chances(facts, kind), Reason(_now_and_later(facts)))


def _gain(decision: Decided) -> str:
    best, move = decision.best[0], decision.move
    gain = number(decision.loss, 2)
    if isinstance(best, Score):
        box = category_name(best.category)
        return _("{category}, scored at once, gains: {gain}").format(category=box, gain=gain)
    assert isinstance(best, Hold)
    kept = move.kept if isinstance(move, Hold) else None
    if kept is None:
        if not best.kept:
            return _("Rolling all five dice again instead gains: {gain}").format(gain=gain)
        message = _("Keeping {best} and rolling on gains: {gain}")
        return message.format(best=dice_text(best.kept), gain=gain)
    return _gain_of_keep(kept, best.kept, gain)


def _gain_of_keep(kept: Dice, best: Dice, gain: str) -> str:
    if not best:
        message = _("Rolling all five dice instead of keeping {chosen} gains: {gain}")
    elif not kept:
        message = _("Keeping {best} instead of rolling all five dice gains: {gain}")
    else:
        message = _("Keeping {best} instead of {chosen} gains: {gain}")
    return message.format(best=dice_text(best), chosen=dice_text(kept), gain=gain)


def _chances(facts: Facts, kind: Kind) -> tuple[Reason, ...]:
    """Return how the turn may end: where it ends anyway, what the better dice change of that."""
    if kind is Kind.KEPT_WRONG:
        heading = _("Chances by the end of the turn:")
        lines = _changes(facts.chosen.chances, facts.best.chances)
    else:
        heading = _("Chances by the end of the turn, if rolled on:")
        rolled_on = facts.best if kind is Kind.STOPPED_EARLY else facts.chosen
        lines = _likeliest(rolled_on.chances)
    return (Reason(heading, lines),) if lines else ()


def _changes(before: Mapping[Category, float], after: Mapping[Category, float]) -> tuple[str, ...]:
    """Return the boxes whose chances change the most; what is won comes before what it costs."""
    changes = {box: after.get(box, 0.0) - before.get(box, 0.0) for box in {*before, *after}}
    order = sorted(changes, key=lambda box: (-abs(changes[box]), box.index))
    boxes = [box for box in order if abs(changes[box]) >= MIN_DIFFERENCE][:MAX_CHANCES]
    # Translators: how likely a turn ends in a box with the better dice, and with the chosen ones.
    message = _("{category}: {after} instead of {before}")
    return tuple(
        message.format(
            category=category_name(box),
            after=percent(after.get(box, 0.0)),
            before=percent(before.get(box, 0.0)),
        )
        for box in sorted(boxes, key=lambda box: -changes[box])
    )


def _likeliest(chances: Mapping[Category, float]) -> tuple[str, ...]:
    """Return the boxes that are the most likely to be filled with points."""
    order = sorted(chances, key=lambda box: (-chances[box], box.index))
    boxes = [box for box in order if chances[box] >= MIN_DIFFERENCE][:MAX_CHANCES]
    # Translators: how likely a turn ends in a box, as in “Fours: 12.5%”.
    message = _("{category}: {chance}")
    return tuple(
        message.format(category=category_name(box), chance=percent(chances[box])) for box in boxes
    )


def _now_and_later(facts: Facts) -> str:
    message = _("Expected in this turn: {now} instead of {chosen_now}")
    if facts.best.later or facts.chosen.later:
        message = _(
            "Expected in this turn: {now} instead of {chosen_now}; after it: {later} instead of"
            " {chosen_later}"
        )
    return message.format(
        now=number(facts.best.points),
        chosen_now=number(facts.chosen.points),
        later=number(facts.best.later),
        chosen_later=number(facts.chosen.later),
    )


def _boxes(facts: Facts, chosen: Category, best: Category) -> tuple[str, ...]:
    """Return what both boxes bring now, and what the rest of the card is then worth."""
    gain = facts.best.value - facts.chosen.value
    # Translators: the points that another box would have brought, as in “Fours instead gains: 2.1”.
    sentences = [_("{category} instead gains: {gain}")]
    more_later = facts.best.later - facts.chosen.later
    sentences.append(_("Points now: {now} instead of {chosen_now}"))
    if more_later > _NOTHING:
        sentences.append(
            _("{chosen}, left open, is worth more later than the other box: {more_later}")
        )
    elif more_later < -_NOTHING:
        sentences.append(_("The boxes left open are then worth less by: {less_later}"))
    values = {
        "category": category_name(best),
        "chosen": category_name(chosen),
        "gain": number(gain, 2),
        "now": number(facts.best.points, 0),
        "chosen_now": number(facts.chosen.points, 0),
        "more_later": number(more_later, 2),
        "less_later": number(-more_later, 2),
    }
    return tuple(sentence.format(**values) for sentence in sentences)
