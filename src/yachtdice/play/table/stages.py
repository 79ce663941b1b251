"""How far tables are, and how long they are kept when nothing happens at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yachtdice.play.table.table import Table

LOBBY, PLAYING, OVER = "lobby", "playing", "over"
RECORD = "record"
"""No table: the record of a game that was played elsewhere, kept to be looked at."""

DAY = 24 * 3600.0

KEEP_LOBBY = DAY
"""Seconds after which a table whose game never began is put away."""
KEEP_UNFINISHED = 90 * DAY
"""Seconds without an event after which an unfinished game is put away."""
KEEP_RECORD = 90 * DAY
"""Seconds after which a record is put away."""

SWEPT = ((LOBBY, KEEP_LOBBY), (PLAYING, KEEP_UNFINISHED), (RECORD, KEEP_RECORD))
"""The stages whose streams are put away, with the seconds. Finished games are kept for good."""


def stage_of(table: Table) -> str:
    """Return how far *table* is."""
    if table.game is None:
        return LOBBY
    return OVER if table.is_over else PLAYING
