"""A report as HTML."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from yachtdice.coach.analysis.labels import Label
from yachtdice.coach.analysis.report import Decided, Report, Rolled, SeatReport, TurnReport
from yachtdice.coach.pages.breakdown import breakdown_cards
from yachtdice.coach.pages.charts import Frame, around, ticks
from yachtdice.coach.pages.decision import comparison
from yachtdice.coach.pages.markup import chip, dice, folded, items, prose, symbols, table, text, why
from yachtdice.coach.pages.win_odds import win_odds_section
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
    label_name,
    number,
    player,
    signed,
)
from yachtdice.i18n import gettext as _
from yachtdice.i18n import pgettext
from yachtdice.rules import Dice, Hold

if TYPE_CHECKING:
    from collections.abc import Iterator

Actions: TypeAlias = Callable[[int], str]
"""Makes the links of a decision, as HTML, from the index of its event: `Game.events[:event]` is the
game in which it was taken."""

_STYLES = 6
_ON_CURVE = {Label.MISTAKE, Label.BLUNDER}


def report_body(report: Report, actions: Actions | None = None, *, level: int = 1) -> str:
    """Return *report* as `<div class="coach">`, to be put into a page that has `stylesheet()`.

    *actions* adds links to each wrong decision, such as to its position; what it returns is put in
    as it is. *level* is that of the report's heading, `<h1>` by default.
    """
    return _Body(report, actions, level).html()


class _Body:
    def __init__(self, report: Report, actions: Actions | None, level: int) -> None:
        self.report = report
        self.actions = actions
        self.level = level

    def html(self) -> str:
        parts = [symbols(), self._head(), breakdown_cards(self.report, self._heading)]
        parts.append(self._curve())
        parts.append(win_odds_section(self.report, self._heading, self.actions))
        parts += [self._costliest(), self._kinds(), *self._turns(), self._counting()]
        return f'<div class="coach">{"".join(parts)}</div>'

    def _heading(self, words: str, deeper: int = 1, style: str = "") -> str:
        level = min(self.level + deeper, 6)
        kind = f' class="{style}"' if style else ""
        return f"<h{level}{kind}>{text(words)}</h{level}>"

    def _head(self) -> str:
        report = self.report
        about = " · ".join(map(text, circumstances(report)))
        sentences = "".join(f"<p>{text(sentence)}</p>" for sentence in verdict(report))
        return (
            f"<header>{self._heading(title(report), 0)}"
            f'<p class="coach-about">{about}</p>'
            f'<div class="coach-verdict">{sentences}</div></header>'
        )

    def _curve(self) -> str:
        report = self.report
        last = max(1, *(len(seat.turns) for seat in report.seats))
        curves = [seat.curve() for seat in report.seats]
        low, high = around((mark.expected for curve in curves for mark in curve), 10)
        frame = Frame(300, 0, last, low, high)
        values = ticks(low, high)
        content = [frame.rows(values, (number(value, 0) for value in values))]
        every = 1 if last <= 12 else 2  # noqa: PLR2004 - as many as fit
        turns = range(0, last + 1, every)
        content.append(frame.columns(turns, map(str, turns)))
        for seat, curve in zip(report.seats, curves, strict=True):
            points = [(mark.turns, mark.expected) for mark in curve]
            content.append(frame.line(points, f"coach-line coach-seat-{seat.seat % _STYLES}"))
        for seat in report.seats:
            content += self._curve_marks(frame, seat)
        name = _("The expected final total, turn by turn")
        return self._section(
            _("The course of the game"),
            f'<figure class="coach-figure">{self._legend()}{frame.svg(content, name)}'
            f"<figcaption>{text(_curve_caption())}</figcaption></figure>"
            + folded(_("The curve as a table"), self._curve_table(last)),
        )

    def _legend(self) -> str:
        entries = []
        for seat in self.report.seats:
            style = f"coach-line coach-seat-{seat.seat % _STYLES}"
            line = (
                f'<svg width="28" height="10" aria-hidden="true"><line class="{style}" x1="1"'
                ' x2="27" y1="5" y2="5"/></svg>'
            )
            total = number(seat.expected, 0 if self.report.is_over else 1)
            entries.append(f"<li>{line} {text(player(self.report, seat))} <b>{total}</b></li>")
        return f'<ul class="coach-legend">{"".join(entries)}</ul>'

    def _curve_marks(self, frame: Frame, seat: SeatReport) -> Iterator[str]:
        marks = {mark.event: mark for mark in seat.curve()}
        for decision in seat.decisions:
            if decision.label not in _ON_CURVE:
                continue
            mark = marks[decision.event]
            place = f'cx="{frame.x(mark.turns):.2f}%" cy="{frame.y(mark.expected):.1f}"'
            label = f"{player(self.report, seat)}, {where(self.report, seat, decision)}"
            label = f"{label}. {label_name(decision.label)}: {cost(decision.loss)}"
            yield (
                f'<a href="#coach-{decision.event}" aria-label="{text(label)}">'
                f'<title>{text(label)}</title><circle class="coach-touch" {place} r="12"/>'
                f'<circle class="coach-mark coach-{decision.label.value}" {place} r="5"/></a>'
            )
        last = seat.curve()[-1]
        place = f'cx="{frame.x(last.turns):.2f}%" cy="{frame.y(last.expected):.1f}"'
        style = f"coach-end coach-seat-{seat.seat % _STYLES}"
        yield f'<circle class="{style}" {place} r="4"/>'

    def _curve_table(self, last: int) -> str:
        report = self.report
        rows = []
        for turn in range(last + 1):
            cells = [str(turn)]
            for seat in report.seats:
                done = seat.turns[:turn]
                value = done[-1].expected if done else seat.start
                cells.append(number(value) if len(done) == turn else "")
            rows.append(cells)
        # Translators: heading of a column of numbers: how many turns have been played.
        head = [text(pgettext("column", "Turns"))]
        head += [text(player(report, seat)) for seat in report.seats]
        return table(_("The expected final total after each turn"), head, rows)

    def _costliest(self) -> str:
        parts = []
        for seat in self.report.seats:
            if not seat.costliest:
                continue
            cards = "".join(self._card(seat, decision) for decision in seat.costliest)
            name = self._heading(player(self.report, seat), 2) if self._is_crowded else ""
            parts.append(f'{name}<ol class="coach-cards">{cards}</ol>')
        if not parts:
            return ""
        return self._section(_("The costliest decisions"), "".join(parts))

    @property
    def _is_crowded(self) -> bool:
        return len(self.report.seats) > 1

    def _card(self, seat: SeatReport, decision: Decided) -> str:
        words = where(self.report, seat, decision)
        place = f'<a href="#coach-{decision.event}">{text(words)}</a>'
        return (
            f'<li class="coach-card"><p class="coach-card-head">{place}{chip(decision.label)}'
            f'<b class="coach-cost">{cost(decision.loss)}</b></p>'
            f"{comparison(decision, self.report.rules)}{why(decision)}"
            f"{self._actions(decision)}</li>"
        )

    def _actions(self, decision: Decided) -> str:
        if self.actions is None or not decision.label.is_wrong:
            return ""
        return f'<div class="coach-actions">{self.actions(decision.event)}</div>'

    def _kinds(self) -> str:
        seats = [seat for seat in self.report.seats if seat.decisions]
        if not any(seat.loss for seat in seats):
            return ""
        # Translators: headings of columns: what was wrong, how often, what it cost.
        head = [
            pgettext("column", "Mistake"),
            pgettext("column", "Times"),
            pgettext("column", "Lost"),
        ]
        maximum = max(costs.loss for seat in seats for costs in seat.kinds.values()) or 1.0
        parts = []
        for seat in seats:
            rows = [
                (
                    text(kind_name(kind)),
                    str(costs.count),
                    _bar(costs.loss / maximum, cost(costs.loss)),
                )
                for kind, costs in seat.kinds.items()
                if costs.count
            ]
            if rows:
                parts.append(table(player(self.report, seat), [*map(text, head)], rows))
        return self._section(
            _("What cost most"), f'<div class="coach-columns">{"".join(parts)}</div>'
        )

    def _turns(self) -> Iterator[str]:
        for seat in self.report.seats:
            turns = "".join(self._turn(turn) for turn in seat.turns)
            if not turns:
                continue
            about = items(seat_sentences(seat), "coach-facts")
            heading = _("Turn by turn: {name}").format(name=player(self.report, seat))
            content = f"{about}<ol>{turns}</ol>{self._corrections(seat)}"
            # People look at their own game first; the computer's can be unfolded.
            if seat.bot and self._is_crowded:
                summary = f"<summary>{self._heading(heading)}</summary>"
                yield f"<section><details>{summary}{content}</details></section>"
            else:
                yield self._section(heading, content)

    def _turn(self, turn: TurnReport) -> str:
        numbers = [f"<span>{text(luck_heading())} <b>{signed(turn.luck)}</b></span>"]
        if turn.loss:
            numbers.append(
                f'<span>{text(lost_heading())} <b class="coach-cost">{cost(turn.loss)}</b></span>'
            )
        if turn.is_entered:
            numbers = []
        steps = "".join(_steps(turn))
        notes = "".join(self._note(decision) for decision in turn.decisions if decision.loss)
        if turn.is_entered:
            notes = f"<li>{text(unknown_text(turn))}</li>{notes}"
        return (
            f'<li class="coach-turn"><p class="coach-turn-head"><b class="coach-turn-number">'
            f'{turn.number}</b><span class="coach-box">{text(box_text(turn))}</span>'
            f'<span class="coach-numbers">{"".join(numbers)}</span></p>'
            + (f'<ol class="coach-steps">{steps}</ol>' if steps else "")
            + (f'<ul class="coach-notes">{notes}</ul>' if notes else "")
            + "</li>"
        )

    def _note(self, decision: Decided) -> str:
        sentences = f"{chosen_text(decision.move)}. {better_text(decision.best[0])}."
        return (
            f'<li id="coach-{decision.event}" tabindex="-1">{chip(decision.label)} '
            f'<span>{prose(sentences)}</span> <b class="coach-cost">{cost(decision.loss)}</b>'
            f"{self._actions(decision)}</li>"
        )

    def _corrections(self, seat: SeatReport) -> str:
        return items(map(correction_text, seat.corrections))

    def _counting(self) -> str:
        return self._section(_("How this is counted"), items(how_it_is_counted(self.report)))

    def _section(self, heading: str, content: str) -> str:
        return f"<section>{self._heading(heading)}{content}</section>"


def _curve_caption() -> str:
    return _(
        "What each card is expected to end with if everything is played perfectly from there on."
        " Rings on a line are mistakes, full points are blunders."
    )


def _steps(turn: TurnReport) -> Iterator[str]:
    """Yield each roll with what was kept of it."""
    for place, step in enumerate(turn.steps):
        if isinstance(step, Decided):
            if step.rolls_left is None:
                yield f"<li>{dice(step.dice.faces)}</li>"
            continue
        after = turn.steps[place + 1] if place + 1 < len(turn.steps) else None
        yield (
            f"<li>{dice(step.dice.faces, _kept(turn, step, after))}"
            f'<span class="coach-luck">{signed(step.luck)}</span></li>'
        )


def _kept(turn: TurnReport, roll: Rolled, after: object) -> Dice | None:
    """Return which dice of *roll* were kept: all where they were scored, None if still open."""
    if isinstance(after, Decided) and isinstance(after.move, Hold):
        return after.move.kept
    # Without a decision the last box was filled, or the turn goes on.
    return roll.dice if after or turn.category else None


def _bar(share: float, value: str) -> str:
    return (
        '<span class="coach-bar-cell"><svg width="100%" height="10" aria-hidden="true">'
        f'<rect class="coach-loss-bar" width="{100 * share:.1f}%" height="10" rx="2"/></svg>'
        f"<span>{value}</span></span>"
    )
