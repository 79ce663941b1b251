"""Whole games in a real browser: by mouse, by keys, without JavaScript, on a phone, by several."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.people import Guest
from yachtdice.notation import parse_record
from yachtdice.rules import Game

pytestmark = pytest.mark.system

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def points_of(page: Page, column: int = 0) -> int:
    return int(page.locator(".total td").nth(column).inner_text())


def play_turn(who: Guest, rolls: int = 2) -> None:
    """Roll, keep the first die, roll again, and score the best-paying box, else a zero."""
    page: Page = who.page
    who.changes(page.locator("#roll").click)
    for _ in range(rolls - 1):
        page.locator("#tray label").first.click()
        who.changes(page.locator("#roll").click)
    offers = page.locator(".offer button")
    if offers.count():
        best = max(range(offers.count()), key=lambda i: int(offers.nth(i).inner_text()))
        who.changes(offers.nth(best).click)
    else:
        page.locator(".zero button").first.click()
        who.changes(page.locator("#sure").click)


def record_of(who: Guest) -> Game:
    """Return the game as the record that can be downloaded tells it."""
    link = who.page.get_by_role("link", name="Download the record")
    href = str(link.get_attribute("href"))
    return parse_record(who.context.request.get(who.address + href).text()).game


def test_alone_by_mouse(guest: Callable[..., Guest]) -> None:
    ana = guest()
    ana.go()
    ana.page.get_by_role("button", name="Play alone").click()
    for number in range(1, 13):
        expect(ana.page.locator(".corner")).to_have_text(f"Round {number} of 12")
        play_turn(ana)
    total = points_of(ana.page)
    expect(ana.page.locator(".result")).to_have_text(f"You scored {total} points.")
    game = record_of(ana)
    assert game.position.is_over
    assert game.position.cards[0].total == total
    ana.page.get_by_role("button", name="Play again").click()
    expect(ana.page.locator(".corner")).to_have_text("Round 1 of 12")


def test_alone_by_keys(guest: Callable[..., Guest]) -> None:
    ana = guest()
    ana.go()
    page: Page = ana.page
    page.get_by_role("button", name="Play alone").focus()
    page.keyboard.press("Enter")
    ana.ready("Round 1 of 12")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    for number in range(12):
        # R and the space bar roll alike, from wherever nothing else has the focus.
        ana.changes(lambda: page.keyboard.press("r"))
        page.keyboard.press("2")
        expect(page.locator('#tray [data-key="2"]')).to_be_checked()
        kept = page.locator("#tray label").nth(1).inner_text()
        if number % 2:
            page.keyboard.press("Escape")
            expect(page.locator("#roll")).to_be_focused()
            ana.changes(lambda: page.keyboard.press(" "))
            expect(page.locator("#roll")).to_be_focused()
        else:
            ana.changes(lambda: page.keyboard.press("R"))
        expect(page.locator('#tray [data-key="2"]')).to_be_checked()
        assert page.locator("#tray label").nth(1).inner_text() == kept
        page.keyboard.press("ArrowDown")
        box = page.locator(".card tbody button").first
        expect(box).to_be_focused()
        if "zero" in (box.locator("xpath=..").get_attribute("class") or ""):
            page.keyboard.press("Enter")
            expect(page.locator(".armed button")).to_be_focused()
        ana.changes(lambda: page.keyboard.press("Enter"))
        if number < 11:
            expect(page.locator("#roll")).to_be_focused()
    expect(page.locator(".result")).to_be_visible()
    assert record_of(ana).position.is_over


def test_alone_without_javascript(guest: Callable[..., Guest]) -> None:
    ana = guest(java_script_enabled=False)
    page: Page = ana.page
    ana.go()
    page.get_by_role("button", name="Play alone").click()
    for number in range(12):
        page.locator("#roll").click()
        page.locator("#tray label").nth(number % 5).click()
        page.locator("#roll").click()
        expect(page.locator("#tray input:checked")).to_have_count(1)
        box = page.locator(".card tbody button").first
        is_zero = "zero" in (box.locator("xpath=..").get_attribute("class") or "")
        box.click()
        if is_zero:
            assert "?zero=" in page.url
            page.locator("#sure").click()
    expect(page.locator(".result")).to_be_visible()
    assert record_of(ana).position.is_over


def test_against_the_computer_on_a_phone(guest: Callable[..., Guest]) -> None:
    ana = guest(**PHONE)
    ana.go()
    page: Page = ana.page
    page.get_by_role("button", name="Perfect").click()
    for number in range(12):
        expect(page.locator(".status")).to_have_text("Your turn")
        # Card, dice and button stand on the screen together; nothing scrolls sideways.
        for part in (".total", "#roll"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        assert ana.overflow() == 0
        play_turn(ana, rolls=1 + number % 3)
    expect(page.locator(".result")).to_be_visible()
    game = record_of(ana)
    assert game.position.is_over
    assert len(game.position.cards) == 2


def test_two_pass_one_device(guest: Callable[..., Guest]) -> None:
    ana = guest(**PHONE)
    ana.go("/?rules=all-dice")
    page: Page = ana.page
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill('Gu"est {0} %s <b>')
    page.get_by_role("button", name="Play, passing the device").click()
    expect(page.locator("h1")).to_have_text("All dice")
    expect(page.locator(".sign .who")).to_have_text("Ana’s turn")  # noqa: RUF001 - an apostrophe
    assert page.locator("tbody th .label").first.inner_text() == "Yacht"
    play_turn(ana)
    expect(page.locator(".sign .who")).to_have_text('Pass the device to Gu"est {0} %s <b>')
    play_turn(ana)
    expect(page.locator(".sign .who")).to_have_text("Pass the device to Ana")


def test_online_with_a_spectator(guest: Callable[..., Guest]) -> None:
    ana, bea, cy = guest(), guest(**PHONE), guest()
    ana.go()
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.get_by_role("button", name="Open a table").click()
    link = ana.page.get_by_label("Link to this table").input_value()
    assert ana.page.locator(".qr svg").is_visible()
    for other in (bea, cy):
        other.page.goto(link)
    bea.page.get_by_label("Your name").fill("Bea")
    bea.page.get_by_role("button", name="Take a seat").click()
    expect(ana.page.locator(".places")).to_contain_text("Bea")
    ana.page.get_by_label("Who starts").select_option("Ana")
    ana.page.get_by_role("button", name="Begin with 2 players").click()
    for one in (ana, bea, cy):
        expect(one.page.locator(".corner")).to_have_text("Round 1 of 12")
    expect(cy.page.locator("#roll")).to_have_text("Ana is playing")
    for number in range(12):
        for mover, other in ((ana, bea), (bea, ana)):
            expect(mover.page.locator(".status")).to_have_text("Your turn")
            if number == 0:
                # Each step is seen by everybody, without anybody asking.
                mover.changes(mover.page.locator("#roll").click)
                faces = mover.page.locator("#tray label .vh").all_inner_texts()
                for one in (other, cy):
                    dice = one.page.locator("#tray .die .vh")
                    expect(dice).to_have_text(faces)
                mover.changes(mover.page.locator(".offer button").first.click)
            else:
                play_turn(mover, rolls=1)
    for one in (ana, bea, cy):
        expect(one.page.locator(".result")).to_be_visible()
    assert cy.page.get_by_role("button", name="Rematch").count() == 0
    assert record_of(cy).names == ("Ana", "Bea")
    bea.page.get_by_role("button", name="Rematch").click()
    expect(bea.page.locator("thead th").first).to_contain_text("Bea")
    ana.page.get_by_role("link", name="Go there").click()
    expect(ana.page.locator(".status")).to_have_text("Bea to roll")


def test_coming_back_in_mid_turn(guest: Callable[..., Guest]) -> None:
    ana, bea = guest(), guest()
    ana.go()
    ana.page.get_by_role("button", name="Open a table").click()
    bea.page.goto(ana.page.get_by_label("Link to this table").input_value())
    bea.page.get_by_role("button", name="Take a seat").click()
    ana.page.get_by_role("button", name="Begin with 2 players").wait_for()
    ana.page.get_by_label("Who starts").select_option("Player 1")
    ana.page.get_by_role("button", name="Begin with 2 players").click()
    ana.changes(ana.page.locator("#roll").click)
    dice = ana.page.locator("#tray label .vh").all_inner_texts()
    # A reload, and a new page of the same browser, find the same seat with the same dice.
    ana.page.reload()
    assert ana.page.locator("#tray label .vh").all_inner_texts() == dice
    second = ana.context.new_page()
    second.goto(ana.page.url)
    assert second.locator("#tray label .vh").all_inner_texts() == dice
    second.close()
    # Bea loses her network while Ana plays on, and is told so.
    bea.context.set_offline(True)
    expect(bea.page.locator("#lost")).to_be_visible()
    ana.changes(ana.page.locator("#roll").click)
    ana.changes(ana.page.locator(".offer button").first.click)
    bea.context.set_offline(False)
    expect(bea.page.locator("#lost")).to_be_hidden()
    expect(bea.page.locator(".status")).to_have_text("Your turn")
    play_turn(bea, rolls=1)
    expect(ana.page.locator(".status")).to_have_text("Your turn")
    # While the line was down the browser itself complained; nothing else did.
    bea.troubles = [t for t in bea.troubles if "ERR_" not in t and "fetch" not in t.lower()]


def test_a_stale_page_changes_nothing(guest: Callable[..., Guest]) -> None:
    ana = guest()
    ana.go()
    ana.page.get_by_role("button", name="Play alone").click()
    old = guest(java_script_enabled=False, storage_state=ana.context.storage_state())
    old.page.goto(ana.page.url)
    play_turn(ana)
    after = ana.version
    ana.changes(ana.page.locator("#roll").click)
    assert ana.version != after
    old.page.locator("#roll").click()
    # The same person, the same thing, from an old page: the first answer once more, no second roll.
    expect(old.page.locator("#live")).to_be_visible()
    ana.page.reload()
    assert int(ana.version) == int(after) + 1


def test_scorekeeper(guest: Callable[..., Guest]) -> None:
    ana = guest(**PHONE)
    ana.go()
    page: Page = ana.page
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("Bea")
    page.get_by_role("button", name="Keep the score of real dice").click()
    # Five taps, as fast as they come; then the boxes say what the dice are worth.
    for face in ("four", "four", "four", "four", "one"):
        page.get_by_role("button", name=face, exact=True).click()
    offer = page.get_by_role("button", name="Score 16: Four of a Kind")
    offer.wait_for()
    ana.changes(offer.click)
    assert "?" not in page.url
    # Points alone, then a correction that the story tells.
    page.get_by_role("button", name="Enter points: Choice").click()
    ana.changes(page.get_by_role("button", name="Score 21: Choice").click)
    page.get_by_role("button", name="Correct 21: Choice, Bea").click()
    ana.changes(page.get_by_role("button", name="Score 23: Choice").click)
    expect(page.locator(".story")).to_contain_text("Choice: 23 instead of 21")
    # Half a turn typed, and the phone locks: the address has kept it.
    page.get_by_role("button", name="six", exact=True).click()
    page.get_by_role("button", name="two", exact=True).click()
    assert page.url.endswith("?dice=62")
    page.reload()
    assert page.locator(".typed .vh").all_inner_texts() == ["6", "2"]
    page.get_by_role("button", name="Take the last die back").click()
    expect(page.locator(".typed .vh")).to_have_text(["6"])


def test_scorekeeper_without_javascript(guest: Callable[..., Guest]) -> None:
    ana = guest(java_script_enabled=False)
    ana.go()
    page: Page = ana.page
    page.get_by_role("button", name="Keep the score of real dice").click()
    for face in ("six", "five", "four", "three", "two"):
        page.get_by_role("button", name=face, exact=True).click()
    page.get_by_role("button", name="Score 30: Big Straight").click()
    for face in ("one", "one", "two", "three", "four"):
        page.get_by_role("button", name=face, exact=True).click()
    page.get_by_role("button", name="Enter a zero: Yacht").click()
    page.locator("#sure").click()
    page.get_by_role("button", name="Correct 0: Yacht, Player 2").click()
    page.get_by_role("link", name="Choice").click()
    page.get_by_role("button", name="Score 11: Choice").click()
    expect(page.locator(".story")).to_contain_text("no longer in the box Yacht")
    assert points_of(page, 1) == 11
