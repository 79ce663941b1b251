"""The events of a game as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.cli.table.views import dice_text
from yachtdice.i18n import category_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import (
    Category,
    CategoryScored,
    Dice,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.rules import Position


def story_lines(
    events: Sequence[Event], before: Game, names: Sequence[str], *, rolls: bool = True
) -> Iterator[str]:
    """Yield a line for each event after the game *before*; a hold and its roll share one.

    Without *rolls*, a roll by itself has no line.
    """
    pairs = zip(events, [*events[1:], None], strict=True)
    held = False
    for event, follows in pairs:
        before = before.apply(event)
        if isinstance(event, DiceRolled) and (held or not rolls):
            held = False
            continue
        held = isinstance(event, DiceHeld)
        if not isinstance(event, GameStarted):
            rolled = follows.faces if isinstance(follows, DiceRolled) else None
            yield from _event_lines(event, names[event.seat], before.position, rolled)


def _event_lines(
    event: Event, name: str, after: Position, rolled: Sequence[int] | None
) -> Iterator[str]:
    match event:
        case DiceHeld(_, kept):
            yield _hold_text(name, kept, rolled)
        case DiceRolled(_, faces):
            # Translators: something that a player does.
            yield _("{name} rolls {dice}.").format(name=name, dice=dice_text(faces))
        case CategoryScored(seat, category, points):
            yield score_text(name, category, points, after.cards[seat].total)
        case TurnEntered(seat, category, points, dice):
            if dice is not None:
                line = _("{name} ends the turn on {dice}.")
                yield line.format(name=name, dice=dice_text(dice))
            yield score_text(name, category, points, after.cards[seat].total)
        case ScoreCorrected():
            yield _correction_text(name, event, after)
        case PlayerResigned():
            # Translators: something that a player does.
            yield _("{name} gives up.").format(name=name)
        case GameStarted():
            pass


def score_text(name: str, category: Category, points: int, total: int) -> str:
    """Return that a box was filled; only a Yacht has an exclamation mark."""
    values = {"name": name, "box": category_name(category), "points": points, "total": total}
    if category is Category.YACHT and points:
        # Translators: a player has scored a Yacht.
        return _("{name}: {box} {points}! Total {total}.").format_map(values)
    # Translators: a player has filled a box.
    return _("{name}: {box} {points}. Total {total}.").format_map(values)


def _hold_text(name: str, kept: Dice, rolled: Sequence[int] | None) -> str:
    if not kept:
        if rolled is None:
            return _("{name} rolls all five dice again.").format(name=name)
        line = _("{name} rolls all five dice again: {rolled}.")
        return line.format(name=name, rolled=dice_text(rolled))
    if rolled is None:
        # Translators: something that a player does.
        return _("{name} keeps {kept}.").format(name=name, kept=dice_text(kept))
    line = _("{name} keeps {kept} and rolls {rolled}.")
    return line.format(name=name, kept=dice_text(kept), rolled=dice_text(rolled))


def _correction_text(name: str, event: ScoreCorrected, after: Position) -> str:
    values = {
        "name": name,
        "box": category_name(event.category),
        "points": event.points,
        "total": after.cards[event.seat].total,
    }
    if event.instead_of is None:
        return _("Put right: {name}, {box} {points}. Total {total}.").format_map(values)
    values["other"] = category_name(event.instead_of)
    line = _("Put right: {name}, {box} {points}; {other} is open again. Total {total}.")
    return line.format_map(values)


def round_text(position: Position, name: str, *, alone: bool) -> str:
    """Return the heading of the turn that begins in *position*."""
    number = sum(points is not None for points in position.card.points) + 1
    rounds = len(position.rules.categories)
    if alone:
        # Translators: a heading; one person plays alone.
        return _("Turn {number} of {rounds}").format(number=number, rounds=rounds)
    line = _("Round {number} of {rounds}: it is {name}'s turn")
    return line.format(number=number, rounds=rounds, name=name)
