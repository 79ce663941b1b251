"""Games for two in winning chances: what luck and decisions have changed adds up."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.solver.duel.minimax import small
from yachtdice import CATEGORIES, TRADITIONAL, Category, Dice, Game, Hold, Score
from yachtdice.solver import ValueTableError
from yachtdice.solver.duel import Breakdown, Duel, Swing, breakdown

RULES = small(*CATEGORIES[8:])
DUEL = Duel(RULES)
EARLY = Duel(RULES, rounds=2)


def game_of(random: Random, *, well: bool = False) -> Game:
    """Return a game with moves drawn at random, or the best ones."""
    game = Game.start(RULES, ["Ana", "Rui"], first=random.randrange(2))
    while not game.position.is_over:
        position = game.position
        if position.must_roll:
            game = game.roll(random.choices(range(1, 7), k=5 - len(position.dice)))
        elif well:
            game = game.play(DUEL.rank(position).choices[0].move)
        else:
            game = game.play(random.choice(position.legal_moves()))
    return game


def check(found: Breakdown, game: Game, duel: Duel) -> None:
    changes = sum(-s.change if s.seat else s.change for s in found.swings)
    assert found.start + changes == pytest.approx(found.chance, abs=1e-9)
    assert found.chance == pytest.approx(duel.win_odds(game.position).seats[0], abs=1e-6)
    events = [swing.event for swing in found.swings if swing.part != "source"]
    assert events == list(range(1, game.version))
    assert [swing.event for swing in found.swings] == sorted(s.event for s in found.swings)
    kinds = {swing.event: swing.kind for swing in found.swings}
    for number, position in enumerate(game.positions()):
        if number and not position.is_over:
            assert kinds[number] == duel.win_odds(position).kind
    for swing in found.swings:
        if swing.part == "decision":
            assert swing.change <= 1e-12
            least = 1e-6 if swing.kind == "exact" else 1e-9
            assert (swing.best is None) or swing.change < -least
    parts = {(s.seat, s.part) for s in found.swings}
    total = sum(found.total(seat, part) * (-1 if seat else 1) for seat, part in parts)
    assert total == pytest.approx(changes, abs=1e-12)


@given(st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_changes_add_up(random: Random) -> None:
    game = game_of(random)
    found = breakdown(DUEL, game)
    check(found, game, DUEL)
    assert {found.kind, *(swing.kind for swing in found.swings)} == {"exact"}
    assert all(abs(s.change) < 2e-6 for s in found.swings if s.part == "source")


@given(st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_changes_add_up_across_estimates(random: Random) -> None:
    game = game_of(random)
    found = breakdown(EARLY, game)
    check(found, game, EARLY)
    assert found.kind == "estimate"
    assert found.swings[-1].kind == "exact"


def test_luck_is_none_on_average_also_where_the_chances_come_from_elsewhere() -> None:
    """Three rounds before the end an estimate gives way to what is exact: that is no luck."""
    random = Random(3)  # noqa: S311 - no secret
    game = Game.start(RULES, ["", ""])
    while not game.position.card.mask or not game.position.is_turn_start:
        position = game.position
        if position.must_roll:
            game = game.roll(random.choices(range(1, 7), k=5 - len(position.dice)))
        else:
            game = game.play(Score(position.card.open[0]))
    duel = Duel(RULES, rounds=3)
    kinds = set()
    mean = 0.0
    for dice, chance in game.position.outcomes():
        found = breakdown(duel, game.roll(dice.faces))
        *_, source, luck = found.swings
        assert (source.part, luck.part) == ("source", "luck")
        kinds.add((found.kind, source.kind))
        mean += float(chance) * luck.change
    assert kinds == {("estimate", "exact")}
    assert mean == pytest.approx(0, abs=1e-9)


def test_the_best_moves_lose_nothing() -> None:
    found = breakdown(DUEL, game_of(Random(1), well=True))  # noqa: S311 - no secret
    for swing in found.swings:
        assert swing.best is None
        assert swing.part == "luck" or swing.change == pytest.approx(0, abs=3e-6)


def test_what_is_hopeless_becomes_exact_as_well() -> None:
    """No chance by the estimate and none by the sub-game: nothing changes but the kind."""
    game = Game.start(RULES, ["", ""])
    for category, most in ((Category.YACHT, 50), (Category.BIG_STRAIGHT, 30)):
        game = game.enter(category, 0).enter(category, most)
    for _ in range(2):
        game = game.roll([1, 1, 2, 2, 3]).play(Score(Category.CHOICE))
    duel = Duel(RULES, rounds=1)
    found = breakdown(duel, game)
    check(found, game, duel)
    assert (found.swings[-2].kind, found.swings[-1].kind) == ("estimate", "exact")
    assert found.swings[-1].change == 0


def last_decision(game: Game) -> Swing:
    return [swing for swing in breakdown(DUEL, game).swings if swing.part == "decision"][-1]


def test_a_blunder_is_named() -> None:
    game = Game.start(RULES, ["", ""]).roll([6, 6, 6, 6, 6]).play(Score(Category.CHOICE))
    swing = last_decision(game)
    assert (swing.seat, swing.part, swing.best) == (0, "decision", Score(Category.YACHT))
    assert swing.change < -0.1
    game = game.roll([6, 6, 6, 6, 1]).play(Hold(Dice([1])))
    swing = last_decision(game)
    assert (swing.seat, swing.part, swing.best) == (1, "decision", Hold(Dice([6, 6, 6, 6])))
    assert swing.change < -0.1


def test_what_cannot_be_told_apart_counts_too() -> None:
    game = Game.start(RULES, ["", ""]).enter(Category.YACHT, 50).enter(Category.YACHT, 0)
    game = game.correct(1, Category.YACHT, 50).roll([1, 2, 3, 4, 5]).resign(0)
    found = breakdown(DUEL, game)
    check(found, game, DUEL)
    assert [swing.part for swing in found.swings] == ["other", "other", "other", "luck", "other"]
    assert found.chance == 0
    assert found.swings[1].chance > found.swings[2].chance


def test_a_game_that_has_just_begun_has_no_swings() -> None:
    game = Game.start(RULES, ["", ""])
    assert breakdown(DUEL, game) == Breakdown(DUEL.win_odds(game.position).seats[0], "exact", ())
    assert breakdown(DUEL, game).chance == breakdown(DUEL, game).start


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="two seats"):
        breakdown(DUEL, Game.start(RULES, ["", "", ""]))
    with pytest.raises(ValueTableError):
        breakdown(DUEL, Game.start(TRADITIONAL, ["", ""]))
