"""The views of breakdowns of points or win odds: each seat's parts, drawn to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.coach.words.summary import adjusted_heading, breakdown, total_heading
from yachtdice.coach.words.terms import number, player, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, ngettext

if TYPE_CHECKING:
    from yachtdice.coach.analysis.report import Report, SeatReport

_MARGIN = 6.0
"""Per cent left free at both ends of the scale."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a breakdown. Positions are in per cent of the width, as text."""

    name: str
    value: str
    kind: str
    """`start`, `luck`, `loss` or `other` for a part, `total` or `fair` for a sum."""
    at: str
    """Where its shape is; for a bar, the left end."""
    width: str = ""
    """How wide its bar is; empty for other shapes."""
    above: str = ""
    below: str = ""
    """Where lines lead to the rows above and below, if any do."""


@dataclass(frozen=True, slots=True)
class Card:
    """The breakdown of a seat."""

    name: str
    about: str
    rows: Sequence[Row]


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


def breakdown_cards(report: Report) -> list[Card]:
    """Return a card for each seat; all have the same scale."""
    ends = [end for seat in report.seats for end in _ends(seat)]
    scale = Scale(min(ends), max(ends))
    return [_card(report, seat, scale) for seat in report.seats]


def _ends(seat: SeatReport) -> list[float]:
    """Return the running sum after each part, and the total with average luck."""
    ends = []
    total = 0.0
    for _name, value in breakdown(seat):
        total += value
        ends.append(total)
    return [*ends, seat.adjusted]


def _card(report: Report, seat: SeatReport, scale: Scale) -> Card:
    kinds = ["start", "luck", "loss"]
    rows = []
    at = 0.0
    for place, (name, value) in enumerate(breakdown(seat)):
        kind = kinds[place] if place < len(kinds) else "other"
        words = signed(value) if place else number(value)
        rows.append(part_row(name, (at, value), scale, kind, words))
        at += value
    total = number(seat.expected, 0 if report.is_over else 1)
    rows.append(sum_row(total_heading(report), seat.expected, scale, total))
    if seat.luck:
        fair = f"{scale.x(seat.adjusted):.2f}"
        rows.append(Row(adjusted_heading(), number(seat.adjusted), "fair", fair))
    return Card(player(report, seat), _about(seat), rows)


def part_row(name: str, step: tuple[float, float], scale: Scale, kind: str, value: str) -> Row:
    """Return the row of a part; *step* is the sum before it and the change by it.

    *kind* is `start`, `luck`, `loss` or `other`, and *value* the change as text.
    """
    before, change = step
    if kind == "start":
        at = f"{scale.x(change):.2f}"
        return Row(name, value, kind, at, below=at)
    left, right = scale.x(before), scale.x(before + change)
    return Row(
        name,
        value,
        kind,
        at=f"{min(left, right):.2f}",
        width=f"{abs(right - left):.2f}",
        above=f"{left:.2f}",
        below=f"{right:.2f}",
    )


def sum_row(name: str, total: float, scale: Scale, value: str) -> Row:
    """Return the row of the sum."""
    at = f"{scale.x(total):.2f}"
    return Row(name, value, "total", at, above=at)


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
