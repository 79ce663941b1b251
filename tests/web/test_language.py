"""Which language the pages speak."""

import re

import pytest

from tests.web.conftest import Served
from yachtdice.i18n import languages
from yachtdice.web.edge.language import language_names, language_of


@pytest.mark.parametrize(
    ("accept", "cookie", "query", "language"),
    [
        ("", "", "", "en"),
        ("pl", "", "", "pl"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "", "", "pt_PT"),
        ("xx, id;q=0.5, pl;q=0.7", "", "", "pl"),
        ("en;q=0.1, de", "", "", "de"),
        ("pl;q=0, de;q=0.1", "", "", "de"),
        ("*", "", "", "en"),
        ("pl;q=high, de;q=0.1", "", "", "de"),
        ("pl", "lang=id", "", "id"),
        ("pl", "theme=dark; lang=pt_PT", "", "pt_PT"),
        ("pl", "lang=xx", "", "pl"),
        ("pl", "lang=\x00;=;lang", "", "pl"),
        ("pl", 'other={"a": 1}; lang=de', "", "de"),
        ("pl", "name=Łoś; lang=de", "", "de"),
        ("pl", "my[session]=1; lang=de", "", "de"),
        ("pl", 'lang=xx;lang="de"', "", "de"),
        ("pl", "lang=id", "lang=es", "es"),
        ("pl", "", "lang=pt-PT", "pt_PT"),
        ("pl", "", "lang=&lang=de", "de"),
        ("pl", "", "lang=%ff%00", "pl"),
        (";;;,,,=;q=;q", "", "", "en"),
    ],
)
def test_the_address_wins_over_the_choice_and_that_over_the_browser(
    accept: str, cookie: str, query: str, language: str
) -> None:
    headers = {b"accept-language": accept.encode(), b"cookie": cookie.encode()}
    assert language_of(headers, query.encode()) == language


def test_the_language_of_an_address_outlasts_the_next_form(served: Served) -> None:
    browser = served.browser()
    page = browser.get("/?lang=pl")
    assert '<html lang="pl"' in page.text
    csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert csrf
    fields = {"csrf": csrf[1], "start": "alone", "rules": "traditional"}
    table = browser.post("/new", data=fields, follow_redirects=True)
    assert table.status_code == 200
    assert '<html lang="pl"' in table.text
    assert '<html lang="pl"' in browser.get("/games").text
    assert "set-cookie" not in browser.get("/?lang=pl").headers
    browser.get("/api/rules?lang=de")  # no page
    browser.get("/?lang=xx")
    assert browser.cookies["lang"] == "pl"


def test_every_language_can_be_chosen_by_its_own_name() -> None:
    assert [tag for tag, _ in language_names()] == list(languages())
    assert ("pl", "Polski") in language_names()
    assert ("pt_PT", "Português") in language_names()
