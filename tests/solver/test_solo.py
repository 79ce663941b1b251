"""Perfect play is what the slow and obvious method finds, and behaves as values must."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given

from tests import programs
from tests.solved import solved
from tests.solver.brute import Brute, card, turn_start
from tests.strategies import examples, positions, rule_sets
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    KEEPS,
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    Hold,
    OfAKind,
    Position,
    RuleSet,
    Score,
    Scorecard,
    Straight,
    Total,
    UpperBonus,
    parse_dice,
)
from yachtdice.solver import (
    ExactSolution,
    SoloSolution,
    ValueTableError,
    ValueTableReason,
    solve,
)
from yachtdice.solver.arrays.lattice import ROLLS, roll_index
from yachtdice.solver.arrays.states import States
from yachtdice.solver.arrays.turn import column_values, solve_states, study

SMALL_BONUS = RuleSet(
    "small-bonus",
    {
        Category.ONES: FaceSum(1),
        Category.SIXES: FaceSum(6),
        Category.CHOICE: Total(),
    },
    rolls=2,
    upper_bonus=UpperBonus(13, 20),
)
ODD_BONUS = RuleSet(
    "odd-bonus",
    {
        Category.TWOS: OfAKind(3, "matching", 1),
        Category.FIVES: Straight(4, 15, start=2),
        Category.YACHT: OfAKind(5, 50),
    },
    rolls=2,
    upper_bonus=UpperBonus(20, 7),
)
SMALL = [
    SMALL_BONUS,
    ODD_BONUS,
    RuleSet("one-roll", {Category.CHOICE: Total(), Category.ONES: FaceSum(1)}, rolls=1),
    RuleSet("no-way", {Category.ONES: FaceSum(1)}, upper_bonus=UpperBonus(6, 100)),
    RuleSet("one-box", {Category.YACHT: OfAKind(5, 50)}),
]


@pytest.mark.parametrize(
    "count",
    [1, *(pytest.param(count, marks=pytest.mark.soak) for count in (2, 3))],
    ids=lambda n: f"{n}-open",
)
def test_cards_are_worth_what_brute_force_finds(
    published: SoloSolution, exactly: ExactSolution, brute: Brute, count: int
) -> None:
    for open_ in combinations(CATEGORIES, count):
        start = turn_start(card(published.rules, open_))
        found = brute.expected(start)
        assert published.value(start) == pytest.approx(float(found), abs=1e-12)
        assert exactly.value(open_) == found - start.card.total


@pytest.mark.parametrize(
    "sets",
    [
        [*combinations(CATEGORIES, 2)][::13],
        pytest.param((CATEGORIES[5:8], CATEGORIES[9:]), marks=pytest.mark.soak),
    ],
    ids=["two", "three"],
)
def test_some_cards_with_more_boxes_too(
    published: SoloSolution, brute: Brute, sets: Sequence[tuple[Category, ...]]
) -> None:
    for open_ in sets:
        start = turn_start(card(published.rules, open_))
        assert published.value(start) == pytest.approx(float(brute.expected(start)), abs=1e-12)


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
def test_house_rules_are_solved_as_well(rules: RuleSet) -> None:
    found = Brute(rules).expected(Position.start(rules))
    assert solve(rules).expected == pytest.approx(float(found), abs=1e-12)
    assert solve(rules, exact=True).expected == found


@examples(10)
@given(rule_sets.filter(lambda rules: len(rules.categories) <= 2 and rules.rolls <= 3))
def test_any_house_rules_are(rules: RuleSet) -> None:
    found = Brute(rules).expected(Position.start(rules))
    assert solve(rules).expected == pytest.approx(float(found), rel=1e-13, abs=1e-12)
    assert solve(rules, exact=True).expected == found


@pytest.mark.soak
@examples(100)
@given(rule_sets.filter(lambda rules: len(rules.categories) == 3 and rules.rolls <= 3))
def test_any_house_rules_with_three_boxes_are(rules: RuleSet) -> None:
    found = Brute(rules).expected(Position.start(rules))
    assert solve(rules).expected == pytest.approx(float(found), rel=1e-13, abs=1e-12)


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda category: category.value)
def test_every_position_of_a_turn_for_one_box(
    published: SoloSolution, brute: Brute, category: Category
) -> None:
    rules = published.rules
    filled = card(rules, (category,))
    shown = [(roll, left) for roll in ROLLS for left in range(3)]
    shown += [(kept, left) for kept in KEEPS[:210] for left in (1, 2)]
    for dice, left in shown:
        position = Position(rules, (filled,), 0, dice, left)
        expected = float(brute.expected(position))
        assert published.value(position) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("upper", [0, 5, 6, 12, 13, 18])
def test_every_position_on_the_way_to_a_bonus(upper: int) -> None:
    solution, brute = solve(SMALL_BONUS), Brute(SMALL_BONUS)
    ones = min(upper, 5) if upper % 6 else 0
    points: list[int | None] = [None] * 12
    points[0], points[5] = ones, upper - ones if upper != ones else None
    if points[5] is not None and points[5] % 6:
        points[0], points[5] = upper % 6, upper - upper % 6
    filled = Scorecard(SMALL_BONUS, tuple(points))
    for dice in ROLLS[::5]:
        for left in range(2):
            position = Position(SMALL_BONUS, (filled,), 0, dice, left)
            expected = float(brute.expected(position))
            assert solution.value(position) == pytest.approx(expected, abs=1e-12)


def test_the_console_rules_are_worth_what_others_have_published(console: SoloSolution) -> None:
    assert console.expected == pytest.approx(191.774369188342, abs=1e-12)


def test_the_published_rules_are_worth_what_the_rules_page_says(
    traditional: SoloSolution, all_dice: SoloSolution
) -> None:
    assert 166 < traditional.expected < 167
    assert 169 < all_dice.expected < 170


def test_floating_point_agrees_with_fractions_in_every_set(
    published: SoloSolution, exactly: ExactSolution
) -> None:
    assert len(published.values) == 4096
    for value, mask in zip(published.values, published.states.open.tolist(), strict=True):
        open_ = [category for category in CATEGORIES if mask >> category.index & 1]
        assert abs(value - float(exactly.value(open_))) < 1e-9


@pytest.mark.soak
def test_floating_point_agrees_with_fractions_with_a_bonus(console: SoloSolution) -> None:
    exact = solve(console.rules, exact=True)
    assert f"{float(exact.expected):.12f}" == "191.774369188342"
    for state in range(0, len(console.values), 7):
        mask, upper = int(console.states.open[state]), int(console.states.upper[state])
        if upper >= 0:
            open_ = [c for c in CATEGORIES if mask >> c.index & 1]
            assert abs(console.values[state] - float(exact.value(open_, upper))) < 1e-9


def test_another_open_box_never_makes_a_card_worth_less(published: SoloSolution) -> None:
    value = published.values[published.states.first]
    masks = np.arange(4096)
    for bit in 1 << np.arange(12):
        assert (value[masks | bit] >= value[masks] - 1e-9).all()


def test_all_dice_is_never_below_traditional(
    traditional: SoloSolution, all_dice: SoloSolution
) -> None:
    assert (all_dice.values >= traditional.values - 1e-9).all()
    layers = traditional.states.layers
    for start, end in pairwise(layers[1:]):
        block = np.arange(start, end, 5)
        more = study(all_dice.states, all_dice.values, block)
        less = study(traditional.states, traditional.values, block)
        assert (more.rolls >= less.rolls - 1e-9).all()
        for left in (1, 2):
            assert (more.keeps[left] >= less.keeps[left] - 1e-9).all()


def test_more_upper_points_are_never_worth_less(console: SoloSolution) -> None:
    states = console.states
    for mask in range(0, 4096, 13):
        rows = np.flatnonzero((states.open == mask) & (states.upper >= 0))
        assert (np.diff(console.values[rows]) >= -1e-9).all()


@given(positions())
def test_ranking_agrees_with_the_engine(position: Position) -> None:
    solution = solved(position.rules)
    choices = solution.rank(position)
    assert sorted(map(str, (c.move for c in choices))) == sorted(map(str, position.legal_moves()))
    if not choices:
        return
    best = choices[0]
    assert best.is_best
    assert best.loss == 0
    assert best.value == pytest.approx(solution.value(position), abs=1e-9)
    for choice in choices:
        after = position.play(choice.move)
        value: float
        if isinstance(choice.move, Hold):
            value = solution.value(after)
        else:
            # The next turn may be another seat's: look at the same card, at the start of its own.
            filled = after.cards[position.seat]
            value = solution.value(turn_start(filled)) if filled.open else filled.total
        assert choice.value == pytest.approx(value, abs=1e-9)
        assert choice.loss == pytest.approx(best.value - choice.value, abs=1e-12)
        assert choice.is_best == (choice.place == 1) == (choice.loss == 0)
    places = [choice.place for choice in choices]
    assert places == sorted(places)
    assert set(places) == set(range(1, places[-1] + 1))


@given(positions())
def test_a_roll_to_come_is_worth_the_mean_of_what_may_come(position: Position) -> None:
    solution = solved(position.rules)
    if position.must_roll:
        mean = sum(
            float(p) * solution.value(position.roll(dice)) for dice, p in position.outcomes()
        )
        assert solution.value(position) == pytest.approx(mean, abs=1e-9)


def test_a_game_that_is_over_is_worth_its_points(traditional: SoloSolution) -> None:
    blank = Scorecard(TRADITIONAL)
    half = blank.fill(Category.CHOICE, 20)
    resigned = Position(TRADITIONAL, (half, blank), 0, Dice(), 0, frozenset({0, 1}))
    assert traditional.value(resigned) == 20
    assert traditional.rank(resigned) == []
    assert traditional.distribution(resigned).total(20) == 1
    assert traditional.target(20).chance(resigned) == 1
    assert traditional.target(21).chance(resigned) == 0


def test_a_turn_is_the_same_as_the_positions_in_it(traditional: SoloSolution) -> None:
    open_ = (Category.SIXES, Category.FULL_HOUSE, Category.YACHT)
    filled = card(TRADITIONAL, open_)
    turn = traditional.turn(filled.mask)
    assert turn.value + filled.total == traditional.value(turn_start(filled))
    assert turn.categories == CATEGORIES
    assert turn.scores.shape == (12, 252)
    assert turn.keeps.shape == (3, 462)
    assert turn.rolls.shape == turn.best_keep.shape == (3, 252)
    for roll in ROLLS[::3]:
        number = roll_index(roll)
        for left in range(3):
            position = Position(TRADITIONAL, (filled,), 0, roll, left)
            worth = filled.total + turn.rolls[left, number]
            assert worth == pytest.approx(traditional.value(position), abs=1e-12)
            best = traditional.rank(position)[0].move
            if left and turn.best_keep[left, number] < 210:
                assert best == Hold(KEEPS[turn.best_keep[left, number]])
            else:
                assert best == Score(turn.categories[turn.best_box[number]])


def test_there_is_no_turn_without_an_open_box(traditional: SoloSolution) -> None:
    with pytest.raises(ValueError, match="no turn"):
        traditional.turn(TRADITIONAL.mask)
    with pytest.raises(ValueError, match="no turn"):
        traditional.turn(1 << 12)


def test_an_upper_total_that_cannot_be_has_no_state(console: SoloSolution) -> None:
    with pytest.raises(ValueError, match="upper total 1"):
        console.turn(0, 1)
    with pytest.raises(ValueError, match="no state"):
        console.turn(1, -1)
    exact = solve(SMALL_BONUS, exact=True)
    with pytest.raises(ValueError, match="no state"):
        exact.value([Category.YACHT])


def test_positions_of_other_rules_are_refused(traditional: SoloSolution) -> None:
    with pytest.raises(ValueTableError) as caught:
        traditional.value(Position.start(ALL_DICE))
    assert caught.value.reason is ValueTableReason.OTHER_RULES


def test_the_order_on_the_card_and_the_key_do_not_matter(traditional: SoloSolution) -> None:
    turned = RuleSet("turned", dict(reversed([*TRADITIONAL.scorers.items()])))
    position = Position.start(turned).roll(parse_dice("44216"))
    same = Position.start(TRADITIONAL).roll(parse_dice("44216"))
    assert traditional.rank(position) == traditional.rank(same)


def test_numba_finds_the_same(traditional: SoloSolution, console: SoloSolution) -> None:
    programs.need("numba")
    for solution in (traditional, console):
        compiled = solve(solution.rules, compiled=True)
        assert np.abs(compiled.values - solution.values).max() < 1e-11
    for rules in SMALL:
        compiled = solve(rules, compiled=True)
        assert compiled.expected == pytest.approx(solve(rules).expected, abs=1e-12)


def test_without_numba_numpy_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yachtdice.solver.arrays.kernel", None)
    states = States(SMALL_BONUS)
    assert column_values(states, 10**9).width == 256
    assert solve_states(states)[states.start] == solve(SMALL_BONUS).expected
    with pytest.raises(ImportError):
        solve(SMALL_BONUS, compiled=True)
