"""What all tests share: how hard Hypothesis tries, and the golden files."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import browsers, postgres, processes
from tests.postgres import Postgres

GOLDEN = Path(__file__).parent / "golden"

# No deadlines: a slow machine is no fault of the code.
settings.register_profile("default", deadline=None)
# The same examples at each run, so that a red CI is down to the change.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", deadline=None, max_examples=10_000)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden anew, run nothing else"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under --update-golden, keep only the tests that use the fixture."""
    if config.getoption("update_golden"):
        writers = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in writers])
        items[:] = writers


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what, room in (("THE TABLE IN THE BROWSER", browsers), ("POSTGRESQL", postgres)):
        if room.MISSING and not room.REQUIRED:
            line = f"{what} WAS NOT TESTED: {room.MISSING}"
            terminalreporter.write_line(line, yellow=True, bold=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """Return a PostgreSQL that the tests of one process share; each makes its own databases."""
    postgres.check_there()
    with processes.folder("yacht-postgres-") as folder:
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a check that text equals the file of that name in tests/golden."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("update_golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.is_file(), f"no tests/golden/{name}: run `make golden`"
        assert text == path.read_text("utf-8"), f"tests/golden/{name}: right? run `make golden`"

    return check
