"""Threads for work that takes too long for the event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class BusyError(Exception):
    """Too much work is waiting already."""


class Worker:
    """A thread that does one piece of work after the other.

    To be used from one event loop. Work runs in a copy of the caller's context, so that the active
    language is the caller's. The thread starts with the first piece of work.
    """

    def __init__(self, name: str, max_waiting: int) -> None:
        """Let up to *max_waiting* pieces of work wait for the one that is being done."""
        self._thread = ThreadPoolExecutor(1, name)
        self._max_waiting = max_waiting
        self._unfinished = 0

    @property
    def is_full(self) -> bool:
        """Whether `submit` would refuse."""
        return self._unfinished > self._max_waiting

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Return the future result of *work*. Cancelling it does not stop work that has started.

        Raises:
            BusyError: If too much is waiting already.
        """
        if self.is_full:
            raise BusyError
        context = copy_context()
        loop = asyncio.get_running_loop()
        self._unfinished += 1
        done = self._thread.submit(lambda: context.run(work))
        # Not a callback of the asyncio future, which may be cancelled long before the work is done.
        done.add_done_callback(lambda _: _call(loop, self._finish))
        return asyncio.wrap_future(done, loop=loop)

    def close(self) -> None:
        """Cancel waiting work; work that has started is completed in its thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _finish(self) -> None:
        self._unfinished -= 1


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[], object]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function)
