"""The sentences of statistics, in the active language."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from yachtdice.coach.analysis.statistics import FEWEST_DICE
from yachtdice.coach.words.terms import number, percent, signed
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.coach.analysis.statistics import DiceStatistics, RulesStatistics

UNUSUAL = 0.05
"""What fair dice do less often than in one case of 20 is called unusual."""

VERY_UNUSUAL = 0.001


def totals_sentences(games: RulesStatistics) -> Iterator[str]:
    """Yield how the totals compare with perfect play."""
    count = len(games.games)
    # Translators: how many games statistics are about.
    yield ngettext("{n} finished game.", "{n} finished games.", count).format(n=number(count, 0))
    if games.mean_total is not None:
        yield _("Mean total: {total}. Perfect play expects: {perfect}").format(
            total=number(games.mean_total), perfect=number(games.totals.mean)
        )
    best = max(game.total for game in games.games)
    beats = games.totals.below(best)
    yield _("Best total: {total}. Share of perfect games that end with less: {share}").format(
        total=best, share=percent(beats)
    )


def luck_sentences(games: RulesStatistics) -> Iterator[str]:
    """Yield how much luck there was, and how much there usually is."""
    if not games.luck_sd or games.luck_chance is None:
        return
    yield _("Luck in all games together: {luck}. With fair dice mostly within: ±{width}").format(
        luck=signed(games.luck), width=number(2 * games.luck_sd)
    )
    yield _("Chance of as much luck, good or bad, with fair dice: {chance}").format(
        chance=percent(games.luck_chance)
    )


def skill_sentences(games: RulesStatistics) -> Iterator[str]:
    """Yield how much decisions have lost."""
    if games.mean_loss is not None:
        yield _("Lost per game: {loss}").format(loss=number(games.mean_loss))
    if games.loss_per_turn is not None:
        yield _("Lost per turn: {loss}").format(loss=number(games.loss_per_turn, 2))
    if games.level is not None:
        yield _("Gives away about as much as the computer at: {level}").format(
            level=level_name(games.level)
        )


def dice_sentences(dice: DiceStatistics) -> Iterator[str]:
    """Yield whether the dice look fair, at a glance first and then exactly."""
    yield dice_verdict(dice)
    if dice.chance is not None:
        yield _("Chance that fair dice are at least so uneven: {chance}").format(
            chance=percent(dice.chance)
        )
        low, high = dice.band
        message = _("With fair dice all six faces lie from {low} to {high} in 19 of 20 cases.")
        yield message.format(low=number(ceil(low), 0), high=number(floor(high), 0))


def dice_verdict(dice: DiceStatistics) -> str:
    """Return whether the dice look fair."""
    if dice.chance is None:
        message = ngettext(
            "{n} die was rolled: too few to say anything; it takes {fewest}.",
            "{n} dice were rolled: too few to say anything; it takes {fewest}.",
            dice.total,
        )
        return message.format(n=number(dice.total, 0), fewest=number(FEWEST_DICE, 0))
    if dice.chance < VERY_UNUSUAL:
        message = ngettext(
            "{n} die was rolled, and fair dice hardly ever look like this.",
            "{n} dice were rolled, and fair dice hardly ever look like this.",
            dice.total,
        )
    elif dice.chance < UNUSUAL or dice.outside:
        message = ngettext(
            "{n} die was rolled. That is unusual for fair dice, but it happens.",
            "{n} dice were rolled. They are unusual for fair dice, but that happens.",
            dice.total,
        )
    else:
        message = ngettext(
            "{n} die was rolled, as fair dice do.",
            "{n} dice were rolled, and they look like fair dice.",
            dice.total,
        )
    return message.format(n=number(dice.total, 0))
