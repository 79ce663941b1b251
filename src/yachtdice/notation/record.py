"""Records: a game with its circumstances, and what reading and writing them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import (
    CategoryScored,
    Event,
    Game,
    PlayerResigned,
    Position,
    RuleSet,
    TurnEntered,
    format_rules,
)

VERSION: Final = "yacht 1"
"""The first line of every record."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game with what its events do not contain, such as its date and its source of dice.

    Attributes:
        game: The game itself, finished or not.
        date: The day it began, as in 2026-11-30; empty where nobody knows.
        dice: The source of the dice: `system`, `seed 7`, `real`, ...; empty where nobody knows.
        bots: The seats that the computer plays, counted from 0, each with its level.
        hints: Whether the players were shown what is best.
        shows_odds: Whether the players were shown how likely each was to win.
    """

    game: Game
    date: str = ""
    dice: str = ""
    bots: Mapping[int, str] = field(default_factory=dict)
    hints: bool = False
    shows_odds: bool = False


def is_built_in(rules: RuleSet) -> bool:
    """Return whether the key of *rules* says all about them."""
    return rules.key in RULE_SET_KEYS and rules == find_rules(rules.key)


def definition_lines(rules: RuleSet) -> list[str]:
    """Return the lines that define *rules*; none where their key says all about them."""
    if is_built_in(rules):
        return []
    return [f"| {line}".rstrip() for line in format_rules(rules).splitlines()]


def result(position: Position) -> str:
    """Return the value of the result header: `187 203 winner 2`, or `unfinished`."""
    if not position.is_over:
        return "unfinished"
    totals = " ".join(str(card.total) for card in position.cards)
    winners = " ".join(str(seat + 1) for seat in position.winners)
    return f"{totals} winner {winners or '-'}"


def label(position: Position) -> str:
    """Return how the line of the turn to be played begins: `3.1:` is round 3, seat 1."""
    if position.is_over:
        return "end:"
    turn = sum(points is not None for points in position.card.points) + 1
    return f"{turn}.{position.seat + 1}:"


def ends_turn(event: Event, before: Position) -> bool:
    """Return whether *event*, in the position *before*, ends a turn and so its line."""
    if isinstance(event, PlayerResigned):
        return event.seat == before.seat
    return isinstance(event, (CategoryScored, TurnEntered))
