"""Two-player play by the book: the engine's own positions, every outcome, fractions."""

from fractions import Fraction

from yachtdice import TRADITIONAL, Category, Position, RuleSet


def small(*categories: Category, rolls: int = 3, key: str = "small") -> RuleSet:
    """Return the traditional rules with these categories only."""
    return RuleSet(key, {c: TRADITIONAL.scorers[c] for c in categories}, rolls)


class Minimax:
    """What positions of two seats are worth to the first one when both play perfectly."""

    def __init__(self) -> None:
        self.starts: dict[Position, Fraction] = {}
        """Every start of a turn that was met, one for each lead."""
        self._known: dict[tuple[object, ...], Fraction] = {}

    def __call__(self, position: Position) -> Fraction:
        if position.is_over:
            winners = position.winners
            return Fraction(0 in winners, len(winners))
        masks = [card.mask for card in position.cards]
        lead = position.cards[0].total - position.cards[1].total
        key = (*masks, lead, position.seat, position.dice, position.rolls_left)
        if key not in self._known:
            value = self._known[key] = self._look_ahead(position)
            if position.is_turn_start:
                self.starts[position] = value
        return self._known[key]

    def _look_ahead(self, position: Position) -> Fraction:
        if position.must_roll:
            outcomes = position.outcomes()
            return sum((p * self(position.roll(dice)) for dice, p in outcomes), Fraction(0))
        values = [self(position.play(move)) for move in position.legal_moves()]
        return min(values) if position.seat else max(values)
