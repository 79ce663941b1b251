"""Names and short sentences of the coach, in the active language.

Numbers that are not whole stand behind a colon, so that no noun has to agree with them. Boxes are
headings and stand at the beginning, so that no sentence has to inflect them.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from yachtdice.coach.analysis.labels import Kind as Mistake
from yachtdice.coach.analysis.labels import Label
from yachtdice.i18n import (
    category_name,
    format_day,
    format_number,
    format_percent,
    ngettext,
    pgettext,
    pgettext_noop,
    rounded,
    seat_name,
)
from yachtdice.i18n import gettext as _
from yachtdice.rules import DICE, Dice, Hold, Move, Position, format_dice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from yachtdice.coach.analysis.report import Report, SeatReport
    from yachtdice.coach.training.exercises import Theme

_ROUNDING = 1e-12

_LABELS = {
    # Translators: how bad a decision was, as a label of its own.
    Label.BEST: pgettext_noop("decision", "Best"),
    Label.FINE: pgettext_noop("decision", "Fine"),
    Label.INACCURACY: pgettext_noop("decision", "Inaccuracy"),
    Label.MISTAKE: pgettext_noop("decision", "Mistake"),
    Label.BLUNDER: pgettext_noop("decision", "Blunder"),
}

_KINDS = {
    # Translators: what was wrong with decisions, as the heading of a row.
    Mistake.KEPT_WRONG: pgettext_noop("decision", "Kept the wrong dice"),
    Mistake.STOPPED_EARLY: pgettext_noop("decision", "Stopped too early"),
    Mistake.ROLLED_ON: pgettext_noop("decision", "Rolled too long"),
    Mistake.WRONG_BOX: pgettext_noop("decision", "Took the wrong box"),
}

_THEMES = {
    # Translators: what an exercise is about, as a heading and as a choice.
    "own": pgettext_noop("theme", "From your own game"),
    "opening": pgettext_noop("theme", "The first turns"),
    "keep": pgettext_noop("theme", "Which dice to keep"),
    "stop": pgettext_noop("theme", "Roll on or score"),
    "box": pgettext_noop("theme", "Which box to fill"),
    "zero": pgettext_noop("theme", "Which box to give up"),
    "endgame": pgettext_noop("theme", "The last turns"),
}


def label_name(label: Label) -> str:
    """Return what the label is called."""
    return pgettext(*_LABELS[label])


def kind_name(kind: Mistake) -> str:
    """Return what that kind of mistake is called."""
    return pgettext(*_KINDS[kind])


def theme_name(theme: Theme) -> str:
    """Return what an exercise on *theme* is about."""
    return pgettext(*_THEMES[theme.value])


def comes_back_text(due: datetime, now: datetime) -> str:
    """Return when an exercise is asked again; both times in the time zone of whoever reads it."""
    minutes = ceil((due - now).total_seconds() / 60)
    if minutes < 60:  # noqa: PLR2004 - an hour
        message = ngettext(
            "It comes back in {n} minute.", "It comes back in {n} minutes.", max(minutes, 1)
        )
        return message.format(n=max(minutes, 1))
    if due.date() == now.date():
        # Translators: an exercise of the trainer is asked again.
        return _("It comes back later today.")
    # Translators: the day on which an exercise of the trainer is asked again.
    return _("It comes back: {day}").format(day=format_day(due.date()))


def number(value: float, digits: int = 1) -> str:
    """Return *value* rounded."""
    return format_number(value, digits)


def signed(value: float, digits: int = 1) -> str:
    """Return *value* rounded, with its sign; zero has none."""
    return f"+{number(value, digits)}" if rounded(value, digits) > 0 else number(value, digits)


def cost(loss: float, digits: int = 1) -> str:
    """Return what was given away, as the negative number shown in a breakdown."""
    return number(-loss, digits)


def percent(chance: float) -> str:
    """Return a chance in per cent; only what cannot happen is 0%, only what is certain 100%."""
    # Sums of chances are rounded: what is so near is certain, or impossible.
    if min(chance, 1 - chance) < _ROUNDING:
        return format_percent(round(chance), 0)
    minimum, maximum = 0.001, 0.999
    if chance < minimum:
        # Translators: a chance that is not zero but smaller than what is shown, as “under 0.1%”.
        return _("under {percent}").format(percent=format_percent(minimum))
    if chance > maximum:
        # Translators: a chance that is not 100% but larger than what is shown, as “over 99.9%”.
        return _("over {percent}").format(percent=format_percent(maximum))
    return format_percent(chance)


def signed_percent(change: float) -> str:
    """Return by how much a chance has changed, in per cent of all games, with its sign."""
    shown = rounded(change, 3)
    return f"{'+' if shown > 0 else ''}{format_percent(shown)}"


def dice_text(dice: Sequence[int] | Dice) -> str:
    """Return dice as they are written everywhere: 5-5-2."""
    return format_dice(dice)


def player(report: Report, seat: SeatReport) -> str:
    """Return what to call the seat, in the active language."""
    bots = [other.seat for other in report.seats if other.bot]
    return seat_name([other.name for other in report.seats], seat.seat, bots)


def chosen_text(move: Move) -> str:
    """Return what was chosen, as a short sentence."""
    if not isinstance(move, Hold):
        # Translators: which box somebody filled, as in “Scored: Fours”.
        return _("Scored: {category}").format(category=category_name(move.category))
    if not move.kept:
        return _("Rolled all five dice again")
    # Translators: which dice somebody kept, as in “Kept: 4-4”.
    return _("Kept: {dice}").format(dice=dice_text(move.kept))


def better_text(move: Move) -> str:
    """Return what would have been better, as a short sentence."""
    if not isinstance(move, Hold):
        # Translators: which box would have been better, as in “Better box: Fours”.
        return _("Better box: {category}").format(category=category_name(move.category))
    if not move.kept:
        return _("Better: roll all five dice again")
    # Translators: which dice would have been better to keep, as in “Better: keep 4-4”.
    return _("Better: keep {dice}").format(dice=dice_text(move.kept))


def move_text(move: Move, position: Position) -> str:
    """Return a legal *move* of *position*, with what it scores or rolls again."""
    if not isinstance(move, Hold):
        # Translators: a move, and what it scores.
        line = _("score {box}: {points}")
        points = position.rules.score(move.category, position.dice)
        return line.format(box=category_name(move.category), points=points)
    if not move.kept:
        return _("roll all five again")
    n = DICE - len(move.kept)
    line = ngettext("keep {kept}, roll {n} die", "keep {kept}, roll {n} dice", n)
    return line.format(kept=move.kept, n=n)


def advice_text(move: Move) -> str:
    """Return what is best, as advice."""
    if not isinstance(move, Hold):
        # Translators: which box is best, as in “Best box: Fours”.
        return _("Best box: {category}").format(category=category_name(move.category))
    if not move.kept:
        return _("Best: roll all five dice again")
    # Translators: which dice it is best to keep, as in “Best: keep 4-4”.
    return _("Best: keep {dice}").format(dice=dice_text(move.kept))
