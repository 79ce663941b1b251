"""The figures of `docs/duel.md`: `python -m tools.duel.report --help`.

Each part solves the whole game and takes some minutes and five to nine gigabytes of memory.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tools.duel.match import Example, Match, Tally, play_match
from yachtdice.presets import find_rules
from yachtdice.rules import KEEPS
from yachtdice.solver.arrays.lattice import FIRST_ROLL, ROLLS
from yachtdice.solver.duel.backward import OddsArray, end_values, solve_layer
from yachtdice.solver.duel.build import build_table
from yachtdice.solver.duel.estimate import Estimate, played_to_win
from yachtdice.solver.duel.sources import SubGame
from yachtdice.solver.duel.table import DuelTable
from yachtdice.solver.duel.tree import Boxes, Layer, layers, whole_game
from yachtdice.solver.duel.view import View
from yachtdice.solver.solo import solve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.duel.match import Player
    from yachtdice.rules import RuleSet
    from yachtdice.solver.arrays.states import States

_NEARLY = 0.01
"""A game is open while both sides win more often than this."""


def _say(*cells: object) -> None:
    sys.stdout.write("| " + " | ".join(str(cell) for cell in cells) + " |\n")
    sys.stdout.flush()


def _head(*cells: str) -> None:
    _say(*cells)
    _say(*["---"] * len(cells))


@dataclass
class Errors:
    """How far some values are off."""

    count: int = 0
    sum: float = 0.0
    squares: float = 0.0
    most: float = 0.0

    def add(self, differences: OddsArray) -> None:
        """Count values that are so far off."""
        off = np.abs(differences, dtype=np.float64)
        self.count += len(off)
        self.sum += float(off.sum())
        self.squares += float(off @ off)
        self.most = max(self.most, float(off.max(initial=0)))

    @property
    def figures(self) -> tuple[str, str, str]:
        """The mean, the root of the mean square, and the most."""
        count = max(self.count, 1)
        figures = self.sum / count, sqrt(self.squares / count), self.most
        return tuple(f"{figure:.4%}" for figure in figures)  # type: ignore[return-value]


def precision(rules: RuleSet, threads: int) -> None:
    """Solve in float32 and in float64 side by side and print how far they are apart."""
    boxes = Boxes(rules)
    chain = layers(boxes, whole_game(boxes))
    single, double = (end_values(chain[-1], dtype) for dtype in (np.float32, np.float64))
    _head("open boxes", "states", "largest difference", "mean difference")
    worst = 0.0
    for place in range(len(chain) - 2, -1, -1):
        layer, after = chain[place], chain[place + 1]
        single = solve_layer(layer, after, single, threads=threads)
        double = solve_layer(layer, after, double, threads=threads)
        largest = total = 0.0
        for part in _parts(len(single)):
            off = np.abs(single[part] - double[part])
            largest = max(largest, float(off.max()))
            total += float(off.sum())
        worst = max(worst, largest)
        mean = total / layer.size
        _say("{} and {}".format(*layer.counts), layer.size, f"{largest:.2e}", f"{mean:.2e}")
        after.forget()
    _say("all", "", f"{worst:.2e}", "")
    _say("first player", "", f"{1 - float(single[0]):.8f}", f"{1 - float(double[0]):.12f}")


def _parts(length: int, size: int = 1 << 22) -> Iterator[slice]:
    return (slice(start, min(start + size, length)) for start in range(0, length, size))


def by_distributions(estimate: Estimate, layer: Layer, *, raw: bool) -> OddsArray:
    """Return the waiter's chances in a layer as the estimate has them before the mover's turn.

    *raw* leaves out that both play to win.
    """
    to_come = estimate.to_come.astype(np.float32)
    points = to_come.shape[1]
    out = np.empty(layer.size + 2, np.float32)
    out[-2:] = 0, 1
    theirs = to_come[layer.waiter]
    for i, mover in enumerate(layer.mover):
        low, high = int(layer.low[i].min()), int(layer.high[i].max())
        below = np.cumsum(estimate.to_come[mover])
        wins = below - estimate.to_come[mover] / 2
        padded = np.concatenate(
            (np.zeros(max(0, -low)), wins[max(0, low) :], np.ones(max(0, high) + points))
        ).astype(np.float32)
        windows = sliding_window_view(padded[: high - low + points], points)
        chances = theirs @ windows.T
        for j in range(len(layer.waiter)):
            start = layer.start[i, j]
            first, last = layer.low[i, j] - low, layer.high[i, j] - low + 1
            out[start : start + last - first] = chances[j, first:last]
    if not raw:
        for part in _parts(layer.size):
            out[part] = played_to_win(out[part], layer.counts[1], layer.counts[0])
    return out


def estimates(rules: RuleSet, threads: int, *, raw: bool) -> None:
    """Print how far the estimate is off, over all states."""
    boxes = Boxes(rules)
    chain = layers(boxes, whole_game(boxes))
    estimate = Estimate(solve(rules))
    exact = end_values(chain[-1], np.float32)
    _head("open boxes", "states", "mean", "rms", "most", "still open: mean", "rms", "most")
    totals = {"all": (Errors(), Errors()), "more than 8 rounds left": (Errors(), Errors())}
    for place in range(len(chain) - 2, -1, -1):
        layer, after = chain[place], chain[place + 1]
        guessed = by_distributions(estimate, after, raw=raw) if sum(after.counts) else exact
        found = solve_layer(layer, after, guessed, threads=threads)
        exact = solve_layer(layer, after, exact, threads=threads)
        here = Errors(), Errors()
        sums = [here, totals["all"]]
        if layer.counts[0] > 8:  # noqa: PLR2004 - as the heading says
            sums.append(totals["more than 8 rounds left"])
        for part in _parts(layer.size):
            off = found[part] - exact[part]
            is_open = (exact[part] > _NEARLY) & (exact[part] < 1 - _NEARLY)
            for everywhere, where_open in sums:
                everywhere.add(off)
                where_open.add(off[is_open])
        _say("{} and {}".format(*layer.counts), layer.size, *here[0].figures, *here[1].figures)
        after.forget()
    for name, errors in totals.items():
        _say(name, errors[0].count, *errors[0].figures, *errors[1].figures)


def matches(rules: RuleSet, threads: int, games: int, seed: int) -> None:
    """Play matches and print what came of them, and where play for points differs."""
    game = SubGame(Boxes(rules), View(rules.mask, rules.mask, 0), threads=threads)
    solo = solve(rules)
    _head("first", "second", "games", "first wins", "standard error", "by the table", "off")
    shown: Match | None = None
    pairs: list[tuple[Player, Player]] = [
        ("duel", "duel"),
        ("duel", "solo"),
        ("solo", "duel"),
        ("solo", "solo"),
    ]
    for players in pairs:
        match = play_match(game, solo, players, games, seed)
        shown = shown or match
        lost = match.losses[:, 1] - match.losses[:, 0]
        due = game.first + float(lost.mean())
        spread = f"{due:.4%} ± {lost.std() / sqrt(games):.4%}"
        off = f"{(match.mean - due) / match.error:+.1f}"
        _say(*players, games, f"{match.mean:.4%}", f"{match.error:.4%}", spread, off)
    assert shown
    sys.stdout.write("\n")
    _print_tallies(shown)
    sys.stdout.write("\n")
    for open_ in sorted(shown.examples, reverse=True):
        for example in shown.examples[open_]:
            sys.stdout.write(f"- {describe(example, solo.states)}\n")


@dataclass
class _Pair:
    holds: Tally = field(default_factory=Tally)
    boxes: Tally = field(default_factory=Tally)

    def add(self, tally: Tally, *, is_hold: bool) -> None:
        into = self.holds if is_hold else self.boxes
        into.decisions += tally.decisions
        into.differ += tally.differ
        into.loss += tally.loss

    @property
    def cells(self) -> Iterator[str]:
        for tally in (self.holds, self.boxes):
            count = max(tally.decisions, 1)
            yield f"{tally.differ / count:.2%}"
            yield f"{tally.loss / count:.4%}"


def _print_tallies(match: Match) -> None:
    """Print how often the move for points differs, by open boxes and by lead."""
    headings = ("holds that differ", "cost a hold", "boxes that differ", "cost a box")
    rounds: dict[int, _Pair] = {}
    leads: dict[int, _Pair] = {}
    everything = _Pair()
    for (open_, ten, is_hold), tally in match.tallies.items():
        for pair in (
            rounds.setdefault(open_, _Pair()),
            leads.setdefault(max(-8, min(7, ten)), _Pair()),
            everything,
        ):
            pair.add(tally, is_hold=bool(is_hold))
    _head("open boxes", *headings)
    for open_, pair in sorted(rounds.items(), reverse=True):
        _say(open_, *pair.cells)
    _say("all", *everything.cells)
    sys.stdout.write("\n")
    _head("lead", *headings)
    for ten, pair in sorted(leads.items()):
        first = "less than -70" if ten == -8 else f"{10 * ten} to {10 * ten + 9}"  # noqa: PLR2004
        _say("70 and more" if ten == 7 else first, *pair.cells)  # noqa: PLR2004


def describe(example: Example, states: States) -> str:
    """Return a sentence about a decision."""
    names = {box.bit: box.category.value for box in states.boxes}
    open_, other = (
        ", ".join(name for bit, name in names.items() if mask & bit)
        for mask in (example.mover, example.waiter)
    )

    def move(choice: int) -> str:
        if not example.left:
            return f"score {states.boxes[choice].category.value}"
        return f"hold {KEEPS[choice]}" if choice < FIRST_ROLL else "score"

    return (
        f"{example.lead:+} points, open {open_}, against {other}; {ROLLS[example.roll]},"
        f" rolls left {example.left}: for points {move(example.for_points)}"
        f" ({example.chance - example.loss:.2%}), to win {move(example.to_win)}"
        f" ({example.chance:.2%})"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.duel.report")
    parser.add_argument("part", choices=("table", "precision", "estimates", "matches"))
    parser.add_argument("--rules", default="traditional", help="the key of a rule set")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--games", type=int, default=100_000, help="games of each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--raw", action="store_true", help="estimates without the two numbers")
    parser.add_argument("--file", type=Path, help="where the table is, or is to be")
    given = parser.parse_args(arguments)
    rules = find_rules(given.rules)
    if given.part == "precision":
        precision(rules, given.threads)
    elif given.part == "estimates":
        estimates(rules, given.threads, raw=given.raw)
    elif given.part == "matches":
        matches(rules, given.threads, given.games, given.seed)
    else:
        path = given.file or Path(f"duel-{rules.key}.table")
        there = path.exists()
        table = DuelTable(path, rules) if there else build_table(path, rules, threads=given.threads)
        sys.stdout.write(f"{rules.key}: {table.first:.7f} {table.checksum}\n")


if __name__ == "__main__":
    main()
