"""What one server carries, and what it costs: actions, deliveries, memory, the first page.

Server and clients share the machine, so that the figures of a machine with two cores are those of a
server that has about one. Processor time is the server's alone, and drifts the least.
"""

import asyncio
import statistics
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.web_load import Load, Plan, Run, Served, Watcher, percentile, server

STREAMS = 1000

Found = TypeVar("Found")

Tell = Callable[[str, dict[str, float]], None]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str], benchmark: BenchmarkFixture) -> Tell:
    """Return what keeps figures with the benchmark and prints them."""

    def show(name: str, figures: dict[str, float]) -> None:
        figures["ms for a million additions"] = calibration()
        benchmark.extra_info.update(figures)
        with capsys.disabled():
            told = ", ".join(f"{key} {value:.4g}" for key, value in figures.items())
            print(f"\n{name}: {told}")  # noqa: T201 - figures are what a benchmark is for

    return show


def once(benchmark: BenchmarkFixture, measure: Callable[[], Found], rounds: int = 1) -> Found:
    """Return what *measure* gives; its time is the benchmark's."""
    pedantic: Any = benchmark.pedantic  # comes without types
    found: Found = pedantic(measure, rounds=rounds)
    return found


def calibration() -> float:
    """Return how long a known piece of work takes now: other figures grow as it does."""
    begun = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return (time.process_time() - begun) * 1e3


def figures(run: Run) -> dict[str, float]:
    """Return what was measured, in the terms of the goals."""
    found = {
        "actions/s": run.accepted / run.seconds,
        "us CPU an action": run.cpu / max(1, run.accepted) * 1e6,
        "answer p50 ms": percentile(run.answers, 0.5) * 1e3,
        "answer p99 ms": percentile(run.answers, 0.99) * 1e3,
        "deliveries/s": len(run.deliveries) / run.seconds,
        "delivery p50 ms": percentile(run.deliveries, 0.5) * 1e3,
        "delivery p99 ms": percentile(run.deliveries, 0.99) * 1e3,
        "us CPU a delivery": run.cpu / max(1, len(run.deliveries)) * 1e6,
        "cores": run.cpu / run.seconds,
    }
    return {key: value for key, value in found.items() if value}


@pytest.mark.parametrize(
    ("name", "plan"),
    [
        # Goal: 3,000 accepted actions a second on one core, stretch 5,000.
        ("as many actions as it takes", Plan(tables=100, watchers=200)),
        ("the same without watchers", Plan(tables=100, watchers=0)),
        # Goal: p50 of 1.5 ms, p99 of 5 ms.
        ("2,000 actions a second, 200 watchers", Plan(tables=100, watchers=200, rate=2000)),
        # Goal: 25,000 deliveries a second.
        ("250 actions a second, 100 watchers each", Plan(tables=10, watchers=1000, rate=250)),
    ],
)
def test_load(
    benchmark: BenchmarkFixture, tell: Tell, tmp_path: Path, name: str, plan: Plan
) -> None:
    with server(tmp_path) as served:

        def go() -> Run:
            async def load() -> Run:
                return await Load([served], plan).go()

            return uvloop.run(load())

        tell(name, figures(once(benchmark, go)))


def _itself(watcher: Watcher) -> Watcher:
    return watcher


def test_memory_of_a_stream(benchmark: BenchmarkFixture, tell: Tell, tmp_path: Path) -> None:
    """Goal: 20 KiB. One watcher a table is the worst case: nothing is shared."""

    async def open_streams(served: Served, tables: list[str]) -> list[Watcher]:
        loop, run = asyncio.get_running_loop(), Run()
        watchers = [Watcher(run, table) for table in tables]
        for watcher in watchers:
            await loop.create_connection(partial(_itself, watcher), "127.0.0.1", served.port)
            await watcher.ready
        return watchers

    async def measure(served: Served) -> float:
        load = Load([served], Plan(tables=50, watchers=0, seconds=0.5, warm_up=0.5))
        await load.go()  # so that what every server needs is there
        tables = await load.new_tables(100)
        before = served.memory()
        watchers = await open_streams(served, tables * (STREAMS // len(tables)))
        grown = served.memory() - before
        for watcher in watchers:
            watcher.close()
        await asyncio.sleep(0.1)  # let the connections end before the loop does
        return grown / STREAMS

    with server(tmp_path) as served:
        bytes_each = once(benchmark, lambda: uvloop.run(measure(served)))
        tell(f"{STREAMS} streams", {"KiB a stream": bytes_each / 1024})


def test_start(benchmark: BenchmarkFixture, tell: Tell, tmp_path: Path) -> None:
    """Goal: half a second from the command to the first page."""
    times = []

    def start() -> None:
        with server(tmp_path) as served:
            with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/") as page:
                page.read()
            times.append(served.age())

    once(benchmark, start, rounds=5)
    tell("start to first page", {"s (median)": statistics.median(times), "s (best)": min(times)})
