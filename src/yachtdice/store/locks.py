"""Releasing the lock of a file without leaving the lock's own file behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


def release(lock: BaseFileLock) -> None:
    """Release *lock*, and remove its file; nothing is done if it is released already.

    The file is removed while it is still locked. Whoever has opened it before cannot lock it then:
    `filelock` refuses a file that is no longer in its folder.
    """
    if lock.is_locked:
        # Where an open file cannot be removed, as in Windows, it stays.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
    lock.release()
