"""The counting engine of a database: each method one or a few queries, their rows put into arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.messages import Words
from explorer.sources.counting import Coding, EndGroups, Floats, Ints, Layout, NodeColumn, NodeTarget, RowBlock
from explorer.sources.routing import Routing
from explorer.sources.sql import queries as sql
from explorer.sources.sql import words
from explorer.sources.sql.cell_engine import CellEngine
from explorer.sources.sql.queries import NodeText

Item = TypeVar("Item")
Run = Callable[[Words, str], pa.Table]
"""Runs a query, which is for what the words say; raises EngineError."""

NODES_AT_ONCE = 256
"""A query asks about so many nodes at most: the text of the tests on the way to them stays small."""
CELLS_AT_ONCE = 20_000_000
"""A query that keeps rows in memory is about so many cells at most."""
FEW_CELLS = 0.5
"""Rows are picked by their cells first where these are less than this share of the cells of a column, all together."""
GROUPS_AT_ONCE = 1_000_000
"""Features are counted together while their groups are at most so many, which bounds the memory of a query."""


@dataclass(eq=False)
class SqlEngine(CellEngine):
    """Counts by SQL alone, as text that `run` hands to the database; see `CountingEngine` for the methods."""

    layout: Layout
    run: Run
    close_database: Callable[[], object]

    @property
    def width(self) -> int:
        """K: how many numbers the counts of a cell have."""
        return 3 if self.layout.target.kind == "numeric" else len(self.layout.target.categories)

    def targets(self, routing: Routing, nodes: Sequence[int]) -> dict[int, NodeTarget]:
        """The target at every node; a node that no row reaches is left out."""
        found: dict[int, NodeTarget] = {}
        for some in _portions(nodes, NODES_AT_ONCE):
            text = NodeText.of(routing, self.layout, some)
            table = self.run(words.targets_words(len(some)), sql.count_targets(text))
            groups, counts = self._summed(table, "node")
            n_rows = np.zeros(len(groups), dtype=np.int64)
            low, high = np.full(len(groups), np.inf), np.full(len(groups), -np.inf)
            group_of_row = np.searchsorted(groups, _ints(table, "node"))
            np.add.at(n_rows, group_of_row, _ints(table, "n_rows"))
            np.minimum.at(low, group_of_row, _floats(table, "low"))
            np.maximum.at(high, group_of_row, _floats(table, "high"))
            for i, node in enumerate(groups.tolist()):
                found[node] = NodeTarget(counts[i], int(n_rows[i]), float(low[i]), float(high[i]))
        return found

    def bins(self, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> dict[tuple[int, int], Floats]:
        """Counts [codes + 1, K] by (node, position in `codings`), those of missing cells last."""
        found: dict[tuple[int, int], Floats] = {}
        for some in _portions(nodes, NODES_AT_ONCE):
            text = NodeText.of(routing, self.layout, some)
            for positions in self._together(codings, len(some)):
                query = sql.count_codes(text, [(position, codings[position]) for position in positions])
                self._fill(found, self.run(words.bins_words(len(some), len(positions)), query), codings)
        return found

    def _together(self, codings: Sequence[Coding], n_nodes: int) -> list[list[int]]:
        """Positions of codings that are counted by one query."""
        portions: list[list[int]] = []
        room = 0
        for position, coding in enumerate(codings):
            groups = (self._n_codes(coding) + 1) * n_nodes * self._n_classes
            if groups > room or not portions:
                portions.append([])
                room = GROUPS_AT_ONCE
            portions[-1].append(position)
            room -= groups
        return portions

    @property
    def _n_classes(self) -> int:
        return max(len(self.layout.target.categories), 1)

    def _n_codes(self, coding: Coding) -> int:
        return self.layout.columns[coding.column].n_bins if coding.edges is None else len(coding.edges) + 1

    def _fill(self, found: dict[tuple[int, int], Floats], table: pa.Table, codings: Sequence[Coding]) -> None:
        """Put the counts of a query into arrays."""
        node, f, code = (_ints(table, name) for name in ("node", "f", "code"))
        values, classes = self._values(table)
        order = np.lexsort((f, node))
        starts = np.flatnonzero((np.diff(node[order], prepend=-1) != 0) | (np.diff(f[order], prepend=-1) != 0))
        for rows in np.split(order, starts[1:]) if len(order) else []:
            coding = codings[f[rows[0]]]
            counts = np.zeros((self._n_codes(coding) + 1, self.width))
            _add(counts, code[rows], values[rows], None if classes is None else classes[rows])
            found[int(node[rows[0]]), int(f[rows[0]])] = counts

    def _within(
        self,
        text_of: Callable[[int, Sequence[str]], Words],
        routing: Routing,
        wanted: Mapping[NodeColumn, Ints],
        cell: str,
        value: str,
    ) -> dict[NodeColumn, tuple[Floats, Floats]]:
        found = {place: (np.empty(0), np.empty((0, self.width))) for place in wanted}
        places = [place for place, codes in wanted.items() if len(codes)]
        nodes = sorted({node for node, _ in places})
        for some in _portions(nodes, NODES_AT_ONCE):
            text = NodeText.of(routing, self.layout, some)
            by_column: dict[int, list[tuple[int, Ints]]] = {}
            for node, column in sorted(set(places) & {(node, column) for node in some for _, column in places}):
                by_column.setdefault(column, []).append((node, np.asarray(wanted[node, column])))
            what = text_of(len(some), [self.layout.columns[column].feature.name for column in by_column])
            few = self._few_cells(cell, by_column)
            tables = [
                self.run(what, sql.count_within(text, cell, value, by_column, [*few, *where]))
                for where in self._row_portions(len(by_column))
            ]
            self._split_up(found, pa.concat_tables(tables))
        return found

    def _few_cells(self, cell: str, by_column: Mapping[int, Sequence[tuple[int, Ints]]]) -> list[str]:
        """A condition that passes the rows with one of the cells at any node, where those are few."""
        conditions, share = [], 0.0
        for column, pairs in by_column.items():
            layout = self.layout.columns[column]
            cells = np.unique(np.concatenate([codes for _, codes in pairs]))
            share += len(cells) / (layout.n_bins if cell == "b" else layout.n_codes)
            conditions.append(f"{cell}{column} IN ({', '.join(map(str, cells.tolist()))})")
        return [" OR ".join(conditions)] if share < FEW_CELLS else []

    def _row_portions(self, n_columns: int) -> list[list[str]]:
        """Conditions that portion the rows: a query keeps its rows' cells in memory for a while."""
        size = CELLS_AT_ONCE // n_columns
        if self.layout.n_rows <= size:
            return [[]]
        starts = range(0, self.layout.n_rows, size)
        return [[f"rowid >= {start} AND rowid < {start + size}"] for start in starts]

    def _split_up(self, found: dict[NodeColumn, tuple[Floats, Floats]], table: pa.Table) -> None:
        """Put the counts of a query into arrays by node and column."""
        node, column = _ints(table, "node"), _ints(table, "f")
        order = np.lexsort((column, node))
        changes = (np.diff(node[order], prepend=-1) != 0) | (np.diff(column[order], prepend=-1) != 0)
        for rows in np.split(order, np.flatnonzero(changes)[1:]) if len(order) else []:
            found[int(node[rows[0]]), int(column[rows[0]])] = self._summed(table.take(rows), "value")

    def rows(self, routing: Routing, nodes: Sequence[int]) -> dict[int, RowBlock]:
        """All rows of these nodes, in no particular order."""
        everything = [
            self._rows_of(NodeText.of(routing, self.layout, some)) for some in _portions(nodes, NODES_AT_ONCE)
        ]
        found = {node: block for part in everything for node, block in part.items()}
        return {node: found.get(node, self._block(None, np.empty(0, dtype=np.int64))) for node in nodes}

    def sample(self, routing: Routing, n: int, seed: int) -> RowBlock:
        """Draw n rows of the routing at random, or all where there are no more; the same rows for the same seed."""
        text = NodeText.of(routing, self.layout, _all_nodes(routing))
        table = self.run(words.sample_words(n), sql.rows_drawn(text, n, seed))
        return self._block(table, np.arange(table.num_rows))

    def _rows_of(self, text: NodeText) -> dict[int, RowBlock]:
        table = self.run(words.rows_words(len(text.nodes)), sql.rows_of_nodes(text))
        node = _ints(table, "node")
        order = np.argsort(node, kind="stable")
        starts = np.flatnonzero(np.diff(node[order], prepend=-1) != 0)
        portions = np.split(order, starts[1:]) if len(order) else []
        return {int(node[rows[0]]): self._block(table, rows) for rows in portions}

    def _block(self, table: pa.Table | None, rows: NDArray[np.intp]) -> RowBlock:
        """Some rows of a query as arrays."""

        def taken(name: str) -> NDArray[np.float64]:
            return np.empty(0) if table is None else _floats(table, name)[rows]

        y = taken("y") if self.layout.target.kind == "numeric" else taken("y").astype(np.int32)
        return RowBlock(self._cells(taken), y, taken("w") if self.layout.has_weights else None)

    def _cells(self, taken: Callable[[str], Floats]) -> tuple[Floats | NDArray[np.int32], ...]:
        """The columns of a `RowBlock` by their names in the working table."""
        names = sql.cells_of_rows(self.layout)
        return tuple(taken(name) if name[0] == "x" else taken(name).astype(np.int32) for name in names)

    def ends(self, routing: Routing) -> EndGroups:
        """All rows of the routing by the node where they end."""
        text = NodeText.of(routing, self.layout, _all_nodes(routing))
        table = self.run(words.ends_words, sql.rows_by_end(text))
        groups, counts = self._summed(table, "node")
        at = np.searchsorted(groups, _ints(table, "node"))
        n_rows = np.zeros(len(groups), dtype=np.int64)
        np.add.at(n_rows, at, _ints(table, "n_rows"))

        def example(name: str) -> Floats:
            least = np.full(len(groups), np.nan)
            np.fmin.at(least, at, _floats(table, name))
            return least

        return EndGroups(groups.astype(np.int64), counts, n_rows, self._cells(example))

    def close(self) -> None:
        """Give back everything on disk and in memory; may be called twice."""
        self.close_database()

    def _summed(self, table: pa.Table, key: str) -> tuple[Floats, Floats]:
        """The different keys of a query's rows, ascending, and their counts [keys, K]."""
        keys, position = np.unique(_floats(table, key), return_inverse=True)
        counts = np.zeros((len(keys), self.width))
        _add(counts, position, *self._values(table))
        return keys, counts

    def _values(self, table: pa.Table) -> tuple[Floats, Ints | None]:
        """What a query summed, [r] for classes with their codes, [r, 3] for a numeric target."""
        if self.layout.target.kind == "numeric":
            return np.stack([_floats(table, name) for name in ("n", "s", "q")], axis=1), None
        return _floats(table, "n"), _ints(table, "y")


def _add(counts: Floats, codes: NDArray[np.intp], values: Floats, classes: Ints | None) -> None:
    """Add the sums of a query's rows to the cells that they belong to."""
    np.add.at(counts, codes if classes is None else (codes, classes), values)


def _floats(table: pa.Table, name: str) -> Floats:
    """A column of a query's rows as numbers, NULL as nan."""
    return table.column(name).cast(pa.float64()).to_numpy()


def _ints(table: pa.Table, name: str) -> Ints:
    return table.column(name).to_numpy().astype(np.int64)


def _portions(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _all_nodes(routing: Routing) -> set[int]:
    return {0, *(node for test in routing.tests for node in (test.node, *test.children))}
