"""All trees of a small table written down one by one: the tests' naive peer of the search for the shortest tree.

Rows are tuples of categories with the class last. A tree is None for a leaf, or (feature, one branch per category).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

Row = tuple[str, ...]
TestTree = tuple[int, tuple["TestTree", ...]] | None


def categories_of(rows: list[Row]) -> list[list[str]]:
    """The categories of every feature, in order of appearance."""
    return [list(dict.fromkeys(row[i] for row in rows)) for i in range(len(rows[0]) - 1)]


def trees(rows: list[Row], features: list[int], depth: int, categories: list[list[str]]) -> Iterator[TestTree]:
    """Every tree of these rows up to a depth; pure and empty nodes are never tested."""
    yield None
    if depth == 0 or len({row[-1] for row in rows}) <= 1:
        return
    for feature in features:
        left = [other for other in features if other != feature]
        branches = [[row for row in rows if row[feature] == value] for value in categories[feature]]
        for below in product(*(list(trees(branch, left, depth - 1, categories)) for branch in branches)):
            yield feature, below


def is_consistent(tree: TestTree, rows: list[Row], categories: list[list[str]]) -> bool:
    """Whether every leaf has rows of one class at most."""
    if tree is None:
        return len({row[-1] for row in rows}) <= 1
    feature, below = tree
    branches = [[row for row in rows if row[feature] == value] for value in categories[feature]]
    return all(is_consistent(branch, part, categories) for branch, part in zip(below, branches, strict=True))


def n_tests(tree: TestTree) -> int:
    """How many nodes have a test."""
    return 0 if tree is None else 1 + sum(n_tests(branch) for branch in tree[1])


def depth_of(tree: TestTree) -> int:
    """Edges on the longest path."""
    return 0 if tree is None else 1 + max(depth_of(branch) for branch in tree[1])


def breadth_first(tree: TestTree) -> list[int]:
    """The features tested, level by level."""
    tests, level = [], [tree]
    while level:
        inner = [node for node in level if node is not None]
        tests += [feature for feature, _ in inner]
        level = [branch for _, below in inner for branch in below]
    return tests
