"""`yacht odds`, `simulate` and `bots`: how totals are spread, for perfect play and others.

All of them need the extra `solver`; without it they say so in a line.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from yachtdice.bots import LEVELS, OFFERED, bot_expected, bot_totals, find_level
from yachtdice.cli.support.options import json_option, rules_option
from yachtdice.cli.support.output import echo, write_json
from yachtdice.cli.text.numbers import count, decimal, percent
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, pgettext, rules_name
from yachtdice.rules import Position

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import Distribution

_PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


@click.command(
    short_help=_("Show how likely each total is."),
    help=_("Show how likely each total is, for perfect play or a level of the computer."),
)
@rules_option
@click.option(
    "--bot", type=click.Choice(OFFERED), default="perfect", help=_("Who plays; perfect by default.")
)
@click.option(
    "--score",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help=_("What share of games do N points beat?"),
)
@click.option(
    "--target",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help=_("How likely are N points for somebody who plays for just that?"),
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Draw the distribution into a PNG or SVG file."),
)
@json_option
@click.pass_obj
def odds(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions,
    *,
    rules: RuleSet,
    bot: str,
    score: int | None,
    target: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Print the distribution, its percentiles and a picture of it."""
    if plot is not None and plot.suffix.lower() not in {".png", ".svg"}:
        raise click.UsageError(_("The picture is a file that ends in .png or .svg."))
    totals = bot_totals(bot, rules, solutions)
    chance = (
        None if target is None else solutions.targets(rules).chance(Position.start(rules), target)
    )
    if plot is not None:
        from yachtdice.cli.text.charts import write_chart

        write_chart(plot, totals, rules, score if target is None else target)
    if as_json:
        result = _odds_json(totals, rules, bot)
        if score is not None:
            result["score"] = {"points": score, "beats": totals.below(score)}
        if target is not None:
            result["target"] = {
                "points": target,
                "chance": chance,
                "usual": totals.at_least(target),
            }
        write_json(result)
        return
    from yachtdice.cli.support.screen import Screen
    from yachtdice.cli.text.charts import bar_lines

    screen = Screen()
    line = _("Totals, rules: {rules}, played by: {level}.")
    screen.write(line.format(rules=rules_name(rules), level=level_name(bot, inline=True)))
    if find_level(bot).plays_to_win:
        screen.write(_solo_note())
    line = _("Average: {mean}. Standard deviation: {sd}.")
    screen.write(line.format(mean=decimal(totals.mean), sd=decimal(totals.sd)), "")
    screen.write(*bar_lines(totals, screen.look), "")
    # Translators: totals that so many per cent of games do not exceed.
    line = _("Percentiles: {list}.")
    shares = (f"{percent(q / 100, 0)}: {totals.quantile(q / 100)}" for q in _PERCENTILES)
    screen.write(line.format(list=", ".join(shares)))
    if score is not None:
        line = _("{points} points beat {share} of these games.")
        screen.write(line.format(points=score, share=percent(totals.below(score), 2)))
    if target is not None and chance is not None:
        line = _("At least {points} points: {share} if you play for just that, else {usual}.")
        usual = percent(totals.at_least(target), 2)
        screen.write(line.format(points=target, share=percent(chance, 2), usual=usual))
    if plot is not None:
        # Translators: said of a picture.
        screen.write(_("Drawn into {file}.").format(file=plot))


def _odds_json(totals: Distribution, rules: RuleSet, bot: str) -> dict[str, Any]:
    return {
        "rules": rules.key,
        "bot": bot,
        "expected": totals.mean,
        "sd": totals.sd,
        "percentiles": {str(q): totals.quantile(q / 100) for q in _PERCENTILES},
        "least": totals.minimum,
        "probabilities": [float(chance) for chance in totals.probabilities],
    }


@click.command(
    short_help=_("Play many games at once."),
    help=_("Play many games and compare their average with the exact one."),
)
@click.option(
    "--games",
    type=click.IntRange(2, 10_000_000_000),
    default=1_000_000,
    metavar="N",
    help=_("How many games; by default a million."),
)
@click.option(
    "--bot", type=click.Choice(OFFERED), default="perfect", help=_("Who plays; perfect by default.")
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help=_("The same games each time."))
@rules_option
@json_option
@click.pass_obj
def simulate(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions, *, games: int, bot: str, seed: int | None, rules: RuleSet, as_json: bool
) -> None:
    """Print the average, its confidence interval and the exact value."""
    from yachtdice.cli.support.progress import progress
    from yachtdice.solver import TurnPolicy
    from yachtdice.solver import simulate as play

    solution = solutions.solo(rules)
    exact = bot_expected(bot, rules, solutions)
    policy = find_level(bot).solo_policy()
    assert isinstance(policy, TurnPolicy)  # as of all levels that are offered
    # Translators: stands beside a bar that shows how far it is.
    with progress(_("Playing"), games) as advance:
        begin = perf_counter()
        result = play(solution, games, seed=seed, policy=policy, progress=advance)
        seconds = perf_counter() - begin
    low, high = result.interval()
    if as_json:
        write_json(
            {
                "rules": rules.key,
                "bot": bot,
                "games": games,
                "seed": seed,
                "mean": result.mean,
                "sd": result.sd,
                "interval": [low, high],
                "exact": exact,
                "seconds": seconds,
            }
        )
        return
    line = _("{games} games, rules: {rules}, played by: {level}.")
    echo(
        line.format(games=count(games), rules=rules_name(rules), level=level_name(bot, inline=True))
    )
    if find_level(bot).plays_to_win:
        echo(_solo_note())
    line = _("Average: {mean}, with {confidence} confidence from {low} to {high}.")
    values = {"mean": decimal(result.mean, 4), "confidence": percent(0.95, 0)}
    echo(line.format(**values, low=decimal(low, 4), high=decimal(high, 4)))
    off = (result.mean - exact) / result.standard_error
    line = _("Exact: {exact}; the average is {off} standard errors off.")
    echo(line.format(exact=decimal(exact, 4), off=decimal(off)))
    # Translators: a line of a result.
    echo(_("Standard deviation: {sd}").format(sd=decimal(result.sd, 4)))
    line = _("Seconds: {seconds}, games a second: {speed}")
    speed = count(round(games / seconds))
    echo(line.format(seconds=decimal(seconds, 3), speed=speed))


@click.command(
    short_help=_("List the computer's levels."),
    help=_("List the computer's levels with the exact average of each."),
)
@rules_option
@click.option(
    "--all", "everything", is_flag=True, help=_("Also greedy and random: it takes a while.")
)
@json_option
@click.pass_obj
def bots(solutions: Solutions, *, rules: RuleSet, everything: bool, as_json: bool) -> None:
    """Print what each level scores on average."""
    levels = LEVELS if everything else OFFERED
    rows = [(level, bot_totals(level, rules, solutions)) for level in levels]
    if as_json:
        write_json(
            {
                "rules": rules.key,
                "bots": [
                    {"level": level, "expected": totals.mean, "sd": totals.sd}
                    for level, totals in rows
                ],
            }
        )
        return
    # Translators: a line of a result.
    echo(_("Rules: {rules}").format(rules=rules_name(rules)))
    # Translators: the heads of three columns: a level, its average and its standard deviation.
    heads = (
        pgettext("column", "level"),
        pgettext("column", "average"),
        pgettext("column", "spread"),
    )
    width = max(len(heads[0]), *(len(level_name(level, inline=True)) for level, _totals in rows))
    echo(f"  {heads[0]:<{width}} {heads[1]:>9} {heads[2]:>8}")
    for level, totals in rows:
        mean, sd = decimal(totals.mean), decimal(totals.sd)
        echo(f"  {level_name(level, inline=True):<{width}} {mean:>9} {sd:>8}")
    echo(_solo_note())


def _solo_note() -> str:
    return _("These are games alone. Against others “champion” plays to win, for fewer points.")
