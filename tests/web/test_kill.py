"""A server that is killed at any moment has lost nothing that it has answered, and kept no half."""

import http.client
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.waiting import DEADLINE
from yachtdice import CATEGORIES, Game
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.table import Table

pytestmark = pytest.mark.system

CLIENTS = 8
SERVE = "from yachtdice.cli.commands.serve import serve; serve()"


class Process:
    """A real server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", SERVE, "--port=0", f"--data={folder}", "--rate=0"]
        self._process = processes.start(command, stdout=subprocess.PIPE, text=True)
        found = re.search(r":(\d+)/", processes.read_line(self._process))
        assert found, "the server did not start"
        self.port = int(found[1])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Acks:
    """Counts answers, and says when there were enough."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left = 0
        self.total = 0
        self.enough = threading.Event()

    def expect(self, number: int) -> None:
        self._left = number
        self.enough.clear()

    def count(self) -> None:
        with self._lock:
            self.total += 1
            self._left -= 1
            if self._left <= 0:
                self.enough.set()


class Player:
    """Plays alone, and remembers the last answer and the request that has none yet."""

    def __init__(self, acks: Acks, chance: random.Random) -> None:
        self._acks = acks
        self._chance = chance
        self._number = 0
        self.token = ""
        self.table: dict[str, Any] = {}
        self.finished: list[dict[str, Any]] = []
        self.pending: dict[str, Any] | None = None
        self.retried = self.known = 0

    def play(self, port: int) -> None:
        """Act as fast as possible until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        try:
            if not self.table:
                opened = self.ask(connection, "POST", "/api/tables", {})
                self.token, self.table = opened["token"], opened["table"]
            self.check(connection)
            while True:
                self.step(connection)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            pass  # killed
        finally:
            connection.close()

    def check(self, connection: http.client.HTTPConnection) -> None:
        """What was answered is there; what was not is there as a whole or not at all."""
        now = self.ask(connection, "GET", f"/api/tables/{self.table['id']}")
        if self.pending is None:
            assert now == self.table
            return
        happened = now != self.table
        steps = now["version"] - self.table["version"]
        assert steps == (self.events(self.pending["action"]) if happened else 0)
        # Asked once more, it is done if it was not, and gets the first answer if it was.
        self.retried += 1
        self.known += happened
        answer = self.send(connection, self.pending)
        assert answer["is_repeated"] == happened
        if happened:
            assert answer["table"] == now

    def events(self, action: dict[str, Any]) -> int:
        return 2 if "kept" in action else 1

    def step(self, connection: http.client.HTTPConnection) -> None:
        table = self.table
        if table["phase"] == "left":
            self.finished.append(table)
            self.table = self.ask(connection, "GET", f"/api/tables/{table['next']}")
            return
        self._number += 1
        self.pending = {
            "version": table["version"],
            "request": f"r{self._number}",
            "action": self.action(table),
        }
        self.send(connection, self.pending)

    def action(self, table: dict[str, Any]) -> dict[str, Any]:
        if table["phase"] == "over":
            return {"do": "rematch"}
        turn = table["turn"]
        if turn["must_roll"]:
            return {"do": "roll"}
        if turn["rolls_left"] and self._chance.random() < 0.5:
            return {"do": "roll", "kept": turn["dice"][: self._chance.randrange(5)]}
        return {"do": "fill", "category": self._chance.choice(list(turn["points"]))}

    def send(self, connection: http.client.HTTPConnection, body: dict[str, Any]) -> dict[str, Any]:
        path = f"/api/tables/{self.table['id']}/actions"
        answer = self.ask(connection, "POST", path, body)
        self.table, self.pending = answer["table"], None
        self._acks.count()
        return answer

    def ask(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: object = None
    ) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        found: dict[str, Any] = json.loads(text)
        return found


def run(folder: Path, rounds: int, seed: int) -> str:
    """Kill a server *rounds* times; return what was counted."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    acks = Acks()
    players = [Player(acks, random.Random(f"{seed}/{n}")) for n in range(CLIENTS)]  # noqa: S311
    failures: list[BaseException] = []

    def play(player: Player, port: int) -> None:
        try:
            player.play(port)
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            failures.append(error)
            acks.enough.set()

    for _ in range(rounds):
        acks.expect(chance.randrange(1, 200))
        server = Process(folder)
        threads = [threading.Thread(target=play, args=(p, server.port)) for p in players]
        for thread in threads:
            thread.start()
        enough = acks.enough.wait(DEADLINE)
        server.kill()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        assert enough
    replayed = look_inside(folder / "tables.db", players)
    retried, known = sum(p.retried for p in players), sum(p.known for p in players)
    return (
        f"{rounds} kills, {acks.total} answered actions, none lost; of {retried} without an answer "
        f"{known} were kept, whole; {replayed} tables replayed"
    )


def look_inside(database: Path, players: list[Player]) -> int:
    """Replay every table from the file itself; return how many there are."""
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        streams: dict[str, list[Any]] = {}
        rows = connection.execute("SELECT stream, seq, kind, data FROM events ORDER BY stream, seq")
        for stream, seq, kind, data in rows:
            events = streams.setdefault(stream, [])
            assert seq == len(events) + 1
            events.append(CODEC.decode(kind, json.loads(data)))
    finally:
        connection.close()
    tables = {stream: Table.replay(stream, events) for stream, events in streams.items()}
    for table in tables.values():
        assert table.game is not None
        assert Game.replay(table.game.events) == table.game
        assert table.next is None or tables[table.next].previous == table.id
        assert table.previous is None or tables[table.previous].next == table.id
    for player in players:
        for answered in player.finished:
            table = tables[answered["id"]]
            assert table.version == answered["version"]
            assert table.game is not None
            total = table.game.position.cards[0].total
            assert total == answered["seats"][0]["total"]
            assert table.game.position.cards[0].is_full
            assert len(answered["seats"][0]["card"]) == len(CATEGORIES)
    return len(tables)


def test_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    run(tmp_path, 4, 1)


@pytest.mark.soak
def test_nothing_that_was_answered_is_lost_in_200_rounds(tmp_path: Path) -> None:
    sys.stdout.write(f"{run(tmp_path, int(os.environ.get('KILLS', '200')), 2)}\n")
