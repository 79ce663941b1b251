"""Breakdowns of points or win odds as HTML: each seat's parts, drawn to one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import text
from yachtdice.coach.words.summary import adjusted_heading, breakdown, total_heading
from yachtdice.coach.words.terms import number, player, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.coach.analysis.report import Report, SeatReport

_HEIGHT = 26
_MARGIN = 6.0
"""Per cent left free at both ends of the scale."""


def breakdown_cards(report: Report, heading: Callable[[str, int, str], str]) -> str:
    """Return a card for each seat; all have the same scale. *heading* makes the headings."""
    ends = [end for seat in report.seats for end in _ends(seat)]
    scale = Scale(min(ends), max(ends))
    cards = "".join(_card(report, seat, scale, heading) for seat in report.seats)
    title = heading(_("Luck and play"), 1, "")
    return f'<section>{title}<div class="coach-accounts">{cards}</div></section>'


class Scale:
    """The horizontal position of values, in per cent of the width."""

    def __init__(self, low: float, high: float) -> None:
        """Let values from *low* to *high* fill the width."""
        self.low: float = low
        self.high: float = high

    def x(self, value: float) -> float:
        """Return the position of *value*."""
        share = (value - self.low) / ((self.high - self.low) or 1)
        return _MARGIN + (100 - 2 * _MARGIN) * share


def _ends(seat: SeatReport) -> list[float]:
    """Return the running sum after each part, and the total with average luck."""
    ends = []
    total = 0.0
    for _name, value in breakdown(seat):
        total += value
        ends.append(total)
    return [*ends, seat.adjusted]


def _card(
    report: Report, seat: SeatReport, scale: Scale, heading: Callable[[str, int, str], str]
) -> str:
    kinds = ["start", "luck", "loss"]
    rows = []
    at = 0.0
    for place, (name, value) in enumerate(breakdown(seat)):
        kind = kinds[place] if place < len(kinds) else "other"
        rows.append(
            part_row(name, (at, value), scale, kind, signed(value) if place else number(value))
        )
        at += value
    total = number(seat.expected, 0 if report.is_over else 1)
    rows.append(sum_row(total_heading(report), seat.expected, scale, total))
    if seat.luck:
        fair = _diamond(scale.x(seat.adjusted), scale.x(seat.start), "coach-fair")
        rows.append(_row(adjusted_heading(), fair, number(seat.adjusted), "coach-adjusted"))
    return breakdown_card(heading(player(report, seat), 2, ""), _about(seat), rows)


def breakdown_card(heading: str, about: str, rows: list[str]) -> str:
    """Return a breakdown as a card. *heading* and *rows* are HTML, *about* is text."""
    words = f'<p class="coach-about">{text(about)}</p>' if about else ""
    return (
        f'<article class="coach-account">{heading}{words}'
        f"<table><tbody>{''.join(rows)}</tbody></table></article>"
    )


def part_row(name: str, step: tuple[float, float], scale: Scale, kind: str, value: str) -> str:
    """Return the row of a part; *step* is the sum before it and the change by it.

    *kind* is `start`, `luck`, `loss` or `other`, and *value* the change as text.
    """
    before, change = step
    if kind == "start":
        return _row(name, _tick(scale.x(change)), value)
    return _row(name, _step(scale.x(before), scale.x(before + change), kind), value)


def sum_row(name: str, total: float, scale: Scale, value: str) -> str:
    """Return the row of the sum."""
    end = _diamond(scale.x(total), scale.x(total), "coach-total")
    return _row(name, end, value, "coach-sum")


def _about(seat: SeatReport) -> str:
    parts = [
        # Translators: how many decisions a player has made.
        ngettext("{n} decision", "{n} decisions", len(seat.decisions)).format(n=len(seat.decisions))
    ]
    if seat.level is not None:
        # Translators: how well somebody has played, as in “Like the computer at: Skilled”.
        like = _("Like the computer at: {level}")
        parts.append(like.format(level=level_name(seat.level)))
    if seat.resigned is not None:
        parts.append(_("Has given up"))
    return " · ".join(parts)


def _row(name: str, picture: str, value: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return (
        f'<tr{kind}><th scope="row">{text(name)}</th><td class="coach-lane">'
        f'<svg width="100%" height="{_HEIGHT}" aria-hidden="true">{picture}</svg></td>'
        f"<td>{value}</td></tr>"
    )


def _line(x: float, top: int, foot: int) -> str:
    return f'<line class="coach-thread" x1="{x:.2f}%" x2="{x:.2f}%" y1="{top}" y2="{foot}"/>'


def _tick(x: float) -> str:
    middle = _HEIGHT // 2
    return (
        _line(x, middle, _HEIGHT)
        + f'<circle class="coach-start" cx="{x:.2f}%" cy="{middle}" r="4"/>'
    )


def _step(before: float, after: float, kind: str) -> str:
    middle = _HEIGHT // 2
    low, wide = min(before, after), abs(after - before)
    return (
        _line(before, 0, middle)
        + _line(after, middle, _HEIGHT)
        + f'<rect class="coach-{kind}-bar" x="{low:.2f}%" y="{middle - 6}" width="{wide:.2f}%"'
        ' height="12" rx="2"/>'
    )


def _diamond(x: float, before: float, style: str) -> str:
    middle = _HEIGHT // 2
    thread = _line(before, 0, middle) if style == "coach-total" else ""
    # A nested drawing can be placed in per cent and keeps its shape.
    return (
        f'{thread}<svg x="{x:.2f}%" y="{middle}" overflow="visible">'
        f'<path class="{style}" d="M0-7 7 0 0 7-7 0Z"/></svg>'
    )
