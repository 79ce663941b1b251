"""The reasons why a table refuses an action, with a sentence for each."""

from __future__ import annotations

from enum import Enum

from yachtdice.i18n import explain, pgettext, pgettext_noop
from yachtdice.rules import YachtError


class TableReason(Enum):
    """Why an action is not possible at a table now; the value is a stable code."""

    STALE = "stale"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_HOST = "not_host"
    FULL = "table_full"
    BEGUN = "already_begun"
    NOT_BEGUN = "not_begun"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_COUNT = "seat_count"
    FIRST_SEAT = "first_seat"
    NAME = "bad_name"
    LEVEL = "unknown_level"
    NOT_ABSENT = "not_absent"
    NOT_AWAY = "not_away"
    LEFT = "left_for_rematch"
    NOT_OVER = "not_over"
    SYSTEM_DICE = "system_dice"
    REAL_DICE = "real_dice"
    NO_BOTS = "no_bots"
    NOT_ONLINE = "not_online"
    NOT_FOUND = "table_not_found"


_SENTENCES = {
    TableReason.STALE: pgettext_noop(
        "refusal", "That was for an earlier moment. Here is the table as it is now."
    ),
    TableReason.NOT_SEATED: pgettext_noop(
        "refusal", "You have no seat at this table; you can watch."
    ),
    TableReason.NOT_YOUR_TURN: pgettext_noop("refusal", "It is somebody else's turn."),
    TableReason.NOT_HOST: pgettext_noop(
        "refusal", "Only the person who opened the table can do that."
    ),
    TableReason.FULL: pgettext_noop("refusal", "All seats are taken; you can watch."),
    TableReason.BEGUN: pgettext_noop("refusal", "The game has begun already; you can watch."),
    TableReason.NOT_BEGUN: pgettext_noop("refusal", "The game has not begun yet."),
    TableReason.NO_SUCH_SEAT: pgettext_noop(
        "refusal", "There is no such seat, or it is not that kind."
    ),
    TableReason.SEAT_COUNT: pgettext_noop("refusal", "A table has 1 to 6 seats."),
    TableReason.FIRST_SEAT: pgettext_noop("refusal", "The player who starts is not at this table."),
    TableReason.NAME: pgettext_noop(
        "refusal", "That name cannot be used: take one of up to 30 letters."
    ),
    TableReason.LEVEL: pgettext_noop("refusal", "The computer does not play at that level."),
    TableReason.NOT_ABSENT: pgettext_noop(
        "refusal", "That player has not been away for long enough."
    ),
    TableReason.NOT_AWAY: pgettext_noop("refusal", "You are at the table already."),
    TableReason.LEFT: pgettext_noop("refusal", "This game was left for a new one."),
    TableReason.NOT_OVER: pgettext_noop("refusal", "The game is not over yet."),
    TableReason.SYSTEM_DICE: pgettext_noop("refusal", "At this table the dice are rolled for you."),
    TableReason.REAL_DICE: pgettext_noop(
        "refusal", "At this table you roll real dice and enter them."
    ),
    TableReason.NO_BOTS: pgettext_noop("refusal", "The computer cannot play with real dice."),
    TableReason.NOT_ONLINE: pgettext_noop("refusal", "All seats of this table are on one device."),
    TableReason.NOT_FOUND: pgettext_noop("refusal", "There is no such table, or it was deleted."),
}


class TableError(YachtError):
    """An action that is not possible at a table; *detail* is for developers."""

    def __init__(self, reason: TableReason, detail: str = "") -> None:
        super().__init__(f"{reason.value} ({detail})" if detail else reason.value)
        self.reason = reason


class TableNotFoundError(TableError):
    """There is no table with that id."""

    def __init__(self, table_id: str) -> None:
        super().__init__(TableReason.NOT_FOUND, repr(table_id[:40]))
        self.table_id = table_id


@explain.register
def _explain(error: TableError) -> str:
    return pgettext(*_SENTENCES[error.reason])
