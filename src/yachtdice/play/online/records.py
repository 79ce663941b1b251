"""The records of games: of tables, and those that people have pasted.

A pasted record is a stream with one event, its text. Nobody plays at it, so it is not a table; for
pages that replay a game or play on from it, `as_table` presents it as one.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from yachtdice.bots import LEVELS
from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.notation import Record, format_record
from yachtdice.notation.reader import parse_clean_record
from yachtdice.play.online.tokens import is_table_id, new_table_id
from yachtdice.play.table.events import DiceKind, Mode, TableOpened
from yachtdice.play.table.refusals import TableError, TableReason
from yachtdice.play.table.stages import RECORD
from yachtdice.play.table.table import Seat, Table
from yachtdice.rules import YachtError
from yachtdice.store.contract import Entry, Store, VersionConflictError, Write

RECORD_PREFIX = "record-"
"""Begins the names of the streams of pasted records, which no table's id does."""
RECORD_KIND = "record_kept"
"""The kind of the one event of a pasted record, with the text as `record`."""
_DICE = {DiceKind.SYSTEM: "system", DiceKind.REAL: "real"}


class RecordNotFoundError(YachtError):
    """There is no pasted record of that id, or it has expired."""

    def __init__(self, record_id: str) -> None:
        super().__init__(f"no such record: {record_id[:40]!r}")
        self.record_id: str = record_id


@explain.register
def _explain(error: RecordNotFoundError) -> str:
    del error
    return _("This address leads nowhere.")


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


def clean_record(data: bytes) -> str:
    """Return the text of the record in *data*, as it is stored.

    Names are cleaned as those at tables are, and seats of unknown levels become people's.

    Raises:
        NotationError: If it is not a record.
    """
    record = parse_clean_record(data)
    bots = {seat: level for seat, level in record.bots.items() if level in LEVELS}
    return format_record(replace(record, bots=bots))


async def add_record(store: Store, holder: str, text: str) -> str:
    """Store what `clean_record` has returned; return its id, the same if *holder* does it twice.

    Raises:
        StoreError: If it cannot be stored.
    """
    record_id = new_table_id(holder, f"record/{sha256(text.encode()).hexdigest()}")
    entries = [Entry(RECORD_KIND, {"record": text})]
    write = Write(record_stream(record_id), 0, entries, time.time(), holder, stage=RECORD)
    with suppress(VersionConflictError):  # it is stored already
        await store.append(write)
    return record_id


async def load_record(store: Store, record_id: str) -> str:
    """Return the text of a pasted record.

    Raises:
        RecordNotFoundError: If there is none.
    """
    stored = await store.load(record_stream(record_id)) if is_table_id(record_id) else []
    if not stored:
        raise RecordNotFoundError(record_id)
    text: str = stored[0].data["record"]
    return text


def record_stream(record_id: str) -> str:
    """Return the name of the stream of a pasted record."""
    return f"{RECORD_PREFIX}{record_id}"


def as_table(record_id: str, record: Record) -> Table:
    """Return the game of *record* as a table at which nobody sits any more."""
    game = record.game
    seats = tuple(Seat(name, None, record.bots.get(seat)) for seat, name in enumerate(game.names))
    dice = DiceKind.REAL if record.dice == DiceKind.REAL.value else DiceKind.SYSTEM
    opened = TableOpened(game.rules, dice, Mode.DEVICE, "", len(seats), record.hints, record.date)
    return Table(record_id, opened, 1, seats, game)
