"""The view model of input for real dice: typed dice, points to choose from, corrections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import category_name
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import DiceKind
from yachtdice.rules import Category
from yachtdice.web.views.card import game_of, is_yours
from yachtdice.web.views.words import player_name

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class Hand:
    """The viewer's unfinished input. It is part of the URL, so that it survives a reload."""

    zero: Category | None = None
    """The box in which a zero has to be confirmed."""
    dice: str = ""
    """Real dice typed so far, as figures."""
    box: Category | None = None
    """The box whose points are being entered."""
    fix: tuple[int, Category] | None = None
    """The seat and the box that are being corrected."""
    into: Category | None = None
    """The box in which the points should have been entered."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The points that a box can score, with one button each."""

    title: str
    fields: tuple[tuple[str, str], ...]
    """Hidden fields that are sent with the points."""
    points: tuple[tuple[int, str], ...]
    """Each number with the accessible name of its button."""
    now: int | None
    """The current points of the box."""
    others: tuple[tuple[str, str], ...]
    """Query and name of the other boxes in which the points may belong."""


def typed(scene: Scene, hand: Hand) -> str | None:
    """Return the real dice typed so far, None if none can be typed now."""
    if scene.table.dice is not DiceKind.REAL or not is_yours(scene):
        return None
    return hand.dice if game_of(scene).position.is_turn_start else None


def choice(scene: Scene, hand: Hand) -> ChoiceView | None:
    """Return the points to choose from, None if no box was chosen."""
    table = scene.table
    if table.dice is not DiceKind.REAL or table.next is not None or not scene.seats:
        return None
    position = game_of(scene).position
    if hand.fix is not None:
        return _fixing(scene, *hand.fix, hand.into)
    if hand.box is not None and is_yours(scene) and hand.box in position.card.open:
        title = _("How many points: {box}?").format(box=category_name(hand.box))
        fields = (("enter", hand.box.value),)
        return ChoiceView(title, fields, _possible(table.rules, hand.box), None, ())
    return None


def _fixing(
    scene: Scene, seat: int, category: Category, into: Category | None
) -> ChoiceView | None:
    table = scene.table
    cards = game_of(scene).position.cards
    if not 0 <= seat < len(cards) or cards[seat][category] is None:
        return None
    key = f"{seat + 1}.{category.value}"
    target = into if into in cards[seat].open else None
    box = category_name(target or category)
    name = player_name(table, seat)
    title = _("{name}, {box}: what should it say?").format(name=name, box=box)
    fields = [("fix", key)]
    if target is not None:
        fields.append(("into", target.value))
    others = tuple(
        (f"fix={key}&into={other.value}", category_name(other))
        for other in cards[seat].open
        if other is not target
    )
    now = None if target is not None else cards[seat][category]
    return ChoiceView(title, tuple(fields), _possible(table.rules, target or category), now, others)


def _possible(rules: RuleSet, category: Category) -> tuple[tuple[int, str], ...]:
    box = category_name(category)
    return tuple(
        # Translators: a button: the points and the box that they go into.
        (points, _("Score {points}: {box}").format(points=points, box=box))
        for points in rules.possible_points(category)
    )
