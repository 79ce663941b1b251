"""The application: pages, API and streams over one set of tables.

Pages plug in by a module `yachtdice.web.pages.start` with

- `ROUTES`: Starlette routes. `context.services(request)` returns the services of the server,
  `request.app.state.hub` is the `stream.Hub`; `edge.security.viewer` returns who sent the request.
- `RENDERERS`: the renderers of the pages' streams, `{name: stream.Renderer}`.

`pages.errors.error_page` makes the answers to errors outside of `/api`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import yachtdice
from yachtdice.i18n import explain
from yachtdice.rules import YachtError
from yachtdice.solutions import Solutions
from yachtdice.store.contract import StoreError
from yachtdice.web.api import openapi, routes, state
from yachtdice.web.context import Services
from yachtdice.web.edge.guard import Guard
from yachtdice.web.edge.language import LanguageMiddleware
from yachtdice.web.edge.security import RefusedError
from yachtdice.web.pages import start
from yachtdice.web.pages.errors import error_page
from yachtdice.web.services.health import Health
from yachtdice.web.stream import Hub

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from yachtdice.play.online.tables import Tables
    from yachtdice.web.edge.settings import Settings
    from yachtdice.web.metrics import Metrics

_log = logging.getLogger(__name__)

_CODES = {404: "not_found", 405: "method_not_allowed"}


class Application:
    """The ASGI application of a server."""

    def __init__(
        self,
        tables: Tables,
        settings: Settings,
        metrics: Metrics | None = None,
        solutions: Solutions | None = None,
    ) -> None:
        """Serve *tables*, which are closed when the server stops, and keep *metrics* of it.

        The coach and the win odds go by *solutions*, by default ones of their own.
        """
        renderers = {routes.STREAM: state.make_renderer(), **start.RENDERERS}
        self._services = Services(tables, settings, solutions or Solutions())
        self.hub: Hub = Hub(self._services, renderers)
        self._tables = tables
        self._store_health = Health(tables.store, settings.probe_every)
        self._settings = settings
        self._metrics = metrics
        self._app = Starlette(
            routes=[
                Route("/health", self._health, methods=["GET"]),
                *routes.ROUTES,
                *openapi.ROUTES,
                *start.ROUTES,
            ],
            exception_handlers={
                HTTPException: _answer_error,
                YachtError: _answer_error,
                Exception: _answer_internal_error,
            },
            lifespan=self._lifespan,
        )
        self._app.state.services = self._services
        self._app.state.hub = self.hub
        observe = None
        if metrics is not None:
            metrics.watch(tables, self.hub)
            observe = metrics.answered
        guard = Guard(self._app, settings, self._refused, observe=observe)
        self._layers: ASGIApp = LanguageMiddleware(guard)

    async def asgi(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            # Lets streams bypass the middleware, which would slow down each message.
            scope.setdefault("state", {})["send"] = send
        try:
            await self._layers(scope, receive, send)
        finally:
            # The server refers to the scope, so this is a reference cycle: the body would stay in
            # memory until the next garbage collection.
            scope.get("state", {}).pop("send", None)

    def _refused(self, scope: Scope, error: RefusedError) -> Response:
        scope.setdefault("app", self._app)
        return _answer(Request(scope), error.status_code, error.code, error.detail, error.headers)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self._tables.start()
        sweeping = asyncio.create_task(self._sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            self.hub.close()
            self._services.close()
            await self._tables.close()

    async def _sweep(self) -> None:
        while True:
            try:
                swept = await self._tables.sweep()
            except StoreError as error:
                _log.error("stale tables could not be swept", exc_info=error)
            else:
                if self._metrics is not None:
                    self._metrics.swept(swept)
                if swept:
                    _log.info("stale tables were deleted", extra={"tables": swept})
            await asyncio.sleep(self._settings.sweep_every)

    async def _health(self, _: Request) -> Response:
        """Return whether the server works: 503 while it cannot keep anything."""
        is_listening = self._tables.store.is_listening
        details = {
            "version": yachtdice.__version__,
            "streams": self.hub.streams,
            "listening": is_listening,
        }
        if not await self._store_health.is_writable():
            return routes.json_response({"status": "failing", **details}, 503)
        status = "ok" if is_listening else "degraded"
        return routes.json_response({"status": status, **details})


async def _answer_error(request: Request, error: Exception) -> Response:
    """Answer a request that was refused or failed in an expected way."""
    if isinstance(error, RefusedError):
        return _answer(request, error.status_code, error.code, error.detail, error.headers)
    if isinstance(error, HTTPException):
        code = _CODES.get(error.status_code, "refused")
        return _answer(request, error.status_code, code, error.detail, error.headers)
    if isinstance(error, StoreError):
        _log.error("the store failed", exc_info=error)
        return _answer(request, 503, "store_failing", "The server cannot keep anything now.")
    assert isinstance(error, YachtError)
    return _answer(request, routes.status_of(error), routes.code_of(error), explain(error))


async def _answer_internal_error(request: Request, _: Exception) -> Response:
    """Answer a request that failed unexpectedly; Starlette raises the error again for the log."""
    return _answer(request, 500, "internal", "Something went wrong on the server.")


def _answer(
    request: Request, status: int, code: str, detail: str, headers: object = None
) -> Response:
    extra = dict(headers) if isinstance(headers, dict) else {}
    if request.url.path.startswith(("/api/", "/health")):
        return routes.json_response(routes.error_json(code, detail), status, extra)
    response = error_page(request, status, code)
    response.headers.update(extra)
    return response
