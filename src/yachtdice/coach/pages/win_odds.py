"""The win odds of a game for two as HTML: breakdown, curve, and the costliest decisions."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise
from math import ceil
from typing import TYPE_CHECKING

from yachtdice.coach.pages.breakdown import Scale, breakdown_card, part_row, sum_row
from yachtdice.coach.pages.charts import Frame
from yachtdice.coach.pages.decision import comparison
from yachtdice.coach.pages.markup import folded, items, table, text
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
    from collections.abc import Callable, Iterator

    from yachtdice.coach.analysis.report import Report
    from yachtdice.coach.analysis.win_odds import OddsLoss, OddsMark, SeatOdds, WinOddsReport

_HEIGHT = 240
_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)


def win_odds_section(
    report: Report,
    heading: Callable[[str, int, str], str],
    actions: Callable[[int], str] | None,
) -> str:
    """Return the win odds of a game for two; empty for any other.

    *heading* makes the headings, *actions* the links of a decision.
    """
    odds = report.win_odds
    if odds is None:
        return ""
    parts = [
        heading(odds_heading(), 1, ""),
        f'<p class="coach-kind">{text(kind_sentence(odds))}</p>',
        _curve(report, odds),
        _breakdowns(report, odds, heading),
        items(how_odds_are_counted(odds), "coach-small"),
        _costliest(report, odds, heading, actions),
    ]
    return f'<section class="coach-winning">{"".join(parts)}</section>'


def _breakdowns(
    report: Report, odds: WinOddsReport, heading: Callable[[str, int, str], str]
) -> str:
    ends = [0.0, 1.0]
    for seat in odds.seats:
        at = 0.0
        for part in odds_parts(seat):
            at += part.value
            ends.append(at)
    # A sum may pass beyond what a chance can be before its other parts are in.
    scale = Scale(min(ends), max(ends))
    cards = "".join(_breakdown(report, seat, scale, heading) for seat in odds.seats)
    return f'<div class="coach-accounts">{cards}</div>'


def _breakdown(
    report: Report, seat: SeatOdds, scale: Scale, heading: Callable[[str, int, str], str]
) -> str:
    rows, at = [], 0.0
    for part in odds_parts(seat):
        is_start = part.kind == "start"
        value = percent(part.value) if is_start else signed_percent(part.value)
        rows.append(part_row(part.name, (at, part.value), scale, part.kind, value))
        at += part.value
    rows.append(sum_row(odds_total_heading(report), seat.chance, scale, percent(seat.chance)))
    return breakdown_card(heading(player(report, report.seats[seat.seat]), 2, ""), "", rows)


def _curve(report: Report, odds: WinOddsReport) -> str:
    last = max(1, len(report.rules.categories) if report.is_over else ceil(odds.curve[-1].rounds))
    frame = Frame(_HEIGHT, 0, last, 0, 1)
    first, second = (
        # Translators: at the top and the foot of a curve of chances: there this player wins.
        _("{name} wins").format(name=player(report, seat))
        for seat in report.seats
    )
    labels = [second, *(format_percent(value, 0) for value in _GRID[1:-1]), first]
    content = [frame.rows(_GRID, labels)]
    every = 1 if last <= 12 else 2  # noqa: PLR2004 - as many as fit
    content.append(frame.columns(range(0, last + 1, every), map(str, range(0, last + 1, every))))
    points = [(mark.rounds, mark.chance) for mark in odds.curve]
    content.append(frame.area([(0, 0.5), *points, (points[-1][0], 0.5)], "coach-lead"))
    content += _lines(frame, odds)
    content += _marks(report, frame, odds)
    return (
        f'<figure class="coach-figure">{_legend(odds)}'
        f"{frame.svg(content, course_heading(report))}"
        f"<figcaption>{text(_caption(report))}</figcaption></figure>"
        + folded(_("The curve as a table"), _table(report, odds))
    )


def _legend(odds: WinOddsReport) -> str:
    entries = []
    for kind in ("exact", "estimate"):
        if kind in odds.kinds:
            line = (
                '<svg width="28" height="10" aria-hidden="true">'
                f'<line class="coach-line coach-{kind}" x1="1" x2="27" y1="5" y2="5"/></svg>'
            )
            entries.append(f"<li>{line} {text(certainty_word(kind))}</li>")
    return f'<ul class="coach-legend">{"".join(entries)}</ul>'


def _lines(frame: Frame, odds: WinOddsReport) -> Iterator[str]:
    """Yield the curve, in pieces that are all exact or all estimated."""
    steps = pairwise(odds.curve)
    for kind, piece in groupby(steps, key=lambda step: step[1].kind):
        marks: list[OddsMark] = []
        for before, after in piece:
            marks = [*(marks or [before]), after]
        yield frame.line([(m.rounds, m.chance) for m in marks], f"coach-line coach-{kind}")


def _marks(report: Report, frame: Frame, odds: WinOddsReport) -> Iterator[str]:
    marks = {mark.event: mark for mark in odds.curve}
    for seat in odds.seats:
        for lost in sorted(seat.costliest, key=lambda lost: lost.event):
            mark = marks[lost.event]
            place = f'cx="{frame.x(mark.rounds):.2f}%" cy="{frame.y(mark.chance):.1f}"'
            name = player(report, report.seats[seat.seat])
            label = f"{name}, {lost_place(report, lost)}: {signed_percent(-lost.loss)}"
            yield (
                f'<a href="#coach-win-{lost.event}" aria-label="{text(label)}">'
                f'<title>{text(label)}</title><circle class="coach-touch" {place} r="12"/>'
                f'<circle class="coach-mark coach-mistake" {place} r="5"/></a>'
            )


def _caption(report: Report) -> str:
    return _(
        "How likely {name} is to win if both play to win from there on."
        " Rings are the decisions that cost most chances."
    ).format(name=player(report, report.seats[0]))


def _table(report: Report, odds: WinOddsReport) -> str:
    rows = [
        (
            str(number),
            percent(mark.chance),
            percent(1 - mark.chance),
            text(certainty_word(mark.kind)),
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
    return table(_("The chances to win after each round"), [*map(text, head)], rows)


def _costliest(
    report: Report,
    odds: WinOddsReport,
    heading: Callable[[str, int, str], str],
    actions: Callable[[int], str] | None,
) -> str:
    parts = []
    for seat in odds.seats:
        if seat.costliest:
            name = player(report, report.seats[seat.seat])
            cards = "".join(_card(report, lost, actions) for lost in seat.costliest)
            title = heading(f"{costliest_heading()}: {name}", 2, "")
            parts.append(f'{title}<ol class="coach-cards">{cards}</ol>')
    return "".join(parts)


def _card(report: Report, lost: OddsLoss, actions: Callable[[int], str] | None) -> str:
    # The same decision, judged by another measure.
    decision = replace(
        decision_of(report, lost), best=(lost.best,), loss=lost.loss, facts=None, kind=None
    )
    more = f'<div class="coach-actions">{actions(lost.event)}</div>' if actions else ""
    return (
        f'<li class="coach-card" id="coach-win-{lost.event}" tabindex="-1">'
        f'<p class="coach-card-head"><span>{text(lost_place(report, lost))}</span>'
        f'<b class="coach-cost">{signed_percent(-lost.loss)}</b></p>'
        f"{comparison(decision, report.rules)}"
        f"{items(lost_sentences(report, lost), 'coach-why')}{more}</li>"
    )
