"""The languages that nobody speaks, and the reader of what is said in them."""

from tests.i18n.plain_letters import LETTERS, untranslated, words
from yachtdice.i18n import (
    current_language,
    find_language,
    format_number,
    gettext,
    languages,
    ngettext,
    npgettext,
    pgettext,
    text_direction,
    use_language,
)
from yachtdice.i18n.pseudo import ACCENTED, MIRRORED, PSEUDO_LANGUAGES, accented, mirrored


def test_pseudo_text_keeps_placeholders_and_grows() -> None:
    assert accented("{n} of %(total)s, 100%%") == "{n} ööƒ %(total)s, 100%%~~~~~~~~"
    assert len(accented("Roll")) > len("Roll")
    assert accented("y/n> ") == "ý/ñ>~~ "
    assert accented("") == ""
    assert "{name}" in mirrored("Pass to {name}")
    assert not LETTERS.search(accented("The quick brown fox jumps over the lazy dog. AEIOU"))


def test_they_are_spoken_only_when_asked_for_by_their_tags() -> None:
    assert not set(PSEUDO_LANGUAGES) & set(languages())
    assert find_language(["en-XA"]) == find_language(["en_XA.UTF-8"]) == ACCENTED
    assert find_language(["en-XB", "ar"]) == "en"
    assert find_language(["ar"]) is None
    for tag in PSEUDO_LANGUAGES:
        with use_language(tag):
            assert current_language() == tag
            assert gettext("Roll") == pgettext("button", "Roll") != "Roll"
            forms = [ngettext("{n} die", "{n} dice", n) for n in (1, 2)]
            assert forms == [npgettext("label", "{n} die", "{n} dice", n) for n in (1, 2)]
            assert forms[0] != forms[1]
            assert format_number(1234.5, 1) == "1,234.5"
            assert text_direction() == ("rtl" if tag == MIRRORED else "ltr")


def test_the_reader_finds_what_is_in_no_catalogue() -> None:
    said = '<p title="Roll">Ŕööļļ <b>now</b><bdi>Ana</bdi></p><button lang="de">Deutsch</button>'
    assert untranslated(f'<html lang="en">{said}') == ["Roll", "now"]
    assert words("Ŕööļļ now: all-dice, Nov 3, 2026") == ["now"]
