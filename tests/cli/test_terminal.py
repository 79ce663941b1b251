"""At a terminal: questions, colour, drawing, editing, and the size of the window."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.run import ANSI, WHOLE_GAME, Terminal, terminal, too_wide

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def begin(screen: Terminal) -> None:
    screen.wait_for("Players> ")
    screen.type("Ana, Bo", "Rules> ")
    screen.type("", "Ana> ")


def test_yacht_alone_asks_and_plays(tmp_path: Path) -> None:
    with terminal(tmp_path) as screen:
        begin(screen)
        screen.type("", "Ana> ")
        screen.type("keep #1 #2", "Ana> ")
        screen.type("score choice", "Bo> ")
        assert "┌───┐" in screen.text
        assert "╔═══╗ ╔═══╗ ┌───┐" in screen.text
        assert _COLOUR.search(screen.shown)
        assert "it is Bo's turn" in screen.text
        screen.type("quit", "To go on with it")
        assert screen.end() == 0
        assert not too_wide(screen.text)


def test_a_zero_is_asked_about_once(tmp_path: Path) -> None:
    with terminal(
        tmp_path, "play", "--players", "Ana", "--rules", "traditional", "--seed", "7"
    ) as it:
        it.wait_for("Ana> ")
        it.type("", "Ana> ")
        assert "That enters a zero. Yacht: 0?" in it.type("score yacht", "y/n> ")
        it.type("n", "Ana> ")
        it.type("score yacht", "y/n> ")
        it.type("y", "Ana: Yacht 0.")
        it.wait_for("Ana> ")
        it.type("", "Ana> ")
        assert "zero" not in it.type("score choice", "Ana> ")


def test_yes_asks_nothing(tmp_path: Path) -> None:
    args = ("--players", "Ana", "--rules", "traditional", "--seed", "7", "--yes")
    with terminal(tmp_path, "play", *args) as screen:
        screen.wait_for("Ana> ")
        screen.type("", "Ana> ")
        assert "y/n" not in screen.type("score yacht", "Ana: Yacht 0.")


def test_no_colour_means_no_escape_codes_at_all(tmp_path: Path) -> None:
    args = ("--players", "Ana", "--rules", "traditional")
    with terminal(tmp_path, "play", *args, NO_COLOR="1") as screen:
        screen.wait_for("Ana> ")
        screen.type("", "Ana> ")
        assert "┌───┐" in screen.text
        assert not ANSI.search(screen.shown)


@pytest.mark.parametrize("more", [{"TERM": "dumb"}, {"YACHT_PLAIN": "1"}])
def test_where_nothing_can_be_drawn_nothing_is(tmp_path: Path, more: dict[str, str]) -> None:
    args = ("--players", "Ana", "--rules", "traditional")
    with terminal(tmp_path, "play", *args, columns=60, **more) as screen:
        screen.wait_for("Ana> ")
        screen.type("", "Ana> ")
        assert screen.text.isascii() or "┌" not in screen.text
        assert not _COLOUR.search(screen.shown)


def test_lines_can_be_edited_and_called_back(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    args = ("--players", "Ana", "--rules", "traditional", "--seed", "7")
    with terminal(tmp_path, "play", *args) as screen:
        screen.wait_for("Ana> ")
        screen.type("card", "Ana> ")
        screen.send(b"\x1b[A\n")  # up: the line before
        assert "Full House" in screen.wait_for("Total")
        screen.wait_for("Ana> ")
        screen.send(b"croll\x1b[D\x1b[D\x1b[D\x1b[D\x7f\n")  # left, and the c is gone
        screen.wait_for("2 rolls left.")


@pytest.mark.parametrize("columns", [60, 100])
def test_a_whole_game_at_a_terminal(tmp_path: Path, columns: int) -> None:
    args = ("--players", "Ana,computer:greedy", "--rules", "all-dice", "--seed", "7", "--yes")
    with terminal(tmp_path, "play", *args, columns=columns) as screen:
        screen.wait_for("Ana> ")
        for line in WHOLE_GAME[:-1]:
            screen.type(line, "Ana> ")
        screen.type(WHOLE_GAME[-1], "The game is over.")
        assert screen.end() == 0
        assert not too_wide(screen.text, columns)
        # Lines are only ever added: no code moves the cursor or clears anything.
        codes = set(re.findall(r"\x1b\[[0-9;?]*([A-Za-z])", screen.shown))
        assert codes <= {"m"}, codes


def test_control_c_keeps_the_game(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--players", "Ana", "--rules", "console", "--seed", "7") as it:
        it.wait_for("Ana> ")
        it.type("", "Ana> ")
        shown = it.type("score choice", "Ana> ")
        assert "Ana: Choice 25." in shown
        it.interrupt("yacht play --resume")
        assert it.end() == 1
    with terminal(tmp_path, "play", "--resume") as again:
        assert "goes on where it was left" in again.wait_for("Turn 2 of 12")


def test_end_of_input_keeps_the_game(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--players", "Ana", "--rules", "console") as screen:
        screen.wait_for("Ana> ")
        screen.send(b"\x04")
        screen.wait_for("yacht play --resume")
        assert screen.end() == 0
