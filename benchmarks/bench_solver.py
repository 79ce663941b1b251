"""How long perfect play takes to compute, to ask and to play. The goals are for one core.

Solving the whole game: 60 ms without a bonus and 4 s with one, after import; compiled 5 ms and 0.4
s. Ranking the moves of a position: 1 ms after the first. Simulating: a million games a second.
All times are of the CPU, so that what else the machine does counts little.
"""

import time
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from yachtdice import TRADITIONAL, Position, RuleSet, parse_dice
from yachtdice.bots import make_bot
from yachtdice.presets import find_rules
from yachtdice.solutions import Solutions
from yachtdice.solver import Softmax, SoloSolution, simulate, solve
from yachtdice.solver.target import solve_targets

CONSOLE = find_rules("console")
POSITION = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
RULES = pytest.mark.parametrize("rules", [TRADITIONAL, CONSOLE], ids=["plain", "bonus"])
COMPILED = pytest.param(
    True, marks=pytest.mark.skipif(not find_spec("numba"), reason="Numba"), id="compiled"
)


@pytest.fixture(scope="module")
def solution() -> SoloSolution:
    return solve(TRADITIONAL)


def few(benchmark: BenchmarkFixture, run: Callable[[], object], rounds: int = 3) -> None:
    """Time what takes seconds."""
    benchmark.pedantic(run, rounds=rounds, iterations=1)  # type: ignore[no-untyped-call]


@pytest.mark.benchmark(group="solve the whole game", timer=time.process_time)
class TestSolve:
    @RULES
    @pytest.mark.parametrize("compiled", [pytest.param(False, id="numpy"), COMPILED])
    def test_solve(self, benchmark: BenchmarkFixture, rules: RuleSet, *, compiled: bool) -> None:
        solve(rules, compiled=compiled)  # compiles, if need be
        few(benchmark, lambda: solve(rules, compiled=compiled), rounds=15)

    def test_solve_a_rule_set_never_seen(self, benchmark: BenchmarkFixture) -> None:
        """Score all rolls as well, which a rule set does once."""
        few(
            benchmark,
            lambda: solve(RuleSet("new", TRADITIONAL.scorers), compiled=False),
            rounds=15,
        )

    def test_exactly(self, benchmark: BenchmarkFixture) -> None:
        few(benchmark, lambda: solve(TRADITIONAL, exact=True))

    def test_exactly_with_a_bonus(self, benchmark: BenchmarkFixture) -> None:
        few(benchmark, lambda: solve(CONSOLE, exact=True), rounds=1)

    @pytest.mark.parametrize("compiled", [pytest.param(False, id="numpy"), COMPILED])
    def test_all_targets(
        self, benchmark: BenchmarkFixture, solution: SoloSolution, *, compiled: bool
    ) -> None:
        few(benchmark, lambda: solve_targets(solution, compiled=compiled))


@pytest.mark.benchmark(group="ask about a position", timer=time.process_time)
class TestAsk:
    def test_rank_a_turn_seen_before(
        self, benchmark: BenchmarkFixture, solution: SoloSolution
    ) -> None:
        assert len(benchmark(solution.rank, POSITION)) == 35

    def test_rank_a_turn_never_seen(
        self, benchmark: BenchmarkFixture, solution: SoloSolution
    ) -> None:
        def rank() -> object:
            solution.forget()
            return solution.rank(POSITION)

        benchmark(rank)

    @pytest.mark.parametrize("level", ["greedy", "novice", "perfect"])
    def test_bot(self, benchmark: BenchmarkFixture, solution: SoloSolution, level: str) -> None:
        benchmark(
            make_bot(level, TRADITIONAL, 1, solutions=Solutions(solo=[solution])).choose, POSITION
        )


@pytest.mark.benchmark(group="distributions of totals", timer=time.process_time)
class TestDistribution:
    def test_perfect_play(self, benchmark: BenchmarkFixture, solution: SoloSolution) -> None:
        start = Position.start(TRADITIONAL)
        few(benchmark, lambda: solution.distribution(start))

    def test_a_policy_that_errs(self, benchmark: BenchmarkFixture, solution: SoloSolution) -> None:
        few(benchmark, lambda: solution.evaluate(Softmax(2.5, 10)))


@pytest.mark.benchmark(group="simulate games", timer=time.process_time)
class TestSimulate:
    @RULES
    def test_perfect_games(self, benchmark: BenchmarkFixture, rules: RuleSet) -> None:
        self.check(benchmark, solve(rules), 1_000_000)

    def test_games_of_a_novice(self, benchmark: BenchmarkFixture, solution: SoloSolution) -> None:
        self.check(benchmark, solution, 200_000, Softmax(2.5, 10))

    def check(
        self,
        benchmark: BenchmarkFixture,
        solution: SoloSolution,
        games: int,
        policy: Softmax | None = None,
    ) -> None:
        if policy:
            few(benchmark, lambda: simulate(solution, games, seed=1, policy=policy))
        else:
            simulate(solution, 1)  # the table of decisions is made once
            few(benchmark, lambda: simulate(solution, games, seed=1))
        if benchmark.stats:  # not with --benchmark-disable
            rate = games / benchmark.stats.stats.median
            benchmark.extra_info["games per CPU-second"] = round(rate)
