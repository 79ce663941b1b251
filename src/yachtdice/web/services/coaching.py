"""The coach for pages: reports, statistics and advice, computed off the event loop.

A rule set is solved once (some hundredths of a second, half a second with an upper bonus), a report
takes some hundredths, the distribution of totals some seconds under an upper bonus. One thread does
what is quick and another one what takes seconds.

The threads also import the coach and NumPy, so that a server without coached games never does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from yachtdice.notation import format_record, parse_record
from yachtdice.notation.record import is_built_in
from yachtdice.play.table.events import DiceKind
from yachtdice.web.edge.security import RefusedError
from yachtdice.web.services.worker import BusyError, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yachtdice.coach import Report
    from yachtdice.coach.analysis.statistics import Statistics
    from yachtdice.notation import Record
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Position, RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import SoloSolution

T = TypeVar("T")


def is_coached(rules: RuleSet) -> bool:
    """Return whether the coach analyses games under *rules*.

    It could solve any rules, but those of a stranger might take minutes.
    """
    return is_built_in(rules)


class Coach:
    """The coach of one server."""

    def __init__(self, solutions: Solutions, max_waiting: int) -> None:
        """Solve rule sets by *solutions*; up to *max_waiting* requests wait for each thread."""
        self.solutions = solutions
        self._quick = Worker("coach", max_waiting)
        self._slow = Worker("coach-totals", max_waiting)
        self._solving: set[RuleSet] = set()
        self._report = lru_cache(maxsize=128)(self._analyse)

    def close(self) -> None:
        """Cancel waiting work."""
        self._quick.close()
        self._slow.close()

    async def report_of(self, record: Record) -> Report:
        """Return what the coach says of the game in *record*, under rules that are coached.

        Raises:
            RefusedError: If too many wait already (503).
        """
        text = format_record(record)
        return await self.quickly(lambda: self._report(text))

    async def statistics_of(self, games: Sequence[tuple[Record, tuple[int, ...]]]) -> Statistics:
        """Return the statistics of *games*, oldest first, each with the seats that count.

        Raises:
            RefusedError: If too many wait already (503).
        """
        # One by one, so that requests for a single report can come in between.
        reports = [
            (await self.report_of(record), record.game.events, seats) for record, seats in games
        ]

        def add_up() -> Statistics:
            from yachtdice.coach.analysis.statistics import Entry, statistics

            # Totals are computed only if a game was finished without giving up.
            return statistics([Entry(*found) for found in reports], self.solutions.totals)

        return await self.slowly(add_up)

    async def prepare(self, table: Table) -> None:
        """Solve the rules of *table*, if it was opened with hints, so that `advice` knows them."""
        if table.hints and is_coached(table.rules) and not self.solutions.ready(table.rules):
            await self.quickly(lambda: self.solutions.solo(table.rules))

    def advice(self, table: Table) -> tuple[str, ...]:
        """Return what is best now, as sentences, at a table with hints; none if not known yet.

        With real dice only the end of each turn is entered, so there is nothing to advise on.
        """
        if not table.hints or table.game is None or table.dice is DiceKind.REAL:
            return ()
        if table.to_move is None or table.bot_to_move is not None or not is_coached(table.rules):
            return ()
        solution = self.solutions.ready(table.rules)
        if solution is None:
            self._begin_to_solve(table.rules)
            return ()
        return _advice(table.game.position, solution)

    async def quickly(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, which takes less than a second.

        Raises:
            RefusedError: If too many wait already (503).
        """
        return await _result(self._quick, work)

    async def slowly(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, which takes seconds.

        Raises:
            RefusedError: If too many wait already (503).
        """
        return await _result(self._slow, work)

    def _begin_to_solve(self, rules: RuleSet) -> None:
        if rules not in self._solving and not self._quick.is_full:
            self._solving.add(rules)
            self._quick.submit(lambda: self.solutions.solo(rules))

    def _analyse(self, text: str) -> Report:
        from yachtdice.coach import analyse_record

        record = parse_record(text)
        return analyse_record(record, self.solutions.solo(record.game.rules))


def _advice(position: Position, solution: SoloSolution) -> tuple[str, ...]:
    from yachtdice.coach import hint, hint_sentences

    given = hint(position, solution)
    return () if given is None else hint_sentences(given)


async def _result(worker: Worker, work: Callable[[], T]) -> T:
    try:
        return await worker.submit(work)
    except BusyError as error:
        raise RefusedError(503, "busy", "too many games are waiting to be analysed") from error
