"""Text that was typed, made safe to show."""

from yachtdice.i18n import printable, safe_text


def test_what_is_shown_is_visible_and_short() -> None:
    assert printable("a\x1b\n\u202eb\ud800") == "a\ufffd\ufffd\ufffdb\ufffd"
    assert printable("x" * 50, 10) == "xxxxxxx..."
    assert printable("a\u200db") == "a\u200db"


def test_what_a_terminal_would_obey_is_replaced_one_by_one() -> None:
    assert safe_text("a\x1b[2J\n\x9b\u202e\u2066\u200b\ud800b") == "a\ufffd[2J" + "\ufffd" * 6 + "b"
    kept = "1\u00a0000 \u202f\u0645\u06cc\u200c\u062e \U0001f468\u200d\U0001f467"
    assert safe_text(kept) == kept
