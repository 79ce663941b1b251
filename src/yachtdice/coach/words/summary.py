"""The sentences and headings that every form of a report is made of, in the active language."""

from __future__ import annotations

from datetime import date
from math import erfc, sqrt
from typing import TYPE_CHECKING

from yachtdice.coach.analysis.report import Decided
from yachtdice.coach.words.terms import number, percent, player, signed
from yachtdice.i18n import category_name, format_day, level_name, pgettext, rules_name
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.coach.analysis.report import Correction, Report, SeatReport, TurnReport


def title(report: Report) -> str:
    """Return the names of all seats, as the title of the report."""
    # A line breaks after the dot, not before it.
    return "\N{NO-BREAK SPACE}· ".join(player(report, seat) for seat in report.seats)


def circumstances(report: Report) -> tuple[str, ...]:
    """Return the rules, the date, and which help was shown."""
    parts = [rules_name(report.rules)]
    if report.date:
        parts.append(day(report.date))
    if report.hints:
        parts.append(_("Played with hints"))
    if report.odds_shown:
        parts.append(_("Chances to win were shown"))
    return tuple(parts)


def day(text: str) -> str:
    """Return an ISO date in the active language; any other text unchanged."""
    try:
        return format_day(date.fromisoformat(text))
    except ValueError:
        return text


def verdict(report: Report) -> tuple[str, ...]:
    """Return who has won, and who would have with average luck, a sentence each."""
    if len(report.seats) == 1:
        total = number(report.seats[0].adjusted)
        return (_("With average luck the same play is worth: {total}").format(total=total),)
    return tuple(filter(None, (_result(report), _adjusted(report))))


def _result(report: Report) -> str:
    names = _names(report, report.leaders)
    if not names:
        return _("Everybody has given up.")
    if report.is_over:
        if len(names) == 1:
            # Translators: who has won a game.
            return _("{name} wins.").format(name=names[0])
        return _("{names} share the win.").format(names=", ".join(names))
    if len(names) == 1:
        return _("The game is not over. {name} is ahead.").format(name=names[0])
    return _("The game is not over. {names} are level.").format(names=", ".join(names))


def _adjusted(report: Report) -> str:
    names = _names(report, report.adjusted_leaders)
    if not names:
        return ""
    if not all(seat.is_known for seat in report.seats):
        message = _("With average luck in the rolls that are known, first would be: {names}.")
        return message.format(names=", ".join(names))
    if len(names) > 1:
        return _("With average luck, {names} would be level.").format(names=", ".join(names))
    if report.leaders == report.adjusted_leaders:
        return _("It is the same with average luck.")
    if report.is_over:
        return _("With average luck, {name} would have won.").format(name=names[0])
    return _("With average luck, {name} would be ahead.").format(name=names[0])


def _names(report: Report, seats: Sequence[int]) -> list[str]:
    return [player(report, report.seats[seat]) for seat in seats]


def breakdown(seat: SeatReport) -> tuple[tuple[str, float], ...]:
    """Return the parts that add up to what the seat has or expects, with what each is called.

    Parts that did not happen are left out, except luck and losses.
    """
    parts = [
        # Translators: the parts of a sum, as headings: what a game is worth at its start ...
        (pgettext("account", "Start"), seat.start),
        # Translators: ... what the rolls have brought ...
        (luck_heading(), seat.luck),
        # Translators: ... what decisions have cost.
        (lost_heading(), -seat.loss),
    ]
    if not seat.is_known:
        # Translators: what a turn brought of which only the end was entered.
        parts.append((pgettext("account", "Unknown"), seat.unknown))
    if seat.corrections:
        # Translators: what boxes that were put right have changed.
        parts.append((pgettext("account", "Corrected"), seat.corrected))
    if seat.resigned is not None:
        # Translators: what a player lost by giving up.
        parts.append((pgettext("account", "Given up"), -seat.given_up))
    return tuple(parts)


def total_heading(report: Report) -> str:
    """Return the heading of the sum of the breakdown."""
    if report.is_over:
        # Translators: the points at the end of a game, as a heading.
        return pgettext("account", "Total")
    # Translators: the total that is expected in an unfinished game, as a heading.
    return pgettext("account", "Expected")


def adjusted_heading() -> str:
    """Return the heading of the total with average luck."""
    return pgettext("account", "With average luck")


def how_it_is_counted(report: Report) -> tuple[str, ...]:
    """Return how to read the breakdown."""
    sentences = [
        _("Start is what perfect play expects from an empty card: {total}").format(
            total=number(report.start)
        ),
        _("The luck of a roll is what it is worth more, or less, than rolls are on average."),
        _("What a decision has lost is what the best move is worth more than the one chosen."),
        _("Everything together is exactly the number of points on the card.")
        if report.is_over
        else _("Everything together is exactly the total expected now."),
    ]
    if not all(seat.is_known for seat in report.seats):
        sentences.append(
            _(
                "Turns that were entered by their end alone cannot be divided into luck and losses:"
                " they stand apart as unknown."
            )
        )
    return tuple(sentences)


def seat_sentences(seat: SeatReport) -> Iterator[str]:
    """Yield the sentences about a seat besides its breakdown."""
    if seat.luck_sd:
        chance = _tail(abs(seat.luck) / seat.luck_sd)
        if seat.luck >= 0:
            message = _("Chance of luck as good as this or better: {chance}")
        else:
            message = _("Chance of luck as bad as this or worse: {chance}")
        yield message.format(chance=percent(chance))
    if seat.mean_loss is not None:
        yield _("Lost per decision: {loss}").format(loss=number(seat.mean_loss, 2))
    if seat.loss_per_turn is not None:
        yield _("Lost per turn: {loss}").format(loss=number(seat.loss_per_turn, 2))
    if seat.level is not None:
        yield _("Gives away about as much as the computer at: {level}").format(
            level=level_name(seat.level)
        )


def _tail(deviations: float) -> float:
    """Return the tail probability of a normal distribution beyond *deviations*, on one side."""
    return erfc(deviations / sqrt(2)) / 2


def where(report: Report, seat: SeatReport, decision: Decided) -> str:
    """Return which decision it is: its turn, and after which roll."""
    turn = seat.turn_of(decision.event).number
    if decision.rolls_left is None:
        # Translators: one turn of a player, counted from 1.
        return _("Turn {number}").format(number=turn)
    roll = report.rules.rolls - decision.rolls_left
    # Translators: when something was decided: after which roll of which turn.
    return _("Turn {number}, roll {roll}").format(number=turn, roll=roll)


def box_text(turn: TurnReport) -> str:
    """Return which box a turn has filled, and with how many points."""
    if turn.category is None:
        # Translators: a turn that was not finished.
        return pgettext("turn", "Unfinished")
    # Translators: a box and its points, as in “Fours: 16”.
    message = _("{box}: {points}")
    return message.format(box=category_name(turn.category), points=turn.points)


def correction_text(correction: Correction) -> str:
    """Return the sentence for a corrected box."""
    # Translators: a box that was put right, its points, and by how much they changed.
    return _("Corrected, {category}: {points}. Change: {change}").format(
        category=category_name(correction.category),
        points=correction.points,
        change=signed(correction.change),
    )


def luck_heading() -> str:
    """Return the heading for luck."""
    return pgettext("account", "Luck")


def lost_heading() -> str:
    """Return the heading for losses."""
    return pgettext("account", "Lost")


def unknown_text(turn: TurnReport) -> str:
    """Return the sentence for a turn of which only the end is known."""
    text = _("Entered by its end. Luck and losses together: {unknown}").format(
        unknown=signed(turn.unknown)
    )
    if turn.minimum_loss:
        # Whatever the dice were, another box would have been worth so much more.
        return f"{text}. " + _("The box has cost at least: {loss}").format(
            loss=number(turn.minimum_loss)
        )
    return text
