"""Everything that people read: messages in their language, and names for the engine's keys."""

from yachtdice.i18n.messages import (
    SOURCE_LANGUAGE,
    current_language,
    find_language,
    gettext,
    languages,
    mark,
    ngettext,
    npgettext,
    pgettext,
    text_direction,
    use_language,
)
from yachtdice.i18n.numbers import format_day, format_digits, format_number, format_percent
from yachtdice.i18n.system import system_reason
from yachtdice.i18n.terms import (
    category_name,
    explain,
    points_text,
    rolls_left_text,
    rules_name,
    rules_note,
    seat_name,
)

__all__ = [
    "SOURCE_LANGUAGE",
    "category_name",
    "current_language",
    "explain",
    "find_language",
    "format_day",
    "format_digits",
    "format_number",
    "format_percent",
    "gettext",
    "languages",
    "mark",
    "ngettext",
    "npgettext",
    "pgettext",
    "points_text",
    "rolls_left_text",
    "rules_name",
    "rules_note",
    "seat_name",
    "system_reason",
    "text_direction",
    "use_language",
]
