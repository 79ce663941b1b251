"""Print the part of constraints.txt that the named parts of pyproject.toml need.

pip checks hashes only when *every* package it installs is pinned with one, and it takes those
pins from a requirements file, not from a constraints file. A part is `base`, an extra or a
dependency group. What needs what is read from the "# via" comments of the lock itself, so that a
line left out makes pip fail rather than install something unchecked.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def canonical(requirement: str) -> str:
    """Return the normalised name of the package that *requirement* asks for."""
    name = re.match(r"[\w.-]+", requirement)
    if name is None:
        raise ValueError(requirement)
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def direct(parts: Iterable[str]) -> Iterator[str]:
    """Yield the names of the packages that *parts* of pyproject.toml ask for themselves."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = pyproject["project"]
    known = {
        "base": project["dependencies"],
        **project["optional-dependencies"],
        **pyproject["dependency-groups"],
    }
    for part in parts:
        for requirement in known[part]:
            if canonical(requirement) == project["name"]:  # an extra made of other extras
                yield from direct(re.findall(r"[\w-]+", requirement.partition("[")[2]))
            else:
                yield canonical(requirement)


def locked(parts: Iterable[str]) -> str:
    """Return the locked lines for *parts* and for all that they bring along.

    Raises:
        LookupError: If there is no such part, or a package is not locked.
    """
    blocks: dict[str, list[str]] = {}  # more than one where versions differ by Python
    needs: dict[str, set[str]] = {}
    lock = (ROOT / "constraints.txt").read_text("utf-8")
    for block in re.split(r"^(?=\w)", lock, flags=re.MULTILINE)[1:]:  # the first is the heading
        pin, _, via = block.partition("    # via")
        blocks.setdefault(canonical(pin), []).append(pin)
        for parent in re.findall(r"[\w.-]+", via.replace("#", " ")):
            needs.setdefault(parent, set()).add(canonical(pin))

    wanted: set[str] = set()
    queue = list(direct(parts))
    while queue:
        name = queue.pop()
        if name not in wanted:
            wanted.add(name)
            queue += needs.get(name, ())
    if missing := wanted - blocks.keys():
        raise LookupError(f"not in constraints.txt, run `make lock`: {', '.join(sorted(missing))}")
    return "".join(pin for name in sorted(wanted) for pin in blocks[name])


if __name__ == "__main__":
    try:
        print(locked(sys.argv[1:]), end="")
    except LookupError as error:
        sys.exit(f"tools/locked.py: {error}")
