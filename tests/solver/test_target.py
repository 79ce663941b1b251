"""Play for a total: the best chance of it, as brute force finds it, and never below others."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import programs
from tests.solved import solved
from tests.solver.brute import Brute
from tests.strategies import examples, positions
from yachtdice import (
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    Hold,
    OfAKind,
    Position,
    RuleSet,
    Straight,
    Total,
    UpperBonus,
    parse_dice,
)
from yachtdice.solver import SoloSolution, Targets, ValueTableError, ValueTableReason, solve
from yachtdice.solver.target import solve_targets

PLAIN = RuleSet(
    "plain",
    {Category.LITTLE_STRAIGHT: Straight(4, 15), Category.YACHT: OfAKind(5, 50)},
)
BONUS = RuleSet(
    "bonus",
    {Category.SIXES: FaceSum(6), Category.TWOS: OfAKind(2, 5)},
    rolls=2,
    upper_bonus=UpperBonus(17, 4),
)
SUM = RuleSet("sum", {Category.CHOICE: Total(), Category.FIVES: FaceSum(5)}, rolls=1)


@pytest.mark.parametrize("rules", [PLAIN, BONUS, SUM], ids=lambda rules: rules.key)
def test_chances_are_what_brute_force_finds(rules: RuleSet) -> None:
    solution, brute = solve(rules), Brute(rules)
    start = Position.start(rules)
    chances = solution.targets.chances()
    assert chances[0] == 1
    for points in range(len(chances) // 4, len(chances) + 1, len(chances) // 4):
        found = float(brute.chance(start, points))
        assert solution.target(points).chance(start) == pytest.approx(found, abs=1e-12)
        if points < len(chances):
            assert chances[points] == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("points", [0, 15, 26, 31, 34, 35])
def test_chances_within_a_turn_are_too(points: int) -> None:
    solution, brute = solve(BONUS), Brute(BONUS)
    target = solution.target(points)
    for roll in (Dice([6, 6, 6, 2, 2]), Dice([1, 2, 3, 4, 5]), Dice([6, 6, 1, 1, 1])):
        rolled = Position.start(BONUS).roll(roll)
        found = float(brute.chance(rolled, points))
        assert target.chance(rolled) == pytest.approx(found, abs=1e-12)
        for choice in target.rank(rolled):
            after = float(brute.chance(rolled.play(choice.move), points))
            assert choice.value == pytest.approx(after, abs=1e-12)
            assert choice.loss == pytest.approx(found - after, abs=1e-12)
        held = rolled.play(Hold(Dice([roll.faces[-1]])))
        assert target.chance(held) == pytest.approx(float(brute.chance(held, points)), abs=1e-12)


def test_no_chance_is_below_that_of_the_best_average(published: SoloSolution) -> None:
    chances = published.targets.chances()
    average = published.distribution()
    assert chances[0] == 1
    assert (np.diff(chances) <= 1e-12).all()
    for points, chance in enumerate(chances):
        assert chance >= average.at_least(points) - 1e-12
    assert chances[200] > average.at_least(200) + 0.01


@examples(50)
@given(positions(st.just(TRADITIONAL)), st.integers(-5, 305))
def test_chances_are_consistent_everywhere(position: Position, points: int) -> None:
    target = solved(TRADITIONAL).target(points)
    chance = target.chance(position)
    assert -1e-12 <= chance <= 1 + 1e-12
    if position.is_over:
        assert chance == (position.card.total >= points)
    elif position.must_roll:
        mean = sum(float(p) * target.chance(position.roll(d)) for d, p in position.outcomes())
        assert chance == pytest.approx(mean, abs=1e-12)
        assert target.rank(position) == []
    else:
        choices = target.rank(position)
        assert {choice.move for choice in choices} == set(position.legal_moves())
        assert choices[0].value == pytest.approx(chance, abs=1e-12)
    assert solved(TRADITIONAL).target(points + 1).chance(position) <= chance + 1e-12


def test_where_all_moves_are_equal_the_average_decides(traditional: SoloSolution) -> None:
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    by_average = [choice.move for choice in traditional.rank(position)]
    for points in (0, 400):
        choices = traditional.target(points).rank(position)
        assert {choice.place for choice in choices} == {1}
        assert [choice.move for choice in choices] == by_average


def test_tables_are_kept_in_files(tmp_path: Path) -> None:
    solution = solve(BONUS)
    path = tmp_path / "targets"
    solution.targets.save(path)
    loaded = Targets.load(path, solution)
    assert (loaded.chances() == solution.targets.chances()).all()
    assert loaded.at(20).chance(Position.start(BONUS)) == solution.target(20).chance(
        Position.start(BONUS)
    )
    with pytest.raises(ValueTableError) as caught:
        SoloSolution.load(path, BONUS)
    assert caught.value.reason is ValueTableReason.OTHER_KIND


def test_numba_finds_the_same() -> None:
    programs.need("numba")
    for rules in (PLAIN, BONUS, SUM):
        solution = solve(rules)
        compiled = solve_targets(solution, compiled=True)
        assert np.abs(compiled.chances() - solution.targets.chances()).max() < 1e-12
