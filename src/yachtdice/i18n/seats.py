"""What the seats of a game are called."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import pgettext
from yachtdice.names import look_of, shown_name

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


def seat_names(names: Sequence[str], bots: Container[int] = ()) -> tuple[str, ...]:
    """Return what to call each seat, in the active language.

    A seat without a name is called by its number, such as Player 2. If its number is in *bots*, it
    is called Computer, and Computer 1, Computer 2 and so on if there are several. Names are safe to
    show, whatever *names* hold, and where several look alike the number of the seat follows, as in
    Ada (3).
    """
    names = [shown_name(name) for name in names]
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
    return _told_apart(found)


def seat_name(names: Sequence[str], seat: int, bots: Container[int] = ()) -> str:
    """Return what to call one seat, counted from 0; see `seat_names`."""
    return seat_names(names, bots)[seat]


def _told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return *names*, with the number of the seat after those that look alike."""
    while True:
        looks = [look_of(name) for name in names]
        times = Counter(looks)
        if len(times) == len(names):
            return tuple(names)
        # A marked name can look like another one in turn; it only grows, so that this ends.
        names = [
            f"{name} ({seat})" if times[look] > 1 else name
            for seat, (name, look) in enumerate(zip(names, looks, strict=True), start=1)
        ]


def own_seat_name() -> str:
    """Return what to call the only seat of the person who looks, if it has no name."""
    # Translators: the head of one's own column on the card.
    return pgettext("seat", "You")
