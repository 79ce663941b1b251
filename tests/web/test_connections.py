"""Connections of clients that do not get on, send too much, or go in the middle."""

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from tests.waiting import DEADLINE, until
from tests.web.conftest import SECRET, Client, Serve, Served
from yachtdice.play.online.tables import Tables
from yachtdice.web.app import Application
from yachtdice.web.edge.connections import MAX_PIPELINED, Connection, ConnectionLimiter
from yachtdice.web.edge.settings import Settings

POST = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GET = b"GET /api/options HTTP/1.1\r\nHost: x\r\n\r\n"
MAX_HEAD = Settings(SECRET).max_head

Connect = Callable[[Served], socket.socket]


@pytest.fixture
def connect() -> Iterator[Connect]:
    with ExitStack() as stack:

        def connected(served: Served) -> socket.socket:
            url = httpx.URL(served.url)
            made = stack.enter_context(socket.create_connection((url.host, url.port or 0)))
            made.settimeout(DEADLINE)
            return made

        yield connected


class World:
    """A server for whose connections time passes when the test says so."""

    def __init__(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self.served = served
        self._close_overdue = served.server.connection_limiter.close_overdue
        self._now = 0.0
        self._received = 0
        receive = Connection.data_received

        def count(connection: Connection, data: bytes) -> None:
            receive(connection, data)
            self._received += len(data)

        monkeypatch.setattr(Connection, "data_received", count)
        monkeypatch.setattr(served.server.connection_limiter, "close_overdue", lambda _: None)

    def send(self, connection: socket.socket, data: bytes) -> None:
        """Send, and wait until the server has it."""
        wanted = self._received + len(data)
        connection.sendall(data)
        until(lambda: self._received == wanted)

    def pass_seconds(self, seconds: int) -> None:
        """Let the limiter check every other second for *seconds*."""
        loop = self.served.server._loop  # noqa: SLF001
        assert loop is not None
        self._now = max(self._now, loop.time())
        done = threading.Event()

        def look() -> None:
            for _ in range(seconds // 2):
                self._now += 2
                self._close_overdue(self._now)
            loop.call_soon(done.set)  # after those that were closed have left

        loop.call_soon_threadsafe(look)
        assert done.wait(DEADLINE)

    def pass_until_all_have_gone(self) -> None:
        def have_gone() -> bool:
            self.pass_seconds(60)
            return not len(self.served.server.connection_limiter)

        until(have_gone)


@pytest.fixture
def world(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(serve(Settings(SECRET, rate=0, ping_every=0.1)), monkeypatch)


@pytest.fixture(autouse=True)
def nothing_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What clients do wrong is no fault of the server."""
    yield
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def read(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection."""
    said = b""
    try:
        while data := connection.recv(100_000):
            said += data
    except ConnectionError:
        pass
    return said


def statuses(said: bytes) -> list[int]:
    return [int(part[:3]) for part in said.split(b"HTTP/1.1 ")[1:]]


# Who does not get on


@pytest.mark.parametrize(
    ("half", "status"),
    [
        (b"", []),
        (b"G", [408]),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: y", [408]),
        (POST + b"Content-Length: 20\r\n\r\n{", [408]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", [408]),
        (GET, [200]),
        (GET + b"GET", [200, 408]),
        # It is refused at once, and then the rest of it does not come.
        (POST + b"Content-Length: 99999\r\n\r\n{", [413, 408]),
    ],
)
def test_who_does_not_get_on_is_shown_out(
    world: World, connect: Connect, half: bytes, status: list[int]
) -> None:
    connection = connect(world.served)
    until(lambda: len(world.served.server.connection_limiter) == 1)
    world.send(connection, half)
    world.pass_until_all_have_gone()
    assert statuses(read(connection)) == status


def test_who_sends_byte_by_byte_is_shown_out(world: World, connect: Connect) -> None:
    connection = connect(world.served)
    for byte in POST + b"X: " + b"y" * 100:
        world.send(connection, bytes((byte,)))
        world.pass_seconds(2)
        if not len(world.served.server.connection_limiter):
            break
    assert statuses(read(connection)) == [408]


def test_who_reads_nothing_is_shown_out(world: World) -> None:
    url = httpx.URL(world.served.url)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect((url.host, url.port))
        until(lambda: len(world.served.server.connection_limiter) == 1)
        (there,) = world.served.server.connection_limiter._open  # noqa: SLF001
        while not there.flow.write_paused:  # once the kernel keeps no more for us
            world.send(connection, b"GET /api/docs HTTP/1.1\r\nHost: x\r\n\r\n")
            until(lambda: there.flow.write_paused or there._is_idle)  # noqa: SLF001
        world.pass_until_all_have_gone()


def test_streams_and_slow_answers_stay_open(world: World) -> None:
    ana = world.served.client()
    table = ana.open()
    with ana.watch(table) as stream:
        assert stream.next() == table
        for _ in range(3):
            world.pass_seconds(60)
            assert stream.next_block() == [": ping"]
        client = Client(world.served.browser())
        client.token = ana.token
        after = client.do(table, "roll")
        assert stream.next() == after


def test_while_the_server_is_held_up_no_time_passes_for_its_clients() -> None:
    """On a busy machine, or when its process was stopped: it could not hear them."""
    limiter = ConnectionLimiter(Settings(SECRET))
    connection: Any = Mock(address="192.0.2.1", client=("192.0.2.1", 5))
    limiter.add(connection)
    begun = limiter.working_time(1000.0)
    for now in (1001.0, 1002.0, 1003.0, 1063.0, 1064.0):
        limiter.close_overdue(now)
    passed = [call.args[0] - begun for call in connection.close_if_overdue.call_args_list]
    assert passed == [0, 1, 2, 4, 5]
    assert limiter.working_time(1064.5) - begun == 5.5


# Who sends too much


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET /", b"x" * 1000),
        (b"GET / HTTP/1.1\r\nX: ", b"y" * 1000),
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 200),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 1000),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n" * 200),
    ],
)
def test_a_head_without_an_end_is_not_gathered(
    served: Served, connect: Connect, begin: bytes, more: bytes
) -> None:
    connection = connect(served)
    connection.sendall(begin)
    try:
        for _ in range(10_000):
            connection.sendall(more)
    except ConnectionError:
        pass
    else:
        pytest.fail("ten megabytes were taken")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/options", {"X": "y" * MAX_HEAD}, 431),
        ("/", {"X": "y" * MAX_HEAD}, 431),
        ("/", {"Cookie": "yacht=" + "y" * (MAX_HEAD - 1000)}, 200),
        ("/" + "x" * 5000, {}, 414),
        ("/?" + "x" * 5000, {}, 414),
        ("/table/" + "a" * 16 + "/replay/" + "9" * 4900, {}, 414),
        ("/table/" + "a" * 16 + "/replay/" + "9" * 3900, {}, 404),
    ],
)
def test_a_head_has_its_limits(
    served: Served, path: str, headers: dict[str, str], status: int
) -> None:
    answer = served.http.get(path, headers=headers)
    assert answer.status_code == status
    assert "content-security-policy" in answer.headers


def test_fields_after_a_body_are_no_headers(served: Served, connect: Connect) -> None:
    connection = connect(served)
    connection.sendall(
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked"
        b"\r\n\r\n2\r\n{}\r\n0\r\nContent-Type: application/json\r\n\r\n"
    )
    assert statuses(read(connection)) == [415]


def test_there_is_one_host(served: Served, connect: Connect) -> None:
    connection = connect(served)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n")
    assert statuses(read(connection)) == [400]


def test_few_requests_wait_for_their_turn(served: Served, connect: Connect) -> None:
    connection = connect(served)
    connection.sendall(GET * MAX_PIPELINED + GET.replace(b"Host", b"Connection: close\r\nHost"))
    assert statuses(read(connection)) == [200] * (MAX_PIPELINED + 1)
    connection = connect(served)
    connection.sendall(GET * 1000)
    assert statuses(read(connection)) == []


@pytest.mark.parametrize("others", [1, 2])
def test_there_is_room_for_so_many(serve: Serve, connect: Connect, others: int) -> None:
    served = serve(Settings(SECRET, max_connections=2))
    inside = [connect(served) for _ in range(others)]
    for connection in inside:
        connection.sendall(GET)
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
    connection = connect(served)
    connection.sendall(GET.replace(b"Host", b"Connection: close\r\nHost"))
    assert statuses(read(connection)) == [200 if others == 1 else 503]
    inside[0].close()
    until(lambda: len(served.server.connection_limiter) == others - 1)


@pytest.mark.parametrize(
    ("address", "proxies", "rate", "is_counted"),
    [
        ("192.0.2.1", "127.0.0.1", 30, True),
        ("192.0.2.1", "127.0.0.1", 0, False),
        ("192.0.2.1", "192.0.2.0/24, x", 30, False),
        ("192.0.2.1", "/run/socket", 30, True),
        ("192.0.2.1", "*", 30, False),
        ("::1", "*", 30, False),
        ("2001:db8::1", "2001:db8::1", 30, False),
        ("2001:db8::1", "127.0.0.1", 30, True),
        ("odd", "*", 30, True),
    ],
)
def test_an_address_has_so_many(address: str, proxies: str, rate: float, is_counted: bool) -> None:  # noqa: FBT001
    limiter = ConnectionLimiter(Settings(SECRET, rate=rate, connections_per_address=2), proxies)

    def enter(client: str) -> tuple[Any, HTTPStatus | None]:
        connection: Any = Mock(address=client, client=(client, 5))
        return connection, limiter.add(connection)

    entered = [enter(address) for _ in range(3)]
    refused = HTTPStatus.TOO_MANY_REQUESTS if is_counted else None
    assert [status for _, status in entered] == [None, None, refused]
    assert enter("198.51.100.1")[1] is None
    for connection, _ in entered[1:]:
        limiter.remove(connection)
    assert enter(address)[1] is None
    assert len(limiter) == 3


# Who goes in the middle, or speaks another language


@pytest.mark.parametrize(
    "half",
    [
        POST + b"Content-Length: 20\r\n\r\n{",
        POST.replace(b"api/tables", b"new") + b"Content-Length: 20\r\n\r\ncsrf=",
        POST.replace(b"api/tables", b"analyse") + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc",
        GET * 10,
        POST + b"Expect: 100-continue\r\nContent-Length: 20\r\n\r\n",
        b"GET /static/base.css HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na",
    ],
)
def test_who_goes_in_the_middle_is_no_fault(served: Served, connect: Connect, half: bytes) -> None:
    for _ in range(20):
        connection = connect(served)
        connection.sendall(half)
        connection.close()
    until(lambda: len(served.server.connection_limiter) <= 1)  # our own
    assert served.http.get("/health").status_code == 200


def test_another_protocol_is_not_taken_up(served: Served, connect: Connect) -> None:
    """Some clients offer HTTP/2 with each request, and go on in HTTP/1.1."""
    connection = connect(served)
    offer = GET.replace(b"Host", b"Connection: upgrade\r\nUpgrade: h2c\r\nHost")
    connection.sendall(offer * 2)
    connection.sendall(offer.replace(b"upgrade\r", b"upgrade, close\r"))
    assert statuses(read(connection)) == [200] * 3


@pytest.mark.parametrize(
    "nonsense",
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET /x\xff HTTP/1.1\r\n\r\n",
        b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /new HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\x00b\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(served: Served, connect: Connect, nonsense: bytes) -> None:
    connection = connect(served)
    connection.sendall(nonsense)
    assert statuses(read(connection))[0] == 400


def test_an_answered_request_is_forgotten() -> None:
    """Its body would else stay until Python looks for circles."""

    async def answered() -> dict[str, Any]:
        application = Application(Tables(), Settings(SECRET))
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": "/nothing",
            "raw_path": b"/nothing",
            "query_string": b"",
            "http_version": "1.1",
            "headers": [(b"host", b"x")],
        }

        async def quiet(_: Any = None) -> Any:  # noqa: ANN401 - an ASGI callable
            pass

        await application.asgi(scope, quiet, quiet)
        return scope

    assert "send" not in asyncio.run(answered())["state"]
