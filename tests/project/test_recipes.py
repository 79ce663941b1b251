"""The recipes name every file that a task changes, and house rules are described in full."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from yachtdice.presets import RULE_SET_KEYS
from yachtdice.rules import CATEGORIES, UpperBonus, parse_rules
from yachtdice.rules.scorers import SCORERS

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/yachtdice"
DATA = {
    # Not part of a recipe: rule sets that use a scorer, and an example in a docstring.
    "src/yachtdice/rules/ruleset.py",
    "src/yachtdice/solver/target.py",
}


def named_in(recipe: str) -> set[str]:
    """Return the files that the numbered steps of *recipe* name."""
    text = (ROOT / "docs/recipes.md").read_text("utf-8")
    section = text.partition(f"## {recipe}\n")[2].partition("\n## ")[0]
    assert section, recipe
    return set(re.findall(r"^\d\. `(src/\S+)`", section, re.MULTILINE))


def files_with(word: str, *, whole: bool = True) -> set[str]:
    """Return the modules, templates and data that mention *word*."""
    pattern = re.compile(rf"\b{word}\b" if whole else word)
    return {
        str(path.relative_to(ROOT))
        for path in SOURCE.rglob("*")
        if path.suffix in {".py", ".html", ".json"} and pattern.search(path.read_text("utf-8"))
    }


@pytest.mark.parametrize("scorer", ["OfAKind", "FullHouse"])
def test_a_scorer_is_in_the_files_of_its_recipe(scorer: str) -> None:
    assert files_with(scorer) - DATA == named_in("Add a scorer")


@pytest.mark.parametrize("key", ["console", "knizia"])
def test_a_rule_set_is_in_the_files_of_its_recipe(key: str) -> None:
    named = {name.replace("*", key) for name in named_in("Add a rule set")}
    assert files_with(f'"{key}"', whole=False) | {f"src/yachtdice/presets/{key}.toml"} == named
    assert all((ROOT / name).is_file() for name in named)


def test_a_level_is_in_the_files_of_its_recipe() -> None:
    assert files_with('"novice"', whole=False) == named_in("Add a level of the computer")


@pytest.mark.parametrize(
    ("action", "event"), [("PlayOn", "SeatPlayedOn"), ("Remove", "SeatRemoved")]
)
def test_an_action_is_in_the_files_of_its_recipe(action: str, event: str) -> None:
    found = {name for name in files_with(action) | files_with(event) if name.endswith(".py")}
    # Mentioned in the docstring of `Tables`.
    found.discard("src/yachtdice/play/online/tables.py")
    assert found == named_in("Add an action and its event at a table")


def test_a_page_is_in_the_files_of_its_recipe() -> None:
    assert files_with("guides") == named_in("Add a page")


def test_the_files_of_the_architecture_are_there() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    steps = re.findall(r"^\d+\. (.*(?:\n   .*)*)", text, re.MULTILINE)
    assert 5 <= len(steps) <= 10
    named = {name for step in steps for name in re.findall(r"`([\w/]+\.(?:py|js|html))`", step)}
    assert len(named) > 8
    missing = {name for name in named if not (SOURCE / name).is_file()}
    assert missing == set()


def test_the_packages_of_the_architecture_are_all_there_are() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    named = set(re.findall(r"^\| `(\w+)` \|", text.partition("## Imports")[0], re.MULTILINE))
    there = {path.stem for path in SOURCE.iterdir() if path.suffix in {".py", ""}}
    assert named == there - {"__init__", "__main__", "__pycache__", "py"}


def test_no_module_names_a_language_of_the_catalogues() -> None:
    (catalogue,) = named_in("Add a language")
    assert list(ROOT.glob(catalogue))
    for language in ("pl", "pt_PT", "de", "es"):
        assert files_with(f'"{language}"', whole=False) == set()


def page() -> str:
    return (ROOT / "docs/house-rules.md").read_text("utf-8")


def test_the_example_of_house_rules_is_a_rule_set() -> None:
    found = re.search(r"```toml\n(.*?)```", page(), re.DOTALL)
    assert found
    rules = parse_rules(found[1])
    assert {type(scorer) for scorer in rules.scorers.values()} == set(SCORERS.values())
    assert rules.key not in RULE_SET_KEYS


@pytest.mark.parametrize("name", SCORERS)
def test_every_scorer_is_described_with_all_its_entries(name: str) -> None:
    found = re.search(rf"^\| `{name}` \| .* \|$", page(), re.MULTILINE)
    assert found
    described = set(re.findall(r"`(\w+)`", found[0].rpartition(" | ")[2]))
    assert {field.name for field in fields(SCORERS[name])} <= described


def test_every_box_and_the_bonus_are_described() -> None:
    assert all(f"`{category.value}`" in page() for category in CATEGORIES)
    assert all(f"`{field.name}`" in page() for field in fields(UpperBonus))
