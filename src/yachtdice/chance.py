"""Where dice come from. The engine never rolls; whoever plays a game asks one of these.

The seeded stream is defined in full, so that anybody can check a game in any language: the bytes of
SHA-256("yachtdice/1/" + seed in UTF-8 + "/" + block number in decimal), block after block from 0;
a byte of 252 or more is passed over, any other one is a die that shows 1 + byte mod 6.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from yachtdice.rules import FACES, DiceError, YachtError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class ChanceExhaustedError(YachtError):
    """A script of dice has come to its end."""


class Chance(Protocol):
    """A source of dice."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the faces that *count* dice show, in the order in which they fall."""
        ...


class SystemChance:
    """Dice from the operating system's secure source."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Return *count* independent fair dice."""
        return tuple(1 + secrets.randbelow(len(FACES)) for _ in range(count))


class SeededChance:
    """The dice that belong to a seed: the same on every platform and every version of Python.

    >>> SeededChance("7").roll(5) == SeededChance(7).roll(5)
    True
    """

    def __init__(self, seed: str | int, skip: int = 0) -> None:
        """Begin the stream of *seed* after its first *skip* dice, to go on with a game."""
        self._dice = _stream(str(seed))
        self.roll(skip)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next *count* dice of the stream."""
        return tuple(next(self._dice) for _ in range(count))


class ScriptedChance:
    """Dice that were written down beforehand, one after the other."""

    def __init__(self, faces: Iterable[int]) -> None:
        """Give out *faces* in their order."""
        self._faces = iter(faces)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the next *count* dice of the script.

        Raises:
            ChanceExhaustedError: If there are not so many.
        """
        rolled = tuple(face for _, face in zip(range(count), self._faces, strict=False))
        if len(rolled) < count:
            message = f"the script has {len(rolled)} dice left, {count} are needed"
            raise ChanceExhaustedError(message)
        return rolled


class TypedChance:
    """Real dice, reported by a person who is asked what they show."""

    def __init__(self, ask: Callable[[int], Sequence[int]]) -> None:
        """Call *ask* with the number of dice for each roll; it returns their faces."""
        self._ask = ask

    def roll(self, count: int) -> tuple[int, ...]:
        """Return what the person says *count* real dice show.

        Raises:
            DiceError: If the answer is not *count* faces.
        """
        rolled = tuple(self._ask(count))
        if len(rolled) != count or not all(face in FACES for face in rolled):
            raise DiceError(rolled, f"{count} dice are needed")
        return rolled


def _stream(seed: str) -> Iterator[int]:
    block = 0
    while True:
        for byte in sha256(f"yachtdice/1/{seed}/{block}".encode(errors="surrogatepass")).digest():
            # 252 is the largest multiple of six in a byte: what is below it is fair.
            if byte < 252:  # noqa: PLR2004
                yield 1 + byte % 6
        block += 1
