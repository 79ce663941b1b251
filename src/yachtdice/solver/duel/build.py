"""Build the table of a whole game layer by layer; an interrupted build is resumed.

Beside the table lie two files while it is made: `<name>.part`, the table as far as it goes, and
`<name>.layer`, the last finished layer in float32, with which the work goes on to the same bits as
without an interruption. Both go when the table is there.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np
from filelock import FileLock, Timeout

from yachtdice.solver.duel.backward import OddsArray, end_values, has_numba, solve_layer
from yachtdice.solver.duel.errors import DuelError, DuelReason, SpaceError
from yachtdice.solver.duel.table import (
    ENTRY,
    HEADER,
    PAIRS,
    VERSION,
    DuelTable,
    block_count,
    header_bytes,
)
from yachtdice.solver.duel.tree import Boxes, Layer, layers, whole_game
from yachtdice.solver.tables import FORMAT

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet

_LARGEST = 64 << 30
"""Tables of more bytes are refused; real rule sets stay far below."""


@dataclass(frozen=True)
class Plan:
    """The resources that building a table takes, computed in advance."""

    states: int
    """How many states are solved."""
    table: int
    """How many bytes the table has."""
    disk: int
    """How many bytes are needed while it is made, the table among them."""
    memory: int
    """About how many bytes of memory are needed."""


@dataclass(frozen=True)
class Stage:
    """The progress of a build."""

    states: int
    """How many states are solved, those of an earlier run among them."""
    total: int
    resumed: int
    """How many of them an earlier run had solved."""


Report: TypeAlias = Callable[[Stage], None]


def plan_table(rules: RuleSet) -> Plan:
    """Return what building the table of *rules* takes.

    Raises:
        DuelError: If the rules have an upper bonus or the table would be absurdly large.
    """
    return _plan(layers(Boxes(rules), whole_game(Boxes(rules))))


def _plan(chain: list[Layer]) -> Plan:
    sizes, pairs = [], []
    for layer in chain:
        sizes.append(layer.size)
        pairs.append(layer.pairs)
        layer.forget()
    stored = sizes[-3::-2]
    blocks = sum(len(layer.mover) * block_count(layer) for layer in chain[-3::-2])
    table = HEADER + 2 * sum(stored) + blocks * ENTRY.itemsize + 32
    if table > _LARGEST:
        raise DuelError(DuelReason.TOO_LARGE, chain[0].boxes.rules.key)
    work = [
        4 * (a + b) + 16 * (p + q)
        for a, b, p, q in zip(sizes, sizes[1:], pairs, pairs[1:], strict=False)
    ]
    return Plan(sum(sizes[:-1]), table, table + 2 * 4 * max(stored), max(work))


def build_table(
    path: str | os.PathLike[str],
    rules: RuleSet,
    *,
    threads: int | None = None,
    report: Report | None = None,
) -> DuelTable:
    """Solve *rules* for two players and write the table to a file; return it.

    The work is shared by *threads*, by default one for each processor that may be used. If it is
    interrupted, the next call with the same file goes on from the last finished layer.

    Raises:
        DuelError: If the rules have an upper bonus, or Numba is not there.
        SpaceError: If there is too little free space on the disk.
        TimeoutError: If another process is at work on the same file.
        OSError: If a file cannot be written.
    """
    if not has_numba():
        raise DuelError(DuelReason.NO_NUMBA)
    path = Path(path)
    chain = layers(Boxes(rules), whole_game(Boxes(rules)))
    plan = _plan(chain)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path):
        _Builder(path, chain, plan, threads or _processors(), report or (lambda _: None)).run()
    return DuelTable(path, rules)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        with lock.acquire(blocking=False):
            yield
    except Timeout as error:
        raise TimeoutError(f"another process is at work on {path}") from error


class _Builder:
    """A build in progress."""

    def __init__(
        self, path: Path, chain: list[Layer], plan: Plan, threads: int, report: Report
    ) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._checkpoint = path.with_name(f"{path.name}.layer")
        self._chain = chain
        self._plan = plan
        self._threads = threads
        self._report = report
        self._rules = chain[0].boxes.rules
        blocks = sum(len(layer.mover) * block_count(layer) for layer in chain[-3::-2])
        self._blocks = np.zeros(blocks, ENTRY)
        self._done = 0
        """How many blocks are in the table."""

    def run(self) -> None:
        """Go on from the last finished layer to the end."""
        place, values = self._resume()
        self._need_space()
        solved = resumed = sum(layer.size for layer in self._chain[place:-1])
        self._report(Stage(solved, self._plan.states, resumed))
        writing: Future[None] | None = None

        def count(states: int) -> None:
            nonlocal solved
            solved += states
            self._report(Stage(solved, self._plan.states, resumed))

        with self._part.open("r+b") as file, ThreadPoolExecutor(1) as background:
            part = _Part(file)
            while place:
                layer, after = self._chain[place - 1], self._chain[place]
                values = solve_layer(
                    layer, after, values, threads=self._threads, numba=True, progress=count
                )
                after.forget()
                place -= 1
                if layer.counts[0] != layer.counts[1]:
                    continue
                if writing:
                    writing.result()
                self._store(part, layer, values)
                # What is needed for safety runs on while the next layer is solved.
                writing = background.submit(self._secure, part, place, values)
            if writing:
                writing.result()
            self._finish(part, 1 - float(values[-self._chain[0].low[0, 0]]))
        self._part.replace(self._path)
        self._checkpoint.unlink(missing_ok=True)

    def _store(self, part: _Part, layer: Layer, values: OddsArray) -> None:
        """Write the blocks of a layer into the table and record their checksums."""
        from yachtdice.solver.duel import kernel  # noqa: PLC0415 - takes long to import

        begin = HEADER + 2 * int(self._blocks["count"][: self._done].sum())
        first, per_card = self._done, block_count(layer)

        def work(i: int) -> None:
            ends = layer.ends[i * len(layer.waiter) : (i + 1) * len(layer.waiter) + 1]
            out = np.empty(ends[-1] - ends[0], "<u2")
            kernel.quantise(values[ends[0] : ends[-1]], out)
            part.write(out.data, begin + 2 * int(ends[0]))
            cuts = [*(ends[:-1:PAIRS] - ends[0]).tolist(), len(out)]
            for block, (start, end) in enumerate(pairwise(cuts), first + i * per_card):
                self._blocks["count"][block] = end - start
                digest = sha256(out[start:end].data).digest()
                self._blocks["digest"][block] = np.frombuffer(digest, np.uint8)

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(work, range(len(layer.mover))))
        self._done += len(layer.mover) * per_card

    def _secure(self, part: _Part, place: int, values: OddsArray) -> None:
        """Write a checkpoint: a layer and the checksums so far."""
        head = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "kind": "duel layer",
                "rules": self._rules.fingerprint,
                "place": place,
                "blocks": self._done,
            }
        ).encode()
        fresh = self._checkpoint.with_name(f"{self._checkpoint.name}.new")
        blocks = self._blocks[: self._done].tobytes()
        digest = sha256()
        with fresh.open("wb") as new:
            for content in (head + b"\n", blocks, values.data):
                digest.update(content)
                new.write(content)
            new.write(digest.digest())
        fresh.replace(self._checkpoint)
        part.secure()

    def _resume(self) -> tuple[int, OddsArray]:
        """Return the place of the last finished layer in the chain, and its values."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = self._read_checkpoint()
            if found:
                return found
        self._done = 0
        self._part.write_bytes(b"")
        return len(self._chain) - 1, end_values(self._chain[-1], np.float32)

    def _read_checkpoint(self) -> tuple[int, OddsArray] | None:
        content = np.fromfile(self._checkpoint, np.uint8)
        body = content[:-32]
        line = body[:1000].tobytes().partition(b"\n")[0]
        header = json.loads(line)
        expected = FORMAT, VERSION, "duel layer", self._rules.fingerprint
        if tuple(header[key] for key in ("format", "version", "kind", "rules")) != expected:
            return None
        if sha256(body.data).digest() != content[-32:].tobytes():
            return None
        done, place = header["blocks"], header["place"]
        start = len(line) + 1
        end = start + done * ENTRY.itemsize
        self._blocks[:done] = np.frombuffer(body[start:end].tobytes(), ENTRY)
        self._done = done
        if not self._part_is_whole():
            return None
        values = np.frombuffer(body[end:].tobytes(), "<f4").astype(np.float32)
        return (place, values) if len(values) == self._chain[place].size + 2 else None

    def _part_is_whole(self) -> bool:
        with self._part.open("rb") as part:
            part.seek(HEADER)
            for count, digest in self._blocks[: self._done]:
                if sha256(part.read(2 * int(count))).digest() != digest.tobytes():
                    return False
        return True

    def _need_space(self) -> None:
        """Refuse to start without the space that is still needed.

        Raises:
            SpaceError: If there is too little.
        """
        there = sum(
            file.stat().st_blocks * 512
            for file in (self._part, self._checkpoint)
            if file.exists() and hasattr(os.stat_result, "st_blocks")
        )
        free = shutil.disk_usage(self._path.parent).free
        if free + there < self._plan.disk:
            raise SpaceError(self._plan.disk, free + there)

    def _finish(self, part: _Part, first: float) -> None:
        """Write header, list and checksum, and sync the file to disk."""
        head = header_bytes(self._rules, first)
        listed = self._blocks.tobytes()
        end = HEADER + 2 * int(self._blocks["count"].sum())
        part.write(head, 0)
        part.write(listed + sha256(head + listed).digest(), end)
        part.file.truncate(end + len(listed) + 32)
        part.secure()


class _Part:
    """The unfinished table; threads may write to it concurrently."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self._lock = Lock()

    def write(self, content: bytes | memoryview, offset: int) -> None:
        with self._lock:
            self.file.seek(offset)
            self.file.write(content)

    def secure(self) -> None:
        """Sync the file to disk."""
        with self._lock:
            self.file.flush()
        os.fsync(self.file.fileno())
