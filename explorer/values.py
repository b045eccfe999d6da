"""What a value of a table is, and what a text says by itself: missing, a number, or digits that are a name (section 1).

The patterns are such that Python and DuckDB read them alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal

Value = str | int | float | bool
"""A class or a category, in its own type."""
MISSING_MARKERS: frozenset[str] = frozenset(
    {"", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "<NA>", "#N/A", "\\N"}
)
"""Cells that count as missing. "none" is not among them: tables use it as a category."""
EXACT_WHOLE = 2**53
"""Up to this number every whole number has a distinct float."""
PLAIN_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
LEADING_ZERO = r"[+-]?0[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?"
"""A plain number of several digits that begins with 0: digits that are a name, such as the zip code 01067."""
LONG_NUMBER = r"[+-]?[0-9]{16,}(\.0*)?"
"""A whole number that a float may not hold."""
_PLAIN, _LONG, _ZERO = map(re.compile, (PLAIN_NUMBER, LONG_NUMBER, LEADING_ZERO))
_POINT_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")


def as_number(value: Value) -> float:
    """A category as a number, nan where it is none.

    >>> as_number("1e3"), as_number("1_000"), as_number(True)
    (1000.0, nan, nan)
    """
    text = str(value)
    if isinstance(value, bool) or "_" in text:  # Python reads 1_000 as a number, tables do not
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


def is_plain_number(text: str) -> bool:
    """Whether a text is digits, with a point or an exponent at the most.

    >>> [is_plain_number(text) for text in ("-0.5", "1e3", "007", "1_000", "inf")]
    [True, True, True, False, False]
    """
    return _PLAIN.fullmatch(text) is not None


def has_leading_zero(text: str) -> bool:
    """Whether a text is a number of several digits that begins with 0.

    >>> [has_leading_zero(text) for text in ("01067", "007e2", "-00.5", "0.5", "0e1", "05:30")]
    [True, True, True, False, False, False]
    """
    return _ZERO.fullmatch(text) is not None


def is_rounded(value: Value) -> bool:
    """Whether a value is a whole number too long for a float, which would take it for a neighbouring number.

    >>> [is_rounded(value) for value in (2**53, 2**53 + 1, "12345678901234567891", "9007199254740993.0", "1e300")]
    [False, True, True, True, False]
    """
    if isinstance(value, (bool, float)):
        return False
    if isinstance(value, str) and not _LONG.fullmatch(value):
        return False
    number = as_number(value)
    return abs(number) >= EXACT_WHOLE and Decimal(value) != Decimal(number)


def is_name(text: str) -> bool:
    """Whether the digits of a plain number are a name: they begin with 0, or are too many for a float."""
    return has_leading_zero(text) or is_rounded(text)


def is_quantity(value: Value) -> bool:
    """Whether a category is a plain number and no name.

    >>> [is_quantity(value) for value in ("0.5", "1e3", 7, "007", "007e2", "inf", 2**53 + 1, True)]
    [True, True, True, False, False, False, False, False]
    """
    if isinstance(value, str):
        return is_plain_number(value) and not is_name(value)
    return not isinstance(value, bool) and not is_rounded(value)


def have_open_points(texts: Iterable[str]) -> bool:
    """Whether some numbers have points, each with one to three digits before it, not 0 first, and three after it.

    >>> have_open_points(["2.620", "146"]), have_open_points(["2.620", "0.146"]), have_open_points(["146"])
    (True, False, False)
    """
    pointed = [text for text in texts if "." in text]
    return bool(pointed) and all(map(_POINT_THOUSANDS.fullmatch, pointed))
