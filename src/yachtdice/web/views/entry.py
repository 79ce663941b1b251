"""Real dice: what is typed, which points a box can be worth, and how a box is put right."""

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
    """What somebody has begun and not yet done. It stands in the address, so nothing is lost."""

    zero: Category | None = None
    """The box for which a zero was asked."""
    dice: str = ""
    """Real dice typed so far, as figures."""
    box: Category | None = None
    """The box whose points are to be entered."""
    fix: tuple[int, Category] | None = None
    """The seat and the box to be put right."""
    into: Category | None = None
    """The box in which the points to be put right were meant to stand."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """Which points a box can be worth: one button each."""

    title: str
    fields: tuple[tuple[str, str], ...]
    """What is sent along with the points."""
    points: tuple[tuple[int, str], ...]
    """Each number with the full name of its button."""
    now: int | None
    """What stands in the box."""
    others: tuple[tuple[str, str], ...]
    """Query and name of the boxes in which the points may have been meant to stand."""


def typed(scene: Scene, hand: Hand) -> str | None:
    """Return the real dice typed so far, or None where none can be typed now."""
    if scene.table.dice is not DiceKind.REAL or not is_yours(scene):
        return None
    return hand.dice if game_of(scene).position.is_turn_start else None


def choice(scene: Scene, hand: Hand) -> ChoiceView | None:
    """Return the points to choose from, None where no box was chosen."""
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
