"""The events of a table as entries of a store, and back."""

from __future__ import annotations

from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    RematchOpened,
    SeatLeft,
    SeatPlayedOn,
    SeatRemoved,
    SeatReturned,
    SeatTaken,
    TableOpened,
)
from yachtdice.store.codec import GAME_KINDS, Codec

CODEC: Codec[AnyEvent] = Codec(
    {
        **GAME_KINDS,
        "table_opened": TableOpened,
        "seat_taken": SeatTaken,
        "bot_seated": BotSeated,
        "seat_left": SeatLeft,
        "seat_removed": SeatRemoved,
        "seat_played_on": SeatPlayedOn,
        "seat_returned": SeatReturned,
        "rematch_opened": RematchOpened,
    }
)
"""Writes and reads everything that stands in the stream of a table."""
