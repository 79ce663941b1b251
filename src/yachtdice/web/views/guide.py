"""The view model of the rules page; the engine computes every number on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from yachtdice.i18n import category_name, describe_scorer, rules_name, rules_note
from yachtdice.presets import find_rules
from yachtdice.rules import Category, Dice, RuleSet, parse_dice
from yachtdice.web.views.lobby import RULE_SETS

_EXAMPLES = {
    Category.ONES: ("1-1-1-4-6",),
    Category.TWOS: ("2-2-3-5-6",),
    Category.THREES: ("3-3-3-3-1",),
    Category.FOURS: ("4-4-1-2-6",),
    Category.FIVES: ("5-5-5-2-1",),
    Category.SIXES: ("6-6-6-1-2", "5-5-5-2-1"),
    Category.FULL_HOUSE: ("3-3-3-6-6", "4-4-4-4-4", "2-2-4-4-6"),
    Category.FOUR_OF_A_KIND: ("4-4-4-4-1", "6-6-6-6-6"),
    Category.LITTLE_STRAIGHT: ("1-2-3-4-5", "1-2-3-4-6"),
    Category.BIG_STRAIGHT: ("2-3-4-5-6", "1-2-3-4-5"),
    Category.CHOICE: ("1-2-2-4-6",),
    Category.YACHT: ("5-5-5-5-5", "5-5-5-5-1"),
}


@dataclass(frozen=True, slots=True)
class Example:
    """Dice and what they are worth in a box."""

    dice: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box of the card, explained."""

    name: str
    hint: str
    examples: tuple[Example, ...]
    maximum: int


@dataclass(frozen=True, slots=True)
class GuideView:
    """A rule set, explained."""

    key: str
    name: str
    note: str
    rolls: int
    boxes: tuple[BoxView, ...]
    maximum: int
    """The largest possible total."""
    difference: Example
    """An example that distinguishes this rule set from the others."""


def guide(rules: RuleSet) -> GuideView:
    """Return the explanation of *rules*."""
    boxes = tuple(map(partial(_box, rules), rules.categories))
    shown = parse_dice("4-4-4-4-1")
    bonus = rules.upper_bonus.points if rules.upper_bonus else 0
    return GuideView(
        rules.key,
        rules_name(rules),
        rules_note(rules),
        rules.rolls,
        boxes,
        sum(box.maximum for box in boxes) + bonus,
        _example(rules, Category.FOUR_OF_A_KIND, shown),
    )


def guides() -> tuple[GuideView, ...]:
    """Return the explanations of the rule sets that can be chosen."""
    return tuple(guide(find_rules(key)) for key in RULE_SETS)


def _box(rules: RuleSet, category: Category) -> BoxView:
    return BoxView(
        category_name(category),
        describe_scorer(rules.scorers[category]).hint,
        tuple(_example(rules, category, parse_dice(text)) for text in _EXAMPLES[category]),
        rules.possible_points(category)[-1],
    )


def _example(rules: RuleSet, category: Category, dice: Dice) -> Example:
    return Example(dice.faces, rules.score(category, dice))
