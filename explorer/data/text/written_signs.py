"""A text watched while it is parsed: leading zeros, which no parsed number shows."""

from __future__ import annotations

import io
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

_ZERO = np.uint8(ord("0"))
_AT_ONCE = 1 << 15
"""Signs that are looked at by the same few calls: so few that they and what is made of them stay in a cache."""
_LONGEST = 40
"""Digits up to which a cell is followed."""
_EDGES = b'\n\r" '
"""Signs before and after a cell, beside the delimiter."""
_BEGINS_PART, _IN_PART = (np.frombuffer(signs, dtype=np.uint8) for signs in (b".eE", b"0123456789eE+-"))
"""Signs with which a fraction or an exponent begins, and which it may have."""


class WatchedText(io.TextIOBase):
    """A text that is read through; `has_leading_zero` is known once all of it was read.

    It is true where some cell may be such a number; one within quotation marks may also be a part of a cell.

    >>> text = WatchedText(io.StringIO("zip,y\\n01067,a\\n"), ",")
    >>> text.read(), text.read(), text.has_leading_zero
    ('zip,y\\n01067,a\\n', '', True)
    """

    def __init__(self, text: TextIO, delimiter: str) -> None:
        self._text, self._tail = text, b"\n\n"
        self._delimiter = ord(delimiter) if delimiter.isascii() else 0
        self.has_leading_zero = False

    def read(self, size: int | None = -1, /) -> str:
        """Read on, and look at what was read."""
        part = self._text.read(-1 if size is None else size)
        if not self.has_leading_zero:
            signs = b"".join((self._tail, part.encode("utf-8", "replace") or b"\n", bytes(_LONGEST)))
            codes = np.frombuffer(signs, dtype=np.uint8)
            steps = range(0, len(codes) - _LONGEST, _AT_ONCE - 2)  # two signs before a 0 are looked at
            self.has_leading_zero = any(self._shows_leading_zero(codes[i : i + _AT_ONCE + _LONGEST]) for i in steps)
            self._tail = signs[-2 * _LONGEST : -_LONGEST]
        return part

    def _shows_leading_zero(self, codes: NDArray[np.uint8]) -> bool:
        """Whether a cell begins with 0 and another digit, and may be a number until its end."""
        before, here, after = codes[1:-_LONGEST], codes[2 : 1 - _LONGEST], codes[3 : 2 - _LONGEST]
        is_zero = (here == ord("0")) & (after - _ZERO < 10)  # below 0, the difference is large: it has no sign
        is_zero &= (before < ord(".")) | (before == self._delimiter)
        if not is_zero.any():
            return False
        zeros = np.flatnonzero(is_zero) + 2
        after_sign = (codes[zeros - 1] == ord("-")) | (codes[zeros - 1] == ord("+"))
        cells = zeros[~after_sign | self._is_edge(codes[zeros - 2])]
        parts = cells[:0]  # those that have come to their fraction or exponent
        for length in range(2, _LONGEST):
            cells, parts = cells[cells + length < len(codes)], parts[parts + length < len(codes)]
            following, in_part = codes[cells + length], codes[parts + length]
            if bool(self._is_edge(following).any()) or bool(self._is_edge(in_part).any()):
                return True
            begun = cells[np.isin(following, _BEGINS_PART)]
            cells = cells[(following >= ord("0")) & (following <= ord("9"))]
            parts = np.append(parts[np.isin(in_part, _IN_PART)], begun)
            if not len(cells) and not len(parts):
                return False
        return False

    def _is_edge(self, codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return np.isin(codes, np.frombuffer(_EDGES, dtype=np.uint8)) | (codes == self._delimiter)
