"""What many tests of two-player play start from."""

from functools import cache

import numpy as np
import pytest

from tests.solver.duel.minimax import Minimax, small
from yachtdice import Category, Position, RuleSet
from yachtdice.solver.duel.backward import OddsArray, end_values, solve_layer
from yachtdice.solver.duel.tree import Boxes, Layer, Root, layers, whole_game

FEW = (
    small(Category.YACHT),
    small(Category.FOURS),
    small(Category.CHOICE, rolls=2),
    small(Category.YACHT, Category.LITTLE_STRAIGHT, rolls=2),
    small(Category.CHOICE, Category.ONES, rolls=1),
)
"""Rule sets that are small enough to look at every single outcome."""


@cache
def looked_through(rules: RuleSet) -> Minimax:
    """Return what looking at every outcome of a game for two has found."""
    minimax = Minimax()
    minimax(Position.start(rules, 2))
    return minimax


@pytest.fixture(
    scope="session", params=FEW, ids=lambda rules: "-".join(c.value for c in rules.scorers)
)
def looked_at(request: pytest.FixtureRequest) -> Minimax:
    return looked_through(request.param)


def solved(
    rules: RuleSet,
    *,
    numba: bool,
    dtype: type[np.float32 | np.float64] = np.float32,
    root: Root | None = None,
) -> list[tuple[Layer, OddsArray]]:
    """Return the layers of a game with their values, the first turn first."""
    boxes = Boxes(rules)
    chain = layers(boxes, root or whole_game(boxes))
    values = [end_values(chain[-1], dtype)]
    for place in range(len(chain) - 2, -1, -1):
        values.append(solve_layer(chain[place], chain[place + 1], values[-1], numba=numba))
    return list(zip(chain, reversed(values), strict=True))
