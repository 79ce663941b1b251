"""Dice as multisets: one type for rolls (five dice, 252 of them) and keeps (up to five, 462)."""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import factorial
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, cast, final

from yachtdice.rules.errors import DiceError, NotationError, NotationReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DICE = 5
"""How many dice the game is played with."""

FACES = (1, 2, 3, 4, 5, 6)
"""What a die can show."""

# A bounded cache: each order of at most five dice, 9,331 of them, with its value.
_known: dict[tuple[int, ...], Dice] = {}

_SORTED = chain.from_iterable(combinations_with_replacement(FACES, n) for n in range(DICE + 1))
_INDICES = {faces: number for number, faces in enumerate(_SORTED)}


@final
class Dice:
    """A multiset of 0 to 5 dice. Each value exists once, so equality is identity.

    >>> Dice([5, 2, 5]).total
    12
    >>> Dice([5, 2, 5]) is Dice([2, 5, 5])
    True

    Attributes:
        faces: The faces in rising order.
        counts: Six numbers: how many dice show 1, 2, ... 6.
        total: The sum of the faces.
        index: 0 to 461: the number of these dice among `KEEPS`, which never changes.
    """

    __slots__ = ("_holds", "counts", "faces", "index", "total")

    _holds: tuple[Dice, ...] | None

    faces: tuple[int, ...]
    counts: tuple[int, ...]
    total: int
    index: int

    def __new__(cls, faces: Iterable[int] = ()) -> Dice:
        """Return the dice that show *faces*, in any order.

        A face is an `int`, or an integer of another kind such as NumPy's. `True` and 1.0 are equal
        to 1, but they are no faces.

        Raises:
            DiceError: If there are more than five, or one is not 1 to 6.
        """
        key = tuple(faces)
        for face in key:
            if type(face) is not int:  # the quick way first: most faces are
                key = _integers(key)
                break
        try:
            return _known[key]
        except KeyError:
            return cls._make(key)

    @classmethod
    def _make(cls, key: tuple[int, ...]) -> Dice:
        if len(key) > DICE:
            raise DiceError(key[: DICE + 1], "there are at most five dice")
        if not all(face in FACES for face in key):
            raise DiceError(key, "a face is 1 to 6")
        faces = tuple(sorted(key))
        if faces not in _known:
            dice = object.__new__(cls)
            object.__setattr__(dice, "faces", faces)
            object.__setattr__(dice, "counts", tuple(faces.count(face) for face in FACES))
            object.__setattr__(dice, "total", sum(faces))
            object.__setattr__(dice, "index", _INDICES[faces])
            object.__setattr__(dice, "_holds", None)
            # Another thread may have been quicker: the first one is the one that exists.
            _known.setdefault(faces, dice)
        _known[key] = _known[faces]
        return _known[faces]

    def holds(self) -> tuple[Dice, ...]:
        """Return every distinct multiset of these dice, from none of them to all of them."""
        holds = self._holds
        if holds is None:
            sizes = range(len(self) + 1)
            parts = (Dice(part) for size in sizes for part in combinations(self.faces, size))
            holds = tuple(dict.fromkeys(parts))
            object.__setattr__(self, "_holds", holds)
        return holds

    def __add__(self, other: Dice) -> Dice:
        """Return both together.

        Raises:
            DiceError: If they are more than five.
        """
        if not isinstance(other, Dice):
            return NotImplemented
        faces = self.faces + other.faces
        return _known.get(faces) or Dice(faces)  # no need to check again what Dice hold

    def __sub__(self, other: Dice) -> Dice:
        """Return what is left without *other*.

        Raises:
            DiceError: If *other* is not part of these dice.
        """
        if not isinstance(other, Dice):
            return NotImplemented
        if not other <= self:
            raise DiceError(other.faces, f"not among {self}")
        pairs = zip(FACES, self.counts, other.counts, strict=True)
        return Dice(face for face, mine, less in pairs for _ in range(mine - less))

    def __le__(self, other: Dice) -> bool:
        """Return whether *other* holds all of these dice."""
        if not isinstance(other, Dice):
            return NotImplemented
        return all(mine <= theirs for mine, theirs in zip(self.counts, other.counts, strict=True))

    def __len__(self) -> int:
        """Return the number of dice."""
        return len(self.faces)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the faces in rising order."""
        return iter(self.faces)

    def __str__(self) -> str:
        """Return the dice as `format_dice` writes them."""
        return format_dice(self)

    def __repr__(self) -> str:
        """Return an expression that makes the dice."""
        return f"Dice({list(self.faces)})"

    def __reduce__(self) -> tuple[type[Dice], tuple[tuple[int, ...]]]:
        """Pickle and copy by value, so that each value still exists once."""
        return Dice, (self.faces,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: dice never change."""
        raise AttributeError(f"dice never change: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: dice never change."""
        raise AttributeError(f"dice never change: cannot delete {name}")


KEEPS: tuple[Dice, ...] = tuple(Dice(faces) for faces in _INDICES)
"""All 462 multisets of 0 to 5 dice: by size, and then in lexicographic order of their faces.

`KEEPS[dice.index] is dice`. The last 252 of them are the rolls.
"""


def _integers(faces: tuple[object, ...]) -> tuple[int, ...]:
    """Return *faces* as values of type `int`."""
    wrong = DiceError(faces[: DICE + 1], "a face is a whole number from 1 to 6")
    if any(isinstance(face, bool) for face in faces):
        raise wrong
    try:
        return tuple(operator.index(cast("SupportsIndex", face)) for face in faces)
    except TypeError:
        raise wrong from None


@cache
def roll_outcomes(count: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Return what *count* dice, 0 to 5, can show: each multiset with its exact probability.

    The probability of a multiset is its number of orders over 6^count. The number of orders is the
    multinomial coefficient count! / (n1! n2! ... n6!), where n1 to n6 are its `counts`.
    """
    outcomes = []
    for faces in combinations_with_replacement(FACES, count):
        dice = Dice(faces)
        orders = factorial(count)
        for n in dice.counts:
            orders //= factorial(n)
        outcomes.append((dice, Fraction(orders, 6**count)))
    return tuple(outcomes)


def parse_faces(text: str, line: int = 0, column: int = 1) -> tuple[int, ...]:
    """Return the faces written in *text*, in their order: `5-5-2`, `5 5 2`, `5,5,2` or `552`.

    A lone `-` is no dice at all. *line* and *column* say where *text* stands, for the error.

    Raises:
        NotationError: If *text* is anything else, or more than five dice.
    """
    stripped = text.strip()
    start = column + len(text) - len(text.lstrip())
    if stripped == "-":
        return ()
    wrong = re.search(r"[^1-6 ,-]", stripped)
    if wrong:
        raise NotationError(NotationReason.BAD_DICE, text, line, start + wrong.start())
    if not re.fullmatch(r"[1-6](( *[,-] *| *)[1-6])*", stripped):
        raise NotationError(NotationReason.BAD_DICE, text, line, start)
    faces = tuple(int(face) for face in re.findall(r"[1-6]", stripped))
    if len(faces) > DICE:
        raise NotationError(NotationReason.TOO_MANY_DICE, text, line, start)
    return faces


def parse_dice(text: str) -> Dice:
    """Return the dice written in *text*, as `parse_faces` reads it.

    >>> parse_dice("5-5-5-2-1")
    Dice([1, 2, 5, 5, 5])

    Raises:
        NotationError: If *text* is not up to five faces.
    """
    return Dice(parse_faces(text))


def format_dice(dice: Iterable[int]) -> str:
    """Return faces as text, `5-5-2`, or `-` for none; it is the same in every language."""
    return "-".join(str(face) for face in dice) or "-"
