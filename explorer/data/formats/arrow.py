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
from explorer.data.formats.arrow_sizes import unpacked_sizes
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import Words, message, worded

_BATCH_ROWS = 1 << 13
_FEW_ROWS = 1 << 8
"""For texts of which each continues the one before: they take little room in a file, and much outside."""
_STREAM_IN_FILE = 8
"""Where the stream of batches begins in an Arrow file."""
_BROKEN = (pa.ArrowException, OSError, ValueError, OverflowError, NotImplementedError, struct.error)


def read_parquet(source: Source, reading: Reading) -> pd.DataFrame:
    """Return a Parquet file as a frame; `InputError` for a damaged one, or one without single values."""
    try:
        with reading.seekable(source) as stream:
            file = pq.ParquetFile(stream, pre_buffer=False)
            schema = file.schema_arrow
            flat = [field.name for field in schema if is_flat(field.type)]
            reading.check(file.metadata.num_rows, len(schema))
            _refuse_nested_only(flat, reading.name)
            _check_sizes(file.metadata, reading)
            table = _parquet_table(stream, file, flat, reading)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Parquet"), reading.name, error) from error
    reading.remarks.extend(left_out_notes([(f.name, str(f.type)) for f in schema if not is_flat(f.type)]))
    return pandas_frame(table, reading.remarks)


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


def _refuse_nested_only(flat: list[str], name: str) -> None:
    if not flat:
        raise InputError(
            message("'{file}' has no column of numbers or text: flatten its nested columns first.", file=name)
        )


def read_feather(source: Source, reading: Reading) -> pd.DataFrame:
    """Return a Feather or Arrow file as a frame; `InputError` for a damaged one."""
    try:
        with reading.seekable(source) as stream:
            file = ipc.open_file(stream)
            reading.check(0, len(file.schema))
            stream.seek(_STREAM_IN_FILE)
            _check_batches(stream, len(file.schema), reading)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
            table = _collected(batches, 0, reading, file.schema)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Feather"), reading.name, error) from error
    return _flat_frame(table, reading)


def _check_batches(stream: BinaryIO, columns: int, reading: Reading) -> None:
    """Raise `InputError` where the batches of a stream are too large, before any is unpacked."""
    rows = unpacked = 0
    for n_rows, size in unpacked_sizes(stream):
        rows, unpacked = rows + n_rows, unpacked + size
        reading.check(rows, columns)
        reading.budget.check(reading.name, unpacked=unpacked)


def read_ipc_stream(source: Source, reading: Reading) -> pd.DataFrame:
    """Return an Arrow stream as a frame; `InputError` for a damaged one."""
    try:
        with reading.open(source) as stream:
            _check_batches(stream, 0, reading)
        with reading.open(source) as stream:
            file = ipc.open_stream(stream)
            table = _collected(file, 0, reading, file.schema)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Arrow"), reading.name, error) from error
    return _flat_frame(table, reading)


def _flat_frame(table: pa.Table, reading: Reading) -> pd.DataFrame:
    _refuse_nested_only([field.name for field in table.schema if is_flat(field.type)], reading.name)
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


def _damaged(kind: Words, name: str, error: Exception) -> InputError:
    return InputError(
        message(
            "'{file}' is a damaged {kind} file ({error}): write it again.",
            file=name,
            kind=worded(kind),
            error=str(error)[:200],
        )
    )
