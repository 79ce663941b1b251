"""No module imports another that, in the end, imports it: neither when loaded nor when run."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCE.rglob("*.py")
}


class Imports(ast.NodeVisitor):
    """All imports of a module, those inside functions too; not those for type checkers alone."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_Import(self, node: ast.Import) -> None:
        self.found.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert not node.level, "imports are absolute"
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            self.found.add(submodule if submodule in MODULES else str(node.module))

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)


def imports_of(text: str) -> set[str]:
    visitor = Imports()
    visitor.visit(ast.parse(text))
    return visitor.found


def graph() -> Iterator[tuple[str, set[str]]]:
    for name, path in MODULES.items():
        yield name, imports_of(path.read_text("utf-8")) & MODULES.keys()


def test_imports_in_functions_count_and_those_for_type_checkers_do_not() -> None:
    text = """
from typing import TYPE_CHECKING
import yachtdice.bots
if TYPE_CHECKING:
    import yachtdice.cli
def later():
    from yachtdice.i18n import gettext, numbers
"""
    own = {name for name in imports_of(text) if name in MODULES}
    assert own == {"yachtdice.bots", "yachtdice.i18n", "yachtdice.i18n.numbers"}


def test_there_is_no_import_circle() -> None:
    try:
        TopologicalSorter(dict(graph())).prepare()
    except CycleError as error:
        raise AssertionError(" imports\n".join(reversed(error.args[1]))) from None
