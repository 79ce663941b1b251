"""`yacht analyse`, `yacht train` and `yacht stats`."""

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

from tests.solved import solved
from yachtdice.cli.app import main
from yachtdice.cli.commands.analyse import analyse as analyse_command
from yachtdice.cli.commands.stats import stats
from yachtdice.cli.commands.train import train
from yachtdice.coach import analyse, analyse_record, judge, report_data
from yachtdice.coach.training.deckfile import DeckFile
from yachtdice.coach.training.exercises import own_exercises
from yachtdice.notation import parse_record
from yachtdice.rules import Hold

RECORDS = Path(__file__).parent / "records"
ALONE = str(RECORDS / "alone.yacht")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the commands a home of their own."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def run(command: Command, *args: str, typed: str = "") -> Result:
    assert command.name is not None
    return CliRunner().invoke(main, [command.name, *args], input=typed)


def test_analyse_tells_the_report() -> None:
    result = run(analyse_command, ALONE)
    assert result.exit_code == 0
    assert "The costliest decisions" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())


def test_analyse_as_json() -> None:
    record = parse_record(Path(ALONE).read_text("utf-8"))
    report = analyse_record(record, solved(record.game.rules))
    result = run(analyse_command, ALONE, "--json")
    assert json.loads(result.output) == report_data(report)


def test_analyse_tells_a_game_for_two_in_winning_chances_too(tmp_path: Path) -> None:
    record = str(RECORDS / "real-dice.yacht")
    assert "Winning chances" in run(analyse_command, record).output
    told = json.loads(run(analyse_command, record, "--json").output)["winning"]
    for seat in told["seats"]:
        parts = seat["luck"] - seat["lost"] - seat["their_luck"] + seat["their_lost"]
        parts += seat["other"] + seat["source"]
        assert seat["chance"] == pytest.approx(seat["start"] + parts, abs=1e-9)
    page = tmp_path / "report.html"
    run(analyse_command, record, "--html", str(page))
    assert "The chances to win after each round" in page.read_text("utf-8")
    assert "Winning chances" not in run(analyse_command, ALONE).output


def test_analyse_reads_standard_input() -> None:
    text = Path(ALONE).read_text("utf-8")
    result = run(analyse_command, "-", typed=text)
    assert result.output == run(analyse_command, ALONE).output


def test_analyse_writes_a_page(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run(analyse_command, ALONE, "--html", str(path))
    assert (result.exit_code, result.output) == (0, "")
    assert path.read_text("utf-8").startswith("<!doctype html>")
    assert run(analyse_command, ALONE, "--html", "-").output == path.read_text("utf-8")


def test_analyse_takes_the_newest_game(home: Path) -> None:
    assert run(analyse_command).output.startswith("No game is kept here yet.")
    folder = home / "XDG_STATE_HOME" / "yacht-dice" / "games"
    folder.mkdir(parents=True)
    (folder / "one.yacht").write_bytes(Path(ALONE).read_bytes())
    assert run(analyse_command).output == run(analyse_command, ALONE).output


def test_analyse_refuses_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("milk, eggs")
    result = run(analyse_command, str(path))
    assert result.exit_code == 1
    assert "A record begins with the line “yacht 1”." in result.output


def test_stats_of_a_folder(tmp_path: Path) -> None:
    result = run(stats, str(RECORDS))
    assert result.exit_code == 0
    assert "dice were rolled" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())
    plain = run(stats, str(RECORDS), "--plain").output
    assert "[" not in plain
    path = tmp_path / "stats.html"
    assert run(stats, str(RECORDS), "--html", str(path)).output == ""
    assert path.read_text("utf-8").startswith("<!doctype html>")


def test_stats_count_each_game_once(tmp_path: Path) -> None:
    folder, copies = tmp_path / "games", tmp_path / "copies"
    folder.mkdir()
    copies.mkdir()
    path = folder / "one.yacht"
    shutil.copy(RECORDS / "alone.yacht", path)
    # The same game with another header, under another name, and behind a link.
    text = path.read_text("utf-8")
    (copies / "two.yacht").write_text(f"# copied\n{text}", "utf-8")
    (copies / "three.yacht").symlink_to(path)
    once = run(stats, str(path), "--json")
    assert not once.stderr
    again = run(stats, str(path), str(folder), str(path), str(copies), "--json")
    assert json.loads(again.stdout) == json.loads(once.stdout)
    assert again.stderr.startswith("4 files hold games that were counted already")
    shown = run(stats, str(path), str(path)).output
    assert "1 finished game." in shown
    assert "1 file holds a game that was counted already" in shown


def test_stats_of_one_player() -> None:
    everybody = json.loads(run(stats, str(RECORDS), "--json").output)
    ana = json.loads(run(stats, str(RECORDS), "--json", "--player", "ana").output)
    names = {game["name"] for rules in ana["rules"] for game in rules["games"]}
    assert names == {"Ana"}
    count = sum(len(rules["games"]) for rules in everybody["rules"])
    # The computer's seat is nobody's game.
    assert count == 1 + 1 + 4 + 2
    assert everybody["unfinished"] == 1


def test_stats_without_games() -> None:
    result = run(stats)
    assert result.exit_code == 0
    assert "No finished game yet." in result.output


def test_stats_pass_over_other_files_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "broken.yacht").write_text("yacht 1\nrules traditional\n")
    (tmp_path / "good.yacht").write_bytes(Path(ALONE).read_bytes())
    assert "1 finished game." in run(stats, str(tmp_path)).output
    result = run(stats, str(tmp_path / "broken.yacht"))
    assert result.exit_code == 1
    assert "A header is missing." in result.output


def test_train_asks_judges_and_remembers(home: Path) -> None:
    typed = "keep none\nscore ones\nquit\n"
    result = run(train, ALONE, "--theme", "own", typed=typed)
    assert result.exit_code == 0
    assert "Exercise 1 of 10. From your own game (alone)" in result.output
    with DeckFile(home / "XDG_DATA_HOME" / "yacht-dice" / "trainer.json") as file:
        deck = file.read()
    asked = [item for item in deck.items.values() if item.answers]
    assert asked
    assert f"of {len(asked)} exercise" in result.output
    # What was wrong comes back first once it is due; what is due is asked before what is new.
    again = run(train, ALONE, "--theme", "own", typed="q\n")
    assert "Nothing was asked." in again.output
    assert result.output.count("It comes back in") == len(asked)


def test_train_says_when_to_come_again(tmp_path: Path) -> None:
    record = parse_record(Path(ALONE).read_bytes())
    report = analyse_record(record, solved(record.game.rules))
    path = tmp_path / "deck.json"
    with DeckFile(path) as file:
        deck = file.read()
        for exercise in own_exercises(record.game, report, [0]):
            best = solved(record.game.rules).rank(exercise.position)[0].move
            decided = judge(exercise.position, best, solved(record.game.rules))
            assert decided is not None
            deck = deck.answered(exercise, decided, datetime.now(UTC))
        file.write(deck)
    result = run(train, ALONE, "--theme", "own", "--deck", str(path))
    assert re.search(r"Nothing was asked\.\nIt comes back in \d+ minutes\.", result.output)


def test_train_on_a_theme_without_own_games(tmp_path: Path) -> None:
    deck = tmp_path / "deck.json"
    args = ("--theme", "zero", "--seed", "1", "--count", "2", "--deck", str(deck))
    result = run(train, *args, typed="what?\ncard\nkeep 1\nscore yacht\n")
    assert result.exit_code == 0
    assert "Which box to give up" in result.output
    assert "“quit” ends" in result.output
    assert deck.exists()
    same = run(train, *args[:-1], str(tmp_path / "other.json"), typed="quit\n")
    first = result.output.splitlines()[:12]
    assert same.output.splitlines()[:12] == first


def test_train_says_when_the_answer_was_right(tmp_path: Path) -> None:
    record = parse_record(Path(ALONE).read_text("utf-8"))
    solution = solved(record.game.rules)
    deck = tmp_path / "deck.json"
    args = (ALONE, "--theme", "own", "--count", "1", "--deck", str(deck))
    run(train, *args, typed="q\n")
    # The order of what is new is that of the ids.
    report = analyse(record.game, solution)
    exercise = min(own_exercises(record.game, report, {0}), key=lambda found: found.id)
    best = solution.rank(exercise.position)[0].move
    if isinstance(best, Hold):
        typed = f"keep {' '.join(map(str, best.kept)) or 'none'}\n"
    else:
        typed = f"score {best.category.value.replace('_', ' ')}\n"
    assert "Right: nothing is better." in run(train, *args, typed=typed).output


def test_train_with_a_file_that_is_no_deck(tmp_path: Path) -> None:
    deck = tmp_path / "deck.json"
    deck.write_text("{}")
    result = run(train, "--deck", str(deck), typed="q\n")
    assert result.exit_code == 1
    assert "cannot be used" in result.output
    assert deck.read_text() == "{}"


def test_two_trainers_do_not_share_a_deck(tmp_path: Path) -> None:
    deck = tmp_path / "deck.json"
    with DeckFile(deck):
        result = run(train, "--deck", str(deck))
    assert "another window" in result.output
