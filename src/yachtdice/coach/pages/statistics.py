"""Statistics as HTML."""

from __future__ import annotations

from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING

from yachtdice.coach.pages.charts import Frame, around, ticks
from yachtdice.coach.pages.markup import dice as dice_pictures
from yachtdice.coach.pages.markup import folded, items, symbols, table, text
from yachtdice.coach.words.overview import (
    dice_sentences,
    luck_sentences,
    skill_sentences,
    totals_sentences,
)
from yachtdice.coach.words.summary import day
from yachtdice.coach.words.terms import number, percent, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, pgettext, rules_name
from yachtdice.rules import FACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.coach.analysis.statistics import (
        DiceStatistics,
        PlayedGame,
        RulesStatistics,
        Statistics,
    )

_BIN = 5
"""Points that are taken together in the curve of totals."""

_RUN = 10
"""Games over which the running mean of losses goes."""

_RARE = 0.0005
"""Totals beyond which so little of the distribution lies are not drawn unless they were reached."""


def statistics_body(statistics: Statistics, *, level: int = 1) -> str:
    """Return *statistics* as `<div class="coach">`, to be put into a page that has `stylesheet()`.

    *level* is that of its heading, `<h1>` by default.
    """
    parts = [symbols(), f"<header>{_heading(_headline(), level)}</header>"]
    if not statistics.by_rules:
        parts.append(f"<p>{text(_('No finished game yet.'))}</p>")
    for games in statistics.by_rules:
        if len(statistics.by_rules) > 1:
            parts.append(_heading(rules_name(games.rules), level + 1))
        deeper = level + 1 + (len(statistics.by_rules) > 1)
        # Translators: the parts of a player's statistics, as headings: final totals, luck with the
        # dice, how well somebody plays, and the dice themselves.
        parts += [
            _section(
                pgettext("heading", "Totals"), deeper, totals_sentences(games), _totals(games)
            ),
            _section(pgettext("heading", "Luck"), deeper, luck_sentences(games), _luck(games)),
            _section(pgettext("heading", "Play"), deeper, skill_sentences(games), _skill(games)),
            folded(_("The games as a table"), _games(games)),
        ]
    dice = _section(
        pgettext("heading", "The dice"),
        level + 1,
        dice_sentences(statistics.dice),
        _dice(statistics.dice),
    )
    return f'<div class="coach">{"".join(parts)}{dice}</div>'


def _headline() -> str:
    return _("Luck, play and dice")


def _heading(words: str, level: int) -> str:
    level = min(level, 6)
    return f"<h{level}>{text(words)}</h{level}>"


def _section(words: str, level: int, sentences: Iterator[str], content: str) -> str:
    facts = items(sentences, "coach-facts")
    return f"<section>{_heading(words, level)}{facts}{content}</section>"


def _figure(chart: str, caption: str) -> str:
    return f'<figure class="coach-figure">{chart}<figcaption>{text(caption)}</figcaption></figure>'


def _totals(games: RulesStatistics) -> str:
    """Return the distribution of perfect play, with the totals of the games below it."""
    own = [game.total for game in games.games]
    totals = games.totals
    low, high = around([totals.quantile(_RARE), totals.quantile(1 - _RARE), *own], 10 * _BIN)
    middles, shares = [], []
    for start in range(int(low), int(high), _BIN):
        middles.append(start + _BIN / 2)
        shares.append(sum(totals.total(points) for points in range(start, start + _BIN)))
    frame = Frame(220, low, high, 0, max(shares) * 1.08)
    points = list(zip(middles, shares, strict=True))
    values = ticks(low, high, 8)
    content = [
        frame.area([(low, 0), *points, (high, 0)], "coach-area"),
        frame.line(points, "coach-outline"),
        frame.columns(values, (number(value, 0) for value in values)),
        frame.upright(totals.mean, "coach-mean coach-perfect-mean"),
    ]
    content += [frame.upright(total, "coach-rug", max(shares) / 7) for total in own]
    if games.mean_total is not None:
        content.append(frame.upright(games.mean_total, "coach-mean"))
    caption = _(
        "The hill is how often perfect play ends with each total, the dotted line its mean. Each"
        " short stroke is a game, the long one their mean."
    )
    return _figure(frame.svg(content, _("Totals against perfect play")), caption)


def _luck(games: RulesStatistics) -> str:
    """Return the luck of all games, added up, with the band in which it mostly stays."""
    known_games = games.known_games
    if not known_games:
        return ""
    sums = [0.0, *accumulate(game.luck for game in known_games)]
    widths = [2 * sqrt(v) for v in (0.0, *accumulate(game.luck_sd**2 for game in known_games))]
    low, high = around([*sums, *widths, *(-width for width in widths)], 10)
    frame = Frame(220, 0, len(known_games), low, high)
    values = ticks(low, high)
    upper = list(enumerate(widths))
    lower = [(place, -width) for place, width in reversed(upper)]
    content = [
        frame.area([*upper, *lower], "coach-band"),
        frame.rows(values, (signed(value, 0) for value in values)),
        *_game_numbers(frame, len(known_games)),
        frame.line(list(enumerate(sums)), "coach-line coach-luck-line"),
    ]
    caption = _(
        "Luck added up, game after game. With fair dice the line stays within the band in 19 of 20"
        " cases at any one place."
    )
    return _figure(frame.svg(content, _("Luck, added up")), caption)


def _skill(games: RulesStatistics) -> str:
    """Return what was lost per turn in each game, with what the computer's levels lose."""
    losses = [game.loss_per_turn or 0.0 for game in games.known_games]
    if not losses:
        return ""
    levels = games.level_losses
    low, high = around([0, *losses, *levels.values()], 1)
    frame = Frame(220, 0.5, len(losses) + 0.5, low, high, right=86)
    content = [
        frame.rows(list(levels.values()), (number(loss) for loss in levels.values())),
        *_game_numbers(frame, len(losses)),
    ]
    content += [
        f'<circle class="coach-dot" cx="{frame.x(place):.2f}%" cy="{frame.y(loss):.1f}" r="4"/>'
        for place, loss in enumerate(losses, start=1)
    ]
    if len(losses) >= _RUN:
        content.append(frame.line(list(_running_mean(losses)), "coach-line coach-loss-line"))
    content += _level_names(frame, games)
    caption = _(
        "What decisions lost per turn in each game: the lower, the better. The lines across are the"
        " computer's levels; the line through the points is the mean of the last ten games."
    )
    return _figure(frame.svg(content, _("Lost per turn, game by game")), caption)


def _running_mean(losses: Sequence[float]) -> Iterator[tuple[float, float]]:
    for end in range(_RUN, len(losses) + 1):
        yield end, sum(losses[end - _RUN : end]) / _RUN


def _level_names(frame: Frame, games: RulesStatistics) -> Iterator[str]:
    for level, loss in games.level_losses.items():
        y = frame.y(loss) - 4
        yield (f'<text x="100%" y="{y:.1f}" text-anchor="end">{text(level_name(level))}</text>')


def _game_numbers(frame: Frame, count: int) -> Iterator[str]:
    values = [value for value in ticks(1, count, 8) if value == int(value)] if count > 1 else [1]
    yield frame.columns(values, (number(value, 0) for value in values))


def _games(games: RulesStatistics) -> str:
    head = [
        # Translators: headings of a table of games.
        pgettext("column", "Game"),
        pgettext("column", "Player"),
        pgettext("column", "Total"),
        pgettext("column", "Luck"),
        pgettext("column", "Lost"),
        # Translators: which share of perfectly played games ends with fewer points.
        pgettext("column", "Beats of perfect games"),
    ]
    rows = [
        (
            text(_name(game)),
            text(game.name),
            str(game.total),
            signed(game.luck) if game.is_known else "",
            number(-game.loss) if game.is_known else "",
            text(percent(game.beats)),
        )
        for game in games.games
    ]
    return table(pgettext("heading", "All games"), [text(words) for words in head], rows)


def _name(game: PlayedGame) -> str:
    return game.title or (day(game.date) if game.date else "")


def _dice(dice: DiceStatistics) -> str:
    """Return a row for each face: how often it was rolled, and the band for fair dice."""
    if not dice.total:
        return ""
    low, high = dice.band
    minimum, maximum = min(low, *dice.counts), max(high, *dice.counts)
    margin = (maximum - minimum) * 0.08 or 1.0
    minimum, maximum = minimum - margin, maximum + margin

    def x(value: float) -> float:
        return 100 * (value - minimum) / (maximum - minimum)

    rows = []
    for face, count in zip(FACES, dice.counts, strict=True):
        style = "coach-dot" if low <= count <= high else "coach-dot coach-outside"
        picture = (
            f'<rect class="coach-band" x="{x(low):.2f}%" width="{x(high) - x(low):.2f}%" y="3"'
            f' height="20" rx="2"/><line class="coach-expected" x1="{x(dice.expected):.2f}%"'
            f' x2="{x(dice.expected):.2f}%" y1="0" y2="26"/>'
            f'<circle class="{style}" cx="{x(count):.2f}%" cy="13" r="5"/>'
        )
        rows.append(
            f'<tr><th scope="row">{dice_pictures([face])}</th><td class="coach-lane">'
            f'<svg width="100%" height="26" aria-hidden="true">{picture}</svg></td>'
            f"<td>{count}</td><td>{text(percent(count / dice.total))}</td></tr>"
        )
    caption = _("How often each face was rolled; the band is where fair dice lie.")
    return (
        f'<table class="coach-faces"><caption>{text(caption)}</caption>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
