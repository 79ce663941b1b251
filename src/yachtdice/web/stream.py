"""Server-sent events: each state of a table, rendered once for all who may see the same.

For pages: a *renderer* turns a `Scene` into the text of a message. It may use nothing but the
scene, because its text goes to everybody who sees the same one: spectators share one text, people
at the table have one each. Give `{name: Renderer(...)}` to the `Hub` (the application takes
`pages.RENDERERS`) and put `Route("/table/{table_id}/live", StreamEndpoint(name))` among the routes.

What a browser gets: the current state at once (unless its `Last-Event-ID`, or `?after=`, says that
it has it), then a message after each change; `id` is the table's version. Steps that a slow reader
misses are left out, the newest never is. The same version is sent again when who is absent
changed. With `?every=true` no step is left out, so that a program sees all versions in order, also
across servers and after a lost connection. A comment comes every 15 seconds. When the server stops,
the stream ends, and browsers come again.

`hub.render(name, scene)` gives the same text outside of a stream, from the same cache.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
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
    from starlette.types import Receive, Scope, Send

    from yachtdice.play.table.table import Table
    from yachtdice.web.context import Services
    from yachtdice.web.scene import Scene

_log = logging.getLogger(__name__)

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy that gathers output would hold each message back
]
_MOST_MISSED = 3
"""A stream is given up once so many signs of life were due and its reader took nothing."""
_STUCK = "the reader takes nothing"
_PING = b": ping\n\n"
_LONGEST_ID = 9


@dataclass(frozen=True, slots=True)
class Renderer:
    """Makes the text of a message from a scene, which is in force as the language meanwhile."""

    render: Callable[[Scene], str]
    event: str = ""
    """The type of the message; empty for the plain `message`."""


class _Slot:
    """What one stream has to do next: at most one thing of each kind, however slow it is."""

    __slots__ = ("_loop", "_waiting", "is_closed", "is_due", "is_news", "missed", "task", "version")

    def __init__(self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any] | None) -> None:
        self._loop = loop
        self.task = task
        self.version = 0
        """The newest version that was known when the stream began, or that it has had since."""
        self.missed = 0
        """How many signs of life were due while one message was being sent."""
        self._waiting: asyncio.Future[None] | None = None
        self.is_news = self.is_due = self.is_closed = False

    def news(self, _: object = None) -> None:
        self.is_news = True
        self._wake()

    def due(self) -> None:
        if self.missed >= _MOST_MISSED and self.task is not None:
            self.task.cancel(_STUCK)
            return
        self.missed += 1
        self.is_due = True
        self._wake()

    def close(self, _: object = None) -> None:
        self.is_closed = True
        self._wake()

    async def wait(self) -> None:
        if not (self.is_news or self.is_due or self.is_closed):
            self._waiting = self._loop.create_future()
            await self._waiting

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """All open streams, and the texts that they share."""

    def __init__(self, services: Services, renderers: Mapping[str, Renderer]) -> None:
        self.tables = services.tables
        self._settings = services.settings
        self._odds = services.odds
        self._scenes = services.scenes
        self._renderers = dict(renderers)
        self._slots: set[_Slot] = set()
        self._by_address: Counter[str] = Counter()
        self._watched: Counter[str] = Counter()
        # For each watched table its newest state, when that came to be (by `monotonic`), and the
        # texts of it.
        self._texts: dict[str, tuple[Table, float, dict[tuple[Any, ...], bytes]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.observe: Callable[[float], None] | None = None
        """Told, for each new version that a stream gets, the seconds since it came to be."""

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return len(self._slots)

    def render(self, name: str, scene: Scene) -> str:
        """Return what the renderer called *name* makes of *scene*."""
        with use_language(scene.language):
            return self._renderers[name].render(scene)

    def close(self) -> None:
        """End all streams; to be called on the event loop. New ones are refused from now on."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for slot in tuple(self._slots):
            slot.close()

    def check_room(self, address: str) -> None:
        """Check that one more stream for *address* is within the limits.

        Raises:
            RefusedError: If not (429 or 503).
        """
        if self._is_closed or len(self._slots) >= self._settings.max_streams:
            raise RefusedError(503, "busy", "no more streams", {"Retry-After": "5"})
        most = self._settings.streams_per_address
        if self._settings.rate and self._by_address[address] >= most:
            raise RefusedError(429, "too_many_streams", "too many streams", {"Retry-After": "5"})

    async def run(  # noqa: PLR0913, PLR0917 - what a stream is about
        self,
        name: str,
        table_id: str,
        who: str | None,
        after: int,
        address: str,
        receive: Receive,
        send: Send,
        direct: Send,
        *,
        every: bool = False,
    ) -> None:
        """Send the states of a table until the reader or the server ends it; all, if *every*.

        Between the begin and the end of the answer, which go by *send*, its parts go by *direct*.
        """
        self.check_room(address)
        slot = _Slot(asyncio.get_running_loop(), asyncio.current_task())
        self._slots.add(slot)
        self._by_address[address] += 1
        self._watched[table_id] += 1
        self._start_pings()
        stop: Callable[[], None] | None = None
        reading: asyncio.Task[None] | None = None
        try:
            table, stop = await self.tables.listen(table_id, slot.news, who)
            slot.version = table.version
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send(
                {"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True}
            )
            reading = asyncio.get_running_loop().create_task(_until_gone(receive, slot))
            # News may have come while we waited: that is not to be forgotten.
            slot.is_news |= table.version > after or bool(self.tables.absent(table))
            # The page may have been made before the odds that it shows were known.
            slot.is_news |= are_odds_shown(table)
            send_all = partial(self._send_steps, name, table_id, who, direct) if every else None
            try:
                await self._pump(slot, name, table_id, who, direct, after, send_all)
            except StoreError as error:  # it has begun: all that can be done is to end it
                _log.warning("a stream was ended", exc_info=error)
            if not reading.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError as error:
            if error.args != (_STUCK,):
                raise
            _log.info("a stream was given up", extra={"why": _STUCK})
        finally:
            if stop is not None:
                stop()
            if reading is not None:
                reading.cancel()
            self._slots.discard(slot)
            _less(self._by_address, address)
            if not _less(self._watched, table_id):
                self._texts.pop(table_id, None)

    async def _pump(  # noqa: PLR0913, PLR0917 - what a stream is about
        self,
        slot: _Slot,
        name: str,
        table_id: str,
        who: str | None,
        send: Send,
        shown: int,
        send_steps: Callable[[int, int], Awaitable[None]] | None,
    ) -> None:
        while not slot.is_closed:
            if slot.is_news:
                slot.is_news = False  # there may be more while we wait
                table = self.tables.known(table_id)
                if table is not None and are_odds_shown(table):
                    await self._settle(table, slot)
                if table is None:
                    return
                if send_steps is not None:
                    await send_steps(shown, table.version - 1)
                    shown = table.version
                body, born = self._message(name, table, who)
                if self.observe is not None and table.version > slot.version:
                    slot.version = table.version
                    self.observe(monotonic() - born)
            elif slot.is_due:
                body = _PING
            else:
                await slot.wait()
                continue
            slot.is_due = False
            await send({"type": "http.response.body", "body": body, "more_body": True})
            slot.missed = 0

    async def _send_steps(  # noqa: PLR0913, PLR0917 - as above
        self, name: str, table_id: str, who: str | None, send: Send, after: int, until: int
    ) -> None:
        """Send what the table was like at the versions in between."""
        event = self._renderers[name].event
        try:
            steps = await self.tables.steps(table_id, after, until)
        except TableNotFoundError:
            return  # deleted meanwhile; the stream ends where it looks for the newest state
        for table in steps:
            text = self.render(name, self._scenes.now(table, who))
            body = _framed(event, table.version, text)
            await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _settle(self, table: Table, slot: _Slot) -> None:
        """Wait a moment for what *table* shows besides its events, or tell it later."""
        await self._odds.settle(table)
        if self._odds.find(table) is None:
            self._odds.when_found(table, slot.news)

    def _message(self, name: str, table: Table, who: str | None) -> tuple[bytes, float]:
        """Return the newest state as a message, made once for all who see the same.

        With it, by `monotonic`, when that state came to be.
        """
        newest, born, texts = self._texts.get(table.id, (None, 0.0, {}))
        if newest is not table:
            born, texts = monotonic() - self.tables.age_of(table.id), {}
            self._texts[table.id] = (table, born, texts)
        key = (name, *self._scenes.key(table, who))
        text = texts.get(key)
        if text is None:
            event, scene = self._renderers[name].event, self._scenes.now(table, who)
            text = texts[key] = _framed(event, table.version, self.render(name, scene))
        return text, born

    def _start_pings(self) -> None:
        if self._timer is None and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._settings.ping_every, self._ping)

    def _ping(self) -> None:
        self._timer = None
        for slot in self._slots:
            slot.due()
        if self._slots:
            self._start_pings()


class StreamEndpoint:
    """A route's endpoint that streams what the renderer called *name* makes of `{table_id}`."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream; what goes wrong before it begins is for the application."""
        connection = HTTPConnection(scope)
        hub: Hub = scope["app"].state.hub
        after = connection.headers.get("last-event-id") or connection.query_params.get("after", "")
        if scope["method"] == "HEAD":
            await hub.tables.get(scope["path_params"]["table_id"])
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        # Our own ids are plain numbers. Anything else is no state that we have sent.
        is_known = after.isascii() and after.isdigit() and len(after) <= _LONGEST_ID
        await hub.run(
            self._name,
            scope["path_params"]["table_id"],
            viewer(connection),
            int(after) if is_known else 0,
            address_of(scope),
            receive,
            send,
            scope["state"]["send"],
            every=connection.query_params.get("every") == "true",
        )


async def _until_gone(receive: Receive, slot: _Slot) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    slot.close()


def _less(counter: Counter[str], key: str) -> int:
    counter[key] -= 1
    left = counter[key]
    if left <= 0:
        del counter[key]
    return left


def _framed(event: str, version: int, text: str) -> bytes:
    lines = [f"id: {version}"]
    if event:
        lines.append(f"event: {event}")
    # Of all line breaks of Unicode only these three end a line of the protocol.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines.extend(f"data: {line}" for line in text.split("\n"))
    return ("\n".join(lines) + "\n\n").encode()
