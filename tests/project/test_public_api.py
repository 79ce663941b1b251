"""What is public is said once: the page, the reference and the snapshot agree with the code."""

import enum
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef, get_origin

import pytest

import yachtdice
import yachtdice.notation
import yachtdice.presets

DOCS = Path(__file__).resolve().parents[2] / "docs"
CORE = ("yachtdice", "yachtdice.presets", "yachtdice.notation", "yachtdice.dice_source")
MODULES = (*CORE, "yachtdice.solver")

Golden = Callable[[str, str], None]


def public(module: ModuleType) -> dict[str, Any]:
    return {name: getattr(module, name) for name in sorted(module.__all__)}


def annotation(value: object) -> str:
    if isinstance(value, ForwardRef):
        return value.__forward_arg__
    return value if isinstance(value, str) else inspect.formatannotation(value)


def signature(function: Callable[..., object]) -> str:
    """Return the signature of *function* as every version of Python writes it."""
    found = inspect.signature(function)
    words = []
    kind = None
    for parameter in found.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and kind is not parameter.KEYWORD_ONLY:
            words.append("*")
        kind = parameter.kind
        word = parameter.name
        if parameter.annotation is not parameter.empty:
            word += f": {annotation(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            shown = repr(parameter.default)
            word += " = ..." if len(shown) > 30 or " at 0x" in shown else f" = {shown}"
        words.append(word)
    returns = found.return_annotation
    end = "" if returns in (found.empty, None, "None") else f" -> {annotation(returns)}"
    return f"({', '.join(words)}){end}"


def members(kind: type) -> Iterator[str]:
    if issubclass(kind, enum.Enum):
        yield from (f"    {member.name}" for member in kind)
    for name in sorted(vars(kind)):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(kind, name)
        if isinstance(member, property):
            returns = inspect.signature(member.fget).return_annotation  # type: ignore[arg-type]
            yield f"    {name}: {annotation(returns)}"
        elif isinstance(member, cached_property):
            yield f"    {name}: {annotation(inspect.signature(member.func).return_annotation)}"
        elif isinstance(member, (classmethod, staticmethod)):
            yield f"    @{type(member).__name__} {name}{signature(member.__func__)}"
        elif inspect.isfunction(member):
            yield f"    {name}{signature(member)}"


def described(name: str, value: object) -> Iterator[str]:
    if get_origin(value) is not None:
        yield f"{name}: a type"
    elif inspect.isclass(value):
        bases = [base.__name__ for base in value.__bases__ if base is not object]
        head = f"class {name}" + (f"({', '.join(bases)})" if bases else "")
        is_plain = issubclass(value, enum.Enum) or getattr(value, "_is_protocol", False)
        makers = [m for m in (value.__init__, value.__new__) if inspect.isfunction(m)]
        yield head if is_plain or not makers else f"{head}: {signature(makers[0])}"
        yield from members(value)
    elif callable(value) and hasattr(value, "__name__"):
        yield f"{name}{signature(value)}"
    else:
        yield f"{name}: {type(value).__name__}"


def test_public_names_and_signatures_change_on_purpose_alone(golden: Golden) -> None:
    lines = []
    for name in MODULES:
        lines += [f"# {name}", ""]
        for item, value in public(importlib.import_module(name)).items():
            lines += described(item, value)
        lines.append("")
    golden("public-api.txt", "\n".join(lines))


@pytest.mark.parametrize("name", MODULES)
def test_public_names_stand_once_and_can_be_imported(name: str) -> None:
    module = importlib.import_module(name)
    assert len(module.__all__) == len({*module.__all__})
    assert all(hasattr(module, item) for item in module.__all__)


def test_the_page_names_everything_that_is_public() -> None:
    page = (DOCS / "library.md").read_text("utf-8")
    for name in CORE:
        missing = {*importlib.import_module(name).__all__} - {*re.findall(r"`(\w+)`", page)}
        assert not missing
    assert all(f"`{name}`" in page for name in MODULES)


@pytest.mark.parametrize("page", ["rules", "presets", "notation"])
def test_the_reference_describes_everything_that_is_public(page: str) -> None:
    modules = {"rules": yachtdice.rules, "presets": yachtdice.presets}
    wanted = {*modules.get(page, yachtdice.notation).__all__}
    text = (DOCS / "reference" / f"{page}.md").read_text("utf-8")
    listed = re.findall(r":members: (.+)", text)
    described = {name for names in listed for name in names.split(", ")}
    described |= {path.rpartition(".")[2] for path in re.findall(r"autoclass:: (\S+)", text)}
    assert described == wanted


def fields(kind: type) -> set[str]:
    """Return the public attributes of *kind* that are neither methods nor properties."""
    own = {name for name in inspect.get_annotations(kind) if not name.startswith("_")}
    return own - {name for name, member in vars(kind).items() if isinstance(member, property)}


@pytest.mark.parametrize(
    "kind",
    [
        value
        for name in CORE
        for value in public(importlib.import_module(name)).values()
        if inspect.isclass(value) and not issubclass(value, Exception)
    ],
    ids=lambda kind: kind.__name__,
)
def test_help_describes_every_attribute(kind: type) -> None:
    text = inspect.getdoc(kind) or ""
    assert text
    _before, _heading, attributes = text.partition("Attributes:\n")
    assert {*re.findall(r"^    (\w+): \S", attributes, re.MULTILINE)} == fields(kind)
