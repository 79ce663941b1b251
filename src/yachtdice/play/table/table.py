"""A table: its seats and its game, as an immutable value built from events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    RematchOpened,
    SeatLeft,
    SeatPlayedOn,
    SeatRemoved,
    SeatReturned,
    SeatTaken,
    TableOpened,
)
from yachtdice.rules import Event, Game, GameStarted, RuleSet, SetupError, SetupReason

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SEATS = 6
"""How many seats a table can have; the engine itself would play with more."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: a person's, a bot's, or a person's for whom a bot plays."""

    name: str
    """Empty if the seat is called by its number."""
    holder: str | None
    """Whose seat it is: the public half of a token. None for a bot's and a removed seat."""
    bot: str | None = None
    """The level of the bot that plays now, None if a person does."""
    left: bool = False
    """Whether the person has left and not come back."""

    @property
    def is_computer(self) -> bool:
        """Whether this has been a bot's seat from the start."""
        return self.bot is not None and self.holder is None


@dataclass(frozen=True, slots=True)
class Table:
    """The state of a table. An action leads to a new value; `Tables` has the newest.

    Seats are counted from 0. Before the game begins they come and go at the end of the list and
    close up; from then on they are the seats of the game.
    """

    id: str
    opened: TableOpened
    version: int
    """The number of events so far. Each action names the version that it was made for."""
    seats: tuple[Seat, ...] = ()
    game: Game | None = None
    """The game, once it has begun."""
    next: str | None = None
    """The table of the rematch. Once there is one, nothing changes at this table any more."""

    @classmethod
    def replay(cls, table_id: str, events: Iterable[AnyEvent]) -> Table:
        """Return the table that consists of *events*; those of the game are checked by the engine.

        Raises:
            SetupError: If the first, and no other, is not a TableOpened, or a game starts twice.
            IllegalMoveError: If an event of the game is not possible after those before it.
        """
        stream = iter(events)
        opened = next(stream, None)
        if not isinstance(opened, TableOpened):
            raise SetupError(SetupReason.NOT_STARTED, repr(opened))
        table = cls(table_id, opened, 1)
        for event in stream:
            table = table.apply(event)
        return table

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        return self.opened.rules

    @property
    def dice(self) -> DiceKind:
        """Where the dice come from."""
        return self.opened.dice

    @property
    def mode(self) -> Mode:
        """Whether all seats share one device."""
        return self.opened.mode

    @property
    def size(self) -> int:
        """How many seats there can be."""
        return self.opened.size

    @property
    def hints(self) -> bool:
        """Whether the table was opened with hints."""
        return self.opened.hints

    @property
    def shows_odds(self) -> bool:
        """Whether the table shows how likely each player is to win."""
        return self.opened.shows_odds

    @property
    def previous(self) -> str | None:
        """The table that this one is the rematch of."""
        return self.opened.previous

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.game is not None and self.game.position.is_over

    @property
    def free_seats(self) -> int:
        """How many more can sit down: none once the game has begun."""
        return 0 if self.game else self.size - len(self.seats)

    @property
    def host(self) -> str | None:
        """The holder who may begin the game and remove seats.

        That is who opened the table or, once that person has left, the first of those still there.
        """
        there = [s.holder for s in self.seats if s.holder is not None and not s.left]
        if self.opened.host in there:
            return self.opened.host
        return there[0] if there else None

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None before the game, after it and once it was left."""
        if self.game is None or self.next is not None or self.game.position.is_over:
            return None
        return self.game.position.seat

    @property
    def bot_to_move(self) -> str | None:
        """The level of the bot whose turn it is, None if it is a person's or nobody's."""
        seat = self.to_move
        return None if seat is None else self.seats[seat].bot

    def seats_of(self, holder: str | None) -> tuple[int, ...]:
        """Return the seats that *holder* holds: several on one device, at most one online."""
        if holder is None:
            return ()
        return tuple(i for i, seat in enumerate(self.seats) if seat.holder == holder)

    def can_move(self, holder: str | None) -> bool:
        """Return whether *holder* is the one to roll, keep or score now."""
        seat = self.to_move
        if seat is None or holder is None:
            return False
        return self.seats[seat].holder == holder and self.seats[seat].bot is None

    def apply(self, event: AnyEvent) -> Table:  # noqa: C901, PLR0911 - one case an event
        """Return the table after *event*, which has to fit.

        Raises:
            SetupError: If a table opens twice, a seat is not there, or a game starts as it cannot.
            IllegalMoveError: If an event of the game is not possible now.
        """
        match event:
            case TableOpened():
                raise SetupError(SetupReason.NOT_STARTED, "a table opens once")
            case SeatTaken(seat, name, holder):
                return self._seated(seat, Seat(name, holder))
            case BotSeated(seat, level, name):
                return self._seated(seat, Seat(name, None, level))
            case SeatLeft(seat) | SeatRemoved(seat) if self.game is None:
                self._seat(seat)
                return self._next(seats=(*self.seats[:seat], *self.seats[seat + 1 :]))
            case SeatLeft(seat):
                return self._changed(seat, replace(self._seat(seat), left=True))
            case SeatRemoved(seat):
                return self._changed(seat, replace(self._seat(seat), holder=None, left=True))
            case SeatPlayedOn(seat, level):
                return self._changed(seat, replace(self._seat(seat), bot=level))
            case SeatReturned(seat):
                return self._changed(seat, replace(self._seat(seat), bot=None, left=False))
            case RematchOpened(table):
                return self._next(next=table)
            case GameStarted(rules, names, first):
                if self.game is not None or len(names) != len(self.seats):
                    raise SetupError(SetupReason.NOT_STARTED, "a game starts once, with all seats")
                return self._next(game=Game.start(rules, names, first))
            case _:
                return self._played(event)

    def _played(self, event: Event) -> Table:
        if self.game is None:
            raise SetupError(SetupReason.NOT_STARTED, repr(event))
        return self._next(game=self.game.apply(event))

    def _seat(self, seat: int) -> Seat:
        if not 0 <= seat < len(self.seats):
            raise SetupError(SetupReason.SEAT_COUNT, f"no seat {seat}")
        return self.seats[seat]

    def _seated(self, seat: int, new: Seat) -> Table:
        if self.game is not None or seat != len(self.seats) or seat >= self.size:
            raise SetupError(SetupReason.SEAT_COUNT, f"seat {seat} cannot be taken")
        return self._next(seats=(*self.seats, new))

    def _changed(self, seat: int, new: Seat) -> Table:
        return self._next(seats=(*self.seats[:seat], new, *self.seats[seat + 1 :]))

    def _next(self, **changes: object) -> Table:
        return replace(self, version=self.version + 1, **changes)  # type: ignore[arg-type]
