"""Grow a plain table with every thread: large nodes feature by feature, what lies below them subtree by subtree."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.compiling import PLAIN_BY_ALL_THREADS
from explorer.data.dataset import Dataset
from explorer.growing.engine.best_split import draws, select_feature
from explorer.growing.engine.node_tables import CHILDREN, FEATURE, HIGH, LOW, MISSING_BRANCH, Tables, TreeArrays
from explorer.growing.engine.subtree import GROW, SEARCH
from explorer.growing.engine.upper_tree import OpenNode, Progress, UpperTree, job_limit
from explorer.growing.plain.drawing import SMALL_ROWS
from explorer.growing.plain.node_arrays import node_arrays
from explorer.growing.plain.node_record import nodes_below, nodes_for, read_statistics, write_evidence, write_root
from explorer.growing.plain.partition import assign_branches, partition_sorted
from explorer.growing.plain.search import Work, work_for
from explorer.growing.plain.subtree import PlainJob, SplitPlan, grow_plain_subtree, plan_for, write_children
from explorer.growing.plain.table import NodeRows, PlainTable, plain_table, small_table
from explorer.growing.scans.buffers import FIRST, RESULT_WIDTH, SECOND
from explorer.growing.scans.keys import ROW_MASK, STARTS_VALUE
from explorer.growing.scans.problem import ROWS_TO_SORT_IN_THREADS
from explorer.recipe.columns import EACH_VALUE, SUBSET, THRESHOLD, TrainingColumn
from explorer.recipe.impurity import POISSON
from explorer.recipe.missing import DROP, FRACTIONAL, MOST_COMMON, SAME_CLASS, SURROGATE
from explorer.recipe.parameters import SPLIT, GrowParameters, node_impurity
from explorer.recipe.split_score import BY_DECREASE, BY_GAIN, BY_GAIN_RATIO
from explorer.threads import by_all_threads, thread_count

GOES_ON = np.zeros(1, dtype=np.uint8)
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
    if parameters.score not in (BY_GAIN, BY_GAIN_RATIO, BY_DECREASE) or parameters.impurity >= POISSON:
        return False
    if parameters.missing not in (DROP, MOST_COMMON, SAME_CLASS, FRACTIONAL, SURROGATE):
        return False
    if parameters.random_thresholds and (parameters.regression or parameters.penalty):
        return False
    return all(column.sets is None and _has_plain_test(column, parameters) for column in columns)


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
    jobs = PlainTree(table, parameters, n, keep).grow(limit, progress, halt)
    has_codes = table.lines.size > 0  # of the values beside thresholds, not rows
    return jobs, np.full_like(table.place, -1) if has_codes else table.place


class Found(NamedTuple):
    """What the search of a node has found: working memory, the features still alive, the winner's row of results."""

    work: Work
    live: NDArray[np.int64]
    result: NDArray[np.float64]


def rows_of(node: OpenNode) -> NodeRows:
    """The segment of a node whose rows are in order in every column."""
    return NodeRows(node.start, node.end, True, node.path)


class PlainTree(UpperTree):
    """The upper part of the tree of a complete table; here nothing is drawn, so that all columns are in order."""

    def __init__(self, table: PlainTable, parameters: GrowParameters, n: int, keep: bool) -> None:
        """Start with the root alone, of `n` rows."""
        super().__init__(n)
        self.table, self.parameters, self.keep = table, parameters, keep
        n_features = len(table.tests)
        self.nodes = nodes_for(1, n_features, parameters, keep)
        stats = np.zeros(parameters.n_stats)
        reason = write_root(table, parameters, n, self.nodes, stats)
        root = OpenNode(table, 0, 0, n, 0, stats, np.arange(n_features), 0)
        self.waiting = [root] if reason == SPLIT else []

    @cached_property
    def plan(self) -> SplitPlan:
        """Room for a split, where there is a node to split here."""
        return plan_for(self.table, self.parameters)

    def new_work(self) -> Work:
        """Working memory of a thread."""
        return work_for(self.table, self.parameters)

    def stats_of(self, node: int) -> NDArray[np.float64]:
        """The statistics of a node."""
        stats = np.zeros(self.parameters.n_stats)
        read_statistics(self.parameters, self.nodes, node, stats)
        return stats

    def grow_job(self, node: OpenNode, halt: NDArray[np.uint8]) -> Tables:
        """Grow below a node, with working memory of its own."""
        table, parameters, n_features = self.table, self.parameters, len(self.table.tests)
        small = small_table(table, min(SMALL_ROWS, node.n_rows) if draws(parameters, n_features) else 0)
        nodes = nodes_below(node.n_rows, n_features, parameters, self.keep)
        rows = NodeRows(node.start, node.end, table.orders.shape[1] > 0, node.path)
        job = PlainJob(rows, node.stats, node.depth, node.features, node.consumed, nodes)
        ints, floats, pairs, evidence, counts, cuts = grow_plain_subtree(
            table, small, parameters, job, GROW, self.keep, halt
        )
        return Tables(node.node, ints, floats, pairs, evidence, counts=counts, cuts=cuts)

    def search(self, node: OpenNode) -> tuple[int, int, Found]:
        """The winner among the live features and SPLIT, or −1 and the reason.

        The sorted features and the counted ones are divided among the threads; in a large node, and where sums depend
        on the order of a column, every sorted one is searched by itself. The working memory has what was found, a row
        of results for every feature that is still live.
        """
        table, parameters, residual = self.table, self.parameters, self._residual(node)
        features = node.features

        def search_some(features: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
            live, results = features.copy(), np.empty((len(features), RESULT_WIDTH))
            room = nodes_for(1, len(table.tests), parameters, False)
            job = PlainJob(rows_of(node), node.stats, node.depth, live, node.consumed, room, residual, results)
            grow_plain_subtree(table, small_table(table, 0), parameters, job, SEARCH, False, GOES_ON)
            return live[live >= 0], results[live >= 0]

        is_sorted = table.place[features] >= 0
        in_order, counted = features[is_sorted], features[~is_sorted]
        is_each_alone = parameters.regression or node.n_rows > ROWS_TO_SORT_IN_THREADS
        parts = [
            *np.array_split(in_order, max(len(in_order), 1) if is_each_alone else thread_count()),
            *np.array_split(counted, thread_count() if node.n_rows > ROWS_TO_SORT_IN_THREADS else 1),
        ]
        parts = [part for part in parts if len(part)] or parts[:1]
        searched = by_all_threads(search_some, parts, node.n_rows * len(features) // len(parts))
        kept, results = map(np.concatenate, zip(*searched, strict=True))
        with self.work() as found:  # nobody else works until the node is split
            order = np.argsort(kept)
        live = kept[order]
        found.results[: len(live)], found.live[: len(live)] = results[order], live
        impurity, n_live = node_impurity(parameters, node.stats), len(live)
        winner, reason = select_feature(
            parameters, float(node.n_rows), impurity, table.total_weight, found.costs[:n_live],
            table.many_values[live], found.results[:n_live], found.scores[:n_live],
        )  # fmt: skip
        if self.keep:
            write_evidence(found._replace(live=live), n_live, self.nodes.evidence[node.node])
        feature, result = (int(live[winner]), found.results[winner]) if reason == SPLIT else (-1, found.results[0])
        return feature, reason, Found(found, live, result)

    def _residual(self, node: OpenNode) -> float:
        """What rounding leaves of the sum of deviations, in the order of the first numeric column that has two values.

        nan where every column takes that of its own order.
        """
        table, segment = self.table, slice(node.start, node.end)
        if self.parameters.regression and not self.parameters.penalty:
            for feature in node.features[table.tests[node.features] == THRESHOLD].tolist():
                keys = table.orders[table.place[feature], segment]
                if (keys[1:] >= STARTS_VALUE).any():
                    deviations = table.numbers[keys & ROW_MASK] - node.stats[1]
                    return float(np.cumsum(deviations)[-1])  # one after the other, as loops add
        return np.nan

    def carry_out(self, node: OpenNode, winner: int, found: Found) -> int:
        """Write down a node's test and give every row its branch; returns how many branches there are."""
        table, plan, ints = self.table, self.plan, self.nodes.ints[node.node]
        plan.node_counts[:] = 0 if self.parameters.regression else node.stats
        n_branches, n_pairs, missing_branch = assign_branches(
            table, self.parameters, winner, rows_of(node), node.stats, found.work, found.result, plan
        )
        ints[FEATURE], ints[CHILDREN], ints[MISSING_BRANCH] = winner, n_branches, missing_branch
        if table.tests[winner] == THRESHOLD:
            ints[LOW], ints[HIGH] = found.result[FIRST], found.result[SECOND]
        new = np.stack([np.full(n_pairs, node.node), plan.pair_codes[:n_pairs], plan.pair_branches[:n_pairs]], axis=1)
        self.nodes = self.nodes._replace(pairs=np.concatenate([self.nodes.pairs, new.astype(np.int32)]))
        return int(n_branches)

    def divide(self, node: OpenNode, winner: int, n_branches: int, first_child: int, found: Found) -> list[OpenNode]:
        """Write the children of a node and divide its rows; returns the children that may be split."""
        table, plan, live, consumed = self.table, self.plan, found.live, node.consumed
        if table.tests[winner] != THRESHOLD:  # a threshold divides the order of its own column already
            self._partition(node, [winner], n_branches)
        if table.tests[winner] == EACH_VALUE:
            live, consumed = live[live != winner], consumed + 1
        split = (node.start, first_child, n_branches, node.depth + 1, len(table.tests) - consumed)
        keys = table.orders[table.place[winner]] if table.place[winner] >= 0 else found.work.keys
        stats = np.zeros(self.parameters.n_stats)
        n_splittable, _ = write_children(table, self.parameters, split, plan, self.nodes, keys, node.start, stats)
        if n_splittable:
            self._partition(node, [f for f in live.tolist() if f != winner], n_branches)
            if table.rows.size:
                self._partition_one(table.rows, False, node, n_branches)
        return self.open_below(node, first_child, plan.ends[:n_branches], live, consumed)

    def _partition(self, node: OpenNode, features: list[int], n_branches: int) -> None:
        """Reorder the sorted ones of these columns by branch."""
        places = [(int(self.table.place[f]), bool(self.table.has_ties[f])) for f in features]

        def partition_one(at: tuple[int, bool]) -> None:
            self._partition_one(self.table.orders[at[0]], at[1], node, n_branches)

        by_all_threads(partition_one, [at for at in places if at[0] >= 0], node.n_rows // DIVIDED_PER_SEARCHED)

    def _partition_one(self, keys: NDArray[np.uint32], has_ties: bool, node: OpenNode, n_branches: int) -> None:
        buffer, rows = np.empty(node.n_rows, np.uint32), self.plan.rows.copy()
        partition_sorted(keys, self.table.branch, node.start, node.end, n_branches, rows, has_ties, buffer)
