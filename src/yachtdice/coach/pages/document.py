"""Reports and statistics as complete HTML files without external resources."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from yachtdice.coach.pages.rendering import render
from yachtdice.coach.pages.report import report_body
from yachtdice.coach.pages.statistics import statistics_body
from yachtdice.coach.words.summary import title
from yachtdice.i18n import current_language, text_direction
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from yachtdice.coach.analysis.report import Report
    from yachtdice.coach.analysis.statistics import Statistics


def report_page(report: Report) -> str:
    """Return *report* as one HTML file that needs nothing else."""
    return _page(title(report), report_body(report))


def statistics_page(statistics: Statistics) -> str:
    """Return *statistics* as one HTML file that needs nothing else."""
    return _page(_("Luck, play and dice"), statistics_body(statistics))


@cache
def stylesheet() -> str:
    """Return the CSS of the fragments, to be served as a file."""
    return (files(__package__) / "coach.css").read_text(encoding="utf-8")


@cache
def _page_style() -> str:
    return (files(__package__) / "page.css").read_text(encoding="utf-8")


def _page(name: str, body: str) -> str:
    html = render(
        "page.html",
        language=current_language().replace("_", "-"),
        direction=text_direction(),
        title=name,
        style=Markup(stylesheet() + _page_style()),  # noqa: S704 - our own files
        body=Markup(body),  # noqa: S704 - a template has escaped it
    )
    return f"{html}\n"
