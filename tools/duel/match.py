"""Many games for two at once, between players that play to win and players that play for points."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.arrays.lattice import (
    FIRST_ROLL,
    OPTION_STARTS,
    OPTIONS,
    ROLL_COUNT,
    Floats,
    Integers,
)
from yachtdice.solver.arrays.throws import Throws, rerolls
from yachtdice.solver.arrays.turn import Turns, study, study_rows

if TYPE_CHECKING:
    from yachtdice.solver.duel.sources import SubGame
    from yachtdice.solver.solo import SoloSolution

Player: TypeAlias = Literal["duel", "solo"]
"""Plays to win against perfect play, or for the highest expected total."""

_WIDTH = 512
_APART = 1e-6
"""Chances closer than this are taken for equal: float32 tells no better."""


_OPTIONS = np.stack(
    [
        np.resize(OPTIONS[OPTION_STARTS[roll] : OPTION_STARTS[roll + 1], 1], 32)
        for roll in range(ROLL_COUNT)
    ]
)
"""(252, 32): the keeps of each roll in the order in which equal ones are preferred, repeated."""


@dataclass(eq=False)
class Tally:
    """How playing for points compares with playing to win, at some decisions that were met."""

    decisions: int = 0
    differ: int = 0
    """How often the move for points was not among those that win most often."""
    loss: float = 0.0
    """The sum of what the move for points would have cost, in chances."""

    def add(self, loss: Floats) -> None:
        """Count decisions at which the move for points loses so much."""
        self.decisions += len(loss)
        self.differ += int((loss > _APART).sum())
        self.loss += float(loss.sum())


@dataclass(frozen=True)
class Example:
    """A decision at which the move for points is not among those that win most often."""

    loss: float
    """What the move for points costs, in chances."""
    chance: float
    """The chance after the best move."""
    mover: int
    """The boxes that the seat to move has open, as bits."""
    waiter: int
    lead: int
    """The points of the seat to move less those of the other."""
    roll: int
    left: int
    """How many rolls are left."""
    to_win: int
    """The keep to hold, 210 and more being to score; the box if no rolls are left."""
    for_points: int


_EXAMPLES = 5


@dataclass(eq=False)
class Match:
    """What came of many games."""

    players: tuple[Player, Player]
    shares: Floats
    """(games,): 1 where the first seat has won, 0.5 for a tie, 0 where it has lost."""
    losses: Floats
    """(games, 2): by how much each seat's moves fell short of the best, in its chance to win."""
    tallies: dict[tuple[int, int, int], Tally] = field(default_factory=dict)
    """By the mover's open boxes, the tens of its lead, and 1 for holds or 0 for boxes."""
    examples: dict[int, list[Example]] = field(default_factory=dict)
    """By the mover's open boxes, the decisions where the move for points costs most."""

    def add(self, example: Example) -> None:
        """Keep *example* if it is among the most costly ones."""
        kept = self.examples.setdefault(example.mover.bit_count(), [])
        if all((old.mover, old.waiter) != (example.mover, example.waiter) for old in kept):
            kept.append(example)
            kept.sort(key=lambda old: -old.loss)
            del kept[_EXAMPLES:]

    @property
    def mean(self) -> float:
        """The share of the first seat."""
        return float(self.shares.mean())

    @property
    def error(self) -> float:
        """The standard error of `mean`."""
        return float(self.shares.std(ddof=1)) / sqrt(len(self.shares))


def play_match(
    game: SubGame,
    solo: SoloSolution,
    players: tuple[Player, Player],
    games: int,
    seed: int | None = None,
) -> Match:
    """Return the outcome of so many *games* from the first position of *game*.

    Each has its own dice. *players* are the one to move in that position and the other.
    """
    root = game.layers[0].root
    throws = Throws(seed)
    match = Match(players, np.zeros(games), np.zeros((games, 2)))
    open_ = np.array([[root.open[0]], [root.open[1]]]).repeat(games, axis=1)
    lead = np.full(games, -root.lead)
    for place, layer in enumerate(game.layers[:-1]):
        side = layer.side
        states = solo.states
        alone = study(states, solo.values, states.first[layer.mover])
        for low in range(0, games, _WIDTH):
            part = slice(low, min(low + _WIDTH, games))
            ahead = lead[part] if side == 0 else -lead[part]
            mover, waiter = open_[side, part], open_[1 - side, part]
            brought = game.brought_from(place, mover, waiter, ahead)
            duel = study_rows(states, brought, np.zeros(len(mover), np.int64))
            card = np.searchsorted(layer.mover, mover)
            policies: dict[Player, _Policy] = {
                "duel": _Policy(duel, np.arange(len(mover))),
                "solo": _Policy(alone, card),
            }
            turn = _Turn(match, players[side], policies, (mover, waiter, ahead))
            box, points = turn.play(throws)
            match.losses[part, side] += turn.lost
            open_[side, part] ^= game.boxes.bits[box]
            lead[part] += points if side == 0 else -points
    match.shares = (np.sign(lead) + 1) / 2
    return match


@dataclass(frozen=True)
class _Policy:
    """Best moves in some games, by the turns that they are in."""

    turns: Turns
    column: Integers
    """(games,): which of the turns each game is in."""

    def keeps(self, left: int, roll: Integers) -> Integers:
        """Return what is best held of a roll, the first of equal ones as in `best_keeps`."""
        options = _OPTIONS[roll]
        values = self.turns.keeps[left][options, self.column[:, None]]
        enough = values >= values.max(axis=1, keepdims=True) - TOLERANCE
        found: Integers = options[np.arange(len(roll)), enough.argmax(axis=1)]
        return found

    def boxes(self, roll: Integers) -> Integers:
        """Return where a roll is best scored."""
        values = self.turns.scores[:, roll, self.column]
        enough: Integers = (values >= values.max(axis=0) - TOLERANCE).argmax(axis=0)
        return enough

    def values(self, left: int, roll: Integers, choice: Integers) -> Floats:
        """Return what a keep is worth or, with no rolls left, a box."""
        values = self.turns.keeps[left] if left else self.turns.scores[:, roll, self.column]
        found: Floats = values[choice, self.column if left else np.arange(len(roll))]
        return found

    def best(self, left: int, roll: Integers) -> Floats:
        """Return what the best move is worth."""
        found: Floats = self.turns.rolls[left][roll, self.column]
        return found


class _Turn:
    """One turn in each of some games."""

    def __init__(
        self,
        match: Match,
        player: Player,
        policies: dict[Player, _Policy],
        at: tuple[Integers, Integers, Integers],
    ) -> None:
        """Prepare for turns *at* the open boxes of mover and waiter and the mover's lead."""
        self._match, self._player, self._policies = match, player, policies
        self._mover, self._waiter, self._lead = at
        self.lost = np.zeros(len(self._mover))

    def play(self, throws: Throws) -> tuple[Integers, Integers]:
        """Return the box that is filled in each game, by its number, and the points."""
        states = self._policies[self._player].turns.states
        roll = _reroll(throws, np.zeros(len(self._mover), np.int64))
        done = np.zeros(len(roll), bool)
        for left in range(states.rules.rolls - 1, 0, -1):
            wanted = {name: policy.keeps(left, roll) for name, policy in self._policies.items()}
            self._judge(left, roll, wanted, ~done)
            keep = wanted[self._player]
            done |= keep >= FIRST_ROLL
            roll = np.where(done, roll, _reroll(throws, np.minimum(keep, FIRST_ROLL - 1)))
        boxes = {name: policy.boxes(roll) for name, policy in self._policies.items()}
        self._judge(0, roll, boxes, np.ones(len(roll), bool))
        box = boxes[self._player]
        return box, np.stack([b.points for b in states.boxes])[box, roll]

    def _judge(
        self,
        left: int,
        roll: Integers,
        wanted: dict[Player, Integers],
        asked: NDArray[np.bool_],
    ) -> None:
        """Note what is lost in the games that are *asked* for a decision."""
        duel = self._policies["duel"]
        best = duel.best(left, roll)
        loss = {
            name: np.where(asked, best - duel.values(left, roll, choice), 0)
            for name, choice in wanted.items()
        }
        self.lost += loss[self._player]
        tens = self._lead // 10
        for ten in np.unique(tens[asked]).tolist():
            key = int(self._mover[0]).bit_count(), ten, int(left > 0)
            tally = self._match.tallies.setdefault(key, Tally())
            tally.add(loss["solo"][asked & (tens == ten)])
        worst = int(loss["solo"].argmax())
        if loss["solo"][worst] > _APART:
            self._match.add(
                Example(
                    float(loss["solo"][worst]),
                    float(best[worst]),
                    int(self._mover[worst]),
                    int(self._waiter[worst]),
                    int(self._lead[worst]),
                    int(roll[worst]),
                    left,
                    int(wanted["duel"][worst]),
                    int(wanted["solo"][worst]),
                )
            )


def _reroll(throws: Throws, keep: Integers) -> Integers:
    """Return the rolls that come of each *keep*."""
    return rerolls()[keep, throws.take(len(keep))].astype(np.int64)
