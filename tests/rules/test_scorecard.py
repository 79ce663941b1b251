"""A scorecard holds what its rule set can pay, and adds it up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.rules.wrong import NO_NUMBERS
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    TRADITIONAL,
    UPPER_CATEGORIES,
    Category,
    OfAKind,
    RuleSet,
    Scorecard,
    SetupError,
    SetupReason,
    Total,
)
from yachtdice.presets import find_rules

TWO_BOXES = RuleSet("two-boxes", {Category.YACHT: OfAKind(5, 50), Category.CHOICE: Total()})
CONSOLE = find_rules("console")


def test_a_new_card_is_blank() -> None:
    card = Scorecard(TRADITIONAL)
    assert card.points == (None,) * 12
    assert card.open == CATEGORIES
    assert (card.total, card.upper, card.bonus, card.mask) == (0, 0, 0, 0)
    assert not card.is_full


def test_filling_a_box_makes_a_new_card() -> None:
    blank = Scorecard(TRADITIONAL)
    card = blank.fill(Category.CHOICE, 15).fill(Category.YACHT, 0)
    assert blank == Scorecard(TRADITIONAL)
    assert (card[Category.CHOICE], card[Category.YACHT], card[Category.ONES]) == (15, 0, None)
    assert card.mask == 1 << Category.CHOICE.index | 1 << Category.YACHT.index
    assert card.open == CATEGORIES[:10]
    assert card.total == 15


def test_a_zero_uses_a_box_up() -> None:
    card = Scorecard(TWO_BOXES).fill(Category.YACHT, 0)
    assert card.open == (Category.CHOICE,)
    with pytest.raises(SetupError, match="yacht is used"):
        card.fill(Category.YACHT, 50)
    assert card.fill(Category.CHOICE, 5).is_full


def test_opening_a_box_takes_its_points_away() -> None:
    card = Scorecard(TRADITIONAL).fill(Category.CHOICE, 15)
    assert card.opened(Category.CHOICE) == Scorecard(TRADITIONAL)
    assert card.opened(Category.ONES) == card


def test_open_boxes_come_in_the_order_of_the_card() -> None:
    assert Scorecard(ALL_DICE).fill(Category.CHOICE, 5).open == (
        Category.YACHT,
        *CATEGORIES[-3::-1],
    )
    assert Scorecard(TWO_BOXES).open == (Category.YACHT, Category.CHOICE)


@pytest.mark.parametrize(
    ("category", "points"),
    [
        (Category.ONES, 6),
        (Category.TWOS, 3),
        (Category.TWOS, -2),
        (Category.FULL_HOUSE, 6),
        (Category.FOUR_OF_A_KIND, 17),
        (Category.LITTLE_STRAIGHT, 15),
        (Category.CHOICE, 0),
        (Category.CHOICE, 31),
        (Category.YACHT, 100),
    ],
)
def test_points_that_a_category_is_never_worth_are_refused(category: Category, points: int) -> None:
    with pytest.raises(SetupError, match=f"{points} in {category.value}") as caught:
        Scorecard(TRADITIONAL).fill(category, points)
    assert caught.value.reason is SetupReason.CARD


@pytest.mark.parametrize("kind", [kind for kind in NO_NUMBERS if kind != "none"])
def test_points_are_true_whole_numbers(kind: str) -> None:
    with pytest.raises(SetupError) as caught:
        Scorecard(TRADITIONAL).fill(Category.ONES, NO_NUMBERS[kind])
    assert caught.value.reason is SetupReason.CARD
    assert len(str(caught.value)) < 250


def test_the_parts_of_a_card_are_of_their_types() -> None:
    wrong: list[Any] = [
        ("traditional",),
        (None,),
        (TRADITIONAL, [None] * 12),
        (TRADITIONAL, None),
        (TRADITIONAL, "............"),
    ]
    for parts in wrong:
        with pytest.raises(SetupError) as caught:
            Scorecard(*parts)
        assert caught.value.reason is SetupReason.CARD


@pytest.mark.parametrize("category", [None, "ones", 0, True, []])
def test_what_is_no_category_has_no_box(category: Category) -> None:
    for action in (Scorecard(TRADITIONAL).opened, lambda box: Scorecard(TRADITIONAL).fill(box, 3)):
        with pytest.raises(SetupError, match="no category"):
            action(category)


def test_a_card_is_shown_in_one_line() -> None:
    card = Scorecard(TRADITIONAL).fill(Category.CHOICE, 15).fill(Category.TWOS, 0)
    assert repr(card) == "Scorecard('traditional', twos=0, choice=15)"
    assert str(card) == "-.0.-.-.-.-.-.-.-.-.15.-"
    assert (repr(Scorecard(TRADITIONAL)), str(Scorecard(TRADITIONAL))) == (
        "Scorecard('traditional')",
        "-",
    )


def test_a_box_that_the_rule_set_does_not_have_is_refused() -> None:
    with pytest.raises(SetupError, match="1 in ones"):
        Scorecard(TWO_BOXES).fill(Category.ONES, 1)


@pytest.mark.parametrize("length", [0, 11, 13])
def test_a_card_has_twelve_entries(length: int) -> None:
    with pytest.raises(SetupError, match="twelve entries"):
        Scorecard(TRADITIONAL, (None,) * length)


@pytest.mark.parametrize(
    ("sixes", "upper", "bonus"), [(18, 63, 35), (12, 57, 0), (24, 69, 35), (None, 45, 0)]
)
def test_the_bonus_is_for_63_in_the_number_boxes(sixes: int | None, upper: int, bonus: int) -> None:
    points = (3, 6, 9, 12, 15, sixes, None, None, None, None, 30, None)
    card = Scorecard(CONSOLE, points)
    assert (card.upper, card.bonus, card.total) == (upper, bonus, upper + 30 + bonus)


def test_the_published_rules_have_no_bonus() -> None:
    for rules in (TRADITIONAL, ALL_DICE):
        card = Scorecard(rules, (5, 10, 15, 20, 25, 30, *[None] * 6))
        assert (card.upper, card.bonus, card.total) == (105, 0, 105)


@given(st.data(), strategies.known_rules | strategies.rule_sets)
def test_a_card_adds_up_whatever_is_on_it(data: st.DataObject, rules: RuleSet) -> None:
    card = data.draw(strategies.cards(rules))
    filled = {c: points for c in CATEGORIES if (points := card[c]) is not None}
    assert {*card.open} == {*rules.categories} - {*filled}
    assert card.mask == sum(2 ** CATEGORIES.index(c) for c in filled)
    assert card.is_full == (len(filled) == len(rules.categories))
    assert card.upper == sum(filled.get(c, 0) for c in UPPER_CATEGORIES)
    assert card.total - card.bonus == sum(filled.values())
    if rules.upper_bonus is None:
        assert card.bonus == 0
    else:
        due = card.upper >= rules.upper_bonus.threshold
        assert card.bonus == (rules.upper_bonus.points if due else 0)


@given(st.data(), strategies.known_rules)
def test_the_order_in_which_boxes_are_filled_does_not_matter(
    data: st.DataObject, rules: RuleSet
) -> None:
    card = data.draw(strategies.cards(rules))
    filled = [(c, points) for c in CATEGORIES if (points := card[c]) is not None]
    again = Scorecard(rules)
    for category, points in data.draw(st.permutations(filled)):
        again = again.fill(category, points)
    assert again == card
    assert hash(again) == hash(card)
