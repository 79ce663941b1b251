"""Cleaning the names of players."""

from __future__ import annotations

import unicodedata

from yachtdice.play.table.refusals import TableError, TableReason

MAX_LETTERS = 30
"""Letters as people count them: marks that sit on a letter are not counted."""
MAX_CODE_POINTS = 4 * MAX_LETTERS

# Marks that turn the text around them. Joiners stay: Persian and emoji are written with them.
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d")
_EMPTY = frozenset("\u00ad\u115f\u1160\u2800\u3164\uffa0")
_MAX_MARKS = 3


def clean_name(text: str) -> str:
    """Return *text* as a name: one line, nothing invisible, no marks that turn other text around.

    Nothing else is taken out; whoever shows a name escapes it. An empty name stays empty: such a
    seat is called by its number.

    Raises:
        TableError: If it is too long, or cannot be written as UTF-8.
    """
    if len(text) > 10 * MAX_CODE_POINTS:
        raise TableError(TableReason.NAME, "too long")
    visible = "".join(map(_visible, unicodedata.normalize("NFC", text)))
    name = ""
    letters = marks = 0
    for char in " ".join(visible.split()):
        if char in _JOINERS or unicodedata.category(char)[0] == "M":
            marks += 1
        else:
            letters += 1
            marks = 0
        if marks <= _MAX_MARKS:
            name += char
    if not name.strip("".join(_JOINERS) + " "):
        return ""
    if letters > MAX_LETTERS or len(name) > MAX_CODE_POINTS:
        raise TableError(TableReason.NAME, "too long")
    return name


def _visible(char: str) -> str:
    """Return *char*, a plain space for any kind of space, or nothing for what cannot be seen."""
    kind = unicodedata.category(char)
    if kind == "Cs":
        raise TableError(TableReason.NAME, "a lone surrogate")
    if kind[0] == "Z" or char in "\t\n\r\v\f\x85":
        return " "
    hidden = kind in {"Cc", "Cn", "Co"} or (kind == "Cf" and char not in _JOINERS)
    return "" if hidden or char in _DIRECTIONS or char in _EMPTY else char
