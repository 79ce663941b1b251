"""`score`, `rules`, `show`, `replay` and the commands that need the solver."""

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests import processes, programs
from tests.cli.run import WHOLE_GAME, environment, quick, too_wide, yacht
from yachtdice import CATEGORIES, Hold, Position, Score, parse_dice
from yachtdice.bots import OFFERED
from yachtdice.cli.app import EXTRAS, main
from yachtdice.cli.text.numbers import fraction_digits
from yachtdice.cli.text.rulebook import example
from yachtdice.notation import parse_position
from yachtdice.presets import RULE_SET_KEYS, find_rules

Golden = Callable[[str, str], None]

GAME = """yacht 1
rules traditional
date 2026-11-30
dice system
seat 1 "Ana"
seat 2 "" bot greedy

1.1: 1-2-2-4-6 keep 2-2, 4-4-6 keep 4-4, 1-4-4 = four_of_a_kind 16
1.2: 6-6-6-6-6 = yacht 50
2.1: 5-5-5-2-1 keep -, 1-2-3-4-5 = little_straight 30
2.2: resign 1, 5-5-3-1-5 keep 5-5-5
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.yacht"
    path.write_text(GAME)
    return str(path)


def run_json(home: Path, *args: str) -> Any:  # noqa: ANN401 - as JSON is
    """Return what a command prints as JSON; every entry has to be in docs/json.md."""
    run = quick(home, *args, "--json")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert run.stdout.isascii()
    page = Path(__file__).resolve().parents[2] / "docs" / "json.md"
    section = page.read_text("utf-8").partition(f"## `yacht {args[0]} ")[2].partition("\n## ")[0]
    for key in found:
        assert f"`{key}`" in section, (args[0], key)
    return found


@pytest.mark.parametrize("rules", RULE_SET_KEYS)
@pytest.mark.parametrize("dice", ["5 5 5 2 1", "5-5-5-2-1", "55521", "5,5,5,2,1"])
def test_score_as_json(tmp_path: Path, rules: str, dice: str) -> None:
    found = run_json(tmp_path, "score", *dice.split(" "), "--rules", rules)
    assert list(found) == ["rules", "dice", "points"]
    assert found["rules"] == rules
    assert found["dice"] == [1, 2, 5, 5, 5]
    roll = parse_dice("5-5-5-2-1")
    assert found["points"] == {c.value: find_rules(rules).score(c, roll) for c in CATEGORIES}


def test_score_for_people(tmp_path: Path, golden: Golden) -> None:
    golden("cli/score.txt", yacht(tmp_path, "score", "4", "4", "4", "4", "1").stdout)


@pytest.mark.parametrize("rules", RULE_SET_KEYS)
def test_the_page_of_rules(tmp_path: Path, golden: Golden, rules: str) -> None:
    run = yacht(tmp_path, "rules", rules)
    assert run.returncode == 0
    assert not too_wide(run.stdout)
    golden(f"cli/rules-{rules}.txt", run.stdout)
    # Every example is what the engine says.
    found = find_rules(rules)
    examples = re.findall(r"^ {19}((?:\d-){4}\d) is (\d+)$", run.stdout, re.MULTILINE)
    assert len(examples) == len(found.categories)
    for category, (dice, points) in zip(found.categories, examples, strict=True):
        assert found.score(category, parse_dice(dice)) == int(points) > 0
        assert example(category, found) == parse_dice(dice)


def test_house_rules_explain_themselves(tmp_path: Path, golden: Golden) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("""key = "mine"
rolls = 2
[categories]
fours = { scorer = "of_a_kind", count = 2, pays = "matching", extra = 1 }
fives = { scorer = "of_a_kind", count = 3, pays = 7 }
sixes = { scorer = "of_a_kind", count = 5, pays = "sum" }
yacht = { scorer = "of_a_kind", count = 5, pays = "matching" }
full_house = { scorer = "full_house", pays = 25 }
choice = { scorer = "full_house", pays = 25, five_alike = true, extra = 3 }
little_straight = { scorer = "straight", length = 3, pays = "sum" }
big_straight = { scorer = "straight", length = 4, start = 2, pays = "sum" }
""")
    run = yacht(tmp_path, "rules", str(file))
    assert run.returncode == 0
    golden("cli/rules-mine.txt", run.stdout)
    plain = yacht(tmp_path, "rules", str(file), "--plain")
    assert "Yacht: all five alike: 5 times their face." in plain.stdout.replace("\n", " ")


def test_rules_as_json(tmp_path: Path) -> None:
    found = run_json(tmp_path, "rules", "console")
    assert list(found) == ["rules", "rolls", "categories", "upper_bonus", "fingerprint"]
    assert found["upper_bonus"] == {"threshold": 63, "points": 35}
    assert found["categories"]["little_straight"] == {"points": [0, 15]}


def test_show(tmp_path: Path, golden: Golden, game: str) -> None:
    run = yacht(tmp_path, "show", game)
    golden("cli/show.txt", run.stdout)
    assert not too_wide(run.stdout)
    piped = yacht(tmp_path, "show", "-", data=GAME.encode())
    assert piped.stdout == run.stdout
    golden("cli/show-plain.txt", yacht(tmp_path, "show", game, "--plain").stdout)


def test_show_as_json(tmp_path: Path, golden: Golden, game: str) -> None:
    golden("cli/show.json", json.dumps(run_json(tmp_path, "show", game), indent=2) + "\n")


def test_replay(tmp_path: Path, golden: Golden, game: str) -> None:
    run = yacht(tmp_path, "replay", game)
    golden("cli/replay.txt", run.stdout)
    assert not too_wide(run.stdout)


def test_replay_step_by_step(tmp_path: Path, game: str) -> None:
    told = yacht(tmp_path, "replay", game, "--step", lines=["", ""])
    assert told.returncode == 0
    assert "Little Straight" in told.stdout
    assert "keeps 5 5 5" not in told.stdout
    left = yacht(tmp_path, "replay", game, "--step", lines=["q"])
    assert "Yacht 50!" not in left.stdout


def test_replay_of_a_whole_game(tmp_path: Path) -> None:
    turns = [WHOLE_GAME[first : first + 4] for first in range(0, len(WHOLE_GAME), 4)]
    lines = [line for turn in turns for line in turn * 2]
    yacht(tmp_path, "play", "--players", "Ana,Bo", "--seed", "7", lines=lines)
    run = yacht(tmp_path, "replay")
    assert run.returncode == 0
    assert run.stdout.count("\nRound ") == 12
    assert "wins with" in run.stdout


def test_help_imports_nothing_that_is_slow() -> None:
    # What a command alone needs would make `yacht --help` slow.
    script = (
        "import json, sys\n"
        "from yachtdice.cli.app import main\n"
        "try: main(['--help'], prog_name='yacht')\n"
        "except SystemExit: print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    run = processes.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert "Usage: yacht" in run.stdout
    loaded = {name.partition(".")[0] for name in json.loads(run.stderr)}
    slow = {"rich", "numpy", "filelock", "platformdirs", "matplotlib", "asyncio", "sqlite3"}
    assert not loaded & slow
    assert "yachtdice.notation" not in json.loads(run.stderr)


@pytest.mark.parametrize("command", ["", *main.list_commands(None)])  # type: ignore[arg-type]
def test_every_command_has_help(tmp_path: Path, command: str) -> None:
    run = quick(tmp_path, *command.split(), "--help")
    assert run.returncode == 0
    assert not too_wide(run.stdout, 80)
    assert "..." not in run.stdout.partition("Commands:")[2]


def test_the_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"yacht \d+\.\d+\.\d+\n", yacht(tmp_path, "--version").stdout)


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which only what the distribution itself needs can be imported."""
    folder = tmp_path / "bare"
    folder.mkdir()
    needed = ["yachtdice", "click", "rich", "filelock", "platformdirs", "markdown_it", "mdurl"]
    for name in [*needed, "pygments", "typing_extensions", "colorama"]:
        try:
            found = Path(str(importlib.import_module(name).__file__))
        except ImportError:
            continue
        source = found.parent if found.stem == "__init__" else found
        (folder / source.name).symlink_to(source)
    return environment(tmp_path) | {"PYTHONPATH": str(folder)}


def run_bare(env: dict[str, str], *args: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return processes.run(
        [sys.executable, "-S", "-m", "yachtdice.cli", *args],
        input=lines, capture_output=True, env=env, text=True, check=False,
    )  # fmt: skip


def test_without_extras_the_game_plays(bare: dict[str, str]) -> None:
    run = run_bare(bare, "play", "--players", "Ana,computer", lines="\n".join(WHOLE_GAME) + "\n")
    assert run.returncode == 0, run.stderr
    assert "Computer (greedy)" in run.stdout
    assert "The game is over." in run.stdout


@pytest.mark.parametrize(
    "args",
    [
        ["solve"],
        ["advise", "44216"],
        ["odds"],
        ["simulate"],
        ["bots"],
        ["play", "--players", "computer:casual"],
    ],
    ids=" ".join,
)
def test_without_numpy_a_line_says_which_extra_to_install(
    bare: dict[str, str], args: list[str]
) -> None:
    run = run_bare(bare, *args)
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert "yacht-dice[solver]" in run.stderr


def test_every_extra_is_one_of_the_project(request: pytest.FixtureRequest) -> None:
    text = (request.config.rootpath / "pyproject.toml").read_text("utf-8")
    for package, extra in EXTRAS.items():
        if re.search(rf"^{extra} = ", text, re.MULTILINE):
            assert re.search(rf"^{extra} = .*?{package}.*?\]$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which tables are kept from one test to the next."""
    return tmp_path_factory.mktemp("home")


def test_solve(home: Path) -> None:
    found = run_json(home, "solve")
    assert list(found) == ["rules", "open", "expected", "sd", "seconds"]
    assert found["rules"] == "traditional"
    assert found["open"] == [c.value for c in CATEGORIES]
    assert found["expected"] == pytest.approx(166.955067704572, abs=1e-9)
    some = run_json(home, "solve", "--open", "yacht, 1", "--rules", "all-dice")
    assert some["open"] == ["yacht"]  # on this card number 1 is Yacht as well
    text = quick(home, "solve").stdout
    assert "166.95506770457" in text
    [table] = re.findall(r"Table: (.*)", text)
    assert Path(table).is_file()


def test_a_float_is_not_printed_to_more_digits_than_are_right(tmp_path: Path) -> None:
    many, fitting = (
        quick(tmp_path, "solve", "--open", "ones", "--digits", digits).stdout.splitlines()[2]
        for digits in ("1000", "12")
    )
    assert many == fitting


def test_solve_exactly(home: Path) -> None:
    found = run_json(home, "solve", "--exact", "--open", "yacht", "--digits", "30")
    assert found["fraction"] == "8697425/3779136"
    with localcontext() as context:
        context.prec = 31
        assert found["digits"] == str(Decimal(8697425) / 3779136)


def test_digits_are_rounded() -> None:
    assert fraction_digits(Fraction(2, 3), 3) == "0.667"
    assert fraction_digits(Fraction(199, 100), 1) == "2.0"
    assert fraction_digits(Fraction(5, 2), 0) == "3"


def test_a_card_with_a_bonus_in_reach(home: Path) -> None:
    args = ("solve", "--rules", "console", "--open", "yacht")
    there = run_json(home, *args, "--upper", "63")["expected"]
    assert there == pytest.approx(run_json(home, *args)["expected"])  # the bonus was paid before
    near = run_json(home, "solve", "--rules", "console", "--open", "ones", "--upper", "62")
    far = run_json(home, "solve", "--rules", "console", "--open", "ones", "--upper", "5")
    assert near["expected"] > far["expected"] + 30
    wrong = quick(home, "solve", "--rules", "console", "--upper", "5")
    assert wrong.returncode == 2


def test_a_table_that_is_named_has_to_be_right(home: Path, tmp_path: Path) -> None:
    table = tmp_path / "a.table"
    assert quick(home, "solve", "--table", str(table)).returncode == 0
    assert quick(home, "solve", "--table", str(table)).returncode == 0
    other = quick(home, "solve", "--table", str(table), "--rules", "console")
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    damaged = quick(home, "solve", "--table", str(table))
    for run in (other, damaged):
        assert run.returncode == 1
        assert run.stderr.count("\n") == 1


def test_advise(home: Path, golden: Golden) -> None:
    from yachtdice.solver import solve  # noqa: PLC0415

    found = run_json(home, "advise", "4-4-2-1-6", "--rolls-left", "2", "--open", "all")
    rules = find_rules("traditional")
    ranked = solve(rules).rank(Position.start(rules).roll(parse_dice("4-4-2-1-6")))
    assert len(found["moves"]) == len(ranked)
    for move, choice in zip(found["moves"], ranked, strict=True):
        if isinstance(choice.move, Hold):
            assert move["keep"] == list(choice.move.kept.faces)
        else:
            assert isinstance(choice.move, Score)
            assert move["score"] == choice.move.category.value
        assert move["expected"] == pytest.approx(choice.value)
        assert move["loss"] == pytest.approx(choice.loss)
    golden("cli/advise.txt", quick(home, "advise", "4", "4", "2", "1", "6").stdout)
    last = run_json(home, "advise", "66666", "--rolls-left", "0", "--open", "yacht,choice")
    assert [move["score"] for move in last["moves"]] == ["yacht", "choice"]
    assert last["position"] == "traditional 0.0.0.0.0.0.0.0.0.0.-.- 1 6-6-6-6-6 0"
    assert quick(home, "advise", "66666", "--rolls-left", "3").returncode == 2
    assert quick(home, "advise", "66666", "--open", "f").returncode == 2


def test_advise_takes_a_position_as_text(home: Path, golden: Golden) -> None:
    text = "traditional - 1 4-4-2-1-6 2"
    run = quick(home, "advise", text)
    assert run.returncode == 0
    golden("cli/advise.txt", run.stdout)
    assert quick(home, "advise", *text.split()).stdout == run.stdout
    # Points on the card, another seat, other rules: the moves are those of the card to move.
    two = "console 3.-.-.-.-.18.-.-.-.-.-.-/- 1 6-6-6-6-6 0"
    found = run_json(home, "advise", two)
    rules = find_rules("console")
    position = parse_position(two)
    assert (found["rules"], found["position"]) == ("console", two)
    assert found["moves"][0]["score"] == "yacht"
    assert {move["score"] for move in found["moves"]} == {c.value for c in position.card.open}
    assert found["open"] == [c.value for c in rules.categories if c in position.card.open]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["traditional - 1 - 3"], "nothing to decide"),
        (["traditional -/- 1 - 0 1.2"], "nothing to decide"),
        (["traditional - 1 4-4-2-1-6 2", "--open", "all"], "--open"),
        (["traditional - 1 4-4-2-1-6 2", "--rules", "traditional"], "--rules"),
        (["traditional - 1 4-4-2-1-6 2", "--rolls-left", "2"], "--rolls-left"),
        (["traditional - 1 4-4-2-1-6 2", "--upper", "0"], "--upper"),
        (["traditional - 1 4-4-2-1-7 2"], "faces from 1 to 6"),
        (["nobodys - 1 4-4-2-1-6 2"], "may be: traditional, all-dice"),
    ],
    ids=str,
)
def test_advise_says_what_is_wrong_with_a_position(
    home: Path, arguments: list[str], words: str
) -> None:
    run = quick(home, "advise", *arguments)
    assert run.returncode in {1, 2}
    assert run.stdout == ""
    assert words in run.stderr


def test_odds(home: Path, tmp_path: Path, golden: Golden) -> None:
    run = quick(home, "odds", "--score", "180", "--target", "200")
    assert run.returncode == 0
    assert not too_wide(run.stdout)
    golden("cli/odds.txt", run.stdout)
    found = run_json(home, "odds", "--score", "180", "--target", "200", "--bot", "novice")
    assert sum(found["probabilities"]) == pytest.approx(1)
    assert 0 < found["target"]["usual"] < found["target"]["chance"] < 1
    assert found["percentiles"]["50"] < 130
    programs.need("matplotlib")
    for name, magic in (("a.png", b"\x89PNG"), ("b.svg", b"<?xml")):
        drawn = quick(home, "odds", "--plot", str(tmp_path / name))
        assert drawn.returncode == 0
        assert (tmp_path / name).read_bytes().startswith(magic)
    assert quick(home, "odds", "--plot", "a.txt").returncode == 2
    assert quick(home, "odds", "--plot", str(tmp_path / "no" / "a.png")).returncode == 1


def test_simulate(home: Path) -> None:
    found = run_json(home, "simulate", "--games", "20000", "--seed", "7")
    low, high = found["interval"]
    assert low < found["mean"] < high
    assert abs(found["mean"] - found["exact"]) < 4 * found["sd"] / 20000**0.5
    again = run_json(home, "simulate", "--games", "20000", "--seed", "7")
    assert again["mean"] == found["mean"]
    text = quick(home, "simulate", "--games", "2000", "--bot", "casual", "--seed", "7").stdout
    assert "standard errors off" in text


@pytest.mark.system
def test_bots(home: Path) -> None:
    found = run_json(home, "bots")
    assert [bot["level"] for bot in found["bots"]] == list(OFFERED)
    averages = [bot["expected"] for bot in found["bots"]]
    assert averages == sorted(averages)
    text = quick(home, "bots").stdout
    assert "perfect" in text
    assert "166.96" in text


def test_every_command_and_option_is_documented() -> None:
    root = Path(__file__).resolve().parents[2]
    pages = "\n".join(page.read_text("utf-8") for page in root.glob("docs/**/*.md"))
    terminal = (root / "docs" / "terminal.md").read_text("utf-8")
    for name in main.list_commands(None):  # type: ignore[arg-type]
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert f"`yacht {name}" in pages, name
        for parameter in command.params:
            for option in parameter.opts if f"`yacht {name}" in terminal else ():
                assert not option.startswith("--") or option in terminal, (name, option)


def test_an_error_inside_is_written_to_a_file_or_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("nobody has thought of this")

    monkeypatch.setattr("yachtdice.cli.text.rulebook.rules_lines", fail)
    monkeypatch.setattr("tempfile.tempdir", str(home))
    result = quick(home, "rules")
    assert result.returncode == 1
    [file] = home.glob("yacht-*.txt")
    assert result.stderr == f"Something is wrong inside yacht. What is known stands in {file}.\n"
    assert "RuntimeError: nobody has thought of this" in file.read_text("utf-8")
    shown = quick(home, "--debug", "rules")
    assert shown.returncode == 1
    assert shown.stderr == file.read_text("utf-8")
    monkeypatch.setattr("tempfile.tempdir", str(home / "missing"))
    assert "--debug before the command" in quick(home, "rules").stderr


@pytest.mark.parametrize(
    "command", [["solve", "--open"], ["advise", "1", "2", "3", "4", "5", "--open"]]
)
def test_a_box_that_there_is_not_is_answered_with_those_that_there_are(
    tmp_path: Path, command: list[str]
) -> None:
    run = quick(tmp_path, *command, "nosuch")
    assert run.returncode == 2
    assert "There is no box “nosuch”. Boxes: Ones, Twos, " in run.stderr
