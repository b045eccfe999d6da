"""The node of every row, kept on disk so that a routing with more tests than the last costs only the new ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from explorer.sources.mapped.code_tables import RoutingTables, child_of_intervals, edges_of, tables_of
from explorer.sources.mapped.files import Codes, Int32s, TableFiles
from explorer.sources.mapped.loops import follow
from explorer.sources.mapped.workers import Workers
from explorer.sources.routing import NodeTest, Routing

Signature = tuple[int, str, bytes, bytes, int, tuple[int, ...]]


def signature(test: NodeTest) -> Signature:
    """What two tests that send rows to the same children have in common."""
    branches, edges = test.branch_of_code.tobytes(), test.edges.tobytes()
    return test.column, str(test.threshold), branches, edges, test.missing_branch, test.children


def n_nodes_of(routing: Routing) -> int:
    """One more than the highest node id that a routing names."""
    return max((max(test.node, *test.children) for test in routing.tests), default=0) + 1


@dataclass(frozen=True)
class Stand:
    """The rows and tests by which the file of nodes was written."""

    part: int | None
    complete: tuple[int, ...]
    tests: dict[int, Signature]

    def leads_to(self, other: Stand) -> bool:
        """Whether the other has the same rows and all of these tests."""
        same_rows = (self.part, self.complete) == (other.part, other.complete)
        return same_rows and self.tests.items() <= other.tests.items()


@dataclass(eq=False)
class RowNodes:
    """The node of every row by the last routing; −1 for a row that it leaves out."""

    files: TableFiles
    workers: Workers
    _stand: Stand | None = None
    _codes: Codes = field(default_factory=lambda: np.empty((0, 0), np.uint16))

    def chunks(self, routing: Routing) -> Iterator[tuple[int, Int32s]]:
        """The position of the first row, and the nodes of the rows, of one chunk after another."""
        wanted = Stand(routing.part, routing.complete, {test.node: signature(test) for test in routing.tests})
        known = self._stand if self._stand is not None and self._stand.leads_to(wanted) else None
        new = [test for test in routing.tests if known is None or test.node not in known.tests]
        tables = tables_of(new, self.files.layout.columns, n_nodes_of(routing))
        if known is None:
            self.files.node.create(self.files.n_rows)
        if known is None or new:
            self._stand = None  # an early end leaves the file between two routings
        if len(self._codes) < len(tables.columns):
            self._codes = np.empty((len(tables.columns), self.files.chunk), np.uint16)
        chunk = self.files.chunk
        for begin in range(0, self.files.n_rows, chunk):
            nodes = np.zeros(min(chunk, self.files.n_rows - begin), np.int32)
            if known is None:
                self._leave_out(routing, begin, nodes)
            else:
                self.files.node.read(begin, nodes)
            if new:
                self._follow(tables, begin, nodes)
            if known is None or new:
                self.files.node.write(begin, nodes)
            yield begin, nodes
        self._stand = wanted

    def _leave_out(self, routing: Routing, begin: int, nodes: Int32s) -> None:
        """Take rows of other parts, and those with a missing cell in a complete column, off the root."""
        if routing.part is not None and self.files.part is not None:
            part = np.empty(len(nodes), np.int32)
            self.files.part.read(begin, part)
            nodes[part != routing.part] = -1
        for column in routing.complete:
            codes = self.files.columns[column].codes_of(begin, len(nodes))
            nodes[codes == self.files.layout.columns[column].n_codes] = -1

    def _follow(self, tables: RoutingTables, begin: int, nodes: Int32s) -> None:
        """Send the rows of a chunk down, by their fine codes and, where these do not decide, by their numbers."""
        codes = self._codes

        def read(i: int) -> None:
            codes[i, : len(nodes)] = self.files.columns[tables.columns[i]].codes_of(begin, len(nodes))

        self.workers.each(read, range(len(tables.columns)))
        waiting = np.empty(len(nodes), np.int32)
        cuts = np.linspace(0, len(nodes), self.workers.threads + 1).astype(int).tolist()

        def follow_some(i: int) -> Int32s:
            n_waiting = follow(
                nodes, codes, cuts[i], cuts[i + 1], tables.n_passes, tables.tests, tables.following, waiting
            )
            return waiting[cuts[i] : cuts[i] + n_waiting]

        rows = np.concatenate(self.workers.each(follow_some, range(self.workers.threads)))
        while len(rows):
            rows = self._decide(tables, begin, nodes, rows)

    def _decide(self, tables: RoutingTables, begin: int, nodes: Int32s, rows: Int32s) -> Int32s:
        """Take undecided rows past their test by their numbers, and on as far as codes decide; which stop again."""
        before = nodes[rows]
        for node in np.unique(before).tolist():
            test, there = tables.by_node[node], rows[before == node]
            codes = self._codes[tables.columns.index(test.column), there]
            numbers = self.files.columns[test.column].numbers_at(begin + there.astype(np.int64), codes)
            nodes[there] = child_of_intervals(test)[np.searchsorted(edges_of(test), numbers, side="left")]
        rows = rows[nodes[rows] != before]
        on, codes, waiting = nodes[rows], np.take(self._codes, rows, axis=1), np.empty(len(rows), np.int32)
        n_waiting = follow(on, codes, 0, len(rows), tables.n_passes, tables.tests, tables.following, waiting)
        nodes[rows] = on
        return rows[waiting[:n_waiting]]
