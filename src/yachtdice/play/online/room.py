"""A live table: its newest durable state, who listens to it, and who is present."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from yachtdice.play.online.presence import Presence

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from yachtdice.play.table.table import Table

MAX_RECENT = 64
"""How many states of a table stay in memory, for listeners that want each of them."""


class Room:
    """The newest durable state of one table, and what this process needs to know about it."""

    __slots__ = (
        "_invalidations",
        "_validated",
        "answers",
        "following",
        "listeners",
        "pending",
        "presence",
        "recent",
        "table",
        "users",
        "written_at",
    )

    def __init__(self, table: Table, now: float) -> None:
        self.table: Table = table
        self.written_at: float = now
        """The time of the newest event, whichever process wrote it."""
        self.recent: deque[Table] = deque((table,), MAX_RECENT)
        """The newest states, oldest first."""
        self.answers: dict[str, int] = {}
        """The version that each answered request led to."""
        self.pending: asyncio.Future[None] | None = None
        """The append in progress; the next change waits for it."""
        self.listeners: set[Callable[[Table], None]] = set()
        self.users: set[object] = set()
        """Services that need the room in memory and up to date."""
        self.presence: Presence = Presence(now)
        self.following: asyncio.Task[None] | None = None
        """Reads what another process has written, if anybody here needs it."""
        self._invalidations = self._validated = 0

    @property
    def is_stale(self) -> bool:
        """Whether the stream may have events that are not applied here."""
        return self._invalidations != self._validated

    @property
    def invalidations(self) -> int:
        """The number of calls of `invalidate` so far."""
        return self._invalidations

    def invalidate(self) -> None:
        """Note that another process has written to the stream, or may have."""
        self._invalidations += 1

    def validate(self, invalidations: int) -> None:
        """Note that a read that began after so many invalidations has been applied."""
        self._validated = max(self._validated, invalidations)

    def advance(self, table: Table, written_at: float) -> None:
        """Make *table* the newest durable state; its newest event has the time *written_at*."""
        self.table = table
        self.written_at = written_at
        self.recent.append(table)

    def notify(self) -> None:
        """Call all listeners with the newest state."""
        for listener in tuple(self.listeners):
            listener(self.table)

    @property
    def is_needed(self) -> bool:
        """Whether somebody has to learn of changes soon."""
        return bool(self.listeners or self.users)

    @property
    def is_idle(self) -> bool:
        """Whether it can be dropped from memory without anybody noticing."""
        return not (self.is_needed or self.pending or self.following)


class RoomObserver:
    """Reacts to what happens to rooms. Each method does nothing unless overridden."""

    def loaded(self, room: Room) -> None:
        """Handle a room that was read from the store."""

    def changed(self, room: Room) -> None:
        """Handle a new or newly loaded state, or a change that could not be stored."""

    def forgotten(self, room: Room) -> None:
        """Handle a room that was dropped from memory."""
