"""The exact distribution of final totals under a policy, forward from the first turn.

Each state carries a row of probabilities, one for each number of points scored so far. A turn
carries the probability of a state through its rolls and holds (`lattice.spread` is the way up that
`lattice.expect` looks down), ends in boxes and points, and moves the row on by those points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE
from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    KEEP_COUNT,
    OPTIONS,
    ROLL_COUNT,
    ROLL_PROBABILITIES,
    Floats,
    Integers,
    keep_index,
    roll_index,
    spread,
)
from yachtdice.solver.arrays.policy import Mixed, Pure, TurnPolicy
from yachtdice.solver.arrays.turn import WIDTH, Turns, study
from yachtdice.solver.distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.rules import Position
    from yachtdice.solver.arrays.states import States, Successors

_BY_KEEP = np.argsort(OPTIONS[:, 1], kind="stable")
_KEEPS_HELD, _KEEP_STARTS = np.unique(OPTIONS[_BY_KEEP, 1], return_index=True)


def final_totals(
    states: States,
    values: Floats,
    policy: TurnPolicy,
    position: Position | None = None,
    progress: Callable[[int], object] | None = None,
) -> Distribution:
    """Return the distribution of the final total of the card to move, played by *policy*.

    From the empty card where there is no *position*. *values* are those of all *states* under
    perfect play; they are what the policy is shown. *progress* is called with the number of states
    passed through since the last call; from the empty card on that is at most all of them.
    """
    state = states.start if position is None else states.of(position)
    points = 0 if position is None else position.card.total
    over = position is not None and position.is_over
    layer = 0 if over else int(states.open[state]).bit_count()
    # The widest rows of a block decide how far all of them are moved: leave room for one box more.
    width = 1 + int(states.maximum[states.open[state]]) + states.bonus
    width += max(int(box.pays[-1]) for box in states.boxes) + states.bonus
    numbers = np.array([state])
    rows = np.zeros((1, width))
    rows[0, 0] = 1
    opening = None if position is None or not layer else _opening(position)
    while layer:
        start = states.layers[layer - 1]
        after = np.zeros((states.layers[layer] - start, width))
        for low in range(0, len(numbers), WIDTH):
            block = numbers[low : low + WIDTH]
            turns = study(states, values, block)
            chances = turn_outcomes(turns, policy, *(opening or ()))
            part = rows[low : low + WIDTH]
            _move_on(states.successors(block), part, chances, after, start)
            if progress:
                progress(len(block))
        opening = None
        numbers = np.flatnonzero(after.any(axis=1))
        rows = after[numbers]
        numbers += start
        layer -= 1
    return Distribution(points, rows[0]).trimmed()


def turn_outcomes(
    turns: Turns, policy: TurnPolicy, rolled: Floats | None = None, rolls_left: int = 0
) -> Floats:
    """Return how turns end under *policy*: (rows, width), the chance of each box and its points.

    From the first roll on, or, where the chances of what was rolled are given as *rolled*,
    (252, width), from there with *rolls_left*.
    """
    width = len(turns.block)
    if rolled is None:
        rolled = np.repeat(ROLL_PROBABILITIES[:, None], width, axis=1)
        rolls_left = turns.states.rules.rolls - 1
    chances = np.zeros((len(turns.states.row_box), width))
    for left in range(rolls_left, -1, -1):
        decision = policy.choose(turns, left)
        if isinstance(decision, Pure):
            table = _play_pure(decision, rolled, left, turns.states, chances)
        else:
            table = _play_mixed(decision, rolled, left, turns.states, chances)
        spread(table)
        rolled = table[FIRST_ROLL:]
    return chances


def _play_pure(
    decision: Pure, rolled: Floats, left: int, states: States, chances: Floats
) -> Floats:
    """Add what is scored to *chances* and return what is held, (462, width)."""
    width = rolled.shape[1]
    columns = np.arange(width)
    rows = states.roll_rows[decision.box, np.arange(ROLL_COUNT)[:, None]]
    scores = decision.keep >= FIRST_ROLL if left else np.ones(rolled.shape, bool)
    chances += _gather(rows * width + columns, rolled * scores, chances.shape)
    if not left:
        return np.zeros((KEEP_COUNT, width))
    return _gather(decision.keep * width + columns, rolled * ~scores, (KEEP_COUNT, width))


def _gather(places: Integers, weights: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array in which each of *weights* is added up at its place."""
    flat = np.bincount(places.ravel(), weights.ravel(), shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64, copy=False)


def _play_mixed(
    decision: Mixed, rolled: Floats, left: int, states: States, chances: Floats
) -> Floats:
    """Add what is scored to *chances* and return what is held, (462, width)."""
    for which, scored in zip(states.roll_rows, decision.boxes * rolled, strict=True):
        for row in range(which.min(), which.max() + 1):
            chances[row] += scored[which == row].sum(axis=0)
    table = np.zeros((KEEP_COUNT, rolled.shape[1]))
    if left:
        held = decision.holds * rolled[OPTIONS[:, 0]]
        table[_KEEPS_HELD] = np.add.reduceat(held[_BY_KEEP], _KEEP_STARTS, axis=0)
        assert not table[FIRST_ROLL:].any(), "holding all five dice is not a move"
    return table


def _move_on(
    successors: Successors, rows: Floats, chances: Floats, after: Floats, start: int
) -> None:
    """Add the *rows* of some states, each moved on by its outcomes, to the rows *after*.

    The first of those belongs to the state numbered *start*.
    """
    used = np.flatnonzero(rows.any(axis=0))
    low, high = int(used[0]), int(used[-1]) + 1
    part = rows[:, low:high]
    for chance, numbers, points in zip(
        chances, successors.states - start, successors.points, strict=True
    ):
        possible = np.flatnonzero(chance)
        for gain in np.unique(points[possible]).tolist():
            which = possible[points[possible] == gain]
            moved = part[which] * chance[which, None]
            _add(after[:, low + gain : high + gain], numbers[which], moved)


def _add(target: Floats, places: Integers, rows: Floats) -> None:
    """Add *rows* to those of *target* at *places*, of which several may be the same."""
    if np.all(places[1:] > places[:-1]):
        target[places] += rows
        return
    order = np.argsort(places, kind="stable")
    found, starts = np.unique(places[order], return_index=True)
    target[found] += np.add.reduceat(rows[order], starts, axis=0)


def _opening(position: Position) -> tuple[Floats, int] | None:
    """Return the chances of what is rolled in a turn that has begun, and the rolls then left."""
    if position.is_turn_start:
        return None
    table = np.zeros((KEEP_COUNT, 1))
    if len(position.dice) == DICE:
        table[FIRST_ROLL + roll_index(position.dice)] = 1
        return table[FIRST_ROLL:], position.rolls_left
    table[keep_index(position.dice)] = 1
    spread(table)
    return table[FIRST_ROLL:], position.rolls_left - 1
