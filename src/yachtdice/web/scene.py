"""A table as one kind of viewer sees it: what pages, streams and the API are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import SOURCE_LANGUAGE, current_language
from yachtdice.web.services import win_odds

if TYPE_CHECKING:
    from yachtdice.play.online.tables import Tables
    from yachtdice.play.table.table import Table
    from yachtdice.solver.duel import Chances


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as one kind of onlooker sees it."""

    table: Table
    seats: tuple[int, ...] = ()
    """The seats that this person holds; none for a spectator."""
    is_host: bool = False
    absent: frozenset[int] = frozenset()
    """The seats that the others may skip or have played on."""
    language: str = SOURCE_LANGUAGE
    chances: Chances | None = None
    """How likely each seat is to win, where the table shows that and it is known."""

    @classmethod
    def of(cls, tables: Tables, table: Table, who: str | None) -> Scene:
        """Return *table* as *who* sees it now, in the language in force."""
        is_host = who is not None and table.host == who
        seats = table.seats_of(who)
        absent, chances = tables.absent(table), win_odds.known(table)
        return cls(table, seats, is_host, absent, current_language(), chances)
