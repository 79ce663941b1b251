"""The levels of the computer: one record each, in the order of their strength.

A new level is a record in `LEVELS`, its policy if none of those here will do, its words in
`yachtdice.i18n.levels`, and `make averages` for what it scores.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from yachtdice.bots.simple import GreedyBot, RandomBot, greedy_move
from yachtdice.bots.solved import ChampionBot, PerfectBot, SoftmaxBot
from yachtdice.i18n import explain, gettext, printable
from yachtdice.rules import YachtError
from yachtdice.solutions import Solutions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yachtdice.bots.bot import Bot
    from yachtdice.rules import RuleSet
    from yachtdice.solver import Distribution, TurnPolicy
    from yachtdice.solver.asking import Policy
    from yachtdice.solver.softmax import Softmax

    SoloPolicy: TypeAlias = TurnPolicy | Policy


class BotError(YachtError, ValueError):
    """There is no bot of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no bot; there are {', '.join(LEVELS)}")
        self.name = name


@explain.register
def _explain(error: BotError) -> str:
    line = gettext("The computer has no level “{level}”. Its levels: {levels}.")
    return line.format(level=printable(error.name), levels=", ".join(LEVELS))


@dataclass(frozen=True, slots=True)
class BotSetup:
    """What a bot is made from."""

    level: str
    rules: RuleSet
    seed: str | int | None
    """The same seed draws the same moves; None is the system's entropy."""
    solutions: Solutions
    patience: float | None
    """Seconds to wait for a sub-game to be solved before an estimate is used; None waits."""


@dataclass(frozen=True, slots=True)
class Level:
    """How the computer plays at one level, and what is known of it."""

    key: str
    """Stands in records, at tables and in the API; its words are in `yachtdice.i18n.levels`."""
    make: Callable[[BotSetup], Bot]
    solo_policy: Callable[[], SoloPolicy]
    """Returns how the level plays a game alone, in the form that the solver evaluates."""
    needs_solver: bool = True
    """Whether NumPy has to be installed."""
    plays_to_win: bool = False
    """Whether it looks at all cards; alone such a level plays for points, as its policy says."""
    is_offered: bool = True
    """Whether people choose it; the others are there for comparison."""

    def totals(self, rules: RuleSet, solutions: Solutions) -> Distribution:
        """Return the exact distribution of the totals of this level in games alone."""
        return solutions.totals(rules, self.solo_policy())

    def expected(self, rules: RuleSet, solutions: Solutions) -> float:
        """Return the mean of `totals`."""
        return solutions.expected(rules, self.solo_policy())


def _perfect() -> TurnPolicy:
    from yachtdice.solver import PERFECT  # noqa: PLC0415 - needs NumPy

    return PERFECT


@cache
def _uniform() -> TurnPolicy:
    from yachtdice.solver import Uniform  # noqa: PLC0415 - needs NumPy

    return Uniform()


def _softmax_level(key: str, temperature: float, cap: float) -> Level:
    """Return a level that errs with that *temperature* and *cap*, in points; see `Softmax`."""

    def policy() -> Softmax:
        from yachtdice.solver import Softmax  # noqa: PLC0415 - needs NumPy

        return Softmax(temperature, cap)

    def make(setup: BotSetup) -> Bot:
        solution = setup.solutions.solo(setup.rules)
        return SoftmaxBot(setup.level, solution, policy(), setup.seed)

    return Level(key, make, policy)


def _make_random(setup: BotSetup) -> Bot:
    return RandomBot(setup.level, setup.seed)


def _make_greedy(setup: BotSetup) -> Bot:
    return GreedyBot(setup.level)


def _make_perfect(setup: BotSetup) -> Bot:
    return PerfectBot(setup.level, setup.solutions.solo(setup.rules))


def _make_champion(setup: BotSetup) -> Bot:
    solo, duel = setup.solutions.solo(setup.rules), setup.solutions.duel(setup.rules)
    return ChampionBot(setup.level, solo, duel, setup.patience)


_ALL = (
    Level("random", _make_random, _uniform, needs_solver=False, is_offered=False),
    Level("greedy", _make_greedy, lambda: greedy_move, needs_solver=False, is_offered=False),
    _softmax_level("novice", temperature=2.5, cap=10.0),
    _softmax_level("casual", temperature=1.3, cap=8.0),
    _softmax_level("skilled", temperature=0.7, cap=6.0),
    Level("perfect", _make_perfect, _perfect),
    Level("champion", _make_champion, _perfect, plays_to_win=True),
)

LEVELS: Mapping[str, Level] = MappingProxyType({level.key: level for level in _ALL})
"""All levels by their keys."""

OFFERED = tuple(level.key for level in _ALL if level.is_offered)
"""The keys of the levels that people choose from, the weakest first."""

FOR_POINTS = tuple(key for key in OFFERED if not LEVELS[key].plays_to_win)
"""Those of them that play for the highest total: the ones with which people are compared."""

DEFAULT_LEVEL = "casual"
"""The level where nobody has chosen one."""


def default_level() -> str:
    """Return `DEFAULT_LEVEL` or, where NumPy is missing, the strongest level that does without."""
    if find_spec("numpy"):
        return DEFAULT_LEVEL
    return [key for key, level in LEVELS.items() if not level.needs_solver][-1]


def find_level(key: str) -> Level:
    """Return the level with that *key*.

    Raises:
        BotError: If there is none.
    """
    level = LEVELS.get(key)
    if level is None:
        raise BotError(key)
    return level


def make_bot(
    level: str,
    rules: RuleSet,
    seed: str | int | None = None,
    *,
    solutions: Solutions | None = None,
    patience: float | None = None,
) -> Bot:
    """Return the bot of that *level*; one with a *seed* plays the same game on the same dice again.

    What the level needs is solved by *solutions*, by default one of its own. *patience* is how many
    seconds a bot that plays to win waits for a sub-game to be solved before it uses an estimate;
    None waits for all. Under rules with an upper bonus nobody knows how to play to win: there it
    plays for points.

    Raises:
        BotError: If there is no such level.
        ImportError: If the level needs the solver and NumPy is not installed.
    """
    if solutions is None:
        solutions = Solutions()
    return find_level(level).make(BotSetup(level, rules, seed, solutions, patience))


def bot_expected(level: str, rules: RuleSet, solutions: Solutions | None = None) -> float:
    """Return the exact expected total of that *level* in a game alone under *rules*.

    Raises:
        BotError: If there is no such level.
        ImportError: If NumPy is not installed.
    """
    return find_level(level).expected(rules, solutions or Solutions())


def bot_totals(level: str, rules: RuleSet, solutions: Solutions | None = None) -> Distribution:
    """Return the exact distribution of the totals of that *level* under *rules*.

    The levels below perfect take a second each without an upper bonus, and half a minute with one;
    `greedy` has to be asked about every roll of every card, which takes a minute at least.

    Raises:
        BotError: If there is no such level.
        ImportError: If NumPy is not installed.
    """
    return find_level(level).totals(rules, solutions or Solutions())


def known_averages(rules: RuleSet) -> Mapping[str, float] | None:
    """Return the expected total of each of `FOR_POINTS` at once; None but for built-in rule sets.

    They are what `bot_expected` returns, rounded to nine decimals; `make averages` computes them.
    """
    return _averages().get(rules.fingerprint)


@cache
def _averages() -> dict[str, Mapping[str, float]]:
    text = files("yachtdice").joinpath("averages.json").read_text("utf-8")
    return {fingerprint: entry["averages"] for fingerprint, entry in json.loads(text).items()}
