"""`make docs` builds pages that ask nobody but their own server for anything."""

import re
import sys
from pathlib import Path

import pytest

from tests import processes

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.system

# What a browser loads by itself, unlike the address of a link.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object|input)\b[^>]*?\s(?:src|srcset|data)=["']?
        (?P<source>[^"'\s>]+)
      | <link\b[^>]*?\shref=["']?(?P<link>[^"'\s>]+)
      | (?:url\(|@import\s)["']?(?P<style>[^"')\s]+)""",
    re.VERBOSE | re.IGNORECASE,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a build; a warning would have failed it."""
    folder = tmp_path_factory.mktemp("docs")
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    processes.run([*sphinx, ROOT / "docs", folder], check=True)
    return folder


def test_pages_load_nothing_from_elsewhere(built: Path) -> None:
    files = [*built.rglob("*.html"), *built.rglob("*.css")]
    loaded = [
        (path.name, match.lastgroup, match[match.lastgroup or 0])
        for path in files
        for match in LOADED.finditer(path.read_text("utf-8"))
    ]
    assert {kind for _, kind, _ in loaded} == {"source", "link", "style"}  # all are found
    away = re.compile(r"(?!data:)\w+:|//")
    assert [found for found in loaded if away.match(found[2])] == []


def test_scripts_load_nothing_from_elsewhere(built: Path) -> None:
    for path in built.rglob("*.js"):
        text = path.read_text("utf-8")
        assert not re.search(r"""(?:fetch|import|importScripts)\s*\(\s*["'`](?:https?:)?//""", text)


@pytest.mark.parametrize("name", ["Position", "RuleSet", "parse_position", "SoloSolution"])
def test_the_reference_describes_the_library(built: Path, name: str) -> None:
    pages = "".join(path.read_text("utf-8") for path in built.glob("reference/*.html"))
    assert re.search(rf'id="yachtdice[\w.]*\.{name}"', pages)


def test_every_page_is_built(built: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in ROOT.glob("docs/**/*.md")}
    html = {path.relative_to(built).with_suffix("") for path in built.rglob("*.html")}
    assert pages <= html
