"""Scorers: which dice score in a box, and how much.

A scorer is a frozen dataclass with a method `points`. Its fields are its entries in a rule file.
All published rules and known house rules are made of these five.

To add a scorer, write its class here, add it to `Scorer` and `SCORERS`, and register its words in
`yachtdice.i18n.boxes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from yachtdice.rules.errors import RuleSetError

if TYPE_CHECKING:
    from yachtdice.rules.dice import Dice

MAX_POINTS = 1000
"""The most points that one entry of a rule set may give; no known house rule comes near it."""

Pays: TypeAlias = int | Literal["sum"]
"""A flat number of points, or the sum of all five dice."""


def check_number(key: str, value: object, minimum: int, maximum: int) -> None:
    """Check that the entry *key* of a rule set is a whole number from *minimum* to *maximum*.

    Raises:
        RuleSetError: If it is not.
    """
    if type(value) is not int or not minimum <= value <= maximum:
        raise RuleSetError(
            key, value, "a whole number from {least} to {most}", least=minimum, most=maximum
        )


def _check_pays(pays: object, *words: str) -> None:
    is_flat = type(pays) is int and 0 <= pays <= MAX_POINTS
    if not is_flat and not (isinstance(pays, str) and pays in words):
        names = ", ".join(f'"{word}"' for word in words)
        phrase = "{keys} or a whole number from 0 to {most}"
        raise RuleSetError("pays", pays, phrase, keys=names, most=MAX_POINTS)


def _paid(pays: Pays, dice: Dice) -> int:
    return dice.total if pays == "sum" else pays


@dataclass(frozen=True, slots=True)
class FaceSum:
    """The sum of the dice that show *face*.

    Attributes:
        face: 1 to 6.
    """

    face: int

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            RuleSetError: If a value is not allowed.
        """
        check_number("face", self.face, 1, 6)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* score."""
        return self.face * dice.counts[self.face - 1]


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of all dice, whatever they show."""

    def points(self, dice: Dice) -> int:
        """Return what five *dice* score."""
        return dice.total


@dataclass(frozen=True, slots=True)
class OfAKind:
    """At least *count* dice of one face.

    They score *count* times that face (`"matching"`), the sum of all dice, or a flat number, plus
    *extra* points.

    Attributes:
        count: How many dice have to show the same face, 1 to 5.
        pays: `"matching"`, `"sum"` or a flat number of points, 0 to 1000.
        extra: Points on top, 0 to 1000.
    """

    count: int
    pays: Pays | Literal["matching"]
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            RuleSetError: If a value is not allowed.
        """
        check_number("count", self.count, 1, 5)
        _check_pays(self.pays, "sum", "matching")
        check_number("extra", self.extra, 0, MAX_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* score."""
        # With a count of one or two, several faces can qualify; the highest counts.
        for face in range(6, 0, -1):
            if dice.counts[face - 1] >= self.count:
                if self.pays == "matching":
                    return self.count * face + self.extra
                return _paid(self.pays, dice) + self.extra
        return 0


@dataclass(frozen=True, slots=True)
class FullHouse:
    """Three dice of one face and two of another; if *five_alike*, five of one face score too.

    Attributes:
        pays: `"sum"` or a flat number of points, 0 to 1000.
        five_alike: Whether five dice of one face score as well.
        extra: Points on top, 0 to 1000.
    """

    pays: Pays = "sum"
    five_alike: bool = False
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            RuleSetError: If a value is not allowed.
        """
        _check_pays(self.pays, "sum")
        if not isinstance(self.five_alike, bool):
            raise RuleSetError("five_alike", self.five_alike, "true or false")
        check_number("extra", self.extra, 0, MAX_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* score."""
        shape = sorted(n for n in dice.counts if n)
        if shape == [2, 3] or (self.five_alike and shape == [5]):
            return _paid(self.pays, dice) + self.extra
        return 0


@dataclass(frozen=True, slots=True)
class Straight:
    """*length* faces in a row, beginning with *start*, or with any face if *start* is None.

    Attributes:
        length: How many faces, 2 to 5.
        pays: `"sum"` or a flat number of points, 0 to 1000.
        start: The lowest of them; None if the row may begin anywhere.
        extra: Points on top, 0 to 1000.
    """

    length: int
    pays: Pays
    start: int | None = None
    extra: int = 0

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            RuleSetError: If a value is not allowed.
        """
        check_number("length", self.length, 2, 5)
        _check_pays(self.pays, "sum")
        if self.start is not None:
            check_number("start", self.start, 1, 7 - self.length)
        check_number("extra", self.extra, 0, MAX_POINTS)

    def points(self, dice: Dice) -> int:
        """Return what five *dice* score."""
        starts = range(1, 8 - self.length) if self.start is None else (self.start,)
        for start in starts:
            if all(dice.counts[start - 1 : start - 1 + self.length]):
                return _paid(self.pays, dice) + self.extra
        return 0


Scorer: TypeAlias = FaceSum | Total | OfAKind | FullHouse | Straight
"""What a box pays."""

SCORERS: dict[str, type[Scorer]] = {
    "face_sum": FaceSum,
    "total": Total,
    "of_a_kind": OfAKind,
    "full_house": FullHouse,
    "straight": Straight,
}
"""All scorers, by the names that rule files use."""
