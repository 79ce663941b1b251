"""Options that several commands share, and the user's folders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.presets import RULE_SET_KEYS, find_rules, load_rules
from yachtdice.rules import TRADITIONAL, RuleSet, RuleSetError

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_FILE_SIZE = 100_000


def read_rules(text: str) -> RuleSet:
    """Return the rule set that *text* names: by its key, or by the path of a TOML file.

    Raises:
        UsageError: If there is neither.
        RuleSetError: If the file is there and wrong.
    """
    if text in RULE_SET_KEYS:
        return find_rules(text)
    try:
        path = Path(text)
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                return load_rules(file.read(_MAX_FILE_SIZE))
    except UnicodeDecodeError:
        raise click.UsageError(_("{path} is not a text file in UTF-8.").format(path=text)) from None
    except (OSError, ValueError) as error:
        if isinstance(error, RuleSetError):
            raise
    keys = ", ".join(RULE_SET_KEYS)
    line = _("There is no rule set and no file “{name}”. Rule sets: {keys}.")
    raise click.UsageError(line.format(name=text[:60], keys=keys))


class RulesType(click.ParamType["RuleSet"]):
    """A rule set, by its key or as a file."""

    name = "KEY|FILE"

    def convert(
        self, value: str | RuleSet, param: click.Parameter | None, ctx: click.Context | None
    ) -> RuleSet:
        """Return the rule set."""
        if isinstance(value, RuleSet):
            return value
        try:
            return read_rules(value)
        except click.UsageError as error:
            self.fail(error.message, param, ctx)
        except RuleSetError as error:
            self.fail(explain(error), param, ctx)


def rules_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the option --rules; by default the traditional rules."""
    return click.option(
        "--rules",
        type=RulesType(),
        default=TRADITIONAL.key,
        help=_("A rule set: {keys}, or a TOML file.").format(keys=", ".join(RULE_SET_KEYS)),
    )(command)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the option --json."""
    return click.option(
        "--json", "as_json", is_flag=True, help=_("Print JSON, as docs/json.md describes it.")
    )(command)


def is_terminal() -> bool:
    """Return whether a person reads the output at a terminal."""
    return sys.stdout.isatty()


def data_folder() -> Path:
    """Return the user's folder for data. It may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("yacht-dice", appauthor=False)


def cache_folder() -> Path:
    """Return the user's folder for tables that can be made again. It may not exist yet."""
    from platformdirs import user_cache_path

    return user_cache_path("yacht-dice", appauthor=False)
