"""Where dice lie: kept ones do not move."""

from hypothesis import given

from tests.strategies import games
from yachtdice import TRADITIONAL, Category, Dice, Game, Hold, Score
from yachtdice.play.table.layout import dice_layout, places

START = Game.start(TRADITIONAL, ["Ana", "Bo"])


def test_a_turn() -> None:
    assert dice_layout(START) == ((), frozenset())
    game = START.roll([4, 1, 4, 2, 6])
    assert dice_layout(game) == ((4, 1, 4, 2, 6), frozenset())
    game = game.play(Hold(Dice([4, 4])))
    assert dice_layout(game) == ((4, 1, 4, 2, 6), frozenset({0, 2}))
    game = game.roll([5, 4, 3])
    assert dice_layout(game) == ((4, 5, 4, 4, 3), frozenset({0, 2}))
    # Of three fours two are kept: those that lay still before lie still again.
    game = game.play(Hold(Dice([4, 4]))).roll([1, 2, 3])
    assert dice_layout(game) == ((4, 1, 4, 2, 3), frozenset({0, 2}))
    game = game.play(Score(Category.FOURS))
    assert dice_layout(game) == ((), frozenset())


def test_a_die_that_was_kept_can_be_rolled_again() -> None:
    game = START.roll([4, 1, 4, 2, 6]).play(Hold(Dice([4, 4]))).roll([6, 6, 6])
    game = game.play(Hold(Dice([6, 6, 6]))).roll([6, 5])
    assert dice_layout(game) == ((6, 6, 5, 6, 6), frozenset({1, 3, 4}))


def test_rolling_all_again() -> None:
    game = START.roll([4, 1, 4, 2, 6]).play(Hold(Dice())).roll([1, 2, 3, 4, 5])
    assert dice_layout(game) == ((1, 2, 3, 4, 5), frozenset())


def test_what_others_do_in_the_middle_of_a_turn_moves_no_die() -> None:
    game = START.roll([4, 1, 4, 2, 6]).play(Score(Category.FOURS)).roll([6, 5, 4, 3, 2])
    before = dice_layout(game)
    assert dice_layout(game.correct(0, Category.FOURS, 12)) == before
    assert dice_layout(game.resign(0)) == before
    held = game.play(Hold(Dice([4, 5])))
    assert dice_layout(held.resign(0)) == dice_layout(held) == ((6, 5, 4, 3, 2), frozenset({1, 2}))


def test_a_turn_that_was_given_up_leaves_no_dice() -> None:
    game = START.roll([4, 1, 4, 2, 6]).resign(0)
    assert dice_layout(game) == ((), frozenset())
    assert dice_layout(game.roll([1, 1, 1, 1, 1])) == ((1, 1, 1, 1, 1), frozenset())


def test_places_from_the_left() -> None:
    assert places((4, 4, 4), frozenset(), Dice([4])) == {0}
    assert places((4, 4, 4), frozenset({2}), Dice([4])) == {2}


@given(games(most_seats=3))
def test_the_layout_agrees_with_the_position(game: Game) -> None:
    faces, kept = dice_layout(game)
    dice = game.position.dice
    if game.position.must_roll:  # also where somebody resigned between a hold and its roll
        assert Dice(faces[place] for place in kept) == dice
    else:
        assert Dice(faces) == dice or not faces
        assert len(faces) in {0, 5}
