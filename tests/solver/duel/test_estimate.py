"""The estimate from the distributions of solitaire play."""

import numpy as np
import pytest

from tests.solver.duel.minimax import small
from yachtdice import CATEGORIES, TRADITIONAL, Category, Dice, Position, Scorecard
from yachtdice.solver import SoloSolution
from yachtdice.solver.duel import Duel
from yachtdice.solver.duel.estimate import Estimate


@pytest.fixture(scope="module")
def estimate(traditional: SoloSolution) -> Estimate:
    return Estimate(traditional)


def test_what_is_to_come_is_distributed_as_in_solitaire(
    estimate: Estimate, traditional: SoloSolution
) -> None:
    for used in (0, 0b111, 0b1010_1010_1010):
        points = [0 if used >> i & 1 else None for i in range(12)]
        if used & 1 << Category.CHOICE.index:
            points[Category.CHOICE.index] = 5
        card = Scorecard(TRADITIONAL, tuple(points))
        exact = traditional.distribution(Position(TRADITIONAL, (card,), 0, Dice(), 3))
        found = estimate.to_come[TRADITIONAL.mask & ~card.mask]
        start = exact.minimum - card.total
        assert found[start : start + len(exact.probabilities)] == pytest.approx(
            exact.probabilities, abs=1e-12
        )
        assert found.sum() == pytest.approx(1, abs=1e-12)


def test_shares_add_up(estimate: Estimate) -> None:
    seats = [(TRADITIONAL.mask, 0), (0b1111, 100), (0b1111_0000, 90), (0, 167)]
    for count in range(1, 5):
        assert sum(estimate.shares(seats[:count])) == pytest.approx(1, abs=1e-12)
    assert estimate.shares(seats[:1] * 3) == pytest.approx([1 / 3] * 3)


def test_ties_are_shared(estimate: Estimate) -> None:
    assert estimate.shares([(0, 100), (0, 100), (0, 99)]) == [0.5, 0.5, 0]
    assert estimate.shares([(0, 100)] * 4) == [0.25] * 4


def test_a_turn_is_played_to_win() -> None:
    # Yacht is left to both, and the mover is 40 behind: only a Yacht helps.
    rules = small(Category.YACHT, Category.CHOICE)
    mover = Scorecard(rules).fill(Category.CHOICE, 5)
    other = Scorecard(rules).fill(Category.CHOICE, 30)
    position = Position(rules, (mover, other, other), 0, Dice([6, 6, 6, 2, 1]), 1)
    ranking = Duel(rules).rank(position)
    assert ranking.kind == "estimate"
    assert ranking.choices[0].value == pytest.approx(1 / 36 * (1 - 0.0460287) ** 2, abs=1e-3)


@pytest.mark.parametrize("seats", [3, 5])
def test_more_than_two_seats_are_an_estimate(traditional: SoloSolution, seats: int) -> None:
    duel = Duel(TRADITIONAL, solo=traditional)
    position = Position.start(TRADITIONAL, seats)
    chances = duel.win_odds(position)
    assert chances.kind == "estimate"
    assert sum(chances.seats) == pytest.approx(1, abs=1e-9)
    assert chances.seats == pytest.approx([1 / seats] * seats, abs=0.01)
    position = position.roll(Dice([6, 6, 6, 6, 6]))
    lucky = duel.win_odds(position).seats
    assert lucky[0] > chances.seats[0] + 0.1
    assert sum(lucky) == pytest.approx(1, abs=1e-9)
    assert np.diff(lucky[1:]) == pytest.approx([0] * (seats - 2), abs=1e-9)


def test_the_estimate_is_near_the_exact_chance() -> None:
    rules = small(*CATEGORIES[6:])
    estimated, exact = Duel(rules, rounds=0), Duel(rules)
    position = Position.start(rules, 2)
    assert estimated.win_odds(position).kind == "estimate"
    found, truth = (duel.win_odds(position).seats[0] for duel in (estimated, exact))
    assert found == pytest.approx(truth, abs=0.02)
