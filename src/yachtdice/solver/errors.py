"""Errors of tables of values."""

from __future__ import annotations

from enum import Enum

from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.rules import YachtError


class ValueTableReason(Enum):
    """Errors of tables of values."""

    MISSING = "the file is not there or cannot be read"
    DAMAGED = "the file is not a value table, or it is damaged"
    OTHER_VERSION = "the file was written by a version that used another format"
    OTHER_KIND = "the file holds another kind of table"
    OTHER_RULES = "the table was made for other rules"


class ValueTableError(YachtError):
    """A table of values that cannot be used here."""

    def __init__(self, reason: ValueTableReason, detail: str = "") -> None:
        super().__init__(f"{reason.value} ({detail})" if detail else reason.value)
        self.reason = reason
        self.detail = detail


@explain.register
def _explain(error: ValueTableError) -> str:
    sentences = {
        ValueTableReason.MISSING: _("The table of values is not there or cannot be read."),
        ValueTableReason.DAMAGED: _("That file is no table of values, or it is damaged."),
        ValueTableReason.OTHER_VERSION: _("That table of values is of another version."),
        ValueTableReason.OTHER_KIND: _("That file holds another kind of table."),
        ValueTableReason.OTHER_RULES: _("That table of values was made for other rules."),
    }
    return sentences[error.reason]
