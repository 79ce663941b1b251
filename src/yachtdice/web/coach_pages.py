"""The pages of the coach: the report of a table's game or of a pasted record, and statistics."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup, escape
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from yachtdice.coach.pages import report_body, statistics_body, stylesheet
from yachtdice.coach.summary import title
from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.notation import Record, parse_record
from yachtdice.play.refusals import TableError, TableReason
from yachtdice.rules import NotationError
from yachtdice.web import coaching
from yachtdice.web.forms import read_request
from yachtdice.web.playing_on import is_played_on, play_on
from yachtdice.web.rendering import frame, render
from yachtdice.web.security import (
    RefusedError,
    csrf_token,
    ensure_viewer,
    parse_form,
    read_form,
    viewer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from yachtdice.play.table import Table
    from yachtdice.play.tables import Tables

PATIENCE = 3.0
"""Seconds until a page that takes long says so; it then loads itself again."""
MOST_GAMES = 100
"""How many games of a device are counted, the latest ones."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a pasted text could not be analysed."""

    sentence: str
    line: str = ""
    """The line that is wrong, as it was written; empty where it is not one line."""


def is_told(table: Table) -> bool:
    """Return whether the report of a table's game is for anybody to see.

    It judges each decision, which is advice; so not while it is played, unless all have hints.
    """
    return table.is_over or table.next is not None or table.hints


async def report(request: Request) -> Response:
    """Show what was luck and what was play in a table's game."""
    table = await _told(request)
    found = await coaching.report_of(tables_of(request).record(table))
    body = Markup(report_body(found, _actions(table.id)))  # noqa: S704 - the coach has escaped it
    return page(
        request,
        "report.html",
        title=title(found),
        body=body,
        table=table,
        request_id=secrets.token_hex(8),
    )


async def continued(request: Request) -> Response:
    """Open a table that begins with the game of another one, up to one of its decisions."""
    fields = await read_form(request)
    who = ensure_viewer(request)
    table = await _told(request)
    event = fields.get("event", "")
    if not (event.isascii() and event.isdigit() and len(event) < 6):  # noqa: PLR2004
        raise RefusedError(400, "malformed", "no such moment")
    name = f"{read_request(fields)}-{event}"
    new = await play_on(tables_of(request), table, who, int(event), name)
    return RedirectResponse(f"/table/{new.id}", 303)


async def analyse(request: Request) -> Response:
    """Show the form for the record of any game."""
    return _analyse(request)


async def analysed(request: Request) -> Response:
    """Show the report of the record that was pasted or uploaded."""
    data = await _read_record(request)
    try:
        record = parse_record(data)
    except NotationError as error:
        return _analyse(request, data, _wrong(error, data))
    if not coaching.knows(record.game.rules):
        sentence = _("Only games under the rule sets that come with Yacht can be analysed here.")
        return _analyse(request, data, Wrong(sentence))
    found = await coaching.report_of(record)
    body = Markup(report_body(found))  # noqa: S704 - the coach has escaped it
    return page(request, "report.html", title=title(found), body=body, table=None)


async def stats(request: Request) -> Response:
    """Show what the finished games of this device come to."""
    who = viewer(request)
    tables = tables_of(request)
    games = await games_of(tables, who, MOST_GAMES)
    working = asyncio.ensure_future(coaching.statistics_of(games))
    # What goes on behind the page that says so is found by the next one, since it is kept.
    done, _pending = await asyncio.wait({working}, timeout=PATIENCE)
    if not done:
        return page(request, "counting.html")
    body = Markup(statistics_body(working.result()))  # noqa: S704 - the coach has escaped it
    return page(request, "stats.html", body=body)


async def games_of(
    tables: Tables, who: str | None, most: int
) -> list[tuple[Record, tuple[int, ...]]]:
    """Return the finished games among the *most* latest of *who*, with their seats, oldest first.

    Those that were played on from another one are left out: their first turns count once.
    """
    return [
        (tables.record(table), seats)
        for table in reversed([] if who is None else await tables.mine(who, most))
        if (seats := _own_seats(table, who)) and not await _is_repetition(tables, table)
    ]


async def style(request: Request) -> Response:
    """Return the style of the coach's parts of a page."""
    is_named = "v" in request.query_params
    age = "public, max-age=31536000, immutable" if is_named else "public, max-age=3600"
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": age})


@cache
def style_url() -> str:
    """Return the address of that style, with a hash so that it can be cached for ever."""
    return f"/coach.css?v={sha256(stylesheet().encode()).hexdigest()[:10]}"


async def _told(request: Request) -> Table:
    table = await tables_of(request).get(request.path_params["table_id"], viewer(request))
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    if not is_told(table):
        raise RefusedError(403, "still_played", "the report is there once the game is over")
    if not coaching.knows(table.rules):
        raise RefusedError(404, "not_found", "the coach does not know these rules")
    return table


def _actions(table_id: str) -> Callable[[int], str]:
    """Return what makes the links of a decision: to its position, and to play on from there."""
    see, on = escape(_("See the position")), escape(_("Play on from here"))

    def links(event: int) -> str:
        return (
            f'<a href="/table/{table_id}/replay/{event}">{see}</a>'
            f'<button class="as-link" form="play-on" name="event" value="{event}">{on}</button>'
        )

    return links


def _own_seats(table: Table, who: str | None) -> tuple[int, ...]:
    if not table.is_over:
        return ()
    return tuple(seat for seat in table.seats_of(who) if table.seats[seat].bot is None)


async def _is_repetition(tables: Tables, table: Table) -> bool:
    """Return whether the game was played on from another one."""
    if table.previous is None:
        return False
    try:
        before = await tables.get(table.previous)
    except TableError:
        return False
    return (
        table.game is not None and before.game is not None and is_played_on(table.game, before.game)
    )


async def _read_record(request: Request) -> bytes:
    """Return the file that was uploaded, or else the text that was pasted.

    Raises:
        RefusedError: If it is not the form of our own page.
    """
    form = await parse_form(request, max_files=1, max_fields=10)
    try:
        return await _record_in(request, form)
    finally:
        await form.close()


async def _record_in(request: Request, form: FormData) -> bytes:
    sent = form.get("csrf")
    csrf = sent.encode(errors="surrogatepass") if isinstance(sent, str) else b""
    if not hmac.compare_digest(csrf_token(request).encode(), csrf):
        raise RefusedError(403, "csrf", "the form is not from this site, or its cookie is gone")
    file, text = form.get("file"), form.get("record")
    if isinstance(file, UploadFile) and (data := await file.read()):
        return data
    return text.encode(errors="replace") if isinstance(text, str) else b""


def _wrong(error: NotationError, data: bytes) -> Wrong:
    if not data.strip():
        return Wrong(_("There is nothing to analyse yet: paste a record or choose a file."))
    lines = data.decode(errors="replace").splitlines()
    line = lines[error.line - 1] if 0 < error.line <= len(lines) else ""
    return Wrong(explain(error), line.strip()[:200])


def _analyse(request: Request, data: bytes = b"", wrong: Wrong | None = None) -> Response:
    text = data.decode(errors="replace")
    status = 422 if wrong else 200
    return page(request, "analyse.html", status, text=text, wrong=wrong)


def page(request: Request, template: str, status: int = 200, **context: object) -> Response:
    """Return a page filled with *context*."""
    html = render(template, page=frame(request), coach_style=style_url(), **context)
    return HTMLResponse(html, status)


def tables_of(request: Request) -> Tables:
    """Return the tables of the server."""
    tables: Tables = request.app.state.tables
    return tables


ROUTES = (
    Route("/table/{table_id}/report", report, methods=["GET"]),
    Route("/table/{table_id}/play-on", continued, methods=["POST"]),
    Route("/analyse", analyse, methods=["GET"]),
    Route("/analyse", analysed, methods=["POST"]),
    Route("/stats", stats, methods=["GET"]),
    Route("/coach.css", style, methods=["GET"]),
)
