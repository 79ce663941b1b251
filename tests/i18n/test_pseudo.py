"""In an accented language every letter has to have come out of the catalogue."""

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.run import yacht
from tests.web.conftest import Client, Served, serving
from yachtdice.i18n import (
    current_language,
    find_language,
    format_number,
    gettext,
    languages,
    ngettext,
    npgettext,
    pgettext,
    use_language,
)
from yachtdice.i18n.pseudo import ACCENTED, MIRRORED, PSEUDO_LANGUAGES, accented, mirrored
from yachtdice.rules import CATEGORIES, Category

LETTERS = re.compile(r"[A-Za-z]+")
# The names of months are Babel's.
DAY = re.compile(r"[A-Z][a-z]{2} \d+, \d{4}")
# The keys of rule sets are typed as they stand; a hyphen may end a line.
KEYS = re.compile(r"all-\s*dice|console|knizia|traditional")
NAMES = ("Ωλγα", "Ζωή")


class Reader(HTMLParser):
    """Collects what a page says to those who see or hear it."""

    SAID = ("aria-label", "title", "alt", "placeholder", "data-done", "aria-description")
    # Names and notation are not translated, and neither are keys nor the languages' own names.
    NOT_OURS = ("script", "style", "bdi", "kbd", "time", "code", "pre")
    EMPTY = ("meta", "link", "input", "br", "hr", "img", "use", "path", "circle", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.found += [said[name] or "" for name in self.SAID if name in said]
        if tag == "meta" and said.get("name") == "description":
            self.found.append(said["content"] or "")
        if tag not in self.EMPTY:
            ours = tag == "html" or (tag not in self.NOT_OURS and "lang" not in said)
            self._open.append((tag, ours))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if all(ours for _tag, ours in self._open):
            self.found.append(data)


def untranslated(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    return [" ".join(text.split()) for text in reader.found if LETTERS.search(DAY.sub("", text))]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as server:
        yield server


def test_pseudo_text_keeps_placeholders_and_grows() -> None:
    assert accented("{n} of %(total)s, 100%%") == "{n} ööƒ %(total)s, 100%%~~~~~~~~"
    assert len(accented("Roll")) > len("Roll")
    assert accented("y/n> ") == "ý/ñ>~~ "
    assert accented("") == ""
    assert "{name}" in mirrored("Pass to {name}")
    assert not LETTERS.search(accented("The quick brown fox jumps over the lazy dog. AEIOU"))


def test_they_are_spoken_only_when_asked_for_by_their_tags() -> None:
    assert not set(PSEUDO_LANGUAGES) & set(languages())
    assert find_language(["en-XA"]) == find_language(["en_XA.UTF-8"]) == ACCENTED
    assert find_language(["en-XB", "ar"]) == "en"
    assert find_language(["ar"]) is None
    for tag in PSEUDO_LANGUAGES:
        with use_language(tag):
            assert current_language() == tag
            assert gettext("Roll") == pgettext("button", "Roll") != "Roll"
            forms = [ngettext("{n} die", "{n} dice", n) for n in (1, 2)]
            assert forms == [npgettext("label", "{n} die", "{n} dice", n) for n in (1, 2)]
            assert forms[0] != forms[1]
            assert format_number(1234.5, 1) == "1,234.5"
    assert MIRRORED.startswith("ar")


def test_no_page_says_anything_that_is_in_no_catalogue(served: Served) -> None:
    ana = Client(served.browser())
    people = [{"name": name} for name in NAMES]
    playing = ana.open(people=people, mode="device", dice="system")
    lobby = ana.open(people=people[:1], mode="online")
    real = ana.open(people=people, mode="device", dice="real")
    device = f"/table/{playing['id']}"
    over = ana.open(people=people, mode="device", dice="real")
    for category in CATEGORIES:
        for _name in NAMES:
            points = 5 if category is Category.CHOICE else 0
            over = ana.do(over, "enter_points", category=category.value, points=points)
    paths = [
        *("/", "/?rules=all-dice", "/rules", "/keys", "/games", "/nowhere", device),
        *("/analyse", "/stats", "/train"),
        *(f"/table/{table['id']}" for table in (lobby, real, over)),
        *(f"/table/{over['id']}/replay", f"/table/{over['id']}/replay/24", f"{device}/leave"),
        *(f"/table/{real['id']}?dice=12345", f"/table/{real['id']}?box=choice"),
    ]
    found = {path: untranslated(page(ana, path)) for path in paths}
    ana.do(playing, "roll")
    for path in (device, f"{device}?zero=yacht"):
        found[f"{path} rolled"] = untranslated(page(ana, path))
    found["/ watched"] = untranslated(page(Client(served.browser()), device))
    assert {path: texts for path, texts in found.items() if texts} == {}


def page(who: Client, path: str) -> str:
    headers = {**who.headers, "Accept-Language": "en-XA"}
    answer = who.http.get(path, headers=headers, follow_redirects=True)
    assert answer.headers["content-language"] == "en-XA"
    assert "<html" in answer.text
    return answer.text


def test_the_reader_finds_what_is_in_no_catalogue() -> None:
    said = '<p title="Roll">Ŕööļļ <b>now</b><bdi>Ana</bdi></p><button lang="de">Deutsch</button>'
    assert untranslated(f'<html lang="en">{said}') == ["Roll", "now"]


TYPED = ["help", "roll", "ωωω", "keep 7", "keep #1", "score choice", "roll", "score 12", "card"]
SHOWN = (
    *(("rules", key) for key in ("traditional", "all-dice", "console", "knizia")),
    ("score", "4", "4", "4", "4", "1"),
    ("score", "1", "2", "3", "4", "5", "--rules", "console"),
    ("bots",),
)


@pytest.mark.parametrize("args", SHOWN, ids=" ".join)
def test_no_screen_says_anything_that_is_in_no_catalogue(
    tmp_path: Path, args: Sequence[str]
) -> None:
    run = yacht(tmp_path, "--lang", ACCENTED, *args)
    assert run.returncode == 0, run.stderr
    assert LETTERS.findall(KEYS.sub("", run.stdout)) == []


def test_no_help_says_anything_that_is_in_no_catalogue(tmp_path: Path) -> None:
    listed = yacht(tmp_path, "--lang", ACCENTED, "--help").stdout
    commands = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    assert {"play", "serve"} <= set(commands)
    for command in ("", *commands):
        run = yacht(tmp_path, "--lang", ACCENTED, *command.split(), "--help")
        assert run.returncode == 0
        # What is to be typed stands in the first line and before the first gap of the others.
        lines = [re.sub(r"^  \S.*?(  +|$)", "", line) for line in run.stdout.splitlines()[1:]]
        text = KEYS.sub("", " ".join(lines))
        text = re.sub(r"\d<=?x<=?\d+|x>=?\d+", "", text)
        assert LETTERS.findall(text) == [], command


def test_no_game_says_anything_that_is_in_no_catalogue(tmp_path: Path) -> None:
    game = str(tmp_path / "0.yacht")
    speaking = ("--lang", ACCENTED)
    args = ("play", "--players", ",".join(NAMES), "--seed", "1", "--save", game)
    played = yacht(tmp_path, *speaking, *args, lines=[*TYPED, "quit"]).stdout
    # What to type in order to go on comes last; what was typed comes after the names.
    played = played.partition(" yacht play --resume")[0]
    played = re.sub(r"(?m)^(?:Ωλγα|Ζωή)>.*$", "", played)
    played = re.sub(
        r"(?m)^  (?:roll|keep 4 4|keep #1 #3|score fours|card|resign|quit)  ", "", played
    )
    told = [played]
    for command in ("show", "replay"):
        run = yacht(tmp_path, *speaking, command, game)
        assert run.returncode == 0
        told.append(DAY.sub("", run.stdout))
    assert [word for text in told for word in LETTERS.findall(text)] == []
