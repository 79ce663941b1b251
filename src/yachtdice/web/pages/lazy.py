"""Pages whose modules bring the coach and NumPy: loaded when the first of them is asked for.

So the start page is there at once, and the event loop does not wait for the import either.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import ModuleType

    from starlette.requests import Request
    from starlette.responses import Response

_loaded: dict[str, ModuleType] = {}


def _late(module: str, name: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if module not in _loaded:
            _loaded[module] = await asyncio.to_thread(
                import_module, f"yachtdice.web.pages.{module}"
            )
        response: Response = await getattr(_loaded[module], name)(request)
        return response

    answer.__name__ = f"{module}.{name}"
    return answer


def _route(method: str, path: str, module: str, name: str) -> Route:
    return Route(path, _late(module, name), methods=[method])


ROUTES = (
    _route("GET", "/table/{table_id}/report", "coach", "table_report"),
    _route("POST", "/table/{table_id}/play-on", "coach", "table_played_on"),
    _route("GET", "/analyse", "coach", "analyse"),
    _route("POST", "/analyse", "coach", "keep"),
    _route("GET", "/analyse/{record_id}", "coach", "record_report"),
    _route("POST", "/analyse/{record_id}/play-on", "coach", "record_played_on"),
    _route("GET", "/stats", "coach", "stats"),
    _route("GET", "/coach.css", "coach", "style"),
    _route("GET", "/train", "train", "ask"),
    _route("POST", "/train", "train", "answered"),
)
