"""Two servers on one PostgreSQL, raced on purpose, while things break: nothing answered is lost."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import processes, programs
from tests.postgres import Postgres
from tests.waiting import DEADLINE, until
from tests.web.crowd import LOST, SEATS, Connection, Player, Servers, Story
from yachtdice.notation import parse_record
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.table import Table

pytestmark = pytest.mark.system

FULL_DISK = """
CREATE FUNCTION full() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full();
"""
NO_LONGER_FULL = "DROP TRIGGER full_disk ON events; DROP FUNCTION full();"


class Disk:
    """A folder, perhaps on a file system of its own, which can be filled."""

    def __init__(self, folder: Path, *, is_small: bool) -> None:
        self.folder = folder
        self.is_small = is_small
        self._filling = folder / "filling"

    def fill(self) -> None:
        with contextlib.suppress(OSError), self._filling.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))

    def empty(self) -> None:
        self._filling.unlink()


@contextlib.contextmanager
def small_disk() -> Iterator[Disk]:
    """Yield a folder on a disk of 400 MiB, if that can be made; else any folder."""
    with processes.folder("yacht-disk-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", str(folder)]
        is_small = processes.run(mount, capture_output=True, check=False).returncode == 0
        try:
            yield Disk(folder, is_small=is_small)
        finally:
            if is_small:
                processes.run(["umount", "--lazy", str(folder)], check=True)


class World:
    """All that can break, and how."""

    def __init__(
        self, server: Postgres, folder: Path, scale: float, disk: Disk | None = None
    ) -> None:
        self._disk = disk
        self.postgresql = server
        self.database = server.database()
        self.servers = Servers(folder, self.database)
        self._scale = scale

    async def wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._scale)

    async def all_well(self) -> None:
        """Wait until both servers say that they can do their work."""
        for port in self.servers.ports:
            status = 0
            while status != 200:
                connection = Connection(port)
                try:
                    status, _ = await connection.ask("GET", "/health", "")
                except LOST:
                    await asyncio.sleep(0.05)
                connection.close()

    def all_listen(self) -> bool:
        """Return whether each server hears what the others do."""
        listening = self.postgresql.ask(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'yacht news'",
            self.database,
        )
        return listening == [(len(self.servers.ports),)]

    async def nothing(self) -> None:
        """For comparison."""
        await self.wait(5)

    async def kill_a_server(self) -> None:
        self.servers.kill(0)
        await self.wait(2)
        self.servers.start(0)

    async def restart_the_database(self) -> None:
        await asyncio.to_thread(self.postgresql.restart)

    async def crash_the_database(self) -> None:
        await asyncio.to_thread(self.postgresql.stop, signal.SIGQUIT)
        await self.wait(2)
        await asyncio.to_thread(self.postgresql.start)

    async def cut_what_listens(self) -> None:
        for _ in range(3):
            await asyncio.to_thread(until, self.all_listen, "that both servers listen")
            cut = await asyncio.to_thread(self.postgresql.cut, "application_name = 'yacht news'")
            assert cut == len(self.servers.ports)
            await self.wait(1.5)

    async def cut_everything(self) -> None:
        for _ in range(3):
            await asyncio.to_thread(self.postgresql.cut, "application_name LIKE 'yacht %'")
            await self.wait(1)

    async def fill_the_disk(self) -> None:
        """Really, if there is a small one; else as PostgreSQL would report it."""
        if self._disk is None or not self._disk.is_small:
            await asyncio.to_thread(self.postgresql.ask, FULL_DISK, self.database)
            await self.wait(5)
            await asyncio.to_thread(self.postgresql.ask, NO_LONGER_FULL, self.database)
            return
        await asyncio.to_thread(self._disk.fill)
        await self.wait(5)
        self._disk.empty()
        if self.postgresql.is_crashed:  # it stops when it cannot write its log
            await asyncio.to_thread(self.postgresql.restart)

    async def stop_a_server_for_a_while(self) -> None:
        self.servers.signal(1, signal.SIGSTOP)
        await self.wait(30)
        self.servers.signal(1, signal.SIGCONT)


Fault = Callable[[World], Awaitable[None]]
FAULTS: tuple[Fault, ...] = (
    World.nothing,
    World.kill_a_server,
    World.restart_the_database,
    World.crash_the_database,
    World.cut_what_listens,
    World.cut_everything,
    World.fill_the_disk,
    World.stop_a_server_for_a_while,
)


async def play(
    world: World, faults: tuple[Fault, ...], tables: int, pause: float, tell: Callable[[str], None]
) -> None:
    """Let a crowd play through all *faults*, then finish, and compare everything."""
    story, ports = Story(pause=pause), world.servers.ports
    chance = random.Random(1)  # noqa: S311 - no secret
    crowd = [[Player(seat, ports, story, chance) for seat in range(SEATS)] for _ in range(tables)]
    async with asyncio.timeout(DEADLINE):
        await world.all_well()
    await asyncio.gather(*(seat_all(players) for players in crowd))
    people = [player for players in crowd for player in players]
    watching = [asyncio.create_task(player.watch()) for player in people]
    playing = [asyncio.create_task(player.play()) for player in people]
    everything = asyncio.gather(*playing, *watching)
    for fault in faults:
        await through(world, story, fault, everything, tell)
    began = time.monotonic()
    story.is_ending, story.pause = True, 0
    for player in people:
        player.hurry()
    async with asyncio.timeout(DEADLINE):
        await checked(asyncio.gather(*playing), everything)
        while any(player.seen[-1] < player.state["version"] for player in people):
            await checked(asyncio.sleep(0.05), everything)
    tell(
        f"{tables} tables, {len(people)} clients: {len(story.answers)} actions accepted, "
        f"{story.repeated} of them when asked again, {story.reconnects} streams opened anew; "
        f"refused: {dict(story.refusals)}; all games ended {time.monotonic() - began:.0f} s later"
    )
    for task in watching:
        task.cancel()
    for player in people:
        player.close()
    await compare(world, story, crowd)


async def seat_all(players: list[Player]) -> None:
    table = await players[0].open()
    for player in players[1:]:
        await player.join(table)
    players[0].state = players[-1].state
    await players[0].begin()


async def checked(work: Awaitable[Any], everything: asyncio.Future[Any]) -> None:
    """Wait for *work*, but no longer than until one of the crowd has found a fault."""
    task = asyncio.ensure_future(work)
    await asyncio.wait([task, everything], return_when=asyncio.FIRST_COMPLETED)
    if everything.done():
        everything.result()
    await task


async def through(
    world: World,
    story: Story,
    fault: Fault,
    everything: asyncio.Future[Any],
    tell: Callable[[str], None],
) -> None:
    """Let one thing break and mend, and wait until all is well again."""
    begun, before, accepted = time.monotonic(), Counter(story.refusals), len(story.answers)
    await checked(fault(world), everything)
    mended = time.monotonic()
    known = len(story.answers)
    async with asyncio.timeout(DEADLINE):
        while len(story.answers) < known + 20 and not everything.done():
            await checked(asyncio.sleep(0.02), everything)
        await checked(world.all_well(), everything)
    well = time.monotonic()
    await checked(world.wait(3), everything)
    end = time.monotonic()
    tell(
        f"{fault.__name__}: {mended - begun:.1f} s; {len(story.answers) - accepted} accepted in "
        f"{end - begun:.1f} s, longest pause {story.longest_gap(begun, end):.2f} s, well again "
        f"after {well - mended:.2f} s; refused {dict(Counter(story.refusals) - before)}"
    )


async def compare(world: World, story: Story, crowd: list[list[Player]]) -> None:
    """Hold what people saw and were told against the database and both servers."""
    events: dict[str, list[tuple[int, str | None, Any]]] = {}
    with psycopg.connect(world.database) as connection:
        rows = connection.execute(
            "SELECT stream, seq, request, kind, data FROM events ORDER BY stream, seq"
        )
        for stream, seq, request, kind, data in rows:
            known = events.setdefault(stream, [])
            assert seq == len(known) + 1
            known.append((seq, request, CODEC.decode(kind, json.loads(data))))
    for table_id, version, request in story.kept:
        assert events[table_id][version - 1][1] == request, "answered, and not kept"
    asked = [request for known in events.values() for _, request, _ in known if request]
    assert len(asked) == len(set(asked))
    connections = [Connection(port) for port in world.servers.ports]
    for players in crowd:
        ways = [[*player.finished, (player.state, player.seen)] for player in players]
        for leg in zip(*ways, strict=True):
            states, views = [state for state, _ in leg], [seen for _, seen in leg]
            table_id = states[0]["id"]
            table = Table.replay(table_id, [event for _, _, event in events.pop(table_id)])
            assert table.game is not None
            assert table.game.position.is_over
            # Each sees each version, from where it came to the table to the end.
            for seen in views:
                assert seen == list(range(seen[0], table.version + 1))
                assert seen[0] <= SEATS + 2
            path = f"/api/tables/{table_id}"
            found = [(await each.ask("GET", path, ""))[1] for each in connections]
            assert found[0] == found[1]
            for state in states:
                assert {**state, "you": {}} == {**found[0], "you": {}}
            records = [(await each.ask("GET", f"{path}/record", ""))[1] for each in connections]
            assert records[0] == records[1]
            assert parse_record(records[0]).game == table.game
    assert not events, "a table that nobody knows of"
    for each in connections:
        each.close()


def run(
    world: World,
    faults: tuple[Fault, ...],
    tables: int,
    pause: float,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    try:
        asyncio.run(play(world, faults, tables, pause, tell))
    finally:
        world.servers.stop()
    for number in range(len(world.servers.ports)):
        for line in world.servers.log(number).read_text().splitlines():
            logger = json.loads(line)["logger"]  # what nobody foresaw is uvicorn's or asyncio's
            assert logger.startswith("yachtdice."), line


@pytest.fixture
def report(capfd: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return what prints figures, whether or not the rest is shown."""

    def tell(text: str) -> None:
        with capfd.disabled():
            sys.stdout.write(f"\n{text}")

    return tell


def test_two_servers_are_as_good_as_one_whatever_breaks(
    postgresql: Postgres, tmp_path: Path
) -> None:
    run(World(postgresql, tmp_path, 0.1), FAULTS, tables=6, pause=0.02, tell=print)


@pytest.mark.soak
def test_two_servers_under_load(tmp_path: Path, report: Callable[[str], None]) -> None:
    """A hundred tables, on a disk that is really full at times, and flushed as in earnest."""
    programs.need("postgres", "psycopg")
    with small_disk() as disk:
        server = Postgres(disk.folder, fsync="on")
        try:
            world = World(server, tmp_path, 1.0, disk)
            tables = int(os.environ.get("TABLES", "100"))
            run(world, FAULTS, tables, pause=0.15, tell=report)
        finally:
            server.stop()
