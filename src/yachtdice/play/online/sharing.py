"""What servers that share one store tell each other about its tables.

What has changed at a table, the store says. Who is there, no store keeps: each server tells the
others whom it has seen, so that a seat is absent for all of them or for none, and asks when it
opens a table that the others may have had open for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from yachtdice.play.table.events import Mode
from yachtdice.store.contract import MAX_TEXT, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.play.online.rooms import Room, Rooms
    from yachtdice.play.table.table import Table
    from yachtdice.store.contract import Store

_log = logging.getLogger(__name__)

TELL_EVERY = 10.0
"""Seconds between two reports of who is there; a seat is absent only after many more."""
_MAX_IN_LINE = 100
_ASK, _SEEN = "ask", "seen"
# Holders are longer, so these are none.
_SINCE, _MOVED = "since", "moved"


class Sharing:
    """A `Listener` that keeps the rooms of one server in step with the others."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        clock: Callable[[], float],
        absent: Callable[[Table], frozenset[int]],
        look: Callable[[Room], None],
    ) -> None:
        """Keep *rooms* over *store* in step; *look* is called when others are *absent* now."""
        self._store = store
        self._rooms = rooms
        self._clock = clock
        self._absent = absent
        self._look = look
        self._told = clock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin; on the event loop of the tables."""
        self._loop = asyncio.get_running_loop()
        self._store.subscribe(self)
        self._spawn(self._keep_telling())

    def stop(self) -> None:
        """End."""
        self._loop = None
        for task in tuple(self._tasks):
            task.cancel()

    def opened(self, room: Room) -> None:
        """Ask the others who is at the table of *room*, which was not open here."""
        if self._loop is not None and room.table.mode is Mode.ONLINE:
            self._spawn(self._say([f"{_ASK} {room.table.id}"]))

    # In the thread of the store:

    def on_change(self, versions: Mapping[str, int]) -> None:
        """Look at what others have done at tables that are open here."""
        self._call(self._changed, versions)

    def on_message(self, text: str) -> None:
        """Take in what another server has said, or answer it."""
        self._call(self._heard, text)

    def on_gap(self) -> None:
        """Look at everything again."""
        self._call(self._rooms.doubt_all)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(function, *arguments)

    # On the loop:

    def _changed(self, versions: Mapping[str, int]) -> None:
        for table_id, version in versions.items():
            self._rooms.changed(table_id, version)

    def _heard(self, text: str) -> None:
        for line in text.splitlines():
            self._take_in(line)

    def _take_in(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        table_id, *ages = rest.split()
        room = self._rooms.known(table_id)
        if room is None:
            return
        now = self._clock()
        before = self._absent(room.table)
        if kind == _ASK:
            known = {
                _SINCE: room.presence.age(now),
                _MOVED: now - room.presence.moved,
                **room.presence.ages(now),
            }
            self._spawn(self._say(_reports(table_id, known)))
        elif kind == _SEEN:
            for word in ages:
                who, _, age = word.rpartition(":")
                at = now - float(age)
                if who == _SINCE:
                    room.presence.began(at)
                elif who == _MOVED:
                    room.presence.moved = min(room.presence.moved, at)
                else:
                    room.presence.saw(who, at)
            if self._absent(room.table) != before:
                self._look(room)

    async def tell(self) -> None:
        """Tell the others whom this server has seen since the last time."""
        now = self._clock()
        since, self._told = now - self._told, now
        await self._say(
            line
            for room in self._rooms.all()
            if room.table.mode is Mode.ONLINE
            for line in _reports(
                room.table.id,
                {who: age for who, age in room.presence.ages(now).items() if age <= since},
            )
        )

    async def _keep_telling(self) -> None:
        while True:
            await asyncio.sleep(TELL_EVERY)
            await self.tell()

    async def _say(self, lines: Iterable[str]) -> None:
        for text in _packed(lines):
            try:
                await self._store.broadcast(text)
            except StoreError as error:
                _log.info("others could not be told who is here", exc_info=error)
                return

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _reports(table_id: str, ages: Mapping[str, float]) -> Iterator[str]:
    """Yield lines that say who was seen how many seconds ago."""
    words = [f"{who}:{max(age, 0.0):.1f}" for who, age in ages.items()]
    for first in range(0, len(words), _MAX_IN_LINE):
        yield " ".join([_SEEN, table_id, *words[first : first + _MAX_IN_LINE]])


def _packed(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* in as few texts as the store's longest allows."""
    text = ""
    for line in lines:
        if text and len(text) + 1 + len(line) > MAX_TEXT:
            yield text
            text = ""
        text = f"{text}\n{line}" if text else line
    if text:
        yield text
