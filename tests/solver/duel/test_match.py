"""Players of both kinds against each other, with dice of their own."""

from math import sqrt

import numpy as np
import pytest

from tests import programs
from tests.solver.duel.minimax import small
from tools.duel.match import Match, Player, play_match
from yachtdice import ALL_DICE, CATEGORIES, TRADITIONAL, RuleSet
from yachtdice.solver import SoloSolution, solve
from yachtdice.solver.duel.sources import SubGame
from yachtdice.solver.duel.tree import Boxes
from yachtdice.solver.duel.view import View

RULES = small(*CATEGORIES[8:])


def whole_game_of(rules: RuleSet, threads: int = 1) -> SubGame:
    return SubGame(Boxes(rules), View(rules.mask, rules.mask, 0), threads=threads)


@pytest.fixture(scope="module")
def game() -> SubGame:
    return whole_game_of(RULES)


@pytest.fixture(scope="module")
def solo() -> SoloSolution:
    return solve(RULES)


def off(match: Match, expected: float) -> float:
    """Return how many standard errors the result is off what was *expected*."""
    return (match.mean - expected) / match.error


def test_perfect_players_do_as_the_opening_says(game: SubGame, solo: SoloSolution) -> None:
    match = play_match(game, solo, ("duel", "duel"), 2_000, seed=1)
    assert abs(off(match, game.first)) < 4
    assert np.abs(match.losses).max() < 1e-5


@pytest.mark.parametrize("players", [("duel", "solo"), ("solo", "duel"), ("solo", "solo")])
def test_who_plays_for_points_loses_what_the_table_says(
    game: SubGame, solo: SoloSolution, players: tuple[Player, Player]
) -> None:
    match = play_match(game, solo, players, 2_000, seed=2)
    for seat, player in enumerate(players):
        assert (match.losses[:, seat].mean() > 0.005) == (player == "solo")
    # What moves gave away, given back, leaves the luck of the dice: on average none.
    due = match.shares + match.losses[:, 0] - match.losses[:, 1]
    assert abs(due.mean() - game.first) < 4 * due.std() / sqrt(len(due))


def test_a_seed_is_a_match(game: SubGame, solo: SoloSolution) -> None:
    one, same, other = (
        play_match(game, solo, ("duel", "solo"), 300, seed=seed) for seed in (1, 1, 2)
    )
    assert (one.shares == same.shares).all()
    assert (one.losses == same.losses).all()
    assert (one.shares != other.shares).any()


def test_decisions_are_counted(game: SubGame, solo: SoloSolution) -> None:
    match = play_match(game, solo, ("duel", "duel"), 300, seed=1)
    boxes = [tally for (_, _, is_hold), tally in match.tallies.items() if not is_hold]
    assert sum(tally.decisions for tally in boxes) == 300 * 2 * len(RULES.categories)
    last = [
        tally for (open_, _, is_hold), tally in match.tallies.items() if open_ == 1 and not is_hold
    ]
    assert sum(tally.differ for tally in last) == 0  # one box is left
    assert sum(tally.differ for tally in match.tallies.values()) > 0


@pytest.mark.soak
@pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")
@pytest.mark.parametrize("rules", [TRADITIONAL, ALL_DICE], ids=lambda rules: rules.key)
def test_100_000_games_of_perfect_players_do_as_the_opening_says(rules: RuleSet) -> None:
    # Needs six gigabytes of memory.
    game, solo = whole_game_of(rules, threads=2), solve(rules)
    match = play_match(game, solo, ("duel", "duel"), 100_000, seed=1)
    assert abs(off(match, game.first)) < 4
    beaten = play_match(game, solo, ("duel", "solo"), 100_000, seed=2)
    assert beaten.mean > game.first
    due = beaten.shares - beaten.losses[:, 1]
    assert abs(due.mean() - game.first) < 4 * due.std() / sqrt(len(due))
