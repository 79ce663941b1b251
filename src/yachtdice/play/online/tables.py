"""The tables of one server: load, decide, append, publish.

How to use it::

    tables = Tables(MemoryStore())                   # or SqlStore.open(url)
    ana, guest = holder_of(new_token()), holder_of(new_token())
    table = await tables.open(ana, rules=TRADITIONAL, people=[("Ana", None)], mode=Mode.ONLINE)
    outcome = await tables.join(table.id, guest, "Guest")
    outcome = await tables.act(table.id, ana, outcome.table.version, "request-1", Begin())
    outcome = await tables.act(table.id, ana, outcome.table.version, "request-2", Roll())
    if outcome.refusal:                              # nothing changed; outcome.table is current
        sentence = explain(outcome.refusal)          # i18n.explain, in the active language
    table, stop = await tables.listen(table.id, print, ana)   # after each change

A *holder* is the public half of a token (`tokens.holder_of`), never the token. A person has one
token for all tables and at most one seat at an online table, so a link never seats twice; at a
table on one device, the person who opened it holds every person's seat. Whoever holds no seat is a
spectator and may `get` and `listen` to everything.

What a page needs of a `Table` besides its docstring: `table.game` (None in the lobby) with
`.position`, `.events` and `.names`; `table.seats_of(holder)`, `table.can_move(holder)`,
`table.to_move`, `table.host == holder`, `table.is_over`, `table.next` (the rematch),
`table.version` (goes into every form together with a fresh request id), `tables.absent(table)`
(seats that the others may `Skip` or `PlayOn`, and the host `Remove`).

Everything runs on one event loop. An answer comes when its events are durable. Cancelling a call
undoes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from yachtdice.dice_source import DiceSource, SystemDice
from yachtdice.play.online.absence import Absence
from yachtdice.play.online.bot_mover import BOT_ACTOR, BOT_PAUSE, BotMover, BotPool
from yachtdice.play.online.presence import AWAY_AFTER, IDLE_AFTER
from yachtdice.play.online.room import Room
from yachtdice.play.online.rooms import NewTable, Rooms
from yachtdice.play.online.sharing import Sharing
from yachtdice.play.online.tokens import new_table_id
from yachtdice.play.table.actions import Action, Rematch
from yachtdice.play.table.deciding import decide, joining, opening, rematch
from yachtdice.play.table.events import (
    AnyEvent,
    DiceKind,
    Mode,
    RematchOpened,
    TableOpened,
)
from yachtdice.play.table.names import clean_name
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.play.table.stages import SWEPT
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
from yachtdice.store.contract import RequestRepeatedError, Store, VersionConflictError
from yachtdice.store.memory import MemoryStore

_MAX_REQUEST_ID = 64
_SWEPT_AT_ONCE = 50
_TRIES = 6
_SWEEP_LEASE = 60.0
_REFUSALS = (TableError, IllegalMoveError, DiceError, RuleSetError, SetupError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a request."""

    table: Table
    """The table afterwards; for a retried request as it was after the first one."""
    refusal: YachtError | None = None
    """Why nothing changed: a TableError (stale, not your seat, ...) or an error of the rules.

    `i18n.explain` makes a sentence of it.
    """
    is_repeated: bool = False
    """Whether this is the first answer once more, to a request that was retried."""


Observe = Callable[[str, Outcome | YachtError, float], None]
"""Called with the actor of a request, its outcome, and its seconds."""


class Tables:
    """All tables of one server."""

    def __init__(  # noqa: PLR0913 - the services that it uses
        self,
        store: Store | None = None,
        dice_source: DiceSource | None = None,
        clock: Callable[[], float] = time.time,
        *,
        bots: BotPool | None = None,
        bot_pause: float = BOT_PAUSE,
        away_after: float = AWAY_AFTER,
        idle_after: float = IDLE_AFTER,
        max_rooms: int = 2000,
    ) -> None:
        """Keep tables in *store* (in memory without one); *clock* gives seconds since 1970.

        *bot_pause*, *away_after* and *idle_after* are seconds; *max_rooms* is how many tables that
        nobody listens to stay in memory.
        """
        self.store: Store = MemoryStore() if store is None else store
        self.away_after: float = away_after
        self.idle_after: float = idle_after
        self.observe: Observe | None = None
        """Called for each `act` and `join`, and for each step of a bot (`BOT_ACTOR`)."""
        self._dice_source = dice_source or SystemDice()
        self._clock = clock
        self._rooms = Rooms(self.store, clock, max_rooms)
        self._absence = Absence(self._rooms, clock, away_after, idle_after)
        self._sharing = Sharing(self.store, self._rooms, clock, self._absence)
        self._bot_mover = BotMover(
            self.store,
            self._rooms,
            BotPool() if bots is None else bots,
            self._dice_source,
            pause=bot_pause,
            moved=lambda table, begun: self._report(BOT_ACTOR, Outcome(table), begun),
        )
        self._rooms.observers += [self._bot_mover, self._absence, self._sharing]

    async def start(self) -> None:
        """Keep in step with other servers from now on; needed if the store is shared."""
        if self.store.is_shared:
            self._sharing.start()

    async def close(self) -> None:
        """Stop all services, notify all listeners a last time, and close the store."""
        self._sharing.stop()
        self._absence.stop()
        self._bot_mover.stop()
        self._rooms.stop()
        await self.store.close()

    async def open(  # noqa: PLR0913 - the properties of a table
        self,
        holder: str,
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
        """Return a new table that *holder* opened, durable.

        *people* are (name, level) pairs, level None for a person; *holder* gets the seats of all
        persons. On one device the game begins at once and *first* starts (None draws lots); an
        online table has one person at first and waits in the lobby, up to *size* seats, for `join`
        and `Begin`. A retry with the same *request_id* gets the same table.

        Raises:
            TableError: If there are too many or too few people, a name or a level is not valid, or
                a bot is to play with real dice.
        """
        people = [(clean_name(name), level) for name, level in people]
        opened = TableOpened(
            rules, dice, mode, holder, size, hints, self.today(), shows_odds=shows_odds
        )
        return await self.create(
            holder, opening(opened, people, first, self._dice_source), request_id
        )

    async def create(self, holder: str, events: Sequence[AnyEvent], request_id: str = "") -> Table:
        """Return a new table of *holder* that consists of *events*, durable.

        A retry with the same *request_id* gets the same table.

        Raises:
            StoreError: If it cannot be stored.
        """
        table = Table.replay(new_table_id(holder, request_id), events)
        return await self._rooms.create(NewTable(table, events, (holder,)), holder)

    async def join(self, table_id: str, holder: str, name: str) -> Outcome:
        """Seat *holder* on the next free seat of an online table in its lobby.

        Whoever sits there already keeps that seat, and nothing changes.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        return await self._reported(holder, lambda: self._join(table_id, holder, name))

    async def _join(self, table_id: str, holder: str, name: str) -> Outcome:
        room = await self._enter(table_id, holder)
        table = room.table
        if table.seats_of(holder):
            return Outcome(table, is_repeated=True)
        try:
            events = joining(table, holder, name)
        except TableError as refusal:
            return Outcome(table, refusal)
        return Outcome(await self._rooms.change(room, holder, events, members=(holder,)))

    async def act(
        self, table_id: str, holder: str, version: int, request_id: str, action: Action
    ) -> Outcome:
        """Do *action*, which *holder* decided on when the table was at *version*.

        A stale version or anything else that is refused changes nothing, and the outcome has the
        current table and the reason. A *request_id* (1 to 64 characters, made by the client anew
        for each action) that was answered before gets its first answer again. After `Rematch`,
        `outcome.table.next` is the id of the new table.

        Raises:
            TableNotFoundError: If there is no such table.
            StoreError: If it cannot be stored; then it may or may not have happened, and a retry
                with the same id finds out.
        """
        return await self._reported(
            holder, lambda: self._act(table_id, holder, version, request_id, action)
        )

    async def _act(
        self, table_id: str, holder: str, version: int, request_id: str, action: Action
    ) -> Outcome:
        room = await self._enter(table_id, holder)
        request = f"{holder}:{request_id[:_MAX_REQUEST_ID]}"
        answered = room.answers.get(request)
        if answered is not None:
            return Outcome(await self._at(room, answered), is_repeated=True)
        if version > room.table.version and self.store.is_shared:  # seen at another server
            room = await self._enter(table_id, holder, is_fresh=True)
        table = room.table
        try:
            if version != table.version:
                seated = table.seats_of(holder)
                reason = TableReason.STALE if seated else TableReason.NOT_SEATED
                raise TableError(reason, f"{version} is not {table.version}")
            if isinstance(action, Rematch):
                return await self._rematch(room, holder, request)
            events = decide(table, holder, action, self._dice_source, self.absent(table))
        except _REFUSALS as refusal:
            return Outcome(table, refusal)
        return Outcome(await self._rooms.change(room, holder, events, request))

    async def _rematch(self, room: Room, holder: str, request: str) -> Outcome:
        events, seats = rematch(room.table, holder, self.today())
        new = Table.replay(new_table_id(), events)
        members = tuple({seat.holder for seat in seats if seat.holder is not None})
        opens = NewTable(new, events, members)
        moved = RematchOpened(new.id)
        return Outcome(await self._rooms.change(room, holder, (moved,), request, opens=opens))

    async def get(self, table_id: str, holder: str | None = None) -> Table:
        """Return a table as it is now; *holder* counts as seen there.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        return (await self._enter(table_id, holder, is_fresh=True)).table

    def __len__(self) -> int:
        """Return how many tables are in memory."""
        return len(self._rooms)

    def age_of(self, table_id: str) -> float:
        """Return the seconds since the newest event of a table, by this process's clock.

        It is 0 for a table that is not in memory.
        """
        room = self._rooms.cached(table_id)
        return 0.0 if room is None else self._clock() - room.written_at

    def cached(self, table_id: str) -> Table | None:
        """Return a table that is in memory, as each one is that somebody listens to."""
        room = self._rooms.cached(table_id)
        return room.table if room else None

    async def listen(
        self, table_id: str, listener: Callable[[Table], None], holder: str | None = None
    ) -> tuple[Table, Callable[[], None]]:
        """Call *listener* after each change; return the table now and a function that ends it.

        It is called on the event loop and must return at once. *holder* counts as present until the
        end. It is called as well when other seats are absent, and when the server closes.

        Raises:
            TableNotFoundError: If there is no such table.
        """
        room = await self._enter(table_id, holder, is_fresh=True)
        room.listeners.add(listener)
        self._absence.came(room, holder)

        def stop() -> None:
            room.listeners.discard(listener)
            self._absence.went(room, holder)

        return room.table, stop

    def absent(self, table: Table) -> frozenset[int]:
        """Return the seats that have been away for long enough to be skipped or played on.

        A seat is absent once its person got up, was not seen for `away_after` seconds (no stream,
        no request), or has not acted on its turn for `idle_after` seconds.
        """
        return self._absence.absent(table)

    async def mine(self, holder: str, limit: int = 50) -> list[Table]:
        """Return the tables at which *holder* has sat, the most recently active first."""
        tables = []
        for info in await self.store.streams_of(holder, limit):
            try:
                room = self._rooms.cached(info.stream)
                if room is not None and room.table.version < info.version:
                    room.invalidate()
                tables.append((await self._rooms.get(info.stream)).table)
            except (TableNotFoundError, CodecError):
                continue  # deleted meanwhile, or not readable: the others still are
        return tables

    async def steps(self, table_id: str, after: int, until: int) -> list[Table]:
        """Return the table as it was at each version from *after* + 1 to *until*, which exists.

        Raises:
            StoreError: If it has to be read and cannot be.
        """
        return await self._rooms.steps(table_id, after, until)

    async def sweep(self) -> int:
        """Delete expired tables and records; return how many: see `play.table.stages`."""
        now = self._clock()
        swept = 0
        if await self.store.lease("sweep", _SWEEP_LEASE):
            return 0  # another server is doing it
        for stage, seconds in SWEPT:
            while streams := await self.store.sweep(stage, now - seconds, _SWEPT_AT_ONCE):
                for stream in streams:
                    self._rooms.forget(stream)
                swept += len(streams)
        return swept

    def today(self) -> str:
        """Return the day by the tables' clock, as YYYY-MM-DD in UTC."""
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()

    async def _reported(self, holder: str, attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Return the outcome of *attempt*, and report it to `observe`."""
        begun = time.perf_counter()
        try:
            outcome = await _retried(attempt)
        except YachtError as error:
            self._report(holder, error, begun)
            raise
        self._report(holder, outcome, begun)
        return outcome

    def _report(self, actor: str, result: Outcome | YachtError, begun: float) -> None:
        if self.observe is not None:
            self.observe(actor, result, time.perf_counter() - begun)

    async def _enter(self, table_id: str, holder: str | None, *, is_fresh: bool = False) -> Room:
        """Return the room of a table; *is_fresh* with all that any server has stored until now.

        Notifications of other servers arrive a moment after their answers. A client may have had
        such an answer already, and must not see an older state than before.
        """
        room = self._rooms.cached(table_id)
        if room is not None and self.store.is_shared and (is_fresh or not self.store.is_listening):
            room.invalidate()
        if room is None or room.pending is not None or room.is_stale:
            room = await self._rooms.get(table_id)
        self._absence.saw(room, holder)
        return room

    async def _at(self, room: Room, version: int) -> Table:
        if room.table.version == version:
            return room.table
        (table,) = await self._rooms.steps(room.table.id, version - 1, version)
        return table


async def _retried(attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """Return the outcome of *attempt*, tried again if another process was quicker."""
    for _ in range(_TRIES - 1):
        with suppress(VersionConflictError, RequestRepeatedError):
            return await attempt()
        # The room catches up: then an action is stale or answered, and a free seat the next one.
    return await attempt()
