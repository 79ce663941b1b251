"""Errors carry their context, also to another process, and their messages stay short."""

import copy
import pickle

import pytest

from tests.rules.wrong import HUGE
from yachtdice import (
    TRADITIONAL,
    Category,
    DiceError,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    Position,
    RuleSetError,
    SetupError,
    SetupReason,
    YachtError,
)

START = Position.start(TRADITIONAL)
ERRORS = [
    DiceError((7,), "a face is 1 to 6"),
    IllegalMoveError(IllegalMoveReason.WRONG_SEAT, START, 5),
    NotationError(NotationReason.BAD_DICE, "x", 3, 4, "why"),
    RuleSetError("rolls", 0, "a whole number from 1 to 9"),
    SetupError(SetupReason.FIRST_SEAT, "5"),
]


def name(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize("error", ERRORS, ids=name)
def test_every_error_is_one_of_ours_and_a_value_error(error: YachtError) -> None:
    assert isinstance(error, YachtError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("error", ERRORS, ids=name)
def test_a_copied_or_pickled_error_keeps_its_context(error: YachtError) -> None:
    for same in (
        pickle.loads(pickle.dumps(error)),  # noqa: S301 - our own
        copy.copy(error),
        copy.deepcopy(error),
    ):
        assert type(same) is type(error)
        assert str(same) == str(error)
        assert vars(same) == vars(error)


def test_messages_for_developers() -> None:
    assert [str(error) for error in ERRORS] == [
        "[7]: a face is 1 to 6",
        "5: it is another seat's turn, or there is no such seat",
        "line 3, column 4: 'x': dice are faces 1 to 6, such as 5-5-2, or - for none (why)",
        "rolls: 0 is wrong; allowed: a whole number from 1 to 9",
        "the seat that starts is not one of the seats (5)",
    ]
    assert str(SetupError(SetupReason.NAME)) == "a name is text that can be encoded as UTF-8"
    assert str(NotationError(NotationReason.BAD_DICE, "x")).startswith("column 1: 'x': dice are")


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [HUGE, nested(100_000), "x" * 100_000, [0] * 100_000, "\udc80", "a\nb", Category.ONES, Hold],
    ids=range(8),
)
def test_a_message_is_short_and_can_be_shown_whatever_is_wrong(value: object) -> None:
    errors = [
        DiceError((value,), "a face is 1 to 6"),
        IllegalMoveError(IllegalMoveReason.WRONG_SEAT, START, value),
        NotationError(NotationReason.BAD_DICE, value if isinstance(value, str) else ""),
        RuleSetError("rolls", value, "a whole number from 1 to 9"),
    ]
    for error in errors:
        message = str(error)
        assert len(message) < 300
        assert "\n" not in message
        message.encode()
