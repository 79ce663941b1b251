"""A server under load: many tables that play as fast as they can, and people who watch.

The clients share one process and speak HTTP/1.1 by hand, so that they cost less than the server.
"""

import asyncio
import contextlib
import gc
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from tests import processes
from yachtdice import CATEGORIES

_LENGTH = re.compile(rb"content-length: (\d+)")


@dataclass
class Served:
    """A server process of its own, on a fresh database."""

    port: int
    process: subprocess.Popen[str]
    begun: float

    def age(self) -> float:
        """Return the seconds since the process was started."""
        return time.perf_counter() - self.begun

    def cpu(self) -> float:
        """Return the seconds of processor time that it has used."""
        fields = (
            Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Return the bytes that it holds in memory."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def server(folder: Path, *options: str) -> Iterator[Served]:
    """Run `yacht serve` in *folder* without limits on addresses."""
    code = "from yachtdice.cli.commands.serve import serve; serve()"
    begin = time.perf_counter()
    process = processes.start(
        [sys.executable, "-c", code, "--port=0", f"--data={folder}", "--rate=0", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        found = re.search(r":(\d+)/", processes.read_line(process))
        assert found, "the server did not start"
        yield Served(int(found[1]), process, begin)
    finally:
        processes.stop(process)
        process.communicate()


class Client(asyncio.Protocol):
    """One connection that waits for one answer at a time."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._waiting: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def connect(cls, port: int) -> "Client":
        _, client = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head = self._buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        length = _LENGTH.search(self._buffer, 0, head)
        end = head + 4 + (int(length[1]) if length else 0)
        if len(self._buffer) >= end:
            answer = bytes(self._buffer[:end])
            del self._buffer[:end]
            if self._waiting is not None and not self._waiting.done():
                self._waiting.set_result(answer)

    async def ask(self, method: str, path: str, token: str, body: object = None) -> bytes:
        """Return the whole answer, head and body."""
        data = b"" if body is None else json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{bearer}"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        self._waiting = asyncio.get_running_loop().create_future()
        assert self._transport is not None
        self._transport.write(head.encode() + data)
        return await self._waiting

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Watcher(asyncio.Protocol):
    """One stream; notes how long each version took to come."""

    def __init__(self, run: "Run", table: str) -> None:
        self._run = run
        self._table = table
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        path = f"/api/tables/{self._table}/stream"
        self._transport.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        if not self.ready.done():
            self.ready.set_result(None)
        self._buffer += data
        while (end := self._buffer.find(b"\n\n")) >= 0:
            begin = self._buffer.find(b"id: ", 0, end)
            if begin >= 0:
                version = int(self._buffer[begin + 4 : self._buffer.find(b"\n", begin)])
                self._run.delivered(self._table, version, now)
            del self._buffer[: end + 2]

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


@dataclass
class Run:
    """What was measured."""

    accepted: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    asked: dict[tuple[str, int], float] = field(default_factory=dict)
    answers: list[float] = field(default_factory=list)
    deliveries: list[float] = field(default_factory=list)
    is_counting: bool = False

    def delivered(self, table: str, version: int, now: float) -> None:
        asked = self.asked.get((table, version))
        if asked is not None and self.is_counting:
            self.deliveries.append(now - asked)


def percentile(values: list[float], share: float) -> float:
    """Return the value that *share* of the values do not exceed, 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


# A turn: three rolls, then the next box.
_TURN = ({"do": "roll"}, {"do": "roll", "kept": []}, {"do": "roll", "kept": []}, {"do": "fill"})
_PEOPLE = 2


class Player:
    """Plays for both people at one table, and opens a new one after the last box."""

    def __init__(self, client: Client, run: Run) -> None:
        self._client = client
        self._run = run
        self._steps = 0
        self.token = ""
        self.table = ""
        self.version = 0

    async def open(self) -> None:
        people = [{"name": f"Player {number}"} for number in range(_PEOPLE)]
        answer = await self._client.ask("POST", "/api/tables", self.token, {"people": people})
        body = json.loads(answer.partition(b"\r\n\r\n")[2])
        self.token = body.get("token") or self.token
        self.table, self.version = body["table"]["id"], body["table"]["version"]
        self._steps = 0

    def close(self) -> None:
        self._client.close()

    async def step(self) -> None:
        """Do one action, or open the next table."""
        turn, step = divmod(self._steps, len(_TURN))
        if turn == _PEOPLE * len(CATEGORIES):
            await self.open()
            return
        action: dict[str, object] = dict(_TURN[step])
        if action["do"] == "fill":
            action["category"] = CATEGORIES[turn // _PEOPLE].value
        request = {"version": self.version, "request": f"r{self.version}", "action": action}
        after = self.version + (2 if "kept" in action else 1)
        asked = time.perf_counter()
        self._run.asked[self.table, after] = asked
        answer = await self._client.ask(
            "POST", f"/api/tables/{self.table}/actions", self.token, request
        )
        assert answer.startswith(b"HTTP/1.1 200"), answer
        self.version = after
        self._steps += 1
        if self._run.is_counting:
            self._run.accepted += 1
            self._run.answers.append(time.perf_counter() - asked)


@dataclass(frozen=True)
class Plan:
    """How much is asked of a server."""

    tables: int
    watchers: int
    rate: float = 0.0
    """Actions a second in all; 0 for as many as it takes."""
    seconds: float = 4.0
    warm_up: float = 1.0


class Load:
    """Players and watchers of one server, or of several on one database.

    Where there are several, the players at a table come by one of them and those who watch it by
    the next.
    """

    def __init__(self, servers: Sequence[Served], plan: Plan) -> None:
        self._ports = [served.port for served in servers]
        self._servers = servers
        self._plan = plan
        self._streams: dict[str, list[Watcher]] = {}
        self.run = Run()

    async def go(self) -> Run:
        """Play for as long as the plan says, and return what was measured."""
        plan, run = self._plan, self.run
        gc.collect()
        gc.freeze()  # what the clients keep is no reason to look for garbage
        gc.set_threshold(100_000, 50, 1000)
        ports = itertools.cycle(self._ports)
        players = [
            Player(await Client.connect(port), run) for port in itertools.islice(ports, plan.tables)
        ]
        await asyncio.gather(*(player.open() for player in players))
        for number in range(plan.watchers):
            await self._watch(players[number % plan.tables].table, number % plan.tables)
        end = time.perf_counter() + plan.warm_up + plan.seconds
        tasks = [
            asyncio.create_task(self._play(player, number, end))
            for number, player in enumerate(players)
        ]
        await asyncio.sleep(plan.warm_up)
        run.is_counting = True
        cpu, begun = self._cpu(), time.perf_counter()
        await asyncio.sleep(plan.seconds)
        run.is_counting = False
        run.seconds, run.cpu = time.perf_counter() - begun, self._cpu() - cpu
        await asyncio.gather(*tasks)
        for player in players:
            player.close()
        for watcher in [w for watchers in self._streams.values() for w in watchers]:
            watcher.close()
        await asyncio.sleep(0.1)  # let the connections end before the loop does
        return run

    async def new_tables(self, number: int) -> list[str]:
        """Return the ids of new tables at which nobody plays."""
        player = Player(await Client.connect(self._ports[0]), self.run)
        tables = []
        for _ in range(number):
            await player.open()
            tables.append(player.table)
        player.close()
        return tables

    async def _play(self, player: Player, number: int, end: float) -> None:
        pause = self._plan.tables / self._plan.rate if self._plan.rate else 0.0
        due = time.perf_counter() + number * pause / self._plan.tables
        while time.perf_counter() < end:
            table = player.table
            await player.step()
            if player.table != table:
                # Those who watched the finished game watch the next one.
                for old in self._streams.pop(table, []):
                    old.close()
                    await self._watch(player.table, number)
            due += pause
            await asyncio.sleep(max(0.0, due - time.perf_counter()) if pause else 0)

    def _cpu(self) -> float:
        return sum(served.cpu() for served in self._servers)

    async def _watch(self, table: str, player: int) -> None:
        watcher = Watcher(self.run, table)
        loop = asyncio.get_running_loop()
        port = self._ports[(player + 1) % len(self._ports)]
        await loop.create_connection(lambda: watcher, "127.0.0.1", port)
        await watcher.ready
        self._streams.setdefault(table, []).append(watcher)
