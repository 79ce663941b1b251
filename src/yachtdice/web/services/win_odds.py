"""How likely each is to win, at tables that were opened to show it: found off the event loop.

`settle(table)` is awaited before a state of the table is told to anybody, for a moment at most, and
`known(table)` then says what was found. One thread does this for all tables. It never waits for a
sub-game: what is not solved yet is an estimate, which takes less than a millisecond, and is exact
from the next event on. So what a table shows always comes at once, and always says what it is; on
a server that is too busy even for that, streams tell it later.

Computers that play to win use the same solutions and have more patience.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Lock, Thread
from typing import TYPE_CHECKING

from yachtdice.bots import Bot, find_level, make_bot
from yachtdice.notation import format_record, parse_record
from yachtdice.notation.record import is_built_in
from yachtdice.solutions import Solutions
from yachtdice.web.services import coaching

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from yachtdice.coach import Winning
    from yachtdice.notation import Record
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Game, RuleSet
    from yachtdice.solver.duel import Chances, Duel

_log = logging.getLogger(__name__)

PATIENCE = 0.02
"""Seconds that what a table shows waits for a sub-game."""
THINKING = 1.0
"""Seconds that the computer waits for one."""
SETTLING = 0.5
"""Seconds that a page waits for the chances that it shows; without them it says so."""
MOST_WAITING = 100
"""How many tables may wait for the thread; others show nothing until their next event."""

_MOST_KNOWN = 5000

_THREAD = ThreadPoolExecutor(1, "winning")
_REPORTS = ThreadPoolExecutor(1, "winning-reports")
_DUELS: dict[RuleSet, Duel] = {}
"""For the rule sets that come with the package, and so bounded."""
_OPENING = Lock()
_FOLDERS: list[Path] = []
_KNOWN: OrderedDict[str, tuple[Game, Chances]] = OrderedDict()
"""What was found last at each table, with the game as it stood."""
_SOUGHT: dict[str, tuple[Game, asyncio.Future[None]]] = {}


def look_in(folder: Path) -> None:
    """Use the tables of whole games that `yacht solve --duel` has left in *folder*."""
    _FOLDERS[:] = [folder]


def knows(rules: RuleSet) -> bool:
    """Return whether anything is known of winning under *rules*."""
    return is_built_in(rules) and rules.upper_bonus is None


def duel_of(rules: RuleSet) -> Duel:
    """Return play to win under *rules*, which have to be known; takes time at first.

    What would take seconds later is then done in the background.
    """
    from yachtdice.solver.duel import open_duel  # noqa: PLC0415 - needs NumPy

    with _OPENING:
        if rules not in _DUELS:
            folder = _FOLDERS[0] if _FOLDERS else None
            duel = _DUELS[rules] = open_duel(rules, folder, solo=coaching.solved(rules))
            duel.prepare_estimate()
            Thread(target=duel.prepare, name="winning-prepare", daemon=True).start()
        return _DUELS[rules]


def make_computer(level: str, rules: RuleSet) -> Bot:
    """Return the computer of that *level*; takes time, so not for the event loop."""
    duels = [duel_of(rules)] if find_level(level).plays_to_win and knows(rules) else []
    return make_bot(level, rules, solutions=Solutions(duels=duels), patience=THINKING)


async def prepare(table: Table) -> None:
    """See to it that `settle` has nothing to wait for at *table*, if it was opened with chances."""
    if table.shows_odds and knows(table.rules) and table.rules not in _DUELS:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(_THREAD, duel_of, table.rules)


def known(table: Table) -> Chances | None:
    """Return how likely each is to win at *table* as it stands, where it shows that."""
    found = _KNOWN.get(table.id)
    return found[1] if found is not None and found[0] is table.game and is_shown(table) else None


def is_shown(table: Table) -> bool:
    """Return whether *table* shows how likely each is to win, now."""
    return table.shows_odds and table.to_move is not None and len(table.seats) > 1


async def settle(table: Table) -> None:
    """Let `known` say something of *table*, unless that takes too long."""
    game = table.game
    if game is None or not is_shown(table) or known(table) or not knows(table.rules):
        return
    sought = _SOUGHT.get(table.id)
    if sought is None or sought[0] is not game:
        # The queue of an executor has no other way to tell.
        if _THREAD._work_queue.qsize() >= MOST_WAITING:  # noqa: SLF001
            return
        working = asyncio.get_running_loop().run_in_executor(_THREAD, find, table.id, game)
        sought = _SOUGHT[table.id] = game, working
        working.add_done_callback(lambda _: _found(table.id, game))
    await asyncio.wait({sought[1]}, timeout=SETTLING)


async def moment(table: Table, then: Table) -> Chances | None:
    """Return how likely each was to win *then*, at an earlier moment of *table*.

    None where that is for nobody to see: while a game goes on, only a table with chances shows
    them. None as well where it takes too long to find.
    """
    game = then.game
    is_told = table.shows_odds or table.to_move is None
    if game is None or len(table.seats) == 1 or not is_told or not knows(table.rules):
        return None
    if game.position.is_over or _THREAD._work_queue.qsize() >= MOST_WAITING:  # noqa: SLF001
        return None
    working = asyncio.get_running_loop().run_in_executor(
        _THREAD, lambda: duel_of(game.rules).chances(game.position, PATIENCE)
    )
    done, _ = await asyncio.wait({working}, timeout=SETTLING)
    return working.result() if done else None


async def account_of(record: Record, patience: float) -> Winning | None:
    """Return the game in *record* in winning chances; None where nobody knows them.

    Raises:
        TimeoutError: If that takes longer than *patience* seconds; it goes on, and is there later.
    """
    if len(record.game.names) != 2 or not knows(record.game.rules):  # noqa: PLR2004
        return None
    if _REPORTS._work_queue.qsize() >= MOST_WAITING:  # noqa: SLF001
        raise TimeoutError
    text = format_record(record)
    working = asyncio.get_running_loop().run_in_executor(_REPORTS, _account, text)
    done, _ = await asyncio.wait({working}, timeout=patience)
    if not done:
        raise TimeoutError
    return working.result()


@lru_cache(maxsize=128)
def _account(text: str) -> Winning:
    from yachtdice.coach import winning  # noqa: PLC0415 - needs NumPy

    game = parse_record(text).game
    return winning(duel_of(game.rules), game)


def when_found(table: Table, tell: Callable[[], object]) -> None:
    """Call *tell* on the event loop once what `settle` did not wait for is known."""
    sought = _SOUGHT.get(table.id)
    if sought is not None and sought[0] is table.game:
        # What has failed would be asked for again and again.
        sought[1].add_done_callback(lambda done: None if done.exception() else tell())


def find(table_id: str, game: Game) -> None:
    """Find out how likely each is to win in *game*; takes time, so not for the event loop."""
    chances = duel_of(game.rules).chances(game.position, PATIENCE)
    _KNOWN[table_id] = game, chances
    _KNOWN.move_to_end(table_id)
    while len(_KNOWN) > _MOST_KNOWN:
        _KNOWN.popitem(last=False)


def _found(table_id: str, game: Game) -> None:
    sought = _SOUGHT.get(table_id)
    if sought is not None and sought[0] is game:
        del _SOUGHT[table_id]
    if sought is not None and (error := sought[1].exception()) is not None:
        _log.error("the chances to win were not found", exc_info=error)
