"""Real servers on real sockets, and clients that speak HTTP to them."""

import contextlib
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.waiting import DEADLINE
from yachtdice.dice_source import DiceSource, SystemDice
from yachtdice.play.online.presence import AWAY_AFTER
from yachtdice.play.online.tables import Tables
from yachtdice.solutions import Solutions
from yachtdice.store.contract import Store
from yachtdice.store.memory import MemoryStore
from yachtdice.web.edge.settings import Settings
from yachtdice.web.metrics import Metrics
from yachtdice.web.server import Server, address, listen

SECRET = "s" * 32
NO_LIMITS = Settings(
    SECRET,
    rate=0,
    page_timeout=DEADLINE,
    long_page_timeout=DEADLINE,
    settle_timeout=DEADLINE,
    odds_timeout=DEADLINE,
)
"""Pages wait for the coach, however busy the machine; tests of waiting say otherwise."""
SOLUTIONS = Solutions()
"""Shared by the servers of one process, so that each rule set is solved once."""


class Client:
    """Somebody with a token of their own; a spectator until they open or join a table."""

    _numbers = itertools.count()

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.token = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        return self.http.request(method, f"/api{path}", json=body, headers=self.headers)

    def open(self, **options: object) -> dict[str, Any]:
        """Return a new table."""
        return self._seated(self.ask("POST", "/tables", options))

    def join(self, table: dict[str, Any], name: str = "") -> dict[str, Any]:
        """Sit down and return the table."""
        return self._seated(self.ask("POST", f"/tables/{table['id']}/seats", {"name": name}))

    def act(
        self,
        table: dict[str, Any],
        do: str,
        *,
        version: int | None = None,
        request: str = "",
        **more: object,
    ) -> httpx.Response:
        """Act at the version of *table*, or at another one, with a request id of its own."""
        body = {
            "version": table["version"] if version is None else version,
            "request": request or f"r-{next(self._numbers)}",
            "action": {"do": do, **more},
        }
        return self.ask("POST", f"/tables/{table['id']}/actions", body)

    def do(self, table: dict[str, Any], do: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
        """Act, and return the table afterwards."""
        answer = self.act(table, do, **more)
        assert answer.status_code == 200, answer.text
        after: dict[str, Any] = answer.json()["table"]
        return after

    def get(self, table: dict[str, Any]) -> dict[str, Any]:
        """Return the table as it is now."""
        answer = self.ask("GET", f"/tables/{table['id']}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @contextlib.contextmanager
    def watch(self, table: dict[str, Any], **headers: str) -> Iterator["Stream"]:
        """Yield the stream of a table."""
        path = f"/api/tables/{table['id']}/stream"
        with self.http.stream("GET", path, headers={**self.headers, **headers}) as answer:
            yield Stream(answer)

    def _seated(self, answer: httpx.Response) -> dict[str, Any]:
        assert answer.status_code in {200, 201}, answer.text
        body = answer.json()
        self.token = body.get("token", self.token)
        table: dict[str, Any] = body["table"]
        return table


class Stream:
    """Server-sent events, one after the other."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def next_block(self) -> list[str]:
        """Return the lines up to the next empty one; none at the end."""
        return list(itertools.takewhile(bool, self._lines))

    def next(self) -> dict[str, Any]:
        """Return the next state of the table."""
        while block := self.next_block():
            fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
            if "data" in fields:
                assert fields["event"] == "table"
                state: dict[str, Any] = json.loads(fields["data"])
                assert fields["id"] == str(state["version"])
                return state
        raise EOFError


class Served:
    """A server in a thread."""

    def __init__(
        self, tables: Tables, settings: Settings, solutions: Solutions = SOLUTIONS
    ) -> None:
        self.tables = tables
        self.metrics = Metrics()
        self._ready = threading.Event()
        self._listening = listen("127.0.0.1", 0)
        self.url = address("127.0.0.1", self._listening)
        self.server = Server(
            tables, settings, self._ready.set, metrics=self.metrics, solutions=solutions
        )
        self._thread = threading.Thread(target=self.server.run, args=([self._listening],))
        self._thread.start()
        assert self._ready.wait(DEADLINE)
        self._clients = contextlib.ExitStack()
        self.http = self.browser()

    def browser(self) -> httpx.Client:
        """Return a client with cookies of its own."""
        return self._clients.enter_context(httpx.Client(base_url=self.url, timeout=DEADLINE))

    def client(self) -> Client:
        return Client(self.browser())

    def stop(self) -> None:
        self.server.stop()
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive()
        self._clients.close()


Serve = Callable[..., Served]


@contextlib.contextmanager
def serving(
    settings: Settings = NO_LIMITS,
    dice_source: DiceSource | None = None,
    away_after: float = AWAY_AFTER,
    solutions: Solutions = SOLUTIONS,
    store: Store | None = None,
) -> Iterator[Served]:
    tables = Tables(
        store or MemoryStore(), dice_source or SystemDice(), bot_pause=0, away_after=away_after
    )
    served = Served(tables, settings, solutions)
    try:
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """Return a server that a whole module shares; each test opens tables of its own."""
    with serving() as server:
        yield server


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return what starts servers with settings of their own."""
    with contextlib.ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(serving(*args, **options))


@pytest.fixture
def ana(served: Served) -> Client:
    return served.client()


@pytest.fixture
def bob(served: Served) -> Client:
    return served.client()


@pytest.fixture
def eve(served: Served) -> Client:
    """Return a spectator."""
    return served.client()
