"""`yacht analyse`: was that bad luck or bad play?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from yachtdice.solutions import Solutions


@click.command(
    help=_(
        "Tell luck from play in the game in FILE, by default the newest.\n\n"
        "Each roll has its luck, each decision what it lost; together they are exactly the points."
        " “-” as FILE is standard input."
    )
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help=_("Print JSON, as docs/coach.md describes it.")
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help=_("Write the report as one HTML file that needs nothing else."),
)
@click.option(
    "--plain",
    is_flag=True,
    envvar="YACHT_PLAIN",
    help=_("No columns, drawing and colour: for screen readers."),
)
@click.pass_obj
def analyse(
    solutions: Solutions, *, file: Path | None, as_json: bool, page: Path | None, plain: bool
) -> None:
    """Print the report."""
    from yachtdice.cli.support.analysis import report_of
    from yachtdice.cli.support.records import read_game, write_page

    report = report_of(read_game(file), solutions, with_win_odds=True)
    if page is not None:
        from yachtdice.coach.pages import report_page

        write_page(page, report_page(report))
    if as_json:
        from yachtdice.cli.support.output import write_json
        from yachtdice.coach import report_data

        write_json(report_data(report))
    elif page is None:
        from yachtdice.cli.support.screen import Screen
        from yachtdice.cli.text.report import report_lines

        screen = Screen(plain=plain)
        screen.write(*report_lines(report, screen.look))
