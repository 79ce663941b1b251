"""How the pages look to everybody: axe in light and dark, narrow, with large text, mirrored."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.web.browser.people import Guest

pytestmark = pytest.mark.system

AXE = Axe()
DIE = 56
TARGET = 44
LEAST = 24


def check(who: Guest, name: str) -> None:
    """Hold the page against axe in both themes, and against narrow screens and large text."""
    page: Page = who.page
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = AXE.run(page).response["violations"]
        told = [f"{v['id']}: {node['html']}" for v in found for node in v["nodes"]]
        assert told == [], f"{name} in {scheme}"
    size = page.viewport_size
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert who.overflow() == 0, f"{name} at {width}"
    # Twice the text on the narrowest screen: nothing is lost to the side.
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert who.overflow() == 0, f"{name} at 320 with 200 % text"
    page.evaluate("() => { document.documentElement.style.fontSize = '' }")
    page.evaluate("() => { document.documentElement.dir = 'rtl' }")
    assert who.overflow() == 0, f"{name} mirrored"
    page.evaluate("() => { document.documentElement.dir = 'ltr' }")
    assert size is not None
    page.set_viewport_size(size)


def test_pages_around_the_table(guest: Callable[..., Guest]) -> None:
    ana = guest()
    for path in ("/", "/?rules=all-dice", "/rules", "/keys", "/games"):
        ana.go(path)
        check(ana, path)
    for path in ("/nowhere", "/table/aaaaaaaaaaaaaaaa"):
        ana.go(path)
        expect(ana.page.locator("h1")).to_have_text(
            "No page here" if "now" in path else "No table here"
        )
        check(ana, path)
    # The browser itself notes that such a page was answered with 404.
    ana.troubles = [t for t in ana.troubles if "status of 404" not in t]


def test_the_table_in_all_its_states(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.get_by_label("6", exact=True).check(force=True)
    for number, name in enumerate(("Ana", "Bea", "Cy", "Dorota Maria Anna", "Eve", "F"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_role("button", name="Play, passing the device").click()
    check(ana, "the start of a turn")
    ana.changes(page.locator("#roll").click)
    page.locator("#tray label").nth(2).click()
    check(ana, "dice of six")
    page.locator("#menu summary").click()
    check(ana, "the menu")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    check(ana, "the keys")
    page.keyboard.press("Escape")
    page.locator(".zero button").first.click()
    page.locator("#sure").wait_for()
    check(ana, "a zero is asked")
    page.locator("#menu summary").click()
    page.get_by_role("link", name="Leave or give up").click()
    check(ana, "giving up")
    ana.go("/games")
    check(ana, "a list of games")


def test_the_end_and_the_replay(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play alone").click()
    for _ in range(12):
        ana.changes(page.locator("#roll").click)
        if page.locator(".offer button").count():
            ana.changes(page.locator(".offer button").first.click)
        else:
            page.locator(".zero button").first.click()
            ana.changes(page.locator("#sure").click)
    check(ana, "the end")
    page.get_by_role("link", name="Replay roll by roll").click()
    expect(page.locator(".status")).to_have_text("Step 1 of 25")
    ana.ready("Round 1 of 12")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".status")).to_have_text("Step 2 of 25")
    assert page.url.endswith("/replay/2")
    check(ana, "the replay")
    page.keyboard.press("End")
    expect(page.locator(".status")).to_have_text("Step 25 of 25")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".status")).to_have_text("Step 24 of 25")
    # The same without JavaScript, for somebody who was only sent the link.
    bea = guest(java_script_enabled=False)
    bea.page.goto(page.url)
    bea.page.get_by_role("link", name="One step back").click()
    expect(bea.page.locator(".status")).to_have_text("Step 23 of 25")


def test_online(guest: Callable[..., Guest]) -> None:
    ana, bea, cy = guest(), guest(), guest()
    ana.go()
    ana.page.get_by_role("button", name="Open a table").click()
    link = ana.page.get_by_label("Link to this table").input_value()
    check(ana, "the host's lobby")
    ana.page.get_by_role("button", name="Novice").click()
    for other in (bea, cy):
        other.page.goto(link)
    check(bea, "an invitation")
    bea.page.get_by_role("button", name="Take a seat").click()
    check(bea, "waiting for the host")
    cy.page.get_by_role("button", name="Take a seat").click()
    ana.page.get_by_role("button", name="Remove Player 4").click()
    expect(cy.page.locator("#removed")).to_be_visible()
    check(cy, "removed")
    ana.page.get_by_label("Who starts").select_option("Player 1")
    ana.page.get_by_role("button", name="Begin with 3 players").click()
    ana.page.locator("#roll").wait_for()
    expect(bea.page.locator("#roll")).to_have_text("Player 1 is playing")
    check(bea, "somebody else's turn")
    bea.page.locator("#menu summary").click()
    bea.page.get_by_role("link", name="Leave or give up").click()
    check(bea, "leaving")
    bea.page.get_by_role("button", name="Leave for now").click()
    check(bea, "having left")
    expect(ana.page.get_by_text("Player 3 has been away for a while.")).to_be_visible()
    check(ana, "somebody is away")
    bea.page.get_by_role("button", name="Play on yourself").click()
    expect(ana.page.get_by_text("Player 3 has been away for a while.")).to_be_hidden()


def test_real_dice(guest: Callable[..., Guest]) -> None:
    ana = guest()
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Keep the score of real dice").click()
    check(ana, "real dice")
    ana.ready("Round 1 of 12")
    for face in "12345":
        page.keyboard.press(face)
    page.get_by_role("button", name="Score 30: Little Straight").wait_for()
    check(ana, "five dice typed")
    ana.changes(page.get_by_role("button", name="Score 30: Little Straight").click)
    page.get_by_role("button", name="Enter points: Choice").click()
    page.get_by_role("button", name="Score 30: Choice").wait_for()
    check(ana, "points")
    page.get_by_role("link", name="Back").click()
    page.get_by_role("button", name="Correct 30: Little Straight, Player 1").click()
    page.get_by_text("what should it say?").wait_for()
    check(ana, "a correction")


def test_the_phone_shows_all_at_once(guest: Callable[..., Guest]) -> None:
    ana = guest(viewport={"width": 360, "height": 640}, has_touch=True)
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play, passing the device").click()
    ana.changes(page.locator("#roll").click)
    height = page.evaluate("() => innerHeight")
    for part in (".bar", "thead", "tbody tr:last-child", ".total", "#tray", "#roll"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, part
    for die in page.locator("#tray label").all():
        box = die.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= DIE
    roll = page.locator("#roll").bounding_box()
    assert roll is not None
    assert roll["height"] >= TARGET
    for button in page.locator(".card button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST
    assert len(page.locator("tbody tr").all()) == 12


def test_with_six_the_mover_and_oneself_stay_in_view(guest: Callable[..., Guest]) -> None:
    ana = guest(viewport={"width": 360, "height": 640}, has_touch=True)
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Open a table").click()
    for _ in range(5):
        ana.changes(page.get_by_role("button", name="Perfect").click)
    page.get_by_label("Who starts").select_option("Player 1")
    page.get_by_role("button", name="Begin with 6 players").click()
    page.locator("#roll").wait_for()
    scroll = page.locator(".scroll")
    scroll.evaluate("(it) => { it.scrollLeft = 1000 }")
    assert scroll.evaluate("(it) => it.scrollLeft > 0")
    expect(page.locator("thead .me")).to_be_in_viewport(ratio=1)
    assert ana.overflow() == 0


def test_a_chosen_theme_is_kept(guest: Callable[..., Guest]) -> None:
    ana = guest(java_script_enabled=False, color_scheme="light")
    ana.go("/rules")
    ana.page.locator("#menu summary").click()
    ana.page.get_by_role("button", name="Dark").click()
    assert ana.page.url.endswith("/rules")
    ana.go("/")
    assert ana.page.locator("html").get_attribute("data-theme") == "dark"


def test_a_roll_tumbles_briefly_and_kept_dice_lie_still(guest: Callable[..., Guest]) -> None:
    ana = guest(reduced_motion="no-preference")
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play alone").click()
    ana.ready("Round 1 of 12")
    page.keyboard.press("r")
    page.locator("#tray").wait_for()
    # The next key does not wait for the dice to lie still.
    page.keyboard.press("3")
    expect(page.locator('#tray [data-key="3"]')).to_be_checked()
    before = ana.version
    page.keyboard.press("r")
    page.wait_for_selector(f'#live:not([data-version="{before}"])')
    moving = page.evaluate(
        """() => document.getAnimations().filter(a => a.animationName === "tumble").map(a => [
            a.effect.target.htmlFor.slice(-1), a.effect.getComputedTiming().endTime])"""
    )
    assert sorted(place for place, _ in moving) == ["1", "2", "4", "5"]
    assert max(time for _, time in moving) < 500
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_forced_colours_keep_what_is_kept_apart(guest: Callable[..., Guest]) -> None:
    ana = guest(forced_colors="active")
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play alone").click()
    ana.changes(page.locator("#roll").click)
    page.locator("#tray label").first.click()
    tops = [die.bounding_box() for die in page.locator("#tray label").all()]
    assert tops[0] is not None
    assert tops[1] is not None
    assert tops[0]["y"] > tops[1]["y"] + 10
