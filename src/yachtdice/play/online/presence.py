"""Who is at a table now. Not an event: it is forgotten when the server stops."""

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
        """Begin at *now*: after a restart everybody has the whole time to come back."""
        self._since = now
        self._seen: dict[str, float] = {}
        self._streams: Counter[str] = Counter()
        self.moved = now
        """When the table last changed."""

    def saw(self, who: str, now: float) -> None:
        """Note that *who* asked for something, at *now*, perhaps elsewhere and a while ago."""
        self._seen[who] = max(now, self._seen.get(who, now))

    def began(self, now: float) -> None:
        """Note that the table was in use elsewhere as early as *now*."""
        self._since = min(now, self._since)

    def ages(self, now: float) -> dict[str, float]:
        """Return how many seconds ago each was seen who ever was; 0 for those who watch."""
        return {who: 0.0 if self._streams[who] else now - at for who, at in self._seen.items()}

    def age(self, now: float) -> float:
        """Return for how many seconds it has been known who is here."""
        return now - self._since

    def came(self, who: str, now: float) -> None:
        """Note that *who* began to watch."""
        self._streams[who] += 1
        self._seen[who] = now

    def went(self, who: str, now: float) -> None:
        """Note that *who* ceased to watch, through one of perhaps several streams."""
        self._streams[who] -= 1
        if self._streams[who] <= 0:
            del self._streams[who]
        self._seen[who] = now

    def absent(
        self, table: Table, now: float, away_after: float, idle_after: float
    ) -> frozenset[int]:
        """Return the seats of people who are absent: those that the others may skip or play on.

        Never on a table of one device, and never a seat that has resigned or that a computer plays.
        """
        whens = self._whens(table, away_after, idle_after)
        return frozenset(seat for seat, when in whens.items() if when <= now)

    def due(self, table: Table, now: float, away_after: float, idle_after: float) -> float | None:
        """Return the seconds until one more seat is absent if nothing happens, None for never."""
        whens = self._whens(table, away_after, idle_after).values()
        return min((when - now for when in whens if now < when < inf), default=None)

    def _whens(self, table: Table, away_after: float, idle_after: float) -> dict[int, float]:
        """Return from when on each seat that can be absent is."""
        if table.mode is Mode.DEVICE:
            return {}
        resigned = table.game.position.resigned if table.game else frozenset()
        whens = {}
        for number, seat in enumerate(table.seats):
            who = seat.holder
            if who is None or seat.bot is not None or number in resigned:
                continue
            when = -inf if seat.left else inf
            if not self._streams[who]:
                when = min(when, self._seen.get(who, self._since) + away_after)
            if table.to_move == number:
                when = min(when, self.moved + idle_after)
            whens[number] = when
        return whens
