"""What the pages have from the coach: reports, statistics and advice, off the event loop.

All of it is exact and costs time: a rule set is solved once (some hundredths of a second, half a
second with an upper bonus), a report takes some hundredths, the distribution of totals some seconds
under an upper bonus. So one thread does the quick things and another one the distributions; both
keep what they have found, and the language of whoever asks is in force there as well.

It is also the threads that import the coach: that brings NumPy, for which nobody should wait who
only wants to play.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from yachtdice.notation import format_record, parse_record
from yachtdice.notation.record import is_built_in
from yachtdice.play.table.events import DiceKind
from yachtdice.web.edge.security import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from yachtdice.coach import Report
    from yachtdice.coach.analysis.statistics import Statistics
    from yachtdice.notation import Record
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Position, RuleSet
    from yachtdice.solver import Distribution, SoloSolution

T = TypeVar("T")

MOST_WAITING = 50
"""How many may wait for the coach; whoever comes then is asked to come back."""

_QUICK = ThreadPoolExecutor(1, "coach")
_SLOW = ThreadPoolExecutor(1, "coach-totals")
_SOLVED: dict[RuleSet, SoloSolution] = {}
"""For the rule sets that come with the package, and so bounded."""
_BEGUN: set[RuleSet] = set()


def knows(rules: RuleSet) -> bool:
    """Return whether the coach speaks about games under *rules*.

    It would solve any, but a stranger's could keep the server busy for minutes.
    """
    return is_built_in(rules)


async def report_of(record: Record) -> Report:
    """Return what the coach says of the game in *record*, whose rules it knows.

    Raises:
        RefusedError: If too many wait already (503).
    """
    text = format_record(record)
    return await quickly(lambda: _report(text))


async def statistics_of(
    games: Sequence[tuple[Record, tuple[int, ...]]], cache: Path | None
) -> Statistics:
    """Return what *games*, the oldest first, come to; each with the seats that count.

    *cache* is the folder for distributions, None for nowhere.

    Raises:
        RefusedError: If too many wait already (503).
    """
    # One after the other, so that somebody with a single game need not wait for all of them.
    reports = [(await report_of(record), record.game.events, seats) for record, seats in games]

    def add_up() -> Statistics:
        from yachtdice.coach.analysis.statistics import Entry, statistics

        # Totals are asked for only where a game was finished by somebody who has not given up.
        return statistics([Entry(*found) for found in reports], lambda rules: _totals(rules, cache))

    return await slowly(add_up)


async def prepare(table: Table) -> None:
    """See to it that `advice` has something to say at *table*, if it was opened with hints."""
    if table.hints and table.rules not in _SOLVED and knows(table.rules):
        await quickly(lambda: solved(table.rules))


def advice(table: Table) -> tuple[str, ...]:
    """Return what is best now, in words, at a table with hints; nothing if that is not known yet.

    With real dice nobody types more than the end of a turn, so there is nothing to advise on.
    """
    if not table.hints or table.game is None or table.dice is DiceKind.REAL:
        return ()
    if table.to_move is None or table.bot_to_move is not None or not knows(table.rules):
        return ()
    if table.rules not in _SOLVED:
        _begin(table.rules)
        return ()
    return _advice(table.game.position)


def _advice(position: Position) -> tuple[str, ...]:
    from yachtdice.coach import hint, hint_sentences

    given = hint(position, _SOLVED[position.rules])
    return () if given is None else hint_sentences(given)


def _begin(rules: RuleSet) -> None:
    if rules not in _BEGUN:
        _BEGUN.add(rules)
        _QUICK.submit(solved, rules)


async def quickly(work: Callable[[], T]) -> T:
    """Return what *work* returns, which takes less than a second.

    Raises:
        RefusedError: If too many wait already (503).
    """
    return await _think(_QUICK, work)


async def slowly(work: Callable[[], T]) -> T:
    """Return what *work* returns, which takes seconds.

    Raises:
        RefusedError: If too many wait already (503).
    """
    return await _think(_SLOW, work)


async def _think(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    # The queue of an executor has no other way to tell.
    if thread._work_queue.qsize() >= MOST_WAITING:  # noqa: SLF001
        raise RefusedError(503, "busy", "too many games are waiting to be analysed")
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(thread, lambda: context.run(work))


def solved(rules: RuleSet) -> SoloSolution:
    """Return perfect play under *rules*; takes time, so not for the event loop."""
    from yachtdice.solver import solve

    if rules not in _SOLVED:
        _SOLVED[rules] = solve(rules)
    return _SOLVED[rules]


@lru_cache(maxsize=128)
def _report(text: str) -> Report:
    from yachtdice.coach import analyse_record

    record = parse_record(text)
    return analyse_record(record, solved(record.game.rules))


@cache
def _totals(rules: RuleSet, folder: Path | None) -> Distribution:
    from yachtdice.solver import cached_totals

    solution = solved(rules)
    return solution.distribution() if folder is None else cached_totals(solution, folder)
