"""Who plays when no human does: policies stated in a sentence, each with a known average.

`random` and `greedy` need the rules alone. The levels that a person chooses from, `LEVELS`, are
derived from solutions (`yachtdice.solver`, which needs NumPy). Those `FOR_POINTS` look at their own
card only: `perfect` never gives anything away, the others err as `yachtdice.solver.softmax.Softmax`
says, the more the lower the level. `champion` looks at all cards and plays to win
(`yachtdice.solver.duel`).

What a level scores on average is computed, not measured, for a game alone: `bot_expected`.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations_with_replacement
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Protocol

from yachtdice.i18n import explain, gettext, printable
from yachtdice.rules import (
    CATEGORIES,
    DICE,
    FACES,
    Category,
    Dice,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    Move,
    Score,
    YachtError,
    roll_outcomes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import Position, RuleSet
    from yachtdice.solver import Distribution, SoloSolution
    from yachtdice.solver.duel import Duel
    from yachtdice.solver.softmax import Softmax

FOR_POINTS = ("novice", "casual", "skilled", "perfect")
"""The levels that play for the highest total, the weakest first."""

LEVELS = (*FOR_POINTS, "champion")
"""The levels that a person chooses from, the weakest first."""

BOTS = ("random", "greedy", *LEVELS)
"""Everything that `make_bot` makes."""

ERRORS = {"novice": (2.5, 10.0), "casual": (1.3, 8.0), "skilled": (0.7, 6.0)}
"""The temperature and the cap, in points, with which each level below perfect errs."""


class BotError(YachtError, ValueError):
    """There is no bot of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no bot; there are {', '.join(BOTS)}")
        self.name = name


@explain.register
def _explain(error: BotError) -> str:
    line = gettext("The computer has no level “{level}”. Its levels: {levels}.")
    return line.format(level=printable(error.name), levels=", ".join(BOTS))


class Bot(Protocol):
    """A player that decides by itself."""

    @property
    def name(self) -> str:
        """The level, one of `BOTS`."""
        ...

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the chance of each move that the bot may make here; they add up to 1.

        Raises:
            IllegalMoveError: If there is nothing to decide.
        """
        ...

    def choose(self, position: Position) -> Move:
        """Return a move drawn by those chances.

        Raises:
            IllegalMoveError: If there is nothing to decide.
        """
        ...


def make_bot(  # noqa: PLR0913 - each for itself
    level: str,
    rules: RuleSet,
    seed: str | int | None = None,
    solution: SoloSolution | None = None,
    *,
    duel: Duel | None = None,
    patience: float | None = None,
) -> Bot:
    """Return the bot of that *level*; one with a *seed* plays the same game on the same dice again.

    Where the level needs the solution of *rules*, it is computed once, or taken as given; so is
    the *duel* that `champion` plays by, which otherwise has no table. *patience* is how many
    seconds it waits for a sub-game to be solved before it estimates; without one it waits for all.
    Under rules with an upper bonus nobody knows how to play to win: there it plays as `perfect`.

    Raises:
        BotError: If there is no such level.
        ImportError: If the level needs the solver and NumPy is not installed.
    """
    if level == "random":
        return RandomBot(seed)
    if level == "greedy":
        return GreedyBot()
    if level == "champion":
        if duel is None and rules.upper_bonus is None:
            duel = _opened(rules)
        return ChampionBot(solution or _solved(rules), duel, patience)
    if level in FOR_POINTS:
        return SolverBot(level, solution or _solved(rules), seed)
    raise BotError(level)


def bot_expected(level: str, rules: RuleSet) -> float:
    """Return the exact expected total of that *level* in a game alone under *rules*.

    Raises:
        BotError: If there is no such level.
        ImportError: If NumPy is not installed.
    """
    return _solved(rules).expected if level in _FLAWLESS else bot_totals(level, rules).mean


def known_averages(rules: RuleSet) -> Mapping[str, float] | None:
    """Return the expected total of each of `FOR_POINTS` at once; None but for built-in rule sets.

    They are what `bot_expected` returns, rounded to nine digits behind the point.
    """
    return _averages().get(rules.fingerprint)


@cache
def _averages() -> dict[str, Mapping[str, float]]:
    text = files("yachtdice").joinpath("averages.json").read_text("utf-8")
    return {fingerprint: found["averages"] for fingerprint, found in json.loads(text).items()}


@lru_cache(maxsize=32)
def bot_totals(level: str, rules: RuleSet) -> Distribution:
    """Return the exact distribution of the totals of that *level* under *rules*, computed once.

    Alone there is nobody to win against, and `champion` plays for points as `perfect` does.

    The levels below perfect take a second each without an upper bonus, and half a minute with one;
    `greedy` has to be asked about every roll of every card, which takes a minute at least.

    Raises:
        BotError: If there is no such level.
        ImportError: If NumPy is not installed.
    """
    solution = _solved(rules)
    if level in _FLAWLESS:
        return solution.distribution()
    if level in ERRORS:
        return solution.evaluate(_softmax(level))
    if level == "random":
        from yachtdice.solver import Uniform  # noqa: PLC0415 - needs NumPy

        return solution.evaluate(Uniform())
    return solution.evaluate(make_bot(level, rules).chances)


_TOLERANCE = 1e-9

_FLAWLESS = ("perfect", "champion")
"""The levels that play alike alone."""


@lru_cache(maxsize=8)
def _opened(rules: RuleSet) -> Duel:
    from yachtdice.solver.duel import Duel  # noqa: PLC0415 - needs NumPy

    return Duel(rules, solo=_solved(rules))


@lru_cache(maxsize=8)
def _solved(rules: RuleSet) -> SoloSolution:
    from yachtdice.solver import solve  # noqa: PLC0415 - needs NumPy

    return solve(rules)


class RandomBot:
    """Any legal move, each as likely as any other."""

    name = "random"

    def __init__(self, seed: str | int | None = None) -> None:
        """Draw moves by *seed*, or by the system's entropy."""
        self._random = _source(self.name, seed)

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the same chance for every legal move."""
        moves = _legal_moves(position)
        return dict.fromkeys(moves, 1 / len(moves))

    def choose(self, position: Position) -> Move:
        """Return a move drawn by those chances."""
        return _draw(self.chances(position), self._random)


class GreedyBot:
    """Takes what is best if the next roll is the last.

    A box is worth its points less its *par*, what a turn played for this box alone brings on
    average. The bot holds the dice from which the best box after one more roll is worth most on
    average, and scores where that is no more than what the best box is worth now.
    """

    name = "greedy"

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the one move that the bot makes."""
        return {self.choose(position): 1.0}

    def choose(self, position: Position) -> Move:
        """Return that move."""
        _legal_moves(position)
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


class SolverBot:
    """A level `FOR_POINTS`: perfect, or erring with the temperature and the cap in `ERRORS`."""

    def __init__(self, level: str, solution: SoloSolution, seed: str | int | None = None) -> None:
        """Play by *solution* and draw moves by *seed*, or by the system's entropy.

        Raises:
            BotError: If there is no such level.
        """
        if level not in FOR_POINTS:
            raise BotError(level)
        self.name = level
        self._solution = solution
        self._random = _source(level, seed)

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the chance of each move the level may make, those with the least loss first."""
        _legal_moves(position)
        if self.name == "perfect":
            return {self._solution.rank(position)[0].move: 1.0}
        return _softmax(self.name).chances(self._solution, position)

    def choose(self, position: Position) -> Move:
        """Return a move drawn by those chances."""
        return _draw(self.chances(position), self._random)


class ChampionBot:
    """Plays to win: makes the move that wins most often, and of equal ones that with most points.

    For two seats that is exact with the table of the whole game and, without it, in the last
    rounds; else it goes by an estimate (see `yachtdice.solver.duel`).
    """

    name = "champion"

    def __init__(
        self, solution: SoloSolution, duel: Duel | None, patience: float | None = None
    ) -> None:
        """Play to win by *duel*, or, where there is none, for points by *solution*."""
        self._solution = solution
        self._duel = duel
        self._patience = patience

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the one move that the bot makes."""
        return {self.choose(position): 1.0}

    def choose(self, position: Position) -> Move:
        """Return that move."""
        moves = _legal_moves(position)
        if len(moves) == 1:
            return moves[0]
        if self._duel is None:
            return self._solution.rank(position)[0].move
        return self._duel.rank(position, self._patience).choices[0].move


def _source(level: str, seed: str | int | None) -> Random:
    # A seed in text is hashed the same way everywhere; None is the system's entropy.
    return Random(None if seed is None else f"{level}/{seed}")  # noqa: S311 - no secret


def _draw(chances: Mapping[Move, float], random: Random) -> Move:
    moves = list(chances)
    if len(moves) == 1:
        return moves[0]
    left = random.random()
    for move, chance in chances.items():
        left -= chance
        if left < 0:
            return move
    # Rounding may leave a trace of chance after the last move: it is the last one's.
    return moves[-1]


def _legal_moves(position: Position) -> tuple[Move, ...]:
    moves = position.legal_moves()
    if not moves:
        over = position.is_over
        reason = IllegalMoveReason.GAME_OVER if over else IllegalMoveReason.MUST_ROLL
        raise IllegalMoveError(reason, position, None)
    return moves


@cache
def _softmax(level: str) -> Softmax:
    from yachtdice.solver.softmax import Softmax  # noqa: PLC0415 - needs NumPy

    return Softmax(*ERRORS[level])


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


@cache
def _pars(rules: RuleSet) -> dict[Category, float]:
    """Return for each category what a turn that is played for it alone brings on average."""
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
