"""Simulated games agree with the exact values, through the tables and through the engine."""

import numpy as np
import pytest

from tests.solver.test_distribution import BONUS, FOUR_ROLLS, Hasty, Uniform
from yachtdice import DICE, KEEPS, TRADITIONAL, Category, Dice, Position, RuleSet, Total
from yachtdice.dice_source import SeededDice
from yachtdice.solver import Simulation, Softmax, SoloSolution, TurnPolicy, simulate, solve
from yachtdice.solver.arrays.lattice import ROLLS
from yachtdice.solver.arrays.throws import THROWS, Throws, rerolls
from yachtdice.solver.simulation import Decisions


def play(solution: SoloSolution, dice_source: SeededDice) -> int:
    """Return the total of a game that the engine plays by what `rank` says."""
    position = Position.start(solution.rules)
    while not position.is_over:
        if position.must_roll:
            position = position.roll(Dice(dice_source.roll(DICE - len(position.dice))))
        else:
            position = position.play(solution.rank(position)[0].move)
    return position.card.total


@pytest.mark.parametrize("games", [300, pytest.param(20_000, marks=pytest.mark.soak)])
def test_games_played_by_the_engine_average_the_value(
    traditional: SoloSolution, games: int
) -> None:
    dice_source = SeededDice("engine")
    totals = [play(traditional, dice_source) for _ in range(games)]
    error = float(np.std(totals, ddof=1)) / games**0.5
    assert abs(np.mean(totals) - traditional.expected) < 4 * error
    assert error == pytest.approx(traditional.sd / games**0.5, rel=0.2)


def test_many_games_average_the_value(published: SoloSolution) -> None:
    check_games(published)


@pytest.mark.soak
def test_many_games_average_the_value_with_a_bonus(console: SoloSolution) -> None:
    check_games(console)


def check_games(any_solution: SoloSolution) -> None:
    simulation = simulate(any_solution, 200_000, seed=1)
    assert simulation.games == 200_000
    assert abs(simulation.mean - any_solution.expected) < 4 * simulation.standard_error
    assert simulation.sd == pytest.approx(any_solution.sd, rel=0.01)
    low, high = simulation.interval()
    assert low < any_solution.expected < high
    wide = simulation.interval(0.999)
    assert wide[0] < low < high < wide[1]


def test_totals_are_distributed_as_computed(traditional: SoloSolution) -> None:
    """Compare the histogram with the exact distribution by a chi-squared statistic."""
    games = 1_000_000
    counts = simulate(traditional, games, seed=2).counts
    distribution = traditional.distribution()
    expected = np.array([distribution.total(k) for k in range(len(counts))]) * games
    often = expected > 25
    statistic = float(((counts - expected)[often] ** 2 / expected[often]).sum())
    degrees = int(often.sum()) - 1
    assert statistic < degrees + 5 * (2 * degrees) ** 0.5


@pytest.mark.parametrize(
    ("rules", "policy"),
    [
        (TRADITIONAL, Softmax(2, 9)),
        *((rules, policy) for rules in (BONUS, FOUR_ROLLS) for policy in (Uniform(), Hasty())),
    ],
    ids=lambda part: getattr(part, "key", type(part).__name__),
)
def test_other_policies_average_what_evaluate_says(rules: RuleSet, policy: TurnPolicy) -> None:
    solution = solve(rules)
    simulation = simulate(solution, 20_000, seed=3, policy=policy)
    assert abs(simulation.mean - solution.evaluate(policy).mean) < 4 * simulation.standard_error


def test_only_policies_of_one_mind_are_tabulated(traditional: SoloSolution) -> None:
    assert Decisions.of(traditional, Softmax(1, 1)) is None
    assert Decisions.of(traditional, Hasty()) is None


def test_a_table_that_would_be_too_large_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(BONUS)
    monkeypatch.setattr("yachtdice.solver.simulation._LARGEST_TABLE", 1)
    assert solution.decisions is None
    simulation = simulate(solution, 20_000, seed=1)
    assert abs(simulation.mean - solution.expected) < 4 * simulation.standard_error


def test_a_seed_means_the_same_games() -> None:
    solution = solve(BONUS)
    same = simulate(solution, 30_000, seed=5).counts
    assert (simulate(solution, 30_000, seed=5).counts == same).all()
    assert (simulate(solution, 30_000, seed=6).counts != same).any()
    assert (simulate(solution, 30_000).counts != same).any()


def test_a_seed_means_the_same_throws_for_ever() -> None:
    """PCG64's raw output is fixed; what is made of it is part of what a seed means."""
    throws = Throws(2024)
    assert throws.take(6).tolist() == [6493, 1978, 2314, 5536, 6683, 756]
    assert throws.chances(2).tolist() == [0.23581119886607205, 0.7775384178705829]


def test_throws_are_fair() -> None:
    counts = np.bincount(Throws(1).take(7776 * 200), minlength=THROWS)
    assert len(counts) == THROWS
    statistic = float(((counts - 200.0) ** 2 / 200).sum())
    assert abs(statistic - THROWS) < 5 * (2 * THROWS) ** 0.5
    chances = Throws(1).chances(100_000)
    assert chances.min() >= 0
    assert chances.max() < 1
    assert chances.mean() == pytest.approx(0.5, abs=0.005)


def test_rerolls_have_the_right_chances() -> None:
    table = rerolls()
    for number in (0, 3, 20, 100, 209, 300):
        kept = KEEPS[number]
        position = Position(TRADITIONAL, Position.start(TRADITIONAL).cards, 0, kept, 1)
        chances = {kept + dice: float(p) for dice, p in position.outcomes()} or {kept: 1.0}
        counts = np.bincount(table[number], minlength=252)
        for roll, count in zip(ROLLS, counts.tolist(), strict=True):
            assert count == chances.get(roll, 0) * THROWS


def test_progress_is_told() -> None:
    told: list[int] = []
    simulate(solve(BONUS), 40_000, seed=1, progress=told.append)
    assert sum(told) == 40_000
    assert len(told) > 1


def test_no_games_cannot_be_played(traditional: SoloSolution) -> None:
    with pytest.raises(ValueError, match="0 games"):
        simulate(traditional, 0)


def test_what_a_simulation_says() -> None:
    simulation = Simulation(np.array([0, 2, 0, 2]))
    assert simulation.games == 4
    assert simulation.mean == 2
    assert simulation.sd == pytest.approx((4 / 3) ** 0.5)
    assert simulation.standard_error == pytest.approx((1 / 3) ** 0.5)
    assert simulation.interval()[1] == pytest.approx(2 + 1.959964 * (1 / 3) ** 0.5)


def test_one_roll_a_turn_can_be_simulated() -> None:
    solution = solve(RuleSet("sum", {Category.CHOICE: Total()}, rolls=1))
    simulation = simulate(solution, 50_000, seed=1)
    assert abs(simulation.mean - 17.5) < 4 * simulation.standard_error
