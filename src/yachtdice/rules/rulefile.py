"""Rule sets as TOML text, for house rules in a file.

For example::

    key = "at-home"

    [categories]                  # in the order of the scorecard
    ones = { scorer = "face_sum", face = 1 }
    full_house = { scorer = "full_house", pays = "sum", five_alike = true }
    yacht = { scorer = "of_a_kind", count = 5, pays = 50 }

    [upper_bonus]                 # optional
    threshold = 63
    points = 35
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from yachtdice.rules.category import CATEGORIES
from yachtdice.rules.errors import RuleSetError, shown
from yachtdice.rules.ruleset import RuleSet, UpperBonus
from yachtdice.rules.scorers import SCORERS, Scorer

MAX_CHARACTERS = 20_000
"""The maximum length of a file, since `tomllib` takes very long for some long texts."""

_NAMES = {scorer: name for name, scorer in SCORERS.items()}
_BY_KEY = {category.value: category for category in CATEGORIES}


def parse_rules(text: str) -> RuleSet:
    """Return the rule set that TOML *text* describes.

    Raises:
        RuleSetError: If it is not TOML or not a rule set. The error names the wrong entry.
    """
    if len(text) > MAX_CHARACTERS:
        phrase = "at most {most} characters"
        raise RuleSetError("TOML", f"{len(text)} characters", phrase, most=MAX_CHARACTERS)
    # Editors of some systems begin a file with a byte order mark.
    text = text.removeprefix("\ufeff")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = _place(str(error), text)
        raise RuleSetError("TOML", str(error), "a file in TOML 1.0", **place) from None
    _check_keys("", data, {"key", "rolls", "categories", "upper_bonus"}, {"key", "categories"})
    categories = _table("categories", data["categories"])
    _check_keys("categories.", categories, set(_BY_KEY), set())
    scorers = {
        _BY_KEY[key]: _parse_scorer(f"categories.{key}", entry) for key, entry in categories.items()
    }
    bonus = data.get("upper_bonus")
    return RuleSet(
        data["key"],
        scorers,
        data.get("rolls", RuleSet.rolls),
        None if bonus is None else _build("upper_bonus", UpperBonus, _table("upper_bonus", bonus)),
    )


def format_rules(rules: RuleSet) -> str:
    """Return *rules* as TOML text, which `parse_rules` reads back as the same rule set."""
    lines = [f'key = "{rules.key}"']
    if rules.rolls != RuleSet.rolls:
        lines.append(f"rolls = {rules.rolls}")
    lines += ["", "[categories]"]
    for category, scorer in rules.scorers.items():
        entries = [f'scorer = "{_NAMES[type(scorer)]}"']
        entries += [
            f"{field.name} = {_toml(value)}"
            for field in fields(scorer)
            if (value := getattr(scorer, field.name)) != field.default
        ]
        lines.append(f"{category.value} = {{ {', '.join(entries)} }}")
    if rules.upper_bonus:
        bonus = rules.upper_bonus
        lines += ["", "[upper_bonus]", f"threshold = {bonus.threshold}", f"points = {bonus.points}"]
    return "\n".join(lines) + "\n"


def _place(message: str, text: str) -> dict[str, int]:
    """Return the line and column that *message* of `tomllib` names, if it names any."""
    found = re.search(r"\(at line (\d+), column (\d+)\)$", message)
    if found:
        return {"line": int(found[1]), "column": int(found[2])}
    if message.endswith("(at end of document)"):
        before, _, last = text.rpartition("\n")
        return {"line": text.count("\n") + 1, "column": len(last) + 1} if before or last else {}
    return {}


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _parse_scorer(path: str, entry: object) -> Scorer:
    table = dict(_table(path, entry))
    name = table.pop("scorer", None)
    scorer = SCORERS.get(name) if isinstance(name, str) else None
    if scorer is None:
        raise RuleSetError(f"{path}.scorer", name, "{keys}", keys=", ".join(SCORERS))
    built: Scorer = _build(path, scorer, table)
    return built


def _build(path: str, kind: type[Any], table: Mapping[str, object]) -> Any:  # noqa: ANN401 - an instance of kind
    """Make an instance of the dataclass *kind* from *table*; errors name the full *path*."""
    allowed: tuple[Field[Any], ...] = fields(kind)
    required = {field.name for field in allowed if field.default is MISSING}
    _check_keys(f"{path}.", table, {field.name for field in allowed}, required)
    try:
        return kind(**table)
    except RuleSetError as error:
        raise RuleSetError(
            f"{path}.{error.key}", error.found, error.phrase, **error.values
        ) from None


def _table(path: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise RuleSetError(path, value, "a table")
    return value


def _check_keys(
    path: str, table: Mapping[str, object], allowed: set[str], required: set[str]
) -> None:
    for key in table:
        if key not in allowed:
            # A key in quotes can hold anything, even line breaks.
            name = key if re.fullmatch(r"[\w-]{1,40}", key, re.ASCII) else shown(key)
            names = " | ".join(sorted(allowed))
            raise RuleSetError(f"{path}{name}", table[key], "{keys}", keys=f"{path}({names})")
    for key in sorted(required - set(table)):
        raise RuleSetError(f"{path}{key}", None, "an entry of this name, which is missing")
