"""A table that begins in the middle: with the first events of a game that was played before."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from yachtdice.play.online.tokens import new_table_id
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.stages import stage_of
from yachtdice.play.table.table import MAX_SEATS, Table
from yachtdice.store.contract import VersionConflictError, Write
from yachtdice.web.edge.security import RefusedError

if TYPE_CHECKING:
    from yachtdice.play.online.tables import Tables
    from yachtdice.rules import Game


async def play_on(tables: Tables, table: Table, who: str, event: int, request_id: str) -> Table:
    """Return a new table on the device of *who* with the first *event* events of *table*'s game.

    The computer keeps its seats, *who* has all others, and the server rolls from here on. A retry
    with the same *request_id* gets the same table.

    Raises:
        RefusedError: If there is nothing to play on from, or nobody could (400).
    """
    game = table.game
    if game is None or not 1 <= event <= len(game.events) or not can_play_on(table):
        raise RefusedError(400, "malformed", "no such moment")
    if event == len(game.events) and game.position.is_over:
        raise RefusedError(400, "malformed", "the game is over")
    now = time.time()
    opened = TableOpened(
        table.rules,
        DiceKind.SYSTEM,
        Mode.DEVICE,
        who,
        table.size,
        table.hints,
        datetime.fromtimestamp(now, UTC).date().isoformat(),
        table.id,
        table.shows_odds,
    )
    events: list[AnyEvent] = [opened]
    for number, seat in enumerate(table.seats):
        if seat.is_computer and seat.bot is not None:
            events.append(BotSeated(number, seat.bot, seat.name))
        else:
            events.append(SeatTaken(number, seat.name, who))
    events += game.events[:event]
    new = Table.replay(new_table_id(who, request_id), events)
    entries = [CODEC.encode(entry) for entry in events]
    write = Write(new.id, 0, entries, now, who, None, (who,), stage_of(new))
    with suppress(VersionConflictError):  # a retry
        await tables.store.append(write)
    return await tables.get(new.id, who)


def can_play_on(table: Table) -> bool:
    """Return whether *table* has a person's seat, and not more seats than a table can have."""
    return len(table.seats) <= MAX_SEATS and not all(seat.is_computer for seat in table.seats)


def is_played_on(game: Game, before: Game) -> bool:
    """Return whether *game*, whose table names that of *before*, begins with its dice.

    A rematch does not: that it rolls the same five dice in the same order first is as good as
    impossible.
    """
    return game.events[:2] == before.events[:2]
