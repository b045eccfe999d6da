"""Arrow tables as pandas frames: numbers, dates and text, one value per cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from explorer.data.table import MISSING_MARKERS
from explorer.errors import InputError
from explorer.messages import Words, listing, message, plural

_LARGEST_EXACT = 2**53


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


def pandas_frame(table: pa.Table, notes: list[Words]) -> pd.DataFrame:
    """Return a frame of numbers, dates and text; texts that mark missing cells become missing.

    Booleans become the words true and false, decimals become numbers. Columns of lists or structures are left out
    and noted.
    """
    kept = {column: _plain(table.column(position)) for position, column in _flat_columns(table, notes)}
    frame = pd.DataFrame({position: _series(column) for position, column in enumerate(kept.values())})
    for position in frame.columns:
        if pd.api.types.is_string_dtype(frame[position]):
            frame[position] = frame[position].mask(frame[position].str.strip().isin(MISSING_MARKERS))
    frame.columns = pd.Index([column for _, column in kept], dtype=object)
    return frame


def _series(column: pa.ChunkedArray) -> pd.Series:
    """Return a column for pandas; whole numbers with gaps stay whole where floats would merge them."""
    if pa.types.is_integer(column.type) and column.null_count and _is_long(column):
        return column.cast(pa.string()).to_pandas()
    return column.to_pandas()


def _is_long(column: pa.ChunkedArray) -> bool:
    from pyarrow import compute

    extremes = compute.min_max(column).as_py()
    return any(value is not None and abs(value) > _LARGEST_EXACT for value in extremes.values())


def _flat_columns(table: pa.Table, notes: list[Words]) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield (position, (position, name)) of the columns with a single value per cell; others are noted."""
    left_out = []
    for position, field in enumerate(table.schema):
        if is_flat(field.type):
            yield position, (position, field.name)
        else:
            left_out.append((field.name, str(field.type)))
    notes.extend(left_out_notes(left_out))


def is_flat(kind: pa.DataType) -> bool:
    """Return whether cells of this type are single values."""
    if pa.types.is_dictionary(kind):
        return is_flat(kind.value_type)
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
    """Return a column as numbers, text or timestamps: no dictionaries, booleans, decimals or bare dates."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _decoded(column)
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64())
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    as_text = (pa.types.is_boolean, pa.types.is_date, pa.types.is_time, pa.types.is_null, pa.types.is_string_view)
    return column.cast(pa.string()) if any(test(kind) for test in as_text) else column


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values of a column of codes; Arrow itself cannot cast the categories of Polars to text."""
    dictionaries = [_plain(pa.chunked_array([chunk.dictionary])).combine_chunks() for chunk in column.chunks]
    decoded = [values.take(chunk.indices) for values, chunk in zip(dictionaries, column.chunks, strict=True)]
    return pa.chunked_array(decoded) if decoded else _plain(pa.chunked_array([], type=column.type.value_type))
