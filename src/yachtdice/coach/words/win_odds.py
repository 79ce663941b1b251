"""Sentences and headings about win odds, in the active language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from yachtdice.coach.words.summary import lost_heading, luck_heading, where
from yachtdice.coach.words.terms import percent, player
from yachtdice.i18n import certainty_word, pgettext
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.coach.analysis.report import Decided, Report
    from yachtdice.coach.analysis.win_odds import OddsLoss, OddsMark, SeatOdds, WinOddsReport

_SHOWN = 0.0005
"""Half of the last digit shown; smaller parts are left out."""


class OddsPart(NamedTuple):
    """A part of the sum that leads to a chance."""

    name: str
    value: float
    kind: str
    """`start`, `luck`, `loss` or `other`: how it is drawn."""


def odds_heading() -> str:
    """Return the heading for win odds."""
    # Translators: a heading, beside that of the account in points.
    return _("Winning chances")


def odds_parts(seat: SeatOdds) -> tuple[OddsPart, ...]:
    """Return the parts that add up to the seat's chance; rare ones only where they show."""
    parts = [
        OddsPart(pgettext("account", "Start"), seat.start, "start"),
        OddsPart(luck_heading(), seat.luck, "luck"),
        OddsPart(lost_heading(), -seat.lost, "loss"),
        # Translators: parts of a player's chance to win, as headings: the luck of the opponent ...
        OddsPart(pgettext("account", "Other’s luck"), -seat.their_luck, "luck"),  # noqa: RUF001
        # Translators: ... and what the opponent's decisions have cost the opponent.
        OddsPart(pgettext("account", "Other’s losses"), seat.their_lost, "loss"),  # noqa: RUF001
    ]
    if abs(seat.other) >= _SHOWN:
        parts.append(OddsPart(pgettext("account", "Unknown"), seat.other, "other"))
    if abs(seat.source) >= _SHOWN:
        # Translators: by how much estimated chances were wrong, as a part of a sum.
        parts.append(OddsPart(pgettext("account", "Estimate put right"), seat.source, "other"))
    return tuple(parts)


def odds_total_heading(report: Report) -> str:
    """Return the heading of the sum of the parts."""
    if report.is_over:
        # Translators: the chance to win at the end of a game, which is 100% or 0%, as a heading.
        return pgettext("account", "Result")
    # Translators: the chance to win now, as a heading.
    return pgettext("account", "Chance")


def kind_sentence(odds: WinOddsReport) -> str:
    """Return which chances of the game are exact: those from some moment on, as boxes fill up."""
    since = odds.exact_from
    if since is None:
        return _("All of these chances are estimates.")
    if since is odds.curve[0]:
        return _("All of these chances are exact.")
    return _("These chances are exact from round {round} on, and estimates before.").format(
        round=int(since.rounds) + 1
    )


def how_odds_are_counted(odds: WinOddsReport) -> Iterator[str]:
    """Yield how to read the breakdown."""
    yield _(
        "A chance is how often one wins if both play to win from there on; a tie is half a win."
    )
    yield _(
        "Luck and losses are counted as for points, in chances; what one gains the other loses."
    )
    if any(abs(seat.source) >= _SHOWN for seat in odds.seats):
        yield _("What the next turn says better than an estimate before it is nobody’s luck.")  # noqa: RUF001


def costliest_heading() -> str:
    """Return the heading of the decisions that cost the most."""
    return _("What cost most chances")


def lost_place(report: Report, lost: OddsLoss) -> str:
    """Return the turn and roll of the decision."""
    decision = decision_of(report, lost)
    return where(report, report.seats[lost.seat], decision)


def decision_of(report: Report, lost: OddsLoss) -> Decided:
    """Return the same decision, judged in points."""
    seat = report.seats[lost.seat]
    return next(decision for decision in seat.decisions if decision.event == lost.event)


def lost_sentences(report: Report, lost: OddsLoss) -> Iterator[str]:
    """Yield what the decision has cost, and whether it was best for points."""
    yield _("Chance to win: {chance}. With the better move: {better} ({kind})").format(
        chance=percent(lost.chance),
        better=percent(lost.chance + lost.loss),
        kind=certainty_word(lost.kind),
    )
    if not decision_of(report, lost).loss:
        yield _("For points it was the best move.")


def rounds_of(odds: WinOddsReport) -> Iterator[tuple[int, OddsMark]]:
    """Yield the start and the end of each finished round, with its number."""
    yield 0, odds.curve[0]
    latest: dict[int, OddsMark] = {}
    for mark in odds.curve[1:]:
        if mark.rounds == int(mark.rounds):
            latest[int(mark.rounds)] = mark
    yield from latest.items()


def course_heading(report: Report) -> str:
    """Return whose chance the course of the game shows."""
    return _("The chance of {name} to win").format(name=player(report, report.seats[0]))
