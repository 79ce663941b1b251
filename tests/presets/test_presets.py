"""The rule sets that come with the package."""

from importlib.resources import files

import pytest

from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    DICE,
    TRADITIONAL,
    Category,
    FullHouse,
    OfAKind,
    RuleSet,
    RuleSetError,
    Straight,
    Total,
    UpperBonus,
    format_rules,
    parse_dice,
    roll_outcomes,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules, load_rules

CONSOLE = find_rules("console")
KNIZIA = find_rules("knizia")


def test_the_published_rule_sets_come_first() -> None:
    assert RULE_SET_KEYS == ("traditional", "all-dice", "console", "knizia")
    assert find_rules("traditional") is TRADITIONAL
    assert find_rules("all-dice") is ALL_DICE


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_every_rule_set_has_twelve_categories_three_rolls_and_its_key(key: str) -> None:
    rules = find_rules(key)
    assert rules is find_rules(key)
    assert rules.key == key
    assert {*rules.categories} == {*CATEGORIES}
    assert rules.rolls == 3


def test_no_two_of_them_play_the_same() -> None:
    assert len({find_rules(key).fingerprint for key in RULE_SET_KEYS}) == len(RULE_SET_KEYS)


def test_only_console_has_a_bonus() -> None:
    bonuses = {key: find_rules(key).upper_bonus for key in RULE_SET_KEYS}
    assert bonuses == {
        "traditional": None,
        "all-dice": None,
        "console": UpperBonus(63, 35),
        "knizia": None,
    }


@pytest.mark.parametrize("key", ["console", "knizia"])
def test_every_file_that_is_there_can_be_found_by_its_name(key: str) -> None:
    names = {file.name for file in files("yachtdice.presets").iterdir()}
    assert {name for name in names if name.endswith(".toml")} == {"console.toml", "knizia.toml"}
    text = files("yachtdice.presets").joinpath(f"{key}.toml").read_text("utf-8")
    assert load_rules(text) == find_rules(key)


def test_knizia_is_all_dice_but_five_alike_are_a_full_house() -> None:
    assert KNIZIA.categories == ALL_DICE.categories
    for category in CATEGORIES:
        for dice, _ in roll_outcomes(DICE):
            is_five_alike = len({*dice}) == 1
            if category is Category.FULL_HOUSE and is_five_alike:
                assert KNIZIA.score(category, dice) == dice.total
            else:
                assert KNIZIA.score(category, dice) == ALL_DICE.score(category, dice)


@pytest.mark.parametrize(
    ("category", "dice", "points"),
    [
        (Category.FOUR_OF_A_KIND, "1-4-4-4-4", 17),
        (Category.FOUR_OF_A_KIND, "6-6-6-6-6", 30),
        (Category.FULL_HOUSE, "3-3-3-6-6", 21),
        (Category.FULL_HOUSE, "4-4-4-4-4", 20),
        (Category.FULL_HOUSE, "2-2-4-4-6", 0),
        (Category.LITTLE_STRAIGHT, "1-2-3-4-6", 15),
        (Category.LITTLE_STRAIGHT, "3-4-5-6-6", 15),
        (Category.LITTLE_STRAIGHT, "1-2-3-4-5", 15),
        (Category.LITTLE_STRAIGHT, "1-2-4-5-6", 0),
        (Category.BIG_STRAIGHT, "1-2-3-4-5", 30),
        (Category.BIG_STRAIGHT, "2-3-4-5-6", 30),
        (Category.BIG_STRAIGHT, "1-2-3-4-6", 0),
        (Category.YACHT, "1-1-1-1-1", 50),
        (Category.CHOICE, "1-2-2-4-6", 15),
    ],
)
def test_examples_of_console(category: Category, dice: str, points: int) -> None:
    assert CONSOLE.score(category, parse_dice(dice)) == points


@pytest.mark.parametrize("key", ["", "Traditional", "all_dice", "traditional.toml", "../console"])
def test_no_other_key_is_found(key: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        find_rules(key)
    assert (caught.value.key, caught.value.found) == ("rules", key)
    assert caught.value.allowed == "traditional, all-dice, console, knizia"


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_a_file_may_repeat_what_comes_with_the_package(key: str) -> None:
    assert load_rules(format_rules(find_rules(key))) == find_rules(key)


@pytest.mark.parametrize(
    "changed",
    [
        RuleSet("traditional", ALL_DICE.scorers),
        RuleSet("all-dice", ALL_DICE.scorers, rolls=4),
        RuleSet("knizia", KNIZIA.scorers, upper_bonus=UpperBonus(63, 35)),
        # The card in another order is another card.
        RuleSet("traditional", dict(reversed([*TRADITIONAL.scorers.items()]))),
    ],
    ids=lambda rules: f"{rules.key}-{rules.fingerprint[:6]}",
)
def test_a_file_cannot_pass_itself_off_as_what_comes_with_the_package(changed: RuleSet) -> None:
    with pytest.raises(RuleSetError, match="a key that no built-in rule set has") as caught:
        load_rules(format_rules(changed))
    assert (caught.value.key, caught.value.found) == ("key", changed.key)


def test_other_house_rules_can_be_written() -> None:
    """The ones that the rules page names: other straights, flat houses, a bonus of 50."""
    rules = RuleSet(
        "house",
        {
            Category.CHOICE: Total(),
            Category.LITTLE_STRAIGHT: Straight(4, 15),
            Category.BIG_STRAIGHT: Straight(5, 20),
            Category.FULL_HOUSE: FullHouse("sum", extra=10),
            Category.FOUR_OF_A_KIND: OfAKind(4, 40),
            Category.THREES: OfAKind(3, "sum"),
            Category.YACHT: OfAKind(5, 50),
        },
        upper_bonus=UpperBonus(63, 50),
    )
    assert load_rules(format_rules(rules)) == rules


def test_a_wrong_file_is_refused() -> None:
    with pytest.raises(RuleSetError, match="categories"):
        load_rules('key = "house"')
