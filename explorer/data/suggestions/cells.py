"""The cells of a column as text: its distinct cells with their counts, and signs that look alike made equal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.values import have_open_points, is_name, is_plain_number

_SPACES = dict.fromkeys([9, 10, 11, 12, 13, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)]
)
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"), "-")
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D}
_ALIKE = {**_FULL_WIDTH, **_DASHES, **_SPACES, **_INVISIBLE}
LONGEST_WORD = 200
"""Longer cells are texts of their own: no category, number or date."""
_MANY_SPACES = re.compile(r" {2,}")


def plain_signs(text: str) -> str:
    """The text with ordinary spaces, minus signs and digits, without invisible signs, and without blanks around it.

    >>> plain_signs("\u00a0\u2212１２\u202f500 "), plain_signs("low\u200b")
    ('-12 500', 'low')
    """
    if text.isascii() and "  " not in text and text.isprintable():
        return text.strip()
    return _MANY_SPACES.sub(" ", text.translate(_ALIKE)).strip()


def without_blanks(text: str) -> str:
    """The text without blanks and invisible signs around it; inside it stays as it is.

    >>> without_blanks("\u00a0New  York\u200b ")
    'New  York'
    """
    start, end = 0, len(text)
    while start < end and _is_blank(text[start]):
        start += 1
    while end > start and _is_blank(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_blank(sign: str) -> bool:
    return sign == " " or ord(sign) in _SPACES or ord(sign) in _INVISIBLE


def folded(text: str) -> str:
    """What spellings of one thing have in common: neither case, nor spaces, nor the form of its signs counts.

    >>> folded("New\u00a0York ") == folded("new york"), folded("Ｙes")
    (True, 'yes')
    """
    return _folded(text) if len(text) <= LONGEST_WORD else text.strip()


@lru_cache(maxsize=1 << 14)
def _folded(text: str) -> str:
    same = unicodedata.normalize("NFKC", plain_signs(text)).casefold()
    return unicodedata.normalize("NFKC", same).replace(" ", "")


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
        try:
            codes, distinct = pd.factorize(column, use_na_sentinel=True)
        except TypeError:  # cells that cannot be compared, such as lists
            codes, distinct = pd.factorize(column.map(str, na_action="ignore"), use_na_sentinel=True)
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

    def without(self, texts: Sequence[str]) -> Cells:
        """The same cells, those with one of these texts missing."""
        gone = set(texts)
        stays = np.array([text not in gone for text in self.texts] + [False])
        position = np.append(np.where(stays[:-1], np.cumsum(stays[:-1]) - 1, -1), -1)
        left = tuple(text for text in self.texts if text not in gone)
        return Cells(left, self.counts[stays[:-1]], position[self.codes])

    def mapped(self, value_of: Callable[[str], str | None], index: pd.Index) -> pd.Series:
        """A text for each row from its text, missing where there is none."""
        return pd.Series(
            np.array([*map(value_of, self.texts), None], dtype=object)[self.codes], index=index, dtype="str"
        )

    def numbers(self, value_of: Callable[[str], float | None]) -> NDArray[np.float64]:
        """A number for each row from its text, nan where there is none, [n]."""
        found = map(value_of, self.texts)
        return np.array([*(np.nan if value is None else value for value in found), np.nan])[self.codes]


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


def are_plain(cells: Cells) -> bool:
    """Whether every known cell is a plain number."""
    return all(is_plain_number(text.strip()) for text in cells.texts)


def as_read(column: pd.Series) -> pd.Series:
    """A column of text as numbers if every known cell is a plain number, as the reader would have read it.

    Numbers that are names stay as they are written, and so do those whose points the reader of the file is asked about.
    """
    if not is_text(column):
        return column
    cells = Cells.of(column)
    texts = [text.strip() for text in cells.texts]
    if not texts or not are_plain(cells) or any(map(is_name, texts)) or have_open_points(texts):
        return column
    return pd.Series(cells.numbers(float), index=column.index, name=column.name)


def is_number(column: pd.Series) -> bool:
    """Whether a column is held as numbers."""
    return getattr(column.dtype, "kind", "") in ("i", "u", "f")


def is_dates(column: pd.Series) -> bool:
    """Whether a column is held as dates."""
    return isinstance(column.dtype, pd.DatetimeTZDtype) or column.dtype.kind == "M"


def is_text(column: pd.Series) -> bool:
    """Whether a column is held as text, or as objects of several types."""
    return isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype) or column.dtype == object
