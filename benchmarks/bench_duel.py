"""How long playing to win takes to compute and to ask. The goals are for one core.

A sub-game of six rounds: 0.1 s; of eight: 2 s; then its moves in 1 ms or two. With the table of the
whole game, ranking the moves of a position: 5 ms. That table is looked for where `yacht solve
--duel` puts it, and the benchmarks that need it are left out if it is not there. All times are of
the CPU, so that what else the machine does counts little.
"""

import time
from itertools import cycle
from random import Random

import pytest
from platformdirs import user_cache_path
from pytest_benchmark.fixture import BenchmarkFixture

from yachtdice import TRADITIONAL, Dice, Position, Score
from yachtdice.solver import SoloSolution, solve
from yachtdice.solver.duel import Duel, DuelTable, table_path
from yachtdice.solver.duel.backward import has_numba
from yachtdice.solver.duel.sources import SubGame
from yachtdice.solver.duel.tree import Boxes
from yachtdice.solver.duel.view import View

TABLE = table_path(TRADITIONAL, user_cache_path("yacht-dice", appauthor=False))
ROUNDS = [3, 4, 5, 6, 8, 9] if has_numba() else [3, 4, 5]


@pytest.fixture(scope="module")
def solo() -> SoloSolution:
    return solve(TRADITIONAL)


def after(turns: int, seed: int) -> Position:
    """Return a position with five dice after so many turns, played at random."""
    random = Random(seed)  # noqa: S311 - no secret
    position = Position.start(TRADITIONAL, 2)
    for turn in range(turns + 1):
        position = position.roll(Dice(random.choices(range(1, 7), k=5)))
        if turn < turns:
            position = position.play(Score(random.choice(position.card.open)))
    return position


def view(position: Position) -> View:
    mask = position.rules.mask
    mine, other = position.card, position.cards[1 - position.seat]
    return View(mask & ~mine.mask, mask & ~other.mask, mine.total - other.total)


@pytest.mark.benchmark(group="a sub-game", timer=time.process_time)
@pytest.mark.parametrize("rounds", ROUNDS)
def test_sub_game(benchmark: BenchmarkFixture, rounds: int) -> None:
    boxes = Boxes(TRADITIONAL)
    SubGame(boxes, view(after(22, 1)))  # compiles, if need be
    views = cycle([view(after(2 * (12 - rounds), seed)) for seed in range(20)])
    count = 20 if rounds < 8 else 3
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: SubGame(boxes, next(views)), rounds=count, iterations=1
    )


@pytest.mark.benchmark(group="rank the moves of a position", timer=time.process_time)
class TestRank:
    def test_from_a_kept_sub_game(self, benchmark: BenchmarkFixture, solo: SoloSolution) -> None:
        duel = Duel(TRADITIONAL, solo=solo)
        position = after(16, 1)
        duel.rank(position)
        positions = cycle(
            position.play(move).roll(Dice([1, 2, 2, 5, 6]))
            for move in position.legal_moves()
            if isinstance(move, Score)
        )

        def rank() -> None:
            duel._turns.clear()  # noqa: SLF001 - a turn is to be looked at afresh
            duel.rank(next(positions))

        benchmark(rank)

    def test_by_the_estimate(self, benchmark: BenchmarkFixture, solo: SoloSolution) -> None:
        duel = Duel(TRADITIONAL, solo=solo)
        positions = cycle([after(4, seed) for seed in range(500)])
        duel.rank(next(positions))
        benchmark(lambda: duel.rank(next(positions)))

    @pytest.mark.skipif(not TABLE.exists(), reason="no table")
    @pytest.mark.parametrize("turns", [0, 5, 10, 12, 13, 20])
    def test_by_the_table(
        self, benchmark: BenchmarkFixture, solo: SoloSolution, turns: int
    ) -> None:
        duel = Duel(TRADITIONAL, DuelTable(TABLE, TRADITIONAL), solo=solo)
        positions = cycle([after(turns, seed) for seed in range(500)])
        duel.rank(next(positions))
        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda: duel.rank(next(positions)), rounds=400, iterations=1
        )
