"""Moves the bots at live tables: a pool of bots that think in threads, and a task for each turn."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from yachtdice.bots import Bot, make_bot
from yachtdice.play.online.room import RoomObserver
from yachtdice.play.table.deciding import bot_event
from yachtdice.solutions import Solutions
from yachtdice.store.contract import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.dice_source import DiceSource
    from yachtdice.play.online.room import Room
    from yachtdice.play.online.rooms import Rooms
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Move, Position, RuleSet
    from yachtdice.store.contract import Store

_log = logging.getLogger(__name__)

BOT_PAUSE = 0.9
"""Seconds between the steps of a bot, so that people can follow."""
BOT_ACTOR = "computer"
"""The actor of a bot's events in the store."""
BOT_LEASE = 5.0
"""Seconds after which another server moves a bot, if the one that did has stopped."""
_RETRY_AFTER = 1.0
_MAX_BOTS = 64
"""How many bots are kept, those made last: house rules are without number."""


class BotPool:
    """Bots by level and rule set, each made once."""

    def __init__(self, make: Callable[[str, RuleSet], Bot] | None = None) -> None:
        """Make bots with *make*, in a thread, when they are first needed.

        By default they share solutions of their own.
        """
        self._make: Callable[[str, RuleSet], Bot] = make or partial(make_bot, solutions=Solutions())
        self._made: dict[tuple[str, RuleSet], asyncio.Task[Bot]] = {}

    def __len__(self) -> int:
        """Return how many bots are kept."""
        return len(self._made)

    async def choose(self, level: str, position: Position) -> Move:
        """Return the move of the bot of that *level* in *position*."""
        key = (level, position.rules)
        if key not in self._made:
            while len(self._made) >= _MAX_BOTS:
                del self._made[next(iter(self._made))]
            self._made[key] = asyncio.create_task(asyncio.to_thread(self._make, *key))
        making = self._made[key]
        try:
            bot = await asyncio.shield(making)
        except Exception:
            self._made.pop(key, None)
            raise
        return await asyncio.to_thread(bot.choose, position)


class BotMover(RoomObserver):
    """Makes the bots at all rooms move when it is their turn."""

    def __init__(  # noqa: PLR0913 - the services that it uses
        self,
        store: Store,
        rooms: Rooms,
        bots: BotPool,
        dice_source: DiceSource,
        *,
        pause: float,
        moved: Callable[[Table, float], None],
    ) -> None:
        """Wait *pause* seconds before each step; call *moved* after it, with its start time."""
        self.pause: float = pause
        self._store = store
        self._rooms = rooms
        self._bots = bots
        self._dice_source = dice_source
        self._moved = moved
        self._tasks: dict[Room, asyncio.Task[None]] = {}
        """The task of each room whose bot has not decided yet; it can be cancelled."""
        self._is_stopped = False

    def changed(self, room: Room) -> None:
        """Start a task for the bot whose turn it is, instead of the one for the state before."""
        self._cancel(room)
        if self._is_stopped or room.table.bot_to_move is None:
            return
        task = asyncio.get_running_loop().create_task(self._move(room, room.table))
        self._tasks[room] = task
        room.users.add(self)
        task.add_done_callback(partial(self._done, room))

    def forgotten(self, room: Room) -> None:
        """Let no bot move at *room* any more."""
        self._cancel(room)

    def stop(self) -> None:
        """Let no bot move any more. A step that is being appended is not undone."""
        self._is_stopped = True
        for room in tuple(self._tasks):
            self._cancel(room)

    def _cancel(self, room: Room) -> None:
        task = self._release(room)
        if task is not None:
            task.cancel()

    def _release(self, room: Room) -> asyncio.Task[None] | None:
        room.users.discard(self)
        return self._tasks.pop(room, None)

    def _done(self, room: Room, task: asyncio.Task[None]) -> None:
        if self._tasks.get(room) is task:
            self._release(room)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a computer could not move", exc_info=error)

    async def _move(self, room: Room, table: Table) -> None:
        level, game = table.bot_to_move, table.game
        assert level is not None  # by the caller
        assert game is not None
        await asyncio.sleep(self.pause)
        await self._acquire(room)
        if room.table is not table:
            return  # there is a task for the newer state
        move = None
        if not game.position.must_roll:
            move = await self._bots.choose(level, game.position)
        if room.table is not table or room.pending is not None or self._is_stopped:
            return  # the append in progress will start a new task
        self._release(room)  # not to be cancelled from here on
        event = bot_event(table, move, self._dice_source)
        begun = time.perf_counter()
        with suppress(StoreError):  # it is logged, and the room catches up and tries again
            self._moved(await self._rooms.change(room, BOT_ACTOR, (event,)), begun)

    async def _acquire(self, room: Room) -> None:
        """Wait until this server holds the lease to move the bots at a table.

        If two servers moved them, the store would still accept one move and reject the other.
        """
        if not self._store.is_shared:
            return
        while True:
            try:
                wait = await self._store.lease(f"computer {room.table.id}", BOT_LEASE)
                if not wait:
                    if room.is_stale:
                        await self._rooms.get(room.table.id)
                    return
            except StoreError:
                wait = _RETRY_AFTER
            await asyncio.sleep(wait)
