"""Waiting in tests: for a condition, never for a time."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

DEADLINE = 300.0
"""Seconds until a test gives up: no measure of speed, only reached where something is broken."""
_PAUSES = 0.001, 0.05


def until(condition: Callable[[], T | None], what: str = "what the test waits for") -> T:
    """Return the first true value of *condition*; fail if there is none until the deadline."""
    end = time.monotonic() + DEADLINE
    pause, longest = _PAUSES
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} has not happened"
        time.sleep(pause)
        pause = min(2 * pause, longest)
    return found


async def until_async(
    condition: Callable[[], T | None], what: str = "what the test waits for"
) -> T:
    """Do as `until` while the event loop goes on."""
    end = time.monotonic() + DEADLINE
    pause, longest = _PAUSES
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} has not happened"
        await asyncio.sleep(pause)
        pause = min(2 * pause, longest)
    return found
