"""Which language the command speaks."""

import re
from collections.abc import Callable
from pathlib import Path
from unicodedata import combining, normalize

import pytest

from tests.cli.run import many, quick, too_wide, yacht
from yachtdice.cli.app import main
from yachtdice.cli.entry import choose_language
from yachtdice.cli.support.screen import Look
from yachtdice.cli.table.boxes import find_box
from yachtdice.cli.text.rulebook import example, rules_lines
from yachtdice.i18n import category_name, languages, pgettext, rules_name, seat_name, use_language
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import CATEGORIES, format_dice

Golden = Callable[[str, str], None]

RECORDS = Path(__file__).parents[1] / "coach" / "records"
# Words that stand in helps for what is typed.
VALUES = ("ARGS", "BOXES", "DICE", "FILE", "FILES", "KEY", "NAME", "NAMES", "OPTIONS", "OUT")
NUMBER = re.compile(r"\d+")
each_language = pytest.mark.parametrize("language", languages())


@pytest.mark.parametrize(
    ("args", "environ", "language"),
    [
        ([], {}, "en"),
        ([], {"LANG": "C.UTF-8"}, "en"),
        ([], {"LANG": "pl_PL.UTF-8"}, "pl"),
        ([], {"LANG": "pt_BR.UTF-8"}, "pt_PT"),
        ([], {"LANG": "xx_XX.UTF-8"}, "en"),
        ([], {"LANG": "pl_PL", "LC_MESSAGES": "id_ID"}, "id"),
        ([], {"LC_MESSAGES": "id_ID", "LC_ALL": "de_DE@euro"}, "de"),
        ([], {"LANG": "pl_PL", "LANGUAGE": "xx:es:en"}, "es"),
        ([], {"LANG": "C", "LANGUAGE": "es"}, "en"),
        ([], {"LANG": "pl_PL", "YACHT_LANG": "pt-PT"}, "pt_PT"),
        ([], {"LANG": "pl_PL", "YACHT_LANG": "xx"}, "pl"),
        (["--lang", "id", "play"], {"YACHT_LANG": "pl"}, "id"),
        (["--lang=PT"], {}, "pt_PT"),
        (["--lang"], {}, "en"),
    ],
)
def test_the_option_wins_over_the_environment_and_that_over_the_locale(
    args: list[str], environ: dict[str, str], language: str
) -> None:
    assert choose_language(args, environ) == language


@each_language
@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_boxes_are_found_by_their_names_there_and_in_english(language: str, key: str) -> None:
    """With marks and without, in any case, as the card writes them or as it does in English."""
    rules = find_rules(key)
    english = {category: category_name(category) for category in rules.categories}
    with use_language(language):
        for category in rules.categories:
            name = category_name(category)
            without_marks = "".join(
                char for char in normalize("NFD", name.replace("ł", "l")) if not combining(char)
            )
            for text in (name, name.upper(), without_marks, english[category], category.value):
                assert find_box(text, rules) is category
                assert find_box(f" {text.lower()} ", rules) is category


@each_language
def test_a_game_in_every_language(tmp_path: Path, language: str) -> None:
    """Boxes are scored by their names there."""
    run = quick(tmp_path, "--lang", language, "score", "1", "2", "3", "4", "5")
    assert run.returncode == 0, run.stderr
    with use_language(language):
        names = [category_name(category) for category in CATEGORIES]
    for name in names:
        assert name in run.stdout
    lines = [line for name in names for line in ("roll", f"score {name.upper()}")]
    game = tmp_path / "game.yacht"
    args = ("--lang", language, "play", "--players", "Ana", "--seed", "1", "--save", str(game))
    played = quick(tmp_path, *args, lines=lines)
    assert played.returncode == 0, played.stderr
    # A game played in one language is the same game in any other.
    english = quick(tmp_path, "show", str(game), "--json")
    assert english.returncode == 0, english.stderr
    assert "unfinished" not in game.read_text("utf-8")


def test_an_unknown_language_is_refused_with_those_there_are(tmp_path: Path) -> None:
    run = yacht(tmp_path, "--lang", "xx", "score", "1", "2", "3", "4", "5")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert all(language in run.stderr for language in languages())


@each_language
def test_the_screens_in_every_language(tmp_path: Path, golden: Golden, language: str) -> None:
    game = tmp_path / "game.yacht"
    screens = {
        "score": ("score", "4", "4", "4", "4", "1"),
        "rules": ("rules", "traditional"),
        "rules-all-dice": ("rules", "all-dice"),
        "play": ("play", "--players", "Ana,", "--seed", "1", "--save", str(game)),
        "show": ("show", str(game)),
        "replay": ("replay", str(game)),
    }
    # A short game: some that is refused, a zero, a player who has no name, and one who gives up.
    typed = ["help", "", "keep 7", "keep #1 #2", "keep #1", "score 1 1", "score 12"]
    typed += ["roll", "nonsense", "score 11", "roll", "score 12", "card", "resign", "quit"]
    for name, args in screens.items():
        lines = typed if name == "play" else []
        run = quick(tmp_path, "--lang", language, *args, lines=lines)
        assert run.returncode == 0, run.stderr
        text = run.stdout.partition(" yacht play --resume")[0]
        if name == "play":
            kept = game.read_text("utf-8")
            game.write_text(re.sub(r"(?m)^date .*$", "date 2026-11-30", kept), "utf-8")
        assert too_wide(text) == [], name
        golden(f"cli/{language}-{name}.txt", text)


@each_language
def test_the_coach_s_screens_in_every_language(
    tmp_path: Path, golden: Golden, language: str
) -> None:
    game = str(RECORDS / "unfinished.yacht")
    screens = {
        "help": ("--help",),
        "help-serve": ("serve", "--help"),
        "advise": ("advise", "4", "4", "2", "1", "6", "--top", "4"),
        "analyse": ("analyse", game),
        "stats": ("stats", str(RECORDS / "alone.yacht")),
    }
    runs = many(tmp_path, language, list(screens.values()))
    for name, run in zip(screens, runs, strict=True):
        assert run.returncode == 0, run.stderr
        assert too_wide(run.stdout) == [], name
        golden(f"cli/{language}-{name}.txt", run.stdout)


@each_language
@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_the_rules_say_the_same_in_every_language(language: str, key: str) -> None:
    """Whatever the words, each number is there, and each example is what the engine computes."""
    rules = find_rules(key)
    english = " ".join(rules_lines(rules, Look(plain=True)))
    with use_language(language):
        text = " ".join(rules_lines(rules, Look(plain=True)))
        assert rules_name(rules) in text
        for category in rules.categories:
            assert category_name(category) in text
    assert sorted(NUMBER.findall(text)) == sorted(NUMBER.findall(english))
    for category in rules.categories:
        dice = example(category, rules)
        shown = re.escape(format_dice(dice)) + rf"\D+\b{rules.score(category, dice)}\b"
        assert re.search(shown, text), category


def test_a_game_kept_in_polish_opens_in_english(tmp_path: Path) -> None:
    game = tmp_path / "game.yacht"
    typed = ["roll", "score czwórki", "roll", "score maly strit", "quit"]
    args = ("--lang", "pl", "play", "--players", ",Ana", "--seed", "1", "--save", str(game))
    assert yacht(tmp_path, *args, lines=typed).returncode == 0
    kept = game.read_text("utf-8")
    assert kept.isascii()
    assert 'seat 1 ""' in kept
    assert "= fours 12" in kept
    assert "= little_straight 0" in kept
    cards = []
    for language in ("pl", "en"):
        shown = yacht(tmp_path, "--lang", language, "show", str(game)).stdout
        rows = re.findall(r"(?m)^ +(\d+) (\S.*?)  +(\S+) +(\S+)$", shown)[: len(CATEGORIES)]
        with use_language(language):
            assert [name for _n, name, _a, _b in rows] == list(map(category_name, CATEGORIES))
            assert seat_name(("", "Ana"), 0) in shown
        cards.append([(number, *points) for number, _name, *points in rows])
    assert cards[0] == cards[1]
    assert cards[0][3] == ("4", "12", "-")
    assert cards[0][8] == ("9", "-", "0")


def test_an_output_that_takes_ascii_alone_gets_the_letters_without_their_marks(
    tmp_path: Path,
) -> None:
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    for language, words in (
        ("pl", ("Dwojki", "Maly strit", "Wybor")),
        ("pt_PT", ("Tres", "Sequencia pequena")),
        ("de", ("Funfer", "Kleine Strasse")),
    ):
        run = yacht(tmp_path, "--lang", language, "score", "1", "2", "3", "4", "5", env=env)
        assert run.stdout.isascii()
        assert "?" not in run.stdout
        assert all(word in run.stdout for word in words)


@each_language
def test_helps_and_refusals_of_what_was_typed(tmp_path: Path, language: str) -> None:
    commands = main.list_commands(None)  # type: ignore[arg-type]
    wrong = (("score", "--rulez"), ("nothing",), ("serve", "--port", "x"), ("score",))
    runs = many(tmp_path, language, [*wrong, *((command, "--help") for command in commands)])
    refused = runs[: len(wrong)]
    helps = {command: run.stdout for command, run in zip(commands, runs[4:], strict=True)}
    assert [run.returncode for run in refused] == [2] * len(wrong)
    told = helps["serve"] + "".join(run.stderr for run in refused)
    with use_language(language):
        own_values = {word: pgettext("value", word) for word in VALUES}
    for command, help_ in helps.items():
        foreign = {word for word, own in own_values.items() if own != word}
        assert not foreign & set(re.findall(r"\b[A-Z]+\b", help_)), command
    own = ("Usage:", "Show this message", "Serve the table", "No such", "Invalid value", "Missing")
    assert [words in told for words in own] == [language == "en"] * len(own)
