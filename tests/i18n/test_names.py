"""What people call themselves is only ever a value: it passes through no format string."""

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.run import quick
from tests.i18n.plain_letters import RECORDS
from tests.web.conftest import Client, Served, serving
from tests.web.test_pages import Person
from yachtdice.dice_source import SeededDice
from yachtdice.rules import CATEGORIES, Category
from yachtdice.web.edge.language import html_tag

NAMES = ("{0}", "%s", "{name}", "%(name)s", "{dice}{", "<b>%")
PEOPLE = [{"name": name} for name in NAMES]

each_language = pytest.mark.parametrize("language", ["en", "pl", "en_XA"])


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(dice_source=SeededDice("names")) as server:
        yield server


def text_of(page: str) -> str:
    """Return what people see of a page, and what is read to them."""
    labels = " ".join(re.findall(r'(?:aria-label|title|content|value)="([^"]*)"', page))
    return html.unescape(f"{re.sub(r'<[^>]*>', ' ', page)} {labels}")


@each_language
def test_on_pages(served: Served, language: str) -> None:
    ana = Client(served.browser())
    ana.http.headers["Accept-Language"] = html_tag(language)

    def shows(table: dict[str, object], rest: str = "", names: tuple[str, ...] = NAMES) -> None:
        answer = ana.http.get(f"/table/{table['id']}{rest}", headers=ana.headers)
        assert answer.status_code == 200
        text = text_of(answer.text)
        assert [name for name in names if name not in text] == [], rest

    table = ana.open(people=PEOPLE, mode="device", dice="system")
    shows(table)
    for number in range(len(NAMES)):
        table = ana.do(table, "roll")
        shows(table)
        table = ana.do(table, "roll", kept=[])
        shows(table)
        shows(table, "/leave", NAMES[number : number + 1])
        table = ana.do(table, "fill", category="choice")
    table = ana.do(table, "resign", seat=1)
    for rest in ("", "/replay", "/replay/9", "?box=yacht&zero=yacht"):
        shows(table, rest)
    real = ana.open(people=PEOPLE, mode="device", dice="real")
    for _name in NAMES:
        real = ana.do(real, "enter_points", category="choice", points=20)
    for seat, name in enumerate(NAMES):
        real = ana.do(real, "correct", seat=seat, category="fours", points=12, instead_of="choice")
        shows(real)
        shows(real, f"?seat={seat}&box=fours", (name,))
    for category in CATEGORIES:
        for _name in NAMES if category is not Category.FOURS else ():
            points = 5 if category is Category.CHOICE else 0
            real = ana.do(real, "enter_points", category=category.value, points=points)
    for rest in ("", "/replay/3", "/report"):
        shows(real, rest)
    assert [seat["name"] for seat in ana.get(real)["seats"]] == list(NAMES)


@each_language
def test_at_an_online_table_and_in_lists(served: Served, language: str) -> None:
    """Somebody else sees the name too: to sit down, to be removed, to be away, to be waited for."""
    people = []
    for _name in NAMES[:3]:
        http = served.browser()
        http.headers["Accept-Language"] = html_tag(language)
        people.append(Person(http))
    host, guest, watcher = people
    address = host.start("online", me=NAMES[0])
    guest.go(address)
    guest.send(do="join", name=NAMES[2])
    for who in people:
        assert all(name in text_of(who.go(address).text) for name in (NAMES[0], NAMES[2]))
    host.send(do="begin", first="0")
    for who in people:
        assert all(name in text_of(who.go(address).text) for name in (NAMES[0], NAMES[2]))
    guest.send(do="leave")
    assert NAMES[2] in text_of(host.go(address).text)
    assert NAMES[2] in text_of(host.go("/games").text)
    watcher.go("/")
    watcher.send("/new", start="people", number="2", name1=NAMES[1], name2="x" * 99)
    assert NAMES[1] in text_of(watcher.text)


@each_language
def test_in_the_terminal(tmp_path: Path, language: str) -> None:
    speaking = ("--lang", language)
    game = tmp_path / "{0}%s.yacht"
    typed = [*(line for _name in NAMES for line in ("roll", "keep none", "score choice"))]
    typed += ["card", "resign", "y", "roll", "score 1", "quit"]
    for look in ((), ("--plain",)):
        game.unlink(missing_ok=True)
        args = ("play", "--players", ",".join(NAMES), "--seed", "1", "--save", str(game), "--yes")
        played = quick(tmp_path, *speaking, *args, *look, lines=typed)
        shown = [quick(tmp_path, *speaking, c, str(game), *look) for c in ("show", "replay")]
        for run in (played, *shown):
            assert run.returncode == 0, run.stderr
            assert [name for name in NAMES if name not in run.stdout] == []
    name = "{name!r}{0}%(n)s{"
    wrong: tuple[tuple[str, ...], ...] = (
        ("play", "--players", f"{name},{name}"),
        ("play", "--players", f"computer:{name}"),
        ("show", name),
        ("score", "1", "--rules", name),
        (name,),
        ("serve", f"--{name}"),
        ("serve", "--port", name),
        ("train", "--theme", name),
    )
    for line in wrong:
        run = quick(tmp_path, *speaking, *line)
        assert run.returncode in {1, 2}
        assert run.stderr.count("\n") == 1
        assert name in run.stderr


def game_of(folder: Path, name: str) -> str:
    path = folder / f"{name}.yacht"
    text = (RECORDS / "four-at-a-table.yacht").read_text("utf-8")
    names = iter((name, "%s", "{name}", "%(n)s"))
    replace: Callable[[re.Match[str]], str] = lambda found: f"{found[1]}{json.dumps(next(names))}"  # noqa: E731
    path.write_text(re.sub(r'(?m)^(seat \d+ )"[^"]+"', replace, text), "utf-8")
    return str(path)


@each_language
def test_in_reports_and_statistics(tmp_path: Path, language: str) -> None:
    game = game_of(tmp_path, "{0}")
    names = ("{0}", "%s", "{name}", "%(n)s")
    for command in ("analyse", "stats"):
        for look in ((), ("--plain",), ("--html", "-")):
            run = quick(tmp_path, "--lang", language, command, game, *look)
            assert run.returncode == 0, run.stderr
            assert [name for name in names if name not in html.unescape(run.stdout)] == []
    asked = quick(tmp_path, "--lang", language, "train", game, "--theme", "own", lines=["quit"])
    assert asked.returncode == 0
    assert "({0})" in asked.stdout
