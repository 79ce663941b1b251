"""Records that were pasted: kept under an address of their own, and put away in the end."""

import asyncio
import time
from pathlib import Path

import pytest

from yachtdice.notation import parse_record
from yachtdice.play.online.tables import Tables
from yachtdice.play.online.tokens import holder_of
from yachtdice.play.table.stages import DAY, KEEP_RECORD
from yachtdice.web.edge.security import RefusedError
from yachtdice.web.services import records

PATH = Path(__file__).parents[1] / "coach" / "records" / "four-at-a-table.yacht"
ANA = holder_of("ana")


def test_a_record_is_kept_as_it_is() -> None:
    data = PATH.read_bytes()
    text = records.read(data)
    assert parse_record(text) == parse_record(data)
    table = records.as_table("a" * 16, parse_record(text))
    assert table.game == parse_record(data).game
    assert {seat: s.bot for seat, s in enumerate(table.seats) if s.is_computer} == dict(
        parse_record(data).bots
    )


def test_a_record_is_put_away_after_a_while() -> None:
    async def story() -> None:
        now = time.time()
        tables = Tables(clock=lambda: now)
        kept = await records.keep(tables.store, ANA, records.read(PATH.read_bytes()))
        assert await records.keep(tables.store, ANA, records.read(PATH.read_bytes())) == kept
        assert await tables.mine(ANA) == []  # it is no game of hers
        now += KEEP_RECORD - DAY
        assert await tables.sweep() == 0
        assert await records.load(tables.store, kept)
        now += 2 * DAY
        assert await tables.sweep() == 1
        with pytest.raises(RefusedError):
            await records.load(tables.store, kept)

    asyncio.run(story())
