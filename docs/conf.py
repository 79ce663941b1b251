"""How Sphinx builds the documentation: `make docs`."""

import importlib.metadata
import re

from sphinx.application import Sphinx

project = "Yacht"
author = "The yacht-dice authors"
version = release = importlib.metadata.version("yacht-dice")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["screenshots"]

# `code` in a docstring, as Markdown has it, is code.
default_role = "code"
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"no-value": True}
napoleon_use_ivar = True
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = f"Yacht {version}"
# A page asks nobody but its own server for anything, and says nothing of who made it.
html_show_sphinx = False
html_copy_source = False

# Pages that are kept elsewhere, for readers of the repository, and included here.
_ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "deploy/README.md": "deployment.md",
}


def _link_here(text: str) -> str:
    """Return *text* with its links to pages of the repository as links to pages of `docs`."""
    for path, page in _ELSEWHERE.items():
        text = text.replace(f"](../{path}", f"]({page}").replace(f"]({path}", f"]({page}")
    return re.sub(r"\]\((?:\.\./)?docs/", "](", text)


def _read_page(_app: Sphinx, _name: str, content: list[str]) -> None:
    content[0] = _link_here(content[0])


def _read_included(_app: Sphinx, _path: object, _name: str, content: list[str]) -> None:
    content[0] = _link_here(content[0])


def setup(app: Sphinx) -> None:
    """Register what changes pages while they are read."""
    app.connect("source-read", _read_page)
    app.connect("include-read", _read_included)
