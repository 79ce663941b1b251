"""The breakdown of a game for two in win odds: luck, losses, and the curve.

    chance at the end = chance at the start + sum of changes

holds for every game, where a change in favour of the second seat counts against the first. A roll
changes the chance by luck, which is on average none; a decision by its loss, which is none for a
best move. At the start of a turn the chance is looked up again and may come from another source
(table, sub-game, estimate). The difference is listed apart as `source`: it is rounding where both
are exact, and otherwise the error of the estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from yachtdice.rules import (
    DICE,
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Game,
    GameStarted,
    Hold,
    Move,
    Position,
    Score,
)
from yachtdice.solver.arrays.lattice import keep_index, roll_index

if TYPE_CHECKING:
    from yachtdice.solver.duel.duel import Duel
    from yachtdice.solver.duel.view import DuelTurn, Kind

Part: TypeAlias = Literal["luck", "decision", "other", "source"]
"""Other is what cannot be divided into luck and losses: turns entered by their end, corrections,
resignations.

Source is the change where the next turn comes from another source (see the module).
"""


@dataclass(frozen=True)
class Swing:
    """The change of the win odds by one event."""

    event: int
    """The index of the event in `Game.events`; 0 is the start."""
    seat: int
    """Whose event it was."""
    part: Part
    change: float
    """By how much the seat's chance to win has changed; for a decision its loss, 0 or negative."""
    chance: float
    """The first seat's chance afterwards: the curve."""
    kind: Kind
    """Whether that chance is exact."""
    best: Move | None = None
    """For a decision that has lost something, a move that would not have."""


@dataclass(frozen=True)
class Breakdown:
    """The start of a game in win odds, and every change."""

    start: float
    """The first seat's chance at the start."""
    kind: Kind
    """Whether that is exact."""
    swings: tuple[Swing, ...]

    @property
    def chance(self) -> float:
        """The first seat's chance at the end of what is played."""
        return self.swings[-1].chance if self.swings else self.start

    def total(self, seat: int, part: Part) -> float:
        """Return the sum of the changes of *part* by events of *seat*."""
        return sum(s.change for s in self.swings if s.seat == seat and s.part == part)


def breakdown(duel: Duel, game: Game) -> Breakdown:
    """Return the breakdown of a *game* of two seats, finished or not.

    Raises:
        ValueError: If it has not two seats.
        ValueTableError: If it has other rules than *duel*, or the table is damaged.
    """
    if len(game.names) != 2:  # noqa: PLR2004 - it is about two
        raise ValueError(f"two seats are needed, not {len(game.names)}")
    positions = list(game.positions())
    start = duel.win_odds(positions[0])
    chance, swings = start.seats[0], []
    for number, event in enumerate(game.events[1:], start=1):
        assert not isinstance(event, GameStarted)  # a game starts once
        before, after = positions[number - 1], positions[number]
        seat = event.seat
        part: Part
        if isinstance(event, DiceRolled):
            part, best = "luck", None
            turn = duel.turn(before)
            kind, mine = turn.kind, turn.at(after)
        elif isinstance(event, DiceHeld | CategoryScored):
            part = "decision"
            turn = duel.turn(before)
            move = Hold(event.kept) if isinstance(event, DiceHeld) else Score(event.category)
            kind, mine = turn.kind, _after_move(turn, before, move)
            lost = turn.at(before) - mine > turn.tolerance
            best = duel.rank(before).choices[0].move if lost else None
        else:
            part, best = "other", None
            chances = duel.win_odds(after)
            # Where both have resigned nobody wins: that is as good as a tie.
            kind, mine = chances.kind, chances.seats[seat] if any(chances.seats) else 0.5
        new = 1 - mine if seat else mine
        change = chance - new if seat else new - chance
        swings.append(Swing(number, seat, part, change, new, kind, best))
        chance = new
        if isinstance(event, CategoryScored) and not after.is_over:
            anew = duel.win_odds(after)
            change = anew.seats[seat] - mine
            chance = anew.seats[0]
            if change or anew.kind != kind:
                swings.append(Swing(number, seat, "source", change, chance, anew.kind))
    return Breakdown(start.seats[0], start.kind, tuple(swings))


def _after_move(turn: DuelTurn, position: Position, move: Move) -> float:
    """Return the mover's chance after a move, by the values of the current turn."""
    assert len(position.dice) == DICE  # a decision
    if isinstance(move, Hold):
        return float(turn.keeps[position.rolls_left, keep_index(move.kept)])
    box = turn.categories.index(move.category)
    return float(turn.scores[box, roll_index(position.dice)])
