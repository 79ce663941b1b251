"""The pages of one table: the table itself, its forms and stream, the replay and the record."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import segno
from markupsafe import Markup
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from yachtdice.i18n import explain, use_language
from yachtdice.i18n import gettext as _
from yachtdice.notation import format_record, parse_record
from yachtdice.play.online import records
from yachtdice.play.online.records import record_of
from yachtdice.play.table.actions import Leave, Rematch, Resign
from yachtdice.play.table.events import Mode
from yachtdice.play.table.layout import DiceLayout
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.rules import DICE, DiceRolled, Game
from yachtdice.web.context import services, table_id, tables_of
from yachtdice.web.edge.security import read_form, viewer
from yachtdice.web.pages.context import page
from yachtdice.web.pages.forms import (
    hand_query,
    kept_places,
    order_of,
    read_action,
    read_hand,
    read_version,
)
from yachtdice.web.pages.rendering import render
from yachtdice.web.scene import Scene
from yachtdice.web.stream import Renderer, StreamEndpoint
from yachtdice.web.views.entry import Hand
from yachtdice.web.views.lobby import lobby_view
from yachtdice.web.views.replay import replay_view
from yachtdice.web.views.table import table_view
from yachtdice.web.views.words import player_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from yachtdice.play.online.tables import Outcome
    from yachtdice.play.table.table import Table

STREAM = "pages"
"""The name of the renderer of the live part of a table's page."""


def live(
    scene: Scene,
    *,
    hand: Hand | None = None,
    layout: DiceLayout | None = None,
    message: str = "",
) -> str:
    """Return the live part of a table's page."""
    return render("live.html", **_live(scene, hand, layout, message))


def _live(
    scene: Scene, hand: Hand | None, layout: DiceLayout | None, message: str
) -> dict[str, object]:
    if scene.table.game is None:
        return {"phase": "lobby", "view": lobby_view(scene, message)}
    view = table_view(scene, hand=hand, layout=layout, message=message)
    return {"phase": "over" if view.end else "playing", "view": view}


async def show(request: Request) -> Response:
    """Show a table, or, to htmx, its live part."""
    table = await tables_of(request).get(table_id(request), viewer(request).holder)
    await services(request).prepare(table)
    hand = read_hand(request.query_params)
    return await _answer(request, table, hand=hand)


async def act(request: Request) -> Response:
    """Act by a form of a table's page."""
    fields = await read_form(request)
    holder = viewer(request).ensure_holder()
    tables = tables_of(request)
    table = await tables.get(table_id(request), holder)
    if fields.get("do") == "join":
        outcome = await tables.join(table.id, holder, fields.get("name", ""))
        return await _answer_outcome(request, outcome, None)
    await services(request).coach.prepare(table)
    action = read_action(table, fields)
    version = read_version(fields)
    if isinstance(action, Hand):
        if _is_htmx(request):
            layout = order_of(fields), frozenset(kept_places(fields))
            return await _answer(request, table, hand=action, layout=layout)
        return _redirect_to_table(table, hand_query(action))
    # The same action at the same version is a repeated request; another action is stale.
    digest = sha256(repr(action).encode()).hexdigest()[:16]
    outcome = await tables.act(table.id, holder, version, f"page-{version}-{digest}", action)
    if isinstance(action, Rematch) and outcome.table.next is not None:
        return _redirect(request, f"/table/{outcome.table.next}")
    if isinstance(action, Leave | Resign) and outcome.refusal is None:
        return _redirect(request, f"/table/{table.id}")
    return await _answer_outcome(request, outcome, _layout_after(outcome, fields))


async def _answer_outcome(
    request: Request, outcome: Outcome, layout: DiceLayout | None
) -> Response:
    if outcome.refusal is not None:
        return await _answer(request, outcome.table, message=explain(outcome.refusal))
    if _is_htmx(request):
        return await _answer(request, outcome.table, layout=layout)
    return _redirect_to_table(outcome.table, {})


def _layout_after(outcome: Outcome, fields: Mapping[str, str]) -> DiceLayout | None:
    """Return the places of the dice after a roll, in which kept dice have not moved.

    The game knows which faces were kept, but not which of two equal dice.
    """
    game = outcome.table.game
    order = order_of(fields)
    if not order or game is None or not isinstance(event := game.events[-1], DiceRolled):
        return None
    kept = kept_places(fields)
    if len(kept) + len(event.faces) != DICE:
        return None
    rolled = iter(event.faces)
    faces = tuple(order[place] if place in kept else next(rolled) for place in range(DICE))
    return faces, frozenset(kept)


async def leave(request: Request) -> Response:
    """Ask whether the viewer wants to leave the table or to give up."""
    table = await tables_of(request).get(table_id(request), viewer(request).holder)
    scene = services(request).scenes.now(table, viewer(request).holder)
    is_playing = table.game is not None and not table.is_over and table.next is None
    return page(
        request,
        "leave.html",
        table=table,
        can_leave=bool(scene.seats) and table.mode is Mode.ONLINE and not table.is_over,
        can_resign=bool(scene.seats) and is_playing,
        resigns=_resigns(scene),
    )


def _resigns(scene: Scene) -> str:
    """Return who gives up if several share the device; empty if that is clear."""
    seat = scene.table.to_move
    return player_name(scene.table, seat) if seat is not None and len(scene.seats) > 1 else ""


async def show_replay(request: Request) -> Response:
    """Show one step of a table's game."""
    table = await tables_of(request).get(table_id(request))
    then = _table_at_step(request, table)
    made = services(request)
    scene = Scene(then, odds=await made.odds.at_moment(table, then), advice=made.coach.advice(then))
    return _replay(request, scene, table, f"/table/{table.id}", _("Back to the table"))


async def show_record_replay(request: Request) -> Response:
    """Show one step of the game in a stored record."""
    record_id = request.path_params["record_id"]
    text = await records.load_record(tables_of(request).store, record_id)
    coach, odds = services(request).coach, services(request).odds

    def replay() -> tuple[Table, Table]:
        table = records.as_table(record_id, parse_record(text))
        return table, _table_at_step(request, table)

    # The record may be long.
    table, then = await coach.quickly(replay)
    scene = Scene(then, odds=await odds.at_moment(table, then))
    home, back = f"/analyse/{record_id}", _("Back to the report")
    return await coach.quickly(lambda: _replay(request, scene, table, home, back))


def _table_at_step(request: Request, table: Table) -> Table:
    """Return *table* as it was at the requested step."""
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    steps = len(table.game.events)
    step = min(max(request.path_params.get("step", 1), 1), steps)
    return replace(table, game=Game.replay(table.game.events[:step]), next=None)


def _replay(request: Request, then: Scene, table: Table, home: str, back: str) -> Response:
    """Return one step of a game as spectators see it; *back* is the text of the link to *home*."""
    view = replay_view(then, Scene(table))
    return page(
        request,
        "replay.html",
        phase="replay",
        view=view.table,
        replay=view,
        home=home,
        back=back,
    )


async def record(request: Request) -> Response:
    """Return the game in the project's notation."""
    tables = tables_of(request)
    table = await tables.get(table_id(request))
    return _download(table.id, format_record(record_of(table)))


async def stored_record(request: Request) -> Response:
    """Return a stored record."""
    record_id = request.path_params["record_id"]
    return _download(record_id, await records.load_record(tables_of(request).store, record_id))


def _download(name: str, text: str) -> Response:
    disposition = f'attachment; filename="yacht-{name}.txt"'
    return PlainTextResponse(text, headers={"Content-Disposition": disposition})


async def _answer(
    request: Request,
    table: Table,
    *,
    hand: Hand | None = None,
    layout: DiceLayout | None = None,
    message: str = "",
) -> Response:
    """Return the page of *table*, or, to htmx, its live part."""
    scene = await services(request).scenes.of(request, table)
    with use_language(scene.language):
        if _is_htmx(request):
            return HTMLResponse(live(scene, hand=hand, layout=layout, message=message))
        context = _live(scene, hand, layout, message)
        return page(
            request,
            "table.html",
            **context,
            waits=table.next is None and _waits(scene),
            invite=_invite(request, table),
            stream="" if table.is_over and table.mode is Mode.DEVICE else _stream(table),
        )


def _waits(scene: Scene) -> bool:
    """Return whether the viewer waits for somebody else.

    Without JavaScript such a page reloads itself, which would disturb somebody who is typing.
    """
    table = scene.table
    if table.game is None:
        return not scene.is_host and bool(scene.seats or not table.free_seats)
    seat = table.to_move
    return seat is not None and (seat not in scene.seats or table.seats[seat].bot is not None)


def _stream(table: Table) -> str:
    return f"/table/{table.id}/live?after={table.version}"


def _invite(request: Request, table: Table) -> dict[str, object] | None:
    if table.mode is Mode.DEVICE or table.is_over or table.next is not None:
        return None
    address = str(request.url.replace(path=f"/table/{table.id}", query="", fragment=""))
    return {"url": address, "qr": Markup(_qr(address))}  # noqa: S704 - an SVG made here


@lru_cache(maxsize=256)
def _qr(address: str) -> str:
    code = segno.make(address, error="m", micro=False)
    return code.svg_inline(border=2, dark="#0c1826", light="#ffffff", omitsize=True)


def _redirect_to_table(table: Table, query: dict[str, str]) -> Response:
    tail = f"?{urlencode(query)}" if query else ""
    return RedirectResponse(f"/table/{table.id}{tail}", 303)


def _redirect(request: Request, address: str) -> Response:
    if _is_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def _is_htmx(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


ROUTES = (
    Route("/table/{table_id}", show, methods=["GET"]),
    Route("/table/{table_id}", act, methods=["POST"]),
    Route("/table/{table_id}/live", StreamEndpoint(STREAM), methods=["GET"]),
    Route("/table/{table_id}/leave", leave, methods=["GET"]),
    Route("/table/{table_id}/replay", show_replay, methods=["GET"]),
    Route("/table/{table_id}/replay/{step:int}", show_replay, methods=["GET"]),
    Route("/table/{table_id}/record", record, methods=["GET"]),
    Route("/analyse/{record_id}/replay", show_record_replay, methods=["GET"]),
    Route("/analyse/{record_id}/replay/{step:int}", show_record_replay, methods=["GET"]),
    Route("/analyse/{record_id}/record", stored_record, methods=["GET"]),
)

RENDERERS = {STREAM: Renderer(live)}
