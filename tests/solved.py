"""Rule sets solved once for all tests of a run, in whatever process they are asked for.

The folder is made by `tests/conftest.py` and goes when the run ends, so that no run sees what
another version of the solver has left.
"""

import os
from functools import cache
from pathlib import Path

from filelock import FileLock

from yachtdice.rules import RuleSet
from yachtdice.solutions import Solutions
from yachtdice.solver import SoloSolution

FOLDER = "YACHT_TEST_CACHE"
"""The variable of the environment that names the folder."""


def cache_folder() -> Path:
    """Return the folder that all processes of a run share; `yacht` keeps its own files there."""
    return Path(os.environ[FOLDER])


@cache
def solutions(rounds: int | None = None) -> Solutions:
    """Return what tests share that do not test how rule sets are solved."""
    return Solutions(cache_folder() / "yacht-dice", rounds=rounds)


@cache
def solved(rules: RuleSet) -> SoloSolution:
    """Return perfect play under *rules*; of several processes that ask at once, one solves it."""
    with FileLock(cache_folder() / "lock"):
        return solutions().solo(rules)
