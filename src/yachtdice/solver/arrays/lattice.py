"""Rolls and keeps as numbers, the links between them, and the two steps that a turn is made of.

There are 462 keeps, the multisets of 0 to 5 dice, numbered by size and then in lexicographic order
of their faces; the last 252 of them are the rolls. Two kinds of link join them: adding one die (210
keeps x 6 faces) and dropping one die. With them a turn costs little: what a keep is worth before
the roll is the mean over the one die added (`expect`), what dice are worth before the choice is the
maximum over the one die dropped (`best`), so that neither the 462 x 252 table of probabilities nor
the lists of all keeps of a roll are ever needed.

Both steps work in place on a table of shape (462, width). What runs along the second axis is up to
the caller: states of one layer, points still needed, differences of points. About 250 columns of
float64 at a time fit the second-level cache and keep the NumPy calls few.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yachtdice.rules import DICE, FACES, KEEPS, Dice, DiceError, roll_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

SIZES = tuple(comb(size + 5, 5) for size in range(DICE + 1))
"""How many keeps of 0, 1, ... 5 dice there are: 1, 6, 21, 56, 126, 252."""

STARTS = tuple(sum(SIZES[:size]) for size in range(DICE + 2))
"""The number of the first keep of each size; the last entry is 462."""

KEEP_COUNT = STARTS[-1]
FIRST_ROLL = STARTS[DICE]
"""210: keep number 210 + i and roll number i are the same dice."""
ROLL_COUNT = SIZES[DICE]

ROLLS = KEEPS[FIRST_ROLL:]
"""All rolls in the order of their numbers."""


def keep_index(dice: Dice) -> int:
    """Return the number, 0 to 461, of a keep of 0 to 5 dice.

    >>> keep_index(Dice([])), keep_index(Dice([1, 1, 1, 1, 1])), keep_index(Dice([6, 6, 6, 6, 6]))
    (0, 210, 461)
    """
    return dice.index


def roll_index(dice: Dice) -> int:
    """Return the number, 0 to 251, of a roll of five dice.

    Raises:
        DiceError: If they are not five.
    """
    if len(dice) != DICE:
        raise DiceError(dice.faces, "a roll has five dice")
    return dice.index - FIRST_ROLL


def _children(dice: Dice) -> list[int]:
    faces = dice.faces
    return [Dice(faces[:i] + faces[i + 1 :]).index for i in range(len(faces))]


def _options() -> Iterator[tuple[int, int]]:
    for roll, dice in enumerate(ROLLS):
        numbers = sorted((kept.index for kept in dice.holds()), reverse=True)
        yield from ((roll, number) for number in numbers)


UP: Integers = np.array([[(k + Dice([f])).index for f in FACES] for k in KEEPS[:FIRST_ROLL]])
"""(210, 6): the keep that adding a die of face 1 + j makes of keep i."""

DOWN: tuple[Integers, ...] = tuple(
    np.array([_children(dice) for dice in KEEPS[STARTS[size] : STARTS[size + 1]]], np.int64)
    for size in range(DICE + 1)
)
"""For each size n, (keeps of that size, n): the keep left when die j, from the lowest on, goes.

Like dice make equal entries next to each other; a maximum does not mind.
"""

ROLL_PROBABILITIES: Floats = np.array([float(p) for _, p in roll_outcomes(DICE)])
"""(252,): the chance of each roll of five dice, a multinomial coefficient over 7,776."""

OPTIONS: Integers = np.array(list(_options()))
"""(4368, 2): each roll with each keep that is part of it, the roll itself first.

Within a roll the keeps come in falling order, more dice before fewer and high faces before low
ones: the order in which ties between holds are broken.
"""

OPTION_STARTS: Integers = np.searchsorted(OPTIONS[:, 0], np.arange(ROLL_COUNT + 1))
"""(253,): the options of roll i are the rows OPTION_STARTS[i] to OPTION_STARTS[i + 1]."""


_COUNTS = np.diff(OPTION_STARTS)

ROLLS_BY_OPTIONS: Integers = np.argsort(-_COUNTS, kind="stable")
"""(252,): the rolls, those with the most options first."""


def _by_place() -> Iterator[Integers]:
    for place in range(int(_COUNTS.max())):
        rolls = ROLLS_BY_OPTIONS[: (place < _COUNTS).sum()]
        yield OPTIONS[OPTION_STARTS[rolls] + place, 1]


OPTIONS_BY_PLACE: tuple[Integers, ...] = tuple(_by_place())
"""The options again, for loops over whole arrays: the keeps that are the first option of the rolls
in the order of `ROLLS_BY_OPTIONS`, the second one of as many of them as have two, and so on."""

_ADDED = [
    [
        np.ascontiguousarray(UP[STARTS[n] : STARTS[n + 1], face] - STARTS[n + 1])
        for face in range(len(FACES))
    ]
    for n in range(DICE)
]
_DROPPED = [
    [np.ascontiguousarray(DOWN[n][:, die] - STARTS[max(n - 1, 0)]) for die in range(n)]
    for n in range(DICE + 1)
]


def expect(table: NDArray[Any], scratch: NDArray[Any] | None = None) -> None:
    """Replace what keeps of fewer than five dice are worth by the mean over the rolls that follow.

    *table* has the shape (462, width); its rows 210 to 461 hold the values of the rolls and stay.
    Costs 210 x (5 additions + 1 multiplication) a column. *scratch*, at least (252, width), saves
    the allocation. Where the table holds Python integers (dtype object), the sum over the six faces
    stands in for their mean, so that the values of a keep of n dice count in units of 6^(n - 5).
    """
    t = np.empty_like(table[:ROLL_COUNT]) if scratch is None else scratch
    exact = table.dtype == object
    for size in range(DICE - 1, -1, -1):
        start, end, top = STARTS[size : size + 3]
        out, source = table[start:end], table[end:top]
        part = t[: end - start]
        # Adding the lowest face leaves the order alone: those keeps come first, without look-ups.
        out[:] = source[: end - start]
        for face in range(1, len(FACES)):
            np.take(source, _ADDED[size][face], axis=0, out=part, mode="clip")
            np.add(out, part, out=out)
        if not exact:
            np.multiply(out, 1 / len(FACES), out=out)


def best(table: NDArray[Any], scratch: NDArray[Any] | None = None) -> None:
    """Replace what each keep is worth by the most that it, or any part of it, is worth.

    *table* has the shape (462, width). Keeping everything stays among the choices: the caller puts
    what a roll is worth as it lies into rows 210 to 461. Costs 1,260 maxima a column, and some more
    for like dice.
    """
    t = np.empty_like(table[:ROLL_COUNT]) if scratch is None else scratch
    for size in range(1, DICE + 1):
        start, end = STARTS[size : size + 2]
        source, out = table[STARTS[size - 1] : start], table[start:end]
        part = t[: end - start]
        for die in range(size):
            np.take(source, _DROPPED[size][die], axis=0, out=part, mode="clip")
            np.maximum(out, part, out=out)


def spread(table: Floats) -> None:
    """Add to each roll the weight of the keeps from which it is rolled; the transpose of `expect`.

    *table* has the shape (462, width) and holds probabilities: of each keep being held, and in rows
    210 to 461 of each roll lying there already. Afterwards those rows hold the probabilities of the
    rolls once the dice are rolled; the other rows are used up.
    """
    for size in range(DICE):
        start, end, top = STARTS[size : size + 3]
        sixth = table[start:end] * (1 / len(FACES))
        source = table[end:top]
        for face in range(len(FACES)):
            # One face leads to different keeps from different ones: no entry is hit twice.
            source[_ADDED[size][face]] += sixth
