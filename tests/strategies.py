"""Hypothesis strategies for the values of the game, from dice to whole games.

A long game has more choices than Hypothesis likes to draw one by one. It draws how many steps the
game has, which shrinks well, and the seed from which the choices follow.
"""

from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from yachtdice import (
    CATEGORIES,
    DICE,
    FACES,
    MAX_SEATS,
    Dice,
    FaceSum,
    FullHouse,
    Game,
    OfAKind,
    Position,
    RuleSet,
    Scorecard,
    Scorer,
    Straight,
    Total,
    UpperBonus,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules.ruleset import KEY_PATTERN
from yachtdice.rules.scorers import Pays


def examples(number: int, **more: Any) -> settings:  # noqa: ANN401 - what `settings` takes
    """Return settings for so many examples in CI, where 100 are usual, and fewer elsewhere."""
    share = min(settings.default.max_examples / 100, 1) if settings.default else 1
    return settings(max_examples=max(5, round(number * share)), **more)


faces = st.sampled_from(FACES)
categories = st.sampled_from(CATEGORIES)


def dice(least: int = 0, most: int = DICE) -> SearchStrategy[Dice]:
    """Return multisets of so many dice."""
    return st.lists(faces, min_size=least, max_size=most).map(Dice)


rolls = dice(DICE)
"""Five dice."""

known_rules = st.sampled_from([find_rules(key) for key in RULE_SET_KEYS])
"""The rule sets that come with the package."""

_points = st.integers(0, 1000)
_pays: SearchStrategy[Pays] = st.one_of(st.just("sum"), _points)


@st.composite
def _straights(draw: DrawFn) -> Straight:
    length = draw(st.integers(2, 5))
    start = draw(st.none() | st.integers(1, 7 - length))
    return Straight(length, draw(_pays), start, draw(_points))


scorers: SearchStrategy[Scorer] = st.one_of(
    st.builds(FaceSum, face=faces),
    st.builds(Total),
    st.builds(OfAKind, st.integers(1, 5), st.just("matching") | _pays, _points),
    st.builds(FullHouse, _pays, st.booleans(), _points),
    _straights(),
)

rule_sets = st.builds(
    RuleSet,
    key=st.from_regex(KEY_PATTERN, fullmatch=True),
    scorers=st.dictionaries(categories, scorers, min_size=1),
    rolls=st.integers(1, 9),
    upper_bonus=st.none() | st.builds(UpperBonus, st.integers(1, 1000), st.integers(1, 1000)),
)
"""House rules of any kind, with one to twelve categories in any order."""


@st.composite
def cards(draw: DrawFn, rules: RuleSet) -> Scorecard:
    """Return cards of which some boxes are filled with what they can be worth."""
    points = [
        draw(st.none() | st.sampled_from(rules.possible_points(category)))
        if category in rules.scorers
        else None
        for category in CATEGORIES
    ]
    return Scorecard(rules, tuple(points))


@st.composite
def positions(
    draw: DrawFn, rules: SearchStrategy[RuleSet] = known_rules, most_seats: int = 3
) -> Position:
    """Return positions of every kind, also those that no game of equal turns leads to."""
    in_force = draw(rules)
    on_table = tuple(draw(st.lists(cards(in_force), min_size=1, max_size=most_seats)))
    seats = range(len(on_table))
    resigned = draw(st.just(frozenset[int]()) | st.frozensets(st.sampled_from(seats)))
    to_move = [seat for seat in seats if seat not in resigned and not on_table[seat].is_full]
    if not to_move:
        return Position(in_force, on_table, draw(st.sampled_from(seats)), Dice(), 0, resigned)
    seat = draw(st.sampled_from(to_move))
    rolls_left = draw(st.sampled_from(range(in_force.rolls + 1)))
    shown = Dice()
    if rolls_left == 0:
        shown = draw(rolls)
    elif rolls_left < in_force.rolls:
        shown = draw(rolls | dice(0, 4))
    return Position(in_force, on_table, seat, shown, rolls_left, resigned)


names = st.text(max_size=8)


@st.composite
def games(
    draw: DrawFn,
    rules: SearchStrategy[RuleSet] = known_rules,
    most_seats: int = MAX_SEATS,
    *,
    plain: bool = False,
) -> Game:
    """Return games, some of them unfinished.

    Unless *plain*, seats resign, whole turns are entered and scores are corrected, in some games
    often, in others never.
    """
    seats = draw(st.lists(names, min_size=1, max_size=most_seats))
    game = Game.start(draw(rules), seats, draw(st.integers(0, len(seats) - 1)))
    steps = draw(st.integers(0, 200) | st.none())
    random = draw(st.randoms(use_true_random=True))
    unusual = 0 if plain else random.choice((0, 0.02, 0.3))
    while not game.position.is_over and (steps is None or game.version <= steps):
        game = (random.random() < unusual and unusual_step(game, random)) or step(game, random)
    if random.random() < unusual:
        game = correction(game, random) or game
    return game


def step(game: Game, random: Random) -> Game:
    """Return the game after a random roll, or a random one of the legal moves."""
    position = game.position
    if position.must_roll:
        return game.roll(random.choices(FACES, k=DICE - len(position.dice)))
    return game.play(random.choice(position.legal_moves()))


def unusual_step(game: Game, random: Random) -> Game | None:
    """Return the game after a correction, an entered turn or a resignation; None if it can't be."""
    return random.choice((correction, correction, entered_turn, entered_turn, resignation))(
        game, random
    )


def correction(game: Game, random: Random) -> Game | None:
    """Return the game after other points in a used box, or in an open one instead of it."""
    seat, card = random.choice([*enumerate(game.position.cards)])
    used = [category for category in game.rules.categories if category not in card.open]
    if not used:
        return None
    box = random.choice(used)
    target = random.choice((box, *card.open))
    points = random.choice(game.rules.possible_points(target))
    return game.correct(seat, target, points, None if target is box else box)


def entered_turn(game: Game, random: Random) -> Game | None:
    """Return the game after a turn of which the dice, or only the points, are known."""
    if not game.position.is_turn_start:
        return None
    category = random.choice(game.position.card.open)
    points = random.choice(game.rules.possible_points(category))
    return game.enter(category, random.choice((points, Dice(random.choices(FACES, k=DICE)))))


def resignation(game: Game, random: Random) -> Game:
    """Return the game after any seat that is still there has resigned."""
    return game.resign(random.choice([*{*range(len(game.names))} - game.position.resigned]))
