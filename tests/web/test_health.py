"""What `/health` vouches for, and what a failing store leaves in the log."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from tests.waiting import DEADLINE, until
from tests.web.conftest import NO_LIMITS, Serve
from yachtdice.store.contract import StoreBrokenError
from yachtdice.store.memory import MemoryStore
from yachtdice.store.sql.engine import SqlStore
from yachtdice.web.edge.logs import JsonFormatter, RepeatFilter
from yachtdice.web.services.health import Health

NO_WAITING = replace(NO_LIMITS, probe_every=0)
HOURS = 3600.0


class Probed(MemoryStore):
    """Counts its probes, which fail on demand."""

    def __init__(self) -> None:
        super().__init__()
        self.pings = 0
        self.is_full = False

    async def ping(self) -> None:
        self.pings += 1
        if self.is_full:
            raise StoreBrokenError("no space left")


class Log:
    """What a server writes to its log, each line as an object."""

    def __init__(self, every: float) -> None:
        self._text = io.StringIO()
        self.repeats = RepeatFilter(every)
        self.handler = logging.StreamHandler(self._text)
        self.handler.setFormatter(JsonFormatter())
        self.handler.addFilter(self.repeats)

    @property
    def lines(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self._text.getvalue().splitlines()]
        return [line for line in lines if line["logger"].startswith("yachtdice")]

    def with_traceback(self) -> list[str]:
        return [line["message"] for line in self.lines if "Traceback" in line.get("error", "")]

    def repeated(self) -> dict[str, int]:
        return {line["message"]: line["repeated"] for line in self.lines if "repeated" in line}


@pytest.fixture
def log() -> Iterator[Log]:
    found = Log(HOURS)
    logging.getLogger().addHandler(found.handler)
    yield found
    logging.getLogger().removeHandler(found.handler)


@pytest.mark.anyio
async def test_the_store_is_probed_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    store = Probed()
    moments = [0.0]
    health = Health(store, 5, lambda: moments[-1])
    assert [await health.is_writable() for _ in range(100)] == [True] * 100
    assert store.pings == 1
    store.is_full = True
    moments.append(4.9)
    assert await health.is_writable()
    for moment in (5.0, 10.0, 15.0):
        moments.append(moment)
        assert [await health.is_writable() for _ in range(100)] == [False] * 100
    assert store.pings == 4
    store.is_full = False
    moments.append(20.0)
    assert await health.is_writable()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_health_is_of_a_store_that_can_be_written(serve: Serve) -> None:
    store = Probed()
    served = serve(NO_WAITING, store=store)
    assert served.http.get("/health").status_code == 200
    store.is_full = True
    answer = served.http.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (503, "failing")
    store.is_full = False
    assert served.http.get("/health").json()["status"] == "ok"


def test_health_says_that_a_server_is_deaf(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notifications of other servers do not arrive; everything is kept and read all the same."""
    store = Probed()
    served = serve(NO_WAITING, store=store)
    assert served.http.get("/health").json()["listening"] is True
    monkeypatch.setattr(store, "is_listening", False)
    answer = served.http.get("/health")
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["listening"]) == ("degraded", False)


def test_a_full_disk_is_reported_and_does_not_fill_the_log(
    serve: Serve, tmp_path: Path, log: Log
) -> None:
    store = SqlStore.open(f"sqlite:///{tmp_path / 'tables.db'}")
    served = serve(NO_WAITING, store=store)

    def limit(pages: int) -> None:
        def run(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        loop = served.server._loop  # noqa: SLF001
        assert loop is not None
        work = store._do(run)  # noqa: SLF001 - the writer's own connection
        asyncio.run_coroutine_threadsafe(work, loop).result(DEADLINE)

    ana = served.client()
    table = ana.open()
    assert served.http.get("/health").status_code == 200
    limit(1)  # no more than there are
    refused = 0
    while refused < 50:  # now and then a table fits into a page that has room
        answer = ana.ask("POST", "/tables", {})
        if answer.status_code != 201:
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_failing")
            refused += 1
    assert served.http.get("/health").status_code == 503
    assert ana.get(table)["id"] == table["id"]
    log.repeats.flush()
    messages = log.with_traceback()
    assert messages
    assert sorted(messages) == sorted(set(messages))  # each once
    assert log.repeated()["the store failed"] == refused - 1
    assert len(log.lines) < 10
    limit(1_000_000)
    assert served.http.get("/health").status_code == 200
    assert served.client().open()


def test_an_error_that_is_repeated_is_counted_and_later_logged_anew() -> None:
    log = Log(0.05)
    logger = logging.getLogger("yachtdice.test")
    logger.addHandler(log.handler)

    def give_up(reason: str) -> None:
        raise StoreBrokenError(reason)

    def fail(reason: str) -> None:
        try:
            give_up(reason)
        except StoreBrokenError:
            logger.exception("it failed")

    try:
        fail("a")
        until(lambda: not log.repeats._repeated)  # noqa: SLF001 - a while without it
        for _ in range(30):
            fail("b")
        until(lambda: not log.repeats._repeated)  # noqa: SLF001
    finally:
        logger.removeHandler(log.handler)
    assert 2 <= len(log.with_traceback()) <= 31
    counted = sum(line.get("repeated", 0) for line in log.lines)
    assert counted + len(log.with_traceback()) == 31
