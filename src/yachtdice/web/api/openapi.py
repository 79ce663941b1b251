"""The description of the API in OpenAPI 3.1, made from its shapes, and as a page for people."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import yachtdice
from yachtdice.web.api import shapes
from yachtdice.web.api.routes import OPERATIONS, Operation
from yachtdice.web.api.schema import Shape, components
from yachtdice.web.api.state import dumps
from yachtdice.web.stream import StreamEndpoint

if TYPE_CHECKING:
    from starlette.requests import Request

_ANYBODY = {
    403: "The request comes from another site's page.",
    429: "Too many requests from this address: wait for as many seconds as `Retry-After` says.",
    503: "The server cannot keep anything now, or is stopping: try again with the same request id.",
}
_ABOUT = """\
Everything that the pages do. A table is opened, guests take seats, each action names the version of
the table that it was made for, and streams tell everybody what happened.

Who you are is said by a secret token: the first request that needs one gives it out in its answer,
and later ones bring it along as `Authorization: Bearer TOKEN`. One token may sit at any number of
tables, at most once at an online one. Without a token you are a spectator."""


@cache
def description() -> dict[str, Any]:
    """Return the OpenAPI description."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    named = [s for o in OPERATIONS for s in (o.takes, o.gives) if s is not None]
    schemas = components([*(s for s in named if not isinstance(s, str)), shapes.ERROR])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Yacht",
            "version": yachtdice.__version__,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    endpoint = operation.endpoint
    stream = isinstance(endpoint, StreamEndpoint)
    name = "watch_table" if stream else getattr(endpoint, "__name__", "")
    about = (_WATCHING if stream else endpoint.__doc__) or ""
    fields: dict[str, Any] = {
        "operationId": name,
        "summary": operation.summary,
        "description": " ".join(about.split()),
        "responses": {str(operation.status): _answer("Done.", operation.gives)},
    }
    for status, why in sorted({**_ANYBODY, **operation.fails}.items()):
        fields["responses"][str(status)] = _answer(why, shapes.ERROR)
    parameters = [
        *_parameters("path", {"table_id": shapes.TABLE_ID} if "{" in operation.path else {}),
        *_parameters("query", operation.query),
        *_parameters("header", operation.headers),
    ]
    if parameters:
        fields["parameters"] = parameters
    if operation.takes is not None:
        content = {"application/json": {"schema": operation.takes.describe()}}
        fields["requestBody"] = {"required": True, "content": content}
    return fields


_WATCHING = """\
Stream the table as server-sent events of type `table`, whose data is a `Table` and whose id is its
version: at once, unless `Last-Event-ID` or `after` says that it is known, and after each change.
Versions may be left out for a slow reader, never the newest. A comment comes every 15 seconds."""


def _parameters(place: str, named: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a mapping of shapes
    return [
        {"name": name, "in": place, "required": place == "path", "schema": shape.describe()}
        for name, shape in named.items()
    ]


def _answer(why: str, gives: Shape | str) -> dict[str, Any]:
    if isinstance(gives, str):
        return {"description": why, "content": {gives: {"schema": {"type": "string"}}}}
    return {"description": why, "content": {"application/json": {"schema": gives.describe()}}}


async def get_description(_: Request) -> Response:
    """Return the description as JSON."""
    return Response(dumps(description()), media_type="application/json")


async def get_page(_: Request) -> Response:
    """Return the description as a page without scripts and styles."""
    return HTMLResponse(page())


@cache
def page() -> str:
    """Return the page for people."""
    api = description()
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width'><title>The API of Yacht</title>",
        "<h1>The API of Yacht</h1>",
        *(f"<p>{_text(part)}</p>" for part in _ABOUT.split("\n\n")),
        "<p>For programs: <a href=openapi.json>openapi.json</a> (OpenAPI 3.1).</p><main>",
    ]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            parts += _section(method.upper(), path, operation)
    parts.append("<h2>Shapes</h2>")
    for name, schema in api["components"]["schemas"].items():
        parts.append(f"<h3 id={escape(name)}>{escape(name)}</h3>{_shape(schema)}")
    parts.append("</main></html>")
    return "\n".join(parts)


def _section(method: str, path: str, operation: dict[str, Any]) -> list[str]:
    parts = [
        f"<h2>{escape(operation['summary'])}</h2>",
        f"<p><code>{method} {escape(path)}</code></p><p>{_text(operation['description'])}</p>",
    ]
    if "parameters" in operation:
        parts.append("<dl>")
        for parameter in operation["parameters"]:
            parts.append(f"<dt><code>{escape(parameter['name'])}</code>, {parameter['in']}")
            parts.append(f"<dd>{_shape(parameter['schema'])}")
        parts.append("</dl>")
    if "requestBody" in operation:
        parts.append(f"<p>Takes {_content(operation['requestBody'])}</p>")
    parts.append("<ul>")
    for status, answer in operation["responses"].items():
        parts.append(f"<li>{status}: {_text(answer['description'])} {_content(answer)}")
    parts.append("</ul>")
    return parts


def _content(body: dict[str, Any]) -> str:
    return ", ".join(
        f"<code>{escape(kind)}</code> {_shape(content['schema'])}"
        for kind, content in body["content"].items()
    )


def _shape(schema: dict[str, Any]) -> str:
    """Return a schema as HTML: a phrase for a simple one, a list for an object."""
    note = f" {_text(schema['description'])}" if "description" in schema else ""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>{note}"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            options = "".join(f"<li>{_shape(option)}" for option in schema[several])
            return f"{note}<ul>{options}</ul>"
    if "const" in schema or "enum" in schema:
        words = schema.get("enum") or [schema["const"]]
        return " | ".join(f"<code>{escape(str(word))}</code>" for word in words) + note
    if schema.get("type") == "object":
        needed = schema.get("required", ())
        fields = "".join(
            f"<dt><code>{escape(name)}</code>{'' if name in needed else ', optional'}"
            f"<dd>{_shape(part)}"
            for name, part in schema["properties"].items()
        )
        return f"{note}<dl>{fields}</dl>"
    if schema.get("type") == "array":
        low, high = schema["minItems"], schema["maxItems"]
        return f"list of {low} to {high}:{note} {_shape(schema['items'])}"
    limits = {k: v for k, v in schema.items() if k not in {"type", "description"}}
    details = ", ".join(f"{escape(k)} {escape(str(v))}" for k, v in limits.items())
    return f"{schema['type']}{f' ({details})' if details else ''}{note}"


def _text(text: str) -> str:
    """Return text with `code` in backquotes as HTML."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


ROUTES = [
    Route("/api/openapi.json", get_description, methods=["GET"]),
    Route("/api/docs", get_page, methods=["GET"]),
]
