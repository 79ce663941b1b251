"""Numbers and days in the form of the active language. Dice and files never use it."""

from __future__ import annotations

from functools import lru_cache
from math import copysign
from typing import TYPE_CHECKING

from yachtdice.i18n.messages import SOURCE_LANGUAGE, current_language
from yachtdice.i18n.pseudo import PSEUDO_LANGUAGES

if TYPE_CHECKING:
    from datetime import date

# Babel is imported when it is needed: most commands write no such number.
# ruff: noqa: PLC0415

_ROUNDING = 1e-6
"""A probability this close to 0 or 1 differs from it only by the rounding of float32."""


_NOISE = 1e-9
"""More than float64 arithmetic can be off by in any number that is shown."""
MINUS = "\N{MINUS SIGN}"
"""The sign of negative numbers in every language; a hyphen is too short."""


def rounded(value: float, digits: int = 0) -> float:
    """Return *value* rounded to so many *digits* after the point, halves away from zero.

    A half that floating-point arithmetic has put just below itself is still rounded up. How exactly
    sums are taken depends on the processor; what people read must not.

    >>> rounded(0.13749999999999998, 3), rounded(-2.5), rounded(-0.04, 1)
    (0.138, -3.0, 0.0)
    >>> rounded(166.955067704572, 12)
    166.955067704572
    """
    noise = min(_NOISE, 10.0 ** -(digits + 1))  # less than what the digits themselves say
    return round(value + copysign(noise, value), digits) + 0.0  # no negative zero


def format_number(value: float, digits: int = 0) -> str:
    """Return *value* with *digits* decimals: 1,234.5, or 1.234,5 in Indonesian."""
    shown = rounded(value, digits)
    text = _decimal(abs(shown), digits, _locale())
    return f"{MINUS}{text}" if shown < 0 else text


def format_digits(digits: str) -> str:
    """Return *digits*, a number such as 166.95, with the decimal separator of the language."""
    from babel.numbers import get_decimal_symbol

    return digits.replace(".", get_decimal_symbol(_locale()))


def format_percent(share: float, digits: int = 1) -> str:
    """Return *share*, where 1 is all, in per cent with *digits* decimals.

    For example 45.3%, in Polish 45,3%, in German 45,3 %.
    """
    shown = rounded(share, digits + 2)
    text = _percent(abs(shown), digits, _locale())
    return f"{MINUS}{text}" if shown < 0 else text


def format_chance(chance: float, digits: int = 1) -> str:
    """Return a probability in per cent; only 0 is shown as 0%, and only 1 as 100%."""
    if min(chance, 1 - chance) < _ROUNDING:
        return format_percent(round(chance), 0)
    minimum = 10.0 ** -(digits + 2)
    return format_percent(min(max(chance, minimum), 1 - minimum), digits)


def format_day(day: date) -> str:
    """Return *day* in the medium format of the language, such as Nov 30, 2026."""
    from babel.dates import format_date

    return format_date(day, "medium", locale=_locale())


# A report shows the same rounded numbers again and again, and Babel takes its time for each.
@lru_cache(maxsize=4096)
def _decimal(shown: float, digits: int, locale: str) -> str:
    from babel.numbers import format_decimal

    return format_decimal(shown, _pattern(digits), locale=locale)


@lru_cache(maxsize=4096)
def _percent(shown: float, digits: int, locale: str) -> str:
    from babel import Locale
    from babel.numbers import format_percent as babel_percent

    whole = Locale.parse(locale).percent_formats[None].pattern
    return babel_percent(shown, whole.replace("#,##0", _pattern(digits)), locale=locale)


def _pattern(digits: int) -> str:
    return "#,##0." + "0" * digits if digits else "#,##0"


def _locale() -> str:
    language = current_language()
    return SOURCE_LANGUAGE if language in PSEUDO_LANGUAGES else language
