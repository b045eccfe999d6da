"""A Spark DataFrame → a working table of codes that Spark keeps, by the rules and queries of any connected table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from explorer.data.codes.feature import Feature
from explorer.errors import ColumnError, EngineError, SourceChangedError
from explorer.messages import Words, message
from explorer.sources.counting import ColumnLayout
from explorer.sources.encoding.column_codes import CategoryCoder, NumericCoder, infinite_text, numbers_of
from explorer.sources.encoding.table_columns import ColumnFacts, TableColumn, TableReader
from explorer.sources.encoding.target_rows import PartOfRow, Target
from explorer.sources.origins.preparation import Coder, Preparation
from explorer.sources.origins.spark_columns import columns_of
from explorer.sources.origins.spark_encode import ColumnCoding, encoder
from explorer.sources.origins.spark_session import SparkQueries, words_for_errors
from explorer.sources.query_steps import QueryStep, check_in_force, stoppable
from explorer.sources.source import Progress, Selection, Tuning, WorkingTable
from explorer.sources.sql.queries import SPARK

MOST_TEXTS = 1_000_000
"""A column of text is read as numbers by a list of its different cells, which has to fit into every worker."""
COLUMNS_AT_ONCE = 16


@dataclass(eq=False)
class SparkOrigin:
    """A Spark DataFrame. Its rows stay in Spark, with the working table beside them until `close`."""

    frame: Any
    name: str = "Spark DataFrame"
    steps: list[QueryStep] = field(default_factory=list)
    _sessions: list[SparkQueries] = field(default_factory=list)
    _is_closed: bool = False

    @cached_property
    def reader(self) -> TableReader:
        """The columns and the facts of all rows."""
        reader = TableReader(columns_of(self.frame), self._session().run, {}, 0, dialect=SPARK)
        reader.use_facts_of_rows()
        return reader

    @property
    def columns(self) -> tuple[ColumnFacts, ...]:
        """Facts of every column, of all rows."""
        return tuple(self.reader.facts.values())

    @property
    def n_rows(self) -> int:
        """The number of all rows."""
        return self.reader.n_rows

    def fingerprint(self) -> str:
        """A hash of the DataFrame's plan and schema, and of sizes and times of its files on this machine.

        It notices another plan and files that were written again. It does not notice new rows behind the same plan in
        a catalogue's table, a database, or files on other machines. Counts are never mixed, since all of them come from
        the working table. Raises SourceChangedError for a file that is gone.
        """
        with words_for_errors():
            plan, schema = self.frame.semanticHash(), self.frame.schema.json()
            files = sorted(self.frame.inputFiles())
        digest = hashlib.sha256(repr((plan, schema, files)).encode())
        for file in map(urlparse, files):
            if file.scheme == "file":
                digest.update(_state_of(Path(unquote(file.path))).encode())
        return digest.hexdigest()

    def prepare(self, selection: Selection, tuning: Tuning, progress: Progress | None = None) -> WorkingTable:
        """Encode the table. Raises InputError, and EngineError where Spark cannot go on."""
        known, session = self.reader, self._session()
        reader = TableReader(known.columns, session.run, dict(known.facts), known.n_rows, dialect=SPARK)
        try:
            return SparkPreparation(session, reader, selection, tuning, progress).table()
        except BaseException:
            session.close()
            raise

    def close(self) -> None:
        """Let Spark forget the working tables; may be called twice, and after the session was stopped."""
        self._is_closed = True
        for session in self._sessions:
            session.close()

    def _session(self) -> SparkQueries:
        """A session in which `origin` is a view of the table."""
        if self._is_closed:
            raise EngineError(message("The source is closed: connect the table again."))
        session = SparkQueries(self.frame, [column.alias for column in columns_of(self.frame)], self.steps)
        self._sessions.append(session)
        return session


def _state_of(path: Path) -> str:
    try:
        state = path.stat()
    except OSError as error:
        raise SourceChangedError(
            message("'{file}' is gone: put it back, or connect another table and grow again.", file=path.name)
        ) from error
    return repr((state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino))


@dataclass(eq=False)
class SparkPreparation(Preparation):
    """One run of encoding, where Spark's workers code the rows and Spark keeps them."""

    session: SparkQueries  # type: ignore[assignment]

    def _files(self, target: Feature, coders: Sequence[Coder], has_parts: bool) -> None:
        """Files for the compiled counter, of which there are none: the rows stay in Spark."""

    def _in_order(self, column: TableColumn) -> Iterator[NDArray[np.float64]]:
        """The numbers of a column in the order in which Spark returns the rows."""
        found = self.session.run(_order_text, f"SELECT {column.number} AS value\nFROM origin{self.reader.where}")
        yield numbers_of(found.column("value").combine_chunks(), column.name)

    def _write(
        self,
        target: Target,
        features: Sequence[tuple[TableColumn, Coder]],
        part: PartOfRow | None,
        files: object = None,
    ) -> None:
        """Let the workers code all rows, which Spark keeps."""
        codings = [self._coding(i, column, coder) for i, (column, coder) in enumerate(features)]
        codings.append(_lookup("y", target) if isinstance(target, CategoryCoder) else ColumnCoding("y"))
        if self.selection.weights is not None:
            codings.append(ColumnCoding("w"))
        if part is not None:
            codings.append(ColumnCoding("part", type="int") if part.coder is None else _lookup("part", part.coder))
        schema = ", ".join(coding.schema for coding in codings)
        query = self._raw_query(target, features, part)
        with stoppable(self._check(check_in_force())):
            n_rows = self.session.persist(_write_text, query, encoder(codings), schema)
        if n_rows != self.reader.n_rows:
            raise SourceChangedError(_other_rows_text(self.reader.n_rows, n_rows))
        if self.progress is not None:
            self.progress(self.reader.n_rows, self.reader.n_rows)

    def _check(self, outer: Callable[[], object] | None) -> Callable[[], None]:
        """What is called while the workers code rows: the check in force, and the progress."""

        def check() -> None:
            if outer is not None:
                outer()
            if self.progress is not None:
                self.progress(0, self.reader.n_rows)

        return check

    def _coding(self, i: int, column: TableColumn, coder: Coder) -> ColumnCoding:
        """How the workers code a feature."""
        if isinstance(coder, CategoryCoder):
            return _lookup(f"c{i}", coder)
        cells, numbers = None, np.empty(0)
        if not (column.is_number or column.is_date):
            cells = self._texts(column)
            numbers = np.append(numbers_of(cells, column.name), np.nan)
        return ColumnCoding(f"x{i}", cells, numbers, coder.coder.edges, coder.coder.bin_starts)

    def _texts(self, column: TableColumn) -> pa.Array:
        """All different cells of a column of text that is to be read as numbers."""
        if self.reader.facts[column.name].n_distinct > MOST_TEXTS:
            text = message(
                "Column '{column}' is text with more than {most:,} different values: cast it to a number first.",
                column=column.name,
                most=MOST_TEXTS,
            )
            raise ColumnError(text, column.name)
        query = f"SELECT DISTINCT {column.category} AS value\nFROM origin{self.reader.where}"
        return self.session.run(_texts_text(column.name), query).column("value").drop_null().combine_chunks()

    def _layouts(self, features: Sequence[tuple[TableColumn, Coder]]) -> tuple[ColumnLayout, ...]:
        """What is known of the columns after writing: rows and values of every fine code."""
        numeric = [i for i, (_, coder) in enumerate(features) if isinstance(coder, NumericCoder)]
        portions = [numeric[start : start + COLUMNS_AT_ONCE] for start in range(0, len(numeric), COLUMNS_AT_ONCE)]
        facts = [self.session.run(_codes_text, _codes_query(some)) for some in portions]
        n_rows, found = self.reader.n_rows, []
        for i, (_, coder) in enumerate(features):
            if isinstance(coder, CategoryCoder):
                feature = coder.feature
                found.append(ColumnLayout(feature, n_rows - coder.n_known, n_distinct=feature.n_values))
            else:
                found.append(_numeric_layout(coder, facts[numeric.index(i) // COLUMNS_AT_ONCE], i))
        return tuple(found)


def _codes_query(columns: Sequence[int]) -> str:
    """Rows, least and greatest value of every fine code of some columns."""
    cells = ", ".join(f"{i}, f{i}, x{i}" for i in columns)
    return (
        "SELECT f, code, COUNT(*) AS n, MIN(x) AS low, MAX(x) AS high\n"
        f"FROM (\n  SELECT stack({len(columns)}, {cells}) AS (f, code, x)\n  FROM work\n) AS cells\nGROUP BY f, code"
    )


def _lookup(name: str, coder: CategoryCoder) -> ColumnCoding:
    codes = np.append(coder.code_of_cell, coder.feature.n_values).astype(np.float64)
    return ColumnCoding(name, coder.cells, codes, type="int")


def _numeric_layout(coder: NumericCoder, facts: pa.Table, position: int) -> ColumnLayout:
    """The layout of a numeric column from the facts of its fine codes. Raises ColumnError for an infinite number."""
    of_column = facts.filter(compute.equal(facts.column("f"), position))
    code, n, low, high = (of_column.column(name).to_numpy() for name in ("code", "n", "low", "high"))
    if np.isinf(low).any() or np.isinf(high).any():
        raise ColumnError(infinite_text(coder.name), coder.name)
    edges = coder.coder.edges
    is_missing, is_single = code == len(edges) + 1, low == high
    only = np.full(len(edges) + 1, np.nan)
    only[code[is_single]] = low[is_single]
    n_distinct = int(is_single.sum()) if (is_single | is_missing).all() else None
    feature = Feature(coder.name, "numeric")
    n_missing = int(n[is_missing].sum())
    return ColumnLayout(feature, n_missing, edges, coder.coder.bin_starts, only, n_distinct, coder.is_date)


def _order_text() -> str:
    return message("Look whether a column numbers the rows")


def _write_text() -> str:
    return message("Code all rows on Spark's workers, and keep the codes")


def _other_rows_text(before: int, after: int) -> str:
    return message(
        "The Spark DataFrame had {before:,} rows, and {after:,} when it was read again: persist it or write it to a "
        "table, and connect that.",
        before=before,
        after=after,
    )


def _codes_text() -> str:
    return message("Look which fine codes have one value only")


def _texts_text(name: str) -> Words:
    return lambda: message("List the texts of '{column}', to read them as numbers", column=name)
