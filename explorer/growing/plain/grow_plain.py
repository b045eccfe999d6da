"""Grow a plain table with every thread: large nodes feature by feature, what lies below them subtree by subtree."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.compiling import PLAIN_BY_ALL_THREADS
from explorer.data.dataset import Dataset
from explorer.growing.engine.best_split import draws, select_feature
from explorer.growing.engine.node_tables import (
    CHILDREN,
    FEATURE,
    FIRST_CHILD,
    HIGH,
    LOW,
    MISSING_BRANCH,
    STOP,
    Tables,
    TreeArrays,
    with_rows,
)
from explorer.growing.engine.scheduler import Progress, grow_jobs, job_limit
from explorer.growing.plain.drawing import SMALL_ROWS
from explorer.growing.plain.node_arrays import node_arrays
from explorer.growing.plain.partition import assign_branches, partition_sorted
from explorer.growing.plain.search import Work, search_node, work_for
from explorer.growing.plain.subtree import (
    PlainJob,
    SplitPlan,
    grow_plain_subtree,
    nodes_below,
    nodes_for,
    plan_for,
    read_statistics,
    write_children,
    write_evidence,
    write_root,
)
from explorer.growing.plain.table import NodeRows, PlainTable, plain_table, small_table
from explorer.growing.scans.buffers import FIRST, SECOND
from explorer.growing.scans.keys import ROW_MASK, STARTS_VALUE
from explorer.growing.scans.problem import ROWS_TO_SORT_IN_THREADS
from explorer.recipe.columns import EACH_VALUE, SUBSET, THRESHOLD, TrainingColumn
from explorer.recipe.feature_draw import ROOT_PATH
from explorer.recipe.missing import DROP, FRACTIONAL, MOST_COMMON, SAME_CLASS, SURROGATE
from explorer.recipe.parameters import SPLIT, GrowParameters, node_impurity
from explorer.recipe.split_score import BY_DECREASE, BY_GAIN, BY_GAIN_RATIO
from explorer.threads import by_all_threads, shared_pool, thread_count

MOST_CLASSES = 256
DIVIDED_PER_SEARCHED = 3
"""Cells that are divided in the time in which one is searched."""
LARGEST = 1e60
"""Up to this size, products of numbers of a target do not overflow."""


def is_plain(data: Dataset, columns: list[TrainingColumn], parameters: GrowParameters) -> bool:
    """Whether `grow_plain` grows this table: complete, rows of weight 1, nothing drawn and no constraints."""
    if data.weights is not None or draws(parameters, len(columns)):
        return False
    return has_plain_recipe(columns, parameters) and has_plain_rows(data, columns)


def has_plain_recipe(columns: list[TrainingColumn], parameters: GrowParameters) -> bool:
    """Whether these loops can grow by this recipe.

    Subsets of categories are left to the loops for all where these search all groupings: of more than two classes, and
    with a minimum of rows in a leaf.
    """
    if parameters.row_factor.size or parameters.monotone or parameters.n_stats > MOST_CLASSES:
        return False
    if parameters.score not in (BY_GAIN, BY_GAIN_RATIO, BY_DECREASE):
        return False
    if parameters.missing not in (DROP, MOST_COMMON, SAME_CLASS, FRACTIONAL, SURROGATE):
        return False
    if parameters.random_thresholds and (parameters.regression or parameters.penalty):
        return False
    return all(_has_plain_test(column, parameters) for column in columns)


def has_plain_rows(data: Dataset, columns: list[TrainingColumn]) -> bool:
    """Whether no value is missing, and products of a numeric target do not overflow."""
    if not data.n_rows or (data.is_regression and not can_be_multiplied(data.y)):
        return False
    return _is_complete(data) or all(int(column.codes.max()) < column.missing_code for column in columns)


def _is_complete(data: Dataset) -> bool:
    """Whether every row has a value of every feature, used or not."""
    return bool((data.codes.max(axis=1) < [feature.n_values for feature in data.features]).all())


def can_be_multiplied(y: NDArray[Any]) -> bool:
    """Whether products of these numbers do not overflow."""
    return bool(np.abs(y).max() < LARGEST)


def _has_plain_test(column: TrainingColumn, parameters: GrowParameters) -> bool:
    if column.test == THRESHOLD:
        return True
    if column.test == EACH_VALUE:
        return not parameters.regression and column.n_values <= 256
    is_quick = parameters.regression or parameters.n_stats == 2
    return column.test == SUBSET and is_quick and parameters.min_leaf <= 1.0


def grow_plain(
    data: Dataset,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
    progress: Progress | None,
    keep: bool,
    limit: int | None = None,
) -> TreeArrays:
    """The arrays of the tree, with entropies in bits; those of `explorer.growing.engine`, to the last digit.

    Nodes of up to `limit` rows are grown by one thread each, if not given of as many as the threads are best used with.
    """
    if limit is None:
        limit = job_limit(data.n_rows, PLAIN_BY_ALL_THREADS)
    jobs, place = _grow_nodes(plain_table(data, columns, parameters), parameters, data.n_rows, progress, keep, limit)
    return node_arrays(jobs, place, columns, parameters)


def grow_table(
    table: PlainTable,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
    n_rows: int,
    progress: Progress | None,
    halt: NDArray[np.uint8] | None = None,
) -> TreeArrays:
    """As `grow_plain`, from a table that is sorted; by one thread where rows have weights, nodes draw, or with `halt`.

    `halt` [1] ends the work early.
    """
    is_alone = halt is not None or table.weights is not None or draws(parameters, len(columns))
    limit = n_rows if is_alone else job_limit(n_rows, PLAIN_BY_ALL_THREADS)
    jobs, place = _grow_nodes(table, parameters, n_rows, progress, False, limit, halt)
    return node_arrays(jobs, place, columns, parameters)


def _grow_nodes(
    table: PlainTable,
    parameters: GrowParameters,
    n: int,
    progress: Progress | None,
    keep: bool,
    limit: int,
    halt: NDArray[np.uint8] | None = None,
) -> tuple[list[Tables], NDArray[np.int64]]:
    """All nodes, to be joined, and where each column is; the table is given back."""
    upper = _UpperNodes(table, parameters, n, keep)
    small = upper.split_large_nodes(limit, progress)
    jobs = [
        PlainJob(
            rows=NodeRows(node.start, node.end, table.orders.shape[1] > 0, ROOT_PATH), stats=node.stats,
            depth=node.depth, live=node.live, n_consumed=node.n_consumed,
            nodes=nodes_below(node.n_rows, len(table.tests), parameters, keep),
        )
        for node in small
    ]  # fmt: skip
    if halt is not None:
        grown = [_grow_job(upper, job, keep, halt) for job in jobs]
    else:
        grown = grow_jobs(shared_pool(), lambda job, halt: _grow_job(upper, job, keep, halt), jobs, n, progress)
    has_codes = table.ranks.size > 0  # of the values beside thresholds, not rows
    place = np.full_like(table.place, -1) if has_codes else table.place
    tables = [nodes._replace(at=node.node) for nodes, node in zip(grown, small, strict=True)]
    return [upper.nodes, *tables], place


def _grow_job(upper: _UpperNodes, job: PlainJob, keep: bool, halt: NDArray[np.uint8]) -> Tables:
    """Grow below a node, with working memory of its own."""
    table, parameters = upper.table, upper.parameters
    small = small_table(table, min(SMALL_ROWS, job.n_rows) if draws(parameters, len(table.tests)) else 0)
    ints, floats, pairs, evidence, counts, cuts = grow_plain_subtree(table, small, parameters, job, keep, halt)
    return Tables(0, ints, floats, pairs, evidence, counts=counts, cuts=cuts)


class _OpenNode(NamedTuple):
    """A node still to be split: its rows [start, end), statistics, depth, live features and how many are used up."""

    node: int
    start: int
    end: int
    stats: NDArray[np.float64]
    depth: int
    live: NDArray[np.int64]
    n_consumed: int

    @property
    def n_rows(self) -> int:
        """Rows in the segment."""
        return self.end - self.start

    @property
    def rows(self) -> NodeRows:
        """The segment; here nothing is drawn, so that all columns are in order, and no path is needed."""
        return NodeRows(self.start, self.end, True, ROOT_PATH)


class _UpperNodes:
    """The upper part of the tree, whose nodes are split one at a time with all threads on the features."""

    def __init__(self, table: PlainTable, parameters: GrowParameters, n: int, keep: bool) -> None:
        """Start with the root alone, of `n` rows."""
        self.table, self.parameters, self.keep, self.works = table, parameters, keep, SimpleQueue[Work]()
        self.n, n_features = n, len(table.tests)
        self.nodes = nodes_for(1, n_features, parameters, keep)
        stats = np.zeros(parameters.n_stats)
        reason = write_root(table, parameters, n, self.nodes, stats)
        root = _OpenNode(0, 0, n, stats, 0, np.arange(n_features), 0)
        self.waiting = [root] if reason == SPLIT else []

    @cached_property
    def plan(self) -> SplitPlan:
        """Room for a split, where there is a node to split here."""
        return plan_for(self.table, self.parameters)

    def take_work(self) -> Work:
        """Working memory that no thread uses; it is put back into `works`."""
        if not self.works.empty():
            with suppress(Empty):  # another thread was quicker
                return self.works.get_nowait()
        return work_for(self.table, self.parameters)

    def split_large_nodes(self, limit: int, progress: Progress | None) -> list[_OpenNode]:
        """Split every node above `limit` rows; return the rest, largest first."""
        small: list[_OpenNode] = []
        while self.waiting:
            if progress is not None:
                progress(0, self.n)
            node = self.waiting.pop()
            if node.n_rows <= limit:
                small.append(node)
            else:
                self._split(node)
        return sorted(small, key=lambda node: -node.n_rows)

    def _search(self, node: _OpenNode) -> tuple[int, int, Work]:
        """The winner among the live features and SPLIT, or −1 and the reason.

        The sorted features and the counted ones are divided among the threads; in a large node, and where sums depend
        on the order of a column, every sorted one is searched by itself. The working memory has what was found, a row
        of results for every feature that is still live.
        """
        table, parameters, residual = self.table, self.parameters, self._residual(node)

        def search_some(features: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
            work = self.take_work()
            try:
                work.live[: len(features)] = features
                _, _, n_kept = search_node(table, parameters, node.rows, node.stats, len(features), residual, work)
                return work.live[:n_kept].copy(), work.results[:n_kept].copy()
            finally:
                self.works.put(work)

        is_sorted = table.place[node.live] >= 0
        in_order, counted = node.live[is_sorted], node.live[~is_sorted]
        is_each_alone = parameters.regression or node.n_rows > ROWS_TO_SORT_IN_THREADS
        parts = [
            *np.array_split(in_order, max(len(in_order), 1) if is_each_alone else thread_count()),
            *np.array_split(counted, thread_count() if node.n_rows > ROWS_TO_SORT_IN_THREADS else 1),
        ]
        parts = [features for features in parts if len(features)] or parts[:1]
        searched = by_all_threads(search_some, parts, node.n_rows * len(node.live) // len(parts))
        kept, results = map(np.concatenate, zip(*searched, strict=True))
        found = self.take_work()
        self.works.put(found)  # nobody else works until the node is split
        order = np.argsort(kept)
        live = kept[order]
        found.results[: len(live)], found.live[: len(live)] = results[order], live
        impurity, n_live = node_impurity(parameters, node.stats), len(live)
        winner, reason = select_feature(
            parameters, float(node.n_rows), impurity, table.total_weight, found.costs[:n_live],
            table.many_values[live], found.results[:n_live], found.scores[:n_live],
        )  # fmt: skip
        return winner, reason, found._replace(live=live)

    def _residual(self, node: _OpenNode) -> float:
        """What rounding leaves of the sum of deviations, in the order of the first numeric column that has two values.

        nan where every column takes that of its own order.
        """
        table, segment = self.table, slice(node.start, node.end)
        if self.parameters.regression and not self.parameters.penalty:
            for feature in node.live[table.tests[node.live] == THRESHOLD].tolist():
                keys = table.orders[table.place[feature], segment]
                if (keys[1:] >= STARTS_VALUE).any():
                    deviations = table.numbers[keys & ROW_MASK] - node.stats[1]
                    return float(np.cumsum(deviations)[-1])  # one after the other, as loops add
        return np.nan

    def _split(self, node: _OpenNode) -> None:
        """Split one node as `grow_plain_subtree` does; its children that may be split wait."""
        table, parameters, plan = self.table, self.parameters, self.plan
        winner, reason, work = self._search(node)
        live = work.live
        if self.keep:
            write_evidence(work, len(live), self.nodes.evidence[node.node])
        self.nodes.ints[node.node, STOP] = reason
        if reason != SPLIT:
            return
        feature, result = int(live[winner]), work.results[winner]
        plan.node_counts[:] = 0 if parameters.regression else node.stats
        n_branches, n_pairs, missing_branch = assign_branches(
            table, parameters, feature, node.rows, node.stats, work, result, plan
        )
        if table.tests[feature] != THRESHOLD:  # a threshold divides the order of its own column already
            self._partition(node, [feature], n_branches)
        n_consumed = node.n_consumed
        if table.tests[feature] == EACH_VALUE:
            live, n_consumed = live[live != feature], n_consumed + 1
        first_child = len(self.nodes.ints)
        ints = self.nodes.ints[node.node]
        ints[FEATURE], ints[FIRST_CHILD], ints[CHILDREN] = feature, first_child, n_branches
        ints[MISSING_BRANCH] = missing_branch
        if table.tests[feature] == THRESHOLD:
            ints[LOW], ints[HIGH] = result[FIRST], result[SECOND]
        new = np.stack([np.full(n_pairs, node.node), plan.pair_codes[:n_pairs], plan.pair_branches[:n_pairs]], axis=1)
        self.nodes = with_rows(self.nodes, n_branches)
        self.nodes = self.nodes._replace(pairs=np.concatenate([self.nodes.pairs, new.astype(np.int32)]))
        stats = np.zeros(parameters.n_stats)
        split = (node.start, first_child, n_branches, node.depth + 1, len(table.tests) - n_consumed)
        keys = table.orders[table.place[feature]] if table.place[feature] >= 0 else work.keys
        n_splittable, _ = write_children(table, parameters, split, plan, self.nodes, keys, node.start, stats)
        if n_splittable:
            self._partition(node, [f for f in live.tolist() if f != feature], n_branches)
            if table.rows.size:
                self._partition_one(table.rows, False, node, n_branches)
        for b, (start, end) in enumerate(plan.ends[:n_branches].tolist()):
            if end:
                child_stats = np.zeros(parameters.n_stats)
                read_statistics(parameters, self.nodes, first_child + b, child_stats)
                self.waiting.append(
                    _OpenNode(first_child + b, start, end, child_stats, node.depth + 1, live.copy(), n_consumed)
                )

    def _partition(self, node: _OpenNode, features: list[int], n_branches: int) -> None:
        """Reorder the sorted ones of these columns by branch."""
        places = [(int(self.table.place[f]), bool(self.table.has_ties[f])) for f in features]

        def partition_one(at: tuple[int, bool]) -> None:
            self._partition_one(self.table.orders[at[0]], at[1], node, n_branches)

        by_all_threads(partition_one, [at for at in places if at[0] >= 0], node.n_rows // DIVIDED_PER_SEARCHED)

    def _partition_one(self, keys: NDArray[np.uint32], has_ties: bool, node: _OpenNode, n_branches: int) -> None:
        buffer, rows = np.empty(node.n_rows, np.uint32), self.plan.rows.copy()
        partition_sorted(keys, self.table.branch, node.start, node.end, n_branches, rows, has_ties, buffer)
