"""Reports and statistics as HTML: fragments to put into a page, and files that need nothing.

    report_body(report)          the report, in `<div class="coach">`; put it into any page
    report_page(report)          the same as one file, with its style inside
    statistics_body(statistics)  likewise
    statistics_page(statistics)
    decision_body(decision, rules)  one decision: the answer to an exercise
    ranking_body(ranked, position)  all moves of a position
    stylesheet()                 the style that fragments need: serve it as a file

Everything works without a script and without style attributes, so that a content security policy
may forbid both. Colours follow the reader's light or dark theme, or `data-theme` on `<html>`.
"""

from yachtdice.coach.pages.decision import decision_body
from yachtdice.coach.pages.document import report_page, statistics_page, stylesheet
from yachtdice.coach.pages.ranking import ranking_body
from yachtdice.coach.pages.report import report_body
from yachtdice.coach.pages.statistics import statistics_body

__all__ = [
    "decision_body",
    "ranking_body",
    "report_body",
    "report_page",
    "statistics_body",
    "statistics_page",
    "stylesheet",
]
