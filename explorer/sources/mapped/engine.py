"""Counts of a table in files of codes and numbers, made by compiled loops that read the files chunk by chunk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from threading import RLock
from typing import Any, Protocol, TypeVar

import numpy as np

from explorer.errors import EngineError
from explorer.messages import Words, message
from explorer.sources.counting import Coding, EndGroups, Floats, Ints, Layout, NodeColumn, NodeTarget, RowBlock
from explorer.sources.mapped import equivalents
from explorer.sources.mapped.cells import AllCodes, FineCodes, Rows, ValueSums
from explorer.sources.mapped.files import AnyArray, Codes, ColumnFiles, TableFiles, UInt32s
from explorer.sources.mapped.loops import add_rows, extend_ranges, find_slots
from explorer.sources.mapped.row_nodes import RowNodes, n_nodes_of
from explorer.sources.mapped.workers import Workers
from explorer.sources.query_steps import QueryStep, note, poll, taken
from explorer.sources.routing import Routing
from explorer.sources.sql import words as step_words
from explorer.sources.sql.cell_engine import CellEngine

THREADS = 2
Found = TypeVar("Found", bound=Sized)


class Counter(Protocol):
    """Something that counts the rows of one column, chunk after chunk."""

    def add(self, rows: Rows, files: ColumnFiles, codes: Codes) -> None:
        """Count the rows; `codes` are those of the chunk."""


class MappedEngine(CellEngine):
    """A counting engine over the files of a working table.

    Sums take the rows in order, so results are the same for any number of threads. The check in force is called between
    chunks. One call is served at a time; others wait. What was done is appended to `steps`; `remove` gives back the
    folder of the files.
    """

    def __init__(
        self, files: TableFiles, steps: list[QueryStep], remove: Callable[[], object], threads: int = THREADS
    ) -> None:
        self._files, self._steps = files, steps
        self._workers = Workers(threads)
        self._row_nodes = RowNodes(files, self._workers)
        self._lock = RLock()
        self._remove_folder, self._is_closed = remove, False

    @property
    def layout(self) -> Layout:
        """The codes that counts are by."""
        return self._files.layout

    def targets(self, routing: Routing, nodes: Sequence[int]) -> dict[int, NodeTarget]:
        """The target at every node; a node that no row reaches is left out."""

        def count() -> dict[int, NodeTarget]:
            counts, n_rows = np.zeros((len(nodes), self._width)), np.zeros(len(nodes), np.int64)
            low, high = np.full(len(nodes), np.inf), np.full(len(nodes), -np.inf)
            for rows in self._chunks(routing, nodes):
                rows.add(rows.slots, counts)
                add_rows(rows.slots, rows.positions, rows.begin, n_rows, np.empty_like(n_rows))
                extend_ranges(rows.slots, np.asarray(rows.y, dtype=np.float64), low, high)
            ranges = zip(n_rows.tolist(), low.tolist(), high.tolist(), strict=True)
            targets = zip(nodes, counts, ranges, strict=True)
            return {node: NodeTarget(total, *of_rows) for node, total, of_rows in targets if of_rows[0]}

        text = partial(equivalents.targets_sql, self.layout, routing, nodes)
        return self._serve(step_words.targets_words(len(nodes)), text, count)

    def bins(self, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> dict[tuple[int, int], Floats]:
        """Counts [codes + 1, K] by (node, position in `codings`), those of missing cells last; empty nodes left out."""

        def count() -> dict[tuple[int, int], Floats]:
            layouts = [self.layout.columns[coding.column] for coding in codings]
            counters = [
                AllCodes(layout, coding, len(nodes), self._width)
                for layout, coding in zip(layouts, codings, strict=True)
            ]
            n_rows = self._count(
                routing, nodes, [(each.column, one) for each, one in zip(codings, counters, strict=True)]
            )
            reached = [(slot, node) for slot, node in enumerate(nodes) if n_rows[slot]]
            return {(node, i): counter.of_slot(slot) for slot, node in reached for i, counter in enumerate(counters)}

        text = partial(equivalents.bins_sql, self.layout, routing, nodes, codings)
        return self._serve(step_words.bins_words(len(nodes), len(codings)), text, count)

    def _within(
        self,
        text_of: Callable[[int, Sequence[str]], Words],
        routing: Routing,
        wanted: Mapping[NodeColumn, Ints],
        cell: str,
        value: str,
    ) -> dict[NodeColumn, tuple[Floats, Floats]]:
        nodes, by_column = grouped(wanted)
        make = FineCodes if cell == "b" else ValueSums

        def count() -> dict[NodeColumn, tuple[Any, Floats]]:
            counters = {
                column: make(self.layout.columns[column], cells, len(nodes), self._width)
                for column, cells in by_column.items()
            }
            self._count(routing, nodes, list(counters.items()))
            return {
                (nodes[slot], column): counters[column].of_slot(slot)
                for column in by_column
                for slot in by_column[column]
            }

        text = partial(equivalents.closer_sql, self.layout, routing, cell, value, wanted)
        return self._serve(text_of(len(nodes), self._names(by_column)), text, count)

    def rows(self, routing: Routing, nodes: Sequence[int]) -> dict[int, RowBlock]:
        """All rows of these nodes, in the order of the table."""

        def fetch() -> dict[int, RowBlock]:
            slots, whole = self._fetch(routing, nodes, lambda rows: np.arange(len(rows.slots)))
            order = np.argsort(slots, kind="stable")
            ends = np.searchsorted(slots[order], np.arange(len(nodes) + 1))
            return {node: block_of(whole, order[ends[i] : ends[i + 1]]) for i, node in enumerate(nodes)}

        text = partial(equivalents.rows_sql, self.layout, routing, nodes)
        return self._serve(step_words.rows_words(len(nodes)), text, fetch)

    def sample(self, routing: Routing, n: int, seed: int) -> RowBlock:
        """Draw n rows of the routing at random, or all where there are no more; the same rows for the same seed."""
        nodes = range(n_nodes_of(routing))

        def draw() -> RowBlock:
            n_rows = sum(len(rows.slots) for rows in self._chunks(routing, nodes))
            drawn = np.sort(np.random.default_rng(seed).choice(n_rows, min(n, n_rows), replace=False))
            seen = 0

            def pick(rows: Rows) -> Ints:
                nonlocal seen
                begin, end = np.searchsorted(drawn, [seen, seen + len(rows.slots)])
                taken = drawn[begin:end] - seen
                seen += len(rows.slots)
                return taken

            return self._fetch(routing, nodes, pick)[1]

        text = partial(equivalents.sample_sql, self.layout, routing, n, seed)
        return self._serve(step_words.sample_words(n), text, draw)

    def ends(self, routing: Routing) -> EndGroups:
        """All rows of the routing by the node where they end."""
        n_nodes = n_nodes_of(routing)

        def count() -> EndGroups:
            counts, n_rows = np.zeros((n_nodes, self._width)), np.zeros(n_nodes, np.int64)
            first_row = np.zeros(n_nodes, np.int64)
            for rows in self._chunks(routing, range(n_nodes)):
                rows.add(rows.slots, counts)
                add_rows(rows.slots, rows.positions, rows.begin, n_rows, first_row)
            nodes = np.flatnonzero(n_rows)
            return EndGroups(nodes, counts[nodes], n_rows[nodes], self._example(first_row[nodes]))

        return self._serve(step_words.ends_words, partial(equivalents.ends_sql, self.layout, routing), count)

    def close(self) -> None:
        """Remove the files; may be called twice."""
        with taken(self._lock):
            self._workers.close()
            self._remove_folder()
            self._is_closed = True

    @property
    def _width(self) -> int:
        """K, the number of counts of a cell."""
        return 3 if self.layout.target.kind == "numeric" else self.layout.target.n_values

    def _names(self, columns: Iterable[int]) -> list[str]:
        return [self.layout.columns[column].feature.name for column in sorted(columns)]

    def _serve(self, words: Words, text: Callable[[], str], work: Callable[[], Found]) -> Found:
        """Do one piece of work and note it as a step; EngineError once closed, or where memory does not suffice."""
        with taken(self._lock):
            if self._is_closed:
                raise EngineError(message("The connection to the table is closed. Connect the table again."))
            start = time.perf_counter()
            with memory_in_words():
                found = work()
            note(self._steps, QueryStep.of(words, text(), time.perf_counter() - start, len(found)))
            return found

    def _chunks(self, routing: Routing, nodes: Sequence[int]) -> Iterator[Rows]:
        """The rows at some nodes of one chunk after another, with the positions in `nodes` of their nodes."""
        slot_of = np.full(max([n_nodes_of(routing), *(node + 1 for node in nodes)]) + 1, -1, np.int32)
        slot_of[np.asarray(nodes, dtype=np.int64) + 1] = np.arange(len(nodes))
        target = self.layout.target
        n_classes = 0 if target.kind == "numeric" else target.n_values
        for begin, node_of_row in self._row_nodes.chunks(routing):
            poll()
            positions, slots = np.empty((2, len(node_of_row)), np.uint32)
            n = find_slots(node_of_row, slot_of, positions, slots)
            y, weights = self._files.target_of(begin, len(node_of_row))
            if n < len(node_of_row):
                positions, slots = positions[:n], slots[:n]
                y, weights = y[positions], weights[positions] if len(weights) else weights
            yield Rows(begin, len(node_of_row), positions, slots, y, weights, n_classes, self.layout.centre)

    def _count(self, routing: Routing, nodes: Sequence[int], counters: Sequence[tuple[int, Counter]]) -> Ints:
        """Hand all rows to counters of their columns; how many rows there are at each node."""
        n_rows = np.zeros(len(nodes), np.int64)
        by_column: dict[int, list[Counter]] = {}
        for column, counter in counters:
            by_column.setdefault(column, []).append(counter)
        for rows in self._chunks(routing, nodes):
            n_rows += np.bincount(rows.slots, minlength=len(nodes))
            self._workers.each(partial(self._count_column, rows, by_column), list(by_column))
        return n_rows

    def _count_column(self, rows: Rows, by_column: Mapping[int, Sequence[Counter]], column: int) -> None:
        files = self._files.columns[column]
        codes = files.codes_of(rows.begin, rows.n_in_chunk)
        for counter in by_column[column]:
            counter.add(rows, files, codes)

    def _fetch(self, routing: Routing, nodes: Sequence[int], pick: Callable[[Rows], Ints]) -> tuple[UInt32s, RowBlock]:
        """The rows that `pick` takes of every chunk, as positions, and the positions in `nodes` of their nodes."""
        kept, cells = list[Rows](), list[list[AnyArray]]()
        for rows in self._chunks(routing, nodes):
            taken = pick(rows)
            kept.append(rows.take(taken))
            cells.append(self._workers.each(partial(cells_of_rows, kept[-1]), self._files.columns))
        slots = np.concatenate([np.empty(0, np.uint32), *(rows.slots for rows in kept)])
        return slots, self._joined(kept, cells)

    def _joined(self, kept: Sequence[Rows], cells: Sequence[Sequence[AnyArray]]) -> RowBlock:
        """Rows of several chunks as one block."""
        empty = [np.empty(0, np.float64 if column.is_numeric else np.int32) for column in self.layout.columns]
        columns = tuple(np.concatenate([none, *(each[i] for each in cells)]) for i, none in enumerate(empty))
        is_numeric = self.layout.target.kind == "numeric"
        y = np.concatenate([np.empty(0, np.float64 if is_numeric else np.int32), *(rows.y for rows in kept)])
        weights = np.concatenate([np.empty(0), *(rows.weights for rows in kept)])
        return RowBlock(columns, y, weights if self.layout.has_weights else None)

    def _example(self, positions: Ints) -> tuple[AnyArray, ...]:
        """The number or code of some rows in each column."""
        found = []
        for files in self._files.columns:
            codes = files.codes.at(positions)
            found.append(files.numbers_at(positions, codes) if files.layout.is_numeric else codes.astype(np.int32))
        return tuple(found)


@contextmanager
def memory_in_words() -> Iterator[None]:
    """Turn a lack of memory into a sentence."""
    try:
        yield
    except MemoryError as error:
        raise EngineError(
            message("The memory does not suffice to count the rows of so many nodes. Grow a smaller tree.")
        ) from error


def grouped(wanted: Mapping[NodeColumn, Ints]) -> tuple[list[int], dict[int, dict[int, Ints]]]:
    """The nodes that something is wanted of, and by column what is wanted by position in these nodes."""
    nodes = sorted({node for node, _ in wanted})
    slot_of = {node: slot for slot, node in enumerate(nodes)}
    by_column: dict[int, dict[int, Ints]] = {}
    for (node, column), codes in wanted.items():
        by_column.setdefault(column, {})[slot_of[node]] = np.asarray(codes, dtype=np.int64)
    return nodes, by_column


def cells_of_rows(rows: Rows, files: ColumnFiles) -> AnyArray:
    """The number or code that some rows of a chunk have in a column."""
    codes = files.codes_of(rows.begin, rows.n_in_chunk)[rows.positions]
    return files.numbers_at(rows.in_table, codes) if files.layout.is_numeric else codes


def block_of(whole: RowBlock, rows: Ints) -> RowBlock:
    """Some rows of a block."""
    weights = None if whole.weights is None else whole.weights[rows]
    return RowBlock(tuple(column[rows] for column in whole.columns), whole.y[rows], weights)
