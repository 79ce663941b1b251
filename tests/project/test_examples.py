"""The examples in docstrings and pages work."""

import ast
import doctest
import importlib
import inspect
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
    """Those below a variable too, which `doctest` itself does not look at."""
    module = importlib.import_module(name)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Expr(ast.Constant(str(text))) if ">>>" in text:
                found = parser.get_doctest(
                    inspect.cleandoc(text), dict(vars(module)), name, None, node.lineno
                )
                assert runner.run(found).failed == 0
    assert runner.summarize().attempted > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_on_a_page(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0
