"""Columns → rank codes: a feature's values in order, and the code of each row's value.

A *code* is a position in the feature's own list of values: ascending numbers, or categories in order of first
appearance. A missing cell has the code one past the end. Types are inferred here when they are not given.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.read import MISSING_MARKERS
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.jit import kernel
from explorer.messages import message, plural

_ROW = np.uint64(0xFFFFFFFF)
_MISSING = np.uint32(0xFFFFFFFF)


@kernel
def pack(numbers, keys):
    """Fill `keys` with (order-preserving bits of the number, row), nan as the largest; False if one needs 64 bits."""
    for row in range(numbers.size):
        number = numbers[row] + 0.0  # −0.0 becomes 0.0
        bits = _MISSING
        if not np.isnan(number):
            single = np.float32(number)
            if np.float64(single) != number:
                return False
            bits = single.view(np.uint32)
            bits = ~bits if bits >> np.uint32(31) else bits | np.uint32(0x80000000)
        keys[row] = (np.uint64(bits) << np.uint64(32)) | np.uint64(row)
    return True


@kernel
def code_packed(keys, numbers, codes, values):
    """Write each row's code from sorted keys, and the distinct values in order; returns how many values there are."""
    n_values, last = 0, np.uint64(0)
    for i in range(keys.size):
        row, bits = np.int64(keys[i] & _ROW), keys[i] >> np.uint64(32)
        if bits == np.uint64(_MISSING):
            codes[row] = n_values
            continue
        if n_values == 0 or bits != last:
            values[n_values] = numbers[row] + 0.0
            n_values += 1
            last = bits
        codes[row] = n_values - 1
    return n_values


@kernel
def code_ordered(order, numbers, codes, values):
    """As `code_packed`, from the rows in ascending order of their numbers, nan last."""
    n_values = 0
    for i in range(order.size):
        row = order[i]
        if np.isnan(numbers[row]):
            codes[row] = n_values
            continue
        if n_values == 0 or numbers[row] != values[n_values - 1]:
            values[n_values] = numbers[row] + 0.0
            n_values += 1
        codes[row] = n_values - 1
    return n_values


def rank_codes(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Write the rank code of every number [n] into `codes`, and return the distinct numbers, ascending.

    nan gets the code one past the last. The numbers must be finite otherwise.

    >>> codes = np.empty(4, dtype=np.int32)
    >>> rank_codes(np.array([5.0, np.nan, -1.0, 5.0]), codes).tolist(), codes.tolist()
    ([-1.0, 5.0], [1, 2, 0, 1])
    """
    numbers = np.ascontiguousarray(numbers)
    keys = np.empty(len(numbers), dtype=np.uint64)
    values = np.empty(len(numbers))
    if pack(numbers, keys):
        keys.sort()
        n_values = code_packed(keys, numbers, codes, values)
    else:
        n_values = code_ordered(np.argsort(numbers), numbers, codes, values)
    return values[:n_values].copy()


Kind = str | Sequence[Value]
ROWS_TO_ENCODE_IN_THREADS = 50_000
"""Rows from which encoding a column is worth handing to another thread."""
EXACT_WHOLE = 2**53
"""Up to this number every whole number has a distinct float."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A column's name, kind ("numeric" or "categorical") and list of values."""

    name: str
    kind: str
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0), repr=False)
    categories: tuple[Value, ...] = ()

    @property
    def n_values(self) -> int:
        """How many different values there are; also the code of a missing cell."""
        return len(self.values) if self.kind == "numeric" else len(self.categories)


def encode_columns(
    columns: Sequence[pd.Series], kinds: Mapping[str, Kind], *, progress: Callable[[int, int], None] | None = None
) -> tuple[list[Feature], NDArray[np.int32]]:
    """Features and codes [F, n] of some columns; `kinds` may give the kind of a column.

    `progress(columns done, columns in all)` may raise `Stopped`.
    """
    n = len(columns[0]) if columns else 0
    codes = np.empty((len(columns), n), dtype=np.int32)

    def encode(i: int) -> Feature:
        name = str(columns[i].name)
        kind = kinds.get(name)
        if _is_plain_number(columns[i], kind):
            return _encode_numbers(columns[i].to_numpy(np.float64, na_value=np.nan), name, codes[i])
        feature, codes[i] = _encode_other(columns[i], name, kind)
        return feature

    if n < ROWS_TO_ENCODE_IN_THREADS:
        return [encode(i) for i in range(len(columns))], codes
    pool, features = ThreadPoolExecutor(os.cpu_count()), list[Feature]()
    try:
        for feature in pool.map(encode, range(len(columns))):
            features.append(feature)
            if progress is not None:
                progress(len(features), len(columns))
    finally:
        pool.shutdown(cancel_futures=True)
    return features, codes


def encode_target(column: pd.Series, kind: Kind | None) -> tuple[Feature, NDArray[np.int32]]:
    """The target as a feature and codes; a few whole numbers are taken as classes unless `kind` is given."""
    if kind is None and _is_plain_number(column, None) and _few_whole_numbers(column):
        kind = "categorical"
    features, codes = encode_columns([column], {} if kind is None else {str(column.name): kind})
    return features[0], codes[0]


def _few_whole_numbers(column: pd.Series) -> bool:
    known = column.dropna()
    distinct = known.unique()
    whole = bool(len(distinct)) and all(float(value).is_integer() for value in distinct[:1000])
    return whole and len(distinct) <= max(2, min(10, len(known) // 2))


def _is_plain_number(column: pd.Series, kind: Kind | None) -> bool:
    number = getattr(column.dtype, "kind", "") in ("i", "u", "f")
    return number and (kind == "numeric" or (kind is None and not _beyond_float(column)))


def _beyond_float(column: pd.Series) -> bool:
    """Whether whole numbers are too long for a float (19-digit ids): they are then names, not quantities."""
    if getattr(column.dtype, "kind", "") not in ("i", "u") or not len(column):
        return False
    if max(abs(int(column.max())), abs(int(column.min()))) <= EXACT_WHOLE:
        return False
    return any(int(float(number)) != int(number) for number in column.unique())


def refuse_infinite(numbers: NDArray[np.float64], name: str) -> None:
    """InputError for ±infinity, naming the first row."""
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise InputError(
            message(
                "Column '{column}' has an infinite number (row {row:,}): correct it or leave the cell empty.",
                column=name,
                row=row + 1,
            )
        )


def _encode_numbers(numbers: NDArray[np.float64], name: str, codes: NDArray[np.int32]) -> Feature:
    """A numeric feature, its codes written into `codes`."""
    refuse_infinite(numbers, name)
    return Feature(name, "numeric", rank_codes(numbers, codes))


def _encode_other(column: pd.Series, name: str, kind: Kind | None) -> tuple[Feature, NDArray[np.int32]]:
    """Text, booleans, dates, mixed cells, and numbers that are to be categories."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype) and kind in (None, "numeric"):
        return _encode_single_numbers(_days(column), name)
    codes, categories = _factorize(column)
    if (kind is None and not _beyond_float(column)) or kind == "numeric":
        worth_reading = len(categories) and (kind == "numeric" or not math.isnan(_as_number(categories[0])))
        numbers = np.array([_as_number(value) for value in categories] if worth_reading else [math.nan])
        if len(categories) and not np.isnan(numbers).any():
            return _encode_single_numbers(np.append(numbers, np.nan)[codes], name)
        if kind == "numeric" and not len(categories):
            return _encode_single_numbers(np.full(len(column), np.nan), name)
        if kind == "numeric":
            _refuse_text(codes, categories, numbers, name)
    if kind is not None and not isinstance(kind, str):
        codes, categories = _reorder(codes, categories, kind, name)
    elif kind not in (None, "categorical", "numeric"):
        raise InputError(
            message(
                "The type of column '{column}' is {type!r}: use 'numeric', 'categorical' or a list of values.",
                column=name,
                type=kind,
            )
        )
    return Feature(name, "categorical", categories=tuple(categories)), codes


def _days(column: pd.Series) -> NDArray[np.float64]:
    """Dates as days since 1970-01-01."""
    stamps = pd.to_datetime(column, utc=True)
    days = (stamps - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
    return np.asarray(days, dtype=np.float64)


def _encode_single_numbers(numbers: NDArray[np.float64], name: str) -> tuple[Feature, NDArray[np.int32]]:
    codes = np.empty(len(numbers), dtype=np.int32)
    return _encode_numbers(numbers, name, codes), codes


def _factorize(column: pd.Series) -> tuple[NDArray[np.int32], list[Value]]:
    """Codes by first appearance, markers of missing cells taken out, and the categories in their own type."""
    if column.dtype == object and len({type(cell) for cell in column if not _is_missing(cell)}) > 1:
        column = column.map(lambda cell: cell if _is_missing(cell) else str(cell))
    raw, distinct = pd.factorize(column, use_na_sentinel=True)
    cleaned = [clean_value(value) for value in np.asarray(distinct, dtype=object)]
    categories = list(dict.fromkeys(value for value in cleaned if value is not None))
    position = {value: i for i, value in enumerate(categories)}
    recode = np.array(
        [len(categories) if value is None else position[value] for value in cleaned] + [len(categories)], dtype=np.int32
    )
    return recode[raw], categories


def _is_missing(cell: object) -> bool:
    return cell is None or cell is pd.NA or (isinstance(cell, float) and np.isnan(cell)) or cell is pd.NaT


def clean_value(value: object) -> Value | None:
    """A cell as a category: text stripped, whole numbers as int; None if it is missing.

    >>> clean_value(" yes "), clean_value(1.0), clean_value("?")
    ('yes', 1, None)
    """
    if _is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() else float(value)
    text = str(value).strip()
    return None if text in MISSING_MARKERS else text


def _as_number(value: Value) -> float:
    """A category as a number, nan where it is none."""
    text = str(value)
    if isinstance(value, bool) or "_" in text:  # Python reads 1_000 as a number, tables do not
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


def _refuse_text(codes: NDArray[np.int32], categories: list[Value], numbers: NDArray[np.float64], name: str) -> None:
    bad = np.isin(codes, np.flatnonzero(np.isnan(numbers)))
    rows = ", ".join(str(row + 1) for row in np.flatnonzero(bad)[:5]) + (", …" if bad.sum() > 5 else "")
    example = next((str(categories[i]) for i in np.flatnonzero(np.isnan(numbers))), "")
    raise InputError(
        plural(
            int(bad.sum()),
            "Column '{column}' has {n:,} value that is not a number (row {rows}: '{example}'). Correct it, or make the "
            "column categorical.",
            "Column '{column}' has {n:,} values that are not numbers (rows {rows}; the first is '{example}'). Correct "
            "them, or make the column categorical.",
            column=name,
            rows=rows,
            example=example[:40],
        )
    )


def _reorder(
    codes: NDArray[np.int32], categories: list[Value], order: Sequence[Value], name: str
) -> tuple[NDArray[np.int32], list[Value]]:
    """Codes by a given order of categories, which may list values that no row has."""
    wanted = list(dict.fromkeys(value for value in map(clean_value, order) if value is not None))
    unknown = [value for value in categories if value not in wanted]
    if unknown:
        named = ", ".join(f"'{value}'" for value in unknown[:5])
        raise InputError(
            message(
                "Column '{column}' has {values}, not in the order given for it: add the value or correct it.",
                column=name,
                values=named,
            )
        )
    position = {value: i for i, value in enumerate(wanted)}
    recode = np.array([position[value] for value in categories] + [len(wanted)], dtype=np.int32)
    return recode[codes], wanted


def with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with names of columns as text (a frame made of an array numbers its columns)."""
    if all(isinstance(name, str) for name in frame.columns):
        return frame
    return frame.set_axis([str(name) for name in frame.columns], axis=1)
