"""Find the box that people mean: by name, by the beginning of a name, or by its number."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from yachtdice.cli.table.errors import BoxError, BoxReason
from yachtdice.i18n import category_name
from yachtdice.rules import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from yachtdice.rules import RuleSet

# What English speakers call the boxes besides their names; `four_of_a_kind` and the like are keys.
_SYNONYMS = {
    Category.ONES: ("1s", "aces"),
    Category.TWOS: ("2s",),
    Category.THREES: ("3s",),
    Category.FOURS: ("4s",),
    Category.FIVES: ("5s",),
    Category.SIXES: ("6s",),
    Category.FULL_HOUSE: ("fh",),
    Category.FOUR_OF_A_KIND: ("4k", "4 of a kind", "4 alike", "four alike", "four kind", "quads"),
    Category.LITTLE_STRAIGHT: ("ls", "ss", "small straight", "low straight", "straight"),
    Category.BIG_STRAIGHT: ("bs", "large straight", "high straight", "straight"),
    Category.CHOICE: ("ch", "player's choice", "chance"),
    Category.YACHT: ("5k", "5 of a kind", "five of a kind", "5 alike", "five alike"),
}

# Letters that Unicode does not take apart into a letter and a mark.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h"})


def find_box(text: str, rules: RuleSet, *, by_number: bool = True) -> Category:
    """Return the box that *text* means on the card of *rules*.

    A number counts the boxes from 1 in the order of the card. The beginning of a name has to be
    that of one box only, open or not: what a text means does not change during a game.

    Raises:
        BoxError: If there is no such box, or more than one.
    """
    digits = text.strip()
    if by_number and re.fullmatch(r"[0-9]{1,3}", digits):
        number = int(digits)
        if 1 <= number <= len(rules.categories):
            return rules.categories[number - 1]
        raise BoxError(BoxReason.UNKNOWN, text)
    # Without a letter it is a slip: other digits, a sign, a number that is not asked for here.
    wanted = plain(text) if any(char.isalpha() for char in text) else ""
    names = {category: _names(category, category_name(category)) for category in rules.categories}
    found = _matching(names, lambda name, _: name == wanted)
    if not found and wanted:
        # The beginnings of proper names come first: they are what people see on the card.
        found = _matching(names, lambda name, proper: proper and name.startswith(wanted))
        found = found or _matching(names, lambda name, _: name.startswith(wanted))
    if len(found) == 1:
        return found[0]
    raise BoxError(BoxReason.AMBIGUOUS if found else BoxReason.UNKNOWN, text, tuple(found))


def find_boxes(texts: Iterable[str], rules: RuleSet) -> tuple[Category, ...]:
    """Return the boxes that *texts* mean, each once, in the order of the card.

    Raises:
        BoxError: If one of them means no box, or several.
    """
    found = {find_box(text, rules) for text in texts}
    return tuple(category for category in rules.categories if category in found)


def plain(text: str) -> str:
    """Return *text* as it is compared: letters and digits alone, without marks, in lower case."""
    # Canonical decomposition alone: it leaves other digits than 0 to 9 what they are.
    apart = unicodedata.normalize("NFD", text.casefold().translate(_LETTERS))
    return "".join(char for char in apart if char.isalnum())


@cache
def _names(category: Category, translated: str) -> dict[str, bool]:
    """Return all names of a box as they are compared, each with whether it is a proper name."""
    proper = {plain(name): True for name in (category.value, translated)}
    return {plain(name): False for name in _SYNONYMS[category]} | proper


def _matching(
    names: Mapping[Category, Mapping[str, bool]], fits: Callable[[str, bool], bool]
) -> list[Category]:
    return [
        category
        for category, those in names.items()
        if any(fits(name, proper) for name, proper in those.items())
    ]
