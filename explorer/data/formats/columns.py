"""Rows of single values → columns of whole numbers, numbers or text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from explorer.data.reading import Reading
from explorer.values import EXACT_WHOLE

_HALF_SIGN = re.compile("[\ud800-\udfff]")
"""Half of a pair of code units, which no encoding can write."""
_INT64 = range(-(2**63), 2**63)


class Columns:
    """Columns that grow row by row, within the budget; a column may begin at any row."""

    def __init__(self, reading: Reading, names: Sequence[str] = ()) -> None:
        self._reading = reading
        self._columns: dict[str, list[object]] = {name: [] for name in names}
        self.n_rows = 0

    def add(self, row: Mapping[str, object]) -> None:
        """Add a row: the cells that are known."""
        for key, value in row.items():
            name = key if key.isascii() else _text(key) or key
            column = self._columns.setdefault(name, [])
            column.extend([None] * (self.n_rows - len(column)))
            column.append(value)
        self.n_rows += 1
        self._reading.check(self.n_rows, len(self._columns))

    def frame(self) -> pd.DataFrame:
        """Return the frame: cells that are not known are missing."""
        series = []
        for column in self._columns.values():
            column.extend([None] * (self.n_rows - len(column)))
            series.append(typed_column(column))
            column.clear()
        frame = pd.DataFrame(dict(enumerate(series)), index=pd.RangeIndex(self.n_rows))
        frame.columns = pd.Index(list(self._columns), dtype=object)
        return frame


def typed_column(values: Sequence[object]) -> pd.Series:
    """Return whole numbers, numbers, truth values or text: text as soon as one value is, or kinds are mixed.

    Whole numbers are text, too, where a float would change one of them.

    >>> typed_column([1, None, 2.5]).tolist(), typed_column([True, "NA", 3.0, ""]).tolist()
    ([1.0, nan, 2.5], ['true', 'NA', '3', nan])
    """
    kinds = {type(value) for value in values}
    has_gap = type(None) in kinds
    kinds -= {type(None)}
    if kinds <= {int} and kinds and not has_gap and all(value in _INT64 for value in values):
        return pd.Series(np.array(values, dtype=np.int64))
    if kinds <= {int, float} and not any(isinstance(value, int) and abs(value) > EXACT_WHOLE for value in values):
        return pd.Series(np.array([np.nan if value is None else value for value in values], dtype=np.float64))
    if kinds == {bool}:
        return pd.Series(values, dtype=object if has_gap else bool)
    return pd.Series([_text(value) for value in values], dtype="str")


def _text(value: object) -> str | None:
    """Return a value as a category in a column of text, None if it is missing or blank."""
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = _HALF_SIGN.sub("\ufffd", str(value))
    return text if text.strip() else None
