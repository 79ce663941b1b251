"""Write the pictures in docs/screenshots: `python tools/screenshots.py`, with Chromium installed.

The dice are always the same, so a picture changes only where a page does; but for the lobby, which
shows the address of the server that was started for it.
"""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from yachtdice.chance import SeededChance
from yachtdice.play.tables import Tables
from yachtdice.web.server import Server, address, listen
from yachtdice.web.settings import Settings

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
WIDE = (1280, 800)
PHONE = (360, 640)
Scheme = Literal["light", "dark"]


@contextmanager
def served(seed: str) -> Iterator[str]:
    """Serve fresh tables with the dice of *seed*; give the address."""
    tables = Tables(chance=SeededChance(seed), bot_pause=0)
    ready = threading.Event()
    listening = listen("127.0.0.1", 0)
    server = Server(tables, Settings(secret="s" * 40, rate=0), ready.set)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    ready.wait(30)
    try:
        yield address("127.0.0.1", listening).rstrip("/")
    finally:
        server.stop()
        thread.join(30)


@contextmanager
def person(
    browser: Browser, site: str, scheme: Scheme, size: tuple[int, int] = WIDE
) -> Iterator[Page]:
    """Open the start page in a browser of its own; phones get pictures of twice the size."""
    context: BrowserContext = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=2 if size == PHONE else 1,
        has_touch=size == PHONE,
        locale="en",
    )
    page = context.new_page()
    page.goto(site)
    yield page
    context.close()


def picture(page: Page, name: str) -> None:
    """Write what *page* shows."""
    page.evaluate("() => document.activeElement && document.activeElement.blur()")
    page.screenshot(path=FOLDER / f"{name}.png")
    print(f"docs/screenshots/{name}.png")


def changes(page: Page, act: Callable[[], object]) -> None:
    """Do something, and wait until the page shows a newer table."""
    before = page.locator("#live").get_attribute("data-version")
    act()
    page.wait_for_selector(f'#live:not([data-version="{before}"])', state="attached")


def roll(page: Page, keep: int = 0) -> None:
    """Roll, then roll again with the dice that show the commonest face, *keep* times."""
    changes(page, page.locator("#roll").click)
    for _ in range(keep):
        labels = page.locator("#tray label .vh").all_inner_texts()
        faces = [label.rpartition(" ")[2] for label in labels]
        best = max(faces, key=faces.count)
        for place, face in enumerate(faces):
            die = page.locator("#tray input").nth(place)
            if (face == best) != die.is_checked():
                page.locator("#tray label").nth(place).click()
        if faces.count(best) < len(faces):
            changes(page, page.locator("#roll").click)


def score(page: Page) -> None:
    """Fill the best-paying box."""
    offers = page.locator(".offer button")
    if offers.count():
        points = [int(text) for text in offers.all_inner_texts()]
        changes(page, offers.nth(points.index(max(points))).click)
    else:
        page.locator(".zero button").first.click()
        changes(page, page.locator("#sure").click)


def turns(page: Page, number: int) -> None:
    """Play so many turns."""
    for _ in range(number):
        roll(page, keep=2)
        score(page)


def start(browser: Browser, site: str) -> None:
    """The start page, and the rules."""
    with person(browser, site, "light") as page:
        picture(page, "start")
        page.goto(f"{site}/rules")
        picture(page, "rules")
    with person(browser, site, "dark", PHONE) as page:
        picture(page, "start-phone")


def together(browser: Browser, site: str) -> None:
    """Two at one device: on a phone in the dark, and by daylight on a wide screen."""
    for scheme, size, name in (("dark", PHONE, "table-phone"), ("light", WIDE, "table")):
        with person(browser, site, scheme, size) as page:  # type: ignore[arg-type]
            page.get_by_label("Player 1").fill("Ana")
            page.get_by_label("Player 2").fill("Guest")
            page.get_by_role("button", name="Play, passing the device").click()
            turns(page, 9)
            if size == PHONE:
                picture(page, "pass-phone")
            roll(page, keep=1)
            picture(page, name)
            page.locator(".zero button").first.click()
            page.locator("#sure").wait_for()
            picture(page, f"{name}-zero")


def computer(browser: Browser, site: str) -> None:
    """Against the computer, to the end, and the replay."""
    with person(browser, site, "dark") as page:
        page.get_by_role("button", name="Perfect").click()
        for _ in range(12):
            page.locator(".live.yours").wait_for()
            turns(page, 1)
        page.locator(".result").wait_for()
        picture(page, "end")
        page.get_by_role("link", name="Replay roll by roll").click()
        for step in range(2, 26):
            page.get_by_role("link", name="One step on").click()
            page.locator(".status", has_text=f"Step {step} of").wait_for()
        picture(page, "replay")


def online(browser: Browser, site: str) -> None:
    """The lobby of an online table."""
    with person(browser, site, "light") as page:
        page.get_by_label("Your name").fill("Ana")
        page.get_by_role("button", name="Open a table").click()
        changes(page, page.get_by_role("button", name="Skilled").click)
        picture(page, "lobby")


def real(browser: Browser, site: str) -> None:
    """The scorekeeper."""
    with person(browser, site, "light", PHONE) as page:
        page.get_by_label("3", exact=True).check(force=True)
        for number, name in enumerate(("Ana", "Bea", "Cy"), start=1):
            page.get_by_label(f"Player {number}").fill(name)
        page.get_by_role("button", name="Keep the score of real dice").click()
        page.locator("html.js .padkey").first.wait_for()
        for dice in ("55521", "33366", "66612", "44441", "12345", "66661", "22"):
            for face in dice:
                page.keyboard.press(face)
            if len(dice) == len("55521"):
                page.locator(".offer button").first.wait_for()
                score(page)
        picture(page, "scorekeeper-phone")


def main() -> int:
    """Write all pictures; return 1 where there is no browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("Chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for scene in (start, together, computer, online, real):
            with served(scene.__name__) as site:
                scene(browser, site)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
