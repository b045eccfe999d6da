"""Parquet, Feather and Arrow files: read batch by batch, so that a small file cannot unfold into a very large table."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import ipc

from explorer.data.arrow_frame import is_flat, left_out_notes, pandas_frame
from explorer.data.formats.arrow_sizes import unpacked_sizes, unpacked_sizes_in_file, wide_integers
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import Words, listing_with_more, message, plural, worded

_BATCH_ROWS = 1 << 13
_FEW_ROWS = 1 << 8
"""For texts of which each continues the one before: they take little room in a file, and much outside."""
_BROKEN = (pa.ArrowException, OSError, ValueError, OverflowError, LookupError, NotImplementedError, struct.error)


def read_parquet(source: Source, reading: Reading) -> pd.DataFrame:
    """Return a Parquet file as a frame; `InputError` for a damaged one, or one without single values."""
    try:
        with reading.seekable(source) as stream:
            file = pq.ParquetFile(stream, pre_buffer=False)
            schema = file.schema_arrow
            flat = [field.name for field in schema if is_flat(field.type)]
            reading.check(file.metadata.num_rows, len(schema))
            _refuse_without_values(schema, reading.name)
            _check_sizes(file.metadata, reading)
            table = _texts_of(_parquet_table(stream, file, flat, reading), schema)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Parquet"), source, reading, error) from error
    reading.remarks.extend(left_out_notes([(f.name, str(f.type)) for f in schema if not is_flat(f.type)]))
    return pandas_frame(table, reading.remarks)


def _texts_of(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with text where text was read as codes, which declare no categories."""
    for position, name in enumerate(table.schema.names):
        if pa.types.is_dictionary(table.schema.field(position).type) and _is_text(kind := schema.field(name).type):
            table = table.set_column(position, name, table.column(position).cast(kind))
    return table.replace_schema_metadata(schema.metadata)


def _parquet_table(stream: BinaryIO, file: pq.ParquetFile, names: list[str], reading: Reading) -> pa.Table:
    """Return the columns of these names; texts that repeat come as codes, which cannot unfold.

    Where texts are stored as continuations of the one before, Arrow has no codes for them: then few rows at a time.
    (What a column's metadata say of its encoding is not asked: on a damaged file Arrow ends the whole process.)
    """
    schema, n_rows = file.schema_arrow, file.metadata.num_rows
    columns = names if len(names) < len(schema) else None
    texts = [field.name for field in schema if _is_text(field.type)]
    if texts:
        try:
            coded = pq.ParquetFile(stream, read_dictionary=texts, pre_buffer=False)
            return _collected(coded.iter_batches(batch_size=_BATCH_ROWS, columns=columns), n_rows, reading)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, InputError):
                raise
    rows = _FEW_ROWS if texts else _BATCH_ROWS
    return _collected(file.iter_batches(batch_size=rows, columns=columns), n_rows, reading)


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _check_sizes(metadata: pq.FileMetaData, reading: Reading) -> None:
    """Raise `InputError` where the file says that unpacking takes more than the budget."""
    unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    reading.budget.check(reading.name, unpacked=unpacked)


def _refuse_without_values(schema: pa.Schema, name: str) -> None:
    """Raise `InputError` where no column has single values, with the types that it has."""
    if not any(is_flat(field.type) for field in schema):
        kinds = dict.fromkeys(str(field.type)[:40] for field in schema)
        raise InputError(
            message(
                "'{file}' has no column of numbers, text, dates or truth values: its cells are {types}. Convert a "
                "column before writing the file.",
                file=name,
                types=listing_with_more(list(kinds)[:5], len(kinds) > 5),
            )
        )


def read_feather(source: Source, reading: Reading) -> pd.DataFrame:
    """Return a Feather or Arrow file as a frame; `InputError` for a damaged one."""
    try:
        with reading.seekable(source) as stream:
            file = ipc.open_file(stream)
            reading.check(0, len(file.schema))
            _check_batches(unpacked_sizes_in_file(stream), len(file.schema), reading)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
            table = _collected(batches, 0, reading, file.schema)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Feather"), source, reading, error) from error
    return _flat_frame(table, reading)


def _check_batches(sizes: Iterable[tuple[int, int]], columns: int, reading: Reading) -> None:
    """Raise `InputError` where batches of these rows and bytes are too large, before any is unpacked."""
    rows = unpacked = 0
    for n_rows, size in sizes:
        rows, unpacked = rows + n_rows, unpacked + size
        reading.check(rows, columns)
        reading.budget.check(reading.name, unpacked=unpacked)


def read_ipc_stream(source: Source, reading: Reading) -> pd.DataFrame:
    """Return an Arrow stream as a frame; `InputError` for a damaged one."""
    try:
        with reading.open(source) as stream:
            _check_batches(unpacked_sizes(stream), 0, reading)
        with reading.open(source) as stream:
            file = ipc.open_stream(stream)
            table = _collected(file, 0, reading, file.schema)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Arrow"), source, reading, error) from error
    return _flat_frame(table, reading)


def _flat_frame(table: pa.Table, reading: Reading) -> pd.DataFrame:
    _refuse_without_values(table.schema, reading.name)
    return pandas_frame(table, reading.remarks)


def _collected(
    batches: Iterable[pa.RecordBatch], n_rows: int, reading: Reading, schema: pa.Schema | None = None
) -> pa.Table:
    """Return all batches as one table, checked one by one; `n_rows` is how many are expected, if that is known."""
    kept, rows, unfolded = [], 0, 0
    for batch in batches:
        batch.validate(full=True)
        rows += batch.num_rows
        reading.check(rows, batch.num_columns)
        unfolded += sum(_unfolded_size(column) for column in batch.columns)
        reading.budget.check(reading.name, unpacked=unfolded)
        reading.at(rows / n_rows if n_rows else 0.5)
        kept.append(batch)
    return pa.Table.from_batches(kept, schema or (kept[0].schema if kept else pa.schema([])))


def _unfolded_size(column: pa.Array) -> int:
    """Return the bytes that a column takes without codes for repeated texts."""
    if not pa.types.is_dictionary(column.type):
        return column.nbytes
    if not (_is_text(column.type.value_type)):
        return len(column) * 8
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0) + 8 * len(column)


def _damaged(kind: Words, source: Source, reading: Reading, error: Exception) -> InputError:
    """The error for a file that Arrow refuses: the columns of a type that it does not have, or else what it says."""
    if isinstance(error, NotImplementedError):
        with reading.seekable(source) as stream:
            wide = wide_integers(stream)
        if wide:
            return InputError(
                plural(
                    len(wide),
                    "'{file}' cannot be read because of column {columns}: its whole numbers have 128 bits. Convert it "
                    "to Int64, Float64 or text.",
                    "'{file}' cannot be read because of columns {columns}: their whole numbers have 128 bits. Convert "
                    "them to Int64, Float64 or text.",
                    file=reading.name,
                    columns=listing_with_more((f"'{name}'" for name in wide[:5]), len(wide) > 5),
                )
            )
    return InputError(
        message(
            "'{file}' is a damaged {kind} file ({error}): write it again.",
            file=reading.name,
            kind=worded(kind),
            error=str(error)[:200],
        )
    )
