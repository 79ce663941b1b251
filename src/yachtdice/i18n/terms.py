"""Names of boxes and rule sets, and short phrases, in the active language."""

from __future__ import annotations

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import ngettext, pgettext, pgettext_noop
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import ALL_DICE, TRADITIONAL, Category, RuleSet

_CATEGORIES = {
    # Translators: the boxes of the scorecard, as headings. Never put into a sentence.
    Category.ONES: pgettext_noop("category", "Ones"),
    Category.TWOS: pgettext_noop("category", "Twos"),
    Category.THREES: pgettext_noop("category", "Threes"),
    Category.FOURS: pgettext_noop("category", "Fours"),
    Category.FIVES: pgettext_noop("category", "Fives"),
    Category.SIXES: pgettext_noop("category", "Sixes"),
    Category.FULL_HOUSE: pgettext_noop("category", "Full House"),
    Category.FOUR_OF_A_KIND: pgettext_noop("category", "Four of a Kind"),
    Category.LITTLE_STRAIGHT: pgettext_noop("category", "Little Straight"),
    Category.BIG_STRAIGHT: pgettext_noop("category", "Big Straight"),
    # Translators: the box that takes any dice.
    Category.CHOICE: pgettext_noop("category", "Choice"),
    Category.YACHT: pgettext_noop("category", "Yacht"),
}


def category_name(category: Category) -> str:
    """Return the name of a box, as a heading."""
    return pgettext(*_CATEGORIES[category])


def rules_name(rules: RuleSet) -> str:
    """Return the name of a rule set; that of house rules is their key."""
    if rules == TRADITIONAL:
        return pgettext("rule set", "Traditional")
    if rules == ALL_DICE:
        return pgettext("rule set", "All dice")
    return rules.key


def rules_note(rules: RuleSet) -> str:
    """Return what is special about a rule set that comes with the package, in one sentence.

    Other rule sets have none: the text is empty.
    """
    if rules.key not in RULE_SET_KEYS or rules != find_rules(rules.key):
        return ""
    notes = {
        "traditional": _("Four of a Kind scores four times the face that matches."),
        "all-dice": _("Four of a Kind scores the sum of all five dice."),
        "console": pgettext(
            "rule set", "Straights of four dice, and a bonus for the number boxes."
        ),
        "knizia": pgettext("rule set", "As All dice, and five alike are a full house too."),
    }
    return notes[rules.key]


def points_text(points: int) -> str:
    """Return a number of points in words."""
    # Translators: a number of points by itself.
    return ngettext("{n} point", "{n} points", points).format(n=points)


def rolls_left_text(rolls: int) -> str:
    """Return how many rolls are left, without a full stop."""
    # Translators: how many rolls a turn still has; a sentence without its full stop.
    return ngettext("{n} roll left", "{n} rolls left", rolls).format(n=rolls)


def certainty_word(kind: str) -> str:
    """Return whether win odds are `exact` or an `estimate`, in a word."""
    words = {
        # Translators: beside chances to win that are those of perfect play.
        "exact": pgettext("chances", "exact"),
        # Translators: beside chances to win that are not known exactly.
        "estimate": pgettext("chances", "estimate"),
    }
    return words[kind]
