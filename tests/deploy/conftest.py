"""What is in `deploy/`, tried with the programs that it is for."""

import os
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests import processes, programs
from tests.waiting import DEADLINE, until
from tests.web.test_serve import Process

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SECRET = "s" * 32


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class Nginx:
    """A real nginx with the configuration of `deploy/nginx`, in a folder of its own."""

    def __init__(self, folder: Path, ports: list[int]) -> None:
        """Write the configuration; the servers are at *ports* of this machine."""
        self.folder = folder
        self.plain, self.secure = free_port(), free_port()
        self.log = folder / "yacht.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._certify()
        places = {
            "/etc/nginx/tls": folder,
            "/var/log/nginx": folder,
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.secure} ssl",
        }
        site = (DEPLOY / "nginx" / "yacht.conf").read_text("utf-8")
        # There may be no IPv6 here.
        site = re.sub(r"^ *listen \[::\].*\n", "", site, flags=re.MULTILINE)
        for place, here in places.items():
            assert place in site
            site = site.replace(place, str(here))
        (folder / "yacht.conf").write_text(site, "utf-8")
        self.write_upstream("upstream.conf", ports)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
            f"{'user root;' if os.geteuid() == 0 else ''}\n"
            "events {}\n"
            f"http {{\n{temporary}include upstream.conf;\ninclude yacht.conf;\n}}\n",
            "utf-8",
        )

    def write_upstream(self, name: str, ports: list[int]) -> None:
        """Write the file of that name in `deploy/nginx` with servers at *ports*."""
        text = (DEPLOY / "nginx" / name).read_text("utf-8")
        servers = re.findall(r"^ *server ([\d.]+:\d+).*\n", text, re.MULTILINE)
        assert len(servers) == 2
        for number, server in enumerate(servers):
            if number < len(ports):
                text = text.replace(f"server {server}", f"server 127.0.0.1:{ports[number]}")
            else:
                text = re.sub(rf"^ *server {re.escape(server)}.*\n", "", text, flags=re.MULTILINE)
        (self.folder / "upstream.conf").write_text(text, "utf-8")

    def command(self, *options: str) -> list[str]:
        nginx = programs.need("nginx")
        log = str(self.folder / "error.log")
        return [nginx, "-p", str(self.folder), "-c", "nginx.conf", "-e", log, *options]

    def check(self) -> str:
        """Return what nginx says of the configuration, which it has to accept."""
        done = processes.run(self.command("-t"), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return str(done.stderr)

    def start(self) -> None:
        self._process = processes.start(self.command())
        until(self._is_listening, "that nginx listens")

    def _is_listening(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "error.log").read_text()
        try:
            socket.create_connection(("127.0.0.1", self.secure), DEADLINE).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        if self._process is not None:
            processes.stop(self._process)

    def browser(self, **options: object) -> httpx.Client:
        """Return a client that speaks HTTP/2 and knows the certificate."""
        trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        transport = httpx.HTTPTransport(http2=True, verify=trusted, **options)  # type: ignore[arg-type]
        return httpx.Client(
            base_url=f"https://localhost:{self.secure}", transport=transport, timeout=DEADLINE
        )

    def _certify(self) -> None:
        processes.run(
            [
                *(programs.need("openssl"), "req", "-x509", "-nodes", "-days=2"),
                *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
                *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
                *("-keyout", str(self.folder / "privkey.pem")),
                *("-out", str(self.folder / "fullchain.pem")),
            ],
            check=True,
            capture_output=True,
        )


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Callable[[list[int]], Nginx]]:
    """Return what starts nginx before the servers at the given ports."""
    with ExitStack() as stack:

        def begin(ports: list[int]) -> Nginx:
            folder = tmp_path / "nginx"
            folder.mkdir()
            nginx = Nginx(folder, ports)
            stack.callback(nginx.stop)
            nginx.start()
            return nginx

        yield begin


class Site:
    """Servers that share a database, and nginx before them."""

    def __init__(self, nginx: Nginx, servers: list[Process]) -> None:
        self.nginx = nginx
        self.servers = servers


Run = Callable[..., Process]


@pytest.fixture
def run() -> Iterator[Run]:
    """Return what starts `yacht serve`."""
    with ExitStack() as stack:

        def begin(*options: str) -> Process:
            started = Process(*options)
            stack.callback(started.process.communicate)
            stack.callback(started.process.kill)
            return started

        yield begin


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a new database, of SQLite unless the test asks for another."""
    if getattr(request, "param", "sqlite") == "postgresql":
        address: str = request.getfixturevalue("postgresql").database()
        return address
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def site(database: str, run: Run, proxy: Callable[[list[int]], Nginx], tmp_path: Path) -> Site:
    """Return a site: one server on SQLite, two on PostgreSQL."""
    secret = tmp_path / "secret.key"
    secret.write_text(SECRET, "ascii")
    options = [f"--database={database}", f"--secret-file={secret}", f"--data={tmp_path}"]
    number = 1 if database.startswith("sqlite") else 2
    servers = [run(*options, "--log-requests") for _ in range(number)]
    ports = [httpx.URL(server.url()).port or 0 for server in servers]
    return Site(proxy(ports), servers)
