"""A game beside a model of it: a table with cards of plain numbers, written from the rules page."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests import strategies
from tests.rules.by_hand import SCORES, points_by_hand
from yachtdice import (
    ALL_DICE,
    FACES,
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    Game,
    Hold,
    IllegalMoveError,
    OfAKind,
    RuleSet,
    Score,
    Total,
)

# With few boxes and rolls a game comes to its end within the steps that Hypothesis takes.
SHORT = RuleSet(
    "traditional",
    {Category.YACHT: OfAKind(5, 50), Category.SIXES: FaceSum(6), Category.CHOICE: Total()},
    rolls=2,
)

boxes = st.sampled_from([category.value for category in Category])
points = st.integers(-1, 60)

POSSIBLE = {
    (key, box): {points_by_hand(key, box, roll) for roll in product(FACES, repeat=5)}
    for key in ("traditional", "all-dice")
    for box in SCORES[key]
}
"""What each box can be worth under each rule set."""


class Table:
    """The model: every method says why not, or does it and returns None."""

    def __init__(self, rules: RuleSet, seats: int, first: int) -> None:
        self.key = rules.key
        self.rolls = rules.rolls
        self.cards: list[dict[str, int | None]] = [
            {category.value: None for category in rules.categories} for _ in range(seats)
        ]
        self.resigned: list[int] = []
        self.seat = first
        self.dice: list[int] = []
        self.rolls_left = self.rolls

    def is_done(self, seat: int) -> bool:
        return seat in self.resigned or None not in self.cards[seat].values()

    @property
    def is_over(self) -> bool:
        return all(self.is_done(seat) for seat in range(len(self.cards)))

    @property
    def winners(self) -> list[int]:
        if not self.is_over:
            return []
        seats = [seat for seat in range(len(self.cards)) if seat not in self.resigned]
        totals = [self.total(seat) for seat in seats]
        return [seat for seat in seats if self.total(seat) == max(totals)]

    def total(self, seat: int) -> int:
        return sum(points or 0 for points in self.cards[seat].values())

    def pass_on(self) -> None:
        self.dice = []
        self.rolls_left = 0 if self.is_over else self.rolls
        for _ in self.cards:
            if not self.is_over:
                self.seat = (self.seat + 1) % len(self.cards)
            if not self.is_done(self.seat):
                break

    def roll(self, rolled: list[int]) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        if len(self.dice) == 5:
            return "MUST_DECIDE"
        if len(self.dice) + len(rolled) != 5:
            return "DICE_COUNT"
        self.dice += rolled
        self.rolls_left -= 1
        return None

    def hold(self, kept: list[int]) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        if len(self.dice) < 5:
            return "MUST_ROLL"
        if self.rolls_left == 0:
            return "NO_ROLLS_LEFT"
        if sorted(kept) == sorted(self.dice):
            return "KEEPS_ALL"
        if any(kept.count(face) > self.dice.count(face) for face in kept):
            return "NOT_ON_TABLE"
        self.dice = [*kept]
        return None

    def score(self, box: str) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        card = self.cards[self.seat]
        if box not in card:
            return "NOT_IN_RULES"
        if card[box] is not None:
            return "CATEGORY_USED"
        if len(self.dice) < 5:
            return "MUST_ROLL"
        card[box] = points_by_hand(self.key, box, self.dice)
        self.pass_on()
        return None

    def enter(self, box: str, points: int) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        if self.dice or self.rolls_left < self.rolls:
            return "TURN_BEGUN"
        card = self.cards[self.seat]
        if box not in card:
            return "NOT_IN_RULES"
        if card[box] is not None:
            return "CATEGORY_USED"
        if points not in POSSIBLE[self.key, box]:
            return "WRONG_POINTS"
        card[box] = points
        self.pass_on()
        return None

    def correct(self, seat: int, box: str, points: int, instead_of: str | None) -> str | None:
        if seat not in range(len(self.cards)):
            return "WRONG_SEAT"
        card = self.cards[seat]
        if box not in card or (instead_of and instead_of not in card):
            return "NOT_IN_RULES"
        if card[instead_of or box] is None:
            return "NOT_USED"
        if instead_of and card[box] is not None:
            return "CATEGORY_USED"
        if points not in POSSIBLE[self.key, box]:
            return "WRONG_POINTS"
        card[instead_of or box] = None
        card[box] = points
        return None

    def resign(self, seat: int) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        if seat not in range(len(self.cards)):
            return "WRONG_SEAT"
        if seat in self.resigned:
            return "RESIGNED"
        self.resigned.append(seat)
        if self.seat == seat:
            self.pass_on()
        return None


class GameBesideTable(RuleBasedStateMachine):
    """Do the same to both, be it legal or not, and compare."""

    def both(self, act: Callable[[], Game], reason: str | None) -> None:
        """Check that *act* is refused for *reason*, or, if that is None, go on with its game."""
        if reason is None:
            self.game = act()
            return
        with pytest.raises(IllegalMoveError) as caught:
            act()
        assert caught.value.reason.name == reason

    @initialize(
        rules=st.sampled_from([TRADITIONAL, ALL_DICE, SHORT]),
        seats=st.integers(1, 4),
        first=st.integers(0, 3),
    )
    def start(self, rules: RuleSet, seats: int, first: int) -> None:
        self.game = Game.start(rules, [""] * seats, first % seats)
        self.table = Table(rules, seats, first % seats)

    @rule(rolled=st.lists(strategies.faces, min_size=5, max_size=5))
    def roll(self, rolled: list[int]) -> None:
        rolled = rolled[len(self.table.dice) % 5 :]
        self.both(lambda: self.game.roll(rolled), self.table.roll(rolled))

    @rule(rolled=st.lists(strategies.faces, max_size=5))
    def roll_another_number_of_dice(self, rolled: list[int]) -> None:
        self.both(lambda: self.game.roll(rolled), self.table.roll(rolled))

    @precondition(lambda self: self.table.dice)
    @rule(wanted=st.lists(st.booleans(), min_size=5, max_size=5))
    def hold(self, wanted: list[bool]) -> None:
        kept = [die for die, is_kept in zip(self.table.dice, wanted, strict=False) if is_kept]
        self.both(lambda: self.game.play(Hold(Dice(kept))), self.table.hold(kept))

    @rule(kept=st.lists(strategies.faces, max_size=5))
    def hold_anything(self, kept: list[int]) -> None:
        self.both(lambda: self.game.play(Hold(Dice(kept))), self.table.hold(kept))

    @rule(box=boxes)
    def score(self, box: str) -> None:
        self.both(lambda: self.game.play(Score(Category(box))), self.table.score(box))

    @rule(box=boxes, points=points)
    def enter(self, box: str, points: int) -> None:
        self.both(lambda: self.game.enter(Category(box), points), self.table.enter(box, points))

    @rule(box=boxes, dice=strategies.rolls)
    def enter_dice(self, box: str, dice: Dice) -> None:
        points = points_by_hand(self.table.key, box, dice)
        self.both(lambda: self.game.enter(Category(box), dice), self.table.enter(box, points))

    @rule(seat=st.integers(-1, 4), box=boxes, points=points, instead_of=st.none() | boxes)
    def correct(self, seat: int, box: str, points: int, instead_of: str | None) -> None:
        self.both(
            lambda: self.game.correct(
                seat, Category(box), points, Category(instead_of) if instead_of else None
            ),
            self.table.correct(seat, box, points, instead_of),
        )

    @rule(seat=st.integers(-1, 12))
    def resign(self, seat: int) -> None:
        self.both(lambda: self.game.resign(seat), self.table.resign(seat))

    @invariant()
    def they_agree(self) -> None:
        position = self.game.position
        assert [
            {category.value: card[category] for category in card.rules.categories}
            for card in position.cards
        ] == self.table.cards
        assert [card.total for card in position.cards] == [
            self.table.total(seat) for seat in range(len(self.table.cards))
        ]
        assert position.seat == self.table.seat
        assert [*position.dice] == sorted(self.table.dice)
        assert position.rolls_left == self.table.rolls_left
        assert {*position.resigned} == {*self.table.resigned}
        assert position.is_over == self.table.is_over
        assert [*position.winners] == self.table.winners
        assert position.must_roll == (not position.is_over and len(position.dice) < 5)

    def teardown(self) -> None:
        if hasattr(self, "game"):
            again = Game.replay(self.game.events)
            assert again == self.game
            assert again.position == self.game.position


TestGameBesideTable = GameBesideTable.TestCase
TestGameBesideTable.settings = settings(stateful_step_count=60)
