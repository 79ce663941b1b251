"""How likely each is to win: at tables that show it, on their pages, over streams, in the API."""

import asyncio
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from tests.waiting import DEADLINE, until, until_async
from tests.web.conftest import NO_LIMITS, Client, Serve, Served
from tests.web.test_coach_pages import finish
from tests.web.test_pages import Person
from yachtdice import TRADITIONAL, Position, RuleSet
from yachtdice.notation import parse_record
from yachtdice.play.online.tables import Tables
from yachtdice.rules import CATEGORIES
from yachtdice.solutions import Solutions
from yachtdice.solver.duel import Duel, Odds
from yachtdice.web.services.win_odds import WinOdds

BAR = re.compile(r'id="chances".*?</div>', re.DOTALL)


@pytest.fixture
def ana(served: Served) -> Person:
    return Person(served.browser())


@pytest.fixture
def bea(served: Served) -> Person:
    return Person(served.browser())


@pytest.fixture
def client(served: Served) -> Client:
    return served.client()


class SlowDuel:
    """Play to win that answers once it may, and fails if it is to."""

    def __init__(self, duel: Duel, may_answer: threading.Event) -> None:
        self._duel = duel
        self._may_answer = may_answer
        self.fails = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._duel, name)

    def win_odds(self, position: Position, timeout: float | None = None) -> Odds:
        assert self._may_answer.wait(DEADLINE)
        if self.fails:
            raise OSError("the disk is gone")
        return self._duel.win_odds(position, timeout)


class SlowSolutions(Solutions):
    """Solutions whose play to win is slow."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()
        self.slow = SlowDuel(Duel(TRADITIONAL), self.may_answer)

    def duel(self, rules: RuleSet) -> Duel | None:
        assert rules == TRADITIONAL
        return cast("Duel", self.slow)


@pytest.fixture
def slow(serve: Serve) -> Iterator[tuple[Served, SlowSolutions]]:
    """Return a server that finds nobody's odds until `may_answer` is set, and its solutions."""
    solutions = SlowSolutions()
    yield serve(replace(NO_LIMITS, settle_timeout=0.1), solutions=solutions), solutions
    solutions.may_answer.set()


def bar(page: str) -> list[str]:
    """Return the words of the bar on a page; nothing where there is none."""
    found = BAR.search(page)
    return re.sub(r"<[^>]*>", " ", found[0].partition(">")[2]).split() if found else []


def test_everybody_at_the_table_sees_who_is_likely_to_win(ana: Person, bea: Person) -> None:
    address = ana.start("people", number="2", name1="Ana", name2="Rui", chances="1")
    assert bar(ana.go(address).text) == ["Ana", "49%", "Rui", "51%", "estimate"]
    ana.send(do="roll")
    shown = bar(ana.go(address).text)
    assert shown[-1] == "estimate"
    assert bar(bea.go(address).text) == shown
    assert " style=" not in ana.text
    # Before a box is filled it is what the best of them is worth.
    ana.send(score="yacht")
    ana.send(sure="yacht")
    after = bar(ana.go(address).text)
    assert int(after[1][:-1]) < int(shown[1][:-1])
    record = parse_record(ana.go(f"{address}/record").text)
    assert record.shows_odds
    assert not record.hints


def test_nobody_sees_it_where_nobody_has_asked_for_it(ana: Person) -> None:
    for address in (
        ana.start("people", number="2"),
        ana.start("alone", chances="1"),
        ana.start("score", number="1", chances="1"),
    ):
        assert bar(ana.go(address).text) == []
        assert not parse_record(ana.go(f"{address}/record").text).shows_odds


def test_it_goes_with_the_rematch(ana: Person) -> None:
    address = finish(ana, "people", number="2", chances="1")
    assert bar(ana.go(address).text) == []  # the result says it all
    ana.send(do="rematch")
    assert bar(ana.text)[-1] == "estimate"


def test_six_seats_add_up_and_are_an_estimate(ana: Person) -> None:
    address = ana.start("people", number="6", chances="1")
    shown = bar(ana.go(address).text)
    shares = [int(word[:-1]) for word in shown if word.endswith("%")]
    assert len(shares) == 6
    assert 97 <= sum(shares) <= 103
    assert shown[-1] == "estimate"
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)%"', ana.text)]
    assert sum(widths) == pytest.approx(100, abs=0.1)


def test_with_real_dice_it_is_shown_from_turn_to_turn(ana: Person) -> None:
    address = ana.start("score", number="2", chances="1")
    before = bar(ana.go(address).text)
    assert before[-1] == "estimate"
    ana.send(enter="yacht", points="50")
    assert int(bar(ana.text)[2][:-1]) > int(before[2][:-1])


def test_what_is_solved_meanwhile_is_exact(client: Client) -> None:
    """Whatever is asked for is answered at once, by an estimate until the sub-game is solved."""
    table = client.open(people=[{}, {}], dice="real", chances=True)
    assert table["winning"]["kind"] == "estimate"
    for category in CATEGORIES[:8]:
        for _ in range(2):
            points = TRADITIONAL.possible_points(category)[-1]
            table = client.do(table, "enter_points", category=category.value, points=points)

    def exact_table() -> dict[str, Any] | None:
        after = client.do(client.get(table), "correct", seat=0, category="ones", points=5)
        return None if after["winning"]["kind"] == "estimate" else after

    table = until(exact_table)
    game = parse_record(client.ask("GET", f"/tables/{table['id']}/record").text).game
    exact = Duel(TRADITIONAL).win_odds(game.position)
    assert table["winning"]["seats"] == pytest.approx(exact.seats, abs=2e-6)


def test_programs_get_it_too(client: Client) -> None:
    assert client.open(people=[{}, {}])["winning"] is None
    lobby = client.open(mode="online", people=[{}, {"level": "greedy"}], chances=True)
    assert (lobby["chances"], lobby["winning"]) == (True, None)
    table = client.do(lobby, "begin", first=0)
    assert table["winning"]["seats"] == pytest.approx(
        Duel(TRADITIONAL, rounds=0).win_odds(Position.start(TRADITIONAL, 2)).seats
    )
    alone = client.open(chances=True)
    assert alone["winning"] is None


def test_under_rules_with_a_bonus_nobody_knows(client: Client) -> None:
    table = client.open(people=[{}, {}], rules="console", chances=True)
    assert (table["chances"], table["winning"]) == (False, None)


def test_a_stream_tells_it_with_each_change(client: Client, served: Served) -> None:
    table = client.open(people=[{}, {}], chances=True)
    eve = served.client()
    with eve.watch(table) as stream:
        assert stream.next()["winning"] == table["winning"]
        for do, more in (("roll", {}), ("fill", {"category": "choice"}), ("roll", {})):
            table = client.do(table, do, **more)
            assert table["winning"] is not None
            assert stream.next()["winning"] == table["winning"]


def test_a_stream_tells_later_what_was_not_found_at_once(
    slow: tuple[Served, SlowSolutions],
) -> None:
    server, solutions = slow
    client = server.client()
    table = client.open(people=[{}, {}], chances=True)
    with server.client().watch(table, **{"Last-Event-ID": str(table["version"])}) as stream:
        # The page was made without, so that the stream begins with what it knows.
        assert stream.next()["winning"] is None
        client.do(table, "roll")
        assert stream.next()["winning"] is None
        solutions.may_answer.set()
        told = stream.next()
        assert told["version"] == table["version"] + 1
        assert sum(told["winning"]["seats"]) == pytest.approx(1)


def test_nobody_waits_for_what_takes_long(slow: tuple[Served, SlowSolutions]) -> None:
    server, solutions = slow
    ana, client = Person(server.browser()), server.client()
    address = ana.start("people", number="2", chances="1")
    assert "being worked out" in " ".join(bar(ana.go(address).text))
    table = client.open(people=[{}, {}], chances=True)
    assert table["winning"] is None
    other = client.do(client.open(people=[{}, {}]), "roll")  # tables without go on as ever
    assert other["winning"] is None
    assert not solutions.may_answer.is_set()
    solutions.may_answer.set()
    until(lambda: client.get(table)["winning"])


def test_where_too_many_wait_nothing_is_asked() -> None:
    solutions = SlowSolutions()

    async def settled() -> list[Odds | None]:
        tables, odds = Tables(), WinOdds(solutions, 0.1, max_waiting=0)
        people = [("", None), ("", None)]
        first = await tables.open("ana", people=people, shows_odds=True)
        second = await tables.open("ana", people=people, shows_odds=True)
        await odds.settle(first)  # keeps the thread busy
        await odds.settle(second)
        solutions.may_answer.set()
        await odds.settle(first)
        found = [await until_async(lambda: odds.find(first)), odds.find(second)]
        odds.close()
        await tables.close()
        return found

    first, second = asyncio.run(settled())
    assert first is not None
    assert second is None


class SlowToSolve(SlowSolutions):
    """Solutions that solve nothing until `may_answer` is set."""

    def duel(self, rules: RuleSet) -> Duel | None:
        assert self.may_answer.wait(DEADLINE)
        return super().duel(rules)


def test_where_too_many_wait_nothing_is_prepared() -> None:
    """As when many tables are opened at a server that has just started."""
    solutions = SlowToSolve()

    async def prepared() -> tuple[bool, Odds | None, Odds | None]:
        tables, odds = Tables(), WinOdds(solutions, DEADLINE, max_waiting=0)
        people = [("", None), ("", None)]
        first = await tables.open("ana", people=people, shows_odds=True)
        second = await tables.open("ana", people=people, shows_odds=True)
        preparing = asyncio.create_task(odds.prepare(first))
        await asyncio.sleep(0)
        await odds.prepare(second)
        was_first_waiting, before = not preparing.done(), odds.find(second)
        solutions.may_answer.set()
        await preparing
        await odds.settle(second)
        after = odds.find(second)
        odds.close()
        await tables.close()
        return was_first_waiting, before, after

    was_first_waiting, before, after = asyncio.run(prepared())
    assert was_first_waiting
    assert before is None
    assert after is not None


def test_a_fault_leaves_the_table_as_it_is(
    slow: tuple[Served, SlowSolutions], caplog: pytest.LogCaptureFixture
) -> None:
    server, solutions = slow
    solutions.may_answer.set()
    client = server.client()
    table = client.open(people=[{}, {}], chances=True)
    solutions.slow.fails = True
    with client.watch(table) as stream:
        stream.next()
        after = client.do(table, "roll")
        assert after["winning"] is None
        assert stream.next()["winning"] is None
    assert 1 <= caplog.text.count("the win odds could not be computed") <= 4


def test_a_replay_tells_how_it_stood(ana: Person, bea: Person) -> None:
    address = finish(ana, "people", number="2")
    assert bar(bea.go(f"{address}/replay/2").text)[-1] == "estimate"
    last = bea.go(f"{address}/replay/100000").text
    assert bar(last) == []
    # While it is played only a table that shows it anyway tells.
    for fields, words in (({}, 0), ({"chances": "1"}, 5)):
        address = ana.start("people", number="2", name1="A", name2="B", **fields)
        ana.go(address)
        ana.send(do="roll")
        assert len(bar(bea.go(f"{address}/replay/2").text)) == words


def test_the_report_has_both_views(ana: Person) -> None:
    address = finish(ana, "people", number="2", name1="Ana", name2="Rui")
    until(lambda: "coach-winning" in ana.go(f"{address}/report").text)
    assert "Luck and play" in ana.text
    assert "These chances are exact from round" in ana.text
    assert "The chances to win after each round" in ana.text
    assert " style=" not in ana.text
    assert "coach-winning" not in ana.go(f"{finish(ana)}/report").text


def test_the_report_does_not_wait_for_it(serve: Serve) -> None:
    ana = Person(serve(replace(NO_LIMITS, odds_timeout=0.0)).browser())
    address = finish(ana, "people", number="2")
    answer = ana.go(f"{address}/report")
    assert answer.status_code == 200
    assert "The chances to win are being worked out." in answer.text
    assert "Luck and play" in answer.text


def test_champion_plays_a_game_at_a_table(serve: Serve) -> None:
    client = serve().client()
    table = client.open(people=[{"name": "Ana"}, {"level": "champion"}])
    assert table["seats"][1]["level"] == "champion"
    while table["phase"] == "playing":
        table = client.get(table)
        if table["you"]["can_move"]:
            table = client.do(table, "roll")
            points = table["turn"]["points"]
            table = client.do(table, "fill", category=max(points, key=points.__getitem__))
    assert table["seats"][1]["total"] > 0
