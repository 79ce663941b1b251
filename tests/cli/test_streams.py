"""Standard streams that are missing or closed, and signals that come while a line is typed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import processes
from tests.cli.run import COMMAND, environment, quick, terminal, yacht
from tests.waiting import DEADLINE


def without(
    home: Path, descriptors: tuple[int, ...], *args: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `yacht` without those of its standard streams."""
    closed = " ".join(f"{number}>&-" for number in descriptors)
    return processes.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(home),
        check=False,
    )


@pytest.mark.parametrize(
    "args", [["score", "1", "1", "1", "1", "1"], ["bots", "--json"], ["--help"]]
)
def test_a_closed_output_is_refused_by_the_system(tmp_path: Path, args: list[str]) -> None:
    run = without(tmp_path, (1,), *args)
    assert run.returncode == 1
    assert run.stderr.decode() == f"The system refuses: {os.strerror(9)}.\n"


def test_a_closed_error_output_or_input_changes_nothing_else(tmp_path: Path) -> None:
    score = ("score", "1", "1", "1", "1", "1")
    usual = yacht(tmp_path, *score).stdout
    assert without(tmp_path, (2,), *score).stdout.decode() == usual
    assert without(tmp_path, (0,), *score).stdout.decode() == usual
    assert without(tmp_path, (0, 1, 2), *score).returncode == 1
    assert without(tmp_path, (2,), "nosuch").returncode == 2


def test_a_game_is_kept_where_the_output_is_closed(tmp_path: Path) -> None:
    save = tmp_path / "a.yacht"
    without(tmp_path, (0, 1), "play", "--players", "Ana", "--save", str(save))
    # Nothing that was shown went into the file that took the place of the output.
    assert not save.exists() or save.read_text("utf-8").startswith("yacht 1\n")


def test_the_package_runs_like_the_command(tmp_path: Path) -> None:
    run = processes.run(
        [sys.executable, "-m", "yachtdice", "score", "1", "1", "1", "1", "1", "--json"],
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    assert run.returncode == 0
    assert run.stdout.decode() == yacht(tmp_path, "score", "1", "1", "1", "1", "1", "--json").stdout


@pytest.mark.parametrize(
    "args",
    [
        ["play", "--first", "9" * 5000],
        ["play", "--players", "Ana", "--dice", "9" * 5000],
        ["score", "9" * 5000],
        ["simulate", "--games", "9" * 5000],
        ["--rules" + "9" * 5000],
        ["9" * 5000],
        ["show", "9 " * 5000],
        ["rules", "9" * 5000],
    ],
)
def test_what_was_typed_is_not_repeated_at_length(tmp_path: Path, args: list[str]) -> None:
    run = quick(tmp_path, *args)
    assert run.returncode in {1, 2}
    assert 0 < len(run.stderr) < 1600
    assert "9" * 300 not in run.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("args", [["play"], ["play", "--players", "Ana"]])
def test_a_signal_at_a_prompt_leaves_the_terminal_as_it_was(
    tmp_path: Path, number: signal.Signals, args: list[str]
) -> None:
    import termios  # noqa: PLC0415 - not on every system

    with terminal(tmp_path, *args) as window:
        before = termios.tcgetattr(window.master)
        window.wait_for("> ")
        while termios.tcgetattr(window.master) == before:
            pass  # readline has not begun to edit yet
        window.process.send_signal(number)
        assert window.process.wait(DEADLINE) == 128 + number
        assert termios.tcgetattr(window.master)[3] & termios.ECHO
    assert not list(tmp_path.rglob(".*.lock"))
