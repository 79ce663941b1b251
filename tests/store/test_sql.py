"""What is special about the store in a database: files, locks, schema, failures."""

import asyncio
import itertools
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from tests.waiting import DEADLINE
from yachtdice.store.contract import (
    Entry,
    StoreBrokenError,
    StoreError,
    StoreInUseError,
    Write,
)
from yachtdice.store.sql import engine, sqlite
from yachtdice.store.sql.appending import append
from yachtdice.store.sql.engine import SqlStore
from yachtdice.store.sql.migrating import SchemaError, revision
from yachtdice.store.sql.schema import HEAD, metadata

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


def one(stream: str, expected: int = 0) -> Write:
    return Write(stream, expected, [Entry("k", {})], 1.0)


async def test_what_was_kept_is_there_after_a_restart(url: str) -> None:
    store = SqlStore.open(url)
    await store.append(one("s"))
    await store.close()
    store = SqlStore.open(url)
    assert len(await store.load("s")) == 1
    await store.append(one("s", 1))
    await store.close()


async def test_the_database_is_as_durable_as_it_can_be(url: str, tmp_path: Path) -> None:
    store = SqlStore.open(url)
    found: dict[str, object] = {}

    def look(connection: Connection) -> None:
        for name in (
            "journal_mode",
            "synchronous",
            "busy_timeout",
            "foreign_keys",
            "journal_size_limit",
        ):
            found[name] = connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    await store._do(look)  # noqa: SLF001 - the writer's own connection
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "busy_timeout": sqlite.BUSY_TIMEOUT,
        "foreign_keys": 1,
        "journal_size_limit": sqlite.JOURNAL_SIZE_LIMIT,
    }
    assert (tmp_path / "tables.db-wal").exists()
    await store.close()


async def test_a_ping_removes_what_a_process_that_died_left(url: str, tmp_path: Path) -> None:
    store = SqlStore.open(url)
    assert await store.lease("mine", 60) == 0
    with closing(sqlite3.connect(tmp_path / "tables.db")) as other, other:
        other.execute("INSERT INTO leases VALUES ('probe x', 'x', 1.0)")
    other.close()
    await store.ping()
    found = await store._read(  # noqa: SLF001
        lambda connection: connection.execute(sa.text("SELECT name FROM leases")).scalars().all()
    )
    assert found == ["mine"]
    await store.close()


async def test_a_ping_fails_while_nothing_can_be_kept(url: str) -> None:
    store = SqlStore.open(url)
    await store.ping()

    async def limit(pages: str) -> None:
        await store._do(  # noqa: SLF001 - the writer's own connection
            lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        )

    async def fill() -> None:
        for number in itertools.count():
            await store.append(one(f"s{number}"))

    await limit("1")  # SQLite takes the number of pages that there are
    with pytest.raises(StoreBrokenError, match="full"):
        await fill()
    assert await store.load("s0")  # reading is possible
    for _ in range(3):
        with pytest.raises(StoreBrokenError, match="full"):
            await store.ping()
    await limit("1000000")
    await store.ping()
    await store.append(one("t"))
    await store.close()


async def test_a_log_that_has_grown_is_cut_back(url: str, tmp_path: Path) -> None:
    store = SqlStore.open(url)
    log = tmp_path / "tables.db-wal"
    await store.append(one("s"))
    with closing(sqlite3.connect(tmp_path / "tables.db")) as reader, reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchall()  # no page may be reused from here on
        large = Entry("k", {"text": "x" * 1024 * 1024})
        for number in range(20):
            await store.append(Write(f"t{number}", 0, [large], 1.0))
        assert log.stat().st_size > sqlite.JOURNAL_SIZE_LIMIT
    reader.close()
    for number in range(20, 24):
        await store.append(Write(f"t{number}", 0, [large], 1.0))
    assert log.stat().st_size <= sqlite.JOURNAL_SIZE_LIMIT
    await store.close()


async def test_readers_cannot_write(url: str) -> None:
    store = SqlStore.open(url)
    insert = sa.text("INSERT INTO streams VALUES ('s', 1, '')")
    with pytest.raises(StoreBrokenError, match="readonly"):
        await store._read(lambda connection: connection.execute(insert))  # noqa: SLF001
    await store.close()


async def test_one_process_at_a_time_has_a_database(url: str) -> None:
    store = SqlStore.open(url)
    with pytest.raises(StoreInUseError):
        SqlStore.open(url)
    await store.append(one("s"))  # the first is not disturbed
    await store.close()
    await SqlStore.open(url).close()


@pytest.mark.parametrize("address", ["nonsense", "oracle://host/name", "sqlite:////dev/null/x"])
def test_a_wrong_address_is_refused(address: str) -> None:
    with pytest.raises((StoreError, OSError)):
        SqlStore.open(address)


def test_a_file_that_is_no_database_is_refused(url: str, tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("not a database, and long enough to be seen as none " * 20)
    with pytest.raises(StoreError, match="not a database"):
        SqlStore.open(url)
    with pytest.raises(StoreError, match="not a database"):
        SqlStore.open(url)  # the lock was given back


async def test_a_newer_schema_is_refused(url: str, tmp_path: Path) -> None:
    await SqlStore.open(url).close()
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SchemaError, match=r"9999.*newer") as caught:
        SqlStore.open(url)
    assert caught.value.found == "9999"


async def test_tables_of_somebody_else_are_left_alone(url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
        connection.execute("CREATE TABLE events (x)")
    connection.close()
    with pytest.raises(SchemaError, match="not ours"):
        SqlStore.open(url)


async def test_the_migrations_make_what_the_code_expects(url: str) -> None:
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415
    from alembic.migration import MigrationContext  # noqa: PLC0415

    store = SqlStore.open(url)
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        assert revision(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    await store.close()


async def test_a_failure_of_the_writer_fails_its_batch_and_no_more(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that fails as a whole is tried one by one, and nobody waits for ever."""
    store = SqlStore.open(url)
    sizes: list[int] = []

    def failing(connection: Connection, writes: Sequence[Write]) -> None:
        sizes.append(len(writes))
        if any(write.stream == "bad" for write in writes):
            raise ZeroDivisionError
        append(connection, writes)

    begun, gate = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        begun.set()
        assert gate.wait(DEADLINE)

    held = asyncio.ensure_future(store._do(hold))  # noqa: SLF001
    await asyncio.to_thread(begun.wait, DEADLINE)
    monkeypatch.setattr(engine, "append", failing)
    monkeypatch.setattr(engine, "append_checked", failing)
    futures = [store.append(one(name)) for name in ("a", "bad", "b")]
    gate.set()  # the three have become one batch
    outcomes = await asyncio.wait_for(asyncio.gather(*futures, return_exceptions=True), DEADLINE)
    await held
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreBrokenError, type(None)]
    assert sizes[-4:] == [3, 1, 1, 1]
    assert len(await store.load("b")) == 1
    await store.close()


async def test_many_commits_share_a_flush(url: str) -> None:
    store = SqlStore.open(url)
    commits = 0

    def count(_: Connection) -> None:
        nonlocal commits
        commits += 1

    sa.event.listen(store._database.writer, "commit", count)  # noqa: SLF001
    await asyncio.gather(*(store.append(one(f"s{number}")) for number in range(200)))
    assert commits < 100
    await store.close()


async def test_a_cancellation_that_comes_with_the_answer_is_not_lost() -> None:
    store = SqlStore.open("sqlite://")
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    asking = asyncio.create_task(store._wait(answer))  # noqa: SLF001 - both at one moment
    await asyncio.sleep(0)
    answer.set_result(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await store.close()
