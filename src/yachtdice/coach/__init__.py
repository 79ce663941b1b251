"""What a game was worth: luck, losses, reasons, advice. Data only: nothing here is printed.

from yachtdice.coach import analyse
from yachtdice.solver import solve

report = analyse(game, solve(game.rules))
for seat in report.seats:
    print(seat.points, "=", seat.start, "+", seat.luck, "-", seat.loss)
"""

from yachtdice.coach.analysis.analyse import analyse, analyse_record, judge
from yachtdice.coach.analysis.labels import THRESHOLDS, Kind, Label, kind_of, label_of
from yachtdice.coach.analysis.rating import compute_levels, like_level
from yachtdice.coach.analysis.report import (
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
from yachtdice.coach.analysis.win_odds import (
    OddsLoss,
    OddsMark,
    SeatOdds,
    WinOddsReport,
    win_odds_report,
)
from yachtdice.coach.encoding import report_data, statistics_data
from yachtdice.coach.words.hints import Hint, hint, hint_sentences
from yachtdice.coach.words.reasons import Reason, reasons

__all__ = [
    "THRESHOLDS",
    "Correction",
    "Costs",
    "Decided",
    "Facts",
    "Hint",
    "Kind",
    "Label",
    "Mark",
    "OddsLoss",
    "OddsMark",
    "Outlook",
    "Reason",
    "Report",
    "Rolled",
    "SeatOdds",
    "SeatReport",
    "TurnReport",
    "WinOddsReport",
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
    "win_odds_report",
]
