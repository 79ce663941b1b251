"""Exporting all streams of a store as lines of JSON, and importing them into any other store.

The first line is a header, each following line is one stream, and the last is the number of
streams, so that a truncated file is noticed. Streams are ordered by name, keys are sorted: stores
with the same streams export the same bytes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from yachtdice.store.contract import (
    Scannable,
    Store,
    Stored,
    StoreError,
    StreamDamagedError,
    StreamSnapshot,
    VersionConflictError,
)
from yachtdice.store.sql.schema import HEAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FORMAT, VERSION = "yacht-tables", 1
PAGE = 50
"""The number of streams in memory at once."""
_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "time": (int, float),
    "actor": (str,),
    "request": (str, type(None)),
    "kind": (str,),
    "data": (dict,),
}

Progress = Callable[[int], object]
"""Called with the number of streams done so far."""


class ArchiveError(StoreError):
    """A line that cannot be parsed; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(slots=True)
class Imported:
    """The outcome of an import."""

    new: int = 0
    """The number of streams added to the store."""
    there: int = 0
    """The number of streams that the store had already, identical."""
    differing: list[str] = field(default_factory=list)
    """Streams that differ in the store, where they are left as they are."""

    @property
    def total(self) -> int:
        """The number of streams read."""
        return self.new + self.there + len(self.differing)


async def snapshots_of(source: Scannable) -> AsyncIterator[StreamSnapshot]:
    """Yield all streams of *source* in order, a page of them in memory at a time."""
    after = ""
    while page := await source.scan(after, PAGE):
        for snapshot in page:
            yield snapshot
        after = page[-1].stream


async def export_streams(
    source: Scannable, write: Callable[[str], object], progress: Progress = lambda _: None
) -> int:
    """Pass the lines of all streams of *source* to *write*; return the number of streams.

    Raises:
        StoreError: If the source cannot be read, or a stream has a gap.
    """
    count = 0
    write(_line({"format": FORMAT, "version": VERSION, "schema": HEAD}))
    async for snapshot in snapshots_of(source):
        write(_line(_data_of(snapshot)))
        count += 1
        progress(count)
    write(_line({"streams": count}))
    return count


async def import_streams(
    store: Store, lines: Iterable[str], progress: Progress = lambda _: None
) -> Imported:
    """Add the streams of an archive to *store*, each wholly or not at all.

    A stream that exists already is left alone, so importing twice is harmless.

    Raises:
        ArchiveError: If a line cannot be parsed, or the last one is missing. What precedes it was
            imported; the same archive can be imported again once it is complete.
        StoreError: If the store cannot write.
    """
    imported = Imported()
    page: list[StreamSnapshot] = []
    try:
        for snapshot in _snapshots(lines):
            page.append(snapshot)
            if len(page) == PAGE:
                await _import(store, page, imported)
                page.clear()
                progress(imported.total)
    except (ArchiveError, UnicodeDecodeError):
        await _import(store, page, imported)
        raise
    await _import(store, page, imported)
    progress(imported.total)
    return imported


async def _import(store: Store, page: list[StreamSnapshot], imported: Imported) -> None:
    there = {
        snapshot.stream: snapshot
        for snapshot in await store.snapshots([snapshot.stream for snapshot in page])
    }
    old = [snapshot for snapshot in page if snapshot.stream in there]
    new = [snapshot for snapshot in page if snapshot.stream not in there]
    failures = await asyncio.gather(
        *(store.append(*snapshot.writes()) for snapshot in new), return_exceptions=True
    )
    lost = [f for f in failures if f is not None and not isinstance(f, VersionConflictError)]
    if lost:
        raise lost[0]
    # Another process was quicker, or the file has a stream twice.
    late = [
        snapshot for snapshot, failure in zip(new, failures, strict=True) if failure is not None
    ]
    if late:
        found = await store.snapshots([snapshot.stream for snapshot in late])
        there |= {snapshot.stream: snapshot for snapshot in found}
    imported.new += failures.count(None)
    for snapshot in old + late:
        if there.get(snapshot.stream) == snapshot:
            imported.there += 1
        else:
            imported.differing.append(snapshot.stream)


def _line(data: object) -> str:
    return f"{_ENCODER.encode(data)}\n"


def _data_of(snapshot: StreamSnapshot) -> dict[str, Any]:
    if snapshot.has_gap:
        raise StreamDamagedError(snapshot.stream, "its events are not numbered from 1 without gaps")
    events = [{key: getattr(event, key) for key in _TYPES} for event in snapshot.events]
    return {
        "stream": snapshot.stream,
        "stage": snapshot.stage,
        "members": list(snapshot.members),
        "events": events,
    }


def _snapshots(lines: Iterable[str]) -> Iterable[StreamSnapshot]:
    """Yield the streams in *lines*; see `import_streams`."""
    count = number = 0
    is_ended = False
    for number, line in enumerate(lines, start=1):
        if is_ended:
            raise ArchiveError(number, "there is more after the last line")
        try:
            data = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ArchiveError(number, f"no JSON: {error}") from error
        if number == 1:
            _check_head(data)
        elif isinstance(data, dict) and set(data) == {"streams"}:
            is_ended = True
            if data["streams"] != count:
                raise ArchiveError(number, f"there should be {data['streams']!r} streams")
        else:
            try:
                snapshot = _snapshot(data)
            except (ValueError, TypeError, KeyError) as error:
                raise ArchiveError(number, f"no stream: {error}") from error
            count += 1
            yield snapshot
    if not is_ended:
        raise ArchiveError(number + 1, "the file ends early")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _check_head(data: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArchiveError(1, f"this is no {FORMAT} file")
    if data.get("version") != VERSION:
        raise ArchiveError(1, f"version {data.get('version')!r:.40}; this program knows {VERSION}")


def _snapshot(data: dict[str, Any]) -> StreamSnapshot:
    name, stage, members = data["stream"], data["stage"], data["members"]
    if set(data) != {"stream", "stage", "members", "events"} or not (name and data["events"]):
        raise ValueError("other entries than a stream has")
    if not isinstance(members, list):
        raise TypeError("members are a list")
    if not all(isinstance(text, str) for text in (name, stage, *members)):
        raise TypeError("a text is expected")
    events = []
    for seq, event in enumerate(data["events"], start=1):
        wrong = [key for key, kinds in _TYPES.items() if type(event[key]) not in kinds]
        if wrong or len(event) != len(_TYPES):
            raise TypeError(f"event {seq} is none")
        events.append(Stored(name, seq, **event))
    return StreamSnapshot(name, stage, tuple(sorted(set(members))), tuple(events))
