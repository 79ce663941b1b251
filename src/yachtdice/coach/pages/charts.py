"""Charts as inline SVG that fits any width.

Only lines and areas are stretched; whatever has to keep its shape (text, points) is placed in per
cent, so that it has the same size on narrow and wide screens.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEFT, RIGHT = 7.0, 98.0
"""The left and right edge of the data, in per cent of the width; labels are at the left."""

TOP, FOOT = 20, 26
"""Pixels above and below the data."""

_WIDE = 1000.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A chart's scales: x in per cent of the width, y in pixels."""

    height: int
    """Pixels, with the margins."""
    first: float
    last: float
    """The values at the left and the right edge."""
    low: float
    high: float
    """The values at the bottom and at the top."""
    right: float = RIGHT
    """Where *last* lies across, in per cent."""

    def x(self, value: float) -> float:
        """Return the x of *value*, in per cent."""
        return LEFT + (self.right - LEFT) * (value - self.first) / ((self.last - self.first) or 1)

    def y(self, value: float) -> float:
        """Return the y of *value*, in pixels from the top."""
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.height - FOOT - (self.height - TOP - FOOT) * share

    def svg(self, content: Iterable[str], title: str) -> str:
        """Return the chart with that *content*; *title* says what it shows."""
        return (
            f'<svg class="coach-chart" width="100%" height="{self.height}" role="group"'
            f' aria-label="{text(title)}">{"".join(content)}</svg>'
        )

    def line(self, points: Sequence[tuple[float, float]], style: str) -> str:
        """Return a line through *points* of values."""
        return self._stretched(f'<polyline class="{style}" points="{self._points(points)}"/>')

    def area(self, points: Sequence[tuple[float, float]], style: str) -> str:
        """Return the area around *points* of values."""
        return self._stretched(f'<polygon class="{style}" points="{self._points(points)}"/>')

    def rows(self, values: Iterable[float], label: Iterable[str]) -> str:
        """Return lines across at *values*, each with its label above its left end."""
        lines = []
        for value, words in zip(values, label, strict=True):
            y = self.y(value)
            lines.append(
                f'<line class="coach-grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
                f'<text x="0" y="{y - 4:.1f}">{text(words)}</text>'
            )
        return "".join(lines)

    def columns(self, values: Iterable[float], label: Iterable[str]) -> str:
        """Return labels below the chart at *values*."""
        return "".join(
            f'<text x="{self.x(value):.2f}%" y="{self.height - 8}"'
            f' text-anchor="middle">{text(words)}</text>'
            for value, words in zip(values, label, strict=True)
        )

    def upright(self, value: float, style: str, high: float | None = None) -> str:
        """Return a line upwards at *value*, from the bottom to the top or to the value *high*."""
        x = f"{self.x(value):.2f}%"
        top = TOP if high is None else self.y(high)
        foot = self.height - FOOT
        return f'<line class="{style}" x1="{x}" x2="{x}" y1="{top:.1f}" y2="{foot}"/>'

    def _points(self, points: Sequence[tuple[float, float]]) -> str:
        return " ".join(
            f"{self.x(x) / 100 * _WIDE:.2f},{self.y(y):.2f}".replace(".00", "") for x, y in points
        )

    def _stretched(self, shape: str) -> str:
        return (
            f'<svg viewBox="0 0 {_WIDE:.0f} {self.height}" width="100%" height="{self.height}"'
            f' preserveAspectRatio="none" aria-hidden="true">{shape}</svg>'
        )


def ticks(low: float, high: float, maximum: int = 6) -> list[float]:
    """Return at most *maximum* round values from *low* to *high*."""
    span = high - low
    if span <= 0:
        return [low]
    step = 10.0 ** floor(log10(span / maximum))
    step = next(step * times for times in (1, 2, 5, 10, 20) if span / (step * times) <= maximum - 1)
    first = ceil(low / step)
    return [place * step for place in range(first, floor(high / step) + 1)]


def around(values: Iterable[float], step: float) -> tuple[float, float]:
    """Return the nearest multiples of *step* below and above all *values*."""
    found = list(values)
    low, high = floor(min(found) / step) * step, ceil(max(found) / step) * step
    return low, max(high, low + step)
