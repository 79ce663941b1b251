"""What clients may keep a server waiting with, and how much they may send before it looks.

uvicorn waits for ever for the rest of a request, and for somebody who reads nothing of an answer;
and it gathers a head of any length. So each connection notes since when it waits for its client,
and once a second the `Door` shows out those who let it wait for too long.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from yachtdice.web.edge.limits import address_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

    import uvicorn
    from uvicorn.server import ServerState

    from yachtdice.web.edge.settings import Settings

MOST_PIPELINED = 16
"""Requests that may wait on a connection while an earlier one is answered."""
_SPARE_FILES = 100
"""Of those that the process may open, so many are not for connections."""
_LONGEST_TICK = 2.0
"""Seconds between two looks that count: what is more, the server itself was held up."""


class Door:
    """Lets connections in, as many as there is room for: what uvicorn makes its protocols with."""

    def __init__(self, settings: Settings, proxies: str = "") -> None:
        """Let *proxies*, addresses or networks with commas between, have as many as there are."""
        self.settings = settings
        self._most = min(settings.most_connections, _most_files() - _SPARE_FILES)
        self._inside: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._proxies = tuple(_networks(proxies))
        self._counted = 0.0
        self._looked = 0.0

    def __call__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> Connection:
        """Return the protocol of a new connection."""
        return Connection(self, config, server_state, app_state, _loop)

    def __len__(self) -> int:
        """Return the number of open connections."""
        return len(self._inside)

    def enter(self, connection: Connection) -> HTTPStatus | None:
        """Count *connection*; return what to refuse it with, if there is no room for it."""
        self._inside.add(connection)
        self._by_address[connection.address] += 1
        if len(self._inside) > self._most:
            return HTTPStatus.SERVICE_UNAVAILABLE
        is_many = self._by_address[connection.address] > self.settings.connections_per_address
        if is_many and self.settings.rate and not self._is_proxy(connection):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    def leave(self, connection: Connection) -> None:
        """Count *connection* no more."""
        self._inside.discard(connection)
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]

    def look(self, now: float) -> None:
        """Close the connections that keep us waiting; *now* is the time of the event loop."""
        self._counted, self._looked = self.count(now), now
        for connection in tuple(self._inside):
            connection.look(self._counted)

    def count(self, now: float) -> float:
        """Return the seconds up to *now* in which the server was at work.

        While it was held up, on a busy machine or a stopped one, it could not hear its clients.
        """
        return self._counted + min(now - self._looked, _LONGEST_TICK)

    def _is_proxy(self, connection: Connection) -> bool:
        if connection.client is None:
            return False
        try:
            address = ip_address(connection.client[0].partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


class Connection(HttpToolsProtocol):
    """One connection, as uvicorn handles it, whose client has to get on."""

    def __init__(
        self,
        door: Door,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address: str = ""
        self._door = door
        self._since = self._now()
        """Since when we wait for the client, if we do."""
        self._is_asking = False
        """Whether a request has begun and is not complete."""
        self._has_head = False
        """Whether its head is complete, so that it is the newest of the requests."""
        self._gathered = 0
        """Bytes, about, of a head that is not complete, or of what comes after a body."""
        self._cycles: list[RequestResponseCycle] = []
        """The requests that have not been answered wholly when the newest one came, and that."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self.address = address_of({"client": self.client})
        if (status := self._door.enter(self)) is not None:
            self._refuse(status)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._door.leave(self)
        super().connection_lost(exc)
        # Only the newest one of several requests has been told.
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Take what has come. What is no HTTP is the client's fault, and nothing for the log."""
        while data and not self.transport.is_closing():
            self._gathered += len(data)
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                # We know no other protocol, and so go on in this one.
                data = data[upgrade.args[0] :]
                continue
            except httptools.HttpParserError:
                self._refuse(HTTPStatus.BAD_REQUEST)
            else:
                if self._is_asking and self._gathered > self._door.settings.most_head:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return

    def on_message_begin(self) -> None:
        """Note that the head of a request has begun."""
        self._is_asking = True
        self._has_head = False
        self._gathered = 0
        self._since = self._now()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin with a request; its body may still be on its way."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests at once")  # the parser makes an error of its own
        super().on_headers_complete()
        self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete]
        self._cycles.append(self.cycle)
        self._has_head = True
        self._gathered = 0
        self.headers: list[
            tuple[bytes, bytes]
        ] = []  # fields that come after the body are no part of the request

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, which the application counts."""
        self._gathered = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is there as a whole."""
        self._is_asking = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note that it is up to the client again."""
        if not self._is_asking:
            self._since = self._now()
        super().on_response_complete()
        self._unset_keepalive_if_required()  # the door looks after that as well

    def look(self, now: float) -> None:
        """Close the connection if its client has kept us waiting for too long at `Door.count`."""
        if not self._is_waiting():
            self._since = now
        elif now - self._since > self._door.settings.patience:
            if self.transport.is_closing() or self.flow.write_paused:
                self.transport.abort()  # what it does not read would be kept for ever
            elif self._is_asking:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            else:
                self._since = now
                self.transport.close()

    def _now(self) -> float:
        return self._door.count(self.loop.time())

    @property
    def _is_idle(self) -> bool:
        """Whether there is nothing to be answered."""
        return self.cycle is None or self.cycle.response_complete

    def _is_waiting(self) -> bool:
        if self.transport.is_closing() or self.flow.write_paused:
            return True
        if not self._is_asking:
            return self._is_idle
        # While we do not read, or answer an earlier request, it need not go on.
        return not self.flow.read_paused and (self._has_head or self._is_idle)

    def _refuse(self, status: HTTPStatus) -> None:
        """Close the connection; with an answer, unless it would be taken for another one."""
        is_newest = self._is_asking and self._has_head and not self.pipeline
        if self._is_idle or (is_newest and not self.cycle.response_started):
            text = f"{status.value} {status.phrase}\n".encode()
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain\r\n"
                f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + text)
        self._since = self._now()
        self.transport.close()


def _networks(text: str) -> Iterator[IPv4Network | IPv6Network]:
    """Yield the networks that *text* names, all for a `*`; no name, such as of a Unix socket."""
    for word in ("0.0.0.0/0", "::/0") if text.strip() == "*" else text.split(","):
        with suppress(ValueError):
            yield ip_network(word.strip(), strict=False)


def _most_files() -> int:
    """Return how many files the process may have open."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
