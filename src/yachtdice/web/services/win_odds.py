"""How likely each seat is to win, at tables that show it; computed off the event loop.

`WinOdds.settle` is awaited, with a timeout, before a state of a table is shown, and `find` then
returns the odds if they are known. One thread computes them for all tables. It hardly waits for
sub-games: one that is not solved yet is estimated in less than a millisecond, and the odds are
exact from the next event on. If even that takes too long, streams send the odds later.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from functools import lru_cache, partial
from threading import Lock, Thread
from typing import TYPE_CHECKING

from yachtdice.notation import format_record, parse_record
from yachtdice.notation.record import is_built_in
from yachtdice.web.services.worker import BusyError, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.coach import WinOddsReport
    from yachtdice.notation import Record
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Game, RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver.duel import Duel, Odds

_log = logging.getLogger(__name__)

SUB_GAME_TIMEOUT = 0.02
"""Seconds to wait for a sub-game before what a table shows is an estimate."""

_MAX_CACHED = 5000


def are_odds_known(rules: RuleSet) -> bool:
    """Return whether anything is known about winning under *rules*."""
    return is_built_in(rules) and rules.upper_bonus is None


def are_odds_shown(table: Table) -> bool:
    """Return whether *table* shows how likely each seat is to win, now."""
    return table.shows_odds and table.to_move is not None and len(table.seats) > 1


class WinOdds:
    """The win odds of one server."""

    def __init__(self, solutions: Solutions, settle_timeout: float, max_waiting: int = 100) -> None:
        """Play to win by *solutions*; `settle` waits *settle_timeout* seconds at most.

        Up to *max_waiting* tables wait for the thread. Those that come when it is full show nothing
        until their next event.
        """
        self._solutions = solutions
        self._settle_timeout = settle_timeout
        self._worker = Worker("win-odds", max_waiting)
        self._reports = Worker("win-odds-reports", max_waiting)
        self._prepared: set[RuleSet] = set()
        """Only rule sets that come with the package, so the size is bounded."""
        self._preparing = Lock()
        self._cached: OrderedDict[str, tuple[Game, Odds]] = OrderedDict()
        """The newest odds of each table, with the game that they are for."""
        self._pending: dict[str, tuple[Game, asyncio.Future[None]]] = {}
        self._breakdown = lru_cache(maxsize=128)(self._break_down)

    def close(self) -> None:
        """Cancel waiting work."""
        self._worker.close()
        self._reports.close()

    def duel(self, rules: RuleSet) -> Duel:
        """Return play to win under *rules*, for which `are_odds_known`.

        This takes time on the first call, which also starts the slow preparations in the
        background.
        """
        duel = self._solutions.duel(rules)
        assert duel is not None  # by the caller
        with self._preparing:
            if rules not in self._prepared:
                duel.prepare_estimate()
                self._prepared.add(rules)
                Thread(target=duel.prepare, name="win-odds-prepare", daemon=True).start()
        return duel

    async def prepare(self, table: Table) -> None:
        """Solve the rules of *table*, if it was opened to show odds, so that `settle` is quick.

        If too many wait already, `settle` does it later.
        """
        if table.shows_odds and are_odds_known(table.rules) and table.rules not in self._prepared:
            with suppress(BusyError):
                await self._worker.submit(partial(self.duel, table.rules))

    def find(self, table: Table) -> Odds | None:
        """Return how likely each seat is to win at *table* in its current state.

        None if the table does not show that, or it is not known yet.
        """
        cached = self._cached.get(table.id)
        is_current = cached is not None and cached[0] is table.game
        return cached[1] if cached is not None and is_current and are_odds_shown(table) else None

    async def settle(self, table: Table) -> None:
        """Wait until `find` knows the odds of *table*, unless that takes too long."""
        game = table.game
        if game is None or not are_odds_shown(table) or self.find(table) is not None:
            return
        if not are_odds_known(table.rules):
            return
        pending = self._pending.get(table.id)
        if pending is None or pending[0] is not game:
            try:
                working = self._worker.submit(partial(self._compute, table.id, game))
            except BusyError:
                return
            pending = self._pending[table.id] = game, working
            working.add_done_callback(lambda _: self._finish(table.id, game))
        await asyncio.wait({pending[1]}, timeout=self._settle_timeout)

    def when_found(self, table: Table, call: Callable[[], object]) -> None:
        """Call *call* on the event loop once the odds that `settle` did not wait for are known."""
        pending = self._pending.get(table.id)
        if pending is not None and pending[0] is table.game:
            # A failed computation would be repeated again and again.
            pending[1].add_done_callback(lambda done: None if done.exception() else call())

    async def at_moment(self, table: Table, then: Table) -> Odds | None:
        """Return how likely each seat was to win at *then*, an earlier state of *table*.

        None during a game whose table does not show odds, and if it takes too long.
        """
        game = then.game
        is_public = table.shows_odds or table.to_move is None
        if game is None or len(table.seats) == 1 or not is_public:
            return None
        if game.position.is_over or not are_odds_known(table.rules):
            return None
        try:
            working = self._worker.submit(partial(self._odds, game))
        except BusyError:
            return None
        done, _ = await asyncio.wait({working}, timeout=self._settle_timeout)
        return working.result() if done else None

    async def breakdown_of(self, record: Record, timeout: float) -> WinOddsReport | None:  # noqa: ASYNC109
        """Return the game in *record* in win odds; None if they are not known.

        Raises:
            TimeoutError: If that takes longer than *timeout* seconds; it continues, for the
                next call.
        """
        if len(record.game.names) != 2 or not are_odds_known(record.game.rules):  # noqa: PLR2004
            return None
        text = format_record(record)
        try:
            working = self._reports.submit(lambda: self._breakdown(text))
        except BusyError as error:
            raise TimeoutError from error
        done, _ = await asyncio.wait({working}, timeout=timeout)
        if not done:
            raise TimeoutError
        return working.result()

    def _odds(self, game: Game) -> Odds:
        return self.duel(game.rules).win_odds(game.position, SUB_GAME_TIMEOUT)

    def _compute(self, table_id: str, game: Game) -> None:
        odds = self._odds(game)
        self._cached[table_id] = game, odds
        self._cached.move_to_end(table_id)
        while len(self._cached) > _MAX_CACHED:
            self._cached.popitem(last=False)

    def _finish(self, table_id: str, game: Game) -> None:
        pending = self._pending.get(table_id)
        if pending is None or pending[0] is not game:
            return
        del self._pending[table_id]
        if not pending[1].cancelled() and (error := pending[1].exception()) is not None:
            _log.error("the win odds could not be computed", exc_info=error)

    def _break_down(self, text: str) -> WinOddsReport:
        from yachtdice.coach import win_odds_report  # noqa: PLC0415 - needs NumPy

        game = parse_record(text).game
        return win_odds_report(self.duel(game.rules), game)
