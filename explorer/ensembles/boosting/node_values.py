"""Sums and quantiles of numbers per row, for every node of a tree at once (DEFINITIONS section 21).

Boosting finds the value of each leaf from the rows that end in it. Inner nodes get theirs too: a row with a missing
value may stop there, and a member can be pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.tree.node_loops import added_up
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
REACHED = 1e-12
"""Sums of weights that differ by less than this share of the total are equal."""


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Where rows end in a tree: entry i is `parts[i]` of row `rows[i]` at node `nodes[i]`."""

    tree: Tree
    n_rows: int
    rows: Ids
    nodes: Ids
    parts: Floats

    @classmethod
    def of(cls, tree: Tree, data: Dataset) -> NodeRows:
        """The ends of all rows of `data`; a row with a missing value may have several."""
        routes = routes_of(tree, data)
        if not len(routes.rows):
            return cls(tree, data.n_rows, np.arange(data.n_rows), routes.stops, np.ones(data.n_rows))
        return cls(tree, data.n_rows, *routes.all_parts())

    def only(self, rows: NDArray[np.bool_]) -> NodeRows:
        """The ends of the rows in a mask [n]; rows keep their numbers."""
        chosen = rows[self.rows]
        return NodeRows(self.tree, self.n_rows, self.rows[chosen], self.nodes[chosen], self.parts[chosen])

    def answers(self, values: Floats) -> Floats:
        """The value of each row's end, [n]; several ends are averaged by their parts."""
        if len(self.rows) == self.n_rows:
            return values[self.nodes]
        parts: Floats = self.parts * values[self.nodes]
        return np.asarray(np.bincount(self.rows, weights=parts, minlength=self.n_rows), dtype=np.float64)

    def levels(self) -> Iterator[tuple[NDArray[np.bool_], Ids]]:
        """From the deepest level up: which entries pass it, and at which of its nodes each entry is."""
        nodes = self.nodes.copy()
        for depth in range(int(self.tree.depth[-1]), -1, -1):
            passing = self.tree.depth[nodes] == depth
            yield passing, nodes
            if depth:
                nodes[passing] = self.tree.parent[nodes[passing]]

    def parts_at(self, node: int) -> Floats:
        """The part of every row that passes a node, [n]: 0 or 1, and between them for rows with several ends."""
        at_depth = int(self.tree.depth[-1]) - int(self.tree.depth[node])
        passing, nodes = next(islice(self.levels(), at_depth, None))
        inside = passing & (nodes == node)
        parts = np.bincount(self.rows[inside], weights=self.parts[inside], minlength=self.n_rows)
        return np.asarray(parts, dtype=np.float64)

    def means_by_node(self, value: Callable[[Ids, Ids], Floats], weights: Floats) -> Floats:
        """Weighted mean in every node, [nodes], of weight · number that `value(nodes, rows)` gives."""
        sums, totals = np.zeros(self.tree.n_nodes_grown), np.zeros(self.tree.n_nodes_grown)
        for passing, nodes in self.levels():
            at, rows, parts = nodes[passing], self.rows[passing], self.parts[passing]
            sums += np.bincount(at, weights=parts * value(at, rows), minlength=len(sums))
            totals += np.bincount(at, weights=parts * weights[rows], minlength=len(sums))
        return with_parents(self.tree, np.divide(sums, totals, out=np.full_like(sums, np.nan), where=totals > 0))


def with_parents(tree: Tree, values: Floats) -> Floats:
    """The values [nodes] with those of nodes without rows (nan) replaced by their parents'."""
    for node in np.flatnonzero(np.isnan(values)).tolist():  # ids ascend from the root
        values[node] = values[tree.parent[node]]
    return values


def sums_by_node(ends: NodeRows, values: Floats) -> Floats:
    """Sum of numbers [n] over the rows that end in or below every node, [nodes]."""
    entries = values if len(ends.rows) == len(values) else values[ends.rows] * ends.parts
    sums = np.asarray(np.bincount(ends.nodes, weights=entries, minlength=ends.tree.n_nodes_grown), dtype=np.float64)
    return added_up(ends.tree.parent, ends.tree.levels, sums)


def quantiles_by_node(ends: NodeRows, values: Floats, weights: Floats, share: float, rule: str) -> Floats:
    """Weighted quantile of numbers [n] over the rows of every node, [nodes]; see `quantile`."""
    quantiles = np.full(ends.tree.n_nodes_grown, np.nan)
    order = np.argsort(values[ends.rows], kind="stable")
    for passing, nodes in ends.levels():
        entries = order[passing[order]]
        entries = entries[np.argsort(nodes[entries], kind="stable")]
        rows = ends.rows[entries]
        found, numbers = quantiles_of_groups(
            nodes[entries], values[rows], weights[rows] * ends.parts[entries], share, rule
        )
        quantiles[found] = numbers
    return with_parents(ends.tree, quantiles)


def quantiles_of_groups(groups: Ids, values: Floats, weights: Floats, share: float, rule: str) -> tuple[Ids, Floats]:
    """The groups there are, and the weighted quantile of each: entries ascend by group, then by value."""
    if not len(groups):
        return groups, values
    first = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    sizes = np.diff(first, append=len(groups))
    before = np.cumsum(weights)
    totals = np.add.reduceat(weights, first)
    within = before - np.repeat(before[first] - weights[first], sizes)
    short_of = within < np.repeat((share - REACHED) * totals, sizes)
    at = first + np.minimum(np.add.reduceat(short_of.astype(np.int64), first), sizes - 1)
    quantiles = values[at]
    if rule == "midpoint":
        splits = (np.abs(within[at] - share * totals) <= REACHED * totals) & (at + 1 < first + sizes)
        quantiles[splits] = 0.5 * (quantiles[splits] + values[at[splits] + 1])
    return groups[first], quantiles


def quantile(values: Floats, weights: Floats, share: float, rule: str = "midpoint") -> float:
    """The number below which `share` of the weight lies: the first at which the sum of weights reaches that share.

    Where the sum is exact there, rule "midpoint" takes the middle to the next number, "lower" the number itself.

    >>> rows = np.array([1.0, 2.0, 4.0, 9.0])
    >>> quantile(rows, np.ones(4), 0.5), quantile(rows, np.ones(4), 0.5, "lower")
    (3.0, 2.0)
    """
    order = np.argsort(values, kind="stable")
    order = order[weights[order] > 0]
    one_group = np.zeros(len(order), dtype=np.int64)
    return float(quantiles_of_groups(one_group, values[order], weights[order], share, rule)[1][0])
