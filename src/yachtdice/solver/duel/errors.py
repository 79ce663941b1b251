"""Errors of the two-player solver and its table."""

from __future__ import annotations

from enum import Enum

from yachtdice.i18n import explain, format_number, pgettext, pgettext_noop
from yachtdice.rules import YachtError


class DuelReason(Enum):
    """Errors of the two-player solver and its table."""

    BONUS = "with an upper bonus more counts than the difference in points"
    NO_NUMBA = "solving needs Numba, which is not installed: the extra `duel` brings it"
    NO_SPACE = "there is not enough free space on the disk"
    TOO_LARGE = "this rule set makes a table that is too large"


class DuelError(YachtError):
    """Two-player play that cannot be solved or looked up."""

    def __init__(self, reason: DuelReason, detail: str = "") -> None:
        super().__init__(f"{reason.value} ({detail})" if detail else reason.value)
        self.reason = reason
        self.detail = detail


class SpaceError(DuelError):
    """Too little free space on the disk, in bytes."""

    def __init__(self, needed: int, free: int) -> None:
        super().__init__(DuelReason.NO_SPACE, f"{needed} bytes are needed, {free} are free")
        self.needed = needed
        self.free = free


_SENTENCES = {
    DuelReason.BONUS: pgettext_noop(
        "refusal",
        "With a bonus for the upper boxes more counts than the difference in points: such rules"
        " cannot be solved for two players.",
    ),
    DuelReason.NO_NUMBA: pgettext_noop(
        "refusal", "To solve the game for two players Numba is needed: install yacht-dice[duel]."
    ),
    DuelReason.NO_SPACE: pgettext_noop(
        "refusal", "{needed} MB of free space on the disk are needed; there are {free} MB."
    ),
    DuelReason.TOO_LARGE: pgettext_noop(
        "refusal", "These rules pay so many points that they cannot be solved for two players."
    ),
}


@explain.register
def _explain(error: DuelError) -> str:
    return pgettext(*_SENTENCES[error.reason])


@explain.register
def _explain_space(error: SpaceError) -> str:
    needed, free = (format_number(-(-size // 1_000_000)) for size in (error.needed, error.free))
    return pgettext(*_SENTENCES[error.reason]).format(needed=needed, free=free)
