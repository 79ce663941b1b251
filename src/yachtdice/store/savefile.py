"""Saved games of the terminal: one text file for each game, in the project's own notation.

What has been written is there even if the machine stops at the next moment, and a file is always
either the old record or the new one. One process at a time may write a file.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from datetime import datetime
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Self

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from yachtdice.files import atomic_write, system_message
from yachtdice.i18n import explain, printable, system_reason
from yachtdice.i18n import gettext as _
from yachtdice.notation import Record, format_record
from yachtdice.notation.reader import parse_clean_record
from yachtdice.rules import NotationError, YachtError
from yachtdice.store.locks import release

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX = ".yacht"

_MAX_BYTES = 4_000_000
"""Far more than any game needs; a larger file is not read into memory."""


class SaveReason(Enum):
    """Why a file cannot be used."""

    IN_USE = "another process is playing this game"
    EXISTS = "the file is there already"
    MISSING = "there is no such file"
    NOT_A_FILE = "this is no regular file"
    NO_GAME = "no game is kept"
    NO_UNFINISHED = "no unfinished game is kept"
    NOT_READ = "the file cannot be read"
    NOT_WRITTEN = "the file cannot be written"


class SaveError(YachtError):
    """A saved game that cannot be read or written; *detail* is the system's reason."""

    def __init__(self, reason: SaveReason, path: Path, detail: str = "") -> None:
        super().__init__(f"{path}: {reason.value}" + (f" ({detail})" if detail else ""))
        self.reason = reason
        self.path = path
        self.detail = detail


@explain.register
def _explain(error: SaveError) -> str:
    sentences = {
        SaveReason.IN_USE: _("This game is being played in another window: {path}"),
        SaveReason.EXISTS: _("There is a file already: {path}. To go on with it, use --resume."),
        SaveReason.MISSING: _("There is no file {path}."),
        SaveReason.NOT_A_FILE: _("This is not a file that can hold a game: {path}"),
        SaveReason.NO_GAME: _("No game is kept here yet. “yacht play” begins one."),
        SaveReason.NO_UNFINISHED: _("No unfinished game is kept here. “yacht play” begins one."),
        SaveReason.NOT_READ: _("The file {path} cannot be read: {why}."),
        SaveReason.NOT_WRITTEN: _("The game cannot be kept in {path}: {why}."),
    }
    why = system_reason(error.__cause__) if error.__cause__ else error.detail
    return sentences[error.reason].format(path=printable(str(error.path), 200), why=why)


def saves_folder() -> Path:
    """Return the user's folder for saved games. It may not exist yet."""
    return user_state_path("yacht-dice", appauthor=False) / "games"


def read_record(path: Path) -> Record:
    """Return the record in the file *path*.

    Raises:
        SaveError: If there is no such file, or it cannot be read.
        NotationError: If it is not the record of a legal game.
    """
    try:
        if path.exists() and not path.is_file():
            raise SaveError(SaveReason.NOT_A_FILE, path)
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise SaveError(SaveReason.MISSING, path) from None
    except (OSError, ValueError) as error:
        raise SaveError(SaveReason.NOT_READ, path, system_message(error)) from error
    if len(data) > _MAX_BYTES:
        raise SaveError(SaveReason.NOT_A_FILE, path, "too large")
    return parse_clean_record(data)


def latest_save(*, unfinished: bool = False) -> Path:
    """Return the newest game in the user's folder, or the newest that is not over.

    Files that are no records are passed over.

    Raises:
        SaveError: If there is none.
    """
    folder = saves_folder()
    for path in _newest_first(folder):
        with suppress(SaveError, NotationError):
            if not (read_record(path).game.position.is_over and unfinished):
                return path
    raise SaveError(SaveReason.NO_UNFINISHED if unfinished else SaveReason.NO_GAME, folder)


def _newest_first(folder: Path) -> list[Path]:
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


class SaveFile:
    """A saved game that is locked for this process until it is closed.

    It is a context manager: at the end of the block the file is free for others.
    """

    path: Path
    """The path of the file, absolute, without symbolic links."""

    def __init__(self, path: Path) -> None:
        """Lock *path*, whether there is a file or not.

        Raises:
            SaveError: If another process has locked it, or a lock cannot be made there.
        """
        try:
            self.path = path.resolve()
            if self.path.exists() and not self.path.is_file():
                raise SaveError(SaveReason.NOT_A_FILE, path)
            if not self.path.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            # The lock has a file of its own, since the record's is replaced at every write.
            self._lock = FileLock(self.path.with_name(f".{self.path.name}.lock"))
            self._lock.acquire(timeout=0)
        except Timeout:
            raise SaveError(SaveReason.IN_USE, path) from None
        except (OSError, ValueError, RuntimeError) as error:
            # Besides what the system refuses: a null character, a loop of symbolic links.
            raise SaveError(SaveReason.NOT_WRITTEN, path, system_message(error)) from error

    @classmethod
    def create(cls, path: Path | None = None) -> SaveFile:
        """Lock a file that is not there yet, by default a new one in the user's folder.

        Nothing is written.

        Raises:
            SaveError: If it is there, or cannot be locked.
        """
        if path is not None:
            save = cls(path)
            if save.path.exists():
                save.close()
                raise SaveError(SaveReason.EXISTS, path)
            return save
        folder = saves_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(SaveReason.NOT_WRITTEN, folder, system_message(error)) from error
        for new in _new_names(folder):
            try:
                return cls.create(new)
            except SaveError as error:
                if error.reason not in {SaveReason.EXISTS, SaveReason.IN_USE}:
                    raise
        raise AssertionError  # the names do not end

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the file."""
        self.close()

    def read(self) -> Record:
        """Return the record in the file.

        Raises:
            SaveError: If there is no file, or it cannot be read.
            NotationError: If it is not the record of a legal game.
        """
        return read_record(self.path)

    def write(self, record: Record) -> None:
        """Replace the content of the file by *record*. It is durable when this returns.

        Raises:
            SaveError: If that fails; the file then holds what it held before.
        """
        try:
            with atomic_write(self.path, locked=True) as file:
                file.write(format_record(record).encode())
        except OSError as error:
            raise SaveError(SaveReason.NOT_WRITTEN, self.path, system_message(error)) from error

    def close(self) -> None:
        """Unlock the file, and leave no file of a lock beside it."""
        release(self._lock)


def _new_names(folder: Path) -> Iterator[Path]:
    now = datetime.now().astimezone()
    stem = now.strftime("%Y-%m-%d-%H%M%S")
    yield folder / f"{stem}{SUFFIX}"
    for number in count(2):
        yield folder / f"{stem}-{number}{SUFFIX}"
