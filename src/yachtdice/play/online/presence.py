"""Who is present at a table. It is not stored, and lost when the server stops."""

from __future__ import annotations

from collections import Counter
from math import inf
from typing import TYPE_CHECKING

from yachtdice.play.table.events import Mode

if TYPE_CHECKING:
    from yachtdice.play.table.table import Table

AWAY_AFTER = 120.0
"""Seconds without a stream or a request after which a seat counts as absent."""
IDLE_AFTER = 900.0
"""Seconds without an action after which the seat whose turn it is counts as absent anyway."""


class Presence:
    """When each holder was last seen at one table. Times are seconds of one clock."""

    def __init__(self, now: float) -> None:
        """Start at *now*: after a restart everybody has the whole time to come back."""
        self._since = now
        self._seen: dict[str, float] = {}
        self._streams: Counter[str] = Counter()
        self.moved = now
        """When the table last changed."""

    def saw(self, holder: str, now: float) -> None:
        """Note a request of *holder* at *now*, which may be past and at another server."""
        self._seen[holder] = max(now, self._seen.get(holder, now))

    def began(self, now: float) -> None:
        """Note that another server has known who is present since *now*."""
        self._since = min(now, self._since)

    def ages(self, now: float) -> dict[str, float]:
        """Return the seconds since each holder was last seen; 0 for those who listen."""
        return {
            holder: 0.0 if self._streams[holder] else now - at for holder, at in self._seen.items()
        }

    def age(self, now: float) -> float:
        """Return for how many seconds it has been known who is present."""
        return now - self._since

    def came(self, holder: str, now: float) -> None:
        """Note that *holder* has opened a stream."""
        self._streams[holder] += 1
        self._seen[holder] = now

    def went(self, holder: str, now: float) -> None:
        """Note that *holder* has closed a stream; there may be others."""
        self._streams[holder] -= 1
        if self._streams[holder] <= 0:
            del self._streams[holder]
        self._seen[holder] = now

    def absent(
        self, table: Table, now: float, away_after: float, idle_after: float
    ) -> frozenset[int]:
        """Return the seats of people who are absent, which the others may skip or play on.

        Never a seat at a table on one device, one that has resigned, or one that a bot plays.
        """
        whens = self._whens(table, away_after, idle_after)
        return frozenset(seat for seat, when in whens.items() if when <= now)

    def due(self, table: Table, now: float, away_after: float, idle_after: float) -> float | None:
        """Return the seconds until another seat is absent if nothing happens, None for never."""
        whens = self._whens(table, away_after, idle_after).values()
        return min((when - now for when in whens if now < when < inf), default=None)

    def _whens(self, table: Table, away_after: float, idle_after: float) -> dict[int, float]:
        """Return the time at which each seat that can be absent becomes so."""
        if table.mode is Mode.DEVICE:
            return {}
        resigned = table.game.position.resigned if table.game else frozenset()
        whens = {}
        for number, seat in enumerate(table.seats):
            holder = seat.holder
            if holder is None or seat.bot is not None or number in resigned:
                continue
            when = -inf if seat.left else inf
            if not self._streams[holder]:
                when = min(when, self._seen.get(holder, self._since) + away_after)
            if table.to_move == number:
                when = min(when, self.moved + idle_after)
            whens[number] = when
        return whens
