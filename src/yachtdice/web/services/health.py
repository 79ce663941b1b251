"""Whether the store can keep anything: a probe, repeated at most every few seconds."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from yachtdice.store.contract import StoreError

if TYPE_CHECKING:
    from yachtdice.store.contract import Store

_log = logging.getLogger(__name__)


class Health:
    """Probes a store when asked to, but not more often than every few seconds."""

    def __init__(
        self, store: Store, probe_every: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Probe *store* at most once in *probe_every* seconds of *clock*."""
        self._store = store
        self._probe_every = probe_every
        self._clock = clock
        self._probe: asyncio.Task[bool] | None = None
        self._is_writable = True
        self._next_probe_at = float("-inf")

    async def is_writable(self) -> bool:
        """Return whether the store could be read and written by the latest probe."""
        if self._probe is None and self._clock() >= self._next_probe_at:
            self._probe = asyncio.create_task(self._try())
        if self._probe is not None:
            # All who ask meanwhile share the probe, so nobody's disconnection may cancel it.
            return await asyncio.shield(self._probe)
        return self._is_writable

    async def _try(self) -> bool:
        was_writable = self._is_writable
        try:
            await self._store.ping()
        except StoreError as error:
            self._is_writable = False
            if was_writable:
                _log.error("the store cannot be written", exc_info=error)
        else:
            self._is_writable = True
            if not was_writable:
                _log.info("the store can be written again")
        finally:
            self._next_probe_at = self._clock() + self._probe_every
            self._probe = None
        return self._is_writable
