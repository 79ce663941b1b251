# ruff: noqa: ANN401, PLR0913, PLR0917 - what LLVM and Numba hand around has no types here, and
# compiled functions are called with everything that they work on.
"""The turn of the two-player solver, compiled by Numba into hand-written vector instructions.

A vector of leads runs along with every roll and keep, one row of the table of 462 to each. What
makes it quick:

- Rows are one vector register wide, so that the whole table stays in the first-level cache.
- The steps of a reroll (1,050 additions, 210 multiplications, 1,260 maxima) are straight-line code
  in which every address is a constant, and operands that are soon needed again stay in registers.
  Two base addresses that the compiler cannot relate keep the instructions short.
- A roll is worth its best box: the largest of what the boxes of its low faces, those of its high
  faces, and all boxes that are not about one face are worth; each of these is shared by many rolls.

No operation is reordered or contracted by the compiler, so that the results are the same, bit for
bit, on every machine with IEEE arithmetic and whatever the width of its registers.

The kernel works in the type of the array that it is given: float32, and float64 to measure by.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import binding, ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import cgutils as _cgutils
from numba.core import config, types
from numpy.typing import NDArray

from yachtdice.solver.arrays.lattice import FIRST_ROLL, KEEP_COUNT, ROLL_COUNT
from yachtdice.solver.duel.steps import (
    BY_WAYS,
    FACES,
    MAXIMA,
    MEANS,
    OTHERS,
    SCORE_ORDER,
    SCORES,
    SIXES,
    WAYS,
    WITH_COUNT,
    next_uses,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

# Their types say nothing of use here.
intrinsic: Any = extending.intrinsic
njit: Any = numba.njit
cgutils: Any = _cgutils

_WIDE = not getattr(config, "CPU_NAME", None) and bool(
    binding.get_host_cpu_features().get("avx512f")
)

ROW = 64 if _WIDE else 32
"""How many bytes wide a row is: one register, or two where they are small and many."""

_AT_HAND = 16 if _WIDE else 8
"""How many rows are kept in registers for later use."""

_I32, _I64 = ir.IntType(32), ir.IntType(64)

_ANCHORS = (128, 384)
"""The rows at the base addresses: all rows are then within reach of a one-byte displacement."""


def _integer(value: int) -> Any:
    return ir.Constant(_I64, value)


class _Emitter:
    """Writes vector instructions for tables whose rows hold values of one type."""

    def __init__(self, builder: Any, array: Any) -> None:
        self.builder = builder
        single = array.dtype == types.float32
        self.scalar = ir.FloatType() if single else ir.DoubleType()
        self.size = 4 if single else 8
        self.lanes = ROW // self.size
        self.vector = ir.VectorType(self.scalar, self.lanes)

    def address(self, base: Any, offset: Any, kind: Any = None) -> Any:
        if isinstance(offset, int):
            offset = _integer(offset)
        kind = kind or self.vector
        return self.builder.inttoptr(self.builder.add(base, offset), kind.as_pointer())

    def load(self, address: Any, align: int = ROW) -> Any:
        value = self.builder.load(address)
        value.align = align
        return value

    def store(self, value: Any, address: Any) -> None:
        self.builder.store(value, address).align = ROW

    def constant(self, value: float) -> Any:
        return ir.Constant(self.vector, [ir.Constant(self.scalar, float(value))] * self.lanes)

    def number(self, base: Any, index: Any) -> Any:
        """Return an entry of a list of 32-bit numbers."""
        index = self.builder.mul(index, _integer(4))
        return self.builder.sext(self.builder.load(self.address(base, index, _I32)), _I64)

    def larger(self, x: Any, y: Any) -> Any:
        # There are no NaNs, and the sign of a zero does not matter: the operands may be swapped.
        flags = ["nnan", "nsz"]
        greater = self.builder.fcmp_ordered(">", x, y, flags=flags)
        return self.builder.select(greater, x, y, flags=flags)

    def sum_of_six(self, values: Sequence[Any]) -> Any:
        """Add three and three: no value passes through more than three additions."""
        add = self.builder.fadd
        first = add(add(values[0], values[1]), values[2])
        return add(first, add(add(values[3], values[4]), values[5]))

    def sixth(self, value: Any) -> Any:
        """Divide by six, rounded once: a sixth alone, rounded, would make all means too large."""
        near = float(np.float32(1 / 6)) if self.size == 4 else 1 / 6  # noqa: PLR2004 - bytes
        lacks = float(Fraction(1, 6) - Fraction(near))
        name = f"llvm.fma.v{self.lanes}f{8 * self.size}"
        kind = ir.FunctionType(self.vector, [self.vector] * 3)
        fma = cgutils.get_or_insert_function(self.builder.module, kind, name)
        rest = self.builder.fmul(value, self.constant(lacks))
        return self.builder.call(fma, [value, self.constant(near), rest])


class _Table(_Emitter):
    """Reads and writes rows by number; remembers those that are needed again soon."""

    def __init__(self, builder: Any, array: Any, bases: Sequence[Any]) -> None:
        super().__init__(builder, array)
        self._bases = bases
        self._rows: dict[int, Any] = {}

    def _place(self, row: int) -> Any:
        which = 0 if row < sum(_ANCHORS) // 2 else 1
        return self.address(self._bases[which], (row - _ANCHORS[which]) * ROW)

    def __getitem__(self, row: int) -> Any:
        if row not in self._rows:
            self._rows[row] = self.load(self._place(row))
        return self._rows[row]

    def __setitem__(self, row: int, value: Any) -> None:
        self.store(value, self._place(row))
        self._rows[row] = value

    def keep(self, needed: dict[int, int]) -> None:
        """Let go of all rows but those that are needed first; *needed* says when."""
        soon = sorted((row for row in self._rows if row in needed), key=needed.__getitem__)
        self._rows = {row: self._rows[row] for row in soon[:_AT_HAND]}


@intrinsic  # type: ignore[untyped-decorator]
def _reroll(_typing: Any, array: Any, _base: Any, _base2: Any) -> Any:
    """Look back over one reroll: from what rolls are worth after it to what they are before."""

    def emit(context: Any, builder: Any, _: Any, args: Any) -> Any:
        table = _Table(builder, array, args[1:])
        steps = MEANS + MAXIMA
        uses = next_uses(steps)
        for time, ((row, sources), needed) in enumerate(zip(steps, uses, strict=True)):
            values = [table[source] for source in sources]
            if time < len(MEANS):
                table[row] = table.sixth(table.sum_of_six(values))
            else:
                best = values[0]
                for value in values[1:]:
                    best = table.larger(best, value)
                table[row] = best
            table.keep(needed)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def _largest(
    _typing: Any, array: Any, _into: Any, _count: Any, _sources: Any, _list: Any, _each: Any
) -> Any:
    """Make *count* rows at the address *into*, each the largest of *each* rows at *sources*.

    The *list* of 32-bit numbers holds the offsets of the sources in bytes.
    """

    def emit(context: Any, builder: Any, _: Any, args: Any) -> Any:
        emitter = _Emitter(builder, array)
        _, into, count, sources, places, each = args
        best = cgutils.alloca_once(builder, emitter.vector)

        def source(index: Any) -> Any:
            place = emitter.address(sources, emitter.number(places, index))
            return emitter.load(place, emitter.size)

        with cgutils.for_range(builder, count) as row:
            first = builder.mul(row.index, each)
            builder.store(source(first), best)
            with cgutils.for_range(builder, each, start=_integer(1)) as other:
                value = source(builder.add(first, other.index))
                builder.store(emitter.larger(value, builder.load(best)), best)
            offset = builder.mul(row.index, _integer(ROW))
            emitter.store(builder.load(best), emitter.address(into, offset))
        return context.get_dummy_value()

    return types.void(array, *[types.int64] * 5), emit


@intrinsic  # type: ignore[untyped-decorator]
def _score(_typing: Any, array: Any, _base: Any, _base2: Any, _first: Any, _list: Any) -> Any:
    """Fill the rows of the rolls from those of the faces and of the other boxes.

    The *list* holds for each roll, in the order of `SCORE_ORDER`, the offset of the row of what the
    other boxes pay from the address *first*.
    """

    def emit(context: Any, builder: Any, _: Any, args: Any) -> Any:
        table = _Table(builder, array, args[1:3])
        first, places = args[3:]
        uses = next_uses(SCORES)
        for time, ((row, sources), needed) in enumerate(zip(SCORES, uses, strict=True)):
            value = table.larger(table[sources[0]], table[sources[1]])
            if row >= FIRST_ROLL:
                place = table.number(places, _integer(time - len(SCORES) + ROLL_COUNT))
                value = table.larger(value, table.load(table.address(first, place)))
            table[row] = value
            table.keep(needed)
        return context.get_dummy_value()

    return types.void(array, *[types.int64] * 4), emit


@intrinsic  # type: ignore[untyped-decorator]
def _first_roll(_typing: Any, array: Any, _base: Any, _base2: Any, _list: Any) -> Any:
    """Put what the turn is worth before its first roll into row 0.

    The *list* holds the offset of each roll's row, in the order of `BY_WAYS`, from the second base
    address, then for each six of them the number of ways.
    """

    def emit(context: Any, builder: Any, _: Any, args: Any) -> Any:
        table = _Table(builder, array, args[1:3])
        base, base2, places = args[1:]
        lanes = ir.Constant(ir.VectorType(_I32, table.lanes), [0] * table.lanes)
        undefined = ir.Constant(table.vector, ir.Undefined)
        with cgutils.for_range(builder, _integer(SIXES)) as six:
            values = []
            for other in range(6):
                index = builder.add(builder.mul(six.index, _integer(6)), _integer(other))
                values.append(table.load(table.address(base2, table.number(places, index))))
            ways = table.number(places, builder.add(six.index, _integer(ROLL_COUNT)))
            single = builder.sitofp(ways, table.scalar)
            single = builder.insert_element(undefined, single, ir.Constant(_I32, 0))
            spread = builder.shuffle_vector(single, undefined, lanes)
            total = builder.fmul(table.sum_of_six(values), spread)
            offset = builder.mul(six.index, _integer(ROW))
            # The rows of the keeps are not needed any more.
            first_row = builder.sub(base, _integer(_ANCHORS[0] * ROW))
            table.store(total, table.address(first_row, offset))
        sums = [table[row] for row in range(SIXES)]
        while len(sums) > 1:
            pairs = [builder.fadd(*sums[i : i + 2]) for i in range(0, len(sums) - 1, 2)]
            sums = pairs + sums[2 * len(pairs) :]
        table[0] = builder.fdiv(sums[0], table.constant(7776))
        return context.get_dummy_value()

    return types.void(array, *[types.int64] * 3), emit


# A plan is one list of 32-bit numbers: for the first roll, for the rolls, for the faces, and for
# the classes of rolls by what the other boxes pay.
_PLAN_ROLLS = ROLL_COUNT + SIXES
_PLAN_FACES = _PLAN_ROLLS + ROLL_COUNT
_PLAN_CLASSES = _PLAN_FACES + 36
_FIRST_ROLL_PLAN = np.concatenate(
    ((FIRST_ROLL + BY_WAYS - _ANCHORS[1]) * ROW, WAYS[BY_WAYS[::6]])
).astype(np.int32)


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _make_plan(
    open_boxes: NDArray[np.int64],
    points: NDArray[np.int32],
    faces: NDArray[np.int32],
    stride: int,
    size: int,
) -> tuple[NDArray[np.int32], int, int]:
    """Write down where the leaves of each roll are; return that, the other boxes and the classes.

    Boxes that look at the count of one face only, one to a face, go to the face rows. What the
    other boxes pay together puts the rolls into classes; each class has a row. The leaves of each
    box are a row of *stride* values of so many bytes *size*; behind them come zeros.
    """
    zeros = len(open_boxes) * stride * size
    plan = np.empty(_PLAN_CLASSES + ROLL_COUNT * max(1, len(open_boxes)), np.int32)
    plan[:_PLAN_ROLLS] = _FIRST_ROLL_PLAN
    plan[_PLAN_FACES:] = zeros
    others = 0
    other = np.empty(len(open_boxes), np.int64)
    for b in range(len(open_boxes)):
        box = open_boxes[b]
        if faces[box] < 0:
            other[others] = b
            others += 1
            continue
        for count in range(6):
            paid = points[box, WITH_COUNT[faces[box], count]]
            plan[_PLAN_FACES + 6 * faces[box] + count] = (b * stride + paid) * size
    each = max(1, others)
    classes = 0
    model = np.empty(ROLL_COUNT, np.int64)
    for place in range(ROLL_COUNT):
        roll = SCORE_ORDER[place]
        found = 0
        while found < classes:
            same = True
            for k in range(others):
                box = open_boxes[other[k]]
                same = same and points[box, roll] == points[box, model[found]]
            if same:
                break
            found += 1
        plan[_PLAN_ROLLS + place] = found * ROW
        if found == classes:
            model[classes] = roll
            for k in range(others):
                paid = points[open_boxes[other[k]], roll]
                plan[_PLAN_CLASSES + classes * each + k] = (other[k] * stride + paid) * size
            classes += 1
    return plan, each, classes


# Functions of their own, called and not inlined: with the addresses in registers on entry, the
# long code runs up to twice as fast as within a loop that loads them.


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _reroll_once(table: NDArray[np.float32], base: int, base2: int) -> None:
    _reroll(table, base, base2)


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _score_once(table: NDArray[np.float32], base: int, base2: int, first: int, places: int) -> None:
    _score(table, base, base2, first, places)


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _turn(
    table: NDArray[np.float32],
    base: int,
    base2: int,
    rolls: int,
    plan: int,
    each: int,
    classes: int,
    leaves: int,
) -> None:
    """Put what a turn of so many *rolls* is worth into row 0; *plan* and *leaves* are addresses."""
    start = base - _ANCHORS[0] * ROW
    others = start + (OTHERS if OTHERS + classes <= FIRST_ROLL else KEEP_COUNT) * ROW
    _largest(table, start + FACES * ROW, 36, leaves, plan + 4 * _PLAN_FACES, 1)
    _largest(table, others, classes, leaves, plan + 4 * _PLAN_CLASSES, each)
    _score_once(table, base, base2, others, plan + 4 * _PLAN_ROLLS)
    for _ in range(rolls - 1):
        _reroll_once(table, base, base2)
    _first_roll(table, base, base2, plan)


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _leaves(
    first: int,
    row: NDArray[np.float32],
    values: NDArray[np.float32],
    start: int,
    low: int,
    high: int,
    swaps: bool,  # noqa: FBT001
) -> None:
    """Fill *row* with the mover's chance after scoring, for own leads from *first* on.

    *values*, from *start*, are the waiter's chances in the next layer for leads *low* to *high*.
    Where the mover goes on and does not become the waiter, lead and chance are turned round.
    """
    if not swaps:
        low, high = -high, -low
    length = len(row)
    here = min(max(low - first, 0), length)
    there = min(max(high + 1 - first, here), length)
    row[:here] = 0
    row[there:] = 1
    if swaps:
        at = start + first - low
        for t in range(here, there):
            row[t] = values[at + t]
    else:
        at = start + high - first
        for t in range(here, there):
            row[t] = 1 - values[at - t]


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def solve_pairs(
    open_boxes: NDArray[np.int64],
    points: NDArray[np.int32],
    faces: NDArray[np.int32],
    rolls: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    start: NDArray[np.int64],
    out: NDArray[np.float32],
    swaps: bool,  # noqa: FBT001
    followers: NDArray[np.int64],
    first_waiter: int,
    next_low: NDArray[np.int32],
    next_high: NDArray[np.int32],
    next_start: NDArray[np.int64],
    values: NDArray[np.float32],
    table: NDArray[np.float32],
    base: int,
    base2: int,
) -> None:
    """Compute the values of one mover's card against some of the waiter's.

    *low*, *high*, *start* (pairs,) are the windows of the pairs and where in *out* their values go;
    *open_boxes* numbers the rows of *points*, the boxes that the mover has open; *followers* gives
    for each the number of the card that is left when it is filled. The arrays called next and
    *values* describe the next layer. The last three are those of a `Workspace`; the addresses come
    from outside so that the compiler cannot tell one from the other.
    """
    lanes = ROW // out.itemsize
    boxes = len(open_boxes)
    span = 0
    for b in range(boxes):
        span = max(span, points[open_boxes[b]].max())
    widest = 0
    for j in range(len(low)):
        widest = max(widest, high[j] - low[j] + 1)
    stride = -(-widest // lanes) * lanes + span
    # The zeros at the end are as long as a row: a block of them is read at any place in it.
    leaves = np.zeros((boxes + 1, stride), out.dtype)
    plan, each, classes = _make_plan(open_boxes, points, faces, stride, out.itemsize)
    for j in range(len(low)):
        width = high[j] - low[j] + 1
        if width <= 0:
            continue
        length = -(-width // lanes) * lanes + span
        for b in range(boxes):
            row, column = first_waiter + j, followers[b]
            if not swaps:
                row, column = followers[b], first_waiter + j
            _leaves(
                -high[j],
                leaves[b, :length],
                values,
                next_start[row, column],
                next_low[row, column],
                next_high[row, column],
                swaps,
            )
        for block in range(0, width, lanes):
            _turn(
                table,
                base,
                base2,
                rolls,
                plan.ctypes.data,
                each,
                classes,
                leaves.ctypes.data + block * out.itemsize,
            )
            last = start[j] + width - 1 - block
            for lane in range(min(lanes, width - block)):
                out[last - lane] = 1 - table[0, lane]


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def quantise(values: NDArray[np.float32], out: NDArray[np.uint16]) -> None:
    """Round chances to whole numbers of 65,535ths."""
    for i in range(len(values)):
        out[i] = np.uint16(np.float64(values[i]) * 65535 + 0.5)


class Workspace:
    """The table for the turns of one thread."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        lanes = ROW // dtype.itemsize
        rows = KEEP_COUNT + ROLL_COUNT
        room = np.zeros((rows + 1) * lanes, dtype)
        # Rows must not lie across cache lines.
        skip = -room.ctypes.data % ROW // room.itemsize
        self.table: NDArray[Any] = room[skip : skip + rows * lanes].reshape(rows, lanes)
        self.bases: tuple[int, ...] = tuple(
            self.table.ctypes.data + anchor * ROW for anchor in _ANCHORS
        )
