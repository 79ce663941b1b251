"""The geometry of charts: inline SVG that fits any width.

Only lines and areas are stretched; whatever has to keep its shape (text, points) is placed in per
cent, so that it has the same size on narrow and wide screens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yachtdice.coach.pages.markup import Table

LEFT, RIGHT = 7.0, 98.0
"""The left and right edge of the data, in per cent of the width; labels are at the left."""

TOP, FOOT = 20, 26
"""Pixels above and below the data."""

_WIDE = 1000.0


@dataclass(frozen=True, slots=True)
class Place:
    """A point: x in per cent of the width, y in pixels, as text."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line across with its label, in pixels from the top."""

    y: str
    baseline: str
    words: str


@dataclass(frozen=True, slots=True)
class Column:
    """A label below a chart, in per cent of the width."""

    x: str
    words: str


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

    @property
    def foot(self) -> int:
        """The bottom of the data, in pixels from the top."""
        return self.height - FOOT

    def x(self, value: float) -> float:
        """Return the x of *value*, in per cent."""
        return self._across([value])[0]

    def y(self, value: float) -> float:
        """Return the y of *value*, in pixels from the top."""
        return self._down([value])[0]

    def points(self, values: Iterable[tuple[float, float]]) -> str:
        """Return *values* as the points of a shape that is stretched to the chart's width."""
        across, down = zip(*values, strict=True)
        places = zip(self._across(across), self._down(down), strict=True)
        return " ".join([f"{x / 100 * _WIDE:.2f},{y:.2f}" for x, y in places]).replace(".00", "")

    def _across(self, values: Iterable[float]) -> list[float]:
        first, wide = self.first, self.right - LEFT
        span = (self.last - first) or 1
        return [LEFT + wide * (value - first) / span for value in values]

    def _down(self, values: Iterable[float]) -> list[float]:
        low, high, foot = self.low, self.height - TOP - FOOT, self.foot
        span = (self.high - low) or 1
        return [foot - high * ((value - low) / span) for value in values]

    def place(self, x: float, y: float) -> Place:
        """Return where the values *x* and *y* are."""
        return Place(f"{self.x(x):.2f}", f"{self.y(y):.1f}")

    def rows(self, values: Iterable[float], label: Iterable[str]) -> list[Row]:
        """Return lines across at *values*, each with its label above its left end."""
        rows = []
        for value, words in zip(values, label, strict=True):
            y = self.y(value)
            rows.append(Row(f"{y:.1f}", f"{y - 4:.1f}", words))
        return rows

    def columns(self, values: Iterable[float], label: Iterable[str]) -> list[Column]:
        """Return labels below the chart at *values*."""
        return [
            Column(f"{self.x(value):.2f}", words)
            for value, words in zip(values, label, strict=True)
        ]

    def upright(self, value: float, high: float | None = None) -> Place:
        """Return the top of a line upwards at *value*, to the top or to the value *high*."""
        top = TOP if high is None else self.y(high)
        return Place(f"{self.x(value):.2f}", f"{top:.1f}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a curve that leads to the decision taken there."""

    target: str
    label: str
    at: Place
    style: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The course of a game: what the curves of all seats are drawn in, and a table of them."""

    frame: Frame
    title: str
    caption: str
    rows: Sequence[Row]
    columns: Sequence[Column]
    summary: str
    table: Table


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
