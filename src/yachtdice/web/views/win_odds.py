"""How likely each is to win, as a bar with its text."""

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
    """Where its part of the bar begins, in per cent of the width, as SVG writes it."""
    width: str


@dataclass(frozen=True, slots=True)
class ChancesView:
    """How likely each is to win."""

    label: str
    kind: str
    """Whether it is exact, in a word; empty where nothing is known yet."""
    seats: tuple[ShareView, ...]
    """None where nothing is known yet."""


def chances_view(scene: Scene) -> ChancesView | None:
    """Return what the viewer sees of everybody's chances to win; None where they are not shown."""
    # Translators: names the bar that shows how likely each player is to win.
    label = _("Chances to win")
    found = scene.odds
    if found is None:
        return ChancesView(label, "", ()) if scene.shows_odds else None
    seats, start = [], 0.0
    # An estimate is seldom off by more than one in a hundred, and mostly by some.
    digits = 1 if found.kind == "exact" else 0
    for seat, chance in enumerate(found.seats):
        share = format_chance(chance, digits)
        name = seat_label(scene, seat)
        seats.append(ShareView(name, share, f"{100 * start:.2f}%", f"{100 * chance:.2f}%"))
        start += chance
    return ChancesView(label, certainty_word(found.kind), tuple(seats))
