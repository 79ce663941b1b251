"""Which language the command speaks."""

from pathlib import Path

import pytest

from tests.cli.run import yacht
from yachtdice.cli.entry import choose_language
from yachtdice.i18n import category_name, languages, use_language
from yachtdice.rules import CATEGORIES


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


@pytest.mark.parametrize("language", languages())
def test_a_game_in_every_language(tmp_path: Path, language: str) -> None:
    """Boxes are scored by their names there, with and without diacritics, and in English."""
    run = yacht(tmp_path, "--lang", language, "score", "1", "2", "3", "4", "5")
    assert run.returncode == 0, run.stderr
    with use_language(language):
        names = [category_name(category) for category in CATEGORIES]
    for name in names:
        assert name in run.stdout
    lines = [line for name in names for line in ("roll", f"score {name.upper()}")]
    game = tmp_path / "game.yacht"
    args = ("--lang", language, "play", "--players", "Ana", "--seed", "1", "--save", str(game))
    played = yacht(tmp_path, *args, lines=lines)
    assert played.returncode == 0, played.stderr
    # A game played in one language is the same game in any other.
    english = yacht(tmp_path, "show", str(game), "--json")
    assert english.returncode == 0, english.stderr
    assert "unfinished" not in game.read_text("utf-8")


def test_an_unknown_language_is_refused_with_those_there_are(tmp_path: Path) -> None:
    run = yacht(tmp_path, "--lang", "xx", "score", "1", "2", "3", "4", "5")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert all(language in run.stderr for language in languages())
