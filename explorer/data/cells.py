"""One cell → a category or a number, by the cell alone: no other cell of the table has a say (section 1).

`explorer/export/python_runtime.py` has the same rules for the Python file that `to_python` writes.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Container, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.ranks import code_few
from explorer.data.source_column import SourceColumn
from explorer.messages import message
from explorer.values import EXACT_WHOLE, MISSING_MARKERS, Value

_ONE_TYPE = {"string", "boolean", "integer", "floating", "mixed-integer-float", "decimal", "date", "datetime", "empty"}
"""Contents of object columns that pandas tells apart as this module does; it takes 1, 1.0 and True for equal."""


def is_missing(cell: object) -> bool:
    """Whether a cell has no value; marks such as "NA" are texts."""
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float | Decimal) and math.isnan(cell))


class _AllTexts:
    """Contains every text but the empty one."""

    def __contains__(self, text: object) -> bool:
        return text != ""


ALL_TEXTS: Container[Value | None] = _AllTexts()
"""Categories for a column to learn from: a text such as "NA" is one, since missing cells have no text there."""


def is_mark(value: Value) -> bool:
    """Whether a text stands for a missing cell where only numbers or listed categories are known."""
    return isinstance(value, str) and value in MISSING_MARKERS


def clean_value(value: object, categories: Container[Value | None] = ()) -> Value | None:
    """A cell as a category: text stripped, whole numbers as int; None if it is missing.

    A mark such as "NA" is missing, unless it is listed among `categories`. Durations are seconds, and dates without a
    time of day have none in their text.

    >>> clean_value(" yes "), clean_value(1.0), clean_value("1.0"), clean_value(True), clean_value("?")
    ('yes', 1, '1.0', True, None)
    >>> clean_value("NA", categories=("NA", "EU")), clean_value(Decimal("2.50"))
    ('NA', 2.5)
    >>> clean_value(datetime.datetime(2024, 1, 5)), clean_value(datetime.timedelta(minutes=5))
    ('2024-01-05', 300)
    """
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if math.isinf(value):
            return str(value)
        return int(value) if float(value).is_integer() else float(value)
    if isinstance(value, Decimal):
        value = _decimal_value(value)
        if not isinstance(value, str):
            return value
    if isinstance(value, datetime.timedelta):
        return clean_value(value.total_seconds())
    text = _time_text(value) if isinstance(value, datetime.date | datetime.time) else str(value).strip()
    return None if text in MISSING_MARKERS and text not in categories else text


def _time_text(value: datetime.date | datetime.time) -> str:
    """A date without 00:00:00, a time without the zeros that end its fraction.

    >>> _time_text(pd.Timestamp("2024-01-05 08:00")), _time_text(datetime.time(8, 30, 0, 500_000))
    ('2024-01-05 08:00:00', '08:30:00.5')
    """
    text = str(value)
    if isinstance(value, datetime.datetime):
        return text.removesuffix(" 00:00:00")
    return text.rstrip("0") if "." in text else text


def _decimal_value(value: Decimal) -> int | float | str:
    """A decimal number as int or float where that has the same digits, else its text."""
    if not value.is_finite() or value.adjusted() > 400:
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def distinct_cells(
    source: SourceColumn, categories: Container[Value | None] = ()
) -> tuple[NDArray[np.int32], list[Value]]:
    """The code [n] of every cell and the distinct values by first appearance; missing cells have the code past them.

    A truth value, a number and a text are distinct values. Raises ColumnError for a cell that is not a single value.

    >>> codes, values = distinct_cells(SourceColumn(pd.Series([1.0, "1", True, None, 1, " a "], dtype=object)))
    >>> codes.tolist(), values
    ([0, 1, 2, 4, 0, 3], [1, '1', True, 'a'])
    """
    raw, distinct = _factorize(source)
    cleaned = [clean_value(value, categories) for value in distinct]
    position: dict[tuple[str, Value], int] = {}
    own = [-1 if value is None else position.setdefault((_type(value), value), len(position)) for value in cleaned]
    recode = np.array([*own, -1], dtype=np.int32)
    recode[recode < 0] = len(position)
    return recode[raw], [value for _, value in position]


def _type(value: Value) -> str:
    if isinstance(value, bool):
        return "truth value"
    return "text" if isinstance(value, str) else "number"


def alike(codes: NDArray[np.int32], values: Sequence[Value]) -> tuple[NDArray[np.int32], list[Value]]:
    """Codes and distinct values as categories of one type: all as text where there are several types.

    >>> codes, categories = alike(np.array([0, 1, 2, 3], dtype=np.int32), [1, "1", True])
    >>> codes.tolist(), categories
    ([0, 0, 1, 2], ['1', 'True'])
    """
    if len({_type(value) for value in values}) < 2:
        return codes, list(values)
    texts = [str(value) for value in values]
    categories: list[Value] = list(dict.fromkeys(texts))
    position = positions_of(categories)
    return np.array([*map(position, texts), len(categories)], dtype=np.int32)[codes], categories


def positions_of(categories: Sequence[Value | None]) -> Callable[[Value], int | None]:
    """The position of a value among categories, None for none: a value is the category that has its text.

    >>> position = positions_of((1, 2.5, None))
    >>> position(1), position("2.5"), position("1.0"), position(True)
    (0, 1, None, None)
    """
    by_text = {str(category): i for i, category in enumerate(categories) if category is not None}
    return lambda value: by_text.get(str(value))


def _factorize(source: SourceColumn) -> tuple[NDArray[np.intp], Sequence[object]]:
    """Codes and distinct cells; −1 for cells without a value."""
    column = source.column
    try:
        if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) not in _ONE_TYPE:
            return _factorize_by_type(column)
        is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf"
        if is_plain and (few := factorize_few(column.to_numpy())) is not None:
            return few
        cells = column.to_numpy() if is_plain else column  # pandas takes longer with a series
        codes, distinct = pd.factorize(cells, use_na_sentinel=True)
        return codes, list(np.asarray(distinct, dtype=object))
    except (TypeError, NotImplementedError):  # NotImplementedError: Arrow's lists and structs
        bad = np.array([not (is_missing(cell) or _is_hashable(cell)) for cell in column], dtype=bool)
        raise source.error(_no_single_value_text(source, bad), bad) from None


_FIRST = 1_000
"""Cells that tell in most cases that there are many different ones, before all are copied."""


def factorize_few(cells: NDArray[Any]) -> tuple[NDArray[np.intp], list[Any]] | None:
    """As `_factorize` for up to 16 numbers, without pandas, which is slow to begin; None for more, or long ones."""
    codes, values = np.empty(len(cells), dtype=np.intp), np.empty(16)
    if len(cells) > _FIRST and code_few(cells[:_FIRST].astype(np.float64), codes, values) < 0:
        return None
    n_values = code_few(cells.astype(np.float64), codes, values)
    if n_values < 0 or np.abs(values[:n_values]).max(initial=0.0) >= EXACT_WHOLE:
        return None
    return codes, values[:n_values].astype(cells.dtype).tolist()


def _factorize_by_type(column: pd.Series) -> tuple[NDArray[np.intp], Sequence[object]]:
    position: dict[tuple[type, object], int] = {}
    codes = [-1 if is_missing(cell) else position.setdefault((type(cell), cell), len(position)) for cell in column]
    return np.array(codes, dtype=np.intp), [cell for _, cell in position]


def _is_hashable(cell: object) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True


def _no_single_value_text(source: SourceColumn, bad: NDArray[np.bool_]) -> str:
    ((row, text), *_) = source.cells(bad) or ((1, ""),)
    return message(
        "Column '{column}' has cells with several values (row {row:,}: '{example}'). Give one value per cell, or leave "
        "the column out.",
        column=source.name,
        row=row,
        example=text[:40],
    )
