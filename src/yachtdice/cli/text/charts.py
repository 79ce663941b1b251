"""The distribution of totals as a picture: bars of text, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.cli.text.numbers import percent
from yachtdice.i18n import gettext as _
from yachtdice.i18n import rules_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yachtdice.cli.support.screen import Look
    from yachtdice.rules import RuleSet
    from yachtdice.solver import Distribution

BIN = 10
"""Points that share a bar."""

_MIN_SHARE = 0.0005
"""Bars at both ends that stand for less are left out: they would show nothing."""

_EIGHTHS = " ▏▎▍▌▋▊▉"


def bar_lines(totals: Distribution, look: Look) -> Iterator[str]:
    """Yield a line for each ten points: how likely such a total is, and a bar in proportion."""
    bins = _bins(totals)
    highest = max(chance for _, chance in bins)
    available = look.width - 18
    for first, chance in bins:
        label = f"{first:>4}-{first + BIN - 1:<4}{percent(chance):>6}"
        if look.plain:
            # Translators: totals from one number to another, and how likely they are.
            yield _("{first} to {last}: {share}").format(
                first=first, last=first + BIN - 1, share=percent(chance)
            )
        else:
            yield f"{label}  {_bar(available * chance / highest, smooth=look.boxes)}".rstrip()


def _bins(totals: Distribution) -> list[tuple[int, float]]:
    start = totals.minimum - totals.minimum % BIN
    bins = [
        (first, totals.at_least(first) - totals.at_least(first + BIN))
        for first in range(start, totals.maximum + 1, BIN)
    ]
    shown = [place for place, (_, chance) in enumerate(bins) if chance >= _MIN_SHARE]
    return bins[shown[0] : shown[-1] + 1]


def _bar(length: float, *, smooth: bool) -> str:
    if not smooth:
        return "#" * round(length)
    whole = int(length)
    part = _EIGHTHS[int(8 * (length - whole))].strip()
    return "█" * whole + part


def write_chart(
    path: Path, totals: Distribution, rules: RuleSet, marked: int | None = None
) -> None:
    """Draw the chance of every total into a PNG or SVG file, with a line at the *marked* total.

    Raises:
        ImportError: If Matplotlib is not installed.
        OSError: If the file cannot be written.
    """
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "yachtdice"  # the same picture is the same file
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    points = range(totals.minimum, totals.maximum + 1)
    axes.bar(points, 100 * totals.probabilities, width=1.0, color="#1f3a5f")
    # Translators: the line in a picture that marks the average total.
    axes.axvline(totals.mean, color="#b08d3e", label=_("average"))
    if marked is not None:
        axes.axvline(marked, color="#c0392b", linestyle="--", label=str(marked))
    axes.set_xlim(totals.quantile(0.0005) - 1, totals.quantile(0.9995) + 1)
    # Translators: the axis of a picture along which the totals stand.
    axes.set_xlabel(_("total"))
    axes.set_ylabel(_("chance in per cent"))
    # Translators: a heading.
    axes.set_title(_("Yacht, rules: {rules}.").format(rules=rules_name(rules)).rstrip("."))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
