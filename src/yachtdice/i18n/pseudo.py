"""Pseudo-languages, which are made from the English messages at run time to test translation.

`en_XA` has accents on all letters and is longer: text in plain letters came from no catalogue, and
text that is cut off had a fixed width. `ar_XB` is written from right to left. Neither is offered to
people, but both can be asked for by their tags.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ACCENTED, MIRRORED = "en_XA", "ar_XB"
PSEUDO_LANGUAGES = (ACCENTED, MIRRORED)

_GROWTH = 1.4
"""The minimum length of a changed message, as a multiple of the original."""

# Placeholders of str.format and of templates, which are not changed.
_KEPT = re.compile(r"(\{[^{}]*\}|%\(\w+\)[a-z]|%%)")
_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FANCY = "ÅßÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"
_ACCENTS = str.maketrans(_PLAIN, _FANCY)
_VOWEL = re.compile(r"([aeiou])", re.IGNORECASE)
_FILLER = "~"
# Only words are reversed: digits and punctuation are left to the bidirectional algorithm.
_TURN, _TURN_BACK = "\N{RIGHT-TO-LEFT OVERRIDE}", "\N{POP DIRECTIONAL FORMATTING}"
_WORD = re.compile(r"([^\W\d_]+)")


class PseudoTranslations(NullTranslations):
    """A catalogue of every message in a pseudo-language."""

    def __init__(self, tag: str) -> None:
        """Make the catalogue of the language *tag*."""
        super().__init__()
        self._change = mirrored if tag == MIRRORED else accented

    def gettext(self, message: str) -> str:
        """Return *message*, changed."""
        return self._change(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the English form for *n*, changed."""
        return self._change(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        """Return *message*, changed."""
        del context
        return self._change(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """Return the English form for *n*, changed."""
        del context
        return self.ngettext(msgid1, msgid2, n)


def accented(message: str) -> str:
    """Return *message* with accents on all its letters, and longer.

    >>> accented("Roll: {n} dice")
    'Ŕööļļ: {n} ðîîçéé~~~'
    """
    text = _outside(message, lambda part: _VOWEL.sub(r"\1\1", part).translate(_ACCENTS))
    end = len(text.rstrip())
    filler = _FILLER * (round(_GROWTH * len(message)) - len(text))
    return text[:end] + filler + text[end:] if end else text


def mirrored(message: str) -> str:
    """Return *message*, accented, longer and with its words from right to left."""
    return _outside(accented(message), lambda part: _WORD.sub(rf"{_TURN}\1{_TURN_BACK}", part))


def _outside(message: str, change: Callable[[str], str]) -> str:
    """Return *message* with *change* applied to everything but its placeholders."""
    parts = _KEPT.split(message)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))
