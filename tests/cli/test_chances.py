"""Playing with the chances to win in view, and against the computer that plays to win."""

from pathlib import Path

from tests.cli.run import quick
from yachtdice.notation import parse_record

LINES = ["roll", "keep #1 #2", "score choice", "roll"]


def test_chances_are_shown_and_the_record_says_so(tmp_path: Path) -> None:
    save = tmp_path / "game.yacht"
    run = quick(
        tmp_path, "play", "--players", "Ana,Bo,Cy", "--chances", "--seed", "7", "--save", str(save),
        lines=LINES,
    )  # fmt: skip
    assert run.returncode == 0
    told = [line for line in run.stdout.splitlines() if line.startswith("Chances to win")]
    assert told[0] == "Chances to win, an estimate: Ana 33%, Bo 33%, Cy 33%."
    assert len(told) == 5
    assert parse_record(save.read_bytes()).shows_odds
    again = quick(tmp_path, "play", "--resume", str(save), "--plain")
    assert told[-1] in again.stdout


def test_without_the_option_nothing_is_shown(tmp_path: Path) -> None:
    run = quick(tmp_path, "play", "--players", "Ana,Bo", lines=LINES)
    assert "Chances to win" not in run.stdout
    [save] = (tmp_path / "state" / "yacht-dice" / "games").glob("*.yacht")
    assert not parse_record(save.read_bytes()).shows_odds


def test_where_nobody_knows_it_is_refused(tmp_path: Path) -> None:
    for args in (["--players", "Ana"], ["--players", "Ana,Bo", "--rules", "console"]):
        run = quick(tmp_path, "play", *args, "--chances")
        assert run.returncode == 2
        assert "--chances is for two players or more" in run.stderr
    run = quick(tmp_path, "play", "--resume", "--chances")
    assert run.returncode == 2
    assert "--resume stands alone" in run.stderr


def test_champion_plays_the_same_game_on_the_same_dice(tmp_path: Path) -> None:
    games = []
    for name in ("one", "two"):
        save = tmp_path / name
        run = quick(
            tmp_path, "play", "--players", "Ana,computer:champion", "--seed", "3",
            "--save", str(save), "--yes", lines=["roll", "score ones", "roll", "score twos"],
        )  # fmt: skip
        assert run.returncode == 0
        games.append(parse_record(save.read_bytes()))
    assert games[0].game == games[1].game
    assert games[0].bots == {1: "champion"}
    assert len(games[0].game.position.cards[1].open) == 10


def test_what_is_said_of_champion_alone(tmp_path: Path) -> None:
    said = quick(tmp_path, "bots").stdout
    assert said.splitlines()[6].split() == ["champion", "166.96", "34.98"]
    assert "These are games alone." in said
    for command in ("odds", "simulate"):
        args = ["--games", "100"] if command == "simulate" else []
        said = quick(tmp_path, command, "--bot", "champion", *args).stdout
        assert "plays to win" in said.replace("\n", " ")
