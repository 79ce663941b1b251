"""Games in a pipe: what goes in is a list of commands, what comes out reads as a story."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import processes
from tests.cli.run import ANSI, WHOLE_GAME, quick, terminal, too_wide, yacht
from yachtdice import Category, CategoryScored
from yachtdice.dice_source import SeededDice
from yachtdice.notation import parse_record

Golden = Callable[[str, str], None]


def test_a_whole_game_against_the_computer(tmp_path: Path, golden: Golden) -> None:
    save = tmp_path / "game.yacht"
    run = yacht(
        tmp_path, "play", "--players", "Ana,computer:greedy", "--seed", "7", "--save", str(save),
        lines=WHOLE_GAME,
    )  # fmt: skip
    assert run.returncode == 0
    assert run.stderr == ""
    assert not too_wide(run.stdout)
    assert not ANSI.search(run.stdout)
    golden("cli/whole-game.txt", run.stdout)
    record = parse_record(save.read_bytes())
    assert record.game.position.is_over
    assert record.dice == "seed 7"
    assert record.bots == {1: "greedy"}
    assert not list(tmp_path.glob(".*.lock"))


def test_the_dice_are_those_of_the_seed(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--players", "Ana", "--seed", "x y", lines=["r", "keep none"])
    dice = SeededDice("x y")
    first, second = dice.roll(5), dice.roll(5)
    shown = re.findall(r"\[(\d)\]", run.stdout)
    assert [*map(int, shown)] == [*first, *second]


def test_what_a_script_cannot_answer_is_not_asked(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--players", "Ana,Bo", lines=["roll", "score choice", ""])
    assert "Rules>" not in run.stdout
    assert "it is Bo's turn" in run.stdout


def test_questions_are_asked_where_nothing_is_given(tmp_path: Path, golden: Golden) -> None:
    lines = ["Ana, Ana", "Ana, computer:lazy", "Ana," * 13, "Ana, Bo", "tradtional", "2", "quit"]
    run = yacht(tmp_path, lines=lines)
    golden("cli/questions.txt", run.stdout)
    assert run.returncode == 0


def test_no_answer_is_no_game(tmp_path: Path) -> None:
    run = yacht(tmp_path)
    assert run.returncode == 1
    assert run.stderr == "No game was begun.\n"
    assert not (tmp_path / "state").exists()


def test_bad_input_costs_nothing(tmp_path: Path, golden: Golden) -> None:
    lines = [
        "keep 4", "score fours", "x", "roll 4 4", "", "",
        "keep", "keep 0", "keep 7 7", "keep four", "keep 1 1 1 1 1 1", "keep 3 3 3", "keep \u0664",
        "keep #6", "keep #1 #1", "keep #1 4", "keep all",
        "score", "score f", "score st", "score xyz", "score 0", "score 13", "score \uff14",
        f"score {'9' * 200}", "9" * 5000, "score fours 12", "4 4", "4",
        "undo", "correct Ana fours 4", "card now",
        "\x1b[31mred", "\x07", "\x00", "score\ttwelve", "\u043a\u0435\u0435\u0440 4",
    ]  # fmt: skip
    data = "\n".join(lines).encode() + b"\n\xff\xfe\xed\xa0\x80 keep 4\nscore choice\nquit\n"
    save = tmp_path / "game.yacht"
    args = ("play", "--players", "Ana", "--seed", "7", "--save", save.name)
    run = yacht(tmp_path, *args, data=data, cwd=tmp_path)
    assert run.returncode == 0
    golden("cli/bad-input.txt", run.stdout)
    assert not too_wide(run.stdout)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", run.stdout)
    game = parse_record(save.read_bytes()).game
    assert game.version == 3
    assert game.position.card[Category.CHOICE] is not None


def test_filled_boxes_are_refused(tmp_path: Path) -> None:
    lines = ["", "score choice", "", "score choice", "score 11"]
    run = yacht(tmp_path, "play", "--players", "Ana", "--seed", "7", lines=lines)
    assert run.stdout.count("That box is used already.") == 2


def test_real_dice_by_every_way_of_keeping_score(tmp_path: Path, golden: Golden) -> None:
    save = tmp_path / "game.yacht"
    lines = [
        "4 4 2 1 6", "roll", "keep 4 4", "4 1 2", "undo", "4 4 4 6 6", "score fours",  # each roll
        "roll 1-2-3-4-6", "5 5 5 2 2 full house",  # the end of a turn that was begun
        "fives 10", "sixes 7", "sixes 6",  # points only
        "1 1 1 1 1 1", "1 1 1 1 0", "6 6 6 6 6 yacht",
        "correct Ana fours 16", "correct Bo fours 8", "correct ana yacht 50 instead of choice",
        "correct ana choice 17 instead of fives", "card", "undo", "undo", "", "quit",
    ]  # fmt: skip
    run = yacht(
        tmp_path, "play", "--players", "Ana,Bo", "--dice", "real", "--save", save.name, lines=lines,
        cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0
    golden("cli/real-dice.txt", run.stdout)
    record = parse_record(save.read_bytes())
    assert record.dice == "real"
    assert record.game.position.cards[0][Category.FOURS] == 12


def test_the_last_box_of_a_game_with_real_dice_can_still_be_put_right(tmp_path: Path) -> None:
    names = [category.value for category in Category]
    lines = [f"{name} {5 * (name == 'choice')}" for name in names] + [
        "undo",
        "yacht 50",
        "correct Ana choice 17",
        "",
    ]
    run = yacht(tmp_path, "play", "--players", "Ana", "--dice", "real", lines=lines)
    assert run.returncode == 0
    assert "Enter ends the game" in run.stdout
    assert run.stdout.endswith("The card is full: 67 points.\n")


def test_somebody_rolls_real_dice_for_the_computer(tmp_path: Path) -> None:
    lines = ["6 6 6 6 6", "undo", "6 6 6 6 6", "yacht 0"]
    run = yacht(tmp_path, "play", "--players", "computer:greedy,Ana", "--dice", "real", lines=lines)
    assert run.stdout.count("Roll for Computer and type what the dice show.") == 3
    assert "Computer: Yacht 50! Total 50." in run.stdout
    assert "Ana: Yacht 0. Total 0." in run.stdout


def test_resigning(tmp_path: Path, golden: Golden) -> None:
    lines = ["", "resign", *[line for line in WHOLE_GAME if not line.startswith("keep")]]
    run = yacht(tmp_path, "play", "--players", "Ana,Bo", "--seed", "7", lines=lines)
    end = run.stdout[run.stdout.index("The game is over") :]
    assert "Ana gives up." in run.stdout
    golden("cli/resigned-end.txt", end)


@pytest.mark.parametrize("first", ["1", "2"])
def test_who_begins(tmp_path: Path, first: str) -> None:
    run = yacht(tmp_path, "play", "--players", "Ana,Bo", "--first", first)
    assert f"it is {['Ana', 'Bo'][int(first) - 1]}'s turn" in run.stdout


def test_computers_play_by_themselves(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--players", "computer:greedy,computer:random", "--seed", "1")
    assert run.returncode == 0
    assert "Computer 1 wins" in run.stdout


def test_plain_says_one_thing_a_line(tmp_path: Path, golden: Golden) -> None:
    lines = ["", "keep #1 #2", "score choice", "", "score 1", "card", "help", "quit"]
    run = yacht(
        tmp_path, "play", "--players", "Ana,Bo", "--rules", "console", "--seed", "7", "--plain",
        lines=lines,
    )  # fmt: skip
    golden("cli/plain.txt", run.stdout)
    by_environment = yacht(
        tmp_path, "play", "--players", "Ana,Bo", "--rules", "console", "--seed", "7",
        lines=lines, env={"YACHT_PLAIN": "1"},
    )  # fmt: skip
    assert by_environment.stdout == run.stdout


def test_an_output_that_knows_only_ascii(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    run = yacht(tmp_path, "play", "--players", "Zoë,Jürgen", lines=["help"], env=env)
    assert run.returncode == 0
    assert '"quit" when you like' in run.stdout
    assert "Players: Zoe, Jurgen." in run.stdout
    assert run.stdout.isascii()


@pytest.mark.parametrize("width", ["20", "40", "60", "100", "200"])
def test_no_line_is_wider_than_the_window(tmp_path: Path, width: str) -> None:
    names = "Ana,陳大文陳大文陳大文,Guadalupe-Maximiliana Wolfe,computer:greedy,e,f,g,h,i,j,k,l"
    run = yacht(
        tmp_path, "play", "--players", names, "--seed", "7",
        lines=["", "keep #1", "score choice", "card", "help"], env={"COLUMNS": width},
    )  # fmt: skip
    assert run.returncode == 0
    assert not too_wide(run.stdout.removesuffix("k> \n"), max(int(width), 40))


WRONG_USE = [
    ["play", "--players", "Ana", "--dice", "loaded"],
    ["play", "--players", "Ana", "--dice", "real", "--seed", "7"],
    ["play", "--players", "Ana", "--rules", "nonsense"],
    ["play", "--players", "Ana", "--first", "2"],
    ["play", "--players", "Ana", "--first", "0"],
    ["play", "--players", "Ana", "--seed", ""],
    ["play", "--players", "Ana", "--seed", "\x1b"],
    ["play", "--players", "Ana,Ana"],
    ["play", "--players", "computer:weak"],
    ["play", "--players", "x" * 100],
    ["play", "--players", "Ana", "--resume"],
    ["play", "--resume", "a.yacht", "--save", "b.yacht"],
    ["play", "--nonsense"],
    ["nonsense"],
    ["score", "7", "1", "1", "1", "1"],
    ["score", "1", "1", "1", "1"],
    ["score", "1", "1", "1", "1", "1", "1"],
    ["score"],
    ["score", "\u0664", "4", "4", "4", "4"],
]


@pytest.mark.parametrize("args", WRONG_USE, ids=" ".join)
def test_wrong_use_is_one_line_and_exit_code_2(tmp_path: Path, args: list[str]) -> None:
    run = quick(tmp_path, *args)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1


def test_wrong_use_of_the_real_command(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--nonsense")
    assert run.returncode == 2
    assert run.stderr.startswith("yacht play: No such option '--nonsense'.")
    assert run.stderr.count("\n") == 1


def test_thirteen_players_are_too_many(tmp_path: Path) -> None:
    run = yacht(tmp_path, "play", "--players", ",".join("abcdefghijklm"))
    assert run.returncode == 2
    assert run.stderr == "yacht play: A game has 1 to 12 players.\n"


def test_a_wrong_rules_file_names_its_entry(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('key = "mine"\n[categories]\nones = { scorer = "face_sum", face = 7 }\n')
    run = yacht(tmp_path, "play", "--players", "Ana", "--rules", str(file))
    assert run.returncode == 2
    assert "categories.ones.face" in run.stderr
    assert "from 1 to 6" in run.stderr
    assert run.stderr.count("\n") == 1


def test_house_rules_from_a_file_are_kept_with_the_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('key = "mine"\nrolls = 1\n[categories]\nchoice = { scorer = "total" }\n')
    save = tmp_path / "game.yacht"
    yacht(
        tmp_path,
        "play",
        "--players",
        "Ana",
        "--rules",
        str(file),
        "--seed",
        "7",
        "--save",
        str(save),
    )
    file.unlink()
    run = yacht(tmp_path, "play", "--resume", str(save), lines=["", "score 1"])
    assert run.returncode == 0
    assert "The card is full" in run.stdout


def test_a_reader_that_goes_away_leaves_no_traceback(tmp_path: Path) -> None:
    # Closed before anything is read, so that the first write fails.
    import subprocess  # noqa: PLC0415

    from tests.cli.run import COMMAND, environment  # noqa: PLC0415

    read, write = os.pipe()
    os.close(read)
    run = processes.run(
        [*COMMAND, "rules"], stdout=write, stderr=subprocess.PIPE, env=environment(tmp_path),
        check=False,
    )  # fmt: skip
    os.close(write)
    assert run.returncode == 1
    assert run.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_output_without_room_is_one_line(tmp_path: Path) -> None:
    import subprocess  # noqa: PLC0415

    from tests.cli.run import COMMAND, environment  # noqa: PLC0415

    with Path("/dev/full").open("w") as full:
        run = processes.run(
            [*COMMAND, "score", "1", "1", "1", "1", "1"], stdout=full, stderr=subprocess.PIPE,
            env=environment(tmp_path), check=False,
        )  # fmt: skip
    assert run.returncode == 1
    assert run.stderr.count(b"\n") == 1


def test_what_goes_wrong_inside_is_written_down(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import yachtdice.rules as r\n"
        "def parse_dice(text): raise KeyError('inside')\n"
        "r.parse_dice = parse_dice\n"
    )
    env = {"PYTHONPATH": str(broken), "TMPDIR": str(tmp_path)}
    run = yacht(tmp_path, "score", "1", "1", "1", "1", "1", env=env)
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    [report] = tmp_path.glob("yacht-*.txt")
    assert report.name in run.stderr
    assert "KeyError: 'inside'" in report.read_text()


def test_a_home_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    run = yacht(tmp_path, "play", "--players", "Ana")
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "--save FILE" in run.stderr


def test_saves_are_readable_records(tmp_path: Path) -> None:
    yacht(tmp_path, "play", "--players", "Ana,Bo", lines=["", "score choice"])
    [save] = (tmp_path / "state" / "yacht-dice" / "games").glob("*.yacht")
    game = parse_record(save.read_bytes()).game
    assert isinstance(game.events[-1], CategoryScored)
    shown = json.loads(yacht(tmp_path, "show", "--json").stdout)
    assert shown["turn"] == 2


@pytest.mark.parametrize("lines", [["quit"], [" Exit "], ["Ana, Ben", "quit"]])
def test_a_game_can_be_left_before_it_begins(tmp_path: Path, lines: list[str]) -> None:
    run = yacht(tmp_path, "play", "--save", str(tmp_path / "a.yacht"), lines=lines)
    assert run.returncode == 0
    assert run.stderr == ""
    assert run.stdout.endswith("No game was begun.\n")
    assert not (tmp_path / "a.yacht").exists()


@pytest.mark.parametrize("names", ["Ana," * 12, "Ana, Ana", "Ana,computer:nosuch", "x" * 31])
def test_players_that_cannot_play_are_wrong_use(tmp_path: Path, names: str) -> None:
    run = yacht(tmp_path, "play", "--players", names)
    assert run.returncode == 2
    assert run.stderr.startswith("yacht play: ")


def test_a_person_called_like_a_level_is_pointed_out(tmp_path: Path) -> None:
    save = tmp_path / "a.yacht"
    options = ("play", "--save", str(save), "--players")
    run = yacht(tmp_path, *options, "Ana,Greedy", lines=["quit"])
    assert run.returncode == 0
    assert run.stderr == "Greedy is a person here. To play against the computer: computer:greedy\n"
    assert 'seat 2 "Greedy"\n' in save.read_text("utf-8")


@pytest.mark.parametrize(("answer", "seat"), [("y", '"" bot greedy'), ("n", '"greedy"')])
def test_whether_a_level_is_meant_is_asked(tmp_path: Path, answer: str, seat: str) -> None:
    save = tmp_path / "a.yacht"
    with terminal(
        tmp_path, "play", "--players", "Ana,greedy", "--rules", "traditional", "--save", str(save)
    ) as window:
        window.wait_for("Is greedy the computer")
        window.wait_for("y/n> ")
        window.type(answer, "Ana> ")
        window.type("quit", "resume")
        assert window.end() == 0
    assert f"seat 2 {seat}\n" in save.read_text("utf-8")
