"""The tables in use: each once in memory, changed in one place, one change at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from yachtdice.play.online.presence import Presence
from yachtdice.play.online.tokens import is_table_id
from yachtdice.play.table.coding import CODEC
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

MAX_RECENT = 64
"""How many states of a table are kept for those who want to see each of them."""
_FOLLOW_AGAIN = 0.5  # seconds after a look that failed


class Room:
    """The newest durable state of one table, and who listens to it."""

    __slots__ = (
        "_doubts",
        "_settled",
        "answers",
        "bot",
        "following",
        "listeners",
        "pending",
        "presence",
        "recent",
        "table",
        "timer",
        "written",
    )

    def __init__(self, table: Table, now: float) -> None:
        self.table: Table = table
        self.written: float = now
        """The time that the newest event bears, whichever process it comes from."""
        self.recent: deque[Table] = deque((table,), MAX_RECENT)
        """The newest states, for those who want to see each."""
        self.answers: dict[str, int] = {}
        """The version that each answered request led to."""
        self.pending: asyncio.Future[None] | None = None
        """The change that is on its way to the disk; the next one waits for it."""
        self.listeners: set[Callable[[Table], None]] = set()
        self.presence: Presence = Presence(now)
        self.bot: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.following: asyncio.Task[None] | None = None
        """Who looks what another process has written, if somebody here wants to know."""
        self._doubts = self._settled = 0

    @property
    def is_stale(self) -> bool:
        """Whether there may be more in the stream than is known here."""
        return self._doubts != self._settled

    @property
    def doubts(self) -> int:
        """How often there was reason to look into the stream."""
        return self._doubts

    def doubt(self) -> None:
        """Note that another process has written to the stream, or may have."""
        self._doubts += 1

    def settle(self, doubts: int) -> None:
        """Note that a look that was begun after so many doubts has shown all there was."""
        self._settled = max(self._settled, doubts)

    def advance(self, table: Table, written: float) -> None:
        """Take *table* as the newest durable state; its newest event bears the time *written*."""
        self.table = table
        self.written = written
        self.recent.append(table)

    def notify(self) -> None:
        """Tell all listeners the newest state."""
        for listener in tuple(self.listeners):
            listener(self.table)

    @property
    def is_idle(self) -> bool:
        """Whether it can be forgotten without anybody noticing."""
        return not (self.listeners or self.pending or self.bot or self.following)


class Rooms:
    """The rooms in memory; the longest unused ones are forgotten when there are too many."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        settled: Callable[[Room], None],
        most: int,
        loaded: Callable[[Room], None] = lambda _: None,
    ) -> None:
        """Keep up to *most* idle rooms over *store*.

        *settled* is called after each change, *loaded* once for each room that is read from the
        store.
        """
        self._store = store
        self._clock = clock
        self._settled = settled
        self._loaded = loaded
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    def known(self, table_id: str) -> Room | None:
        """Return the room if it is in memory."""
        return self._rooms.get(table_id)

    def __len__(self) -> int:
        """Return how many rooms are in memory."""
        return len(self._rooms)

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
        if room is None:
            return
        if room.timer:
            room.timer.cancel()
        if room.bot:
            room.bot.cancel()
        room.notify()

    def changed(self, table_id: str, version: int) -> None:
        """Note that another process has brought a table to *version*, or deleted it (0)."""
        room = self._rooms.get(table_id)
        if room is None or (version and version <= room.table.version):
            return
        room.doubt()
        self._follow(room)

    def doubt_all(self) -> None:
        """Note that other processes may have done anything."""
        for room in self.all():
            room.doubt()
            self._follow(room)

    def _follow(self, room: Room) -> None:
        if room.following is None and (room.listeners or room.bot):
            room.following = asyncio.create_task(self._catch_all_up(room))

    async def _catch_all_up(self, room: Room) -> None:
        try:
            while room.is_stale and self._rooms.get(room.table.id) is room:
                try:
                    await self.enter(room.table.id)
                except StoreError:  # it is away; those who watch want to know once it is back
                    await asyncio.sleep(_FOLLOW_AGAIN)
        except TableNotFoundError:
            pass
        finally:
            room.following = None

    def commit(
        self, room: Room, steps: Sequence[Table], writes: Sequence[Write], answer: str | None
    ) -> asyncio.Future[None]:
        """Append *writes*, by which the table goes through *steps*; nobody sees them before.

        Whoever stops waiting for the future undoes nothing: the room learns how it ended.
        """
        assert room.pending is None  # one change at a time
        future = self._store.append(*writes)
        room.pending = future
        done = partial(self._done, room, steps, writes[0].time, answer)
        if future.done():  # nobody is answered before the room knows
            done(future)
        else:
            future.add_done_callback(done)
        return future

    async def steps(self, table_id: str, after: int, until: int) -> list[Table]:
        """Return the table as it was at each version from *after* + 1 to *until*.

        Raises:
            TableNotFoundError: If it was deleted and is needed.
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

    def _done(
        self,
        room: Room,
        steps: Sequence[Table],
        written: float,
        answer: str | None,
        future: asyncio.Future[None],
    ) -> None:
        room.pending = None
        error = None if future.cancelled() else future.exception()
        if error is None and not future.cancelled():
            for table in steps:
                if table.version > room.table.version:  # unless it was read from the store already
                    room.advance(table, written)
            room.presence.moved = self._clock()
            if answer is not None:
                room.answers[answer] = steps[-1].version
            room.notify()
        else:  # somebody else was quicker, or we do not know whether it was kept
            room.doubt()
            if not isinstance(error, (VersionConflictError, RequestRepeatedError)):
                _log.error("a change was not kept", exc_info=error, extra={"table": room.table.id})
        self._settled(room)
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
        room = self.add(table)  # not before the replay is complete
        room.written = stored[-1].time
        _note_answers(room, stored)
        self._settled(room)
        self._loaded(room)
        return room

    async def _catch_up(self, room: Room) -> None:
        """Apply what others have kept.

        Raises:
            StoreError: If that cannot be read.
            CodecError: If it cannot be understood.
        """
        doubts, before = room.doubts, room.table.version
        # With the newest event that we know: where even that is gone, the table was deleted.
        stored = await self._store.load(room.table.id, before - 1)
        if not stored:
            if self._rooms.get(room.table.id) is room:
                self.forget(room.table.id)
            return
        for event in stored:
            if event.seq == room.table.version + 1:
                room.advance(room.table.apply(_decoded(event)), event.time)
        _note_answers(room, stored)
        room.settle(doubts)
        if room.table.version != before:
            room.presence.moved = self._clock()
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
