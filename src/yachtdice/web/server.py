"""Running the application until a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any, cast

import uvicorn

from yachtdice.web.app import Application
from yachtdice.web.edge.connections import ConnectionLimiter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from yachtdice.play.online.tables import Tables
    from yachtdice.solutions import Solutions
    from yachtdice.web.edge.settings import Settings
    from yachtdice.web.metrics import Metrics

GRACE = 2
"""Seconds that requests may still take once the server stops."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A server that ends its streams when it stops, and reports when it is ready."""

    def __init__(  # noqa: PLR0913 - each for itself
        self,
        tables: Tables,
        settings: Settings,
        ready: Callable[[], None],
        *,
        proxies: str = "127.0.0.1",
        metrics: Metrics | None = None,
        solutions: Solutions | None = None,
    ) -> None:
        """Serve *tables*, and close them in the end; *ready* is called once the server answers.

        *proxies* are the addresses whose `X-Forwarded-For` and `-Proto` are believed. The coach
        goes by *solutions*; see `Application`.
        """
        self._application = Application(tables, settings, metrics, solutions)
        self._ready = ready
        self.connection_limiter: ConnectionLimiter = ConnectionLimiter(settings, proxies)
        self._loop: asyncio.AbstractEventLoop | None = None
        super().__init__(
            uvicorn.Config(
                self._application.asgi,
                interface="asgi3",
                http=cast("Any", self.connection_limiter),  # it makes the protocols
                lifespan="on",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=GRACE,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Close overdue connections once a second; uvicorn calls this ten times as often."""
        if self._loop is not None and not counter % 10:
            self.connection_limiter.close_overdue(self._loop.time())
        return await super().on_tick(counter)

    def stop(self) -> None:
        """Stop; uvicorn alone would wait for streams that never end by themselves.

        To be called from any thread or signal handler.
        """
        self.should_exit = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._application.hub.close)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop because of a signal; a second one stops at once."""
        super().handle_exit(sig, frame)
        self.stop()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals to stop meanwhile; being stopped by one is not an error."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def tune_memory() -> None:
    """Make the cyclic garbage collector run less often: a server makes little garbage in cycles.

    By default it takes a fifth of the processor time under load. Objects that are in no cycle,
    nearly all, are still freed at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 1000)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 chooses a free one.

    Raises:
        OSError: If it cannot listen.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048)


def address(host: str, listening: socket.socket) -> str:
    """Return the URL of the server for a browser on this machine."""
    port = listening.getsockname()[1]
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104 - compared, not bound
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
