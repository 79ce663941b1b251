"""`yacht solve` and `advise`: perfect play.

Both of them need the extra `solver`; without it they say so in a line.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from yachtdice.cli.support.options import cache_folder, json_option, rules_option
from yachtdice.cli.support.output import echo, write_json
from yachtdice.cli.text.numbers import decimal, fraction_digits
from yachtdice.i18n import category_name, rules_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import Hold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yachtdice.rules import Position, RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import Choice, SoloSolution

_MAX_DIGITS = 1000
_FLOAT_DIGITS = 12  # a float has no more that are right

_OPEN = click.option(
    "--open",
    "open_",
    default="all",
    metavar="BOXES",
    help=_("The open boxes, with commas between; by default all."),
)
_UPPER = click.option(
    "--upper",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help=_("Points in the used number boxes, for rules with a bonus."),
)


@click.command(help=_("Compute what a card is worth under perfect play."))
@_OPEN
@_UPPER
@rules_option
@click.option("--exact", is_flag=True, help=_("Compute in fractions, and print the fraction."))
@click.option(
    "--digits",
    type=click.IntRange(0, _MAX_DIGITS),
    default=12,
    metavar="N",
    help=_("Digits behind the point."),
)
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Read the values from FILE, or write them there if it is not there yet."),
)
@click.option(
    "--duel", is_flag=True, help=_("Solve the game for two players; takes minutes and disk space.")
)
@click.option(
    "--threads", type=click.IntRange(1), metavar="N", help=_("Threads for --duel; by default all.")
)
@json_option
def solve(  # noqa: PLR0913 - one parameter an option
    *,
    open_: str,
    upper: int,
    rules: RuleSet,
    exact: bool,
    digits: int,
    table: Path | None,
    duel: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """Print the value, its spread, the time it took, and where the table is."""
    if duel:
        from yachtdice.cli.commands.duel import solve_duel
        from yachtdice.solver.duel import table_path

        path = table or table_path(rules, cache_folder())
        path.parent.mkdir(parents=True, exist_ok=True)
        solve_duel(rules, as_json=as_json, path=path, threads=threads)
        return
    from yachtdice.cli.table.situation import card_with, position_of, read_open
    from yachtdice.solver import solve as solve_rules

    boxes = read_open(open_, rules)
    card = card_with(boxes, upper, rules)
    begin = perf_counter()
    solution, file = _solution(rules, table)
    seconds = perf_counter() - begin
    position = position_of(card)
    expected = solution.value(position) - card.total
    result: dict[str, Any] = {
        "rules": rules.key,
        "open": [category.value for category in boxes],
        "expected": expected,
        "sd": solution.distribution(position).sd,
        "seconds": seconds,
    }
    if exact:
        begin = perf_counter()
        fraction = solve_rules(rules, exact=True).value(boxes, upper)
        result["seconds"] = perf_counter() - begin
        text = fraction_digits(fraction, digits)
        result["fraction"] = f"{fraction.numerator}/{fraction.denominator}"
        result["digits"] = text
    else:
        text = decimal(expected, min(digits, _FLOAT_DIGITS))
    if as_json:
        write_json(result)
        return
    # Translators: a line of a result.
    echo(_("Rules: {rules}").format(rules=rules_name(rules)))
    if len(boxes) < len(rules.categories):
        names = ", ".join(category_name(category) for category in boxes)
        # Translators: a line of a result.
        echo(_("Open boxes: {boxes}").format(boxes=names))
    # Translators: a line of a result.
    echo(_("Expected points: {points}").format(points=text))
    if exact:
        echo(_("As a fraction: {fraction}").format(fraction=result["fraction"]))
    # Translators: a line of a result.
    echo(_("Standard deviation: {sd}").format(sd=decimal(result["sd"], 6)))
    # Translators: a line of a result.
    echo(_("Seconds: {seconds}").format(seconds=decimal(result["seconds"], 3)))
    if file:
        # Translators: a line of a result: the file with the values.
        echo(_("Table: {file}").format(file=file))


def _solution(rules: RuleSet, table: Path | None) -> tuple[SoloSolution, Path | None]:
    """Return the solution and the file that holds it: the named one, or one in the cache.

    Raises:
        ValueTableError: If the named file cannot be used.
        OSError: If it is not there and cannot be written.
    """
    from yachtdice.solver import SoloSolution
    from yachtdice.solver import solve as solve_rules

    if table is None:
        solution = solve_rules(rules)
        return solution, _save(solution)
    if table.exists():
        return SoloSolution.load(table, rules), table
    solution = solve_rules(rules)
    solution.save(table)
    return solution, table


def _save(solution: SoloSolution) -> Path | None:
    """Save *solution* in the cache; return its file, None where none can be written."""
    from yachtdice.solver.solo import solo_path

    path = solo_path(solution.rules, cache_folder())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        solution.save(path)
    except OSError:
        return None
    return path


@click.command(
    help=_("Rank what can be done with five dice, or in a position as text, best first.")
)
@click.argument("dice", nargs=-1, required=True)
@click.option(
    "--rolls-left",
    type=click.IntRange(0),
    metavar="N",
    help=_("Rolls left in the turn; by default all but one."),
)
@_OPEN
@_UPPER
@rules_option
@click.option(
    "--top", type=click.IntRange(1), default=10, metavar="N", help=_("How many moves to show.")
)
@json_option
@click.pass_obj
def advise(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions,
    *,
    dice: tuple[str, ...],
    rolls_left: int | None,
    open_: str,
    upper: int,
    rules: RuleSet,
    top: int,
    as_json: bool,
) -> None:
    """Print the moves with what they are worth and what they give away."""
    from yachtdice.notation import format_position, is_like_position

    text = " ".join(dice)
    if is_like_position(text):
        position = _read_position(text)
    else:
        position = _position_of(dice, rolls_left, open_, upper, rules)
    ranked = solutions.solo(position.rules).rank(position)
    if as_json:
        card = position.card
        write_json(
            {
                "rules": position.rules.key,
                "position": format_position(position),
                "dice": list(position.dice.faces),
                "rolls_left": position.rolls_left,
                "open": [category.value for category in card.open],
                "moves": [_choice_json(choice, card.total) for choice in ranked],
            }
        )
        return
    from yachtdice.cli.support.screen import Screen

    Screen().write(*_choice_lines(ranked[:top], position))


def _read_position(text: str) -> Position:
    """Return the position in *text*, in which there is something to decide.

    Raises:
        UsageError: If there is not, or an option says what the position does.
        NotationError: If it is no position.
    """
    from yachtdice.notation import parse_position

    given = click.get_current_context().get_parameter_source
    default = click.core.ParameterSource.DEFAULT
    names = {
        "rolls_left": "--rolls-left",
        "open_": "--open",
        "upper": "--upper",
        "rules": "--rules",
    }
    if any(given(name) is not default for name in names):
        line = _("A position goes without {options}: it says all that they do.")
        raise click.UsageError(line.format(options=", ".join(names.values())))
    position = parse_position(text)
    if not position.legal_moves():
        raise click.UsageError(_("There is nothing to decide in this position."))
    return position


def _position_of(
    dice: tuple[str, ...], rolls_left: int | None, open_: str, upper: int, rules: RuleSet
) -> Position:
    """Return the solo position that *dice* and the options describe.

    Raises:
        UsageError: If they describe none.
    """
    from yachtdice.cli.commands.rules import read_dice
    from yachtdice.cli.table.situation import card_with, position_of, read_open

    roll = read_dice(dice)
    left = rules.rolls - 1 if rolls_left is None else rolls_left
    if left >= rules.rolls:
        line = _("After a roll at most {n} rolls are left.")
        raise click.UsageError(line.format(n=rules.rolls - 1))
    return position_of(card_with(read_open(open_, rules), upper, rules), roll, left)


def _choice_json(choice: Choice, before: int) -> dict[str, Any]:
    if isinstance(choice.move, Hold):
        move: dict[str, Any] = {"keep": list(choice.move.kept.faces)}
    else:
        move = {"score": choice.move.category.value}
    return {**move, "expected": choice.value - before, "loss": choice.loss}


def _choice_lines(ranked: list[Choice], position: Position) -> Iterator[str]:
    from yachtdice.coach.words.terms import move_text

    texts = [move_text(choice.move, position) for choice in ranked]
    width = max(len(text) for text in texts)
    yield _("The points are what this turn and all later ones bring on average.")
    for choice, text in zip(ranked, texts, strict=True):
        points = decimal(choice.value - position.card.total)
        # Translators: stands beside the best moves, where others have what they give away.
        loss = _("best") if choice.is_best else decimal(-choice.loss)
        yield f"{choice.place:>3}  {text:<{width}} {points:>8} {loss:>8}"
