"""What a Parquet file says of its columns that DuckDB does not read: declared categories, durations, pandas' index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from explorer.data.arrow_frame import PER_SECOND, durations_note, index_columns, index_note
from explorer.data.notes import Note
from explorer.errors import InputError
from explorer.messages import message
from explorer.sources.sql.queries import DUCKDB


@dataclass(frozen=True)
class ParquetFacts:
    """Columns that are the index of pandas, durations by their units in a second, and declared categories."""

    index: tuple[str, ...]
    durations: Mapping[str, float]
    declared: Mapping[str, tuple[str, ...]]

    def relation(self, rows: str) -> str:
        """The SQL that reads the columns without the index, durations in seconds."""
        quoted = {name: DUCKDB.identifier(name) for name in (*self.index, *self.durations)}
        exclude = f" EXCLUDE ({', '.join(quoted[name] for name in self.index)})" if self.index else ""
        seconds = ", ".join(
            f"CAST({quoted[name]} AS DOUBLE) / {units:.1f}e0 AS {quoted[name]}"
            for name, units in self.durations.items()
            if name not in self.index
        )
        if not exclude and not seconds:
            return rows
        return f"(SELECT *{exclude}{f' REPLACE ({seconds})' if seconds else ''} FROM {rows})"

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know of them."""
        found = [Note(index_note(list(self.index)))] if self.index else []
        return (*found, *(Note(durations_note(name), "info", (name,)) for name in self.durations))


def parquet_facts(file: Path) -> ParquetFacts:
    """The facts of a Parquet file, or of several by the first. Raises InputError for a damaged one."""
    try:
        with parquet.ParquetFile(file) as opened:
            schema = opened.schema_arrow
            declared = {field.name: _levels(opened, field) for field in schema if pa.types.is_dictionary(field.type)}
    except (pa.ArrowException, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            message("'{table}' cannot be read ({error}): check the file.", table=file.name, error=str(error)[:300])
        ) from error
    durations = {field.name: PER_SECOND[field.type.unit] for field in schema if pa.types.is_duration(field.type)}
    return ParquetFacts(tuple(index_columns(schema)), durations, declared)


def _levels(file: parquet.ParquetFile, field: pa.Field) -> tuple[str, ...]:
    """The categories of an ordered column in their order, by its first rows; none where the order does not count."""
    if not field.type.ordered or not file.metadata.num_rows:
        return ()
    first = next(file.iter_batches(batch_size=1, columns=[field.name]), None)
    return () if first is None else tuple(str(x) for x in first.column(0).dictionary.to_pylist() if x is not None)
