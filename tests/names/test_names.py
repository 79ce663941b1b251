"""Names are one line of visible text, and otherwise what people typed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yachtdice.names import (
    MAX_CODE_POINTS,
    MAX_LETTERS,
    NameRefusedError,
    clean_name,
    look_of,
    shown_name,
)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ana", "Ana"),
        ("", ""),
        ("   ", ""),
        (" Ana \t\n Maria ", "Ana Maria"),
        ("{0} %s %(x)d \"'<b>&", "{0} %s %(x)d \"'<b>&"),
        ("A\x00n\x07a\x7f", "Ana"),
        ("evil\u202etxt", "eviltxt"),
        ("\u2066a\u2069\u200f\u200e\u061c", "a"),
        ("line\u2028break\u2029", "line break"),
        ("\u00ad\u200b\ufeff\u2060\u3164", ""),
        ("\u200d", ""),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u05d0\u05d1", "\u05d0\u05d1"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("Ana\u200d", "Ana"),
        ("A\u200cn\u200da", "Ana"),
        ("\u0645\u064e\u200c\u0645", "\u0645\u064e\u200c\u0645"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("\ufe0f", ""),
        ("x" * 30, "x" * 30),
        ("  " + "x" * 30 + "  ", "x" * 30),
        ("e\u0301" * 30, "\u00e9" * 30),
        ("a" + "\u0300" * 50, "\u00e0\u0300\u0300\u0300"),
    ],
)
def test_names(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize("typed", ["x" * 31, "x y" * 11, "\ud800", "Ana\udfff", "x" * 10_000])
def test_names_that_are_none(typed: str) -> None:
    with pytest.raises(NameRefusedError):
        clean_name(typed)


@given(st.text(max_size=60))
def test_a_clean_name_stays_as_it_is_and_is_harmless(typed: str) -> None:
    try:
        name = clean_name(typed)
    except NameRefusedError:
        return
    assert clean_name(name) == name
    assert len(name) <= MAX_CODE_POINTS
    assert name == name.strip()
    name.encode()
    assert not any(
        unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp", "Co", "Cn"} for char in name
    )
    assert not any(
        unicodedata.bidirectional(char) in {"LRE", "RLE", "LRO", "RLO", "PDF"} for char in name
    )
    assert not any(unicodedata.bidirectional(char) in {"LRI", "RLI", "FSI", "PDI"} for char in name)


_HOSTILE = [
    ("e\x1b[2J\n\u202ex", "e[2J x"),
    ("\x9b31mred", "31mred"),
    ("a\ud800b", "ab"),
    ("x" * 100_000, "x" * 30),
    ("e" + "\u0301" * 100_000, "\u00e9\u0301\u0301\u0301"),
    ("\u200b" * 100_000 + "Ana", ""),
]


@pytest.mark.parametrize(("stored", "shown"), _HOSTILE)
def test_a_stored_name_is_cut_down_to_what_can_be_shown(stored: str, shown: str) -> None:
    assert shown_name(stored) == shown


@given(st.text(max_size=200))
def test_what_is_shown_is_a_clean_name(stored: str) -> None:
    shown = shown_name(stored)
    assert clean_name(shown) == shown
    assert shown_name(shown) == shown
    assert shown.translate({0x200C: None, 0x200D: None}).isprintable()
    assert len(shown) <= MAX_CODE_POINTS


@given(st.text(max_size=MAX_LETTERS))
def test_what_a_table_takes_is_shown_as_it_is(typed: str) -> None:
    try:
        name = clean_name(typed)
    except NameRefusedError:
        return
    assert shown_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\U0001f44d", "\U0001f44e"),
        ("{", "}"),
        ("?", "!"),
        ("\u0915\u092e\u0932", "\u0915\u092e\u0932\u093e"),
        ("Jo-Ann", "Joann"),
        ("Zo\u00eb", "Zoe"),
        ("Jo Ann", "JoAnn"),
        ("\u0420\u043e\u043c\u0430", "Roma"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645",
        ),
        ("\U0001f468\u200d\U0001f467", "\U0001f468\U0001f467"),
    ],
)
def test_names_that_people_can_tell_apart(one: str, other: str) -> None:
    assert look_of(one) != look_of(other)


@pytest.mark.parametrize(
    "name",
    [
        " Ada ",
        "Ada\u200b",
        "Ada\u200d",
        "A\u2060da",
        "A\u034fda",
        "Ada\ufe0f",
        "ADA",
        "\uff21\uff44\uff41",
        "\u202eAda",
        "\u0410d\u0430",
    ],
)
def test_names_that_nobody_can_tell_apart(name: str) -> None:
    assert look_of(name) == look_of("Ada")
