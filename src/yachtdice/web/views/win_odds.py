"""The view model of the win odds: a bar and its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import certainty_word, format_chance
from yachtdice.i18n import gettext as _
from yachtdice.web.views.words import seat_label

if TYPE_CHECKING:
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class ShareView:
    """A seat's part of the bar."""

    name: str
    share: str
    """As in 62%."""
    start: str
    """Where its part of the bar starts, as a percentage of the width in SVG."""
    width: str


@dataclass(frozen=True, slots=True)
class OddsView:
    """How likely each seat is to win."""

    label: str
    kind: str
    """Whether it is exact, in a word; empty if nothing is known yet."""
    seats: tuple[ShareView, ...]
    """Empty if nothing is known yet."""


def odds_view(scene: Scene) -> OddsView | None:
    """Return the win odds that the viewer sees; None if they are not shown."""
    # Translators: names the bar that shows how likely each player is to win.
    label = _("Chances to win")
    odds = scene.odds
    if odds is None:
        return OddsView(label, "", ()) if scene.shows_odds else None
    seats, start = [], 0.0
    # Estimates are off by up to one per cent, so they get no decimals.
    digits = 1 if odds.kind == "exact" else 0
    for seat, chance in enumerate(odds.seats):
        share = format_chance(chance, digits)
        name = seat_label(scene, seat)
        seats.append(ShareView(name, share, f"{100 * start:.2f}%", f"{100 * chance:.2f}%"))
        start += chance
    return OddsView(label, certainty_word(odds.kind), tuple(seats))
