"""A real server and a real browser, required in CI and skipped with a loud line elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.browsers import CHROMIUM, MISSING, REQUIRED
from yachtdice.chance import SeededChance

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
if MISSING and not REQUIRED:
    collect_ignore_glob = ["test_*.py"]
else:
    from playwright.sync_api import Browser, sync_playwright

    from tests.web.browser.people import Guest
    from tests.web.conftest import serving


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serve fresh tables with dice that are always the same; return the address."""
    with serving(chance=SeededChance("browser")) as served:
        yield served.url.rstrip("/")


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    if MISSING:
        pytest.fail(f"required in CI: {MISSING}")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def guest(browser: "Browser", server: str) -> Iterator[Callable[..., Guest]]:
    """Return what brings in one more person; in the end nobody may have met any trouble."""
    with ExitStack() as leaving:
        guests: list[Guest] = []

        def come(**options: object) -> Guest:
            # Playwright would wait until the tumbling dice lie still; people never have to.
            still = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
            options = {**still, **options}
            context = browser.new_context(**options)  # type: ignore[arg-type]
            leaving.callback(context.close)
            guests.append(Guest(context, server))
            return guests[-1]

        yield come
        assert [trouble for one in guests for trouble in one.troubles] == []
