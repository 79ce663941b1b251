"""Order moves: best first, equal ones together and in a fixed order."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from yachtdice.rules import CATEGORIES, KEEPS, Category, Hold, Move, Score
from yachtdice.solver.arrays.lattice import (
    OPTION_STARTS,
    OPTIONS,
    Floats,
    Integers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TOLERANCE = 1e-9
"""Values that differ by no more are equal.

The published rule sets have thousands of moves that are worth exactly the same and that rounding
tells apart at about 1e-14; the smallest true difference is 1.4e-6 points.
"""


_SCORES = {category: Score(category) for category in CATEGORIES}


class Choice(NamedTuple):
    """A legal move, what it is worth, and what it gives away."""

    move: Move
    value: float
    """What the position is worth after the move, in the unit of the solution that ranked it."""
    loss: float
    """By how much that is less than after the best move; exactly 0 for every best move."""
    place: int
    """1 for the best moves, 2 for the next best, and so on; equal moves share a place."""

    @property
    def is_best(self) -> bool:
        """Whether no move is better."""
        return self.place == 1


@cache
def hold_moves(roll: int) -> tuple[tuple[Hold, ...], Integers]:
    """Return the holds of the roll of that number, in the order of ties, and the keeps' numbers.

    The first of the options is the roll itself: holding all five dice is not a move.
    """
    numbers = OPTIONS[OPTION_STARTS[roll] + 1 : OPTION_STARTS[roll + 1], 1]
    return tuple(Hold(KEEPS[number]) for number in numbers), numbers


def order(
    moves: Sequence[Move], values: Sequence[float], tolerance: float = TOLERANCE
) -> list[Choice]:
    """Return *moves* as choices, best first.

    Moves within *tolerance* of the best of them that has no place yet share one, and keep the order
    in which they were given: what rounding makes of equal values cannot show.
    """
    # Sorting keeps the order of equal values; those that only rounding tells apart follow below.
    falling = sorted(range(len(moves)), key=values.__getitem__, reverse=True)
    choices: list[Choice] = []
    start = place = 0
    while start < len(falling):
        top = values[falling[start]]
        end = start + 1
        while end < len(falling) and top - values[falling[end]] <= tolerance:
            end += 1
        loss = choices[0].value - top if choices else 0.0
        place += 1
        equal = falling[start:end] if end == start + 1 else sorted(falling[start:end])
        choices += [Choice(moves[i], top, loss, place) for i in equal]
        start = end
    return choices


def rank_moves(
    categories: Sequence[Category],
    scores: Floats,
    keeps: Floats | None,
    roll: int,
    points: float = 0.0,
) -> list[Choice]:
    """Return the moves with that roll as choices: boxes and, unless *keeps* is None, holds.

    *scores* (boxes,) is what the roll brings in each of *categories*, -inf where one is not open;
    *keeps* (462,) is what each keep is worth; *points* are added to both. Among equal moves boxes
    come before holds, boxes in the order of `Category.index`, holds with more dice before holds
    with fewer, and high dice before low ones.
    """
    moves: list[Move] = []
    values: list[float] = []
    for category, value in zip(categories, scores.tolist(), strict=True):
        if value > float("-inf"):
            moves.append(_SCORES[category])
            values.append(value + points)
    if keeps is not None:
        holds, numbers = hold_moves(roll)
        moves += holds
        values += (keeps[numbers] + points).tolist()
    return order(moves, values)
