"""The view of the win odds of a game for two: curve, breakdown, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import ceil
from operator import attrgetter
from typing import TYPE_CHECKING

from yachtdice.coach.pages.breakdown import Card, Scale, part_row, sum_row
from yachtdice.coach.pages.charts import Curve, Frame, Mark
from yachtdice.coach.pages.markup import Actions, Comparison, Table, comparison, links
from yachtdice.coach.words.terms import percent, player, signed_percent
from yachtdice.coach.words.win_odds import (
    costliest_heading,
    course_heading,
    decision_of,
    how_odds_are_counted,
    kind_sentence,
    lost_place,
    lost_sentences,
    odds_heading,
    odds_parts,
    odds_total_heading,
    rounds_of,
)
from yachtdice.i18n import certainty_word, format_percent, pgettext
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from yachtdice.coach.analysis.report import Report
    from yachtdice.coach.analysis.win_odds import OddsLoss, OddsMark, SeatOdds, WinOddsReport

_HEIGHT = 240
_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that has cost chances."""

    event: int
    place: str
    cost: str
    moves: Comparison
    sentences: Sequence[str]
    links: Markup | None


@dataclass(frozen=True, slots=True)
class Costliest:
    """The decisions of a seat that have cost most chances."""

    name: str
    heading: str
    cards: Sequence[CostlyDecision]


@dataclass(frozen=True, slots=True)
class WinOddsView:
    """What the template of the win odds shows."""

    heading: str
    kind: str
    legend: Sequence[tuple[str, str]]
    """The kinds of certainty there are, with their words."""
    curve: Curve
    area: str
    lines: Sequence[tuple[str, str]]
    """The pieces of the curve: their kind and points."""
    marks: Sequence[Mark]
    breakdown: Sequence[Card]
    counting: Sequence[str]
    costliest: Sequence[Costliest]


def win_odds(report: Report, actions: Actions | None) -> WinOddsView | None:
    """Return the win odds of a game for two, None for any other.

    *actions* makes the links of a decision.
    """
    odds = report.win_odds
    if odds is None:
        return None
    curve = _curve(report, odds)
    costliest = [_costliest(report, seat, actions) for seat in odds.seats if seat.costliest]
    points = [(mark.rounds, mark.chance) for mark in odds.curve]
    return WinOddsView(
        odds_heading(),
        kind_sentence(odds),
        [(kind, certainty_word(kind)) for kind in ("exact", "estimate") if kind in odds.kinds],
        curve,
        curve.frame.points([(0, 0.5), *points, (points[-1][0], 0.5)]),
        list(_lines(curve.frame, odds)),
        _marks(curve.frame, odds, costliest),
        _breakdowns(report, odds),
        list(how_odds_are_counted(odds)),
        costliest,
    )


def _breakdowns(report: Report, odds: WinOddsReport) -> list[Card]:
    ends = [0.0, 1.0]
    for seat in odds.seats:
        at = 0.0
        for part in odds_parts(seat):
            at += part.value
            ends.append(at)
    # A sum may pass beyond what a chance can be before its other parts are in.
    scale = Scale(min(ends), max(ends))
    return [_breakdown(report, seat, scale) for seat in odds.seats]


def _breakdown(report: Report, seat: SeatOdds, scale: Scale) -> Card:
    rows, at = [], 0.0
    for part in odds_parts(seat):
        is_start = part.kind == "start"
        value = percent(part.value) if is_start else signed_percent(part.value)
        rows.append(part_row(part.name, (at, part.value), scale, part.kind, value))
        at += part.value
    rows.append(sum_row(odds_total_heading(report), seat.chance, scale, percent(seat.chance)))
    return Card(player(report, report.seats[seat.seat]), "", rows)


def _curve(report: Report, odds: WinOddsReport) -> Curve:
    last = max(1, len(report.rules.categories) if report.is_over else ceil(odds.curve[-1].rounds))
    frame = Frame(_HEIGHT, 0, last, 0, 1)
    first, second = (
        # Translators: at the top and the foot of a curve of chances: there this player wins.
        _("{name} wins").format(name=player(report, seat))
        for seat in report.seats
    )
    labels = [second, *(format_percent(value, 0) for value in _GRID[1:-1]), first]
    every = 1 if last <= 12 else 2  # noqa: PLR2004 - as many as fit
    rounds = range(0, last + 1, every)
    return Curve(
        frame,
        title=course_heading(report),
        caption=_caption(report),
        rows=frame.rows(_GRID, labels),
        columns=frame.columns(rounds, map(str, rounds)),
        summary=_("The curve as a table"),
        table=_table(report, odds),
    )


def _lines(frame: Frame, odds: WinOddsReport) -> Iterator[tuple[str, str]]:
    """Yield the curve, in pieces that are all exact or all estimated."""
    steps = pairwise(odds.curve)
    for kind, piece in groupby(steps, key=lambda step: step[1].kind):
        marks: list[OddsMark] = []
        for before, after in piece:
            marks = [*(marks or [before]), after]
        yield kind, frame.points((m.rounds, m.chance) for m in marks)


def _marks(frame: Frame, odds: WinOddsReport, costliest: Sequence[Costliest]) -> list[Mark]:
    marks = {mark.event: mark for mark in odds.curve}
    return [
        Mark(
            f"coach-win-{card.event}",
            f"{seat.name}, {card.place}: {card.cost}",
            frame.place(marks[card.event].rounds, marks[card.event].chance),
            "mistake",
        )
        for seat in costliest
        for card in sorted(seat.cards, key=attrgetter("event"))
    ]


def _caption(report: Report) -> str:
    return _(
        "How likely {name} is to win if both play to win from there on."
        " Rings are the decisions that cost most chances."
    ).format(name=player(report, report.seats[0]))


def _table(report: Report, odds: WinOddsReport) -> Table:
    rows = [
        (
            str(number),
            percent(mark.chance),
            percent(1 - mark.chance),
            certainty_word(mark.kind),
        )
        for number, mark in rounds_of(odds)
    ]
    head = [
        # Translators: heading of a column of numbers: how many rounds have been played.
        pgettext("column", "Rounds"),
        *(player(report, seat) for seat in report.seats),
        # Translators: heading of a column that says whether chances are exact or an estimate.
        pgettext("column", "Known"),
    ]
    return Table(_("The chances to win after each round"), head, rows)


def _costliest(report: Report, seat: SeatOdds, actions: Actions | None) -> Costliest:
    name = player(report, report.seats[seat.seat])
    cards = [_card(report, lost, actions) for lost in seat.costliest]
    return Costliest(name, f"{costliest_heading()}: {name}", cards)


def _card(report: Report, lost: OddsLoss, actions: Actions | None) -> CostlyDecision:
    # The same decision, judged by another measure.
    decision = replace(
        decision_of(report, lost), best=(lost.best,), loss=lost.loss, facts=None, kind=None
    )
    return CostlyDecision(
        lost.event,
        lost_place(report, lost),
        signed_percent(-lost.loss),
        comparison(decision, report.rules),
        list(lost_sentences(report, lost)),
        links(lost.event, actions),
    )
