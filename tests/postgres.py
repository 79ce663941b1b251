"""A real PostgreSQL of one's own: started, asked for databases, stopped, killed and cut off."""

import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests import processes, programs
from tests.waiting import until

_USER = "postgres"  # PostgreSQL refuses to run as root


class Postgres:
    """A server in a folder of its own, which goes with it."""

    def __init__(self, folder: Path, fsync: str = "off") -> None:
        """Make a cluster in *folder*, which is empty, and start it.

        Only who pulls the plug, or takes the time, needs *fsync* on: whatever dies, but the
        machine itself, the operating system keeps what was written.
        """
        self._fsync = fsync
        self._bin = Path(programs.need("postgres", "psycopg")).parent
        self._folder = folder
        self._is_root = os.geteuid() == 0
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        if self._is_root:
            shutil.chown(folder, _USER)
        self.data = folder / "data"
        self._run("initdb", "-D", self.data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = self._command(
            "postgres", "-D", self.data, "-k", self._folder, "-p", str(self.port),
            "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200",
            "-c", "max_wal_size=96MB", "-c", "min_wal_size=32MB", "-c", "shared_buffers=64MB",
            "-c", f"fsync={self._fsync}",
        )  # fmt: skip
        log = (self._folder / "log").open("ab")
        self._process = processes.start(command, stdout=log, stderr=log)
        log.close()
        until(lambda: self.is_crashed or self._is_answering(), "an answer of PostgreSQL")
        if self.is_crashed:
            sys.stderr.write((self._folder / "log").read_text()[-2000:])
            raise AssertionError("PostgreSQL has ended")

    def stop(self, number: int = signal.SIGINT) -> None:
        """Stop it; SIGINT cuts all connections, SIGQUIT leaves it as a crash would."""
        process, self._process = self._process, None
        if process is not None:
            processes.stop(process, number)

    @property
    def is_crashed(self) -> bool:
        """Whether it has ended by itself."""
        return self._process is not None and self._process.poll() is not None

    def restart(self, number: int = signal.SIGINT) -> None:
        """Stop it and start it once more."""
        self.stop(number)
        self.start()

    def database(self) -> str:
        """Return the address of a new and empty database."""
        name = f"yacht{next(self._numbers)}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE template0", "postgres")
        return f"postgresql://{_USER}@127.0.0.1:{self.port}/{name}"

    def ask(self, sql: str, database: str) -> list[tuple[object, ...]]:
        """Return what PostgreSQL answers; *database* is a name or an address."""
        url = database
        if "://" not in database:
            url = f"postgresql://{_USER}@127.0.0.1:{self.port}/{database}"
        import psycopg  # noqa: PLC0415 - there may be none

        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def cut(self, where: str = "true") -> int:
        """Cut the connections for which *where* holds in pg_stat_activity; return how many."""
        these = f"backend_type = 'client backend' AND pid <> pg_backend_pid() AND ({where})"
        cut = self.ask(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {these}",  # noqa: S608
            "postgres",
        )
        return len(cut)

    def _is_answering(self) -> bool:
        import psycopg  # noqa: PLC0415 - there may be none

        try:
            self.ask("SELECT 1", "postgres")
        except psycopg.OperationalError:
            return False
        return True

    def _command(self, program: str, *arguments: object) -> list[str]:
        command = [str(self._bin / program), *map(str, arguments)]
        if self._is_root:
            command = [
                "setpriv",
                f"--reuid={_USER}",
                f"--regid={_USER}",
                "--clear-groups",
                *command,
            ]
        return command

    def _run(self, program: str, *arguments: object) -> None:
        done = processes.run(
            self._command(program, *arguments), capture_output=True, text=True, check=False, cwd="/"
        )
        assert done.returncode == 0, done.stderr
