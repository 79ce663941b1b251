"""What the levels of the computer are called, and how each plays, by the keys of `bots.LEVELS`."""

from __future__ import annotations

from dataclasses import dataclass

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import gettext_noop, pgettext, pgettext_noop


@dataclass(frozen=True, slots=True)
class LevelWords:
    """The words of one level; every level has all of them."""

    label: tuple[str, str]
    """The name by itself."""
    inline: tuple[str, str]
    """The name beside another word, or in a list."""
    note: str
    """How the level plays, in a sentence."""


_WORDS = {
    "random": LevelWords(
        # Translators: how the computer plays, as a label: it makes any move at random.
        pgettext_noop("level", "Random"),
        pgettext_noop("level", "random"),
        # Translators: how the computer plays at the level “random”.
        gettext_noop("Makes any move that the rules allow, at random."),
    ),
    "greedy": LevelWords(
        # Translators: how the computer plays, as a label: it takes the best-paying box at once.
        pgettext_noop("level", "Greedy"),
        pgettext_noop("level", "greedy"),
        # Translators: how the computer plays at the level “greedy”.
        gettext_noop("Plays each roll as if the next one were the last."),
    ),
    "novice": LevelWords(
        # Translators: how well the computer plays, as a label of its own.
        pgettext_noop("level", "Novice"),
        # Translators: the same beside a name, as in “Computer (novice)”.
        pgettext_noop("level", "novice"),
        gettext_noop("Keeps what looks nice and often misses the better box."),
    ),
    "casual": LevelWords(
        pgettext_noop("level", "Casual"),
        pgettext_noop("level", "casual"),
        gettext_noop("Plays sensibly and does not count."),
    ),
    "skilled": LevelWords(
        pgettext_noop("level", "Skilled"),
        pgettext_noop("level", "skilled"),
        gettext_noop("Looks ahead and gives little away."),
    ),
    "perfect": LevelWords(
        pgettext_noop("level", "Perfect"),
        pgettext_noop("level", "perfect"),
        gettext_noop("Makes the best decision every time."),
    ),
    "champion": LevelWords(
        # Translators: plays to win, not for the highest total.
        pgettext_noop("level", "Champion"),
        pgettext_noop("level", "champion"),
        gettext_noop("Looks at your card as well: careful when ahead, bold when behind."),
    ),
}

DESCRIBED_LEVELS = tuple(_WORDS)
"""The keys of the levels that have words."""


def level_name(level: str, *, inline: bool = False) -> str:
    """Return the name of a level: as a label, or *inline*, beside another word or in a list.

    A record may name a level of another version, whose name is its key.
    """
    if level not in _WORDS:
        return level
    words = _WORDS[level]
    return pgettext(*(words.inline if inline else words.label))


def level_note(level: str) -> str:
    """Return a sentence on how the computer plays at *level*, which must be one of `LEVELS`."""
    return _(_WORDS[level].note)
