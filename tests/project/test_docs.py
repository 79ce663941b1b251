"""What the documentation points at exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")])


def anchors(page: Path) -> set[str]:
    """Return the fragments that the headings of *page* can be reached by."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def dead_links(page: Path) -> Iterator[str]:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, fragment = target.partition("#")
        if re.match(r"\w+:", target):
            continue  # elsewhere on the net
        linked = page.parent / path if path else page
        if not linked.exists() or (fragment and fragment not in anchors(linked)):
            yield target


def missing_paths(page: Path) -> Iterator[str]:
    """Yield what stands in backquotes, looks like a path of this project and leads nowhere.

    A bare `friends.toml` may be the reader's own file, so that only pages and modules are held to
    exist without a folder. Modules may be named from within the package.
    """
    bases = (ROOT, ROOT / "src/yachtdice", page.parent)
    for path in re.findall(r"`(\.?\w[\w./-]*)`", page.read_text("utf-8")):
        top, slash, _ = path.partition("/")
        if top == ".venv":
            continue  # made by make
        is_path = (slash and (ROOT / top).exists()) or Path(path).suffix in {".md", ".py"}
        if is_path and not any((base / path).exists() for base in bases):
            yield path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    assert [*dead_links(page), *missing_paths(page)] == []
