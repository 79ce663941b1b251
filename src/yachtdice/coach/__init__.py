"""What a game was worth: luck, losses, reasons, advice. Data only: nothing here is printed.

from yachtdice.coach import analyse
from yachtdice.solver import solve

report = analyse(game, solve(game.rules))
for seat in report.seats:
    print(seat.points, "=", seat.start, "+", seat.luck, "-", seat.loss)
"""

from yachtdice.coach.analyse import analyse, analyse_record, judge
from yachtdice.coach.encoding import report_data, statistics_data
from yachtdice.coach.hints import Hint, hint, hint_sentences
from yachtdice.coach.labels import THRESHOLDS, Kind, Label, kind_of, label_of
from yachtdice.coach.rating import compute_levels, like_level
from yachtdice.coach.reasons import Reason, reasons
from yachtdice.coach.report import (
    Correction,
    Costs,
    Decided,
    Facts,
    Mark,
    Outlook,
    Report,
    Rolled,
    SeatReport,
    TurnReport,
)
from yachtdice.coach.winning import ChanceMark, LostChance, SeatChances, Winning, winning

__all__ = [
    "THRESHOLDS",
    "ChanceMark",
    "Correction",
    "Costs",
    "Decided",
    "Facts",
    "Hint",
    "Kind",
    "Label",
    "LostChance",
    "Mark",
    "Outlook",
    "Reason",
    "Report",
    "Rolled",
    "SeatChances",
    "SeatReport",
    "TurnReport",
    "Winning",
    "analyse",
    "analyse_record",
    "compute_levels",
    "hint",
    "hint_sentences",
    "judge",
    "kind_of",
    "label_of",
    "like_level",
    "reasons",
    "report_data",
    "statistics_data",
    "winning",
]
