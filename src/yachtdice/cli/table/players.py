"""Who plays, as people write it: names with commas between, and computers by their level."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from yachtdice.bots import BOTS, BotError
from yachtdice.cli.table.boxes import plain
from yachtdice.cli.table.errors import SameNameError
from yachtdice.play.local import Seats
from yachtdice.play.table.names import clean_name
from yachtdice.rules import RuleSet

if TYPE_CHECKING:
    from yachtdice.play.local import Player

COMPUTER = "computer"


def parse_players(text: str, first: int = 1) -> Seats:
    """Return the seats that *text* fills, such as `Ana, Guest, computer:skilled`.

    A blank name is that of a seat called by its number; *first*, counted from 1, begins.

    Raises:
        BotError: If the computer has no such level.
        SameNameError: If two people have the same name.
        TableError: If a name cannot be used.
    """
    names: list[str] = []
    bots: dict[int, str] = {}
    for entry in text.split(","):
        word, colon, level = (part.strip() for part in entry.partition(":"))
        if plain(word) == COMPUTER:
            if colon and level.casefold() not in BOTS:
                raise BotError(level)
            bots[len(names)] = level.casefold() if colon else default_level()
            names.append("")
        else:
            name = clean_name(entry)
            if name and any(plain(name) == plain(other) and name for other in names if other):
                raise SameNameError(name)
            names.append(name)
    return Seats(tuple(names), bots, first - 1)


def make_player(level: str, rules: RuleSet, seed: str | None) -> Player:
    """Return the computer of that *level*; `champion` has the table of two-player play, if any.

    Raises:
        YachtError: If there is no such level, or it needs what is not installed.
    """
    from yachtdice.bots import make_bot

    if level != "champion":
        return make_bot(level, rules, seed)
    from yachtdice.cli.support.coach_files import duel_of, solved

    return make_bot(level, rules, seed, solved(rules), duel=duel_of(rules))


def default_level() -> str:
    """Return the level of a computer that nobody has chosen one for."""
    return "casual" if find_spec("numpy") else "greedy"
