"""Numbers and days have the form of the language everywhere, the same in terminal and browser."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.cli.run import quick
from tests.i18n.plain_letters import RECORDS, said
from tests.web.conftest import Served, serving
from tests.web.test_pages import Person
from yachtdice.i18n import format_day, format_number, languages, rounded, use_language
from yachtdice.web.edge.language import html_tag

each_language = pytest.mark.parametrize("language", languages())
GAME = RECORDS / "against-the-computer.yacht"

NUMBER = re.compile(r"[+−±]?\d+(?:[.,]\d+)*(?:\s?%)?")
DAY = re.compile(r"\b\d{1,2}\.\d{1,2}\.\d{4}\b")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as server:
        yield server


def fractions(text: str) -> list[str]:
    """Return all numbers in *text* that have a point or a comma, but for days."""
    found = NUMBER.findall(DAY.sub("", text))
    return [re.sub(r"\s", "", number) for number in found if re.search(r"[.,]", number)]


def misshapen(text: str, language: str) -> list[str]:
    """Return the numbers in *text* whose groups or fractions have not the language's marks."""
    group, point = (",", ".") if language == "en" else (".", ",")
    shape = rf"[+−±]?(?:\d{{1,3}}(?:{re.escape(group)}\d{{3}})+|\d+)(?:{re.escape(point)}\d+)?%?"
    return [number for number in fractions(text) if not re.fullmatch(shape, number)]


@each_language
def test_a_report(served: Served, tmp_path: Path, language: str) -> None:
    """Each number of the report on the terminal stands on the page too, in the same form."""
    ana = Person(served.browser())
    ana.http.headers["Accept-Language"] = html_tag(language)
    ana.go("/analyse")
    answer = ana.send("/analyse", record=GAME.read_text("utf-8"))
    assert answer.status_code == 200
    page = " ".join(said(answer.text))
    screen = quick(tmp_path, "--lang", language, "analyse", str(GAME)).stdout
    for text in (page, screen):
        assert len(fractions(text)) > 50
        assert misshapen(text, language) == []
        with use_language(language):
            assert format_day(date(2026, 11, 2)) in text
    assert set(fractions(screen)) <= set(fractions(page))


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=() if language == "en" else pytest.mark.system)
        for language in languages()
    ],
)
def test_other_screens_and_pages(served: Served, tmp_path: Path, language: str) -> None:
    commands = (
        ("odds", "--score", "150"),
        ("simulate", "--games", "2000", "--seed", "1"),
        ("advise", "4", "4", "2", "1", "6"),
        ("solve", "--exact", "--open", "choice,yacht"),
        ("bots",),
        ("stats", str(GAME)),
    )
    texts = [quick(tmp_path, "--lang", language, *args).stdout for args in commands]
    http = served.browser()
    start = http.get("/", headers={"Accept-Language": html_tag(language)}).text
    for text in (*texts, " ".join(said(start))):
        shown = re.sub(r"\S*/\S*", "", text)
        assert fractions(shown)
        assert misshapen(shown, language) == []
        assert not re.search(r"(?<![\w-])-\d", shown), "a hyphen in the place of a minus sign"


def test_rounding_noise_does_not_change_what_is_read() -> None:
    for digits in (0, 1, 2, 3):
        half = 5 * 10.0 ** -(digits + 1)
        for whole in range(300):
            value = whole + half
            shown = {rounded(value + noise, digits) for noise in (-1e-12, 0, 1e-12)}
            assert shown == {rounded(whole + 2 * half, digits)}
            assert rounded(-value, digits) == -rounded(value, digits)
    assert format_number(13.749999999999998, 1) == format_number(13.75, 1) == "13.8"
    assert str(rounded(-0.04, 1)) == "0.0"
