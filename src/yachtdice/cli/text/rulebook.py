"""A rule set explained on a page; what boxes pay, and every example, comes from the engine."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from yachtdice.i18n import category_name, describe_scorer, ngettext, rules_name, rules_note
from yachtdice.i18n import gettext as _
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import (
    DICE,
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    RuleSet,
    Scorer,
    Total,
    format_dice,
    roll_outcomes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.cli.support.screen import Look


def rules_lines(rules: RuleSet, look: Look) -> Iterator[str]:
    """Yield the page about *rules*, paragraphs with empty lines between."""
    # Translators: a heading.
    yield _("Yacht, rules: {rules}.").format(rules=rules_name(rules))
    yield ""
    boxes = len(rules.categories)
    yield ngettext(
        "Everybody has a card with {n} box and fills one box a turn. When all cards are full, "
        "the highest total wins; equal totals share the win.",
        "Everybody has a card with {n} boxes and fills one box a turn. When all cards are full, "
        "the highest total wins; equal totals share the win.",
        boxes,
    ).format(n=boxes)
    yield ""
    yield ngettext(
        "A turn begins with a roll of all five dice, and that is its only roll.",
        "A turn begins with a roll of all five dice. Then you may keep any of them and roll the "
        "others, until you have rolled {n} times. What you keep is chosen afresh each time, and "
        "you may stop after any roll.",
        rules.rolls,
    ).format(n=rules.rolls)
    yield ""
    yield _(
        "To end the turn, choose an open box. It gets what the dice pay there, and that is 0 if "
        "they do not fit. A box is filled once."
    )
    yield ""
    for category, scorer in rules.scorers.items():
        yield from _box(category, scorer, rules, look)
    if rules.upper_bonus:
        yield ""
        line = _("Once the boxes from Ones to Sixes reach {threshold} together: {points} more.")
        bonus = rules.upper_bonus
        yield line.format(threshold=bonus.threshold, points=bonus.points)
    yield from _differences(rules)
    others = ", ".join(key for key in RULE_SET_KEYS if key != rules.key)
    yield ""
    yield _("Other rule sets, for “yacht rules KEY”: {keys}.").format(keys=others)


def _box(category: Category, scorer: Scorer, rules: RuleSet, look: Look) -> Iterator[str]:
    dice = example(category, rules)
    points = rules.score(category, dice)
    # Translators: an example of what dice pay.
    shown = _("{dice} is {points}").format(dice=format_dice(dice), points=points)
    name, pays = category_name(category), describe_scorer(scorer).sentence
    if look.plain:
        yield f"{name}: {pays}. {shown}."
        return
    column = 2 + max(len(category_name(c)) for c in rules.categories) + 2
    lines = [*wrap(pays, max(20, look.width - column - 2)), shown]
    yield f"  {name:<{column - 2}}{lines[0]}"
    for line in lines[1:]:
        yield " " * column + line


def example(category: Category, rules: RuleSet) -> Dice:
    """Return a likely roll that pays in *category* and, if possible, in no other figure."""

    def fitness(dice: Dice) -> tuple[bool, int, float, int]:
        points = rules.score(category, dice)
        maximum = rules.possible_points(category)[-1]
        figures = sum(
            not isinstance(scorer, (FaceSum, Total)) and scorer.points(dice) > 0
            for other, scorer in rules.scorers.items()
            if other is not category
        )
        return 2 * points >= maximum, -figures, float(chances[dice]), points

    chances = dict(roll_outcomes(DICE))
    return max(chances, key=fitness)


def _differences(rules: RuleSet) -> Iterator[str]:
    """Yield how *rules* differ from the default rules."""
    other = TRADITIONAL if rules != TRADITIONAL else find_rules("all-dice")
    yield ""
    note = rules_note(rules)
    heading = _("What differs from {rules}:").format(rules=rules_name(other))
    yield f"{note} {heading}".strip()
    for category in rules.categories:
        if category not in other.scorers:
            # Translators: the other rules have no such box.
            line = _("{box}: not there")
            yield f"  {line.format(box=category_name(category))}"
            continue
        dice = _differing_roll(category, rules, other)
        if dice is not None:
            line = _("{box}: {dice} is {here} here, {there} there")
            text = line.format(
                box=category_name(category),
                dice=format_dice(dice),
                here=rules.score(category, dice),
                there=other.score(category, dice),
            )
            yield f"  {text}"
    for category in other.categories:
        if category not in rules.scorers:
            # Translators: these rules have no such box.
            line = _("{box}: not here")
            yield f"  {line.format(box=category_name(category))}"
    if rules.upper_bonus != other.upper_bonus:
        line = _("the bonus for the number boxes")
        yield f"  {line}"
    if rules.rolls != other.rolls:
        line = _("rolls in a turn: {here} here, {there} there")
        yield f"  {line.format(here=rules.rolls, there=other.rolls)}"


def _differing_roll(category: Category, rules: RuleSet, other: RuleSet) -> Dice | None:
    """Return the likeliest roll, the highest of them, for which the rules pay differently."""
    differing = [
        (chance, dice.faces, dice)
        for dice, chance in roll_outcomes(DICE)
        if rules.score(category, dice) != other.score(category, dice)
    ]
    return max(differing)[-1] if differing else None
