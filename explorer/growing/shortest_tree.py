"""The shortest consistent tree of a table, by exact search, beside the tree that ID3 finds without backtracking."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.consistent_trees import CategoryTable, SearchLimitError, Shape, TreeCounts, TreeSearch, all_shapes
from explorer.growing.grow import grow
from explorer.messages import listing, message, plural
from explorer.recipe.columns import EACH_VALUE, TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.recipe import ID3, Recipe
from explorer.tree.constraints import Choices
from explorer.tree.tree import Tree

Order = Literal["depth", "tests"]
ORDERS: tuple[Order, ...] = ("depth", "tests")
"""What is least first: the depth and then the number of tests, or the number of tests and then the depth."""
SECONDS, STATES = 10.0, 1_000_000
"""The limits of a search unless others are given."""
COUNTED_ON = 10_000
"""States up to which deeper trees are counted once the search has its answer."""
MIXED, EMPTY = -2, -3
"""In place of a class: a leaf whose rows have several, and a leaf without rows."""
MOST_SHAPES = 100
"""Of the trees that are equally short, so many are kept."""
_COUNTABLE_POLICIES = ("drop", "most_common", "own_branch")
_MOST_DIGITS = 15
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, eq=False)
class ShortestTree:
    """The answer of an exact search for the shortest consistent tree (DEFINITIONS of ensembles, section 17).

    `outcome` is "found", "contradiction" (no tree of these features is consistent) or "limit" (none up to depth
    `searched_to`, or for the order "tests" none that is proven to be the smallest). `tree` is the first of `optimal`
    equally short trees, `depth` and `tests` are its own; without one (None) it is that of ID3, which `greedy` always
    is. The counts are of all trees up to depth 0, 1, …, exact. `contradiction` are two rows of the table, counted from
    1, that have the same values and different classes.
    """

    by: Order
    outcome: Literal["found", "contradiction", "limit"]
    tree: Tree
    greedy: Tree
    depth: int | None
    tests: int | None
    optimal: int
    trees_by_depth: tuple[int, ...]
    consistent_by_depth: tuple[int, ...]
    fewest_by_depth: tuple[int | None, ...]
    """Tests of the smallest consistent tree up to each depth; None where there is none."""
    searched_to: int
    shapes: tuple[Shape, ...]
    """The first of the equally short trees, in feature order of their tests, at most `MOST_SHAPES`."""
    greedy_candidates: tuple[tuple[int, ...], ...]
    """By depth, how many features ID3 compares at each of its nodes."""
    contradiction: tuple[int, int] | None
    _data: Dataset
    _recipe: Recipe
    _table: CategoryTable
    _classes: tuple[int, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features, in the order that the positions in `shapes` mean."""
        return tuple(feature.name for feature in self.greedy.features)

    def tree_of(self, shape: Shape) -> Tree:
        """A tree of this table with these tests; the leaves predict the majority of their rows."""
        return _grown(self._data, self._recipe, shape, self.features)

    def all_trees(self, depth: int, most: int = 1_000) -> list[tuple[Shape, bool]]:
        """All trees up to a depth, the first `most` of them, each with whether it is consistent."""
        table = self._table
        return list(islice(all_shapes(table, table.all_rows, table.all_features, depth), most))

    def nodes_of(self, shape: Shape) -> list[tuple[int, int, int]]:
        """The nodes of a tree in preorder: the position of the parent, the feature (−1: a leaf), and a leaf's class.

        A leaf of several classes has the class `MIXED`, an empty one `EMPTY`, an internal node −1.
        """
        nodes = list[tuple[int, int, int]]()
        waiting = [(shape, -1, self._table.all_rows)]
        while waiting:
            current, parent, rows = waiting.pop()
            feature = -1 if current.feature is None else current.feature
            nodes.append((parent, feature, self._class_of(rows) if feature < 0 else -1))
            below = (self._table.branches(rows, feature) or []) if feature >= 0 else []
            position = len(nodes) - 1
            waiting += [(b, position, part) for b, part in zip(current.branches, below, strict=True)][::-1]
        return nodes

    def _class_of(self, rows: int) -> int:
        """The class of these rows, in the classes of the table."""
        if not rows:
            return EMPTY
        codes = [code for code, of_class in zip(self._classes, self._table.classes, strict=True) if rows & of_class]
        return codes[0] if len(codes) == 1 else MIXED

    @property
    def count_text(self) -> str:
        """How many trees were looked at, against ID3's candidates, in one sentence."""
        compared = " + ".join(str(sum(level)) for level in self.greedy_candidates)
        return message(
            "{trees} of depth ≤ {depth}, {consistent} of them consistent; ID3 compares {compared} candidates.",
            trees=_trees(self.trees_by_depth[self.searched_to]),
            depth=self.searched_to,
            consistent=count_text(self.consistent_by_depth[self.searched_to]),
            compared=compared or "0",
        )

    @property
    def text(self) -> str:
        """The answer in one sentence, or why there is none."""
        if self.outcome == "contradiction":
            return self._contradiction_text()
        if self.tests is None:
            return message(
                "Searched up to depth {depth}: no consistent tree of depth ≤ {depth}. The search ended at its limit.",
                depth=self.searched_to,
            )
        fields = {"depth": self.depth, "tests": size_text(self.tests)}
        if self.outcome == "limit" and self.tests == self.searched_to + 1:
            return message(
                "Searched up to depth {limit}: the smallest consistent tree has {tests}, depth {depth}. Deeper trees "
                "are no smaller, but those of the same size are not counted.",
                limit=self.searched_to,
                **fields,
            )
        if self.outcome == "limit":
            return message(
                "Searched up to depth {limit}: the smallest consistent tree has {tests}, depth {depth}. Deeper trees "
                "may be smaller: the search ended at its limit.",
                limit=self.searched_to,
                **fields,
            )
        if self.optimal == 1:
            return message(
                "The shortest consistent tree has depth {depth} and {tests}; no other is as short.", **fields
            )
        n = count_text(self.optimal)
        return message(
            "The shortest consistent tree has depth {depth} and {tests}; {n} are equally short.", n=n, **fields
        )

    def _contradiction_text(self) -> str:
        if self.contradiction is None:
            return message("No tree is consistent: rows with missing cells cannot be separated.")
        first, second = self.contradiction
        return message(
            "No tree is consistent: rows {first:,} and {second:,} have the same values and different classes. ID3's "
            "tree predicts the majority in such a leaf.",
            first=first,
            second=second,
        )


def count_text(count: int) -> str:
    """A count of any size, with three digits where it is large.

    >>> count_text(230325), count_text(6 * 10**40)
    ('230,325', '6·10⁴⁰')
    """
    if count < 10**_MOST_DIGITS:
        return f"{count:,}"
    power = math.floor(math.log10(count))
    return f"{count // 10 ** (power - 5) / 1e5:.3g}·10{str(power).translate(_RAISED)}"


def size_text(n: int) -> str:
    """A number of tests with its noun."""
    return plural(n, "{n:,} test", "{n:,} tests")


def _trees(n: int) -> str:
    return plural(n, "{count} tree", "{count} trees", count=count_text(n))


def shortest_tree(
    data: Dataset,
    by: Order = "depth",
    limit: float = SECONDS,
    most_states: int = STATES,
    recipe: Recipe = ID3,
    progress: Callable[[int, int], None] | None = None,
) -> ShortestTree:
    """Search all trees with a branch for each value for the shortest one that classifies every row correctly.

    `by` is "depth" (least depth, then fewest tests) or "tests" (fewest tests, then least depth); trees that are
    equally short are ordered by their tests, breadth first, in the order of the features. The search ends after `limit`
    seconds or `most_states` states. Of the `recipe` count `numeric`, `bins` and `missing`. `progress(states, most
    states)` is called now and then and may raise `Stopped`. Raises InputError where features are not categories.

    >>> from explorer import Dataset, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> shortest = shortest_tree(data)
    >>> shortest.depth, shortest.tests, shortest.optimal, shortest.trees_by_depth[:3], shortest.consistent_by_depth[:3]
    (2, 3, 1, (1, 5, 113), (0, 0, 1))
    """
    _check(data, by, limit, most_states)
    plain = ID3.replace(numeric=recipe.numeric, bins=recipe.bins, missing=recipe.missing)
    used, columns, table = _used(data, plain)

    def report(*_: int) -> None:
        if progress is not None:
            progress(0, most_states)

    report()
    greedy = grow(data, plain, progress=report)

    # 1. Level by level: all trees of depth ≤ 0, 1, …, until one is consistent (by tests: until none is left).
    contradiction = _contradiction(columns, used, report)
    search = TreeSearch(table, most_states, time.monotonic() + limit, progress)
    levels, is_complete = _levels(search, len(columns), by, contradiction is not None)
    best = _best_level(levels, by)

    # 2. The smallest trees of that level, in the order of ties.
    shapes, deepest = _shapes(search, levels, best, by), len(levels) - 1
    return ShortestTree(
        by=by,
        outcome=_outcome(best, is_complete),
        tree=_grown(data, plain, shapes[0], _names(columns), report) if shapes else greedy,
        greedy=greedy,
        depth=best,
        tests=None if best is None else levels[best].fewest,
        optimal=0 if best is None else levels[best if by == "depth" else deepest].n_fewest,
        trees_by_depth=tuple(level.trees for level in levels),
        consistent_by_depth=tuple(level.consistent for level in levels),
        fewest_by_depth=tuple(level.fewest for level in levels),
        searched_to=best if best is not None and by == "depth" else deepest,
        shapes=shapes,
        greedy_candidates=_candidates(greedy, table),
        contradiction=contradiction,
        _data=data,
        _recipe=plain,
        _table=table,
        _classes=tuple(np.unique(used.y).tolist()),
    )


def _names(columns: list[TrainingColumn]) -> list[str]:
    return [column.encoding.name for column in columns]


def _check(data: Dataset, by: str, limit: float, most_states: int) -> None:
    """Refuse what cannot be searched."""
    if by not in ORDERS:
        choices = listing(map(repr, ORDERS))
        raise InputError(message("There is no order {order!r}: choose one of {orders}.", order=by, orders=choices))
    if not limit > 0 or most_states < 1:
        raise InputError(message("The limits of a search must be above 0: give more seconds or states."))
    if data.is_regression:
        raise InputError(
            message(
                "The target '{target}' is numeric, and a consistent tree has one class in every leaf: choose a "
                "categorical target.",
                target=data.target.name,
            )
        )


def _used(data: Dataset, recipe: Recipe) -> tuple[Dataset, list[TrainingColumn], CategoryTable]:
    """The training rows and their table.

    Every feature must have a branch for each value, and every row must follow one of them.
    """
    used, _ = training_rows(data, recipe)
    columns = columns_for(used, recipe)
    for column in columns:
        if column.test != EACH_VALUE:
            raise InputError(
                message(
                    "Column '{column}' is numeric, and the search tests a branch for each value: use numeric='bins' or "
                    "'each_value', or leave the column out.",
                    column=column.encoding.name,
                )
            )
        if (column.codes == column.n_values).any() and recipe.missing not in _COUNTABLE_POLICIES:
            raise InputError(
                message(
                    "Column '{column}' has missing cells, and with missing='{policy}' a row has no single branch: use "
                    "'own_branch', 'most_common' or 'drop'.",
                    column=column.encoding.name,
                    policy=recipe.missing,
                )
            )
    return used, columns, _table_of(columns, used)


def _table_of(columns: list[TrainingColumn], used: Dataset) -> CategoryTable:
    """The rows by the categories that training rows have: these have branches."""
    codes, sizes = list[NDArray[np.int32]](), list[int]()
    for column in columns:
        recode = np.full(column.n_values + 1, len(column.training_codes), dtype=np.int32)
        recode[column.training_codes] = np.arange(len(column.training_codes))
        codes.append(recode[column.codes])
        sizes.append(len(column.training_codes))
    return CategoryTable.of(codes, sizes, used.y.astype(np.int32), used.weights)


def _contradiction(columns: list[TrainingColumn], used: Dataset, report: Callable[[], None]) -> tuple[int, int] | None:
    """The first two rows that are alike in every feature and of different classes, as the table counts them."""
    alike = np.zeros(used.n_rows, dtype=np.int64)
    for column in columns:
        report()
        alike = np.unique(alike * (column.n_values + 1) + column.codes, return_inverse=True)[1]
    first_rows = np.unique(alike, return_index=True)[1]
    others = np.flatnonzero(used.y[first_rows[alike]] != used.y)
    if not others.size:
        return None
    first, row = used.row_numbers[[first_rows[alike[others[0]]], others[0]]]
    return int(first) + 1, int(row) + 1


def _levels(search: TreeSearch, n_features: int, by: Order, is_contradicted: bool) -> tuple[list[TreeCounts], bool]:
    """The counts of all trees up to depth 0, 1, …, and whether the search came to its end.

    Once it has its answer, deeper trees are still counted while that takes few states.
    """
    table, levels = search.table, list[TreeCounts]()
    answered = is_contradicted
    try:
        for depth in range(n_features + 1):
            if answered:
                search.most_states = min(search.most_states, max(COUNTED_ON, len(search.memo) + 1))
            levels.append(search.counts(table.all_rows, table.all_features, depth))
            answered = answered or _answers(levels[-1], depth, by)
    except SearchLimitError:
        return levels, answered
    return levels, True


def _answers(level: TreeCounts, depth: int, by: Order) -> bool:
    """Whether no deeper tree is as short: a tree has at least as many tests as its depth."""
    return level.fewest is not None and (by == "depth" or level.fewest <= depth)


def _best_level(levels: list[TreeCounts], by: Order) -> int | None:
    """The depth of the shortest tree."""
    fewest = [level.fewest for level in levels if level.fewest is not None]
    if not fewest:
        return None
    sizes = [level.fewest for level in levels]
    return sizes.index(fewest[0] if by == "depth" else min(fewest))


def _outcome(best: int | None, is_complete: bool) -> Literal["found", "contradiction", "limit"]:
    if not is_complete:
        return "limit"
    return "contradiction" if best is None else "found"


def _shapes(search: TreeSearch, levels: list[TreeCounts], best: int | None, by: Order) -> tuple[Shape, ...]:
    """The equally short trees, those of least depth first."""
    if best is None:
        return ()
    shapes = list(islice(search.smallest(best), MOST_SHAPES))
    if by == "tests":
        for depth in range(best + 1, len(levels)):
            deeper = (shape for shape in search.smallest(depth) if shape.depth == depth)
            shapes += islice(deeper, max(0, min(MOST_SHAPES, levels[-1].n_fewest) - len(shapes)))
    return tuple(shapes)


def _grown(
    data: Dataset, recipe: Recipe, shape: Shape, features: Sequence[str], report: Callable[..., None] | None = None
) -> Tree:
    """The tree with these tests, grown like any other with its splits chosen."""
    choices = Choices()
    for path, feature in shape.paths():
        choices = choices.force(path, features[feature])
    return grow(data, recipe, progress=report, choices=choices)


def _candidates(greedy: Tree, table: CategoryTable) -> tuple[tuple[int, ...], ...]:
    """By depth, the features that are left at every node that ID3 splits."""
    depths = greedy.depth[greedy.is_inner].tolist()
    levels = range(max(depths, default=-1) + 1)
    return tuple((len(table.values) - level,) * depths.count(level) for level in levels)
