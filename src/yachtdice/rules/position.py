"""Positions: all that determines what may happen next, and the steps between them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from yachtdice.rules.category import CATEGORIES, Category
from yachtdice.rules.dice import DICE, Dice, roll_outcomes
from yachtdice.rules.errors import (
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    SetupError,
    SetupReason,
    shown,
)
from yachtdice.rules.moves import Hold, Move, Score
from yachtdice.rules.ruleset import RuleSet
from yachtdice.rules.scorecard import Scorecard

if TYPE_CHECKING:
    from fractions import Fraction

MAX_SEATS = 12
"""How many people can play one game."""

_NO_DICE = Dice()
_SCORES = {category: Score(category) for category in CATEGORIES}


def _is_whole(value: object, least: int, most: int) -> bool:
    # True and 1.0 are equal to 1, but nothing that a record of a game should keep.
    return type(value) is int and least <= value <= most


@cache
def _hold_moves(dice: Dice) -> dict[Hold, None]:
    # Holding all five is not a move: it is the last of the holds.
    return dict.fromkeys(Hold(kept) for kept in dice.holds()[:-1])


@cache
def _score_moves(categories: tuple[Category, ...], mask: int) -> tuple[Score, ...]:
    # By categories, not by rule set: a server must not remember every rule set that it has met.
    return tuple(_SCORES[c] for c in categories if not mask >> c.index & 1)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Cards, whose turn it is, the dice on the table and the rolls left. Steps make new positions.

    The engine never rolls: where `must_roll` is true, the caller rolls the dice and passes them to
    `roll`. Where it is false, `legal_moves` lists the moves, and `play` makes one.

    >>> from yachtdice import TRADITIONAL
    >>> position = Position.start(TRADITIONAL).roll(Dice([1, 2, 2, 4, 6]))
    >>> position.play(Hold(Dice([2, 2]))).rolls_left
    2

    Attributes:
        rules: The rule set of the game.
        cards: One card a seat, 1 to 12 of them.
        seat: Whose turn it is, counted from 0.
        dice: What lies on the table: five dice after a roll, those kept after a hold, none at the
            start of a turn.
        rolls_left: How many rolls this turn still has.
        resigned: Seats that have resigned: they are skipped, keep their points and cannot win.
    """

    rules: RuleSet
    cards: tuple[Scorecard, ...]
    seat: int
    dice: Dice
    rolls_left: int
    resigned: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Check that the parts agree.

        Raises:
            SetupError: If they contradict each other.
        """
        self._check_types()
        if not 1 <= len(self.cards) <= MAX_SEATS:
            raise SetupError(SetupReason.SEAT_COUNT, str(len(self.cards)))
        if not self._has_seat(self.seat):
            raise SetupError(SetupReason.POSITION, f"seat {shown(self.seat)}")
        if any(card.rules != self.rules for card in self.cards):
            raise SetupError(SetupReason.POSITION, "a card of another rule set")
        if not all(map(self._has_seat, self.resigned)):
            raise SetupError(SetupReason.POSITION, "a seat that is not there has resigned")
        over = all(self._is_done(seat) for seat in range(len(self.cards)))
        if over:
            fits = not self.dice and _is_whole(self.rolls_left, 0, 0)
        elif self._is_done(self.seat):
            fits = False
        elif len(self.dice) == DICE:
            fits = _is_whole(self.rolls_left, 0, self.rules.rolls - 1)
        else:
            # Only the first roll of a turn is one with nothing kept before it.
            fits = _is_whole(self.rolls_left, 1, self.rules.rolls - bool(self.dice))
        if not fits:
            detail = f"{len(self.dice)} dice and {shown(self.rolls_left)} rolls left"
            raise SetupError(SetupReason.POSITION, detail)

    def _check_types(self) -> None:
        is_typed = (
            isinstance(self.rules, RuleSet)
            and isinstance(self.cards, tuple)
            and all(isinstance(card, Scorecard) for card in self.cards)
            and isinstance(self.dice, Dice)
            and isinstance(self.resigned, frozenset)
        )
        if not is_typed:
            parts = shown((self.rules, self.cards, self.dice, self.resigned))
            raise SetupError(SetupReason.POSITION, f"a part of another type: {parts}")

    @classmethod
    def start(cls, rules: RuleSet, seats: int = 1, first: int = 0) -> Position:
        """Return the position in which a game of so many *seats* begins; *first* moves first.

        Raises:
            SetupError: If there are not 1 to 12 seats, or *first* is none of them.
        """
        if not _is_whole(seats, 1, MAX_SEATS):
            raise SetupError(SetupReason.SEAT_COUNT, shown(seats))
        if not _is_whole(first, 0, seats - 1):
            raise SetupError(SetupReason.FIRST_SEAT, shown(first))
        return cls(rules, (Scorecard(rules),) * seats, first, _NO_DICE, rules.rolls)

    def __str__(self) -> str:
        """Return the position as `format_position` writes it, without the rule set's definition."""
        words = [
            self.rules.key,
            "/".join(map(str, self.cards)),
            str(self.seat + 1),
            str(self.dice),
            str(self.rolls_left),
        ]
        if self.resigned:
            words.append(".".join(str(seat + 1) for seat in sorted(self.resigned)))
        return " ".join(words)

    def __repr__(self) -> str:
        """Return the text of `str` in one line."""
        return f"Position({str(self)!r})"

    @property
    def card(self) -> Scorecard:
        """The card of the seat whose turn it is."""
        return self.cards[self.seat]

    @property
    def is_over(self) -> bool:
        """Whether nobody is left to move."""
        return not self.rolls_left and not self.dice.faces

    @property
    def is_turn_start(self) -> bool:
        """Whether the next thing to come is the first roll of a turn."""
        return self.rolls_left == self.rules.rolls

    @property
    def must_roll(self) -> bool:
        """Whether the dice have to be rolled before there is anything to decide."""
        return len(self.dice.faces) < DICE and self.rolls_left > 0

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total of those that have not resigned; none before the end."""
        if not self.is_over:
            return ()
        totals = {s: c.total for s, c in enumerate(self.cards) if s not in self.resigned}
        return tuple(seat for seat, total in totals.items() if total == max(totals.values()))

    def outcomes(self) -> tuple[tuple[Dice, Fraction], ...]:
        """Return what the roll to come can show: the dice rolled, each with its exact probability.

        Empty where no roll is to come.
        """
        return roll_outcomes(DICE - len(self.dice)) if self.must_roll else ()

    def roll(self, rolled: Dice) -> Position:
        """Return the position after the dice that were not kept show *rolled*.

        Raises:
            DiceError: If *rolled* is anything but `Dice`.
            IllegalMoveError: If no roll is to come, or *rolled* is not the right number of dice.
        """
        if not isinstance(rolled, Dice):
            raise DiceError((rolled,), "a value of type Dice is expected")
        if not self.must_roll:
            over = self.is_over
            reason = IllegalMoveReason.GAME_OVER if over else IllegalMoveReason.MUST_DECIDE
            raise IllegalMoveError(reason, self, rolled)
        kept = self.dice.faces
        if len(kept) + len(rolled.faces) != DICE:
            raise IllegalMoveError(IllegalMoveReason.DICE_COUNT, self, rolled)
        dice = self.dice + rolled if kept else rolled
        return self._with(self.cards, self.seat, dice, self.rolls_left - 1)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every move: distinct holds from the fewest dice on, then boxes in card order.

        Empty where a roll is to come or the game is over.
        """
        if len(self.dice.faces) < DICE:
            return ()
        scores = _score_moves(self.rules.categories, self.cards[self.seat].mask)
        return (*_hold_moves(self.dice), *scores) if self.rolls_left else scores

    def play(self, move: Move) -> Position:
        """Return the position after *move*.

        Raises:
            IllegalMoveError: If *move* is not one of `legal_moves()`.
        """
        if isinstance(move, Score):
            card = self.cards[self.seat]
            category = move.category
            if len(self.dice.faces) < DICE or not self.rules.has(category):
                raise self._refusal(move)
            if card.mask >> category.index & 1:
                raise self._refusal(move)
            return self._fill(category, self.rules.score(category, self.dice))
        try:
            is_hold = len(self.dice.faces) == DICE and move in _hold_moves(self.dice)
        except TypeError:  # not hashable, so no Hold of Dice
            is_hold = False
        if is_hold and self.rolls_left:
            return self._with(self.cards, self.seat, move.kept, self.rolls_left)
        raise self._refusal(move)

    def enter(self, category: Category, points: int) -> Position:
        """Return the position after a whole turn of which only the box and its *points* are known.

        This is how a game with real dice is kept by people who do not type every roll.

        Raises:
            IllegalMoveError: If the turn has begun, the box is not open, or cannot be worth that.
        """
        move = Score(category)
        if self.is_over or not self.is_turn_start:
            over = self.is_over
            reason = IllegalMoveReason.GAME_OVER if over else IllegalMoveReason.TURN_BEGUN
            raise IllegalMoveError(reason, self, move)
        if category not in self.card.open:
            raise self._refusal(move)
        if not self.rules.can_pay(category, points):
            raise IllegalMoveError(IllegalMoveReason.WRONG_POINTS, self, move)
        return self._fill(category, points)

    def resign(self, seat: int) -> Position:
        """Return the position after *seat* has given up. Its unfinished turn is dropped.

        Raises:
            IllegalMoveError: If the game is over, or the seat has resigned or is not there.
        """
        if self.is_over:
            raise IllegalMoveError(IllegalMoveReason.GAME_OVER, self, seat)
        if not self._has_seat(seat):
            raise IllegalMoveError(IllegalMoveReason.WRONG_SEAT, self, seat)
        if seat in self.resigned:
            raise IllegalMoveError(IllegalMoveReason.RESIGNED, self, seat)
        resigned = self.resigned | {seat}
        if seat == self.seat:
            return self._turn_over(self.cards, resigned)
        return self._with(self.cards, self.seat, self.dice, self.rolls_left, resigned)

    def correct(
        self, seat: int, category: Category, points: int, instead_of: Category | None = None
    ) -> Position:
        """Return the position after a box of *seat* was corrected; the turn goes on.

        The points of a used *category* are replaced, or, with *instead_of*, that used box is opened
        and the open *category* filled. For games with real dice, where people make mistakes.

        Raises:
            IllegalMoveError: If there is no such seat, a box is not used or open as it should be,
                or *category* cannot be worth that.
        """
        move = Score(category)
        if not self._has_seat(seat):
            raise IllegalMoveError(IllegalMoveReason.WRONG_SEAT, self, seat)
        used = category if instead_of is None else instead_of
        for box in (category, used):
            if not self.rules.has(box):
                raise IllegalMoveError(IllegalMoveReason.NOT_IN_RULES, self, Score(box))
        card = self.cards[seat]
        if card[used] is None:
            raise IllegalMoveError(IllegalMoveReason.NOT_USED, self, Score(used))
        if instead_of is not None and card[category] is not None:
            raise IllegalMoveError(IllegalMoveReason.CATEGORY_USED, self, move)
        if not self.rules.can_pay(category, points):
            raise IllegalMoveError(IllegalMoveReason.WRONG_POINTS, self, move)
        card = card.opened(used).fill(category, points)
        cards = (*self.cards[:seat], card, *self.cards[seat + 1 :])
        return self._with(cards, self.seat, self.dice, self.rolls_left)

    def _has_seat(self, seat: object) -> bool:
        return _is_whole(seat, 0, len(self.cards) - 1)

    def _is_done(self, seat: int) -> bool:
        return seat in self.resigned or self.cards[seat].is_full

    def _fill(self, category: Category, points: int) -> Position:
        seat = self.seat
        card = self.cards[seat]._filled(category, points)  # noqa: SLF001 - checked by the caller
        cards = (*self.cards[:seat], card, *self.cards[seat + 1 :])
        return self._turn_over(cards, self.resigned)

    def _turn_over(self, cards: tuple[Scorecard, ...], resigned: frozenset[int]) -> Position:
        seats = len(cards)
        full = self.rules.mask
        for step in range(1, seats + 1):
            seat = (self.seat + step) % seats
            if seat not in resigned and cards[seat].mask != full:
                return self._with(cards, seat, _NO_DICE, self.rules.rolls, resigned)
        return self._with(cards, self.seat, _NO_DICE, 0, resigned)

    def _with(
        self,
        cards: tuple[Scorecard, ...],
        seat: int,
        dice: Dice,
        rolls_left: int,
        resigned: frozenset[int] | None = None,
    ) -> Position:
        # The unchecked way for steps that are right by construction; playouts take it 70 times.
        position = object.__new__(Position)
        _set_rules(position, self.rules)
        _set_cards(position, cards)
        _set_seat(position, seat)
        _set_dice(position, dice)
        _set_rolls_left(position, rolls_left)
        _set_resigned(position, self.resigned if resigned is None else resigned)
        return position

    def _refusal(self, move: Move) -> IllegalMoveError:
        """Say why *move*, which is not legal, is not."""
        is_hold = isinstance(move, Hold) and isinstance(move.kept, Dice)
        if not (is_hold or isinstance(move, Score)):
            reason = IllegalMoveReason.NOT_A_MOVE
        elif self.is_over:
            reason = IllegalMoveReason.GAME_OVER
        elif isinstance(move, Score) and not self.rules.has(move.category):
            reason = IllegalMoveReason.NOT_IN_RULES
        elif isinstance(move, Score) and self.card.mask >> move.category.index & 1:
            reason = IllegalMoveReason.CATEGORY_USED
        elif self.must_roll:
            reason = IllegalMoveReason.MUST_ROLL
        elif not self.rolls_left:
            reason = IllegalMoveReason.NO_ROLLS_LEFT
        elif isinstance(move, Hold) and move.kept == self.dice:
            reason = IllegalMoveReason.KEEPS_ALL
        else:
            reason = IllegalMoveReason.NOT_ON_TABLE
        return IllegalMoveError(reason, self, move)


# The setters of the slots, past the frozen class: much quicker than `object.__setattr__`.
_set_rules, _set_cards, _set_seat, _set_dice, _set_rolls_left, _set_resigned = (
    getattr(Position, field.name).__set__ for field in fields(Position)
)
