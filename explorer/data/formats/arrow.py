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
            flat = [i for i, field in enumerate(schema) if is_flat(field.type)]
            reading.check(file.metadata.num_rows, len(schema))
            _refuse_nested_only(flat, reading.name)
            _check_sizes(file.metadata, reading)
            texts = [schema.field(i).name for i in flat if _is_text(schema.field(i).type)]
            prefixes = _has_prefixes(file.metadata)
            if texts and not prefixes:  # texts that repeat come as codes, which cannot unfold
                file = pq.ParquetFile(stream, read_dictionary=texts, pre_buffer=False)
            names = [schema.field(i).name for i in flat]
            rows_at_once = _FEW_ROWS if prefixes else _BATCH_ROWS
            batches = file.iter_batches(batch_size=rows_at_once, columns=names if len(flat) < len(schema) else None)
            table = _collected(batches, file.metadata.num_rows, reading)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(lambda: message("Parquet"), reading.name, error) from error
    reading.remarks.extend(left_out_notes([(f.name, str(f.type)) for f in schema if not is_flat(f.type)]))
    return pandas_frame(table, reading.remarks)


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _has_prefixes(metadata: pq.FileMetaData) -> bool:
    """Return whether some column stores how much of each text is that of the text before."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    return any("DELTA_BYTE_ARRAY" in group.column(i).encodings for group in groups for i in range(group.num_columns))


def _check_sizes(metadata: pq.FileMetaData, reading: Reading) -> None:
    """Raise `InputError` where the file says that unpacking takes more than the budget."""
    unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    reading.budget.check(reading.name, unpacked=unpacked)


def _refuse_nested_only(flat: list[int], name: str) -> None:
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
    _refuse_nested_only([i for i, field in enumerate(table.schema) if is_flat(field.type)], reading.name)
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
