"""A number as a reader types it: 0.247, .247, 0,247, 5/14, 35.7 %, with the signs and digits of any keyboard."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_NUMBER = re.compile(r"([+-]?)(\d*)(?:[.,](\d*))?")
_MINUS = str.maketrans({"−": "-", "–": "-", "÷": "/", "。": "."})
_LONGEST = 40


@dataclass(frozen=True)
class Typed:
    """The number, and how many decimals it was given with; a fraction has None, for it is exact."""

    value: float
    decimals: int | None

    @property
    def half_unit(self) -> float:
        """Half of one in the last digit: by so much may rounding have moved the number."""
        return 0.0 if self.decimals is None else float(0.5 * 10.0**-self.decimals)


def read_typed(text: str) -> Typed | None:
    """The number that was typed; None where it is none.

    >>> read_typed(".247"), read_typed("5/14").decimals, read_typed("35,5 %")
    (Typed(value=0.247, decimals=3), None, Typed(value=0.355, decimals=3))
    >>> read_typed("abc"), read_typed("1/0"), read_typed("−0.5").value
    (None, None, -0.5)
    """
    plain = re.sub(r"\s", "", unicodedata.normalize("NFKC", text[:_LONGEST]).translate(_MINUS))
    if plain.endswith("%"):
        share = read_typed(plain[:-1])
        if share is None:
            return None
        return Typed(share.value / 100, None if share.decimals is None else share.decimals + 2)
    top, slash, bottom = plain.partition("/")
    if slash:
        return _fraction(_decimal(top), _decimal(bottom))
    return _decimal(plain)


def _fraction(top: Typed | None, bottom: Typed | None) -> Typed | None:
    if top is None or bottom is None or bottom.value == 0:
        return None
    return Typed(top.value / bottom.value, None)


def _decimal(text: str) -> Typed | None:
    match = _NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    sign, whole, decimals = match[1], match[2] or "0", match[3] or ""
    return Typed(float(f"{sign}{whole}.{decimals or '0'}"), len(decimals))
