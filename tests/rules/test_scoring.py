"""What dice are worth: every roll, every category, every rule set."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given

from tests import strategies
from tests.rules.by_hand import points_by_hand
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    DICE,
    FACES,
    TRADITIONAL,
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
    parse_dice,
    roll_outcomes,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules


@pytest.mark.parametrize("key", RULE_SET_KEYS)
@pytest.mark.parametrize("category", CATEGORIES, ids=lambda category: category.value)
def test_all_7776_rolls_score_as_by_hand(key: str, category: Category) -> None:
    rules = find_rules(key)
    every_roll = [*product(FACES, repeat=5)]
    assert len(every_roll) == 7776
    wrong = [
        roll
        for roll in every_roll
        if rules.score(category, Dice(roll)) != points_by_hand(key, category.value, roll)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("category", "dice", "traditional", "all_dice"),
    [
        (Category.FIVES, "5-5-5-2-1", 15, 15),
        (Category.SIXES, "5-5-5-2-1", 0, 0),
        (Category.ONES, "5-5-5-2-1", 1, 1),
        (Category.FULL_HOUSE, "3-3-3-6-6", 21, 21),
        (Category.FULL_HOUSE, "4-4-4-4-4", 0, 0),
        (Category.FULL_HOUSE, "2-2-4-4-6", 0, 0),
        (Category.FOUR_OF_A_KIND, "1-4-4-4-4", 16, 17),
        (Category.FOUR_OF_A_KIND, "4-4-4-4-1", 16, 17),
        (Category.FOUR_OF_A_KIND, "6-6-6-6-6", 24, 30),
        (Category.FOUR_OF_A_KIND, "6-6-6-5-5", 0, 0),
        (Category.LITTLE_STRAIGHT, "1-2-3-4-5", 30, 30),
        (Category.LITTLE_STRAIGHT, "1-2-3-4-6", 0, 0),
        (Category.LITTLE_STRAIGHT, "2-3-4-5-6", 0, 0),
        (Category.BIG_STRAIGHT, "2-3-4-5-6", 30, 30),
        (Category.BIG_STRAIGHT, "1-2-3-4-5", 0, 0),
        (Category.CHOICE, "1-2-2-4-6", 15, 15),
        (Category.YACHT, "1-1-1-1-1", 50, 50),
        (Category.YACHT, "1-1-1-1-2", 0, 0),
    ],
)
def test_examples_of_the_rules_page(
    category: Category, dice: str, traditional: int, all_dice: int
) -> None:
    assert TRADITIONAL.score(category, parse_dice(dice)) == traditional
    assert ALL_DICE.score(category, parse_dice(dice)) == all_dice


@pytest.mark.parametrize(
    ("rules", "four_of_a_kind", "total"), [(TRADITIONAL, 24, 297), (ALL_DICE, 30, 303)]
)
def test_largest_scores(rules: RuleSet, four_of_a_kind: int, total: int) -> None:
    card = Scorecard(rules)
    for category in rules.categories:
        card = card.fill(category, max(rules.possible_points(category)))
    assert card.points == (5, 10, 15, 20, 25, 30, 28, four_of_a_kind, 30, 30, 30, 50)
    assert card.total == total


def test_the_published_rule_sets_differ_on_every_four_of_a_kind_and_nowhere_else() -> None:
    for category, (dice, _) in product(CATEGORIES, roll_outcomes(DICE)):
        points = TRADITIONAL.score(category, dice)
        differs = category is Category.FOUR_OF_A_KIND and points > 0
        assert (points != ALL_DICE.score(category, dice)) == differs


def test_each_published_card_has_its_own_order() -> None:
    assert TRADITIONAL.categories == CATEGORIES
    assert ALL_DICE.categories == CATEGORIES[::-1]


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_scoring_table(key: str, golden: Callable[[str, str], None]) -> None:
    rules = find_rules(key)
    lines = ["dice       " + " ".join(f"{category.value[:6]:>6}" for category in CATEGORIES)]
    for dice, _ in roll_outcomes(DICE):
        points = (f"{rules.score(category, dice):6}" for category in CATEGORIES)
        lines.append(f"{dice}  " + " ".join(points))
    golden(f"scoring/{key}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("scorer", "dice", "points"),
    [
        (FaceSum(4), "1-2-3-4-4", 8),
        (FaceSum(4), "1-2-3-5-6", 0),
        (Total(), "1-2-3-4-6", 16),
        # Three of a kind: the sum, three times the face, or flat.
        (OfAKind(3, "sum"), "2-2-2-5-6", 17),
        (OfAKind(3, "sum"), "2-2-5-5-6", 0),
        (OfAKind(3, "matching"), "2-2-2-5-6", 6),
        (OfAKind(3, "matching"), "2-2-2-2-2", 6),
        (OfAKind(3, 20), "2-2-2-5-6", 20),
        (OfAKind(4, 40), "5-5-5-5-5", 40),
        (OfAKind(4, "sum", extra=10), "1-5-5-5-5", 31),
        (OfAKind(4, "matching", extra=10), "1-5-5-5-5", 30),
        (OfAKind(4, "matching", extra=10), "1-1-5-5-5", 0),
        # Of two pairs the higher one is taken.
        (OfAKind(2, "matching"), "2-2-5-5-6", 10),
        (OfAKind(1, "matching"), "1-2-3-4-5", 5),
        (FullHouse(), "1-1-6-6-6", 20),
        (FullHouse(25), "1-1-6-6-6", 25),
        (FullHouse(25, extra=5), "1-1-1-6-6", 30),
        (FullHouse("sum", extra=10), "1-1-6-6-6", 30),
        (FullHouse("sum", extra=10), "1-1-5-6-6", 0),
        (FullHouse(25, five_alike=True), "3-3-3-3-3", 25),
        (FullHouse(five_alike=True), "3-3-3-3-3", 15),
        (FullHouse(five_alike=True), "3-3-3-3-4", 0),
        (FullHouse(), "3-3-3-3-3", 0),
        # Straights that lie anywhere, or begin where they are told to.
        (Straight(4, 15), "1-2-3-4-6", 15),
        (Straight(4, 15), "3-4-5-6-6", 15),
        (Straight(4, 15), "2-3-4-5-6", 15),
        (Straight(4, 15), "1-2-3-5-6", 0),
        (Straight(4, 15, start=3), "1-3-4-5-6", 15),
        (Straight(4, 15, start=3), "1-2-3-4-5", 0),
        (Straight(5, 20), "1-2-3-4-5", 20),
        (Straight(5, 20), "2-3-4-5-6", 20),
        (Straight(5, 15, start=1, extra=5), "1-2-3-4-5", 20),
        (Straight(3, "sum", extra=5), "1-2-3-6-6", 23),
        (Straight(2, "sum", start=5), "1-1-1-5-6", 14),
    ],
)
def test_examples_of_house_rules(scorer: Scorer, dice: str, points: int) -> None:
    assert scorer.points(parse_dice(dice)) == points


def points_by_definition(scorer: Scorer, roll: list[int]) -> int:
    """Return what *roll* is worth, by looking at nothing but the faces."""
    counts = [roll.count(face) for face in FACES]
    match scorer:
        case FaceSum(face):
            return sum(die for die in roll if die == face)
        case Total():
            return sum(roll)
        case OfAKind(count, "matching", extra):
            alike = [face for face in roll if roll.count(face) >= count]
            return count * max(alike) + extra if alike else 0
        case OfAKind(count, pays, extra):
            qualifies = max(counts) >= count
        case FullHouse(pays, five_alike, extra):
            qualifies = {2, 3} <= {*counts} or (five_alike and 5 in counts)
        case Straight(length, pays, start, extra):
            starts = FACES if start is None else [start]
            qualifies = any({*range(first, first + length)} <= {*roll} for first in starts)
        case _:
            raise NotImplementedError(scorer)
    if not qualifies:
        return 0
    return extra + (sum(roll) if pays == "sum" else int(pays))


@given(strategies.scorers, strategies.rolls)
def test_every_scorer_pays_what_its_definition_says(scorer: Scorer, dice: Dice) -> None:
    assert scorer.points(dice) == points_by_definition(scorer, [*dice])


@pytest.mark.parametrize("dice", [Dice(), Dice([6]), Dice([6, 6, 6, 6])])
def test_only_five_dice_are_scored(dice: Dice) -> None:
    with pytest.raises(DiceError, match="five dice"):
        TRADITIONAL.score(Category.CHOICE, dice)


def test_only_categories_of_the_rule_set_are_scored() -> None:
    rules = RuleSet("two-boxes", {Category.CHOICE: Total(), Category.YACHT: OfAKind(5, 50)})
    with pytest.raises(RuleSetError) as caught:
        rules.score(Category.ONES, Dice([1, 1, 1, 1, 1]))
    assert caught.value.key == "category"
    assert caught.value.found is Category.ONES
    assert caught.value.allowed == "choice, yacht"
