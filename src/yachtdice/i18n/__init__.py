"""Text for people: messages, names, errors and numbers in their language."""

from yachtdice.i18n.boxes import ScorerWords, describe_scorer
from yachtdice.i18n.errors import explain
from yachtdice.i18n.levels import level_name, level_note
from yachtdice.i18n.messages import (
    SOURCE_LANGUAGE,
    current_language,
    find_language,
    gettext,
    gettext_noop,
    languages,
    ngettext,
    npgettext,
    pgettext,
    pgettext_noop,
    text_direction,
    use_language,
)
from yachtdice.i18n.numbers import (
    format_chance,
    format_day,
    format_digits,
    format_number,
    format_percent,
    rounded,
)
from yachtdice.i18n.seats import own_seat_name, seat_name, seat_names
from yachtdice.i18n.system import system_reason
from yachtdice.i18n.terms import (
    category_name,
    certainty_word,
    points_text,
    rolls_left_text,
    rules_name,
    rules_note,
)
from yachtdice.i18n.text import is_printable, printable, safe_text

__all__ = [
    "SOURCE_LANGUAGE",
    "ScorerWords",
    "category_name",
    "certainty_word",
    "current_language",
    "describe_scorer",
    "explain",
    "find_language",
    "format_chance",
    "format_day",
    "format_digits",
    "format_number",
    "format_percent",
    "gettext",
    "gettext_noop",
    "is_printable",
    "languages",
    "level_name",
    "level_note",
    "ngettext",
    "npgettext",
    "own_seat_name",
    "pgettext",
    "pgettext_noop",
    "points_text",
    "printable",
    "rolls_left_text",
    "rounded",
    "rules_name",
    "rules_note",
    "safe_text",
    "seat_name",
    "seat_names",
    "system_reason",
    "text_direction",
    "use_language",
]
