"""The cells of a column as text: its distinct cells with their counts, and signs that look alike made equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_SPACES = dict.fromkeys([9, 10, 11, 12, 13, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)]
)
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"), "-")
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D}
_ALIKE = {**_FULL_WIDTH, **_DASHES, **_SPACES, **_INVISIBLE}
_MANY_SPACES = re.compile(r" {2,}")


def plain_signs(text: str) -> str:
    """The text with ordinary spaces, minus signs and digits, without invisible signs, and without blanks around it.

    >>> plain_signs("\u00a0\u2212１２\u202f500 "), plain_signs("low\\u200b")
    ('-12 500', 'low')
    """
    if text.isascii() and "  " not in text and "\t" not in text:
        return text.strip()
    return _MANY_SPACES.sub(" ", text.translate(_ALIKE)).strip()


@dataclass(frozen=True, eq=False)
class Cells:
    """The known cells of a column: distinct `texts` in order of first appearance, `counts` [d], `codes` [n].

    A missing cell has the code −1.
    """

    texts: tuple[str, ...]
    counts: NDArray[np.intp]
    codes: NDArray[np.intp]

    @classmethod
    def of(cls, column: pd.Series) -> Cells:
        """The cells of a column of any type, each as text."""
        codes, distinct = pd.factorize(column, use_na_sentinel=True)
        texts = tuple(map(cell_text, np.asarray(distinct, dtype=object)))
        return cls(texts, np.bincount(codes[codes >= 0], minlength=len(texts)), codes)

    @property
    def n_known(self) -> int:
        """How many cells are not missing."""
        return int(self.counts.sum())

    def count(self, texts: Sequence[str]) -> int:
        """How many cells hold one of these texts."""
        wanted = set(texts)
        return int(sum(n for text, n in zip(self.texts, self.counts, strict=True) if text in wanted))

    def numbers(self, value_of: Callable[[str], float | None]) -> NDArray[np.float64]:
        """A number for each row from its text, nan where there is none, [n]."""
        found = [value_of(text) for text in self.texts]
        numbers = np.array([np.nan if value is None else value for value in found] + [np.nan])
        return numbers[self.codes]


def cell_text(cell: object) -> str:
    """A cell as text, whole numbers without a decimal point.

    >>> cell_text(3.0), cell_text("a "), cell_text(True)
    ('3', 'a ', 'true')
    """
    if isinstance(cell, bool | np.bool_):
        return "true" if cell else "false"
    if isinstance(cell, float | np.floating) and float(cell).is_integer():
        return str(int(cell))
    return str(cell)


def is_number(column: pd.Series) -> bool:
    """Whether a column is held as numbers."""
    return getattr(column.dtype, "kind", "") in ("i", "u", "f")


def is_text(column: pd.Series) -> bool:
    """Whether a column is held as text, or as objects of several types."""
    return pd.api.types.is_string_dtype(column.dtype) or column.dtype == object
