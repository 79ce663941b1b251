"""Encoding events as JSON and decoding them, driven by the types of their fields.

What is written is independent of language: stable keys, numbers and what people typed. A kind whose
fields have to change gets a new name (`dice_rolled.2`), and the old one stays readable; so a store
of any age can be read, and one that is too new is rejected with the kind that is unknown. A field
may be renamed if `stored_as` keeps its key.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import Any, Generic, TypeVar

from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import (
    Category,
    CategoryScored,
    Dice,
    DiceHeld,
    DiceRolled,
    GameStarted,
    PlayerResigned,
    RuleSet,
    ScoreCorrected,
    TurnEntered,
    YachtError,
    format_rules,
    parse_rules,
)
from yachtdice.store.contract import Entry, StoreError

T = TypeVar("T")
_KEY = "stored_as"

GAME_KINDS: Mapping[str, type] = {
    "game_started": GameStarted,
    "dice_rolled": DiceRolled,
    "dice_held": DiceHeld,
    "category_scored": CategoryScored,
    "turn_entered": TurnEntered,
    "score_corrected": ScoreCorrected,
    "player_resigned": PlayerResigned,
}
"""The kinds of the engine's events."""


def stored_as(key: str, *, default: T) -> T:
    """Return a dataclass field with that default that is stored as *key*, whatever its name."""
    return field(default=default, metadata={_KEY: key})


class CodecError(StoreError, ValueError):
    """An entry that cannot be decoded: of an unknown kind, from a newer version, or damaged."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"event {kind!r:.80}: {why}")
        self.kind = kind
        self.why = why


_Write = Callable[[Any], Any]
_Read = Callable[[Any], Any]


class Codec(Generic[T]):
    """Encodes and decodes events of the given kinds."""

    def __init__(self, kinds: Mapping[str, type]) -> None:
        self._by_type = {kind_type: kind for kind, kind_type in kinds.items()}
        self._fields = {kind: _fields(kind_type) for kind, kind_type in kinds.items()}
        self._types = dict(kinds)

    @property
    def kinds(self) -> AbstractSet[str]:
        """The kinds that it knows."""
        return self._types.keys()

    def encode(self, event: T) -> Entry:
        """Return *event* as an entry, without fields that have their default value.

        Raises:
            KeyError: If the codec has no kind for it.
        """
        kind = self._by_type[type(event)]
        data = {}
        for spec in self._fields[kind]:
            value = getattr(event, spec.name)
            if value != spec.default:
                data[spec.key] = spec.write(value)
        return Entry(kind, data)

    def decode(self, entry_kind: str, data: Mapping[str, Any]) -> T:
        """Return the event of that kind with the fields in *data*.

        Raises:
            CodecError: If the kind is unknown, or *data* does not match its fields.
        """
        if entry_kind not in self._types:
            raise CodecError(entry_kind, "unknown; it may come from a newer version")
        specs = self._fields[entry_kind]
        unknown = set(data) - {spec.key for spec in specs}
        if unknown:
            raise CodecError(entry_kind, f"unknown field {min(unknown)!r:.40}")
        values = {}
        for spec in specs:
            if spec.key in data:
                try:
                    values[spec.name] = spec.read(data[spec.key])
                except (ValueError, TypeError, KeyError, YachtError) as error:
                    raise CodecError(entry_kind, f"{spec.key}: {error}") from error
            elif spec.default is MISSING:
                raise CodecError(entry_kind, f"{spec.key} is missing")
        event: T = self._types[entry_kind](**values)
        return event


@dataclass(frozen=True, slots=True)
class _Spec:
    """How one field is stored."""

    name: str
    key: str
    default: Any
    write: _Write
    read: _Read


def _fields(kind: type) -> list[_Spec]:
    # The engine imports these for type checkers alone.
    names = {"Category": Category, "Dice": Dice, "RuleSet": RuleSet}
    hints = typing.get_type_hints(kind, localns=names)
    return [
        _Spec(f.name, f.metadata.get(_KEY, f.name), f.default, *_pair(hints[f.name]))
        for f in fields(kind)
    ]


def _pair(hint: Any) -> tuple[_Write, _Read]:  # noqa: ANN401 - any annotation
    """Return functions that write and read a value of that type."""
    if hint in _PAIRS:
        return _PAIRS[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in {types.UnionType, typing.Union} and args[1:] == (type(None),):
        write, read = _pair(args[0])
        return (
            lambda value: None if value is None else write(value),
            lambda value: None if value is None else read(value),
        )
    if origin is tuple and args[1:] == (...,):
        write, read = _pair(args[0])
        return (
            lambda value: [write(part) for part in value],
            lambda value: tuple(read(part) for part in _exactly(list, value)),
        )
    if isinstance(hint, type) and issubclass(hint, Enum):
        return (lambda value: value.value), hint
    raise TypeError(hint)


def _exactly(kind: type, value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    # `type() is`: a bool is not an int here.
    if type(value) is not kind:
        raise TypeError(f"{value!r:.40} is not of type {kind.__name__}")
    return value


def _write_rules(rules: RuleSet) -> Any:  # noqa: ANN401 - JSON
    if rules.key in RULE_SET_KEYS and rules == find_rules(rules.key):
        return {"key": rules.key, "fingerprint": rules.fingerprint[:16]}
    return {"toml": format_rules(rules)}


def _read_rules(data: Any) -> RuleSet:  # noqa: ANN401 - JSON
    match _exactly(dict, data):
        case {"key": str(key), "fingerprint": str(fingerprint)} if len(data) == 2:  # noqa: PLR2004
            rules = find_rules(key)
            if rules.fingerprint[:16] != fingerprint:
                raise ValueError(f"the rule set {key} is not the one that was played")
            return rules
        case {"toml": str(text)} if len(data) == 1:
            return parse_rules(text)
    raise ValueError(f"{data!r:.60} is no rule set")


def _simple(kind: type) -> tuple[_Write, _Read]:
    return (lambda value: value), (lambda value: _exactly(kind, value))


_PAIRS: dict[Any, tuple[_Write, _Read]] = {
    int: _simple(int),
    str: _simple(str),
    bool: _simple(bool),
    Dice: (
        lambda dice: list(dice.faces),
        lambda data: Dice(_exactly(int, face) for face in _exactly(list, data)),
    ),
    RuleSet: (_write_rules, _read_rules),
}
