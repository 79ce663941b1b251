"""What can be typed during a game, explained in a few lines."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.cli.support.screen import Look


def help_lines(look: Look, *, real: bool) -> Iterator[str]:
    """Yield what each command does; *real* for a game with real dice."""
    meanings = list(_meanings(real=real))
    column = max(len(command) for command, _meaning in meanings) + 2
    for command, meaning in meanings:
        if look.plain:
            yield f"{command}: {meaning}"
            continue
        lines = wrap(meaning, max(20, look.width - column - 2))
        yield f"  {command:<{column}}{lines[0]}"
        for line in lines[1:]:
            yield " " * (column + 2) + line


def _meanings(*, real: bool) -> Iterator[tuple[str, str]]:
    if real:
        yield "4 4 2 1 6", _("what the real dice show, after each roll")
        yield "keep 4 4", _("these dice stay; then type what the others show")
        yield "4 4 4 1 2 fours", _("a whole turn: its last dice and its box")
        yield "fours 12", _("a whole turn: only its box and its points")
    else:
        yield "roll", _("roll all five dice; at the start of a turn Enter does")
        yield "keep 4 4", _("keep two fours and roll the others at once")
    yield "keep #1 #3", _("the same by the places of the dice")
    yield "score fours", _("fill a box: its name, a beginning of it, or its number")
    yield "card", _("the cards of all players")
    if real:
        yield "undo", _("take back the last thing that was typed")
        yield "correct Ana fours 12", _("put a box right: player, box, points")
    yield "resign", _("give up; the others play on")
    yield "quit", _("stop for now: the game is kept")
