"""The trainer's file: a deck as JSON, replaced atomically."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Self

from filelock import FileLock, Timeout

from yachtdice.coach.training.trainer import Deck, DeckError
from yachtdice.files import atomic_write, system_message
from yachtdice.i18n import explain, pgettext, system_reason
from yachtdice.i18n import gettext as _
from yachtdice.rules import YachtError
from yachtdice.store.locks import release

if TYPE_CHECKING:
    from pathlib import Path


class DeckFileError(YachtError):
    """The trainer's file cannot be used: `in_use` by another process, or what the system says."""

    def __init__(self, path: Path, why: str, *, in_use: bool = False) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why
        self.in_use = in_use


@explain.register
def _explain(error: DeckFileError) -> str:
    line = _("The trainer's file {path} cannot be used: {why}.")
    if error.in_use:
        line = _("The trainer is running in another window: {path}")
    # Translators: why a file cannot be used.
    why = pgettext("system", "it is no file of the trainer")
    if isinstance(error.__cause__, OSError):
        why = system_reason(error.__cause__)
    return line.format(path=error.path, why=why)


class DeckFile:
    """The file of a deck, for this process alone until the end of the `with` block."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is done yet."""
        self.path = path
        self._lock = FileLock(path.with_name(f".{path.name}.lock"))

    def __enter__(self) -> Self:
        """Lock the file.

        Raises:
            DeckFileError: If another process has it, or a lock cannot be made there.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise DeckFileError(self.path, "it is in use", in_use=True) from None
        except OSError as error:
            raise DeckFileError(self.path, system_message(error)) from error
        return self

    def __exit__(self, *_: object) -> None:
        """Free the file."""
        release(self._lock)

    def read(self) -> Deck:
        """Return the deck in the file, an empty one if there is none.

        Raises:
            DeckFileError: If it cannot be read, or is not a deck.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Deck()
        except (OSError, ValueError) as error:
            raise DeckFileError(self.path, system_message(error)) from error
        try:
            return Deck.from_data(json.loads(text))
        except (DeckError, ValueError, RecursionError) as error:
            raise DeckFileError(self.path, str(error)) from error

    def write(self, deck: Deck) -> None:
        """Replace what is in the file, at once or not at all.

        Raises:
            DeckFileError: If that fails; the file then holds what it held before.
        """
        try:
            with atomic_write(self.path, locked=True) as file:
                file.write(_text(deck).encode())
        except OSError as error:
            raise DeckFileError(self.path, system_message(error)) from error


def _text(deck: Deck) -> str:
    """Return *deck* as JSON with a line for each exercise."""
    data = deck.to_data()
    exercises = ",\n".join(json.dumps(entry) for entry in data.pop("exercises"))
    head = json.dumps(data).removesuffix("}")
    return f'{head}, "exercises": [\n{exercises}\n]}}\n'
