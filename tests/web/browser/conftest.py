"""A real server and a real browser, which may be missing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests import processes, programs
from tests.waiting import DEADLINE
from tests.web.conftest import serving
from yachtdice.dice_source import SeededDice

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.browser.people import Guest
if programs.is_missing("playwright", "axe"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serve fresh tables with dice that are always the same; return the address."""
    with serving(dice_source=SeededDice("browser")) as served:
        yield served.url.rstrip("/")


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - there may be none

    chromium = programs.need("chromium")
    processes.guard()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium, args=ARGUMENTS, timeout=1000 * DEADLINE
        )
        yield launched
        launched.close()


@pytest.fixture
def guest(browser: "Browser", server: str) -> Iterator[Callable[..., "Guest"]]:
    """Return what brings in one more person; in the end nobody may have met any trouble."""
    from tests.web.browser.people import Guest  # noqa: PLC0415 - imports playwright

    with ExitStack() as leaving:
        guests: list[Guest] = []

        def come(**options: object) -> Guest:
            # Playwright would wait until the tumbling dice lie still; people never have to.
            still = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
            options = {**still, **options}
            address = str(options.pop("server", server))
            context = browser.new_context(**options)  # type: ignore[arg-type]
            leaving.callback(context.close)
            guests.append(Guest(context, address))
            return guests[-1]

        yield come
        assert [trouble for one in guests for trouble in one.troubles] == []
