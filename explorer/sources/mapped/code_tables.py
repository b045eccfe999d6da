"""Tests and intervals in terms of fine codes, with the codes that do not decide marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.sources.counting import ColumnLayout, Floats, Ints
from explorer.sources.mapped.files import Int32s
from explorer.sources.mapped.loops import BY_RANK, BY_TABLE, UNDECIDED
from explorer.sources.routing import NodeTest

NO_CODE = 1 << 16
"""More than any code."""


def interval_of_codes(layout: ColumnLayout, edges: Floats) -> Ints:
    """How many of the edges lie below the numbers of each fine code, −1 where that depends on the number.

    >>> from explorer.data.codes.feature import Feature
    >>> column = ColumnLayout(Feature("x", "numeric"), 0, np.array([1.0, 5.0]), only_value=np.array([1, np.nan, 7.0]))
    >>> interval_of_codes(column, np.array([1.0, 3.0])).tolist()
    [0, -1, 2]
    """
    least = np.searchsorted(edges, np.append(-np.inf, layout.edges), side="right")
    most = np.searchsorted(edges, np.append(layout.edges, np.inf), side="left")
    single = np.searchsorted(edges, layout.only_value, side="left")
    return np.where(np.isnan(layout.only_value), np.where(least == most, least, -1), single)


def undecided_codes(layout: ColumnLayout, threshold: float) -> tuple[int, int]:
    """The first and the last fine code that a threshold does not decide: those below go left, those above go right.

    >>> from explorer.data.codes.feature import Feature
    >>> column = ColumnLayout(Feature("x", "numeric"), 0, np.array([1.0, 5.0]), only_value=np.array([1, np.nan, 7.0]))
    >>> undecided_codes(column, 1.0), undecided_codes(column, 3.0), undecided_codes(column, 6.0)
    ((1, 0), (1, 1), (2, 1))
    """
    code = int(np.searchsorted(layout.edges, threshold, side="left"))
    only = layout.only_value[code]
    if only <= threshold or threshold in layout.edges[code : code + 1]:
        return code + 1, code
    return code, code if np.isnan(only) else code - 1


def edges_of(test: NodeTest) -> Floats:
    """The numbers that a test on a number compares with, ascending."""
    return test.edges if np.isnan(test.threshold) else np.array([test.threshold])


def child_of_intervals(test: NodeTest) -> Int32s:
    """The child of every interval between the edges, or category; the node itself where the row stays."""
    branches = test.branch_of_code if np.isnan(test.threshold) else np.array([0, 1])
    return np.array([test.children[branch] if branch >= 0 else test.node for branch in branches], dtype=np.int32)


def child_of_codes(test: NodeTest, layout: ColumnLayout) -> Int32s:
    """The child of every fine code or category, [n_codes]."""
    children = np.append(child_of_intervals(test), np.int32(UNDECIDED))
    return children[interval_of_codes(layout, edges_of(test))] if layout.is_numeric else children[: layout.n_codes]


@dataclass(frozen=True, eq=False)
class RoutingTables:
    """Some tests as the loop `follow` reads them; `columns` are theirs, each once."""

    by_node: dict[int, NodeTest]
    columns: list[int]
    tests: Int32s
    following: Int32s
    n_passes: int
    """How many of the tests a row may have to take, one after another."""


def tables_of(tests: Sequence[NodeTest], layouts: Sequence[ColumnLayout], n_nodes: int) -> RoutingTables:
    """The tables of some tests, whose nodes and children have ids below `n_nodes`; parents are first."""
    columns = sorted({test.column for test in tests})
    stays = np.arange(-1, n_nodes, dtype=np.int32)
    rows = np.stack([*np.tile([[BY_RANK], [0], [NO_CODE], [NO_CODE], [-1]], n_nodes + 1), stays + 1], axis=1)
    following, filled, taken = [stays], len(stays), dict[int, int]()
    for test in tests:
        layout, column = layouts[test.column], columns.index(test.column)
        missing = test.children[test.missing_branch] if test.missing_branch >= 0 else test.node
        if np.isnan(test.threshold):
            rows[test.node + 1] = BY_TABLE, column, 0, 0, 0, filled
            following.append(np.append(child_of_codes(test, layout), np.int32(missing)))
        else:
            rows[test.node + 1] = BY_RANK, column, *undecided_codes(layout, test.threshold), layout.n_codes, filled
            following.append(np.array([test.children[0], UNDECIDED, test.children[1], missing], np.int32))
        filled += len(following[-1])
        taken |= dict.fromkeys(test.children, taken.get(test.node, 0) + 1)
    n_passes = max(taken.values(), default=0)
    return RoutingTables(
        {test.node: test for test in tests}, columns, rows.astype(np.int32), np.concatenate(following), n_passes
    )
