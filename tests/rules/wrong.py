"""What is wrong, and how it is refused."""

from collections.abc import Callable
from typing import Any

from yachtdice import IllegalMoveError, IllegalMoveReason

HUGE = 10**5000  # more digits than Python is willing to print

# Values that are no whole numbers, although some look, print or compare like one.
NO_NUMBERS: dict[str, Any] = {
    "none": None,
    "true": True,
    "float": 1.0,
    "nan": float("nan"),
    "infinity": float("inf"),
    "text": "1",
    "arabic-indic": "\N{ARABIC-INDIC DIGIT ONE}",
    "full-width": "\N{FULLWIDTH DIGIT ONE}",
    "surrogate": "\udc80",
    "bytes": b"1",
    "tuple": (1,),
    "list": [1],
    "huge": HUGE,
    "huge-negative": -HUGE,
}


def refusal(
    action: Callable[..., object], *arguments: object, **named: object
) -> IllegalMoveReason | None:
    """Return the reason for which the rules refuse *action*, None if they don't."""
    try:
        action(*arguments, **named)
    except IllegalMoveError as error:
        return error.reason
    return None
