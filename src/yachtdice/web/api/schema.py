"""Shapes of JSON values: each checks a value and describes itself for OpenAPI 3.1."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol


class InvalidError(ValueError):
    """A value does not have the expected shape; `path` says where, as in `people[1].name`."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path or 'the body'}: {why}")
        self.path = path
        self.why = why


class MalformedError(ValueError):
    """Bytes that are not JSON in UTF-8."""


class Shape(Protocol):
    """What a JSON value may be."""

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401 - any JSON in, any Python out
        """Return *value* as Python values.

        Raises:
            InvalidError: If it does not have this shape.
        """
        ...

    def describe(self) -> dict[str, Any]:
        """Return a JSON Schema that accepts exactly what `check` accepts."""
        ...


def parse_json(body: bytes) -> Any:  # noqa: ANN401 - whatever it is
    """Return the value of *body*, JSON in UTF-8.

    Raises:
        MalformedError: If it is not JSON, is nested too deeply, or has an invalid number.
    """
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise MalformedError("nested too deep") from None
    except ValueError as error:  # also for a number with more digits than Python reads
        raise MalformedError(str(error)[:100]) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _is_whole(value: object) -> bool:
    # In JSON Schema 3.0 is an integer, and a boolean is not.
    if type(value) is float:
        return value.is_integer()
    return type(value) is int


def _shown(value: object) -> str:
    return f"{value!r:.40}"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds, both included."""

    low: int
    high: int
    note: str = ""

    def check(self, value: Any, path: str) -> int:  # noqa: ANN401
        """Return the number."""
        if not _is_whole(value) or not self.low <= value <= self.high:
            raise InvalidError(path, f"a whole number from {self.low} to {self.high} is expected")
        return int(value)

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        bounds = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return _noted(bounds, self.note)


@dataclass(frozen=True, slots=True)
class Share:
    """A number from 0 to 1, both included."""

    note: str = ""

    def check(self, value: Any, path: str) -> float:  # noqa: ANN401
        """Return the number."""
        if type(value) not in {int, float} or not 0 <= value <= 1:
            raise InvalidError(path, "a number from 0 to 1 is expected")
        return float(value)

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return _noted({"type": "number", "minimum": 0, "maximum": 1}, self.note)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    note: str = ""

    def check(self, value: Any, path: str) -> bool:  # noqa: ANN401
        """Return the flag."""
        if type(value) is not bool:
            raise InvalidError(path, "true or false is expected")
        return value

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return _noted({"type": "boolean"}, self.note)


@dataclass(frozen=True, slots=True)
class Text:
    """Text of limited length that matches a pattern as a whole."""

    minimum: int = 0
    maximum: int = 10_000
    pattern: str = ""
    note: str = ""

    def check(self, value: Any, path: str) -> str:  # noqa: ANN401
        """Return the text."""
        if not isinstance(value, str) or not self.minimum <= len(value) <= self.maximum:
            raise InvalidError(
                path, f"text of {self.minimum} to {self.maximum} characters is expected"
            )
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise InvalidError(path, f"text like {self.pattern} is expected")
        return value

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        schema: dict[str, Any] = {
            "type": "string",
            "minLength": self.minimum,
            "maxLength": self.maximum,
        }
        if self.pattern:
            schema["pattern"] = f"^{self.pattern}$"
        return _noted(schema, self.note)


@dataclass(frozen=True, slots=True)
class Word:
    """One of several words, each of which stands for a value."""

    words: Mapping[str, Any]
    note: str = ""

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the value that the word stands for."""
        if not isinstance(value, str) or value not in self.words:
            raise InvalidError(path, f"one of {', '.join(self.words)} is expected")
        return self.words[value]

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return _noted({"type": "string", "enum": list(self.words)}, self.note)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of limited length, passed to *make*."""

    item: Shape
    minimum: int
    maximum: int
    make: Callable[[Sequence[Any]], Any] = tuple
    note: str = ""

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the result of *make* for the items."""
        if not isinstance(value, list) or not self.minimum <= len(value) <= self.maximum:
            raise InvalidError(path, f"a list of {self.minimum} to {self.maximum} is expected")
        return self.make([self.item.check(v, f"{path}[{i}]") for i, v in enumerate(value)])

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        schema = {
            "type": "array",
            "items": self.item.describe(),
            "minItems": self.minimum,
            "maxItems": self.maximum,
        }
        return _noted(schema, self.note)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or null."""

    shape: Shape
    note: str = ""

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the value or None."""
        return None if value is None else self.shape.check(value, path)

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return _noted({"anyOf": [self.shape.describe(), {"type": "null"}]}, self.note)


@dataclass(frozen=True, slots=True)
class Ref:
    """A shape that has a name in the description."""

    name: str
    shape: Shape

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the result of the shape."""
        return self.shape.check(value, path)

    def describe(self) -> dict[str, Any]:
        """Return a reference; the shape itself is one of the `components`."""
        return {"$ref": f"#/components/schemas/{self.name}"}


@dataclass(frozen=True, slots=True)
class Keyed:
    """An object with some of the given keys and no others, whose values have one shape."""

    keys: Sequence[str]
    value: Shape
    note: str = ""

    def check(self, value: Any, path: str) -> dict[str, Any]:  # noqa: ANN401
        """Return the object."""
        if not isinstance(value, dict) or not set(value) <= set(self.keys):
            raise InvalidError(path, f"an object with keys of {', '.join(self.keys)} is expected")
        return {key: self.value.check(v, f"{path}.{key}") for key, v in value.items()}

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        schema = {
            "type": "object",
            "properties": dict.fromkeys(self.keys, self.value.describe()),
            "additionalProperties": False,
        }
        return _noted(schema, self.note)


_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object, required unless it has a default."""

    shape: Shape
    default: Any = _REQUIRED

    @property
    def is_required(self) -> bool:
        """Whether it is required."""
        return self.default is _REQUIRED


@dataclass(frozen=True, slots=True)
class Record:
    """An object with the given fields and no others, passed to *make* as keyword arguments."""

    fields: Mapping[str, Field]
    make: Callable[..., Any] = dict
    note: str = ""
    kind: str = ""
    """For one of several objects: the value of its field `do`, by which they are told apart."""
    shown_defaults: Mapping[str, Any] = field(default_factory=dict)
    """The defaults as JSON, for the description."""

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the result of *make* for the fields."""
        if not isinstance(value, dict):
            raise InvalidError(path, "an object is expected")
        prefix = f"{path}." if path else ""
        values = {}
        for name, part in self.fields.items():
            if name in value:
                values[name] = part.shape.check(value[name], prefix + name)
            elif part.is_required:
                raise InvalidError(prefix + name, "is missing")
            else:
                values[name] = part.default
        expected = len(self.fields.keys() & value.keys()) + (
            1 if self.kind and "do" in value else 0
        )
        if expected != len(value):
            extra = min(set(value) - set(self.fields))
            raise InvalidError(f"{prefix}{extra[:40]!a}", "is not known")
        return self.make(**values)

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        properties: dict[str, Any] = {"do": {"const": self.kind}} if self.kind else {}
        for name, part in self.fields.items():
            properties[name] = part.shape.describe()
            if name in self.shown_defaults:
                properties[name] = {**properties[name], "default": self.shown_defaults[name]}
        required = ["do"] if self.kind else []
        required += [name for name, part in self.fields.items() if part.is_required]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        if required:
            schema["required"] = required
        return _noted(schema, self.note)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several objects, told apart by their field `do`."""

    options: Mapping[str, Record]

    def check(self, value: Any, path: str) -> Any:  # noqa: ANN401
        """Return the result of the option."""
        kind = value.get("do") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in self.options:
            raise InvalidError(f"{path}.do", f"one of {', '.join(self.options)} is expected")
        return self.options[kind].check(value, path)

    def describe(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"oneOf": [option.describe() for option in self.options.values()]}


def components(shapes: Sequence[Shape]) -> dict[str, Any]:
    """Return the JSON Schemas of all named shapes in *shapes*, by name."""
    schemas: dict[str, Any] = {}
    queue: list[Any] = list(shapes)
    while queue:
        shape = queue.pop()
        match shape:
            case Ref(name, inner):
                if name not in schemas:
                    schemas[name] = inner.describe()
                    queue.append(inner)
            case Listed(item=inner) | Maybe(shape=inner) | Keyed(value=inner):
                queue.append(inner)
            case Record(fields=fields):
                queue.extend(part.shape for part in fields.values())
            case OneOf(options=options):
                queue.extend(options.values())
            case _:
                pass  # nothing inside
    return dict(sorted(schemas.items()))


def _noted(schema: dict[str, Any], note: str) -> dict[str, Any]:
    return {**schema, "description": note} if note else schema
