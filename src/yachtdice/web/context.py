"""The services of a server, and what endpoints get from a request: services, tables, ids."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yachtdice.web.scene import Scenes
from yachtdice.web.services.coaching import Coach
from yachtdice.web.services.win_odds import WinOdds

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from yachtdice.play.online.tables import Tables
    from yachtdice.play.table.table import Table
    from yachtdice.play.training import Training
    from yachtdice.solutions import Solutions
    from yachtdice.web.edge.settings import Settings


class Services:
    """The services of one server, made once; `app.state.services`."""

    def __init__(self, tables: Tables, settings: Settings, solutions: Solutions) -> None:
        """Make the services of a server of *tables*."""
        self.tables = tables
        self.settings = settings
        self.coach: Coach = Coach(solutions, settings.max_waiting)
        self.odds: WinOdds = WinOdds(solutions, settings.settle_timeout)
        self.scenes: Scenes = Scenes(tables, self.coach, self.odds)

    @cached_property
    def training(self) -> Training:
        """The trainers of all holders; imports NumPy."""
        from yachtdice.play.training import Training  # noqa: PLC0415

        return Training(self.tables.store, self.coach)

    async def prepare(self, table: Table) -> None:
        """Compute what the first page of *table* would wait for: hints and win odds."""
        await self.coach.prepare(table)
        await self.odds.prepare(table)

    def close(self) -> None:
        """Cancel waiting computations. The tables are left open: they were passed in."""
        self.coach.close()
        self.odds.close()


def services(connection: HTTPConnection) -> Services:
    """Return the services of the server that answers."""
    found: Services = connection.app.state.services
    return found


def tables_of(connection: HTTPConnection) -> Tables:
    """Return the tables of the server that answers."""
    return services(connection).tables


def table_id(connection: HTTPConnection) -> str:
    """Return the id of the table in the path."""
    found: str = connection.path_params["table_id"]
    return found
