"""Sources of dice. The engine itself never rolls; its callers get dice from one of these.

The seeded sequence is fully specified, so that a game can be checked in any language: the bytes of
SHA-256("yachtdice/1/" + seed in UTF-8 + "/" + block number in decimal), with block numbers from 0;
a byte of 252 or more is skipped, any other is a die that shows 1 + byte mod 6.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from yachtdice.rules import FACES, YachtError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["DiceExhaustedError", "DiceSource", "ScriptedDice", "SeededDice", "SystemDice"]


class DiceExhaustedError(YachtError):
    """A `ScriptedDice` has no dice left."""


class DiceSource(Protocol):
    """A source of dice."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the faces of *count* dice, in the order in which they fall."""
        ...


class SystemDice:
    """Dice from the operating system's secure random number generator."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return *count* independent fair dice."""
        return tuple(1 + secrets.randbelow(len(FACES)) for _ in range(count))


class SeededDice:
    """Dice determined by a seed: the same on every platform and every version of Python.

    >>> SeededDice("7").roll(5) == SeededDice(7).roll(5)
    True
    """

    def __init__(self, seed: str | int, skip: int = 0) -> None:
        """Start the sequence of *seed* after its first *skip* dice, to continue a game."""
        self._dice = _stream(str(seed))
        self.roll(skip)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next *count* dice of the sequence."""
        return tuple(next(self._dice) for _ in range(count))


class ScriptedDice:
    """Dice from a given sequence."""

    def __init__(self, faces: Iterable[int]) -> None:
        """Return *faces* in their order."""
        self._faces = iter(faces)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next *count* dice of the script.

        Raises:
            DiceExhaustedError: If fewer are left.
        """
        rolled = tuple(face for _, face in zip(range(count), self._faces, strict=False))
        if len(rolled) < count:
            message = f"the script has {len(rolled)} dice left, {count} are needed"
            raise DiceExhaustedError(message)
        return rolled


def _stream(seed: str) -> Iterator[int]:
    block = 0
    while True:
        for byte in sha256(f"yachtdice/1/{seed}/{block}".encode(errors="surrogatepass")).digest():
            # 252 is the largest multiple of six in a byte, so bytes below it are fair.
            if byte < 252:  # noqa: PLR2004
                yield 1 + byte % 6
        block += 1
