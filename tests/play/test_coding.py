"""The stream of a table comes back from JSON and replays, and takes nothing that does not fit."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.play.conftest import ANA, BOB, World
from tests.strategies import known_rules, names
from yachtdice import TRADITIONAL, DiceRolled, Game, GameStarted, IllegalMoveError, SetupError
from yachtdice.play.table.actions import Begin, Fill, Leave, PlayOn, Rematch, Resign, Return, Roll
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    RematchOpened,
    SeatLeft,
    SeatPlayedOn,
    SeatRemoved,
    SeatReturned,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.table import Table
from yachtdice.store.codec import GAME_KINDS, CodecError
from yachtdice.store.contract import Entry

seats = st.integers(0, 5)
words = st.text(max_size=8)
events = st.one_of(
    st.builds(
        TableOpened,
        known_rules,
        st.sampled_from(DiceKind),
        st.sampled_from(Mode),
        words,
        seats,
        st.booleans(),
        words,
        st.none() | words,
        st.booleans(),
    ),
    st.builds(SeatTaken, seats, names, words),
    st.builds(BotSeated, seats, words, names),
    st.builds(SeatLeft, seats),
    st.builds(SeatRemoved, seats),
    st.builds(SeatPlayedOn, seats, words),
    st.builds(SeatReturned, seats),
    st.builds(RematchOpened, words),
)


def through_json(event: AnyEvent) -> AnyEvent:
    entry = CODEC.encode(event)
    return CODEC.decode(entry.kind, json.loads(json.dumps(entry.data)))


@given(events)
def test_every_event_comes_back(event: AnyEvent) -> None:
    assert through_json(event) == event


def test_events_of_every_kind_are_stored_with_the_same_keys_as_ever() -> None:
    """A field may be renamed, a stored key never: people's old tables have to open."""
    kept: Mapping[str, Mapping[str, Any]] = {
        "table_opened": {
            "rules": {"key": "traditional", "fingerprint": TRADITIONAL.fingerprint[:16]},
            "dice": "real",
            "mode": "device",
            "host": "h",
            "size": 2,
            "hints": True,
            "date": "2026-01-31",
            "previous": "p",
            "chances": True,
        },
        "seat_taken": {"seat": 0, "name": "Ana", "holder": "h"},
        "bot_seated": {"seat": 1, "level": "greedy", "name": "Bo"},
        "seat_left": {"seat": 0},
        "seat_removed": {"seat": 0},
        "seat_played_on": {"seat": 0, "level": "greedy"},
        "seat_returned": {"seat": 0},
        "rematch_opened": {"table": "t"},
    }
    assert kept.keys() == CODEC.kinds - GAME_KINDS.keys()
    for kind, data in kept.items():
        event = CODEC.decode(kind, data)
        assert CODEC.encode(event) == Entry(kind, data)
    assert CODEC.decode("table_opened", {**CODEC.encode(OPENED).data, "chances": False}) == OPENED


def test_a_table_that_shows_odds_was_stored_as_chances() -> None:
    shown = replace(OPENED, shows_odds=True)
    data = dict(CODEC.encode(shown).data)
    assert data.pop("chances") is True
    assert CODEC.decode("table_opened", data) == OPENED
    with pytest.raises(CodecError, match="unknown field 'shows_odds'"):
        CODEC.decode("table_opened", {**data, "shows_odds": True})


@pytest.mark.anyio
async def test_a_whole_table_replays(world: World) -> None:
    table = await world.do(await world.online(BOB), ANA, Begin())
    table = await world.do(table, ANA, Roll())
    table = await world.do(table, BOB, Leave())
    table = await world.do(table, BOB, Return())
    table = await world.do(table, BOB, Leave())
    assert table.game is not None
    table = await world.do(table, ANA, Fill(table.game.position.card.open[0]))
    world.pause_bots(3600)  # the computer is not what this is about
    table = await world.do(table, ANA, PlayOn(1, "greedy"))
    table = await world.do(table, BOB, Return())
    for who in (ANA, BOB):
        table = await world.do(table, who, Resign())
    table = await world.do(table, BOB, Rematch())
    stored = await world.store.load(table.id)
    replayed = [CODEC.decode(event.kind, event.data) for event in stored]
    assert Table.replay(table.id, replayed) == table
    assert [event.seq for event in stored] == list(range(1, table.version + 1))
    assert table.game is not None
    assert Game.replay(table.game.events) == table.game
    assert table.next is not None
    new = [CODEC.decode(e.kind, e.data) for e in await world.store.load(table.next)]
    assert Table.replay(table.next, new) == await world.tables.get(table.next)


OPENED = TableOpened(TRADITIONAL, DiceKind.SYSTEM, Mode.ONLINE, ANA, 2, hints=False, date="")
BEGUN = (
    OPENED,
    SeatTaken(0, "Ana", ANA),
    SeatTaken(1, "Bob", BOB),
    GameStarted(TRADITIONAL, ("Ana", "Bob")),
)


@pytest.mark.parametrize(
    "stream",
    [
        (),
        (SeatTaken(0, "Ana", ANA),),
        (OPENED, OPENED),
        (OPENED, SeatTaken(1, "Ana", ANA)),
        (OPENED, SeatLeft(0)),
        (OPENED, DiceRolled(0, (1, 2, 3, 4, 5))),
        (OPENED, GameStarted(TRADITIONAL, ("Ana",))),
        (*BEGUN[:3], SeatTaken(2, "Eve", "eve")),
        (*BEGUN, GameStarted(TRADITIONAL, ("Ana", "Bob"))),
        (*BEGUN, SeatTaken(2, "Eve", "eve")),
        (*BEGUN, BotSeated(2, "greedy")),
        (*BEGUN, SeatRemoved(2)),
        (*BEGUN, SeatPlayedOn(-1, "greedy")),
    ],
)
def test_a_stream_that_cannot_be_is_refused(stream: tuple[AnyEvent, ...]) -> None:
    with pytest.raises(SetupError):
        Table.replay("t", stream)


def test_a_game_that_cannot_be_is_refused() -> None:
    table = Table.replay("t", BEGUN)
    with pytest.raises(IllegalMoveError):
        table.apply(DiceRolled(1, (1, 2, 3, 4, 5)))


def test_an_event_of_the_game_leaves_everything_else() -> None:
    table = replace(Table.replay("t", BEGUN), next="n")
    event = DiceRolled(0, (1, 2, 3, 4, 5))
    assert table.game is not None
    after = replace(table, version=table.version + 1, game=table.game.apply(event))
    assert table.apply(event) == after
