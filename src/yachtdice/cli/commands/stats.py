"""`yacht stats`: many games together, luck and play apart, and the dice themselves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.output import echo
from yachtdice.i18n import gettext as _
from yachtdice.i18n import ngettext, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yachtdice.coach.analysis.statistics import Entry
    from yachtdice.notation import Record
    from yachtdice.solutions import Solutions


@click.command(
    help=_(
        "Tell what the games in FILES come to, by default all that are kept here.\n\n"
        "FILES are records, or folders of records. Totals are compared with perfect play, luck and"
        " losses are told apart, and the dice with fair ones."
    )
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--player",
    metavar="NAME",
    help=_("Only the games of NAME; by default those of all people."),
)
@click.option(
    "--json", "as_json", is_flag=True, help=_("Print JSON, as docs/coach.md describes it.")
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help=_("Write everything as one HTML file that needs nothing else."),
)
@click.option(
    "--plain",
    is_flag=True,
    envvar="YACHT_PLAIN",
    help=_("No columns, drawing and colour: for screen readers."),
)
@click.pass_obj
def stats(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions,
    *,
    files: tuple[Path, ...],
    player: str | None,
    as_json: bool,
    page: Path | None,
    plain: bool,
) -> None:
    """Print the statistics."""
    from yachtdice.cli.support.analysis import levels_of, totals_of
    from yachtdice.cli.support.records import distinct_games, write_page
    from yachtdice.coach.analysis.statistics import statistics

    games, again = distinct_games(files)
    result = statistics(
        _entries(games, player, solutions),
        partial(totals_of, solutions=solutions),
        partial(levels_of, solutions=solutions),
    )
    if page is not None:
        from yachtdice.coach.pages import statistics_page

        write_page(page, statistics_page(result))
    if as_json:
        from yachtdice.cli.support.output import write_json
        from yachtdice.coach import statistics_data

        write_json(statistics_data(result))
    elif page is None:
        from yachtdice.cli.support.screen import Screen
        from yachtdice.cli.text.statistics import statistics_lines

        screen = Screen(plain=plain)
        screen.write(*statistics_lines(result, screen.look))
        if again:
            screen.blank()
            screen.write(_again(again))
    if again and (as_json or page is not None):
        # Where the output is data or a page, people still read this.
        echo(_again(again), err=True)


def _again(files: int) -> str:
    return ngettext(
        "{n} file holds a game that was counted already; each game counts once.",
        "{n} files hold games that were counted already; each game counts once.",
        files,
    ).format(n=files)


def _entries(
    games: Iterable[tuple[Path, Record]], player: str | None, solutions: Solutions
) -> Iterator[Entry]:
    from yachtdice.cli.support.analysis import report_of
    from yachtdice.cli.support.records import own_seats
    from yachtdice.coach.analysis.statistics import Entry

    for path, record in games:
        seats = own_seats(record, player)
        if seats:
            yield Entry(
                report_of(record, solutions), record.game.events, seats, printable(path.stem, 80)
            )
