"""Notices that people at live tables have become absent, and tells the listeners."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from yachtdice.play.online.room import RoomObserver
from yachtdice.play.table.events import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.play.online.room import Room
    from yachtdice.play.online.rooms import Rooms
    from yachtdice.play.table.table import Table


class Absence(RoomObserver):
    """Which seats are absent, and a timer for each room until that may change."""

    def __init__(
        self, rooms: Rooms, clock: Callable[[], float], away_after: float, idle_after: float
    ) -> None:
        """See `presence.AWAY_AFTER` and `presence.IDLE_AFTER` for the two times, in seconds."""
        self._rooms = rooms
        self._clock = clock
        self._away_after = away_after
        self._idle_after = idle_after
        self._timers: dict[Room, asyncio.TimerHandle] = {}
        self._is_stopped = False

    def absent(self, table: Table) -> frozenset[int]:
        """Return the seats of *table* that are absent; none if it is not in memory."""
        room = self._rooms.cached(table.id)
        if room is None:
            return frozenset()
        return room.presence.absent(table, self._clock(), self._away_after, self._idle_after)

    def saw(self, room: Room, holder: str | None) -> None:
        """Note a request of *holder*, None for somebody without a token."""
        if holder is not None:
            room.presence.saw(holder, self._clock())

    def came(self, room: Room, holder: str | None) -> None:
        """Note that *holder* listens from now on."""
        if holder is not None:
            room.presence.came(holder, self._clock())
        self._schedule(room)

    def went(self, room: Room, holder: str | None) -> None:
        """Note that *holder* does not listen any more."""
        if holder is not None:
            room.presence.went(holder, self._clock())
            self._schedule(room)

    def announce(self, room: Room) -> None:
        """Notify the listeners of *room* that other seats are absent now."""
        self._cancel(room)
        room.notify()
        self._schedule(room)

    def changed(self, room: Room) -> None:
        """Set the timer anew: after an action, a seat is absent later."""
        if room.listeners:
            self._schedule(room)

    def forgotten(self, room: Room) -> None:
        """Cancel the timer of *room*."""
        self._cancel(room)

    def stop(self) -> None:
        """Cancel all timers."""
        self._is_stopped = True
        for room in tuple(self._timers):
            self._cancel(room)

    def _cancel(self, room: Room) -> None:
        timer = self._timers.pop(room, None)
        if timer is not None:
            timer.cancel()

    def _schedule(self, room: Room) -> None:
        self._cancel(room)
        if self._is_stopped or not room.listeners or room.table.mode is Mode.DEVICE:
            return
        due = room.presence.due(room.table, self._clock(), self._away_after, self._idle_after)
        if due is not None:
            loop = asyncio.get_running_loop()
            self._timers[room] = loop.call_later(due, self.announce, room)
