"""Encoding the events of a table for a store, and decoding them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from yachtdice.play.table.stages import stage_of
from yachtdice.store.codec import GAME_KINDS, Codec
from yachtdice.store.contract import Write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.play.table.table import Table

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
"""Encodes and decodes all events in the stream of a table."""


def table_write(  # noqa: PLR0913, PLR0917 - what an envelope holds
    before: Table | None,
    after: Table,
    events: Sequence[AnyEvent],
    now: float,
    actor: str,
    request: str | None = None,
    members: Sequence[str] = (),
) -> Write:
    """Return the write that appends *events*, which lead from *before* to *after*.

    *before* is None for a new table.
    """
    stage = stage_of(after)
    return Write(
        after.id,
        before.version if before else 0,
        [CODEC.encode(event) for event in events],
        now,
        actor,
        request,
        members,
        None if before and stage_of(before) == stage else stage,
    )
