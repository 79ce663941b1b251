"""Games that bots play, and solutions that the tests share."""

from tests.solved import solutions
from yachtdice.bots import make_bot
from yachtdice.dice_source import SeededDice
from yachtdice.presets import find_rules
from yachtdice.rules import DICE, Game

SOLUTIONS = solutions(rounds=4)
"""Play to win is exact in the last four rounds: quick, and the same without Numba."""
solved = SOLUTIONS.solo
duel_of = SOLUTIONS.duel


def played(key: str, levels: tuple[str, ...], seed: object, turns: int | None = None) -> Game:
    """Return a game of bots, finished or until so many turns have been scored."""
    rules = find_rules(key)
    game = Game.start(rules, levels)
    dice_source = SeededDice(str(seed))
    bots = [
        make_bot(level, rules, f"{seed}/{seat}", solutions=SOLUTIONS)
        for seat, level in enumerate(levels)
    ]
    while not game.position.is_over:
        position = game.position
        if (
            turns is not None
            and sum(len(rules.categories) - len(c.open) for c in position.cards) >= turns
        ):
            break
        if position.must_roll:
            game = game.roll(dice_source.roll(DICE - len(position.dice)))
        else:
            game = game.play(bots[position.seat].choose(position))
    return game
