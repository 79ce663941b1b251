"""`yacht rules` and `yacht score`: what the boxes pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import RulesType, json_option, rules_option
from yachtdice.cli.support.output import write_json
from yachtdice.i18n import category_name, explain, rules_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import DICE, TRADITIONAL, Dice, NotationError, parse_dice

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet


@click.command(help=_("Explain the game under a rule set, in a page."))
@click.argument("rules", metavar="[KEY|FILE]", type=RulesType(), default=TRADITIONAL.key)
@json_option
# Translators: explains an option of a command.
@click.option("--plain", is_flag=True, envvar="YACHT_PLAIN", help=_("No columns."))
def rules(*, rules: RuleSet, as_json: bool, plain: bool) -> None:
    """Print the page."""
    if as_json:
        write_json(
            {
                "rules": rules.key,
                "rolls": rules.rolls,
                "categories": {
                    category.value: {"points": list(rules.possible_points(category))}
                    for category in rules.categories
                },
                "upper_bonus": rules.upper_bonus
                and {"threshold": rules.upper_bonus.threshold, "points": rules.upper_bonus.points},
                "fingerprint": rules.fingerprint,
            }
        )
        return
    from yachtdice.cli.support.screen import Screen
    from yachtdice.cli.text.rulebook import rules_lines

    screen = Screen(plain=plain)
    screen.write(*rules_lines(rules, screen.look))


def read_dice(words: tuple[str, ...]) -> Dice:
    """Return the dice that a command line names, as `5 5 5 2 1`, `5-5-5-2-1` or `55521`.

    Raises:
        UsageError: If they are not dice, or not five.
    """
    try:
        dice = parse_dice(" ".join(words))
    except NotationError as error:
        raise click.UsageError(explain(error)) from error
    if len(dice) != DICE:
        raise click.UsageError(_("Five dice are needed, as in 5 5 5 2 1."))
    return dice


@click.command(help=_("Show what five dice pay in every box."))
@click.argument("dice", nargs=-1, required=True)
@rules_option
@json_option
def score(*, dice: tuple[str, ...], rules: RuleSet, as_json: bool) -> None:
    """Print the points in every box."""
    roll = read_dice(dice)
    points = {category: rules.score(category, roll) for category in rules.categories}
    if as_json:
        write_json(
            {
                "rules": rules.key,
                "dice": list(roll.faces),
                "points": {category.value: number for category, number in points.items()},
            }
        )
        return
    from rich.text import Text

    from yachtdice.cli.support.screen import Screen, pad
    from yachtdice.cli.table.views import LIGHT, dice_text

    screen = Screen()
    # Translators: a heading above what the dice pay.
    line = _("{dice}, rules: {rules}").format(dice=dice_text(roll), rules=rules_name(rules))
    screen.write(line, "")
    width = max(len(category_name(category)) for category in points)
    for category, number in points.items():
        style = "" if number else LIGHT
        screen.write(Text(f"  {pad(category_name(category), width)} {number:>4}", style))
