"""The places of the dice. The engine treats dice as multisets; on the table each has its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from yachtdice.rules import DICE, Dice, DiceHeld, DiceRolled, Game, PlayerResigned, ScoreCorrected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


DiceLayout: TypeAlias = tuple[tuple[int, ...], frozenset[int]]
"""The faces of the dice from left to right, and the places, from 0, of the kept ones."""


def dice_layout(game: Game) -> DiceLayout:
    """Return the faces on the table from left to right, and the places (from 0) of kept dice.

    Kept dice stay where they are; the rolled ones fill the other places in the order in which they
    fell. Between a hold and the roll after it, the other places still show the previous roll.
    There are no dice at the start of a turn and after the game.

    >>> from yachtdice import TRADITIONAL, Hold
    >>> game = Game.start(TRADITIONAL, ["Ana"]).roll([4, 1, 4, 2, 6]).play(Hold(Dice([4, 4])))
    >>> dice_layout(game.roll([5, 4, 3]))
    ((4, 5, 4, 4, 3), frozenset({0, 2}))
    """
    faces: tuple[int, ...] = ()
    kept: frozenset[int] = frozenset()
    for event in _turn(game):
        if isinstance(event, DiceHeld):
            kept = places(faces, kept, event.kept)
        else:
            fallen = iter(event.faces)
            faces = tuple(faces[place] if place in kept else next(fallen) for place in range(DICE))
    return faces, kept


def places(faces: Sequence[int], kept: frozenset[int], dice: Dice) -> frozenset[int]:
    """Return the places of *faces* where *dice* lie: those kept before first, then from the left.

    So a die that was kept before and is kept again does not seem to move.
    """
    left = list(dice.faces)
    chosen = set()
    for place in sorted(range(len(faces)), key=lambda place: (place not in kept, place)):
        if faces[place] in left:
            left.remove(faces[place])
            chosen.add(place)
    return frozenset(chosen)


def _turn(game: Game) -> Iterator[DiceRolled | DiceHeld]:
    """Yield what happened to the dice in the turn that is being played."""
    seat = game.position.seat
    turn: list[DiceRolled | DiceHeld] = []
    if not game.position.is_over:
        for event in reversed(game.events):
            if isinstance(event, (DiceRolled, DiceHeld)) and event.seat == seat:
                turn.append(event)
            elif not isinstance(event, (PlayerResigned, ScoreCorrected)):
                # Resignations of others and corrections can stand in the middle of a turn.
                break
    return reversed(turn)
