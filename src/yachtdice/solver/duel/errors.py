"""What the two-player solver refuses, and why."""

from __future__ import annotations

from enum import Enum

from yachtdice.rules import YachtError


class DuelReason(Enum):
    """Why two-player play cannot be solved or looked up."""

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
