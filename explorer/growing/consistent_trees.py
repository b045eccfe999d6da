"""All trees of a table of categories, counted by an exact recursion: BFS-ID3 without writing them down.

Sets of rows and of features are whole numbers whose bits say who belongs to them. A tree is *consistent* where every
leaf is pure; its size is its number of tests (DEFINITIONS of ensembles, section 17).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int, int], None]
EVERY = 0.1
"""Seconds between two reports: states of many rows take long, those of few no time."""


class SearchLimitError(Exception):
    """The search has come to its limit."""


class TreeCounts(NamedTuple):
    """What is known of all trees of some rows, some features and a depth.

    `fewest` are the tests of the smallest consistent tree, None without one; `n_fewest` counts the trees of that size.
    """

    trees: int
    consistent: int
    fewest: int | None
    n_fewest: int


LEAF = TreeCounts(trees=1, consistent=1, fewest=0, n_fewest=1)
MIXED_LEAF = TreeCounts(trees=1, consistent=0, fewest=None, n_fewest=0)


@dataclass(frozen=True)
class Shape:
    """A tree by the features that its nodes test: a feature and its branches in order, or a leaf (None)."""

    feature: int | None = None
    branches: tuple[Shape, ...] = ()

    @property
    def tests(self) -> int:
        """How many nodes have a test."""
        return 0 if self.feature is None else 1 + sum(branch.tests for branch in self.branches)

    @property
    def depth(self) -> int:
        """Edges on the longest path."""
        return 0 if self.feature is None else 1 + max(branch.depth for branch in self.branches)

    def paths(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """The path of every test, by positions of branches, and its feature; those above others come first."""
        queue: deque[tuple[tuple[int, ...], Shape]] = deque([((), self)])
        while queue:
            path, shape = queue.popleft()
            if shape.feature is not None:
                yield path, shape.feature
                queue.extend(((*path, i), branch) for i, branch in enumerate(shape.branches))


@dataclass(frozen=True)
class CategoryTable:
    """Rows as bits: those with each category, [F][categories], those without a value, [F], those of each class, [K].

    `weights` are those of the rows, None for 1 each: a missing cell counts as the heaviest category of a node's rows.
    """

    values: tuple[tuple[int, ...], ...]
    missing: tuple[int, ...]
    classes: tuple[int, ...]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls,
        codes: Sequence[NDArray[np.int32]],
        n_values: Sequence[int],
        y: NDArray[np.int32],
        weights: NDArray[np.float64] | None = None,
    ) -> CategoryTable:
        """The table of these codes [F][n] (missing: past the values) and classes [n].

        >>> CategoryTable.of([np.array([0, 1, 1])], [2], np.array([0, 0, 1])).values
        ((1, 6),)
        """
        by_feature = list(zip(codes, n_values, strict=True))
        values = tuple(tuple(bits(column == code) for code in range(n)) for column, n in by_feature)
        missing = tuple(bits(column >= n) for column, n in by_feature)
        return cls(values, missing, tuple(bits(y == code) for code in np.unique(y)), weights)

    @property
    def all_rows(self) -> int:
        """The bits of all rows."""
        return sum(self.classes)

    @property
    def all_features(self) -> int:
        """The bits of all features."""
        return (1 << len(self.values)) - 1

    def is_pure(self, rows: int) -> bool:
        """Whether these rows, if there are any, are of one class."""
        return any(rows & of_class == rows for of_class in self.classes)

    def branches(self, rows: int, feature: int) -> list[int] | None:
        """The rows of every branch; None where no row has a value."""
        parts = [rows & of_value for of_value in self.values[feature]]
        unknown = rows & self.missing[feature]
        if unknown:
            if rows == unknown:
                return None
            weights = [self._weight(part) for part in parts]
            parts[weights.index(max(weights))] |= unknown
        return parts

    def _weight(self, rows: int) -> float:
        if self.weights is None:
            return rows.bit_count()
        size = len(self.weights)
        packed = np.frombuffer(rows.to_bytes(-(-size // 8), "little"), dtype=np.uint8)
        return float(self.weights[np.unpackbits(packed, count=size, bitorder="little").view(np.bool_)].sum())


def bits(mask: NDArray[np.bool_]) -> int:
    """A mask [n] as a whole number: bit i for element i."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def members(number: int) -> Iterator[int]:
    """The positions of the bits of a number, ascending.

    >>> list(members(0b1010))
    [1, 3]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@dataclass(eq=False)
class TreeSearch:
    """The recursion over (rows, features left, depth), every state worked out once.

    Raises SearchLimitError at `most_states` states or once the clock has passed `ends`.
    """

    table: CategoryTable
    most_states: int
    ends: float
    progress: Progress | None = None
    memo: dict[tuple[int, int, int], TreeCounts] = field(default_factory=dict)
    report_at: float = 0.0

    def counts(self, rows: int, features: int, depth: int) -> TreeCounts:
        """All trees of these rows and features up to a depth."""
        if self.table.is_pure(rows):
            return LEAF
        depth = min(depth, features.bit_count())
        if depth == 0:
            return MIXED_LEAF
        state = rows, features, depth
        known = self.memo.get(state)
        if known is None:
            known = self._sum_over_features(*state)
            self.look_at_limits()
            self.memo[state] = known
        return known

    def _sum_over_features(self, rows: int, features: int, depth: int) -> TreeCounts:
        """The leaf, and for every feature the product over its branches."""
        trees, consistent, fewest, n_fewest = MIXED_LEAF
        for feature in members(features):
            self.report()
            tested = self._with_test(rows, features, depth, feature)
            trees += tested.trees
            consistent += tested.consistent
            if tested.fewest is None:
                continue
            if fewest is None or tested.fewest < fewest:
                fewest, n_fewest = tested.fewest, 0
            if tested.fewest == fewest:
                n_fewest += tested.n_fewest
        return TreeCounts(trees, consistent, fewest, n_fewest)

    def _with_test(self, rows: int, features: int, depth: int, feature: int) -> TreeCounts:
        """All trees whose root tests this feature."""
        branches = self.table.branches(rows, feature)
        if branches is None:
            return TreeCounts(0, 0, None, 0)
        trees, consistent, fewest, n_fewest = 1, 1, 1, 1
        for branch in branches:
            below = self.counts(branch, features ^ (1 << feature), depth - 1)
            trees *= below.trees
            consistent *= below.consistent
            n_fewest *= below.n_fewest
            fewest += below.fewest or 0
        return TreeCounts(trees, consistent, fewest if consistent else None, n_fewest)

    def look_at_limits(self) -> None:
        """Raise SearchLimitError where the search has come to its limit."""
        if len(self.memo) >= self.most_states or time.monotonic() > self.ends:
            raise SearchLimitError

    def report(self) -> None:
        """Report the states, now and then; who is told may raise Stopped."""
        now = time.monotonic()
        if self.progress is not None and now >= self.report_at:
            self.report_at = now + EVERY
            self.progress(len(self.memo), self.most_states)

    def smallest(self, depth: int) -> Iterator[Shape]:
        """The consistent trees with the fewest tests up to a depth, in feature order of their tests, breadth first."""
        yield from self._completed((), deque([((), self.table.all_rows, self.table.all_features, depth)]))

    def _completed(
        self, tests: tuple[tuple[tuple[int, ...], int, int], ...], queue: deque[tuple[tuple[int, ...], int, int, int]]
    ) -> Iterator[Shape]:
        """Every tree with these tests above, each (path, feature, branches), and the smallest below the nodes left."""
        while queue and self.table.is_pure(queue[0][1]):
            queue.popleft()
        if not queue:
            yield shape_of({path: (feature, n) for path, feature, n in tests})
            return
        self.report()
        path, rows, features, depth = queue.popleft()
        fewest = self.counts(rows, features, depth).fewest
        for feature in members(features):
            if fewest is None or self._with_test(rows, features, depth, feature).fewest != fewest:
                continue
            branches = self.table.branches(rows, feature) or []
            left = features ^ (1 << feature)
            below = [((*path, i), branch, left, depth - 1) for i, branch in enumerate(branches)]
            yield from self._completed((*tests, (path, feature, len(branches))), deque([*queue, *below]))


def shape_of(tests: dict[tuple[int, ...], tuple[int, int]], path: tuple[int, ...] = ()) -> Shape:
    """The tree with these tests, {path: (feature, number of branches)}."""
    if path not in tests:
        return Shape()
    feature, n_branches = tests[path]
    return Shape(feature, tuple(shape_of(tests, (*path, i)) for i in range(n_branches)))


def all_shapes(table: CategoryTable, rows: int, features: int, depth: int) -> Iterator[tuple[Shape, bool]]:
    """All trees up to a depth, written down, each with whether it is consistent: the leaf first, then by feature."""
    is_pure = table.is_pure(rows)
    yield Shape(), is_pure
    if is_pure or depth == 0:
        return
    for feature in members(features):
        branches = table.branches(rows, feature)
        if branches is None:
            continue
        left = features ^ (1 << feature)
        below = [list(all_shapes(table, branch, left, depth - 1)) for branch in branches]
        for chosen in product(*below):
            yield Shape(feature, tuple(shape for shape, _ in chosen)), all(pure for _, pure in chosen)
