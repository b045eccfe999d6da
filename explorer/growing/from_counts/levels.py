"""Growing from counts, level by level: stop, fetch or count the nodes of a level, split them, and go on below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Floats
from explorer.growing.engine.node_tables import IMPURITY, STATS, STOP, WEIGHT, NodeList, Tables
from explorer.growing.engine.upper_tree import Progress
from explorer.growing.from_counts.counted_node import CountedNode, OpenNode
from explorer.growing.from_counts.fetch import grow_fetched
from explorer.growing.from_counts.node_tests import ancestors_of, branches_of, node_test
from explorer.growing.from_counts.search import LevelSearch, batches
from explorer.growing.from_counts.siblings import Family, SiblingCounts
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.recipe.class_weights import as_row_weights
from explorer.recipe.columns import THRESHOLD, USED_UP, empty_columns
from explorer.recipe.feature_constraints import Bounds, not_beside, value_of
from explorer.recipe.parameters import SPLIT, node_impurity, node_weight, stop_before_search
from explorer.sources.counting import NodeTarget
from explorer.sources.level_report import LevelReport
from explorer.sources.query_steps import stoppable
from explorer.sources.routing import NodeTest, Routing

FETCHED_AT_ONCE = 2_000_000
"""Rows that are in memory at once, at most."""
NODES_AT_ONCE = 500
"""Small nodes that are fetched by one query, at most."""


@dataclass(eq=False)
class LevelTree:
    """The table of nodes while it is being filled from counts."""

    table: TrainingTable
    keep: bool
    progress: Progress | None
    parents: list[int] = field(default_factory=list)
    tests: dict[int, NodeTest] = field(default_factory=dict)
    branches: list[Tables] = field(default_factory=list)
    reports: list[LevelReport] = field(default_factory=list)
    waiting: list[OpenNode] = field(default_factory=list)
    """Small nodes that wait until enough of them can be fetched by one query."""
    done: int = 0
    fits_at_once: bool = True
    """Whether the count tables of the level were small enough to be kept for the next one."""

    def __post_init__(self) -> None:
        self.siblings = SiblingCounts(self.table)
        self.nodes = NodeList(self.table.parameters, len(self.table.columns), self.keep)

    def grow(self) -> list[Tables]:
        """The tables of nodes: the upper tree, and the subtrees that were grown in memory."""
        with stoppable(self._tell):
            self._grow_levels()
        return [self.nodes.tables(), *self.branches]

    def _grow_levels(self) -> None:
        table = self.table
        root = OpenNode(0, (), table.stats_of(table.root), table.root.n_rows, empty_columns(table.columns), Bounds())
        self._write(-1, root.stats)
        level = self._still_open([root], {0: table.root})
        while level:
            self.reports.append(LevelReport(level[0].depth))
            small = [node for node in level if node.n_rows <= table.source.tuning.rows_in_memory]
            self.waiting += small
            self._fetch(FETCHED_AT_ONCE // 2)
            level = self._split_level([node for node in level if node not in small])
            if level:
                self._finish_level()
        self._fetch(0)
        self._finish_level()

    def _finish_level(self) -> None:
        """Report that the level is done; small nodes that still wait count with a later one."""
        for report in self.reports[-1:]:
            report.is_done = True
        self._tell()

    def _tell(self) -> None:
        """Report how many rows are done; the caller may raise `Stopped`."""
        if self.progress is not None:
            self.progress(min(self.done, self.table.root.n_rows), self.table.root.n_rows)
        watch = self.table.source.watch
        if watch is not None and self.reports:
            watch(replace(self.reports[-1]))

    def _write(self, parent: int, stats: Floats) -> int:
        """Add a node to the table; returns its id."""
        self.parents.append(parent)
        has_rows = node_weight(self.table.parameters, stats) > 0
        return self.nodes.add(stats if has_rows else np.zeros(len(stats)))

    def _still_open(self, nodes: Sequence[OpenNode], targets: dict[int, NodeTarget]) -> list[OpenNode]:
        """The nodes that no rule stops before the search; the others are leaves."""
        parameters, still_open = self.table.parameters, []
        for node in nodes:
            n_left = len(self.table.columns) - len(node.excluded)
            is_pure = self._is_pure(node, targets)
            reason = int(stop_before_search(parameters, node.stats, is_pure, node.depth, n_left))
            self.nodes.ints[node.node][STOP] = reason
            if reason == SPLIT:
                still_open.append(node)
            else:
                self.done += node.n_rows
        return still_open

    def _is_pure(self, node: OpenNode, targets: dict[int, NodeTarget]) -> bool:
        """Whether all rows of a node agree in the target."""
        if self.table.parameters.regression:
            return targets[node.node].low == targets[node.node].high
        return int((node.stats > 0).sum()) <= 1

    def _routing(self, nodes: Sequence[int]) -> Routing:
        """The tests that lead to these nodes."""
        above = ancestors_of(nodes, self.parents)
        return replace(self.table.routing, tests=tuple(self.tests[node] for node in above))

    def _fetch(self, limit: int) -> None:
        """Grow the small nodes that wait in memory, where they have more rows than the limit."""
        if sum(node.n_rows for node in self.waiting) <= limit and len(self.waiting) <= NODES_AT_ONCE * bool(limit):
            return
        for part in parts_of(self.waiting):
            self._tell()
            ids = [node.node for node in part]
            blocks = self.table.source.engine.rows(self._routing(ids), ids)
            for node in part:
                self.branches.append(grow_fetched(self.table, node, blocks.pop(node.node), self.keep))
                self.done += node.n_rows
                self._tell()
            self.reports[-1].fetched += len(part)
        self.waiting = []

    def _split_level(self, nodes: Sequence[OpenNode]) -> list[OpenNode]:
        """Search the nodes of a level by counting, split those that have a split, and return those below."""
        below, parts, report = list[OpenNode](), batches(self.table, nodes), self.reports[-1]
        self.siblings.begin_level(self.fits_at_once)
        self.fits_at_once = len(parts) <= 1
        for part in parts:
            ids = [node.node for node in part]
            routing = self._routing(ids)
            report.nodes += len(part)
            self._tell()
            count = partial(self.siblings.count, routing, families=self._families(ids))
            search = LevelSearch(self.table, routing, self.keep, report, self._tell, count)
            for counted in search.run(part):
                below += self._decide(counted)
        if not below:
            return []
        targets = dict[int, NodeTarget]()
        if self.table.parameters.regression or self.table.source.layout.has_weights:
            ids = [node.node for node in below]
            targets = self.table.source.engine.targets(self._routing(ids), ids)
            below = [self._with_target(node, targets[node.node]) for node in below]
        return self._still_open(below, targets)

    def _families(self, nodes: Sequence[int]) -> list[Family]:
        """The parents of some nodes, each with its children that have rows."""
        parents = dict.fromkeys(self.parents[node] for node in nodes if node)
        return [(parent, self._weights_below(parent)) for parent in parents]

    def _weights_below(self, node: int) -> dict[int, float]:
        """The weights of a node's children that have rows."""
        weights = {child: self.nodes.floats[child][WEIGHT] for child in self.tests[node].children}
        return {child: weight for child, weight in weights.items() if weight > 0}

    def _with_target(self, node: OpenNode, target: NodeTarget) -> OpenNode:
        """A node with its exact statistics and number of rows, as the engine has them."""
        stats = self.table.stats_of(target) if self.table.parameters.regression else node.stats
        floats = self.nodes.floats[node.node]
        floats[WEIGHT] = float(node_weight(self.table.parameters, stats))
        floats[IMPURITY] = float(node_impurity(self.table.parameters, stats))
        floats[STATS:] = stats.tolist()
        return replace(node, stats=stats, n_rows=target.n_rows)

    def _decide(self, counted: CountedNode) -> list[OpenNode]:
        """Let the features of a node compete, and split it by the winner; returns its branches that have rows."""
        competition, columns = counted.compete()
        node = counted.open
        self.nodes.record_evidence(node.node, competition.features, columns, competition.is_drawn)
        self.nodes.ints[node.node][STOP] = competition.reason
        if competition.reason != SPLIT:
            self.done += node.n_rows
            return []
        return self._split(node, columns[competition.winner], competition.features[competition.winner])

    def _split(self, node: OpenNode, column: int, candidates: FeatureCandidates) -> list[OpenNode]:
        """Write a node's test and its branches."""
        branches = branches_of(candidates)
        is_threshold = candidates.column.test == THRESHOLD
        self.nodes.split(
            node.node, column, len(branches.stats), (branches.missing, branches.missing_weight),
            branches.threshold if is_threshold else None, branches.of_code,
        )  # fmt: skip
        children = [self._write(node.node, stats) for stats in branches.stats]
        self.tests[node.node] = node_test(node.node, self.table, column, branches, children)
        bounds = self._bounds_below(node, candidates.column.monotone, branches.stats)
        used = {column} if candidates.column.encoding.test in USED_UP else set()
        tested = (*node.tested, column)
        excluded = node.excluded | used | not_beside([each.sets for each in self.table.columns], tested).keys()
        return [
            OpenNode(child, (*node.path, branch), stats, self._n_rows(stats), excluded, bounds[branch], tested)
            for branch, (child, stats) in enumerate(zip(children, branches.stats, strict=True))
            if node_weight(self.table.parameters, stats) > 0
        ]

    def _n_rows(self, stats: Floats) -> int:
        """How many rows a node has, where no row has a weight of its own."""
        if self.table.parameters.regression:
            return round(float(stats[0]))
        factors = self.table.factors if self.table.factors.size else None
        return round(float(as_row_weights(stats[None], factors).sum()))

    def _bounds_below(self, node: OpenNode, sign: int, stats: Sequence[Floats]) -> list[Bounds]:
        """The bounds of every branch, by monotone constraints."""
        if sign == 0:
            return [node.bounds] * len(stats)
        first, second = (float(value_of(self.table.parameters, numbers)) for numbers in stats)
        return [node.bounds.below(sign, branch, first, second) for branch in range(2)]


def parts_of(nodes: Sequence[OpenNode]) -> list[list[OpenNode]]:
    """Nodes in groups of bounded numbers of rows and nodes."""
    parts, rows = list[list[OpenNode]]([[]]), 0
    for node in nodes:
        if parts[-1] and (rows + node.n_rows > FETCHED_AT_ONCE or len(parts[-1]) >= NODES_AT_ONCE):
            parts.append([])
            rows = 0
        parts[-1].append(node)
        rows += node.n_rows
    return [part for part in parts if part]
