"""Win odds of a game for two: what luck has given, what decisions have cost, and the curve.

For each seat, whatever has happened:

    chance = start + luck - lost - their_luck + their_lost + other + source

to 1e-9, and at the end of a game `chance` is 1, 0, or one half for a tie. The chances are those of
`yachtdice.solver.duel`: exact where they can be had, else an estimate, and each says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from yachtdice.rules import CategoryScored, DiceHeld, Hold, Move, Score, TurnEntered
from yachtdice.solver.duel import Breakdown, Kind, Part, Swing, breakdown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.rules import Dice, Game, Position
    from yachtdice.solver.duel import Duel

COSTLIEST = 3
"""How many of the costliest decisions are listed for each seat."""


@dataclass(frozen=True, slots=True)
class OddsLoss:
    """A decision after which its seat wins less often than it could have."""

    event: int
    """`Game.events[:event]` is the game in which it was taken."""
    seat: int
    dice: Dice
    rolls_left: int
    move: Move
    best: Move
    """A move that would have lost nothing."""
    loss: float
    chance: float
    """The seat's chance after *move*; with *best* it would be higher by *loss*."""
    kind: Kind
    """Whether *loss* and *chance* are exact."""


@dataclass(frozen=True, slots=True)
class OddsMark:
    """A point of the curve."""

    event: int
    """The number of the last event included."""
    rounds: float
    """Rounds that were played by then; within a turn its steps are spaced evenly."""
    chance: float
    """The first seat's chance to win."""
    kind: Kind


@dataclass(frozen=True, slots=True)
class SeatOdds:
    """Where a seat's chance to win came from."""

    seat: int
    start: float
    luck: float
    """What its own rolls have brought."""
    lost: float
    """What its own decisions have cost, 0 or more."""
    their_luck: float
    """What the other's rolls have brought the other."""
    their_lost: float
    """What the other's decisions have cost the other."""
    other: float
    """What cannot be divided into luck and losses.

    These are turns entered by their end, corrections and resignations.
    """
    source: float
    """What has changed because chances were known better, or worse, from one turn to the next.

    It is no more than rounding where all of them are exact.
    """
    chance: float
    """Its chance at the end of what was played."""
    costliest: tuple[OddsLoss, ...]
    """Up to three decisions that cost the most, the worst first."""


@dataclass(frozen=True)
class WinOddsReport:
    """The win odds of a game for two, as the coach reports them."""

    breakdown: Breakdown
    seats: tuple[SeatOdds, SeatOdds]
    curve: tuple[OddsMark, ...]
    """The first mark is the start."""

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """Whether the chances of the game are exact, estimates, or both."""
        return frozenset(mark.kind for mark in self.curve)

    @cached_property
    def exact_from(self) -> OddsMark | None:
        """The mark from which on all chances are exact; None if the last one is an estimate."""
        found = None
        for mark in reversed(self.curve):
            if mark.kind != "exact":
                break
            found = mark
        return found


def win_odds_report(duel: Duel, game: Game) -> WinOddsReport:
    """Return what has changed the chances in a *game* of two seats, finished or not.

    Takes what `duel` takes for the positions of the game: without a table it solves the sub-game
    of the last rounds, less than a second.

    Raises:
        ValueError: If it has not two seats.
        ValueTableError: If it has other rules than *duel*, or the table is damaged.
    """
    found = breakdown(duel, game)
    positions = list(game.positions())
    lost = [_odds_loss(game, positions, swing) for swing in found.swings if swing.best]
    first, second = (_seat(found, seat, lost) for seat in range(2))
    return WinOddsReport(found, (first, second), tuple(_curve(game, found)))


def _odds_loss(game: Game, positions: list[Position], swing: Swing) -> OddsLoss:
    assert swing.best is not None  # by the caller
    before = positions[swing.event - 1]
    event = game.events[swing.event]
    assert isinstance(event, DiceHeld | CategoryScored)  # nothing else is decided
    move = Hold(event.kept) if isinstance(event, DiceHeld) else Score(event.category)
    chance = 1 - swing.chance if swing.seat else swing.chance
    return OddsLoss(
        swing.event,
        swing.seat,
        before.dice,
        before.rolls_left,
        move,
        swing.best,
        -swing.change,
        chance,
        swing.kind,
    )


def _seat(found: Breakdown, seat: int, lost: list[OddsLoss]) -> SeatOdds:
    def both(part: Part) -> float:
        return found.total(seat, part) - found.total(1 - seat, part)

    mine = sorted((loss for loss in lost if loss.seat == seat), key=lambda loss: -loss.loss)
    return SeatOdds(
        seat=seat,
        start=1 - found.start if seat else found.start,
        luck=found.total(seat, "luck"),
        lost=0.0 - found.total(seat, "decision"),
        their_luck=found.total(1 - seat, "luck"),
        their_lost=0.0 - found.total(1 - seat, "decision"),
        other=both("other"),
        source=both("source"),
        chance=1 - found.chance if seat else found.chance,
        costliest=tuple(mine[:COSTLIEST]),
    )


def _curve(game: Game, found: Breakdown) -> Iterator[OddsMark]:
    yield OddsMark(0, 0.0, found.start, found.kind)
    # Of what one event has changed, the last is how it stands then.
    last = {swing.event: swing for swing in found.swings}
    turns = 0
    steps: list[Swing] = []

    def marks() -> Iterator[OddsMark]:
        for place, swing in enumerate(steps, start=1):
            rounds = (turns + place / len(steps)) / 2
            yield OddsMark(swing.event, rounds, swing.chance, swing.kind)

    for number, event in enumerate(game.events[1:], start=1):
        steps.append(last[number])
        if isinstance(event, CategoryScored | TurnEntered):
            yield from marks()
            turns += 1
            steps.clear()
    yield from marks()
