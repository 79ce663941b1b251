"""Keeps the rooms of servers that share one store in step.

The store notifies a server of changes that others make. Who is present is not stored: each server
tells the others whom it has seen, so that a seat is absent for all of them or for none, and asks
when it loads a table that the others may have in memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from yachtdice.play.online.room import RoomObserver
from yachtdice.play.table.events import Mode
from yachtdice.store.contract import MAX_TEXT, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.play.online.absence import Absence
    from yachtdice.play.online.room import Room
    from yachtdice.play.online.rooms import Rooms
    from yachtdice.store.contract import Store

_log = logging.getLogger(__name__)

REPORT_EVERY = 10.0
"""Seconds between reports of who is present; a seat is absent only after many more."""
_MAX_IN_LINE = 100
_ASK, _SEEN = "ask", "seen"
# Not holders, which are longer.
_SINCE, _MOVED = "since", "moved"


class Sharing(RoomObserver):
    """A `Listener` that keeps the rooms of one server in step with the others."""

    def __init__(
        self, store: Store, rooms: Rooms, clock: Callable[[], float], absence: Absence
    ) -> None:
        """Keep *rooms* over *store* in step, and announce changes of *absence*."""
        self._store = store
        self._rooms = rooms
        self._clock = clock
        self._absence = absence
        self._reported_at = clock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin; to be called on the event loop of the tables."""
        self._loop = asyncio.get_running_loop()
        self._store.subscribe(self)
        self._spawn(self._report_regularly())

    def stop(self) -> None:
        """Cancel all tasks, and ignore the store from now on."""
        self._loop = None
        for task in tuple(self._tasks):
            task.cancel()

    def loaded(self, room: Room) -> None:
        """Ask the others who is present at *room*, which was not in memory here."""
        if self._loop is not None and room.table.mode is Mode.ONLINE:
            self._spawn(self._broadcast([f"{_ASK} {room.table.id}"]))

    # Called in a thread of the store:

    def on_change(self, versions: Mapping[str, int]) -> None:
        """Read what others have changed at tables that are in memory here."""
        self._call(self._rooms_changed, versions)

    def on_message(self, text: str) -> None:
        """Handle a message of another server."""
        self._call(self._handle, text)

    def on_gap(self) -> None:
        """Read all tables in memory again."""
        self._call(self._rooms.invalidate_all)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(function, *arguments)

    # Called on the event loop:

    def _rooms_changed(self, versions: Mapping[str, int]) -> None:
        for table_id, version in versions.items():
            self._rooms.changed_elsewhere(table_id, version)

    def _handle(self, text: str) -> None:
        for line in text.splitlines():
            self._handle_line(line)

    def _handle_line(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        table_id, *ages = rest.split()
        room = self._rooms.cached(table_id)
        if room is None:
            return
        now = self._clock()
        before = self._absence.absent(room.table)
        if kind == _ASK:
            known = {
                _SINCE: room.presence.age(now),
                _MOVED: now - room.presence.moved,
                **room.presence.ages(now),
            }
            self._spawn(self._broadcast(_reports(table_id, known)))
        elif kind == _SEEN:
            for word in ages:
                holder, _, age = word.rpartition(":")
                at = now - float(age)
                if holder == _SINCE:
                    room.presence.began(at)
                elif holder == _MOVED:
                    room.presence.moved = min(room.presence.moved, at)
                else:
                    room.presence.saw(holder, at)
            if self._absence.absent(room.table) != before:
                self._absence.announce(room)

    async def report(self) -> None:
        """Tell the others whom this server has seen since the last report."""
        now = self._clock()
        since, self._reported_at = now - self._reported_at, now
        await self._broadcast(
            line
            for room in self._rooms.all()
            if room.table.mode is Mode.ONLINE
            for line in _reports(
                room.table.id,
                {holder: age for holder, age in room.presence.ages(now).items() if age <= since},
            )
        )

    async def _report_regularly(self) -> None:
        while True:
            await asyncio.sleep(REPORT_EVERY)
            await self.report()

    async def _broadcast(self, lines: Iterable[str]) -> None:
        for text in _packed(lines):
            try:
                await self._store.broadcast(text)
            except StoreError as error:
                _log.info("other servers could not be told who is present", exc_info=error)
                return

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _reports(table_id: str, ages: Mapping[str, float]) -> Iterator[str]:
    """Yield lines that say how many seconds ago each holder was seen."""
    words = [f"{holder}:{max(age, 0.0):.1f}" for holder, age in ages.items()]
    for first in range(0, len(words), _MAX_IN_LINE):
        yield " ".join([_SEEN, table_id, *words[first : first + _MAX_IN_LINE]])


def _packed(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* in as few texts as `MAX_TEXT` allows."""
    text = ""
    for line in lines:
        if text and len(text) + 1 + len(line) > MAX_TEXT:
            yield text
            text = ""
        text = f"{text}\n{line}" if text else line
    if text:
        yield text
