"""Games that are interrupted: nothing that was accepted is lost, and the same game goes on."""

import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import processes
from tests.cli.run import (
    COMMAND,
    TIMEOUT,
    WHOLE_GAME,
    environment,
    hear_interrupts,
    quick,
    terminal,
    yacht,
)
from yachtdice import Game
from yachtdice.notation import parse_record

pytestmark = pytest.mark.system

PLAYERS = ("--players", "Ana,computer:casual,computer:greedy", "--seed", "7")


def saved(path: Path) -> Game:
    return parse_record(path.read_bytes()).game


def start(home: Path, *args: str) -> subprocess.Popen[bytes]:
    return processes.start(
        [*COMMAND, "play", *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(home),
        preexec_fn=hear_interrupts,
    )


def read_prompt(process: subprocess.Popen[bytes], prompt: bytes = b"Ana> ") -> bool:
    """Read up to the next prompt; return False if the game ends instead."""
    assert process.stdout is not None
    seen = b""
    while not seen.endswith(prompt):
        byte = process.stdout.read(1)
        if not byte:
            return False
        seen += byte
    return True


def play_until_killed(home: Path, save: Path, lines: Sequence[str], *, new: bool) -> int:
    """Type *lines*, kill the game right after its answer to the last, and return its version."""
    where = (*PLAYERS, "--save", str(save)) if new else ("--resume", str(save))
    process = start(home, *where)
    assert process.stdin is not None
    assert read_prompt(process)
    for line in lines:
        process.stdin.write(f"{line}\n".encode())
        process.stdin.flush()
        read_prompt(process)
    process.kill()
    process.communicate(timeout=TIMEOUT)
    return saved(save).version


def check_kills(home: Path, cuts: Sequence[int]) -> None:
    """Kill a game after each of *cuts* lines; it has to end like the one that nobody disturbs."""
    whole, broken = home / "whole.yacht", home / "broken.yacht"
    yacht(home, "play", *PLAYERS, "--save", str(whole), lines=WHOLE_GAME)
    done = 0
    for cut in cuts:
        play_until_killed(home, broken, WHOLE_GAME[done:cut], new=not done)
        # What was answered is on disk, and is how the other game began.
        game = saved(broken)
        assert game.events == saved(whole).events[: game.version]
        done = cut
    run = yacht(home, "play", "--resume", str(broken), lines=WHOLE_GAME[done:])
    assert run.returncode == 0
    assert saved(broken) == saved(whole)
    assert saved(broken).position.is_over


def test_kill_9_after_accepted_events_and_go_on(tmp_path: Path) -> None:
    cuts = sorted(random.Random(7).sample(range(1, len(WHOLE_GAME)), 4))  # noqa: S311
    check_kills(tmp_path, cuts)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_kill_9_after_each_of_many_events(tmp_path: Path, seed: int) -> None:
    cuts = random.Random(seed).sample(range(1, len(WHOLE_GAME)), 24)  # noqa: S311
    check_kills(tmp_path, sorted(cuts))


def test_kill_9_in_the_middle_of_anything_leaves_a_whole_record(tmp_path: Path) -> None:
    save = tmp_path / "game.yacht"
    process = start(tmp_path, *PLAYERS, "--save", str(save))
    assert read_prompt(process)
    assert process.stdin is not None
    # Everything at once, and killed while it is being worked off.
    process.stdin.write("".join(f"{line}\n" for line in WHOLE_GAME).encode())
    process.stdin.flush()
    for _ in range(10):
        read_prompt(process)
    process.kill()
    process.communicate(timeout=TIMEOUT)
    game = saved(save)
    assert game.version > 10
    run = yacht(tmp_path, "play", "--resume", str(save), lines=["quit"])
    assert run.returncode == 0
    assert saved(save).events[: game.version] == game.events


@pytest.mark.parametrize("how", ["end of input", "quit", "interrupt"])
def test_other_ways_to_leave(tmp_path: Path, how: str) -> None:
    lines = ["roll", "keep #1 #2"]
    if how == "interrupt":
        process = start(tmp_path, "--players", "Ana", "--seed", "7")
        assert process.stdin is not None
        read_prompt(process)
        for line in lines:
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            read_prompt(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 1
        assert b"yacht play --resume" in out
    else:
        more = ["quit"] if how == "quit" else []
        run = yacht(tmp_path, "play", "--players", "Ana", "--seed", "7", lines=lines + more)
        assert run.returncode == 0
        assert "yacht play --resume\n" in run.stdout
    run = yacht(tmp_path, "play", "--resume", lines=["quit"])
    assert "=5=   =6=" in run.stdout
    assert "1 roll left." in run.stdout


def test_the_newest_unfinished_game_goes_on(tmp_path: Path) -> None:
    for name in ("Ana", "Bo"):
        yacht(tmp_path, "play", "--players", name, "--seed", "7", lines=["quit"])
    yacht(tmp_path, "play", "--players", "Cy", "--seed", "7", lines=WHOLE_GAME)
    folder = tmp_path / "state" / "yacht-dice" / "games"
    (folder / "zzz.yacht").write_text("no record at all")
    assert len(list(folder.glob("*.yacht"))) == 4
    assert "Bo> " in yacht(tmp_path, "play", "--resume").stdout
    assert "Cy" in yacht(tmp_path, "show").stdout


def test_a_finished_game_only_shows_its_end(tmp_path: Path) -> None:
    save = tmp_path / "game.yacht"
    args = ("play", "--players", "Ana", "--seed", "7", "--save", str(save))
    yacht(tmp_path, *args, lines=WHOLE_GAME)
    run = yacht(tmp_path, "play", "--resume", str(save))
    assert run.returncode == 0
    assert "The card is full" in run.stdout


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    save = tmp_path / "game.yacht"
    process = start(tmp_path, "--players", "Ana", "--seed", "7", "--save", str(save))
    assert read_prompt(process)
    for args in (["--resume", str(save)], ["--players", "Bo", "--save", str(save)]):
        run = yacht(tmp_path, "play", *args)
        assert run.returncode == 1
        assert run.stdout == ""
        assert run.stderr == f"This game is being played in another window: {save}\n"
    # To look is not to play.
    assert yacht(tmp_path, "show", str(save)).returncode == 0
    process.communicate(b"roll\n", timeout=TIMEOUT)
    assert yacht(tmp_path, "play", "--resume", str(save)).returncode == 0


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    save = tmp_path / "letter.txt"
    save.write_text("Dear Ana")
    run = yacht(tmp_path, "play", "--players", "Ana", "--save", str(save))
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert save.read_text() == "Dear Ana"


@pytest.mark.parametrize("content", [b"", b"no record", b"\xff\xfe", b"yacht 1\nrules x\n"])
@pytest.mark.parametrize("command", [["play", "--resume"], ["show"], ["replay"]])
def test_files_that_are_no_games(tmp_path: Path, content: bytes, command: list[str]) -> None:
    file = tmp_path / "game.yacht"
    file.write_bytes(content)
    run = quick(tmp_path, *command, str(file))
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("Line ")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "place", ["nowhere/game.yacht", "missing.yacht", ".", "/dev/null", "/proc/a"]
)
def test_places_where_no_game_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for args in (["--resume", place], ["--players", "Ana", "--save", place]):
        if place == "missing.yacht" and "--save" in args:
            continue
        run = quick(tmp_path, "play", *args)
        assert run.returncode == 1
        assert run.stderr.count("\n") == 1
        assert not list(tmp_path.iterdir())


def test_no_game_to_go_on_with(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--resume")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "No unfinished game is kept here. “yacht play” begins one.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_folder_that_goes_away_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    save = folder / "game.yacht"
    args = (
        "--players",
        "Ana",
        "--rules",
        "traditional",
        "--seed",
        "7",
        "--save",
        str(save),
        "--yes",
    )
    with terminal(tmp_path, "play", *args) as screen:
        screen.wait_for("Ana> ")
        screen.type("roll", "Ana> ")
        shutil.move(folder, tmp_path / "gone")
        shown = screen.type("score choice", "Ana> ")
        assert "cannot be kept" in shown
        assert "Nothing was counted" in shown
        assert "Total" not in shown
        shown = screen.type("keep #1", "Ana> ")
        assert "Nothing was counted" in shown
        shutil.move(tmp_path / "gone", folder)
        screen.type("keep #1", "1 roll left.")
        screen.wait_for("Ana> ")
        screen.type("quit", "--resume")
    # The dice that had already fallen when the folder was away are the ones that count.
    undisturbed = tmp_path / "other.yacht"
    yacht(
        tmp_path, "play", "--players", "Ana", "--seed", "7", "--save", str(undisturbed),
        lines=["roll", "keep #1"],
    )  # fmt: skip
    assert saved(save) == saved(undisturbed)


@pytest.mark.skipif(sys.platform == "win32", reason="limits are set as on Unix")
def test_a_full_disk_is_one_line_and_the_file_stays_whole(tmp_path: Path) -> None:
    save = tmp_path / "game.yacht"
    yacht(tmp_path, "play", "--players", "Ana", "--seed", "7", "--save", str(save), lines=["roll"])
    room = save.stat().st_size + 3
    # No file may grow beyond what this one has: to the program that is a full disk.
    limited = (
        f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({room},) * 2)\n"
    )
    limited += "sys.argv[0] = 'yacht'; runpy.run_module('yachtdice.cli', run_name='__main__')"
    run = processes.run(
        [sys.executable, "-B", "-c", limited, "play", "--resume", str(save)],
        input=b"score choice\nscore choice\nquit\n",
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    out = run.stdout.decode()
    assert run.returncode == 0, run.stderr
    assert out.count("Nothing was counted") == 2
    assert "Ana: Choice" not in out
    assert saved(save).version == 2
    assert not list(tmp_path.glob(".*.new"))
