"""The examples in docstrings and pages work."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)
PAGES = [
    path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if "\n>>>" in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_in_a_module(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_on_a_page(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0
