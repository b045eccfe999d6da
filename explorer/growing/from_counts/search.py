"""Search many nodes at once: count bins, then look into the cells that could hold the best test, until none is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Bools, Floats
from explorer.growing.from_counts.cells import Cells, bins_of, cells_of_codes, cells_of_values, codes_in
from explorer.growing.from_counts.counted_node import CountedNode, OpenNode
from explorer.growing.from_counts.siblings import SiblingCounts
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import BY_DECREASE, BY_GAIN
from explorer.sources.counting import NodeColumn
from explorer.sources.level_report import LevelReport
from explorer.sources.routing import Routing

COUNTED_AT_ONCE = 8_000_000
"""Numbers in the count tables of one query, at most: 64 MB."""
VALUES_PER_QUERY = 2_000_000
"""Rows in the cells whose values one query asks for, as far as cells can be divided among queries."""
Ints = NDArray[np.int64]
CountBins = Callable[[Sequence[int]], dict[int, list[Floats]]]
"""Nodes → counts [codes + 1, K] of every column."""
Wanted = dict[NodeColumn, tuple[CountedNode, Bools]]
"""Cells to be looked into, by node and column index."""


def counts_every_best(parameters: GrowParameters, keep: bool) -> bool:
    """Whether the best test of every feature decides, not only the largest gain of all."""
    return keep or parameters.score not in (BY_GAIN, BY_DECREASE)


def batches(table: TrainingTable, nodes: Sequence[OpenNode]) -> list[list[OpenNode]]:
    """The nodes in groups whose count tables fit into memory."""
    per_node = sum(_n_codes(table, column) + 1 for column in range(len(table.columns))) * len(table.root.counts)
    size = max(COUNTED_AT_ONCE // max(per_node, 1), 1)
    return [list(nodes[start : start + size]) for start in range(0, len(nodes), size)]


def _n_codes(table: TrainingTable, column: int) -> int:
    edges = table.codings[column].edges
    return table.layout(column).n_bins if edges is None else len(edges) + 1


def search_alone(table: TrainingTable, routing: Routing, node: OpenNode) -> CountedNode:
    """One node with the best candidate of every feature."""
    count = partial(SiblingCounts(table).count, routing, families=())
    return LevelSearch(table, routing, True, LevelReport(node.depth), lambda: None, count).run([node])[0]


class LevelSearch:
    """The search of some nodes of a level; `report` says how much was looked into."""

    def __init__(
        self,
        table: TrainingTable,
        routing: Routing,
        keep: bool,
        report: LevelReport,
        tell: Callable[[], None],
        count: CountBins,
    ) -> None:
        """`count` gives the bins of nodes; `tell` is called between two queries and may raise `Stopped`."""
        self.table, self.routing, self.report, self.tell, self.count = table, routing, report, tell, count
        self.per_feature = counts_every_best(table.parameters, keep)
        self.engine, self.tuning = table.source.engine, table.source.tuning

    def run(self, nodes: Sequence[OpenNode]) -> list[CountedNode]:
        """The nodes with their candidates, as exact as their competition needs them."""
        counted = self._counted(nodes)
        wanted = self._wanted(counted)
        self._report_first(wanted)
        while wanted:
            self.tell()
            wide = {key: part for key, part in wanted.items() if self._has_wide(key, *part)}
            if wide and self._rows_in(wanted) > self.tuning.values_at_once:
                self._look_into_codes(wide)
            else:
                self._look_into_values(wanted)
            self.tell()
            wanted = self._wanted(counted)
        return counted

    def _counted(self, nodes: Sequence[OpenNode]) -> list[CountedNode]:
        """The nodes with the counts of their bins."""
        found = self.count([node.node for node in nodes])
        counted = [CountedNode(self.table, node, per_feature=self.per_feature) for node in nodes]
        for node in counted:
            node.count(found[node.open.node])
            self.report.bins += sum(len(f.cells) for f in node.features.values() if f.cells is not None)
            self.tell()
        return counted

    def _wanted(self, counted: list[CountedNode]) -> Wanted:
        """All cells to be looked into."""
        return {(n.open.node, column): (n, which) for n in counted for column, which in n.wanted().items()}

    def _report_first(self, wanted: Wanted) -> None:
        """Note how many bins are looked into, and the rows in them."""
        self.report.bins_alive += sum(int(which.sum()) for _, which in wanted.values())
        self.report.rows_alive += self._rows_in(wanted)

    def _rows_in(self, wanted: Wanted) -> int:
        """The weight of the rows in the wanted cells."""
        return int(sum(self._rows_in_cells(node, key[1], which) for key, (node, which) in wanted.items()))

    def _weights(self, node: CountedNode, column: int) -> Floats:
        table = _cells(node, column).table
        return table[:, 0] if self.table.parameters.regression else table.sum(axis=1)

    @staticmethod
    def _has_wide(key: NodeColumn, node: CountedNode, which: Bools) -> bool:
        """Whether one of the cells is a bin of several fine codes."""
        cells = _cells(node, key[1])
        return bool((cells.last > cells.first)[which].any())

    def _look_into_codes(self, wanted: Wanted) -> None:
        """Divide the wanted bins into fine codes, in queries of bounded size."""
        per_bin = self.tuning.codes_per_bin * len(self.table.root.counts)
        for part in _parts(wanted, lambda _, __, which: per_bin * int(which.sum()), COUNTED_AT_ONCE):
            bins = dict[NodeColumn, Ints]()
            which_of = dict[NodeColumn, Bools]()
            for (at, column), (node, which) in part.items():
                cells = _cells(node, column)
                which_of[at, column] = which & (cells.last > cells.first)
                bins[at, self._place(column)] = bins_of(self.table.layout(column), cells.first[which_of[at, column]])
            found = self.engine.fine(self.routing, bins)
            for (at, column), (node, _) in part.items():
                codes, counts = found[at, self._place(column)]
                self._put(node, column, which_of[at, column], cells_of_codes(self.table.layout(column), codes, counts))
            self.report.fine_codes += sum(len(codes) for codes, _ in found.values())
            self.tell()

    def _look_into_values(self, wanted: Wanted) -> None:
        """Divide the wanted cells into single values, in queries of bounded size."""
        for part in _parts(wanted, self._rows_in_cells, VALUES_PER_QUERY):
            codes = {
                (at, self._place(column)): codes_in(_cells(node, column), which)
                for (at, column), (node, which) in part.items()
            }
            found = self.engine.values(self.routing, codes)
            for (at, column), (node, which) in part.items():
                values, counts = found[at, self._place(column)]
                self._put(node, column, which, cells_of_values(self.table.layout(column), values, counts))
            self.report.values += sum(len(values) for values, _ in found.values())
            self.tell()

    def _rows_in_cells(self, node: CountedNode, column: int, which: Bools) -> float:
        """The weight of the rows in some cells of a column."""
        return float(self._weights(node, column)[which].sum())

    def _place(self, column: int) -> int:
        """The position of a column in the engine's table."""
        return self.table.codings[column].column

    @staticmethod
    def _put(node: CountedNode, column: int, which: Bools, parts: Cells) -> None:
        node.put(column, _cells(node, column).looked_into(which, parts))


def _cells(node: CountedNode, column: int) -> Cells:
    cells = node.features[column].cells
    assert cells is not None, "only numbers are looked into"
    return cells


def _parts(wanted: Wanted, size: Callable[[CountedNode, int, Bools], float], most: float) -> list[Wanted]:
    """The wanted cells divided among queries whose sizes add up to `most` at most, as far as they can be divided."""
    parts, total = list[Wanted]([{}]), 0.0
    for key, (node, which) in wanted.items():
        own = size(node, key[1], which)
        if parts[-1] and total + own > most:
            parts.append({})
            total = 0.0
        parts[-1][key], total = (node, which), total + own
    return parts
