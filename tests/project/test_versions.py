"""The versions of Python that pyproject.toml claims are those that are checked."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import processes

ROOT = Path(__file__).resolve().parents[2]
CLASSIFIERS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
VERSIONS = [
    name.rpartition(" ")[2]
    for name in CLASSIFIERS
    if name.startswith("Programming Language :: Python :: 3.")
]


def test_ci_looks_for_each() -> None:
    assert f"for version in {' '.join(VERSIONS)};" in (ROOT / ".ci/run").read_text("utf-8")


def test_the_types_of_the_newest_are_checked() -> None:
    assert f"/mypy --python-version {VERSIONS[-1]} " in (ROOT / "Makefile").read_text("utf-8")


def mypy(version: str, file: Path) -> subprocess.CompletedProcess[str]:
    """Return what mypy says of *file*."""
    options = ["--config-file=", f"--python-version={version}", f"--cache-dir={file.parent}"]
    return processes.run(
        [sys.executable, "-m", "mypy", *options, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.system
@pytest.mark.parametrize(
    "line",
    ["import asyncore", "from ast import Num", "import pkgutil; pkgutil.find_loader('x')"],
)
def test_what_was_removed_is_found(tmp_path: Path, line: str) -> None:
    file = tmp_path / "planted.py"
    file.write_text(f"{line}\n", "utf-8")
    assert mypy(VERSIONS[0], file).returncode == 0
    assert mypy(VERSIONS[-1], file).returncode == 1
