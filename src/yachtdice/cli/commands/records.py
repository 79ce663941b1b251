"""`yacht show` and `yacht replay`: the card and the story of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yachtdice.cli.support.options import json_option
from yachtdice.cli.support.output import write_json
from yachtdice.cli.support.records import read_game
from yachtdice.i18n import format_day, rules_name, rules_note, seat_names
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.cli.support.screen import Screen
    from yachtdice.notation import Record
    from yachtdice.rules import Event, Game

_PLAIN = click.option(
    "--plain",
    is_flag=True,
    envvar="YACHT_PLAIN",
    help=_("No columns, drawing and colour: for screen readers."),
)
_FILE = click.argument("file", required=False, type=click.Path(path_type=Path))


@click.command(
    short_help=_("Show the cards of a game."),
    help=_("Show the cards and standings of the game in FILE, by default the newest."),
)
@_FILE
@json_option
@_PLAIN
def show(*, file: Path | None, as_json: bool, plain: bool) -> None:
    """Print the cards."""
    record = read_game(file)
    if as_json:
        write_json(record_json(record))
        return
    from yachtdice.cli.support.screen import Screen
    from yachtdice.cli.table.views import card_lines

    screen = Screen(plain=plain)
    _write_heading(record, screen)
    screen.blank()
    names = seat_names(record.game.names, record.bots)
    screen.write(*card_lines(record.game, names, screen.look))
    _write_end(record, screen)


@click.command(
    short_help=_("Tell a game turn by turn."),
    help=_("Tell the game in FILE turn by turn; by default the newest."),
)
@_FILE
@click.option("--step", is_flag=True, help=_("Wait for Enter after each turn."))
@_PLAIN
def replay(*, file: Path | None, step: bool, plain: bool) -> None:
    """Print the story."""
    from yachtdice.cli.support.screen import InputEndedError, Screen
    from yachtdice.cli.table.story import story_lines

    record = read_game(file)
    screen = Screen(plain=plain)
    names = seat_names(record.game.names, record.bots)
    _write_heading(record, screen)
    for before, events in turns(record.game):
        screen.blank()
        if before.position.is_turn_start and not before.position.is_over:
            number = len(before.rules.categories) - len(before.position.card.open) + 1
            first = before.position.seat == min(_still_playing(before))
            if first or len(names) == 1:
                # Translators: a heading above the turns of a round.
                screen.write(_("Round {number}").format(number=number))
        screen.write(*story_lines(events, before, names))
        if step:
            try:
                # Translators: a prompt; Enter shows the next turn, q ends.
                answer = screen.ask(_("Enter, or q> "))
            except InputEndedError:
                return
            if answer.strip().casefold().startswith("q"):
                return
    _write_end(record, screen)


def turns(game: Game) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Yield the events of each turn, the last one perhaps unfinished, with the game before them."""
    from yachtdice.notation.record import ends_turn
    from yachtdice.rules import Game

    before = now = Game((game.started,), next(game.positions()))
    events: list[Event] = []
    for event in game.events[1:]:
        events.append(event)
        ended = ends_turn(event, now.position)
        now = now.apply(event)
        if ended:
            yield before, tuple(events)
            before, events = now, []
    if events:
        yield before, tuple(events)


def _still_playing(game: Game) -> set[int]:
    position = game.position
    return {seat for seat in range(len(position.cards)) if seat not in position.resigned}


def _write_heading(record: Record, screen: Screen) -> None:
    rules = record.game.rules
    # Translators: a heading.
    line = _("Yacht, rules: {rules}.").format(rules=rules_name(rules))
    screen.write(f"{line} {rules_note(rules)}".strip())
    if record.date:
        # Translators: said of a game.
        screen.write(_("Begun on {date}.").format(date=_date_text(record.date)))


def _date_text(text: str) -> str:
    """Return a date in the format of the active language; other text is returned unchanged."""
    from datetime import date

    try:
        return format_day(date.fromisoformat(text))
    except ValueError:
        return text


def _write_end(record: Record, screen: Screen) -> None:
    """Write who has won, or whose turn it is."""
    from yachtdice.cli.table.views import closing_text, standing_lines

    position, names = record.game.position, seat_names(record.game.names, record.bots)
    screen.blank()
    if len(names) > 1:
        screen.write(*standing_lines(position, names, screen.look))
        screen.blank()
    if position.is_over:
        screen.write(closing_text(position, names))
    else:
        line = _("The game is not over: it is {name}'s turn.")
        screen.write(line.format(name=names[position.seat]))


def record_json(record: Record) -> dict[str, Any]:
    """Return what `yacht show --json` prints, as docs/json.md describes it."""
    from yachtdice.cli.table.views import standings

    position = record.game.position
    ranks = {seat: rank for rank, seat in standings(position)}
    return {
        "rules": record.game.rules.key,
        "date": record.date or None,
        "dice": record.dice or None,
        "over": position.is_over,
        "turn": None if position.is_over else position.seat + 1,
        "table": list(position.dice.faces),
        "rolls_left": position.rolls_left,
        "winners": [seat + 1 for seat in position.winners],
        "seats": [
            {
                "seat": seat + 1,
                "name": record.game.names[seat],
                "bot": record.bots.get(seat),
                "points": {c.value: card[c] for c in position.rules.categories},
                "bonus": card.bonus,
                "total": card.total,
                "rank": ranks[seat],
                "resigned": seat in position.resigned,
            }
            for seat, card in enumerate(position.cards)
        ],
    }
