"""Opening a table that begins with the first events of a game that was played before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.table import MAX_SEATS, Table

if TYPE_CHECKING:
    from yachtdice.play.online.tables import Tables
    from yachtdice.rules import Game


async def play_on(tables: Tables, table: Table, holder: str, event: int, request_id: str) -> Table:
    """Return a new table on *holder*'s device with the first *event* events of *table*'s game.

    Bots keep their seats, *holder* gets all others, and the server rolls from here on. A retry with
    the same *request_id* gets the same table.

    Raises:
        ValueError: If there is no such moment; see `is_moment`.
        StoreError: If it cannot be stored.
    """
    game = table.game
    if game is None or not is_moment(table, event):
        raise ValueError(event)
    opened = TableOpened(
        table.rules,
        DiceKind.SYSTEM,
        Mode.DEVICE,
        holder,
        table.size,
        table.hints,
        tables.today(),
        table.id,
        table.shows_odds,
    )
    events: list[AnyEvent] = [opened]
    for number, seat in enumerate(table.seats):
        if seat.is_computer and seat.bot is not None:
            events.append(BotSeated(number, seat.bot, seat.name))
        else:
            events.append(SeatTaken(number, seat.name, holder))
    events += game.events[:event]
    return await tables.create(holder, events, request_id)


def can_play_on(table: Table) -> bool:
    """Return whether *table* has a person's seat, and not more seats than a table can have."""
    return len(table.seats) <= MAX_SEATS and not all(seat.is_computer for seat in table.seats)


def is_moment(table: Table, event: int) -> bool:
    """Return whether one can play on from *table* after the first *event* events of its game."""
    game = table.game
    if game is None or not can_play_on(table) or not 1 <= event <= len(game.events):
        return False
    return event < len(game.events) or not game.position.is_over


def is_played_on(game: Game, before: Game) -> bool:
    """Return whether *game*, whose table names that of *before*, begins with its dice.

    A rematch does not: it is next to impossible that the same five dice fall first, in the same
    order.
    """
    return game.events[:2] == before.events[:2]
