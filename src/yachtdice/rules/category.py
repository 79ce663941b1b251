"""The twelve boxes of a scorecard."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Self


class Category(Enum):
    """A box of the scorecard; its value is the stable key used in files, addresses and APIs.

    A rule set says what it pays, and `i18n` what it is called.

    Attributes:
        index: 0 to 11, in the order of the members; numbers the bits of every mask of boxes.
    """

    index: int

    ONES = "ones"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    LITTLE_STRAIGHT = "little_straight"
    BIG_STRAIGHT = "big_straight"
    CHOICE = "choice"
    YACHT = "yacht"

    def __new__(cls, key: str) -> Self:
        """Number the members in the order in which they are written."""
        member = object.__new__(cls)
        member._value_ = key
        member.index = len(cls.__members__)
        return member

    # Members are singletons: identity is equality, and hashing by identity keeps look-ups fast.
    if TYPE_CHECKING:

        def __hash__(self) -> int: ...
    else:
        __hash__ = object.__hash__

    def __repr__(self) -> str:
        """Return the name by which the member is written in code."""
        return f"Category.{self.name}"


CATEGORIES = tuple(Category)
"""All categories; `CATEGORIES[c.index] is c`."""

UPPER_CATEGORIES = CATEGORIES[:6]
"""The six number boxes, which an upper-section bonus counts."""
