"""The pages in every language on a phone, in two that nobody speaks, and in two at one table."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from tests.waiting import DEADLINE
from tests.web.browser.people import Guest
from tests.web.conftest import Client
from yachtdice.i18n import category_name, languages, pgettext, seat_name, use_language
from yachtdice.i18n.pseudo import MIRRORED, PSEUDO_LANGUAGES
from yachtdice.rules import CATEGORIES, Category
from yachtdice.web.edge.language import html_tag

pytestmark = pytest.mark.system

RECORDS = Path(__file__).parents[2] / "coach" / "records"
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
WIDER = """() => [...document.querySelectorAll("button, .button, label, legend, h1, h2, th, li, p")]
    .filter(it => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 1
        && getComputedStyle(it).overflowX === "visible" && getComputedStyle(it).display !== "inline"
        && !it.closest(".scroll, .scroll-x, .vh"))
    .map(it => it.outerHTML)"""
# What the pages say is shown whole: neither an ellipsis nor a last line takes a part of it.
CUT = """() => [...document.querySelectorAll("body *")]
    .filter(it => !it.closest(".vh, script, style, svg") && it.checkVisibility()
        && getComputedStyle(it).overflow !== "visible"
        && (getComputedStyle(it).textOverflow === "ellipsis" && it.scrollWidth > it.clientWidth
            || it.matches(".name") && it.scrollHeight > it.clientHeight + 1))
    .map(it => it.outerHTML)"""
# Words that stand on two lines without a hyphen between them.
BROKEN = """() => [...document.querySelectorAll("th, h1, h2, h3, .button, button, td.most, .label")]
    .filter(it => it.checkVisibility() && !it.closest(".vh"))
    .flatMap(it => [...it.childNodes].filter(node => node.nodeType === Node.TEXT_NODE))
    .flatMap(node => [...node.textContent.matchAll(/[\\p{L}\\d]+/gu)].filter(word => {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(box => box.top)).size > 1;
    }).map(word => word[0]))"""

Guests = Callable[..., Guest]

each_language = pytest.mark.parametrize("language", [*languages(), *PSEUDO_LANGUAGES])


@pytest.fixture(scope="module")
def over(server: str) -> Iterator[str]:
    """Return the address of a game that is over, of two players with real dice."""
    with httpx.Client(base_url=server, timeout=DEADLINE) as http:
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
    if language in languages():
        assert who.page.evaluate(CUT) == [], who.page.url
        assert who.page.evaluate(BROKEN) == [], who.page.url


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
    paths = ("/rules", "/keys", "/games", "/analyse", "/nowhere", f"{over}/report", over)
    for path in (*paths, f"{over}/replay", f"{over}/replay/24", "/"):
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
    ana.changes(page.locator("#roll").click)
    for keys, dialog in (("Escape", "#menu"), ("?", "#keys")):
        page.locator("#menu summary").click() if dialog == "#menu" else page.keyboard.press(keys)
        expect(page.locator(dialog)).to_be_visible()
        fits(ana, language)
        page.keyboard.press("Escape")
    page.locator("#tray label").nth(1).click()
    fits(ana, language)
    ana.changes(page.locator("#roll").click)
    play_to_the_end(ana, language)
    expect(page.locator(".result")).to_be_visible()
    with use_language(language):
        expect(page.locator(".status")).to_have_text(pgettext("state", "Game over"))
    # The browser itself notes that a page was answered with 404.
    ana.troubles = [t for t in ana.troubles if "status of 404" not in t]


def play_to_the_end(who: Guest, language: str) -> None:
    """Fill the first boxes of both cards, zeros too, from dice that lie there already."""
    page = who.page
    for turn in range(2 * len(CATEGORIES)):
        if turn:
            who.changes(page.locator("#roll").click)
        if page.locator(".offer button").count():
            who.changes(page.locator(".offer button").first.click)
        else:
            page.locator(".zero button").first.click()
            page.locator("#sure").wait_for()
            fits(who, language)
            who.changes(page.locator("#sure").click)
        fits(who, language)


@each_language
def test_the_coach_on_a_phone(guest: Guests, language: str) -> None:
    ana = speaking(guest, language)
    page: Page = ana.page
    for name in ("four-at-a-table", "unfinished", "real-dice"):
        ana.go("/analyse")
        page.locator("#record").fill((RECORDS / f"{name}.yacht").read_text("utf-8"))
        page.locator("form.analyse .button").click()
        expect(page.locator(".coach h1")).to_be_visible()
        for more in page.locator(".coach details > summary").all():
            more.click()
        fits(ana, language)
    ana.go("/analyse")
    page.locator("form.analyse .button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    fits(ana, language)
    ana.go("/")
    alone = page.locator("form", has=page.locator("button[value=alone]"))
    alone.locator("input[name=hints]").check()
    alone.locator("button[value=alone]").click()
    for turn in range(len(CATEGORIES)):
        expect(page.locator("#advice")).not_to_be_empty()
        ana.changes(page.locator("#roll").click)
        if language in languages() and not turn:
            # What is best, the dice, the button and the whole card are there at once.
            for part in (".card tfoot", "#tray", "#advice", "#roll"):
                expect(page.locator(part)).to_be_in_viewport(ratio=1)
        if page.locator(".offer button").count():
            ana.changes(page.locator(".offer button").first.click)
        else:
            page.locator(".zero button").first.click()
            ana.changes(page.locator("#sure").click)
        fits(ana, language)
    page.goto(f"{page.url}/report")
    expect(page.locator(".coach h1")).to_be_visible()
    fits(ana, language)
    ana.go("/stats")
    expect(page.locator(".coach h1")).to_be_visible()
    for more in page.locator(".coach details > summary").all():
        more.click()
    fits(ana, language)
    for _exercise in range(3):
        ana.go("/train")
        expect(page.locator("#tray .die")).to_have_count(5)
        fits(ana, language)
        page.locator(".card td button").first.click()
        expect(page.locator(".coach-comparison")).to_be_visible()
        fits(ana, language)
    # The browser itself notes that such a page was answered with 422.
    ana.troubles = [t for t in ana.troubles if "status of 422" not in t]


@each_language
def test_a_full_table_and_real_dice_on_a_phone(guest: Guests, language: str) -> None:
    ana = speaking(guest, language)
    page: Page = ana.page
    for number in (3, 6):
        ana.go("/")
        page.locator(f"#n{number}").check(force=True)
        page.locator("button[value=people]").click()
        ana.changes(page.locator("#roll").click)
        fits(ana, language)
        if language in languages() and number == 3:
            for part in (".card tfoot", "#tray", "#roll"):
                expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.goto(f"{page.url.partition('?')[0]}/leave")
    fits(ana, language)
    ana.go("/")
    page.locator("button[value=score]").click()
    page.locator("html.js .padkey").first.wait_for()
    fits(ana, language)
    for face in "12345":
        page.keyboard.press(face)
    page.locator(".offer button").first.wait_for()
    fits(ana, language)
    ana.changes(page.locator(".offer button").first.click)
    for name in ("box", "fix"):
        page.goto(page.url.partition("?")[0])
        page.locator(f"button[name={name}]").first.click()
        page.wait_for_url(f"**?*{name}=*")
        fits(ana, language)


@each_language
def test_an_online_table_on_phones(guest: Guests, language: str) -> None:
    ana, bea = speaking(guest, language), speaking(guest, language)
    ana.go("/")
    ana.page.locator("button[value=online]").click()
    ana.page.locator("#link").wait_for(state="attached")
    bea.page.goto(ana.page.url)
    fits(bea, language)
    bea.page.locator("button[value=join]").click()
    ana.changes(ana.page.locator('button[value="bot skilled"]').click)
    for who in (ana, bea):
        expect(who.page.locator(".places .who")).to_have_count(4)  # three, and those that are free
        fits(who, language)
    ana.page.locator("#first").select_option("0")
    ana.changes(ana.page.locator("#begin").click)
    ana.changes(ana.page.locator("#roll").click)
    bea.page.locator("#tray").wait_for()
    for who in (ana, bea):
        fits(who, language)


@pytest.mark.parametrize("language", languages())
def test_a_wide_screen(guest: Guests, over: str, language: str) -> None:
    ana = guest(extra_http_headers={"Accept-Language": html_tag(language)})
    for path in ("/", "/rules", "/keys", over, f"{over}/report", f"{over}/replay/24"):
        opens(ana, path, language)
    ana.go("/")
    ana.page.locator("button[value=people]").click()
    ana.changes(ana.page.locator("#roll").click)
    fits(ana, language)
    ana.go("/")
    ana.page.locator("button[value=online]").click()
    ana.page.locator("#link").wait_for(state="attached")
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
