"""One decision as HTML: what was done, what was better, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import chip, comparison, why
from yachtdice.coach.pages.rendering import render
from yachtdice.coach.words.terms import cost

if TYPE_CHECKING:
    from yachtdice.coach.analysis.report import Decided
    from yachtdice.rules import RuleSet


def decision_body(decision: Decided, rules: RuleSet) -> str:
    """Return *decision* as `<div class="coach">`: the answer to an exercise, say.

    Needs `stylesheet()`; at most one body of a page may be given, for it brings the dice along.
    """
    return render(
        "decision.html",
        badge=chip(decision.label),
        cost=cost(decision.loss) if decision.loss else "",
        moves=comparison(decision, rules),
        reasons=why(decision),
    )
