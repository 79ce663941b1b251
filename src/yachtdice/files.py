"""Files that are replaced as a whole: a reader finds the old content or the new, never a part."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
"""Errors of file systems that cannot be asked to write a folder to the disk."""


@contextmanager
def atomic_write(path: Path, *, locked: bool = False, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a new file, which replaces *path* at the end of the block.

    The new content is then on the disk, even if the machine stops at the next moment. If the block
    raises, or anything else fails, *path* is what it was before.

    The new file is written beside *path*, readable as *mode* and the process's umask allow. Its
    name is random, unless *locked* says that nobody else writes *path*: then the name is always the
    same, so that what a killed process left is overwritten.

    Raises:
        OSError: If the file cannot be written.
    """
    if locked:
        new = path.with_name(f".{path.name}.new")
        flags = os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    else:
        new = path.with_name(f".{path.name}.{token_hex(8)}.new")
        flags = os.O_EXCL
    flags |= os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(new, flags, mode), "wb") as file:  # noqa: PTH123 - Path opens no descriptor
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def system_message(error: BaseException) -> str:
    """Return why *error* was raised, in the words of the operating system if it has any."""
    return getattr(error, "strerror", None) or str(error)


def _sync_folder(folder: Path) -> None:
    """Write the entries of *folder* to the disk, if the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)
