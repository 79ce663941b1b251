"""Two servers on one PostgreSQL, and a crowd of clients that race each other and never give up.

Every client watches its table through one of the servers, each version of it, and acts through
both at once: two different actions for one version. Whatever breaks, it tries again with the same
request id, at the other server. What was answered is remembered, and held against the database.
"""

import asyncio
import collections
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import processes
from tests.waiting import DEADLINE
from yachtdice.play.online.tokens import holder_of

SERVE = "from yachtdice.cli.commands.serve import serve; serve()"
SEATS = 4
PATIENCE = 3.0
"""Seconds after which a client takes a silent server for dead, and twice as many the next time."""
MOST_PATIENCE = 60.0
LOST = (OSError, EOFError, asyncio.IncompleteReadError, TimeoutError)

Table = dict[str, Any]


class Servers:
    """Two `yacht serve` on one database, each at a port of its own."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        secret = folder / "secret"
        secret.write_text("s" * 40)
        self._options = [
            f"--database={database}",
            f"--secret-file={secret}",
            f"--data={folder}",
            "--rate=0",
        ]
        self.ports: list[int] = []
        for _ in range(2):
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.ports.append(free.getsockname()[1])
        self._processes = [self._start(number) for number in range(2)]

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", SERVE, f"--port={self.ports[number]}", *self._options]
        with self.log(number).open("ab") as log:
            return processes.start(command, stdout=subprocess.DEVNULL, stderr=log)

    def log(self, number: int) -> Path:
        return self._folder / f"log{number}"

    def kill(self, number: int) -> None:
        self._processes[number].kill()
        self._processes[number].wait()

    def start(self, number: int) -> None:
        self._processes[number] = self._start(number)

    def signal(self, number: int, what: signal.Signals) -> None:
        self._processes[number].send_signal(what)

    def memory(self, number: int) -> int:
        """Return the bytes that a server holds in memory."""
        fields = Path(f"/proc/{self._processes[number].pid}/statm").read_text("ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        for process in self._processes:
            process.wait(DEADLINE)


class Connection:
    """HTTP/1.1 by hand: one request at a time, a new connection where the old one is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self,
        method: str,
        path: str,
        token: str,
        body: object = None,
        patience: float = MOST_PATIENCE,
    ) -> tuple[int, Any]:
        """Return the status and the JSON (or text) of the answer.

        Raises:
            OSError, EOFError, TimeoutError: If there is none.
        """
        async with asyncio.timeout(patience):
            try:
                return await self._ask(method, path, token, body)
            except BaseException:
                self.close()
                raise

    async def _ask(self, method: str, path: str, token: str, body: object) -> tuple[int, Any]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        writer.write(_head(method, path, token, len(data)) + data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        text = await reader.readexactly(length)
        is_json = "content-type: application/json" in head
        return int(head.split()[1]), json.loads(text) if is_json else text.decode()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _head(method: str, path: str, token: str, length: int, more: str = "") -> bytes:
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{bearer}{more}"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


@dataclass
class Story:
    """What happened to all of the crowd."""

    begun: float = field(default_factory=time.monotonic)
    accepted: dict[tuple[str, int], str] = field(default_factory=dict)
    """By table and version, the one request that was accepted there."""
    kept: list[tuple[str, int, str]] = field(default_factory=list)
    """Of each accepted request: its table, the version afterwards, and who asked with which id."""
    answers: list[float] = field(default_factory=list)
    """When each accepted request was answered."""
    refusals: collections.Counter[str] = field(default_factory=collections.Counter)
    repeated: int = 0
    """How many were answered only when they were asked again."""
    reconnects: int = 0
    pause: float = 0.0
    """Seconds for which each one thinks, on average."""
    is_ending: bool = False
    """Whether the games that go on now are the last ones."""

    def accept(self, table: str, version: int, request: str, answer: Table, holder: str) -> None:
        after = answer["table"]["version"]
        assert after > version
        first = self.accepted.setdefault((table, version), request)
        assert first == request, f"two accepted at version {version} of {table}"
        self.repeated += answer["is_repeated"]
        self.answers.append(time.monotonic())
        self.kept.append((table, after, f"{holder}:{request}"))

    def longest_gap(self, begin: float, end: float) -> float:
        """Return for how many seconds nothing at all was accepted in that time."""
        times = [begin, *(at for at in self.answers if begin < at < end), end]
        return max(later - earlier for earlier, later in itertools.pairwise(times))


def patience_after(failures: int) -> float:
    """Return for how long to wait after so many failures in a row."""
    return float(min(PATIENCE * 2**failures, MOST_PATIENCE))


class Asker:
    """Asks one server first, and the other one where that does not answer."""

    def __init__(self, first: int, ports: list[int], story: Story, chance: random.Random) -> None:
        self._first = first
        self._story = story
        self._chance = chance
        self._connections = [Connection(port) for port in ports]

    async def ask(self, method: str, path: str, token: str, body: object = None) -> tuple[int, Any]:
        """Ask until there is an answer that is one."""
        for number in itertools.count():
            connection = self._connections[(self._first + number) % len(self._connections)]
            patience = patience_after(number // len(self._connections))
            try:
                status, answer = await connection.ask(method, path, token, body, patience)
            except LOST as error:
                self._story.refusals[type(error).__name__] += 1
            else:
                if status != 503:
                    return status, answer
                assert answer["error"]["code"] in {"store_failing", "busy"}, answer
                self._story.refusals["503"] += 1
            await asyncio.sleep(self._chance.uniform(0.05, 0.25))
        raise AssertionError

    def close(self) -> None:
        for connection in self._connections:
            connection.close()


class Player:
    """One person at one table, who watches it and acts at it."""

    def __init__(self, number: int, ports: list[int], story: Story, chance: random.Random) -> None:
        self._number = number
        self._ports = ports
        self._story = story
        self._chance = chance
        self._askers = [Asker(first, ports, story, chance) for first in range(len(ports))]
        self._acting: dict[int, asyncio.Task[None]] = {}
        self._way = Asker(number, ports, story, chance)
        self._requests = itertools.count()
        self._news = asyncio.Event()
        self.token = ""
        self.state: Table = {}
        self.seen: list[int] = []
        """The versions that the stream brought, in the order in which they came."""
        self.finished: list[tuple[Table, list[int]]] = []
        """The last state of each table that was left for the next one, and what was seen."""

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Ask one server or the other, besides what goes on at the table."""
        return await self._way.ask(method, path, self.token, body)

    async def open(self) -> str:
        people = [{"name": f"Player {self._number}"}]
        body = {"mode": "online", "size": SEATS, "people": people}
        status, answer = await self.ask("POST", "/api/tables", body)
        assert status == 201, answer
        self.token, self.state = answer["token"], answer["table"]
        return str(self.state["id"])

    async def join(self, table: str) -> None:
        body = {"name": f"Player {self._number}"}
        status, answer = await self.ask("POST", f"/api/tables/{table}/seats", body)
        assert status in {200, 201}, answer
        self.token, self.state = answer["token"], answer["table"]

    async def begin(self) -> None:
        await self._act(self.state["version"], {"do": "begin"}, 0)

    async def watch(self) -> None:
        """Watch one table after the other, for ever, through one server or the other."""
        failures = 0
        for number in itertools.count(self._number):
            versions = len(self.finished), len(self.seen)
            try:
                await self._watch(self._ports[number % len(self._ports)], patience_after(failures))
                await self._follow()
            except LOST:
                is_same = versions == (len(self.finished), len(self.seen))
                failures = failures + 1 if is_same else 0
                self._story.reconnects += 1
                await asyncio.sleep(self._chance.uniform(0.05, 0.25))

    async def _watch(self, port: int, patience: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            known = f"Last-Event-ID: {self.seen[-1] if self.seen else 0}\r\n"
            path = f"/api/tables/{self.state['id']}/stream?every=true"
            writer.write(_head("GET", path, self.token, 0, known))
            async with asyncio.timeout(patience):
                head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head:
                raise EOFError(head)
            while self.state["phase"] != "left" or self.seen[-1] < self.state["version"]:
                async with asyncio.timeout(4 * patience):  # it may well be that nobody moves
                    line = await reader.readuntil(b"\n")
                if line.startswith(b"data: "):
                    self._take(json.loads(line[6:]))
        finally:
            writer.close()

    async def _follow(self) -> None:
        """Go on to the next table."""
        status, table = await self.ask("GET", f"/api/tables/{self.state['next']}")
        assert status == 200, table
        self.finished.append((self.state, self.seen))
        self.state, self.seen = table, []
        self._news.set()

    def _take(self, state: Table) -> None:
        version = state["version"]
        if self.seen:  # the same once more says that somebody is absent, or back
            assert version in {self.seen[-1], self.seen[-1] + 1}, (version, self.seen[-3:])
        if not self.seen or version > self.seen[-1]:
            self.seen.append(version)
        if version >= self.state["version"]:
            self.state = state
            self._news.set()

    async def play(self) -> None:
        """Act, at both servers at once, whenever it is one's turn; now and then when it is not."""
        while not (self.state["phase"] == "over" and self._story.is_ending):
            self._news.clear()
            state = self.state
            if state["phase"] == "playing":
                if state["you"]["can_move"]:
                    await asyncio.sleep(self._chance.uniform(0, 2 * self._story.pause))
                    await self._race(state["version"], self._choices(state))
                    continue
                if self._chance.random() < 0.02:
                    await self._race(state["version"], ({"do": "roll"},))
            elif state["phase"] == "over" and 0 in state["you"]["seats"]:
                await self._race(state["version"], ({"do": "rematch"}, {"do": "rematch"}))
                continue
            if self.state is state:
                await self._news.wait()
        await asyncio.gather(*self._acting.values())

    def hurry(self) -> None:
        """Look at what has changed besides the table."""
        self._news.set()

    def _choices(self, state: Table) -> tuple[Table, Table]:
        """Return two actions that are both possible now."""
        turn = state["turn"]
        if turn["must_roll"]:
            return {"do": "roll"}, {"do": "roll"}
        boxes = list(turn["points"])
        fill = {"do": "fill", "category": self._chance.choice(boxes)}
        if turn["rolls_left"] and self._chance.random() < 0.5:
            kept = turn["dice"][: self._chance.randrange(5)]
            return {"do": "roll", "kept": kept}, fill
        return fill, {"do": "fill", "category": self._chance.choice(boxes)}

    async def _race(self, version: int, actions: tuple[Table, ...]) -> None:
        """Ask for a different one of *actions* at each server that has answered the last time."""
        for server, action in enumerate(actions):
            acting = self._acting.get(server)
            if acting is None or acting.done():
                self._acting[server] = asyncio.create_task(self._act(version, action, server))
        done, _ = await asyncio.wait(self._acting.values(), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _act(self, version: int, action: Table, server: int) -> None:
        """Ask *server* first, and then the other, until there is an answer."""
        request = f"{self._number}-{next(self._requests)}"
        body = {"version": version, "request": request, "action": action}
        table = self.state["id"]
        asker = self._askers[server % len(self._askers)]
        path = f"/api/tables/{table}/actions"
        status, answer = await asker.ask("POST", path, self.token, body)
        if status == 200:
            holder = holder_of(self.token.rpartition(".")[0])
            self._story.accept(table, version, request, answer, holder)
        else:
            assert status in {403, 409}, answer
            self._story.refusals[answer["error"]["code"]] += 1
        now = answer.get("table")
        if now and now["id"] == self.state["id"] and now["version"] > self.state["version"]:
            self.state = now
            self._news.set()

    def close(self) -> None:
        for asker in (*self._askers, self._way):
            asker.close()
