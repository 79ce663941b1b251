"""The states of a game for two: layers of pairs of cards, each with a window of leads.

A state of the game is taken at the start of a turn: the boxes open on the card of the seat to move
(the *mover*), the boxes open on the other card (the *waiter*), and the *lead*, the waiter's points
less the mover's. Its value is the waiter's chance to win, a tie counting one half: so the value
rises with the lead, and whoever has just scored looks the chance up as it is stored.

From given numbers of open boxes the numbers of all later turns follow: who has scored waits, unless
nobody else has a box left. So the states form a chain of layers, one for each turn, and each layer
needs the next one only. A layer holds every pair of a mover's and a waiter's card; a pair holds one
window of leads: those that can come about from the root and leave the game undecided. Beyond it the
waiter has won (above) or lost (below).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from yachtdice.rules import CATEGORIES, DICE
from yachtdice.solver.arrays.lattice import ROLLS, Integers
from yachtdice.solver.arrays.states import Box, States
from yachtdice.solver.duel.errors import DuelError, DuelReason

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet

_SETS = 1 << len(CATEGORIES)

MAX_SPAN = 20_000
"""The widest window of leads, in points; rules that need a wider one are refused."""


class Boxes:
    """The boxes of a rule set as arrays for two-player play."""

    def __init__(self, rules: RuleSet) -> None:
        """Prepare the boxes of *rules*.

        Raises:
            DuelError: If there is an upper bonus: what a box pays then depends on the card.
        """
        self.states: States = States(rules)
        if self.states.bonus:
            raise DuelError(DuelReason.BONUS, rules.key)
        self.rules = rules
        self.boxes: tuple[Box, ...] = self.states.boxes
        self.maximum: NDArray[np.int32] = self._sums([int(box.pays[-1]) for box in self.boxes])
        """(4096,): the most points that a set of boxes can bring."""
        self.minimum: NDArray[np.int32] = self._sums([int(box.pays[0]) for box in self.boxes])
        """(4096,): the fewest points that a set of boxes can bring."""
        if int(self.maximum[rules.mask]) > MAX_SPAN:
            raise DuelError(DuelReason.TOO_LARGE, rules.key)

    @cached_property
    def points(self) -> NDArray[np.int32]:
        """(boxes, 252): what each roll is worth in each box."""
        return np.stack([box.points for box in self.boxes]).astype(np.int32)

    @cached_property
    def bits(self) -> NDArray[np.int32]:
        """(boxes,): the bit of each box in masks."""
        return np.array([box.bit for box in self.boxes], np.int32)

    @cached_property
    def row_bits(self) -> Integers:
        """(rows,): the bit of the box of each row of `states`."""
        return self.bits[self.states.row_box].astype(np.int64)

    def open_rows(self, open_: int) -> NDArray[np.bool_]:
        """Return (rows,): whether a box of *open_* is the one of each row."""
        is_open: NDArray[np.bool_] = self.row_bits & open_ != 0
        return is_open

    @cached_property
    def faces(self) -> NDArray[np.int32]:
        """(boxes,): the face, 0 to 5, on whose count alone a box depends; -1 if it is no such box.

        A face is given to one box only.
        """
        faces = []
        for points in self.points:
            found = [f for f in range(6) if f not in faces and _depends_on(points, f)]
            faces.append(found[0] if found else -1)
        return np.array(faces, np.int32)

    def _sums(self, points: list[int]) -> NDArray[np.int32]:
        sums = np.zeros(_SETS, np.int32)
        for box, value in zip(self.boxes, points, strict=True):
            sums += np.where(np.arange(_SETS) & box.bit, value, 0).astype(np.int32)
        return sums


def _depends_on(points: NDArray[np.int32], face: int) -> bool:
    count = np.array([dice.counts[face] for dice in ROLLS])
    return all(len(np.unique(points[count == n])) == 1 for n in range(DICE + 1))


def subsets(mask: int, size: int) -> NDArray[np.int32]:
    """Return the subsets of *mask* with so many members, in rising order."""
    numbers = np.arange(mask + 1, dtype=np.int32)
    found: NDArray[np.int32] = numbers[(numbers & ~mask == 0) & (np.bitwise_count(numbers) == size)]
    return found


@dataclass(frozen=True, eq=False)
class Layer:
    """All states of one turn of the game."""

    boxes: Boxes
    root: Root
    side: int
    """Which card of the root is the mover's: 0 that of the root's mover, 1 the other."""
    counts: tuple[int, int]
    """How many boxes the mover and the waiter have open."""
    swaps: bool
    """Whether the waiter moves next; the mover goes on if no box of the waiter is open."""

    @cached_property
    def mover(self) -> NDArray[np.int32]:
        """(movers,): the sets of open boxes that the mover can have, rising."""
        return subsets(self.root.open[self.side], self.counts[0])

    @cached_property
    def waiter(self) -> NDArray[np.int32]:
        """(waiters,): the sets of open boxes that the waiter can have, rising."""
        return subsets(self.root.open[1 - self.side], self.counts[1])

    def windows(self, row: slice = slice(None)) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the lowest and the highest lead of each pair, (movers, waiters), for some movers.

        Where the highest is one less than the lowest, all leads that can come about are decided.
        """
        maximum, minimum = self.boxes.maximum, self.boxes.minimum
        mine, theirs = self.mover[row, None], self.waiter[None, :]
        lowest, highest = self.reach(mine, theirs)
        # What can still be lost and won: at either end the game can just be tied.
        low = np.maximum(lowest, minimum[mine] - maximum[theirs])
        high = np.minimum(highest, maximum[mine] - minimum[theirs])
        # An empty window stands at the side of what can come about, so that all of that is decided.
        empty = low > high
        won = empty & (lowest > high)
        low = np.where(empty, np.where(won, lowest, highest + 1), low)
        high = np.where(empty, low - 1, high)
        return low.astype(np.int32), high.astype(np.int32)

    def reach(
        self, mine: NDArray[np.int32] | int, theirs: NDArray[np.int32] | int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the lowest and the highest lead that can have come about since the root.

        *mine* and *theirs* are the boxes open on the mover's and the waiter's cards.
        """
        maximum, minimum = self.boxes.maximum, self.boxes.minimum
        used_mine = self.root.open[self.side] ^ mine
        used_theirs = self.root.open[1 - self.side] ^ theirs
        now = self.root.lead if self.side == 0 else -self.root.lead
        return (
            now + minimum[used_theirs] - maximum[used_mine],
            now + maximum[used_theirs] - minimum[used_mine],
        )

    @cached_property
    def low(self) -> NDArray[np.int32]:
        """(movers, waiters): the lowest lead in the window of each pair."""
        return self._windows[0]

    @cached_property
    def high(self) -> NDArray[np.int32]:
        """(movers, waiters): the highest lead in the window of each pair."""
        return self._windows[1]

    @cached_property
    def _windows(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return self.windows()

    @cached_property
    def ends(self) -> Integers:
        """(movers * waiters + 1,): where the values of each pair start, and where the last end."""
        widths = (self.high - self.low + 1).ravel()
        return np.concatenate(([0], np.cumsum(widths, dtype=np.int64)))

    @cached_property
    def start(self) -> Integers:
        """(movers, waiters): where the values of each pair start among those of the layer."""
        return self.ends[:-1].reshape(self.low.shape)

    @cached_property
    def pairs(self) -> int:
        """How many pairs of cards there are."""
        return len(self.mover) * len(self.waiter)

    @cached_property
    def size(self) -> int:
        """How many values the layer has."""
        return int(self.ends[-1])

    def forget(self) -> None:
        """Drop the arrays, which can be had again."""
        for name in ("_windows", "low", "high", "ends", "start"):
            self.__dict__.pop(name, None)


@dataclass(frozen=True)
class Root:
    """From where on a game is looked at."""

    open: tuple[int, int]
    """The boxes open on the mover's and on the waiter's card."""
    lead: int
    """The waiter's points less the mover's."""


def layers(boxes: Boxes, root: Root) -> list[Layer]:
    """Return the layers of a game from *root* on, the first turn first and the end last."""
    side, counts = 0, [root.open[0].bit_count(), root.open[1].bit_count()]
    found = []
    while True:
        swaps = counts[1 - side] > 0 or counts[side] <= 1
        found.append(Layer(boxes, root, side, (counts[side], counts[1 - side]), swaps))
        if not counts[side]:
            return found
        counts[side] -= 1
        if swaps:
            side = 1 - side


def whole_game(boxes: Boxes) -> Root:
    """Return the root of a game from the empty cards on."""
    return Root((boxes.rules.mask, boxes.rules.mask), 0)
