"""The moves of a position as HTML, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import DicePicture, Table, dice_picture
from yachtdice.coach.pages.rendering import render
from yachtdice.coach.words.terms import move_text, number, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import pgettext
from yachtdice.rules import Hold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.rules import Position
    from yachtdice.solver import Choice


def ranking_body(ranked: Sequence[Choice], position: Position) -> str:
    """Return *ranked*, the moves of *position*, as `<div class="coach">`.

    Needs `stylesheet()`; at most one body of a page may be given, for it brings the dice along.
    """
    heads = (
        # Translators: heads of columns: a move, the expected total after it, what it gives away.
        pgettext("column", "Move"),
        pgettext("column", "Expected total"),
        pgettext("column", "Lost"),
    )
    rows = [
        (
            move_text(choice.move, position),
            _picture(choice, position),
            number(choice.value, 2),
            _("best") if choice.is_best else signed(-choice.loss, 2),
        )
        for choice in ranked
    ]
    caption = _("What can be done here, best first")
    return render("ranking.html", ranking=Table(caption, heads, rows))


def _picture(choice: Choice, position: Position) -> DicePicture | None:
    if isinstance(choice.move, Hold):
        return dice_picture(position.dice.faces, choice.move.kept)
    return None
