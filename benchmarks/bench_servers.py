"""Servers on one PostgreSQL beside one on SQLite: the same load for each, and how they compare.

Servers, PostgreSQL and clients share the machine. So throughput says most where there are cores to
spare; processor time an action, of the servers and of PostgreSQL, holds anywhere.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bench_web import Tell, figures, once, tell
from benchmarks.web_load import Load, Plan, Run, Served, server
from tests import processes, programs
from tests.postgres import Postgres

__all__ = ["tell"]

FAST = Plan(tables=100, watchers=200)
CALM = replace(FAST, rate=300)


@pytest.fixture
def durable() -> Iterator[Postgres]:
    """Return a PostgreSQL that flushes each commit to the disk, as SQLite does."""
    programs.need("postgres", "psycopg")
    with processes.folder("yacht-bench-") as folder:
        found = Postgres(folder, fsync="on")
        try:
            yield found
        finally:
            found.stop()


def postgres_cpu(name: str) -> float:
    """Return the seconds of processor time that all processes of that PostgreSQL have used."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if line.startswith(b"postgres: ") or name.encode() in line:
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(("name", "plan"), [("as fast as it goes", FAST), ("300 a second", CALM)])
def test_servers(  # noqa: PLR0913, PLR0917 - each for itself
    benchmark: BenchmarkFixture,
    tell: Tell,
    tmp_path: Path,
    durable: Postgres,
    name: str,
    plan: Plan,
) -> None:
    found: dict[str, dict[str, float]] = {}

    def measure() -> None:
        secret = tmp_path / "secret"
        secret.write_text("s" * 40)
        with server(tmp_path / "alone") as served:
            found["SQLite"] = figures(go([served], plan))
        for number in (1, 2, 3):
            options = (f"--database={durable.database()}", f"--secret-file={secret}")
            with ExitStack() as stack:
                servers = [
                    stack.enter_context(server(tmp_path / f"{number}-{each}", *options))
                    for each in range(number)
                ]
                before = postgres_cpu(str(durable.data))
                run = go(servers, plan)
                used = postgres_cpu(str(durable.data)) - before
            all_actions = run.accepted * (plan.warm_up + plan.seconds) / plan.seconds
            found[f"{number} on PostgreSQL"] = {
                **figures(run),
                "us CPU of PostgreSQL an action": used / all_actions * 1e6,
            }

    once(benchmark, measure)
    for case, values in found.items():
        ratios = {
            f"{key}, of SQLite's": value / found["SQLite"][key]
            for key, value in values.items()
            if case != "SQLite" and key in {"actions/s", "us CPU an action", "delivery p50 ms"}
        }
        tell(f"{name}: {case}", {**values, **ratios})


def go(servers: list[Served], plan: Plan) -> Run:
    async def load() -> Run:
        return await Load(servers, plan).go()

    return uvloop.run(load())
