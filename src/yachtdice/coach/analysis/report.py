"""The coach's report of a game, as data. Values are points; *expected* is an expected final total.

For every seat, whatever has happened:

    expected = start + luck - loss + unknown + corrected - given_up

and at the end of a game `expected` is the number of points on the card. Seats are counted from 0.
An *event* is the index of an event in `Game.events`: the game before it is `game.events[:event]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TypeAlias

from yachtdice.coach.analysis.labels import Kind, Label
from yachtdice.coach.analysis.win_odds import WinOddsReport
from yachtdice.rules import Category, Dice, Move, RuleSet
from yachtdice.solver.arrays.choice import TOLERANCE

COSTLIEST = 3
"""How many of the costliest decisions a report lists for each seat."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The exact outcome of a move under best play of the rest of the turn."""

    points: float
    """Points expected in the box that this turn fills."""
    later: float
    """Points expected after this turn, an upper bonus included."""
    chances: Mapping[Category, float]
    """How likely the turn ends with points in each box; impossible boxes are left out."""
    zeros: Mapping[Category, float]
    """How likely the turn ends with a zero in each box; impossible boxes are left out."""

    @property
    def value(self) -> float:
        """All points to come."""
        return self.points + self.later


@dataclass(frozen=True, slots=True)
class Facts:
    """Why one move is better than another."""

    chosen: Outlook
    best: Outlook
    """That of the first of the best moves."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll, and its luck."""

    event: int
    dice: Dice
    """All five, with those that were kept."""
    rolls_left: int
    luck: float
    """The expected total after the roll, less the mean over all rolls."""
    variance: float
    """The variance of the luck over all possible rolls, in points squared."""
    expected: float
    """The expected final total after it."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision: a move that was not forced, with its loss."""

    event: int
    dice: Dice
    """The five dice on the table."""
    rolls_left: int | None
    """None where a turn was entered by its last dice: the rolls left are not recorded."""
    move: Move
    best: tuple[Move, ...]
    """All moves that are worth the most, in the solver's order of ties."""
    loss: float
    """By how much *move* is worth less than a best move; exactly 0 if it is one."""
    label: Label
    kind: Kind | None
    """None if the move was one of the best."""
    facts: Facts | None
    """None if the move was one of the best, or fine."""
    expected: float
    """The expected final total after it."""


Step: TypeAlias = Rolled | Decided


@dataclass(frozen=True, slots=True)
class TurnReport:
    """One turn of a seat, perhaps unfinished."""

    number: int
    """Counted from 1, for each seat."""
    event: int
    """The first event of the turn."""
    start: float
    """The expected final total before it."""
    steps: tuple[Step, ...]
    category: Category | None
    """The box that was filled; None while the turn goes on, or if it was given up."""
    points: int
    expected: float
    """The expected final total after it, or now."""
    is_entered: bool = False
    """Whether the turn was entered as a whole, so that part of it is unknown."""
    unknown: float = 0.0
    """Luck less losses of turns that were not recorded in full."""
    minimum_loss: float = 0.0
    """What the box has cost at least, whatever the dice showed; part of `unknown`."""

    @property
    def rolls(self) -> tuple[Rolled, ...]:
        """The rolls of the turn."""
        return tuple(step for step in self.steps if isinstance(step, Rolled))

    @property
    def decisions(self) -> tuple[Decided, ...]:
        """The decisions of the turn."""
        return tuple(step for step in self.steps if isinstance(step, Decided))

    @property
    def luck(self) -> float:
        """The luck of its rolls."""
        return sum((step.luck for step in self.rolls), 0.0)

    @property
    def loss(self) -> float:
        """The losses of its decisions."""
        return sum((step.loss for step in self.decisions), 0.0)


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a box."""

    event: int
    category: Category
    points: int
    instead_of: Category | None
    change: float
    """By how much the expected final total has changed."""
    expected: float


@dataclass(frozen=True, slots=True)
class Costs:
    """What one kind of mistake has cost."""

    count: int
    loss: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the curve of the expected final total."""

    event: int
    turns: float
    """Turns of the seat that were played by then; within a turn its steps are spaced evenly."""
    expected: float


@dataclass(frozen=True)
class SeatReport:
    """The report of one seat."""

    seat: int
    name: str
    """Empty where the seat is called by its number."""
    bot: str | None
    """The level of the computer that plays it; None for a person."""
    points: int
    """The points on the card."""
    start: float
    """What a game is worth before it begins."""
    expected: float
    turns: tuple[TurnReport, ...]
    corrections: tuple[Correction, ...]
    resigned: int | None
    """The event by which the seat resigned; None if it has not."""
    given_up: float
    """What the seat gave up when it resigned."""
    level: str | None
    """The level whose loss per turn is closest; None if no turn is known."""

    @cached_property
    def luck(self) -> float:
        """The luck of all rolls."""
        return sum((turn.luck for turn in self.turns), 0.0)

    @cached_property
    def luck_sd(self) -> float:
        """The standard deviation of `luck`, given how the seat has played.

        Luck has no tendency, so that it lies within two of these in 19 games of 20.
        """
        return sqrt(sum(roll.variance for turn in self.turns for roll in turn.rolls))

    @cached_property
    def loss(self) -> float:
        """The losses of all decisions."""
        return sum((turn.loss for turn in self.turns), 0.0)

    @cached_property
    def unknown(self) -> float:
        """Luck less losses of turns that were not recorded in full."""
        return sum((turn.unknown for turn in self.turns), 0.0)

    @cached_property
    def corrected(self) -> float:
        """What corrections have changed."""
        return sum((correction.change for correction in self.corrections), 0.0)

    @property
    def adjusted(self) -> float:
        """The expected final total with average luck in every roll that is known."""
        return self.expected - self.luck

    @property
    def is_known(self) -> bool:
        """Whether no turn was entered as a whole: nothing is unknown."""
        return not any(turn.is_entered for turn in self.turns)

    @cached_property
    def decisions(self) -> tuple[Decided, ...]:
        """All decisions, in the order of play."""
        return tuple(decision for turn in self.turns for decision in turn.decisions)

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision; None where there was none."""
        return self.loss / len(self.decisions) if self.decisions else None

    @property
    def loss_per_turn(self) -> float | None:
        """The mean loss of a turn that is finished and known in full; None where there is none."""
        known = [turn.loss for turn in self.turns if turn.category and not turn.is_entered]
        return sum(known) / len(known) if known else None

    @cached_property
    def costliest(self) -> tuple[Decided, ...]:
        """Up to three decisions that cost the most, the worst first; best moves cost nothing."""
        wrong = [decision for decision in self.decisions if decision.loss]
        return tuple(sorted(wrong, key=lambda decision: -decision.loss)[:COSTLIEST])

    @cached_property
    def labels(self) -> Mapping[Label, int]:
        """How many decisions have each label."""
        found = [decision.label for decision in self.decisions]
        return {label: found.count(label) for label in Label}

    @cached_property
    def kinds(self) -> Mapping[Kind, Costs]:
        """What each kind of mistake has cost, the costliest first; small ones count too."""
        costs = {}
        for kind in Kind:
            losses = [decision.loss for decision in self.decisions if decision.kind is kind]
            costs[kind] = Costs(len(losses), sum(losses, 0.0))
        return dict(sorted(costs.items(), key=lambda item: -item[1].loss))

    def turn_of(self, event: int) -> TurnReport:
        """Return the turn to which the event of that index belongs.

        Raises:
            LookupError: If it belongs to none of this seat.
        """
        for turn in reversed(self.turns):
            if turn.event <= event:
                return turn
        raise LookupError(event)

    def curve(self) -> tuple[Mark, ...]:
        """Return the expected final total at the start and after each event."""
        marks = [Mark(0, 0.0, self.start)]
        for turn in self.turns:
            steps = [(step.event, step.expected) for step in turn.steps]
            # A turn of which only the points are known has no steps, but has changed much.
            steps = steps or [(turn.event, turn.expected)]
            for place, (event, expected) in enumerate(steps, start=1):
                marks.append(Mark(event, turn.number - 1 + place / len(steps), expected))
        others = [(correction.event, correction.expected) for correction in self.corrections]
        if self.resigned is not None:
            others.append((self.resigned, self.expected))
        for event, expected in others:
            before = max(mark.turns for mark in marks if mark.event <= event)
            marks.append(Mark(event, before, expected))
        return tuple(sorted(marks, key=lambda mark: mark.event))


@dataclass(frozen=True)
class Report:
    """The report of a game."""

    rules: RuleSet
    is_over: bool
    seats: tuple[SeatReport, ...]
    date: str = ""
    """The day it began, as in 2026-11-30; empty if unknown."""
    hints: bool = False
    """Whether the coach gave hints while the game was played."""
    odds_shown: bool = False
    """Whether the players were shown how likely each was to win."""
    win_odds: WinOddsReport | None = None
    """The game in win odds; None unless it has two seats and a `Duel` was given."""

    @property
    def start(self) -> float:
        """What a game is worth before it begins."""
        return self.seats[0].start

    @property
    def places(self) -> Mapping[int, int]:
        """The place of each seat by its points or, before the end, by what it expects.

        1 is the first; equal totals share a place. Seats that have resigned have none.
        """
        return self._places({seat.seat: seat.expected for seat in self.seats})

    @property
    def adjusted_places(self) -> Mapping[int, int]:
        """The place of each seat with average luck, likewise."""
        return self._places({seat.seat: seat.adjusted for seat in self.seats})

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats that have won or, before the end, expect the most."""
        return tuple(seat for seat, place in self.places.items() if place == 1)

    @property
    def adjusted_leaders(self) -> tuple[int, ...]:
        """The seats that would have won, or would expect the most, with average luck."""
        return tuple(seat for seat, place in self.adjusted_places.items() if place == 1)

    def _places(self, totals: Mapping[int, float]) -> dict[int, int]:
        here = [seat.seat for seat in self.seats if seat.resigned is None]
        return {
            seat: 1 + sum(totals[other] > totals[seat] + TOLERANCE for other in here)
            for seat in here
        }
