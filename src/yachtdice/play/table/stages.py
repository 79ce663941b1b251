"""The stages of a table, and when tables expire."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yachtdice.play.table.table import Table

LOBBY, PLAYING, OVER = "lobby", "playing", "over"
RECORD = "record"
"""The stage of a pasted record, which is not a table."""

DAY = 24 * 3600.0

KEEP_LOBBY = DAY
"""Seconds after which a table whose game never began expires."""
KEEP_UNFINISHED = 90 * DAY
"""Seconds without an event after which an unfinished game expires."""
KEEP_RECORD = 90 * DAY
"""Seconds after which a pasted record expires."""

SWEPT = ((LOBBY, KEEP_LOBBY), (PLAYING, KEEP_UNFINISHED), (RECORD, KEEP_RECORD))
"""The stages whose streams expire, with the seconds. Finished games never do."""


def stage_of(table: Table) -> str:
    """Return the stage of *table*."""
    if table.game is None:
        return LOBBY
    return OVER if table.is_over else PLAYING
