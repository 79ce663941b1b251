"""Counts of the game tree: the distinct histories of so many rolls and decisions.

Each outcome of a roll, as a multiset, is one branch, and so is each decision.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from yachtdice import TRADITIONAL, Category, OfAKind, Position, RuleSet

OPENING = Position.start(TRADITIONAL)
ONE_BOX = RuleSet("one-box", {Category.YACHT: OfAKind(5, 50)})
STARTS = {
    # A name, the position, and how deep to go.
    "solo, twelve open boxes": (OPENING, 3),
    "solo, one open box": (Position.start(ONE_BOX), 7),
}


def perft(position: Position, depth: int) -> int:
    """Return the number of histories that are *depth* steps long, by walking through them all."""
    if depth == 0:
        return 1
    if position.must_roll:
        return sum(perft(position.roll(dice), depth - 1) for dice, _ in position.outcomes())
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())


def steps(position: Position) -> Iterator[tuple[Position, Fraction]]:
    """Yield the positions one step on, with their probability if decisions are made at random."""
    for dice, chance in position.outcomes():
        yield position.roll(dice), chance
    moves = position.legal_moves()
    for move in moves:
        yield position.play(move), Fraction(1, len(moves))


def plies(start: Position, depth: int) -> Iterator[dict[Position, tuple[int, Fraction]]]:
    """Yield the positions after 0, 1, ... *depth* steps.

    Each comes with the number of histories that lead to it, and their probability.
    """
    ply = {start: (1, Fraction(1))}
    yield ply
    for _ in range(depth):
        following: dict[Position, tuple[int, Fraction]] = defaultdict(lambda: (0, Fraction()))
        for position, (histories, probability) in ply.items():
            for after, chance in steps(position):
                so_far, sum_so_far = following[after]
                following[after] = so_far + histories, sum_so_far + probability * chance
        ply = dict(following)
        yield ply


@pytest.mark.parametrize(("depth", "histories"), [(0, 1), (1, 252), (2, 7_140), (3, 1_015_896)])
def test_perft_of_the_opening(depth: int, histories: int) -> None:
    assert perft(OPENING, depth) == histories


def test_perft(golden: Callable[[str, str], None]) -> None:
    lines = ["depth  histories  positions\n"]
    for title, (start, depth) in STARTS.items():
        lines += ["\n", f"{title}\n"]
        for number, ply in enumerate(plies(start, depth)):
            histories = sum(histories for histories, _ in ply.values())
            lines.append(f"{number:5} {histories:30,} {len(ply):8,}\n")
    golden("perft.txt", "".join(lines))


@pytest.mark.parametrize("title", STARTS)
def test_probabilities_sum_to_exactly_one_at_each_depth(title: str) -> None:
    ended = Fraction(0)
    for ply in plies(*STARTS[title]):
        assert sum(probability for _, probability in ply.values()) + ended == 1
        ended += sum(probability for at, (_, probability) in ply.items() if at.is_over)
