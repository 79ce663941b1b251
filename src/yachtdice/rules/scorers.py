"""What a box can pay, as data: the vocabulary that rule sets are written in.

A scorer is a small value that says when dice qualify and what they are then worth. The pages'
categories, and the house rules met elsewhere, are all one of these five with other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from yachtdice.rules.errors import RuleSetError

if TYPE_CHECKING:
    from yachtdice.rules.dice import Dice

MOST_POINTS = 1000
"""The most that a rule set may pay at once: far above any known house rule, small for a table."""

Pays: TypeAlias = int | Literal["sum"]
"""A flat number of points, or the sum of all five dice."""


def check_number(key: str, value: object, least: int, most: int) -> None:
    """Check that the entry *key* of a rule set is a whole number from *least* to *most*.

    Raises:
        RuleSetError: If it is not.
    """
    if type(value) is not int or not least <= value <= most:
        raise RuleSetError(
            key, value, "a whole number from {least} to {most}", least=least, most=most
        )


def _check_pays(pays: object, *words: str) -> None:
    is_flat = type(pays) is int and 0 <= pays <= MOST_POINTS
    if not is_flat and not (isinstance(pays, str) and pays in words):
        names = ", ".join(f'"{word}"' for word in words)
        phrase = "{keys} or a whole number from 0 to {most}"
        raise RuleSetError("pays", pays, phrase, keys=names, most=MOST_POINTS)


def _paid(pays: Pays, dice: Dice) -> int:
    return dice.total if pays == "sum" else pays


@dataclass(frozen=True, slots=True)
class FaceSum:
    """The sum of the dice that show *face*."""

    face: int

    def __post_init__(self) -> None:
        """Check the numbers, for whoever writes a rule set.

        Raises:
            RuleSetError: If one is out of its range.
        """
        check_number("face", self.face, 1, 6)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* are worth."""
        return self.face * dice.counts[self.face - 1]


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of all dice, whatever they show."""

    def points(self, dice: Dice) -> int:
        """Return what five *dice* are worth."""
        return dice.total


@dataclass(frozen=True, slots=True)
class OfAKind:
    """At least *count* dice that show one face.

    They pay *count* times that face (`"matching"`), the sum of all dice, or a flat number,
    and *extra* points on top.
    """

    count: int
    pays: Pays | Literal["matching"]
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the numbers, for whoever writes a rule set.

        Raises:
            RuleSetError: If one is out of its range.
        """
        check_number("count", self.count, 1, 5)
        _check_pays(self.pays, "sum", "matching")
        check_number("extra", self.extra, 0, MOST_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* are worth."""
        # From the highest face down: with a count of two, two faces can qualify.
        for face in range(6, 0, -1):
            if dice.counts[face - 1] >= self.count:
                if self.pays == "matching":
                    return self.count * face + self.extra
                return _paid(self.pays, dice) + self.extra
        return 0


@dataclass(frozen=True, slots=True)
class FullHouse:
    """Three dice of one face and two of another; with *five_alike*, five of one face as well."""

    pays: Pays = "sum"
    five_alike: bool = False
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the numbers, for whoever writes a rule set.

        Raises:
            RuleSetError: If one is out of its range.
        """
        _check_pays(self.pays, "sum")
        if not isinstance(self.five_alike, bool):
            raise RuleSetError("five_alike", self.five_alike, "true or false")
        check_number("extra", self.extra, 0, MOST_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* are worth."""
        shape = sorted(n for n in dice.counts if n)
        if shape == [2, 3] or (self.five_alike and shape == [5]):
            return _paid(self.pays, dice) + self.extra
        return 0


@dataclass(frozen=True, slots=True)
class Straight:
    """*length* faces in a row, from *start* on, or from any face where *start* is None."""

    length: int
    pays: Pays
    start: int | None = None
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the numbers, for whoever writes a rule set.

        Raises:
            RuleSetError: If one is out of its range.
        """
        check_number("length", self.length, 2, 5)
        _check_pays(self.pays, "sum")
        if self.start is not None:
            check_number("start", self.start, 1, 7 - self.length)
        check_number("extra", self.extra, 0, MOST_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* are worth."""
        starts = range(1, 8 - self.length) if self.start is None else (self.start,)
        for start in starts:
            if all(dice.counts[start - 1 : start - 1 + self.length]):
                return _paid(self.pays, dice) + self.extra
        return 0


Scorer: TypeAlias = FaceSum | Total | OfAKind | FullHouse | Straight

SCORERS: dict[str, type[Scorer]] = {
    "face_sum": FaceSum,
    "total": Total,
    "of_a_kind": OfAKind,
    "full_house": FullHouse,
    "straight": Straight,
}
"""All scorers, by the names that rule files use."""
