"""One decision as HTML: what was done, what was better, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.coach.pages.markup import chip, dice, prose, symbols, why
from yachtdice.coach.words.terms import better_text, chosen_text, cost
from yachtdice.rules import Hold

if TYPE_CHECKING:
    from yachtdice.coach.analysis.report import Decided
    from yachtdice.rules import RuleSet


def decision_body(decision: Decided, rules: RuleSet) -> str:
    """Return *decision* as `<div class="coach">`: the answer to an exercise, say.

    Needs `stylesheet()`; at most one body of a page may be given, for it brings the dice along.
    """
    inside = _inside(decision, rules)
    return f'<div class="coach">{symbols()}<div class="coach-card">{inside}</div></div>'


def _inside(decision: Decided, rules: RuleSet) -> str:
    head = chip(decision.label)
    if decision.loss:
        head += f'<b class="coach-cost">{cost(decision.loss)}</b>'
    return f'<p class="coach-card-head">{head}</p>{comparison(decision, rules)}{why(decision)}'


def comparison(decision: Decided, rules: RuleSet) -> str:
    """Return what was done and, unless it was best, what was better, one above the other."""
    moves = [(chosen_text(decision.move), decision.move)]
    if decision.loss:
        moves.append((better_text(decision.best[0]), decision.best[0]))
    rows = []
    if not any(isinstance(move, Hold) for _, move in moves):
        rows.append(f"<p>{dice(decision.dice.faces)}</p>")
    for words, move in moves:
        if isinstance(move, Hold):
            picture = dice(decision.dice.faces, move.kept)
        else:
            points = rules.score(move.category, decision.dice)
            picture = f'<span class="coach-points">{points}</span>'
        rows.append(f"<p>{picture}<span>{prose(words)}</span></p>")
    return f'<div class="coach-comparison">{"".join(rows)}</div>'
