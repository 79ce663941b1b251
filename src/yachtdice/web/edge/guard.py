"""The outermost middleware: limits, the viewer, and the headers of every answer. Pure ASGI."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING

from yachtdice.web.edge.cookies import headers_of, set_cookie
from yachtdice.web.edge.limits import Limiter, address_of
from yachtdice.web.edge.origins import find_foreign, parse_host
from yachtdice.web.edge.security import Keys, RefusedError, Viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from yachtdice.web.edge.settings import Settings

    Observe = Callable[[Scope, int, float], None]

_log = logging.getLogger("yachtdice.web.requests")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Whoever knows the address of a table can join it, so it must not leak to other sites.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_NO_STORE = (b"cache-control", b"no-store")
_MAX_DIGITS = 10
_OPENING = ("/api/tables", "/new", "/analyse", "/play-on")
"""How the paths end to which something is posted that is stored."""
_MAX_HOST = 253 + len(":65535")
"""Of a name (RFC 1035) and a port. It is part of the invitation and its QR code."""
_BODILESS = ("GET", "HEAD")
"""Their bodies are not read; streams wait for the disconnection of the client instead."""
OPENING_COST = 5.0
"""The number of requests that opening a table or storing a record counts as."""
_UNLIMITED = ("/static/", "/health")


class Guard:
    """Refuses requests that exceed a limit or come from another site."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        refuse: Callable[[Scope, RefusedError], Response],
        clock: Callable[[], float] = time.monotonic,
        observe: Observe | None = None,
    ) -> None:
        """Pass valid requests to *app*; *refuse* makes the answer to the others.

        *observe* is called when each answer starts.
        """
        self._app = app
        self._settings = settings
        self._refuse = refuse
        self._keys = Keys(settings.secret)
        self._limiter = Limiter(settings.rate, settings.burst, clock)
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = headers_of(scope)
        viewer = Viewer(self._keys, headers)
        scope.setdefault("state", {})["viewer"] = viewer
        answer = _Answer(scope, send, viewer, self._keys.cookie, self._observe)
        try:
            self._check_head(scope)
            self._check(scope, headers)
            if scope["method"] not in _BODILESS:
                receive = _Body(receive, self._settings.max_body)
            await self._app(scope, receive, answer)
        except RefusedError as error:
            if answer.status:
                raise
            await self._refuse(scope, error)(scope, receive, answer)
        finally:
            if self._settings.log_requests:
                _log.info(
                    "request",
                    extra={
                        "method": scope["method"],
                        "route": route_of(scope),
                        "status": answer.status,
                    },
                )

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        """Check everything but the head's size and the body.

        Raises:
            RefusedError: If the address sends too many requests (429), the body is too
                large (413), or the request comes from a page of another site (403).
        """
        if not scope["path"].startswith(_UNLIMITED):
            is_opening = scope["method"] == "POST" and scope["path"].endswith(_OPENING)
            wait = self._limiter.wait(address_of(scope), OPENING_COST if is_opening else 1.0)
            if wait:
                later = {"Retry-After": str(math.ceil(wait))}
                raise RefusedError(429, "too_many_requests", "too many requests", later)
        foreign = find_foreign(scope, headers)
        if foreign is not None:
            raise RefusedError(403, "foreign_origin", foreign.value)
        length = headers.get(b"content-length")
        if length is not None and (
            len(length) > _MAX_DIGITS or int(length) > self._settings.max_body
        ):
            raise _too_large()

    def _check_head(self, scope: Scope) -> None:
        """Check the head of the request.

        Raises:
            RefusedError: If the target or the headers are too large (414, 431), or the host is
                missing, ambiguous, invalid or too long (400).
        """
        if len(scope["raw_path"]) + len(scope["query_string"]) > self._settings.max_target:
            raise RefusedError(414, "too_large", "the address is too long")
        size = 0
        hosts: list[bytes] = []
        for name, value in scope["headers"]:
            size += len(name) + len(value)
            if name == b"host":
                hosts.append(value)
        if size > self._settings.max_head:
            raise RefusedError(431, "too_large", "the headers are too large")
        # RFC 9112, 3.2: HTTP/1.0 has requests without a host.
        if len(hosts) > 1 or (not hosts and scope["http_version"] != "1.0"):
            raise RefusedError(400, "malformed", "one Host header is expected")
        if hosts and (len(hosts[0]) > _MAX_HOST or parse_host(hosts[0]) is None):
            raise RefusedError(400, "malformed", "the Host header is not a host")


def route_of(scope: Scope) -> str | None:
    """Return the pattern of a request's route, None if it was refused before or matches none.

    It is logged instead of the path, which can be an invitation to a table.
    """
    return getattr(scope.get("route"), "path", None)


class _Body:
    """Checks that a body is complete, and not too large if its length was not declared."""

    __slots__ = ("_is_complete", "_left", "_receive")

    def __init__(self, receive: Receive, max_bytes: int) -> None:
        self._receive = receive
        self._left = max_bytes
        self._is_complete = False

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise _too_large()
            self._is_complete = not message.get("more_body", False)
        elif not self._is_complete:
            # The client is gone and gets no answer, but the framework would log it as an error.
            raise RefusedError(400, "incomplete", "the body ended early")
        return message


class _Answer:
    """Adds the headers that every answer has, and reports it to the observer."""

    __slots__ = ("_begun", "_cookie", "_observe", "_scope", "_send", "_viewer", "status")

    def __init__(
        self, scope: Scope, send: Send, viewer: Viewer, cookie: str, observe: Observe | None
    ) -> None:
        self._begun = time.perf_counter()
        self._observe = observe
        self._scope = scope
        self._send = send
        self._viewer = viewer
        self._cookie = cookie
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self._observe is not None:
                self._observe(self._scope, self.status, time.perf_counter() - self._begun)
            headers = [*message.get("headers", ()), *SECURITY_HEADERS]
            if b"cache-control" not in dict(headers):
                headers.append(_NO_STORE)
            token = self._viewer.new_token or self._viewer.renewed_token
            if token:
                headers.append(set_cookie(self._cookie, token, self._scope))
            message = {**message, "headers": headers}
        await self._send(message)


def _too_large() -> RefusedError:
    return RefusedError(413, "too_large", "the body is too large")
