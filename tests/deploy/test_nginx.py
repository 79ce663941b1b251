"""nginx as `deploy/nginx` has it, before real servers: streams, headers, addresses, failover."""

import re
import socketserver
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.deploy.conftest import Nginx, Run, Site, free_port
from tests.web.conftest import Client
from yachtdice.web.edge.guard import SECURITY_HEADERS

pytestmark = pytest.mark.system

Before = Callable[[list[int]], Nginx]


def port_of(url: str) -> int:
    return httpx.URL(url).port or 0


@pytest.mark.parametrize("upstream", ["upstream.conf", "upstream-compose.conf"])
def test_nginx_takes_it_without_a_warning(tmp_path: Path, upstream: str) -> None:
    nginx = Nginx(tmp_path, [])
    nginx.write_upstream(upstream, [8765, 8766])
    assert "warn" not in nginx.check()


@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_streams_arrive_at_once_over_http_2(site: Site) -> None:
    with site.nginx.browser() as http, site.nginx.browser() as other:
        ana, eve = Client(http), Client(other)
        table = ana.open()
        with eve.watch(table) as stream, ana.watch(table) as own:
            assert stream.answer.http_version == own.answer.http_version == "HTTP/2"
            assert stream.next()["version"] == own.next()["version"] == table["version"]
            for action in ({"do": "roll"}, {"do": "fill", "category": "choice"}, {"do": "roll"}):
                table = ana.do(table, **action)
                # Neither stream has ended: nothing waits until something is full.
                assert stream.next()["version"] == own.next()["version"] == table["version"]
        with other.stream("GET", f"/table/{table['id']}/live") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert next(line for line in answer.iter_lines() if line.startswith("data:"))


def test_headers_come_once_and_cookies_over_tls_alone(site: Site) -> None:
    with site.nginx.browser() as http:
        page = http.get("/")
        names = [name.decode() for name, _ in SECURITY_HEADERS]
        for name in [*names, "strict-transport-security", "cache-control", "content-type"]:
            assert len(page.headers.get_list(name)) == 1, name
        assert re.fullmatch(r"nginx", page.headers["server"])
        csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)
        assert csrf
        answer = http.post("/new", data={"csrf": csrf[1]}, headers={"Origin": str(http.base_url)})
        assert answer.status_code in {303, 400}, answer.text
        cookies = page.headers.get_list("set-cookie") + answer.headers.get_list("set-cookie")
        assert cookies
        assert all("Secure" in cookie for cookie in cookies if cookie.startswith("yacht_"))
        foreign = http.post("/new", data={"csrf": csrf[1]}, headers={"Origin": "https://evil.test"})
        assert foreign.status_code == 403
    plain = httpx.get(f"http://localhost:{site.nginx.plain}/rules?x=1")
    assert (plain.status_code, plain.headers["location"]) == (308, "https://localhost/rules?x=1")


def test_files_are_compressed_and_pages_are_not(site: Site) -> None:
    with site.nginx.browser() as http:
        accepting = {"Accept-Encoding": "gzip"}
        page = http.get("/", headers=accepting)
        assert "content-encoding" not in page.headers
        style = re.search(r'href="(/static/[^"]+\.css[^"]*)"', page.text)
        assert style
        answer = http.get(style[1], headers=accepting)
        assert (answer.status_code, answer.headers["content-encoding"]) == (200, "gzip")


def test_addresses_are_those_that_nginx_sees(run: Run, proxy: Before, tmp_path: Path) -> None:
    """The limits hold for each address; what a client says of its own does not count."""
    server = run(f"--data={tmp_path}", "--rate=0.0001", "--proxies=127.0.0.1")
    nginx = proxy([port_of(server.url())])
    with nginx.browser() as http:
        statuses = Counter(
            http.get("/rules", headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code
            for number in range(160)
        )
    assert statuses[200] == 150
    assert statuses[429] == 10
    with nginx.browser(local_address="127.0.0.2") as http:
        assert http.get("/rules").status_code == 200


def test_a_server_that_is_away_is_passed_over(run: Run, proxy: Before, tmp_path: Path) -> None:
    server = run(f"--data={tmp_path}")
    nginx = proxy([free_port(), port_of(server.url())])
    with nginx.browser() as http:
        client = Client(http)
        for _ in range(5):
            client.do(client.open(), "roll")


class Fake(socketserver.ThreadingTCPServer):
    """Something that takes requests, and answers them or breaks off."""

    daemon_threads = True

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.seen: Counter[str] = Counter()
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        port: int = self.server_address[1]
        return port


class _Handler(socketserver.StreamRequestHandler):
    server: Fake

    def handle(self) -> None:
        while line := self.rfile.readline():
            length = 0
            while (header := self.rfile.readline()) not in {b"\r\n", b""}:
                if header.lower().startswith(b"content-length:"):
                    length = int(header.partition(b":")[2])
            self.rfile.read(length)
            self.server.seen[line.split()[0].decode()] += 1
            if not self.server.answers:
                return
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


@pytest.fixture
def fakes() -> Iterator[tuple[Fake, Fake]]:
    """Return one that breaks off and one that answers."""
    with ExitStack() as stack:
        both = Fake(answers=False), Fake(answers=True)
        for fake in both:
            stack.callback(fake.server_close)
            stack.callback(fake.shutdown)
        yield both


def test_what_may_have_been_done_is_not_sent_again(proxy: Before, fakes: tuple[Fake, Fake]) -> None:
    broken, sound = fakes
    with proxy([broken.port, sound.port]).browser() as http:
        statuses = Counter(http.post("/x", content=b"y").status_code for _ in range(10))
    assert broken.seen["POST"] >= 1  # once it has failed, it is passed over
    assert statuses == {200: sound.seen["POST"], 502: broken.seen["POST"]}
    assert statuses.total() == 10


def test_what_only_asks_is_answered_by_the_next_server(
    proxy: Before, fakes: tuple[Fake, Fake]
) -> None:
    broken, sound = fakes
    with proxy([broken.port, sound.port]).browser() as http:
        statuses = Counter(http.get("/x").status_code for _ in range(10))
    assert broken.seen["GET"] >= 1
    assert (statuses, sound.seen["GET"]) == ({200: 10}, 10)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_one_of_two_servers_can_go_at_any_time(site: Site) -> None:
    with site.nginx.browser() as http, site.nginx.browser() as other:
        ana, eve = Client(http), Client(other)
        table = ana.open()
        for _ in range(4):  # both have had it
            assert eve.get(table)["version"] == table["version"]
        gone = site.servers[0].process
        gone.kill()
        gone.wait()
        for category in ("ones", "twos", "threes"):
            table = ana.do(ana.do(table, "roll"), "fill", category=category)
            with eve.watch(table) as stream:
                assert stream.next()["version"] == table["version"]


def test_the_log_names_no_table(site: Site) -> None:
    with site.nginx.browser() as http:
        client = Client(http)
        table = client.do(client.open(people=[{"name": "Anastasia"}]), "roll")
        http.get(f"/table/{table['id']}?x=secret")
    site.nginx.stop()
    lines = site.nginx.log.read_text("utf-8").splitlines()
    assert [line.split()[1:3] for line in lines] == [
        ["201", "POST"],
        ["200", "POST"],
        ["200", "GET"],
    ]
    said = "".join(path.read_text("utf-8") for path in site.nginx.folder.glob("*.log"))
    for secret in (table["id"], "Anastasia", "secret", client.token):
        assert secret not in said
