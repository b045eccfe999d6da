"""A Spark DataFrame → blocks of codes that Spark keeps, by the rules and queries of any connected table."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlparse

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.errors import ColumnError, EngineError, SourceChangedError
from explorer.messages import Words, message
from explorer.sources.blocks import worker_coding
from explorer.sources.blocks.codings import centre_of, coding, layout_of_categories, layout_of_numbers, lookup
from explorer.sources.blocks.engine import BlockEngine, joined, types_of
from explorer.sources.blocks.worker_coding import schema_of
from explorer.sources.blocks.worker_counts import Partial, blocks_of
from explorer.sources.counting import Layout
from explorer.sources.encoding.column_codes import CategoryCoder, NumericCoder, numbers_of
from explorer.sources.encoding.table_columns import TableColumn, TableReader
from explorer.sources.encoding.target_rows import PartOfRow, Target
from explorer.sources.origins.preparation import Coder, Preparation
from explorer.sources.origins.spark_columns import columns_of
from explorer.sources.origins.spark_passes import SparkPasses, by_value
from explorer.sources.origins.spark_session import SparkQueries, words_for_errors
from explorer.sources.query_steps import QueryStep, check_in_force, stoppable
from explorer.sources.source import Progress, Selection, Tuning, WorkingTable, state_of
from explorer.sources.sql.queries import SPARK

MOST_TEXTS = 1_000_000
"""A column of text is read as numbers by a list of its different cells, which has to fit into every worker."""


@dataclass(eq=False)
class SparkOrigin:
    """A Spark DataFrame. Its rows stay in Spark, with the working table beside them until `close`."""

    frame: Any
    name: str = "Spark DataFrame"
    steps: list[QueryStep] = field(default_factory=list)
    _sessions: list[SparkQueries] = field(default_factory=list)
    _is_closed: bool = False
    values_at_once = 2_000_000
    """As in `Tuning`: to count so many values takes less time than one more job."""

    @cached_property
    def reader(self) -> TableReader:
        """The columns and the facts of all rows."""
        reader = TableReader(columns_of(self.frame), self._session().run, {}, 0, dialect=SPARK)
        reader.use_facts_of_rows()
        return reader

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
        plan, schema, files = self._described
        digest = hashlib.sha256(repr((plan, schema, files)).encode())
        for file in map(urlparse, files):
            if file.scheme == "file":
                digest.update(repr(state_of(Path(unquote(file.path)))).encode())
        return digest.hexdigest()

    @cached_property
    def _described(self) -> tuple[int, str, list[str]]:
        """What a DataFrame never changes: a hash of its plan, its schema, and its files."""
        with words_for_errors():
            return self.frame.semanticHash(), self.frame.schema.json(), sorted(self.frame.inputFiles())

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


@dataclass(eq=False)
class SparkPreparation(Preparation):
    """One run of encoding, where Spark's workers code the rows and Spark keeps them."""

    session: SparkQueries  # type: ignore[assignment]

    def _in_order(self, column: TableColumn) -> Iterator[NDArray[np.float64]]:
        """The numbers of a column in the order in which Spark returns the rows."""
        found = self.session.run(_order_text, f"SELECT {column.number} AS value\nFROM origin{self.reader.where}")
        yield numbers_of(found.column("value").combine_chunks(), column.name)

    def _encoded(
        self, target: Target, features: Sequence[tuple[TableColumn, Coder]], part: PartOfRow | None
    ) -> WorkingTable:
        """The rows in use as blocks of codes: here where they are few, else kept by Spark."""
        codings = [self._coding(i, column, coder) for i, (column, coder) in enumerate(features)]
        codings.append(lookup("y", target) if isinstance(target, CategoryCoder) else coding("y"))
        if self.selection.weights is not None:
            codings.append(coding("w"))
        if part is not None:
            codings.append(coding("part", kind="u1") if part.coder is None else lookup("part", part.coder, "u1"))
        query, schema = self._raw_query(target, features, part), schema_of(codings)
        is_small = self.reader.n_rows <= self.tuning.rows_in_memory
        make = self.session.fetch_blocks if is_small else self.session.keep_blocks
        with stoppable(self._check(check_in_force())):
            functions = by_value(worker_coding)
            encode = partial(functions.encode, codings=codings, partition=functions.partition_of_task)
            made = make(_write_text, query, encode, schema)
        facts = [pickle.loads(cell) for cell in made.column("facts").drop_null().to_pylist()]
        n_rows = sum(of_part[0] for of_part in facts)
        if n_rows != self.reader.n_rows:
            raise SourceChangedError(_other_rows_text(self.reader.n_rows, n_rows))
        if self.progress is not None:
            self.progress(n_rows, n_rows)
        layout = self._layout(target, features, part, facts)
        types = types_of(layout, part is not None)
        engine = BlockEngine(layout, types, SparkPasses(self.session, types, len(facts)), self.session.steps)
        if is_small:
            engine.keep((), joined(blocks_of(made.to_batches(), types)))
        return WorkingTable(layout, engine, tuple(self.notes))

    def _layout(
        self,
        target: Target,
        features: Sequence[tuple[TableColumn, Coder]],
        part: PartOfRow | None,
        facts: Sequence[Partial],
    ) -> Layout:
        """What is known of the table after coding all rows."""
        feature = target.feature if isinstance(target, CategoryCoder) else target
        columns = (
            layout_of_numbers(coder, facts, f"x{i}")
            if isinstance(coder, NumericCoder)
            else layout_of_categories(coder, self.reader.n_rows)
            for i, (_, coder) in enumerate(features)
        )
        return Layout(
            Feature(feature.name, feature.kind, categories=feature.categories),
            tuple(columns),
            self.reader.n_rows,
            centre_of(facts) if feature.kind == "numeric" else 0.0,
            self.selection.weights is not None,
            () if part is None else part.values,
        )

    def _check(self, outer: Callable[[], object] | None) -> Callable[[], None]:
        """What is called while the workers code rows: the check in force, and the progress."""

        def check() -> None:
            if outer is not None:
                outer()
            if self.progress is not None:
                self.progress(0, self.reader.n_rows)

        return check

    def _coding(self, i: int, column: TableColumn, coder: Coder) -> SimpleNamespace:
        """How the workers code a feature."""
        if isinstance(coder, CategoryCoder):
            return lookup(f"c{i}", coder)
        if column.is_number or column.is_date:
            return coding(f"x{i}", edges=coder.coder.edges)
        cells = self._texts(column)
        return coding(f"x{i}", cells, np.append(numbers_of(cells, column.name), np.nan), coder.coder.edges)

    def _texts(self, column: TableColumn) -> pa.Array:
        """All different cells of a column of text that is to be read as numbers."""
        if self.reader.n_distinct(column.name) > MOST_TEXTS:
            text = message(
                "Column '{column}' is text with more than {most:,} different values: cast it to a number first.",
                column=column.name,
                most=MOST_TEXTS,
            )
            raise ColumnError(text, column.name)
        query = f"SELECT DISTINCT {column.category} AS value\nFROM origin{self.reader.where}"
        return self.session.run(_texts_text(column.name), query).column("value").drop_null().combine_chunks()


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


def _texts_text(name: str) -> Words:
    return lambda: message("List the texts of '{column}', to read them as numbers", column=name)
