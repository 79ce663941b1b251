"""People with browsers of their own, who notice everything that goes wrong on their pages."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.waiting import DEADLINE

PATIENCE = 1000 * DEADLINE
"""In the milliseconds of Playwright."""
expect.set_options(timeout=PATIENCE)


class Guest:
    """Somebody with a browser of their own."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.troubles: list[str] = []
        """Console errors (a violated policy is one), exceptions, requests to other sites."""
        context.set_default_timeout(PATIENCE)
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.troubles.append(f"exception: {error.error}"))
        context.on("request", lambda request: self._asked(request.url))
        self.page: Page = context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.troubles.append(f"console: {message.text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.troubles.append(f"another site: {url}")

    def go(self, path: str = "/") -> None:
        """Open a page."""
        self.page.goto(self.address + path)

    def ready(self, text: str) -> None:
        """Wait until the page says *text* and listens to keys."""
        expect(self.page.locator(".corner")).to_have_text(text)
        self.page.wait_for_selector("html.js", state="attached")

    @property
    def version(self) -> str:
        """The version of the table that the page shows."""
        return self.page.locator("#live").get_attribute("data-version") or ""

    def changes(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the page shows a newer table."""
        before = self.version
        act()
        self.page.wait_for_selector(f'#live:not([data-version="{before}"])', state="attached")

    def overflow(self) -> int:
        """Return how many pixels the page is wider than the window."""
        root = "document.documentElement"
        return int(self.page.evaluate(f"() => {root}.scrollWidth - {root}.clientWidth"))
