"""Arrow tables as pandas frames, one value per cell: numbers, dates, truth values, text and categories."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from explorer.errors import InputError
from explorer.messages import Words, listing, message, plural
from explorer.values import EXACT_WHOLE, is_rounded

_EXACT_DIGITS = 15
"""Decimal numbers of so many digits have a float each."""


def is_foreign_frame(given: object) -> bool:
    """Return whether something is a table of another library: Polars, Arrow, a relation of DuckDB."""
    return not isinstance(given, pd.DataFrame) and (
        hasattr(given, "__arrow_c_stream__") or hasattr(given, "__dataframe__")
    )


def as_pandas(given: Any) -> Any:
    """Return a table of another library as a pandas frame, and everything else as it is.

    >>> as_pandas(pa.table({"x": [1, 2]}))["x"].tolist()
    [1, 2]
    """
    return pandas_frame(arrow_table(given), []) if is_foreign_frame(given) else given


def arrow_table(given: Any) -> pa.Table:
    """Return a table of another library as an Arrow table; `InputError` where it cannot be handed over."""
    try:
        if hasattr(given, "__arrow_c_stream__"):
            return pa.table(given)
        from pyarrow.interchange import from_dataframe

        return from_dataframe(given)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError) as error:
        raise InputError(
            message("This table cannot be read ({error}): hand it over as a pandas frame.", error=error)
        ) from error


def pandas_frame(table: pa.Table, notes: list[Words], ordered: Container[str] = ()) -> pd.DataFrame:
    """Return a frame of numbers, dates, truth values, text and declared categories, by docs/types.md.

    `ordered` names columns of categories whose order counts though Arrow's type does not say so. Columns of lists or
    structures, and the index that pandas wrote beside the columns, are left out and noted.
    """
    table = without_index(table, notes)
    kept = list(_flat_columns(table, notes))
    names, columns = [name for _, name in kept], [table.column(position) for position, _ in kept]
    notes.extend(durations_note(name) for name, cells in zip(names, columns, strict=True) if _is_duration(cells))
    series = [_series(cells, name in ordered) for name, cells in zip(names, columns, strict=True)]
    frame = pd.DataFrame(dict(enumerate(series)))
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _is_duration(cells: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_duration(cells.type))


def without_index(table: pa.Table, notes: list[Words]) -> pa.Table:
    """Return a table without the columns that pandas wrote as the index of its rows, unless there are no others."""
    index = index_columns(table.schema)
    if not index:
        return table
    notes.append(index_note(index))
    return table.drop_columns(index)


def index_columns(schema: pa.Schema) -> list[str]:
    """Return the columns that are the index of the rows, by what pandas wrote of them; none where all are."""
    try:
        written = (schema.pandas_metadata or {}).get("index_columns", [])
    except (ValueError, AttributeError):  # metadata that is no JSON, or no record
        return []
    names = [name for name in written if isinstance(name, str)] if isinstance(written, list) else []
    index = [name for name in schema.names if name in names]
    return index if len(index) < len(schema.names) else []


def index_note(index: list[str]) -> Words:
    """The remark on columns that are the index of pandas."""
    return lambda: plural(
        len(index),
        "Left out because it is the index of pandas, not a column: {columns}. To use it, call reset_index() before "
        "writing the file.",
        "Left out because they are the index of pandas, not columns: {columns}. To use them, call reset_index() before "
        "writing the file.",
        columns=listing(f"'{name}'" for name in index[:5]),
    )


def durations_note(column: str) -> Words:
    """The remark on a column of durations."""
    return lambda: message("'{column}' holds durations: its numbers are seconds.", column=column)


def _series(column: pa.ChunkedArray, is_ordered: bool) -> pd.Series:
    """Return a column for pandas; whole numbers with gaps stay whole where floats would merge them."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _series(_storage(column), is_ordered)
    if pa.types.is_dictionary(kind):
        return _categories(column, is_ordered or kind.ordered)
    if pa.types.is_decimal(kind):
        return _decimals(column)
    if _is_duration(column):
        return column.cast(pa.int64()).to_pandas() / PER_SECOND[kind.unit]
    plain = _plain(column)
    if pa.types.is_integer(kind) and column.null_count and _is_long(column):
        return plain.cast(pa.string()).to_pandas()
    return plain.to_pandas()


PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_END_ZEROS = r"\.0+$|(\.\d*[1-9])0+$"
"""The zeros that end a fraction, with the point where there are no other digits."""


def _storage(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the cells of an extension type as what they are stored as; a UUID as its text."""
    if column.type.extension_name == "arrow.uuid":
        return pa.chunked_array([[None if cell is None else str(cell) for cell in column.to_pylist()]], pa.string())
    return column.cast(column.type.storage_type)


def _categories(column: pa.ChunkedArray, is_ordered: bool) -> pd.Series:
    """Return declared categories, in the order in which they are declared."""
    declared = [_plain(pa.chunked_array([chunk.dictionary])).combine_chunks() for chunk in column.chunks]
    levels = pa.concat_arrays(declared).unique().drop_null() if declared else pa.array([], pa.string())
    codes = [np.empty(0, dtype=np.int64)]
    for dictionary, chunk in zip(declared, column.chunks, strict=True):
        of_entry = compute.index_in(dictionary, value_set=levels).fill_null(-1).to_numpy(zero_copy_only=False)
        entries = chunk.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        codes.append(np.append(of_entry, -1)[entries])
    categories = pd.Index(levels.to_pandas())
    return pd.Series(pd.Categorical.from_codes(np.concatenate(codes), categories=categories, ordered=is_ordered))


def _decimals(column: pa.ChunkedArray) -> pd.Series:
    """Return the float nearest to each decimal; as text where whole numbers are too long for a float.

    Arrow's own cast is off by one unit in the last place in many cells. A number of up to 15 digits divided by a power
    of ten up to 10²² is rounded once, and therefore correctly (Clinger 1990); others are read from their digits.
    """
    kind = column.type
    if kind.precision <= _EXACT_DIGITS and 0 <= kind.scale <= _EXACT_DIGITS:
        whole = column.cast(pa.decimal128(_EXACT_DIGITS, kind.scale)).combine_chunks()
        cells = np.frombuffer(whole.buffers()[1], dtype=np.int64)[::2][whole.offset : whole.offset + len(whole)]
        numbers = cells / 10.0**kind.scale
        numbers[whole.is_null().to_numpy(zero_copy_only=False)] = np.nan
        return pd.Series(numbers)
    texts = compute.replace_substring_regex(column.cast(pa.string()), _END_ZEROS, r"\1")
    if kind.precision - kind.scale > _EXACT_DIGITS and _some_rounded(texts):
        return texts.to_pandas()
    return texts.cast(pa.float64()).to_pandas()


def _some_rounded(texts: pa.ChunkedArray) -> bool:
    """Return whether a float would change a whole number among these."""
    long = texts.filter(compute.match_substring_regex(texts, r"^-?\d{16,}$"))
    return any(is_rounded(text) for text in long.unique().to_pylist())


def _is_long(column: pa.ChunkedArray) -> bool:
    extremes = compute.min_max(column).as_py()
    return any(value is not None and abs(value) > EXACT_WHOLE for value in extremes.values())


def _flat_columns(table: pa.Table, notes: list[Words]) -> Iterator[tuple[int, str]]:
    """Yield (position, name) of the columns with a single value per cell; others are noted."""
    left_out = []
    for position, field in enumerate(table.schema):
        if is_flat(field.type):
            yield position, field.name
        else:
            left_out.append((field.name, str(field.type)))
    notes.extend(left_out_notes(left_out))


def is_flat(kind: pa.DataType) -> bool:
    """Return whether cells of this type are single values."""
    if pa.types.is_dictionary(kind):
        return is_flat(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return kind.extension_name == "arrow.uuid" or is_flat(kind.storage_type)
    binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
    return not (pa.types.is_nested(kind) or binary or pa.types.is_binary_view(kind) or pa.types.is_interval(kind))


def left_out_notes(columns: list[tuple[str, str]]) -> list[Words]:
    """Remarks on columns, with the type of their cells, that hold no single values: many in one sentence."""
    if len(columns) > 3:
        return [
            lambda: plural(
                len(columns),
                "{n:,} column was left out because its cells are not single values: {columns}, ….",
                "{n:,} columns were left out because their cells are not single values: {columns}, ….",
                columns=listing(f"'{column}'" for column, _ in columns[:3]),
            )
        ]
    return [_left_out_note(column, kind) for column, kind in columns]


def _left_out_note(column: str, cells: str) -> Words:
    return lambda: message(
        "Column '{column}' was left out: its cells are {type}, not single values.", column=column, type=cells[:80]
    )


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return cells of one type as numbers, text, truth values or points in time."""
    kind = column.type
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    if pa.types.is_date(kind):
        return column.cast(pa.timestamp("s" if pa.types.is_date32(kind) else "ms"))
    if pa.types.is_time(kind):
        return compute.replace_substring_regex(column.cast(pa.string()), _END_ZEROS, r"\1")
    return column.cast(pa.string()) if pa.types.is_null(kind) or pa.types.is_string_view(kind) else column
