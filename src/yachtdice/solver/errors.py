"""What the solver refuses, and why."""

from __future__ import annotations

from enum import Enum

from yachtdice.rules import YachtError


class ValueTableReason(Enum):
    """Why a table of values cannot be used."""

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
