"""The start page, the list of games, the rules, and the routes of all pages.

Every page works without JavaScript; with it, htmx requests only the live part of a table. The
application takes `ROUTES` and `RENDERERS` from here.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from yachtdice.i18n import explain, languages
from yachtdice.play.table.events import DiceKind, Mode
from yachtdice.play.table.refusals import TableError
from yachtdice.play.table.table import MAX_SEATS
from yachtdice.presets import find_rules
from yachtdice.web.context import services, tables_of
from yachtdice.web.edge.cookies import set_cookie
from yachtdice.web.edge.language import LANGUAGE_COOKIE
from yachtdice.web.edge.security import RefusedError, read_form, viewer
from yachtdice.web.pages import lazy, table
from yachtdice.web.pages.context import page
from yachtdice.web.pages.forms import read_request
from yachtdice.web.pages.rendering import (
    STATIC,
    THEME_COOKIE,
    THEMES,
    cache_control,
    static_url,
)
from yachtdice.web.views.games import game_row
from yachtdice.web.views.guide import guides
from yachtdice.web.views.lobby import RULE_SETS, rule_choices

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import Scope


_FIRST = {"me": 0, "other": 1, "lots": None}


class _Files(StaticFiles):
    """Serves files, which may be cached for ever if the URL has their hash."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        query = scope["query_string"].decode("latin-1")
        response.headers["Cache-Control"] = cache_control(static_url(path), query)
        return response


async def start(request: Request) -> Response:
    """Show the start page."""
    return _start(request, {})


async def new(request: Request) -> Response:
    """Open a table by a form of the start page, and redirect to it."""
    fields = await read_form(request)
    holder = viewer(request).ensure_holder()
    key = fields.get("rules", RULE_SETS[0])
    if key not in RULE_SETS:
        raise RefusedError(400, "malformed", "no such rule set")
    people, mode, dice, first = _table_options(fields)
    try:
        table = await tables_of(request).open(
            holder,
            rules=find_rules(key),
            people=people,
            mode=mode,
            dice=dice,
            first=first,
            hints="hints" in fields and dice is DiceKind.SYSTEM,
            shows_odds="chances" in fields and len(people) + (mode is Mode.ONLINE) > 1,
            request_id=read_request(fields),
        )
    except TableError as error:
        return _start(request, fields, explain(error), 422)
    await services(request).prepare(table)
    return RedirectResponse(f"/table/{table.id}", 303)


def _table_options(
    fields: Mapping[str, str],
) -> tuple[list[tuple[str, str | None]], Mode, DiceKind, int | None]:
    """Return the people, the mode, the kind of dice and who starts (None draws lots)."""
    kind, _sep, rest = fields.get("start", "").partition(" ")
    first = _FIRST.get(fields.get("first", "me"), 0)
    match kind:
        case "alone":
            return [("", None)], Mode.DEVICE, DiceKind.SYSTEM, 0
        case "computer":
            return [("", None), ("", rest)], Mode.DEVICE, DiceKind.SYSTEM, first
        case "online":
            return [(fields.get("me", ""), None)], Mode.ONLINE, DiceKind.SYSTEM, 0
        case "people" | "score":
            number = fields.get("number", "2")
            count = int(number) if number in {"1", "2", "3", "4", "5", "6"} else 0
            people: list[tuple[str, str | None]] = [
                (fields.get(f"name{i + 1}", ""), None) for i in range(count)
            ]
            dice = DiceKind.REAL if kind == "score" else DiceKind.SYSTEM
            lots = "lots" in fields and count > 1
            return people, Mode.DEVICE, dice, None if lots else 0
        case _:
            raise RefusedError(400, "malformed", "no such way to start")


def _start(
    request: Request, fields: Mapping[str, str], message: str = "", status: int = 200
) -> Response:
    key = fields.get("rules") or request.query_params.get("rules", "")
    sets = rule_choices()
    number = RULE_SETS.index(key) if key in RULE_SETS else 0
    return page(
        request,
        "start.html",
        status,
        rule_sets=sets,
        chosen=sets[number],
        difference=guides()[number].difference,
        most=MAX_SEATS,
        fields=fields,
        message=message,
        request_id=secrets.token_hex(8),
    )


async def games(request: Request) -> Response:
    """Show the viewer's games, the newest first."""
    holder = viewer(request).holder
    tables = [] if holder is None else await tables_of(request).mine(holder)
    scenes = services(request).scenes
    rows = [game_row(scenes.now(table, holder)) for table in tables]
    return page(request, "games.html", rows=rows)


async def rules(request: Request) -> Response:
    """Explain the rules, with examples that the engine computes."""
    return page(request, "rules.html", guides=guides())


async def keys(request: Request) -> Response:
    """Show the keyboard shortcuts."""
    return page(request, "keys.html")


async def choose(request: Request) -> Response:
    """Store the chosen theme or language in a cookie, and redirect back."""
    fields = await read_form(request)
    back = fields.get("back", "/")
    # Only a path of this site: a second slash would lead to another one.
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    response = RedirectResponse(back, 303)
    for cookie, choices in ((THEME_COOKIE, THEMES), (LANGUAGE_COOKIE, languages())):
        chosen = fields.get(cookie)
        if chosen in choices:
            response.raw_headers.append(set_cookie(cookie, chosen, request.scope))
        elif chosen is not None:
            response.delete_cookie(cookie)
    return response


ROUTES = (
    Route("/", start, methods=["GET"]),
    Route("/new", new, methods=["POST"]),
    Route("/games", games, methods=["GET"]),
    Route("/rules", rules, methods=["GET"]),
    Route("/keys", keys, methods=["GET"]),
    Route("/choose", choose, methods=["POST"]),
    *table.ROUTES,
    *lazy.ROUTES,
    Mount("/static", _Files(directory=str(STATIC))),
)

RENDERERS = table.RENDERERS
