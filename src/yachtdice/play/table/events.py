"""The events of a table besides those of its game, which the engine defines.

They suffice to replay a table. Time, actor and number of an event belong to the store's envelope. A
*holder* is the public half of an unguessable token (`play.online.tokens`): it says who sits where,
but nobody can act with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from yachtdice.rules import Event, RuleSet
from yachtdice.store.codec import stored_as


class DiceKind(Enum):
    """Where a table's dice come from."""

    SYSTEM = "system"
    """The server rolls."""
    REAL = "real"
    """People roll real dice and enter what they show; the table only keeps the score."""


class Mode(Enum):
    """Whether people share one device."""

    DEVICE = "device"
    """One person alone, or several who share a device: one holder has all seats of people."""
    ONLINE = "online"
    """Everybody uses a device of their own."""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """Somebody opened a table."""

    rules: RuleSet
    dice: DiceKind
    mode: Mode
    host: str
    """The holder who opened it."""
    size: int
    """How many seats it can have."""
    hints: bool
    date: str
    """The day, as YYYY-MM-DD, or empty."""
    previous: str | None = None
    """The table that this one is the rematch of."""
    shows_odds: bool = stored_as("chances", default=False)
    """Whether everybody at the table sees how likely each player is to win."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody took the next free seat. With an empty name it is called by its number."""

    seat: int
    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot took the next free seat."""

    seat: int
    level: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody left. Before the game the seat disappears, in the game it stays theirs."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRemoved:
    """The host removed a seat. Before the game it disappears, in the game nobody holds it."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatPlayedOn:
    """The others let a bot play for an absent seat, whose person can still come back."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """Somebody who had left, or for whom a bot played, plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """The people of this table moved on to another one; this one stays as it is."""

    table: str


TableEvent: TypeAlias = (
    TableOpened
    | SeatTaken
    | BotSeated
    | SeatLeft
    | SeatRemoved
    | SeatPlayedOn
    | SeatReturned
    | RematchOpened
)

AnyEvent: TypeAlias = TableEvent | Event
"""All events in the stream of a table."""
