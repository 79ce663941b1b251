"""Yacht alone, solved exactly: what every position is worth, and everything that follows from it.

    from yachtdice import TRADITIONAL, Position, parse_dice
    from yachtdice.solver import solve

    solution = solve(TRADITIONAL)
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    print(solution.expected, solution.rank(position)[0])

`solve(rules)` returns a `SoloSolution`:

- `expected`, `sd`: of the total of a game; `value(position)`: the expected final total from there;
- `rank(position)`: every legal move as a `Choice` (`move`, `value`, `loss`, `place`, `is_best`);
- `turn(mask, upper=0)`: the arrays of a `Turn`;
- `distribution(position=None, policy=PERFECT)`, `evaluate(policy)`: an exact `Distribution`;
- `target(points)`: a `TargetSolution` (`chance(position)`, `rank(position)`); `targets.chances()`;
- `save(path)`, `SoloSolution.load(path, rules)`.

`solve(rules, exact=True)` returns an `ExactSolution`, whose `value(open)` is a `Fraction`;
`cached_solution(rules, folder)` keeps the values on disk, `cached_totals(solution, folder)` the
distribution of totals; `simulate(solution, games, seed=1)` plays many games and returns a
`Simulation`. Needs NumPy (the extra `solver`).
"""

try:
    import numpy as np  # noqa: F401 - to say what is missing before anything else does
except ImportError as _error:
    raise ImportError(
        "yachtdice.solver needs NumPy: pip install 'yacht-dice[solver]'", name="numpy"
    ) from _error

from yachtdice.solver.arrays.choice import Choice
from yachtdice.solver.arrays.policy import PERFECT, Mixed, Pure, TurnPolicy, Uniform
from yachtdice.solver.arrays.turn import Turns
from yachtdice.solver.distribution import Distribution
from yachtdice.solver.errors import ValueTableError, ValueTableReason
from yachtdice.solver.exact import ExactSolution
from yachtdice.solver.simulation import Simulation, simulate
from yachtdice.solver.softmax import Softmax
from yachtdice.solver.solo import SoloSolution, Turn, cached_solution, cached_totals, solve
from yachtdice.solver.target import Targets, TargetSolution

__all__ = [
    "PERFECT",
    "Choice",
    "Distribution",
    "ExactSolution",
    "Mixed",
    "Pure",
    "Simulation",
    "Softmax",
    "SoloSolution",
    "TargetSolution",
    "Targets",
    "Turn",
    "TurnPolicy",
    "Turns",
    "Uniform",
    "ValueTableError",
    "ValueTableReason",
    "cached_solution",
    "cached_totals",
    "simulate",
    "solve",
]
