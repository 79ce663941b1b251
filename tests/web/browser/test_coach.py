"""The coach's pages in the browser: a report and where it leads, records, statistics, hints."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.people import Guest
from tests.web.browser.test_look import check
from tests.web.conftest import NO_LIMITS, serving

pytestmark = pytest.mark.system

RECORDS = Path(__file__).parents[2] / "coach" / "records"


def play(who: Guest, turns: int = 12) -> None:
    """Roll once and fill the first box, turn after turn."""
    page = who.page
    for _ in range(turns):
        who.changes(page.locator("#roll").click)
        if page.locator(".offer button").count():
            who.changes(page.locator(".offer button").first.click)
        else:
            page.locator(".zero button").first.click()
            who.changes(page.locator("#sure").click)


def test_from_the_end_to_the_report_and_on(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play alone").click()
    play(ana)
    page.get_by_role("link", name="What was luck, what was play?").click()
    expect(page.locator(".coach h1")).to_be_visible()
    check(ana, "a report")
    report = page.url
    page.get_by_role("link", name="See the position").first.click()
    expect(page.locator(".tray .die")).to_have_count(5)
    page.goto(report)
    page.get_by_role("button", name="Play on from here").first.click()
    page.wait_for_url("**/table/*")
    assert page.url != report.removesuffix("/report")
    expect(page.locator("#tray .die")).to_have_count(5)
    left = page.locator(".card td.offer, .card td.zero").count()
    play_on(ana, left)
    expect(page.locator(".result")).to_be_visible()
    page.locator("#menu summary").click()
    page.get_by_role("link", name="My games").click()
    page.get_by_role("link", name="Luck, play and dice").click()
    expect(page.locator(".coach h1")).to_be_visible()
    check(ana, "statistics")


def play_on(who: Guest, boxes: int) -> None:
    """Fill the boxes that are left, the first one with the dice that lie there."""
    page = who.page
    for turn in range(boxes):
        if turn:
            who.changes(page.locator("#roll").click)
        page.locator(".offer button, .zero button").first.click()
        page.wait_for_function("() => document.querySelector('#sure, .sign, .result') !== null")
        if page.locator("#sure").count():
            who.changes(page.locator("#sure").click)


def test_a_record_without_a_script(guest: Callable[..., Guest]) -> None:
    ana = guest(java_script_enabled=False)
    page: Page = ana.page
    ana.go("/analyse")
    page.get_by_label("Record", exact=True).fill("yacht\nnonsense")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Or a file with it").set_input_files(RECORDS / "four-at-a-table.yacht")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".coach h1")).to_be_visible()
    page.locator(".coach a[href^='#coach-']").first.click()
    expect(page.locator(".coach-notes li:target")).to_be_in_viewport()
    report = page.url.partition("#")[0]
    page.get_by_role("link", name="See the position").first.click()
    expect(page.locator(".tray .die")).to_have_count(5)
    page.get_by_role("link", name="One step on").click()
    page.get_by_role("link", name="Back to the report").click()
    assert page.url == report
    page.get_by_role("button", name="Play on from here").first.click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#tray .die")).to_have_count(5)
    # The browser itself notes that such a page was answered with 422.
    ana.troubles = [t for t in ana.troubles if "status of 422" not in t]


def test_records_and_reports_to_everybody(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go("/analyse")
    check(ana, "the form for a record")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(ana, "a record that is none")
    for path in sorted(RECORDS.glob("*.yacht")):
        ana.go("/analyse")
        page.get_by_label("Record", exact=True).fill(path.read_text(encoding="utf-8"))
        page.get_by_role("button", name="Analyse", exact=True).click()
        expect(page.locator(".coach h1")).to_be_visible()
        check(ana, path.stem)
    ana.troubles = [t for t in ana.troubles if "status of 422" not in t]


def test_hints_for_all_at_the_table(guest: Callable[..., Guest]) -> None:
    ana, eve = guest(), guest(viewport={"width": 360, "height": 640})
    page: Page = ana.page
    ana.go()
    alone = page.locator("form", has=page.get_by_role("button", name="Play alone"))
    alone.get_by_label("With hints").check()
    page.get_by_role("button", name="Play alone").click()
    expect(page.locator("#advice")).to_contain_text("Expected total: 167.0")
    eve.go(page.url.removeprefix(ana.address))
    ana.changes(page.locator("#roll").click)
    expect(page.locator("#advice")).to_contain_text("Best")
    expect(eve.page.locator("#advice")).to_have_text(page.locator("#advice").inner_text())
    check(ana, "a table with hints")
    # Card, dice, hint and button are there at once on a phone.
    page.set_viewport_size({"width": 360, "height": 640})
    for part in (".card tfoot", "#tray", "#advice", "#roll"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_a_report_that_has_to_wait(guest: Callable[..., Guest]) -> None:
    ana = guest()
    ana.go()
    ana.page.get_by_role("button", name="Play alone").click()
    ana.page.wait_for_url("**/table/*")
    table = ana.page.url.removeprefix(ana.address)
    ana.go(f"{table}/report")
    expect(ana.page.locator("h1")).to_have_text("The report comes at the end")
    check(ana, "no report yet")
    ana.page.get_by_role("link", name="Back to the table").click()
    ana.page.wait_for_url(f"**{table}")
    ana.troubles = [t for t in ana.troubles if "status of 403" not in t]


def test_the_trainer(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.locator("#menu summary").click()
    page.get_by_role("link", name="Trainer").click()
    # The first one on a server waits until exercises are made.
    expect(page.locator("#tray .die")).to_have_count(5)
    check(ana, "an exercise")
    page.set_viewport_size({"width": 360, "height": 640})
    for part in (".card tfoot", "#tray", "#roll"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    if page.locator("#tray label").count():
        page.locator("#tray label").first.click()
        page.locator("#roll").click()
    else:
        page.locator(".card td button").first.click()
    expect(page.locator(".coach-comparison")).to_be_visible()
    check(ana, "an answer")
    page.get_by_role("link", name="Next exercise").click()
    expect(page.locator("#tray .die")).to_have_count(5)
    page.get_by_role("link", name="The last turns").click()
    expect(page.locator(".status")).to_have_text("The last turns")
    expect(page.locator(".topics [aria-current]")).to_have_text("The last turns")
    page.get_by_role("link", name="From your own game").click()
    expect(page.locator("h1")).to_have_text("Trainer")
    check(ana, "no exercise")


def test_what_takes_long_says_so(guest: Callable[..., Guest]) -> None:
    with serving(replace(NO_LIMITS, page_timeout=0.0)) as slow:
        _see_the_coach_count(guest(server=slow.url.rstrip("/")))


def _see_the_coach_count(ana: Guest) -> None:
    # As long as there is no other answer, the page stays.
    ana.page.route("**/*wait=1", lambda route: route.fulfill(status=204))
    ana.go("/train")
    expect(ana.page.locator("progress")).to_be_visible()
    check(ana, "the coach is counting")
    ana.page.unroute("**/*wait=1")
    ana.go("/train")
    expect(ana.page.locator("#tray .die")).to_have_count(5)


def test_chances_to_win_for_all_at_the_table(guest: Callable[..., Guest]) -> None:
    phone = {"viewport": {"width": 360, "height": 640}}
    ana, eve = guest(), guest(**phone)
    page: Page = ana.page
    ana.go()
    computer = page.locator("form", has=page.get_by_role("button", name="Champion"))
    computer.get_by_label("chances to win").check()
    page.get_by_role("button", name="Champion").click()
    bar = page.get_by_role("group", name="Chances to win")
    expect(bar).to_contain_text("You 49%")
    expect(bar).to_contain_text("estimate")
    eve.go(page.url.removeprefix(ana.address))
    watched = eve.page.get_by_role("group", name="Chances to win")
    for _ in range(2):
        ana.changes(page.locator("#roll").click)
        ana.changes(page.locator(".offer button").first.click)
        page.wait_for_selector("#live.yours")
        shares = bar.locator("b").all_inner_texts()
        expect(watched.locator("b")).to_have_text(shares)
    ana.changes(page.locator("#roll").click)
    check(ana, "a table with chances")
    check(eve, "a table with chances, watched")
    # Card, bar, dice and button are there at once on a phone.
    page.set_viewport_size({"width": 360, "height": 640})
    for part in (".card tfoot", "#chances", "#tray", "#roll"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_chances_of_six_with_hints(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.get_by_label("6", exact=True).check(force=True)
    for number, name in enumerate(("Ana", "Bea", "Cy", "Dorota Maria Anna", "Eve", "F"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    people = page.locator("form", has=page.get_by_role("button", name="Play, passing"))
    people.get_by_label("With hints").check()
    people.get_by_label("chances to win").check()
    page.get_by_role("button", name="Play, passing the device").click()
    bar = page.get_by_role("group", name="Chances to win")
    expect(bar.locator("b")).to_have_count(6)
    expect(bar).to_contain_text("estimate")
    check(ana, "chances of six")


def test_both_on_a_phone(guest: Callable[..., Guest]) -> None:
    ana = guest(viewport={"width": 360, "height": 640})
    page: Page = ana.page
    ana.go()
    computer = page.locator("form", has=page.get_by_role("button", name="Champion"))
    computer.get_by_label("chances to win").check()
    computer.get_by_label("With hints").check()
    page.get_by_role("button", name="Champion").click()
    ana.changes(page.locator("#roll").click)
    for part in (".card tfoot", "#chances", "#tray", "#advice", "#roll"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
