"""Bots: players that decide by themselves, at levels whose averages are known.

    from yachtdice import TRADITIONAL
    from yachtdice.bots import make_bot
    from yachtdice.solutions import Solutions

    solutions = Solutions()
    bot = make_bot("skilled", TRADITIONAL, seed=1, solutions=solutions)

`bot.choose(position)` returns a move, `bot.policy(position)` the probability of each. The levels
`random` and `greedy` need the rules alone. The others play by solutions (`yachtdice.solver`, which
needs NumPy): those `FOR_POINTS` look at their own card only, `champion` looks at all cards and
plays to win. What a level scores in a game alone is computed, not measured: `bot_expected`.
"""

from yachtdice.bots.bot import Bot
from yachtdice.bots.levels import (
    DEFAULT_LEVEL,
    FOR_POINTS,
    LEVELS,
    OFFERED,
    BotError,
    BotSetup,
    Level,
    bot_expected,
    bot_totals,
    default_level,
    find_level,
    known_averages,
    make_bot,
)

__all__ = [
    "DEFAULT_LEVEL",
    "FOR_POINTS",
    "LEVELS",
    "OFFERED",
    "Bot",
    "BotError",
    "BotSetup",
    "Level",
    "bot_expected",
    "bot_totals",
    "default_level",
    "find_level",
    "known_averages",
    "make_bot",
]
