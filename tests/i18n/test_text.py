"""Text that was typed, made safe to show."""

from yachtdice.i18n import printable


def test_what_is_shown_is_visible_and_short() -> None:
    assert printable("a\x1b\n\u202eb\ud800") == "a\ufffd\ufffd\ufffdb\ufffd"
    assert printable("x" * 50, 10) == "xxxxxxx..."
    assert printable("a\u200db") == "a\u200db"
