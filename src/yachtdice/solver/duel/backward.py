"""Solve layers backwards from the end of the game, with Numba if available, else with NumPy."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yachtdice.solver.arrays.turn import WIDTH, TurnValues

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.solver.duel.tree import Layer

OddsArray: TypeAlias = NDArray[np.floating[Any]]
"""The values of a layer, one pair after the other (see `yachtdice.solver.duel.tree`), then 0 and 1.

The last two stand for leads outside the windows.
"""

Progress: TypeAlias = "Callable[[int], None]"
"""Called with the number of states just solved, always in the calling thread."""

_TASK = 100_000
"""About how many states a task has: milliseconds each, so that solving can be interrupted."""


@cache
def has_numba() -> bool:
    """Return whether the compiled kernel can be used."""
    try:
        # Numba takes half a second to import: do it only when solving.
        from yachtdice.solver.duel import kernel  # noqa: F401, PLC0415
    except (ImportError, RuntimeError):
        # Numba raises RuntimeError where it finds no folder for its cache.
        return False
    return True


def end_values(layer: Layer, dtype: type[np.float32 | np.float64]) -> OddsArray:
    """Return the values of the last layer, where no box is open: a tie, if it is possible."""
    return np.array([0.5] * layer.size + [0, 1], dtype)


def solve_layer(  # noqa: PLR0913 - three of them have names
    layer: Layer,
    after: Layer,
    values: OddsArray,
    *,
    threads: int = 1,
    numba: bool | None = None,
    progress: Progress | None = None,
) -> OddsArray:
    """Return the values of *layer* from those of the layer *after* it, in the same type.

    With Numba they are computed by so many *threads*; without, by NumPy in float64 and one thread.
    """
    out = np.empty(layer.size + 2, values.dtype)
    out[-2:] = 0, 1
    report = progress or (lambda _: None)
    if has_numba() if numba is None else numba:
        _solve_compiled(layer, after, values, out, threads, report)
    else:
        _solve_plain(layer, after, values, out, report)
    return out


def _followers(layer: Layer, after: Layer) -> NDArray[np.int64]:
    """Return (movers, boxes): the number of the card left when a box is filled; -1 if not open."""
    cards = after.waiter if layer.swaps else after.mover
    bits = layer.boxes.bits
    left = layer.mover[:, None] & ~bits
    number = np.searchsorted(cards, left)
    return np.where(layer.mover[:, None] & bits, number, -1).astype(np.int64)


def _tasks(layer: Layer) -> list[tuple[int, int, int]]:
    """Return movers, each with a range of waiters: about equal shares of the layer."""
    tasks = []
    for i in range(len(layer.mover)):
        ends = layer.ends[i * len(layer.waiter) : (i + 1) * len(layer.waiter) + 1]
        parts = max(1, round((ends[-1] - ends[0]) / _TASK))
        goals = np.linspace(ends[0], ends[-1], parts + 1)
        cuts = np.searchsorted(ends, goals)
        cuts[0], cuts[-1] = 0, len(layer.waiter)
        tasks += [(i, int(j), int(k)) for j, k in pairwise(cuts) if k > j]
    return tasks


def _solve_compiled(  # noqa: PLR0913, PLR0917 - what solve_layer has made ready
    layer: Layer,
    after: Layer,
    values: OddsArray,
    out: OddsArray,
    threads: int,
    report: Progress,
) -> None:
    from yachtdice.solver.duel import kernel  # noqa: PLC0415 - see has_numba

    followers = _followers(layer, after)
    rooms = [kernel.Workspace(values.dtype) for _ in range(threads)]
    points, faces, rolls = layer.boxes.points, layer.boxes.faces, layer.boxes.rules.rolls

    def work(task: tuple[int, int, int]) -> int:
        i, j, k = task
        room = rooms.pop()
        try:
            is_open = np.flatnonzero(followers[i] >= 0)
            kernel.solve_pairs(
                is_open,
                points,
                faces,
                rolls,
                layer.low[i, j:k],
                layer.high[i, j:k],
                layer.start[i, j:k],
                out,
                layer.swaps,
                followers[i, is_open],
                j,
                after.low,
                after.high,
                after.start,
                values,
                room.table,
                *room.bases,
            )
        finally:
            rooms.append(room)
        ends = layer.ends[i * len(layer.waiter) :]
        return int(ends[k] - ends[j])

    tasks = _tasks(layer)
    if threads == 1:
        for task in tasks:
            report(work(task))
        return
    _share_out(work, tasks, threads, report)


def _share_out(
    work: Callable[[tuple[int, int, int]], int],
    tasks: list[tuple[int, int, int]],
    threads: int,
    report: Progress,
) -> None:
    """Let threads do the work; an interruption waits only for what they have in hand."""
    left = iter(tasks)
    pending: set[Future[int]] = set()
    with ThreadPoolExecutor(threads) as pool:
        while True:
            for task in left:
                pending.add(pool.submit(work, task))
                if len(pending) >= 2 * threads:
                    break
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                report(future.result())


def _solve_plain(
    layer: Layer, after: Layer, values: OddsArray, out: OddsArray, report: Progress
) -> None:
    states = layer.boxes.states
    followers = _followers(layer, after)
    turn_values = TurnValues(states)
    for i in range(len(layer.mover)):
        card = followers[i][states.row_box]
        rows = np.flatnonzero(card >= 0)
        card, points = card[rows, None], states.row_points[rows, None]
        widths = layer.high[i] - layer.low[i] + 1
        waiter = np.repeat(np.arange(len(widths)), widths)
        before = np.cumsum(widths) - widths
        lead = np.arange(len(waiter)) + np.repeat(layer.low[i] - before, widths)
        for start in range(0, len(waiter), WIDTH):
            j, x = waiter[start : start + WIDTH], -lead[start : start + WIDTH]
            place = (j, card) if layer.swaps else (card, j)
            bring = np.full((len(states.row_box), len(x)), -np.inf)
            bring[rows] = chances_after(after, values, place, x + points, swaps=layer.swaps)
            first = int(layer.start[i, 0]) + start
            # The chances of the rolls add up to 1 but for rounding.
            out[first : first + len(x)] = np.clip(1 - turn_values(bring), 0, 1)
            report(len(x))


def chances_after(
    after: Layer,
    values: OddsArray,
    place: tuple[NDArray[np.int64] | int, NDArray[np.int64] | int],
    lead: NDArray[np.int64],
    *,
    swaps: bool,
) -> OddsArray:
    """Return the chance of the seat that has just scored, for its new *lead*.

    *place* are the numbers of the mover's and the waiter's card in the layer *after*, *values* its
    values. Arrays are broadcast against each other.
    """
    seen = lead if swaps else -lead
    low, high = after.low[place], after.high[place]
    at = after.start[place] + seen - low
    at = np.where(seen < low, len(values) - 2, np.where(seen > high, len(values) - 1, at))
    found = values[at]
    return found if swaps else 1 - found
