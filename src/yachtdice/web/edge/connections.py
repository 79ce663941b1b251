"""Limits on connections: how many, how slow their clients may be, and how large a head.

uvicorn waits for ever for the rest of a request and for a client that reads nothing of an answer,
and buffers a head of any length. So each connection keeps the time since when it has been waiting
for its client, and once a second the `ConnectionLimiter` closes those that exceed the timeout.
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

MAX_PIPELINED = 16
"""Requests that may wait on a connection while an earlier one is answered."""
_SPARE_FILES = 100
"""File descriptors that are kept free for other things than connections."""
_MAX_TICK = 2.0
"""Seconds between two checks that count as waiting; if more passed, the server was suspended."""


class ConnectionLimiter:
    """Makes the protocols of uvicorn's connections, and limits how many there are."""

    def __init__(self, settings: Settings, proxies: str = "") -> None:
        """Apply *settings*, but no limit for each address to *proxies*.

        These are addresses or networks, separated by commas.
        """
        self.settings = settings
        self._max_connections = min(settings.max_connections, _max_files() - _SPARE_FILES)
        self._open: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._proxies = tuple(_networks(proxies))
        self._working_time = 0.0
        self._checked_at = 0.0

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
        return len(self._open)

    def add(self, connection: Connection) -> HTTPStatus | None:
        """Count *connection*; return the status to refuse it with if there are too many."""
        self._open.add(connection)
        self._by_address[connection.address] += 1
        if len(self._open) > self._max_connections:
            return HTTPStatus.SERVICE_UNAVAILABLE
        is_many = self._by_address[connection.address] > self.settings.connections_per_address
        if is_many and self.settings.rate and not self._is_proxy(connection):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    def remove(self, connection: Connection) -> None:
        """Stop counting *connection*."""
        self._open.discard(connection)
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]

    def close_overdue(self, now: float) -> None:
        """Close the connections that exceed the timeout; *now* is the event loop's time."""
        self._working_time, self._checked_at = self.working_time(now), now
        for connection in tuple(self._open):
            connection.close_if_overdue(self._working_time)

    def working_time(self, now: float) -> float:
        """Return the seconds up to *now* in which the server was running.

        While the process was suspended or starved it could not read what its clients sent.
        """
        return self._working_time + min(now - self._checked_at, _MAX_TICK)

    def _is_proxy(self, connection: Connection) -> bool:
        if connection.client is None:
            return False
        try:
            address = ip_address(connection.client[0].partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


class Connection(HttpToolsProtocol):
    """One connection, as uvicorn handles it, with a timeout for its client."""

    def __init__(
        self,
        limiter: ConnectionLimiter,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address: str = ""
        self._limiter = limiter
        self._since = self._now()
        """Since when the server has been waiting for the client, if it is."""
        self._is_receiving = False
        """Whether a request has begun and is not complete."""
        self._has_head = False
        """Whether its head is complete, so that it is the newest of the requests."""
        self._buffered = 0
        """The approximate number of bytes of an incomplete head, or of what follows a body."""
        self._cycles: list[RequestResponseCycle] = []
        """The newest request, and those that were not fully answered when it arrived."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; refuse it if there are too many."""
        super().connection_made(transport)
        self.address = address_of({"client": self.client})
        if (status := self._limiter.add(self)) is not None:
            self._refuse(status)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and cancel its unfinished requests."""
        self._limiter.remove(self)
        super().connection_lost(exc)
        # uvicorn disconnects only the newest one of several requests.
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Parse *data*. What is not HTTP is refused, and not logged: it is the client's fault."""
        while data and not self.transport.is_closing():
            self._buffered += len(data)
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                # No other protocol is supported, so the connection stays with this one.
                data = data[upgrade.args[0] :]
                continue
            except httptools.HttpParserError:
                self._refuse(HTTPStatus.BAD_REQUEST)
            else:
                if self._is_receiving and self._buffered > self._limiter.settings.max_head:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return

    def on_message_begin(self) -> None:
        """Start to receive a request."""
        self._is_receiving = True
        self._has_head = False
        self._buffered = 0
        self._since = self._now()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start to handle a request, whose body may still be incomplete."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError("too many requests at once")  # the parser turns it into its own error
        super().on_headers_complete()
        self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete]
        self._cycles.append(self.cycle)
        self._has_head = True
        self._buffered = 0
        # Trailer fields after the body are ignored.
        self.headers: list[tuple[bytes, bytes]] = []

    def on_body(self, body: bytes) -> None:
        """Receive a part of a body, whose size the application limits."""
        self._buffered = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._is_receiving = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note that the next step is the client's."""
        if not self._is_receiving:
            self._since = self._now()
        super().on_response_complete()
        self._unset_keepalive_if_required()  # the limiter handles idle connections, too

    def close_if_overdue(self, now: float) -> None:
        """Close the connection if it exceeds the timeout at *now*, in seconds of working time."""
        if not self._is_waiting():
            self._since = now
        elif now - self._since > self._limiter.settings.client_timeout:
            if self.transport.is_closing() or self.flow.write_paused:
                self.transport.abort()  # what the client does not read would stay in memory
            elif self._is_receiving:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            else:
                self._since = now
                self.transport.close()

    def _now(self) -> float:
        return self._limiter.working_time(self.loop.time())

    @property
    def _is_idle(self) -> bool:
        """Whether there is nothing to answer."""
        return self.cycle is None or self.cycle.response_complete

    def _is_waiting(self) -> bool:
        if self.transport.is_closing() or self.flow.write_paused:
            return True
        if not self._is_receiving:
            return self._is_idle
        # While reading is paused or an earlier request is being answered, it need not continue.
        return not self.flow.read_paused and (self._has_head or self._is_idle)

    def _refuse(self, status: HTTPStatus) -> None:
        """Close the connection; with an answer, unless it could be taken for that of another."""
        is_newest = self._is_receiving and self._has_head and not self.pipeline
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
    """Yield the networks in *text*, all of them for `*`. Names are skipped, as of Unix sockets."""
    for word in ("0.0.0.0/0", "::/0") if text.strip() == "*" else text.split(","):
        with suppress(ValueError):
            yield ip_network(word.strip(), strict=False)


def _max_files() -> int:
    """Return how many files the process may have open."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
