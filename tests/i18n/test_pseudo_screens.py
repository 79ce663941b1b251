"""In an accented language every letter on the terminal has to have come out of the catalogue."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.run import many, quick
from tests.i18n.plain_letters import NAMES, SPEAKING, records, untranslated, words
from tests.solved import cache_folder
from yachtdice.bots import LEVELS
from yachtdice.i18n import explain, use_language
from yachtdice.i18n.pseudo import ACCENTED
from yachtdice.rules import RuleSetError, parse_rules

# A command, an option, a choice or a range in a help or a refusal, as it is typed.
_TYPED = re.compile(
    r"YACHT_[A-Z_]+|"
    r"(?<![a-z])--?[a-z-]+|\[[a-z-]+(?:\|[a-z-]+)+\]|\d<=?x<=?\d+|x>=?\d+|'[^' ]*'|(?m:^  [a-z]+ )"
)

TYPED = ["help", "roll", "ωωω", "keep 7", "keep #1", "score choice", "roll", "score 12", "card"]


def said(run_output: str, folder: Path) -> list[str]:
    """Return what the program says in no catalogue's words; paths stand as they are."""
    paths = rf"(?:{re.escape(str(folder))}|{re.escape(str(cache_folder()))})\S*"
    return words(re.sub(paths, "", run_output))


def record_files(folder: Path) -> list[str]:
    return [str(path) for path in records(folder)]


SHOWN = (
    *(("rules", key) for key in ("traditional", "all-dice", "console", "knizia")),
    ("rules", "console", "--plain"),
    ("score", "4", "4", "4", "4", "1"),
    ("score", "1", "2", "3", "4", "5", "--rules", "console"),
    ("bots",),
    ("odds", "--score", "150", "--target", "200"),
    ("odds", "--bot", "novice", "--rules", "all-dice"),
    ("simulate", "--games", "2000", "--seed", "1", "--bot", "casual"),
    ("advise", "4", "4", "2", "1", "6"),
    ("advise", "4", "4", "2", "1", "6", "--rolls-left", "0", "--open", "choice,yacht"),
    ("solve",),
    ("solve", "--exact", "--open", "choice,yacht", "--digits", "4"),
    ("stats",),
)


@pytest.mark.parametrize(
    "args",
    # Computing what the levels score takes long.
    [pytest.param(a, marks=pytest.mark.system if a == ("bots",) else ()) for a in SHOWN],
    ids=" ".join,
)
def test_no_screen(tmp_path: Path, args: Sequence[str]) -> None:
    run = quick(tmp_path, *SPEAKING, *args)
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert said(run.stdout, tmp_path) == []


@pytest.mark.parametrize("look", [(), ("--plain",)], ids=["columns", "plain"])
def test_no_report_and_no_statistics(tmp_path: Path, look: Sequence[str]) -> None:
    files = record_files(tmp_path)
    for args in (["stats", *files], *(["analyse", file] for file in files)):
        run = quick(tmp_path, *SPEAKING, *args, *look)
        assert run.returncode == 0, run.stderr
        assert len(run.stdout.splitlines()) > 20
        assert said(run.stdout, tmp_path) == []


def test_no_report_and_no_statistics_as_a_page(tmp_path: Path) -> None:
    files = record_files(tmp_path)
    for args in (["stats", *files], *(["analyse", file] for file in files)):
        run = quick(tmp_path, *SPEAKING, *args, "--html", "-")
        assert run.returncode == 0, run.stderr
        assert '<html lang="en-XA" dir="ltr">' in run.stdout
        assert untranslated(run.stdout) == []


def test_no_exercise(tmp_path: Path) -> None:
    files = record_files(tmp_path)
    typed = ["help", "keep 7", "keep none", *(f"score {n}" for n in range(1, 13)), "keep 1", "quit"]
    for more in ((), ("--plain",), ("--theme", "own"), ("--theme", "endgame")):
        args = ("train", "--seed", "1", "--count", "4", *more, *files)
        run = quick(tmp_path, *SPEAKING, *args, lines=typed)
        assert run.returncode == 0, run.stderr
        told = re.sub(r"(?m)^(.*?>[ ~]*)(?:help|keep|score|quit).*$", r"\1", run.stdout)
        assert said(told, tmp_path) == [], more


def test_no_help(tmp_path: Path) -> None:
    listed, admin = (
        run.stdout for run in many(tmp_path, ACCENTED, [("--help",), ("admin", "--help")])
    )
    commands = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert {"play", "serve"} <= set(commands)
    inner = [f"admin {name}" for name in re.findall(r"^  ([a-z]+) ", admin, re.MULTILINE)]
    assert "admin export" in inner
    asked = ("", *commands, *inner)
    runs = many(tmp_path, ACCENTED, [[*command.split(), "--help"] for command in asked])
    for command, run in zip(asked, runs, strict=True):
        assert run.returncode == 0
        text = _TYPED.sub(" ", run.stdout.replace(f"yacht {command}".strip(), "", 1))
        assert words(text) == [], command


def test_no_refusal(tmp_path: Path) -> None:
    """Nothing that is typed wrongly is answered in English, by click, the system or ourselves."""
    table, deck, house = (tmp_path / name for name in ("0.table", "0.json", "0.toml"))
    deck.write_text("{}")
    house.write_text('key = "x"\nrolls = 0\n[categories]\nchoice = { scorer = "total" }')
    wrong = (
        *(("0",), ("play", "--0"), ("show", "0"), ("show", str(tmp_path))),
        *(("score",), ("score", "7"), ("score", "1"), ("score", "--rules", "0", "1")),
        *(("score", "--rules", str(house), "1"), ("score", "--json=0"), ("score", "--rules")),
        *(("rules", "knizia", "0"), ("rules", "knizia", "0", "0"), ("rules", str(house))),
        *(("play", "--dice", "0"), ("play", "--first", "0.5"), ("play", "--players", ",0,0")),
        *(("play", "--players", "computer:0"), ("play", "--seed", ""), ("play", "--resume", "0")),
        ("play", "--players", ",", "--first", "3"),
        ("play", "--seed", "1", "--dice", "real"),
        ("play", "--players", ",", "--save", str(tmp_path / "0" / "0")),
        ("play", "--resume=0", "--seed", "1"),
        *(("solve", "--threads", "0"), ("solve", "--open", "ω"), ("solve", "--digits", "0.5")),
        ("solve", "--table", str(tmp_path)),
        ("advise", "1", "1", "1", "1", "1", "--rolls-left", "9"),
        *(("odds", "--plot", "0.0"), ("odds", "--bot", "0"), ("simulate", "--games", "-1")),
        *(("train", "--theme", "0"), ("train", "--deck", str(deck)), ("train", "--count", "0")),
        *(("serve", "--port", "0.5"), ("serve", "--port", "70000"), ("serve", "--rate", "ω")),
        ("serve", "--data", str(deck)),
        ("serve", "--host", "203.0.113.1", "--data", str(tmp_path / "1")),
        *(("analyse", str(deck)), ("analyse", "0"), ("stats", "0"), ("serve", "--log-request")),
    )
    said_wrongly = {}
    for args, run in zip(wrong, many(tmp_path, ACCENTED, wrong), strict=True):
        assert run.returncode in {1, 2}, args
        assert run.stderr.count("\n") == 1, run.stderr
        # The command that refuses is named first.
        text = re.sub(r"^yacht(?: [a-z]+)?: ", "", run.stderr)
        # An entry of a rule set and the computer's levels are typed as they stand.
        if found := set(said(_TYPED.sub(" ", text), tmp_path)) - {"rolls", *LEVELS}:
            said_wrongly[args] = found
    assert said_wrongly == {}
    assert not table.exists()


def test_no_reason_why_a_rule_set_is_wrong() -> None:
    entry = "[categories]\nchoice = "
    texts = (
        *("0 = 0", 'key = ""', 'key = "0"', f'key = "0"\n{entry}0', "0 = ", "0" * 30_000),
        f'key = "0"\n{entry}{{ scorer = "0" }}',
        'key = "0"\n[categories]',
        f'key = "0"\n{entry}{{ scorer = "of_a_kind", count = 0, pays = 0 }}',
        f'key = "0"\n{entry}{{ scorer = "of_a_kind", count = 3, pays = "0" }}',
        f'key = "0"\n{entry}{{ scorer = "full_house", pays = 0, five_alike = 0 }}',
        f'key = "A"\n{entry}{{ scorer = "total" }}',
    )
    phrases = set()
    for text in texts:
        with pytest.raises(RuleSetError) as caught:
            parse_rules(text)
        error = caught.value
        phrases.add(error.phrase)
        told = explain_in_accents(error)
        keys = str(error.values.get("keys", ""))
        assert words(told.replace(error.key, "").replace(keys, "")) == [], told
    assert len(phrases) > 7


def explain_in_accents(error: RuleSetError) -> str:
    with use_language(ACCENTED):
        return explain(error)


def test_no_game(tmp_path: Path) -> None:
    game = str(tmp_path / "0.yacht")
    args = ("play", "--players", ",".join(NAMES), "--seed", "1", "--save", game)
    for look in ((), ("--plain",)):
        Path(game).unlink(missing_ok=True)
        played = quick(tmp_path, *SPEAKING, *args, *look, lines=[*TYPED, "quit"]).stdout
        # What to type in order to go on comes last; what was typed comes after the names.
        played = played.partition(" yacht play --resume")[0]
        played = re.sub(r"(?m)^(?:Ωλγα|Ζωή)>.*$", "", played)
        played = re.sub(
            r"(?m)^ {0,2}(?:roll|keep 4 4|keep #1 #3|score fours|card|resign|quit)(?:  |: )",
            "",
            played,
        )
        told = [played]
        for command in ("show", "replay"):
            run = quick(tmp_path, *SPEAKING, command, game, *look)
            assert run.returncode == 0
            told.append(run.stdout)
        assert [word for text in told for word in words(text)] == []
