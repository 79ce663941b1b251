"""A report as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from yachtdice.coach.analysis.labels import Label
from yachtdice.coach.analysis.report import Decided, Report, Rolled, SeatReport, TurnReport
from yachtdice.coach.pages.breakdown import breakdown_cards
from yachtdice.coach.pages.charts import Curve, Frame, Mark, Place, around, ticks
from yachtdice.coach.pages.markup import (
    Actions,
    Chip,
    Comparison,
    DicePicture,
    Table,
    chip,
    comparison,
    dice_picture,
    links,
    why,
)
from yachtdice.coach.pages.rendering import render
from yachtdice.coach.pages.win_odds import win_odds
from yachtdice.coach.words.summary import (
    box_text,
    circumstances,
    correction_text,
    how_it_is_counted,
    lost_heading,
    luck_heading,
    seat_sentences,
    title,
    unknown_text,
    verdict,
    where,
)
from yachtdice.coach.words.terms import (
    better_text,
    chosen_text,
    cost,
    kind_name,
    number,
    player,
    signed,
)
from yachtdice.i18n import gettext as _
from yachtdice.i18n import pgettext
from yachtdice.rules import Dice, Hold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from yachtdice.coach.analysis.report import Mark as ExpectedMark

_STYLES = 6
_ON_CURVE = {Label.MISTAKE, Label.BLUNDER}


@dataclass(frozen=True, slots=True)
class _Texts:
    """The headings of the report."""

    breakdown: str
    curve: str
    costliest: str
    kinds: str
    counting: str
    luck: str
    lost: str


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat in the curve and its legend."""

    name: str
    style: str
    total: str
    line: str
    marks: Sequence[Mark]
    end: Place


@dataclass(frozen=True, slots=True)
class _Judged:
    """A decision that has lost something, wherever it is shown."""

    event: int
    badge: Chip
    cost: str
    links: Markup | None


_JudgedByEvent: TypeAlias = dict[int, _Judged]


@dataclass(frozen=True, slots=True)
class _Card:
    """One of the costliest decisions."""

    judged: _Judged
    place: str
    moves: Comparison
    reasons: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class _Costliest:
    """The costliest decisions of a seat."""

    name: str
    cards: Sequence[_Card]


@dataclass(frozen=True, slots=True)
class _Note:
    """What was wrong with a decision, below its turn."""

    judged: _Judged
    sentences: str


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn; *luck*, *cost* and *unknown* are empty where they are not shown."""

    number: int
    box: str
    luck: str
    cost: str
    steps: Sequence[tuple[DicePicture, str]]
    unknown: str
    notes: Sequence[_Note]


@dataclass(frozen=True, slots=True)
class _Turns:
    """The turns of a seat."""

    heading: str
    is_folded: bool
    sentences: Sequence[str]
    turns: Sequence[_Turn]
    corrections: Sequence[str]


def report_body(report: Report, actions: Actions | None = None, *, level: int = 1) -> str:
    """Return *report* as `<div class="coach">`, to be put into a page that has `stylesheet()`.

    *actions* adds links to each wrong decision, such as to its position; what it returns is put in
    as it is. *level* is that of the report's heading, `<h1>` by default.
    """
    judged = {
        decision.event: _judged(decision, actions)
        for seat in report.seats
        for decision in seat.decisions
        if decision.loss
    }
    curve, seats = _curve(report, judged)
    return render(
        "report.html",
        level=level,
        texts=_texts(),
        title=title(report),
        about=" · ".join(circumstances(report)),
        verdict=verdict(report),
        breakdown=breakdown_cards(report),
        curve=curve,
        seats=seats,
        odds=win_odds(report, actions),
        is_crowded=_is_crowded(report),
        costliest=[
            _Costliest(
                player(report, seat),
                [_card(report, seat, decision, judged) for decision in seat.costliest],
            )
            for seat in report.seats
            if seat.costliest
        ],
        kinds=_kinds(report),
        turns=[_turns(report, seat, judged) for seat in report.seats if seat.turns],
        counting=list(how_it_is_counted(report)),
    )


def _texts() -> _Texts:
    return _Texts(
        breakdown=_("Luck and play"),
        curve=_("The course of the game"),
        costliest=_("The costliest decisions"),
        kinds=_("What cost most"),
        counting=_("How this is counted"),
        luck=luck_heading(),
        lost=lost_heading(),
    )


def _is_crowded(report: Report) -> bool:
    return len(report.seats) > 1


def _curve(report: Report, judged: _JudgedByEvent) -> tuple[Curve, list[_Seat]]:
    last = max(1, *(len(seat.turns) for seat in report.seats))
    curves = [seat.curve() for seat in report.seats]
    low, high = around((mark.expected for curve in curves for mark in curve), 10)
    frame = Frame(300, 0, last, low, high)
    values = ticks(low, high)
    every = 1 if last <= 12 else 2  # noqa: PLR2004 - as many as fit
    turns = range(0, last + 1, every)
    curve = Curve(
        frame,
        title=_("The expected final total, turn by turn"),
        caption=_(
            "What each card is expected to end with if everything is played perfectly from there"
            " on. Rings on a line are mistakes, full points are blunders."
        ),
        rows=frame.rows(values, (number(value, 0) for value in values)),
        columns=frame.columns(turns, map(str, turns)),
        summary=_("The curve as a table"),
        table=_curve_table(report, last),
    )
    seats = [
        _Seat(
            player(report, seat),
            f"coach-seat-{seat.seat % _STYLES}",
            number(seat.expected, 0 if report.is_over else 1),
            frame.points((mark.turns, mark.expected) for mark in marks),
            list(_marks(report, frame, seat, marks, judged)),
            frame.place(marks[-1].turns, marks[-1].expected),
        )
        for seat, marks in zip(report.seats, curves, strict=True)
    ]
    return curve, seats


def _marks(
    report: Report,
    frame: Frame,
    seat: SeatReport,
    curve: Sequence[ExpectedMark],
    judged: _JudgedByEvent,
) -> Iterator[Mark]:
    marks = {mark.event: mark for mark in curve}
    name = player(report, seat)
    for decision in seat.decisions:
        if decision.label not in _ON_CURVE:
            continue
        mark = marks[decision.event]
        found = judged[decision.event]
        label = f"{name}, {where(report, seat, decision)}"
        label = f"{label}. {found.badge.words}: {found.cost}"
        at = frame.place(mark.turns, mark.expected)
        yield Mark(f"coach-{decision.event}", label, at, found.badge.kind)


def _curve_table(report: Report, last: int) -> Table:
    rows = []
    for turn in range(last + 1):
        cells = [str(turn)]
        for seat in report.seats:
            done = seat.turns[:turn]
            value = done[-1].expected if done else seat.start
            cells.append(number(value) if len(done) == turn else "")
        rows.append(cells)
    # Translators: heading of a column of numbers: how many turns have been played.
    head = [pgettext("column", "Turns"), *(player(report, seat) for seat in report.seats)]
    return Table(_("The expected final total after each turn"), head, rows)


def _judged(decision: Decided, actions: Actions | None) -> _Judged:
    return _Judged(
        decision.event,
        chip(decision.label),
        cost(decision.loss),
        links(decision.event, actions if decision.label.is_wrong else None),
    )


def _card(report: Report, seat: SeatReport, decision: Decided, judged: _JudgedByEvent) -> _Card:
    return _Card(
        judged[decision.event],
        where(report, seat, decision),
        comparison(decision, report.rules),
        why(decision),
    )


def _kinds(report: Report) -> list[Table] | None:
    """Return a table of what each seat has lost by kinds of mistakes, None if nothing was lost."""
    seats = [seat for seat in report.seats if seat.decisions]
    if not any(seat.loss for seat in seats):
        return None
    # Translators: headings of columns: what was wrong, how often, what it cost.
    head = [
        pgettext("column", "Mistake"),
        pgettext("column", "Times"),
        pgettext("column", "Lost"),
    ]
    maximum = max(costs.loss for seat in seats for costs in seat.kinds.values()) or 1.0
    tables = []
    for seat in seats:
        rows = [
            (kind_name(kind), costs.count, f"{100 * (costs.loss / maximum):.1f}", cost(costs.loss))
            for kind, costs in seat.kinds.items()
            if costs.count
        ]
        if rows:
            tables.append(Table(player(report, seat), head, rows))
    return tables


def _turns(report: Report, seat: SeatReport, judged: _JudgedByEvent) -> _Turns:
    return _Turns(
        _("Turn by turn: {name}").format(name=player(report, seat)),
        # People look at their own game first; the computer's can be unfolded.
        bool(seat.bot) and _is_crowded(report),
        list(seat_sentences(seat)),
        [_turn(turn, judged) for turn in seat.turns],
        list(map(correction_text, seat.corrections)),
    )


def _turn(turn: TurnReport, judged: _JudgedByEvent) -> _Turn:
    is_known = not turn.is_entered
    return _Turn(
        turn.number,
        box_text(turn),
        signed(turn.luck) if is_known else "",
        cost(turn.loss) if is_known and turn.loss else "",
        list(_steps(turn)),
        "" if is_known else unknown_text(turn),
        [_note(decision, judged) for decision in turn.decisions if decision.loss],
    )


def _note(decision: Decided, judged: _JudgedByEvent) -> _Note:
    sentences = f"{chosen_text(decision.move)}. {better_text(decision.best[0])}."
    return _Note(judged[decision.event], sentences)


def _steps(turn: TurnReport) -> Iterator[tuple[DicePicture, str]]:
    """Yield each roll with what was kept of it, and its luck; that of entered dice is unknown."""
    for place, step in enumerate(turn.steps):
        if isinstance(step, Decided):
            if step.rolls_left is None:
                yield dice_picture(step.dice.faces), ""
            continue
        after = turn.steps[place + 1] if place + 1 < len(turn.steps) else None
        yield dice_picture(step.dice.faces, _kept(turn, step, after)), signed(step.luck)


def _kept(turn: TurnReport, roll: Rolled, after: object) -> Dice | None:
    """Return which dice of *roll* were kept: all where they were scored, None if still open."""
    if isinstance(after, Decided) and isinstance(after.move, Hold):
        return after.move.kept
    # Without a decision the last box was filled, or the turn goes on.
    return roll.dice if after or turn.category else None
