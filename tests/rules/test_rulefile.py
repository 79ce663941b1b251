"""Rule sets in TOML files: what is written is read again, and what is wrong is named."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from yachtdice import (
    Category,
    FaceSum,
    FullHouse,
    OfAKind,
    RuleSet,
    RuleSetError,
    Scorer,
    Straight,
    Total,
    UpperBonus,
    YachtError,
    format_rules,
    parse_rules,
)
from yachtdice.i18n import explain
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules.rulefile import MAX_CHARACTERS

EVERYTHING = """\
key = "everything"
rolls = 4

[categories]
yacht = { scorer = "of_a_kind", count = 5, pays = 50 }
ones = { scorer = "face_sum", face = 1 }
choice = { scorer = "total" }
twos = { scorer = "of_a_kind", count = 3, pays = "sum", extra = 5 }
four_of_a_kind = { scorer = "of_a_kind", count = 4, pays = "matching" }
full_house = { scorer = "full_house" }
threes = { scorer = "full_house", pays = 25, five_alike = true, extra = 1 }
little_straight = { scorer = "straight", length = 4, pays = 15 }
big_straight = { scorer = "straight", length = 5, pays = "sum", start = 2, extra = 10 }

[upper_bonus]
threshold = 63
points = 35
"""
SCORERS: dict[Category, Scorer] = {
    Category.YACHT: OfAKind(5, 50),
    Category.ONES: FaceSum(1),
    Category.CHOICE: Total(),
    Category.TWOS: OfAKind(3, "sum", extra=5),
    Category.FOUR_OF_A_KIND: OfAKind(4, "matching"),
    Category.FULL_HOUSE: FullHouse(),
    Category.THREES: FullHouse(25, five_alike=True, extra=1),
    Category.LITTLE_STRAIGHT: Straight(4, 15),
    Category.BIG_STRAIGHT: Straight(5, "sum", start=2, extra=10),
}


def test_every_word_of_a_file_is_read_and_written() -> None:
    rules = RuleSet("everything", SCORERS, 4, UpperBonus(63, 35))
    assert parse_rules(EVERYTHING) == rules
    assert format_rules(rules) == EVERYTHING


def test_rolls_and_bonus_may_be_left_out() -> None:
    rules = parse_rules('key = "a"\n[categories]\nchoice = { scorer = "total" }')
    assert rules == RuleSet("a", {Category.CHOICE: Total()})
    assert (rules.rolls, rules.upper_bonus) == (3, None)


def _padded(length: int) -> str:
    return EVERYTHING + "#" * (length - len(EVERYTHING))


def test_a_file_may_be_so_long_and_no_longer() -> None:
    assert parse_rules(_padded(MAX_CHARACTERS)) == parse_rules(EVERYTHING)
    with pytest.raises(RuleSetError):
        parse_rules(_padded(MAX_CHARACTERS + 1))


@given(strategies.known_rules | strategies.rule_sets)
def test_reading_what_was_written_gives_the_same_rules(rules: RuleSet) -> None:
    again = parse_rules(format_rules(rules))
    assert again == rules
    assert again.categories == rules.categories
    assert format_rules(again) == format_rules(rules)


CATEGORY_KEYS = (
    "big_straight | choice | fives | four_of_a_kind | fours | full_house | little_straight | "
    "ones | sixes | threes | twos | yacht"
)


def test_a_byte_order_mark_begins_a_file_of_some_editors() -> None:
    assert parse_rules("\ufeff" + EVERYTHING) == parse_rules(EVERYTHING)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('key = "a"\nrolls 3\n', 2, 7),
        ('\ufeffkey = "a"\n\n  = 3\n', 3, 3),
        ('key = "a"\nrolls = ', 2, 9),
        ('key = "a"\nkey = "b"\n', 2, 10),
    ],
)
def test_where_a_file_is_no_toml(text: str, line: int, column: int) -> None:
    with pytest.raises(RuleSetError) as caught:
        parse_rules(text)
    assert (caught.value.values["line"], caught.value.values["column"]) == (line, column)
    assert explain(caught.value).startswith(f"Line {line}, column {column}: ")


@pytest.mark.parametrize(
    ("old", "new", "key", "allowed"),
    [
        # The file as a whole.
        ("key = ", "key ", "TOML", "a file in TOML 1.0"),
        ('"everything"', '"everything', "TOML", "a file in TOML 1.0"),
        ("rolls = 4", "rolls = 4\nrolls = 4", "TOML", "a file in TOML 1.0"),
        ("rolls", "roll", "roll", "(categories | key | rolls | upper_bonus)"),
        ("[upper_bonus]", "[lower_bonus]", "lower_bonus", "(categories | key | rolls | upper_"),
        ('key = "everything"', "", "key", "missing"),
        ("[categories]", "[upper_bonus.categories]", "categories", "missing"),
        # The entries at the top.
        ('"everything"', '"Every thing"', "key", "lower-case letters, digits and hyphens"),
        ('"everything"', "7", "key", "lower-case letters, digits and hyphens"),
        ("rolls = 4", "rolls = 0", "rolls", "a whole number from 1 to 9"),
        ("rolls = 4", "rolls = 3.0", "rolls", "a whole number from 1 to 9"),
        ("rolls = 4", "rolls = true", "rolls", "a whole number from 1 to 9"),
        ("rolls = 4", 'rolls = "4"', "rolls", "a whole number from 1 to 9"),
        # Categories and their scorers.
        ("ones =", "sevens =", "categories.sevens", f"categories.({CATEGORY_KEYS})"),
        ("ones =", '"o\\nnes" =', "categories.'o\\nnes'", f"categories.({CATEGORY_KEYS})"),
        ('{ scorer = "total" }', '"total"', "categories.choice", "a table"),
        (
            '{ scorer = "total" }',
            "{}",
            "categories.choice.scorer",
            "face_sum, total, of_a_kind, full",
        ),
        (
            '"total"',
            '"totals"',
            "categories.choice.scorer",
            "face_sum, total, of_a_kind, full_house",
        ),
        (
            '"total"',
            '["total"]',
            "categories.choice.scorer",
            "face_sum, total, of_a_kind, full_house",
        ),
        ('"total" }', '"total", face = 1 }', "categories.choice.face", "categories.choice.()"),
        (", face = 1", "", "categories.ones.face", "missing"),
        ("face = 1", "face = 7", "categories.ones.face", "a whole number from 1 to 6"),
        ("face = 1", "face = 1, pays = 1", "categories.ones.pays", "categories.ones.(face)"),
        ("count = 5", "count = 6", "categories.yacht.count", "a whole number from 1 to 5"),
        ("count = 5, ", "", "categories.yacht.count", "missing"),
        (", pays = 50", "", "categories.yacht.pays", "missing"),
        ("pays = 50", "pays = 5000", "categories.yacht.pays", '"sum", "matching" or a whole'),
        ("pays = 50", "pays = -1", "categories.yacht.pays", '"sum", "matching" or a whole'),
        ("pays = 50", 'pays = "all"', "categories.yacht.pays", '"sum", "matching" or a whole'),
        ("pays = 50", "pays = nan", "categories.yacht.pays", '"sum", "matching" or a whole'),
        ("pays = 50", "pays = 1979-05-27", "categories.yacht.pays", '"sum", "matching" or a whole'),
        (
            "pays = 25",
            'pays = "matching"',
            "categories.threes.pays",
            '"sum" or a whole number from',
        ),
        ("five_alike = true", "five_alike = 1", "categories.threes.five_alike", "true or false"),
        ("extra = 1 ", "extra = 1001 ", "categories.threes.extra", "from 0 to 1000"),
        ("length = 4", "length = 1", "categories.little_straight.length", "from 2 to 5"),
        ("start = 2", "start = 3", "categories.big_straight.start", "from 1 to 2"),
        # The bonus.
        ("threshold = 63\n", "", "upper_bonus.threshold", "missing"),
        ("threshold = 63", "threshold = 0", "upper_bonus.threshold", "from 1 to 1000"),
        ("points = 35", "points = 1001", "upper_bonus.points", "from 1 to 1000"),
        (
            "points = 35",
            "points = 35\nat = 63",
            "upper_bonus.at",
            "upper_bonus.(points | threshold)",
        ),
    ],
    ids=lambda _: None,
)
def test_the_wrong_entry_and_what_is_allowed_are_named(
    old: str, new: str, key: str, allowed: str
) -> None:
    assert old in EVERYTHING
    with pytest.raises(RuleSetError) as caught:
        parse_rules(EVERYTHING.replace(old, new, 1))
    assert caught.value.key == key
    assert allowed in caught.value.allowed
    assert str(caught.value).startswith(f"{key}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "categories"),
        ('key = "a"', "categories"),
        ('key = "a"\ncategories = 5', "categories"),
        ('key = "a"\ncategories = [{ ones = 1 }]', "categories"),
        ('key = "a"\n[categories]', "categories"),
        ('key = "a"\nupper_bonus = 35\n[categories]\nchoice = { scorer = "total" }', "upper_bonus"),
        # What is too large or too deep to be shown is refused all the same.
        (
            f'key = "a"\nrolls = 0x{"f" * 5000}\n[categories]\nchoice = {{ scorer = "total" }}',
            "rolls",
        ),
        (f'key = "a"\nrolls = {"9" * 5000}\n[categories]\nchoice = {{ scorer = "total" }}', "TOML"),
        (f'key = "a"\nrolls = {"[" * 9000}', "TOML"),
        (f'key = "a"\nrolls = {"{a=" * 9000}', "TOML"),
        (f"x{'.a' * 3000} = 1", "x"),
        (f'key{".a" * 3000} = 1\n[categories]\nchoice = {{ scorer = "total" }}', "key"),
        (f'"{"a" * 9000}" = 1', "'" + "a" * 99),
        # Letters of all kinds.
        ("\ufeff\ufeff" + EVERYTHING, "TOML"),
        ("rolls = ٣", "TOML"),
        ("rolls = \N{FULLWIDTH DIGIT THREE}", "TOML"),
        ('key = "\udc80"\n[categories]\nchoice = { scorer = "total" }', "key"),
        ('"\udc80" = 1', "'\\udc80'"),
        ("\0", "TOML"),
    ],
    ids=lambda _: None,
)
def test_other_texts_are_refused_in_one_short_line(text: str, key: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        parse_rules(text)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    str(caught.value).encode()  # can be shown


TOML_VALUES = (
    *("1", "-1", "0", "true", '"sum"', '"total"', "nan", "1e999", "[]", "{}", "0xffff"),
    *("2020-01-01", "12:00:00", '{ scorer = "total" }', '{ scorer = "straight", length = 2 }'),
)


@given(st.data(), st.sampled_from([EVERYTHING, *map(format_rules, map(find_rules, RULE_SET_KEYS))]))
def test_a_file_with_random_faults_is_read_or_refused(data: st.DataObject, text: str) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        patch = data.draw(st.sampled_from(TOML_VALUES) | st.text(max_size=5) | st.just("\udc80"))
        text = text[:start] + patch + text[end:]
    try:
        rules = parse_rules(text)
    except YachtError as error:
        str(error).encode()
    else:
        assert parse_rules(format_rules(rules)) == rules


@given(st.text() | st.lists(st.sampled_from([*EVERYTHING, *TOML_VALUES])).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(YachtError):
        parse_rules(text)


@pytest.mark.parametrize(
    ("entry", "value"),
    [*product(["count = 5", "pays = 50", '"of_a_kind"', "4", '"everything"', "63"], TOML_VALUES)],
    ids=lambda _: None,
)
def test_any_value_of_any_entry_is_read_or_refused(entry: str, value: str) -> None:
    try:
        rules = parse_rules(EVERYTHING.replace(entry, value, 1))
    except RuleSetError:
        return
    assert parse_rules(format_rules(rules)) == rules
