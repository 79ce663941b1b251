"""What every page is answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from yachtdice.web.pages.rendering import frame, render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def page(request: Request, template: str, status: int = 200, /, **context: object) -> Response:
    """Return a page: *template* in the frame that fits the viewer, filled with *context*."""
    return HTMLResponse(render(template, page=frame(request), **context), status)
