"""Win odds: exact for two seats where a table or a sub-game gives them, else an estimate."""

from __future__ import annotations

import os
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.rules import DICE, Score
from yachtdice.solver.arrays.choice import TOLERANCE, Choice, hold_moves, order
from yachtdice.solver.arrays.lattice import roll_index
from yachtdice.solver.duel.backward import has_numba
from yachtdice.solver.duel.estimate import Estimate
from yachtdice.solver.duel.sources import SubGame, TableSource
from yachtdice.solver.duel.table import DuelTable
from yachtdice.solver.duel.tree import Boxes
from yachtdice.solver.duel.view import DuelTurn, Kind, View, duel_turn
from yachtdice.solver.errors import ValueTableError, ValueTableReason
from yachtdice.solver.solo import SoloSolution, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.rules import Move, Position, RuleSet

ROUNDS = 8
"""From how many rounds before the end sub-games are solved on demand with Numba."""
ROUNDS_PLAIN = 6
"""And without: either takes less than a second on one core."""

_SUB_GAMES_KEPT = 8
"""They have 10 to 20 MB each eight rounds before the end, and less than 1 MB six rounds."""
_TURNS_KEPT = 64


@dataclass(frozen=True)
class Odds:
    """Everybody's chance to win a game; a win shared by n seats counts an n-th to each."""

    kind: Kind
    seats: tuple[float, ...]
    """One number a seat; they add up to 1, or to 0 where everybody has resigned."""


@dataclass(frozen=True)
class Ranking:
    """Every legal move with the mover's chance to win, best first."""

    kind: Kind
    choices: tuple[Choice, ...]
    """`value` is the chance after the move. Moves that cannot be told apart share a place."""


class Duel:
    """Play to win under one rule set without an upper bonus.

    For two seats, or two that have not resigned, chances are exact with the table of the rule set,
    and in the last rounds without. Everywhere else they are an estimate. All methods are
    thread-safe.
    """

    def __init__(
        self,
        rules: RuleSet,
        table: DuelTable | None = None,
        *,
        solo: SoloSolution | None = None,
        rounds: int | None = None,
    ) -> None:
        """Prepare for *rules*; nothing is solved yet.

        *solo* spares solving solitaire play, by which estimates are made and equal moves ordered.
        Sub-games are solved if neither seat has more than so many *rounds* left; by default that
        depends on whether Numba is there.

        Raises:
            DuelError: If the rules have an upper bonus.
            ValueTableError: If the table is for other rules.
        """
        if table and table.rules.fingerprint != rules.fingerprint:
            raise ValueTableError(ValueTableReason.OTHER_RULES, str(table.path))
        self.rules = rules
        self.table = table
        self._boxes = table.boxes if table else Boxes(rules)
        self._table_source = TableSource(table) if table else None
        self._given_solo = solo
        self._rounds = rounds
        self.sub_games: list[SubGame] = []
        """The sub-games that were solved last, which are kept."""
        self._turns: OrderedDict[tuple[object, ...], DuelTurn] = OrderedDict()
        self._lock = RLock()
        """Held for a moment at a time."""
        self._solving = Lock()
        """Held while a sub-game is solved."""
        self._asked: tuple[View, Future[None]] | None = None
        """The sub-game that was given to the thread last."""

    @cached_property
    def solo(self) -> SoloSolution:
        """Perfect solitaire play."""
        return self._given_solo or solve(self.rules)

    @cached_property
    def estimate(self) -> Estimate:
        """The estimate, whose distributions are computed when they are first needed."""
        return Estimate(self.solo)

    @cached_property
    def rounds(self) -> int:
        """From how many rounds before the end chances are exact without a table."""
        if self._rounds is not None:
            return self._rounds
        return ROUNDS if has_numba() else ROUNDS_PLAIN

    def prepare(self) -> None:
        """Do in advance what the first query would wait for: seconds if Numba has to compile.

        A server calls this once, in the background.
        """
        self.prepare_estimate()
        if self.rounds:
            last = self._boxes.bits[0].item()
            with self._solving:
                SubGame(self._boxes, View(last, last, 0))

    def prepare_estimate(self) -> None:
        """Do in advance what the first estimate would wait for: less than a second."""
        with self._lock:
            assert self.solo.expected >= 0
            assert len(self.estimate.to_come)

    def win_odds(self, position: Position, timeout: float | None = None) -> Odds:
        """Return the win odds of all seats, at any point of a game of any number of seats.

        If a sub-game has to be solved and takes longer than *timeout* seconds, return an estimate;
        None waits for it.

        Raises:
            ValueTableError: If the position belongs to other rules, or the table is damaged.
        """
        self._check(position)
        seats = [0.0] * len(position.cards)
        if position.is_over:
            for winner in position.winners:
                seats[winner] = 1 / len(position.winners)
            return Odds("exact", tuple(seats))
        turn = self.turn(position, timeout)
        active = _active(position)
        mine = turn.at(position)
        seats[position.seat] = mine
        others = [seat for seat in active if seat != position.seat]
        if len(others) == 1:
            seats[others[0]] = 1 - mine
        elif others:
            cards = [self._card(position, seat) for seat in active]
            shares = dict(zip(active, self.estimate.shares(cards), strict=True))
            # The mover's share is better known: the others keep their ratios.
            rest = sum(shares[seat] for seat in others)
            for seat in others:
                seats[seat] = (1 - mine) * (shares[seat] / rest if rest else 1 / len(others))
        return Odds(turn.kind, tuple(seats))

    def rank(self, position: Position, timeout: float | None = None) -> Ranking:
        """Return every legal move with the mover's chance after it; none where a roll is to come.

        Moves that cannot be told apart share a place and come in the order of `SoloSolution.rank`:
        of moves that win as often, the one that is worth more points is first.

        Raises:
            ValueTableError: If the position belongs to other rules, or the table is damaged.
        """
        self._check(position)
        if position.is_over:
            return Ranking("exact", ())
        turn = self.turn(position, timeout)
        if len(position.dice) < DICE:
            return Ranking(turn.kind, ())
        roll, left = roll_index(position.dice), position.rolls_left
        scores = zip(turn.categories, turn.scores[:, roll].tolist(), strict=True)
        chances: dict[Move, float] = {Score(c): v for c, v in scores if v > -np.inf}
        if left:
            holds, numbers = hold_moves(roll)
            chances.update(zip(holds, turn.keeps[left][numbers].tolist(), strict=True))
        moves = [choice.move for choice in self.solo.rank(position)]
        ordered = order(moves, [chances[move] for move in moves], turn.tolerance)
        return Ranking(turn.kind, tuple(ordered))

    def turn(self, position: Position, timeout: float | None = None) -> DuelTurn:
        """Return everything about the turn that *position* is in, for the seat to move.

        Raises:
            ValueError: If the game is over.
            ValueTableError: If the position belongs to other rules, or the table is damaged.
        """
        self._check(position)
        if position.is_over:
            raise ValueError("no turn: the game is over")
        cards = [self._card(position, seat) for seat in _active(position)]
        at = _active(position).index(position.seat)
        mover, others = cards[at], cards[:at] + cards[at + 1 :]
        key: tuple[object, ...] = (mover, *others)
        view = None
        if len(others) == 1:
            view = View(mover[0], others[0][0], mover[1] - others[0][1])
            key = (view,)
        with self._lock:
            is_known = key in self._turns
        if view and not is_known:
            self._solve_ahead(view, timeout)
        with self._lock:
            turn = self._turns.pop(key, None) or self._study(mover, others, view)
            # What is estimated for want of time is looked at again.
            if turn.kind == "exact" or view is None or not self._is_soluble(view):
                self._turns[key] = turn
            if len(self._turns) > _TURNS_KEPT:
                self._turns.popitem(last=False)
        return turn

    def _study(
        self, mover: tuple[int, int], others: Sequence[tuple[int, int]], view: View | None
    ) -> DuelTurn:
        states = self._boxes.states
        if not others:
            # All others have resigned.
            won = np.where(self._boxes.open_rows(mover[0]), 1.0, -np.inf)
            return duel_turn(states, "exact", 0.0, won)
        source = self._source(view) if view else None
        if source and view:
            return duel_turn(states, "exact", source.tolerance, source.brought(view))
        # An estimate is float64 throughout: moves are equal that only rounding tells apart.
        return duel_turn(states, "estimate", TOLERANCE, self.estimate.brought(mover, others))

    def _source(self, view: View) -> TableSource | SubGame | None:
        """Return the source that covers *view*, if one is there."""
        if self._table_source and self._table_source.covers(view):
            return self._table_source
        return next((game for game in self.sub_games if game.covers(view)), None)

    def _is_soluble(self, view: View) -> bool:
        return max(view.mover.bit_count(), view.waiter.bit_count()) <= self.rounds

    def _solve_ahead(self, view: View, timeout: float | None) -> None:
        """Solve a sub-game that covers *view*, waiting for it up to *timeout* seconds."""
        with self._lock:
            if self._source(view) or not self._is_soluble(view):
                return
        if timeout is None:
            self._solve(view)
            return
        with self._lock:
            if self._asked is None or self._asked[1].done():
                if self._solving.locked():
                    return
                self._asked = view, self._thread.submit(self._solve, view)
            asked, solved = self._asked
        if asked == view:
            with suppress(TimeoutError):
                solved.result(timeout)

    def _solve(self, view: View) -> None:
        with self._solving:
            with self._lock:
                if self._source(view):
                    return  # solved while this question waited
            game = SubGame(self._boxes, view)
            with self._lock:
                self.sub_games = [game, *self.sub_games[: _SUB_GAMES_KEPT - 1]]

    @cached_property
    def _thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "sub-games")

    def _card(self, position: Position, seat: int) -> tuple[int, int]:
        card = position.cards[seat]
        return self.rules.mask & ~card.mask, card.total

    def _check(self, position: Position) -> None:
        rules = position.rules
        if rules is not self.rules and rules.fingerprint != self.rules.fingerprint:
            raise ValueTableError(ValueTableReason.OTHER_RULES, rules.key)


def _active(position: Position) -> list[int]:
    """Return the seats that can still win."""
    return [seat for seat in range(len(position.cards)) if seat not in position.resigned]


def table_path(rules: RuleSet, folder: str | os.PathLike[str]) -> Path:
    """Return where the table of *rules* is kept in *folder*."""
    return Path(folder) / f"duel-{rules.fingerprint[:16]}.table"


def open_duel(
    rules: RuleSet,
    folder: str | os.PathLike[str] | None = None,
    *,
    solo: SoloSolution | None = None,
    rounds: int | None = None,
) -> Duel:
    """Return play to win under *rules*, with the table from *folder* if a sound one is there.

    *solo* and *rounds* are those of `Duel`.

    Raises:
        DuelError: If the rules have an upper bonus.
    """
    table = None
    if folder is not None:
        with suppress(ValueTableError):
            table = DuelTable(table_path(rules, folder), rules)
    return Duel(rules, table, solo=solo, rounds=rounds)
