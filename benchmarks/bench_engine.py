"""How quick the rules are: random playouts a second, and what checking a move costs.

A playout is a whole game from the first roll on. Each roll is of fair dice; each decision is drawn
uniformly from `legal_moves()`: all distinct holds that leave a die to roll, and all open boxes.
The goal is 3,000 complete solo playouts a CPU-second.
"""

import time
from collections.abc import Callable
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from yachtdice import (
    CATEGORIES,
    DICE,
    FACES,
    TRADITIONAL,
    Category,
    Dice,
    Game,
    Hold,
    IllegalMoveError,
    Move,
    Position,
    RuleSet,
    Score,
    roll_outcomes,
)

ROLLS = [dice for dice, _ in roll_outcomes(DICE)]
DECISION = Position.start(TRADITIONAL, 2).roll(Dice([1, 2, 2, 4, 6]))
USED = Position.start(TRADITIONAL).enter(Category.CHOICE, 15).roll(Dice([1, 2, 2, 4, 6]))


def playout(seats: int, random: Random) -> Position:
    """Return the last position of a random game."""
    position = Position.start(TRADITIONAL, seats)
    while not position.is_over:
        if position.must_roll:
            rolled = random.choices(FACES, k=DICE - len(position.dice))
            position = position.roll(Dice(rolled))
        else:
            position = position.play(random.choice(position.legal_moves()))
    return position


def recorded_playout(seats: int, random: Random) -> Game:
    """Return a random game with all its events."""
    game = Game.start(TRADITIONAL, [""] * seats)
    while not (position := game.position).is_over:
        if position.must_roll:
            game = game.roll(random.choices(FACES, k=DICE - len(position.dice)))
        else:
            game = game.play(random.choice(position.legal_moves()))
    return game


@pytest.mark.benchmark(
    group="random playouts: OPS are playouts a CPU-second", timer=time.process_time
)
@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("play", [playout, recorded_playout])
def test_playout(
    benchmark: BenchmarkFixture, play: Callable[[int, Random], object], seats: int
) -> None:
    benchmark(play, seats, Random(1))  # noqa: S311 - no secret
    benchmark.extra_info["decisions"] = "uniform over legal_moves()"
    if benchmark.stats:  # not with --benchmark-disable
        benchmark.extra_info["playouts per CPU-second"] = round(benchmark.stats.stats.ops)


@pytest.mark.benchmark(group="one step")
class TestStep:
    def test_roll(self, benchmark: BenchmarkFixture) -> None:
        position = Position.start(TRADITIONAL)
        assert benchmark(position.roll, DECISION.dice).dice == DECISION.dice

    def test_legal_moves(self, benchmark: BenchmarkFixture) -> None:
        assert len(benchmark(DECISION.legal_moves)) == 23 + 12

    @pytest.mark.parametrize("move", [Hold(Dice([2, 2])), Score(Category.CHOICE)], ids=repr)
    def test_play_of_a_legal_move(self, benchmark: BenchmarkFixture, move: Move) -> None:
        assert benchmark(DECISION.play, move) != DECISION

    @pytest.mark.parametrize("move", [Hold(Dice([3])), Score(Category.CHOICE)], ids=repr)
    def test_refusal_of_an_illegal_move(self, benchmark: BenchmarkFixture, move: Move) -> None:
        def refusal() -> object:
            try:
                USED.play(move)
            except IllegalMoveError as error:
                return error.reason
            return None

        assert benchmark(refusal)

    def test_is_over(self, benchmark: BenchmarkFixture) -> None:
        assert not benchmark(lambda: DECISION.is_over)


@pytest.mark.benchmark(group="scoring")
class TestScoring:
    def test_one_score(self, benchmark: BenchmarkFixture) -> None:
        assert benchmark(TRADITIONAL.score, Category.CHOICE, DECISION.dice) == 15

    def test_all_252_rolls_in_12_boxes_of_a_new_rule_set(self, benchmark: BenchmarkFixture) -> None:
        def table() -> int:
            rules = RuleSet("new", TRADITIONAL.scorers)
            return len([rules.score(category, dice) for category in CATEGORIES for dice in ROLLS])

        assert benchmark(table) == 12 * 252


@pytest.mark.benchmark(group="replay")
def test_replay(benchmark: BenchmarkFixture) -> None:
    game = recorded_playout(2, Random(1))  # noqa: S311 - no secret
    assert benchmark(Game.replay, game.events) == game
    benchmark.extra_info["events"] = game.version
