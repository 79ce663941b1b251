"""What the commands of the coach compute: reports, totals and averages of levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.coach import Report
    from yachtdice.notation import Record
    from yachtdice.rules import RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import Distribution


def totals_of(rules: RuleSet, solutions: Solutions) -> Distribution:
    """Return the distribution of totals of perfect play; a terminal shows a bar meanwhile."""
    from yachtdice.cli.support.progress import progress
    from yachtdice.i18n import gettext as _

    # Translators: stands beside a bar: the totals of all possible games are being worked out.
    with progress(_("Totals of perfect play"), len(solutions.solo(rules).states)) as advance:
        return solutions.totals(rules, progress=advance)


def levels_of(rules: RuleSet, solutions: Solutions) -> Mapping[str, float] | None:
    """Return the average of each level; None where it would take a minute to compute."""
    from yachtdice.bots import known_averages
    from yachtdice.coach import compute_levels

    averages = known_averages(rules)
    if averages is None and rules.upper_bonus is None:
        return compute_levels(rules, solutions)
    return averages


def report_of(record: Record, solutions: Solutions, *, with_win_odds: bool = False) -> Report:
    """Return the coach's report on the game in *record*; for two players with win odds too."""
    from yachtdice.coach import analyse_record

    rules = record.game.rules
    is_duel = with_win_odds and len(record.game.names) == 2  # noqa: PLR2004
    duel = solutions.duel(rules) if is_duel else None
    return analyse_record(record, solutions.solo(rules), levels_of(rules, solutions), duel)
