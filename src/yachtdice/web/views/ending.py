"""The view model of the end of a game: the final order and a sentence about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import gettext as _
from yachtdice.i18n import ngettext, pgettext
from yachtdice.web.views.words import is_you, player_name, seat_label

if TYPE_CHECKING:
    from yachtdice.rules import Position
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat in the final order."""

    place: int
    """Counted from 1, shared by equal totals; 0 for those who gave up."""
    name: str
    total: int
    won: bool
    note: str


@dataclass(frozen=True, slots=True)
class EndView:
    """The end of a game."""

    result: str
    """Who won, as a sentence."""
    standings: tuple[Standing, ...]


def ending(scene: Scene) -> EndView:
    """Return the end of the game of a table, which has to be over."""
    assert scene.table.game is not None  # it is over
    position = scene.table.game.position
    return EndView(_result(scene, position), standings(scene, position))


def standings(scene: Scene, position: Position) -> tuple[Standing, ...]:
    """Return the seats by their totals.

    Ties share a place; seats that gave up come last, without one.
    """
    totals = [card.total for card in position.cards]
    remaining = [total for seat, total in enumerate(totals) if seat not in position.resigned]
    order = sorted(range(len(totals)), key=lambda s: (s in position.resigned, -totals[s]))
    return tuple(
        Standing(
            0 if seat in position.resigned else 1 + sum(t > totals[seat] for t in remaining),
            seat_label(scene, seat),
            totals[seat],
            seat in position.winners,
            pgettext("seat", "gave up") if seat in position.resigned else "",
        )
        for seat in order
    )


def _result(scene: Scene, position: Position) -> str:
    winners = position.winners
    if not winners:
        return _("Nobody played to the end.")
    total = position.cards[winners[0]].total
    if is_you(scene, winners[0]) and len(winners) == 1:
        if len(scene.table.seats) == 1:
            return ngettext("You scored {n} point.", "You scored {n} points.", total).format(
                n=total
            )
        return ngettext("You win with {n} point.", "You win with {n} points.", total).format(
            n=total
        )
    names = [player_name(scene.table, seat) for seat in winners]
    if len(names) == 1:
        won = ngettext("{name} wins with {n} point.", "{name} wins with {n} points.", total)
        return won.format(name=names[0], n=total)
    # Translators: stands between the names of players who share the first place.
    joined = _(", ").join(names)
    tied = ngettext("A tie with {n} point: {names}.", "A tie with {n} points: {names}.", total)
    return tied.format(names=joined, n=total)
