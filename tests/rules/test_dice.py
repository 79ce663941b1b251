"""Dice are multisets, each of which exists once."""

import copy
import operator
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import chain, combinations, product
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.rules.wrong import NO_NUMBERS
from yachtdice import (
    CATEGORIES,
    DICE,
    FACES,
    KEEPS,
    TRADITIONAL,
    Category,
    Dice,
    DiceError,
    NotationError,
    NotationReason,
    Position,
    YachtError,
    format_dice,
    parse_dice,
    parse_faces,
    roll_outcomes,
)

EVERY_ORDER = [roll for count in range(DICE + 1) for roll in product(FACES, repeat=count)]
EVERY_HOLD = [dice for count in range(DICE + 1) for dice, _ in roll_outcomes(count)]


def test_there_are_252_rolls_462_holds_and_4096_sets_of_used_boxes() -> None:
    assert len({Dice(roll) for roll in product(FACES, repeat=DICE)}) == 252
    assert len({Dice(roll) for roll in EVERY_ORDER}) == 462
    assert len(EVERY_HOLD) == 462
    assert len({hold for roll, _ in roll_outcomes(DICE) for hold in roll.holds()}) == 462
    sets = chain.from_iterable(combinations(CATEGORIES, size) for size in range(13))
    assert {sum(1 << category.index for category in used) for used in sets} == {*range(4096)}


def test_the_order_of_the_dice_does_not_matter() -> None:
    assert Dice([5, 2, 5]) is Dice((2, 5, 5)) is Dice(iter([5, 5, 2]))
    assert Dice() is Dice([])
    assert Dice([1]) != Dice([1, 1])


def test_faces_counts_and_total_agree_for_every_order() -> None:
    for roll in EVERY_ORDER:
        dice = Dice(roll)
        assert dice.faces == tuple(dice) == tuple(sorted(roll))
        assert dice.counts == tuple(Counter(roll)[face] for face in FACES)
        assert dice.total == sum(roll)
        assert len(dice) == len(roll)


def test_holds_are_all_parts_each_once_from_none_to_all() -> None:
    for dice in EVERY_HOLD:
        parts = chain.from_iterable(combinations(dice, size) for size in range(DICE + 1))
        holds = dice.holds()
        assert {hold.faces for hold in holds} == {tuple(sorted(part)) for part in parts}
        assert len({*holds}) == len(holds)
        assert [len(hold) for hold in holds] == sorted(len(hold) for hold in holds)
        assert (holds[0], holds[-1]) == (Dice(), dice)


def test_one_dice_is_part_of_another_if_no_face_is_missing() -> None:
    counters = {dice: Counter(dice.faces) for dice in EVERY_HOLD}
    for part, whole in product(EVERY_HOLD, repeat=2):
        assert (part <= whole) == (counters[part] <= counters[whole])


@given(strategies.dice(), st.data())
def test_what_is_kept_and_the_rest_are_the_whole(dice: Dice, data: st.DataObject) -> None:
    kept = data.draw(st.sampled_from(dice.holds()))
    rest = dice - kept
    assert kept + rest is dice
    assert len(kept) + len(rest) == len(dice)


@given(strategies.dice(), strategies.dice())
def test_adding_and_taking_away_what_cannot_be_is_refused(one: Dice, other: Dice) -> None:
    if len(one) + len(other) > DICE:
        with pytest.raises(DiceError, match="at most five"):
            one + other
    else:
        assert one + other is Dice([*one, *other])
    if not other <= one:
        with pytest.raises(DiceError, match="not among"):
            one - other


@pytest.mark.parametrize("count", range(6))
def test_outcomes_of_a_roll_have_the_probability_of_their_orders(count: int) -> None:
    orders = Counter(tuple(sorted(roll)) for roll in product(FACES, repeat=count))
    assert {dice.faces: chance for dice, chance in roll_outcomes(count)} == {
        faces: Fraction(number, 6**count) for faces, number in orders.items()
    }
    assert sum(chance for _, chance in roll_outcomes(count)) == 1


@pytest.mark.parametrize(
    ("category", "orders"),
    [
        (Category.YACHT, 6),
        (Category.FOUR_OF_A_KIND, 156),
        (Category.FULL_HOUSE, 300),
        (Category.LITTLE_STRAIGHT, 120),
        (Category.BIG_STRAIGHT, 120),
    ],
    ids=lambda value: value.value if isinstance(value, Category) else value,
)
def test_chances_in_one_roll(category: Category, orders: int) -> None:
    outcomes = Position.start(TRADITIONAL).outcomes()
    chance = sum(chance for dice, chance in outcomes if TRADITIONAL.score(category, dice))
    assert chance == Fraction(orders, 7776)


@pytest.mark.parametrize(
    "faces",
    [
        [0],
        [7],
        [-1],
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3, 4, 5, 7],
        [1.5],
        [False],
        "12345",
        [{}],
        [Category.ONES],
        [True] * 5,
        [1.0] * 5,
        [Decimal(3)],
        [Fraction(4)],
        [np.True_],
        [np.float64(1)],
        *([value] for value in NO_NUMBERS.values()),
    ],
)
def test_impossible_dice_are_refused(faces: list[int]) -> None:
    with pytest.raises(DiceError) as caught:
        Dice(faces)
    assert len(str(caught.value)) < 200


def test_integers_of_another_kind_are_faces() -> None:
    dice = Dice(np.array([4, 1, 3, 2]))
    assert dice is Dice([1, 2, 3, 4])
    assert [type(face) for face in dice] == [int, int, int, int]


def test_what_equals_known_dice_is_refused_all_the_same() -> None:
    for faces in product([1, 2], repeat=DICE):
        assert Dice(faces).faces == tuple(sorted(faces))
        for wrong in (map(float, faces), [True, *faces[1:]], [*faces[:-1], True]):
            with pytest.raises(DiceError, match="whole number"):
                Dice(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [[2], (2,), "1-2", 2, None])
def test_dice_are_put_together_with_dice_alone(other: Dice) -> None:
    for action in (operator.add, operator.sub, operator.le):
        with pytest.raises(TypeError):
            action(Dice([2]), other)


def test_every_hold_has_a_number_that_never_changes() -> None:
    assert [dice.index for dice in KEEPS] == [*range(462)]
    assert {*KEEPS} == {*EVERY_HOLD}
    assert KEEPS[210:] == tuple(dice for dice, _ in roll_outcomes(DICE))
    text = " ".join(map(str, KEEPS))
    assert text.startswith("- 1 2 3 4 5 6 1-1 1-2 ")
    assert sha256(text.encode()).hexdigest() == (
        "e1e836442d0c21623b795bd45a28e298636159d2a4bff91b9fbb550457988540"
    )


def test_dice_never_change() -> None:
    dice = Dice([1, 2])
    for name in ("faces", "counts", "total", "_holds", "colour"):
        with pytest.raises(AttributeError, match=f"cannot set {name}"):
            setattr(dice, name, ())
    with pytest.raises(AttributeError, match="cannot delete faces"):
        del dice.faces
    assert not hasattr(dice, "__dict__")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_unpickled_dice_are_the_same_object(protocol: int) -> None:
    for dice in EVERY_HOLD:
        assert pickle.loads(pickle.dumps(dice, protocol)) is dice  # noqa: S301 - our own


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copied_dice_are_the_same_object(copied: Callable[[Dice], Dice]) -> None:
    assert all(copied(dice) is dice for dice in EVERY_HOLD)


def test_threads_that_make_the_same_dice_get_the_same_object(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = 8
    barrier = Barrier(threads)

    def make_all(_: int) -> list[Dice]:
        barrier.wait()
        return [Dice(roll) for roll in EVERY_ORDER[:2000]]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(20):
                monkeypatch.setattr("yachtdice.rules.dice._known", {})
                for made in zip(*pool.map(make_all, range(threads)), strict=True):
                    assert len({id(dice) for dice in made}) == 1
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("5-5-5-2-1", (5, 5, 5, 2, 1)),
        ("5 5 5 2 1", (5, 5, 5, 2, 1)),
        ("5,5,5,2,1", (5, 5, 5, 2, 1)),
        ("5, 5, 2", (5, 5, 2)),
        ("5 - 5 -2", (5, 5, 2)),
        ("55521", (5, 5, 5, 2, 1)),
        ("55-2 1", (5, 5, 2, 1)),
        ("  3   4\n", (3, 4)),
        ("6", (6,)),
        ("-", ()),
        (" - ", ()),
    ],
)
def test_dice_are_read_with_any_separator(text: str, faces: tuple[int, ...]) -> None:
    assert parse_faces(text) == faces
    assert parse_dice(text) is Dice(faces)


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("", NotationReason.BAD_DICE, 1),
        ("   ", NotationReason.BAD_DICE, 4),
        ("0", NotationReason.BAD_DICE, 1),
        ("1-2-7", NotationReason.BAD_DICE, 5),
        ("  1 2 x", NotationReason.BAD_DICE, 7),
        ("1--2", NotationReason.BAD_DICE, 1),
        (" 1-", NotationReason.BAD_DICE, 2),
        ("-1", NotationReason.BAD_DICE, 1),
        ("--", NotationReason.BAD_DICE, 1),
        (",", NotationReason.BAD_DICE, 1),
        ("1\t2", NotationReason.BAD_DICE, 2),
        ("1\n2", NotationReason.BAD_DICE, 2),
        ("1.5", NotationReason.BAD_DICE, 2),
        ("١٢", NotationReason.BAD_DICE, 1),
        ("1 \N{FULLWIDTH DIGIT TWO}", NotationReason.BAD_DICE, 3),
        ("3²", NotationReason.BAD_DICE, 2),
        ("1\udc80", NotationReason.BAD_DICE, 2),
        ("1\0", NotationReason.BAD_DICE, 2),
        ("1-2-3-4-5-6", NotationReason.TOO_MANY_DICE, 1),
        (" 123456", NotationReason.TOO_MANY_DICE, 2),
        ("1" * 100_000, NotationReason.TOO_MANY_DICE, 1),
        ("1  " * 1000 + "1--1", NotationReason.BAD_DICE, 1),
    ],
)
def test_text_that_is_no_dice_is_refused(text: str, reason: NotationReason, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_dice(text)
    error = caught.value
    assert (error.reason, error.line, error.column) == (reason, 0, column)
    assert error.text == text
    assert len(str(error)) < 600


def test_the_error_says_where_in_a_bigger_text_the_dice_stand() -> None:
    with pytest.raises(NotationError, match=r"^line 3, column 12: ' 1-9': ") as caught:
        parse_faces(" 1-9", line=3, column=9)
    assert (caught.value.line, caught.value.column) == (3, 12)


@given(st.lists(strategies.faces, max_size=DICE))
def test_reading_what_was_written_gives_the_same_faces(faces: list[int]) -> None:
    assert parse_faces(format_dice(faces)) == tuple(faces)
    assert parse_dice(str(Dice(faces))) is Dice(faces)
    assert eval(repr(Dice(faces)), {"Dice": Dice}) is Dice(faces)  # noqa: S307 - our own


@given(st.text() | st.text("123456 ,-0", max_size=20))
def test_any_text_is_dice_or_an_error_of_ours(text: str) -> None:
    try:
        dice = parse_dice(text)
    except YachtError:
        return
    assert [*dice] == sorted(int(letter) for letter in text if letter in "123456")


def test_comparing_with_an_order_is_only_for_parts() -> None:
    assert Dice([1, 1]) >= Dice([1])
    with pytest.raises(TypeError):
        operator.lt(Dice([1]), Dice([2]))
