"""A report as lines of text, fitted to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from yachtdice.cli.support.screen import fit
from yachtdice.cli.text.columns import bar, hang, table
from yachtdice.cli.text.win_odds import win_odds_lines
from yachtdice.coach.words.reasons import reasons
from yachtdice.coach.words.summary import (
    adjusted_heading,
    box_text,
    breakdown,
    circumstances,
    correction_text,
    how_it_is_counted,
    lost_heading,
    luck_heading,
    seat_sentences,
    title,
    total_heading,
    unknown_text,
    verdict,
    where,
)
from yachtdice.coach.words.terms import (
    better_text,
    chosen_text,
    cost,
    kind_name,
    label_name,
    number,
    player,
    signed,
)
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.cli.support.screen import Look
    from yachtdice.coach.analysis.report import Decided, Report, SeatReport

_NAME = 12
_BAR = 24


def report_lines(report: Report, look: Look) -> Iterator[str]:
    """Yield the whole report. Of computers at a table with people it has only the sums."""
    yield from hang(f"{title(report)} · {' · '.join(circumstances(report))}", look)
    yield ""
    for sentence in verdict(report):
        yield from hang(sentence, look)
    yield ""
    yield from _breakdowns(report, look)
    yield ""
    for sentence in how_it_is_counted(report):
        yield from hang(sentence, look, 2, 2)
    yield from win_odds_lines(report, look)
    people = [seat for seat in report.seats if not seat.bot]
    for seat in people or report.seats:
        yield from _seat(report, seat, look)


def _breakdowns(report: Report, look: Look) -> Iterator[str]:
    """Yield the sums, with the seats side by side as far as the window allows."""
    if look.plain:
        for seat in report.seats:
            parts = [f"{name}: {value}" for name, value in _breakdown(report, seat)]
            yield f"{player(report, seat)}. {'. '.join(parts)}."
        return
    heads = max(
        cell_len(name) for seat in report.seats for name, _value in _breakdown(report, seat)
    )
    per_block = max(1, (look.width - 2 - heads) // (_NAME + 2))
    for start in range(0, len(report.seats), per_block):
        if start:
            yield ""
        yield from table(_breakdown_rows(report, report.seats[start : start + per_block]), look, 2)


def _breakdown(report: Report, seat: SeatReport) -> list[tuple[str, str]]:
    rows = [
        (name, signed(value) if place else number(value))
        for place, (name, value) in enumerate(breakdown(seat))
    ]
    rows.append((total_heading(report), number(seat.expected, 0 if report.is_over else 1)))
    rows.append((adjusted_heading(), number(seat.adjusted)))
    if seat.level is not None:
        # Translators: a heading; below it stands the level of the computer that plays as well.
        rows.append((pgettext("account", "Plays like"), level_name(seat.level)))
    return rows


def _breakdown_rows(report: Report, seats: Sequence[SeatReport]) -> list[list[str]]:
    breakdowns = [dict(_breakdown(report, seat)) for seat in seats]
    # In the order in which the parts add up, though not every seat has each.
    longest = max(breakdowns, key=len)
    names = [*longest, *(name for parts in breakdowns for name in parts if name not in longest)]
    end = list(dict.fromkeys(names))
    for name in (total_heading(report), adjusted_heading(), pgettext("account", "Plays like")):
        if name in end:
            end.append(end.pop(end.index(name)))
    rows = [["", *(fit(player(report, seat), _NAME) for seat in seats)]]
    return rows + [[name, *(parts.get(name, "") for parts in breakdowns)] for name in end]


def _seat(report: Report, seat: SeatReport, look: Look) -> Iterator[str]:
    yield ""
    yield from hang(player(report, seat), look)
    for sentence in seat_sentences(seat):
        yield from hang(sentence, look, 2, 2)
    if seat.costliest:
        yield ""
        yield from hang(_("The costliest decisions"), look, 2)
        for place, decision in enumerate(seat.costliest, start=1):
            yield from _costly(report, seat, place, decision, look)
    if seat.loss:
        yield ""
        yield from hang(_("What cost most"), look, 2)
        yield from _kinds(seat, look)
    if seat.turns:
        yield ""
        yield from hang(_("Turn by turn"), look, 2)
        yield from _turns(seat, look)


def _costly(
    report: Report, seat: SeatReport, place: int, decision: Decided, look: Look
) -> Iterator[str]:
    label = f"{label_name(decision.label)}: {cost(decision.loss)}"
    yield from hang(
        f"{place}. {where(report, seat, decision)}: {decision.dice}. {label}", look, 2, 3
    )
    yield from hang(_moves(decision), look, 5, 2)
    for reason in reasons(decision):
        yield from hang(reason.sentence, look, 5, 2)
        for fact in reason.facts:
            yield from hang(fact, look, 7, 2)


def _moves(decision: Decided) -> str:
    return f"{chosen_text(decision.move)}. {better_text(decision.best[0])}."


def _kinds(seat: SeatReport, look: Look) -> Iterator[str]:
    kinds = {kind: costs for kind, costs in seat.kinds.items() if costs.count}
    if look.plain:
        for kind, costs in kinds.items():
            # Translators: a mistake, how often it was made, and the points that it lost.
            line = _("{kind}. Times: {times}. Lost: {loss}")
            yield line.format(kind=kind_name(kind), times=costs.count, loss=number(costs.loss))
        return
    highest = max(costs.loss for costs in kinds.values()) or 1.0
    rows = [(kind_name(kind), str(c.count), cost(c.loss)) for kind, c in kinds.items()]
    lines = list(table(rows, look, 4))
    width = min(_BAR, look.width - max(map(cell_len, lines)) - 2)
    for line, costs in zip(lines, kinds.values(), strict=True):
        yield f"{line}  {bar(costs.loss / highest, width, look)}" if width > 0 else line


def _turns(seat: SeatReport, look: Look) -> Iterator[str]:
    if look.plain:
        heads = []
        for turn in seat.turns:
            line = _("Turn {number}. {box}. Luck: {luck}. Lost: {lost}.")
            heads.append(
                line.format(
                    number=turn.number,
                    box=box_text(turn),
                    luck=signed(turn.luck),
                    lost=number(turn.loss),
                )
            )
    else:
        rows = [
            (
                f"{turn.number:>2} {box_text(turn)}",
                "" if turn.is_entered else signed(turn.luck),
                cost(turn.loss) if turn.loss else "",
            )
            for turn in seat.turns
        ]
        head = ("", luck_heading(), lost_heading())
        first, *heads = table([head, *rows], look, 4)
        yield first
    for turn, line in zip(seat.turns, heads, strict=True):
        yield line
        if turn.is_entered:
            yield from hang(unknown_text(turn), look, 7, 2)
        for decision in turn.decisions:
            if decision.label.is_wrong:
                label = f"{label_name(decision.label)}: {cost(decision.loss)}"
                yield from hang(f"{decision.dice}. {_moves(decision)} {label}", look, 7, 2)
    for correction in seat.corrections:
        yield from hang(correction_text(correction), look, 4, 2)
