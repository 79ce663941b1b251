"""What tests start does not outlive them, however they end."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import processes, programs
from tests.waiting import DEADLINE, until
from tests.watchdog import processes as alive

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="by /proc"),
]

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import json, os, subprocess, sys, time
from pathlib import Path

from tests import processes
from tests.postgres import Postgres

SLEEP = [sys.executable, "-c", "import time; time.sleep(3600)"]
DEAF = [sys.executable, "-c", "import signal, time; signal.signal(2, 1); print(1, flush=True); "
        "time.sleep(3600)"]


def test_something():
    with processes.folder("yacht-postgres-") as folder:
        server = Postgres(folder)
        server.database()
        unmarked = processes.start(SLEEP, env={})
        unnamed = subprocess.Popen(SLEEP)
        held = [server._process.pid, unmarked.pid, unnamed.pid]
        if HOW == "killed":  # interrupts alone would not do
            deaf = processes.start(DEAF, stdout=subprocess.PIPE, text=True)
            processes.read_line(deaf)
            held.append(deaf.pid)
        found = [str(folder), os.getpid(), held]
        Path("found.new").write_text(json.dumps(found))
        Path("found.new").rename("found")
        if HOW == "failed":
            os._exit(1)
        time.sleep(3600)
"""


@pytest.mark.parametrize(
    ("how", "options", "number"),
    [
        ("killed", (), signal.SIGKILL),
        ("interrupted", (), signal.SIGINT),
        ("worker killed", ("-n1", "--max-worker-restart=0"), signal.SIGKILL),
        ("failed", (), None),
    ],
)
def test_nothing_outlives_a_run(
    tmp_path: Path, how: str, options: Sequence[str], number: int | None
) -> None:
    programs.need("postgres", "psycopg")
    (tmp_path / "test_it.py").write_text(f"HOW = {how!r}\n{RUN}")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = processes.start(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_it.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until((tmp_path / "found").exists, "the run holds something")
    folder, runner, held = json.loads((tmp_path / "found").read_text())
    if number is not None:
        assert {runner, *held} <= set(alive())
        assert (Path(folder) / "data" / "postmaster.pid").exists()
        os.kill(runner, number)
    assert run.wait(DEADLINE) != 0
    until(lambda: not set(held) & set(alive()), "the end of the processes")
    until(lambda: not Path(folder).exists(), "the end of the folder")
    assert not [pid for pid in alive() if folder in command(pid)]


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    except OSError:  # it has ended meanwhile
        return ""
