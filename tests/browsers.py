"""Whether there is a browser to test pages with: required in CI, told loudly elsewhere."""

import importlib.util
import os
import shutil

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = bool(os.environ.get("CI"))


def _missing() -> str:
    if not CHROMIUM:
        return "Chromium is not installed (apt-get install chromium)"
    for module in ("playwright", "axe_playwright_python"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    return ""


MISSING = _missing()
"""What there is not; empty if all is there."""
