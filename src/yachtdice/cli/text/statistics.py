"""Statistics as lines of text, fitted to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from yachtdice.cli.text.columns import hang, table
from yachtdice.coach.words.overview import (
    dice_sentences,
    luck_sentences,
    skill_sentences,
    totals_sentences,
)
from yachtdice.coach.words.terms import cost, number, percent, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import ngettext, pgettext, rules_name
from yachtdice.rules import FACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.cli.support.screen import Look
    from yachtdice.coach.analysis.statistics import DiceStatistics, RulesStatistics, Statistics

_MAX_GAMES = 20
_SCALE_WIDTH = 40


def statistics_lines(statistics: Statistics, look: Look) -> Iterator[str]:
    """Yield all statistics."""
    if not statistics.by_rules:
        yield _("No finished game yet.")
    for games in statistics.by_rules:
        yield from hang(rules_name(games.rules), look)
        yield ""
        for sentences in (totals_sentences, luck_sentences, skill_sentences):
            for sentence in sentences(games):
                yield from hang(sentence, look, 2, 2)
            yield ""
        yield from _games(games, look)
        yield ""
    yield pgettext("heading", "The dice")
    yield ""
    for sentence in dice_sentences(statistics.dice):
        yield from hang(sentence, look, 2, 2)
    if statistics.dice.total:
        yield ""
        yield from _dice(statistics.dice, look)


def _games(games: RulesStatistics, look: Look) -> Iterator[str]:
    """Yield a line for each of the newest games."""
    shown = games.games[-_MAX_GAMES:]
    left_out = len(games.games) - len(shown)
    # The name is left out of each line where all games are one player's.
    several = len({game.name for game in games.games}) > 1
    titles = {
        game: f"{game.title} {game.name}".strip() if several else game.title for game in shown
    }
    if left_out:
        message = ngettext(
            "{n} older game is not listed.", "{n} older games are not listed.", left_out
        )
        yield from hang(message.format(n=left_out), look, 2, 2)
    if look.plain:
        for game in shown:
            line = _("{game}. Total: {total}. Luck: {luck}. Lost: {lost}.")
            yield line.format(
                game=titles[game],
                total=game.total,
                luck=signed(game.luck),
                lost=number(game.loss),
            )
        return
    head = (
        "",
        # Translators: headings of a table of games.
        pgettext("column", "Total"),
        pgettext("column", "Luck"),
        pgettext("column", "Lost"),
        # Translators: which share of perfectly played games ends with fewer points.
        pgettext("column", "Beats"),
    )
    rows = [
        (
            titles[game],
            str(game.total),
            signed(game.luck) if game.is_known else "",
            cost(game.loss) if game.is_known else "",
            percent(game.beats),
        )
        for game in shown
    ]
    yield from table([head, *rows], look, 2)
    yield from hang(
        _("Beats: the share of perfectly played games that end with fewer points."), look, 2, 2
    )


def _dice(dice: DiceStatistics, look: Look) -> Iterator[str]:
    """Yield a line for each face, with the band of fair dice and where the number lies."""
    rows = [
        (str(face), number(count, 0), percent(count / dice.total))
        for face, count in zip(FACES, dice.counts, strict=True)
    ]
    if look.plain:
        for row in rows:
            # Translators: how often a face was rolled, and which share of all dice that is.
            message = _("{face}: {count}, {share}")
            yield message.format(face=row[0], count=row[1], share=row[2])
        return
    lines = list(table(rows, look, 2))
    width = min(_SCALE_WIDTH, look.width - max(map(cell_len, lines)) - 4)
    for line, count in zip(lines, dice.counts, strict=True):
        yield f"{line}  {_scale(dice, count, width)}".rstrip()
    yield from hang(
        _("*: how often each face was rolled; [ ]: between these fair dice lie; |: their mean."),
        look,
        2,
        2,
    )


def _scale(dice: DiceStatistics, count: int, width: int) -> str:
    """Return where *count* lies between, or outside, the ends of the band: `[   *  |      ]`."""
    low, high = dice.band
    minimum, maximum = min(low, *dice.counts), max(high, *dice.counts)

    def place(value: float) -> int:
        return round((width - 1) * (value - minimum) / ((maximum - minimum) or 1))

    scale = [" "] * width
    for mark, value in (("|", dice.expected), ("[", low), ("]", high), ("*", count)):
        scale[place(value)] = mark
    return "".join(scale)
