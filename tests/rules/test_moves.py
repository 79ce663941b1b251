"""Moves have numbers that never change."""

from hashlib import sha256

from hypothesis import given

from tests import strategies
from yachtdice import CATEGORIES, KEEPS, MOVES, Hold, Position, Score


def test_every_move_has_a_number_that_never_changes() -> None:
    assert [move.index for move in MOVES] == [*range(462 + 12)]
    assert MOVES[:462] == tuple(map(Hold, KEEPS))
    assert MOVES[462:] == tuple(map(Score, CATEGORIES))
    text = "\n".join(map(str, MOVES))
    assert sha256(text.encode()).hexdigest() == (
        "5ee5adafc389878045467e048985e6fbafc947f88fe08895fa9291dabe88e960"
    )


@given(strategies.positions(strategies.rule_sets))
def test_every_legal_move_is_found_by_its_number(position: Position) -> None:
    for move in position.legal_moves():
        assert MOVES[move.index] == move
