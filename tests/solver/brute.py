"""Solitaire play solved the slow and obvious way: by playing every move and every roll.

Everything comes from `Position`: its outcomes, its legal moves, the points on its card. Nothing
here knows a rule, a number of a roll, or floating point.
"""

from fractions import Fraction

from yachtdice import CATEGORIES, Category, Dice, Position, RuleSet, Scorecard


def card(rules: RuleSet, open_: tuple[Category, ...], upper: int = 0) -> Scorecard:
    """Return a card with those boxes open and, in the used upper ones, so many points together."""
    filled: list[int | None] = [None] * len(CATEGORIES)
    for category in rules.categories:
        if category not in open_:
            filled[category.index] = rules.possible_points(category)[0]
    found = _with_upper(rules, filled, upper)
    assert found is not None, f"no card has {upper} points with {open_} open"
    return found


def _with_upper(
    rules: RuleSet, filled: list[int | None], upper: int, index: int = 0
) -> Scorecard | None:
    if index == 6:
        result = Scorecard(rules, tuple(filled))
        return result if result.upper == upper or not rules.upper_bonus else None
    if filled[index] is None:
        return _with_upper(rules, filled, upper, index + 1)
    for points in rules.possible_points(CATEGORIES[index]):
        changed = [*filled[:index], points, *filled[index + 1 :]]
        found = _with_upper(rules, changed, upper, index + 1)
        if found:
            return found
    return None


def turn_start(card: Scorecard) -> Position:
    return Position(card.rules, (card,), 0, Dice(), card.rules.rolls)


class Brute:
    """The best expected total, or the best chance of a total, of every position asked about."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._totals: dict[object, Fraction] = {}
        self._chances: dict[object, Fraction] = {}

    def expected(self, position: Position) -> Fraction:
        """Return the best expected final total."""
        return position.card.total + self._to_come(position)

    def _to_come(self, position: Position) -> Fraction:
        if position.is_over:
            return Fraction(0)
        # Points on the card matter only as far as they count towards a bonus.
        key = (position.card.mask, self._upper(position), position.dice, position.rolls_left)
        if key not in self._totals:
            if position.must_roll:
                worth = sum(
                    (p * self._to_come(position.roll(dice)) for dice, p in position.outcomes()),
                    Fraction(0),
                )
            else:
                after = (position.play(move) for move in position.legal_moves())
                now = position.card.total
                worth = max(p.card.total - now + self._to_come(p) for p in after)
            self._totals[key] = worth
        return self._totals[key]

    def _upper(self, position: Position) -> int:
        bonus = self.rules.upper_bonus
        # Once the bonus is won, more points in the upper boxes change nothing.
        return min(position.card.upper, bonus.threshold) if bonus else 0

    def chance(self, position: Position, points: int) -> Fraction:
        """Return the best chance of a final total of at least *points*."""
        needed = points - position.card.total
        if position.is_over:
            return Fraction(needed <= 0)
        key = (
            position.card.mask,
            self._upper(position),
            position.dice,
            position.rolls_left,
            max(needed, 0),
        )
        if key not in self._chances:
            if position.must_roll:
                chance = sum(
                    (
                        p * self.chance(position.roll(dice), points)
                        for dice, p in position.outcomes()
                    ),
                    Fraction(0),
                )
            else:
                after = (position.play(move) for move in position.legal_moves())
                chance = max(self.chance(p, points) for p in after)
            self._chances[key] = chance
        return self._chances[key]
