"""What the coach's pages answer, without a browser."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from tests.coach.games import played
from tests.waiting import until_async
from tests.web.conftest import NO_LIMITS, Serve, Served
from tests.web.test_pages import Person
from yachtdice.coach.training.exercises import Theme
from yachtdice.coach.words.terms import theme_name
from yachtdice.dice_source import SeededDice
from yachtdice.notation import Record, format_record, parse_position, parse_record
from yachtdice.play.online.tables import Tables
from yachtdice.play.table.actions import Roll
from yachtdice.play.training import POOL
from yachtdice.rules import TRADITIONAL, Category, FaceSum, Game, RuleSet
from yachtdice.solutions import Solutions
from yachtdice.solver import solve
from yachtdice.web.pages.coach import style_url
from yachtdice.web.pages.train import now_at
from yachtdice.web.services.coaching import Coach

HOUSE_POSITION = """thrice - 1 1-2-2-4-6 2
| key = "thrice"
| [categories]
| ones = { scorer = "face_sum", face = 1 }"""
RECORDS = Path(__file__).parents[1] / "coach" / "records"


@pytest.fixture
def ana(served: Served) -> Person:
    return Person(served.browser())


@pytest.fixture
def bea(served: Served) -> Person:
    return Person(served.browser())


def play(who: Person, address: str) -> None:
    """Play to the end: roll once, fill the first box; the computer needs a moment for its turns."""
    while 'value="rematch"' not in who.go(address).text:
        if 'name="score"' not in who.text:
            who.send(do="roll")
        boxes = re.findall(r'name="score" value="(\w+)"', who.text)
        if boxes:
            who.send(sure=boxes[0])


def finish(who: Person, kind: str = "alone", **fields: str) -> str:
    """Play a game to its end; return the address of its table."""
    address = who.start(kind, **fields)
    play(who, address)
    return address


def read(who: Person, text: str) -> httpx.Response:
    who.go("/analyse")
    return who.send("/analyse", record=text)


def test_the_end_leads_to_a_report(ana: Person, bea: Person) -> None:
    address = finish(ana)
    assert f'href="{address}/report"' in ana.text
    for who in (ana, bea):  # a finished game is for anybody to see
        answer = who.go(f"{address}/report")
        assert answer.status_code == 200
        assert '<div class="coach">' in answer.text
        assert "With average luck" in answer.text
        assert answer.text.count("<h1>") == 1
        assert " style=" not in answer.text
    steps = re.findall(rf'href="({address}/replay/\d+)"', ana.text)
    assert steps
    position = ana.go(steps[0])
    assert "Step" in position.text
    assert 'class="tray"' in position.text  # the dice that the decision was about


def test_no_report_while_the_game_is_played(ana: Person) -> None:
    address = ana.start("alone")
    assert ana.go(f"{address}/report").status_code == 403
    assert "at the end" in ana.text
    assert f'href="{address}"' in ana.text
    ana.go(address)
    assert ana.send(f"{address}/play-on", event="1").status_code == 403


def test_a_lobby_has_no_report(ana: Person) -> None:
    address = ana.start("online")
    assert ana.go(f"{address}/report").status_code >= 400
    assert ana.go("/table/aaaaaaaaaaaaaaaa/report").status_code == 404


def test_a_table_with_hints_may_be_read_while_it_is_played(ana: Person, bea: Person) -> None:
    address = ana.start("alone", hints="1")
    ana.go(address)
    assert "Expected total: 167.0" in ana.text
    ana.send(do="roll", htmx=True)
    advice = re.search(r'id="advice"><span>([^<]+)<', ana.text)
    assert advice
    assert advice[1].startswith("Best")
    bea.go(address)  # visible to all
    assert advice[0] in bea.text
    assert ana.go(f"{address}/report").status_code == 200
    record = ana.go(f"{address}/record").text
    assert parse_record(record).hints


def test_without_hints_nobody_is_advised(ana: Person) -> None:
    for kind in ("alone", "score"):
        address = ana.start(kind, **({"hints": "1"} if kind == "score" else {}))
        ana.go(address)
        assert 'id="advice"' not in ana.text
        assert not parse_record(ana.go(f"{address}/record").text).hints


def test_hints_in_the_language_of_the_reader(ana: Person) -> None:
    address = ana.start("alone", hints="1")
    ana.http.cookies.set("lang", "de")
    ana.go(address)
    ana.send(do="roll")
    english = re.search(r'id="advice"><span>Best\b', ana.text)  # in German: Bestes Feld
    assert english is None


def test_play_on_from_a_decision(ana: Person, bea: Person) -> None:
    address = finish(ana, "computer perfect")
    bea.go(f"{address}/report")
    events = re.findall(r'name="event" value="(\d+)"', bea.text)
    page = bea.text
    assert bea.send(f"{address}/play-on", event=events[-1]).status_code == 200
    opened = bea.path
    assert opened != address
    old = parse_record(ana.go(f"{address}/record").text)
    new = parse_record(ana.go(f"{opened}/record").text)
    length = int(events[-1])
    assert new.game.events[:length] == old.game.events[:length]
    assert new.bots == old.bots
    bea.text = page  # the same form, sent twice
    bea.send(f"{address}/play-on", event=events[-1])
    assert bea.path == opened
    for event in ("0", "100000", "x", "-1", "99999"):
        bea.text = page
        assert bea.send(f"{address}/play-on", event=event).status_code == 400
    assert "coach" not in bea.go(f"{opened}/report").text or bea.text.count("at the end")


def test_what_was_played_on_is_counted_once(ana: Person) -> None:
    address = finish(ana)
    ana.go(f"{address}/report")
    event = re.findall(r'name="event" value="(\d+)"', ana.text)[0]
    ana.send(f"{address}/play-on", event=event)
    play(ana, ana.path)
    ana.go("/stats")
    assert len(re.findall(r"<tbody>(.*?)</tbody>", ana.text)[0].split("<tr>")) == 2
    ana.go(address)
    ana.send(do="rematch")
    play(ana, ana.path)  # a rematch is a game of its own
    ana.go("/stats")
    assert len(re.findall(r"<tbody>(.*?)</tbody>", ana.text)[0].split("<tr>")) == 3


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.yacht")), ids=lambda path: path.stem)
def test_a_pasted_record_is_analysed(ana: Person, path: Path) -> None:
    answer = read(ana, path.read_text(encoding="utf-8").replace("\n", "\r\n"))
    assert answer.status_code == 200, answer.text
    assert '<div class="coach">' in answer.text


def test_an_uploaded_record_is_analysed(ana: Person) -> None:
    ana.go("/analyse")
    csrf = re.findall(r'name="csrf" value="([^"]*)"', ana.text)[0]
    data = (RECORDS / "alone.yacht").read_bytes()
    answer = ana.http.post(
        "/analyse", data={"csrf": csrf, "record": ""}, files={"file": ("a.txt", data)}
    )
    assert answer.status_code == 303
    assert '<div class="coach">' in ana.go(answer.headers["location"]).text
    answer = ana.http.post("/analyse", data={"csrf": csrf}, files={"file": ("a.txt", b"\xff\xfe")})
    assert answer.status_code == 422
    two = [("file", ("a", data)), ("file", ("b", data))]
    assert ana.http.post("/analyse", data={"csrf": csrf}, files=two).status_code == 400


def test_a_pasted_position_is_answered_with_its_moves(ana: Person) -> None:
    text = "traditional - 1 4-4-2-1-6 2"
    answer = read(ana, text)
    assert answer.status_code == 200
    rows = re.findall(r"<tr><th.*?</tr>", answer.text)[1:]  # the first one has the heads
    position = parse_position(text)
    choices = solve(position.rules).rank(position)
    assert len(rows) == len(choices) == len(position.legal_moves())
    for row, choice in zip(rows, choices, strict=True):
        assert f"<td>{choice.value:.2f}</td>" in row
    assert "keep 4-4, roll 3 dice" in rows[0]
    assert text in answer.text  # what was pasted is still there
    assert "/analyse/" not in str(answer.url)  # nothing is kept


def test_what_is_wrong_with_a_position_is_said(ana: Person) -> None:
    for text, words in {
        "traditional - 1 - 3": "nothing to decide",
        "traditional -/- 1 - 0 1.2": "nothing to decide",
        "traditional - 1 4-4-2-1-7 2": "Dice are faces from 1 to 6",
        "traditional 99 1 - 3": "A card has twelve entries",
        HOUSE_POSITION: "come with Yacht",
    }.items():
        answer = read(ana, text)
        assert answer.status_code == 422
        assert words in answer.text
    assert "<b>" not in read(ana, "traditional - 1 <b>-2 2").text


def test_what_is_wrong_with_a_record_is_said(ana: Person) -> None:
    good = (RECORDS / "alone.yacht").read_text(encoding="utf-8")
    lines = good.splitlines()
    number = next(i for i, line in enumerate(lines) if line.startswith("1.1:"))
    lines[number] = "1.1: 7-7-7-7-7 <b>fours</b>"
    answer = read(ana, "\n".join(lines))
    assert answer.status_code == 422
    assert f"Line {number + 1}, column" in answer.text
    assert "<code" in answer.text
    assert "<b>fours" not in answer.text
    assert "&lt;b&gt;fours" in answer.text  # what was pasted is still there
    assert "nothing to analyse" in read(ana, "  \n").text
    assert read(ana, "hello").status_code == 422


def test_strange_rules_and_strange_forms_are_refused(ana: Person) -> None:
    good = (RECORDS / "alone.yacht").read_text(encoding="utf-8")
    text = re.sub(r"rules.*", 'rules "no-such-rules"', good, count=1)
    assert read(ana, text).status_code == 422
    house = RuleSet("thrice", {Category.ONES: FaceSum(1)}, 3)
    assert read(ana, format_record(Record(Game.start(house, [""])))).status_code == 422
    assert "come with Yacht" in ana.text
    assert "thrice" in ana.text  # what was pasted is still there
    assert read(ana, "x" * NO_LIMITS.max_body).status_code == 413
    assert f"at once: {NO_LIMITS.max_body // 1024} KB" in ana.text
    assert ana.http.post("/analyse", data={"record": good}).status_code == 403
    answer = ana.http.post("/analyse", content=b"x", headers={"content-type": "text/plain"})
    assert answer.status_code == 415


def test_a_pasted_record_can_be_walked_through(ana: Person, bea: Person) -> None:
    text = (RECORDS / "four-at-a-table.yacht").read_text(encoding="utf-8")
    read(ana, text)
    address = ana.path
    assert re.fullmatch(r"/analyse/[a-z2-7]{16}", address)
    steps = re.findall(rf'href="({address}/replay/\d+)"', ana.text)
    assert steps
    for who in (ana, bea):  # who knows the address sees it
        position = who.go(steps[0]).text
        assert 'class="tray"' in position  # the dice that the decision was about
        assert f'href="{address}">Back to the report' in position
        assert f'href="{address}/replay/1"' in position
    record = parse_record(ana.go(f"{address}/record").text)
    assert record == parse_record(text)
    read(ana, text.replace("\n", "\r\n"))
    assert ana.path == address  # the same one once more
    read(bea, text)
    assert bea.path != address


def test_only_records_are_reached(ana: Person) -> None:
    table = finish(ana)
    ana.go("/train")
    ana.send("/train", score=re.findall(r'name="score" value="(\w+)"', ana.text)[0])
    for key in ("a" * 16, table.removeprefix("/table/"), "x", "trainer-x", "%2e%2e"):
        for page in ("", "/replay", "/replay/3", "/record"):
            assert ana.go(f"/analyse/{key}{page}").status_code == 404
    read(ana, (RECORDS / "alone.yacht").read_text(encoding="utf-8"))
    key = ana.path.removeprefix("/analyse/")
    for page in ("", "/report", "/replay", "/record"):
        assert ana.go(f"/table/{key}{page}").status_code == 404
    assert ana.http.post(f"/analyse/{key}/play-on", data={"event": "9"}).status_code == 403


def test_play_on_from_a_pasted_record(ana: Person) -> None:
    text = (RECORDS / "four-at-a-table.yacht").read_text(encoding="utf-8")
    old = parse_record(text)
    read(ana, text)
    address = ana.path
    page = ana.text
    event = re.findall(r'name="event" value="(\d+)"', page)[-1]
    ana.send(f"{address}/play-on", event=event)
    opened = ana.path
    assert opened.startswith("/table/")
    new = parse_record(ana.go(f"{opened}/record").text)
    assert new.game.events[: int(event)] == old.game.events[: int(event)]
    assert new.bots == old.bots
    ana.text = page  # the same form, sent twice
    ana.send(f"{address}/play-on", event=event)
    assert ana.path == opened
    for wrong in ("0", str(len(old.game.events)), "99999", "x"):
        ana.text = page
        assert ana.send(f"{address}/play-on", event=wrong).status_code == 400
    play(ana, opened)
    assert "No finished game yet" in ana.go("/stats").text  # its beginning was not one's own


def test_an_unfinished_record_is_played_to_its_end(ana: Person) -> None:
    game = played("traditional", ("casual", "skilled"), "unfinished", turns=3)
    text = format_record(Record(game, bots={1: "skilled"}))
    read(ana, text)
    assert "Play it to the end" in ana.text
    ana.send(f"{ana.path}/play-on", event=str(len(game.events)))
    events = parse_record(ana.go(f"{ana.path}/record").text).game.events
    assert events[: len(game.events)] == game.events


@pytest.mark.parametrize(("seats", "bots"), [(12, 0), (2, 2)])
def test_what_nobody_can_play_on_is_shown_all_the_same(ana: Person, seats: int, bots: int) -> None:
    game = played("traditional", ("random",) * seats, "many", turns=2 * seats)
    read(ana, format_record(Record(game, bots=dict.fromkeys(range(bots), "random"))))
    assert "See the position" in ana.text
    assert "Play on from here" not in ana.text
    address = ana.path
    assert ana.go(f"{address}/replay/20").status_code == 200
    assert ana.send(f"{address}/play-on", event="9").status_code == 400


def test_strange_names_and_levels_become_such_as_tables_have(ana: Person) -> None:
    game = Game.start(TRADITIONAL, ["<b>" + "x" * 400, "a\u202eb", ""]).roll([1, 2, 3, 4, 5])
    read(ana, format_record(Record(game, bots={1: "grandmaster"})))
    kept = parse_record(ana.go(f"{ana.path}/record").text)
    assert kept.game.names == ("<b>" + "x" * 27, "ab", "")
    assert not kept.bots
    assert kept.game.position == Game.replay(game.events).position


def test_statistics_of_a_device(ana: Person, bea: Person) -> None:
    assert "No finished game yet" in ana.go("/stats").text
    finish(ana, "computer casual")
    finish(ana, "people", number="2")
    assert 'href="/stats"' in ana.go("/games").text
    answer = ana.go("/stats")
    assert answer.status_code == 200
    assert len(re.findall(r"<tbody>(.*?)</tbody>", answer.text)[0].split("<tr>")) == 4
    assert " style=" not in answer.text
    assert "No finished game yet" in bea.go("/stats").text


def test_statistics_that_take_long_say_so(serve: Serve) -> None:
    who = Person(serve(replace(NO_LIMITS, page_timeout=0.0)).browser())
    finish(who)
    assert "The coach is counting" in who.go("/stats").text
    again = re.findall(r'http-equiv="refresh" content="0; url=([^"]+)"', who.text)
    assert again == ["/stats?wait=1"]  # which is more patient
    assert "Luck, play and dice</h1>" in who.go(again[0]).text


def test_too_many_may_not_wait(serve: Serve) -> None:
    text = (RECORDS / "alone.yacht").read_text(encoding="utf-8")
    ana = Person(serve(replace(NO_LIMITS, max_waiting=-1)).browser())  # nothing is ever let in
    assert read(ana, text).status_code == 503
    assert "Try again in a moment" in ana.text
    assert text.splitlines()[-1] in ana.text  # nothing is lost
    assert ana.go(f"{finish(ana)}/report").status_code == 503


def test_the_style_is_a_file_of_this_site(ana: Person) -> None:
    address = finish(ana)
    assert style_url() in ana.go(f"{address}/report").text
    answer = ana.http.get(style_url())
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in ana.http.get("/coach.css").headers["cache-control"]
    assert ana.http.get("/coach.css?v=0123456789").headers["cache-control"] == "no-store"


def test_a_server_that_came_back_knows_what_to_advise() -> None:
    async def advice() -> list[tuple[str, ...]]:
        tables, people = Tables(dice_source=SeededDice("hints")), [("", None)]
        table = await tables.open("ana", people=people, hints=True)
        table = (await tables.act(table.id, "ana", table.version, "r", Roll())).table
        back, late = Coach(Solutions(), 10), Coach(Solutions(), 10)
        await back.prepare(table)
        found = [back.advice(table), late.advice(table)]
        # Where nobody waited for it, it is being prepared, and the page does without meanwhile.
        found.append(await until_async(lambda: late.advice(table)))
        await tables.close()
        return found

    at_once, nothing, later = asyncio.run(advice())
    assert at_once == later
    assert at_once
    assert nothing == ()


@pytest.mark.parametrize(
    ("cookie", "offset"),
    [
        ("zone=Asia/Kathmandu", timedelta(hours=5, minutes=45)),
        ("other={}; zone=Asia/Tokyo", timedelta(hours=9)),
        ("", timedelta()),
        ("zone=Nowhere/Town", timedelta()),
        ("zone=../../etc/passwd", timedelta()),
        ("zone=/etc/localtime", timedelta()),
        ("zone=Asia", timedelta()),
        ("zone=" + "A/" * 5000, timedelta()),
    ],
)
def test_the_browser_names_its_time_zone(cookie: str, offset: timedelta) -> None:
    headers = [(b"cookie", cookie.encode())]
    now = now_at(Request({"type": "http", "headers": headers}))
    assert now.utcoffset() == offset
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


def test_the_trainer_asks_and_says_what_it_cost(ana: Person, bea: Person) -> None:
    for key in ("traditional", "all-dice"):
        asked = []
        for _ in range(3):
            ana.go(f"/train?rules={key}")
            asked += re.findall(r'name="exercise" value="(\w+)"', ana.text)
            boxes = re.findall(r'name="score" value="(\w+)"', ana.text)
            page = ana.text
            answer = ana.send("/train", score=boxes[-1])
            assert answer.status_code == 200
            assert "coach-comparison" in answer.text
            ana.text = page  # sent twice, it counts once
            assert ana.send("/train", score=boxes[-1]).status_code == 200
        assert len(set(asked)) == len(asked) == 3
        bea.go(f"/train?rules={key}")  # a deck of one's own
        assert asked[0] in bea.text


def test_the_trainer_takes_keeps_and_refuses_nonsense(ana: Person) -> None:
    while 'value="roll"' not in ana.go("/train").text:
        ana.send("/train", score=re.findall(r'name="score" value="(\w+)"', ana.text)[0])
    page = ana.text
    assert "coach-comparison" in ana.send("/train", do="roll", keep1="1").text
    for fields in ({"score": "x"}, {"do": "roll", "order": ""}, {"do": "fly"}):
        ana.text = page
        assert ana.send("/train", **fields).status_code == 400  # type: ignore[arg-type]
    ana.text = page
    assert "What would you do?" in ana.send("/train", exercise="0" * 16, score="ones").text


def test_the_trainer_asks_on_a_theme(ana: Person) -> None:
    for theme in ("zero", "endgame"):
        asked = set()
        for _ in range(POOL + 2):  # there is always more
            ana.go(f"/train?theme={theme}&rules=all-dice")
            assert f'class="status">{theme_name(Theme(theme))}<' in ana.text
            chosen = re.findall(r'href="([^"]+)" aria-current="true">([^<]+)<', ana.text)
            assert (f"/train?rules=all-dice&amp;theme={theme}", theme_name(Theme(theme))) in chosen
            asked.add(re.findall(r'name="exercise" value="(\w+)"', ana.text)[0])
            ana.send("/train", score=re.findall(r'name="score" value="(\w+)"', ana.text)[0])
            assert f'href="/train?rules=all-dice&amp;theme={theme}"' in ana.text
        assert len(asked) > POOL
    assert ana.go("/train?theme=nonsense").status_code == 200


def test_the_trainer_says_when_an_exercise_comes_back(ana: Person) -> None:
    assert "no mistakes of yours here yet" in ana.go("/train?theme=own").text
    finish(ana)
    ana.go("/train?theme=own")
    while "Nothing is due" not in ana.text:
        page = ana.text
        boxes = re.findall(r'name="score" value="(\w+)"', page)
        ana.send("/train", score=boxes[0])
        assert re.search(r"It comes back in \d+ minutes?\.", ana.text)
        ana.text = page  # sent twice, it was answered once
        ana.send("/train", score=boxes[0])
        assert re.search(r"It comes back in \d+ minutes?\.", ana.text)
        ana.go("/train?theme=own")
    assert re.search(r"It comes back in \d+ minutes?\.", ana.text)


def test_a_trainer_that_takes_long_says_so(serve: Serve) -> None:
    ana = Person(serve(replace(NO_LIMITS, page_timeout=0.0)).browser())
    assert "The coach is counting" in ana.go("/train?theme=stop&rules=all-dice").text
    assert "<title>Trainer" in ana.text
    (again,) = re.findall(r'content="0; url=([^"]+)"', ana.text)
    ana.go(unescape(again))
    assert theme_name(Theme.STOP) in ana.text


def test_mistakes_of_ones_own_games_are_asked(ana: Person) -> None:
    finish(ana)
    themes = set()
    for _ in range(12):
        ana.go("/train")
        themes.add(re.findall(r'class="status">([^<]+)<', ana.text)[0])
        ana.send("/train", score=re.findall(r'name="score" value="(\w+)"', ana.text)[0])
    assert "From your own game" in themes
