"""Positions and moves as text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from yachtdice import (
    MAX_SEATS,
    MOVES,
    TRADITIONAL,
    Category,
    Dice,
    Game,
    Hold,
    NotationError,
    NotationReason,
    Position,
    Score,
    Scorecard,
    find_rules,
)
from yachtdice.notation import (
    format_game,
    format_move,
    format_position,
    is_like_position,
    parse_move,
    parse_position,
)
from yachtdice.presets import RULE_SET_KEYS

CARD = "3.6.-.-.-.-.21.-.-.-.-.-"
EMPTY = ".".join("-" * 12)
HOUSE = """house - 1 1-2-2-4-6 3
| key = "house"
| rolls = 4
|
| [categories]
| choice = { scorer = "total" }"""


@given(strategies.positions(most_seats=MAX_SEATS))
def test_reading_what_was_written_gives_the_same_position(position: Position) -> None:
    text = format_position(position)
    assert "\n" not in text
    assert text.isascii()
    assert text == str(position)
    assert parse_position(text) == position
    assert is_like_position(text)


@given(strategies.positions(strategies.rule_sets))
def test_so_it_does_under_any_house_rules(position: Position) -> None:
    text = format_position(position)
    assert text.splitlines()[0] == str(position)
    assert parse_position(text) == position
    assert is_like_position(text) == bool(re.search("[a-z]", position.rules.key))


@given(strategies.games(plain=True))
def test_so_it_does_in_every_game(game: Game) -> None:
    for position in game.positions():
        assert parse_position(format_position(position)) == position


def test_a_position_can_be_written_by_hand() -> None:
    position = parse_position("traditional - 1 4-4-2-1-6 2")
    assert position == Position.start(TRADITIONAL).roll(Dice([1, 2, 4, 4, 6]))
    again = "\n # a comment\n\ttraditional   " + EMPTY + ", 1 44216, 2 # the second roll\r\n\n"
    assert parse_position(again) == position
    two = parse_position(f"traditional {CARD}/- 1 - 3 2")
    assert two.cards[0][Category.FULL_HOUSE] == 21
    assert (two.seat, two.resigned, two.is_turn_start) == (0, frozenset({1}), True)
    over = parse_position("traditional -/- 2 - 0 1.2")
    assert over.is_over


def test_a_position_under_house_rules_brings_them_along() -> None:
    position = parse_position(HOUSE)
    assert (position.rules.key, position.rules.rolls) == ("house", 4)
    assert format_position(position) == HOUSE


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_boxes_stand_from_ones_to_yacht_under_all_rules(key: str) -> None:
    rules = find_rules(key)
    text = format_position(Position.start(rules).enter(Category.ONES, 2))
    assert text == f"{key} 2.-.-.-.-.-.-.-.-.-.-.- 1 - 3"


WRONG: list[tuple[str, NotationReason, int, int]] = [
    ("", NotationReason.LINE_ENDS, 0, 1),
    ("  \n ", NotationReason.LINE_ENDS, 0, 1),
    ("traditional", NotationReason.LINE_ENDS, 0, 12),
    ("traditional -", NotationReason.LINE_ENDS, 0, 14),
    ("traditional - 1", NotationReason.LINE_ENDS, 0, 16),
    ("traditional - 1 -", NotationReason.LINE_ENDS, 0, 18),
    ("nobodys - 1 - 3", NotationReason.UNKNOWN_RULES, 0, 1),
    (" Traditional - 1 - 3", NotationReason.UNKNOWN_RULES, 0, 2),
    ("traditional x 1 - 3", NotationReason.BAD_CARD, 0, 13),
    ("traditional -/ 1 - 3", NotationReason.BAD_CARD, 0, 15),
    ("traditional -/-.- 1 - 3", NotationReason.BAD_CARD, 0, 15),
    (f"traditional {EMPTY}.- 1 - 3", NotationReason.BAD_CARD, 0, 13),
    ("traditional -.-.-.-.-.-.-.-.-.-.-.51 1 - 3", NotationReason.BAD_CARD, 0, 35),
    ("traditional 3.7.-.-.-.-.-.-.-.-.-.- 1 - 3", NotationReason.BAD_CARD, 0, 15),
    ("traditional -/3.-5.-.-.-.-.-.-.-.-.-.- 1 - 3", NotationReason.BAD_CARD, 0, 17),
    ("traditional 1..-.-.-.-.-.-.-.-.-.- 1 - 3", NotationReason.BAD_CARD, 0, 15),
    ("traditional ².-.-.-.-.-.-.-.-.-.-.- 1 - 3", NotationReason.BAD_CARD, 0, 13),
    ("traditional - 0 - 3", NotationReason.ILLEGAL, 0, 15),
    ("traditional -/- 3 - 3", NotationReason.ILLEGAL, 0, 17),
    ("traditional - x - 3", NotationReason.BAD_NUMBER, 0, 15),
    ("traditional - +1 - 3", NotationReason.BAD_NUMBER, 0, 15),
    ("traditional - 1 7 3", NotationReason.BAD_DICE, 0, 17),
    ("traditional - 1 1-1-1-1-1-1 2", NotationReason.TOO_MANY_DICE, 0, 17),
    ("traditional - 1 - three", NotationReason.BAD_NUMBER, 0, 19),
    ("traditional - 1 - 99999", NotationReason.BAD_NUMBER, 0, 19),
    ("traditional - 1 - 4", NotationReason.ILLEGAL, 0, 19),
    ("traditional - 1 - 0", NotationReason.ILLEGAL, 0, 19),
    ("traditional - 1 1-1-1-1-1 3", NotationReason.ILLEGAL, 0, 27),
    ("traditional - 1 1-1 3", NotationReason.ILLEGAL, 0, 21),
    ("traditional -/- 1 - 3 -", NotationReason.BAD_NUMBER, 0, 23),
    ("traditional -/- 1 - 3 1", NotationReason.ILLEGAL, 0, 23),
    ("traditional -/- 1 - 3 3", NotationReason.ILLEGAL, 0, 23),
    ("traditional -/-/- 1 - 3 3.2", NotationReason.ILLEGAL, 0, 27),
    ("traditional -/-/- 1 - 3 2.2", NotationReason.ILLEGAL, 0, 27),
    ("traditional -/-/- 1 - 3 2.", NotationReason.BAD_NUMBER, 0, 27),
    ("traditional - 1 - 3 2 2", NotationReason.ILLEGAL, 0, 21),
    ("traditional -/- 1 - 3 2 2", NotationReason.BAD_TOKEN, 0, 25),
    (f"traditional {'/'.join('-' * 13)} 1 - 3", NotationReason.ILLEGAL, 0, 43),
    ("traditional - 1 - 3\ntraditional - 1 - 3", NotationReason.BAD_TOKEN, 2, 1),
    ("\n\ntraditional - 1 - 3\n1.1: 1-2", NotationReason.BAD_TOKEN, 4, 1),
    ('nobodys - 1 - 3\n| key = "house"', NotationReason.BAD_RULES, 1, 1),
    (HOUSE.replace("house -", "houses -"), NotationReason.BAD_RULES, 1, 1),
    (HOUSE.replace("house", "console"), NotationReason.BAD_RULES, 1, 1),
    (HOUSE.replace(" - ", f" 5{EMPTY[1:]} "), NotationReason.BAD_CARD, 1, 7),
]


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"), WRONG, ids=[f"{n}" for n in range(len(WRONG))]
)
def test_text_that_is_no_position_is_refused(
    text: str, reason: NotationReason, line: int, column: int
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    error = caught.value
    assert (error.reason, error.line, error.column) == (reason, line, column), str(error)
    assert str(error).startswith(f"line {line}, column {column}" if line else f"column {column}")


@given(
    strategies.positions(strategies.known_rules | strategies.rule_sets),
    st.data(),
    st.text(max_size=3) | st.sampled_from([*" ,.-/#|0123456789\n"]),
)
def test_any_text_is_a_position_or_an_error_of_ours(
    position: Position, data: st.DataObject, patch: str
) -> None:
    text = format_position(position)
    at = data.draw(st.integers(0, len(text)))
    to = data.draw(st.integers(at, min(len(text), at + 3)))
    patched = text[:at] + patch + text[to:]
    try:
        read = parse_position(patched)
    except NotationError:
        return
    assert parse_position(format_position(read)) == read


@given(strategies.games())
def test_a_record_is_not_like_a_position(game: Game) -> None:
    text = format_game(game)
    assert not is_like_position(text)


@given(strategies.dice(), st.sampled_from(["-", " ", " - ", ", ", ""]))
def test_dice_are_not_like_a_position(dice: Dice, between: str) -> None:
    assert not is_like_position(between.join(map(str, dice)))


# Moves.


def test_every_move_has_a_text_of_its_own() -> None:
    texts = [format_move(move) for move in MOVES]
    assert len({*texts}) == len(MOVES)
    assert [parse_move(text) for text in texts] == [*MOVES]
    assert texts[:3] == ["keep -", "keep 1", "keep 2"]
    assert texts[-2:] == ["= choice", "= yacht"]


def test_a_move_can_be_written_by_hand() -> None:
    assert parse_move(" keep  44 # and roll the rest") == Hold(Dice([4, 4]))
    assert parse_move("=\tfour_of_a_kind") == Score(Category.FOUR_OF_A_KIND)


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("", NotationReason.LINE_ENDS, 1),
        ("keep", NotationReason.LINE_ENDS, 5),
        ("=", NotationReason.LINE_ENDS, 2),
        ("hold 4-4", NotationReason.BAD_TOKEN, 1),
        ("=choice", NotationReason.BAD_TOKEN, 1),
        (" 4-4", NotationReason.BAD_TOKEN, 2),
        ("keep 4-7", NotationReason.BAD_DICE, 8),
        ("keep 1-1-1-1-1-1", NotationReason.TOO_MANY_DICE, 6),
        ("keep 4 4", NotationReason.BAD_TOKEN, 8),
        ("= Choice", NotationReason.UNKNOWN_CATEGORY, 3),
        ("= choice 15", NotationReason.BAD_TOKEN, 10),
    ],
)
def test_text_that_is_no_move_is_refused(text: str, reason: NotationReason, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    error = caught.value
    assert (error.reason, error.line, error.column) == (reason, 0, column)


@given(st.text() | st.text("keep= choice-123456", max_size=12))
def test_any_text_is_a_move_or_an_error_of_ours(text: str) -> None:
    try:
        move = parse_move(text)
    except NotationError:
        return
    assert parse_move(format_move(move)) == move


def test_an_empty_card_has_a_short_text_and_a_long_one() -> None:
    assert str(Scorecard(TRADITIONAL)) == "-"
    assert parse_position(f"traditional {EMPTY} 1 - 3") == Position.start(TRADITIONAL)
