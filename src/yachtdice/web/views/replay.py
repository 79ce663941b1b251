"""The view model of a replay, whose steps are the events of the game."""

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
    """One step of a game, and the steps next to it."""

    table: TableView
    step: int
    """The number of events up to this one, from 1."""
    steps: int
    before: int | None
    """The step before this one; None at the first one."""
    after: int | None
    says: str
    """The last event, as a sentence."""
    turns: tuple[Turn, ...]
    """The story of the whole game, the first turn first."""


def replay_view(scene: Scene, whole: Scene) -> ReplayView:
    """Return the step that *scene* shows of the game in *whole*."""
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
