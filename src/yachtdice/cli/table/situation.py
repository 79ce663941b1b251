"""Build a position from the card and dice that a command line describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from yachtdice.cli.table.boxes import find_boxes
from yachtdice.cli.table.errors import BoxError, BoxReason
from yachtdice.i18n import category_name, explain, printable
from yachtdice.i18n import gettext as _
from yachtdice.rules import UPPER_CATEGORIES, Category, Dice, Position, Scorecard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yachtdice.rules import RuleSet

ALL = "all"


def read_open(text: str, rules: RuleSet) -> tuple[Category, ...]:
    """Return the open boxes that *text* names, with commas between, in the order of the card.

    Raises:
        UsageError: If it names something else.
    """
    if text.strip().casefold() == ALL:
        return rules.categories
    try:
        return find_boxes(text.split(","), rules)
    except BoxError as error:
        if error.reason is BoxReason.UNKNOWN:
            boxes = ", ".join(category_name(category) for category in rules.categories)
            line = _("There is no box “{text}”. Boxes: {boxes}.")
            line = line.format(text=printable(error.text), boxes=boxes)
            raise click.UsageError(line) from error
        raise click.UsageError(explain(error)) from error


def card_with(open_: Iterable[Category], upper: int, rules: RuleSet) -> Scorecard:
    """Return a card with those boxes open and *upper* points in the number boxes that are used.

    Every other used box holds as little as it can.

    Raises:
        UsageError: If the number boxes cannot hold that.
    """
    left = set(open_)
    points: list[int | None] = [None] * len(Category)
    for category in rules.categories:
        if category not in left:
            points[category.index] = rules.possible_points(category)[0]
    used = [c for c in UPPER_CATEGORIES if c in rules.scorers and c not in left]
    for category, filled in zip(used, _filled(used, upper, rules), strict=True):
        points[category.index] = filled
    return Scorecard(rules, tuple(points))


def position_of(card: Scorecard, dice: Dice = Dice(), rolls_left: int = -1) -> Position:  # noqa: B008 - dice never change
    """Return the solo position with that *card*, at the start of a turn where no dice are given."""
    rules = card.rules
    if card.is_full:
        return Position(rules, (card,), 0, Dice(), 0)
    return Position(rules, (card,), 0, dice, rolls_left if dice else rules.rolls)


def _filled(used: list[Category], upper: int, rules: RuleSet) -> list[int]:
    """Return points for the boxes of *used* that add up to *upper*."""
    # The ways to reach each sum, box by box.
    ways: dict[int, list[int]] = {0: []}
    for category in used:
        ways = {
            total + points: [*way, points]
            for total, way in ways.items()
            for points in rules.possible_points(category)
        }
    # Where no bonus looks at it, the upper total is no concern of the value.
    if upper in ways:
        return ways[upper]
    raise click.UsageError(_("The used number boxes cannot hold {n} points.").format(n=upper))
