"""Tables with dice, a clock and bots that a test controls."""

import asyncio
from collections.abc import Callable
from itertools import count

import pytest

from tests.dice import ReplaceableDice
from tests.waiting import DEADLINE
from yachtdice import IllegalMoveError, IllegalMoveReason
from yachtdice.dice_source import ScriptedDice
from yachtdice.play.online.bot_mover import BotPool
from yachtdice.play.online.presence import AWAY_AFTER
from yachtdice.play.online.room import Room
from yachtdice.play.online.tables import Outcome, Tables
from yachtdice.play.table.actions import Action, Fill, Roll
from yachtdice.play.table.events import Mode
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.table import Table
from yachtdice.store.contract import Store
from yachtdice.store.memory import MemoryStore

ANA, BOB, EVE = "ana" * 8, "bob" * 8, "eve" * 8
"""Holders: the public halves of tokens."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class World:
    """A server's tables, and a short way to act at them."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bots: BotPool | None = None,
        *,
        away_after: float = AWAY_AFTER,
        max_rooms: int = 2000,
    ) -> None:
        self.clock = clock
        self.store = store
        self.dice = ReplaceableDice()
        self.tables = Tables(
            store,
            self.dice,
            clock,
            bots=bots,
            bot_pause=0,
            away_after=away_after,
            max_rooms=max_rooms,
        )
        self._requests = (f"{id(self):x}-{number}" for number in count())

    def script(self, *faces: int) -> None:
        """Let the next dice be these."""
        self.dice.source = ScriptedDice(faces)

    def pause_bots(self, seconds: float) -> None:
        """Let bots wait so long before each step from now on."""
        self.tables._bot_mover.pause = seconds  # noqa: SLF001

    def room(self, table: Table) -> Room:
        """Return the room of *table*, which is in memory."""
        room = self.tables._rooms.cached(table.id)  # noqa: SLF001
        assert room is not None
        return room

    async def until(self, table: Table, wanted: Callable[[Table], bool]) -> list[Table]:
        """Listen until a state of *table* is *wanted*; return all states since, the first first."""
        states: list[Table] = []
        done = asyncio.Event()

        def listener(newer: Table) -> None:
            states.append(newer)
            if wanted(newer):
                done.set()

        now, stop = await self.tables.listen(table.id, listener)
        if not wanted(now):
            await asyncio.wait_for(done.wait(), DEADLINE)
        stop()
        return [now, *states]

    async def act(
        self, table: Table | Outcome, who: str, action: Action, *, version: int | None = None
    ) -> Outcome:
        """Act at the newest version, or at a given one, with a new request id."""
        at = table.table if isinstance(table, Outcome) else table
        if version is None:
            version = (await self.tables.get(at.id)).version
        return await self.tables.act(at.id, who, version, next(self._requests), action)

    async def do(self, table: Table | Outcome, who: str, action: Action) -> Table:
        """Act, and see to it that nothing was refused."""
        outcome = await self.act(table, who, action)
        assert outcome.refusal is None
        return outcome.table

    async def online(self, *others: str) -> Table:
        """Return an online table that Ana opened, with *others* at it, in the lobby."""
        table = await self.tables.open(ANA, people=[("Ana", None)], mode=Mode.ONLINE)
        for who in others:
            table = (await self.tables.join(table.id, who, who[:3].title())).table
        return table


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def world(clock: Clock) -> World:
    return World(MemoryStore(), clock)


@pytest.fixture
def restart(world: World) -> Callable[[], World]:
    """Return what makes a new server over the same store."""
    return lambda: World(world.store, world.clock)


def reason(outcome: Outcome) -> TableReason | IllegalMoveReason | None:
    assert isinstance(outcome.refusal, (TableError, IllegalMoveError, type(None)))
    return outcome.refusal.reason if outcome.refusal else None


async def finish(world: World, table: Table, *holders: str) -> Table:
    """Play to the end, with one roll a turn."""
    while not table.is_over:
        assert table.game is not None
        seat = table.game.position.seat
        who = holders[seat % len(holders)]
        open_box = table.game.position.card.open[0]
        table = await world.do(table, who, Roll())
        table = await world.do(table, who, Fill(open_box))
    return table
