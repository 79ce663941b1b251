"""Analyse a game against perfect play: what luck has given and decisions have lost.

The walk goes once through the events and keeps what each card is expected to end with. Whatever
an event changes of that is somebody's luck, loss, correction, or unknown: so the parts of a report
always add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from yachtdice.bots import known_averages
from yachtdice.coach.analysis.book import TurnBook
from yachtdice.coach.analysis.facts import outlook, roll_chances
from yachtdice.coach.analysis.labels import kind_of, label_of
from yachtdice.coach.analysis.rating import like_level
from yachtdice.coach.analysis.report import (
    Correction,
    Decided,
    Facts,
    Report,
    Rolled,
    SeatReport,
    Step,
    TurnReport,
)
from yachtdice.coach.analysis.win_odds import win_odds_report
from yachtdice.rules import (
    Category,
    CategoryScored,
    Dice,
    DiceHeld,
    DiceRolled,
    Game,
    GameStarted,
    Hold,
    Move,
    PlayerResigned,
    Position,
    Score,
    Scorecard,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.solver.arrays.choice import TOLERANCE, hold_moves
from yachtdice.solver.arrays.lattice import keep_index, roll_index

if TYPE_CHECKING:
    from yachtdice.notation import Record
    from yachtdice.solver import SoloSolution, Turn
    from yachtdice.solver.duel import Duel

SeatEvent: TypeAlias = (
    DiceRolled | DiceHeld | CategoryScored | TurnEntered | ScoreCorrected | PlayerResigned
)


def analyse(
    game: Game,
    solution: SoloSolution,
    *,
    levels: Mapping[str, float] | None = None,
    bots: Mapping[int, str] | None = None,
    duel: Duel | None = None,
) -> Report:
    """Return what luck has given and decisions have lost in *game*, finished or not.

    *levels* are the expected totals of the computer's levels, with which the seats are compared;
    for the rule sets that come with the package they are known. *bots* are the seats that the
    computer plays, with its level; they are only passed on to the report. With a *duel* a game of
    two seats is reported in win odds as well.

    Raises:
        ValueTableError: If *solution* or *duel* belongs to other rules.
    """
    positions = list(game.positions())
    start = solution.value(positions[0])  # also checks that the rules are the same
    cards = {id(card): card for position in positions for card in position.cards}
    book = TurnBook(solution, cards.values())
    seats = [_Seat(solution, book, seat, start) for seat in range(len(game.names))]
    for number, event in enumerate(game.events[1:], start=1):
        assert not isinstance(event, GameStarted)  # a game starts once
        seats[event.seat].see(number, event, positions[number - 1], positions[number])
    levels = levels or known_averages(game.rules)
    reports = []
    for seat in seats:
        bot = (bots or {}).get(seat.seat)
        report = seat.report(game.names[seat.seat], bot, game.position)
        if levels and report.loss_per_turn is not None:
            level = like_level(report.loss_per_turn, levels, game.rules)
            report = replace(report, level=level)
        reports.append(report)
    is_duel = duel is not None and len(reports) == 2  # noqa: PLR2004 - it is about two
    win_odds = win_odds_report(duel, game) if duel and is_duel else None
    return Report(game.rules, game.position.is_over, tuple(reports), win_odds=win_odds)


def analyse_record(
    record: Record,
    solution: SoloSolution,
    levels: Mapping[str, float] | None = None,
    duel: Duel | None = None,
) -> Report:
    """Return what `analyse` says of the game in *record*, with what the record says besides.

    Raises:
        ValueTableError: If *solution* or *duel* belongs to other rules.
    """
    report = analyse(record.game, solution, levels=levels, bots=record.bots, duel=duel)
    return replace(report, date=record.date, hints=record.hints, odds_shown=record.shows_odds)


@dataclass(slots=True)
class _Open:
    """An unfinished turn."""

    event: int
    start: float
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class _Seat:
    """The analysis of one seat, fed event by event."""

    solution: SoloSolution
    book: TurnBook
    seat: int
    start: float
    expected: float = field(init=False)
    """The expected final total of its card."""
    open: _Open | None = None
    turns: list[TurnReport] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    resigned: int | None = None
    given_up: float = 0.0

    def __post_init__(self) -> None:
        self.expected = self.start

    def see(self, number: int, event: SeatEvent, before: Position, after: Position) -> None:
        """Process event *number*, which belongs to this seat."""
        match event:
            case DiceRolled():
                self._roll(number, before, after)
            case DiceHeld(_, kept):
                self._add_decision(number, before, Hold(kept))
            case CategoryScored(_, category, points):
                self._add_decision(number, before, Score(category))
                self._end(category, points)
            case TurnEntered():
                self._enter(number, event, before.card, after.cards[self.seat])
            case ScoreCorrected():
                self._correct(number, event, after)
            case PlayerResigned():
                self._resign(number, before.cards[self.seat])

    def report(self, name: str, bot: str | None, position: Position) -> SeatReport:
        """Return the report of the seat, without a level."""
        turns = [*self.turns, self._turn(self.open)] if self.open else self.turns
        return SeatReport(
            seat=self.seat,
            name=name,
            bot=bot,
            points=position.cards[self.seat].total,
            start=self.start,
            expected=self.expected,
            turns=tuple(turns),
            corrections=tuple(self.corrections),
            resigned=self.resigned,
            given_up=self.given_up,
            level=None,
        )

    def _roll(self, number: int, before: Position, after: Position) -> None:
        if self.open is None:
            self.open = _Open(number, self.expected)
        dice, left = after.dice, after.rolls_left
        values = self.book.turn(before.card).rolls[left]
        expected = before.card.total + float(values[roll_index(dice)])
        chances = roll_chances()[keep_index(before.dice)]
        mean = float(chances @ values)
        variance = float(chances @ (values - mean) ** 2)
        luck = expected - self.expected
        self.open.steps.append(Rolled(number, dice, left, luck, variance, expected))
        self.expected = expected

    def _add_decision(self, number: int, before: Position, move: Move) -> None:
        assert self.open is not None  # the dice were rolled
        table = (before.dice, before.rolls_left)
        step = _decision(self.book, number, before.card, table, move)
        if step is not None:
            self.open.steps.append(step)
            self.expected = step.expected

    def _end(self, category: Category, points: int) -> None:
        assert self.open is not None  # the dice were rolled
        self.turns.append(self._turn(self.open, category, points))
        self.open = None

    def _turn(self, turn: _Open, category: Category | None = None, points: int = 0) -> TurnReport:
        number = len(self.turns) + 1
        steps = tuple(turn.steps)
        return TurnReport(number, turn.event, turn.start, steps, category, points, self.expected)

    def _enter(self, number: int, event: TurnEntered, card: Scorecard, after: Scorecard) -> None:
        start, self.expected = self.expected, self.book.worth(after)
        step, minimum = None, 0.0
        if event.dice is None:
            minimum = _minimum_loss(self.book, card, event)
        else:
            table = (event.dice, None)
            step = _decision(self.book, number, card, table, Score(event.category))
        loss = step.loss if step else 0.0
        self.turns.append(
            TurnReport(
                number=len(self.turns) + 1,
                event=number,
                start=start,
                steps=(step,) if step else (),
                category=event.category,
                points=event.points,
                expected=self.expected,
                is_entered=True,
                unknown=self.expected - start + loss,
                minimum_loss=minimum,
            )
        )

    def _correct(self, number: int, event: ScoreCorrected, after: Position) -> None:
        card = after.cards[self.seat]
        if self.resigned is not None:
            value: float = card.total
        elif after.seat == self.seat and not after.is_over:
            value = self.solution.value(after)
        else:
            value = self.book.worth(card)
        change = value - self.expected
        self.corrections.append(
            Correction(number, event.category, event.points, event.instead_of, change, value)
        )
        self.expected = value

    def _resign(self, number: int, card: Scorecard) -> None:
        self.given_up = self.expected - card.total
        if self.open is not None:
            self.turns.append(self._turn(self.open))
            self.open = None
        self.expected = card.total
        self.resigned = number


def judge(position: Position, move: Move, solution: SoloSolution) -> Decided | None:
    """Return what *move* is worth in *position*, as a report would say; None if it is forced.

    Raises:
        IllegalMoveError: If it is not a legal move.
        ValueTableError: If *solution* belongs to other rules.
    """
    position.play(move)
    solution.value(position)  # checks that the rules are the same
    table = (position.dice, position.rolls_left)
    return _decision(TurnBook(solution, [position.card]), 0, position.card, table, move)


def _decision(
    book: TurnBook, number: int, card: Scorecard, table: tuple[Dice, int | None], move: Move
) -> Decided | None:
    """Return the decision for *move*, with the dice and rolls left of *table*; None if forced."""
    dice, rolls_left = table
    left = rolls_left or 0
    if not left and len(card.open) == 1:
        return None
    turn = book.turn(card)
    roll = roll_index(dice)
    if isinstance(move, Hold):
        value = float(turn.keeps[left, keep_index(move.kept)])
    else:
        value = float(turn.scores[turn.categories.index(move.category), roll])
    maximum = float(turn.rolls[left, roll])
    loss = maximum - value if maximum - value > TOLERANCE else 0.0
    label = label_of(loss)
    best = _best_moves(turn, roll, left, maximum)
    return Decided(
        event=number,
        dice=dice,
        rolls_left=rolls_left,
        move=move,
        best=best,
        loss=loss,
        label=label,
        kind=kind_of(move, best) if loss else None,
        facts=_facts(book, turn, (dice, left), (move, best[0])) if label.is_wrong else None,
        expected=card.total + value,
    )


def _facts(book: TurnBook, turn: Turn, table: tuple[Dice, int], moves: tuple[Move, Move]) -> Facts:
    return Facts(*(outlook(turn, book.points, *table, move) for move in moves))


def _best_moves(turn: Turn, roll: int, left: int, maximum: float) -> tuple[Move, ...]:
    """Return the moves that are worth as much as the best, boxes first, as `rank` orders them."""
    minimum = maximum - TOLERANCE
    scores = turn.scores[:, roll].tolist()
    best: list[Move] = [
        Score(box) for box, value in zip(turn.categories, scores, strict=True) if value >= minimum
    ]
    if left:
        holds, numbers = hold_moves(roll)
        values = turn.keeps[left, numbers].tolist()
        best += [hold for hold, value in zip(holds, values, strict=True) if value >= minimum]
    return tuple(best)


def _minimum_loss(book: TurnBook, card: Scorecard, event: TurnEntered) -> float:
    """Return what the box has cost at least, over all dice that are worth so many points in it."""
    turn = book.turn(card)
    box = turn.categories.index(event.category)
    fits = book.points[box] == event.points
    minimum = float((turn.rolls[0, fits] - turn.scores[box, fits]).min())
    return minimum if minimum > TOLERANCE else 0.0
