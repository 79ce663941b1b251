# ruff: noqa: E402, T201 - threads are limited before NumPy is imported; the output is what it is for
"""The solver beside public programs that do something alike, in one session on one core.

It installs nothing: whatever of `yatzy-solver` and `open-spiel` can be imported takes part. Each
number is the median CPU time of some rounds, and the programs take turns, so that what else the
machine does falls on all alike. `docs/benchmarks.md` says what the rows mean, and what they do not.

    pip install yacht-dice[duel] yatzy-solver open-spiel
    python benchmarks/peers.py
"""

import os
import sys

for threads in ("RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[threads] = "1"  # before anything that reads them is imported

import time
from collections.abc import Callable
from importlib import import_module, metadata
from importlib.util import find_spec
from random import Random
from statistics import median
from typing import Any

from yachtdice import DICE, FACES, TRADITIONAL, Dice, Position, parse_dice
from yachtdice.presets import find_rules
from yachtdice.solver import simulate, solve

CONSOLE = find_rules("console")
SITUATION = "dice 1 2 4 4 6 | rolls 2 | upper 0 | filled -"


class Row:
    """One thing that a program does: how often a run does it, and how long runs took."""

    def __init__(self, program: str, what: str, run: Callable[[], object], count: int = 1) -> None:
        self.program = program
        self.what = what
        self.run = run
        self.count = count
        self.times: list[float] = []

    def take(self) -> None:
        before = time.process_time()
        self.run()
        self.times.append(time.process_time() - before)

    @property
    def seconds(self) -> float:
        return median(self.times) / self.count


def ours() -> list[list[Row]]:
    """Return our rows, one list for each subject."""
    plain = solve(TRADITIONAL)
    bonus = solve(CONSOLE)
    simulate(plain, 1)
    simulate(bonus, 1)
    position = Position.start(TRADITIONAL).roll(parse_dice("1-2-4-4-6"))
    games, questions = 1_000_000, 2000
    solving = [
        Row("yacht-dice", "Yacht, no bonus: 4,096 states", lambda: solve(TRADITIONAL)),
        Row("yacht-dice", "console Yacht, bonus: 119,872 states", lambda: solve(CONSOLE)),
    ]
    if find_spec("numba"):
        solve(TRADITIONAL, compiled=True)
        solving += [
            Row(
                "yacht-dice, compiled",
                "Yacht, no bonus",
                lambda: solve(TRADITIONAL, compiled=True),
            ),
            Row(
                "yacht-dice, compiled",
                "console Yacht, bonus",
                lambda: solve(CONSOLE, compiled=True),
            ),
        ]
    return [
        solving,
        [
            Row("yacht-dice", "Yacht, no bonus", lambda: simulate(plain, games, seed=1), games),
            Row("yacht-dice", "console Yacht", lambda: simulate(bonus, games, seed=1), games),
        ],
        [
            Row(
                "yacht-dice",
                "all moves of a first roll",
                lambda: repeat(lambda: plain.rank(position), questions),
                questions,
            )
        ],
        [
            Row("yacht-dice", "1 seat, Python", lambda: playouts(1), 300),
            Row("yacht-dice", "2 seats, Python", lambda: playouts(2), 300),
        ],
    ]


def repeat(ask: Callable[[], object], count: int) -> None:
    """Ask so often, and drop the answers."""
    for _ in range(count):
        ask()


def playouts(seats: int) -> None:
    """Play 300 games of moves drawn uniformly from `legal_moves()`."""
    random = Random(1)  # noqa: S311 - no secret
    for _ in range(300):
        position = Position.start(TRADITIONAL, seats)
        while not position.is_over:
            if position.must_roll:
                position = position.roll(Dice(random.choices(FACES, k=DICE - len(position.dice))))
            else:
                position = position.play(random.choice(position.legal_moves()))


def yatzy_solver() -> list[list[Row]]:
    """Return the rows of yatzy-solver, which knows no Yacht: its games are alike in size."""
    module: Any = import_module("yatzy_solver")
    name = f"yatzy-solver {metadata.version('yatzy-solver')}"
    rules = {
        "american+no-bonus": "13 boxes, no bonus",
        "american": "13 boxes, bonuses",
        "yatzy-scandinavian": "15 boxes, bonus",
    }
    variants = {key: module.Variant(key) for key in rules}
    solver = module.Solver.build(variants["american+no-bonus"])
    games, questions = 4000, 2000

    def build(key: str) -> Callable[[], object]:
        return lambda: module.Solver.build(variants[key])

    return [
        [Row(name, what, build(key)) for key, what in rules.items()],
        [Row(name, "13 boxes, no bonus", lambda: solver.simulate(games), games)],
        [
            Row(
                name,
                "all moves of a first roll",
                lambda: repeat(lambda: solver.option_values(SITUATION), questions),
                questions,
            )
        ],
        [],
    ]


def open_spiel() -> list[list[Row]]:
    """Return the rows of OpenSpiel, which plays Yacht, by rules that differ, and solves nothing."""
    module: Any = import_module("pyspiel")
    name = f"open-spiel {metadata.version('open-spiel')}"

    def playouts(seats: int, games: int = 100) -> None:
        game = module.load_game(f"yacht(players={seats})")
        for n in range(games):
            bots = [module.make_uniform_random_bot(seat, n) for seat in range(seats)]
            module.evaluate_bots(game.new_initial_state(), bots, n)

    def from_python(games: int = 10) -> None:
        random = Random(1)  # noqa: S311 - no secret
        game = module.load_game("yacht(players=2)")
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, chances)[0])
                else:
                    state.apply_action(random.choice(state.legal_actions()))

    return [
        [],
        [],
        [],
        [
            Row(name, "1 seat, C++", lambda: playouts(1), 100),
            Row(name, "2 seats, C++", lambda: playouts(2), 100),
            Row(name, "2 seats, Python", from_python, 10),
        ],
    ]


SUBJECTS = (
    "Solving a whole game: CPU-seconds",
    "Games of perfect play, simulated: CPU-seconds a game",
    "Valuing all moves of a position: CPU-seconds a question",
    "Random playouts: CPU-seconds a game",
)


def main(rounds: int) -> None:
    """Print a table for each subject, in Markdown."""
    programs = [ours()]
    for name, make in {"yatzy_solver": yatzy_solver, "pyspiel": open_spiel}.items():
        if find_spec(name):
            programs.append(make())
        else:
            print(f"{name} cannot be imported: it is left out\n")
    for subject, *parts in zip(SUBJECTS, *programs, strict=True):
        rows = [row for part in parts for row in part]
        for _ in range(rounds):
            for row in rows:
                row.take()
        print(f"{subject}\n\n| program | what | each | ratio |\n|---|---|---|---|")
        for row in rows:
            ratio = row.seconds / rows[0].seconds
            print(f"| {row.program} | {row.what} | {row.seconds:.3g} s | {ratio:.3g} |")
        print()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
