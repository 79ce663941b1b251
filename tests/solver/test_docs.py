"""What the page about the solver says is so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from yachtdice import CATEGORIES, TRADITIONAL, Position
from yachtdice.bots import FOR_POINTS, bot_totals
from yachtdice.presets import find_rules
from yachtdice.solutions import Solutions
from yachtdice.solver import ExactSolution, SoloSolution, solve

PAGE = Path(__file__).resolve().parents[2] / "docs/solver.md"


def stated() -> str:
    return "".join(PAGE.read_text("utf-8").split())


def test_the_exact_values_are_those_computed(exactly: ExactSolution) -> None:
    assert str(exactly.expected) in stated()
    assert f"{float(exactly.expected):.12f}" in stated()


@pytest.mark.soak
def test_the_exact_value_with_a_bonus_is_too() -> None:
    assert str(solve(find_rules("console"), exact=True).expected) in stated()


@pytest.mark.system
def test_values_of_perfect_play(
    published: SoloSolution, exactly: ExactSolution, golden: Callable[[str, str], None]
) -> None:
    """Write down what a perfect player can expect, exactly and in decimals."""
    start = Position.start(published.rules)
    totals = published.distribution()
    lines = [
        f"rules: {published.rules.key}",
        f"expected: {exactly.expected}",
        f"expected: {float(exactly.expected):.12f}",
        f"sd: {totals.sd:.9f}",
        "",
        "of a hundred games so many end with no more than:",
        *(f"{q:2}: {totals.quantile(q / 100)}" for q in (1, 5, 10, 25, 50, 75, 90, 95, 99)),
        "",
        "chance of at least so many points, for the best average and for just that:",
        *(
            f"{points}: {totals.at_least(points):.9f} {published.target(points).chance(start):.9f}"
            for points in range(50, 300, 50)
        ),
        "",
        "one open box is worth:",
        *(f"{c.value}: {exactly.value([c])}" for c in CATEGORIES),
    ]
    golden(f"solver/{published.rules.key}.txt", "\n".join(lines) + "\n")


@pytest.mark.system
def test_levels(golden: Callable[[str, str], None]) -> None:
    solutions = Solutions()
    rows = [(level, bot_totals(level, TRADITIONAL, solutions)) for level in FOR_POINTS]
    lines = [f"{level}: {totals.mean:.9f} sd {totals.sd:.9f}" for level, totals in rows]
    golden("solver/levels.txt", "\n".join(lines) + "\n")
    for _, totals in rows:
        assert f"|{totals.mean:.2f}|" in stated()
