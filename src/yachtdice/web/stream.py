"""Server-sent events: each state of a table, rendered once for all who see the same.

For pages: a `Renderer` turns a `Scene` into the text of a message. It may use nothing but the
scene, because everybody who sees the same scene gets the same text: spectators share one, each
person at the table has their own. Pass `{name: Renderer(...)}` to the `Hub` (the application takes
`pages.RENDERERS`) and put `Route("/table/{table_id}/live", StreamEndpoint(name))` in the routes.

A client gets the current state at once (unless its `Last-Event-ID`, or `?after=`, says that it has
it) and a message after each change; `id` is the table's version. A slow client may miss versions,
but never the newest one. The same version is sent again when absent seats change. With
`?every=true` no version is skipped, so that a program sees all of them in order, also across
servers and after a lost connection. A comment is sent every 15 seconds. When the server stops, the
stream ends and browsers reconnect.

`hub.render(name, scene)` returns the same text outside of a stream.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection

from yachtdice.i18n import use_language
from yachtdice.play.table.refusals import TableNotFoundError
from yachtdice.store.contract import StoreError
from yachtdice.web.edge.limits import address_of
from yachtdice.web.edge.security import RefusedError, viewer
from yachtdice.web.services.win_odds import are_odds_shown

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from yachtdice.play.online.tables import Tables
    from yachtdice.play.table.table import Table
    from yachtdice.web.context import Services
    from yachtdice.web.scene import Scene

_log = logging.getLogger(__name__)

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies must not buffer messages
]
_MAX_MISSED_PINGS = 3
"""A stream is ended if so many pings were due while its client accepted no data."""
_STUCK = "the client accepts no data"
_PING = b": ping\n\n"
_MAX_ID_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Renderer:
    """Makes the text of a message from a scene; the scene's language is active meanwhile."""

    render: Callable[[Scene], str]
    event: str = ""
    """The type of the message; empty for the plain `message`."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a client wants to be sent."""

    renderer: str
    table_id: str
    holder: str | None
    address: str = ""
    """The network address that the stream is counted for."""
    after: int = 0
    """The version that the client has already."""
    every: bool = False
    """Whether no version may be skipped."""


@dataclass(frozen=True, slots=True)
class Channel:
    """The connection to a client, in terms of ASGI."""

    receive: Receive
    send: Send
    """Sends the start and the end of the answer, through all middleware."""
    send_part: Send
    """Sends what is in between, past the middleware, which has nothing to do for it."""


class _Stream:
    """An open stream and what to send next: at most one of each kind, however slow the client."""

    __slots__ = (
        "_loop",
        "_task",
        "_waiting",
        "channel",
        "has_news",
        "is_closed",
        "is_ping_due",
        "missed_pings",
        "subscription",
        "version",
    )

    def __init__(self, subscription: Subscription, channel: Channel) -> None:
        """To be called in the task that sends."""
        self.subscription = subscription
        self.channel = channel
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self.version = 0
        """The newest version that was current when the stream started, or was sent since."""
        self.missed_pings = 0
        """How many pings were due while one message was being sent."""
        self._waiting: asyncio.Future[None] | None = None
        self.has_news = self.is_ping_due = self.is_closed = False

    def notify(self, _: object = None) -> None:
        """Send the newest state of the table as soon as possible."""
        self.has_news = True
        self._wake()

    def ping(self) -> None:
        """Send a comment as soon as possible; give up if the client has accepted no data lately."""
        if self.missed_pings >= _MAX_MISSED_PINGS and self._task is not None:
            self._task.cancel(_STUCK)
            return
        self.missed_pings += 1
        self.is_ping_due = True
        self._wake()

    def close(self) -> None:
        """End the stream as soon as possible."""
        self.is_closed = True
        self._wake()

    async def wait(self) -> None:
        """Wait until there is something to do."""
        if not (self.has_news or self.is_ping_due or self.is_closed):
            self._waiting = self._loop.create_future()
            await self._waiting

    async def close_on_disconnect(self) -> None:
        """End the stream when the client disconnects."""
        while (await self.channel.receive())["type"] != "http.disconnect":
            pass
        self.close()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """All open streams, and the texts that they share."""

    def __init__(self, services: Services, renderers: Mapping[str, Renderer]) -> None:
        self.tables: Tables = services.tables
        self._settings = services.settings
        self._odds = services.odds
        self._scenes = services.scenes
        self._renderers = dict(renderers)
        self._streams: set[_Stream] = set()
        self._streams_by_address: Counter[str] = Counter()
        self._streams_by_table: Counter[str] = Counter()
        # The newest state of each table with a stream, when it was made (by `monotonic`), and its
        # texts.
        self._texts: dict[str, tuple[Table, float, dict[tuple[Any, ...], bytes]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.observe: Callable[[float], None] | None = None
        """Called for each new version that is sent on a stream, with the seconds since its making.
        """

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return len(self._streams)

    def render(self, name: str, scene: Scene) -> str:
        """Return what the renderer called *name* makes of *scene*."""
        with use_language(scene.language):
            return self._renderers[name].render(scene)

    def close(self) -> None:
        """End all streams and refuse new ones; to be called on the event loop."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for stream in tuple(self._streams):
            stream.close()

    async def run(self, subscription: Subscription, channel: Channel) -> None:
        """Send the states of a table until the client or the server ends the stream.

        Raises:
            RefusedError: If there are too many streams (429 or 503).
            TableNotFoundError: If there is no such table.
        """
        self._check_limits(subscription.address)
        stream = _Stream(subscription, channel)
        self._add(stream)
        unsubscribe: Callable[[], None] | None = None
        reading: asyncio.Task[None] | None = None
        try:
            table, unsubscribe = await self.tables.listen(
                subscription.table_id, stream.notify, subscription.holder
            )
            stream.version = table.version
            await channel.send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await channel.send(_part(b"retry: 1000\n\n"))
            reading = asyncio.get_running_loop().create_task(stream.close_on_disconnect())
            # `|=`: there may have been news while the start was being sent.
            stream.has_news |= table.version > subscription.after or bool(self.tables.absent(table))
            # The page may have been made before the odds that it shows were known.
            stream.has_news |= are_odds_shown(table)
            try:
                await self._send_news(stream)
            except StoreError as error:  # the answer has started, so it can only be ended
                _log.warning("a stream was ended", exc_info=error)
            if not reading.done():
                await channel.send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError as error:
            if error.args != (_STUCK,):
                raise
            _log.info("a stream was given up", extra={"why": _STUCK})
        finally:
            if unsubscribe is not None:
                unsubscribe()
            if reading is not None:
                reading.cancel()
            self._remove(stream)

    def _check_limits(self, address: str) -> None:
        """Check that one more stream for *address* is within the limits."""
        if self._is_closed or len(self._streams) >= self._settings.max_streams:
            raise RefusedError(503, "busy", "no more streams", {"Retry-After": "5"})
        maximum = self._settings.streams_per_address
        if self._settings.rate and self._streams_by_address[address] >= maximum:
            raise RefusedError(429, "too_many_streams", "too many streams", {"Retry-After": "5"})

    def _add(self, stream: _Stream) -> None:
        self._streams.add(stream)
        self._streams_by_address[stream.subscription.address] += 1
        self._streams_by_table[stream.subscription.table_id] += 1
        self._start_pings()

    def _remove(self, stream: _Stream) -> None:
        self._streams.discard(stream)
        _decrement(self._streams_by_address, stream.subscription.address)
        if not _decrement(self._streams_by_table, stream.subscription.table_id):
            self._texts.pop(stream.subscription.table_id, None)

    async def _send_news(self, stream: _Stream) -> None:
        """Send what is new until the stream is closed."""
        subscription, send = stream.subscription, stream.channel.send_part
        shown = subscription.after
        while not stream.is_closed:
            if stream.has_news:
                stream.has_news = False  # there may be more while this is being sent
                table = self.tables.cached(subscription.table_id)
                if table is None:
                    return
                if are_odds_shown(table):
                    await self._settle(table, stream)
                if subscription.every:
                    await self._send_versions(stream, shown, table.version - 1)
                    shown = table.version
                body, made_at = self._message(table, subscription)
                if self.observe is not None and table.version > stream.version:
                    stream.version = table.version
                    self.observe(monotonic() - made_at)
            elif stream.is_ping_due:
                body = _PING
            else:
                await stream.wait()
                continue
            stream.is_ping_due = False
            await send(_part(body))
            stream.missed_pings = 0

    async def _send_versions(self, stream: _Stream, after: int, until: int) -> None:
        """Send the table as it was at each version after *after* up to *until*."""
        subscription = stream.subscription
        try:
            steps = await self.tables.steps(subscription.table_id, after, until)
        except TableNotFoundError:
            return  # deleted meanwhile; the stream ends when it looks up the newest state
        event = self._renderers[subscription.renderer].event
        for table in steps:
            scene = self._scenes.now(table, subscription.holder)
            text = self.render(subscription.renderer, scene)
            await stream.channel.send_part(_part(_message_bytes(event, table.version, text)))

    async def _settle(self, table: Table, stream: _Stream) -> None:
        """Wait for the odds that *table* shows; if that takes too long, send them later."""
        await self._odds.settle(table)
        if self._odds.find(table) is None:
            self._odds.when_found(table, stream.notify)

    def _message(self, table: Table, subscription: Subscription) -> tuple[bytes, float]:
        """Return the newest state as a message, and when that state was made, by `monotonic`.

        The message is made once for all who see the same.
        """
        newest, made_at, texts = self._texts.get(table.id, (None, 0.0, {}))
        if newest is not table:
            made_at, texts = monotonic() - self.tables.age_of(table.id), {}
            self._texts[table.id] = (table, made_at, texts)
        name, holder = subscription.renderer, subscription.holder
        key = (name, *self._scenes.key(table, holder))
        message = texts.get(key)
        if message is None:
            text = self.render(name, self._scenes.now(table, holder))
            message = _message_bytes(self._renderers[name].event, table.version, text)
            texts[key] = message
        return message, made_at

    def _start_pings(self) -> None:
        if self._timer is None and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._settings.ping_every, self._ping)

    def _ping(self) -> None:
        self._timer = None
        for stream in self._streams:
            stream.ping()
        if self._streams:
            self._start_pings()


class StreamEndpoint:
    """The endpoint of a route that streams the table `{table_id}` by the renderer called *name*."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream; errors before it starts are handled by the application."""
        connection = HTTPConnection(scope)
        hub: Hub = scope["app"].state.hub
        after = connection.headers.get("last-event-id") or connection.query_params.get("after", "")
        if scope["method"] == "HEAD":
            await hub.tables.get(scope["path_params"]["table_id"])
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        # Ids of messages are plain numbers. Anything else was not sent by this endpoint.
        is_version = after.isascii() and after.isdigit() and len(after) <= _MAX_ID_DIGITS
        subscription = Subscription(
            self._name,
            scope["path_params"]["table_id"],
            viewer(connection).holder,
            address_of(scope),
            int(after) if is_version else 0,
            connection.query_params.get("every") == "true",
        )
        await hub.run(subscription, Channel(receive, send, scope["state"]["send"]))


def _part(body: bytes) -> Message:
    """Return the ASGI message that sends a part of the answer."""
    return {"type": "http.response.body", "body": body, "more_body": True}


def _decrement(counter: Counter[str], key: str) -> int:
    counter[key] -= 1
    left = counter[key]
    if left <= 0:
        del counter[key]
    return left


def _message_bytes(event: str, version: int, text: str) -> bytes:
    lines = [f"id: {version}"]
    if event:
        lines.append(f"event: {event}")
    # The protocol knows only these three line breaks of Unicode.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines.extend(f"data: {line}" for line in text.split("\n"))
    return ("\n".join(lines) + "\n\n").encode()
