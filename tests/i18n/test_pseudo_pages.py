"""In an accented language every letter of a page has to have come out of the catalogue."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.i18n.plain_letters import NAMES, RECORDS, records, untranslated
from tests.web.conftest import NO_LIMITS, SECRET, Client, Served, serving
from tests.web.test_coach_pages import finish
from tests.web.test_pages import Person
from yachtdice.dice_source import SeededDice
from yachtdice.i18n.pseudo import ACCENTED
from yachtdice.rules import CATEGORIES, Category
from yachtdice.web.edge.language import html_tag
from yachtdice.web.edge.settings import Settings

TAG = html_tag(ACCENTED)
PEOPLE = [{"name": name} for name in NAMES]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(dice_source=SeededDice("pseudo")) as server:
        yield server


def speaking(http: httpx.Client) -> httpx.Client:
    """Return *http* as a browser that prefers the accented language."""
    http.headers["Accept-Language"] = TAG
    return http


@pytest.fixture
def ana(served: Served) -> Person:
    """Return somebody who sends the forms of pages in the accented language."""
    return Person(speaking(served.browser()))


class Pages:
    """Pages that were seen, each with what it says in no catalogue's words."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    def see(self, name: str, answer: httpx.Response) -> None:
        assert answer.headers["content-language"] == TAG
        assert "<html" in answer.text
        assert name not in self.found
        self.found[name] = untranslated(answer.text)

    def check(self) -> None:
        assert {name: texts for name, texts in self.found.items() if texts} == {}


def test_pages_around_the_table(ana: Person) -> None:
    pages = Pages()
    for path in ("/", "/?rules=all-dice", "/rules", "/keys", "/games", "/analyse", "/stats"):
        pages.see(path, ana.go(path))
    pages.check()


def test_tables(served: Served) -> None:
    pages = Pages()
    ana = Client(speaking(served.browser()))

    def see(table: dict[str, object], rest: str = "", who: Client = ana) -> None:
        path = f"/table/{table['id']}{rest}"
        headers = who.headers
        pages.see(
            f"{path} {len(pages.found)}",
            who.http.get(path, headers=headers, follow_redirects=True),
        )

    playing = ana.open(people=PEOPLE, mode="device", dice="system")
    see(playing)
    see(playing, "/leave")
    see(playing, who=Client(speaking(served.browser())))
    playing = ana.do(playing, "roll")
    see(playing)
    see(playing, "?zero=yacht")
    see(playing, "?box=yacht")
    playing = ana.do(playing, "resign")
    see(playing)

    real = ana.open(people=PEOPLE, mode="device", dice="real")
    for rest in ("", "?dice=123", "?dice=12345", "?box=choice"):
        see(real, rest)
    real = ana.do(real, "enter_points", category="choice", points=20)
    real = ana.do(real, "correct", seat=0, category="fours", points=12, instead_of="choice")
    see(real)
    see(real, "?seat=0&box=fours")

    over = ana.open(people=PEOPLE, mode="device", dice="real")
    for category in CATEGORIES:
        for _name in NAMES:
            points = 5 if category is Category.CHOICE else 0
            over = ana.do(over, "enter_points", category=category.value, points=points)
    for rest in ("", "/replay", "/replay/24", "/report"):
        see(over, rest)
    ana.do(over, "rematch")
    see(over)
    pages.check()


def test_an_online_table(served: Served) -> None:
    pages = Pages()
    ana, bea, eve = (Client(speaking(served.browser())) for _ in range(3))

    def see(table: dict[str, object], *people: Client, rest: str = "") -> None:
        for who in people:
            path = f"/table/{table['id']}{rest}"
            answer = who.http.get(path, headers=who.headers, follow_redirects=True)
            pages.see(f"{path} {len(pages.found)}", answer)

    table = ana.open(people=PEOPLE[:1], mode="online")
    table = ana.do(table, "add_bot", level="casual")
    bea.join(table, NAMES[1])
    table = ana.get(table)
    see(table, ana, bea, eve)
    table = ana.do(table, "begin", first=0)
    see(table, ana, bea, eve)
    see(table, bea, rest="/leave")
    bea.do(bea.get(table), "leave")
    see(table, ana, bea)
    ana.do(ana.get(table), "play_on", seat=2)
    see(table, ana, bea)
    pages.check()


def test_a_game_with_hints_its_report_and_statistics(ana: Person) -> None:
    pages = Pages()
    address = ana.start("alone", hints="1")
    pages.see("to roll", ana.go(address))
    ana.send(do="roll", htmx=True)
    assert 'id="advice"' in ana.text
    pages.see("rolled", ana.go(address))
    pages.see("a report of a game that goes on", ana.go(f"{address}/report"))
    over = finish(ana, "computer casual")
    pages.see("the end", ana.go(over))
    pages.see("a report", ana.go(f"{over}/report"))
    for place, step in enumerate(re.findall(rf'href="({over}/replay/\d+)"', ana.text)[:2]):
        pages.see(f"a position {place}", ana.go(step))
    finish(ana, "alone", rules="all-dice")
    pages.see("statistics", ana.go("/stats"))
    assert "<table" in ana.text
    pages.see("games", ana.go("/games"))
    pages.check()


def test_reports_of_records(ana: Person, tmp_path: Path) -> None:
    pages = Pages()
    for path in records(tmp_path):
        ana.go("/analyse")
        pages.see(path.stem, ana.send("/analyse", record=path.read_text("utf-8")))
    assert len(pages.found) == len(list(RECORDS.glob("*.yacht")))
    for name, text in (("nothing", ""), ("no record", "?"), ("wrong", "yacht 1\n?\n")):
        ana.go("/analyse")
        pages.see(name, ana.send("/analyse", record=text))
    pages.check()


def test_exercises_and_answers(ana: Person) -> None:
    pages = Pages()
    finish(ana)
    for number in range(8):
        pages.see(f"exercise {number}", ana.go("/train"))
        boxes = re.findall(r'name="score" value="(\w+)"', ana.text)
        if 'value="roll"' in ana.text and number % 2:
            pages.see(f"answer {number}", ana.send("/train", do="roll", keep1="1"))
        else:
            pages.see(f"answer {number}", ana.send("/train", score=boxes[-1]))
    pages.check()


def test_waiting() -> None:
    pages = Pages()
    with serving(replace(NO_LIMITS, page_timeout=0.0)) as slow:
        ana = Person(speaking(slow.browser()))
        finish(ana)
        pages.see("statistics", ana.go("/stats"))
    assert "<progress" in ana.text
    pages.check()


def test_troubles(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every error page: what is not there, not allowed, not now, and what goes wrong."""
    pages = Pages()
    pages.see("404", ana.go("/nowhere"))
    pages.see("404 a table", ana.go("/table/aaaaaaaaaaaaaaaa"))
    address = ana.start("alone")
    pages.see("403 no report yet", ana.go(f"{address}/report"))
    pages.see("400", ana.send("/new", start="nonsense"))
    pages.see("403 an old form", ana.send("/new", start="alone", csrf="x"))
    pages.see("405", ana._seen(ana.http.post("/rules", data={})))  # noqa: SLF001 - a test's own
    other = Person(speaking(ana.http))
    other.go(address)
    pages.see("422 a name", other.send("/new", start="people", number="1", name1="\u202e"))
    with serving(replace(NO_LIMITS, max_waiting=-1)) as busy:
        bea = Person(speaking(busy.browser()))
        bea.go("/analyse")
        text = (RECORDS / "alone.yacht").read_text("utf-8")
        pages.see("503", bea.send("/analyse", record=text))
    with serving(Settings(SECRET, rate=0.001, burst=1)) as limited:
        bea = Person(speaking(limited.browser()))
        bea.go("/")
        pages.see("429", bea.go("/"))
    monkeypatch.setattr("yachtdice.web.pages.start.guides", _broken)
    pages.see("500", ana.go("/rules"))
    pages.check()


def _broken() -> None:
    raise RuntimeError("broken on purpose")
