# ruff: noqa: ANN401, ARG001, PLR0913, PLR0917 - what LLVM and Numba hand around has no types here, and
# an intrinsic is called with everything that it works on.
"""Turns compiled: the steps of `yachtdice.solver.arrays.lattice` as vector instructions, by Numba.

Compiled loops over rows of floats would spend most of their time on array views and alias checks.
So the inner steps are emitted as LLVM vector operations on addresses, `LANES` columns at a time: a
keep is one load for each keep that it leads to, one addition or maximum each, and one store. Import
this module only where Numba is wanted: that takes a quarter of a second or more, and the first call
ever compiles for a second; the result is kept in Numba's cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import types

from yachtdice.rules import DICE
from yachtdice.solver.arrays.lattice import (
    DOWN,
    FIRST_ROLL,
    KEEP_COUNT,
    ROLL_COUNT,
    ROLL_PROBABILITIES,
    STARTS,
    UP,
    Floats,
)

if TYPE_CHECKING:
    from yachtdice.solver.arrays.states import States

LANES = 64
"""How many columns are worked on together."""

_BYTES = 8
_LINE = 64
"""A load that crosses the border between two cache lines costs twice."""

# Their types say nothing of use here.
intrinsic: Any = extending.intrinsic
njit: Any = numba.njit

_DOUBLE, _INT64, _INT32 = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_ADDRESS = types.int64


def _load(builder: Any, address: Any) -> Any:
    value = builder.load(builder.inttoptr(address, _VECTOR.as_pointer()))
    value.align = _BYTES
    return value


def _store(builder: Any, address: Any, value: Any) -> None:
    builder.store(value, builder.inttoptr(address, _VECTOR.as_pointer())).align = _BYTES


def _row(builder: Any, table: Any, number: Any) -> Any:
    return builder.add(table, builder.mul(number, ir.Constant(_INT64, LANES * _BYTES)))


def _greater(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", x, y), x, y)


def _splat(builder: Any, scalar: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.Constant(_INT32, 0))
    zeros = ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES)
    return builder.shuffle_vector(one, undefined, zeros)


@intrinsic  # type: ignore[untyped-decorator]
def _mean(_typing: Any, table: Any, m: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """table[m] = the mean of six rows."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, target, *parts = arguments
        x = [_load(builder, _row(builder, base, part)) for part in parts]
        pairs = [builder.fadd(x[i], x[i + 1]) for i in (0, 2, 4)]
        total = builder.fadd(builder.fadd(pairs[0], pairs[1]), pairs[2])
        sixth = _splat(builder, ir.Constant(_DOUBLE, 1 / 6))
        _store(builder, _row(builder, base, target), builder.fmul(total, sixth))
        return context.get_dummy_value()

    return types.void(*[_ADDRESS] * 8), emit


@intrinsic  # type: ignore[untyped-decorator]
def _best(_typing: Any, table: Any, m: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """table[m] = the greatest of row m and five others."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, target, *parts = arguments
        value = _load(builder, _row(builder, base, target))
        for part in parts:
            value = _greater(builder, value, _load(builder, _row(builder, base, part)))
        _store(builder, _row(builder, base, target), value)
        return context.get_dummy_value()

    return types.void(*[_ADDRESS] * 7), emit


@intrinsic  # type: ignore[untyped-decorator]
def _best_from(_typing: Any, table: Any, m: Any, source: Any) -> Any:
    """table[m] = the greater of row m and `LANES` floats at an address."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, target, address = arguments
        row = _row(builder, base, target)
        _store(builder, row, _greater(builder, _load(builder, row), _load(builder, address)))
        return context.get_dummy_value()

    return types.void(*[_ADDRESS] * 3), emit


@intrinsic  # type: ignore[untyped-decorator]
def _copy(_typing: Any, table: Any, m: Any, source: Any) -> Any:
    """table[m] = `LANES` floats at an address."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, target, address = arguments
        _store(builder, _row(builder, base, target), _load(builder, address))
        return context.get_dummy_value()

    return types.void(*[_ADDRESS] * 3), emit


@intrinsic  # type: ignore[untyped-decorator]
def _add_share(_typing: Any, out: Any, table: Any, m: Any, share: Any) -> Any:
    """Add so large a share of table[m] to `LANES` floats at an address."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, base, source, weight = arguments
        row = _load(builder, _row(builder, base, source))
        part = builder.fmul(row, _splat(builder, weight))
        _store(builder, address, builder.fadd(_load(builder, address), part))
        return context.get_dummy_value()

    return types.void(*[_ADDRESS] * 3, types.float64), emit


_UP = np.ascontiguousarray(UP)
_DOWN = np.zeros((KEEP_COUNT, DICE), np.int64)
"""(462, 5): the keeps that are left when one die goes, some of them more than once."""
for _size in range(1, DICE + 1):
    _of_size = slice(STARTS[_size], STARTS[_size + 1])
    _DOWN[_of_size] = DOWN[_size][:, np.minimum(np.arange(DICE), _size - 1)]
_ROLL_BYTES = LANES * _BYTES * FIRST_ROLL


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def turns(
    source: Any, least: Any, rolls: Any, places: Any, rerolls: int, table: Any, out: Any
) -> None:
    """Write into *out* what turns are worth, `LANES` columns at a time.

    *source* holds what boxes bring, column next to column, and is read from places on that count
    in floats and move on with the columns: roll rolls[i] may be scored for what stands at
    places[i], every roll for what stands at each of *least*. That suits rows of equal length, and
    also one long row in which more points are an offset. *rerolls* follow the first roll; *table*
    is room for (462, LANES) floats; the length of *out* is a multiple of LANES.
    """
    t, s, o = table.ctypes.data, source.ctypes.data, out.ctypes.data
    for low in range(0, out.shape[0], LANES):
        here = s + _BYTES * low
        _copy(t, FIRST_ROLL, here + _BYTES * least[0])
        for i in range(1, least.shape[0]):
            _best_from(t, FIRST_ROLL, here + _BYTES * least[i])
        for m in range(FIRST_ROLL + 1, KEEP_COUNT):
            _copy(t, m, t + _ROLL_BYTES)
        for i in range(rolls.shape[0]):
            _best_from(t, FIRST_ROLL + rolls[i], here + _BYTES * places[i])
        for _ in range(rerolls):
            for i in range(FIRST_ROLL):
                m = FIRST_ROLL - 1 - i
                up = _UP[m]
                _mean(t, m, up[0], up[1], up[2], up[3], up[4], up[5])
            for m in range(1, KEEP_COUNT):
                down = _DOWN[m]
                _best(t, m, down[0], down[1], down[2], down[3], down[4])
        for i in range(LANES):
            out[low + i] = 0.0
        for roll in range(ROLL_COUNT):
            _add_share(o + _BYTES * low, t, FIRST_ROLL + roll, ROLL_PROBABILITIES[roll])


class CompiledTurnValues:
    """The same as `turn.TurnValues`, compiled."""

    width = 6 * LANES

    def __init__(self, states: States) -> None:
        """Prepare for turns of the rules of *states*."""
        self._rerolls = states.rules.rolls - 1
        self._least = states.box_rows[:-1]
        paying = [np.flatnonzero(box.which) for box in states.boxes]
        rolls = np.concatenate(paying)
        rows = [row[which] for row, which in zip(states.roll_rows, paying, strict=True)]
        order = np.argsort(rolls, kind="stable")
        self._rolls = rolls[order]
        self._rows = np.concatenate(rows)[order]
        self._table = aligned(KEEP_COUNT * LANES)
        self._source = aligned(len(states.row_box) * self.width)

    def __call__(self, rows: Floats) -> Floats:
        """Return what a turn is worth, (width,), where the *rows*, (rows, width), bring so much."""
        count, width = rows.shape
        values = np.empty(width)
        for low in range(0, width, self.width):
            part = rows[:, low : low + self.width]
            # The last lanes may stand for no column; what they hold is worked on all the same.
            padded = -(-part.shape[1] // LANES) * LANES
            source = self._source[: count * padded].reshape(count, padded)
            source[:, : part.shape[1]] = part
            source[:, part.shape[1] :] = 0
            out = np.empty(padded)
            least, places = self._least * padded, self._rows * padded
            turns(source.ravel(), least, self._rolls, places, self._rerolls, self._table, out)
            values[low : low + self.width] = out[: part.shape[1]]
        return values


def aligned(count: int) -> Floats:
    """Return room for *count* floats that begins on a cache line."""
    room = np.empty(count + _LINE // _BYTES)
    skip = -room.ctypes.data // _BYTES % (_LINE // _BYTES)
    return room[skip : skip + count]
