"""Templates and style sheets agree on the names of classes."""

import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "src/yachtdice/web"
WITHOUT_STYLE = {"back", "bonus", "comes-back", "count", "page", "sum", "verb"}
"""Classes that only say what an element is."""


def used() -> set[str]:
    """Return the classes in templates, but for those that are put together from values."""
    found = set()
    for template in WEB.glob("templates/*.html"):
        for value in re.findall(r'class="([^"]*)"', template.read_text("utf-8")):
            text = re.sub(r"\w*\{\{.*?\}\}", "", value)
            found |= set(re.sub(r"\{%.*?%\}", " ", text).split())
    return found


def styled() -> set[str]:
    files = [*WEB.glob("static/*.css"), *WEB.glob("static/*.js")]
    text = "".join(file.read_text("utf-8") for file in files)
    return set(re.findall(r"\.([A-Za-z_][\w-]*)", text))


def test_every_class_in_a_template_has_a_style() -> None:
    assert len(used()) > 50
    assert used() - styled() == WITHOUT_STYLE
