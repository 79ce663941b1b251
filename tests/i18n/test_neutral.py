"""What is stored or sent to programs is the same whatever language somebody speaks."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.conftest import Client, Served, serving
from yachtdice.i18n import explain, languages, seat_name, use_language
from yachtdice.notation import parse_record
from yachtdice.rules import TRADITIONAL, IllegalMoveError, IllegalMoveReason, Position
from yachtdice.web.edge.language import html_tag


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as server:
        yield server


def numbers(page: str) -> list[str]:
    """Return the numbers that the main part of a page says."""
    main = page.partition("<main")[2].partition("</main>")[0]
    return sorted(re.findall(r"\d+", re.sub(r"<[^>]*>", " ", main)))


def test_the_rules_page_has_the_same_numbers_in_every_language(served: Served) -> None:
    http = served.browser()
    pages = {
        language: http.get("/rules", headers={"Accept-Language": html_tag(language)}).text
        for language in languages()
    }
    assert len(set(pages.values())) == len(languages())
    assert all(numbers(page) == numbers(pages["en"]) for page in pages.values())


def test_a_table_of_a_pole_is_the_same_table_to_everybody(served: Served) -> None:
    ana = Client(served.browser())
    ana.http.headers["Accept-Language"] = "pl"
    table = ana.open(people=[{"name": ""}, {"name": "Łucja"}], mode="device", dice="real")
    table = ana.do(table, "enter_points", category="fours", points=12)
    table = ana.do(table, "enter_points", category="little_straight", points=30)
    address = f"/table/{table['id']}"
    seen: list[Any] = []
    for language in languages():
        ana.http.headers["Accept-Language"] = html_tag(language)
        seen.append((ana.get(table), ana.http.get(f"{address}/record").text))
        page = ana.http.get(address).text
        with use_language(language):
            assert seat_name(("", "Łucja"), 0) in page
        assert numbers(page)
    assert all(one == seen[0] for one in seen)
    assert [seat["name"] for seat in seen[0][0]["seats"]] == ["", "Łucja"]
    assert parse_record(seen[0][1]).game.names == ("", "Łucja")
    assert "= fours 12" in seen[0][1]


def test_the_api_refuses_in_the_language_of_who_asks(served: Served) -> None:
    """The code of a refusal is for programs, its sentence for people."""
    ana = Client(served.browser())
    table = ana.open(people=[{"name": ""}], mode="device", dice="system")
    refused = IllegalMoveError(IllegalMoveReason.MUST_ROLL, Position.start(TRADITIONAL), None)
    sentences = set()
    for language in languages():
        ana.http.headers["Accept-Language"] = html_tag(language)
        answer = ana.act(table, "fill", category="choice")
        assert answer.status_code == 409
        error = answer.json()["error"]
        assert error["code"] == "must_roll"
        with use_language(language):
            assert error["message"] == explain(refused)
        sentences.add(error["message"])
    assert len(sentences) == len(languages())
