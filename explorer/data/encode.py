"""Columns → rank codes: a feature's values in order, and the code of each row's value.

A *code* is a position in the feature's own list of values: ascending numbers, or categories in order of first
appearance. A missing cell has the code one past the end. Types are inferred here when they are not given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.cells import EXACT_WHOLE, alike, as_number, clean_value, distinct_cells, is_rounded, positions_of
from explorer.data.source_column import SourceColumn, rows_text
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.jit import inner, kernel
from explorer.messages import listing, message, plural
from explorer.threads import shared_pool, thread_count

_ROW = np.uint64(0xFFFFFFFF)
_ROW_BITS = np.uint64(32)
_MISSING = np.uint32(0xFFFFFFFF)
_SIGN, _SIGN_AT = np.uint32(0x80000000), np.uint32(31)
_DIGIT_BITS = 11
_DIGIT = np.uint64(2**_DIGIT_BITS - 1)
MOST_MOVES = 8
"""Moves per row from which on numbers that agree in 32 bits are better sorted as a whole."""


@inner
def code_whole(numbers, codes, values):
    """As `code_exact` for whole numbers in a range no wider than the table is long, which need no sort; else −1."""
    lowest, highest = np.inf, -np.inf
    for number in numbers:
        if number != np.floor(number) and not np.isnan(number):
            return -1
        lowest, highest = (number if number < lowest else lowest), (number if number > highest else highest)
    if highest - lowest >= numbers.size:
        return -1
    n_values, code_of = 0, np.zeros(np.int64(highest - lowest) + 1 if highest >= lowest else 0, np.int32)
    for number in numbers:
        if not np.isnan(number):
            code_of[np.int64(number - lowest)] = 1
    for step in range(code_of.size):
        if code_of[step]:
            values[n_values], code_of[step] = lowest + float(step), n_values
            n_values += 1
    for row in range(numbers.size):
        number = numbers[row]
        codes[row] = n_values if np.isnan(number) else code_of[np.int64(number - lowest)]
    return n_values


@inner
def pack(numbers, keys, counts):
    """Fill `keys` with (order-preserving 32 bits of the number, row), nan as the largest, and count their digits.

    Returns whether every number is exact in 32 bits; those that are not may have the bits of a neighbour.
    """
    is_exact = True
    for row in range(numbers.size):
        number = numbers[row] + 0.0  # −0.0 becomes 0.0
        bits = _MISSING
        if not np.isnan(number):
            single = np.float32(number)
            is_exact &= np.float64(single) == number
            bits = single.view(np.uint32)
            bits = np.uint32(bits ^ (np.uint32(0) - (bits >> _SIGN_AT) | _SIGN))  # all bits of a negative number
        keys[row] = (np.uint64(bits) << _ROW_BITS) | np.uint64(row)
        for digit in range(3):
            counts[digit, (keys[row] >> np.uint64(32 + _DIGIT_BITS * digit)) & _DIGIT] += np.uint32(1)
    return is_exact


@inner
def sort_packed(keys, spare, counts):
    """Sort packed keys by their numbers, equal ones by row, digit by digit from the last (LSD radix sort: Knuth 5.2.5).

    The sorted keys are in `spare`; `counts` [3, 2048] says how often each digit has each value, and is rewritten.
    """
    source, target = keys, spare
    for digit in range(3):
        place, shift, start = counts[digit], np.uint64(32 + _DIGIT_BITS * digit), np.uint32(0)
        for value in range(place.size):
            count = place[value]
            place[value] = start
            start += count
        for key in source:
            value = (key >> shift) & _DIGIT
            target[place[value]] = key
            place[value] += np.uint32(1)
        source, target = target, source


@inner
def code_exact(keys, codes, values):
    """Write each row's code from sorted keys, and the distinct values in order; returns how many values there are."""
    n_values, last = 0, _MISSING
    for key in keys:
        row, bits = key & _ROW, np.uint32(key >> _ROW_BITS)
        if bits == _MISSING:
            codes[row] = n_values
            continue
        if bits != last:
            values[n_values] = np.uint32(bits ^ (_SIGN if bits >> _SIGN_AT else _MISSING)).view(np.float32)
            n_values, last = n_values + 1, bits
        codes[row] = n_values - 1
    return n_values


@inner
def order_of_packed(keys, numbers, order):
    """Write the rows of sorted keys into `order`, by their numbers in all bits; False where that takes too long."""
    n_moves = 0
    for i in range(keys.size):
        row, bits, at = np.int64(keys[i] & _ROW), keys[i] >> _ROW_BITS, i
        while at > 0 and keys[at - 1] >> _ROW_BITS == bits and numbers[order[at - 1]] > numbers[row]:
            order[at] = order[at - 1]
            at -= 1
            n_moves += 1
        order[at] = row
        if n_moves > MOST_MOVES * keys.size:
            return False
    return True


@kernel
def code_ordered(order, numbers, codes, values):
    """As `code_exact`, from the rows in ascending order of their numbers, nan last."""
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


@kernel
def code_columns(numbers, codes, values, n_values):
    """Write the rank codes and distinct values of columns [F, n], finite or nan, and how many values each column has.

    That is −1 for a column that is still to be coded: by `code_ordered`.
    """
    n_rows = numbers.shape[1]
    keys, spare, counts = np.empty(n_rows, np.uint64), np.empty(n_rows, np.uint64), np.empty((3, 2048), np.uint32)
    for column in range(numbers.shape[0]):
        n_values[column] = code_whole(numbers[column], codes[column], values[column])
        if n_values[column] >= 0:
            continue
        counts[:] = 0
        is_exact = pack(numbers[column], keys, counts)
        sort_packed(keys, spare, counts)
        if is_exact:
            n_values[column] = code_exact(spare, codes[column], values[column])
        elif order_of_packed(spare, numbers[column], keys.view(np.int64)):
            n_values[column] = code_ordered(keys.view(np.int64), numbers[column], codes[column], values[column])


def _code_all(numbers: NDArray[np.float64], codes: NDArray[np.int32], values: NDArray[np.float64]) -> list[int]:
    """Write codes and distinct values of columns [F, n]; returns how many values each column has."""
    n_values = np.empty(len(numbers), dtype=np.int64)
    code_columns(numbers, codes, values, n_values)
    for column in np.flatnonzero(n_values < 0):
        order = np.argsort(numbers[column])
        n_values[column] = code_ordered(order, numbers[column], codes[column], values[column])
    return n_values.tolist()


def rank_codes_of_all(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> list[NDArray[np.float64]]:
    """`rank_codes` of every column [F, n] in one call.

    >>> codes = np.empty((2, 3), dtype=np.int32)
    >>> numbers = np.array([[5.0, np.nan, -1.0], [0.5, 0.25, 0.5]])
    >>> [values.tolist() for values in rank_codes_of_all(numbers, codes)], codes.tolist()
    ([[-1.0, 5.0], [0.25, 0.5]], [[1, 2, 0], [1, 0, 1]])
    """
    values = np.empty(numbers.shape)
    return [values[column, :n].copy() for column, n in enumerate(_code_all(numbers, codes, values))]


def rank_codes(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Write the rank code of every number [n] into `codes`, and return the distinct numbers, ascending.

    nan gets the code one past the last. The numbers must be finite otherwise.

    >>> codes = np.empty(4, dtype=np.int32)
    >>> rank_codes(np.array([5.0, np.nan, -1.0, 5.0]), codes).tolist(), codes.tolist()
    ([-1.0, 5.0], [1, 2, 0, 1])
    """
    values = np.empty(len(numbers))
    (n_values,) = _code_all(np.ascontiguousarray(numbers)[None], codes[None], values[None])
    values.resize(n_values, refcheck=False)  # in place: no second copy
    return values


Kind = str | Sequence[Value]
ROWS_TO_ENCODE_IN_THREADS = 50_000
"""Rows from which encoding a column is worth handing to another thread."""
CELLS_AT_ONCE = 100_000
"""Cells that are encoded by the same few calls: about as many as a cache holds."""


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


class Heading(Protocol):
    """What is known of a table without its rows: a data set has it, and a table that an engine counts."""

    @property
    def target(self) -> Feature:
        """Name, kind and classes of the target."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """Name, kind and values of every feature."""

    @property
    def classes(self) -> tuple[Value, ...]:
        """The classes in order; empty for a numeric target."""

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""


def encode_columns(
    columns: Sequence[pd.Series],
    kinds: Mapping[str, Kind],
    rows: NDArray[np.intp] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Feature], NDArray[np.int32]]:
    """Features and codes [F, n] of some columns; `kinds` may give the kind of a column.

    `rows` are the positions of the cells in the table, which errors name; None for 0 to n − 1. `progress(columns done,
    columns in all)` may raise `Stopped`. Raises ColumnError.
    """
    n = len(columns[0]) if columns else 0
    codes = np.empty((len(columns), n), dtype=np.int32)

    def encode(i: int) -> Feature:
        source = SourceColumn(columns[i], rows)
        kind = kinds.get(source.name)
        if _is_plain_number(columns[i], kind):
            return _encode_numbers(_floats(columns[i]), source, codes[i])
        feature, codes[i] = _encode_other(source, kind)
        return feature

    in_threads = n >= ROWS_TO_ENCODE_IN_THREADS
    contexts = [copy_context() for _ in columns]  # in which errors speak the caller's language
    map_columns = shared_pool().map if in_threads and thread_count() > 1 else map
    features = list[Feature]()
    for feature in map_columns(lambda i, context: context.run(encode, i), range(len(columns)), contexts):
        features.append(feature)
        if in_threads and progress is not None:
            progress(len(features), len(columns))
    return features, codes


def encode_numbers_of_frame(
    frame: pd.DataFrame, names: Sequence[str], kinds: Mapping[str, Kind], rows: NDArray[np.intp] | None
) -> tuple[list[Feature], NDArray[np.int32]] | None:
    """As `encode_columns` for a table of floats that is not large, without the cost of taking out every column.

    None where a column is something else, or has an infinite number.
    """
    if not 0 < len(frame) < ROWS_TO_ENCODE_IN_THREADS or any(kinds.get(name, "numeric") != "numeric" for name in names):
        return None
    place_of = {name: place for place, name in enumerate(frame.columns.tolist())}
    places = [place_of[name] for name in names]
    side_by_side = bool(places) and places == list(range(places[0], places[0] + len(places)))
    chosen = frame.iloc[:, slice(places[0], places[-1] + 1) if side_by_side else places]
    if set(chosen.dtypes.to_numpy()) != {np.dtype(np.float64)}:
        return None
    by_column = chosen.to_numpy().T if rows is None else chosen.to_numpy()[rows].T
    codes, values = np.empty(by_column.shape, dtype=np.int32), list[NDArray[np.float64]]()
    step = max(1, CELLS_AT_ONCE // by_column.shape[1])
    for first in range(0, len(names), step):
        numbers = np.array(by_column[first : first + step], order="C")
        if np.isinf(numbers).any():
            return None
        values += rank_codes_of_all(numbers, codes[first : first + step])
    return [Feature(name, "numeric", known) for name, known in zip(names, values, strict=True)], codes


def _floats(column: pd.Series) -> NDArray[np.float64]:
    """A copy of the numbers of a column, nan where one is missing: the compiled loops refuse what is read-only."""
    if column.dtype == np.float64:
        return column.to_numpy().copy()  # several times as fast as the way for all types
    return column.to_numpy(np.float64, na_value=np.nan)


def encode_target(
    column: pd.Series, kind: Kind | None, rows: NDArray[np.intp] | None = None
) -> tuple[Feature, NDArray[np.int32]]:
    """The target as a feature and codes; a few whole numbers are taken as classes unless `kind` is given."""
    if kind is None and _is_plain_number(column, None) and _few_whole_numbers(column):
        kind = "categorical"
    features, codes = encode_columns([column], {} if kind is None else {str(column.name): kind}, rows)
    return features[0], codes[0]


def _few_whole_numbers(column: pd.Series) -> bool:
    if column.iloc[:1000].nunique() > 10:
        return False  # without a look at all rows
    known = column.dropna()
    distinct = known.unique()
    whole = bool(len(distinct)) and all(float(value).is_integer() for value in distinct[:1000])
    return whole and len(distinct) <= max(2, min(10, len(known) // 2))


def _is_plain_number(column: pd.Series, kind: Kind | None) -> bool:
    number = getattr(column.dtype, "kind", "") in ("i", "u", "f")
    return number and (kind == "numeric" or (kind is None and not _beyond_float(column)))


def _beyond_float(column: pd.Series) -> bool:
    """Whether whole numbers are too long for a float (19-digit ids): they are then names, not quantities."""
    if column.dtype.kind not in ("i", "u"):
        return False
    known = column.dropna()
    if not len(known) or max(abs(int(known.max())), abs(int(known.min()))) <= EXACT_WHOLE:
        return False
    return any(is_rounded(int(number)) for number in known.unique())


def rounded_example(column: pd.Series) -> Value | None:
    """A value of a column that is a number too long for a float, None without any.

    >>> rounded_example(pd.Series(["12345678901234567890", "12345678901234567891"]))
    '12345678901234567890'
    """
    if column.dtype.kind in ("i", "u"):
        values = [int(number) for number in column.dropna().unique()] if _beyond_float(column) else []
        return next(filter(is_rounded, values), None)
    if column.dtype.kind in ("f", "b", "M"):
        return None
    return next(filter(is_rounded, distinct_cells(SourceColumn(column))[1]), None)


def refuse_infinite(numbers: NDArray[np.float64], source: SourceColumn) -> None:
    """ColumnError for ±infinity, naming the first row."""
    bad = np.isinf(numbers)
    if bad.any():
        text = message(
            "Column '{column}' has an infinite number (row {row:,}): correct it or leave the cell empty.",
            column=source.name,
            row=source.row(int(np.flatnonzero(bad)[0])),
        )
        raise source.error(text, bad)


def _encode_numbers(numbers: NDArray[np.float64], source: SourceColumn, codes: NDArray[np.int32]) -> Feature:
    """A numeric feature, its codes written into `codes`."""
    refuse_infinite(numbers, source)
    return Feature(source.name, "numeric", rank_codes(numbers, codes))


def _encode_other(source: SourceColumn, kind: Kind | None) -> tuple[Feature, NDArray[np.int32]]:
    """Text, booleans, dates, mixed cells, and numbers that are to be categories."""
    if kind in (None, "numeric") and _is_dates(source.column, kind):
        return _encode_single_numbers(_days(source.column), source)
    order = None if kind is None or isinstance(kind, str) else kind
    codes, values = distinct_cells(source, order or ())
    if kind in (None, "numeric"):
        numbers = _as_numbers(values, kind)
        if numbers is not None and not np.isnan(numbers).any():
            return _encode_single_numbers(np.append(numbers, np.nan)[codes], source)
        if numbers is not None and kind == "numeric":
            _refuse_text(np.isin(codes, np.flatnonzero(np.isnan(numbers))), source)
    elif isinstance(kind, str) and kind != "categorical":
        raise InputError(
            message(
                "The type of column '{column}' is {type!r}: use 'numeric', 'categorical' or a list of values.",
                column=source.name,
                type=kind,
            )
        )
    codes, categories = alike(codes, values)
    if order is not None:
        codes, categories = _reorder(codes, categories, order, source)
    return Feature(source.name, "categorical", categories=tuple(categories)), codes


def _is_dates(column: pd.Series, kind: Kind | None) -> bool:
    """Whether cells are dates, in a column of their own or, where numbers are asked for, as objects."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return True
    is_object = kind == "numeric" and column.dtype == object
    return is_object and pd.api.types.infer_dtype(column, skipna=True) in ("date", "datetime", "datetime64")


def _as_numbers(values: Sequence[Value], kind: Kind | None) -> NDArray[np.float64] | None:
    """The values as numbers, nan for text; None where a column of unknown kind holds names.

    Numbers too long for a float are names: as numbers, some of them would become one.
    """
    if kind is None and (not values or math.isnan(as_number(values[0])) or any(map(is_rounded, values))):
        return None
    return np.array([as_number(value) for value in values], dtype=np.float64)


def _days(column: pd.Series) -> NDArray[np.float64]:
    """Dates as days since 1970-01-01."""
    stamps = pd.to_datetime(column, utc=True)
    days = (stamps - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
    return np.asarray(days, dtype=np.float64)


def _encode_single_numbers(numbers: NDArray[np.float64], source: SourceColumn) -> tuple[Feature, NDArray[np.int32]]:
    codes = np.empty(len(numbers), dtype=np.int32)
    return _encode_numbers(numbers, source, codes), codes


def _refuse_text(bad: NDArray[np.bool_], source: SourceColumn) -> None:
    """ColumnError for cells that are not numbers."""
    cells, count = source.cells(bad), int(bad.sum())
    text = plural(
        count,
        "Column '{column}' has {n:,} value that is not a number (row {rows}: '{example}'). Correct it, or make the "
        "column categorical.",
        "Column '{column}' has {n:,} values that are not numbers (rows {rows}; the first is '{example}'). Correct "
        "them, or make the column categorical.",
        column=source.name,
        rows=rows_text(cells, count),
        example=cells[0][1][:40],
    )
    raise source.error(text, bad)


def _reorder(
    codes: NDArray[np.int32], categories: Sequence[Value], order: Sequence[Value], source: SourceColumn
) -> tuple[NDArray[np.int32], list[Value]]:
    """Codes by a given order of categories, which may list values that no row has."""
    given = list(dict.fromkeys(value for name in order if (value := clean_value(name, order)) is not None))
    _, wanted = alike(np.arange(len(given), dtype=np.int32), given)
    position = positions_of(wanted)
    to = [position(value) for value in categories]
    unknown = [i for i, which in enumerate(to) if which is None]
    if unknown:
        named = listing(f"'{categories[i]}'" for i in unknown[:5])
        text = message(
            "Column '{column}' has {values}, not in the order given for it: add the value or correct it.",
            column=source.name,
            values=named,
        )
        raise source.error(text, np.isin(codes, unknown))
    return np.array([*to, len(wanted)], dtype=np.int32)[codes], wanted


def with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with names of columns as text (a frame made of an array numbers its columns)."""
    if all(isinstance(name, str) for name in frame.columns.tolist()):
        return frame
    return frame.set_axis([str(name) for name in frame.columns], axis=1)
