"""Signals that end the process while a line is edited at a terminal."""

from __future__ import annotations

import os
import signal
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAUSE = 0.05
"""Seconds until a signal is repeated."""


@contextmanager
def ends_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the process by an exception inside the block.

    While a line is edited the terminal does not show what is typed, and only an exception lets
    `readline` restore that. `readline` misses a signal that comes just before it waits for a key,
    so that the signal is repeated until the block has ended.
    """
    if os.name == "nt":
        yield
        return
    main, ended, begun = threading.get_ident(), threading.Event(), threading.Event()

    def end(number: int, _frame: object) -> None:
        if not begun.is_set():  # it may be repeated once too often
            begun.set()
            raise SystemExit(128 + number)  # as a shell says that a signal has ended a process

    def repeat() -> None:
        while number := reader.recv(1):
            while number[0] in before and not ended.wait(_PAUSE):
                signal.pthread_kill(main, number[0])

    reader, writer = socket.socketpair()
    writer.settimeout(0)  # a signal never waits
    with reader, writer:
        before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
        wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        thread = threading.Thread(target=repeat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            signal.set_wakeup_fd(wakeup)
            writer.shutdown(socket.SHUT_WR)
            thread.join()
            for number, handler in before.items():
                signal.signal(number, handler)
