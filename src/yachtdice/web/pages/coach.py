"""The pages of the coach: the report of a table's game or of a pasted record, and statistics.

`lazy` imports this module, with the coach and NumPy, on the first request for one of them.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup, escape
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from yachtdice.coach.pages import ranking_body, report_body, statistics_body, stylesheet
from yachtdice.coach.words.summary import title
from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.notation import Record, is_like_position, parse_position, parse_record
from yachtdice.play.online import records
from yachtdice.play.online.playing_on import can_play_on, is_moment, is_played_on, play_on
from yachtdice.play.online.records import record_of
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.stages import DAY, KEEP_RECORD
from yachtdice.rules import NotationError
from yachtdice.web.context import services, tables_of
from yachtdice.web.edge.security import (
    RefusedError,
    csrf_token,
    parse_form,
    read_form,
    viewer,
)
from yachtdice.web.pages.context import page
from yachtdice.web.pages.forms import read_request
from yachtdice.web.pages.rendering import cache_control
from yachtdice.web.services.coaching import is_coached

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from starlette.requests import Request

    from yachtdice.coach import Report
    from yachtdice.play.online.tables import Tables
    from yachtdice.play.table.table import Table
    from yachtdice.rules import RuleSet
    from yachtdice.web.context import Services
    from yachtdice.web.services.coaching import Coach

T = TypeVar("T")

MAX_GAMES = 100
"""How many games of a holder the statistics cover, the latest ones."""


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """Why a pasted text could not be analysed."""

    sentence: str
    line: str = ""
    """The line that is wrong, as it was written; empty where it is not one line."""


def is_report_public(table: Table) -> bool:
    """Return whether the report of a table's game can be shown.

    It judges each decision, which is advice; so not during the game, unless everybody has hints.
    """
    return table.is_over or table.next is not None or table.hints


async def table_report(request: Request) -> Response:
    """Show what was luck and what was play in a table's game."""
    table = await _reported_table(request)
    record = record_of(table)
    return await _report(request, record, table, f"/table/{table.id}", is_record=False)


async def continue_table(request: Request) -> Response:
    """Open a table that continues the game of another one from one of its decisions."""
    fields = await read_form(request)
    return await _play_on(request, fields, await _reported_table(request))


async def analyse(request: Request) -> Response:
    """Show the form for the record of any game."""
    return _analyse(request)


async def store_record(request: Request) -> Response:
    """Store the record that was pasted or uploaded, and redirect to its report.

    Where it is a position instead, show what is best there.
    """
    data = await _read_record(request)
    coach = services(request).coach
    try:
        if is_like_position(data.decode(errors="replace")):
            return await _ranking(request, data)
        text, rules = await coach.quickly(lambda: _parsed_record(data))
    except NotationError as error:
        return _analyse(request, data, _problem(error, data))
    except RefusedError:
        sentence = _("Many games are waiting to be analysed. Try again in a moment.")
        return _analyse(request, data, RecordProblem(sentence), 503)
    if not is_coached(rules):
        sentence = _("Only games under the rule sets that come with Yacht can be analysed here.")
        return _analyse(request, data, RecordProblem(sentence))
    record_id = await records.add_record(
        tables_of(request).store, viewer(request).ensure_holder(), text
    )
    return RedirectResponse(f"/analyse/{record_id}", 303)


async def _ranking(request: Request, data: bytes) -> Response:
    """Show what is best in the position that was pasted."""
    coach = services(request).coach
    position = await coach.quickly(lambda: parse_position(data.decode(errors="replace")))
    if not position.legal_moves():
        sentence = _("There is nothing to decide in this position.")
        return _analyse(request, data, RecordProblem(sentence))
    if not is_coached(position.rules):
        sentence = _("Only games under the rule sets that come with Yacht can be analysed here.")
        return _analyse(request, data, RecordProblem(sentence))
    body = await coach.quickly(
        lambda: ranking_body(coach.solutions.solo(position.rules).rank(position), position)
    )
    return _analyse(request, data, ranking=body)


def _parsed_record(data: bytes) -> tuple[str, RuleSet]:
    text = records.clean_record(data)
    return text, parse_record(text).game.rules


async def record_report(request: Request) -> Response:
    """Show what was luck and what was play in a stored record."""
    record, table = await _stored_record(request)
    return await _report(request, record, table, f"/analyse/{table.id}", is_record=True)


async def continue_record(request: Request) -> Response:
    """Open a table that continues the game of a record from one of its decisions."""
    fields = await read_form(request)
    _record, table = await _stored_record(request)
    return await _play_on(request, fields, table)


async def _stored_record(request: Request) -> tuple[Record, Table]:
    record_id = request.path_params["record_id"]
    text = await records.load_record(tables_of(request).store, record_id)
    record = await services(request).coach.quickly(lambda: parse_record(text))
    return record, records.as_table(record_id, record)


async def _report(
    request: Request, record: Record, table: Table, home: str, *, is_record: bool
) -> Response:
    """Return the report of *record*, whose replay and form to play on are below *home*."""
    report, is_pending = await _report_of(services(request), record)
    links = _links(home, can_play_on=can_play_on(table))
    body = await services(request).coach.quickly(lambda: report_body(report, links))
    return page(
        request,
        "report.html",
        coach_style=style_url(),
        title=title(report),
        body=Markup(body),  # noqa: S704 - the coach has escaped it
        home=home,
        is_record=is_record,
        # The unfinished game of a record can be continued where it stops.
        end=None if record.game.position.is_over else len(record.game.events),
        can_play_on=can_play_on(table),
        pending=is_pending,
        request_id=secrets.token_hex(8),
    )


async def _play_on(request: Request, fields: Mapping[str, str], table: Table) -> Response:
    holder = viewer(request).ensure_holder()
    event = fields.get("event", "")
    is_number = event.isascii() and event.isdigit() and len(event) < 6  # noqa: PLR2004
    if not is_number or not is_moment(table, int(event)):
        raise RefusedError(400, "malformed", "no such moment")
    name = f"{read_request(fields)}-{event}"
    new = await play_on(tables_of(request), table, holder, int(event), name)
    return RedirectResponse(f"/table/{new.id}", 303)


async def _report_of(made: Services, record: Record) -> tuple[Report, bool]:
    """Return the coach's report, and whether its win odds are still being computed."""
    report = await made.coach.report_of(record)
    try:
        breakdown = await made.odds.breakdown_of(record, made.settings.odds_timeout)
    except TimeoutError:
        return report, True
    return replace(report, win_odds=breakdown), False


async def stats(request: Request) -> Response:
    """Show the statistics of the viewer's finished games."""
    holder = viewer(request).holder
    tables = tables_of(request)
    games = await games_of(tables, holder, MAX_GAMES)
    html = await in_time(request, _statistics(services(request).coach, games))
    if html is None:
        return computing(request, _("Luck, play and dice"))
    body = Markup(html)  # noqa: S704 - the coach has escaped it
    return page(request, "stats.html", coach_style=style_url(), body=body)


async def in_time(request: Request, work: Coroutine[object, object, T]) -> T | None:
    """Return the result of *work*; None if that takes too long, and then show `computing`.

    The work continues and its slow parts are cached, so that the next request finds them.
    """
    settings = services(request).settings
    is_waiting = "wait" in request.query_params
    timeout = settings.long_page_timeout if is_waiting else settings.page_timeout
    working = asyncio.ensure_future(work)
    done, _pending = await asyncio.wait({working}, timeout=timeout)
    return working.result() if done else None


def computing(request: Request, title: str) -> Response:
    """Return the page that is shown while the requested one is being computed.

    It requests that page again at once, and stays visible until the answer arrives.
    """
    again = request.url.include_query_params(wait=1)
    return page(request, "counting.html", title=title, again=f"{again.path}?{again.query}")


async def _statistics(coach: Coach, games: Sequence[tuple[Record, tuple[int, ...]]]) -> str:
    statistics = await coach.statistics_of(games)
    return await coach.quickly(lambda: statistics_body(statistics))


async def games_of(
    tables: Tables, holder: str | None, maximum: int
) -> list[tuple[Record, tuple[int, ...]]]:
    """Return the finished ones of the *maximum* latest games of *holder*, the oldest first.

    Each comes with the holder's seats. Games that were continued from another one are left out, so
    that their first turns count once.
    """
    return [
        (record_of(table), seats)
        for table in reversed([] if holder is None else await tables.mine(holder, maximum))
        if (seats := _own_seats(table, holder)) and not await _is_continuation(tables, table)
    ]


async def style(request: Request) -> Response:
    """Return the style sheet of the coach's parts of a page."""
    headers = {"Cache-Control": cache_control(style_url(), request.url.query)}
    return Response(stylesheet(), media_type="text/css", headers=headers)


@cache
def style_url() -> str:
    """Return the URL of that style sheet, with a hash so that it can be cached for ever."""
    return f"/coach.css?v={sha256(stylesheet().encode()).hexdigest()[:10]}"


async def _reported_table(request: Request) -> Table:
    table = await tables_of(request).get(request.path_params["table_id"], viewer(request).holder)
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    if not is_report_public(table):
        raise RefusedError(403, "still_played", "the report is there once the game is over")
    if not is_coached(table.rules):
        raise RefusedError(404, "not_found", "the coach does not know these rules")
    return table


def _links(home: str, *, can_play_on: bool) -> Callable[[int], str]:
    """Return what makes the links of a decision: to its position, and to continue from there."""
    see, play_on = escape(_("See the position")), escape(_("Play on from here"))

    def links(event: int) -> str:
        link = f'<a href="{home}/replay/{event}">{see}</a>'
        if can_play_on:
            form = f'form="play-on" name="event" value="{event}"'
            link += f'<button class="as-link" {form}>{play_on}</button>'
        return link

    return links


def _own_seats(table: Table, holder: str | None) -> tuple[int, ...]:
    if not table.is_over:
        return ()
    return tuple(seat for seat in table.seats_of(holder) if table.seats[seat].bot is None)


async def _is_continuation(tables: Tables, table: Table) -> bool:
    """Return whether the game was continued from another one."""
    if table.previous is None or table.game is None:
        return False
    try:
        before = (await tables.get(table.previous)).game
    except TableError:
        try:
            before = parse_record(await records.load_record(tables.store, table.previous)).game
        except records.RecordNotFoundError:
            return False
    return before is not None and is_played_on(table.game, before)


async def _read_record(request: Request) -> bytes:
    """Return the file that was uploaded, or else the text that was pasted.

    Raises:
        RefusedError: If the form is malformed or from another site.
    """
    form = await parse_form(request, max_files=1, max_fields=10)
    try:
        return await _submitted_record(request, form)
    finally:
        await form.close()


async def _submitted_record(request: Request, form: FormData) -> bytes:
    sent = form.get("csrf")
    csrf = sent.encode(errors="surrogatepass") if isinstance(sent, str) else b""
    if not hmac.compare_digest(csrf_token(request).encode(), csrf):
        raise RefusedError(403, "csrf", "the form is not from this site, or its cookie is gone")
    file, text = form.get("file"), form.get("record")
    if isinstance(file, UploadFile) and (data := await file.read()):
        return data
    return text.encode(errors="replace") if isinstance(text, str) else b""


def _problem(error: NotationError, data: bytes) -> RecordProblem:
    if not data.strip():
        return RecordProblem(_("There is nothing to analyse yet: paste a record or choose a file."))
    lines = data.decode(errors="replace").splitlines()
    line = lines[error.line - 1] if 0 < error.line <= len(lines) else ""
    return RecordProblem(explain(error), line.strip()[:200])


def _analyse(
    request: Request,
    data: bytes = b"",
    problem: RecordProblem | None = None,
    status: int = 422,
    *,
    ranking: str = "",
) -> Response:
    return page(
        request,
        "analyse.html",
        status if problem else 200,
        text=data.decode(errors="replace"),
        problem=problem,
        coach_style=style_url() if ranking else "",
        ranking=Markup(ranking),  # noqa: S704 - the coach has escaped it
        days=round(KEEP_RECORD / DAY),
    )
