"""The project keeps its own promises: versions, locks, targets, and what an import costs."""

import importlib.metadata
import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import yachtdice
from tests import processes
from tools.locked import canonical, direct, locked

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS: list[str] = list(PYPROJECT["project"]["optional-dependencies"])
GROUPS: list[str] = list(PYPROJECT["dependency-groups"])


def docs() -> str:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return "\n".join(page.read_text("utf-8") for page in pages)


def test_the_version_is_the_same_everywhere() -> None:
    version = PYPROJECT["project"]["version"]
    assert importlib.metadata.version("yacht-dice") == version
    assert yachtdice.__version__ == version


def test_the_oldest_python_is_the_same_everywhere() -> None:
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"version_info < ({oldest.replace('.', ', ')})" in makefile
    assert f"--python-version {oldest} " in makefile


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_documented(extra: str) -> None:
    assert f"`{extra}`" in docs()


@pytest.mark.parametrize("part", ["base", *EXTRAS, *GROUPS])
def test_every_dependency_is_locked_with_a_hash(part: str) -> None:
    pins = [pin for pin in re.split(r"^(?=\w)", locked([part]), flags=re.MULTILINE) if pin]
    assert pins
    for pin in pins:
        assert re.match(r"[\w.-]+==\S+", pin)
        assert "--hash=sha256:" in pin


def test_the_lock_names_no_host() -> None:
    lock = (ROOT / "constraints.txt").read_text("utf-8")
    assert not re.search(r"://|index-url|find-links|trusted-host|file:", lock)


def test_the_contract_names_every_dependency() -> None:
    contract = PYPROJECT["tool"]["importlinter"]["contracts"][-1]
    wanted = set(direct(["base", "all"]))
    modules = {
        module
        for module, distributions in importlib.metadata.packages_distributions().items()
        if {canonical(name) for name in distributions} & wanted and not module.startswith("_")
    }
    assert set(contract["forbidden_modules"]) == modules


def test_every_make_target_is_documented() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    targets = set(phony[1].split())
    assert targets == set(re.findall(r"^([a-z-]+):.* ## ", makefile, re.MULTILINE))
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert targets == set(re.findall(r"^\| `make ([\w-]+)` \|", contributing, re.MULTILINE))


def test_ci_can_be_run() -> None:
    assert os.access(ROOT / ".ci/run", os.X_OK)


def imported_by(*modules: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter loads for *modules*."""
    script = (
        "import json, sys; before = set(sys.modules)\n"
        f"import {', '.join(modules)}\n"
        "print(json.dumps([*(set(sys.modules) - before)]))"
    )
    run = processes.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in json.loads(run.stdout)}


def test_the_core_needs_the_standard_library_alone() -> None:
    core = PYPROJECT["tool"]["importlinter"]["contracts"][-1]["source_modules"]
    assert imported_by("yachtdice", *core) - sys.stdlib_module_names == {"yachtdice"}
