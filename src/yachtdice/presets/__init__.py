"""The rule sets that come with the package: the two published ones, and house rules as TOML."""

from __future__ import annotations

from functools import cache

from yachtdice.rules import ALL_DICE, TRADITIONAL, RuleSet, RuleSetError, parse_rules

__all__ = ["RULE_SET_KEYS", "find_rules", "load_rules"]

_PUBLISHED = {rules.key: rules for rules in (TRADITIONAL, ALL_DICE)}
_FILES = ("console", "knizia")

RULE_SET_KEYS: tuple[str, ...] = (*_PUBLISHED, *_FILES)
"""The keys of all rule sets that `find_rules` knows, the published ones first."""


@cache
def find_rules(key: str) -> RuleSet:
    """Return the rule set that comes with the package as *key*.

    >>> find_rules("console").upper_bonus
    UpperBonus(threshold=63, points=35)

    Raises:
        RuleSetError: If none has this key.
    """
    if key in _PUBLISHED:
        return _PUBLISHED[key]
    if key in _FILES:
        from importlib.resources import files  # noqa: PLC0415 - a quarter of `import yachtdice`

        return parse_rules((files(__name__) / f"{key}.toml").read_text(encoding="utf-8"))
    raise RuleSetError("rules", key, "{keys}", keys=", ".join(RULE_SET_KEYS))


def load_rules(text: str) -> RuleSet:
    """Return the rule set that TOML *text* describes, as `parse_rules` reads it.

    Raises:
        RuleSetError: If it is not a rule set, or has the key of a different one that comes with
            the package.
    """
    rules = parse_rules(text)
    if rules.key in RULE_SET_KEYS and rules != find_rules(rules.key):
        raise RuleSetError("key", rules.key, "a key that no built-in rule set has")
    return rules
