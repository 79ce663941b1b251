"""What all tests share: how hard Hypothesis tries, and the golden files."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from tests import processes, programs
from tests.postgres import Postgres
from tests.solved import FOLDER

GOLDEN = Path(__file__).parent / "golden"

# No deadlines: a slow machine is no fault of the code.
settings.register_profile("quick", deadline=None, max_examples=25)
# More, and the same examples at each run, so that a red CI is down to the change.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", deadline=None, max_examples=10_000)
settings.load_profile("ci" if programs.REQUIRED else "quick")

WHOLE_MODULE = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.system\b", re.MULTILINE)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Make the folder that all workers, and what they start, keep solved rule sets in."""
    if not hasattr(config, "workerinput"):
        stack = ExitStack()
        config.add_cleanup(stack.close)
        os.environ[FOLDER] = str(stack.enter_context(processes.folder("yacht-cache-")))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden anew, run nothing else"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules of system tests, some slow to import, where none of them is to run."""
    if "not system" in config.getoption("markexpr") and collection_path.suffix == ".py":
        return bool(WHOLE_MODULE.search(collection_path.read_text("utf-8"))) or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under --update-golden, keep only the tests that use the fixture."""
    if config.getoption("update_golden"):
        writers = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in writers])
        items[:] = writers


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """Return a PostgreSQL that the tests of one process share; each makes its own databases."""
    programs.need("postgres", "psycopg")
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
