"""The view model of the list of a viewer's games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from yachtdice.i18n import format_day, ngettext, pgettext, rules_name
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import Mode
from yachtdice.web.views.words import player_name

if TYPE_CHECKING:
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class GameRow:
    """A row of the list."""

    id: str
    title: str
    state: str
    rules: str
    date: str
    """As in 2026-11-30; empty if unknown."""
    day: str
    """The date as text in the active language."""
    is_open: bool


def game_row(scene: Scene) -> GameRow:
    """Return the row for one of the viewer's games."""
    table = scene.table
    names = [player_name(table, seat) for seat in range(len(table.seats))]
    others = [name for seat, name in enumerate(names) if seat not in scene.seats]
    if table.mode is Mode.DEVICE and len(names) - len(others) > 1:
        others = names
    nobody = _("Nobody else yet") if table.mode is Mode.ONLINE else pgettext("page", "Alone")
    # Translators: stands between the names of players.
    title = _(", ").join(others) if others else nobody
    is_open = not table.is_over and table.next is None
    day = table.opened.date
    shown = format_day(date.fromisoformat(day)) if day else ""
    return GameRow(table.id, title, _state(scene), rules_name(table.rules), day, shown, is_open)


def _state(scene: Scene) -> str:
    table = scene.table
    if table.game is None:
        return pgettext("state", "Not begun")
    position = table.game.position
    if table.is_over:
        totals = [card.total for card in position.cards]
        # Translators: the final totals of a game, in seat order, as in “Over: 167, 152”.
        return _("Over: {totals}").format(totals=", ".join(map(str, totals)))
    if table.next is not None:
        return _("Left for a new game")
    left = sum(len(card.open) for card in position.cards)
    return ngettext("{n} turn to go", "{n} turns to go", left).format(n=left)
