"""Write pictures of the pages, with Chromium installed.

`python tools/screenshots.py` writes those in docs/screenshots anew: few, in English, and the table
on a phone in each language. `python tools/screenshots.py FOLDER [LANGUAGE ...]` writes every page
in every language, or in those that are named, on a phone and on a wide screen: to be looked at.

The dice are always the same, so a picture changes only where a page does; but for the lobby, which
shows the address of the server that was started for it.
"""

from __future__ import annotations

import io
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from yachtdice.dice_source import SeededDice
from yachtdice.i18n import SOURCE_LANGUAGE, languages
from yachtdice.play.online.tables import Tables
from yachtdice.web.edge.language import html_tag
from yachtdice.web.edge.settings import Settings
from yachtdice.web.server import Server, address, listen

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
WIDE = (1280, 800)
PHONE = (360, 640)
COLOURS = 128
"""How many a picture keeps: enough for the eye, and a third of the size."""
PATIENCE = 60_000
"""Milliseconds to wait for what the coach computes."""
Scheme = Literal["light", "dark"]


@contextmanager
def served(seed: str) -> Iterator[str]:
    """Serve fresh tables with the dice of *seed*; give the address."""
    tables = Tables(dice_source=SeededDice(seed), bot_pause=0)
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


@dataclass(frozen=True)
class Visitor:
    """Somebody who looks at the pages, and keeps pictures of them."""

    page: Page
    site: str
    folder: Path
    ending: str = ""

    def go(self, path: str) -> None:
        """Open a page."""
        self.page.goto(self.site + path)

    def take(self, name: str, *, whole: bool = False) -> None:
        """Keep what the page shows; the *whole* of it, or what fits the screen."""
        self.page.evaluate("() => document.activeElement && document.activeElement.blur()")
        drawn = Image.open(io.BytesIO(self.page.screenshot(full_page=whole)))
        path = self.folder / f"{name}{self.ending}.png"
        drawn.convert("RGB").quantize(COLOURS).save(path, optimize=True)
        print(path)

    def start(self, kind: str, **fields: str) -> None:
        """Begin a game by the button of that *kind* on the start page."""
        for name, value in fields.items():
            self.page.locator(f"input[name={name}]").fill(value)
        self.page.locator(f'button[name=start][value="{kind}"]').click()
        self.page.wait_for_url("**/table/*")

    def changes(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the page shows a newer table."""
        before = self.page.locator("#live").get_attribute("data-version")
        act()
        self.page.wait_for_selector(f'#live:not([data-version="{before}"])', state="attached")

    def roll(self, keep: int = 0) -> None:
        """Roll, then roll again with the dice that show the commonest face, *keep* times."""
        page = self.page
        self.changes(page.locator("#roll").click)
        for _ in range(keep):
            faces = str(page.locator("input[name=order]").get_attribute("value"))
            best = max(faces, key=faces.count)
            for place, face in enumerate(faces):
                die = page.locator("#tray input").nth(place)
                if (face == best) != die.is_checked():
                    page.locator("#tray label").nth(place).click()
            if faces.count(best) < len(faces):
                self.changes(page.locator("#roll").click)

    def score(self) -> None:
        """Fill the best-paying box."""
        offers = self.page.locator(".offer button")
        if offers.count():
            points = [int(text) for text in offers.all_inner_texts()]
            self.changes(offers.nth(points.index(max(points))).click)
        else:
            self.page.locator(".zero button").first.click()
            self.changes(self.page.locator("#sure").click)

    def turns(self, number: int) -> None:
        """Play so many turns."""
        for _ in range(number):
            self.page.locator("#roll:not([aria-disabled=true])").wait_for()
            self.roll(keep=2)
            self.score()

    def type_turns(self, *turns: str) -> None:
        """Type dice that were rolled by hand; the last ones of a turn that goes on."""
        self.page.locator("html.js .padkey").first.wait_for()
        for dice in turns:
            for face in dice:
                self.page.keyboard.press(face)
            if len(dice) == len("55521"):
                self.page.locator(".offer button").first.wait_for()
                self.score()


@dataclass(frozen=True)
class Studio:
    """A browser and a server, and where pictures go."""

    browser: Browser
    site: str
    folder: Path

    @contextmanager
    def visitor(
        self,
        scheme: Scheme,
        size: tuple[int, int] = WIDE,
        language: str = SOURCE_LANGUAGE,
        ending: str = "",
    ) -> Iterator[Visitor]:
        """Open the start page in a browser of its own; phones get pictures of twice the size."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion="reduce",
            device_scale_factor=2 if size == PHONE else 1,
            has_touch=size == PHONE,
            locale=html_tag(language),
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(self.site)
        yield Visitor(page, self.site, self.folder, ending)
        context.close()


def start(studio: Studio) -> None:
    """The start page."""
    with studio.visitor("light") as ana:
        ana.take("start")


def together(studio: Studio) -> None:
    """Two at one device, by daylight on a wide screen."""
    with studio.visitor("light") as ana:
        ana.start("people", name1="Ana", name2="Guest")
        ana.turns(9)
        ana.roll(keep=1)
        ana.take("table")


def phones(studio: Studio) -> None:
    """The same on a phone in the dark, in every language; the second player has no name."""
    for language in languages():
        ending = "" if language == SOURCE_LANGUAGE else f"-{language}"
        with studio.visitor("dark", PHONE, language, ending) as ana:
            ana.start("people", name1="Ana")
            ana.turns(9)
            ana.roll(keep=1)
            ana.take("table-phone")


def computer(studio: Studio) -> None:
    """Against the computer, to the end, and the replay."""
    with studio.visitor("dark") as ana:
        ana.start("computer perfect")
        ana.turns(12)
        ana.page.locator(".result").wait_for()
        ana.take("end")
        path = ana.page.url.removeprefix(ana.site)
        ana.go(f"{path}/replay/25")
        ana.take("replay")


def online(studio: Studio) -> None:
    """The lobby of an online table."""
    with studio.visitor("light") as ana:
        ana.start("online", me="Ana")
        ana.changes(ana.page.locator('button[value="bot skilled"]').click)
        ana.take("lobby")


def real(studio: Studio) -> None:
    """The scorekeeper."""
    with studio.visitor("light", PHONE) as ana:
        ana.page.locator("#n3").check(force=True)
        ana.start("score", name1="Ana", name2="Bea", name3="Cy")
        ana.type_turns("55521", "33366", "66612", "44441", "12345", "66661", "22")
        ana.take("scorekeeper-phone")


def everything(studio: Studio, language: str, size: tuple[int, int]) -> None:
    """Every page in one language and size, each as a whole where it is longer than the screen."""
    ending = "-phone" if size == PHONE else ""
    with studio.visitor("light", size, language, ending) as ana:
        page = ana.page
        for name in ("", "rules", "keys", "analyse", "nowhere"):
            ana.go(f"/{name}")
            ana.take(name or "start", whole=True)
        ana.go("/")
        ana.start("people", name1="Ana")
        ana.take("pass")
        ana.roll()
        page.locator("#tray label").nth(1).click()
        ana.take("table")
        page.locator("#menu summary").click()
        ana.take("menu", whole=True)
        page.keyboard.press("Escape")
        page.locator(".zero button").first.click()
        page.locator("#sure").wait_for()
        ana.take("zero")
        path = page.url.partition("?")[0].removeprefix(ana.site)
        ana.go(f"{path}/leave")
        ana.take("leave")
        ana.go("/")
        ana.start("alone")
        ana.turns(12)
        page.locator(".result").wait_for()
        ana.take("end", whole=True)
        path = page.url.removeprefix(ana.site)
        for name, rest in (("report", "/report"), ("replay", "/replay/9")):
            ana.go(path + rest)
            ana.take(name, whole=True)
        for name in ("stats", "games"):
            ana.go(f"/{name}")
            page.wait_for_selector(".coach h1, .games, main table, main ul", state="attached")
            ana.take(name, whole=True)
        ana.go("/train")
        page.locator("#tray .die").first.wait_for()
        ana.take("train", whole=True)
        page.locator(".card td button").first.click()
        page.locator(".coach-comparison").wait_for()
        ana.take("answer", whole=True)
        ana.go("/")
        page.locator("#n3").check(force=True)
        ana.start("score", name1="Ana")
        ana.take("real")
        ana.type_turns("55521", "333")
        ana.take("real-dice")
    ana_and_bea(studio, language, size, ending)


def ana_and_bea(studio: Studio, language: str, size: tuple[int, int], ending: str) -> None:
    """Two at an online table, one of whom goes away; and a table with hints."""
    with (
        studio.visitor("light", size, language, ending) as ana,
        studio.visitor("light", size, language, f"{ending}-guest") as bea,
    ):
        ana.start("online", me="Ana")
        bea.page.goto(ana.page.url)
        bea.take("invitation", whole=True)
        bea.page.locator("button[value=join]").click()
        ana.changes(ana.page.locator('button[value="bot skilled"]').click)
        ana.take("lobby", whole=True)
        bea.take("lobby", whole=True)
        ana.page.locator("#first").select_option("0")
        ana.changes(ana.page.locator("#begin").click)
        ana.roll()
        ana.take("online")
        bea.page.locator(".tray .die").first.wait_for()
        bea.take("online")
    with studio.visitor("dark", size, language, ending) as ana:
        alone = ana.page.locator("form", has=ana.page.locator("button[value=alone]"))
        alone.locator("input[name=hints]").check()
        ana.start("alone")
        ana.roll()
        ana.take("hints")


def main(arguments: list[str]) -> int:
    """Write all pictures; return 1 where there is no browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("Chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        if not arguments:
            FOLDER.mkdir(parents=True, exist_ok=True)
            for scene in (start, together, phones, computer, online, real):
                with served(scene.__name__) as site:
                    scene(Studio(browser, site, FOLDER))
        for language in arguments[1:] or languages() if arguments else ():
            folder = Path(arguments[0], language)
            folder.mkdir(parents=True, exist_ok=True)
            for size in (PHONE, WIDE):
                with served("everything") as site:
                    everything(Studio(browser, site, folder), language, size)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
