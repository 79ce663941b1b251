"""Ends what a test run has started once the run is gone, however it went.

`tests.processes` starts this script beside each process that runs tests and writes lines to it:
the number of a process that was started, or a folder. Its input ends with the process that runs
the tests, even if that was killed. Then each process of the run is interrupted, so that PostgreSQL
gives back its shared memory, and killed if that did not help; and the folders are removed.

A process belongs to the run if it was named, bears the mark of the run in its environment, or
descends from one that does. That needs /proc; elsewhere only folders are removed.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_GRACE = 5.0  # seconds between the interrupt and the kill
_LONGEST = 60.0  # seconds until it gives up


class Process(NamedTuple):
    """A process, as far as it matters here."""

    pid: int
    parent: int
    begun: str
    """When it was started; numbers of processes are used again."""


def processes() -> dict[int, Process]:
    """Return all that are alive by their numbers."""
    found = {}
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            if fields[0] not in {"Z", "X"}:
                pid = int(folder.name)
                found[pid] = Process(pid, int(fields[1]), fields[19])
    return found


def is_marked(pid: int, mark: str) -> bool:
    """Return whether a process has *mark* in its environment."""
    try:
        return mark.encode() in (_PROC / f"{pid}" / "environ").read_bytes()
    except OSError:  # it has ended, or is somebody else's
        return False


def of_run(mark: str, named: set[Process]) -> set[int]:
    """Return the numbers of the processes of the run."""
    alive = processes()
    births = {(process.pid, process.begun) for process in named}
    found = {
        pid
        for pid, process in alive.items()
        if (pid, process.begun) in births or is_marked(pid, mark)
    }
    size = -1
    while size != len(found):
        size = len(found)
        found |= {pid for pid, process in alive.items() if process.parent in found}
    return found - {os.getpid()}


def end(mark: str, named: set[Process]) -> None:
    """End all processes of the run."""
    begun = time.monotonic()
    interrupted: set[int] = set()
    while (found := of_run(mark, named)) and time.monotonic() < begun + _LONGEST:
        is_late = time.monotonic() > begun + _GRACE
        for pid in found if is_late else found - interrupted:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL if is_late else signal.SIGINT)
        interrupted |= found
        time.sleep(0.05)


def main(mark: str) -> None:
    """Wait for the end of the run, and clean up."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    named: set[Process] = set()
    folders = []
    for line in sys.stdin:
        kind, _, what = line.rstrip("\n").partition(" ")
        if kind == "folder":
            folders.append(Path(what))
        elif (process := processes().get(int(what))) is not None:
            named.add(process)
    end(mark, named)
    for folder in folders:
        if folder.is_mount():
            subprocess.run(["umount", "--lazy", str(folder)], check=False)  # noqa: S607
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
