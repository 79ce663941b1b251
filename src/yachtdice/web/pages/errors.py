"""The error pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import gettext as _
from yachtdice.i18n import pgettext
from yachtdice.web.context import services
from yachtdice.web.edge.cookies import headers_of
from yachtdice.web.edge.origins import Foreign, find_foreign
from yachtdice.web.pages.context import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_MAX_SHOWN = 100
"""Characters of a header that a page shows."""


@dataclass(frozen=True, slots=True)
class ErrorView:
    """What an error page shows: the problem, and the next thing to do."""

    title: str
    sentence: str
    address: str
    action: str


def error_page(request: Request, status: int, code: str) -> Response:
    """Return the page for an error: a sentence and what to do next."""
    is_foreign = code == "foreign_origin"
    view = _foreign_view(request) if is_foreign else _error_view(request, status, code)
    return page(request, "error.html", status, error=view)


def _error_view(  # noqa: PLR0911 - one case for each error
    request: Request, status: int, code: str
) -> ErrorView:
    home = ("/", _("To the start page"))
    again = (request.url.path if request.method == "GET" else "/", pgettext("button", "Try again"))
    match status, code:
        case ((404 | 410), "table_not_found"):
            return ErrorView(
                _("No table here"),
                _("There is no such table, or it was deleted after a long time without play."),
                *home,
            )
        case ((404 | 410), _):
            return ErrorView(_("No page here"), _("This address leads nowhere."), *home)
        case 403, "csrf":
            return ErrorView(
                _("That form was too old"),
                _("Nothing was changed. Go back to the page and try once more."),
                *home,
            )
        case 403, "still_played":
            return ErrorView(
                _("The report comes at the end"),
                _("It says which decisions were good: until the game is over, that is nobody’s."),  # noqa: RUF001
                request.url.path.rpartition("/")[0],
                _("Back to the table"),
            )
        case 413, _:
            settings = services(request).settings
            sentence = _("Nothing was kept. At most so much can be sent at once: {size} KB.")
            size = settings.max_body // 1024
            return ErrorView(_("That is too large"), sentence.format(size=size), *home)
        case 403, _:
            return ErrorView(_("Not yours to do"), _("Nothing was changed; you can watch."), *home)
        case 429, _:
            return ErrorView(
                _("A moment, please"),
                _("Many requests came from your network at once. Wait a few seconds."),
                *again,
            )
        case 503, _:
            return ErrorView(
                _("The server is resting"),
                _("Nothing is lost: your seat and your dice are kept. Try again in a moment."),
                *again,
            )
        case _ if status >= 500:  # noqa: PLR2004 - the server's own fault
            return ErrorView(
                _("Something went wrong here"),
                _("It was not your doing, and your game is kept as it was."),
                *again,
            )
        case _:
            return ErrorView(
                _("That did not work"), _("Nothing was changed. Go back and try again."), *home
            )


def _foreign_view(request: Request) -> ErrorView:
    """Return the view for a form that is not from this site, as far as its headers say."""
    home = ("/", _("To the start page"))
    match find_foreign(request.scope, headers_of(request.scope)):
        case Foreign.HIDDEN:
            return ErrorView(
                _("Your browser hid where the form came from"),
                _(
                    "Nothing was changed. The form carried the origin “null”, as from a frame"
                    " without rights or with a privacy setting. Allow this site to see its own"
                    " address and try once more."
                ),
                *home,
            )
        case Foreign.ADDRESS:
            sentence = _(
                "Nothing was changed. The form came from {origin}, but it was sent to {host}. Use"
                " the site at one address; a proxy in between has to pass on that address."
            )
            origin = request.headers.get("origin", "")[:_MAX_SHOWN]
            host = request.headers.get("host", "")[:_MAX_SHOWN]
            return ErrorView(
                _("Sent from another address"), sentence.format(origin=origin, host=host), *home
            )
        case _:
            return ErrorView(
                _("Sent from another site"),
                _("Nothing was changed. Forms of this site count, and no others."),
                *home,
            )
