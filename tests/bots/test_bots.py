"""Bots play by the rules, never look silly, and score on average what is computed for them."""

import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

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
    BOTS,
    FOR_POINTS,
    LEVELS,
    Bot,
    BotError,
    bot_expected,
    bot_totals,
    make_bot,
)
from yachtdice.solver import SoloSolution, solve
from yachtdice.solver.duel import Duel

PLAYERS = [name for name in BOTS if name != "random"]
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
yachts = st.sampled_from(FACES).map(lambda face: Dice([face] * DICE))
published = st.sampled_from([TRADITIONAL, ALL_DICE])


@st.composite
def cards_with_yacht_open(draw: st.DrawFn) -> Scorecard:
    position = draw(positions(published, most_seats=1))
    points = [*position.card.points]
    points[Category.YACHT.index] = None
    return Scorecard(position.rules, tuple(points))


@given(positions(published), st.sampled_from(BOTS), st.integers(0, 99))
def test_bots_move_legally(position: Position, name: str, seed: int) -> None:
    bot = quick_bot(name, position.rules, seed)
    assert bot.name == name
    if not position.legal_moves():
        reason = IllegalMoveReason.GAME_OVER if position.is_over else IllegalMoveReason.MUST_ROLL
        for ask in (bot.choose, bot.chances):
            with pytest.raises(IllegalMoveError) as caught:
                ask(position)
            assert caught.value.reason is reason
        return
    chances = bot.chances(position)
    assert set(chances) <= set(position.legal_moves())
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert min(chances.values()) > 0
    assert bot.choose(position) in chances


@given(cards_with_yacht_open(), yachts, st.integers(0, 2), st.sampled_from(PLAYERS))
def test_whoever_holds_a_yacht_scores_it(
    filled: Scorecard, dice: Dice, left: int, name: str
) -> None:
    """No reroll, no other box, and the box `yacht` is not scratched either."""
    position = Position(filled.rules, (filled,), 0, dice, left)
    assert dict(make_bot(name, filled.rules).chances(position)) == {Score(Category.YACHT): 1.0}


@given(positions(published), st.sampled_from(FLAWED))
def test_nobody_throws_away_more_than_the_cap(position: Position, name: str) -> None:
    assume(position.legal_moves())
    losses = {choice.move: choice.loss for choice in solve_once(position.rules).rank(position)}
    cap = {"novice": 10, "casual": 8, "skilled": 6, "perfect": 0, "greedy": 25}[name]
    assert all(losses[move] <= cap for move in make_bot(name, position.rules).chances(position))


_solutions: dict[str, SoloSolution] = {}
_duels: dict[str, Duel] = {}


def solve_once(rules: RuleSet) -> SoloSolution:
    if rules.key not in _solutions:
        _solutions[rules.key] = solve(rules)
    return _solutions[rules.key]


def duel_of(rules: RuleSet) -> Duel:
    """Return play to win that solves the last three rounds only, which takes no time."""
    if rules.key not in _duels:
        _duels[rules.key] = Duel(rules, solo=solve_once(rules), rounds=3)
    return _duels[rules.key]


def quick_bot(name: str, rules: RuleSet, seed: int | None = None) -> Bot:
    duel = duel_of(rules) if name == "champion" else None
    return make_bot(name, rules, seed, solve_once(rules), duel=duel)


@given(rolls, st.integers(1, 2), st.sampled_from(PLAYERS))
def test_nobody_rerolls_a_straight_that_can_be_scored(roll: Dice, left: int, name: str) -> None:
    dice = Dice([1, 2, 3, 4, 5]) if roll.counts[0] else Dice([2, 3, 4, 5, 6])
    box = Category.LITTLE_STRAIGHT if roll.counts[0] else Category.BIG_STRAIGHT
    position = Position(TRADITIONAL, (Scorecard(TRADITIONAL),), 0, dice, left)
    assert set(make_bot(name, TRADITIONAL).chances(position)) == {Score(box)}


@given(positions(published), st.sampled_from(FOR_POINTS))
def test_no_level_rerolls_what_is_best_scored_at_once(position: Position, name: str) -> None:
    choices = solve_once(position.rules).rank(position)
    assume(any(isinstance(choice.move, Score) for choice in choices if choice.is_best))
    moves = make_bot(name, position.rules).chances(position)
    assert all(isinstance(move, Score) for move in moves)


def test_the_levels_are_spread_between_a_beginner_and_perfect_play() -> None:
    expected = [bot_expected(level, TRADITIONAL) for level in FOR_POINTS]
    assert expected == pytest.approx([112.584, 135.942, 153.125, 166.955], abs=5e-4)


@pytest.mark.soak
def test_the_levels_are_spread_with_all_dice_too() -> None:
    expected = [bot_expected(level, ALL_DICE) for level in FOR_POINTS]
    assert expected == pytest.approx([115.359, 138.936, 156.059, 169.774], abs=5e-4)


@pytest.mark.soak
def test_greedy_and_random_have_known_averages() -> None:
    assert bot_expected("greedy", TRADITIONAL) == pytest.approx(164.425, abs=5e-4)
    assert bot_expected("random", TRADITIONAL) == pytest.approx(37.151, abs=5e-4)


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.key)
@pytest.mark.parametrize("name", BOTS)
def test_expected_totals_are_those_of_the_moves_that_are_made(rules: RuleSet, name: str) -> None:
    slow = solve(rules).evaluate(make_bot(name, rules).chances)
    assert bot_expected(name, rules) == pytest.approx(slow.mean, abs=1e-12)
    if name in LEVELS:  # the others are evaluated in no other way
        assert bot_totals(name, rules).sd == pytest.approx(slow.sd, abs=1e-9)


@pytest.mark.parametrize("name", ["random", "novice", "casual", "skilled"])
def test_moves_are_drawn_by_their_chances(name: str) -> None:
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    bot = make_bot(name, TRADITIONAL, seed=1)
    chances = bot.chances(position)
    draws = 4000
    counts = Counter(bot.choose(position) for _ in range(draws))
    for move, chance in chances.items():
        spread = (draws * chance * (1 - chance)) ** 0.5
        assert abs(counts[move] - draws * chance) <= 5 * spread + 1


@pytest.mark.parametrize("name", BOTS)
def test_a_seed_means_the_same_moves(name: str) -> None:
    def moves(seed: int | str | None) -> list[object]:
        bot, dice = make_bot(name, TRADITIONAL, seed), Random(1)  # noqa: S311
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
    bot = make_bot(name, position.rules)
    assert dict(bot.chances(position)) == dict(bot.chances(alone))


def test_the_perfect_bot_makes_the_first_of_the_best_moves() -> None:
    solution = solve(TRADITIONAL)
    bot = make_bot("perfect", TRADITIONAL, solution=solution)
    position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
    assert bot.choose(position) == solution.rank(position)[0].move == Hold(Dice([4, 4]))


@given(positions(published, most_seats=4))
def test_champion_makes_the_first_of_the_moves_that_win_most_often(position: Position) -> None:
    assume(position.legal_moves())
    ranking = duel_of(position.rules).rank(position)
    move = quick_bot("champion", position.rules).choose(position)
    assert move == ranking.choices[0].move
    values = {choice.move: choice.value for choice in ranking.choices}
    # Where moves cannot be told apart, points decide: 1e-6 is what float32 leaves.
    assert values[move] >= max(values.values()) - 3e-6


@given(positions(published, most_seats=1))
def test_champion_alone_plays_for_points(position: Position) -> None:
    assume(position.legal_moves())
    best = make_bot("perfect", position.rules, solution=solve_once(position.rules))
    assert quick_bot("champion", position.rules).choose(position) == best.choose(position)


def test_champion_with_a_bonus_plays_for_points() -> None:
    rules = SMALL[1]
    position = Position.start(rules, 2).roll(parse_dice("2-2-4-5-6"))
    champion, best = make_bot("champion", rules), make_bot("perfect", rules)
    assert champion.choose(position) == best.choose(position)


def test_champion_gives_up_points_to_win() -> None:
    """One point behind a card that is full: any four alike win, so three ones beat two fives."""
    mine = card(TRADITIONAL, (Category.FOUR_OF_A_KIND,))
    ahead = [points or 0 for points in mine.points]
    ahead[Category.CHOICE.index] += 1
    theirs = Scorecard(TRADITIONAL, tuple(ahead))
    position = Position(TRADITIONAL, (mine, theirs), 0, parse_dice("1-1-1-5-5"), 2)
    duel = Duel(TRADITIONAL)
    assert make_bot("perfect", TRADITIONAL).choose(position) == Hold(parse_dice("5-5"))
    assert make_bot("champion", TRADITIONAL, duel=duel).choose(position) == Hold(
        parse_dice("1-1-1")
    )


def test_champion_that_cannot_wait_goes_by_the_estimate() -> None:
    duel = Duel(TRADITIONAL, solo=solve_once(TRADITIONAL))
    position = Position.start(TRADITIONAL, 2)
    for category in (Category.ONES, Category.TWOS, Category.THREES, Category.FOURS):
        position = position.enter(category, 0).enter(category, 0)
    position = position.roll(parse_dice("4-4-2-1-6"))
    bot = make_bot("champion", TRADITIONAL, duel=duel, patience=0)
    estimate = Duel(TRADITIONAL, rounds=0).rank(position)
    assert bot.choose(position) == estimate.choices[0].move


def test_greedy_does_what_is_obvious() -> None:
    bot = make_bot("greedy", TRADITIONAL)
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


def test_random_and_greedy_need_no_numpy() -> None:
    script = """
import sys
sys.modules["numpy"] = None
from yachtdice import TRADITIONAL, Position, parse_dice
from yachtdice.bots import make_bot
position = Position.start(TRADITIONAL).roll(parse_dice("4-4-2-1-6"))
for name in ("random", "greedy"):
    assert make_bot(name, TRADITIONAL, 1).choose(position) in position.legal_moves()
try:
    make_bot("perfect", TRADITIONAL)
except ImportError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "yacht-dice[solver]" in run.stdout
