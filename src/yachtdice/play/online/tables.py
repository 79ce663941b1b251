"""Online tables and tables on one device: load, decide, append, publish.

How to use it::

    tables = Tables(MemoryStore())                   # or SqlStore.open(url)
    ana, guest = holder_of(new_token()), holder_of(new_token())
    table = await tables.open(ana, rules=TRADITIONAL, people=[("Ana", None)], mode=Mode.ONLINE)
    outcome = await tables.join(table.id, guest, "Guest")
    outcome = await tables.act(table.id, ana, outcome.table.version, "request-1", Begin())
    outcome = await tables.act(table.id, ana, outcome.table.version, "request-2", Roll())
    if outcome.refusal:                              # nothing changed; outcome.table is current
        sentence = explain(outcome.refusal)          # i18n, in the active language
    async for table in tables.watch(table.id, after=0, who=ana): ...

*who* is always the public half of a token (`play.tokens.holder_of`), never the token. A person has
one token for all tables and at most one seat at an online table, so a link never seats twice; at
a table on one device who opened it holds every person's seat. Who holds no seat is a spectator and
may `get` and `watch` everything.

What a page needs of a `Table` besides its docstring: `table.game` (None in the lobby) with
`.position`, `.events` and `.names`; `table.seats_of(who)`, `table.can_move(who)`, `table.to_move`,
`table.host == who`, `table.is_over`, `table.next` (link to the rematch), `table.version` (goes into
every form together with a fresh request id), `tables.absent(table)` (seats that the others may
`Skip` or `PlayOn`, and the host `Remove`). Actions are in `play.actions`, reasons in
`play.refusals`.

Everything runs on one event loop. An answer comes when its events are durable; who stops waiting
for it undoes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate

from yachtdice.dice_source import DiceSource, SystemDice
from yachtdice.notation import Record
from yachtdice.play.online.bot_mover import Computers
from yachtdice.play.online.keeping import record_of
from yachtdice.play.online.presence import AWAY_AFTER, IDLE_AFTER
from yachtdice.play.online.rooms import Room, Rooms
from yachtdice.play.online.sharing import Sharing
from yachtdice.play.online.tokens import new_table_id
from yachtdice.play.table.actions import Action, Rematch
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.deciding import bot_event, decide, opening, rematch
from yachtdice.play.table.events import (
    AnyEvent,
    DiceKind,
    Mode,
    RematchOpened,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.names import clean_name
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.play.table.stages import SWEPT, stage_of
from yachtdice.play.table.table import MAX_SEATS, Table
from yachtdice.rules import (
    TRADITIONAL,
    DiceError,
    IllegalMoveError,
    RuleSet,
    RuleSetError,
    SetupError,
    YachtError,
)
from yachtdice.store.codec import CodecError
from yachtdice.store.contract import (
    RequestRepeatedError,
    Store,
    StoreError,
    VersionConflictError,
    Write,
)
from yachtdice.store.memory import MemoryStore

_log = logging.getLogger(__name__)

BOT_PAUSE = 0.9
"""Seconds between the steps of a computer, so that people can follow."""
BOT_ACTOR = "computer"

BOT_LEASE = 5.0
"""Seconds after which another server moves a computer, if the one that did has gone silent."""

_MAX_REQUEST_ID = 64
_SWEPT_AT_ONCE = 50
_TRIES = 6
_SWEEP_LEASE = 60.0
_REFUSALS = (TableError, IllegalMoveError, DiceError, RuleSetError, SetupError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of something that somebody asked for."""

    table: Table
    """The table afterwards; for a retried request as it was after the first one."""
    refusal: YachtError | None = None
    """Why nothing changed: a TableError (stale, not your seat, ...) or an error of the rules.

    `i18n.explain` makes a sentence of it.
    """
    is_repeated: bool = False
    """Whether this is the first answer once more, to a request that was retried."""


Observe = Callable[[str, Outcome | YachtError, float], None]
"""Told who asked for something, what came of it, and after how many seconds."""


class Tables:
    """All tables of one server."""

    def __init__(  # noqa: PLR0913 - each for itself
        self,
        store: Store | None = None,
        dice_source: DiceSource | None = None,
        clock: Callable[[], float] = time.time,
        *,
        computers: Computers | None = None,
        bot_pause: float = BOT_PAUSE,
        away_after: float = AWAY_AFTER,
        idle_after: float = IDLE_AFTER,
        most_rooms: int = 2000,
    ) -> None:
        """Keep tables in *store* (in memory without one); *clock* gives seconds since 1970.

        *bot_pause*, *away_after* and *idle_after* are seconds; *most_rooms* is how many tables that
        nobody watches stay in memory.
        """
        self.store: Store = MemoryStore() if store is None else store
        self.away_after: float = away_after
        self.idle_after: float = idle_after
        self.observe: Observe | None = None
        """Called for each `act` and `join`, and for each step of a computer (`BOT_ACTOR`)."""
        self._dice_source = dice_source or SystemDice()
        self._clock = clock
        self._computers = computers or Computers()
        self._bot_pause = bot_pause
        self._rooms = Rooms(self.store, clock, self._settled, most_rooms, self._opened)
        self._sharing = Sharing(self.store, self._rooms, clock, self.absent, self._look)
        self._is_closed = False

    async def start(self) -> None:
        """Begin to keep in step with other servers; needed where the store is shared."""
        if self.store.is_shared:
            self._sharing.start()

    async def open(  # noqa: PLR0913 - what a table is like
        self,
        who: str,
        *,
        rules: RuleSet = TRADITIONAL,
        people: Sequence[tuple[str, str | None]] = (("", None),),
        mode: Mode = Mode.DEVICE,
        dice: DiceKind = DiceKind.SYSTEM,
        size: int = MAX_SEATS,
        hints: bool = False,
        shows_odds: bool = False,
        first: int | None = 0,
        request_id: str = "",
    ) -> Table:
        """Return a new table that *who* opened, durable.

        *people* are (name, level) pairs, level None for a person; all persons' seats are *who*'s.
        On one device the game begins at once and *first* starts (None draws lots); an online table
        has one person at first and waits in the lobby, up to *size* seats, for `join` and `Begin`.
        A retry with the same *request_id* gets the same table.

        Raises:
            TableError: If there are too many or too few, a name or a level is none, or a computer
                is to play with real dice.
        """
        people = [(clean_name(name), level) for name, level in people]
        opened = TableOpened(
            rules, dice, mode, who, size, hints, self._today(), shows_odds=shows_odds
        )
        events = opening(opened, people, first, self._dice_source)
        table = Table.replay(new_table_id(who, request_id), events)
        return await self._keep_new(who, table, events)

    async def join(self, table_id: str, who: str, name: str) -> Outcome:
        """Seat *who* on the next free seat of an online table in its lobby.

        Who sits there already keeps the one seat, and nothing changes.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        return await self._persist(who, lambda: self._join(table_id, who, name))

    async def _join(self, table_id: str, who: str, name: str) -> Outcome:
        room = await self._enter(table_id, who)
        table = room.table
        if table.seats_of(who):
            return Outcome(table, is_repeated=True)
        try:
            if table.mode is Mode.DEVICE:
                raise TableError(TableReason.NOT_ONLINE)  # noqa: TRY301 - one way to refuse
            if table.game is not None:
                raise TableError(TableReason.BEGUN)  # noqa: TRY301
            if not table.free_seats:
                raise TableError(TableReason.FULL)  # noqa: TRY301
            event = SeatTaken(len(table.seats), clean_name(name), who)
        except TableError as refusal:
            return Outcome(table, refusal)
        return await self._change(room, who, (event,), None, (who,))

    async def act(
        self, table_id: str, who: str, version: int, request_id: str, action: Action
    ) -> Outcome:
        """Do *action*, which *who* decided on when the table was at *version*.

        A stale version or anything else that is refused changes nothing, and the outcome has the
        current table and the reason. A *request_id* (1 to 64 characters, made by the client anew
        for each action) that was answered before gets its first answer again. After `Rematch`,
        `outcome.table.next` is the id of the new table.

        Raises:
            TableNotFoundError: If there is no such table.
            StoreError: If the store cannot keep it; then it may or may not have happened, and a
                retry with the same id finds out.
        """
        return await self._persist(
            who, lambda: self._act(table_id, who, version, request_id, action)
        )

    async def _act(
        self, table_id: str, who: str, version: int, request_id: str, action: Action
    ) -> Outcome:
        room = await self._enter(table_id, who)
        answer = f"{who}:{request_id[:_MAX_REQUEST_ID]}"
        known = room.answers.get(answer)
        if known is not None:
            return Outcome(await self._at(room, known), is_repeated=True)
        if version > room.table.version and self.store.is_shared:  # seen at another server
            room = await self._enter(table_id, who, is_fresh=True)
        table = room.table
        try:
            if version != table.version:
                seated = table.seats_of(who)
                reason = TableReason.STALE if seated else TableReason.NOT_SEATED
                raise TableError(reason, f"{version} is not {table.version}")
            if isinstance(action, Rematch):
                return await self._rematch(room, who, answer)
            absent = self.absent(table)
            events = decide(table, who, action, self._dice_source, absent)
        except _REFUSALS as refusal:
            return Outcome(table, refusal)
        return await self._change(room, who, events, answer)

    async def get(self, table_id: str, who: str | None = None) -> Table:
        """Return a table as it is now; *who* counts as seen there.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        return (await self._enter(table_id, who, is_fresh=True)).table

    def __len__(self) -> int:
        """Return how many tables are in memory."""
        return len(self._rooms)

    def age_of(self, table_id: str) -> float:
        """Return the seconds since the newest event of a table, by this process's clock.

        Those of a table that is not in memory are 0.
        """
        room = self._rooms.known(table_id)
        return 0.0 if room is None else self._clock() - room.written

    def known(self, table_id: str) -> Table | None:
        """Return a table that is in memory, as each one is that somebody listens to."""
        room = self._rooms.known(table_id)
        return room.table if room else None

    async def watch(
        self, table_id: str, after: int = 0, who: str | None = None
    ) -> AsyncIterator[Table]:
        """Yield the table now, if it is newer than version *after*, and after each change.

        Who is slow misses steps in between, never the newest; `table.game.events` tells them all.
        The same version comes again when who is `absent` has changed. Ends when the server closes.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        news = asyncio.Event()
        table, stop = await self.listen(table_id, lambda _: news.set(), who)
        try:
            if table.version > after:
                yield table
            shown = max(table.version, after), self.absent(table)
            while not self._is_closed:
                await news.wait()
                news.clear()
                room = self._rooms.known(table_id)
                if room is None:
                    return
                state = room.table.version, self.absent(room.table)
                if state != shown:
                    shown = state
                    yield room.table
        finally:
            stop()

    async def listen(
        self, table_id: str, listener: Callable[[Table], None], who: str | None = None
    ) -> tuple[Table, Callable[[], None]]:
        """Call *listener* after each change; return the table now and what ends it (call it once).

        It is called on the event loop and must return at once. *who* counts as present until the
        end. It is called as well when who is absent has changed, and when the server closes.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        room = await self._enter(table_id, who, is_fresh=True)
        if who is not None:
            room.presence.came(who, self._clock())
        room.listeners.add(listener)
        self._settle_presence(room)

        def stop() -> None:
            room.listeners.discard(listener)
            if who is not None:
                room.presence.went(who, self._clock())
                self._settle_presence(room)

        return room.table, stop

    def absent(self, table: Table) -> frozenset[int]:
        """Return the seats that have been away for long enough to be skipped or played on.

        A seat is absent once its person got up, was not seen for `away_after` seconds (no stream,
        no request), or has not acted on its turn for `idle_after` seconds.
        """
        room = self._rooms.known(table.id)
        if room is None:
            return frozenset()
        return room.presence.absent(table, self._clock(), self.away_after, self.idle_after)

    async def mine(self, who: str, limit: int = 50) -> list[Table]:
        """Return the tables at which *who* has sat, the most lately active first."""
        tables = []
        for info in await self.store.streams_of(who, limit):
            try:
                room = self._rooms.known(info.stream)
                if room is not None and room.table.version < info.version:
                    room.doubt()
                tables.append((await self._rooms.enter(info.stream)).table)
            except (TableNotFoundError, CodecError):
                continue  # put away meanwhile, or not readable: the others still are
        return tables

    def record(self, table: Table) -> Record:
        """Return the game of *table* for `notation.format_record`.

        Raises:
            TableError: If it has not begun.
        """
        return record_of(table)

    async def sweep(self) -> int:
        """Put away stale tables; return how many.

        Those whose game never began go after a day, those left unfinished after 90 days without an
        event. Finished games are kept. Records that were pasted count as well: see `stages`.
        """
        now = self._clock()
        swept = 0
        if await self.store.lease("sweep", _SWEEP_LEASE):
            return 0  # another server is at it
        for stage, keep in SWEPT:
            while streams := await self.store.sweep(stage, now - keep, _SWEPT_AT_ONCE):
                for stream in streams:
                    self._rooms.forget(stream)
                swept += len(streams)
        return swept

    async def steps(self, table_id: str, after: int, until: int) -> list[Table]:
        """Return the table as it was at each version from *after* + 1 to *until*, which is there.

        Raises:
            StoreError: If that has to be read and cannot be.
        """
        return await self._rooms.steps(table_id, after, until)

    async def close(self) -> None:
        """End all watching, let no computer move any more, and close the store."""
        self._is_closed = True
        self._sharing.stop()
        for room in self._rooms.all():
            if room.timer is not None:
                room.timer.cancel()
            if room.bot is not None:
                room.bot.cancel()
            if room.following is not None:
                room.following.cancel()
            room.notify()
        await self.store.close()

    async def _persist(self, who: str, attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Return the outcome of *attempt*, made once more where another process was quicker."""
        begun = time.perf_counter()
        try:
            outcome = await self._try_again(attempt)
        except YachtError as error:
            self._tell(who, error, begun)
            raise
        self._tell(who, outcome, begun)
        return outcome

    async def _try_again(self, attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
        for _ in range(_TRIES - 1):
            with suppress(VersionConflictError, RequestRepeatedError):
                return await attempt()
            # The room catches up: then an action is stale, or known, and a seat is the next one.
        return await attempt()

    def _tell(self, who: str, result: Outcome | YachtError, begun: float) -> None:
        if self.observe is not None:
            self.observe(who, result, time.perf_counter() - begun)

    async def _enter(self, table_id: str, who: str | None, *, is_fresh: bool = False) -> Room:
        """Return the room of a table; *is_fresh* with all that was kept until now, by anybody.

        What another server has kept is heard of a moment later. Whoever asks for a table may have
        had that server's answer already, and is not to see less than before.
        """
        room = self._rooms.known(table_id)
        if room is not None and self.store.is_shared and (is_fresh or not self.store.is_listening):
            room.doubt()
        if room is None or room.pending is not None or room.is_stale:
            room = await self._rooms.enter(table_id)
        if who is not None:
            room.presence.saw(who, self._clock())
        return room

    async def _at(self, room: Room, version: int) -> Table:
        if room.table.version == version:
            return room.table
        (table,) = await self._rooms.steps(room.table.id, version - 1, version)
        return table

    async def _change(
        self,
        room: Room,
        actor: str,
        events: Sequence[AnyEvent],
        answer: str | None,
        members: Sequence[str] = (),
    ) -> Outcome:
        before, *steps = accumulate(events, Table.apply, initial=room.table)
        write = self._write(before, steps[-1], events, actor, answer, members)
        await asyncio.shield(self._rooms.commit(room, steps, (write,), answer))
        return Outcome(steps[-1])

    async def _keep_new(self, who: str, table: Table, events: Sequence[AnyEvent]) -> Table:
        try:
            await asyncio.shield(
                self.store.append(self._write(None, table, events, who, None, (who,)))
            )
        except VersionConflictError:  # a retry, or a rematch that was asked for twice
            return (await self._rooms.enter(table.id)).table
        if self._rooms.known(table.id) is None:
            self._settled(self._rooms.add(table))
        return table

    async def _rematch(self, room: Room, who: str, answer: str) -> Outcome:
        events, seats = rematch(room.table, who, self._today())
        new = Table.replay(new_table_id(), events)
        moved = RematchOpened(new.id)
        old = room.table.apply(moved)
        members = tuple({seat.holder for seat in seats if seat.holder is not None})
        # The new one is the later of the two, and first in everybody's list of tables.
        writes = (
            self._write(room.table, old, (moved,), who, answer),
            self._write(None, new, events, who, None, members),
        )
        await asyncio.shield(self._rooms.commit(room, (old,), writes, answer))
        if self._rooms.known(new.id) is None:
            self._settled(self._rooms.add(new))
        return Outcome(old)

    def _write(  # noqa: PLR0913, PLR0917 - what goes into an envelope
        self,
        before: Table | None,
        after: Table,
        events: Sequence[AnyEvent],
        actor: str,
        answer: str | None,
        members: Sequence[str] = (),
    ) -> Write:
        stage = stage_of(after)
        return Write(
            after.id,
            before.version if before else 0,
            [CODEC.encode(event) for event in events],
            self._clock(),
            actor,
            answer,
            members,
            None if before and stage_of(before) == stage else stage,
        )

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()

    def _settled(self, room: Room) -> None:
        """See to it that a computer whose turn it is moves, and that absence is noticed."""
        if room.bot is not None:
            room.bot.cancel()
            room.bot = None
        if self._is_closed:
            return
        if room.table.bot_to_move is not None:
            room.bot = asyncio.get_running_loop().create_task(self._move_bot(room, room.table))
            room.bot.add_done_callback(partial(_bot_done, room))
        if room.listeners:
            self._settle_presence(room)

    async def _move_bot(self, room: Room, table: Table) -> None:
        level, game = table.bot_to_move, table.game
        assert level is not None  # by the caller
        assert game is not None
        await asyncio.sleep(self._bot_pause)
        await self._become_mover(room)
        if room.table is not table:
            return  # and that has begun another of these
        move = None
        if not game.position.must_roll:
            move = await self._computers.choose(level, game.position)
        if room.table is not table or room.pending is not None or self._is_closed:
            return  # what is on its way will wake the computer again
        room.bot = None  # from here on it is not to be cancelled
        event = bot_event(table, move, self._dice_source)
        begun = time.perf_counter()
        with suppress(StoreError):  # it is in the log, and the room tries again when it can
            self._tell(BOT_ACTOR, await self._change(room, BOT_ACTOR, (event,), None), begun)

    async def _become_mover(self, room: Room) -> None:
        """Wait until this server is the one to move the computers at a table.

        Where two would, the store would still take one move and refuse the other.
        """
        if not self.store.is_shared:
            return
        while True:
            try:
                wait = await self.store.lease(f"computer {room.table.id}", BOT_LEASE)
                if not wait:
                    if room.is_stale:
                        await self._rooms.enter(room.table.id)
                    return
            except StoreError:
                wait = 1.0  # it is away, and comes back
            await asyncio.sleep(wait)

    def _opened(self, room: Room) -> None:
        if self.store.is_shared:
            self._sharing.opened(room)

    def _settle_presence(self, room: Room) -> None:
        """Tell the listeners who is absent now, and look again when that may have changed."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        if self._is_closed or not room.listeners or room.table.mode is Mode.DEVICE:
            return
        due = room.presence.due(room.table, self._clock(), self.away_after, self.idle_after)
        if due is not None:
            loop = asyncio.get_running_loop()
            room.timer = loop.call_later(due, self._look, room)

    def _look(self, room: Room) -> None:
        room.timer = None
        room.notify()
        self._settle_presence(room)


def _bot_done(room: Room, task: asyncio.Task[None]) -> None:
    if room.bot is task:
        room.bot = None
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("a computer could not move", exc_info=error)
