"""The table of a whole game in a file: win odds for all pairs of cards with as many open boxes.

Only every other layer is stored, the starts of full rounds. A seat that is second to move looks
what its boxes bring up directly; a seat that is first goes through the other's next turn, which is
one turn for each number of points in each box. Chances are rounded to 65,535ths: an error of at
most `ERROR`, on top of the solver's own.

A file is a header of 4,096 bytes (a line of JSON, blanks, a newline), the chances as 16-bit
little-endian numbers, and a list of blocks. A block holds up to 32 pairs of one card of the mover,
in the order of layers, from few open boxes to many, and of `tree.subsets`; the list has for each
the number of chances, 8 bytes, and their SHA-256. Last come 32 bytes, the SHA-256 of header and
list: the checksum of the table. Blocks are checked when they are first looked at, so that opening a
file costs little and no damaged number is ever used.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from yachtdice.solver.duel.tree import Boxes, Layer, layers, whole_game
from yachtdice.solver.errors import ValueTableError, ValueTableReason
from yachtdice.solver.tables import FORMAT

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet

KIND = "duel"
VERSION = 1
"""Raised whenever the format, the order of the chances or the way they are computed changes."""

HEADER = 4096
STEPS = 65_535
ERROR = 0.5 / STEPS
"""What rounding can add to or take from a chance: less than 2^-17 + 2^-33."""

ENTRY = np.dtype([("count", "<i8"), ("digest", "u1", 32)])

PAIRS = 32
"""How many pairs a block has: the fewer, the less has to be read and checked for one position."""

_CARDS_KEPT = 64


def stored_layers(boxes: Boxes) -> list[Layer]:
    """Return the layers that are stored, from one open box on each card to all."""
    return layers(boxes, whole_game(boxes))[-3::-2]


def block_count(layer: Layer) -> int:
    """Return how many blocks each card of the mover has in a layer."""
    return -(-len(layer.waiter) // PAIRS)


def header_bytes(rules: RuleSet, first: float) -> bytes:
    """Return the header of a table in which the first player's value is *first*."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": KIND,
        "rules": rules.fingerprint,
        "key": rules.key,
        "first": first,
    }
    return json.dumps(header).encode().ljust(HEADER - 1) + b"\n"


@dataclass(frozen=True, eq=False)
class StoredCard:
    """The stored chances of one card of the mover against all cards of the waiter."""

    table: DuelTable
    block: int
    """The number of its first block."""
    waiter: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    start: NDArray[np.int64]

    def chances(self, waiter: NDArray[Any], lead: NDArray[Any]) -> NDArray[np.float64]:
        """Return the waiter's chance for some of its cards and leads; the arrays are broadcast.

        Raises:
            ValueTableError: If the table is damaged there.
        """
        j = np.searchsorted(self.waiter, waiter)
        for block in np.unique(j // PAIRS).tolist():
            self.table.check(self.block + block)
        low, high = self.low[j], self.high[j]
        inside = (lead >= low) & (lead <= high)
        at = np.where(inside, self.start[j] + lead - low, 0)
        return np.where(inside, self.table.values[at] / STEPS, lead > high)


class DuelTable:
    """The table of a rule set, mapped into memory from a file that `build_table` wrote."""

    def __init__(self, path: str | os.PathLike[str], rules: RuleSet) -> None:
        """Open the file.

        Raises:
            ValueTableError: If it cannot be read, is damaged, or holds anything else.
            DuelError: If the rules have an upper bonus.
        """
        self.path: Path = Path(path)
        self.boxes: Boxes = Boxes(rules)
        self._layers = stored_layers(self.boxes)
        try:
            data = np.memmap(self.path, np.uint8, "r")
        except (OSError, ValueError) as error:
            reason = ValueTableReason.DAMAGED if self.path.is_file() else ValueTableReason.MISSING
            raise ValueTableError(reason, str(error)) from error
        head = data[:HEADER].tobytes()
        header = self._header(head)
        counts = [len(layer.mover) * block_count(layer) for layer in self._layers]
        self._first_blocks = np.cumsum([0, *counts]).tolist()
        blocks = self._first_blocks[-1]
        end = len(data) - 32 - blocks * ENTRY.itemsize
        listed = data[max(end, 0) : -32].tobytes()
        self.checksum: str = data[-32:].tobytes().hex()
        """The checksum of all chances in the file, 64 hex digits."""
        if sha256(head + listed).hexdigest() != self.checksum:
            raise self._damaged("wrong checksum")
        self.first: float = float(header["first"])
        """The first player's chance to win, a tie counting one half."""
        self._list = np.frombuffer(listed, ENTRY)
        starts = np.cumsum(self._list["count"]) - self._list["count"]
        if end != HEADER + 2 * int(self._list["count"].sum()):
            raise self._damaged("wrong length")
        self.values: NDArray[np.uint16] = data[HEADER:end].view("<u2").view(np.ndarray)
        """All chances in the order of the file; `check` what is looked at."""
        self._starts = starts
        self._sound = np.zeros(blocks, bool)
        self._cards = lru_cache(_CARDS_KEPT)(self._read_card)

    @property
    def rules(self) -> RuleSet:
        """The rules that the table was made for."""
        return self.boxes.rules

    def card(self, mover: int) -> StoredCard:
        """Return what is stored for a card of the mover with those boxes open.

        Raises:
            ValueTableError: If the table is damaged there.
        """
        return self._cards(mover)

    def verify(self) -> None:
        """Check all blocks: the whole file is read.

        Raises:
            ValueTableError: If one is damaged.
        """
        for block in range(len(self._list)):
            self.check(block)

    def check(self, block: int) -> None:
        """Check the block of that number, unless that was done before.

        Raises:
            ValueTableError: If it is damaged.
        """
        if self._sound[block]:
            return
        start, count = self._starts[block], self._list["count"][block]
        content = self.values[start : start + count]
        if sha256(content.data).digest() != self._list["digest"][block].tobytes():
            raise self._damaged(f"block {block}: wrong checksum")
        self._sound[block] = True

    def _read_card(self, mover: int) -> StoredCard:
        count = mover.bit_count() - 1
        layer = self._layers[count]
        i = int(np.searchsorted(layer.mover, mover))
        per_card = block_count(layer)
        block = self._first_blocks[count] + i * per_card
        low, high = (array[0] for array in layer.windows(slice(i, i + 1)))
        widths = (high - low + 1).astype(np.int64)
        stored = int(self._list["count"][block : block + per_card].sum())
        if int(widths.sum()) != stored:
            raise self._damaged(f"card {mover:#x}: wrong length")
        start = self._starts[block] + np.cumsum(widths) - widths
        return StoredCard(self, block, layer.waiter, low, high, start)

    def _header(self, head: bytes) -> dict[str, Any]:
        try:
            header = json.loads(head)
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise self._damaged("no header")
        if header.get("kind") != KIND:
            kind = f"{header.get('kind')!r:.20}"
            raise ValueTableError(ValueTableReason.OTHER_KIND, f"{self.path}: {kind}, not {KIND}")
        if header.get("version") != VERSION:
            found = f"{self.path}: version {header.get('version')!r:.20}, not {VERSION}"
            raise ValueTableError(ValueTableReason.OTHER_VERSION, found)
        if header.get("rules") != self.rules.fingerprint:
            key = f"{header.get('key')!r:.50}"
            raise ValueTableError(ValueTableReason.OTHER_RULES, f"{self.path}: {key}")
        return header

    def _damaged(self, detail: str) -> ValueTableError:
        return ValueTableError(ValueTableReason.DAMAGED, f"{self.path}: {detail}")
