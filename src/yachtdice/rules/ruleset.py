"""Rule sets as data: which categories there are, what each pays, how they are ordered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType

from yachtdice.rules.category import CATEGORIES, UPPER_CATEGORIES, Category
from yachtdice.rules.dice import DICE, Dice, roll_outcomes
from yachtdice.rules.errors import DiceError, RuleSetError
from yachtdice.rules.scorers import (
    MAX_POINTS,
    FaceSum,
    FullHouse,
    OfAKind,
    Scorer,
    Straight,
    Total,
    check_number,
)

# What the key of a rule set looks like.
KEY_PATTERN = r"[a-z0-9][a-z0-9-]{0,39}"
MAX_ROLLS = 9


@dataclass(frozen=True, slots=True)
class UpperBonus:
    """So many *points* once the six number boxes together reach *threshold*.

    Attributes:
        threshold: The total of the number boxes that is needed, 1 to 1000.
        points: What it is worth, 1 to 1000.
    """

    threshold: int
    points: int

    def __post_init__(self) -> None:
        """Check both numbers.

        Raises:
            RuleSetError: If one is out of its range.
        """
        check_number("threshold", self.threshold, 1, MAX_POINTS)
        check_number("points", self.points, 1, MAX_POINTS)


@dataclass(frozen=True, repr=False)
class RuleSet:
    """What the boxes pay. The whole difference between one variant and another is in here.

    >>> TRADITIONAL.score(Category.FOUR_OF_A_KIND, Dice([1, 4, 4, 4, 4]))
    16

    Attributes:
        key: The stable name, as used in files and commands: 1 to 40 lower-case letters, digits and
            hyphens.
        scorers: The categories in play, in the order in which a scorecard shows them, each with
            what it pays.
        rolls: How many rolls a turn has at most, 1 to 9.
        upper_bonus: The bonus of the number boxes; None where there is none.
    """

    key: str
    scorers: Mapping[Category, Scorer]
    rolls: int = 3
    upper_bonus: UpperBonus | None = None

    def __post_init__(self) -> None:
        """Check the parts and freeze them.

        Raises:
            RuleSetError: If a part is not what it may be.
        """
        if not isinstance(self.key, str) or not re.fullmatch(KEY_PATTERN, self.key):
            raise RuleSetError("key", self.key, "1 to 40 lower-case letters, digits and hyphens")
        if not isinstance(self.scorers, Mapping):
            raise RuleSetError("categories", self.scorers, "a table")
        if not self.scorers:
            raise RuleSetError("categories", {}, "at least one category")
        for category, scorer in self.scorers.items():
            if not isinstance(category, Category) or not isinstance(scorer, Scorer):
                raise RuleSetError("categories", (category, scorer), "a scorer for each category")
        check_number("rolls", self.rolls, 1, MAX_ROLLS)
        if self.upper_bonus is not None and not isinstance(self.upper_bonus, UpperBonus):
            raise RuleSetError("upper_bonus", self.upper_bonus, "a table")
        object.__setattr__(self, "scorers", MappingProxyType(dict(self.scorers)))

    def __eq__(self, other: object) -> bool:
        """Return whether every part is the same, the order of the categories too."""
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self._parts == other._parts

    def __hash__(self) -> int:
        """Return the hash, computed once: positions and cards are hashed often."""
        return self._hash

    def __repr__(self) -> str:
        """Return the key alone: `format_rules` writes all that it stands for."""
        return f"RuleSet({self.key!r})"

    def __reduce__(self) -> tuple[type[RuleSet], tuple[object, ...]]:
        """Pickle the four parts and nothing that is derived from them."""
        return RuleSet, (self.key, dict(self.scorers), self.rolls, self.upper_bonus)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The categories in play, in the order in which a scorecard shows them."""
        return tuple(self.scorers)

    @cached_property
    def mask(self) -> int:
        """The categories in play as bits, numbered by `Category.index`."""
        return sum(1 << category.index for category in self.scorers)

    def score(self, category: Category, dice: Dice) -> int:
        """Return what five *dice* are worth in *category*.

        Raises:
            DiceError: If they are not five, or not `Dice`.
            RuleSetError: If the rule set has no such category.
        """
        try:
            return self._scores[category][dice]
        except (KeyError, TypeError):
            return self._compute(category, dice)

    def possible_points(self, category: Category) -> tuple[int, ...]:
        """Return every number of points that *category* can be filled with, rising.

        Raises:
            RuleSetError: If the rule set has no such category.
        """
        self._check(category)
        return self._possible[category]

    def can_pay(self, category: Category, points: object) -> bool:
        """Return whether *category* can be filled with *points*: a true `int`, as files keep it.

        Raises:
            RuleSetError: If the rule set has no such category.
        """
        return type(points) is int and points in self.possible_points(category)

    @cached_property
    def fingerprint(self) -> str:
        """64 hex digits that are the same for rule sets that play the same, and for no others.

        It is made of what each roll pays in each box, the rolls of a turn, and which upper totals
        have a bonus. How a scorer says it, the key and the order on the card are left out.
        """
        paid = {
            category.value: [self.score(category, dice) for dice, _ in roll_outcomes(DICE)]
            for category in CATEGORIES
            if category in self.scorers
        }
        text = f"{paid}\nrolls={self.rolls}\nupper_bonus={self._reachable_bonus()}"
        return sha256(text.encode()).hexdigest()

    def _reachable_bonus(self) -> tuple[int, int] | None:
        """Return the lowest upper total with a bonus and the bonus; None where no card gets it."""
        if self.upper_bonus is None:
            return None
        totals = {0}
        for category in UPPER_CATEGORIES:
            boxes = {0, *self._possible.get(category, ())}
            totals = {total + points for total in totals for points in boxes}
        reached = [total for total in totals if total >= self.upper_bonus.threshold]
        return (min(reached), self.upper_bonus.points) if reached else None

    @cached_property
    def _parts(self) -> tuple[object, ...]:
        return self.key, tuple(self.scorers.items()), self.rolls, self.upper_bonus

    @cached_property
    def _hash(self) -> int:
        return hash(self._parts)

    @cached_property
    def _possible(self) -> dict[Category, tuple[int, ...]]:
        rolls = [dice for dice, _ in roll_outcomes(DICE)]
        return {c: tuple(sorted({self.score(c, dice) for dice in rolls})) for c in self.scorers}

    @cached_property
    def _scores(self) -> dict[Category, dict[Dice, int]]:
        return {category: {} for category in self.scorers}

    def has(self, category: object) -> bool:
        """Return whether *category* is a category in play."""
        try:
            return category in self.scorers
        except TypeError:  # not even hashable
            return False

    def _check(self, category: Category) -> None:
        if not self.has(category):
            allowed = ", ".join(category.value for category in self.scorers)
            raise RuleSetError("category", category, "{keys}", keys=allowed)

    def _compute(self, category: Category, dice: Dice) -> int:
        self._check(category)
        if not isinstance(dice, Dice):
            raise DiceError((dice,), "a value of type Dice is expected")
        if len(dice) != DICE:
            raise DiceError(dice.faces, "five dice are scored")
        points = self._scores[category][dice] = self.scorers[category].points(dice)
        return points


_NUMBERS = {category: FaceSum(face) for face, category in enumerate(UPPER_CATEGORIES, start=1)}

TRADITIONAL = RuleSet(
    "traditional",
    {
        **_NUMBERS,
        Category.FULL_HOUSE: FullHouse(),
        Category.FOUR_OF_A_KIND: OfAKind(4, "matching"),
        Category.LITTLE_STRAIGHT: Straight(5, 30, start=1),
        Category.BIG_STRAIGHT: Straight(5, 30, start=2),
        Category.CHOICE: Total(),
        Category.YACHT: OfAKind(5, 50),
    },
)
"""The default: Four of a Kind scores four times the face that matches. Card from Ones to Yacht."""

ALL_DICE = RuleSet(
    "all-dice",
    {
        category: OfAKind(4, "sum") if category is Category.FOUR_OF_A_KIND else scorer
        for category, scorer in reversed(tuple(TRADITIONAL.scorers.items()))
    },
)
"""Four of a Kind scores the sum of all five dice. Card from Yacht down to Ones."""
