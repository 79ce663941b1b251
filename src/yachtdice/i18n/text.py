"""Text that somebody else wrote, such as what was typed, made safe to show."""

from __future__ import annotations

from unicodedata import category

_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""They show nothing themselves, but Persian names and composed pictures need them."""


def is_printable(char: str) -> bool:
    """Return whether *char* can be shown as it is."""
    return char.isprintable() or char in _JOINERS


def safe_text(text: str) -> str:
    """Return *text*, character for character, with a sign for each that is not to be shown.

    Those are what a terminal obeys, ends a line by, or turns other text around for; spaces of any
    kind stay.
    """
    if text.isprintable():
        return text
    return "".join(char if _is_safe(char) else "\N{REPLACEMENT CHARACTER}" for char in text)


def _is_safe(char: str) -> bool:
    return is_printable(char) or category(char) == "Zs"


def printable(text: str, length: int = 24) -> str:
    """Return *text* on one line, with a sign for each invisible character, and not too long."""
    visible = "".join(char if is_printable(char) else "\N{REPLACEMENT CHARACTER}" for char in text)
    return visible if len(visible) <= length else f"{visible[: length - 3]}..."
