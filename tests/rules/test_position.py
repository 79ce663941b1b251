"""What may happen in a position, and where it leads."""

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from tests import strategies
from tests.rules.wrong import HUGE, NO_NUMBERS, refusal
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    DICE,
    TRADITIONAL,
    Category,
    Dice,
    DiceError,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    Move,
    OfAKind,
    Position,
    RuleSet,
    Score,
    Scorecard,
    SetupError,
    SetupReason,
    Total,
    parse_dice,
    roll_outcomes,
)

TWO_BOXES = RuleSet("two-boxes", {Category.YACHT: OfAKind(5, 50), Category.CHOICE: Total()})
BLANK = Scorecard(TRADITIONAL)
FULL = Scorecard(TRADITIONAL, (0,) * 10 + (5, 0))

START = Position.start(TRADITIONAL, 2)
ROLLED = START.roll(Dice([1, 2, 2, 4, 6]))
HELD = ROLLED.play(Hold(Dice([2, 2])))
LAST_ROLL = Position(TRADITIONAL, (BLANK, BLANK), 0, Dice([1, 2, 2, 4, 6]), 0)
USED = Position(TWO_BOXES, (Scorecard(TWO_BOXES).fill(Category.CHOICE, 5),), 0, ROLLED.dice, 1)
OVER = Position(TRADITIONAL, (FULL, FULL), 1, Dice(), 0)

EVERY_MOVE: list[Move] = [
    *(Hold(dice) for count in range(DICE + 1) for dice, _ in roll_outcomes(count)),
    *(Score(category) for category in CATEGORIES),
]


# The start.


@pytest.mark.parametrize("seats", range(1, 13))
def test_a_game_starts_with_blank_cards_and_no_dice(seats: int) -> None:
    position = Position.start(ALL_DICE, seats)
    assert position.cards == (Scorecard(ALL_DICE),) * seats
    assert (position.seat, position.dice, position.rolls_left) == (0, Dice(), 3)
    assert position.resigned == frozenset()
    assert position.must_roll
    assert position.is_turn_start
    assert not position.is_over
    assert position.winners == ()
    assert position.legal_moves() == ()


@pytest.mark.parametrize("seats", [0, 13, -1])
def test_a_game_has_1_to_12_seats(seats: int) -> None:
    with pytest.raises(SetupError, match="1 to 12 seats") as caught:
        Position.start(TRADITIONAL, seats)
    assert caught.value.reason is SetupReason.SEAT_COUNT


@pytest.mark.parametrize("first", [-1, 3, 12])
def test_the_seat_that_starts_is_one_of_the_seats(first: int) -> None:
    with pytest.raises(SetupError, match=r"not one of the seats \(") as caught:
        Position.start(TRADITIONAL, 3, first)
    assert caught.value.reason is SetupReason.FIRST_SEAT


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_seats_and_rolls_are_true_whole_numbers(kind: str) -> None:
    value = NO_NUMBERS[kind]
    with pytest.raises(SetupError, match="1 to 12 seats"):
        Position.start(TRADITIONAL, value)
    with pytest.raises(SetupError, match="the seat that starts"):
        Position.start(TRADITIONAL, 2, value)
    with pytest.raises(SetupError, match="seat "):
        Position(TRADITIONAL, (BLANK, BLANK), value, Dice(), 3)
    with pytest.raises(SetupError, match="rolls left"):
        Position(TRADITIONAL, (BLANK,), 0, ROLLED.dice, value)
    with pytest.raises(SetupError, match="rolls left"):
        Position(TRADITIONAL, (BLANK,), 0, Dice(), value)


@pytest.mark.parametrize(
    ("cards", "seat", "dice", "rolls_left", "resigned"),
    [
        ((BLANK, BLANK), 2, "-", 3, []),
        ((BLANK, BLANK), -1, "-", 3, []),
        ((BLANK, BLANK), 0, "-", 3, [2]),
        ((BLANK, BLANK), 0, "-", 3, [True]),
        ((BLANK, Scorecard(ALL_DICE)), 0, "-", 3, []),
        # Whose turn it is.
        ((BLANK, BLANK), 0, "-", 3, [0]),
        ((FULL, BLANK), 0, "-", 3, []),
        ((FULL, BLANK), 0, "-", 0, []),
        # Rolls left.
        ((BLANK,), 0, "-", 0, []),
        ((BLANK,), 0, "-", 4, []),
        ((BLANK,), 0, "2-2", 3, []),
        ((BLANK,), 0, "2-2", 0, []),
        ((BLANK,), 0, "1-2-2-4-6", 3, []),
        ((BLANK,), 0, "1-2-2-4-6", -1, []),
        # After the end.
        ((FULL,), 0, "-", 3, []),
        ((FULL,), 0, "-", 1, []),
        ((FULL,), 0, "1-2-2-4-6", 0, []),
        ((BLANK,), 0, "1-2-2-4-6", 0, [0]),
    ],
)
def test_a_position_whose_parts_contradict_each_other_is_refused(
    cards: tuple[Scorecard, ...], seat: int, dice: str, rolls_left: int, resigned: list[int]
) -> None:
    with pytest.raises(SetupError) as caught:
        Position(TRADITIONAL, cards, seat, parse_dice(dice), rolls_left, frozenset(resigned))
    assert caught.value.reason is SetupReason.POSITION


@pytest.mark.parametrize("seats", [0, 13])
def test_a_position_has_1_to_12_cards(seats: int) -> None:
    with pytest.raises(SetupError) as caught:
        Position(TRADITIONAL, (BLANK,) * seats, 0, Dice(), 3)
    assert caught.value.reason is SetupReason.SEAT_COUNT


# Rolls.


def test_before_a_roll_there_is_nothing_to_decide() -> None:
    for position in (START, HELD):
        assert position.must_roll
        assert position.legal_moves() == ()
    assert HELD.outcomes() == roll_outcomes(3)
    assert START.outcomes() == roll_outcomes(5)


def test_after_a_roll_no_other_comes_before_a_decision() -> None:
    for position in (ROLLED, LAST_ROLL, OVER):
        assert not position.must_roll
        assert position.outcomes() == ()


def test_the_dice_that_were_kept_stay() -> None:
    rolled = HELD.roll(Dice([1, 4, 6]))
    assert rolled.dice == Dice([1, 2, 2, 4, 6])
    assert (HELD.rolls_left, rolled.rolls_left) == (2, 1)


def test_what_is_kept_is_chosen_afresh_before_each_roll() -> None:
    position = HELD.roll(Dice([4, 4, 6])).play(Hold(Dice([4, 4]))).roll(Dice([1, 4, 4]))
    assert position.dice == Dice([1, 4, 4, 4, 4])
    assert position.rolls_left == 0


def test_all_five_dice_may_be_rolled_again() -> None:
    again = ROLLED.play(Hold(Dice()))
    assert (again.dice, again.rolls_left) == (Dice(), 2)
    assert again.must_roll
    assert not again.is_turn_start
    assert again.outcomes() == roll_outcomes(5)


@given(strategies.positions(strategies.known_rules | strategies.rule_sets))
def test_outcomes_are_what_can_be_rolled_and_sum_to_exactly_one(position: Position) -> None:
    outcomes = dict(position.outcomes())
    for count in range(DICE + 1):
        for dice, chance in roll_outcomes(count):
            assert (refusal(position.roll, dice) is None) == (dice in outcomes)
            assert outcomes.get(dice, chance) == chance
    assert sum(outcomes.values()) == (1 if position.must_roll else 0)
    assert all(isinstance(chance, Fraction) for chance in outcomes.values())


# Decisions.


@given(strategies.positions(strategies.known_rules | strategies.rule_sets))
def test_a_move_is_legal_if_and_only_if_it_can_be_played(position: Position) -> None:
    legal = position.legal_moves()
    playable = [move for move in EVERY_MOVE if refusal(position.play, move) is None]
    assert len(EVERY_MOVE) == 474
    assert {*legal} == {*playable}
    assert len(legal) == len(playable)


@given(strategies.positions(strategies.known_rules | strategies.rule_sets))
def test_holds_are_any_dice_but_all_while_rolls_are_left_and_scores_any_open_box(
    position: Position,
) -> None:
    is_decision = len(position.dice) == DICE
    holds = position.dice.holds()[:-1] if is_decision and position.rolls_left else ()
    scores = position.card.open if is_decision else ()
    assert position.legal_moves() == (*map(Hold, holds), *map(Score, scores))


@given(strategies.positions(strategies.known_rules | strategies.rule_sets))
def test_a_move_changes_what_it_should_and_not_the_position_before(position: Position) -> None:
    before = copy.deepcopy(position)
    for move in position.legal_moves():
        after = position.play(move)
        if isinstance(move, Hold):
            assert (after.dice, after.rolls_left) == (move.kept, position.rolls_left)
            assert (after.cards, after.seat) == (position.cards, position.seat)
        else:
            points = position.rules.score(move.category, position.dice)
            card = position.card.fill(move.category, points)
            assert after.cards[position.seat] == card
            assert after.dice == Dice()
            assert after.is_over or after.is_turn_start
        assert after.resigned == position.resigned
        # The quick way by which steps are made agrees with the checked one.
        again = Position(
            after.rules,
            tuple(Scorecard(card.rules, card.points) for card in after.cards),
            after.seat,
            after.dice,
            after.rolls_left,
            after.resigned,
        )
        assert again == after
        assert [card.mask for card in again.cards] == [card.mask for card in after.cards]
    assert position == before


def test_a_zero_may_be_scored_where_another_box_would_have_paid() -> None:
    after = ROLLED.play(Score(Category.YACHT))
    assert after.cards[0][Category.YACHT] == 0
    assert after.seat == 1


def test_scoring_is_allowed_after_any_roll() -> None:
    after_second_roll = HELD.roll(Dice([1, 4, 6]))
    for position in (ROLLED, after_second_roll, LAST_ROLL):
        assert Score(Category.CHOICE) in position.legal_moves()
        assert position.play(Score(Category.CHOICE)).cards[0].total == 15


REFUSED: dict[IllegalMoveReason, list[Callable[[], Position]]] = {
    IllegalMoveReason.GAME_OVER: [
        lambda: OVER.roll(Dice([1, 2, 3, 4, 5])),
        lambda: OVER.play(Hold(Dice())),
        lambda: OVER.play(Score(Category.CHOICE)),
        lambda: OVER.enter(Category.CHOICE, 5),
        lambda: OVER.resign(0),
        lambda: OVER.resign(99),
    ],
    IllegalMoveReason.MUST_ROLL: [
        lambda: START.play(Hold(Dice())),
        lambda: START.play(Score(Category.CHOICE)),
        lambda: HELD.play(Hold(Dice([2]))),
        lambda: HELD.play(Score(Category.CHOICE)),
    ],
    IllegalMoveReason.MUST_DECIDE: [
        lambda: ROLLED.roll(Dice([1, 2, 3, 4, 5])),
        lambda: ROLLED.roll(Dice()),
        lambda: LAST_ROLL.roll(Dice([1])),
    ],
    IllegalMoveReason.DICE_COUNT: [
        lambda: START.roll(Dice([1, 2, 3, 4])),
        lambda: START.roll(Dice()),
        lambda: HELD.roll(Dice([1, 2])),
        lambda: HELD.roll(Dice([1, 2, 3, 4])),
    ],
    IllegalMoveReason.NO_ROLLS_LEFT: [
        lambda: LAST_ROLL.play(Hold(Dice())),
        lambda: LAST_ROLL.play(Hold(LAST_ROLL.dice)),
    ],
    IllegalMoveReason.NOT_ON_TABLE: [
        lambda: ROLLED.play(Hold(Dice([3]))),
        lambda: ROLLED.play(Hold(Dice([2, 2, 2]))),
        lambda: ROLLED.play(Hold(Dice([1, 2, 2, 4, 5]))),
    ],
    IllegalMoveReason.NOT_A_MOVE: [
        lambda: ROLLED.play(Hold([5, 5])),  # type: ignore[arg-type]
        lambda: ROLLED.play([5, 5]),  # type: ignore[arg-type]
        lambda: LAST_ROLL.play(Hold("5-5")),  # type: ignore[arg-type]
        lambda: OVER.play({}),  # type: ignore[arg-type]
    ],
    IllegalMoveReason.KEEPS_ALL: [
        lambda: ROLLED.play(Hold(Dice([1, 2, 2, 4, 6]))),
    ],
    IllegalMoveReason.NOT_IN_RULES: [
        lambda: USED.play(Score(Category.ONES)),
        lambda: Position.start(TWO_BOXES).enter(Category.ONES, 1),
        lambda: USED.correct(0, Category.ONES, 1),
        lambda: USED.correct(0, Category.YACHT, 50, instead_of=Category.ONES),
        lambda: USED.correct(0, Category.ONES, 1, instead_of=Category.CHOICE),
    ],
    IllegalMoveReason.CATEGORY_USED: [
        lambda: USED.play(Score(Category.CHOICE)),
        lambda: Position.start(TRADITIONAL).enter(Category.ONES, 1).enter(Category.ONES, 1),
        lambda: USED.correct(0, Category.CHOICE, 9, instead_of=Category.CHOICE),
    ],
    IllegalMoveReason.NOT_USED: [
        lambda: USED.correct(0, Category.YACHT, 0),
        lambda: USED.correct(0, Category.CHOICE, 5, instead_of=Category.YACHT),
    ],
    IllegalMoveReason.TURN_BEGUN: [
        lambda: ROLLED.enter(Category.CHOICE, 15),
        lambda: HELD.enter(Category.CHOICE, 15),
        lambda: LAST_ROLL.enter(Category.CHOICE, 15),
    ],
    IllegalMoveReason.WRONG_POINTS: [
        lambda: START.enter(Category.ONES, 6),
        lambda: START.enter(Category.CHOICE, 0),
        lambda: START.enter(Category.CHOICE, HUGE),
        lambda: USED.correct(0, Category.CHOICE, 31),
        lambda: USED.correct(0, Category.YACHT, 5, instead_of=Category.CHOICE),
    ],
    IllegalMoveReason.WRONG_SEAT: [
        lambda: START.resign(2),
        lambda: START.resign(-1),
        lambda: START.correct(2, Category.CHOICE, 5),
        lambda: START.correct(-1, Category.CHOICE, 5),
    ],
    IllegalMoveReason.RESIGNED: [
        lambda: START.resign(0).resign(0),
        lambda: START.resign(1).resign(1),
    ],
}


@pytest.mark.parametrize("reason", IllegalMoveReason)
def test_what_is_not_allowed_is_refused_with_its_reason(reason: IllegalMoveReason) -> None:
    for action in REFUSED[reason]:
        assert refusal(action) is reason


def test_a_refusal_carries_the_position_and_the_move() -> None:
    with pytest.raises(
        IllegalMoveError, match=r"^Hold\(kept=Dice\(\[3\]\)\): those dice"
    ) as caught:
        ROLLED.play(Hold(Dice([3])))
    assert caught.value.position is ROLLED
    assert caught.value.move == Hold(Dice([3]))


@pytest.mark.parametrize("move", [None, "choice", 5, Category.CHOICE, Dice([2, 2]), (), 0.5])
def test_what_is_no_move_is_not_legal(move: Move) -> None:
    for position in (START, ROLLED, HELD, LAST_ROLL, OVER):
        assert refusal(position.play, move) is not None


@pytest.mark.parametrize("category", [None, "choice", 10, True, "yacht", [], {}])
def test_what_is_no_category_cannot_be_scored(category: Category) -> None:
    assert refusal(ROLLED.play, Score(category)) is IllegalMoveReason.NOT_IN_RULES
    assert refusal(START.enter, category, 5) is IllegalMoveReason.NOT_IN_RULES
    assert refusal(START.correct, 0, category, 5) is IllegalMoveReason.NOT_IN_RULES


@pytest.mark.parametrize("rolled", [None, [1, 2, 3, 4, 5], "12345", (1, 2, 3, 4, 5), 5])
def test_what_is_rolled_are_dice(rolled: Dice) -> None:
    for position in (START, ROLLED, OVER):
        with pytest.raises(DiceError, match="of type Dice"):
            position.roll(rolled)


def test_the_parts_of_a_position_are_of_their_types() -> None:
    cards = (BLANK, BLANK)
    wrong: list[Any] = [
        ("traditional", cards, 0, Dice(), 3),
        (None, cards, 0, Dice(), 3),
        (TRADITIONAL, [*cards], 0, Dice(), 3),
        (TRADITIONAL, (BLANK, None), 0, Dice(), 3),
        (TRADITIONAL, BLANK, 0, Dice(), 3),
        (TRADITIONAL, cards, 0, (), 3),
        (TRADITIONAL, cards, 0, [1, 2, 3, 4, 5], 2),
        (TRADITIONAL, cards, 0, Dice(), 3, {1}),
        (TRADITIONAL, cards, 0, Dice(), 3, None),
    ]
    for parts in wrong:
        with pytest.raises(SetupError, match="a part of another type") as caught:
            Position(*parts)
        assert caught.value.reason is SetupReason.POSITION
    with pytest.raises(SetupError, match="rules 'traditional'"):
        Position.start("traditional")  # type: ignore[arg-type]


def test_a_position_is_shown_in_one_line() -> None:
    position = START.enter(Category.ONES, 3).enter(Category.YACHT, 0).resign(1)
    assert str(position) == "traditional 3.-.-.-.-.-.-.-.-.-.-.-/-.-.-.-.-.-.-.-.-.-.-.0 1 - 3 2"
    assert repr(ROLLED) == f"Position({str(ROLLED)!r})"


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_seats_and_points_of_a_step_are_true_whole_numbers(kind: str) -> None:
    value = NO_NUMBERS[kind]
    scored = START.enter(Category.ONES, 1)
    assert refusal(START.resign, value) is IllegalMoveReason.WRONG_SEAT
    assert refusal(START.enter, Category.ONES, value) is IllegalMoveReason.WRONG_POINTS
    assert refusal(scored.correct, value, Category.ONES, 1) is IllegalMoveReason.WRONG_SEAT
    assert refusal(scored.correct, 0, Category.ONES, value) is IllegalMoveReason.WRONG_POINTS


# Turns entered as a whole, and corrections.


def test_a_turn_can_be_entered_by_its_points() -> None:
    position = START.enter(Category.FULL_HOUSE, 21)
    assert position.cards[0][Category.FULL_HOUSE] == 21
    assert (position.seat, position.is_turn_start) == (1, True)


def test_a_correction_replaces_the_points_and_leaves_the_turn_alone() -> None:
    position = ROLLED.play(Score(Category.CHOICE)).roll(Dice([1, 1, 1, 2, 3]))
    corrected = position.correct(0, Category.CHOICE, 16)
    assert corrected.cards == (BLANK.fill(Category.CHOICE, 16), BLANK)
    assert (corrected.seat, corrected.dice, corrected.rolls_left) == (1, position.dice, 2)


def test_a_correction_can_move_the_points_to_another_box() -> None:
    position = ROLLED.play(Score(Category.CHOICE))
    corrected = position.correct(0, Category.TWOS, 4, instead_of=Category.CHOICE)
    assert corrected.cards[0] == BLANK.fill(Category.TWOS, 4)


def test_scores_can_be_corrected_after_the_end_and_after_resigning() -> None:
    assert OVER.correct(0, Category.YACHT, 50).winners == (0,)
    position = START.enter(Category.ONES, 1).resign(0)
    assert position.correct(0, Category.ONES, 2).cards[0].total == 2


# Order, resignation and the end.


@pytest.mark.parametrize("seats", [1, 2, 3, 12])
def test_seats_take_turns_in_order_from_the_first_one_on(seats: int) -> None:
    for first in range(seats):
        position = Position.start(TWO_BOXES, seats, first)
        order = []
        while not position.is_over:
            order.append(position.seat)
            category = position.card.open[0]
            position = position.enter(category, TWO_BOXES.possible_points(category)[0])
        assert order == [(first + turn) % seats for turn in range(2 * seats)]


@given(strategies.positions(most_seats=5))
def test_resignation_is_possible_at_every_moment_but_once(position: Position) -> None:
    for seat in range(len(position.cards)):
        if position.is_over or seat in position.resigned:
            assert refusal(position.resign, seat) is not None
            continue
        after = position.resign(seat)
        assert after.resigned == position.resigned | {seat}
        assert after.cards == position.cards
        seats = len(position.cards)
        still_there = [
            s % seats
            for s in range(position.seat, position.seat + seats)
            if s % seats not in after.resigned and not after.cards[s % seats].is_full
        ]
        assert after.is_over == (not still_there)
        if position.seat != seat:
            assert (after.seat, after.dice) == (position.seat, position.dice)
            assert after.rolls_left == position.rolls_left
        elif still_there:
            assert after.seat == still_there[0]
            assert after.is_turn_start
        assert seat not in after.winners


@pytest.mark.parametrize(
    ("totals", "resigned", "winners"),
    [
        ([20], [], [0]),
        ([20, 21, 19], [], [1]),
        ([20, 21, 21], [], [1, 2]),
        ([21, 20, 21], [], [0, 2]),
        ([20, 20, 20], [], [0, 1, 2]),
        ([20] * 12, [], [*range(12)]),
        ([20, 21, 20], [1], [0, 2]),
        ([20, 21, 19], [1], [0]),
        ([20, 21], [0, 1], []),
        ([20], [0], []),
    ],
)
def test_the_highest_total_wins_and_equal_totals_share_the_win(
    totals: list[int], resigned: list[int], winners: list[int]
) -> None:
    # Every box but Choice is a zero.
    cards = tuple(Scorecard(TRADITIONAL, (0,) * 10 + (total, 0)) for total in totals)
    position = Position(TRADITIONAL, cards, 0, Dice(), 0, frozenset(resigned))
    assert [card.total for card in position.cards] == totals
    assert position.is_over
    assert position.winners == tuple(winners)


@given(strategies.positions(most_seats=5))
def test_nobody_has_won_before_the_end(position: Position) -> None:
    playing = [seat for seat in range(len(position.cards)) if seat not in position.resigned]
    is_over = all(position.cards[seat].is_full for seat in playing)
    assert position.is_over == is_over
    best = max((position.cards[seat].total for seat in playing), default=None)
    expected = [seat for seat in playing if is_over and position.cards[seat].total == best]
    assert position.winners == tuple(expected)


# Values.


@given(strategies.positions(strategies.known_rules | strategies.rule_sets))
def test_a_copied_or_pickled_position_is_equal(position: Position) -> None:
    for same in (
        pickle.loads(pickle.dumps(position)),  # noqa: S301 - our own
        copy.copy(position),
        copy.deepcopy(position),
    ):
        assert same == position
        assert hash(same) == hash(position)
        assert same.legal_moves() == position.legal_moves()
        assert [card.mask for card in same.cards] == [card.mask for card in position.cards]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (ROLLED, ["rules", "cards", "seat", "dice", "rolls_left", "resigned", "colour"]),
        (ROLLED.card, ["rules", "points", "mask", "colour"]),
        (Hold(Dice([2, 2])), ["kept", "colour"]),
        (Score(Category.CHOICE), ["category", "colour"]),
        (Total(), ["colour"]),
        (OfAKind(5, 50), ["count", "pays", "extra", "colour"]),
    ],
)
def test_values_never_change(value: object, names: list[str]) -> None:
    for name in names:
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            delattr(value, name)
