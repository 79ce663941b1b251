"""Rule sets are data: checked, frozen, compared and told apart by how they play."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.rules.wrong import NO_NUMBERS
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    DICE,
    TRADITIONAL,
    UPPER_CATEGORIES,
    Category,
    Dice,
    DiceError,
    FaceSum,
    FullHouse,
    OfAKind,
    RuleSet,
    RuleSetError,
    Scorecard,
    Scorer,
    Straight,
    Total,
    UpperBonus,
    roll_outcomes,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules


def test_categories_are_numbered_in_their_order() -> None:
    assert [category.index for category in CATEGORIES] == [*range(12)]
    assert [category.index for category in UPPER_CATEGORIES] == [*range(6)]
    assert [Category(category.value) for category in CATEGORIES] == [*CATEGORIES]
    assert repr(Category.ONES) == "Category.ONES"
    assert all(Category)  # no category is falsy


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda category: category.value)
def test_copied_categories_are_the_same_object(category: Category) -> None:
    assert pickle.loads(pickle.dumps(category)) is category  # noqa: S301 - our own
    assert copy.copy(category) is copy.deepcopy(category) is category


@pytest.mark.parametrize(
    "key",
    [
        "",
        "Traditional",
        "a b",
        "-a",
        "a_b",
        "a" * 41,
        "a\n",
        "ä",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "\udc80",
        None,
        5,
        b"a",
    ],
    ids=repr,
)
def test_a_key_is_lower_case_letters_digits_and_hyphens(key: str) -> None:
    with pytest.raises(RuleSetError, match="letters, digits and hyphens") as caught:
        RuleSet(key, {Category.CHOICE: Total()})
    assert caught.value.key == "key"
    assert caught.value.found == key


@pytest.mark.parametrize("key", ["a", "0", "a-b", "3-rolls", "a" * 40])
def test_other_keys_are_fine(key: str) -> None:
    assert RuleSet(key, {Category.CHOICE: Total()}).key == key


@pytest.mark.parametrize(
    "scorers",
    [
        {},
        {"choice": Total()},
        {Category.CHOICE: "total"},
        {Category.CHOICE: Total},
        {None: Total()},
    ],
    ids=repr,
)
def test_each_category_has_a_scorer(scorers: dict[Category, Scorer]) -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet("a", scorers)
    assert caught.value.key == "categories"


@pytest.mark.parametrize("rolls", [0, 10, -1])
def test_a_turn_has_one_to_nine_rolls(rolls: int) -> None:
    with pytest.raises(RuleSetError, match="a whole number from 1 to 9") as caught:
        RuleSet("a", {Category.CHOICE: Total()}, rolls)
    assert (caught.value.key, caught.value.found) == ("rolls", rolls)


@pytest.mark.parametrize(
    ("scorer", "arguments", "key", "allowed"),
    [
        (FaceSum, (0,), "face", "a whole number from 1 to 6"),
        (FaceSum, (7,), "face", "a whole number from 1 to 6"),
        (OfAKind, (0, "sum"), "count", "a whole number from 1 to 5"),
        (OfAKind, (6, "sum"), "count", "a whole number from 1 to 5"),
        (OfAKind, (4, -1), "pays", '"sum", "matching" or a whole number from 0 to 1000'),
        (OfAKind, (4, "all"), "pays", '"sum", "matching" or a whole number from 0 to 1000'),
        (OfAKind, (4, 50, -1), "extra", "a whole number from 0 to 1000"),
        (FullHouse, ("matching",), "pays", '"sum" or a whole number from 0 to 1000'),
        (FullHouse, (1001,), "pays", "a whole number from 0 to 1000"),
        (FullHouse, (25, 1), "five_alike", "true or false"),
        (FullHouse, (25, False, 1001), "extra", "a whole number from 0 to 1000"),
        (Straight, (1, 30), "length", "a whole number from 2 to 5"),
        (Straight, (6, 30), "length", "a whole number from 2 to 5"),
        (Straight, (5, "matching"), "pays", '"sum" or a whole number from 0 to 1000'),
        (Straight, (5, 30, 3), "start", "a whole number from 1 to 2"),
        (Straight, (4, 30, 0), "start", "a whole number from 1 to 3"),
        (Straight, (4, 30, 1, 1001), "extra", "a whole number from 0 to 1000"),
        (UpperBonus, (0, 35), "threshold", "a whole number from 1 to 1000"),
        (UpperBonus, (63, 0), "points", "a whole number from 1 to 1000"),
    ],
)
def test_the_wrong_number_of_a_scorer_is_named(
    scorer: Callable[..., object], arguments: tuple[object, ...], key: str, allowed: str
) -> None:
    with pytest.raises(RuleSetError) as caught:
        scorer(*arguments)
    assert caught.value.key == key
    assert allowed in caught.value.allowed


NUMBERS: list[tuple[str, Callable[[Any], object]]] = [
    ("rolls", lambda value: RuleSet("a", {Category.CHOICE: Total()}, value)),
    ("face", FaceSum),
    ("count", lambda value: OfAKind(value, "sum")),
    ("pays", lambda value: OfAKind(4, value)),
    ("extra", lambda value: OfAKind(4, 50, value)),
    ("pays", FullHouse),
    ("extra", lambda value: FullHouse(extra=value)),
    ("length", lambda value: Straight(value, 30)),
    ("pays", lambda value: Straight(4, value)),
    ("extra", lambda value: Straight(4, 30, extra=value)),
    ("threshold", lambda value: UpperBonus(value, 35)),
    ("points", lambda value: UpperBonus(63, value)),
]


@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize(("key", "make"), NUMBERS, ids=range(len(NUMBERS)))
def test_numbers_are_true_whole_numbers(kind: str, key: str, make: Callable[[Any], object]) -> None:
    with pytest.raises(RuleSetError) as caught:
        make(NO_NUMBERS[kind])
    assert caught.value.key == key
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("kind", [kind for kind in NO_NUMBERS if kind != "none"])
def test_the_start_of_a_straight_is_a_whole_number_or_none(kind: str) -> None:
    with pytest.raises(RuleSetError, match="start"):
        Straight(4, 30, start=NO_NUMBERS[kind])


@pytest.mark.parametrize("kind", [kind for kind in NO_NUMBERS if kind != "true"])
def test_five_alike_is_true_or_false(kind: str) -> None:
    with pytest.raises(RuleSetError, match="five_alike"):
        FullHouse(five_alike=NO_NUMBERS[kind])


def test_a_rule_set_is_shown_by_its_key() -> None:
    assert repr(TRADITIONAL) == "RuleSet('traditional')"
    assert repr(Scorecard(ALL_DICE).rules) == "RuleSet('all-dice')"


@pytest.mark.parametrize("bonus", [(63, 35), 35, True, {"threshold": 63, "points": 35}, ""])
def test_the_bonus_is_an_upper_bonus_or_none(bonus: UpperBonus) -> None:
    with pytest.raises(RuleSetError, match="upper_bonus"):
        RuleSet("a", {Category.CHOICE: Total()}, upper_bonus=bonus)


@pytest.mark.parametrize("scorers", [None, [], [(Category.CHOICE, Total())], "choice", 5])
def test_the_scorers_are_a_mapping(scorers: dict[Category, Scorer]) -> None:
    with pytest.raises(RuleSetError, match="categories"):
        RuleSet("a", scorers)


@pytest.mark.parametrize("dice", [None, [1] * 5, (1, 1, 1, 1, 1), "11111", 5])
def test_only_dice_are_scored(dice: Dice) -> None:
    for category in TRADITIONAL.categories:
        with pytest.raises(DiceError, match="of type Dice"):
            TRADITIONAL.score(category, dice)


@pytest.mark.parametrize("category", [None, "ones", 0, True, []])
def test_what_is_no_category_pays_nothing(category: Category) -> None:
    assert not TRADITIONAL.has(category)
    for action in (
        TRADITIONAL.possible_points,
        lambda category: TRADITIONAL.can_pay(category, 0),
        lambda category: TRADITIONAL.score(category, Dice([1] * 5)),
    ):
        with pytest.raises(RuleSetError) as caught:
            action(category)
        assert caught.value.key == "category"


def test_a_rule_set_never_changes() -> None:
    source: dict[Category, Scorer] = {Category.CHOICE: Total()}
    rules = RuleSet("a", source)
    source[Category.YACHT] = OfAKind(5, 50)
    assert rules.categories == (Category.CHOICE,)
    with pytest.raises(TypeError):
        rules.scorers[Category.YACHT] = OfAKind(5, 50)  # type: ignore[index]
    with pytest.raises(AttributeError):
        rules.rolls = 4  # type: ignore[misc]


@given(strategies.rule_sets)
def test_a_copied_or_pickled_rule_set_is_equal(rules: RuleSet) -> None:
    for same in (
        pickle.loads(pickle.dumps(rules)),  # noqa: S301 - our own
        copy.copy(rules),
        copy.deepcopy(rules),
    ):
        assert same == rules
        assert hash(same) == hash(rules)
        assert same.categories == rules.categories


def test_rule_sets_are_equal_if_every_part_is() -> None:
    rules = RuleSet("a", TRADITIONAL.scorers, 3, UpperBonus(63, 35))
    assert rules == RuleSet("a", TRADITIONAL.scorers, 3, UpperBonus(63, 35))
    assert rules != RuleSet("b", TRADITIONAL.scorers, 3, UpperBonus(63, 35))
    assert rules != RuleSet("a", ALL_DICE.scorers, 3, UpperBonus(63, 35))
    assert rules != RuleSet("a", TRADITIONAL.scorers, 2, UpperBonus(63, 35))
    assert rules != RuleSet("a", TRADITIONAL.scorers, 3, UpperBonus(63, 50))
    assert rules != RuleSet("a", TRADITIONAL.scorers)
    assert rules != "a"


def test_rule_sets_with_another_order_of_the_card_are_not_equal() -> None:
    backwards = RuleSet("traditional", dict(reversed([*TRADITIONAL.scorers.items()])))
    assert backwards != TRADITIONAL
    assert Scorecard(backwards).open == CATEGORIES[::-1]
    assert Scorecard(TRADITIONAL).open == CATEGORIES


@given(strategies.rule_sets)
def test_possible_points_are_those_of_the_252_rolls(rules: RuleSet) -> None:
    for category, scorer in rules.scorers.items():
        points = {scorer.points(dice) for dice, _ in roll_outcomes(DICE)}
        assert rules.possible_points(category) == tuple(sorted(points))
        assert all(rules.can_pay(category, number) for number in points)
        assert not rules.can_pay(category, max(points) + 1)
        assert not rules.can_pay(category, float(max(points)))
        assert not rules.can_pay(category, None)


def test_a_category_that_is_not_in_play_has_no_points() -> None:
    rules = RuleSet("a", {Category.CHOICE: Total()})
    with pytest.raises(RuleSetError, match="allowed: choice"):
        rules.possible_points(Category.ONES)
    with pytest.raises(RuleSetError, match="allowed: choice"):
        rules.can_pay(Category.ONES, 1)


def one_box(scorer: Scorer) -> RuleSet:
    return RuleSet("a", {Category.CHOICE: scorer})


def numbers(bonus: UpperBonus | None, **changes: Scorer) -> RuleSet:
    """Return rules with the number boxes alone, some of them changed."""
    boxes = {c: changes.get(c.value, TRADITIONAL.scorers[c]) for c in UPPER_CATEGORIES}
    return RuleSet("a", boxes, upper_bonus=bonus)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Called otherwise, or shown in another order.
        (TRADITIONAL, RuleSet("a", TRADITIONAL.scorers)),
        (TRADITIONAL, RuleSet("a", dict(reversed([*TRADITIONAL.scorers.items()])))),
        # The same points, said in another way.
        (one_box(Total()), one_box(OfAKind(1, "sum"))),
        (one_box(OfAKind(5, "sum")), one_box(OfAKind(5, "matching"))),
        (one_box(FullHouse(25)), one_box(FullHouse(20, extra=5))),
        (one_box(Straight(5, 30)), one_box(Straight(5, 10, extra=20))),
        (one_box(Straight(5, 15, start=1)), one_box(Straight(5, "sum", start=1))),
        # Bonuses that nobody gets, or that the same totals get: 2 x 1000 and 15, 30 and so on.
        (numbers(None), numbers(UpperBonus(106, 35))),
        (
            numbers(UpperBonus(500, 35), ones=OfAKind(5, 1000)),
            numbers(UpperBonus(1000, 35), ones=OfAKind(5, 1000)),
        ),
        (one_box(Total()), RuleSet("a", {Category.CHOICE: Total()}, upper_bonus=UpperBonus(1, 1))),
    ],
)
def test_rule_sets_that_play_the_same_share_a_fingerprint(one: RuleSet, other: RuleSet) -> None:
    assert one != other
    assert one.fingerprint == other.fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TRADITIONAL, ALL_DICE),
        (TRADITIONAL, RuleSet("traditional", TRADITIONAL.scorers, rolls=2)),
        (one_box(Total()), RuleSet("a", {Category.YACHT: Total()})),
        (one_box(Straight(5, 30)), one_box(Straight(5, 30, start=1))),
        (one_box(FullHouse()), one_box(FullHouse(five_alike=True))),
        (numbers(None), numbers(UpperBonus(105, 35))),
        (numbers(UpperBonus(62, 35)), numbers(UpperBonus(63, 35))),
        (numbers(UpperBonus(63, 35)), numbers(UpperBonus(63, 50))),
    ],
)
def test_rule_sets_that_play_otherwise_have_another_fingerprint(
    one: RuleSet, other: RuleSet
) -> None:
    assert one.fingerprint != other.fingerprint


@given(strategies.rule_sets, st.data())
def test_the_fingerprint_changes_if_and_only_if_a_box_pays_otherwise(
    rules: RuleSet, data: st.DataObject
) -> None:
    category = data.draw(st.sampled_from(rules.categories))
    scorer = data.draw(strategies.scorers)
    changed = RuleSet("b", {**rules.scorers, category: scorer}, rules.rolls)
    rules = RuleSet("a", rules.scorers, rules.rolls)
    same = all(
        scorer.points(dice) == rules.scorers[category].points(dice)
        for dice, _ in roll_outcomes(DICE)
    )
    assert (changed.fingerprint == rules.fingerprint) == same


def test_fingerprints_are_the_same_everywhere(golden: Callable[[str, str], None]) -> None:
    lines = [f"{find_rules(key).fingerprint}  {key}\n" for key in RULE_SET_KEYS]
    golden("fingerprints.txt", "".join(lines))
