"""Statistics as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING

from yachtdice.coach.pages.charts import Column, Frame, Place, Row, around, ticks
from yachtdice.coach.pages.markup import DicePicture, Table, dice_picture
from yachtdice.coach.pages.rendering import render
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


@dataclass(frozen=True, slots=True)
class _Totals:
    """The distribution of perfect play, with the totals of the games below it."""

    frame: Frame
    title: str
    caption: str
    area: str
    outline: str
    columns: Sequence[Column]
    perfect_mean: Place
    games: Sequence[Place]
    mean: Place | None


@dataclass(frozen=True, slots=True)
class _Luck:
    """The luck of all games, added up, with the band in which it mostly stays."""

    frame: Frame
    title: str
    caption: str
    band: str
    rows: Sequence[Row]
    columns: Sequence[Column]
    sums: str


@dataclass(frozen=True, slots=True)
class _Skill:
    """What was lost per turn in each game, with what the computer's levels lose."""

    frame: Frame
    title: str
    caption: str
    rows: Sequence[Row]
    columns: Sequence[Column]
    games: Sequence[Place]
    running_mean: str
    """Empty with too few games."""
    levels: Sequence[tuple[str, str]]
    """Where the name of each level is, in pixels from the top, and the name."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is above a chart: a heading and sentences."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Games:
    """The statistics of the games under one rule set."""

    rules: str
    totals_part: _Part
    totals: _Totals
    luck_part: _Part
    luck: _Luck | None
    skill_part: _Part
    skill: _Skill | None
    summary: str
    table: Table


@dataclass(frozen=True, slots=True)
class _Face:
    """How often a face was rolled; positions are in per cent of the width."""

    picture: DicePicture
    is_outside: bool
    x: str
    count: int
    share: str


@dataclass(frozen=True, slots=True)
class _Faces:
    """How often each face was rolled, and the band for fair dice."""

    caption: str
    low: str
    width: str
    expected: str
    rows: Sequence[_Face]


def statistics_body(statistics: Statistics, *, level: int = 1) -> str:
    """Return *statistics* as `<div class="coach">`, to be put into a page that has `stylesheet()`.

    *level* is that of its heading, `<h1>` by default.
    """
    return render(
        "statistics.html",
        level=level,
        title=_("Luck, play and dice"),
        nothing=_("No finished game yet."),
        by_rules=[_by_rules(games) for games in statistics.by_rules],
        dice_part=_Part(pgettext("heading", "The dice"), list(dice_sentences(statistics.dice))),
        dice=_dice(statistics.dice),
    )


def _by_rules(games: RulesStatistics) -> _Games:
    # Translators: the parts of a player's statistics, as headings: final totals, luck with the
    # dice, how well somebody plays, and the dice themselves.
    totals = pgettext("heading", "Totals")
    return _Games(
        rules_name(games.rules),
        _Part(totals, list(totals_sentences(games))),
        _totals(games),
        _Part(pgettext("heading", "Luck"), list(luck_sentences(games))),
        _luck(games),
        _Part(pgettext("heading", "Play"), list(skill_sentences(games))),
        _skill(games),
        _("The games as a table"),
        _table(games),
    )


def _totals(games: RulesStatistics) -> _Totals:
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
    return _Totals(
        frame,
        _("Totals against perfect play"),
        _(
            "The hill is how often perfect play ends with each total, the dotted line its mean."
            " Each short stroke is a game, the long one their mean."
        ),
        area=frame.points([(low, 0), *points, (high, 0)]),
        outline=frame.points(points),
        columns=frame.columns(values, (number(value, 0) for value in values)),
        perfect_mean=frame.upright(totals.mean),
        games=[frame.upright(total, max(shares) / 7) for total in own],
        mean=None if games.mean_total is None else frame.upright(games.mean_total),
    )


def _luck(games: RulesStatistics) -> _Luck | None:
    known_games = games.known_games
    if not known_games:
        return None
    sums = [0.0, *accumulate(game.luck for game in known_games)]
    widths = [2 * sqrt(v) for v in (0.0, *accumulate(game.luck_sd**2 for game in known_games))]
    low, high = around([*sums, *widths, *(-width for width in widths)], 10)
    frame = Frame(220, 0, len(known_games), low, high)
    values = ticks(low, high)
    upper = list(enumerate(widths))
    lower = [(place, -width) for place, width in reversed(upper)]
    return _Luck(
        frame,
        _("Luck, added up"),
        _(
            "Luck added up, game after game. With fair dice the line stays within the band in 19 of"
            " 20 cases at any one place."
        ),
        band=frame.points([*upper, *lower]),
        rows=frame.rows(values, (signed(value, 0) for value in values)),
        columns=_game_numbers(frame, len(known_games)),
        sums=frame.points(enumerate(sums)),
    )


def _skill(games: RulesStatistics) -> _Skill | None:
    losses = [game.loss_per_turn or 0.0 for game in games.known_games]
    if not losses:
        return None
    levels = games.level_losses
    low, high = around([0, *losses, *levels.values()], 1)
    frame = Frame(220, 0.5, len(losses) + 0.5, low, high, right=86)
    return _Skill(
        frame,
        _("Lost per turn, game by game"),
        _(
            "What decisions lost per turn in each game: the lower, the better. The lines across are"
            " the computer's levels; the line through the points is the mean of the last ten games."
        ),
        rows=frame.rows(list(levels.values()), (number(loss) for loss in levels.values())),
        columns=_game_numbers(frame, len(losses)),
        games=[frame.place(place, loss) for place, loss in enumerate(losses, start=1)],
        running_mean=frame.points(_running_mean(losses)) if len(losses) >= _RUN else "",
        levels=[(f"{frame.y(loss) - 4:.1f}", level_name(level)) for level, loss in levels.items()],
    )


def _running_mean(losses: Sequence[float]) -> Iterator[tuple[float, float]]:
    for end in range(_RUN, len(losses) + 1):
        yield end, sum(losses[end - _RUN : end]) / _RUN


def _game_numbers(frame: Frame, count: int) -> list[Column]:
    values = [value for value in ticks(1, count, 8) if value == int(value)] if count > 1 else [1]
    return frame.columns(values, (number(value, 0) for value in values))


def _table(games: RulesStatistics) -> Table:
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
            _name(game),
            game.name,
            str(game.total),
            signed(game.luck) if game.is_known else "",
            number(-game.loss) if game.is_known else "",
            percent(game.beats),
        )
        for game in games.games
    ]
    return Table(pgettext("heading", "All games"), head, rows)


def _name(game: PlayedGame) -> str:
    return game.title or (day(game.date) if game.date else "")


def _dice(dice: DiceStatistics) -> _Faces | None:
    if not dice.total:
        return None
    low, high = dice.band
    minimum, maximum = min(low, *dice.counts), max(high, *dice.counts)
    margin = (maximum - minimum) * 0.08 or 1.0
    minimum, maximum = minimum - margin, maximum + margin

    def x(value: float) -> float:
        return 100 * (value - minimum) / (maximum - minimum)

    return _Faces(
        _("How often each face was rolled; the band is where fair dice lie."),
        f"{x(low):.2f}",
        f"{x(high) - x(low):.2f}",
        f"{x(dice.expected):.2f}",
        [
            _Face(
                dice_picture([face]),
                not low <= count <= high,
                f"{x(count):.2f}",
                count,
                percent(count / dice.total),
            )
            for face, count in zip(FACES, dice.counts, strict=True)
        ],
    )
