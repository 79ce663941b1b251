"""Sources of exact win odds: the table of a whole game, or a sub-game solved on demand."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.solver.arrays.turn import TurnValues
from yachtdice.solver.duel.backward import (
    OddsArray,
    Progress,
    chances_after,
    end_values,
    solve_layer,
)
from yachtdice.solver.duel.table import ERROR
from yachtdice.solver.duel.tree import Layer, Root, layers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from yachtdice.solver.arrays.lattice import Floats, Integers
    from yachtdice.solver.duel.table import DuelTable
    from yachtdice.solver.duel.tree import Boxes
    from yachtdice.solver.duel.view import View

FLOAT_ERROR = 1e-6
"""More than float32 adds up to in a whole game, as measured against float64."""


def final_odds(lead: NDArray[np.int64]) -> Floats:
    """Return the chances at the end of a game by the lead: 0, 1/2 (a tie) or 1, float64."""
    return (np.sign(lead) + 1) / 2


class TableSource:
    """Win odds by the table of the whole game, for any position that can occur in play."""

    tolerance: float = 2 * (ERROR + FLOAT_ERROR)

    def __init__(self, table: DuelTable) -> None:
        """Look things up in *table*."""
        self._table = table
        self._boxes = table.boxes
        self._states = table.boxes.states
        self._turn_values = TurnValues(self._states)

    def covers(self, view: View) -> bool:
        """Return whether the mover has as many boxes open as the other seat, or one more."""
        return view.mover.bit_count() - view.waiter.bit_count() in {0, 1}

    def brought(self, view: View) -> Floats:
        """Return the mover's chance after each box with each number of points, (rows,).

        Raises:
            ValueTableError: If the table is damaged there.
        """
        rows, left, points = self._rows(view.mover)
        lead = view.lead + points
        if view.mover.bit_count() > view.waiter.bit_count():
            found = self._stored(view.waiter, left, lead)
        else:
            found = 1 - self._next_turn(view.waiter, left, lead)
        brought = np.full(len(self._states.row_box), -np.inf)
        brought[rows] = found
        return brought

    def _rows(self, mover: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of the open boxes, what is left open after each, and its points."""
        rows = np.flatnonzero(self._boxes.open_rows(mover))
        return rows, mover & ~self._boxes.row_bits[rows], self._states.row_points[rows]

    def _stored(self, mover: int, waiter: NDArray[np.int64], lead: NDArray[np.int64]) -> Floats:
        """Return the waiter's chances against one card of the mover."""
        if not mover:
            return final_odds(lead)
        return self._table.card(mover).chances(waiter, lead)

    def _next_turn(self, mover: int, waiter: NDArray[np.int64], lead: NDArray[np.int64]) -> Floats:
        """Return the mover's chances against some cards and leads of the waiter."""
        rows, left, points = self._rows(mover)
        brought = np.full((len(self._states.row_box), len(lead)), -np.inf)
        for card in np.unique(waiter).tolist():
            columns = np.flatnonzero(waiter == card)
            ahead = points[:, None] - lead[columns]
            brought[np.ix_(rows, columns)] = self._stored(card, left[:, None], ahead)
        return self._turn_values(brought)


class SubGame:
    """All positions that can follow from one, solved."""

    tolerance: float = 2 * FLOAT_ERROR

    def __init__(
        self, boxes: Boxes, view: View, *, threads: int = 1, progress: Progress | None = None
    ) -> None:
        """Solve everything that can follow from *view*."""
        self.boxes = boxes
        self.layers: list[Layer] = layers(boxes, Root((view.mover, view.waiter), -view.lead))
        """The turns of the game, the first one first."""
        values = [end_values(self.layers[-1], np.float32)]
        for layer, after in pairwise(self.layers[::-1]):
            values.append(solve_layer(after, layer, values[-1], threads=threads, progress=progress))
        self.values: list[OddsArray] = values[::-1]
        """The values of each layer."""

    @property
    def first(self) -> float:
        """The chance of the mover of the position that was solved."""
        return 1 - float(self.values[0][0])

    def covers(self, view: View) -> bool:
        """Return whether the position can follow from the one that was solved."""
        place = self._place(view)
        if place is None:
            return False
        layer = self.layers[place]
        open_ = layer.root.open[layer.side], layer.root.open[1 - layer.side]
        if view.mover & ~open_[0] or view.waiter & ~open_[1]:
            return False
        lowest, highest = layer.reach(view.mover, view.waiter)
        return bool(lowest <= -view.lead <= highest)

    def brought(self, view: View) -> Floats:
        """Return the mover's chance after each box with each number of points, (rows,)."""
        place = self._place(view)
        assert place is not None  # covers() was asked
        states = tuple(np.array([n]) for n in (view.mover, view.waiter, view.lead))
        return self.brought_from(place, *states)[:, 0]

    def brought_from(self, place: int, mover: Integers, waiter: Integers, lead: Integers) -> Floats:
        """Return the mover's chance after each box with each number of points, (rows, width).

        *mover*, *waiter* and *lead*, (width,), are states of the layer at *place*: the boxes open
        on both cards, and the mover's points less the waiter's.
        """
        layer, after = self.layers[place], self.layers[place + 1]
        bits = self.boxes.row_bits[:, None]
        is_open = bits & mover != 0
        cards = after.waiter if layer.swaps else after.mover
        card = np.searchsorted(cards, np.where(is_open, mover & ~bits, cards[0]))
        other = np.searchsorted(layer.waiter, waiter)
        where = (other, card) if layer.swaps else (card, other)
        lead = lead + self.boxes.states.row_points[:, None]
        found = chances_after(after, self.values[place + 1], where, lead, swaps=layer.swaps)
        return np.where(is_open, found, -np.inf).astype(np.float64)

    def _place(self, view: View) -> int | None:
        counts = view.mover.bit_count(), view.waiter.bit_count()
        return next((i for i, layer in enumerate(self.layers) if layer.counts == counts), None)
