"""A table that DuckDB reads → a working table of codes: features, edges from a sample, and one pass that writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.data.arrow_frame import left_out_notes
from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import Ordered
from explorer.data.codes.target import check_target
from explorer.data.column_names import check_known
from explorer.data.encode import Kind
from explorer.data.notes import ColumnInfo, Note
from explorer.data.quality import left_out_text, too_long_text
from explorer.errors import ColumnError, InputError
from explorer.messages import Words, listing, message
from explorer.sources.counting import Layout, exact_centre
from explorer.sources.encoding.column_codes import (
    MOST_CATEGORIES,
    CategoryCoder,
    NumericCoder,
    numbers_of,
    too_many_text,
)
from explorer.sources.encoding.encode_batch import number_coder
from explorer.sources.encoding.left_out import RowsInUse
from explorer.sources.encoding.table_columns import EXACT_DIGITS, TableColumn, TableReader, kind_of
from explorer.sources.encoding.target_rows import PartOfRow, Target, part_of_row, use_rows
from explorer.sources.mapped.writer import TableWriter, files_or_note
from explorer.sources.origins.duckdb_session import DuckSession
from explorer.sources.query_steps import poll
from explorer.sources.source import Progress, Selection, Tuning, WorkingTable
from explorer.sources.sql.engine import SqlEngine

SAMPLE_ROWS = 100_000
BATCH_ROWS = 1 << 16
MOST_BINS = 255
"""Bins, with one for missing cells, are 8-bit numbers."""
MOST_LISTED = 80_000
"""Columns with more different cells by the estimate are not asked for their list."""

Coder = CategoryCoder | NumericCoder


@dataclass(eq=False)
class Preparation:
    """One run of encoding: what is left out, the coder of every feature, and the pass that writes.

    `session` has the table as the view `origin`; `progress(rows done, rows in all)` may raise Stopped.
    """

    session: DuckSession
    reader: TableReader
    selection: Selection
    tuning: Tuning
    progress: Progress | None = None
    engine: str | None = "duckdb"
    """What counts: "duckdb", "mapped", or None for the second where the disk has room."""
    notes: list[Note] = field(default_factory=list)

    def table(self) -> WorkingTable:
        """Layout, engine and notes."""
        self._check_names()
        target, notes = use_rows(self.reader, self.selection)
        self.notes.extend(notes)
        feature = target.feature if isinstance(target, CategoryCoder) else target
        check_target(feature)
        split = self.selection.split
        part = None if split is None else part_of_row(self.reader, split)
        return self._encoded(target, self._features(), part)

    def _encoded(
        self, target: Target, features: Sequence[tuple[TableColumn, Coder]], part: PartOfRow | None
    ) -> WorkingTable:
        """The rows in use as files for the compiled counter, or as a table of the database."""
        feature = target.feature if isinstance(target, CategoryCoder) else target
        files = self._files(feature, [coder for _, coder in features], has_parts=part is not None)
        if files is not None:
            self._write_files(target, features, part, files)
            mapped = files.finish(self.session.steps, self.session.shut, () if part is None else part.values)
            return WorkingTable(mapped.layout, mapped, tuple(self.notes))
        self._write(target, features, part)
        layout = Layout(
            Feature(feature.name, feature.kind, categories=feature.categories),
            tuple(coder.layout() for _, coder in features),
            self.reader.n_rows,
            self._centre() if feature.kind == "numeric" else 0.0,
            self.selection.weights is not None,
            () if part is None else part.values,
        )
        return WorkingTable(layout, SqlEngine(layout, self.session.run, self.session.close), tuple(self.notes))

    def _check_names(self) -> None:
        """Refuse columns that do not exist, and a selection without target."""
        names, selection = [column.name for column in self.reader.columns], self.selection
        split = [] if selection.split is None else [selection.split.column]
        single = [name for name in (selection.target, selection.weights) if name]
        check_known(names, [*single, *(selection.features or ()), *(name for name, _ in selection.kinds), *split])
        if not selection.target:
            text = message(
                "No target is chosen: connect the table with target= one of its columns, {columns}.",
                columns=listing(names[:8]),
            )
            raise InputError(text)
        if selection.target in (selection.features or ()):
            text = message(
                "Column '{column}' is the target and a feature at once: take it out of the features.",
                column=selection.target,
            )
            raise InputError(text)

    def _features(self) -> list[tuple[TableColumn, Coder]]:
        """The columns to split on, each with its coder."""
        selection = self.selection
        taken = {selection.target, selection.weights, None if selection.split is None else selection.split.column}
        others = [column.name for column in self.reader.columns if column.name not in taken]
        named = others if selection.features is None else list(dict.fromkeys(selection.features))
        kinds = {name: self._kind(name) for name in named}
        coders = {name: self._category_coder(name) for name in named if kinds[name] == "categorical"}
        chosen = self._chosen(kinds, coders)
        sample = self._sample([self.reader.column(name) for name in chosen if kinds[name] == "numeric"])
        bins = min(self.tuning.bins, MOST_BINS)
        codes_per_bin = min(self.tuning.codes_per_bin, MOST_CATEGORIES // bins)
        found: list[tuple[TableColumn, Coder]] = []
        for name in chosen:
            column = self.reader.column(name)
            coder: Coder | None = coders.get(name)
            if coder is None:
                coder = NumericCoder(name, number_coder(sample[name], bins, codes_per_bin), column.is_date)
            found.append((column, coder))
        self.notes.extend(note for name in chosen if (note := self._rounded_note(name, kinds[name])) is not None)
        return found

    def _given(self, name: str) -> Kind | None:
        return dict(self.selection.kinds).get(name)

    def _kind(self, name: str) -> str:
        """The kind of a column, "" where its cells are not single values."""
        column = self.reader.column(name)
        return kind_of(column, self.reader.facts[name], self._given(name)) if column.is_flat else ""

    def _category_coder(self, name: str) -> CategoryCoder | None:
        """The coder of a feature's categories; None for far too many, which are an error where it was named."""
        given, count = self._given(name), self.reader.n_distinct(name)
        if count > MOST_LISTED:
            if self.selection.features is not None:
                raise ColumnError(too_many_text(name, count), name)
            return None
        order = None if given is None or isinstance(given, str | Ordered) else given
        return self.reader.categories(self.reader.column(name), order)

    def _chosen(self, kinds: dict[str, str], coders: dict[str, CategoryCoder | None]) -> list[str]:
        """The features to use: those named, else those with no reason to leave out, else those that vary."""
        nested = [(name, self.reader.column(name).type) for name, kind in kinds.items() if not kind]
        if self.selection.features is not None:
            if nested:
                raise ColumnError(_nested_text(*nested[0]), nested[0][0])
            return list(kinds)
        self.notes.extend(Note(words) for words in left_out_notes(nested))
        reasons = {name: self._reason(name, kind, coders) for name, kind in kinds.items() if kind}
        chosen = [name for name, reason in reasons.items() if reason is None] or self._varying(list(reasons), coders)
        left_out = [
            ColumnInfo(name, "left out", kinds[name], 0, 0, reason)
            for name, reason in reasons.items()
            if reason is not None and name not in chosen
        ]
        if left_out:
            self.notes.append(Note(lambda: left_out_text(left_out), "info", tuple(c.name for c in left_out)))
        return chosen

    def _reason(self, name: str, kind: str, coders: dict[str, CategoryCoder | None]) -> Words | None:
        """Why a column is no feature unless it is named; None without a reason."""
        rows = RowsInUse(self.reader, self._in_order)
        column, facts = self.reader.column(name), self.reader.facts[name]
        if kind == "categorical":
            return rows.category_reason(coders[name], facts)
        return rows.number_reason(column, facts) if column.is_number or column.is_date else None

    def _varying(self, names: Sequence[str], coders: dict[str, CategoryCoder | None]) -> list[str]:
        """The columns with several values, for a table that has no better ones."""

        def varies(name: str) -> bool:
            coder, facts = coders.get(name), self.reader.facts[name]
            return coder.feature.n_values > 1 if coder else name not in coders and facts.low < facts.high

        found = [name for name in names if varies(name)]
        if not found:
            text = message(
                "No feature is left beside '{target}': every other column is empty or constant.",
                target=self.selection.target,
            )
            raise InputError(text)
        return found

    def _rounded_note(self, name: str, kind: str) -> Note | None:
        """What becomes of numbers that a double cannot hold."""
        column, facts = self.reader.column(name), self.reader.facts[name]
        if facts.is_rounded:
            words = _rounded_text(name) if kind == "numeric" else too_long_text(name)
            return Note(words, "warning", (name,))
        if column.is_decimal and kind == "numeric" and column.n_digits > EXACT_DIGITS:
            return Note(_decimals_text(name, column.type), "info", (name,))
        return None

    def _in_order(self, column: TableColumn) -> Iterator[NDArray[np.float64]]:
        """The numbers of a column in the order of the rows."""
        for batch in self.session.batches(
            f"SELECT {column.number} AS value FROM origin{self.reader.where}", BATCH_ROWS
        ):
            yield numbers_of(batch.column("value"), column.name)

    def _sample(self, columns: Sequence[TableColumn]) -> dict[str, NDArray[np.float64]]:
        """Numbers of a sample of the rows, by column."""
        if not columns:
            return {}
        listed = ",\n  ".join(
            f"{c.number if c.is_number or c.is_date else c.category} AS x{i}" for i, c in enumerate(columns)
        )
        percent = 100 * SAMPLE_ROWS / self.reader.n_rows
        dialect = self.reader.dialect
        texts = (dialect.sample_of_table, dialect.sample_of_rows) if percent < 100 else ("", "")
        of_table, of_rows = (text.format(percent=percent) for text in texts)
        query = f"SELECT\n  {listed}\nFROM origin{of_table}{self.reader.where}{of_rows}"
        sample = self.reader.run(_sample_text, query)
        return {c.name: numbers_of(sample.column(f"x{i}").combine_chunks(), c.name) for i, c in enumerate(columns)}

    def _files(self, target: Feature, coders: Sequence[Coder], has_parts: bool) -> TableWriter | None:
        """What writes the working table as files for the compiled counter; None where SQL is to count."""
        plain, weighted = Feature(target.name, target.kind, categories=target.categories), bool(self.selection.weights)
        found = files_or_note(self.engine, self.session.folder, self.reader.n_rows, plain, coders, weighted, has_parts)
        if isinstance(found, Note):
            self.notes.append(found)
            return None
        return found

    def _write(self, target: Target, features: Sequence[tuple[TableColumn, Coder]], part: PartOfRow | None) -> None:
        """Read the rows once and write the working table."""
        is_made = False
        for batch in self._batches(target, features, part):
            rows = self._coded_target(batch, target, part)
            for i, (_, coder) in enumerate(features):
                rows |= {f"{name}{i}": cells for name, cells in coder.encode(batch.column(f"r{i}")).items()}
            self.session.append("work", pa.table(rows), is_made)
            is_made = True

    def _write_files(
        self,
        target: Target,
        features: Sequence[tuple[TableColumn, Coder]],
        part: PartOfRow | None,
        files: TableWriter,
    ) -> None:
        """Read the rows once and write them as files."""
        for batch in self._batches(target, features, part):
            given = {name: cells.to_numpy() for name, cells in self._coded_target(batch, target, part).items()}
            columns = [batch.column(f"r{i}") for i in range(len(features))]
            files.add(columns, given["y"], given.get("w"), given.get("part"))

    def _batches(
        self, target: Target, features: Sequence[tuple[TableColumn, Coder]], part: PartOfRow | None
    ) -> Iterator[pa.RecordBatch]:
        """The rows to encode, some at a time; may be stopped between them."""
        done = 0
        for batch in self.session.batches(self._raw_query(target, features, part), BATCH_ROWS):
            poll()
            yield batch
            done += batch.num_rows
            if self.progress is not None:
                self.progress(done, self.reader.n_rows)

    def _coded_target(self, batch: pa.RecordBatch, target: Target, part: PartOfRow | None) -> dict[str, pa.Array]:
        """Target, weights and parts of some rows, as the working table has them: y, w, part."""
        rows = {"y": batch.column("y")}
        if isinstance(target, CategoryCoder):
            rows["y"] = pa.array(target.codes(rows["y"]))
        if self.selection.weights is not None:
            rows["w"] = batch.column("w")
        if part is not None:
            parts = batch.column("part")
            rows["part"] = parts.cast(pa.uint8()) if part.coder is None else pa.array(part.coder.codes(parts))
        return rows

    def _raw_query(self, target: Target, features: Sequence[tuple[TableColumn, Coder]], part: PartOfRow | None) -> str:
        """The query of the rows to encode: r<i>, y, w, part."""

        def expression(column: TableColumn, is_number: bool) -> str:
            return column.number if is_number and (column.is_number or column.is_date) else column.category

        listed = [
            f"{expression(column, isinstance(coder, NumericCoder))} AS r{i}"
            for i, (column, coder) in enumerate(features)
        ]
        listed.append(f"{expression(self.reader.column(self.selection.target), isinstance(target, Feature))} AS y")
        if self.selection.weights is not None:
            listed.append(f"{self.reader.column(self.selection.weights).number} AS w")
        if part is not None:
            listed.append(f"{part.expression} AS part")
        return "SELECT\n  " + ",\n  ".join(listed) + f"\nFROM origin{self.reader.where}"

    def _centre(self) -> float:
        """The mean of a numeric target where taking it off is exact, else 0."""
        mean = "SUM(y * w) / SUM(w)" if self.selection.weights is not None else "favg(y)"
        query = f"SELECT {mean} AS mean, MIN(y) AS low, MAX(y) AS high\nFROM work"
        row = self.session.run(_mean_text, query).to_pylist()[0]
        return exact_centre(float(row["mean"]), row["low"], row["high"])


def _sample_text() -> str:
    return message("Take a sample, whose quantiles are the edges of the bins")


def _mean_text() -> str:
    return message("Take the mean of the target")


def _nested_text(name: str, kind: str) -> str:
    return message(
        "Column '{column}' cannot be a feature: its cells are {type}, not single values. Leave it out of the features.",
        column=name,
        type=kind[:80],
    )


def _rounded_text(name: str) -> Words:
    return lambda: message(
        "'{column}' has whole numbers beyond 2⁵³ = 9,007,199,254,740,992, which are rounded to the nearest double. "
        "Make the column categorical to keep them apart.",
        column=name,
    )


def _decimals_text(name: str, kind: str) -> Words:
    return lambda: message(
        "'{column}' has cells of type {type}, which are rounded to the nearest double.", column=name, type=kind
    )
