"""The win odds of a report as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.cli.support.screen import fit
from yachtdice.cli.text.columns import bar, hang, table
from yachtdice.coach.words.terms import (
    better_text,
    chosen_text,
    percent,
    player,
    signed_percent,
)
from yachtdice.coach.words.win_odds import (
    costliest_heading,
    course_heading,
    how_odds_are_counted,
    kind_sentence,
    lost_place,
    lost_sentences,
    odds_heading,
    odds_parts,
    odds_total_heading,
    rounds_of,
)
from yachtdice.i18n import certainty_word
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.cli.support.screen import Look
    from yachtdice.coach.analysis.report import Report
    from yachtdice.coach.analysis.win_odds import SeatOdds, WinOddsReport

_NAME = 12
_BAR = 24


def win_odds_lines(report: Report, look: Look) -> Iterator[str]:
    """Yield a game for two in win odds; nothing for any other game."""
    odds = report.win_odds
    if odds is None:
        return
    yield ""
    yield from hang(odds_heading(), look)
    yield from hang(kind_sentence(odds), look, 2, 2)
    yield from _breakdowns(report, odds, look)
    yield ""
    for sentence in how_odds_are_counted(odds):
        yield from hang(sentence, look, 2, 2)
    yield from _costliest(report, odds, look)
    yield ""
    yield from hang(course_heading(report), look, 2)
    yield from _course(odds, look)


def _breakdown(report: Report, seat: SeatOdds) -> dict[str, str]:
    parts = {
        part.name: percent(part.value) if part.kind == "start" else signed_percent(part.value)
        for part in odds_parts(seat)
    }
    return {**parts, odds_total_heading(report): percent(seat.chance)}


def _breakdowns(report: Report, odds: WinOddsReport, look: Look) -> Iterator[str]:
    breakdowns = [_breakdown(report, seat) for seat in odds.seats]
    names = [player(report, report.seats[seat.seat]) for seat in odds.seats]
    if look.plain:
        for name, parts in zip(names, breakdowns, strict=True):
            text = ". ".join(f"{part}: {value}" for part, value in parts.items())
            yield f"{name}. {text}."
        return
    yield ""
    # Rare parts belong to both: what one gains there, the other loses.
    rows = [[part, *(parts[part] for parts in breakdowns)] for part in breakdowns[0]]
    yield from table([["", *(fit(name, _NAME) for name in names)], *rows], look, 2)


def _costliest(report: Report, odds: WinOddsReport, look: Look) -> Iterator[str]:
    for seat in odds.seats:
        if not seat.costliest:
            continue
        yield ""
        heading = f"{costliest_heading()}: {player(report, report.seats[seat.seat])}"
        yield from hang(heading, look, 2)
        for place, lost in enumerate(seat.costliest, start=1):
            words = f"{lost_place(report, lost)}: {lost.dice}. {signed_percent(-lost.loss)}"
            yield from hang(f"{place}. {words}", look, 2, 3)
            yield from hang(f"{chosen_text(lost.move)}. {better_text(lost.best)}.", look, 5, 2)
            for sentence in lost_sentences(report, lost):
                yield from hang(sentence, look, 5, 2)


def _course(odds: WinOddsReport, look: Look) -> Iterator[str]:
    marks = list(rounds_of(odds))
    if look.plain:
        for number, mark in marks:
            # Translators: after so many rounds, a chance to win, and whether it is exact.
            line = _("After round {number}: {chance} ({kind}).")
            yield line.format(
                number=number, chance=percent(mark.chance), kind=certainty_word(mark.kind)
            )
        return
    rows = [
        (str(number), percent(mark.chance), certainty_word(mark.kind)) for number, mark in marks
    ]
    lines = list(table(rows, look, 4))
    width = min(_BAR, look.width - max(map(len, lines)) - 2)
    for line, (_number, mark) in zip(lines, marks, strict=True):
        yield f"{line}  {bar(mark.chance, width, look)}".rstrip() if width > 0 else line
