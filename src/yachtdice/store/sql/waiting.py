"""How long callers wait for the database, and how they get the writer's answer on their loop."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from yachtdice.store.contract import StoreBrokenError, Write

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

T = TypeVar("T")

ANSWER_TIMEOUT = 20.0
"""Seconds after which a call fails because the database does not answer."""
MIN_TRIES = 3
"""However late it is: the second try finds out what a process that was quicker has done."""
RETRY_FOR = ANSWER_TIMEOUT / 2
"""Seconds for which something is tried again that may go well at the next try."""
_PAUSE = 0.05  # seconds by which the pause before each further try grows
_MAX_PAUSE = 0.1


def retry(run: Callable[[], T], is_transient: Callable[[Exception], bool], until: float) -> T:
    """Run *run* until it succeeds, fails with an error that does not pass, or the time is over.

    *until* is a moment of `time.monotonic`. A number of tries would be no bound: how many fit into
    a disturbance depends on how quick the machine is.
    """
    pause, tries = 0.0, 0
    while True:
        tries += 1
        try:
            return run()
        except Exception as error:
            is_late = tries >= MIN_TRIES and time.monotonic() + pause > until
            if is_late or not is_transient(error):
                raise
        time.sleep(pause)
        pause = min(pause + _PAUSE, _MAX_PAUSE)


class Job:
    """Something for the writer: writes, or a function that needs its connection."""

    __slots__ = ("error", "result", "run", "waker", "writes")

    def __init__(
        self,
        waker: Waker,
        writes: Sequence[Write] = (),
        run: Callable[[Connection], Any] | None = None,
    ) -> None:
        self.waker: Waker = waker
        self.writes: Sequence[Write] = writes
        self.run: Callable[[Connection], Any] | None = run
        self.result: Any = None
        self.error: Exception | None = None


class Waker:
    """Tells a future on its loop how a job ended; the writer wakes a loop once for a batch."""

    __slots__ = ("future", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any]) -> None:
        self.loop: asyncio.AbstractEventLoop = loop
        self.future: asyncio.Future[Any] = future

    def tell(self, job: Job) -> None:
        """Tell the future, unless nobody waits for it any more; to be called on its loop."""
        if self.future.done():
            return
        if job.error is None:
            self.future.set_result(job.result)
        else:
            self.future.set_exception(job.error)


def wake(jobs: list[Job]) -> None:
    """Tell all who wait for *jobs* on one loop."""
    for job in jobs:
        job.waker.tell(job)


class Overdue:
    """Fails futures that have waited too long, with one timer for all of them."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._is_timed = False

    def watch(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[None]) -> None:
        """Fail *future*, of *loop*, if it is not done after `ANSWER_TIMEOUT`."""
        self._waiting.append((time.monotonic() + ANSWER_TIMEOUT, future))
        if not self._is_timed:
            self._is_timed = True
            loop.call_later(ANSWER_TIMEOUT / 8, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        while self._waiting:
            due, future = self._waiting[0]
            if not future.done():
                if due > now:
                    break
                future.set_exception(no_answer())
            self._waiting.popleft()
        self._is_timed = bool(self._waiting)
        if self._is_timed:
            loop.call_later(ANSWER_TIMEOUT / 8, self._look, loop)


def no_answer() -> StoreBrokenError:
    """Return what to tell somebody who has waited too long."""
    return StoreBrokenError(f"the database has not answered for {ANSWER_TIMEOUT:.0f} seconds")
