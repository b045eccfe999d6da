"""Random routings over the columns of a small table: every kind of test that an engine has to follow."""

import numpy as np

from explorer.sources.counting import ColumnLayout, Layout
from explorer.sources.routing import NodeTest, Routing


def random_test(rng, node: int, position: int, column: ColumnLayout, numbers: np.ndarray, next_id: int) -> NodeTest:
    """A test of a node; `numbers` are some that the column has."""
    if column.is_numeric and rng.random() < 0.6:
        threshold = float(rng.choice(numbers)) + rng.choice([0.0, 0.25, -0.25])
        n_children = int(rng.integers(2, 4))  # the third is for missing cells
        missing = 2 if n_children == 3 else int(rng.integers(-1, 2))
        children = tuple(range(next_id, next_id + n_children))
        return NodeTest(node, position, threshold, np.empty(0, np.int64), np.empty(0), missing, children)
    n_children = int(rng.integers(2, 5))
    edges = np.unique(rng.choice(numbers, n_children)) if column.is_numeric else np.empty(0)
    n_codes = len(edges) + 1 if column.is_numeric else column.n_codes
    branches = rng.integers(-1, n_children, n_codes)
    missing = int(rng.integers(-1, n_children))
    return NodeTest(node, position, float("nan"), branches, edges, missing, tuple(range(next_id, next_id + n_children)))


def random_routing(rng, layout: Layout, numbers, n_tests: int, part: int | None, complete=()) -> Routing:
    """So many tests, parents first; `numbers` [column] are values to choose thresholds from."""
    tests, open_nodes, next_id = [], [0], 1
    for _ in range(n_tests):
        node = open_nodes.pop(int(rng.integers(len(open_nodes))))
        position = int(rng.integers(len(layout.columns)))
        test = random_test(rng, node, position, layout.columns[position], numbers[position], next_id)
        tests.append(test)
        open_nodes += test.children
        next_id += len(test.children)
    return Routing(tuple(tests), part, complete)


def open_nodes(routing: Routing) -> list[int]:
    """The nodes of a routing without a test."""
    tested = {test.node for test in routing.tests}
    return [node for node in sorted({0, *(c for test in routing.tests for c in test.children)}) if node not in tested]
