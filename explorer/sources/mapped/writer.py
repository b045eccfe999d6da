"""Rows in batches → one file per column, coded on the way."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.data.codes.feature import Feature
from explorer.data.notes import Note
from explorer.errors import ColumnError, EngineError
from explorer.messages import message
from explorer.sources.counting import Floats, Layout, exact_centre
from explorer.sources.encoding.column_codes import CategoryCoder, NumericCoder, infinite_text, numbers_of
from explorer.sources.mapped.engine import THREADS, MappedEngine
from explorer.sources.mapped.files import CHUNK, AnyArray, ColumnFiles, TableFiles, bytes_needed, table_files
from explorer.sources.mapped.workers import Workers
from explorer.sources.query_steps import QueryStep
from explorer.values import Value

Coder = CategoryCoder | NumericCoder
ROOM_LEFT = 200_000_000
"""Bytes that are to stay free on the disk."""


class NumberWriter:
    """Writes a numeric column; its numbers only from when two of them share a fine code."""

    def __init__(self, files: ColumnFiles, coder: NumericCoder) -> None:
        self._files, self._coder = files, coder
        self._n_rows = 0
        self.has_numbers = False

    def add(self, cells: pa.Array) -> None:
        """Write the next cells. Raises ColumnError, and EngineError where the disk is full."""
        numbers, value_of_code = numbers_of(cells, self._coder.name), self._coder.coder.only_value
        codes, _, infinite = self._coder.coder.encode(numbers)
        if infinite >= 0:
            raise ColumnError(infinite_text(self._coder.name), self._coder.name)
        if not self.has_numbers and self._coder.coder.n_distinct is None:
            self._write_earlier_numbers(value_of_code)
            self.has_numbers = True
        self._files.codes.append(codes)
        if self.has_numbers:
            self._files.numbers.append(numbers)
        self._n_rows += len(numbers)

    def _write_earlier_numbers(self, value_of_code: Floats) -> None:
        """Write the numbers of the rows so far, whose codes have had one value each."""
        number_of = np.append(value_of_code, np.nan)
        for begin in range(0, self._n_rows, CHUNK):
            codes = self._files.codes_of(begin, min(CHUNK, self._n_rows - begin))
            self._files.numbers.append(number_of[codes])


class CategoryWriter:
    """Writes the codes of a categorical column."""

    has_numbers = False

    def __init__(self, files: ColumnFiles, coder: CategoryCoder) -> None:
        self._files, self._coder = files, coder

    def add(self, cells: pa.Array) -> None:
        """Write the next cells. Raises SourceChangedError, and EngineError where the disk is full."""
        self._files.codes.append(self._coder.encode(cells)["c"].to_numpy())


class TableWriter:
    """Writes the files of one working table into a folder.

    `target` and the layouts of the coders say which files there are. Methods raise EngineError.
    """

    def __init__(
        self,
        folder: Path,
        target: Feature,
        coders: Sequence[Coder],
        has_weights: bool = False,
        has_parts: bool = False,
        chunk: int = CHUNK,
    ) -> None:
        layout = Layout(target, tuple(coder.layout() for coder in coders), 0, has_weights=has_weights)
        self._files = table_files(folder, layout, has_parts, chunk)
        self._coders = coders
        self._columns = [column_writer(files, coder) for files, coder in zip(self._files.columns, coders, strict=True)]
        self._workers = Workers(THREADS)
        self._n_rows = 0

    def bytes_needed(self, n_rows: int) -> int:
        """At most so many bytes are written for so many rows."""
        return bytes_needed(self._files.layout, n_rows)

    def add(
        self,
        columns: Sequence[pa.Array],
        y: AnyArray,
        weights: Floats | None = None,
        part: AnyArray | None = None,
    ) -> None:
        """Write the next rows: cells of the features, class codes or numbers, weights, and the part of each row."""
        self._workers.each(lambda i: self._columns[i].add(columns[i]), range(len(columns)))
        self._files.y.append(y)
        if self._files.weights is not None and weights is not None:
            self._files.weights.append(weights)
        if self._files.part is not None and part is not None:
            self._files.part.append(part)
        self._n_rows += len(y)

    def finish(
        self,
        steps: list[QueryStep],
        remove: Callable[[], object],
        parts: tuple[Value, ...] = (),
        threads: int = THREADS,
    ) -> MappedEngine:
        """The engine over what was written; its layout knows what all rows tell.

        The engine appends what it does to `steps`, and calls `remove` when it is closed. `parts` names the parts.
        """
        self._workers.close()
        layouts = tuple(coder.layout() for coder in self._coders)
        columns = tuple(
            replace(files, layout=layout, has_numbers=writer.has_numbers)
            for files, layout, writer in zip(self._files.columns, layouts, self._columns, strict=True)
        )
        middle = centre(self._files, self._n_rows)
        layout = replace(self._files.layout, columns=layouts, n_rows=self._n_rows, centre=middle, parts=parts)
        return MappedEngine(replace(self._files, layout=layout, columns=columns), steps, remove, threads)


def files_or_note(
    engine: str | None,
    folder: Path,
    n_rows: int,
    target: Feature,
    coders: Sequence[Coder],
    has_weights: bool,
    has_parts: bool,
) -> TableWriter | Note | None:
    """A writer of files in a folder; a note or None where a database is to count.

    `engine` is "mapped", "duckdb", or None for the first of these where the disk has room; the note says that it has
    not. Raises EngineError where "mapped" is asked for without room.
    """
    if engine == "duckdb":
        return None
    writer = TableWriter(folder, target, coders, has_weights, has_parts)
    needed, free = writer.bytes_needed(n_rows), shutil.disk_usage(folder).free
    if needed + ROOM_LEFT <= free:
        return writer
    if engine is None:
        return Note(partial(no_room_text, str(folder.parent), needed, free))
    raise EngineError(no_room_text(str(folder.parent), needed, free))


def no_room_text(folder: str, needed: int, free: int) -> str:
    """That a disk has no room for the files."""
    return message(
        "Files of codes for the compiled counter need {needed:,} MB in {folder}, but {free:,} MB are free. SQL counts "
        "in less room (engine='duckdb').",
        needed=-(-needed // 1_000_000),
        folder=folder,
        free=free // 1_000_000,
    )


def column_writer(files: ColumnFiles, coder: Coder) -> NumberWriter | CategoryWriter:
    """The writer of one feature."""
    return NumberWriter(files, coder) if isinstance(coder, NumericCoder) else CategoryWriter(files, coder)


def centre(files: TableFiles, n_rows: int) -> float:
    """The mean of a numeric target where taking it off is exact (every value within a factor of 2 of it), else 0."""
    if files.layout.target.kind != "numeric":
        return 0.0
    total, total_weight, lowest, highest = 0.0, 0.0, np.inf, -np.inf
    for begin in range(0, n_rows, CHUNK):
        y, weights = files.target_of(begin, min(CHUNK, n_rows - begin))
        total += float((y * weights).sum() if len(weights) else y.sum())
        total_weight += float(weights.sum()) if len(weights) else len(y)
        lowest, highest = min(lowest, float(y.min())), max(highest, float(y.max()))
    return exact_centre(total / total_weight, lowest, highest)
