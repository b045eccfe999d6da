"""Numbers of the pruning scenes as fractions with their decimals, and leaves in words."""

from __future__ import annotations

from fractions import Fraction

_LARGEST_DENOMINATOR = 5000


def fraction(value: float) -> str:
    """A number as a fraction of small denominator, or with four decimals where it is none.

    >>> fraction(7 / 120), fraction(2.0), fraction(0.123456789)
    ('7/120', '2', '0.1235')
    """
    near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    return str(near) if abs(near - Fraction(value)) < 1e-12 else f"{value:.4f}"


def with_decimals(value: float, digits: int = 4) -> str:
    """The fraction and its decimals.

    >>> with_decimals(7 / 120), with_decimals(0.5), with_decimals(1.0)
    ('7/120 ≈ 0.0583', '1/2 = 0.5000', '1')
    """
    written, decimals = fraction(value), f"{value:.{digits}f}"
    if "/" not in written:
        return written if float(written) == value else decimals
    return f"{written} {'=' if float(decimals) == value else '≈'} {decimals}"
