"""Checking that the tables and records in a store are sound."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from yachtdice.notation import format_record, parse_record
from yachtdice.play.online.records import RECORD_KIND, RECORD_PREFIX, record_of
from yachtdice.play.online.tokens import is_table_id
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.stages import RECORD, stage_of
from yachtdice.play.table.table import Table
from yachtdice.rules import YachtError
from yachtdice.store.archive import PAGE
from yachtdice.store.codec import CodecError
from yachtdice.store.contract import StreamDamagedError

if TYPE_CHECKING:
    from yachtdice.store.archive import Progress
    from yachtdice.store.contract import Scannable, StreamSnapshot


class Fault(Enum):
    """What can be wrong with a table in a store; the value is a stable code."""

    ID = "id"
    """Its name is not a valid id."""
    GAP = "gap"
    """Its events are not numbered from 1 without gaps."""
    UNREADABLE = "unreadable"
    """An event is damaged, or from a newer version."""
    REPLAY = "replay"
    """An event is not possible after those before it."""
    STAGE = "stage"
    """Its stored stage is not the one that it has reached."""
    MEMBERS = "members"
    """The holder of a seat is not one of its members."""
    RECORD = "record"
    """The record of its game reads back as another game."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, with its detail for developers."""

    table: str
    fault: Fault
    detail: str


async def verify(
    source: Scannable, progress: Progress = lambda _: None
) -> tuple[int, list[Finding]]:
    """Check each table of *source*; return the number of tables, and the faults found."""
    tables, findings = 0, []
    after, limit = "", PAGE
    while True:
        try:
            page = await source.scan(after, limit)
        except StreamDamagedError as error:
            if limit > 1:
                limit = 1  # to get the sound ones before the damaged one
                continue
            page, after = [], error.stream
            findings.append(Finding(error.stream, Fault.UNREADABLE, error.why))
            tables += 1
        else:
            if not page:
                return tables, findings
            after = page[-1].stream
        for snapshot in page:
            fault = find_fault(snapshot)
            findings += [fault] if fault is not None else []
            tables += 1
        progress(tables)


def find_fault(snapshot: StreamSnapshot) -> Finding | None:
    """Return the first fault of the table in *snapshot*, None if it is sound.

    Its events are decoded and replayed, and have to lead to its stored stage. The record of its
    game, finished or not, is written and read back, and so is one that was pasted.
    """
    fault, detail = _fault(snapshot)
    return None if fault is None else Finding(snapshot.stream, fault, detail)


def _fault(snapshot: StreamSnapshot) -> tuple[Fault | None, str]:
    is_record = snapshot.stream.startswith(RECORD_PREFIX)
    if not is_table_id(snapshot.stream.removeprefix(RECORD_PREFIX)):
        return Fault.ID, repr(snapshot.stream)
    if snapshot.has_gap:
        return Fault.GAP, f"{len(snapshot.events)} events"
    return _fault_of_record(snapshot) if is_record else _fault_of_table(snapshot)


def _fault_of_record(snapshot: StreamSnapshot) -> tuple[Fault | None, str]:
    if snapshot.stage != RECORD:
        return Fault.STAGE, f"{snapshot.stage!r} instead of {RECORD!r}"
    match [(event.kind, event.data) for event in snapshot.events]:
        case [(kind, {"record": str(text), **more})] if kind == RECORD_KIND and not more:
            pass
        case _:
            return Fault.UNREADABLE, "it is not one event with one text"
    try:
        same = format_record(parse_record(text)) == text
    except YachtError as error:
        return Fault.RECORD, str(error)
    return (None, "") if same else (Fault.RECORD, "it reads back otherwise")


def _fault_of_table(snapshot: StreamSnapshot) -> tuple[Fault | None, str]:  # noqa: PLR0911 - one a fault
    try:
        events = [CODEC.decode(event.kind, event.data) for event in snapshot.events]
        table = Table.replay(snapshot.stream, events)
    except CodecError as error:
        return Fault.UNREADABLE, str(error)
    except YachtError as error:
        return Fault.REPLAY, str(error)
    if stage_of(table) != snapshot.stage:
        return Fault.STAGE, f"{snapshot.stage!r} instead of {stage_of(table)!r}"
    holders = {seat.holder for seat in table.seats if seat.holder is not None}
    if not holders <= set(snapshot.members):
        return Fault.MEMBERS, f"{len(holders - set(snapshot.members))} missing"
    if table.game is None:
        return None, ""
    record = record_of(table)
    try:
        same = parse_record(format_record(record)) == record
    except YachtError as error:
        return Fault.RECORD, str(error)
    return (None, "") if same else (Fault.RECORD, "it reads back as another game")
