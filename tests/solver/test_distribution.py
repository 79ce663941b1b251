"""Exact distributions of totals: of perfect play, and of any policy, evaluated either way."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from tests.solved import solved
from tests.strategies import examples, known_rules, positions, rule_sets
from yachtdice import (
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    FullHouse,
    Hold,
    IllegalMoveError,
    Move,
    OfAKind,
    Position,
    RuleSet,
    Score,
    Straight,
    Total,
    UpperBonus,
)
from yachtdice.solver import (
    PERFECT,
    Distribution,
    Mixed,
    Pure,
    Softmax,
    SoloSolution,
    TurnPolicy,
    Turns,
    simulate,
    solve,
)
from yachtdice.solver.arrays.lattice import OPTIONS

PLAIN = RuleSet("plain", {Category.CHOICE: Total(), Category.YACHT: OfAKind(5, 50)})
BONUS = RuleSet(
    "bonus",
    {Category.TWOS: FaceSum(2), Category.SIXES: FaceSum(6), Category.FULL_HOUSE: FullHouse(25)},
    rolls=2,
    upper_bonus=UpperBonus(16, 9),
)
FOUR_ROLLS = RuleSet(
    "four-rolls", {Category.BIG_STRAIGHT: Straight(4, 30), Category.ONES: FaceSum(1)}, rolls=4
)
SMALL = [PLAIN, BONUS, FOUR_ROLLS]


class Hasty:
    """A policy on arrays that scores at once what is worth a quarter of the most, or else rerolls.

    That leaves it with rolls that it scores with two rolls left and would not with one.
    """

    def choose(self, turns: Turns, rolls_left: int) -> Pure:
        box = turns.scores.argmax(axis=0)
        keep = np.where(turns.scores.max(axis=0) > 20 - 5 * rolls_left, 210, 0)
        return Pure(keep + np.where(keep > 0, np.arange(252)[:, None], 0), box)


class Uniform:
    """A policy on arrays that makes any legal move."""

    def choose(self, turns: Turns, rolls_left: int) -> Mixed:
        boxes = np.isfinite(turns.scores).astype(float)
        holds = np.zeros((len(OPTIONS), len(turns.block)))
        if rolls_left:
            holds[OPTIONS[:, 1] < 210] = 1
        total = boxes.sum(axis=0)
        np.add.at(total, OPTIONS[:, 0], holds)
        return Mixed(holds / total[OPTIONS[:, 0]], boxes / total)


def uniform(position: Position) -> Mapping[Move, float]:
    moves = position.legal_moves()
    return {move: 1 / len(moves) for move in moves}


def same(one: Distribution, other: Distribution) -> bool:
    low = min(one.minimum, other.minimum)
    high = max(one.maximum, other.maximum)
    return all(abs(one.total(k) - other.total(k)) < 1e-12 for k in range(low - 1, high + 2))


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
def test_both_ways_to_evaluate_agree(rules: RuleSet) -> None:
    solution = solve(rules)
    assert same(solution.distribution(), solution.evaluate(lambda p: solution.rank(p)[0].move))
    assert same(solution.evaluate(Uniform()), solution.evaluate(uniform))
    softmax = Softmax(1.5, 6)
    slow = solution.evaluate(lambda position: softmax.chances(solution, position))
    assert same(solution.evaluate(softmax), slow)


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
def test_rounding_does_not_decide_which_moves_are_within_the_cap(rules: RuleSet) -> None:
    solution = solve(rules)
    position = Position.start(rules).roll(Dice([1, 2, 4, 4, 6]))
    losses = [choice.loss for choice in solution.rank(position) if choice.loss > 0.1]
    lower, higher = (Softmax(3, losses[0] + noise) for noise in (-1e-11, 1e-11))
    chances = lower.chances(solution, position)
    assert losses[0] in {c.loss for c in solution.rank(position) if c.move in chances}
    assert higher.chances(solution, position) == chances
    assert same(solution.evaluate(lower), solution.evaluate(higher))


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
def test_a_policy_may_score_what_it_would_reroll_later(rules: RuleSet) -> None:
    solution = solve(rules)

    def hasty(position: Position) -> Move:
        scores = {m: 0.0 for m in position.legal_moves() if isinstance(m, Score)}
        for choice in solution.rank(position):
            if isinstance(choice.move, Score):
                scores[choice.move] = choice.value - position.card.total
        best = max(
            sorted(scores, key=lambda move: move.category.index), key=lambda move: scores[move]
        )
        if position.rolls_left and scores[best] <= 20 - 5 * position.rolls_left:
            return Hold(Dice())
        return best

    assert same(solution.evaluate(Hasty()), solution.evaluate(hasty))


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
def test_the_distribution_is_that_of_all_games(rules: RuleSet) -> None:
    """Follow perfect play through every roll, with fractions."""
    solution = solve(rules)

    @cache
    def totals(position: Position) -> dict[int, Fraction]:
        if position.is_over:
            return {position.card.total: Fraction(1)}
        if not position.must_roll:
            return totals(position.play(solution.rank(position)[0].move))
        found: dict[int, Fraction] = {}
        for dice, probability in position.outcomes():
            for total, chance in totals(position.roll(dice)).items():
                found[total] = found.get(total, Fraction(0)) + probability * chance
        return found

    exact = totals(Position.start(rules))
    distribution = solution.distribution()
    for total in range(distribution.minimum - 1, distribution.maximum + 2):
        assert distribution.total(total) == pytest.approx(float(exact.get(total, 0)), abs=1e-15)


def test_the_mean_is_the_value_and_all_chances_are_one(
    any_solution: SoloSolution,
) -> None:
    distribution = any_solution.distribution()
    assert distribution.mean == pytest.approx(any_solution.expected, abs=1e-9)
    assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert (distribution.probabilities >= 0).all()
    assert any_solution.sd == distribution.sd


@examples(30)
@given(positions(known_rules.filter(lambda rules: rules.upper_bonus is None)))
def test_the_mean_is_the_value_from_anywhere(position: Position) -> None:
    solution = solved(position.rules)
    distribution = solution.distribution(position)
    assert distribution.mean == pytest.approx(solution.value(position), abs=1e-9)
    assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)


@examples(30)
@given(positions(known_rules.filter(lambda rules: rules.upper_bonus is not None)))
def test_the_mean_is_the_value_on_the_way_to_a_bonus(position: Position) -> None:
    solution = solved(position.rules)
    if len(position.card.open) < 6:  # more takes seconds
        distribution = solution.distribution(position)
        assert distribution.mean == pytest.approx(solution.value(position), abs=1e-9)
        assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)


@examples(30)
@given(rule_sets.filter(lambda rules: len(rules.categories) <= 4))
def test_house_rules_have_distributions_and_targets(rules: RuleSet) -> None:
    solution = solve(rules)
    distribution = solution.distribution()
    assert distribution.mean == pytest.approx(solution.expected, rel=1e-11, abs=1e-9)
    assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert simulate(solution, 100, seed=1).games == 100
    if distribution.maximum < 500:
        chances = solution.targets.chances()
        assert all(
            chance >= distribution.at_least(points) - 1e-12 for points, chance in enumerate(chances)
        )


def test_a_random_player_makes_37_points(traditional: SoloSolution) -> None:
    assert traditional.evaluate(Uniform()).mean == pytest.approx(37.15, abs=0.005)


def test_other_policies_are_never_better(traditional: SoloSolution) -> None:
    policies: list[TurnPolicy] = [Hasty(), Softmax(0.05, 1)]
    for policy in policies:
        distribution = traditional.evaluate(policy)
        assert distribution.mean < traditional.expected
        assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)


def test_a_little_warmth_costs_little(traditional: SoloSolution) -> None:
    assert traditional.evaluate(Softmax(1e-3, 10)).mean > traditional.expected - 0.01
    assert isinstance(PERFECT, TurnPolicy)
    assert isinstance(Softmax(1, 1), TurnPolicy)


def test_illegal_policies_are_found_out() -> None:
    solution = solve(PLAIN)
    with pytest.raises(IllegalMoveError):
        solution.evaluate(lambda _: Score(Category.ONES))
    with pytest.raises(ValueError, match="do not add up to 1"):
        solution.evaluate(lambda p: dict.fromkeys(p.legal_moves(), 0.5))
    with pytest.raises(ValueError, match="do not add up to 1"):
        solution.evaluate(lambda p: {p.legal_moves()[0]: 2.0, p.legal_moves()[1]: -1.0})


def test_what_a_distribution_says() -> None:
    distribution = Distribution(10, np.array([0.25, 0.5, 0.0, 0.25]))
    assert (distribution.minimum, distribution.maximum) == (10, 13)
    assert distribution.mean == 11.25
    assert distribution.sd == pytest.approx(1.0897247358851685)
    assert [distribution.total(k) for k in (9, 10, 12, 13, 14)] == [0, 0.25, 0, 0.25, 0]
    assert [distribution.at_least(k) for k in (9, 10, 11, 12, 14)] == [1, 1, 0.75, 0.25, 0]
    assert [distribution.below(k) for k in (9, 10, 11, 13, 14)] == [0, 0, 0.25, 0.75, 1]
    assert [distribution.quantile(q) for q in (0, 0.25, 0.26, 0.75, 0.76, 1)] == [
        10,
        10,
        11,
        11,
        13,
        13,
    ]
    with pytest.raises(ValueError, match="not between 0 and 1"):
        distribution.quantile(1.5)


def test_impossible_totals_at_the_ends_are_left_out(traditional: SoloSolution) -> None:
    distribution = traditional.distribution()
    assert distribution.probabilities[0] > 0
    assert distribution.probabilities[-1] > 0
    assert distribution.maximum == 297
    assert distribution.trimmed().minimum == distribution.minimum
    assert Distribution(0, np.zeros(3)).trimmed().maximum == 2


def test_the_chance_of_the_most_is_known_exactly() -> None:
    """Perfect play for one Yacht: the chance of 50 points is the value over 50."""
    solution = solve(RuleSet("yacht", {Category.YACHT: OfAKind(5, 50)}))
    assert solution.distribution().total(50) == pytest.approx(347897 / 7558272, abs=1e-15)
    assert solution.rules.fingerprint != TRADITIONAL.fingerprint
