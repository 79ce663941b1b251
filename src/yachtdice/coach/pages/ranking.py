"""The moves of a position as HTML, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import dice, symbols, table, text
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
            _picture(choice, position) + text(move_text(choice.move, position)),
            number(choice.value, 2),
            text(_("best")) if choice.is_best else signed(-choice.loss, 2),
        )
        for choice in ranked
    ]
    caption = _("What can be done here, best first")
    return f'<div class="coach">{symbols()}{table(caption, heads, rows)}</div>'


def _picture(choice: Choice, position: Position) -> str:
    if isinstance(choice.move, Hold):
        return f"{dice(position.dice.faces, choice.move.kept)} "
    return ""
