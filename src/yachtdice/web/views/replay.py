"""A game seen again, step by step: a step is an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.web.views.card import game_of
from yachtdice.web.views.story import Turn, turns
from yachtdice.web.views.table import TableView, table_view

if TYPE_CHECKING:
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class ReplayView:
    """One moment of a game, and the ways on from there."""

    table: TableView
    step: int
    """The number of events that have happened, from 1."""
    steps: int
    before: int | None
    """The step before this one; None at the beginning."""
    after: int | None
    says: str
    """What happened last."""
    turns: tuple[Turn, ...]
    """The story of the whole game, the first turn first."""


def replay_view(scene: Scene, whole: Scene) -> ReplayView:
    """Return the moment that *scene* shows, of the game as it stands in *whole*."""
    steps = len(game_of(whole).events)
    step = len(game_of(scene).events)
    view = table_view(scene)
    return ReplayView(
        view,
        step,
        steps,
        step - 1 if step > 1 else None,
        step + 1 if step < steps else None,
        view.says[-1][1] if view.says else "",
        turns(whole),
    )
