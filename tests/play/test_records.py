"""Records that were pasted: stored under an id of their own, until they expire."""

import asyncio
import time
from pathlib import Path

import pytest

from yachtdice.notation import parse_record
from yachtdice.play.online import records
from yachtdice.play.online.tables import Tables
from yachtdice.play.online.tokens import holder_of
from yachtdice.play.table.stages import DAY, KEEP_RECORD

PATH = Path(__file__).parents[1] / "coach" / "records" / "four-at-a-table.yacht"
ANA = holder_of("ana")
TEXT = records.clean_record(PATH.read_bytes())


def test_a_record_is_kept_as_it_is() -> None:
    data = PATH.read_bytes()
    text = records.clean_record(data)
    assert parse_record(text) == parse_record(data)
    table = records.as_table("a" * 16, parse_record(text))
    assert table.game == parse_record(data).game
    assert {seat: s.bot for seat, s in enumerate(table.seats) if s.is_computer} == dict(
        parse_record(data).bots
    )


def test_a_record_expires() -> None:
    async def story() -> None:
        now = time.time()
        tables = Tables(clock=lambda: now)
        kept = await records.add_record(tables.store, ANA, records.clean_record(PATH.read_bytes()))
        assert (
            await records.add_record(tables.store, ANA, records.clean_record(PATH.read_bytes()))
            == kept
        )
        assert await tables.mine(ANA) == []  # it is no game of hers
        now += KEEP_RECORD - DAY
        assert await tables.sweep() == 0
        assert await records.load_record(tables.store, kept)
        now += 2 * DAY
        assert await tables.sweep() == 1
        with pytest.raises(records.RecordNotFoundError):
            await records.load_record(tables.store, kept)

    asyncio.run(story())
