"""`yacht admin`: tables exported, imported, pruned and verified, beside a server or without one."""

import asyncio
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from tests.cli.run import environment
from tests.play.conftest import ANA, Clock, World
from tests.play.test_verification import tables_of_all_kinds
from tests.web.conftest import Client
from tests.web.test_serve import Process
from yachtdice.cli.app import main
from yachtdice.play.table.actions import Begin
from yachtdice.store.contract import StreamSnapshot
from yachtdice.store.sql.engine import SqlStore

DAY = 24 * 3600.0

Places = Callable[[], str]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system)])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    """Return what gives addresses of new and empty databases."""
    match request.param:
        case "postgresql":
            found: Places = request.getfixturevalue("postgresql").database
            return found
        case _:
            numbers = count()
            return lambda: f"sqlite:///{tmp_path / f'{next(numbers)}.db'}"


Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return what runs `yacht admin`, in this very process: that is quicker."""

    def command(*args: object, data: str | None = None) -> CompletedProcess[str]:
        words = ["admin", *map(str, args)]
        done = CliRunner().invoke(
            main, words, input=data, env=environment(tmp_path), prog_name="yacht"
        )
        assert "Traceback" not in done.stderr
        return CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

    return command


def fill(place: str, *, at: float | None = None) -> None:
    """Put tables in every state into the database at *place*."""

    async def go() -> None:
        store = SqlStore.open(place)
        clock = Clock()
        clock.now = clock.now if at is None else at
        try:
            await tables_of_all_kinds(World(store, clock))
        finally:
            await store.close()

    asyncio.run(go())


def snapshots(place: str) -> list[StreamSnapshot]:
    async def go() -> list[StreamSnapshot]:
        store = SqlStore.open(place)
        try:
            return await store.scan("", 999)
        finally:
            await store.close()

    return asyncio.run(go())


def ids(place: str) -> list[str]:
    return [snapshot.stream for snapshot in snapshots(place)]


def data(done: CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_tables_go_into_another_database_and_back_without_loss(
    run: Run, places: Places, tmp_path: Path
) -> None:
    first, last = (f"sqlite:///{tmp_path / name}" for name in ("first.db", "last.db"))
    middle = places()
    fill(first)
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for place, file, target in zip((first, middle, last), files, (middle, last, None), strict=True):
        done = run("export", file, "--database", place)
        assert (done.returncode, done.stdout) == (0, "8 tables exported.\n")
        if target is not None:
            done = run("import", file, "--database", target)
            assert (done.returncode, done.stdout) == (0, "8 tables imported.\n")
            done = run("verify", "--database", target)
            assert (done.returncode, done.stdout) == (0, "8 tables replayed; all are sound.\n")
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()
    assert files[0].stat().st_mode & 0o777 == 0o600
    again = run("import", files[0], "--database", middle, "--json")
    assert data(again) == {"new": 0, "there": 8, "differing": []}


def test_through_a_pipe(run: Run, places: Places) -> None:
    first, second = places(), places()
    fill(first)
    exported = run("export", "-", "--database", first)
    assert exported.stderr == "8 tables exported.\n"
    imported = run("import", "-", "--database", second, data=exported.stdout)
    assert imported.stdout == "8 tables imported.\n"
    again = run("export", "-", "--database", second, "--json")
    assert again.stdout == exported.stdout
    assert json.loads(again.stderr) == {"tables": 8}


def test_what_differs_is_named_and_left_alone(run: Run, places: Places, tmp_path: Path) -> None:
    place, file = places(), tmp_path / "tables.jsonl"
    fill(place)
    run("export", file, "--database", place)

    async def play_on() -> str:
        store = SqlStore.open(place)
        world = World(store, Clock())
        try:
            lobby = next(c for c in await store.scan("", 99) if c.stage == "lobby")
            if ANA in lobby.members:
                await world.do(await world.tables.get(lobby.stream), ANA, Begin())
            return lobby.stream
        finally:
            await world.tables.close()

    changed = asyncio.run(play_on())
    done = run("import", file, "--database", place)
    assert done.returncode == 1
    assert done.stdout == "0 tables imported.\n7 tables were there already.\n"
    assert done.stderr == f"1 table is another one here, and was left alone: {changed}\n"
    done = run("import", file, "--database", place, "--json")
    assert (done.returncode, data(done)["differing"]) == (1, [changed])


def test_a_file_that_ends_early_is_told(run: Run, places: Places, tmp_path: Path) -> None:
    place, file = places(), tmp_path / "tables.jsonl"
    fill(place)
    run("export", file, "--database", place)
    lines = file.read_text("ascii").splitlines(keepends=True)
    file.write_text("".join(lines[:4]), "ascii")
    target = places()
    done = run("import", file, "--database", target)
    assert done.returncode == 1
    assert "Line 5 of" in done.stderr
    assert "the file ends early" in done.stderr
    assert len(ids(target)) == 3
    file.write_bytes(b"\xff\xfe")
    assert "is not a text file in UTF-8" in run("import", file, "--database", target).stderr


def test_an_export_that_fails_leaves_the_older_file(run: Run, tmp_path: Path) -> None:
    place, file = f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "tables.jsonl"
    fill(place)
    run("export", file, "--database", place)
    before = file.read_bytes()
    names = ids(place)
    damage(tmp_path / "a.db", "UPDATE events SET data = '{' WHERE stream = ?", names[3])
    done = run("export", file, "--database", place)
    assert (done.returncode, done.stdout) == (1, "")
    assert names[3] in done.stderr
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def damage(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(sql, values)
    database.close()


def test_verify_names_what_is_wrong(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    place = f"sqlite:///{path}"
    fill(place)
    names = [snapshot.stream for snapshot in snapshots(place) if len(snapshot.events) > 1]
    damage(path, "UPDATE events SET data = '{' WHERE stream = ? AND seq = 1", names[1])
    damage(path, "UPDATE streams SET stage = 'x' WHERE stream = ?", names[3])
    damage(path, "DELETE FROM events WHERE stream = ? AND seq = 2", names[5])
    done = run("verify", "--database", place, "--json")
    assert done.returncode == 1
    found = data(done)
    assert found["tables"] == 8
    assert [(each["table"], each["fault"]) for each in found["failing"]] == [
        (names[1], "unreadable"),
        (names[3], "stage"),
        (names[5], "gap"),
    ]
    said = run("verify", "--database", place).stdout.splitlines()
    assert [line.partition(":")[0] for line in said[:3]] == [names[1], names[3], names[5]]
    assert said[3] == "8 tables replayed; something is wrong with 3."


ONE_UNBEGUN = "1 unbegun, 0 unfinished, 0 finished, 0 pasted records.\n"


def test_prune_deletes_what_the_server_would(run: Run, places: Places) -> None:
    place = places()
    fill(place, at=time.time() - 2 * DAY)
    stages = Counter(snapshot.stage for snapshot in snapshots(place))
    lobby, playing, over = stages["lobby"], stages["playing"], stages["over"]
    none = {"dry_run": False, "lobby": 0, "playing": 0, "over": 0, "record": 0}

    done = run("prune", "--database", place, "--dry-run", "--json")
    assert data(done) == none | {"dry_run": True, "lobby": lobby}
    done = run("prune", "--database", place, "--dry-run")
    assert done.stdout == f"1 table would be deleted: {ONE_UNBEGUN}"
    assert len(ids(place)) == stages.total()

    done = run("prune", "--database", place)
    assert done.stdout == f"1 table deleted: {ONE_UNBEGUN}"
    assert len(ids(place)) == stages.total() - lobby
    done = run("prune", "--database", place, "--unfinished=1.9", "--finished=3", "--json")
    assert data(done) == none | {"playing": playing}
    done = run("prune", "--database", place, "--finished=0", "--json")
    assert data(done) == none | {"over": over}
    done = run("prune", "--database", place, "--records=1", "--json")
    assert data(done) == none | {"record": stages["record"]}
    assert ids(place) == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    started = Process(f"--data={tmp_path / 'data'}")
    try:
        yield started
    finally:
        started.process.kill()
        started.process.communicate()


@pytest.mark.system
def test_beside_a_server_it_reads_and_does_not_write(
    run: Run, server: Process, tmp_path: Path
) -> None:
    url = server.url()
    where = f"--data={tmp_path / 'data'}"
    with httpx.Client(base_url=url) as http:
        client = Client(http)
        table = client.do(client.open(), "roll")
        file = tmp_path / "tables.jsonl"
        assert run("export", file, where).stdout == "1 table exported.\n"
        assert run("verify", where).stdout == "1 table replayed; it is sound.\n"
        assert run("prune", where, "--dry-run").returncode == 0
        for command in (["import", str(file)], ["prune"]):
            done = run(*command, where)
            assert done.returncode == 1
            assert "A yacht server uses that database; stop it first" in done.stderr
        assert client.get(table) == table
        client.do(table, "fill", category="choice")
    server.end()
    # What a server that was killed has left in its log of writes is read as well.
    assert run("export", "-", where).stdout.count("category_scored") == 1


@pytest.mark.system
def test_after_a_kill_it_reads_what_was_kept(run: Run, server: Process, tmp_path: Path) -> None:
    with httpx.Client(base_url=server.url()) as http:
        client = Client(http)
        client.do(client.open(), "roll")
    server.process.kill()
    server.process.wait()
    assert (tmp_path / "data" / "tables.db-wal").stat().st_size > 0
    exported = run("export", "-", f"--data={tmp_path / 'data'}")
    assert exported.stdout.count("dice_rolled") == 1


@pytest.mark.parametrize("command", [["export", "-"], ["verify"], ["prune", "--dry-run"]])
def test_reading_makes_no_database(run: Run, tmp_path: Path, command: list[str]) -> None:
    done = run(*command, f"--data={tmp_path / 'nowhere'}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no file" in done.stderr
    assert not (tmp_path / "nowhere").exists()


def test_a_schema_of_another_version_is_told(run: Run, tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'tables.db'}"
    fill(place)
    damage(tmp_path / "tables.db", "UPDATE alembic_version SET version_num = '9999'")
    for command in (["export", "-"], ["prune"]):
        done = run(*command, "--database", place)
        assert done.returncode == 1
        assert "schema 9999" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("place", ["nonsense", "mysql://x/y", "sqlite://"])
def test_what_is_no_database_is_told(run: Run, place: str) -> None:
    done = run("verify", "--database", place)
    assert done.returncode == 1
    assert "The database cannot be used" in done.stderr


def test_help_lists_the_commands(run: Run) -> None:
    listed = run("--help").stdout
    for name in ("export", "import", "prune", "verify"):
        assert f"  {name} " in listed
        assert "Usage: yacht admin" in run(name, "--help").stdout
