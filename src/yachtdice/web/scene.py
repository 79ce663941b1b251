"""A table as one kind of viewer sees it: what pages, streams and the API are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import SOURCE_LANGUAGE, current_language
from yachtdice.web.edge.security import viewer
from yachtdice.web.services.win_odds import are_odds_shown

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from yachtdice.play.online.tables import Tables
    from yachtdice.play.table.table import Table
    from yachtdice.solver.duel import Odds
    from yachtdice.web.services.coaching import Coach
    from yachtdice.web.services.win_odds import WinOdds


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as one kind of viewer sees it."""

    table: Table
    seats: tuple[int, ...] = ()
    """The seats that the viewer holds; none for a spectator."""
    is_host: bool = False
    absent: frozenset[int] = frozenset()
    """The seats that the others may skip or have played on."""
    language: str = SOURCE_LANGUAGE
    odds: Odds | None = None
    """How likely each seat is to win, where the table shows that and it is known."""
    advice: tuple[str, ...] = ()
    """What is best now, as sentences, at a table with hints."""

    @property
    def shows_odds(self) -> bool:
        """Whether the table shows now how likely each seat is to win, be it known or not."""
        return are_odds_shown(self.table)


class Scenes:
    """Makes the scenes of one server."""

    def __init__(self, tables: Tables, coach: Coach, odds: WinOdds) -> None:
        self._tables = tables
        self._coach = coach
        self._odds = odds

    async def of(self, connection: HTTPConnection, table: Table) -> Scene:
        """Return *table* as the sender of the request sees it; wait for its win odds first."""
        await self._odds.settle(table)
        return self.now(table, viewer(connection).holder)

    def now(self, table: Table, holder: str | None) -> Scene:
        """Return *table* as *holder* sees it, in the active language, with what is known now."""
        return Scene(table, *self.key(table, holder), advice=self._coach.advice(table))

    def key(
        self, table: Table, holder: str | None
    ) -> tuple[tuple[int, ...], bool, frozenset[int], str, Odds | None]:
        """Return what distinguishes the scenes of one state of *table*."""
        return (
            table.seats_of(holder),
            holder is not None and table.host == holder,
            self._tables.absent(table),
            current_language(),
            self._odds.find(table),
        )
