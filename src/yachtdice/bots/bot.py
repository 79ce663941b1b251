"""What every bot can do, and the helpers that bots share."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Protocol

from yachtdice.rules import IllegalMoveError, IllegalMoveReason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.rules import Move, Position


class Bot(Protocol):
    """A player that decides by itself."""

    @property
    def name(self) -> str:
        """The key of its level, one of `LEVELS`."""
        ...

    def policy(self, position: Position) -> Mapping[Move, float]:
        """Return the probability of each move that the bot may make here; they add up to 1.

        Raises:
            IllegalMoveError: If there is nothing to decide.
        """
        ...

    def choose(self, position: Position) -> Move:
        """Return a move drawn from that policy.

        Raises:
            IllegalMoveError: If there is nothing to decide.
        """
        ...


def random_source(level: str, seed: str | int | None) -> Random:
    """Return the random numbers of a bot of that *level*; None is the system's entropy."""
    # A seed in text is hashed the same way everywhere.
    return Random(None if seed is None else f"{level}/{seed}")  # noqa: S311 - no secret


def draw(policy: Mapping[Move, float], random: Random) -> Move:
    """Return one of the moves, each with its probability."""
    moves = list(policy)
    if len(moves) == 1:
        return moves[0]
    left = random.random()
    for move, probability in policy.items():
        left -= probability
        if left < 0:
            return move
    # Rounding may leave a little probability after the last move: it belongs to that move.
    return moves[-1]


def legal_moves(position: Position) -> tuple[Move, ...]:
    """Return the legal moves of *position*.

    Raises:
        IllegalMoveError: If there are none.
    """
    moves = position.legal_moves()
    if not moves:
        over = position.is_over
        reason = IllegalMoveReason.GAME_OVER if over else IllegalMoveReason.MUST_ROLL
        raise IllegalMoveError(reason, position, None)
    return moves
