"""Records that somebody has pasted: each is kept for a while under an address of its own.

A record is a stream with one event, its text. Nobody plays at it, so it is no table; for the pages
that replay a game or play on from it, `as_table` shows it as one.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from yachtdice.bots import LEVELS
from yachtdice.notation import Record, format_record, parse_record
from yachtdice.play.online.keeping import RECORD_KIND, record_stream
from yachtdice.play.online.tokens import is_table_id, new_table_id
from yachtdice.play.table.events import DiceKind, Mode, TableOpened
from yachtdice.play.table.names import MAX_LETTERS, clean_name
from yachtdice.play.table.refusals import TableError
from yachtdice.play.table.stages import RECORD
from yachtdice.play.table.table import Seat, Table
from yachtdice.rules import Game, GameStarted
from yachtdice.store.contract import Entry, Store, VersionConflictError, Write
from yachtdice.web.edge.security import RefusedError


def read(data: bytes) -> str:
    """Return the text of the record in *data*, as it is to be kept.

    Names become such as tables have, and levels of the computer that are not known here persons.

    Raises:
        NotationError: If it is not a record.
    """
    record = parse_record(data)
    started, *events = record.game.events
    assert isinstance(started, GameStarted)  # every game begins so
    named = replace(started, names=tuple(map(_name, started.names)))
    bots = {seat: level for seat, level in record.bots.items() if level in LEVELS}
    return format_record(replace(record, game=Game.replay((named, *events)), bots=bots))


async def keep(store: Store, who: str, text: str) -> str:
    """Keep the record that `read` has returned; return its id, the same one if *who* does it twice.

    Raises:
        StoreError: If it cannot be kept.
    """
    record_id = new_table_id(who, f"record/{sha256(text.encode()).hexdigest()}")
    entries = [Entry(RECORD_KIND, {"record": text})]
    write = Write(record_stream(record_id), 0, entries, time.time(), who, stage=RECORD)
    with suppress(VersionConflictError):  # it is there already
        await store.append(write)
    return record_id


async def load(store: Store, record_id: str) -> str:
    """Return the text of a record that was kept.

    Raises:
        RefusedError: If there is none, or it was put away (404).
    """
    stored = await store.load(record_stream(record_id)) if is_table_id(record_id) else []
    if not stored:
        raise RefusedError(404, "not_found", "no such record, or it was put away")
    text: str = stored[0].data["record"]
    return text


def as_table(record_id: str, record: Record) -> Table:
    """Return the game of *record* as a table at which nobody sits any more."""
    game = record.game
    seats = tuple(Seat(name, None, record.bots.get(seat)) for seat, name in enumerate(game.names))
    dice = DiceKind.REAL if record.dice == DiceKind.REAL.value else DiceKind.SYSTEM
    opened = TableOpened(game.rules, dice, Mode.DEVICE, "", len(seats), record.hints, record.date)
    return Table(record_id, opened, 1, seats, game)


def _name(name: str) -> str:
    try:
        return clean_name(name)
    except TableError:  # it is too long
        return clean_name(name[:MAX_LETTERS])
