"""What is wrong with tables in a store is found, and nothing with those that are sound."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.play.conftest import ANA, BOB, World, finish
from yachtdice.notation import format_record
from yachtdice.play.online.records import RECORD_KIND, record_of, record_stream
from yachtdice.play.online.tokens import new_table_id
from yachtdice.play.online.verification import Fault, find_fault, verify
from yachtdice.play.table.actions import Begin, EnterPoints, Fill, Leave, Rematch, Resign, Roll
from yachtdice.play.table.events import DiceKind
from yachtdice.play.table.stages import RECORD
from yachtdice.rules import CATEGORIES
from yachtdice.store.contract import Entry, StreamDamagedError, StreamSnapshot, Write
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
    text = format_record(record_of(over))
    name = record_stream(new_table_id())
    kept = Entry(RECORD_KIND, {"record": text})
    await world.store.append(Write(name, 0, [kept], world.clock(), ANA, stage=RECORD))


async def test_sound_tables_have_no_fault(world: World) -> None:
    await tables_of_all_kinds(world)
    told: list[int] = []
    tables, findings = await verify(world.store, told.append)
    assert (tables, findings) == (8, [])
    assert told == [8]
    stages = {snapshot.stage for snapshot in await world.store.scan("", 9)}
    assert stages == {"lobby", "playing", "over", "record"}


def with_event(snapshot: StreamSnapshot, number: int, **changes: Any) -> StreamSnapshot:  # noqa: ANN401
    events = list(snapshot.events)
    events[number] = replace(events[number], **changes)
    return replace(snapshot, events=tuple(events))


Damage = Callable[[StreamSnapshot], StreamSnapshot]
DAMAGES: dict[str, tuple[Damage, Fault]] = {
    "no name of a table": (lambda snapshot: replace(snapshot, stream="NO-TABLE"), Fault.ID),
    "no events": (lambda snapshot: replace(snapshot, events=()), Fault.GAP),
    "no first event": (lambda snapshot: replace(snapshot, events=snapshot.events[1:]), Fault.GAP),
    "an event twice": (
        lambda snapshot: replace(snapshot, events=(*snapshot.events, snapshot.events[-1])),
        Fault.GAP,
    ),
    "a newer kind": (
        lambda snapshot: with_event(snapshot, 2, kind="game_started.2"),
        Fault.UNREADABLE,
    ),
    "no fields of that kind": (
        lambda snapshot: with_event(snapshot, -1, data={"more": 5}),
        Fault.UNREADABLE,
    ),
    "no dice": (
        lambda snapshot: with_event(snapshot, -2, data={"dice": [1, 2, 3, 4, 9]}),
        Fault.UNREADABLE,
    ),
    "no beginning": (
        lambda snapshot: with_event(snapshot, 0, kind="rematch_opened", data={"table": ""}),
        Fault.REPLAY,
    ),
    "a box filled twice": (
        lambda snapshot: with_event(snapshot, -1, data=snapshot.events[-3].data),
        Fault.REPLAY,
    ),
    "an earlier stage": (lambda snapshot: replace(snapshot, stage="playing"), Fault.STAGE),
    "no stage": (lambda snapshot: replace(snapshot, stage=""), Fault.STAGE),
    "other members": (lambda snapshot: replace(snapshot, members=(BOB,)), Fault.MEMBERS),
}


@pytest.mark.parametrize("name", DAMAGES)
async def test_each_fault_is_found(world: World, name: str) -> None:
    damage, fault = DAMAGES[name]
    over = await finish(world, await world.tables.open(ANA), ANA)
    (snapshot,) = await world.store.snapshots([over.id])
    assert find_fault(snapshot) is None
    damaged = damage(snapshot)
    found = find_fault(damaged)
    assert found is not None
    assert (found.table, found.fault) == (damaged.stream, fault)
    assert found.detail


RECORD_DAMAGES: dict[str, tuple[Damage, Fault]] = {
    "no name of a record": (lambda snapshot: replace(snapshot, stream="record-NO"), Fault.ID),
    "the stage of a table": (lambda snapshot: replace(snapshot, stage="over"), Fault.STAGE),
    "no text": (lambda snapshot: with_event(snapshot, 0, data={"record": 5}), Fault.UNREADABLE),
    "more than a text": (
        lambda snapshot: with_event(snapshot, 0, data={**snapshot.events[0].data, "more": 1}),
        Fault.UNREADABLE,
    ),
    "another kind": (lambda snapshot: with_event(snapshot, 0, kind="record"), Fault.UNREADABLE),
    "no record": (
        lambda snapshot: with_event(snapshot, 0, data={"record": "nonsense"}),
        Fault.RECORD,
    ),
    "not as we write it": (
        lambda snapshot: with_event(
            snapshot, 0, data={"record": f"\n{snapshot.events[0].data['record']}"}
        ),
        Fault.RECORD,
    ),
}


@pytest.mark.parametrize("name", RECORD_DAMAGES)
async def test_each_fault_of_a_pasted_record_is_found(world: World, name: str) -> None:
    await tables_of_all_kinds(world)
    (snapshot,) = [
        snapshot for snapshot in await world.store.scan("", 99) if snapshot.stage == RECORD
    ]
    assert find_fault(snapshot) is None
    damage, fault = RECORD_DAMAGES[name]
    found = find_fault(damage(snapshot))
    assert found is not None
    assert found.fault is fault


async def test_a_record_that_reads_back_otherwise_is_a_fault(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = await finish(world, await world.tables.open(ANA), ANA)
    (snapshot,) = await world.store.snapshots([over.id])
    place = "yachtdice.play.online.verification.format_record"
    monkeypatch.setattr(place, lambda record: format_record(replace(record, date="")))
    found = find_fault(snapshot)
    assert found is not None
    assert found.fault is Fault.RECORD
    monkeypatch.setattr(place, lambda _: "nonsense")
    found = find_fault(snapshot)
    assert found is not None
    assert found.fault is Fault.RECORD


async def test_what_cannot_be_read_is_named_and_the_rest_looked_at(world: World) -> None:
    await tables_of_all_kinds(world)
    names = [snapshot.stream for snapshot in await world.store.scan("", 9)]

    class Damaged(MemoryStore):
        async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
            page = await world.store.scan(after, limit)
            for snapshot in page:
                if snapshot.stream in {names[2], names[-1]}:
                    raise StreamDamagedError(snapshot.stream, "holds no JSON")
            return page

    tables, findings = await verify(Damaged())
    assert tables == len(names)
    assert [(found.table, found.fault) for found in findings] == [
        (names[2], Fault.UNREADABLE),
        (names[-1], Fault.UNREADABLE),
    ]
