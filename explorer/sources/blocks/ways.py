"""How workers find the node of a row: the tests on the way to some nodes, and what tells one node from another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from explorer.sources.counting import Layout
from explorer.sources.mapped.code_tables import child_of_codes, child_of_intervals, edges_of, undecided_codes
from explorer.sources.mapped.loops import UNDECIDED
from explorer.sources.routing import NodeTest, Routing

Path = tuple[Any, ...]
"""The rows in use, then a branch of a test after another; the same in every tree that sends rows there."""


def path_to(routing: Routing, layout: Layout, node: int) -> Path:
    """The path of a node."""
    above = {child: test for test in routing.tests for child in test.children}
    steps = list[Any]()
    while node in above:
        test = above[node]
        steps.append(_step(test, test.children.index(node), layout))
        node = test.node
    return ((routing.part, routing.complete), *reversed(steps))


def _step(test: NodeTest, branch: int, layout: Layout) -> Any:
    """The rows that take a branch: by a threshold and its side, or by codes, with the missing ones or without."""
    has_missing = layout.columns[test.column].n_missing > 0 and test.missing_branch == branch
    if not np.isnan(test.threshold):
        return test.column, float(test.threshold), branch, has_missing
    return test.column, test.edges.tobytes(), np.flatnonzero(test.branch_of_code == branch).tobytes(), has_missing


def prefixes(path: Path) -> set[Path]:
    """A path and those of the nodes above; the empty one stands for all rows of the table."""
    return {path[:length] for length in range(len(path) + 1)}


def way_to(routing: Routing, layout: Layout, nodes: Sequence[int]) -> SimpleNamespace:
    """The rows in use and the tests that lead to some nodes, as workers read them."""
    kept = set(nodes)
    for test in reversed(routing.tests):
        if kept.intersection(test.children):
            kept.add(test.node)
    return SimpleNamespace(
        part=routing.part,
        complete=[(code_array(layout, column), layout.columns[column].n_codes) for column in routing.complete],
        tests=[_plain(test, layout, kept) for test in routing.tests if kept.intersection(test.children)],
        nodes=list(nodes),
        n_classes=len(layout.target.categories),
        centre=layout.centre,
        undecided=UNDECIDED,
    )


def code_array(layout: Layout, column: int) -> str:
    """The array of a column's codes."""
    return f"f{column}" if layout.columns[column].is_numeric else f"c{column}"


def _plain(test: NodeTest, layout: Layout, kept: set[int]) -> SimpleNamespace:
    """A test by codes: a threshold by those below and above, anything else by a table of children."""
    column, is_threshold = layout.columns[test.column], not np.isnan(test.threshold)
    low, high = undecided_codes(column, test.threshold) if is_threshold else (0, 0)
    missing = test.children[test.missing_branch] if test.missing_branch >= 0 else test.node
    table = None if is_threshold else np.append(child_of_codes(test, column), np.int32(missing))
    needs_numbers = low <= high if table is None else bool((table == UNDECIDED).any())
    return SimpleNamespace(
        node=test.node,
        code=code_array(layout, test.column),
        number=f"x{test.column}" if needs_numbers else "",
        low=low,
        high=high,
        missing_code=column.n_codes,
        missing=missing,
        table=table,
        edges=edges_of(test),
        children=child_of_intervals(test),
        kept=sorted(kept.intersection((test.node, *test.children))),
    )


def needed_arrays(way: SimpleNamespace, types: Mapping[str, str], wanted: Iterable[str]) -> list[str]:
    """The arrays that a pass reads: those of its way, the target and the weights, and those wanted."""
    names = {"y", "w", "id", *wanted, *(name for name, _ in way.complete)}
    names |= {name for test in way.tests for name in (test.code, test.number)}
    return [name for name in types if name in names or (name == "part" and way.part is not None)]
