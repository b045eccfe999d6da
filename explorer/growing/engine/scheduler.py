"""Grow a tree from sorted keys: large nodes feature by feature with every thread, what lies below them by one each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.quantile_loss import has_quantiles
from explorer.compiling import ENGINE_BY_ALL_THREADS
from explorer.growing.engine.best_split import CONSTANT, CONSUMED, LIVE, draw_features, draws, select_feature
from explorer.growing.engine.fractional_rows import (
    CopyCount,
    compacted,
    copies_for,
    extended,
    has_fractional_rows,
    partition_fractional_column,
    plan_copies,
)
from explorer.growing.engine.node_tables import (
    CHILDREN,
    CUT,
    FEATURE,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    N_INTS,
    PARENT,
    STATS,
    SurrogateTables,
    Tables,
)
from explorer.growing.engine.nodes import exclude_features, find_bounds, put_bounds, write_children, write_node
from explorer.growing.engine.p_values import select_by_p_value
from explorer.growing.engine.partition import NodeSplit, partition_column, split_for
from explorer.growing.engine.subtree import (
    CARRY_OUT,
    CELLS_OF_A_NODE,
    GROW,
    SEARCH,
    TOO_LARGE,
    SubtreeJob,
    grow_subtree,
)
from explorer.growing.engine.upper_tree import UNLIMITED, OpenNode, Progress, UpperTree, job_limit
from explorer.growing.scans.branch_gains import node_statistics
from explorer.growing.scans.buffers import GAIN, SPLIT_INFO, Buffers, buffers_for
from explorer.growing.scans.problem import (
    ROW_MASK,
    ROWS_TO_SORT_IN_THREADS,
    Problem,
    Segment,
    code_of,
    order_of_target,
)
from explorer.growing.scans.ranked_rows import put_quantile, rank_rows
from explorer.memory import available_bytes
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.feature_draw import ROOT_PATH
from explorer.recipe.parameters import SPLIT, GrowParameters, node_impurity, node_weight, stop_before_search
from explorer.recipe.split_score import BY_P_VALUE, has_own_gain
from explorer.threads import shared_pool

MANY_NODES, BYTES_OF_A_NODE = 1_000_000, 400
"""So many nodes are a matter of memory; and what a node takes at the peak, until the tree is there."""
NO_COPIES, GOES_ON = copies_for(0, 0), np.zeros(1, dtype=np.uint8)


def most_nodes_for(problem: Problem, wanted: int | None = None) -> int:
    """How many nodes a tree may have: as many as wanted, else as half the memory that is free has room for.

    Only a branch for each of many values makes much more nodes than there are rows: nothing else is bounded.
    """
    most_values = int(problem.n_values[problem.tests == EACH_VALUE].max(initial=0))
    if wanted is not None and most_values:
        return wanted
    if problem.keys.shape[1] * most_values < MANY_NODES:
        return UNLIMITED
    return min(available_bytes() // (2 * BYTES_OF_A_NODE), UNLIMITED)


class PartitionPlan(NamedTuple):
    """How the rows of a node go to its branches: `columns` moves the given ones, to `start` in `problem`."""

    problem: Problem
    start: int
    columns: Callable[[list[int]], object]


class KeysTree(UpperTree):
    """The upper part of the tree of a table of sorted keys."""

    def __init__(
        self,
        problem: Problem,
        parameters: GrowParameters,
        keep: bool,
        empty: Collection[int] = (),
        path: int = ROOT_PATH,
        most_nodes: int = UNLIMITED,
    ) -> None:
        """Start with the root alone; `empty` are the features without any value."""
        super().__init__(problem.keys.shape[1], most_nodes)
        parameters = parameters._replace(base=parameters.base - problem.centre)
        self.has_fractional_rows = has_fractional_rows(problem, parameters.missing)
        if self.has_fractional_rows and not problem.weights.size:
            problem = problem._replace(weights=np.ones(problem.keys.shape[1]))
        if has_quantiles(parameters):
            problem = problem._replace(by_target=order_of_target(problem))
        self.problem, self.parameters, self.keep = problem, parameters, keep
        self.n_features = len(problem.keys)
        self.is_drawing = draws(parameters, self.n_features)
        self.buffers, self.split = buffers_for(problem, parameters), split_for(problem)
        self.draw = self.buffers.draw
        self.nodes = Tables(
            0,
            np.zeros((1, N_INTS), np.int32),
            np.zeros((1, STATS + parameters.n_stats)),
            np.zeros((0, 3), np.int32),
            np.full((int(keep), self.n_features, 3), np.nan),
        )
        stats = np.zeros(parameters.n_stats)
        rows = Segment(problem.keys[0], problem.classes, problem.numbers, problem.weights, 0, self.n_rows)
        is_pure = node_statistics(parameters, rows, stats)
        if has_quantiles(parameters):
            put_quantile(problem, parameters, 0, self.n_rows, stats)
        reason = stop_before_search(parameters, stats, is_pure, 0, self.n_features - len(empty))
        write_node(parameters, self.nodes, 0, -1, 0, reason, stats)
        states = np.full(self.n_features, LIVE, np.uint8)
        states[list(empty)] = CONSUMED  # they do not count as features that are left
        root = OpenNode(problem, 0, 0, self.n_rows, 0, stats, states, len(empty), path)
        self.waiting = [root] if reason == SPLIT else []

    def new_work(self) -> tuple[Buffers, NDArray[np.int64]]:
        """Buffers, and room for all keys of a column."""
        return buffers_for(self.problem, self.parameters), np.empty(self.n_rows, np.int64)

    def stats_of(self, node: int) -> NDArray[np.float64]:
        """The statistics of a node."""
        return self.nodes.floats[node, STATS:].copy()

    def job(self, node: OpenNode) -> SubtreeJob:
        """What the loops have to know of a node."""
        most = self.count.most
        return SubtreeJob(node.start, node.end, node.depth, node.stats, node.features, node.consumed, node.path, most)

    def search(self, node: OpenNode) -> tuple[int, int, None]:
        """The winning feature and SPLIT, or −1 and the reason; every live feature is one task of the pool."""
        results, problem, stats, states = self.buffers.results, node.table, node.stats, node.features
        results[:, GAIN], results[:, SPLIT_INFO] = np.nan, 0.0
        self.nodes.evidence[node.node : node.node + 1, :, 1] = 0.0
        live = []
        for feature in range(self.n_features):
            keys = problem.keys[feature]
            if states[feature] == LIVE and code_of(keys[node.start]) == code_of(keys[node.end - 1]):
                states[feature] = CONSTANT
            if states[feature] == LIVE:
                live.append(feature)
        if self.is_drawing:
            draw_features(problem, self.parameters, node.path, node.start, node.end, states, self.draw)
            live = [feature for feature in live if self.draw.is_drawn[feature]]

        if self.parameters.monotone:
            put_bounds(problem, self.parameters, self.nodes, node.node, stats, self.buffers.bounds)

        if has_quantiles(self.parameters):
            rank_rows(problem, node.start, node.end)
        job, residual = self.job(node), self._residual(node, live)

        def search_one(feature: int) -> None:
            with self.work() as (own, _):
                own.bounds[:], own.residual[0] = self.buffers.bounds, residual
                buffers = own._replace(draw=self.draw._replace(keys=own.draw.keys))
                search = (self.split, NO_COPIES, SEARCH, feature, self.keep, GOES_ON)
                evidence = grow_subtree(problem, self.parameters, job, buffers, *search)[3]
                results[feature] = own.results[feature]
                self.nodes.evidence[node.node : node.node + 1, feature] = evidence[:, feature]

        list(self._map_for(node)(search_one, live))
        if self.parameters.score == BY_P_VALUE:
            return *select_by_p_value(problem, self.parameters, node.start, node.end, stats, self.buffers), None
        weight, impurity = node_weight(self.parameters, stats), node_impurity(self.parameters, stats)
        total, costs, many = self.problem.total_weight, self.problem.costs, self.problem.many_values
        scores = self.buffers.scores
        return *select_feature(self.parameters, weight, impurity, total, costs, many, results, scores), None

    def _residual(self, node: OpenNode, live: list[int]) -> float:
        """What rounding leaves of the sum of deviations, in the order of the column that `search_features` takes it of.

        nan where there every column takes its own.
        """
        problem, parameters = node.table, self.parameters
        if problem.numbers.size and not (
            problem.weights.size
            or parameters.penalty
            or parameters.monotone
            or parameters.random_thresholds
            or has_own_gain(parameters)
        ):
            for feature in live:
                if problem.tests[feature] == THRESHOLD and not problem.has_missing[feature]:
                    rows = problem.keys[feature, node.start : node.end] & ROW_MASK
                    deviations = problem.numbers[rows] - node.stats[1]
                    return float(np.cumsum(deviations)[-1])  # one after the other, as loops add
        return np.nan

    def divide(self, node: OpenNode, winner: int, n_branches: int, first_child: int, found: None) -> list[OpenNode]:
        """Write the children of a node and divide its rows; returns the children that may be split."""
        node_split = NodeSplit(node.node, node.start, node.end, winner, n_branches)
        consumed, states = node.consumed, node.features.copy()
        if node.table.interactions.size:
            consumed += exclude_features(node.table, self.nodes.ints, node.node, winner, states)
        if node.table.tests[winner] == EACH_VALUE:
            states[winner], consumed = CONSUMED, consumed + 1
        plan = self._plan_with_copies(node, node_split) if self.has_fractional_rows else self._plan(node, node_split)
        plan.columns([winner])
        if has_quantiles(self.parameters):
            with self.work() as (_, buffer):
                rows = (self.problem.by_target.keys, self.problem.branch, node.start, node.end)
                partition_column(*rows, n_branches, self.split.branch_rows, buffer)
        ends = np.zeros((n_branches, 2), np.int64)
        write_children(
            plan.problem, self.parameters, node_split, plan.start, self.split.branch_rows, self.n_features - consumed,
            self.nodes, first_child, ends, np.zeros(self.parameters.n_stats),
        )  # fmt: skip
        below = self.open_below(node._replace(table=plan.problem), first_child, ends, states, consumed)
        if below:
            plan.columns([f for f in range(self.n_features) if states[f] == LIVE and f != winner])
        return below

    def carry_out(self, node: OpenNode, winner: int, found: None) -> int:
        """Write down a node's test and give every row its branch; returns how many branches there are."""
        how = (self.split, NO_COPIES, CARRY_OUT, winner, False, GOES_ON)
        ints, floats, pairs, _, *surrogates = grow_subtree(
            self._with_path(node), self.parameters, self.job(node), self.buffers, *how
        )
        for columns, table, new in (
            ([FEATURE, MISSING_BRANCH, CHILDREN], self.nodes.ints, ints),
            ([CUT, MISSING_WEIGHT], self.nodes.floats, floats),
        ):
            table[node.node, columns] = new[0, columns]
        pairs[:, 0], surrogates[0][:, 0] = node.node, node.node
        joined: Any = zip(self.nodes.surrogates, surrogates, strict=True)
        self.nodes = self.nodes._replace(
            pairs=np.concatenate([self.nodes.pairs, pairs]), surrogates=SurrogateTables(*map(np.concatenate, joined))
        )
        return int(ints[0, CHILDREN])

    def _with_path(self, node: OpenNode) -> Problem:
        """A node's problem with the sets of interactions that hold all features tested above it."""
        sets, above = node.table.interactions, int(self.nodes.ints[node.node, PARENT])
        while sets.size and above >= 0:
            sets = sets[sets[:, self.nodes.ints[above, FEATURE]]]
            above = int(self.nodes.ints[above, PARENT])
        return node.table._replace(interactions=sets)

    def _plan_with_copies(self, node: OpenNode, node_split: NodeSplit) -> PartitionPlan:
        """How columns are copied into a new problem, the rows without a value into every branch."""
        old = node.table
        copies = copies_for(len(old.weights), node_split.n_branches)
        n_missing, n_filled, n_keys = plan_copies(old, node_split, copies, self.split.branch_rows)
        count = CopyCount(n_missing, len(old.weights))
        self.count.check(n_keys * self.n_features // CELLS_OF_A_NODE)
        new = extended(old, node_split, copies, count, n_filled, n_keys)

        def copy_one(feature: int) -> None:
            own = copies._replace(places=np.zeros_like(copies.places))
            partition_fractional_column(old.keys[feature], new.branch, node_split, own, count, new.keys[feature])

        return PartitionPlan(new, 0, lambda features: list(self._map_for(node)(copy_one, features)))

    def _plan(self, node: OpenNode, node_split: NodeSplit) -> PartitionPlan:
        """How columns are reordered in place."""
        keys, branch_of, branch_rows = self.problem.keys, self.problem.branch, self.split.branch_rows

        def partition_one(feature: int) -> None:
            with self.work() as (_, buffer):
                partition_column(
                    keys[feature], branch_of, node.start, node.end, node_split.n_branches, branch_rows, buffer
                )

        return PartitionPlan(
            self.problem, node.start, lambda features: list(self._map_for(node)(partition_one, features))
        )

    def _map_for(self, node: OpenNode) -> Callable[..., Iterable[None]]:
        """How to call a function for several features: with all threads where the node is worth it."""
        return shared_pool().map if node.n_rows > ROWS_TO_SORT_IN_THREADS else map

    def grow_job(self, node: OpenNode, halt: NDArray[np.uint8]) -> Tables:
        """Grow below a node, with working memory of its own."""
        problem, parameters = self._with_path(node), self.parameters
        if parameters.monotone:
            problem = problem._replace(bounds=np.zeros(2))
            find_bounds(node.table, parameters, self.nodes, node.node, problem.bounds)
        buffers, split = buffers_for(problem, parameters), split_for(problem)
        copies = NO_COPIES
        if self.has_fractional_rows:
            problem = compacted(problem, node.start, node.end, node.features)
            node = node._replace(start=0, end=node.n_rows)
            copies = copies_for(node.n_rows, len(split.branch_rows))
        how = (GROW, -1, self.keep, halt)
        tables = grow_subtree(problem, parameters, self.job(node), buffers, split, copies, *how)
        ints, floats, pairs, evidence, *surrogates = tables
        self.count.add(self.count.most + 1 if halt[0] == TOO_LARGE else len(ints) - 1)
        return Tables(node.node, ints, floats, pairs, evidence, SurrogateTables(*surrogates))


def grow_tables(
    problem: Problem,
    parameters: GrowParameters,
    keep: bool,
    progress: Progress | None,
    empty: Collection[int] = (),
    path: int = ROOT_PATH,
    limit: int | None = None,
    most_nodes: int | None = None,
    halt: NDArray[np.uint8] | None = None,
) -> list[Tables]:
    """Tables of nodes, the first with the root, each other one to be joined at its node `at` in the first.

    `empty` are the positions of the features without any value, `path` the hash of the root's path. Nodes of up to
    `limit` rows are grown by one thread each, if not given of as many as the threads are best used with. Raises
    TreeTooLargeError above `most_nodes`, if not given above what the memory has room for. With `halt` [1], which ends
    the work early, the calling thread alone grows all.
    """
    n, most = problem.keys.shape[1], most_nodes_for(problem, most_nodes)
    if limit is None:
        limit = job_limit(n, ENGINE_BY_ALL_THREADS) if halt is None else n
    return KeysTree(problem, parameters, keep, empty, path, most).grow(limit, progress, halt)
