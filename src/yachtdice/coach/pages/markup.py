"""The views of dice, tables and moves that the templates of all pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from markupsafe import Markup

from yachtdice.coach.words.reasons import reasons
from yachtdice.coach.words.terms import better_text, chosen_text, dice_text, label_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import DICE, Dice, Hold

if TYPE_CHECKING:
    from yachtdice.coach.analysis.labels import Label
    from yachtdice.coach.analysis.report import Decided
    from yachtdice.coach.pages.rendering import Die
    from yachtdice.rules import RuleSet


Actions: TypeAlias = Callable[[int], str]
"""Makes the links of a decision, as HTML, from the index of its event: `Game.events[:event]` is the
game in which it was taken."""


@dataclass(frozen=True, slots=True)
class DicePicture:
    """Dice in a row."""

    label: str
    """What a screen reader says."""
    faces: Sequence[Die]


@dataclass(frozen=True, slots=True)
class Chip:
    """A label as a badge; its colour adds nothing to its word."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row is its heading."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    """Cells of text, or what the template makes cells from."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a comparison: a hold with its dice, or a box with its points."""

    words: str
    dice: DicePicture | None
    points: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was done and, unless it was best, what was better."""

    dice: DicePicture | None
    """The dice, unless a move shows them."""
    moves: Sequence[Move]


def dice_picture(faces: Iterable[int], kept: Dice | None = None) -> DicePicture:
    """Return *faces* in order, as a picture.

    With *kept*, those dice are highlighted and the others are faded.
    """
    shown = sorted(faces)
    if kept is None:
        return DicePicture(dice_text(shown), [(face, None) for face in shown])
    left = list(kept.faces)
    pictures: list[Die] = []
    for face in shown:
        # Of equal dice the first ones count as kept: which of them it was makes no difference.
        is_kept = face in left
        if is_kept:
            left.remove(face)
        pictures.append((face, is_kept))
    return DicePicture(_kept_text(kept), pictures)


def _kept_text(kept: Dice) -> str:
    if not kept:
        # Translators: said of dice of which nothing was kept.
        return _("none kept")
    if len(kept) == DICE:
        return dice_text(kept)
    # Translators: which of the dice were kept, as in “kept: 4-4”.
    return _("kept: {dice}").format(dice=dice_text(kept))


def chip(label: Label) -> Chip:
    """Return the badge of *label*."""
    return Chip(label.value, label_name(label))


def why(decision: Decided) -> list[tuple[str, Sequence[str]]]:
    """Return why the best move was better, each with its facts; empty if the decision was fine."""
    return [(reason.sentence, tuple(reason.facts)) for reason in reasons(decision)]


def comparison(decision: Decided, rules: RuleSet) -> Comparison:
    """Return what was done and, unless it was best, what was better."""
    moves = [(chosen_text(decision.move), decision.move)]
    if decision.loss:
        moves.append((better_text(decision.best[0]), decision.best[0]))
    shows_dice = any(isinstance(move, Hold) for _, move in moves)
    return Comparison(
        None if shows_dice else dice_picture(decision.dice.faces),
        [
            Move(words, dice_picture(decision.dice.faces, move.kept), None)
            if isinstance(move, Hold)
            else Move(words, None, rules.score(move.category, decision.dice))
            for words, move in moves
        ],
    )


def links(event: int, actions: Actions | None) -> Markup | None:
    """Return what *actions* makes for a decision, as it is; None without *actions*."""
    return Markup(actions(event)) if actions else None  # noqa: S704 - HTML by contract
