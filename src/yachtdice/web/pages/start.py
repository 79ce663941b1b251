"""The pages: what each address shows, and what each form does.

Every page works without JavaScript; with it, htmx asks for the live part of a table alone. The
application takes `ROUTES`, `RENDERERS` and `error_page` from here.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from yachtdice.i18n import explain, format_day, languages, ngettext, pgettext, rules_name
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import DiceKind, Mode
from yachtdice.play.table.refusals import TableError
from yachtdice.play.table.table import MAX_SEATS
from yachtdice.presets import find_rules
from yachtdice.web.edge.language import LANGUAGE_COOKIE
from yachtdice.web.edge.security import (
    COOKIE_AGE,
    RefusedError,
    ensure_viewer,
    read_form,
    viewer,
)
from yachtdice.web.pages import lazy, table
from yachtdice.web.pages.forms import read_request
from yachtdice.web.pages.rendering import (
    STATIC,
    THEME_COOKIE,
    THEMES,
    cache_control,
    frame,
    render,
    static_url,
)
from yachtdice.web.scene import Scene
from yachtdice.web.services import coaching, win_odds
from yachtdice.web.views.guide import guides
from yachtdice.web.views.lobby import RULE_SETS, rule_choices
from yachtdice.web.views.words import player_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import Scope

    from yachtdice.play.online.tables import Tables
    from yachtdice.web.edge.settings import Settings

_FIRST = {"me": 0, "other": 1, "lots": None}


@dataclass(frozen=True, slots=True)
class GameRow:
    """One of somebody's own games, in the list of them."""

    id: str
    title: str
    state: str
    rules: str
    date: str
    """As in 2026-11-30, and below for people; empty where nobody knows."""
    day: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """What an error page says: what is the matter, and the one thing to do next."""

    title: str
    sentence: str
    address: str
    action: str


class _Files(StaticFiles):
    """Files whose addresses carry a hash of their content may be kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        query = scope["query_string"].decode("latin-1")
        response.headers["Cache-Control"] = cache_control(static_url(path), query)
        return response


async def start(request: Request) -> Response:
    """Show what can be begun."""
    return _start(request, {})


async def new(request: Request) -> Response:
    """Open a table as a form of the start page asks, and go there."""
    fields = await read_form(request)
    who = ensure_viewer(request)
    key = fields.get("rules", RULE_SETS[0])
    if key not in RULE_SETS:
        raise RefusedError(400, "malformed", "no such rule set")
    people, mode, dice, first = _wanted(fields)
    tables: Tables = request.app.state.tables
    try:
        table = await tables.open(
            who,
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
    await coaching.prepare(table)
    await win_odds.prepare(table)
    return RedirectResponse(f"/table/{table.id}", 303)


def _wanted(
    fields: Mapping[str, str],
) -> tuple[list[tuple[str, str | None]], Mode, DiceKind, int | None]:
    """Return the people, who sits where, the dice and who starts (None draws lots)."""
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
    return _page(
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
    """Show the games of whoever uses this device, the newest first."""
    who = viewer(request)
    tables: Tables = request.app.state.tables
    found = [] if who is None else await tables.mine(who)
    rows = [_row(Scene.of(tables, table, who)) for table in found]
    return _page(request, "games.html", rows=rows)


def _row(scene: Scene) -> GameRow:
    table = scene.table
    names = [player_name(table, seat) for seat in range(len(table.seats))]
    others = [name for seat, name in enumerate(names) if seat not in scene.seats]
    if table.mode is Mode.DEVICE and len(names) - len(others) > 1:
        others = names
    nobody = _("Nobody else yet") if table.mode is Mode.ONLINE else pgettext("page", "Alone")
    # Translators: stands between the names of players.
    title = _(", ").join(others) if others else nobody
    is_open = not table.is_over and table.next is None
    day = table.opened.date
    shown = format_day(date.fromisoformat(day)) if day else ""
    return GameRow(table.id, title, _state(scene), rules_name(table.rules), day, shown, is_open)


def _state(scene: Scene) -> str:
    table = scene.table
    if table.game is None:
        return pgettext("state", "Not begun")
    position = table.game.position
    if table.is_over:
        totals = [card.total for card in position.cards]
        # Translators: the final totals of a game, in seat order, as in “Over: 167, 152”.
        return _("Over: {totals}").format(totals=", ".join(map(str, totals)))
    if table.next is not None:
        return _("Left for a new game")
    left = sum(len(card.open) for card in position.cards)
    return ngettext("{n} turn to go", "{n} turns to go", left).format(n=left)


async def rules(request: Request) -> Response:
    """Explain the game, with examples that the engine computes."""
    return _page(request, "rules.html", guides=guides())


async def keys(request: Request) -> Response:
    """Show the keys as a page of its own."""
    return _page(request, "keys.html")


async def choose(request: Request) -> Response:
    """Keep how the pages look or which language they speak, and go back."""
    fields = await read_form(request)
    back = fields.get("back", "/")
    # Only ever a path of this site: a second slash would lead to another one.
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    response = RedirectResponse(back, 303)
    for cookie, choices in ((THEME_COOKIE, THEMES), (LANGUAGE_COOKIE, languages())):
        chosen = fields.get(cookie)
        if chosen in choices:
            response.set_cookie(
                cookie,
                chosen,
                max_age=COOKIE_AGE,
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        elif chosen is not None:
            response.delete_cookie(cookie)
    return response


def error_page(request: Request, status: int, code: str) -> Response:
    """Return the page about something that went wrong: a calm sentence and what to do next."""
    return _page(request, "error.html", status, trouble=_trouble(request, status, code))


def _trouble(  # noqa: PLR0911 - one case a trouble
    request: Request, status: int, code: str
) -> Trouble:
    home = ("/", _("To the start page"))
    again = (request.url.path if request.method == "GET" else "/", pgettext("button", "Try again"))
    match status, code:
        case ((404 | 410), "table_not_found"):
            return Trouble(
                _("No table here"),
                _("There is no such table, or it was put away after a long rest."),
                *home,
            )
        case ((404 | 410), _):
            return Trouble(_("No page here"), _("This address leads nowhere."), *home)
        case 403, "csrf" | "foreign_origin":
            return Trouble(
                _("That form was too old"),
                _("Nothing was changed. Go back to the page and try once more."),
                *home,
            )
        case 403, "still_played":
            return Trouble(
                _("The report comes at the end"),
                _("It says which decisions were good: until the game is over, that is nobody’s."),  # noqa: RUF001
                request.url.path.rpartition("/")[0],
                _("Back to the table"),
            )
        case 413, _:
            settings: Settings = request.app.state.settings
            sentence = _("Nothing was kept. At most so much can be sent at once: {size} KB.")
            size = settings.most_body // 1024
            return Trouble(_("That is too large"), sentence.format(size=size), *home)
        case 403, _:
            return Trouble(_("Not yours to do"), _("Nothing was changed; you can watch."), *home)
        case 429, _:
            return Trouble(
                _("A moment, please"),
                _("Many requests came from your network at once. Wait a few seconds."),
                *again,
            )
        case 503, _:
            return Trouble(
                _("The server is resting"),
                _("Nothing is lost: your seat and your dice are kept. Try again in a moment."),
                *again,
            )
        case _ if status >= 500:  # noqa: PLR2004 - the server's own fault
            return Trouble(
                _("Something went wrong here"),
                _("It was not your doing, and your game is kept as it was."),
                *again,
            )
        case _:
            return Trouble(
                _("That did not work"), _("Nothing was changed. Go back and try again."), *home
            )


def _page(request: Request, template: str, status: int = 200, **context: object) -> Response:
    return HTMLResponse(render(template, page=frame(request), **context), status)


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
