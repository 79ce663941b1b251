"""What happens at a table besides the game itself. The engine's own events stand between these.

Immutable, in the past tense, enough to replay a table. When something happened, who asked for it
and its number in the stream belong to the store. A *holder* is the public half of an unguessable
token (`play.tokens`): it says who sits where, but nobody can act with it.
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
    """People roll real dice and type what they show; the table only keeps the score."""


class Mode(Enum):
    """Who sits where."""

    DEVICE = "device"
    """One person alone, or several who pass one device: who opened the table holds all seats."""
    ONLINE = "online"
    """Each on a device of their own."""


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
    """Somebody sat down on the next free seat. An empty name means that it is its number."""

    seat: int
    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A computer sat down on the next free seat."""

    seat: int
    level: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up. Before the game the seat vanishes, in the game it stays theirs."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRemoved:
    """The host took a seat away. Before the game it vanishes, in the game nobody holds it now."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatPlayedOn:
    """The others had the computer play on for a seat that was absent; it can still come back."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """Somebody who had got up, or for whom the computer played on, plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """The people of this table went on to another one; this one stays as it is."""

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
"""Everything that stands in the stream of a table."""
