"""Grow a whole tree with every thread: large nodes feature by feature, everything below them subtree by subtree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor, Future, wait
from functools import partial
from queue import SimpleQueue
from threading import Lock
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.compiling import ENGINE_BY_ALL_THREADS, has_loops
from explorer.errors import TreeTooLargeError
from explorer.growing.engine.best_split import (
    CONSTANT,
    CONSUMED,
    LIVE,
    draw_features,
    draws,
    record_evidence,
    search_random_threshold,
    select_feature,
)
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
    FIRST_CHILD,
    LEVEL,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    N_INTS,
    STATS,
    STOP,
    SurrogateTables,
    Tables,
    with_rows,
)
from explorer.growing.engine.nodes import find_bounds, put_bounds, write_children, write_node
from explorer.growing.engine.p_values import select_by_p_value
from explorer.growing.engine.partition import NodeSplit, node_statistics, partition_column, split_for
from explorer.growing.engine.subtree import (
    CARRY_OUT,
    CELLS_OF_A_NODE,
    GROW,
    SEARCH_FEATURE,
    TOO_LARGE,
    SubtreeJob,
    grow_subtree,
)
from explorer.growing.scans.buffers import GAIN, SPLIT_INFO, Buffers, buffers_for
from explorer.growing.scans.problem import ROW_MASK, ROWS_TO_SORT_IN_THREADS, Problem, Segment, code_of
from explorer.memory import available_bytes
from explorer.messages import message
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.feature_draw import ROOT_PATH, path_below
from explorer.recipe.parameters import SPLIT, GrowParameters, node_impurity, node_weight, stop_before_search
from explorer.recipe.split_score import BY_P_VALUE, has_own_gain
from explorer.threads import REPORT_EVERY, shared_pool, thread_count

Grown = TypeVar("Grown")
Progress = Callable[[int, int], None]
SMALL = 2_000
"""Rows up to which a table is grown by one thread."""
LARGE = 100_000
"""Rows per thread up to which it is enough to divide the branches below the first splits among the threads."""
UNLIMITED, MANY_NODES, BYTES_OF_A_NODE = 2**53, 1_000_000, 400
"""No bound of the nodes; so many are a matter of memory; and what a node takes at the peak, until the tree is there."""
NO_COPIES, GOES_ON = copies_for(0, 0), np.zeros(1, dtype=np.uint8)


class OpenNode(NamedTuple):
    """A node still to be split: its problem and segment, its row in the upper table, the features that are alive.

    `path` is the hash of its path.
    """

    problem: Problem
    start: int
    end: int
    node: int
    consumed: int
    states: NDArray[np.uint8]
    path: int = ROOT_PATH

    @property
    def n_rows(self) -> int:
        """Rows in the segment."""
        return self.end - self.start

    def job(self, stats: NDArray[np.float64], depth: int = 0, most_nodes: int = UNLIMITED) -> SubtreeJob:
        """What the loops have to know of it."""
        return SubtreeJob(self.start, self.end, depth, stats, self.states, self.consumed, self.path, most_nodes)


class NodeCount:
    """How many nodes all threads have grown, and how many a tree may have."""

    def __init__(self, most: int) -> None:
        self.most, self._n, self._lock = most, 1, Lock()  # the root

    def add(self, n_nodes: int) -> None:
        """So many more; TreeTooLargeError where these are too many."""
        with self._lock:
            self._n += n_nodes
        self.check(self._n)

    def check(self, n_nodes: int) -> None:
        """Raise TreeTooLargeError for so many nodes."""
        if n_nodes > self.most:
            raise TreeTooLargeError(self.most, words=partial(_too_many, self.most))


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


def _too_many(most: int) -> str:
    return message("The tree would have more than {most:,} nodes: limit the depth, or leave columns out.", most=most)


class PartitionPlan(NamedTuple):
    """How the rows of a node go to its branches: `columns` moves the given ones, to `start` in `problem`."""

    problem: Problem
    start: int
    columns: Callable[[list[int]], object]


class UpperTree:
    """The upper part of the tree, whose nodes are split one at a time with all threads on the features."""

    def __init__(
        self,
        problem: Problem,
        parameters: GrowParameters,
        pool: Executor,
        keep: bool,
        empty: Collection[int] = (),
        path: int = ROOT_PATH,
        n_workspaces: int | None = None,
        most_nodes: int = UNLIMITED,
    ) -> None:
        """Start with the root alone; `empty` are the features without any value."""
        self.count = NodeCount(most_nodes)
        parameters = parameters._replace(base=parameters.base - problem.centre)
        self.has_fractional_rows = has_fractional_rows(problem, parameters.missing)
        if self.has_fractional_rows and not problem.weights.size:
            problem = problem._replace(weights=np.ones(problem.keys.shape[1]))
        self.problem, self.parameters, self.pool, self.keep = problem, parameters, pool, keep
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
        n = problem.keys.shape[1]
        self.workspaces: SimpleQueue[tuple[Buffers, NDArray[np.int64]]] = SimpleQueue()
        for _ in range(thread_count() if n_workspaces is None else n_workspaces):
            self.workspaces.put((buffers_for(problem, parameters), np.empty(n, np.int64)))
        stats = np.zeros(parameters.n_stats)
        rows = Segment(problem.keys[0], problem.classes, problem.numbers, problem.weights, 0, n)
        is_pure = node_statistics(rows, stats)
        reason = stop_before_search(parameters, stats, is_pure, 0, self.n_features - len(empty))
        write_node(parameters, self.nodes, 0, -1, 0, reason, stats)
        states = np.full(self.n_features, LIVE, np.uint8)
        states[list(empty)] = CONSUMED  # they do not count as features that are left
        root = OpenNode(problem, 0, n, 0, len(empty), states, path)
        self.waiting = [root] if reason == SPLIT else []

    def split_large_nodes(self, limit: int, progress: Progress | None) -> list[OpenNode]:
        """Split every node above `limit` rows; return the rest, largest first."""
        small: list[OpenNode] = []
        while self.waiting:
            if progress is not None:
                progress(0, self.problem.keys.shape[1])
            node = self.waiting.pop()
            if node.n_rows <= limit:
                small.append(node)
            else:
                self._split(node)
        return sorted(small, key=lambda node: -node.n_rows)

    def _search(self, node: OpenNode, stats: NDArray[np.float64]) -> tuple[int, int]:
        """The winning feature and SPLIT, or −1 and the reason; every live feature is one task of the pool."""
        results = self.buffers.results
        results[:, GAIN], results[:, SPLIT_INFO] = np.nan, 0.0
        live = []
        for feature in range(self.n_features):
            keys = node.problem.keys[feature]
            if node.states[feature] == LIVE and code_of(keys[node.start]) == code_of(keys[node.end - 1]):
                node.states[feature] = CONSTANT
            if node.states[feature] == LIVE:
                live.append(feature)
        if self.is_drawing:
            draw_features(node.problem, self.parameters, node.path, node.start, node.end, node.states, self.draw)
            live = [feature for feature in live if self.draw.is_drawn[feature]]

        if self.parameters.monotone:
            put_bounds(node.problem, self.parameters, self.nodes, node.node, stats, self.buffers.bounds)

        job, residual = node.job(stats), self._residual(node, stats, live)

        def search_one(feature: int) -> None:
            workspace = self.workspaces.get()
            try:
                own = workspace[0]
                own.bounds[:], own.residual[0] = self.buffers.bounds, residual
                buffers = own._replace(draw=self.draw)
                if self.parameters.random_thresholds and node.problem.tests[feature] == THRESHOLD:
                    rows = (node.start, node.end, stats, buffers)
                    search_random_threshold(node.problem, self.parameters, node.path, feature, *rows)
                else:
                    search = (self.split, NO_COPIES, SEARCH_FEATURE, feature, False, GOES_ON)
                    grow_subtree(node.problem, self.parameters, job, buffers, *search)
                results[feature] = own.results[feature]
            finally:
                self.workspaces.put(workspace)  # whatever happens, others that wait for it go on

        list(self._map_for(node)(search_one, live))
        if self.keep:
            record_evidence(self.problem, self.parameters, results, self.nodes.evidence[node.node])
        if self.parameters.score == BY_P_VALUE:
            return select_by_p_value(node.problem, self.parameters, node.start, node.end, stats, self.buffers)
        weight, impurity = node_weight(self.parameters, stats), node_impurity(self.parameters, stats)
        total, costs, many = self.problem.total_weight, self.problem.costs, self.problem.many_values
        return select_feature(self.parameters, weight, impurity, total, costs, many, results, self.buffers.scores)

    def _residual(self, node: OpenNode, stats: NDArray[np.float64], live: list[int]) -> float:
        """What rounding leaves of the sum of deviations, in the order of the column that `search_features` takes it of.

        nan where there every column takes its own.
        """
        problem, parameters = node.problem, self.parameters
        if problem.numbers.size and not (
            problem.weights.size
            or parameters.penalty
            or parameters.monotone
            or parameters.random_thresholds
            or has_own_gain(parameters.score)
        ):
            for feature in live:
                if problem.tests[feature] == THRESHOLD and not problem.has_missing[feature]:
                    rows = problem.keys[feature, node.start : node.end] & ROW_MASK
                    return float(np.cumsum(problem.numbers[rows] - stats[1])[-1])  # one after the other, as loops add
        return np.nan

    def _split(self, node: OpenNode) -> None:
        """Split one node as `grow_subtree` does; its children that may be split wait."""
        problem, parameters = node.problem, self.parameters
        stats = self.nodes.floats[node.node, STATS:].copy()
        winner, reason = self._search(node, stats)
        self.nodes.ints[node.node, STOP] = reason
        if reason != SPLIT:
            return
        n_branches = self._carry_out(node, stats, winner)
        node_split = NodeSplit(node.node, node.start, node.end, winner, n_branches)
        consumed, states = node.consumed, node.states.copy()
        if problem.tests[winner] == EACH_VALUE:
            states[winner], consumed = CONSUMED, consumed + 1
        plan = self._plan_with_copies(node, node_split) if self.has_fractional_rows else self._plan(node, node_split)
        plan.columns([winner])
        n_nodes = len(self.nodes.ints)
        self.count.add(n_branches)
        self.nodes = with_rows(self.nodes, n_branches)
        self.nodes.ints[node.node, FIRST_CHILD] = n_nodes
        ends = np.zeros((n_branches, 2), np.int64)
        write_children(
            plan.problem, parameters, node_split, plan.start, self.split.branch_rows, self.n_features - consumed,
            self.nodes, n_nodes, ends, np.zeros(parameters.n_stats),
        )  # fmt: skip
        below = [
            OpenNode(
                plan.problem,
                int(first),
                int(last),
                n_nodes + branch,
                consumed,
                states.copy(),
                int(path_below(node.path, branch)),
            )
            for branch, (first, last) in enumerate(ends)
            if last
        ]
        if below:
            plan.columns([f for f in range(self.n_features) if states[f] == LIVE and f != winner])
        self.waiting += below

    def _carry_out(self, node: OpenNode, stats: NDArray[np.float64], winner: int) -> int:
        """Write down a node's test and give every row its branch; returns how many branches there are."""
        how = (self.split, NO_COPIES, CARRY_OUT, winner, False, GOES_ON)
        ints, floats, pairs, _, *surrogates = grow_subtree(
            node.problem, self.parameters, node.job(stats), self.buffers, *how
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

    def _plan_with_copies(self, node: OpenNode, node_split: NodeSplit) -> PartitionPlan:
        """How columns are copied into a new problem, the rows without a value into every branch."""
        old = node.problem
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
            workspace = self.workspaces.get()
            try:
                partition_column(
                    keys[feature], branch_of, node.start, node.end, node_split.n_branches, branch_rows, workspace[1]
                )
            finally:
                self.workspaces.put(workspace)

        return PartitionPlan(
            self.problem, node.start, lambda features: list(self._map_for(node)(partition_one, features))
        )

    def _map_for(self, node: OpenNode) -> Callable[..., Iterable[None]]:
        """How to call a function for several features: with all threads where the node is worth it."""
        return self.pool.map if node.n_rows > ROWS_TO_SORT_IN_THREADS else map


def job_limit(n: int, loops: str) -> int:
    """Rows up to which a node is grown by one thread: enough jobs to keep all busy, few nodes split in between.

    Until the `loops` for larger nodes are compiled, one thread grows all.
    """
    threads = thread_count()
    if n <= SMALL or threads == 1 or not has_loops(loops):
        return n
    return int(1.2 * n / threads) if n <= LARGE * threads else max(LARGE, n // (4 * threads))


def grow_tables(
    problem: Problem,
    parameters: GrowParameters,
    keep: bool,
    progress: Progress | None,
    empty: Collection[int] = (),
    path: int = ROOT_PATH,
    limit: int | None = None,
    most_nodes: int | None = None,
) -> list[Tables]:
    """Tables of nodes, the first with the root, each other one to be joined at its node `at` in the first.

    `empty` are the positions of the features without any value, `path` the hash of the root's path. Nodes of up to
    `limit` rows are grown by one thread each, if not given of as many as the threads are best used with. Raises
    TreeTooLargeError above `most_nodes`, if not given above what the memory has room for.
    """
    n = problem.keys.shape[1]
    pool = shared_pool()
    upper = UpperTree(problem, parameters, pool, keep, empty, path, most_nodes=most_nodes_for(problem, most_nodes))
    # Subtree jobs: below the first splits every node is grown to its leaves by one thread, without the interpreter.
    jobs = upper.split_large_nodes(job_limit(n, ENGINE_BY_ALL_THREADS) if limit is None else limit, progress)
    subtrees = grow_jobs(pool, lambda job, halt: _grow_subtree_job(upper, job, keep, halt), jobs, n, progress)
    return [upper.nodes, *subtrees]


def grow_tables_alone(
    problem: Problem, parameters: GrowParameters, empty: Collection[int], halt: NDArray[np.uint8]
) -> list[Tables]:
    """As `grow_tables`, by the calling thread alone; `halt` [1] ends the work early."""
    most = most_nodes_for(problem)
    upper = UpperTree(problem, parameters, shared_pool(), False, empty, n_workspaces=0, most_nodes=most)
    return [upper.nodes, *(_grow_subtree_job(upper, job, False, halt) for job in upper.waiting)]


def _grow_subtree_job(upper: UpperTree, node: OpenNode, keep: bool, halt: NDArray[np.uint8]) -> Tables:
    """Grow below a node, with working memory of its own."""
    problem, parameters = node.problem, upper.parameters
    if parameters.monotone:
        problem = problem._replace(bounds=np.zeros(2))
        find_bounds(node.problem, parameters, upper.nodes, node.node, problem.bounds)
    buffers, split = buffers_for(problem, parameters), split_for(problem)
    stats, depth = upper.nodes.floats[node.node][STATS:], int(upper.nodes.ints[node.node, LEVEL])
    copies = NO_COPIES
    if upper.has_fractional_rows:
        problem = compacted(problem, node.start, node.end, node.states)
        node = node._replace(start=0, end=node.n_rows)
        copies = copies_for(node.n_rows, len(split.branch_rows))
    job = node.job(stats, depth, upper.count.most)
    tables = grow_subtree(problem, parameters, job, buffers, split, copies, GROW, -1, keep, halt)
    ints, floats, pairs, evidence, *surrogates = tables
    upper.count.add(upper.count.most + 1 if halt[0] == TOO_LARGE else len(ints) - 1)
    return Tables(node.node, ints, floats, pairs, evidence, SurrogateTables(*surrogates))


class _Job(Protocol):
    """A subtree to grow, of so many rows."""

    @property
    def n_rows(self) -> int: ...


Job = TypeVar("Job", bound=_Job)


def grow_jobs(
    pool: Executor,
    grow: Callable[[Job, NDArray[np.uint8]], Grown],
    jobs: list[Job],
    n: int,
    progress: Progress | None,
) -> list[Grown]:
    """`grow(job, halt)` for every job of a table of `n` rows, by the pool where there are several."""
    halt = np.zeros(1, dtype=np.uint8)
    if len(jobs) <= 1 and (progress is None or n <= SMALL):
        grown = [grow(job, halt) for job in jobs]
    else:
        futures = [pool.submit(grow, job, halt) for job in jobs]
        grown = _collect_jobs(futures, [job.n_rows for job in jobs], n, halt, progress)
    if progress is not None:
        progress(n, n)
    return grown


def _collect_jobs(
    futures: list[Future[Grown]], n_rows: list[int], n: int, halt: NDArray[np.uint8], progress: Progress | None
) -> list[Grown]:
    """Wait for one job after the other, reporting finished rows; whatever goes wrong, no job is left running.

    A column with a branch for each of thousands of values leaves as many jobs: none may look at all others.
    """
    done, grown = max(n - sum(n_rows), 0), list[Grown]()  # rows that went down several branches count several times
    try:
        for future, n_of_job in zip(futures, n_rows, strict=True):
            while progress is not None and not wait([future], REPORT_EVERY).done:
                progress(min(done, n), n)
            grown.append(future.result())
            done += n_of_job
            if progress is not None:
                progress(min(done, n), n)
    finally:
        halt[0] = 1
        for future in futures:
            future.cancel()
    return grown
