"""The view model of the scorecard: a column for each seat, a row for each box."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from yachtdice.i18n import category_name, describe_scorer, level_name, pgettext
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import DiceKind
from yachtdice.rules import (
    DICE,
    Category,
    CategoryScored,
    Dice,
    FaceSum,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.web.views.words import seat_label

if TYPE_CHECKING:
    from yachtdice.rules import Game
    from yachtdice.web.scene import Scene


class Cell(Enum):
    """What the viewer can do with a box; the value is its class in the style sheet."""

    EMPTY = "empty"
    """Open, and nothing can be done with it now."""
    FILLED = "filled"
    OFFER = "offer"
    """Open, and the dice would score something."""
    ZERO = "zero"
    """Open, and the dice would score nothing."""
    ARMED = "armed"
    """A zero that has to be confirmed."""
    ENTER = "enter"
    """Real dice: open, its points can be entered."""
    FIX = "fix"
    """Real dice: filled, and can be corrected."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """The head of a column, and its foot."""

    number: int
    name: str
    total: int
    bonus: str
    """The upper-section bonus, or the progress towards it; empty if the rules have none."""
    note: str
    """The level of a computer, or that the seat is away; mostly empty."""
    moving: bool
    marks: str
    """Classes of the whole column: `me`, `mover`."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A box of one seat."""

    kind: str
    """The value of a `Cell`."""
    text: str
    label: str
    """The accessible name of the button; empty if it is none."""
    value: str
    """What the button sends."""
    classes: str
    """The kind, the classes of the column, and `fresh` for the newest score."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of the card."""

    key: str
    name: str
    symbol: str
    face: int
    """The face that the box counts, 0 for the others."""
    hint: str
    cells: tuple[CellView, ...]
    begins_half: bool
    """Whether it starts the second half of the card."""


def game_of(scene: Scene) -> Game:
    """Return the game of a table, which has to have begun."""
    game = scene.table.game
    assert game is not None  # before that the lobby is shown
    return game


def is_yours(scene: Scene) -> bool:
    """Return whether it is the viewer's turn."""
    seat = scene.table.to_move
    return seat is not None and seat in scene.seats and scene.table.seats[seat].bot is None


def seats(scene: Scene) -> tuple[SeatView, ...]:
    """Return the columns of the card."""
    return tuple(_seat(scene, number) for number in range(len(scene.table.seats)))


def rows(scene: Scene, dice: Dice, zero: Category | None = None) -> tuple[RowView, ...]:
    """Return the rows of the card with what *dice* would score.

    *zero* is the box in which a zero has to be confirmed.
    """
    rules = scene.table.rules
    half = (len(rules.categories) + 1) // 2
    marks = [_marks(scene, seat) for seat in range(len(scene.table.seats))]
    fresh = _newest_score(game_of(scene))
    views = []
    for index, category in enumerate(rules.categories):
        cells = []
        for seat, mark in enumerate(marks):
            kind, text, label, value = _cell(scene, dice, zero, seat, category)
            newest = " fresh" if fresh == (seat, category) else ""
            classes = f"{kind.value} {mark}{newest}"
            cells.append(CellView(kind.value, text, label, value, classes))
        scorer = rules.scorers[category]
        words = describe_scorer(scorer)
        row = RowView(
            key=category.value,
            name=category_name(category),
            symbol=words.symbol,
            face=scorer.face if isinstance(scorer, FaceSum) else 0,
            hint=words.hint,
            cells=tuple(cells),
            begins_half=index == half,
        )
        views.append(row)
    return tuple(views)


def _seat(scene: Scene, number: int) -> SeatView:
    table = scene.table
    game = game_of(scene)
    seat = table.seats[number]
    if number in game.position.resigned:
        # Translators: beside the name of a player who gave up.
        note = pgettext("seat", "gave up")
    elif seat.bot is not None and not seat.is_computer:
        # Translators: beside the name of a player for whom the computer plays meanwhile.
        note = pgettext("seat", "computer plays")
    elif seat.left or number in scene.absent:
        # Translators: beside the name of a player who is not there.
        note = pgettext("seat", "away")
    elif seat.is_computer and seat.bot is not None:
        note = level_name(seat.bot)
    else:
        note = ""
    card = game.position.cards[number]
    bonus = table.rules.upper_bonus
    progress = "" if bonus is None else str(card.bonus or f"{card.upper}/{bonus.threshold}")
    moving = table.to_move == number
    return SeatView(
        number, seat_label(scene, number), card.total, progress, note, moving, _marks(scene, number)
    )


def _marks(scene: Scene, seat: int) -> str:
    # A single own seat is kept in view; on a shared device all seats are the viewer's.
    marks = []
    if scene.seats == (seat,):
        marks.append("me")
    if scene.table.to_move == seat:
        marks.append("mover")
    return " ".join(marks)


def _newest_score(game: Game) -> tuple[int, Category] | None:
    """Return the seat and the box of the newest score."""
    for event in reversed(game.events):
        if isinstance(event, CategoryScored | TurnEntered | ScoreCorrected):
            return event.seat, event.category
    return None


def _cell(  # noqa: PLR0911 - one case a kind of box
    scene: Scene, dice: Dice, zero: Category | None, seat: int, category: Category
) -> tuple[Cell, str, str, str]:
    """Return the kind of a box, its text, and the name and the value of its button."""
    table = scene.table
    position = game_of(scene).position
    points = position.cards[seat][category]
    real = table.dice is DiceKind.REAL
    box = category_name(category)
    if points is not None:
        if not real or table.next is not None or not scene.seats:
            return Cell.FILLED, str(points), "", ""
        # Translators: the button over a filled box: its points, the box, the player.
        label = _("Correct {points}: {box}, {name}").format(
            points=points, box=box, name=seat_label(scene, seat)
        )
        return Cell.FIX, str(points), label, f"{seat + 1}.{category.value}"
    if seat != table.to_move or not is_yours(scene):
        return Cell.EMPTY, "", "", ""
    if len(dice) < DICE:
        if not real or not position.is_turn_start:
            return Cell.EMPTY, "", "", ""
        # Translators: a button: the box whose points somebody is about to enter.
        label = _("Enter points: {box}").format(box=box)
        return Cell.ENTER, "+", label, category.value
    worth = table.rules.score(category, dice)
    if worth:
        # Translators: a button: the points and the box that they go into.
        label = _("Score {points}: {box}").format(points=worth, box=box)
        return Cell.OFFER, str(worth), label, category.value
    if zero is category:
        return Cell.ARMED, "0", _("Confirm the zero: {box}").format(box=box), category.value
    return Cell.ZERO, "0", _("Enter a zero: {box}").format(box=box), category.value
