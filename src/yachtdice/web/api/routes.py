"""The routes of the HTTP API. Their docstrings are part of its description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from yachtdice.bots import LEVELS
from yachtdice.i18n import explain
from yachtdice.notation import format_record
from yachtdice.play.online.records import RecordNotFoundError, record_of
from yachtdice.play.online.tables import Outcome
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.table import MAX_SEATS, Table
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import DiceError, IllegalMoveError, RuleSetError, SetupError, YachtError
from yachtdice.web.api import shapes
from yachtdice.web.api.schema import InvalidError, MalformedError, Shape, Whole, parse_json
from yachtdice.web.api.state import dumps, events_json, rules_json
from yachtdice.web.context import services, table_id, tables_of
from yachtdice.web.edge.security import RefusedError, viewer
from yachtdice.web.services.win_odds import are_odds_known
from yachtdice.web.stream import StreamEndpoint

if TYPE_CHECKING:
    from starlette.requests import Request

    from yachtdice.web.stream import Hub


STREAM = "api"
"""The name of the API's renderer."""

# Refusals that do not depend on the state of the table.
_FORBIDDEN = {TableReason.NOT_SEATED, TableReason.NOT_HOST}
_INVALID = {
    TableReason.NAME,
    TableReason.LEVEL,
    TableReason.SEAT_COUNT,
    TableReason.FIRST_SEAT,
    TableReason.NO_BOTS,
}


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path, with its description for `openapi`."""

    method: str
    path: str
    endpoint: Callable[[Request], Awaitable[Response]] | StreamEndpoint
    summary: str
    gives: Shape | str
    """The shape of the answer, or its media type if it is not JSON."""
    takes: Shape | None = None
    status: int = 200
    query: Mapping[str, Shape] = field(default_factory=dict)
    headers: Mapping[str, Shape] = field(default_factory=dict)
    fails: Mapping[int, str] = field(default_factory=dict)
    """The meaning of other statuses, without those that any request can get."""


def error_json(code: str, message: str) -> dict[str, Any]:
    """Return `shapes.ERROR` without a table."""
    return {"error": {"code": code, "message": message}}


def code_of(error: YachtError) -> str:
    """Return the stable code of a refusal."""
    if isinstance(error, TableError):
        return error.reason.value
    if isinstance(error, (IllegalMoveError, SetupError)):
        return error.reason.name.lower()
    if isinstance(error, DiceError):
        return "bad_dice"
    if isinstance(error, RuleSetError):
        return "not_in_rules"
    if isinstance(error, RecordNotFoundError):
        return "not_found"
    return "refused"


def status_of(error: YachtError) -> int:
    """Return the HTTP status of a refusal, 409 if it depends on the state of the table."""
    if isinstance(error, TableError):
        if error.reason is TableReason.NOT_FOUND:
            return 404
        if error.reason in _FORBIDDEN:
            return 403
        return 422 if error.reason in _INVALID else 409
    if isinstance(error, RecordNotFoundError):
        return 404
    return 409 if isinstance(error, IllegalMoveError) else 422


def json_response(
    value: object, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return *value* as JSON."""
    return text_response(dumps(value), status, headers)


def text_response(text: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return *text*, which is JSON."""
    return Response(text, status, headers, "application/json")


async def read_json(request: Request, shape: Shape) -> Any:  # noqa: ANN401 - depends on the shape
    """Return the body, checked by *shape*.

    Raises:
        RefusedError: If the body is not JSON (400, 415) or does not have that shape (422).
    """
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.lower().replace(" ", "").replace('"', "")
    if kind.strip().lower() != "application/json" or charset not in {"", "charset=utf-8"}:
        raise RefusedError(415, "unsupported_media_type", "application/json in UTF-8 is expected")
    try:
        return shape.check(parse_json(await request.body()), "")
    except MalformedError as error:
        raise RefusedError(400, "malformed", f"not JSON: {error}") from error
    except InvalidError as error:
        raise RefusedError(422, "invalid", str(error)) from error


async def open_table(request: Request) -> Response:
    """Open a table and sit down at it."""
    wanted: shapes.Opening = await read_json(request, shapes.OPENING)
    sender = viewer(request)
    holder = sender.ensure_holder()
    table = await tables_of(request).open(
        holder,
        rules=wanted.rules,
        people=wanted.people,
        mode=wanted.mode,
        dice=wanted.dice,
        size=wanted.size,
        hints=wanted.hints,
        shows_odds=wanted.chances and are_odds_known(wanted.rules),
        first=wanted.first,
        request_id=wanted.request,
    )
    await services(request).odds.prepare(table)
    location = {"Location": f"/api/tables/{table.id}"}
    return text_response(await _opened(request, table), 201, location)


async def list_tables(request: Request) -> Response:
    """Return the newest 50 tables at which you have sat."""
    holder = viewer(request).holder
    tables = [] if holder is None else await tables_of(request).mine(holder)
    scenes, hub = services(request).scenes, _hub(request)
    states = ",".join(hub.render(STREAM, scenes.now(table, holder)) for table in tables)
    return text_response(f'{{"tables":[{states}]}}')


async def get_table(request: Request) -> Response:
    """Return a table as it is now."""
    table = await tables_of(request).get(table_id(request), viewer(request).holder)
    return text_response(await _state(request, table))


async def join_table(request: Request) -> Response:
    """Take the next free seat of an online table; who sits there already keeps the one seat."""
    name: str = await read_json(request, shapes.JOINING)
    await tables_of(request).get(table_id(request))
    holder = viewer(request).ensure_holder()
    outcome = await tables_of(request).join(table_id(request), holder, name)
    if outcome.refusal is not None:
        return await _outcome(request, outcome)
    return text_response(await _opened(request, outcome.table))


async def act(request: Request) -> Response:
    """Do something at a table. It is answered once it is kept for good."""
    acting: shapes.Acting = await read_json(request, shapes.ACTING)
    holder = viewer(request).holder
    tables = tables_of(request)
    if holder is None:
        table = await tables.get(table_id(request))
        return await _outcome(request, Outcome(table, TableError(TableReason.NOT_SEATED)))
    outcome = await tables.act(
        table_id(request), holder, acting.version, acting.request, acting.action
    )
    return await _outcome(request, outcome)


async def get_events(request: Request) -> Response:
    """Return the events of the game, with which any of its positions can be had again."""
    after = _whole(request, "after", shapes.VERSION)
    table = await tables_of(request).get(table_id(request), viewer(request).holder)
    return json_response({"events": events_json(table, after)})


async def get_record(request: Request) -> Response:
    """Return the game in the project's notation, finished or not."""
    tables = tables_of(request)
    table = await tables.get(table_id(request))
    text = format_record(record_of(table))
    disposition = f'attachment; filename="yacht-{table.id}.txt"'
    return PlainTextResponse(text, headers={"Content-Disposition": disposition})


async def get_options(request: Request) -> Response:
    """Return what a table can be opened with."""
    tables = tables_of(request)
    return json_response(
        {
            "rules": [rules_json(find_rules(key)) for key in RULE_SET_KEYS],
            "levels": list(LEVELS),
            "most_seats": MAX_SEATS,
            "away_after": int(tables.away_after),
            "idle_after": int(tables.idle_after),
        }
    )


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


async def _state(request: Request, table: Table) -> str:
    return _hub(request).render(STREAM, await services(request).scenes.of(request, table))


async def _opened(request: Request, table: Table) -> str:
    """Return `shapes.OPENED`, with the token if this request has issued one."""
    sender = viewer(request)
    token, sender.new_token = sender.new_token, ""
    more = f',"token":{dumps(token)}' if token else ""
    return f'{{"table":{await _state(request, table)}{more}}}'


async def _outcome(request: Request, outcome: Outcome) -> Response:
    state = await _state(request, outcome.table)
    refusal = outcome.refusal
    if refusal is None:
        return text_response(f'{{"table":{state},"is_repeated":{dumps(outcome.is_repeated)}}}')
    error = dumps(error_json(code_of(refusal), explain(refusal))["error"])
    return text_response(f'{{"error":{error},"table":{state}}}', status_of(refusal))


def _whole(request: Request, name: str, shape: Whole) -> int:
    text = request.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise RefusedError(422, "invalid", f"{name}: a whole number is expected")
    try:
        return shape.check(int(text), name)
    except InvalidError as error:
        raise RefusedError(422, "invalid", str(error)) from error


_MAX_DIGITS = 10
_NO_TABLE = {404: "There is no such table."}
_BODY = {
    400: "The body is not JSON.",
    413: "The body is too large.",
    415: "The body is not `application/json`.",
    422: "The body has not the right shape, or asks for what no table can be.",
}

OPERATIONS = (
    Operation("GET", "/api/options", get_options, "What can be played", shapes.OPTIONS),
    Operation(
        "POST",
        "/api/tables",
        open_table,
        "Open a table",
        shapes.OPENED,
        takes=shapes.OPENING,
        status=201,
        fails=_BODY,
    ),
    Operation("GET", "/api/tables", list_tables, "Your tables", shapes.LISTING),
    Operation("GET", "/api/tables/{table_id}", get_table, "A table", shapes.TABLE, fails=_NO_TABLE),
    Operation(
        "POST",
        "/api/tables/{table_id}/seats",
        join_table,
        "Sit down",
        shapes.OPENED,
        takes=shapes.JOINING,
        fails={**_NO_TABLE, 409: "There is no seat to take.", **_BODY},
    ),
    Operation(
        "POST",
        "/api/tables/{table_id}/actions",
        act,
        "Act",
        shapes.OUTCOME,
        takes=shapes.ACTING,
        fails={
            403: "You have no seat at this table, or are not its host.",
            **_NO_TABLE,
            409: "The version is stale, or the game does not allow it now; `table` is current.",
            **_BODY,
        },
    ),
    Operation(
        "GET",
        "/api/tables/{table_id}/stream",
        StreamEndpoint(STREAM),
        "Watch",
        "text/event-stream",
        query={"after": shapes.VERSION, "every": shapes.EVERY},
        headers={"Last-Event-ID": shapes.VERSION},
        fails={**_NO_TABLE, 503: "The server has no room for more streams, or is stopping."},
    ),
    Operation(
        "GET",
        "/api/tables/{table_id}/events",
        get_events,
        "The game, event by event",
        shapes.EVENTS,
        query={"after": shapes.VERSION},
        fails={**_NO_TABLE, 422: "`after` is no version."},
    ),
    Operation(
        "GET",
        "/api/tables/{table_id}/record",
        get_record,
        "The game as text",
        "text/plain",
        fails={**_NO_TABLE, 409: "The game has not begun."},
    ),
)


def _route(path: str) -> Route:
    """Return the route of *path* for all its methods, which refuses unknown query parameters."""
    operations = {operation.method: operation for operation in OPERATIONS if operation.path == path}
    first = next(iter(operations.values()))
    if isinstance(first.endpoint, StreamEndpoint):
        return Route(path, first.endpoint, methods=["GET"])

    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        operation = operations[method]
        if request.scope["query_string"]:
            unknown = set(request.query_params) - set(operation.query)
            if unknown:
                raise RefusedError(422, "invalid", f"{min(unknown)[:40]!a} is not known here")
        assert not isinstance(operation.endpoint, StreamEndpoint)  # the only one of its path
        return await operation.endpoint(request)

    return Route(path, endpoint, methods=list(operations))


# The most frequent path comes first: routes are tried one after the other.
_PATHS = dict.fromkeys(("/api/tables/{table_id}/actions", *(o.path for o in OPERATIONS)))
ROUTES = [_route(path) for path in _PATHS]
