"""What the seats of a game are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import pgettext

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


def seat_names(names: Sequence[str], bots: Container[int] = ()) -> tuple[str, ...]:
    """Return what to call each seat, in the active language.

    A seat without a name is called by its number, such as Player 2. If its number is in *bots*, it
    is called Computer, and Computer 1, Computer 2 and so on if there are several.
    """
    nameless = [seat for seat, name in enumerate(names) if seat in bots and not name]
    found = []
    for seat, name in enumerate(names):
        if seat not in nameless:
            # Translators: what a player is called who gave no name.
            found.append(name or _("Player {number}").format(number=seat + 1))
        elif len(nameless) == 1:
            # Translators: what a player is called whom the computer plays.
            found.append(pgettext("player", "Computer"))
        else:
            number = nameless.index(seat) + 1
            # Translators: what one of several players is called whom the computer plays.
            found.append(_("Computer {number}").format(number=number))
    return tuple(found)


def seat_name(names: Sequence[str], seat: int, bots: Container[int] = ()) -> str:
    """Return what to call one seat, counted from 0; see `seat_names`."""
    return seat_names(names, bots)[seat]


def own_seat_name() -> str:
    """Return what to call the only seat of the person who looks, if it has no name."""
    # Translators: the head of one's own column on the card.
    return pgettext("seat", "You")
