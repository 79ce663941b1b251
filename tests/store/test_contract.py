"""What each store promises, held against every store that there is."""

import asyncio
import json

import pytest

from yachtdice.store.contract import (
    Entry,
    RequestRepeatedError,
    Store,
    StoreClosedError,
    Stored,
    StreamSnapshot,
    VersionConflictError,
    Write,
)

pytestmark = pytest.mark.anyio


def entries(*kinds: str) -> list[Entry]:
    return [Entry(kind, {"kind": kind, "list": [1, None, True]}) for kind in kinds]


def write(stream: str, expected: int, *kinds: str, at: float = 1.5, **extra: object) -> Write:
    return Write(stream, expected, entries(*kinds), at, **extra)  # type: ignore[arg-type]


def kinds(events: list[Stored]) -> list[str]:
    return [event.kind for event in events]


async def test_what_was_appended_is_loaded_in_order_with_its_envelope(store: Store) -> None:
    await store.append(write("s", 0, "a", "b", actor="ana", request="r1"))
    await store.append(write("s", 2, "c", at=2.5))
    data = {"kind": "b", "list": [1, None, True]}
    events = await store.load("s")
    assert kinds(events) == ["a", "b", "c"]
    assert events[1] == Stored("s", 2, 1.5, "ana", "r1", "b", data)
    assert [event.request for event in events] == [None, "r1", None]
    assert [event.time for event in events] == [1.5, 1.5, 2.5]


async def test_a_part_is_loaded(store: Store) -> None:
    await store.append(write("s", 0, "a", "b", "c"))
    assert kinds(await store.load("s", 1)) == ["b", "c"]
    assert await store.load("s", 3) == []
    assert await store.load("s", 99) == []
    assert await store.load("other") == []


async def test_many_load_at_once_and_each_gets_its_own(store: Store) -> None:
    streams = {f"s{number}": [f"k{seq}" for seq in range(number % 7)] for number in range(150)}
    for stream, names in streams.items():
        if names:
            await store.append(write(stream, 0, *names))
    asked = [(stream, after) for stream in streams for after in (0, 3)]
    found = await asyncio.gather(*(store.load(stream, after) for stream, after in asked))
    for (stream, after), events in zip(asked, found, strict=True):
        assert kinds(events) == streams[stream][after:]
        assert [event.seq for event in events] == list(range(after + 1, len(streams[stream]) + 1))


async def test_who_stops_waiting_for_what_is_loaded_disturbs_nobody(store: Store) -> None:
    await store.append(write("s", 0, "a"))
    loads = [asyncio.create_task(store.load("s")) for _ in range(10)]
    await asyncio.sleep(0)
    for task in loads[::2]:
        task.cancel()
    ended = await asyncio.gather(*loads, return_exceptions=True)
    assert all(isinstance(events, list) and len(events) == 1 for events in ended[1::2])
    assert len(await store.load("s")) == 1


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
async def test_another_version_than_expected_is_refused(store: Store, expected: int) -> None:
    await store.append(write("s", 0, "a", "b"))
    with pytest.raises(VersionConflictError) as caught:
        await store.append(write("s", expected, "x"))
    assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert kinds(await store.load("s")) == ["a", "b"]


async def test_a_stream_that_is_not_there_has_no_events(store: Store) -> None:
    with pytest.raises(VersionConflictError) as caught:
        await store.append(write("s", 1, "x"))
    assert caught.value.actual == 0
    assert await store.load("s") == []


async def test_a_request_is_kept_once_in_a_stream(store: Store) -> None:
    await store.append(write("s", 0, "a", request="r"))
    await store.append(write("other", 0, "a", request="r"))
    with pytest.raises(RequestRepeatedError) as caught:
        await store.append(write("s", 1, "b", request="r"))
    assert (caught.value.stream, caught.value.request) == ("s", "r")
    assert kinds(await store.load("s")) == ["a"]


async def test_writes_without_request_do_not_collide(store: Store) -> None:
    for number in range(5):
        await store.append(write("s", number, "a"))
    assert len(await store.load("s")) == 5


async def test_several_writes_are_kept_together_or_not_at_all(store: Store) -> None:
    await store.append(write("old", 0, "a"))
    await store.append(write("new", 0, "b", members=["m"]), write("old", 1, "c"))
    assert kinds(await store.load("new")) == ["b"]
    assert kinds(await store.load("old")) == ["a", "c"]
    with pytest.raises(VersionConflictError):
        await store.append(write("newer", 0, "b", members=["m"]), write("old", 1, "d"))
    assert await store.load("newer") == []
    assert kinds(await store.load("old")) == ["a", "c"]
    assert [info.stream for info in await store.streams_of("m", 9)] == ["new"]


async def test_of_two_at_one_version_exactly_one_wins(store: Store) -> None:
    await store.append(write("s", 0, "a"))
    outcomes = await asyncio.gather(
        *(store.append(write("s", 1, f"b{number}")) for number in range(20)),
        return_exceptions=True,
    )
    conflicts = [outcome for outcome in outcomes if isinstance(outcome, VersionConflictError)]
    assert len(conflicts) == 19
    winner = outcomes.index(None)
    assert kinds(await store.load("s")) == ["a", f"b{winner}"]


async def test_only_the_failing_job_is_rejected(store: Store) -> None:
    """All are in one batch of the writer's, or nearly so."""
    await store.append(write("bad", 0, "a"))
    futures = [store.append(write(f"s{number}", 0, "a")) for number in range(50)]
    futures.insert(25, store.append(write("bad", 0, "b")))
    outcomes = await asyncio.gather(*futures, return_exceptions=True)
    assert isinstance(outcomes.pop(25), VersionConflictError)
    assert outcomes == [None] * 50
    for number in range(50):
        assert kinds(await store.load(f"s{number}")) == ["a"]


async def test_appends_in_a_row_need_not_wait_for_each_other(store: Store) -> None:
    await asyncio.gather(*(store.append(write("s", number, f"k{number}")) for number in range(100)))
    assert kinds(await store.load("s")) == [f"k{number}" for number in range(100)]


async def test_who_stops_waiting_undoes_nothing(store: Store) -> None:
    future = store.append(write("s", 0, "a"))
    future.cancel()
    await store.append(write("t", 0, "a"))
    assert kinds(await store.load("s")) == ["a"]


async def test_members_find_their_streams_the_latest_first(store: Store) -> None:
    await store.append(write("s", 0, "a", at=1.0, members=["ana"], stage="open"))
    await store.append(write("t", 0, "a", at=2.0, members=["ana", "bob"]))
    await store.append(write("s", 1, "b", at=3.0, members=["ana", "bob"]))
    found = await store.streams_of("ana", 9)
    assert [(i.stream, i.version, i.created, i.active, i.stage) for i in found] == [
        ("s", 2, 1.0, 3.0, "open"),
        ("t", 1, 2.0, 2.0, ""),
    ]
    assert [info.stream for info in await store.streams_of("bob", 1)] == ["s"]
    assert await store.streams_of("eve", 9) == []


async def test_several_writes_to_one_stream_follow_each_other(store: Store) -> None:
    await store.append(
        write("s", 0, "a", at=1, actor="ana", request="r1", stage="open"),
        write("s", 1, "b", "c", at=2, actor="bob", request="r2", stage="over"),
    )
    events = await store.load("s")
    assert [(e.kind, e.time, e.actor, e.request) for e in events] == [
        ("a", 1, "ana", "r1"),
        ("b", 2, "bob", None),
        ("c", 2, "bob", "r2"),
    ]
    with pytest.raises(VersionConflictError):
        await store.append(write("s", 3, "d"), write("s", 3, "e"))
    with pytest.raises(RequestRepeatedError):
        await store.append(write("s", 3, "d", request="r3"), write("s", 4, "e", request="r3"))
    assert len(await store.load("s")) == 3
    assert (await store.snapshots(["s"]))[0].stage == "over"


# Languages would sort these otherwise, and so would a database that follows one.
NAMES = ["-b", "B", "_a", "a", "a-", "aB", "b", "\u00e9", "\uffee", "\U0001f3b2"]


async def test_all_streams_are_scanned_page_by_page_in_the_order_of_their_names(
    store: Store,
) -> None:
    for name in reversed(NAMES):
        await store.append(write(name, 0, "a", "b", members=["m"], stage=f"stage {name}"))
    for limit in (1, 3, 99):
        scanned: list[StreamSnapshot] = []
        while page := await store.scan(scanned[-1].stream if scanned else "", limit):
            assert len(page) <= limit
            scanned += page
        assert [snapshot.stream for snapshot in scanned] == NAMES
        for snapshot in scanned:
            assert list(snapshot.events) == await store.load(snapshot.stream)
            assert (snapshot.stage, snapshot.members) == (f"stage {snapshot.stream}", ("m",))


async def test_copies_are_of_the_streams_that_there_are(store: Store) -> None:
    for name in "abc":
        await store.append(write(name, 0, "x"))
    assert [snapshot.stream for snapshot in await store.snapshots(["c", "?", "a", "c"])] == [
        "a",
        "c",
    ]
    assert await store.snapshots([]) == []


async def test_a_copy_makes_the_same_stream_again(store: Store) -> None:
    await store.append(write("s", 0, "a", "b", at=1, actor="ana", request="r1", stage="open"))
    await store.append(write("s", 2, "c", at=2.25, members=["m2", "m1"], stage="over"))
    (snapshot,) = await store.snapshots(["s"])
    assert snapshot.members == ("m1", "m2")
    (info,) = await store.streams_of("m1", 9)
    await store.delete("s")
    await store.append(*snapshot.writes())
    assert await store.snapshots(["s"]) == [snapshot]
    assert await store.streams_of("m1", 9) == [info]
    with pytest.raises(VersionConflictError):
        await store.append(*snapshot.writes())


async def test_old_streams_in_a_stage_are_swept(store: Store) -> None:
    for number in range(4):
        await store.append(write(f"s{number}", 0, "a", at=number, stage="open", members=["m"]))
    await store.append(write("s1", 1, "b", at=1, stage="over"))
    await store.append(write("s2", 1, "b", at=9))
    assert await store.sweep("open", 5, 1) == ["s0"]
    assert await store.sweep("open", 5, 99) == ["s3"]
    assert await store.sweep("open", 5, 99) == []
    assert await store.load("s0") == []
    assert {info.stream for info in await store.streams_of("m", 9)} == {"s1", "s2"}
    await store.append(write("s0", 0, "a"))  # the name is free again


async def test_a_stream_is_deleted(store: Store) -> None:
    await store.append(write("s", 0, "a", members=["m"]))
    assert await store.delete("s")
    assert not await store.delete("s")
    assert await store.load("s") == []
    assert await store.streams_of("m", 9) == []


async def test_any_text_comes_back(store: Store) -> None:
    text = "\"'{}%s%\\ \x00 \u202e \U0001f3b2 \u00e9"
    await store.append(Write("s", 0, [Entry("k", {"text": text})], 1.0, "a'b", "r?"))
    (event,) = await store.load("s")
    assert event.data == {"text": text}
    assert (event.actor, event.request) == ("a'b", "r?")


async def test_what_is_kept_is_observed(store: Store) -> None:
    seen: list[tuple[int, float]] = []
    store.observe = lambda size, seconds: seen.append((size, seconds))
    await asyncio.gather(*(store.append(write(f"s{number}", 0, "a")) for number in range(20)))
    assert sum(size for size, _ in seen) == 20
    assert all(size >= 1 and seconds >= 0 for size, seconds in seen)


async def test_a_ping_keeps_nothing(store: Store) -> None:
    await store.append(write("s", 0, "a"))
    before = await store.scan("", 10)
    await store.ping()
    await store.ping()
    assert await store.scan("", 10) == before
    assert await store.lease("probe", 1) == 0


async def test_a_closed_store_refuses(store: Store) -> None:
    await store.ping()
    waiting = store.append(write("s", 0, "a"))
    await store.close()
    await waiting  # it came before
    with pytest.raises(StoreClosedError):
        await store.append(write("s", 1, "b"))
    with pytest.raises(StoreClosedError):
        await store.ping()
    await store.close()


async def test_data_is_what_json_makes_of_it(store: Store) -> None:
    data = {"a": [1, -2, 3.5], "b": {"c": None}, "d": False}
    await store.append(Write("s", 0, [Entry("k", data)], 1.0))
    (event,) = await store.load("s")
    assert json.dumps(event.data, sort_keys=True) == json.dumps(data, sort_keys=True)
