"""Exact amounts: integers that count the smallest step of a unit. No float anywhere."""

from __future__ import annotations

from fractions import Fraction


def in_units(steps: int, scale: int) -> str:
    """How an amount of so many steps is written: `3`, `-2`, `1.5`."""
    if scale == 1:
        return str(steps)
    whole, part = divmod(abs(steps), scale)
    sign = "-" if steps < 0 else ""
    if not part:
        return f"{sign}{whole}"
    fraction = Fraction(part, scale)
    digits = ""
    while fraction and len(digits) < 9:
        fraction *= 10
        digit = fraction.numerator // fraction.denominator
        digits += str(digit)
        fraction -= digit
    return f"{sign}{whole}.{digits}"
