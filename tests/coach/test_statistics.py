"""Many games together."""

from math import erfc, sqrt
from random import Random

import pytest

from tests.coach.games import played
from tests.solved import solved
from yachtdice import TRADITIONAL, Category, Game
from yachtdice.coach import analyse
from yachtdice.coach.analysis.statistics import (
    DiceStatistics,
    Entry,
    Statistics,
    chi_square_tail,
    statistics,
)
from yachtdice.coach.words.overview import dice_verdict
from yachtdice.rules import DiceRolled, RuleSet
from yachtdice.solver import Distribution

CRITICAL = [(0.10, 9.236), (0.05, 11.070), (0.01, 15.086), (0.001, 20.515)]
"""Of chi-square with five degrees of freedom, as every table of it has them."""


def entry(game: Game, *seats: int, title: str = "") -> Entry:
    return Entry(analyse(game, solved(game.rules)), game.events, seats or (0,), title)


def totals(rules: RuleSet) -> Distribution:
    return solved(rules).distribution()


def of_games(count: int, level: str = "casual") -> Statistics:
    games = [played("traditional", (level,), f"statistics {seed}") for seed in range(count)]
    return statistics([entry(game, title=str(n)) for n, game in enumerate(games)], totals)


@pytest.mark.parametrize(("chance", "value"), CRITICAL)
def test_the_tail_of_chi_square(chance: float, value: float) -> None:
    assert chi_square_tail(value) == pytest.approx(chance, rel=1e-3)


def test_the_tail_is_a_chance() -> None:
    assert chi_square_tail(0) == 1
    values = [chi_square_tail(x / 10) for x in range(300)]
    assert values == sorted(values, reverse=True)


def test_fair_dice_look_unusual_as_often_as_they_should() -> None:
    random = Random("fair dice")  # noqa: S311 - no secret
    unusual = outside = 0
    for _ in range(2000):
        faces = random.choices(range(6), k=200)
        dice = DiceStatistics(tuple(faces.count(face) for face in range(6)))
        assert dice.chance is not None
        unusual += dice.chance < 0.05
        outside += bool(dice.outside)
    # Four standard errors of a share of 5% in 2,000.
    assert abs(unusual - 100) < 4 * sqrt(2000 * 0.05 * 0.95)
    assert abs(outside - 100) < 4 * sqrt(2000 * 0.05 * 0.95)


def test_the_band_is_that_of_the_binomial_distribution() -> None:
    dice = DiceStatistics((100,) * 6)
    low, high = dice.band
    sd = sqrt(600 / 6 * 5 / 6)
    assert high - 100 == pytest.approx(100 - low) == pytest.approx(2.631 * sd)
    assert (dice.chi_square, dice.chance, dice.outside) == (0, 1, ())
    # All six inside in 19 of 20 cases.
    assert (1 - erfc(2.631 / sqrt(2))) ** 6 == pytest.approx(0.95, abs=1e-4)


def test_rigged_dice_are_seen_at_a_glance() -> None:
    dice = DiceStatistics((100, 100, 100, 100, 100, 180))
    assert dice.outside == (6,)
    assert dice.chance is not None
    assert dice.chance < 1e-5
    assert "hardly ever" in dice_verdict(dice)


def test_what_lies_outside_the_band_is_called_unusual() -> None:
    dice = DiceStatistics((427, 454, 423, 421, 440, 503))
    assert dice.outside == (6,)
    assert dice.chance is not None
    assert dice.chance > 0.05
    assert "unusual" in dice_verdict(dice)


def test_few_dice_say_nothing() -> None:
    dice = DiceStatistics((0, 0, 0, 0, 0, 20))
    assert dice.chance is None
    assert "too few" in dice_verdict(dice)
    assert DiceStatistics((0,) * 6).chi_square == 0


def test_every_die_that_was_rolled_counts_once() -> None:
    game = played("traditional", ("casual", "skilled"), "dice")
    faces = [f for event in game.events if isinstance(event, DiceRolled) for f in event.faces]
    found = statistics([entry(game)], totals)
    assert found.dice.counts == tuple(faces.count(face) for face in range(1, 7))


def test_dice_that_people_have_entered_do_not_count() -> None:
    game = Game.start(TRADITIONAL, [""]).enter(Category.YACHT, 50)
    assert statistics([entry(game)], totals).dice.total == 0


def test_totals_are_compared_with_perfect_play() -> None:
    found = of_games(10)
    (games,) = found.by_rules
    distribution = totals(TRADITIONAL)
    assert games.totals.mean == pytest.approx(solved(TRADITIONAL).expected)
    for game in games.games:
        assert game.beats == distribution.below(game.total)
        assert game.total == pytest.approx(distribution.mean + game.luck - game.loss, abs=1e-6)
    assert games.mean_total == pytest.approx(sum(g.total for g in games.games) / 10)
    assert games.luck == pytest.approx(sum(g.luck for g in games.games))
    assert games.luck_sd**2 == pytest.approx(sum(g.luck_sd**2 for g in games.games))
    assert games.level == "casual"
    assert games.mean_luck is not None
    assert games.mean_loss is not None


def test_luck_varies_as_much_as_it_is_said_to() -> None:
    (games,) = of_games(150, "perfect").by_rules
    scaled = [game.luck / game.luck_sd for game in games.games]
    mean = sum(scaled) / len(scaled)
    variance = sum(value**2 for value in scaled) / len(scaled)
    assert abs(mean) < 4 / sqrt(len(scaled))
    # The variance of a mean of squares of about normal variables is 2 / n.
    assert abs(variance - 1) < 4 * sqrt(2 / len(scaled))
    # What the distribution of totals says of all games, the rolls say of these.
    mean_square = sum(game.luck_sd**2 for game in games.games) / len(games.games)
    assert sqrt(mean_square) == pytest.approx(games.totals.sd, rel=0.05)


def test_unfinished_games_and_those_who_gave_up_do_not_count() -> None:
    begun = played("traditional", ("casual",), "begun", turns=3)
    gave_up = played("traditional", ("casual", "casual"), "gave up", turns=6).resign(0)
    found = statistics([entry(begun), entry(gave_up)], totals)
    assert (found.by_rules, found.unfinished) == ((), 2)
    assert found.dice.total > 0


def test_games_with_unknown_turns_count_only_as_totals() -> None:
    game = Game.start(TRADITIONAL, [""])
    for category in TRADITIONAL.categories:
        game = game.enter(category, TRADITIONAL.possible_points(category)[-1])
    (games,) = statistics([entry(game)], totals).by_rules
    assert (games.mean_total, games.known_games, games.luck_chance) == (297, (), None)
    assert (games.mean_loss, games.loss_per_turn, games.level) == (None, None, None)
    assert games.games[0].beats == pytest.approx(1)


def test_rule_sets_are_told_apart() -> None:
    keys = ("traditional", "all-dice", "traditional")
    entries = [entry(played(key, ("casual",), f"rules {n}")) for n, key in enumerate(keys)]
    found = statistics(entries, totals)
    assert [(games.rules.key, len(games.games)) for games in found.by_rules] == [
        ("traditional", 2),
        ("all-dice", 1),
    ]
