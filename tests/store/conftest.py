"""Every store that there is, each empty."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from yachtdice.store.contract import Store
from yachtdice.store.memory import MemoryStore
from yachtdice.store.sql.engine import SqlStore


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(
    params=[
        "memory",
        "sqlite in memory",
        "sqlite file",
        pytest.param("postgresql", marks=pytest.mark.system),
    ]
)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    found: Store
    match request.param:
        case "memory":
            found = MemoryStore()
        case "sqlite in memory":
            found = SqlStore.open("sqlite://")
        case "postgresql":
            server = request.getfixturevalue("postgresql")
            found = SqlStore.open(server.database(), "one secret for all")
        case _:
            found = SqlStore.open(f"sqlite:///{tmp_path / 'a %20?#folder' / 'tables.db'}")
    try:
        yield found
    finally:
        await found.close()
