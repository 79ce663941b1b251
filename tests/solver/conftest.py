"""Solutions that many tests look at, computed once."""

import pytest

from tests.solved import solved
from tests.solver.brute import Brute
from yachtdice import ALL_DICE, TRADITIONAL
from yachtdice.presets import find_rules
from yachtdice.solver import ExactSolution, SoloSolution, solve


@pytest.fixture(scope="session")
def traditional() -> SoloSolution:
    return solved(TRADITIONAL)


@pytest.fixture(scope="session")
def all_dice() -> SoloSolution:
    return solved(ALL_DICE)


@pytest.fixture(scope="session")
def console() -> SoloSolution:
    return solved(find_rules("console"))


@pytest.fixture(scope="session", params=["traditional", "all_dice"])
def published(request: pytest.FixtureRequest) -> SoloSolution:
    """Each of the two published rule sets."""
    solution: SoloSolution = request.getfixturevalue(request.param)
    return solution


@pytest.fixture(
    scope="session",
    params=["traditional", "all_dice", pytest.param("console", marks=pytest.mark.soak)],
)
def any_solution(request: pytest.FixtureRequest) -> SoloSolution:
    """Each of the published rule sets, and one with a bonus."""
    solution: SoloSolution = request.getfixturevalue(request.param)
    return solution


@pytest.fixture(scope="session")
def brute(published: SoloSolution) -> Brute:
    """The same rule set solved the slow way, as far as it has been asked about."""
    return Brute(published.rules)


@pytest.fixture(scope="session")
def exactly(published: SoloSolution) -> ExactSolution:
    """The same rule set in rational arithmetic."""
    return solve(published.rules, exact=True)
