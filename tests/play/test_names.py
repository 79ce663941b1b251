"""Names are one line of visible text, and otherwise what people typed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yachtdice.play.table.names import MAX_CODE_POINTS, clean_name
from yachtdice.play.table.refusals import TableError, TableReason


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
    with pytest.raises(TableError) as caught:
        clean_name(typed)
    assert caught.value.reason is TableReason.NAME


@given(st.text(max_size=60))
def test_a_clean_name_stays_as_it_is_and_is_harmless(typed: str) -> None:
    try:
        name = clean_name(typed)
    except TableError:
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
