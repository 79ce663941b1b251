"""Tables as they are kept: the record of a game, and whether what a store holds is sound."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from yachtdice.notation import Record, format_record, parse_record
from yachtdice.play.online.tokens import is_table_id
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.events import DiceKind
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.stages import RECORD, stage_of
from yachtdice.play.table.table import Table
from yachtdice.rules import YachtError
from yachtdice.store.archive import PAGE
from yachtdice.store.codec import CodecError
from yachtdice.store.contract import StreamDamagedError

if TYPE_CHECKING:
    from yachtdice.store.archive import Progress
    from yachtdice.store.contract import Scannable, StreamSnapshot

_RECORD_PREFIX = "record-"
_DICE = {DiceKind.SYSTEM: "system", DiceKind.REAL: "real"}


RECORD_KIND = "record_kept"
"""The kind of the one event of a record that was pasted, with the text as `record`."""


class Fault(Enum):
    """What can be wrong with a table in a store; the value is a stable code."""

    ID = "id"
    """Its name is none that a table can have."""
    GAP = "gap"
    """Its events are not numbered from 1 without gaps."""
    UNREADABLE = "unreadable"
    """An event is damaged, or from a newer version."""
    REPLAY = "replay"
    """An event is not possible after those before it."""
    STAGE = "stage"
    """It is kept as unbegun, unfinished or finished, and is something else."""
    MEMBERS = "members"
    """Somebody who has a seat would not find it in the list of their tables."""
    RECORD = "record"
    """The record of its game reads back as another game."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, with its detail for developers."""

    table: str
    fault: Fault
    detail: str


def record_stream(record_id: str) -> str:
    """Return the name of the stream of a record that was pasted: none that a table can have."""
    return f"{_RECORD_PREFIX}{record_id}"


def record_of(table: Table) -> Record:
    """Return the game of *table* for `notation.format_record`.

    Raises:
        TableError: If it has not begun.
    """
    if table.game is None:
        raise TableError(TableReason.NOT_BEGUN)
    bots = {i: s.bot for i, s in enumerate(table.seats) if s.is_computer and s.bot is not None}
    dice = _DICE[table.dice]
    return Record(table.game, table.opened.date, dice, bots, table.hints, table.shows_odds)


async def verify(
    source: Scannable, progress: Progress = lambda _: None
) -> tuple[int, list[Finding]]:
    """Look for a fault at each table of *source*; return how many tables there are, and what is."""
    tables, findings = 0, []
    after, limit = "", PAGE
    while True:
        try:
            page = await source.scan(after, limit)
        except StreamDamagedError as error:
            if limit > 1:
                limit = 1  # so as to come to the damaged one alone
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
    """Return the first thing that is wrong with the table in *snapshot*, None if all is sound.

    Its events are read and replayed, and it has to be at the stage that it is kept at. The record
    of its game, finished or not, is written and read back; as is one that was pasted.
    """
    fault, detail = _fault(snapshot)
    return None if fault is None else Finding(snapshot.stream, fault, detail)


def _fault(snapshot: StreamSnapshot) -> tuple[Fault | None, str]:
    is_record = snapshot.stream.startswith(_RECORD_PREFIX)
    if not is_table_id(snapshot.stream.removeprefix(_RECORD_PREFIX)):
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
