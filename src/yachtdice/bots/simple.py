"""Bots that need the rules alone: one plays at random, one looks one roll ahead."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations_with_replacement
from operator import itemgetter
from typing import TYPE_CHECKING

from yachtdice.bots.bot import draw, legal_moves, random_source
from yachtdice.rules import (
    CATEGORIES,
    DICE,
    FACES,
    Category,
    Dice,
    Hold,
    Move,
    Score,
    roll_outcomes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import Position, RuleSet

_TOLERANCE = 1e-9


class RandomBot:
    """Any legal move, each as likely as any other."""

    def __init__(self, name: str, seed: str | int | None = None) -> None:
        """Draw moves by *seed*, or by the system's entropy."""
        self.name = name
        self._random = random_source(name, seed)

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the same probability for every legal move."""
        moves = legal_moves(position)
        return dict.fromkeys(moves, 1 / len(moves))

    def choose(self, position: Position) -> Move:
        """Return a move drawn from that policy."""
        return draw(self.policy(position), self._random)


class GreedyBot:
    """Plays as if the next roll were the last; see `greedy_move`."""

    def __init__(self, name: str) -> None:
        """Make a bot, which needs nothing."""
        self.name = name

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the one move that the bot makes, with a probability of 1."""
        return {self.choose(position): 1.0}

    def choose(self, position: Position) -> Move:
        """Return that move."""
        return greedy_move(position)


def greedy_move(position: Position) -> Move:
    """Return what is best if the next roll is the last.

    A box is worth its points less its *par*: the average of a turn that is played for this box
    alone. The bot holds the dice from which the best box after one more roll is worth most on
    average, and scores where no hold is worth more than the best box is now.

    Raises:
        IllegalMoveError: If there is nothing to decide.
    """
    legal_moves(position)
    worth, held = _outlook(position.rules, position.card.mask)
    dice = position.dice
    best, box = worth[dice]
    move: Move = Score(box)
    if position.rolls_left:
        for kept in dice.holds()[:-1]:
            # Rounding must not make the bot reroll what cannot get better.
            if held[kept] > best + _TOLERANCE:
                best, move = held[kept], Hold(kept)
    return move


@lru_cache(maxsize=256)
def _outlook(
    rules: RuleSet, mask: int
) -> tuple[dict[Dice, tuple[float, Category]], dict[Dice, float]]:
    """Return what each roll is worth, with its best box, and each hold before the roll."""
    pars = _pars(rules)
    open_ = [c for c in CATEGORIES if c in rules.scorers and not mask >> c.index & 1]
    worth = {}
    for dice, _ in roll_outcomes(DICE):
        # Of equal boxes the first: max keeps it.
        points = [(rules.score(category, dice) - pars[category], category) for category in open_]
        worth[dice] = max(points, key=itemgetter(0))
    return worth, _climb({dice: value for dice, (value, _) in worth.items()})


@lru_cache(maxsize=32)
def _pars(rules: RuleSet) -> dict[Category, float]:
    """Return for each category the average of a turn that is played for it alone."""
    pars = {}
    for category in rules.scorers:
        score = {dice: float(rules.score(category, dice)) for dice, _ in roll_outcomes(DICE)}
        best = score
        for _ in range(rules.rolls - 1):
            held = _climb(best)
            best = {dice: max(score[dice], *map(held.__getitem__, _parts(dice))) for dice in score}
        pars[category] = _climb(best)[Dice()]
    return pars


@cache
def _parts(dice: Dice) -> tuple[Dice, ...]:
    return dice.holds()[:-1]


def _climb(worth: dict[Dice, float]) -> dict[Dice, float]:
    """Return what each keep of fewer than five dice is worth if what follows a roll is *worth*.

    One die at a time: a keep is worth the mean over the die added to it.
    """
    held = dict(worth)
    for size in range(DICE - 1, -1, -1):
        for kept in map(Dice, combinations_with_replacement(FACES, size)):
            held[kept] = sum(held[more] for more in _added(kept)) / len(FACES)
    return held


@cache
def _added(kept: Dice) -> tuple[Dice, ...]:
    return tuple(Dice((*kept.faces, face)) for face in FACES)
