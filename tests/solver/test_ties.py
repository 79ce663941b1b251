"""Equal moves are equal, and come in the same order whatever rounding does."""

from itertools import pairwise

import numpy as np
import pytest

from tests.solver.brute import card, turn_start
from yachtdice import (
    CATEGORIES,
    TRADITIONAL,
    Category,
    Dice,
    Hold,
    Position,
    Score,
    parse_dice,
)
from yachtdice.solver import Choice, SoloSolution
from yachtdice.solver.arrays.choice import order
from yachtdice.solver.arrays.lattice import OPTION_STARTS, OPTIONS
from yachtdice.solver.arrays.policy import best_keeps
from yachtdice.solver.arrays.turn import study


def ranked(
    solution: SoloSolution, open_: tuple[Category, ...], dice: str, left: int
) -> list[Choice]:
    filled = card(solution.rules, open_)
    return solution.rank(Position(solution.rules, (filled,), 0, parse_dice(dice), left))


def test_two_pairs_are_as_good_for_a_yacht(traditional: SoloSolution) -> None:
    choices = ranked(traditional, (Category.YACHT,), "1-1-2-2-3", 1)
    assert [choice.move for choice in choices if choice.is_best] == [
        Hold(Dice([2, 2])),
        Hold(Dice([1, 1])),
    ]
    assert choices[2].place == 2
    assert choices[2].loss > 1e-3


def test_of_equal_moves_boxes_come_first_then_more_and_higher_dice(
    traditional: SoloSolution,
) -> None:
    straights = (Category.LITTLE_STRAIGHT, Category.BIG_STRAIGHT)
    choices = ranked(traditional, straights, "1-1-1-6-6", 0)
    assert [(choice.move, choice.place) for choice in choices] == [
        (Score(Category.LITTLE_STRAIGHT), 1),
        (Score(Category.BIG_STRAIGHT), 1),
    ]
    choices = ranked(traditional, (Category.YACHT,), "1-2-3-4-5", 1)
    tied = [choice.move for choice in choices if choice.is_best]
    assert tied == [Hold(Dice([face])) for face in (5, 4, 3, 2, 1)] + [Hold(Dice())]


def test_places_are_shared_within_the_tolerance_only() -> None:
    moves = [Hold(Dice([face])) for face in range(1, 6)]
    choices = order(moves, [1.0, 2.0, 2.0 + 1e-12, 2.0 - 2e-9, 1.0 + 5e-10])
    assert [choice.move for choice in choices] == [moves[i] for i in (1, 2, 3, 0, 4)]
    assert [choice.place for choice in choices] == [1, 1, 2, 3, 3]
    assert choices[0].value == choices[1].value


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_changes_neither_order_nor_decisions(traditional: SoloSolution, seed: int) -> None:
    noise = np.random.default_rng(seed).uniform(-1e-11, 1e-11, len(traditional.values))
    noisy = SoloSolution(traditional.states, traditional.values + noise)
    layers = traditional.states.layers
    for layer in (2, 5, 6, 10):
        block = np.arange(layers[layer], layers[layer + 1], 3)
        clean_turns = study(traditional.states, traditional.values, block)
        noisy_turns = study(noisy.states, noisy.values, block)
        assert (clean_turns.best_boxes == noisy_turns.best_boxes).all()
        for left in (1, 2):
            assert (best_keeps(clean_turns, left) == best_keeps(noisy_turns, left)).all()
    for dice in ("1-1-2-2-3", "1-2-3-4-6", "6-6-6-1-1", "5-5-5-5-5"):
        for first in range(0, 12, 2):
            open_ = CATEGORIES[first : first + 2]
            clean = ranked(traditional, open_, dice, 2)
            moved = ranked(noisy, open_, dice, 2)
            assert [(c.move, c.place) for c in clean] == [(c.move, c.place) for c in moved]


@pytest.mark.soak
def test_ties_are_as_many_as_were_counted_elsewhere(traditional: SoloSolution) -> None:
    """Count the situations with more than one best keep, and with more than one best box."""
    states, keeps_tied, boxes_tied = traditional.states, 0, 0
    smallest = np.inf
    for start, end in pairwise(states.layers[1:]):
        for low in range(start, end, 64):
            turns = study(states, traditional.values, np.arange(low, min(low + 64, end)))
            gaps = turns.rolls[0] - turns.scores
            boxes_tied += int(((gaps < 1e-9).sum(axis=0) > 1).sum())
            smallest = min(smallest, gaps[gaps > 1e-9].min(initial=np.inf))
            for left in (1, 2):
                for number in range(252):
                    part = OPTIONS[OPTION_STARTS[number] : OPTION_STARTS[number + 1], 1]
                    gaps = turns.rolls[left, number] - turns.keeps[left, part]
                    keeps_tied += int(((gaps < 1e-9).sum(axis=0) > 1).sum())
                    smallest = min(smallest, gaps[gaps > 1e-9].min(initial=np.inf))
    assert (keeps_tied, boxes_tied) == (39_503, 864)
    assert smallest > 1e-6  # a thousand times the tolerance


def test_the_start_of_a_turn_has_nothing_to_rank(traditional: SoloSolution) -> None:
    assert traditional.rank(Position.start(TRADITIONAL)) == []
    assert traditional.rank(turn_start(card(TRADITIONAL, (Category.YACHT,)))) == []
