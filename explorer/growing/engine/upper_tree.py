"""Grow a whole tree with every thread: large nodes one at a time, everything below them subtree by subtree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.compiling import has_loops
from explorer.errors import TreeTooLargeError
from explorer.growing.engine.node_tables import FIRST_CHILD, STOP, Tables, with_rows
from explorer.messages import message
from explorer.recipe.feature_draw import ROOT_PATH, path_below
from explorer.recipe.parameters import SPLIT
from explorer.threads import REPORT_EVERY, shared_pool, thread_count

Progress = Callable[[int, int], None]
SMALL = 2_000
"""Rows up to which a table is grown by one thread."""
LARGE = 100_000
"""Rows per thread up to which it is enough to divide the branches below the first splits among the threads."""
UNLIMITED = 2**53
"""No bound of the nodes."""


class OpenNode(NamedTuple):
    """A node still to be split: its rows [start, end) of a table, its depth and statistics, and the hash of its path.

    `features` says which are alive, in the way of the loops, `consumed` how many a branch for each value has used up.
    """

    table: Any
    node: int
    start: int
    end: int
    depth: int
    stats: NDArray[np.float64]
    features: NDArray[Any]
    consumed: int
    path: int = ROOT_PATH

    @property
    def n_rows(self) -> int:
        """Rows in the segment."""
        return self.end - self.start


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


def _too_many(most: int) -> str:
    return message("The tree would have more than {most:,} nodes: limit the depth, or leave columns out.", most=most)


class UpperTree(ABC):
    """The upper part of the tree, whose nodes are split one at a time with all threads on the features."""

    nodes: Tables
    waiting: list[OpenNode]

    def __init__(self, n_rows: int, most_nodes: int = UNLIMITED) -> None:
        self.n_rows, self.count, self.works = n_rows, NodeCount(most_nodes), SimpleQueue[Any]()

    @abstractmethod
    def new_work(self) -> Any:
        """Working memory of a thread."""

    @abstractmethod
    def search(self, node: OpenNode) -> tuple[int, int, Any]:
        """The winning feature and SPLIT, or −1 and the reason, and what else the search knows."""

    @abstractmethod
    def carry_out(self, node: OpenNode, winner: int, found: Any) -> int:
        """Write down a node's test and give every row its branch; returns how many branches there are."""

    @abstractmethod
    def divide(self, node: OpenNode, winner: int, n_branches: int, first_child: int, found: Any) -> list[OpenNode]:
        """Write the children of a node and divide its rows; returns the children that may be split."""

    @abstractmethod
    def stats_of(self, node: int) -> NDArray[np.float64]:
        """The statistics of a node."""

    @abstractmethod
    def grow_job(self, node: OpenNode, halt: NDArray[np.uint8]) -> Tables:
        """Grow below a node by one thread, with working memory of its own."""

    @contextmanager
    def work(self) -> Iterator[Any]:
        """Working memory that no other thread uses; it is given back whatever happens."""
        try:
            work = self.works.get_nowait()
        except Empty:
            work = self.new_work()
        try:
            yield work
        finally:
            self.works.put(work)

    def split_large_nodes(self, limit: int, progress: Progress | None) -> list[OpenNode]:
        """Split every node above `limit` rows; return the rest, largest first."""
        small: list[OpenNode] = []
        while self.waiting:
            if progress is not None:
                progress(0, self.n_rows)
            node = self.waiting.pop()
            if node.n_rows <= limit:
                small.append(node)
            else:
                self._split(node)
        return sorted(small, key=lambda node: -node.n_rows)

    def _split(self, node: OpenNode) -> None:
        """Split one node as the loops do; its children that may be split wait."""
        winner, reason, found = self.search(node)
        self.nodes.ints[node.node, STOP] = reason
        if reason == SPLIT:
            n_branches, first_child = self.carry_out(node, winner, found), len(self.nodes.ints)
            self.count.add(n_branches)
            self.nodes = with_rows(self.nodes, n_branches)
            self.nodes.ints[node.node, FIRST_CHILD] = first_child
            self.waiting += self.divide(node, winner, n_branches, first_child, found)

    def open_below(
        self, node: OpenNode, first_child: int, ends: NDArray[np.int64], features: NDArray[Any], consumed: int
    ) -> list[OpenNode]:
        """The children with these segments, (0, 0) where one is not split."""
        return [
            OpenNode(
                node.table, first_child + branch, first, last, node.depth + 1, self.stats_of(first_child + branch),
                features.copy(), consumed, int(path_below(np.int64(node.path), branch)),
            )
            for branch, (first, last) in enumerate(ends.tolist())
            if last
        ]  # fmt: skip

    def grow(self, limit: int, progress: Progress | None, halt: NDArray[np.uint8] | None = None) -> list[Tables]:
        """Tables of nodes, the first with the root, each other one to be joined at its node `at` in the first.

        With `halt` [1], which ends the work early, by the calling thread alone.
        """
        small = self.split_large_nodes(limit, progress)
        if halt is None and (len(small) > 1 or (progress is not None and self.n_rows > SMALL)):
            grown = self._grow_by_threads(small, progress)
        else:
            halt = np.zeros(1, dtype=np.uint8) if halt is None else halt
            grown = [self.grow_job(node, halt) for node in small]
        if progress is not None:
            progress(self.n_rows, self.n_rows)
        return [self.nodes, *grown]

    def _grow_by_threads(self, nodes: list[OpenNode], progress: Progress | None) -> list[Tables]:
        """Wait for one node after the other, reporting finished rows; whatever goes wrong, no job is left running.

        A column with a branch for each of thousands of values leaves as many jobs: none may look at all others.
        """
        halt, n, grown = np.zeros(1, dtype=np.uint8), self.n_rows, list[Tables]()
        futures = [shared_pool().submit(self.grow_job, node, halt) for node in nodes]
        done = max(n - sum(node.n_rows for node in nodes), 0)  # rows that go down several branches count several times
        try:
            for future, node in zip(futures, nodes, strict=True):
                while progress is not None and not wait([future], REPORT_EVERY).done:
                    progress(min(done, n), n)
                grown.append(future.result())
                done += node.n_rows
                if progress is not None:
                    progress(min(done, n), n)
        finally:
            halt[0] = 1
            for future in futures:
                future.cancel()
        return grown


def job_limit(n: int, loops: str) -> int:
    """Rows up to which a node is grown by one thread: enough jobs to keep all busy, few nodes split in between.

    Until the `loops` for larger nodes are compiled, one thread grows all.
    """
    threads = thread_count()
    if n <= SMALL or threads == 1 or not has_loops(loops):
        return n
    return int(1.2 * n / threads) if n <= LARGE * threads else max(LARGE, n // (4 * threads))
