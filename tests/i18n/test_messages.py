"""The language in force."""

from datetime import date

import pytest

from yachtdice.i18n import (
    SOURCE_LANGUAGE,
    current_language,
    find_language,
    format_chance,
    format_day,
    format_digits,
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


SPACE = "\N{NO-BREAK SPACE}"
WRITTEN = {
    # A number, a share and a day: as the glossary and CLDR have them.
    "en": ("1,234.5", "45.3%", "Nov 30, 2026"),
    "id": ("1.234,5", "45,3%", "30 Nov 2026"),
    "pl": (f"12{SPACE}345,6", "45,3%", "30 lis 2026"),
    "pt_PT": (f"12{SPACE}345,6", "45,3%", "30/11/2026"),
    "de": ("1.234,5", f"45,3{SPACE}%", "30.11.2026"),
    "es": ("12.345,6", f"45,3{SPACE}%", "30 nov 2026"),
}


@pytest.mark.parametrize("language", WRITTEN)
def test_numbers_and_days_as_each_language_writes_them(language: str) -> None:
    number, share, day = WRITTEN[language]
    value = 12345.6 if number.startswith("12") else 1234.5
    with use_language(language):
        assert format_number(value, 1) == number
        assert format_number(-value, 1) == f"\N{MINUS SIGN}{number}"
        assert format_number(-0.01, 1) == format_number(0, 1)
        assert format_digits("166.95") == format_number(166.95, 2)
        assert format_percent(0.453) == share
        assert format_day(date(2026, 11, 30)) == day


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
