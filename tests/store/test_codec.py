"""Events as JSON: every event comes back the same, and nothing wrong passes for one."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import categories, dice, faces, games, names, rolls, rule_sets
from yachtdice import (
    TRADITIONAL,
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.store.codec import GAME_KINDS, Codec, CodecError

CODEC: Codec[Event] = Codec(GAME_KINDS)

seats = st.integers(0, 11)
points = st.integers(0, 1000)
events = st.one_of(
    st.builds(GameStarted, rule_sets, st.lists(names, min_size=1).map(tuple), seats),
    st.builds(DiceRolled, seats, st.lists(faces, min_size=1, max_size=5).map(tuple)),
    st.builds(DiceHeld, seats, dice(0, 4)),
    st.builds(CategoryScored, seats, categories, points),
    st.builds(TurnEntered, seats, categories, points, st.none() | rolls),
    st.builds(ScoreCorrected, seats, categories, points, st.none() | categories),
    st.builds(PlayerResigned, seats),
)


def through_json(event: Event) -> Event:
    entry = CODEC.encode(event)
    return CODEC.decode(entry.kind, json.loads(json.dumps(entry.data)))


@given(events)
def test_every_event_comes_back(event: Event) -> None:
    assert through_json(event) == event


@given(games())
def test_a_whole_game_comes_back(game: Game) -> None:
    assert Game.replay(map(through_json, game.events)) == game


def test_what_is_written_is_neutral_and_short() -> None:
    entry = CODEC.encode(CategoryScored(1, find_rules("traditional").categories[7], 16))
    assert (entry.kind, entry.data) == (
        "category_scored",
        {"seat": 1, "category": "four_of_a_kind", "points": 16},
    )
    assert CODEC.encode(TurnEntered(0, TRADITIONAL.categories[0], 3)).data == {
        "seat": 0,
        "category": "ones",
        "points": 3,
    }


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_rule_sets_that_come_with_the_package_are_kept_by_name(key: str) -> None:
    event = GameStarted(find_rules(key), ("Ana",))
    data = CODEC.encode(event).data
    assert data["rules"] == {"key": key, "fingerprint": find_rules(key).fingerprint[:16]}
    assert through_json(event) == event


def test_a_rule_set_that_has_changed_since_is_refused() -> None:
    data = {"rules": {"key": "traditional", "fingerprint": "0" * 16}, "names": ["Ana"]}
    with pytest.raises(CodecError, match="not the one that was played"):
        CODEC.decode("game_started", data)


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("dice_thrown", {}, "newer version"),
        ("dice_rolled.2", {"seat": 0, "faces": [1]}, "newer version"),
        ("dice_rolled", {"seat": 0}, "faces is missing"),
        ("dice_rolled", {"seat": 0, "faces": [1], "speed": 3}, "unknown field 'speed'"),
        ("dice_rolled", {"seat": True, "faces": [1]}, "seat: True is not of type int"),
        ("dice_rolled", {"seat": "0", "faces": [1]}, "seat"),
        ("dice_rolled", {"seat": 0, "faces": "12"}, "faces"),
        ("dice_held", {"seat": 0, "kept": [7]}, "kept"),
        ("dice_held", {"seat": 0, "kept": [1.0]}, "kept"),
        ("category_scored", {"seat": 0, "category": "Fours", "points": 4}, "category"),
        ("game_started", {"rules": {"key": "chess"}, "names": []}, "no rule set"),
        ("game_started", {"rules": {"toml": "key = 1"}, "names": []}, "rules"),
        ("game_started", {"rules": [], "names": []}, "rules"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_kind(
    kind: str, data: dict[str, Any], why: str
) -> None:
    with pytest.raises(CodecError, match=why) as caught:
        CODEC.decode(kind, data)
    assert caught.value.kind == kind


@given(
    st.sampled_from(sorted(GAME_KINDS)),
    st.dictionaries(
        st.sampled_from(["seat", "faces", "kept", "category", "points", "rules", "names", "first"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=3),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
        ),
    ),
)
def test_nothing_else_than_a_codec_error_is_raised(kind: str, data: dict[str, Any]) -> None:
    try:
        event = CODEC.decode(kind, data)
    except CodecError:
        return
    assert CODEC.encode(event).kind == kind


def test_a_type_that_nobody_can_write_is_noticed_at_once() -> None:
    @dataclass
    class Odd:
        part: complex

    with pytest.raises(TypeError):
        Codec({"odd": Odd})
