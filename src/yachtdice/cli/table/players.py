"""The players as people type them: names with commas between, and computers by their level."""

from __future__ import annotations

from yachtdice.bots import LEVELS, BotError, default_level
from yachtdice.cli.table.errors import SameNameError
from yachtdice.names import look_of
from yachtdice.play.local import Seats
from yachtdice.play.table.names import clean_name

COMPUTER = "computer"


def parse_players(text: str, first: int = 1) -> Seats:
    """Return the seats that *text* fills, such as `Ana, Guest, computer:skilled`.

    A blank name is that of a seat called by its number; *first*, counted from 1, begins.

    Raises:
        BotError: If the computer has no such level.
        SameNameError: If the names of two people look the same.
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
            if name and look_of(name) in map(look_of, filter(None, names)):
                raise SameNameError(name)
            names.append(name)
    return Seats(tuple(names), bots, first - 1)


def _level(text: str) -> str:
    """Return the key of the level that *text* names.

    Raises:
        BotError: If there is none.
    """
    if text.casefold() not in LEVELS:
        raise BotError(text)  # as it was typed
    return text.casefold()
