"""The tables in use: each once in memory, changed in one place, one change at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from yachtdice.play.online.room import Room, RoomObserver
from yachtdice.play.online.tokens import is_table_id
from yachtdice.play.table.coding import CODEC, table_write
from yachtdice.play.table.refusals import TableNotFoundError
from yachtdice.play.table.table import Table
from yachtdice.store.contract import (
    RequestRepeatedError,
    Store,
    StoreError,
    VersionConflictError,
    Write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yachtdice.play.table.events import AnyEvent
    from yachtdice.store.contract import Stored

_log = logging.getLogger(__name__)

_RETRY_AFTER = 0.5  # seconds after a read that failed


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that is not stored yet."""

    table: Table
    events: Sequence[AnyEvent]
    """All events of the table."""
    members: Sequence[str]
    """The holders who find it in the list of their tables."""


class Rooms:
    """The rooms in memory; the least recently used idle ones are dropped if there are too many."""

    def __init__(self, store: Store, clock: Callable[[], float], max_rooms: int) -> None:
        """Hold up to *max_rooms* idle rooms over *store*."""
        self.observers: list[RoomObserver] = []
        self.max_rooms: int = max_rooms
        self._store = store
        self._clock = clock
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    def cached(self, table_id: str) -> Room | None:
        """Return the room if it is in memory."""
        return self._rooms.get(table_id)

    def __len__(self) -> int:
        """Return how many rooms are in memory."""
        return len(self._rooms)

    def all(self) -> list[Room]:
        """Return all rooms in memory."""
        return list(self._rooms.values())

    async def get(self, table_id: str) -> Room:
        """Return the room of a table, up to date and with no append in progress.

        Raises:
            TableNotFoundError: If there is no such table.
            CodecError: If its events cannot be decoded.
        """
        while True:
            room = self._rooms.get(table_id)
            if room is None:
                room = await self._load(table_id)
                if room is None:
                    raise TableNotFoundError(table_id)
                if self._rooms.get(table_id) is not room:
                    continue  # dropped again before this task was scheduled
            if room.pending is not None:
                await asyncio.wait([room.pending])
            elif room.is_stale:
                await self._catch_up(room)
            else:
                self._rooms.move_to_end(table_id)
                return room

    async def create(self, new: NewTable, actor: str) -> Table:
        """Store *new* and return it, or the table of that id if there is one.

        Raises:
            StoreError: If it cannot be stored.
        """
        try:
            await asyncio.shield(self._store.append(self._first_write(new, actor)))
        except VersionConflictError:  # a retry, or a rematch that was asked for twice
            return (await self.get(new.table.id)).table
        self._add_new(new.table)
        return new.table

    async def change(  # noqa: PLR0913 - what an envelope holds
        self,
        room: Room,
        actor: str,
        events: Sequence[AnyEvent],
        request: str | None = None,
        *,
        members: Sequence[str] = (),
        opens: NewTable | None = None,
    ) -> Table:
        """Append *events*, and create the table that they open; return the table after them.

        Nobody sees them before they are durable. Cancelling the caller undoes nothing.

        Raises:
            StoreError: If they cannot be stored.
        """
        before, *steps = accumulate(events, Table.apply, initial=room.table)
        writes = [
            table_write(before, steps[-1], events, self._clock(), actor, request, members),
        ]
        if opens is not None:
            # The later of the two, so that it comes first in the lists of its members.
            writes.append(self._first_write(opens, actor))
        await asyncio.shield(self._commit(room, steps, writes, request))
        if opens is not None:
            self._add_new(opens.table)
        return steps[-1]

    def forget(self, table_id: str) -> None:
        """Drop the room, whoever uses it; its table may have been deleted."""
        room = self._rooms.pop(table_id, None)
        if room is not None:
            for observer in self.observers:
                observer.forgotten(room)
            room.notify()

    def changed_elsewhere(self, table_id: str, version: int) -> None:
        """Note that another process has brought a table to *version*, or deleted it (0)."""
        room = self._rooms.get(table_id)
        if room is None or (version and version <= room.table.version):
            return
        room.invalidate()
        self._follow(room)

    def invalidate_all(self) -> None:
        """Note that other processes may have changed any table."""
        for room in self.all():
            room.invalidate()
            self._follow(room)

    async def steps(self, table_id: str, after: int, until: int) -> list[Table]:
        """Return the table as it was at each version from *after* + 1 to *until*.

        Raises:
            TableNotFoundError: If it has to be read and was deleted.
        """
        room = self._rooms.get(table_id)
        recent = list(room.recent) if room else []
        wanted = range(after + 1, until + 1)
        if wanted and (not recent or recent[0].version > wanted[0] or recent[-1].version < until):
            stored = await self._store.load(table_id)
            if not stored:
                raise TableNotFoundError(table_id)  # deleted meanwhile
            opened, *events = map(_decoded, stored[:until])
            first = Table.replay(table_id, [opened])
            recent = list(accumulate(events, Table.apply, initial=first))
        return [table for table in recent if table.version in wanted]

    def stop(self) -> None:
        """Stop reading what other processes write, and notify all listeners a last time."""
        for room in self.all():
            if room.following is not None:
                room.following.cancel()
            room.notify()

    def _first_write(self, new: NewTable, actor: str) -> Write:
        return table_write(None, new.table, new.events, self._clock(), actor, None, new.members)

    def _add_new(self, table: Table) -> None:
        if table.id not in self._rooms:
            self._changed(self._add(table))

    def _add(self, table: Table) -> Room:
        room = self._rooms[table.id] = Room(table, self._clock())
        if len(self._rooms) > self.max_rooms:
            self._forget_some()
        return room

    def _changed(self, room: Room) -> None:
        for observer in self.observers:
            observer.changed(room)

    def _follow(self, room: Room) -> None:
        if room.following is None and room.is_needed:
            room.following = asyncio.create_task(self._read_changes(room))

    async def _read_changes(self, room: Room) -> None:
        try:
            while room.is_stale and self._rooms.get(room.table.id) is room:
                try:
                    await self.get(room.table.id)
                except StoreError:  # listeners want the changes once the store is back
                    await asyncio.sleep(_RETRY_AFTER)
        except TableNotFoundError:
            pass
        finally:
            room.following = None

    def _commit(
        self, room: Room, steps: Sequence[Table], writes: Sequence[Write], request: str | None
    ) -> asyncio.Future[None]:
        assert room.pending is None  # one change at a time
        future = self._store.append(*writes)
        room.pending = future
        done = partial(self._committed, room, steps, writes[0].time, request)
        if future.done():  # the room has to be up to date before anybody is answered
            done(future)
        else:
            future.add_done_callback(done)
        return future

    def _committed(
        self,
        room: Room,
        steps: Sequence[Table],
        written_at: float,
        request: str | None,
        future: asyncio.Future[None],
    ) -> None:
        room.pending = None
        error = None if future.cancelled() else future.exception()
        if error is None and not future.cancelled():
            for table in steps:
                if table.version > room.table.version:  # unless it was read from the store already
                    room.advance(table, written_at)
            room.presence.moved = self._clock()
            if request is not None:
                room.answers[request] = steps[-1].version
            room.notify()
        else:  # another process was quicker, or it is unknown whether it was stored
            room.invalidate()
            if not isinstance(error, (VersionConflictError, RequestRepeatedError)):
                _log.error("a change was not kept", exc_info=error)
        self._changed(room)
        if room.is_stale:
            self._follow(room)

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
        room = self._add(table)  # not before the replay is complete
        room.written_at = stored[-1].time
        _note_answers(room, stored)
        self._changed(room)
        for observer in self.observers:
            observer.loaded(room)
        return room

    async def _catch_up(self, room: Room) -> None:
        """Apply what other processes have written.

        Raises:
            StoreError: If it cannot be read.
            CodecError: If it cannot be decoded.
        """
        invalidations, before = room.invalidations, room.table.version
        # From the newest event that is known here: if even that is gone, the table was deleted.
        stored = await self._store.load(room.table.id, before - 1)
        if not stored:
            if self._rooms.get(room.table.id) is room:
                self.forget(room.table.id)
            return
        for event in stored:
            if event.seq == room.table.version + 1:
                room.advance(room.table.apply(_decoded(event)), event.time)
        _note_answers(room, stored)
        room.validate(invalidations)
        if room.table.version != before:
            room.presence.moved = self._clock()
            room.notify()
            self._changed(room)

    def _forget_some(self) -> None:
        for table_id, room in list(self._rooms.items())[: len(self._rooms) - self.max_rooms]:
            if room.is_idle:
                self.forget(table_id)


def _decoded(stored: Stored) -> AnyEvent:
    return CODEC.decode(stored.kind, stored.data)


def _note_answers(room: Room, stored: Sequence[Stored]) -> None:
    for event in stored:
        if event.request is not None:
            room.answers[event.request] = event.seq
