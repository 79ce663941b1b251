"""Archives: what goes out of one store comes into any other, wholly, once, or not at all."""

import asyncio
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

import pytest

from yachtdice.store.archive import PAGE, ArchiveError, export_streams, import_streams
from yachtdice.store.contract import Entry, Store, Stored, StreamDamagedError, StreamSnapshot, Write
from yachtdice.store.memory import MemoryStore

pytestmark = pytest.mark.anyio


async def fill(store: Store, number: int = 5) -> None:
    """Put streams into *store* in which everything is odd that can be."""
    for index in range(number):
        name = f"s{index * 7919 % 1000:03}"
        members = [f"m{index % 3}", "all"][: index % 3]
        data = {"b": [index, None, True, 0.1], "a": '"\u00e9\\ \U0001f3b2\n\x7f'}
        await store.append(
            Write(name, 0, [Entry("k1", data), Entry("k2", {})], 0.1, "a", "r", members, "open")
        )
        for later in range(index % 4):
            request = f"r{later}" if later else None
            at = 1e9 + later / 3
            await store.append(Write(name, 2 + later, [Entry("k", data)], at, "b", request))
    if number > 1:
        await store.append(Write("s000", 2, [Entry("k", {})], 5.0, members=["late"], stage="over"))


async def exported(store: Store) -> list[str]:
    lines: list[str] = []
    assert await export_streams(store, lines.append) == len(lines) - 2
    return lines


async def test_stores_that_hold_the_same_make_the_same_file(store: Store) -> None:
    await fill(store)
    lines = await exported(store)
    assert all(line.isascii() and line.count("\n") == 1 for line in lines)
    other = MemoryStore()
    imported = await import_streams(other, lines)
    assert (imported.new, imported.there, imported.differing) == (5, 0, [])
    assert await exported(other) == lines
    for member in ("all", "late", "m1"):
        assert await other.streams_of(member, 9) == await store.streams_of(member, 9)


async def test_what_was_imported_is_what_was_exported(store: Store) -> None:
    source = MemoryStore()
    await fill(source)
    lines = await exported(source)
    await import_streams(store, lines)
    assert await exported(store) == lines
    assert await store.sweep("over", 6.0, 9) == ["s000"]


async def test_to_import_twice_changes_nothing(store: Store) -> None:
    source = MemoryStore()
    await fill(source, PAGE + 3)
    lines = await exported(source)
    told: list[int] = []
    imported = await import_streams(store, lines, told.append)
    assert (imported.new, imported.there, told) == (PAGE + 3, 0, [PAGE, PAGE + 3])
    again = await import_streams(store, lines)
    assert (again.new, again.there, again.differing) == (0, PAGE + 3, [])
    assert await exported(store) == lines


async def test_what_differs_is_left_alone_and_named(store: Store) -> None:
    source = MemoryStore()
    await fill(source)
    lines = await exported(source)
    names = [json.loads(line)["stream"] for line in lines[1:-1]]
    (longer, staged, joined, *_) = await store_snapshots(source)
    await store.append(*longer.writes())
    await store.append(Write(longer.stream, len(longer.events), [Entry("more", {})], 9.0))
    await store.append(*replace(staged, stage="other").writes())
    await store.append(*replace(joined, members=(*joined.members, "zoe")).writes())
    before = await store_snapshots(store)
    imported = await import_streams(store, lines)
    assert (imported.new, imported.there, imported.differing) == (2, 0, names[:3])
    assert (await store_snapshots(store))[:3] == before


async def store_snapshots(store: Store) -> list[StreamSnapshot]:
    return await store.scan("", 99)


async def test_what_stands_twice_in_a_file_is_imported_once(store: Store) -> None:
    source = MemoryStore()
    await fill(source, 2)
    head, first, second, _ = await exported(source)
    other = json.loads(second) | {"stage": "other"}
    lines = [head, first, first, second, json.dumps(other), json.dumps({"streams": 4})]
    imported = await import_streams(store, lines)
    assert (imported.new, imported.there, imported.differing) == (2, 1, [other["stream"]])


async def test_a_file_that_ends_early_is_noticed(store: Store) -> None:
    source = MemoryStore()
    await fill(source)
    lines = await exported(source)
    for kept in range(len(lines)):
        with pytest.raises(ArchiveError) as caught:
            await import_streams(store, lines[:kept])
        assert (caught.value.line, caught.value.why) == (kept + 1, "the file ends early")
    with pytest.raises(ArchiveError, match="line 4: no JSON"):
        await import_streams(MemoryStore(), [*lines[:3], lines[3][:50]])
    # All that came whole is there by now; the whole file completes it.
    assert (await import_streams(store, lines)).there == 5
    assert await exported(store) == lines


EVENT = {"time": 1.5, "actor": "", "request": None, "kind": "k", "data": {}}
STREAM = {"stream": "s", "stage": "", "members": [], "events": [EVENT]}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no stream"),
        ("5", "no stream"),
        (json.dumps({"streams": 1}), "there should be 1 streams"),
        (json.dumps({**STREAM, "more": 1}), "no stream"),
        (json.dumps({**STREAM, "stream": ""}), "no stream"),
        (json.dumps({**STREAM, "stream": 5}), "no stream"),
        (json.dumps({**STREAM, "stage": None}), "no stream"),
        (json.dumps({**STREAM, "members": "abc"}), "no stream"),
        (json.dumps({**STREAM, "members": [1]}), "no stream"),
        (json.dumps({**STREAM, "events": []}), "no stream"),
        (json.dumps({**STREAM, "events": 5}), "no stream"),
        (json.dumps({**STREAM, "events": {"a": 1}}), "no stream"),
        (json.dumps({**STREAM, "events": [{**EVENT, "time": True}]}), "no stream"),
        (json.dumps({**STREAM, "events": [{**EVENT, "time": float("nan")}]}), "no JSON"),
        (json.dumps({**STREAM, "events": [{**EVENT, "data": []}]}), "no stream"),
        (json.dumps({**STREAM, "events": [{**EVENT, "request": 1}]}), "no stream"),
        (json.dumps({**STREAM, "events": [{**EVENT, "more": 1}]}), "no stream"),
        (json.dumps({**STREAM, "events": [{"time": 1.5}]}), "no stream"),
    ],
)
async def test_a_line_that_is_no_stream_is_refused(line: str, why: str) -> None:
    store = MemoryStore()
    head, last = await exported(store)
    with pytest.raises(ArchiveError) as caught:
        await import_streams(store, [head, line, last])
    assert (caught.value.line, caught.value.why[: len(why)]) == (2, why)
    assert await store_snapshots(store) == []


async def test_other_files_and_newer_ones_are_refused() -> None:
    store = MemoryStore()
    head, last = await exported(store)
    newer = json.dumps({**json.loads(head), "version": 2})
    for first, why in (("{}", "this is no yacht-tables file"), (newer, "version 2"), ("[]", "th")):
        with pytest.raises(ArchiveError) as caught:
            await import_streams(store, [first, last])
        assert (caught.value.line, caught.value.why[: len(why)]) == (1, why)
    with pytest.raises(ArchiveError, match="line 3: there is more"):
        await import_streams(store, [head, last, last])


async def test_a_stream_with_a_gap_is_not_exported() -> None:
    class Damaged(MemoryStore):
        async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:  # noqa: ARG002
            return [StreamSnapshot("s", "", (), (Stored("s", 2, 1.0, "", None, "k", {}),))]

    with pytest.raises(StreamDamagedError):
        await export_streams(Damaged(), lambda _: None)


class Many:
    """A store of so many streams, each made when it is asked for."""

    def __init__(self, number: int) -> None:
        self.number = number

    async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
        first = int(after or 0) + 1
        return [self.snapshot(n) for n in range(first, min(first + limit, self.number + 1))]

    def snapshot(self, number: int) -> StreamSnapshot:
        name = f"{number:06}"
        events = (Stored(name, seq, 1.0, "", None, "k", {"n": seq}) for seq in range(1, 20))
        return StreamSnapshot(name, "", ("m",), tuple(events))


class Forgetful(MemoryStore):
    """Keeps nothing."""

    def append(self, *writes: Write) -> asyncio.Future[None]:
        assert writes
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done


async def test_memory_does_not_grow_with_the_store() -> None:
    async def peak(number: int) -> int:
        tracemalloc.start()
        try:
            await export_streams(Many(number), lambda _: None)
            await import_streams(Forgetful(), lines_of(number))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    def lines_of(number: int) -> Iterator[str]:
        yield head
        yield from (line.replace("000001", f"{n:06}") for n in range(number))
        yield json.dumps({"streams": number})

    kept: list[str] = []
    await export_streams(Many(1), kept.append)
    head, line, _ = kept
    few = await peak(2 * PAGE)
    assert await peak(20 * PAGE) < 1.5 * few
