"""A progress bar for work that takes seconds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class progress:  # noqa: N801 - used like a function
    """A bar on a terminal's standard error once something moves, and nothing anywhere else."""

    def __init__(self, label: str, total: int) -> None:
        """Show *label* beside the bar, which is full after *total* steps."""
        self._label = label
        self._total = total
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Callable[[int], object] | None:
        """Return the function to call with the number of steps since the last call."""
        return self._advance if sys.stderr.isatty() else None

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _advance(self, steps: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=self._total)
        self._bar.update(self._task, advance=steps)
