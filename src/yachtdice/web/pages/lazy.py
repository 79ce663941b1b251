"""Routes whose modules need the coach and NumPy, and are imported on the first request.

So the server starts quickly, and the imports run in a thread and do not block the event loop.
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


def _lazy_endpoint(module: str, name: str) -> Callable[[Request], Awaitable[Response]]:
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
    return Route(path, _lazy_endpoint(module, name), methods=[method])


ROUTES = (
    _route("GET", "/table/{table_id}/report", "coach", "table_report"),
    _route("POST", "/table/{table_id}/play-on", "coach", "continue_table"),
    _route("GET", "/analyse", "coach", "analyse"),
    _route("POST", "/analyse", "coach", "store_record"),
    _route("GET", "/analyse/{record_id}", "coach", "record_report"),
    _route("POST", "/analyse/{record_id}/play-on", "coach", "continue_record"),
    _route("GET", "/stats", "coach", "stats"),
    _route("GET", "/coach.css", "coach", "style"),
    _route("GET", "/train", "train", "ask"),
    _route("POST", "/train", "train", "answer"),
)
