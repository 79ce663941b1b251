"""Reports and statistics as HTML: whole, safe, and without a script."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from tests.coach.games import played
from tests.solved import solved
from yachtdice import Game
from yachtdice.coach import Report, analyse, analyse_record
from yachtdice.coach.analysis.statistics import Entry, Statistics, statistics
from yachtdice.coach.pages import (
    decision_body,
    report_body,
    report_page,
    statistics_body,
    statistics_page,
    stylesheet,
)
from yachtdice.coach.words.terms import better_text, chosen_text
from yachtdice.notation import parse_record
from yachtdice.rules import TRADITIONAL

RECORDS = Path(__file__).parent / "records"
NAMES = sorted(path.stem for path in RECORDS.glob("*.yacht"))
VOID = {"meta", "link", "br", "hr", "img", "input"}
# Shapes may be written either way in HTML.
SHAPES = {"rect", "line", "circle", "polyline", "polygon", "path", "use"}


class Page(HTMLParser):
    """Reads a page, and refuses tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, attribute: str) -> list[str]:
        return [value for _, found in self.tags if (value := found.get(attribute)) is not None]


def report(name: str) -> Report:
    record = parse_record((RECORDS / f"{name}.yacht").read_text("utf-8"))
    return analyse_record(record, solved(record.game.rules))


def some_statistics(games: int = 12) -> Statistics:
    entries = []
    for seed in range(games):
        game = played("traditional", ("casual",), f"pages {seed}")
        entries.append(Entry(analyse(game, solved(game.rules)), game.events, (0,), f"game {seed}"))
    return statistics(entries, lambda rules: solved(rules).distribution())


def pages() -> list[str]:
    found = [report_page(report(name)) for name in NAMES]
    found += [statistics_page(some_statistics(games)) for games in (0, 1, 2, 12)]
    return found


@pytest.mark.parametrize("text", pages())
def test_a_page_needs_nothing_from_elsewhere(text: str) -> None:
    page = Page(text)
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")  # type: ignore[union-attr]
    assert not {"script", "link", "iframe", "img"} & {tag for tag, _ in page.tags}
    assert not re.search(r"url\(|@import|https?:", text)


@pytest.mark.parametrize("text", pages())
def test_anchors_lead_somewhere_and_ids_are_unique(text: str) -> None:
    page = Page(text)
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert {target.removeprefix("#") for target in page.all("href")} <= set(ids)


@pytest.mark.parametrize("text", pages())
def test_headings_go_down_step_by_step(text: str) -> None:
    levels = [int(tag[1]) for tag, _ in Page(text).tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("text", pages())
def test_every_class_has_a_style(text: str) -> None:
    used = {name for names in Page(text).all("class") for name in names.split()}
    styled = set(re.findall(r"\.(coach[\w-]*)", stylesheet()))
    assert {name for name in used if name.startswith("coach")} == used
    assert used - styled <= {"coach-best", "coach-fine", "coach-inaccuracy"}


def test_the_report_says_what_the_data_say() -> None:
    found = report("four-at-a-table")
    text = Page(report_page(found)).text
    for seat in found.seats:
        assert seat.name in text
        assert f" {seat.points} " in text
        for decision in seat.costliest:
            assert f"coach-{decision.event}" in report_page(found)


def test_a_decision_can_be_shown_by_itself() -> None:
    found = report("four-at-a-table")
    for decision in found.seats[0].decisions:
        page = Page(decision_body(decision, found.rules))
        assert chosen_text(decision.move) in page.text
        better = better_text(decision.best[0])
        assert (better in page.text) == bool(decision.loss)


def test_a_body_is_the_inside_of_its_page() -> None:
    assert report_body(report("alone")) in report_page(report("alone"))
    some = some_statistics(2)
    assert statistics_body(some) in statistics_page(some)


def test_a_body_can_stand_below_a_heading() -> None:
    tags = [tag for tag, _ in Page(report_body(report("alone"), level=2)).tags]
    assert "h1" not in tags
    assert tags.index("h2") < tags.index("h3")
    tags = [tag for tag, _ in Page(statistics_body(some_statistics(2), level=2)).tags]
    assert "h1" not in tags


def test_names_cannot_break_out() -> None:
    name = '<script>alert("&")</script>'
    game = Game.start(TRADITIONAL, [name, "'><b>"]).roll([1, 2, 3, 4, 5])
    found = replace(analyse(game, solved(TRADITIONAL)), date="<i>")
    page = Page(report_page(found))
    assert not {"script", "b>", "i"} & {tag for tag, _ in page.tags}
    assert name in page.text


def test_titles_of_games_cannot_break_out() -> None:
    game = played("traditional", ("casual",), "titles")
    entry = Entry(analyse(game, solved(game.rules)), game.events, (0,), "<u>")
    found = statistics([entry], lambda rules: solved(rules).distribution())
    assert "u" not in {tag for tag, _ in Page(statistics_page(found)).tags}


def test_links_can_be_added_to_each_wrong_decision() -> None:
    found = report("alone")
    body = report_body(found, lambda event: f'<a href="/replay/{event}">{event}</a>')
    wrong = [d for seat in found.seats for d in seat.decisions if d.label.is_wrong]
    assert wrong
    for decision in wrong:
        assert f'href="/replay/{decision.event}"' in body


def test_the_computer_is_folded_away_from_people() -> None:
    folded = report_page(report("against-the-computer"))
    assert folded.count("<details>") == report_page(report("real-dice")).count("<details>") + 1


def test_a_game_that_has_just_begun_has_a_report() -> None:
    found = analyse(Game.start(TRADITIONAL, ["", ""]), solved(TRADITIONAL))
    text = Page(report_page(found)).text
    assert "Player 1" in text
    assert "The costliest decisions" not in text
