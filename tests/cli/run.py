"""The command run as people run it: in a process of its own, in a pipe or at a terminal."""

import codecs
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner

from tests import processes
from tests.solved import cache_folder
from tests.waiting import DEADLINE, until
from yachtdice.cli.app import main
from yachtdice.cli.entry import choose_language
from yachtdice.i18n import use_language

COMMAND = [sys.executable, "-m", "yachtdice.cli"]
TIMEOUT = DEADLINE
PATIENCE = 10  # seconds, after which a person presses a key once more

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9A-B]?")

# Twelve turns of three rolls: keeping by places is always legal, and each box is filled once.
WHOLE_GAME = [
    line for box in range(1, 13) for line in ("roll", "keep #1 #2", "keep #2 #4 #5", f"score {box}")
]


def hear_interrupts() -> None:
    """Let a new process hear Ctrl-C, even if the tests run in the background, where none does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of somebody whose home is *home*, at a window of 60 columns."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG", "LC_"))}
    for key in ("NO_COLOR", "FORCE_COLOR", "YACHT_PLAIN", "LINES"):
        kept.pop(key, None)
    return kept | {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(cache_folder()),
        "COLUMNS": "60",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        **more,
    }


def yacht(
    home: Path,
    *args: str,
    lines: list[str] | None = None,
    data: bytes | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `yacht` in a pipe and return what it did; *lines* are typed, or *data* as it is."""
    if data is None:
        data = "".join(f"{line}\n" for line in lines or []).encode()
    run = processes.run(
        [*COMMAND, *args],
        input=data,
        capture_output=True,
        env={**environment(home), **(env or {})},
        check=False,
        cwd=cwd,
    )
    decoded = [text.decode("utf-8", "replace") for text in (run.stdout, run.stderr)]
    assert "Traceback" not in decoded[1], decoded[1]
    return subprocess.CompletedProcess(run.args, run.returncode, *decoded)


def quick(
    home: Path, *args: str, lines: list[str] | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Do the same in this very process, ten times as quick; helps stay in English there."""
    text = "".join(f"{line}\n" for line in lines or [])
    environ = {**environment(home), **(env or {})}
    # The commands are imported once: what they name in a help must not stay in another language.
    with use_language(choose_language(args, environ)), patch("yachtdice.cli.app.translate"):
        run = CliRunner().invoke(main, args, input=text, env=environ, prog_name="yacht")
    if run.exception is not None and not isinstance(run.exception, SystemExit):
        raise run.exception
    return subprocess.CompletedProcess(args, run.exit_code, run.stdout, run.stderr)


MANY = """
import contextlib, io, json, sys
from yachtdice.i18n import use_language

def run(args):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(args, prog_name="yacht")
        except SystemExit as end:
            code = end.code or 0
    return code, *(stream.buffer.getvalue().decode() for stream in (out, err))

language, commands = json.load(sys.stdin)
with use_language(language):
    from yachtdice.cli.support.click_words import install
    install()
    from yachtdice.cli.app import main
    runs = [run(args) for args in commands]
json.dump(runs, sys.stdout)
"""


def many(
    home: Path, language: str, commands: Sequence[Sequence[str]]
) -> list[subprocess.CompletedProcess[str]]:
    """Run all *commands* in one new process that speaks *language*, in its helps too."""
    run = processes.run(
        [sys.executable, "-c", MANY],
        input=json.dumps([language, [["--lang", language, *args] for args in commands]]),
        capture_output=True,
        env=environment(home),
        text=True,
        check=True,
    )
    return [
        subprocess.CompletedProcess(args, *done)
        for args, done in zip(commands, json.loads(run.stdout), strict=True)
    ]


class Terminal:
    """A terminal with a process at it; what it shows is read until something is there."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.master = master
        self.shown = ""
        """Everything so far, with escape codes."""
        self._seen = 0
        # What is read at once may end within a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    @property
    def text(self) -> str:
        """Everything so far, as people see it."""
        return ANSI.sub("", self.shown).replace("\r\n", "\n")

    def wait_for(self, expected: str, seconds: float = TIMEOUT) -> str:
        """Return what is new up to *expected*, which has to come."""
        deadline = time.monotonic() + seconds
        while expected not in self.text[self._seen :]:
            left = deadline - time.monotonic()
            assert left > 0, f"no {expected!r} in {self.text[self._seen :]!r}"
            if not select.select([self.master], [], [], left)[0]:
                continue
            try:
                data = os.read(self.master, 65536)
            except OSError:  # the process has closed the terminal
                data = b""
            if not data:
                assert expected in self.text[self._seen :], self.text[self._seen :]
                break
            self.shown += self._decoder.decode(data)
        end = self.text.index(expected, self._seen) + len(expected)
        new, self._seen = self.text[self._seen : end], end
        return new

    def type(self, line: str, expected: str) -> str:
        """Type *line* and return what is shown up to *expected*."""
        os.write(self.master, f"{line}\n".encode())
        return self.wait_for(expected)

    def send(self, data: bytes) -> None:
        """Send bytes as a keyboard does."""
        os.write(self.master, data)

    def interrupt(self, expected: str) -> str:
        """Press Ctrl-C, and once more where nothing comes of it, as a person would.

        CPython's readline loses a signal that comes between writing the prompt and waiting for a
        key, and sees it with the next key: a person is never so quick, a test is.
        """
        for _ in range(3):
            self.send(b"\x03")
            # As long as it is at work it may still be about to answer.
            found = until(lambda: self._shown(expected) or self._is_asleep())
            if isinstance(found, str):
                return found
        raise AssertionError(f"no {expected!r} in {self.text[self._seen :]!r}")

    def _shown(self, expected: str) -> str | None:
        with suppress(AssertionError):
            return self.wait_for(expected, PATIENCE)
        return None

    def _is_asleep(self) -> bool:
        """Return whether the process waits for something, such as a key."""
        status = Path(f"/proc/{self.process.pid}/stat")
        return not status.exists() or status.read_text("ascii").rpartition(")")[2].split()[0] == "S"

    def end(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            self.shown += self._decoder.decode(data)
        return self.process.wait(TIMEOUT)


@contextmanager
def terminal(home: Path, *args: str, columns: int = 60, **more: str) -> Iterator[Terminal]:
    """Run `yacht` at a terminal of so many columns."""
    import fcntl  # noqa: PLC0415 - not on every system
    import pty  # noqa: PLC0415
    import termios  # noqa: PLC0415

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = environment(home, **more)
    del env["COLUMNS"]

    def begin() -> None:
        hear_interrupts()
        # The terminal becomes the child's own, so that control-C reaches it.
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = processes.start(
        [*COMMAND, *args],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=env,
        preexec_fn=begin,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(master)


def too_wide(text: str, width: int = 60) -> list[str]:
    """Return the lines of *text* that need more than *width* columns."""
    from rich.cells import cell_len  # noqa: PLC0415

    return [line for line in text.splitlines() if cell_len(line) > width]
