"""`yacht serve` as a process: what it prints, logs, keeps, and how it stops."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from tests import processes
from tests.postgres import Postgres
from tests.waiting import DEADLINE
from tests.web.conftest import Client
from yachtdice.web.server import GRACE

pytestmark = pytest.mark.system

SERVE = "from yachtdice.cli.commands.serve import serve; serve()"
STOPS_WITHIN = 3.0
"""Seconds: a promise of the documentation."""


class Process:
    """`yacht serve` with the given options."""

    def __init__(self, *options: str, **environment: str) -> None:
        self.process = processes.start(
            [sys.executable, "-c", SERVE, "--port=0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def url(self) -> str:
        line = processes.read_line(self.process)
        found = re.search(r"http://\S+", line)
        assert found, line
        return found[0]

    def end(self, number: int = signal.SIGTERM) -> str:
        """Stop it, and return what it wrote to stderr."""
        self.process.send_signal(number)
        _, log = self.process.communicate(timeout=DEADLINE)
        return str(log)


Run = Callable[..., Process]


@pytest.fixture
def run() -> Iterator[Run]:
    with ExitStack() as stack:

        def begin(*options: str, **environment: str) -> Process:
            started = Process(*options, **environment)
            stack.callback(started.process.wait)
            stack.callback(started.process.kill)
            for pipe in (started.process.stdout, started.process.stderr):
                assert pipe is not None
                stack.callback(pipe.close)
            return started

        yield begin


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_at_once_with_open_streams_and_goes_on_later(
    run: Run, tmp_path: Path, number: int
) -> None:
    server = run(f"--data={tmp_path}")
    with httpx.Client(base_url=server.url()) as http:
        client = Client(http)
        table = client.do(client.open(), "roll")
        with ExitStack() as stack:
            streams = [stack.enter_context(client.watch(table)) for _ in range(5)]
            for stream in streams:
                assert stream.next() == table
            log = server.end(number)
            for stream in streams:
                with pytest.raises(EOFError):
                    stream.next()
    assert server.process.returncode == 0
    assert log == ""  # it would say if streams had kept it for as long as this
    assert GRACE < STOPS_WITHIN

    again = run(f"--data={tmp_path}")
    with httpx.Client(base_url=again.url()) as http:
        client.http = http
        assert client.get(table) == table
        client.do(table, "fill", category="choice")
    again.end()


def test_the_log_is_json_and_tells_no_secret(run: Run, tmp_path: Path) -> None:
    server = run(f"--data={tmp_path}", "--log-requests")
    with httpx.Client(base_url=server.url()) as http:
        client = Client(http)
        table = client.open(people=[{"name": "Anastasia"}])
        client.ask("GET", f"/tables/{table['id']}?x=secret")
        http.get("/nowhere?x=secret")
    log = server.end()
    lines = [json.loads(line) for line in log.splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/api/tables", 201),
        ("GET", "/api/tables/{table_id}", 422),
        ("GET", None, 404),
    ]
    assert {line["level"] for line in lines} == {"info"}
    for secret in (client.token, table["id"], "Anastasia", "secret", "127.0.0.1"):
        assert secret not in log


def test_what_goes_wrong_inside_is_logged_and_told_as_500(run: Run, tmp_path: Path) -> None:
    """An event that nobody can read: as if a newer version had written it."""
    server = run(f"--data={tmp_path}")
    with httpx.Client(base_url=server.url()) as http:
        client = Client(http)
        table = client.open(people=[{"name": "Anastasia"}])
    server.end()
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        database.execute("UPDATE events SET kind = 'game_started.2' WHERE kind = 'game_started'")
    database.close()
    again = run(f"--data={tmp_path}")
    with httpx.Client(base_url=again.url()) as http:
        answer = http.get(f"/api/tables/{table['id']}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_failing")
        page = http.get(f"/table/{table['id']}")
        assert (page.status_code, page.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert "content-security-policy" in page.headers
        assert http.get("/health").status_code == 200
    log = again.end()
    assert "game_started.2" in log
    assert "Anastasia" not in log


def test_health(run: Run, tmp_path: Path) -> None:
    server = run(f"--data={tmp_path}")
    answer = httpx.get(f"{server.url()}health")
    assert answer.status_code == 200
    expected = {"status": "ok", "version": "", "streams": 0, "listening": True}
    assert {**answer.json(), "version": ""} == expected
    server.end()


def test_the_database_can_be_elsewhere(run: Run, tmp_path: Path) -> None:
    server = run(f"--data={tmp_path / 'data'}", f"--database=sqlite:///{tmp_path / 'x.db'}")
    httpx.post(f"{server.url()}api/tables", json={})
    server.end()
    assert (tmp_path / "x.db").exists()
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret.key"]


def test_two_servers_do_not_share_a_database(run: Run, tmp_path: Path) -> None:
    first = run(f"--data={tmp_path}")
    url = first.url()
    second = run(f"--data={tmp_path}")
    _, said = second.process.communicate(timeout=DEADLINE)
    assert second.process.returncode == 1
    assert "Another yacht server uses that database" in said
    assert "Traceback" not in said
    assert httpx.get(f"{url}health").status_code == 200
    first.end()


def test_two_servers_share_a_postgresql(run: Run, tmp_path: Path, postgresql: Postgres) -> None:
    """Seats are known at both, also by the cookie; who has another secret is not let in."""
    secret = tmp_path / "secret"
    secret.write_text("s" * 40)
    database = postgresql.database()
    options = (f"--secret-file={secret}", f"--data={tmp_path}")
    first = run(*options, f"--database={database}")
    second = run(*options, YACHT_DATABASE=database)
    with (
        httpx.Client(base_url=first.url()) as here,
        httpx.Client(base_url=second.url()) as there,
    ):
        client = Client(here)
        table = client.do(client.open(), "roll")
        client.http = there
        with client.watch(table) as stream:
            assert stream.next() == table
            client.http = here
            after = client.do(table, "fill", category="choice")
            assert stream.next() == after
        stranger = run(f"--data={tmp_path}", f"--database={database}", YACHT_SECRET_KEY="x" * 40)
        _, said = stranger.process.communicate(timeout=DEADLINE)
        assert "has another secret key" in said
        assert stranger.process.returncode == 1
        assert client.get(table) == after
    assert first.end() == ""
    assert second.end() == ""


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        (["--database=postgresql://x@127.0.0.1:1/x"], {}, "need one secret key: --secret-file"),
        (
            ["--database=postgresql://x:hidden@127.0.0.1:1/x"],
            {"YACHT_SECRET_KEY": "s" * 40},
            "cannot open postgresql://x:***@127.0.0.1:1/x",
        ),
        (["--secret-file=/dev/null"], {}, "32 characters"),
        (["--secret-file=/nowhere"], {}, "/nowhere"),
        (["--host=192.0.2.1"], {}, "Cannot listen at 192.0.2.1"),
        (["--database=nonsense"], {}, "The database cannot be used"),
        ([], {"YACHT_SECRET_KEY": "short"}, "32 characters"),
        (["--port=70000"], {}, "70000"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    run: Run, tmp_path: Path, options: list[str], environment: dict[str, str], said: str
) -> None:
    server = run(f"--data={tmp_path}", *options, **environment)
    _, log = server.process.communicate(timeout=DEADLINE)
    assert server.process.returncode in {1, 2}
    assert said in log
    assert "Traceback" not in log
    assert "hidden" not in log
