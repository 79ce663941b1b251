"""The schema of a database is brought up to date, with nothing slow inside a transaction."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from alembic import command

from tests import processes
from yachtdice.store.sql import postgres
from yachtdice.store.sql.engine import SqlStore
from yachtdice.store.sql.schema import HEAD

pytestmark = pytest.mark.anyio

OPEN = """
import asyncio, json, sys

class Imports:
    def __init__(self):
        self.is_inside = False
        self.inside = []

    def find_spec(self, name, path=None, target=None):
        if self.is_inside:
            self.inside.append(name)

    def begin(self, *_):
        self.is_inside = True

    def end(self, *_):
        self.is_inside = False

import sqlalchemy
from sqlalchemy.engine import Engine
from yachtdice.store.sql.engine import SqlStore

imports = Imports()
sys.meta_path.insert(0, imports)
sqlalchemy.event.listen(Engine, "begin", imports.begin)
for name in ("commit", "rollback"):
    sqlalchemy.event.listen(Engine, name, imports.end)
store = SqlStore.open(sys.argv[1])
print(json.dumps([imports.inside, "alembic" in sys.modules]))
asyncio.run(store.close())
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    found: str = request.getfixturevalue("postgresql").database()
    return found


def imports(url: str) -> tuple[list[str], bool]:
    """Open the database; return what was imported in a transaction, and whether Alembic was."""
    command = [sys.executable, "-c", OPEN, url]
    done = processes.run(command, check=True, capture_output=True, text=True)
    inside, is_alembic_there = json.loads(done.stdout)
    return inside, is_alembic_there


def test_alembic_is_imported_before_the_transaction_and_only_where_it_is_needed(url: str) -> None:
    assert imports(url) == ([], True)
    assert imports(url) == ([], False)


@pytest.mark.system
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_migration_may_take_longer_than_other_transactions(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade
    called = []

    def slowly(config: Any, revision: str) -> None:  # noqa: ANN401 - whatever Alembic takes
        called.append(revision)
        time.sleep(1.5 * postgres.IDLE_TIMEOUT / 1000)
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", slowly)
    await SqlStore.open(url).close()
    assert called == [HEAD]
