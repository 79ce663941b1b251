"""The pages in every language on a phone, in two that nobody speaks, and in two at one table."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from tests.web.browser.people import Guest
from tests.web.conftest import Client
from yachtdice.i18n import category_name, languages, pgettext, seat_name, use_language
from yachtdice.i18n.pseudo import MIRRORED, PSEUDO_LANGUAGES
from yachtdice.rules import CATEGORIES, Category
from yachtdice.web.language import html_tag

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
WIDER = """() => [...document.querySelectorAll("button, .button, label, legend, h1, h2, th, li, p")]
    .filter(it => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 1
        && getComputedStyle(it).overflowX === "visible" && getComputedStyle(it).display !== "inline"
        && !it.closest(".scroll, .scroll-x, .vh"))
    .map(it => it.outerHTML)"""

Guests = Callable[..., Guest]

each_language = pytest.mark.parametrize("language", [*languages(), *PSEUDO_LANGUAGES])


@pytest.fixture(scope="module")
def over(server: str) -> Iterator[str]:
    """Return the address of a game that is over, of two players with real dice."""
    with httpx.Client(base_url=server, timeout=30) as http:
        ana = Client(http)
        people = [{"name": "Ana"}, {"name": ""}]
        table = ana.open(people=people, mode="device", dice="real")
        for category in CATEGORIES:
            for _seat in people:
                points = 5 if category is Category.CHOICE else 0
                table = ana.do(table, "enter_points", category=category.value, points=points)
        yield f"/table/{table['id']}"


def speaking(guest: Guests, language: str) -> Guest:
    """Return somebody with a phone whose browser prefers *language*."""
    return guest(**PHONE, extra_http_headers={"Accept-Language": html_tag(language)})


def fits(who: Guest, language: str) -> None:
    """Check the page that is shown: it is in that language, and nothing runs out of anything."""
    root = who.page.locator("html")
    assert root.get_attribute("lang") == html_tag(language)
    assert root.get_attribute("dir") == ("rtl" if language == MIRRORED else "ltr")
    assert who.overflow() == 0, who.page.url
    assert who.page.evaluate(WIDER) == [], who.page.url


def opens(who: Guest, path: str, language: str) -> None:
    """Open a page and check it, and what its answer says about it."""
    answer: Response | None = who.page.goto(who.address + path)
    assert answer is not None
    assert answer.headers["content-language"] == html_tag(language)
    links = who.page.locator("link[rel=alternate]").all()
    others = {str(link.get_attribute("hreflang")): link.get_attribute("href") for link in links}
    path = path.partition("?")[0]
    assert others == {html_tag(tag): f"{path}?lang={tag}" for tag in languages()}
    fits(who, language)


@each_language
def test_a_game_on_a_phone(guest: Guests, over: str, language: str) -> None:
    ana = speaking(guest, language)
    page: Page = ana.page
    for path in ("/rules", "/keys", "/games", over, f"{over}/replay", f"{over}/replay/24", "/"):
        opens(ana, path, language)
    page.locator("#n2").check(force=True)
    page.locator("button[value=people]").click()
    fits(ana, language)
    with use_language(language):
        names = [category_name(category) for category in CATEGORIES]
        players = [seat_name(("", ""), seat) for seat in (0, 1)]
        total = pgettext("card", "Total")
    assert [one.inner_text() for one in page.locator("tbody .label").all()] == names
    assert [one.inner_text() for one in page.locator("thead .name").all()] == players
    assert page.locator(".total th").inner_text() == total
    for _turn in range(2):
        ana.changes(page.locator("#roll").click)
        page.locator("#tray label").nth(1).click()
        fits(ana, language)
        ana.changes(page.locator("#roll").click)
        ana.changes(page.locator(".offer button").last.click)
        fits(ana, language)
    ana.changes(page.locator("#roll").click)
    page.locator(".zero button").first.click()
    page.locator("#sure").wait_for()
    fits(ana, language)
    page.locator("#menu summary").click()
    fits(ana, language)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    fits(ana, language)


def test_each_at_one_table_reads_it_in_a_language_of_their_own(guest: Guests) -> None:
    ana, bea = speaking(guest, "pl"), speaking(guest, "id")
    ana.go("/")
    ana.page.locator("button[value=online]").click()
    ana.page.locator("#link").wait_for(state="attached")
    bea.page.goto(ana.page.url)
    bea.page.locator("button[value=join]").click()
    # What follows reaches the other one by the stream alone.
    expect(ana.page.locator(".places .who").nth(1)).to_contain_text("Gracz 2")
    ana.page.locator("#first").select_option("0")
    ana.page.locator("#begin").click()
    for who, language, other in ((ana, "pl", "Gracz 2"), (bea, "id", "Pemain 1")):
        expect(who.page.locator("thead .name").filter(has_text=other)).to_be_visible()
        with use_language(language):
            fours = category_name(Category.FOURS)
        expect(who.page.locator("tbody .label").nth(3)).to_have_text(fours)
        fits(who, language)
    ana.changes(ana.page.locator("#roll").click)
    expect(bea.page.locator("#tray")).to_be_visible()
    expect(bea.page.locator("#tray legend")).to_have_text("Dadu")
    fits(bea, "id")
    ana.changes(ana.page.locator(".offer button").last.click)
    expect(bea.page.locator("#live")).to_have_class("live playing yours")
    expect(bea.page.locator(".status")).to_contain_text("Giliran Anda")
    expect(ana.page.locator(".status")).to_contain_text("Gracz 2")
    fits(ana, "pl")
    totals = [who.page.locator(".total td").all_inner_texts() for who in (ana, bea)]
    assert totals[0] == totals[1]


def test_a_language_that_is_chosen_on_a_page_is_kept(guest: Guests) -> None:
    ana = speaking(guest, "en")
    for tag, name in (("de", "Deutsch"), ("pt_PT", "Português")):
        ana.go("/rules")
        ana.page.locator("#menu summary").click()
        ana.page.get_by_role("button", name=name).click()
        expect(ana.page.locator("html")).to_have_attribute("lang", html_tag(tag))
        assert ana.page.url.endswith("/rules")
        ana.go("/")
        fits(ana, tag)
