"""The programs and optional packages that tests need: skipped where missing, required in CI.

`python -m tests.programs` says what cannot be tested for want of them.
"""

import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

REQUIRED = bool(os.environ.get("CI"))


@dataclass(frozen=True)
class Need:
    """Something that tests need beside Python and the packages of every installation."""

    title: str
    """What it is called."""
    tested: str
    """What cannot be tested without it."""
    install: str
    """The command that brings it."""
    names: tuple[str, ...]
    """What it may be called on PATH; none for a package."""
    module: str = ""
    """What a package is imported as."""

    @property
    def path(self) -> str | None:
        """Where the program is; None where there is none."""
        found = (shutil.which(name, path=search_path()) for name in self.names)
        return next(filter(None, found), None)

    @property
    def is_missing(self) -> bool:
        if self.module:
            return importlib.util.find_spec(self.module) is None
        return self.path is None

    def __str__(self) -> str:
        return f"{self.title} is not installed ({self.install})"


def _program(title: str, tested: str, package: str, *names: str) -> Need:
    return Need(title, tested, f"apt-get install {package}", names)


def _package(name: str, tested: str, extra: str, module: str = "") -> Need:
    return Need(name, tested, f"pip install yacht-dice[{extra}]", (), module or name)


NEEDS = {
    "chromium": _program(
        "Chromium", "the table in the browser", "chromium", "chromium", "chromium-browser"
    ),
    "postgres": _program("PostgreSQL", "tables kept in PostgreSQL", "postgresql", "postgres"),
    "pg_dump": _program("pg_dump", "backups of PostgreSQL", "postgresql", "pg_dump"),
    "nginx": _program("nginx", "the site behind nginx", "nginx-light", "nginx"),
    "openssl": _program("OpenSSL", "the site behind nginx", "openssl", "openssl"),
    "sqlite3": _program("SQLite's shell", "backups of SQLite", "sqlite3", "sqlite3"),
    "systemd-analyze": _program(
        "systemd-analyze", "the unit for systemd", "systemd", "systemd-analyze"
    ),
    "bash": _program("bash", "the lines of deploy/README.md", "bash", "bash"),
    "msgfmt": _program("GNU gettext", "the form of the catalogues", "gettext", "msgfmt"),
    "playwright": _package("playwright", "the table in the browser", "dev"),
    "axe": _package(
        "axe-playwright-python", "the table in the browser", "dev", "axe_playwright_python"
    ),
    "schemathesis": _package("schemathesis", "the API against its description", "dev"),
    "psycopg": _package("psycopg", "tables kept in PostgreSQL", "postgres"),
    "numba": _package("numba", "play to win, compiled", "duel"),
    "matplotlib": _package("matplotlib", "plots", "plot"),
}
"""Everything that may be missing, by the name that tests use."""


def search_path() -> str:
    """Return PATH, with what Debian keeps beside /usr/bin if that is in it."""
    path = os.environ.get("PATH", os.defpath)
    if "/usr/bin" not in path.split(os.pathsep):
        return path
    servers = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda found: (len(str(found)), found)
    )
    return os.pathsep.join([path, "/usr/sbin", *map(str, reversed(servers))])


def need(*names: str) -> str:
    """Return the path of the first; if one is missing the test is skipped, and fails in CI."""
    for name in names:
        found = NEEDS[name]
        if found.is_missing:
            (pytest.fail if REQUIRED else pytest.skip)(str(found))
    return NEEDS[names[0]].path or ""


def is_missing(*names: str) -> bool:
    """Return whether to leave out modules that cannot even be imported; never so in CI."""
    return not REQUIRED and any(NEEDS[name].is_missing for name in names)


def main() -> int:
    """Print what is missing; in CI that is a failure."""
    missing = [found for found in NEEDS.values() if found.is_missing]
    for found in missing:
        print(f"NOT TESTED: {found.tested}: {found}")  # noqa: T201 - what it is for
    return int(REQUIRED and bool(missing))


if __name__ == "__main__":
    sys.exit(main())
