"""Writes records."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from yachtdice.notation.record import VERSION, Record, definition_lines, ends_turn, label, result
from yachtdice.rules import (
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
    format_dice,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*( [A-Za-z0-9._:-]+)*")


def format_game(game: Game) -> str:
    """Return *game* as text; `parse_game` makes the same game of it."""
    return format_record(Record(game))


def game_digest(game: Game) -> str:
    """Return the identity of *game*: a hash of all its events, the same wherever it is kept."""
    return sha256(format_game(game).encode("utf-8")).hexdigest()


def format_record(record: Record) -> str:
    """Return *record* as text; `parse_record` makes the same record of it."""
    started = record.game.started
    lines = [VERSION, f"rules {started.rules.key}", *definition_lines(started.rules)]
    if record.date:
        lines.append(f"date {record.date}")
    if record.dice:
        plain = _PLAIN_VALUE.fullmatch(record.dice)
        lines.append(f"dice {record.dice if plain else _quote(record.dice)}")
    for seat, name in enumerate(started.names):
        bot = f" bot {record.bots[seat]}" if seat in record.bots else ""
        lines.append(f"seat {seat + 1} {_quote(name)}{bot}")
    if started.first:
        lines.append(f"first {started.first + 1}")
    if record.hints:
        lines.append("hints yes")
    if record.shows_odds:
        lines.append("chances yes")
    lines += [f"result {result(record.game.position)}", ""]
    return "\n".join([*lines, *_turn_lines(record.game)]) + "\n"


def _quote(text: str) -> str:
    # What cannot be seen is escaped, so that a record shows all that it says.
    seen = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in text)
    return f'"{"".join(seen)}"'


def _turn_lines(game: Game) -> Iterator[str]:
    """Yield a line for each turn, the last one perhaps unfinished."""
    positions = game.positions()
    before = next(positions)
    words: list[str] = []
    for event, after in zip(game.events[1:], positions, strict=True):
        if not words:
            words = [label(before)]
        words += _event_words(event)
        if ends_turn(event, before):
            yield _joined(words)
            words = []
        before = after
    if words:
        yield _joined(words)


def _joined(words: list[str]) -> str:
    # Commas separate the steps for people; `parse_record` takes them as white space.
    return " ".join(words).rstrip(",")


def _event_words(event: Event) -> list[str]:
    match event:
        case DiceRolled(_, faces):
            return [format_dice(faces)]
        case DiceHeld(_, kept):
            return ["keep", f"{format_dice(kept)},"]
        case CategoryScored(_, category, points):
            return ["=", category.value, str(points)]
        case TurnEntered(_, category, points, dice):
            shown = [format_dice(dice)] if dice is not None else []
            return ["...", *shown, "=", category.value, str(points)]
        case ScoreCorrected(seat, category, points, instead_of):
            moved = ["from", instead_of.value] if instead_of else []
            return ["correct", str(seat + 1), category.value, *moved, f"{points},"]
        case PlayerResigned(seat):
            return ["resign", f"{seat + 1},"]
        case GameStarted():  # pragma: no cover - a game starts once, and the headers say so
            raise AssertionError(event)
