"""Chooses the language of each answer. Pure ASGI.

The query parameter `lang` comes first, for links from elsewhere; it is kept like a choice made on a
page. Then comes the cookie with what the viewer has chosen; then the browser's preferences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from babel import Locale

from yachtdice.i18n import SOURCE_LANGUAGE, find_language, languages, use_language
from yachtdice.web.edge.cookies import find_cookies, headers_of, set_cookie

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
        received = headers_of(scope)
        query = scope.get("query_string", b"")
        language = language_of(received, query)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                headers.append((b"content-language", html_tag(language).encode()))
                headers.append((b"vary", b"accept-language, cookie"))
                # The forms and links of a page do not repeat its query.
                if _is_page(scope, headers) and _is_choice(query, received.get(b"cookie", b"")):
                    headers.append(set_cookie(LANGUAGE_COOKIE, language, scope))
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
    preferred = _preferences(preferences.decode("latin-1"))
    wanted = [*_asked(query), *_chosen(cookies), *preferred]
    return find_language(wanted) or SOURCE_LANGUAGE


def _asked(query: bytes) -> list[str]:
    return parse_qs(query.decode("latin-1")).get("lang", [])[:1]


def _chosen(cookies: bytes) -> Iterator[str]:
    return islice(find_cookies(cookies, LANGUAGE_COOKIE), _MAX_PREFERENCES)


def _is_choice(query: bytes, cookies: bytes) -> bool:
    """Return whether *query* chooses another language than the cookie, if there is one."""
    if b"lang=" not in query:
        return False
    asked = find_language(_asked(query))
    return asked is not None and asked != find_language(_chosen(cookies))


def _is_page(scope: Scope, headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Return whether an answer with *headers* is a page that somebody has asked for."""
    kind = dict(headers).get(b"content-type", b"")
    return scope["method"] == "GET" and kind.startswith(b"text/html")


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
