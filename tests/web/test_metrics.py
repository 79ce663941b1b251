"""What is counted, timed and shown to Prometheus; and what must never be."""

import asyncio
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests import processes
from tests.postgres import Postgres
from tests.waiting import DEADLINE
from tests.web.conftest import NO_LIMITS, Client, Serve, Served
from tests.web.test_serve import Process, Run, run
from yachtdice.play.online.tables import Tables
from yachtdice.solutions import Solutions
from yachtdice.store.memory import MemoryStore
from yachtdice.web.context import Services
from yachtdice.web.edge.settings import Settings
from yachtdice.web.metrics import NO_ROUTE, Buckets, Metrics
from yachtdice.web.stream import Hub

__all__ = ["run"]  # a fixture

TURN: list[dict[str, str]] = [{"do": "roll"}, {"do": "fill", "category": "choice"}, {"do": "roll"}]
ACTIONS = "/api/tables/{table_id}/actions"


def value(served: Served, name: str, **labels: str) -> float:
    return served.metrics.registry.get_sample_value(name, labels) or 0.0


def requests(served: Served, method: str, route: str, status: str) -> float:
    labels = {"method": method, "route": route, "status": status}
    return value(served, "yacht_request_seconds_count", **labels)


def test_actions_are_counted_by_what_came_of_them(serve: Serve) -> None:
    served = serve()
    ana = served.client()
    table = ana.open()
    after = ana.do(table, "roll", request="r1")
    assert ana.act(table, "roll", request="r1").status_code == 200  # repeated
    assert ana.act(table, "roll").status_code == 409
    assert ana.act(table, "roll").status_code == 409
    ana.act(after, "begin")
    assert value(served, "yacht_actions_accepted_total") == 1
    assert value(served, "yacht_action_seconds_count") == 1
    assert value(served, "yacht_actions_repeated_total") == 1
    assert value(served, "yacht_actions_refused_total", reason="stale") == 2
    assert value(served, "yacht_actions_refused_total", reason="already_begun") == 1
    assert ana.ask("GET", f"/tables/{table['id']}").status_code == 200
    assert requests(served, "POST", ACTIONS, "2xx") == 2
    assert requests(served, "POST", ACTIONS, "4xx") == 3
    assert requests(served, "GET", "/api/tables/{table_id}", "2xx") == 1


def test_classes_are_counted_up_to_their_bounds() -> None:
    buckets = Buckets((1, 2.5))
    for number in (-3.0, 0.5, 1, 2, 2.5, 99):
        buckets.observe(number)
    assert buckets.totals() == ([("1.0", 3), ("2.5", 5), ("+Inf", 6)], 0 + 0.5 + 1 + 2 + 2.5 + 99)


def test_a_store_that_fails_is_a_reason_too(serve: Serve) -> None:
    served = serve()
    ana = served.client()
    table = ana.open()
    asyncio.run(served.tables.store.close())
    assert ana.act(table, "roll").status_code == 503
    assert value(served, "yacht_actions_refused_total", reason="store_failing") == 1
    assert requests(served, "POST", ACTIONS, "5xx") == 1


def test_streams_are_counted_and_their_lag_is_timed(serve: Serve) -> None:
    served = serve()
    ana, eve = served.client(), served.client()
    table = ana.open()
    with eve.watch(table) as stream, ana.watch(table) as own:
        assert stream.next()["version"] == own.next()["version"] == table["version"]
        assert value(served, "yacht_streams_open") == 2
        assert value(served, "yacht_stream_lag_seconds_count") == 0  # what was there is no news
        for number, action in enumerate(TURN, start=1):
            table = ana.do(table, **action)
            assert stream.next()["version"] == own.next()["version"] == table["version"]
            assert value(served, "yacht_stream_lag_seconds_count") == 2 * number
    assert 0 <= value(served, "yacht_stream_lag_seconds_sum") < 60
    route = "/api/tables/{table_id}/stream"
    assert requests(served, "GET", route, "2xx") == 2
    assert value(served, "yacht_tables_in_memory") == 1


def can_move(state: dict[str, Any]) -> bool:
    found: bool = state["you"]["can_move"]
    return found


def test_computers_are_counted_by_themselves(serve: Serve) -> None:
    served = serve()
    ana = served.client()
    table = ana.open(people=[{"name": "Ana"}, {"level": "novice"}])
    with ana.watch(table) as stream:
        table = ana.do(ana.do(stream.next(), "roll"), "fill", category="choice")
        while (state := stream.next())["version"] <= table["version"] or not can_move(state):
            pass
    ana.get(state)  # by then the loop has gone round
    assert value(served, "yacht_actions_accepted_total") == 2
    assert value(served, "yacht_computer_steps_total") == state["version"] - table["version"]


def test_labels_are_few_whatever_is_asked_for(serve: Serve) -> None:
    served = serve()
    http = served.http
    for number in range(20):
        http.get(f"/nowhere/{number}")
        http.get(f"/static/{number}.css")
        http.get(f"/api/tables/{'a' * 15}{number}")
        http.post("/rules")
        http.request(["TRACE", "PROPFIND"][number % 2], "/")
    found = {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for family in served.metrics.registry.collect()
        for sample in family.samples
        if sample.name == "yacht_request_seconds_count"
    }
    assert found == {
        ("GET", NO_ROUTE, "4xx"): 20,
        ("GET", "/static", "4xx"): 20,
        ("GET", "/api/tables/{table_id}", "4xx"): 20,
        ("POST", "/rules", "4xx"): 20,
        ("other", "/", "4xx"): 20,
    }


def test_what_the_guard_refuses_is_counted(serve: Serve) -> None:
    served = serve(Settings(NO_LIMITS.secret, rate=0.001, burst=2))
    for _ in range(3):
        served.http.get("/rules")
    assert requests(served, "GET", "/rules", "2xx") == 2
    assert requests(served, "GET", NO_ROUTE, "4xx") == 1


def test_each_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text("utf-8")
    told = {
        (name.removesuffix("_total"), kind)
        for name, kind in re.findall(r"^\| `(yacht_\w+)` \| (\w+) \|", page, re.MULTILINE)
    }
    metrics = Metrics()
    metrics.watch(Tables(), Hub(Services(Tables(), NO_LIMITS, Solutions()), {}))
    assert told == {
        (f"{family.name}_info" if family.type == "info" else family.name, family.type)
        for family in metrics.registry.collect()
        if family.name.startswith("yacht")
    }


def test_stale_tables_are_counted(serve: Serve) -> None:
    served = serve()
    assert value(served, "yacht_sweeps_total") == 1  # at the start
    assert value(served, "yacht_tables_swept_total") == 0
    served.metrics.swept(3)
    assert value(served, "yacht_sweeps_total") == 2
    assert value(served, "yacht_tables_swept_total") == 3


def test_two_applications_share_no_figure(serve: Serve) -> None:
    first, second = serve(), serve()
    first.client().open()
    assert value(first, "yacht_tables_in_memory") == 1
    assert value(second, "yacht_tables_in_memory") == 0
    assert value(second, "yacht_store_batch_size_count") == 0


@pytest.mark.anyio
async def test_the_age_of_a_table_is_that_of_its_newest_event() -> None:
    now = 1000.0
    store = MemoryStore()
    tables = Tables(store, clock=lambda: now)
    assert len(tables) == 0
    table = await tables.open("ana")
    now = 1003.0
    assert tables.age_of(table.id) == 3.0
    other = Tables(store, clock=lambda: now)
    assert other.age_of(table.id) == 0.0  # not in memory
    await other.get(table.id)
    assert other.age_of(table.id) == 3.0
    assert len(other) == 1


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.system
def test_they_are_shown_at_a_port_of_their_own(run: Run, tmp_path: Path) -> None:
    server = run(f"--data={tmp_path}", "--metrics=127.0.0.1:0")
    url = server.url()
    metrics = shown(server)
    with httpx.Client(base_url=url) as http:
        client = Client(http)
        table = client.open(people=[{"name": "Anastasia"}])
        client.do(table, "roll")
        assert http.get("/metrics").status_code == 404
    text = httpx.get(metrics).text
    found = samples(text)
    assert found["yacht_store_batch_size_sum"] == 2  # a table, an action
    assert found["yacht_store_commit_seconds_count"] >= 1
    assert found["yacht_actions_accepted_total"] == 1
    assert found["process_resident_memory_bytes"] > 0
    for secret in (client.token, table["id"], "Anastasia", "127.0.0.1"):
        assert secret not in text
    server.end()
    with pytest.raises(httpx.ConnectError):
        httpx.get(metrics)


def shown(server: Process) -> str:
    """Return where the figures of *server* are, which it says after its own address."""
    found = re.search(r"http://127\.0\.0\.1:\d+/metrics$", processes.read_line(server.process))
    assert found
    return found[0]


def samples(text: str) -> dict[str, float]:
    """Return the figures without labels by their names."""
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.labels
    }


@pytest.mark.system
def test_the_lag_of_what_another_server_has_changed_is_timed(
    run: Run, tmp_path: Path, postgresql: Postgres
) -> None:
    (tmp_path / "secret").write_text(NO_LIMITS.secret, "ascii")
    options = [f"--database={postgresql.database()}", f"--secret-file={tmp_path / 'secret'}"]
    near, far = run(*options), run(*options, "--metrics=0")
    with httpx.Client(base_url=near.url()) as http, httpx.Client(base_url=far.url()) as other:
        metrics = shown(far)
        ana, eve = Client(http), Client(other)
        table = ana.open()
        with eve.watch(table) as stream:
            stream.next()
            table = ana.do(table, "roll")
            assert stream.next()["version"] == table["version"]
            found = samples(httpx.get(metrics).text)
    assert found["yacht_stream_lag_seconds_count"] == 1
    assert 0 < found["yacht_stream_lag_seconds_sum"] < DEADLINE
    assert found["yacht_actions_accepted_total"] == 0  # it was the other one's


@pytest.mark.system
@pytest.mark.parametrize("given", ["nonsense", "127.0.0.1:", "127.0.0.1:70000", "1:2:3:x", "9" * 9])
def test_what_is_no_address_is_refused(run: Run, tmp_path: Path, given: str) -> None:
    server = run(f"--data={tmp_path}", f"--metrics={given}")
    _, log = server.process.communicate(timeout=DEADLINE)
    assert server.process.returncode == 2
    assert "is no address and port" in log


@pytest.mark.system
def test_a_port_that_is_taken_is_named(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = run(f"--data={tmp_path}", f"--metrics={port}")
        _, log = server.process.communicate(timeout=DEADLINE)
    assert server.process.returncode == 1
    assert f"Cannot listen at 127.0.0.1, port {port}" in log
