"""The language in force."""

from datetime import date

import pytest

from yachtdice.i18n import (
    SOURCE_LANGUAGE,
    current_language,
    find_language,
    format_chance,
    format_day,
    format_number,
    format_percent,
    languages,
    use_language,
)


def test_english_is_there_and_is_what_people_get_unless_they_ask() -> None:
    assert languages()[0] == SOURCE_LANGUAGE == current_language() == "en"


def test_a_language_holds_inside_its_block_only_and_an_unknown_one_is_english() -> None:
    for language in (*languages(), "xx"):
        with use_language(language):
            assert current_language() == (language if language in languages() else "en")
        assert current_language() == "en"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["en"], "en"),
        (["en-GB"], "en"),
        (["en_US.UTF-8"], "en"),
        (["EN"], "en"),
        (["xx", "en"], "en"),
        (["C"], None),
        (["C.UTF-8", "POSIX"], None),
        (["", "-", "_", "."], None),
        ([], None),
    ],
)
def test_the_first_wanted_language_that_is_there_is_found(
    wanted: list[str], found: str | None
) -> None:
    assert find_language(wanted) == found


def test_numbers_and_days_in_english() -> None:
    assert format_number(1234.5, 1) == "1,234.5"
    assert format_number(1234) == "1,234"
    assert format_percent(0.453) == "45.3%"
    assert format_percent(1, 0) == "100%"


def test_only_what_is_certain_is_said_to_be() -> None:
    assert [format_chance(chance) for chance in (0, 1e-9, 0.0004, 0.453, 0.9996, 1)] == [
        "0%",
        "0%",
        "0.1%",
        "45.3%",
        "99.9%",
        "100%",
    ]
    assert [format_chance(chance, 0) for chance in (0, 0.001, 0.453, 0.999, 1)] == [
        "0%",
        "1%",
        "45%",
        "99%",
        "100%",
    ]
    assert format_day(date(2026, 11, 30)) == "Nov 30, 2026"
