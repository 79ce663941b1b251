"""The template environment, the frame of each page, and the URLs of static files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from yachtdice.i18n import (
    current_language,
    gettext,
    ngettext,
    npgettext,
    pgettext,
    text_direction,
)
from yachtdice.web.edge.cookies import find_cookies, headers_of
from yachtdice.web.edge.language import html_tag, language_names
from yachtdice.web.edge.security import csrf_token

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = files("yachtdice.web") / "static"
THEME_COOKIE = "theme"
THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Frame:
    """What the frame of every page needs."""

    language: str
    direction: str
    path: str
    theme: str
    """`light` or `dark` if one was chosen; empty to follow the device."""
    csrf: str
    languages: tuple[tuple[str, str], ...]
    """The tag of each language and its name in that language, to choose from."""


def frame(request: Request) -> Frame:
    """Return the frame of the requested page."""
    cookies = headers_of(request.scope).get(b"cookie", b"")
    theme = next((each for each in find_cookies(cookies, THEME_COOKIE) if each in THEMES), "")
    language = current_language()
    return Frame(
        html_tag(language),
        text_direction(),
        request.url.path,
        theme,
        csrf_token(request),
        language_names(),
    )


@cache
def static_url(name: str) -> str:
    """Return the URL of a file in `static/`, with a hash so that it can be cached for ever."""
    data = STATIC.joinpath(name).read_bytes()
    return f"/static/{name}?v={sha256(data).hexdigest()[:10]}"


def cache_control(address: str, query: str) -> str:
    """Return the Cache-Control header of a file with the URL *address*, requested with *query*.

    While the servers of a site are updated one by one, a page of the new version may request files
    from an old one, whose versions of them must not be cached under their URL.
    """
    if not query.startswith("v="):
        return "public, max-age=3600"
    is_ours = address.endswith(f"?{query}")
    return "public, max-age=31536000, immutable" if is_ours else "no-store"


def with_dice(message: str, dice: tuple[int, ...]) -> Markup:
    """Return *message*, escaped, with its `{dice}` replaced by pictures of *dice*."""
    return Markup(escape(message)).format(dice=dice_row(dice))  # noqa: S704 - escaped just here


@lru_cache(maxsize=10_000)
def dice_row(dice: tuple[int, ...]) -> Markup:
    """Return small pictures of *dice*, with figures for screen readers."""
    return Markup(render("_dice_row.html", faces=dice))  # noqa: S704 - a template has escaped it


@lru_cache(maxsize=1000)
def box(name: str, symbol: str, face: int, hint: str) -> Markup:
    """Return the head of a row of the card, which is the same in every state of every game."""
    html = render("_box.html", name=name, symbol=symbol, face=face, hint=hint)
    return Markup(html)  # noqa: S704 - a template has escaped it


def make_environment() -> Environment:
    """Return the environment of all templates: escaping, in the active language, strict."""
    environment = Environment(
        loader=PackageLoader("yachtdice.web"),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext
    )
    environment.globals.update(static=static_url, dice_row=dice_row, box=box)
    environment.filters["with_dice"] = with_dice
    return environment


_environment = make_environment()


def render(template: str, /, **context: object) -> str:
    """Return a template of `templates/` filled with *context*."""
    return _environment.get_template(template).render(context)
