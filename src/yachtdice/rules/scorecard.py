"""One player's scorecard."""

from __future__ import annotations

from dataclasses import dataclass, field

from yachtdice.rules.category import CATEGORIES, UPPER_CATEGORIES, Category
from yachtdice.rules.errors import SetupError, SetupReason, shown
from yachtdice.rules.ruleset import RuleSet

_BLANK: tuple[int | None, ...] = (None,) * len(CATEGORIES)


@dataclass(frozen=True, slots=True, repr=False)
class Scorecard:
    """The points in each box, or None where it is open. Filling a box makes a new card.

    >>> from yachtdice import TRADITIONAL
    >>> card = Scorecard(TRADITIONAL).fill(Category.CHOICE, 15)
    >>> card[Category.CHOICE], card.total, len(card.open)
    (15, 15, 11)

    Attributes:
        rules: The rule set, which says what the boxes can hold.
        points: Twelve entries, numbered by `Category.index`.
        mask: The used boxes as bits, numbered by `Category.index`; derived from `points`.
    """

    rules: RuleSet
    points: tuple[int | None, ...] = _BLANK
    mask: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Check the points and derive the mask.

        Raises:
            SetupError: If a box holds points that its category can never be worth.
        """
        if not isinstance(self.rules, RuleSet):
            raise SetupError(SetupReason.CARD, f"rules {shown(self.rules)}")
        if not isinstance(self.points, tuple) or len(self.points) != len(CATEGORIES):
            raise SetupError(SetupReason.CARD, "a tuple of twelve entries is needed")
        mask = 0
        for category, points in zip(CATEGORIES, self.points, strict=True):
            if points is None:
                continue
            if category not in self.rules.scorers or not self.rules.can_pay(category, points):
                raise SetupError(SetupReason.CARD, f"{shown(points)} in {category.value}")
            mask |= 1 << category.index
        object.__setattr__(self, "mask", mask)

    def __getitem__(self, category: Category) -> int | None:
        """Return the points in a box, None where it is open."""
        return self.points[category.index]

    def __str__(self) -> str:
        """Return the points from Ones to Yacht as in a position's text, `-` for an empty card."""
        if self.mask == 0:
            return "-"
        return ".".join("-" if points is None else str(points) for points in self.points)

    def __repr__(self) -> str:
        """Return the rule set's key and the boxes that are filled."""
        filled = (
            f", {category.value}={points}"
            for category, points in zip(CATEGORIES, self.points, strict=True)
            if points is not None
        )
        return f"Scorecard({self.rules.key!r}{''.join(filled)})"

    def fill(self, category: Category, points: int) -> Scorecard:
        """Return the card with *points* in the box of *category*.

        Raises:
            SetupError: If the box is used, is none of the rule set's, or cannot hold that.
        """
        if not isinstance(category, Category):
            raise SetupError(SetupReason.CARD, f"no category {shown(category)}")
        if self[category] is not None:
            raise SetupError(SetupReason.CARD, f"{category.value} is used")
        return Scorecard(self.rules, self._with(category, points))

    def opened(self, category: Category) -> Scorecard:
        """Return the card with the box of *category* open again.

        Raises:
            SetupError: If *category* is no category.
        """
        if not isinstance(category, Category):
            raise SetupError(SetupReason.CARD, f"no category {shown(category)}")
        return Scorecard(self.rules, self._with(category, None))

    def _with(self, category: Category, points: int | None) -> tuple[int | None, ...]:
        i = category.index
        return (*self.points[:i], points, *self.points[i + 1 :])

    def _filled(self, category: Category, points: int) -> Scorecard:
        # The unchecked way for Position, which has checked the category and computed the points.
        card = object.__new__(Scorecard)
        object.__setattr__(card, "rules", self.rules)
        object.__setattr__(card, "points", self._with(category, points))
        object.__setattr__(card, "mask", self.mask | 1 << category.index)
        return card

    @property
    def open(self) -> tuple[Category, ...]:
        """The open categories, in the order in which the rule set shows them."""
        return tuple(c for c in self.rules.scorers if self.points[c.index] is None)

    @property
    def is_full(self) -> bool:
        """Whether no box is open."""
        return self.mask == self.rules.mask

    @property
    def upper(self) -> int:
        """The points in the six number boxes."""
        return sum(self[category] or 0 for category in UPPER_CATEGORIES)

    @property
    def bonus(self) -> int:
        """The upper-section bonus, 0 where it is not reached or the rule set has none."""
        bonus = self.rules.upper_bonus
        return bonus.points if bonus and self.upper >= bonus.threshold else 0

    @property
    def total(self) -> int:
        """All points on the card, with the bonus."""
        return sum(points or 0 for points in self.points) + self.bonus
