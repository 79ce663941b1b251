"""Names of players: cleaned as they come in and as they go out, and told apart by how they look.

Whatever door a name comes in by, these rules apply to it. They rest on Unicode's own data alone.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MAX_LETTERS = 30
"""Letters as people count them: marks that sit on a letter are not counted."""
MAX_CODE_POINTS = 4 * MAX_LETTERS

_MAX_INPUT = 10 * MAX_CODE_POINTS
# Marks that turn the text around them.
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# They stay where they change what is seen: in Persian, after a virama, in emoji.
_JOINERS = frozenset("\u200c\u200d")
_EMPTY = frozenset("\u00ad\u115f\u1160\u2800\u3164\uffa0")
_MAX_MARKS = 3
# Letters of other alphabets that look like Latin ones in either case, from Unicode's confusables.
_LOOKS_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf", "aeopcyxijso"
)
_VIRAMA = 9
"""The combining class of the marks of Indic scripts that take a letter's vowel away."""


class NameRefusedError(ValueError):
    """A text that is too long for a name, or that cannot be written as UTF-8."""


def clean_name(text: str) -> str:
    """Return *text* as a name: one line, nothing invisible, no marks that turn other text around.

    Nothing else is taken out; whoever shows a name escapes it. An empty name stays empty: such a
    seat is called by its number.

    Raises:
        NameRefusedError: If it is too long, or cannot be written as UTF-8.
    """
    if len(text) > _MAX_INPUT:
        raise NameRefusedError("too long")
    if any(unicodedata.category(char) == "Cs" for char in text):
        raise NameRefusedError("a lone surrogate")
    name, letters = _cleaned(text)
    if letters > MAX_LETTERS or len(name) > MAX_CODE_POINTS:
        raise NameRefusedError("too long")
    return name


@lru_cache(maxsize=1024)
def shown_name(text: str) -> str:
    """Return *text* as a name like `clean_name`, cut down where that would refuse it.

    For names that somebody else has stored, which nobody can be asked to change.
    """
    name, _ = _cleaned(text[:_MAX_INPUT])
    shown = ""
    letters = 0
    for char in name:
        letters += not _is_mark(char)
        if letters > MAX_LETTERS or len(shown) == MAX_CODE_POINTS:
            break
        shown += char
    return _cleaned(shown)[0]


@lru_cache(maxsize=1024)
def look_of(name: str) -> str:
    """Return a text that is the same for names that people take for the same, and for no others.

    Case does not count, nor do the forms of a letter that Unicode holds compatible, nor the
    alphabet of a letter that looks the same in several, nor what cannot be seen.
    """
    folded = unicodedata.normalize("NFKC", _cleaned(name[:_MAX_INPUT])[0]).casefold()
    folded = unicodedata.normalize("NFKC", folded.translate(_LOOKS_LATIN))
    return _cleaned("".join(char for char in folded if not _is_selector(char)))[0]


def _cleaned(text: str) -> tuple[str, int]:
    """Return *text* as a name of any length, and the number of its letters."""
    visible = "".join(map(_visible, unicodedata.normalize("NFC", text)))
    visible = _without_idle(" ".join(visible.split()))
    name = ""
    letters = marks = 0
    for char in visible:
        marks = marks + 1 if _is_mark(char) else 0
        letters += marks == 0
        if marks <= _MAX_MARKS:
            name += char
    # What has gone may have kept letters and marks apart that belong together.
    again = unicodedata.normalize("NFC", name)
    return (name, letters) if again == name == text else _cleaned(again)


def _is_mark(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char)[0] == "M"


def _is_selector(char: str) -> bool:
    """Return whether *char* is a mark that shows nothing, such as those that choose a variant."""
    return char == "\u034f" or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _visible(char: str) -> str:
    """Return *char*, a plain space for any kind of space, or nothing for what cannot be seen."""
    kind = unicodedata.category(char)
    if kind[0] == "Z" or char in "\t\n\r\v\f\x85":
        return " "
    hidden = kind in {"Cc", "Cn", "Co", "Cs"} or (kind == "Cf" and char not in _JOINERS)
    return "" if hidden or char in _DIRECTIONS or char in _EMPTY else char


def _without_idle(text: str) -> str:
    """Return *text* without the joiners and selectors that change nothing where they stand."""
    kept = base = ""
    for place, char in enumerate(text):
        after = text[place + 1 : place + 2]
        if char in _JOINERS and not _is_joined(kept[-1:], base, after):
            continue
        if _is_selector(char) and base in {"", " "}:
            continue
        kept += char
        base = base if _is_mark(char) else char
    return kept


def _is_joined(before: str, base: str, after: str) -> bool:
    """Return whether a joiner can be seen there; *base* is the letter under the mark *before*."""
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    if not (base and after):
        return False
    if unicodedata.bidirectional(base) == "AL":
        return unicodedata.bidirectional(after) == "AL"
    is_picture = unicodedata.category(base) in {"So", "Sk"}
    return is_picture and unicodedata.category(after) == "So"
