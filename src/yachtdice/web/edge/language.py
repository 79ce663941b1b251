"""Chooses the language of each answer. Pure ASGI.

The query parameter `lang` comes first, for links from elsewhere; then the cookie with what the
viewer has chosen on a page; then the browser's preferences.
"""

from __future__ import annotations

from functools import cache, lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from babel import Locale

from yachtdice.i18n import SOURCE_LANGUAGE, find_language, languages, use_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LANGUAGE_COOKIE = "lang"

_MAX_PREFERENCES = 20
_MAX_CACHED = 1000
"""Bytes of the request that decide the language; longer ones are not cached."""


class LanguageMiddleware:
    """Answers each request in the language that it asks for."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap *app*."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        language = language_of(dict(scope["headers"]), scope.get("query_string", b""))

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                headers.append((b"content-language", html_tag(language).encode()))
                headers.append((b"vary", b"accept-language, cookie"))
                message = {**message, "headers": headers}
            await send(message)

        with use_language(language):
            await self._app(scope, receive, answer)


def language_of(headers: Mapping[bytes, bytes], query: bytes = b"") -> str:
    """Return the language in which to answer a request with these headers."""
    fields = (headers.get(b"cookie", b""), headers.get(b"accept-language", b""), query)
    if sum(map(len, fields)) > _MAX_CACHED:
        return _parsed_language(*fields)
    return _cached_language(*fields)


def _parsed_language(cookies: bytes, preferences: bytes, query: bytes) -> str:
    asked = parse_qs(query.decode("latin-1")).get("lang", [])[:1]
    try:
        cookie = SimpleCookie(cookies.decode("latin-1")).get(LANGUAGE_COOKIE)
    except CookieError:
        cookie = None
    chosen = [cookie.value] if cookie else []
    preferred = _preferences(preferences.decode("latin-1"))
    return find_language([*asked, *chosen, *preferred]) or SOURCE_LANGUAGE


# The same client sends many requests in a game, and parsing a cookie costs more than most of them.
_cached_language = lru_cache(maxsize=4096)(_parsed_language)


def html_tag(language: str) -> str:
    """Return the tag of a language as HTML and HTTP write it: `pt-PT`."""
    return language.replace("_", "-")


@cache
def language_names() -> tuple[tuple[str, str], ...]:
    """Return the tag of each language and its name in that language, to choose from."""
    named = []
    for language in languages():
        locale = Locale.parse(language)
        # A name without its region: there is one of each.
        name = locale.languages.get(locale.language, language)
        named.append((language, name[:1].upper() + name[1:]))
    return tuple(named)


def _preferences(header: str) -> list[str]:
    """Return the tags of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4)."""
    wanted = []
    for part in header.split(",")[:_MAX_PREFERENCES]:
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.partition("=")[2] or 1)
        except ValueError:
            continue
        if quality > 0 and tag.strip() != "*":
            wanted.append((quality, tag.strip()))
    return [tag for _, tag in sorted(wanted, key=lambda each: -each[0])]
