"""Numbers as the commands print them, in the form of the active language."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from yachtdice.i18n import format_digits, format_number, format_percent


def decimal(value: float, digits: int = 2) -> str:
    """Return *value* with so many digits after the point."""
    return format_number(value, digits)


def percent(share: float, digits: int = 1) -> str:
    """Return a share of 1 in per cent."""
    return format_percent(share, digits)


def count(number: int) -> str:
    """Return a whole number, large ones in groups."""
    return format_number(number)


def fraction_digits(value: Fraction, digits: int) -> str:
    """Return *value*, which is not negative, rounded to so many digits after the point."""
    scaled = floor(value * 10**digits + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**digits)
    return format_digits(f"{whole}.{rest:0{digits}d}") if digits else str(whole)
