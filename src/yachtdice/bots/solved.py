"""Bots that play by a solution: perfectly, with errors, or to win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.bots.bot import draw, legal_moves, random_source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import Move, Position
    from yachtdice.solver import SoloSolution
    from yachtdice.solver.duel import Duel
    from yachtdice.solver.softmax import Softmax


class PerfectBot:
    """Plays for the highest average total and never gives anything away."""

    def __init__(self, name: str, solution: SoloSolution) -> None:
        """Play by *solution*."""
        self.name = name
        self._solution = solution

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the one move that the bot makes, with a probability of 1."""
        return {self.choose(position): 1.0}

    def choose(self, position: Position) -> Move:
        """Return the first of the best moves."""
        legal_moves(position)
        return self._solution.rank(position)[0].move


class SoftmaxBot:
    """Plays for points and errs: the more a move gives away, the less likely it is."""

    def __init__(
        self, name: str, solution: SoloSolution, softmax: Softmax, seed: str | int | None = None
    ) -> None:
        """Err by *softmax* from *solution*; draw moves by *seed*, or by the system's entropy."""
        self.name = name
        self._solution = solution
        self._softmax = softmax
        self._random = random_source(name, seed)

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the probability of each move the bot may make, those with the least loss first."""
        legal_moves(position)
        return self._softmax.chances(self._solution, position)

    def choose(self, position: Position) -> Move:
        """Return a move drawn from that policy."""
        return draw(self.policy(position), self._random)


class ChampionBot:
    """Plays to win: makes the move that wins most often, and of equal ones that with most points.

    For two seats that is exact with the table of the whole game and, without it, in the last
    rounds; otherwise it goes by an estimate (see `yachtdice.solver.duel`).
    """

    def __init__(
        self,
        name: str,
        solution: SoloSolution,
        duel: Duel | None,
        patience: float | None = None,
    ) -> None:
        """Play to win by *duel* or, where there is none, for points by *solution*.

        *patience* is how many seconds to wait for a sub-game to be solved; None waits for all.
        """
        self.name = name
        self._solution = solution
        self._duel = duel
        self._patience = patience

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the one move that the bot makes, with a probability of 1."""
        return {self.choose(position): 1.0}

    def choose(self, position: Position) -> Move:
        """Return that move."""
        moves = legal_moves(position)
        if len(moves) == 1:
            return moves[0]
        if self._duel is None:
            return self._solution.rank(position)[0].move
        return self._duel.rank(position, self._patience).choices[0].move
