"""Grow a whole tree with every thread: large nodes feature by feature, everything below them subtree by subtree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, as_completed
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import CONSTANT, CONSUMED, LIVE, choose_feature, note_evidence, search_feature
from explorer.growing.engine.buffers import GAIN, SPLIT_INFO, Buffers, scratch_for
from explorer.growing.engine.fractional_rows import (
    branch_places,
    compacted,
    extended,
    grow_spreading,
    spread_column,
    spreads,
)
from explorer.growing.engine.node_tables import NO_MIMICS, SurrogateTables, Tables
from explorer.growing.engine.partition import mark, node_statistics, partition_column, split_for
from explorer.growing.engine.problem import ROWS_TO_SORT_IN_THREADS, Problem, code_of
from explorer.growing.engine.subtree import (
    CHILDREN,
    CUT,
    FEATURE,
    LEVEL,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    N_INTS,
    STATS,
    STOP,
    add_children,
    add_pairs,
    fill_node,
    grow_subtree,
)
from explorer.growing.engine.surrogates import send_missing
from explorer.growing.engine.threads import shared_pool, thread_count
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.missing import SURROGATE
from explorer.recipe.parameters import SPLIT, GrowParameters, node_impurity, node_weight, stop_before_search

Progress = Callable[[int, int], None]
SMALL = 2_000
"""Rows up to which a table is grown by one thread."""
LARGE = 100_000
"""Rows per thread up to which it is enough to share out the branches below the first splits."""


class OpenNode(NamedTuple):
    """A node still to be split: its problem and segment, its place in the top table, the features that are alive."""

    problem: Problem
    start: int
    end: int
    node: int
    consumed: int
    states: NDArray[np.uint8]

    @property
    def n_rows(self) -> int:
        """Rows in the segment."""
        return self.end - self.start


class PartitionPlan(NamedTuple):
    """How the rows of a node go to its branches: `columns` moves the given ones, to `start` in `problem`."""

    problem: Problem
    start: int
    columns: Callable[[list[int]], object]


class UpperTree:
    """The upper part of the tree, whose nodes are split one at a time with all threads on the features."""

    def __init__(self, problem: Problem, rules: GrowParameters, pool: Executor, keep: bool) -> None:
        """Start with the root alone."""
        if spreads(problem, rules.missing) and not problem.weights.size:
            problem = problem._replace(weights=np.ones(problem.keys.shape[1]))
        self.problem, self.rules, self.pool, self.keep = problem, rules, pool, keep
        self.spreads = spreads(problem, rules.missing)
        self.n_features = len(problem.keys)
        self.mimics = NO_MIMICS
        self.scratch, self.split = scratch_for(problem, rules), split_for(problem)
        self.ints, self.floats = np.zeros((1, N_INTS), np.int32), np.zeros((1, STATS + rules.n_stats))
        self.pairs = np.zeros((0, 3), np.int32)
        self.evidence = np.full((1, self.n_features, 3), np.nan)
        n = problem.keys.shape[1]
        self.desks: SimpleQueue[tuple[Buffers, NDArray[np.int64]]] = SimpleQueue()
        for _ in range(thread_count()):
            self.desks.put((scratch_for(problem, rules), np.empty(n if n > SMALL else 0, np.int64)))
        stats = np.zeros(rules.n_stats)
        pure = node_statistics(problem.keys[0], problem.classes, problem.numbers, problem.weights, 0, n, stats)
        reason = stop_before_search(rules, stats, pure, 0, self.n_features)
        fill_node(rules, self.ints, self.floats, 0, -1, 0, 0, reason, stats)
        root = OpenNode(problem, 0, n, 0, 0, np.zeros(self.n_features, np.uint8))
        self.waiting = [root] if reason == SPLIT else []

    def split_large(self, limit: int) -> list[OpenNode]:
        """Split every node above `limit` rows; return the rest, largest first."""
        small: list[OpenNode] = []
        while self.waiting:
            node = self.waiting.pop()
            if node.n_rows <= limit:
                small.append(node)
            else:
                self._split(node)
        return sorted(small, key=lambda node: -node.n_rows)

    def _search(self, node: OpenNode, stats: NDArray[np.float64]) -> tuple[int, int]:
        """The winning feature and SPLIT, or −1 and the reason; every live feature is one piece of work."""
        results = self.scratch.results
        results[:, GAIN], results[:, SPLIT_INFO] = np.nan, 0.0
        live = []
        for feature in range(self.n_features):
            keys = node.problem.keys[feature]
            if node.states[feature] == LIVE and code_of(keys[node.start]) == code_of(keys[node.end - 1]):
                node.states[feature] = CONSTANT
            if node.states[feature] == LIVE:
                live.append(feature)

        def search_one(feature: int) -> None:
            desk = self.desks.get()
            search_feature(node.problem, self.rules, feature, node.start, node.end, stats, desk[0])
            results[feature] = desk[0].results[feature]
            self.desks.put(desk)

        list(self._spread(node)(search_one, live))
        if self.keep:
            note_evidence(self.problem, self.rules, results, self.evidence[node.node])
        weight, impurity = node_weight(self.rules, stats), node_impurity(self.rules, stats)
        total, costs = self.problem.total_weight, self.problem.costs
        return choose_feature(self.rules, weight, impurity, total, costs, results, self.scratch.scores)

    def _split(self, node: OpenNode) -> None:
        problem, rules = node.problem, self.rules
        stats = self.floats[node.node, STATS:].copy()
        winner, reason = self._search(node, stats)
        self.ints[node.node, STOP] = reason
        if reason != SPLIT:
            return
        n_branches, found, cut, to, missing = mark(
            problem, rules, winner, node.start, node.end, stats, self.scratch, self.split
        )
        if rules.missing == SURROGATE and problem.has_missing[winner]:
            to = self._send_missing(node, winner, n_branches)
        self.ints[node.node, [FEATURE, MISSING_BRANCH, CHILDREN]] = winner, to, n_branches
        self.floats[node.node, [CUT, MISSING_WEIGHT]] = cut, missing
        consumed, states = node.consumed, node.states.copy()
        if problem.tests[winner] == EACH_VALUE:
            states[winner], consumed = CONSUMED, consumed + 1
        move = self._spread_rows(winner, node, n_branches) if self.spreads else self._move_rows(node, n_branches)
        move.columns([winner])
        problem = move.problem
        n_nodes = self._make_room(n_branches, found)
        add_pairs(self.pairs, len(self.pairs) - found, node.node, found, self.split)
        ends = np.zeros((n_branches, 2), np.int64)
        add_children(
            rules, problem.keys[winner], problem.classes, problem.numbers, problem.weights, node.node, move.start,
            self.split.branch_rows, n_branches, self.n_features - consumed, self.ints, self.floats, n_nodes, ends,
            np.zeros(rules.n_stats),
        )  # fmt: skip
        below = [
            OpenNode(problem, int(first), int(last), n_nodes + branch, consumed, states.copy())
            for branch, (first, last) in enumerate(ends)
            if last
        ]
        if below:
            move.columns([f for f in range(self.n_features) if states[f] == LIVE and f != winner])
        self.waiting += below

    def _send_missing(self, node: OpenNode, winner: int, n_branches: int) -> int:
        """Keep the surrogates of the winning test and send the rows without a value; returns the heaviest branch."""
        split = self.split
        room = split.mimic_ints, split.mimic_floats, split.mimic_pairs
        found, n_pairs, usual = send_missing(
            node.problem, self.rules, winner, node.start, node.end, n_branches, node.states, split, *room
        )
        owned = np.column_stack([np.full(found, node.node, dtype=np.int32), room[0][:found]])
        new = SurrogateTables(owned, room[1][:found].copy(), room[2][:n_pairs].copy())
        pairs = np.concatenate([self.mimics.pairs, new.pairs])
        ints, floats = np.concatenate([self.mimics.ints, new.ints]), np.concatenate([self.mimics.floats, new.floats])
        self.mimics = SurrogateTables(ints, floats, pairs)
        return int(usual)

    def _spread_rows(self, winner: int, node: OpenNode, n_branches: int) -> PartitionPlan:
        """How columns are copied into a new problem, the rows without a value into every branch."""
        old, split = node.problem, self.split
        spot = np.zeros(len(old.weights), dtype=np.int64)
        places, shares = np.zeros(n_branches, dtype=np.int64), np.zeros(n_branches)
        n_missing, filled, total = branch_places(
            old.keys[winner], old.weights, old.branch, spot, node.start, node.end, n_branches, split.branch_rows,
            places, shares,
        )  # fmt: skip
        free, wanted = len(old.weights), np.ones(n_branches, dtype=np.bool_)
        new = extended(old, node.start, node.end, winner, n_branches, n_missing, filled, total, places, shares)

        def spread_one(feature: int) -> None:
            spread_column(
                old.keys[feature], new.branch, spot, node.start, node.end, n_branches, n_missing, free, places,
                wanted, new.keys[feature],
            )  # fmt: skip

        return PartitionPlan(new, 0, lambda features: list(self._spread(node)(spread_one, features)))

    def _move_rows(self, node: OpenNode, n_branches: int) -> PartitionPlan:
        """How columns are reordered in place."""

        def partition_one(feature: int) -> None:
            desk = self.desks.get()
            partition_column(
                self.problem.keys[feature],
                self.problem.branch,
                node.start,
                node.end,
                n_branches,
                self.split.branch_rows,
                desk[1],
            )
            self.desks.put(desk)

        return PartitionPlan(
            self.problem, node.start, lambda features: list(self._spread(node)(partition_one, features))
        )

    def _spread(self, node: OpenNode) -> Callable[..., Iterable[None]]:
        """How to call a function for several features: with all threads where the node is worth it."""
        return self.pool.map if node.n_rows > ROWS_TO_SORT_IN_THREADS else map

    def _make_room(self, n_branches: int, found: int) -> int:
        n_nodes = len(self.ints)
        self.ints = np.vstack([self.ints, np.zeros((n_branches, N_INTS), np.int32)])
        self.floats = np.vstack([self.floats, np.zeros((n_branches, self.floats.shape[1]))])
        self.pairs = np.vstack([self.pairs, np.zeros((found, 3), np.int32)])
        self.evidence = np.vstack([self.evidence, np.full((n_branches, self.n_features, 3), np.nan)])
        return n_nodes

    def tables(self) -> Tables:
        """What was grown here."""
        evidence = self.evidence if self.keep else self.evidence[:0]
        return Tables(0, self.ints, self.floats, self.pairs, evidence, self.mimics)


def job_limit(n: int) -> int:
    """Rows up to which a node is grown by one thread: enough jobs to keep all busy, few nodes split in between."""
    threads = thread_count()
    if n <= SMALL or threads == 1:
        return n
    return int(1.2 * n / threads) if n <= LARGE * threads else max(LARGE, n // (4 * threads))


def grow_tables(problem: Problem, rules: GrowParameters, keep: bool, progress: Progress | None) -> list[Tables]:
    """Tables of nodes, the first with the root, each other one to be hung at its `at` in the first."""
    n = problem.keys.shape[1]
    pool = shared_pool()
    top = UpperTree(problem, rules, pool, keep)
    jobs = top.split_large(job_limit(n))
    halt = np.zeros(1, dtype=np.uint8)
    if len(jobs) <= 1:
        grown = [_grow_job(top, job, keep, halt) for job in jobs]
    else:
        futures = [pool.submit(_grow_job, top, job, keep, halt) for job in jobs]
        grown = _collect(futures, jobs, n, halt, progress)
    if progress is not None:
        progress(n, n)
    return [top.tables(), *grown]


def _grow_job(top: UpperTree, job: OpenNode, keep: bool, halt: NDArray[np.uint8]) -> Tables:
    problem, rules = job.problem, top.rules
    scratch, split = scratch_for(problem, rules), split_for(problem)
    stats, depth = top.floats[job.node][STATS:], int(top.ints[job.node, LEVEL])
    own = compacted(problem, job.start, job.end) if top.spreads else problem
    if top.spreads:
        made = grow_spreading(
            own, rules, job.n_rows, depth, stats, job.states, job.consumed, scratch, split, keep, halt
        )
        return Tables(job.node, made[0], made[1], made[2], made[3])
    made = grow_subtree(
        own, rules, job.start, job.end, depth, stats, job.states, job.consumed, scratch, split, keep, halt
    )
    return Tables(job.node, made[0], made[1], made[2], made[3], SurrogateTables(made[4], made[5], made[6]))


def _collect(
    futures: list[Future[Tables]], jobs: list[OpenNode], n: int, halt: NDArray[np.uint8], progress: Progress | None
) -> list[Tables]:
    """Wait for all jobs, reporting finished rows; whatever goes wrong, no job is left running."""
    done = max(n - sum(job.n_rows for job in jobs), 0)  # rows that went down several branches count several times
    rows = {id(future): job.n_rows for future, job in zip(futures, jobs, strict=True)}
    try:
        for future in as_completed(futures):
            future.result()
            done += rows[id(future)]
            if progress is not None:
                progress(min(done, n), n)
    finally:
        halt[0] = 1
        for future in futures:
            future.cancel()
    return [future.result() for future in futures]
