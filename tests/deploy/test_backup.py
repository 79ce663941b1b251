"""The lines of `deploy/README.md` for backup and restore, run as they stand there.

Only the folders are others, and two programs stand in: `systemctl` ends the server, and `runuser`
runs what it is given.
"""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import processes, programs
from tests.deploy.conftest import DEPLOY, SECRET, Run
from tests.waiting import DEADLINE
from tests.web.conftest import Client
from tests.web.test_serve import Process

pytestmark = pytest.mark.system

FOLDERS = ("/var/backups/yacht", "/var/lib/yacht", "/etc/yacht")


def lines_of(heading: str) -> str:
    """Return the lines to be run that stand under *heading*."""
    text = (DEPLOY / "README.md").read_text("utf-8")
    found = re.search(rf"^### {heading}$.*?^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found
    assert 3 <= found[1].count("\n") <= 4
    return found[1]


class Machine:
    """The folders of a server, and a shell for what an operator types."""

    def __init__(self, folder: Path, run: Run, database: str) -> None:
        self.folder = folder
        self._run = run
        self._database = database
        self.server: Process | None = None
        self.data, self.etc = folder / "var/lib/yacht", folder / "etc/yacht"
        for place in (self.data, self.etc, folder / "bin"):
            place.mkdir(parents=True)
        (self.etc / "secret.key").write_text(SECRET, "ascii")
        (self.etc / "environment").write_text(f"YACHT_DATABASE='{database}'\n", "utf-8")
        self._program("runuser", 'shift 3; exec "$@"')
        self._program("systemctl", f'echo "$@" >> {folder}/asked')

    def start(self) -> httpx.Client:
        options = [f"--data={self.data}", f"--secret-file={self.etc / 'secret.key'}"]
        self.server = self._run(*options, f"--database={self._database}")
        return httpx.Client(base_url=self.server.url(), timeout=DEADLINE)

    def stop(self) -> None:
        assert self.server is not None
        self.server.end()

    def type(self, lines: str, before: str = "") -> None:
        """Run *lines* by the shell; each of them has to go well."""
        for place in FOLDERS:
            lines = re.sub(rf"{place}\b", f"{self.folder}{place}", lines)
        processes.run(
            [programs.need("bash"), "-euo", "pipefail", "-c", before + lines],
            check=True,
            env={"PATH": f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin"},
            cwd=self.folder,
        )

    def asked(self) -> list[str]:
        """Return what systemctl was asked for."""
        return (self.folder / "asked").read_text("utf-8").splitlines()

    def _program(self, name: str, body: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)


def lose(table: dict[str, Any], client: Client) -> None:
    """Play on after the backup: what the restore has to undo."""
    client.do(table, "fill", category="choice")
    client.open()


def check_restored(http: httpx.Client, client: Client, table: dict[str, Any]) -> None:
    """See that the table is as it was at the backup, and that its people can go on."""
    client.http = http
    assert client.get(table) == table
    assert len(client.ask("GET", "/tables").json()["tables"]) == 1
    client.do(table, "fill", category="ones")


def test_sqlite_is_backed_up_while_it_runs_and_restored(tmp_path: Path, run: Run) -> None:
    programs.need("sqlite3")
    machine = Machine(tmp_path, run, f"sqlite:///{tmp_path}/var/lib/yacht/tables.db")
    with machine.start() as http:
        client = Client(http)
        table = client.do(client.open(), "roll")
        machine.type(lines_of("Back up SQLite"))
        lose(table, client)
    (backup,) = (tmp_path / "var/backups/yacht").iterdir()
    assert sorted(path.name for path in backup.iterdir()) == ["secret.key", "tables.db"]
    assert backup.stat().st_mode & 0o777 == 0o700

    assert machine.server is not None
    machine.server.process.kill()  # so that it leaves its log of writes behind
    machine.server.process.wait()
    assert (machine.data / "tables.db-wal").exists()
    machine.type(lines_of("Restore SQLite"), before=f"BACKUP={backup}\n")
    assert machine.asked() == ["stop yacht@8765", "start yacht@8765"]
    assert not (machine.data / "tables.db-wal").exists()
    with machine.start() as http:
        check_restored(http, client, table)
    machine.stop()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_postgresql_is_backed_up_while_it_runs_and_restored(
    tmp_path: Path, run: Run, database: str
) -> None:
    programs.need("pg_dump")
    machine = Machine(tmp_path, run, database)
    with machine.start() as http:
        client = Client(http)
        table = client.do(client.open(), "roll")
        machine.type(lines_of("Back up PostgreSQL"))
        lose(table, client)
    (backup,) = (tmp_path / "var/backups/yacht").iterdir()
    assert sorted(path.name for path in backup.iterdir()) == ["secret.key", "yacht.dump"]

    machine.stop()
    machine.type(lines_of("Restore PostgreSQL"), before=f"BACKUP={backup}\n")
    assert machine.asked() == ["stop yacht@*", "start yacht@8765 yacht@8766"]
    with machine.start() as http:
        check_restored(http, client, table)
    machine.stop()
