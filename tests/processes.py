"""Processes and folders that do not outlive the tests that made them, however those end."""

import atexit
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.waiting import DEADLINE

MARKS = "YACHT_TEST_RUNS"
"""The variable of the environment by which `tests.watchdog` knows what a run has started."""


class _Watchdog:
    """A process that cleans up behind this one."""

    def __init__(self) -> None:
        mark = secrets.token_hex(16)
        read, self._write = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).with_name("watchdog.py")), mark],
            stdin=read,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(tempfile.gettempdir()).anchor,
            start_new_session=True,
        )
        os.close(read)
        os.environ[MARKS] = f"{os.environ.get(MARKS, '')} {mark}"
        if hasattr(os, "register_at_fork"):  # a copy of this process must not keep the pipe open
            os.register_at_fork(after_in_child=partial(os.close, self._write))
        atexit.register(self._end)

    def name(self, kind: str, what: object) -> None:
        """Say what is to go; see `tests.watchdog`."""
        os.write(self._write, f"{kind} {what}\n".encode())

    def _end(self) -> None:
        """Wait until what should not be there is gone."""
        os.close(self._write)
        self._process.wait()


@cache
def guard() -> _Watchdog:
    """See to it that nothing which is started from now on outlives this process.

    `start` and `folder` do that themselves. This is for what others start.
    """
    return _Watchdog()


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:  # noqa: ANN401
    """Start *command* as `subprocess.Popen` does, in a session of its own."""
    watchdog = guard()
    started = subprocess.Popen(command, start_new_session=True, **options)
    watchdog.name("process", started.pid)
    return started


def run(
    command: Sequence[str | Path],
    *,
    check: bool = True,
    **options: Any,  # noqa: ANN401
) -> subprocess.CompletedProcess[Any]:
    """Run *command* to its end as `subprocess.run` does."""
    guard()
    environment = os.environ if options.get("env") is None else options["env"]
    options["env"] = {**environment, MARKS: os.environ[MARKS]}
    return subprocess.run(command, check=check, timeout=DEADLINE, **options)


def read_line(process: subprocess.Popen[str]) -> str:
    """Return the next line that *process* prints, or what is left of it when it ends."""
    assert process.stdout is not None
    timer = threading.Timer(DEADLINE, process.kill)
    timer.start()
    try:
        return process.stdout.readline()
    finally:
        timer.cancel()


def stop(process: subprocess.Popen[Any], number: int = signal.SIGTERM) -> int:
    """Stop *process*, if it has not ended; return its status."""
    if process.poll() is None:
        process.send_signal(number)
    return process.wait(DEADLINE)


@contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """Yield a new folder among the temporary ones."""
    watchdog = guard()
    path = Path(tempfile.mkdtemp(prefix=prefix))
    watchdog.name("folder", path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
