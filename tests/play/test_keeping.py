"""What is wrong with tables in a store is found, and nothing with those that are sound."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.play.conftest import ANA, BOB, World, finish
from yachtdice.notation import format_record
from yachtdice.play.online.keeping import RECORD_KIND, Fault, find_fault, record_stream, verify
from yachtdice.play.online.tokens import new_table_id
from yachtdice.play.table.actions import Begin, EnterPoints, Fill, Leave, Rematch, Resign, Roll
from yachtdice.play.table.events import DiceKind
from yachtdice.play.table.stages import RECORD
from yachtdice.rules import CATEGORIES
from yachtdice.store.contract import Entry, StreamCopy, StreamDamagedError, Write
from yachtdice.store.memory import MemoryStore

pytestmark = pytest.mark.anyio


async def tables_of_all_kinds(world: World) -> None:
    """Leave tables in every state that there is."""
    await world.online(BOB)
    begun = await world.online(BOB)
    begun = await world.do(begun, ANA, Begin())
    await world.do(begun, ANA, Roll())
    left = await world.online(BOB)
    left = await world.do(left, ANA, Begin())
    await world.do(left, BOB, Leave())
    await world.do(left, ANA, Resign(0))
    real = await world.tables.open(ANA, dice=DiceKind.REAL, people=[('A"{', None), ("", None)])
    await world.do(real, ANA, EnterPoints(CATEGORIES[-1], 50))
    with_computer = await world.tables.open(ANA, people=[("Ana", None), ("", "greedy")])
    await world.do(await world.do(with_computer, ANA, Roll()), ANA, Fill(CATEGORIES[0]))
    over = await finish(world, await world.tables.open(ANA, people=[("", None)] * 3), ANA)
    await world.do(over, ANA, Rematch())
    text = format_record(world.tables.record(over))
    name = record_stream(new_table_id())
    kept = Entry(RECORD_KIND, {"record": text})
    await world.store.append(Write(name, 0, [kept], world.clock(), ANA, stage=RECORD))


async def test_sound_tables_have_no_fault(world: World) -> None:
    await tables_of_all_kinds(world)
    told: list[int] = []
    tables, findings = await verify(world.store, told.append)
    assert (tables, findings) == (8, [])
    assert told == [8]
    stages = {copy.stage for copy in await world.store.walk("", 9)}
    assert stages == {"lobby", "playing", "over", "record"}


def with_event(copy: StreamCopy, number: int, **changes: Any) -> StreamCopy:  # noqa: ANN401
    events = list(copy.events)
    events[number] = replace(events[number], **changes)
    return replace(copy, events=tuple(events))


Damage = Callable[[StreamCopy], StreamCopy]
DAMAGES: dict[str, tuple[Damage, Fault]] = {
    "no name of a table": (lambda copy: replace(copy, stream="NO-TABLE"), Fault.ID),
    "no events": (lambda copy: replace(copy, events=()), Fault.GAP),
    "no first event": (lambda copy: replace(copy, events=copy.events[1:]), Fault.GAP),
    "an event twice": (
        lambda copy: replace(copy, events=(*copy.events, copy.events[-1])),
        Fault.GAP,
    ),
    "a newer kind": (
        lambda copy: with_event(copy, 2, kind="game_started.2"),
        Fault.UNREADABLE,
    ),
    "no fields of that kind": (
        lambda copy: with_event(copy, -1, data={"more": 5}),
        Fault.UNREADABLE,
    ),
    "no dice": (
        lambda copy: with_event(copy, -2, data={"dice": [1, 2, 3, 4, 9]}),
        Fault.UNREADABLE,
    ),
    "no beginning": (
        lambda copy: with_event(copy, 0, kind="rematch_opened", data={"table": ""}),
        Fault.REPLAY,
    ),
    "a box filled twice": (
        lambda copy: with_event(copy, -1, data=copy.events[-3].data),
        Fault.REPLAY,
    ),
    "an earlier stage": (lambda copy: replace(copy, stage="playing"), Fault.STAGE),
    "no stage": (lambda copy: replace(copy, stage=""), Fault.STAGE),
    "other members": (lambda copy: replace(copy, members=(BOB,)), Fault.MEMBERS),
}


@pytest.mark.parametrize("name", DAMAGES)
async def test_each_fault_is_found(world: World, name: str) -> None:
    damage, fault = DAMAGES[name]
    over = await finish(world, await world.tables.open(ANA), ANA)
    (copy,) = await world.store.copies([over.id])
    assert find_fault(copy) is None
    damaged = damage(copy)
    found = find_fault(damaged)
    assert found is not None
    assert (found.table, found.fault) == (damaged.stream, fault)
    assert found.detail


RECORD_DAMAGES: dict[str, tuple[Damage, Fault]] = {
    "no name of a record": (lambda copy: replace(copy, stream="record-NO"), Fault.ID),
    "the stage of a table": (lambda copy: replace(copy, stage="over"), Fault.STAGE),
    "no text": (lambda copy: with_event(copy, 0, data={"record": 5}), Fault.UNREADABLE),
    "more than a text": (
        lambda copy: with_event(copy, 0, data={**copy.events[0].data, "more": 1}),
        Fault.UNREADABLE,
    ),
    "another kind": (lambda copy: with_event(copy, 0, kind="record"), Fault.UNREADABLE),
    "no record": (lambda copy: with_event(copy, 0, data={"record": "nonsense"}), Fault.RECORD),
    "not as we write it": (
        lambda copy: with_event(copy, 0, data={"record": f"\n{copy.events[0].data['record']}"}),
        Fault.RECORD,
    ),
}


@pytest.mark.parametrize("name", RECORD_DAMAGES)
async def test_each_fault_of_a_pasted_record_is_found(world: World, name: str) -> None:
    await tables_of_all_kinds(world)
    (copy,) = [copy for copy in await world.store.walk("", 99) if copy.stage == RECORD]
    assert find_fault(copy) is None
    damage, fault = RECORD_DAMAGES[name]
    found = find_fault(damage(copy))
    assert found is not None
    assert found.fault is fault


async def test_a_record_that_reads_back_otherwise_is_a_fault(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = await finish(world, await world.tables.open(ANA), ANA)
    (copy,) = await world.store.copies([over.id])
    place = "yachtdice.play.online.keeping.format_record"
    monkeypatch.setattr(place, lambda record: format_record(replace(record, date="")))
    found = find_fault(copy)
    assert found is not None
    assert found.fault is Fault.RECORD
    monkeypatch.setattr(place, lambda _: "nonsense")
    found = find_fault(copy)
    assert found is not None
    assert found.fault is Fault.RECORD


async def test_what_cannot_be_read_is_named_and_the_rest_looked_at(world: World) -> None:
    await tables_of_all_kinds(world)
    names = [copy.stream for copy in await world.store.walk("", 9)]

    class Damaged(MemoryStore):
        async def walk(self, after: str, limit: int) -> list[StreamCopy]:
            page = await world.store.walk(after, limit)
            for copy in page:
                if copy.stream in {names[2], names[-1]}:
                    raise StreamDamagedError(copy.stream, "holds no JSON")
            return page

    tables, findings = await verify(Damaged())
    assert tables == len(names)
    assert [(found.table, found.fault) for found in findings] == [
        (names[2], Fault.UNREADABLE),
        (names[-1], Fault.UNREADABLE),
    ]
