"""Bots play by the rules, never look silly, and score on average what is computed for them."""

import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests import processes
from tests.solved import solutions, solved
from tests.solver.brute import card, turn_start
from tests.strategies import positions, rolls
from yachtdice import (
    ALL_DICE,
    DICE,
    FACES,
    TRADITIONAL,
    Category,
    Dice,
    FaceSum,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    OfAKind,
    Position,
    RuleSet,
    Score,
    Scorecard,
    Total,
    UpperBonus,
    parse_dice,
)
from yachtdice.bots import (
    DEFAULT_LEVEL,
    FOR_POINTS,
    LEVELS,
    OFFERED,
    Bot,
    BotError,
    bot_expected,
    bot_totals,
    default_level,
    find_level,
    known_averages,
    make_bot,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.solutions import Solutions
from yachtdice.solver import TurnPolicy, solve
from yachtdice.solver.arrays.choice import TOLERANCE
from yachtdice.solver.duel import Duel

PLAYERS = [name for name in LEVELS if name != "random"]
FLAWED = [name for name in PLAYERS if name != "champion"]
"""Those whose moves do not depend on the other cards."""
SMALL = [
    RuleSet("plain", {Category.CHOICE: Total(), Category.YACHT: OfAKind(5, 50)}),
    RuleSet(
        "bonus",
        {Category.TWOS: FaceSum(2), Category.SIXES: FaceSum(6)},
        rolls=2,
        upper_bonus=UpperBonus(16, 9),
    ),
]
SOLUTIONS = solutions(rounds=3)
"""Play to win solves the last three rounds only, which takes no time."""


def quick_bot(name: str, rules: RuleSet, seed: int | str | None = None) -> Bot:
    return make_bot(name, rules, seed, solutions=SOLUTIONS)


yachts = st.sampled_from(FACES).map(lambda face: Dice([face] * DICE))
published = st.sampled_from([TRADITIONAL, ALL_DICE])


@st.composite
def cards_with_yacht_open(draw: st.DrawFn) -> Scorecard:
    position = draw(positions(published, most_seats=1))
    points = [*position.card.points]
    points[Category.YACHT.index] = None
    return Scorecard(position.rules, tuple(points))


@given(positions(published), st.sampled_from(list(LEVELS)), st.integers(0, 99))
def test_bots_move_legally(position: Position, name: str, seed: int) -> None:
    bot = quick_bot(name, position.rules, seed)
    assert bot.name == name
    if not position.legal_moves():
        reason = IllegalMoveReason.GAME_OVER if position.is_over else IllegalMoveReason.MUST_ROLL
        for ask in (bot.choose, bot.policy):
            with pytest.raises(IllegalMoveError) as caught:
                ask(position)
            assert caught.value.reason is reason
        return
    policy = bot.policy(position)
    assert set(policy) <= set(position.legal_moves())
    assert sum(policy.values()) == pytest.approx(1, abs=1e-12)
    assert min(policy.values()) > 0
    assert bot.choose(position) in policy


@given(cards_with_yacht_open(), yachts, st.integers(0, 2), st.sampled_from(PLAYERS))
def test_whoever_holds_a_yacht_scores_it(
    filled: Scorecard, dice: Dice, left: int, name: str
) -> None:
    """No reroll, no other box, and the box `yacht` is not scratched either."""
    position = Position(filled.rules, (filled,), 0, dice, left)
    assert dict(quick_bot(name, filled.rules).policy(position)) == {Score(Category.YACHT): 1.0}


@given(positions(published), st.sampled_from(FLAWED))
def test_nobody_throws_away_more_than_the_cap(position: Position, name: str) -> None:
    assume(position.legal_moves())
    losses = {choice.move: choice.loss for choice in solved(position.rules).rank(position)}
    cap = {"novice": 10, "casual": 8, "skilled": 6, "perfect": 0, "greedy": 25}[name]
    # A loss that equals the cap is within it, whichever way the processor has rounded.
    most = cap + TOLERANCE
    assert all(losses[move] <= most for move in quick_bot(name, position.rules).policy(position))


@given(rolls, st.integers(1, 2), st.sampled_from(PLAYERS))
def test_nobody_rerolls_a_straight_that_can_be_scored(roll: Dice, left: int, name: str) -> None:
    dice = Dice([1, 2, 3, 4, 5]) if roll.counts[0] else Dice([2, 3, 4, 5, 6])
    box = Category.LITTLE_STRAIGHT if roll.counts[0] else Category.BIG_STRAIGHT
    position = Position(TRADITIONAL, (Scorecard(TRADITIONAL),), 0, dice, left)
    assert set(quick_bot(name, TRADITIONAL).policy(position)) == {Score(box)}


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # few positions have such a choice
@given(positions(published), st.sampled_from(FOR_POINTS))
def test_no_level_rerolls_what_is_best_scored_at_once(position: Position, name: str) -> None:
    choices = solved(position.rules).rank(position)
    assume(any(isinstance(choice.move, Score) for choice in choices if choice.is_best))
    moves = quick_bot(name, position.rules).policy(position)
    assert all(isinstance(move, Score) for move in moves)


def test_the_levels_are_spread_between_a_beginner_and_perfect_play() -> None:
    expected = [bot_expected(level, TRADITIONAL, SOLUTIONS) for level in FOR_POINTS]
    assert expected == pytest.approx([112.584, 135.942, 153.125, 166.955], abs=5e-4)


@pytest.mark.soak
def test_the_levels_are_spread_with_all_dice_too() -> None:
    expected = [bot_expected(level, ALL_DICE, SOLUTIONS) for level in FOR_POINTS]
    assert expected == pytest.approx([115.359, 138.936, 156.059, 169.774], abs=5e-4)


@pytest.mark.soak
def test_greedy_and_random_have_known_averages() -> None:
    assert bot_expected("greedy", TRADITIONAL, SOLUTIONS) == pytest.approx(164.425, abs=5e-4)
    assert bot_expected("random", TRADITIONAL, SOLUTIONS) == pytest.approx(37.151, abs=5e-4)


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
@pytest.mark.parametrize("name", LEVELS)
def test_expected_totals_are_those_of_the_moves_that_are_made(rules: RuleSet, name: str) -> None:
    slow = solve(rules).evaluate(quick_bot(name, rules).policy)
    assert bot_expected(name, rules, SOLUTIONS) == pytest.approx(slow.mean, abs=1e-12)
    if name in OFFERED:  # the others are evaluated in no other way
        assert bot_totals(name, rules, SOLUTIONS).sd == pytest.approx(slow.sd, abs=1e-9)


@pytest.mark.parametrize("name", ["random", "novice", "casual", "skilled"])
def test_moves_are_drawn_by_their_probabilities(name: str) -> None:
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    bot = quick_bot(name, TRADITIONAL, seed=1)
    policy = bot.policy(position)
    draws = 4000
    counts = Counter(bot.choose(position) for _ in range(draws))
    for move, probability in policy.items():
        spread = (draws * probability * (1 - probability)) ** 0.5
        assert abs(counts[move] - draws * probability) <= 5 * spread + 1


@pytest.mark.parametrize("name", LEVELS)
def test_a_seed_means_the_same_moves(name: str) -> None:
    def moves(seed: int | str | None) -> list[object]:
        bot, dice = quick_bot(name, TRADITIONAL, seed), Random(1)  # noqa: S311
        position, made = Position.start(TRADITIONAL, 2), list[object]()
        while not position.is_over and len(made) < 40:
            if position.must_roll:
                rolled = dice.choices(FACES, k=DICE - len(position.dice))
                position = position.roll(Dice(rolled))
            else:
                made.append(bot.choose(position))
                position = position.play(bot.choose(position))
        return made

    assert moves(7) == moves(7) == moves("7")
    if name in {"perfect", "champion", "greedy"}:
        assert moves(7) == moves(8) == moves(None)
    else:
        assert moves(7) != moves(8)


@given(positions(published, most_seats=3), st.sampled_from(FLAWED))
def test_bots_for_points_look_at_their_own_card_only(position: Position, name: str) -> None:
    assume(position.legal_moves())
    alone = Position(position.rules, (position.card,), 0, position.dice, position.rolls_left)
    bot = quick_bot(name, position.rules)
    assert dict(bot.policy(position)) == dict(bot.policy(alone))


def test_the_perfect_bot_makes_the_first_of_the_best_moves() -> None:
    solution = solve(TRADITIONAL)
    bot = make_bot("perfect", TRADITIONAL, solutions=Solutions(solo=[solution]))
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    assert bot.choose(position) == solution.rank(position)[0].move == Hold(Dice([4, 4]))


@given(positions(published, most_seats=4))
def test_champion_makes_the_first_of_the_moves_that_win_most_often(position: Position) -> None:
    assume(position.legal_moves())
    duel = SOLUTIONS.duel(position.rules)
    assert duel is not None
    ranking = duel.rank(position)
    move = quick_bot("champion", position.rules).choose(position)
    assert move == ranking.choices[0].move
    values = {choice.move: choice.value for choice in ranking.choices}
    # Where moves cannot be told apart, points decide: 1e-6 is what float32 leaves.
    assert values[move] >= max(values.values()) - 3e-6


@given(positions(published, most_seats=1))
def test_champion_alone_plays_for_points(position: Position) -> None:
    assume(position.legal_moves())
    best = quick_bot("perfect", position.rules)
    assert quick_bot("champion", position.rules).choose(position) == best.choose(position)


def test_champion_with_a_bonus_plays_for_points() -> None:
    rules = SMALL[1]
    position = Position.start(rules, 2).roll(parse_dice("2-2-4-5-6"))
    champion, best = quick_bot("champion", rules), quick_bot("perfect", rules)
    assert champion.choose(position) == best.choose(position)


def test_champion_gives_up_points_to_win() -> None:
    """One point behind a card that is full: any four alike win, so three ones beat two fives."""
    mine = card(TRADITIONAL, (Category.FOUR_OF_A_KIND,))
    ahead = [points or 0 for points in mine.points]
    ahead[Category.CHOICE.index] += 1
    theirs = Scorecard(TRADITIONAL, tuple(ahead))
    position = Position(TRADITIONAL, (mine, theirs), 0, parse_dice("1-1-1-5-5"), 2)
    for name, kept in {"perfect": "5-5", "champion": "1-1-1"}.items():
        assert quick_bot(name, TRADITIONAL).choose(position) == Hold(parse_dice(kept))


def test_champion_that_cannot_wait_goes_by_the_estimate() -> None:
    duel = Duel(TRADITIONAL, solo=solved(TRADITIONAL))
    position = Position.start(TRADITIONAL, 2)
    for category in (Category.ONES, Category.TWOS, Category.THREES, Category.FOURS):
        position = position.enter(category, 0).enter(category, 0)
    position = position.roll(parse_dice("4-4-2-1-6"))
    bot = make_bot("champion", TRADITIONAL, solutions=Solutions(duels=[duel]), patience=0)
    estimate = Duel(TRADITIONAL, rounds=0).rank(position)
    assert bot.choose(position) == estimate.choices[0].move


def test_greedy_does_what_is_obvious() -> None:
    bot = quick_bot("greedy", TRADITIONAL)
    start = Position.start(TRADITIONAL)
    for dice, kept in {
        "6-6-6-2-1": "6-6-6",
        "2-3-4-5-5": "2-3-4-5",
        "3-3-5-5-1": "3-3-5-5",
    }.items():
        assert bot.choose(start.roll(parse_dice(dice))) == Hold(parse_dice(kept))
    last = turn_start(card(TRADITIONAL, (Category.CHOICE,)))
    assert bot.choose(last.roll(parse_dice("6-6-6-6-6"))) == Score(Category.CHOICE)


def test_an_unknown_level_is_refused() -> None:
    for ask in (make_bot, bot_expected, bot_totals):
        with pytest.raises(BotError, match="'genius' is no bot"):
            ask("genius", TRADITIONAL)
    with pytest.raises(BotError, match="'genius' is no bot"):
        find_level("genius")


def test_every_level_is_found_by_its_key() -> None:
    assert [find_level(key).key for key in LEVELS] == list(LEVELS)
    assert set(FOR_POINTS) < set(OFFERED) < set(LEVELS)
    assert DEFAULT_LEVEL in FOR_POINTS


def test_every_level_that_is_offered_can_be_simulated() -> None:
    for key in OFFERED:
        assert isinstance(find_level(key).solo_policy(), TurnPolicy)


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_built_in_rule_sets_know_the_averages_of_the_levels_for_points(key: str) -> None:
    """If this fails because a level is new: `make averages` computes what is missing."""
    averages = known_averages(find_rules(key))
    assert averages is not None
    assert tuple(averages) == FOR_POINTS


def test_without_numpy_the_default_is_the_strongest_level_that_needs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert default_level() == DEFAULT_LEVEL
    monkeypatch.setattr("yachtdice.bots.levels.find_spec", lambda _name: None)
    assert default_level() == "greedy"
    assert not find_level("greedy").needs_solver


def test_only_some_levels_need_numpy() -> None:
    script = """
import sys
sys.modules["numpy"] = None
from yachtdice import TRADITIONAL, Position, parse_dice
from yachtdice.bots import LEVELS, make_bot
position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
for name, level in LEVELS.items():
    try:
        bot = make_bot(name, TRADITIONAL, 1)
    except ImportError as error:
        assert level.needs_solver
        print(error)
    else:
        assert not level.needs_solver
        assert bot.choose(position) in position.legal_moves()
"""
    run = processes.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "yacht-dice[solver]" in run.stdout
