"""Reading and writing cookies (RFC 6265)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

COOKIE_AGE = 400 * 24 * 3600
"""Seconds; browsers keep no cookie for longer than 400 days."""


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers of a request, with its Cookie fields joined (RFC 9113, 8.2.3)."""
    headers = dict(scope["headers"])
    if b"cookie" in headers:
        fields = [value for name, value in scope["headers"] if name == b"cookie"]
        headers[b"cookie"] = b"; ".join(fields)
    return headers


def find_cookies(header: bytes, name: str) -> Iterator[str]:
    """Yield the values of the cookies called *name* in a Cookie header, the most specific first.

    Other applications of the same host set cookies that no standard allows. Whatever they hold ends
    at the next semicolon, as it does for browsers.
    """
    for part in header.decode("latin-1").split(";"):
        key, separator, value = part.partition("=")
        if separator and key.strip() == name:
            yield value.strip().strip('"')


def set_cookie(name: str, value: str, scope: Scope) -> tuple[bytes, bytes]:
    """Return the header that sets a cookie for this site, hidden from scripts."""
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    line = f"{name}={value}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax{secure}"
    return b"set-cookie", line.encode("latin-1")
