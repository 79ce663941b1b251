"""Reports and statistics as JSON: stable keys and numbers, no word of any language.

`docs/coach.md` describes it. As in every JSON of the command, seats are counted from 1. An `event`
is the number of events that the game had before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yachtdice.coach.analysis.labels import THRESHOLDS
from yachtdice.coach.analysis.report import Decided, Outlook, Report, Rolled, SeatReport, TurnReport
from yachtdice.rules import Hold, Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.coach.analysis.report import Correction
    from yachtdice.coach.analysis.statistics import PlayedGame, RulesStatistics, Statistics
    from yachtdice.coach.analysis.win_odds import OddsLoss, SeatOdds, WinOddsReport
    from yachtdice.rules import Category

REPORT_FORMAT = "yacht-report 1"
STATISTICS_FORMAT = "yacht-statistics 1"
"""The number is raised where a key goes or changes its meaning; new keys may come at any time."""


def report_data(report: Report) -> dict[str, Any]:
    """Return *report* as what `json.dumps` can write."""
    return {
        "format": REPORT_FORMAT,
        "rules": report.rules.key,
        "rules_fingerprint": report.rules.fingerprint,
        "date": report.date,
        "hints": report.hints,
        "chances": report.odds_shown,
        "is_over": report.is_over,
        "start": report.start,
        "thresholds": {label.value: minimum for minimum, label in reversed(THRESHOLDS)},
        "leaders": [seat + 1 for seat in report.leaders],
        "adjusted_leaders": [seat + 1 for seat in report.adjusted_leaders],
        "seats": [_seat(report, seat) for seat in report.seats],
        "winning": None if report.win_odds is None else _win_odds(report.win_odds),
    }


def _seat(report: Report, seat: SeatReport) -> dict[str, Any]:
    return {
        "seat": seat.seat + 1,
        "name": seat.name,
        "bot": seat.bot,
        "points": seat.points,
        "expected": seat.expected,
        "luck": seat.luck,
        "luck_sd": seat.luck_sd,
        "loss": seat.loss,
        "unknown": seat.unknown,
        "corrected": seat.corrected,
        "given_up": seat.given_up,
        "resigned": seat.resigned,
        "place": report.places.get(seat.seat),
        "adjusted": seat.adjusted,
        "adjusted_place": report.adjusted_places.get(seat.seat),
        "decisions": len(seat.decisions),
        "mean_loss": seat.mean_loss,
        "loss_per_turn": seat.loss_per_turn,
        "level": seat.level,
        "labels": {label.value: count for label, count in seat.labels.items()},
        "kinds": {
            kind.value: {"count": costs.count, "loss": costs.loss}
            for kind, costs in seat.kinds.items()
        },
        "costliest": [decision.event for decision in seat.costliest],
        "curve": [[mark.event, mark.turns, mark.expected] for mark in seat.curve()],
        "corrections": [_correction(correction) for correction in seat.corrections],
        "turns": [_turn(turn) for turn in seat.turns],
    }


def _win_odds(odds: WinOddsReport) -> dict[str, Any]:
    return {
        "seats": [_seat_odds(seat) for seat in odds.seats],
        "curve": [[mark.event, mark.rounds, mark.chance, mark.kind] for mark in odds.curve],
        "swings": [
            [swing.event, swing.seat + 1, swing.part, swing.change, swing.kind]
            for swing in odds.breakdown.swings
        ],
    }


def _seat_odds(seat: SeatOdds) -> dict[str, Any]:
    return {
        "seat": seat.seat + 1,
        "start": seat.start,
        "luck": seat.luck,
        "lost": seat.lost,
        "their_luck": seat.their_luck,
        "their_lost": seat.their_lost,
        "other": seat.other,
        "source": seat.source,
        "chance": seat.chance,
        "costliest": [_odds_loss(lost) for lost in seat.costliest],
    }


def _odds_loss(lost: OddsLoss) -> dict[str, Any]:
    return {
        "event": lost.event,
        "dice": list(lost.dice.faces),
        "rolls_left": lost.rolls_left,
        "move": move_data(lost.move),
        "best": move_data(lost.best),
        "loss": lost.loss,
        "chance": lost.chance,
        "kind": lost.kind,
    }


def _correction(correction: Correction) -> dict[str, Any]:
    instead_of = correction.instead_of
    return {
        "event": correction.event,
        "category": correction.category.value,
        "points": correction.points,
        "instead_of": instead_of.value if instead_of else None,
        "change": correction.change,
        "expected": correction.expected,
    }


def _turn(turn: TurnReport) -> dict[str, Any]:
    return {
        "number": turn.number,
        "event": turn.event,
        "start": turn.start,
        "expected": turn.expected,
        "category": turn.category.value if turn.category else None,
        "points": turn.points,
        "is_entered": turn.is_entered,
        "luck": turn.luck,
        "loss": turn.loss,
        "unknown": turn.unknown,
        "least_loss": turn.minimum_loss,
        "steps": [_roll(s) if isinstance(s, Rolled) else _decision(s) for s in turn.steps],
    }


def _roll(roll: Rolled) -> dict[str, Any]:
    return {
        "event": roll.event,
        "type": "roll",
        "dice": list(roll.dice.faces),
        "rolls_left": roll.rolls_left,
        "luck": roll.luck,
        "variance": roll.variance,
        "expected": roll.expected,
    }


def _decision(decision: Decided) -> dict[str, Any]:
    data = {
        "event": decision.event,
        "type": "decision",
        "dice": list(decision.dice.faces),
        "rolls_left": decision.rolls_left,
        "move": move_data(decision.move),
        "best": [move_data(move) for move in decision.best],
        "loss": decision.loss,
        "label": decision.label.value,
        "kind": decision.kind.value if decision.kind else None,
        "expected": decision.expected,
    }
    if decision.facts:
        data["facts"] = {
            "chosen": _outlook(decision.facts.chosen),
            "best": _outlook(decision.facts.best),
        }
    return data


def move_data(move: Move) -> dict[str, Any]:
    """Return *move* as what `json.dumps` can write: `{"keep": [4, 4]}` or `{"score": "fours"}`."""
    if isinstance(move, Hold):
        return {"keep": list(move.kept.faces)}
    return {"score": move.category.value}


def _outlook(outlook: Outlook) -> dict[str, Any]:
    return {
        "points": outlook.points,
        "later": outlook.later,
        "chances": _by_box(outlook.chances),
        "zeros": _by_box(outlook.zeros),
    }


def _by_box(chances: Mapping[Category, float]) -> dict[str, float]:
    return {category.value: chance for category, chance in chances.items()}


def statistics_data(statistics: Statistics) -> dict[str, Any]:
    """Return *statistics* as what `json.dumps` can write."""
    dice = statistics.dice
    return {
        "format": STATISTICS_FORMAT,
        "unfinished": statistics.unfinished,
        "rules": [_rules_statistics(games) for games in statistics.by_rules],
        "dice": {
            "counts": list(dice.counts),
            "total": dice.total,
            "expected": dice.expected,
            "band": list(dice.band),
            "outside": list(dice.outside),
            "chi_square": dice.chi_square,
            "chance": dice.chance,
        },
    }


def _rules_statistics(games: RulesStatistics) -> dict[str, Any]:
    return {
        "rules": games.rules.key,
        "rules_fingerprint": games.rules.fingerprint,
        "perfect_mean": games.totals.mean,
        "perfect_sd": games.totals.sd,
        "mean_total": games.mean_total,
        "luck": games.luck,
        "luck_sd": games.luck_sd,
        "luck_chance": games.luck_chance,
        "mean_luck": games.mean_luck,
        "mean_loss": games.mean_loss,
        "loss_per_turn": games.loss_per_turn,
        "level": games.level,
        "level_losses": dict(games.level_losses),
        "games": [_played_game(game) for game in games.games],
    }


def _played_game(game: PlayedGame) -> dict[str, Any]:
    return {
        "title": game.title,
        "date": game.date,
        "seat": game.seat + 1,
        "name": game.name,
        "total": game.total,
        "luck": game.luck,
        "luck_sd": game.luck_sd,
        "loss": game.loss,
        "loss_per_turn": game.loss_per_turn,
        "is_known": game.is_known,
        "beats": game.beats,
    }
