"""The players as people type them: names with commas between, and computers by their level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.bots import LEVELS, BotError, default_level
from yachtdice.cli.table.errors import SameNameError
from yachtdice.i18n import level_name
from yachtdice.names import look_of
from yachtdice.play.local import Seats
from yachtdice.play.table.names import clean_name
from yachtdice.rules import MAX_SEATS, SetupError, SetupReason

if TYPE_CHECKING:
    from collections.abc import Callable

COMPUTER = "computer"


def parse_players(
    text: str, first: int = 1, means_computer: Callable[[str, str], bool] = lambda *_: False
) -> Seats:
    """Return the seats that *text* fills, such as `Ana, Guest, computer:skilled`.

    A blank name is that of a seat called by its number; *first*, counted from 1, begins. For a name
    that is also a level's, `means_computer(name, level)` says whether the computer is meant.

    Raises:
        BotError: If the computer has no such level.
        SameNameError: If the names of two people look the same.
        SetupError: If there are too many.
        TableError: If a name cannot be used.
    """
    names: list[str] = []
    bots: dict[int, str] = {}
    for entry in text.split(","):
        word, colon, level = (part.strip() for part in entry.partition(":"))
        if look_of(word) == COMPUTER:
            bots[len(names)] = _level(level) if colon else default_level()
            names.append("")
        else:
            name = clean_name(entry)
            level = _levels().get(look_of(name), "")
            if level and means_computer(name, level):
                bots[len(names)] = level
                names.append("")
                continue
            if name and look_of(name) in map(look_of, filter(None, names)):
                raise SameNameError(name)
            names.append(name)
    if len(names) > MAX_SEATS:
        raise SetupError(SetupReason.SEAT_COUNT, str(len(names)))
    return Seats(tuple(names), bots, first - 1)


def _levels() -> dict[str, str]:
    """Return the levels by what they are called, as keys and in the active language."""
    keys = {look_of(level_name(key)): key for key in LEVELS}
    return keys | {look_of(key): key for key in LEVELS}


def _level(text: str) -> str:
    """Return the key of the level that *text* names.

    Raises:
        BotError: If there is none.
    """
    if text.casefold() not in LEVELS:
        raise BotError(text)  # as it was typed
    return text.casefold()
