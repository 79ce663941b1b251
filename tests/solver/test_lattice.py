"""The numbers of rolls and keeps, and the two steps over them, against the engine's own dice."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import dice, rolls
from yachtdice import DICE, FACES, KEEPS, Dice, DiceError, roll_outcomes
from yachtdice.solver.arrays import lattice
from yachtdice.solver.arrays.lattice import (
    DOWN,
    FIRST_ROLL,
    KEEP_COUNT,
    OPTION_STARTS,
    OPTIONS,
    OPTIONS_BY_PLACE,
    ROLL_COUNT,
    ROLL_PROBABILITIES,
    ROLLS,
    ROLLS_BY_OPTIONS,
    UP,
    Floats,
    best,
    expect,
    keep_index,
    roll_index,
    spread,
)

WIDTH = 3


def table() -> Floats:
    return np.random.default_rng(1).random((KEEP_COUNT, WIDTH))


def test_there_are_252_rolls_and_462_keeps() -> None:
    assert (ROLL_COUNT, KEEP_COUNT, FIRST_ROLL) == (252, 462, 210)
    assert lattice.SIZES == (1, 6, 21, 56, 126, 252)
    assert len(set(KEEPS)) == len(KEEPS) == KEEP_COUNT


def test_keeps_are_numbered_by_size_then_in_lexicographic_order() -> None:
    assert all((len(a), a.faces) < (len(b), b.faces) for a, b in pairwise(KEEPS))
    assert KEEPS[FIRST_ROLL:] == ROLLS == tuple(roll for roll, _ in roll_outcomes(DICE))


@given(dice())
def test_a_number_leads_back_to_its_keep(kept: Dice) -> None:
    assert KEEPS[keep_index(kept)] is kept


@given(rolls)
def test_a_number_leads_back_to_its_roll(roll: Dice) -> None:
    assert ROLLS[roll_index(roll)] is roll


@given(dice(0, 4))
def test_a_roll_has_five_dice(kept: Dice) -> None:
    with pytest.raises(DiceError):
        roll_index(kept)


def test_links_add_and_drop_one_die() -> None:
    for kept, up in zip(KEEPS[:FIRST_ROLL], UP, strict=True):
        assert [KEEPS[number] for number in up] == [kept + Dice([face]) for face in FACES]
    for size in range(1, DICE + 1):
        for kept, down in zip(
            KEEPS[lattice.STARTS[size] : lattice.STARTS[size + 1]], DOWN[size], strict=True
        ):
            assert {KEEPS[number] for number in down} == {kept - Dice([face]) for face in kept}


def test_probabilities_are_the_multinomials_over_7776() -> None:
    exact = [probability for _, probability in roll_outcomes(DICE)]
    assert sum(exact) == 1
    assert ROLL_PROBABILITIES.tolist() == [float(p) for p in exact]


def test_options_are_the_parts_of_each_roll_in_the_order_of_ties() -> None:
    assert len(OPTIONS) == 4368
    for number, roll in enumerate(ROLLS):
        part = OPTIONS[OPTION_STARTS[number] : OPTION_STARTS[number + 1]]
        assert set(part[:, 0]) == {number}
        assert {KEEPS[keep] for keep in part[:, 1]} == set(roll.holds())
        assert part[0, 1] == FIRST_ROLL + number
        assert (np.diff(part[:, 1]) < 0).all()
    by_place = [
        (roll, keep)
        for keeps in OPTIONS_BY_PLACE
        for roll, keep in zip(ROLLS_BY_OPTIONS.tolist(), keeps.tolist(), strict=False)
    ]
    assert sorted(by_place) == sorted(map(tuple, OPTIONS.tolist()))


def test_expect_is_the_mean_over_all_rolls_of_the_dice_not_kept() -> None:
    values = table()
    before = values.copy()
    expect(values)
    for number, kept in enumerate(KEEPS):
        mean = sum(
            float(p) * before[keep_index(kept + rolled)]
            for rolled, p in roll_outcomes(DICE - len(kept))
        )
        assert values[number] == pytest.approx(mean, abs=1e-14)


def test_expect_sums_integers_instead() -> None:
    values = np.zeros((KEEP_COUNT, 1), object)
    values[FIRST_ROLL:, 0] = range(1, ROLL_COUNT + 1)
    before = values.copy()
    expect(values)
    for number, kept in enumerate(KEEPS):
        mean = sum(
            p * Fraction(before[keep_index(kept + rolled), 0])
            for rolled, p in roll_outcomes(DICE - len(kept))
        )
        assert Fraction(values[number, 0], 6 ** (DICE - len(kept))) == mean


def test_best_is_the_most_that_any_part_is_worth() -> None:
    values = table()
    before = values.copy()
    best(values)
    for number, kept in enumerate(KEEPS):
        parts = [keep_index(part) for part in kept.holds()]
        assert (values[number] == before[parts].max(axis=0)).all()


@given(st.integers(0, KEEP_COUNT - 1))
def test_spread_leads_from_a_keep_to_its_rolls(number: int) -> None:
    values = np.zeros((KEEP_COUNT, 1))
    values[number] = 1
    spread(values)
    kept = KEEPS[number]
    chances = {keep_index(kept + rolled): p for rolled, p in roll_outcomes(DICE - len(kept))}
    for roll in range(FIRST_ROLL, KEEP_COUNT):
        assert values[roll, 0] == pytest.approx(float(chances.get(roll, 0)), abs=1e-15)
