"""The tables in use: each once in memory, changed in one place, one change at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from yachtdice.play.coding import CODEC
from yachtdice.play.presence import Presence
from yachtdice.play.refusals import TableNotFoundError
from yachtdice.play.table import Table
from yachtdice.play.tokens import is_table_id
from yachtdice.store.entries import RequestRepeatedError, Store, VersionConflictError, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yachtdice.play.table_events import AnyEvent
    from yachtdice.store.entries import Stored

_log = logging.getLogger(__name__)


class Room:
    """The newest durable state of one table, and who listens to it."""

    __slots__ = ("answers", "bot", "is_stale", "listeners", "pending", "presence", "table", "timer")

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.answers: dict[str, int] = {}
        """The version that each answered request led to."""
        self.pending: asyncio.Future[None] | None = None
        """The change that is on its way to the disk; the next one waits for it."""
        self.listeners: set[Callable[[Table], None]] = set()
        self.presence = Presence(now)
        self.bot: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.is_stale = False
        """Whether another process has written to the stream."""

    def notify(self) -> None:
        """Tell all listeners the newest state."""
        for listener in tuple(self.listeners):
            listener(self.table)

    @property
    def is_idle(self) -> bool:
        """Whether it can be forgotten without anybody noticing."""
        return not (self.listeners or self.pending or self.bot)


class Rooms:
    """The rooms in memory; the longest unused ones are forgotten when there are too many."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        settled: Callable[[Room], None],
        most: int,
    ) -> None:
        """Keep up to *most* idle rooms over *store*; *settled* is called after each change."""
        self._store = store
        self._clock = clock
        self._settled = settled
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    def known(self, table_id: str) -> Room | None:
        """Return the room if it is in memory."""
        return self._rooms.get(table_id)

    def all(self) -> list[Room]:
        """Return all rooms in memory."""
        return list(self._rooms.values())

    async def enter(self, table_id: str) -> Room:
        """Return the room of a table, loaded from the store if need be, with no change on its way.

        Raises:
            TableNotFoundError: If there is no such table.
            CodecError: If its events cannot be read.
        """
        while True:
            room = self._rooms.get(table_id)
            if room is None:
                room = await self._load(table_id)
                if room is None:
                    raise TableNotFoundError(table_id)
                if self._rooms.get(table_id) is not room:
                    continue  # forgotten again before this task had its turn
            if room.pending is not None:
                await self.wait(room)
            elif room.is_stale:
                await self._catch_up(room)
            else:
                self._rooms.move_to_end(table_id)
                return room

    async def wait(self, room: Room) -> None:
        """Wait until the change that is on its way is durable or has failed."""
        if room.pending is not None:
            await asyncio.wait([room.pending])

    def add(self, table: Table) -> Room:
        """Return a new room for *table*, which is durable already."""
        room = self._rooms[table.id] = Room(table, self._clock())
        if len(self._rooms) > self._most:
            self._forget_some()
        return room

    def forget(self, table_id: str) -> None:
        """Drop the room, whoever is in it: the table was deleted."""
        room = self._rooms.pop(table_id, None)
        if room and room.timer:
            room.timer.cancel()

    def commit(
        self, room: Room, after: Table, writes: Sequence[Write], answer: str | None
    ) -> asyncio.Future[None]:
        """Append *writes*, after which the room's table is *after*; nobody sees it before.

        Whoever stops waiting for the future undoes nothing: the room learns how it ended.
        """
        assert room.pending is None  # one change at a time
        future = self._store.append(*writes)
        room.pending = future
        if future.done():  # nobody is answered before the room knows
            self._done(room, after, answer, future)
        else:
            future.add_done_callback(partial(self._done, room, after, answer))
        return future

    async def at(self, table_id: str, version: int) -> Table:
        """Return the table as it was at *version*."""
        events = await self._store.load(table_id)
        return Table.replay(table_id, map(_decoded, events[:version]))

    def _done(
        self, room: Room, after: Table, answer: str | None, future: asyncio.Future[None]
    ) -> None:
        room.pending = None
        error = None if future.cancelled() else future.exception()
        if error is None and not future.cancelled():
            room.table = after
            room.presence.moved = self._clock()
            if answer is not None:
                room.answers[answer] = after.version
            room.notify()
        elif isinstance(error, (VersionConflictError, RequestRepeatedError)):
            room.is_stale = True
        else:
            _log.error("a change was not kept", exc_info=error, extra={"table": room.table.id})
        self._settled(room)

    async def _load(self, table_id: str) -> Room | None:
        if not is_table_id(table_id):
            return None
        if table_id not in self._loading:
            task = asyncio.create_task(self._read(table_id))
            self._loading[table_id] = task
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(self._loading[table_id])

    async def _read(self, table_id: str) -> Room | None:
        stored = await self._store.load(table_id)
        if not stored:
            return None
        table = Table.replay(table_id, map(_decoded, stored))
        room = self.add(table)  # not before the replay is complete
        _note_answers(room, stored)
        self._settled(room)
        return room

    async def _catch_up(self, room: Room) -> None:
        stored = await self._store.load(room.table.id, room.table.version)
        if not room.is_stale:
            return  # another task was quicker
        room.is_stale = False
        for event in stored:
            if event.seq == room.table.version + 1:
                room.table = room.table.apply(_decoded(event))
        _note_answers(room, stored)
        room.notify()
        self._settled(room)

    def _forget_some(self) -> None:
        for table_id, room in list(self._rooms.items())[: len(self._rooms) - self._most]:
            if room.is_idle:
                self.forget(table_id)


def _decoded(stored: Stored) -> AnyEvent:
    return CODEC.decode(stored.kind, stored.data)


def _note_answers(room: Room, stored: Sequence[Stored]) -> None:
    for event in stored:
        if event.request is not None:
            room.answers[event.request] = event.seq
