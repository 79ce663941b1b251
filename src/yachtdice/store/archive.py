"""All streams of a store as lines of JSON, and back into any other store.

The first line says what it is, each line after that is one stream, and the last says how many there
were, so that a file that ends early is noticed. Streams stand in the order of their names and
entries in the order of theirs: stores that hold the same make the same file.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from yachtdice.store.contract import (
    Store,
    Stored,
    StoreError,
    StreamCopy,
    StreamDamagedError,
    VersionConflictError,
    Walkable,
)
from yachtdice.store.sql.schema import HEAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FORMAT, VERSION = "yacht-tables", 1
PAGE = 50
"""Streams that are held in memory at once."""
_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "time": (int, float),
    "actor": (str,),
    "request": (str, type(None)),
    "kind": (str,),
    "data": (dict,),
}

Told = Callable[[int], object]
"""Told how many streams are done."""


class ArchiveError(StoreError):
    """A line that cannot be read; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(slots=True)
class Imported:
    """What became of the streams of an archive."""

    new: int = 0
    """How many were put into the store."""
    there: int = 0
    """How many the store had already, wholly the same."""
    differing: list[str] = field(default_factory=list)
    """Those that the store has otherwise, and keeps as they are."""

    @property
    def total(self) -> int:
        """How many streams were read."""
        return self.new + self.there + len(self.differing)


async def copies_of(source: Walkable) -> AsyncIterator[StreamCopy]:
    """Yield all streams of *source* in their order, with few in memory at once."""
    after = ""
    while page := await source.walk(after, PAGE):
        for copy in page:
            yield copy
        after = page[-1].stream


async def export_streams(
    source: Walkable, write: Callable[[str], object], told: Told = lambda _: None
) -> int:
    """Give the lines of all streams of *source* to *write*; return how many streams there are.

    Raises:
        StoreError: If the source cannot be read, or the events of a stream are not without gaps.
    """
    count = 0
    write(_line({"format": FORMAT, "version": VERSION, "schema": HEAD}))
    async for copy in copies_of(source):
        write(_line(_data_of(copy)))
        count += 1
        told(count)
    write(_line({"streams": count}))
    return count


async def import_streams(
    store: Store, lines: Iterable[str], told: Told = lambda _: None
) -> Imported:
    """Put the streams of an archive into *store*, each wholly or not at all.

    A stream that is there already is left alone; so it does no harm to import twice.

    Raises:
        ArchiveError: If a line cannot be read, or the last one is missing. What stands before it
            was imported; the same archive can be imported again once it is whole.
        StoreError: If the store cannot keep something.
    """
    imported = Imported()
    page: list[StreamCopy] = []
    try:
        for copy in _copies(lines):
            page.append(copy)
            if len(page) == PAGE:
                await _import(store, page, imported)
                page.clear()
                told(imported.total)
    except (ArchiveError, UnicodeDecodeError):
        await _import(store, page, imported)
        raise
    await _import(store, page, imported)
    told(imported.total)
    return imported


async def _import(store: Store, page: list[StreamCopy], imported: Imported) -> None:
    there = {copy.stream: copy for copy in await store.copies([copy.stream for copy in page])}
    old = [copy for copy in page if copy.stream in there]
    new = [copy for copy in page if copy.stream not in there]
    failures = await asyncio.gather(
        *(store.append(*copy.writes()) for copy in new), return_exceptions=True
    )
    lost = [f for f in failures if f is not None and not isinstance(f, VersionConflictError)]
    if lost:
        raise lost[0]
    # Somebody else was quicker, or the file has it twice.
    late = [copy for copy, failure in zip(new, failures, strict=True) if failure is not None]
    if late:
        found = await store.copies([copy.stream for copy in late])
        there |= {copy.stream: copy for copy in found}
    imported.new += failures.count(None)
    for copy in old + late:
        if there.get(copy.stream) == copy:
            imported.there += 1
        else:
            imported.differing.append(copy.stream)


def _line(data: object) -> str:
    return f"{_ENCODER.encode(data)}\n"


def _data_of(copy: StreamCopy) -> dict[str, Any]:
    if copy.has_gap:
        raise StreamDamagedError(copy.stream, "its events are not numbered from 1 without gaps")
    events = [{key: getattr(event, key) for key in _TYPES} for event in copy.events]
    return {
        "stream": copy.stream,
        "stage": copy.stage,
        "members": list(copy.members),
        "events": events,
    }


def _copies(lines: Iterable[str]) -> Iterable[StreamCopy]:
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
                copy = _copy(data)
            except (ValueError, TypeError, KeyError) as error:
                raise ArchiveError(number, f"no stream: {error}") from error
            count += 1
            yield copy
    if not is_ended:
        raise ArchiveError(number + 1, "the file ends early")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _check_head(data: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArchiveError(1, f"this is no {FORMAT} file")
    if data.get("version") != VERSION:
        raise ArchiveError(1, f"version {data.get('version')!r:.40}; this program knows {VERSION}")


def _copy(data: dict[str, Any]) -> StreamCopy:
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
    return StreamCopy(name, stage, tuple(sorted(set(members))), tuple(events))
