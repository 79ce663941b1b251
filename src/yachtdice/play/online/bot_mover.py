"""The computers at the tables: made once for each level and rule set, they think in threads."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from yachtdice.bots import Bot, make_bot
from yachtdice.solutions import Solutions

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.rules import Move, Position, RuleSet


class Computers:
    """Bots by level and rule set."""

    def __init__(self, make: Callable[[str, RuleSet], Bot] | None = None) -> None:
        """Make bots with *make* when they are first needed, in a thread: solving takes a moment.

        By default they share solutions of their own.
        """
        self._make: Callable[[str, RuleSet], Bot] = make or partial(make_bot, solutions=Solutions())
        self._made: dict[tuple[str, RuleSet], asyncio.Task[Bot]] = {}

    async def choose(self, level: str, position: Position) -> Move:
        """Return what the computer of that *level* does in *position*."""
        key = (level, position.rules)
        if key not in self._made:
            self._made[key] = asyncio.create_task(asyncio.to_thread(self._make, *key))
        try:
            player = await asyncio.shield(self._made[key])
        except Exception:
            self._made.pop(key, None)
            raise
        return await asyncio.to_thread(player.choose, position)
