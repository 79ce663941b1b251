"""Whatever is sent to two servers on one PostgreSQL, it is the sender's fault, and hurts nobody."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from tests import processes
from tests.postgres import Postgres
from tests.waiting import DEADLINE, until
from tests.web.conftest import Client, Stream
from tests.web.fuzzing import Attack, Fuzzer, Person, World
from tests.web.test_serve import SERVE
from yachtdice.notation import parse_record
from yachtdice.play.online.tables import Tables
from yachtdice.store.memory import MemoryStore
from yachtdice.store.sql.database import READERS
from yachtdice.web.app import Application
from yachtdice.web.edge.security import Keys
from yachtdice.web.edge.settings import Settings
from yachtdice.web.views.lobby import RULE_SETS

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="measures by /proc"),
]

SECRET = "s" * 40
SHORT = 600
"""Attacks in the form that always runs."""
ATTACKERS = 16
STALLED = 60
"""Connections to each server that ask nothing, or never finish; all the time."""
A_GAME = 128 * 2**10
"""Bytes that a game may take for as long as its table is one of the latest 2,000."""
ESTABLISHED, CLOSE_WAIT = "01", "08"  # in /proc/net/tcp
HTTP_1 = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9]) ")


class Process:
    """A server in a process of its own, whose log is a file."""

    def __init__(self, folder: Path, name: str, database: str) -> None:
        self._log = folder / f"{name}.log"
        command = [sys.executable, "-c", SERVE, "--port=0", "--rate=0", f"--data={folder}"]
        command += [f"--secret-file={folder / 'secret'}", f"--database={database}"]
        with self._log.open("wb") as log:
            self.process = processes.start(command, stdout=subprocess.PIPE, stderr=log, text=True)
        found = re.search(r"http://\S+:(\d+)/", processes.read_line(self.process))
        assert found, self.log
        self.url, self.port = found[0], int(found[1])

    @property
    def log(self) -> str:
        """What it has written."""
        return self._log.read_text("utf-8")

    @property
    def memory(self) -> int:
        """Bytes that are resident."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def files(self) -> int:
        """The number of open files."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))  # noqa: PTH208 - only counted

    @property
    def connections(self) -> int:
        """The number of connections of clients that it has not closed."""
        here = f":{self.port:04X}"
        lines = Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]
        return sum(
            local.endswith(here) and state in {ESTABLISHED, CLOSE_WAIT}
            for _, local, _, state, *_ in map(str.split, lines)
        )

    def end(self, number: int = signal.SIGTERM) -> int:
        """Stop it, if it is not stopped; return its status."""
        status = processes.stop(self.process, number)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


# Those who play


class Game(threading.Thread):
    """Two people who play whole games, each at another server, seen by somebody at each."""

    def __init__(self, here: Process, there: Process) -> None:
        super().__init__()
        self._urls = here.url, there.url
        self.is_last = threading.Event()
        self.actions = self.games = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with ExitStack() as stack:
                self._players = [
                    Client(stack.enter_context(httpx.Client(base_url=url, timeout=DEADLINE)))
                    for url in self._urls
                ]
                while not self.is_last.is_set() or not self.games:
                    self._play()
                    self.games += 1
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            self.failure = error

    def _play(self) -> None:
        ana, bob = self._players
        table = ana.open(mode="online", people=[{"name": "Ana"}])
        bob.join(table, "Bob")
        with ExitStack() as stack:
            watchers = []
            for player in self._players:
                path = f"/api/tables/{table['id']}/stream?every=true"
                answer = stack.enter_context(player.http.stream("GET", path))
                watchers.append(Stream(answer))
            seen = 0
            table = ana.do(ana.get(table), "begin")
            while table["phase"] == "playing":
                turn = table["turn"]
                player = self._players[turn["seat"]]
                if turn["must_roll"]:
                    table = player.do(table, "roll")
                elif turn["rolls_left"] == 2:
                    table = player.do(table, "roll", kept=turn["dice"][:2])
                else:
                    box = max(turn["points"], key=turn["points"].__getitem__)
                    table = player.do(table, "fill", category=box)
                self.actions += 1
                for watcher in watchers:
                    shown = seen
                    while shown < table["version"]:
                        state = watcher.next()
                        assert state["version"] in {shown, shown + 1}  # again: who is absent
                        shown = state["version"]
                seen = table["version"]
        assert table["phase"] == "over"
        record = parse_record(bob.ask("GET", f"/tables/{table['id']}/record").text)
        totals = [card.total for card in record.game.position.cards]
        assert totals == [seat["total"] for seat in table["seats"]]


# Those who attack


@dataclass
class Siege:
    """What was sent, and what came of it."""

    ports: Sequence[int]
    chance: random.Random
    statuses: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def send(self, attacks: Iterator[Attack], number: int) -> None:
        """Send so many of *attacks*, several at a time."""
        asyncio.run(self._all(itertools.islice(attacks, number)))

    def __str__(self) -> str:
        """Return what came of it in numbers."""
        counted = (self.kinds, self.statuses)
        return "; ".join(
            ", ".join(f"{key} {number}" for key, number in sorted(counter.items()))
            for counter in counted
        )

    async def _all(self, queue: Iterator[Attack]) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(ATTACKERS):
                group.create_task(self._some(queue))

    async def _some(self, queue: Iterator[Attack]) -> None:
        for attack in queue:
            self.kinds[attack.kind] += 1
            statuses = await self._one(attack, self.chance.choice(self.ports))
            self.statuses.update(statuses)
            if len(statuses) < attack.wants or any(status >= 500 for status in statuses):
                self.faults.append(f"{statuses} {attack.kind} {b''.join(attack.parts)[:600]!r}")

    async def _one(self, attack: Attack, port: int) -> list[int]:
        statuses: list[int] = []
        loop = asyncio.get_running_loop()
        with socket.socket() as connection:
            connection.setblocking(False)  # noqa: FBT003 - its only argument
            await loop.sock_connect(connection, ("127.0.0.1", port))
            sending = asyncio.create_task(_send(connection, attack))
            try:
                with suppress(ConnectionError, EOFError, TimeoutError):
                    if attack.is_cut:
                        async with asyncio.timeout(DEADLINE):
                            await sending
                    else:  # once it is answered, nobody need take the rest
                        await _read_answers(Answers(connection), attack, statuses)
            finally:
                sending.cancel()
                await asyncio.wait([sending])
        return statuses


class Answers:
    """What a server sends, to the last byte.

    asyncio's streams would drop what has come and is not read when sending fails.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._come = bytearray()

    async def until(self, end: bytes) -> bytes:
        while (at := self._come.find(end)) < 0:
            await self._more()
        return self._take(at + len(end))

    async def exactly(self, number: int) -> bytes:
        while len(self._come) < number:
            await self._more()
        return self._take(number)

    async def _more(self) -> None:
        data = await asyncio.get_running_loop().sock_recv(self._connection, 2**16)
        if not data:
            raise EOFError
        self._come += data

    def _take(self, number: int) -> bytes:
        taken = bytes(self._come[:number])
        del self._come[:number]
        return taken


async def _send(connection: socket.socket, attack: Attack) -> None:
    with suppress(ConnectionError):
        for part in attack.parts:
            await asyncio.get_running_loop().sock_sendall(connection, part)
            await asyncio.sleep(attack.pause)


async def _read_answers(answers: Answers, attack: Attack, statuses: list[int]) -> None:
    while True:
        is_enough = len(statuses) >= attack.wants
        if is_enough and attack.wants and attack.kind != "pipelined":
            return
        async with asyncio.timeout(
            0.05 + attack.pause * len(attack.parts) if is_enough else DEADLINE
        ):
            head = (await answers.until(b"\r\n\r\n")).lower()
        found = HTTP_1.match(head.upper())
        assert found, head
        status = int(found[1])
        if status < 200:
            continue
        statuses.append(status)
        async with asyncio.timeout(DEADLINE):
            if b"content-type: text/event-stream" in head and not attack.is_head:
                await answers.until(b"\r\n")
                return  # and nobody reads on
            await _read_body(answers, head, is_empty=attack.is_head or status in {204, 304})


async def _read_body(answers: Answers, head: bytes, *, is_empty: bool) -> None:
    length = re.search(rb"\r\ncontent-length: (\d+)\r\n", head)
    if is_empty:
        return
    if length:
        await answers.exactly(int(length[1]))
        return
    assert b"\r\ntransfer-encoding: chunked\r\n" in head, head
    while size := int(await answers.until(b"\r\n"), 16):
        await answers.exactly(size + 2)
    await answers.exactly(2)


_POST = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
HALVES = (
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: y",
    _POST + b"Content-Length: 20\r\n\r\n{",
    _POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
    b"GET /rules HTTP/1.1\r\nHost: x\r\n\r\n" * 3,
)
"""What is sent on connections that stay open: nothing, halves, and what nobody reads."""


@contextmanager
def stalled(ports: Sequence[int], *, is_awaited: bool) -> Iterator[None]:
    """Hold connections that never get on; if *is_awaited*, until the server has closed them all."""
    with ExitStack() as stack:
        held = []
        for number, port in itertools.product(range(STALLED), ports):
            half = HALVES[number % len(HALVES)]
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(half)
            held.append((half, connection))
        yield
        for half, connection in held if is_awaited else ():
            connection.settimeout(DEADLINE)
            said = b""
            while data := connection.recv(100_000):
                said += data
            statuses = [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", said)]
            whole = half.endswith(b"\r\n\r\n")
            assert statuses == ([200] * 3 if whole else [408] if half else [])


def world_of(servers: Sequence[Process]) -> World:
    """Return people, and tables in all states, for attackers to get at."""
    with ExitStack() as stack:
        ana, bob, eve = clients = [
            Client(stack.enter_context(httpx.Client(base_url=server.url, timeout=DEADLINE)))
            for server in (*servers, servers[0])
        ]
        tables = []
        for _ in range(6):
            tables += [
                ana.open(hints=True),
                ana.open(people=[{"name": "A"}, {"level": "greedy"}]),
                ana.open(dice="real", people=[{"name": "A"}, {"name": "B"}]),
            ]
            for _ in range(2):
                tables.append(ana.open(mode="online", people=[{"name": "A"}]))
                bob.join(tables[-1], "B")
            ana.do(ana.get(tables[-1]), "begin")
        over = ana.open()
        while over["phase"] == "playing":
            over = ana.do(over, "roll")
            over = ana.do(over, "fill", category=next(iter(over["turn"]["points"])))
        eve.open()
        people = []
        for client in clients:
            page = client.http.get("/", headers={"Cookie": f"{Keys(SECRET).cookie}={client.token}"})
            found = re.search(r'name="csrf" value="([^"]+)"', page.text)
            assert found
            people.append(Person(client.token, found[1]))
        # What is computed once and kept is there before memory is measured.
        for client, rules in itertools.product((ana, bob), RULE_SETS):
            while 'name="exercise"' not in client.http.get(f"/train?rules={rules}").text:
                pass
    application = Application(Tables(MemoryStore()), Settings(SECRET))
    routes = application._app.routes  # noqa: SLF001 - so that no new one is forgotten
    return World(SECRET, people, [table["id"] for table in (*tables, over)], routes)


@dataclass(frozen=True)
class State:
    """What a server takes while nobody is connected."""

    memory: int
    files: int

    @classmethod
    def of(cls, server: Process) -> State:
        """Wait until all connections have gone."""
        until(lambda: not server.connections, "the end of all connections")
        return cls(server.memory, server.files)


def besiege(folder: Path, postgresql: Postgres, number: int, seed: int, growth: int) -> str:
    """Send *number* attacks, which may leave *growth* bytes; return what was counted."""
    (folder / "secret").write_text(SECRET)
    database = postgresql.database()
    with ExitStack() as stack:
        servers = []
        for name in ("one", "two"):
            server = Process(folder, name, database)
            stack.callback(server.end, signal.SIGKILL)
            servers.append(server)
        siege = Siege([server.port for server in servers], random.Random(seed))  # noqa: S311
        attacks = Fuzzer(world_of(servers), seed).attacks()
        siege.send(attacks, number // 4)
        before = [State.of(server) for server in servers]
        games = [Game(*servers), Game(*reversed(servers))]
        with stalled(siege.ports, is_awaited=number > SHORT):
            for game in games:
                game.start()
            try:
                siege.send(attacks, number - number // 4)
            finally:
                for game in games:
                    game.is_last.set()
                    game.join()
        after = [State.of(server) for server in servers]
        said = f"{number} attacks: {siege}"
        for game in games:
            said += f"; {game.games} games with {game.actions} actions meanwhile"
        for one, other in zip(before, after, strict=True):
            mib = (one.memory / 2**20, other.memory / 2**20)
            said += f"; {mib[0]:.1f} MiB and then {mib[1]:.1f}, files {one.files} and {other.files}"

        assert not siege.faults, "\n".join([said, *siege.faults[:10]])
        for game in games:
            if game.failure is not None:
                raise game.failure
        for server, one, other in zip(servers, before, after, strict=True):
            health = httpx.get(f"{server.url}health")
            assert (health.status_code, health.json()["streams"]) == (200, 0)
            assert server.end() == 0
            assert server.log == ""
            # Connections to the database are made when they are needed first.
            assert other.files < one.files + READERS, said
            played = sum(game.games for game in games)
            assert other.memory - one.memory < growth + played * A_GAME, said
    return said


def test_bad_requests_hurt_nobody(tmp_path: Path, postgresql: Postgres) -> None:
    # Caches are filled meanwhile, and much is done for the first time: the long form is stricter.
    besiege(tmp_path, postgresql, SHORT, 1, 40 * 2**20)


@pytest.mark.soak
def test_50_000_bad_requests_hurt_nobody(tmp_path: Path, postgresql: Postgres) -> None:
    """Memory is flat but for caches of a bounded size: visitors, languages, reports.

    Each server gets half of the attacks: half a KiB that each of them left behind would show.
    """
    number = int(os.environ.get("ATTACKS", "50000"))
    sys.stdout.write(f"{besiege(tmp_path, postgresql, number, 2, 8 * 2**20)}\n")
