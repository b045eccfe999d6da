"""The rows of a connected table, grouped by the node where they end and their class, as a small weighted Dataset.

A node of a tree is a set of values for each column, so a row made of values that lead to an end takes the same decision
path as the rows that end there, in the grown tree and in every pruned subtree. With the counts of a group as its weight
it stands for them in every sum over rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import plural
from explorer.sources.counting import EndGroups, Floats, Ints, RowBlock
from explorer.sources.routing import Routing
from explorer.sources.rows_in_memory import dataset_of
from explorer.sources.source import Source
from explorer.tree.routing import plan_for, route
from explorer.tree.source_routing import astray, routing_of
from explorer.tree.tree import Tree

MOST_TESTS = 2_000
"""A tree with more tests is not written as one query: its lower part is walked in memory."""
UPPER_TESTS = 100
"""So many tests are the upper part then: more take longer to evaluate than the rows to fetch."""
ROWS_AT_ONCE = 1_000_000
"""About how many rows are fetched together."""


def as_rows(tree: Tree, data: Dataset | Source) -> Dataset:
    """The rows themselves, or a connected table as the groups of `grouped_rows`."""
    return data if isinstance(data, Dataset) else grouped_rows(tree, data)


def grouped_rows(tree: Tree, source: Source) -> Dataset:
    """The rows of a source as one weighted row per end of the grown tree and class.

    For a numeric target an end has two rows, one standard deviation below and above its mean, of half the weight each:
    that keeps the weight, the mean, and the sum of squared errors of any prediction, but no absolute errors. `n_rows`
    counts groups; `source.n_rows` counts rows. The groups of the last tree are kept with the source. Raises InputError
    where the tree sends a row down several branches, or by a surrogate split.
    """
    known = _LAST.get(source)
    key = tree.features, tree.feature, tree.threshold, tree.cat_code, tree.cat_branch, tree.missing_branch, tree.recipe
    if known is not None and all(map(_is_same, known[0], key)):
        return known[1]
    grown = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool))
    groups = _ends(grown, source)
    _refuse_astray(tree, source, groups)
    rows = _weighted_rows(source, groups)
    _LAST[source] = key, rows
    return rows


def all_rows(source: Source) -> Dataset:
    """The rows of a source as one group: what is known of the target without any tree."""
    return _weighted_rows(source, source.engine.ends(source.routing))


_LAST: WeakKeyDictionary[Source, tuple[tuple[Any, ...], Dataset]] = WeakKeyDictionary()
"""The last tree of every source, as its arrays, and the groups of rows."""


def _is_same(first: Any, second: Any) -> bool:
    return first is second


def _weighted_rows(source: Source, groups: EndGroups) -> Dataset:
    """The groups as weighted rows."""
    if source.is_regression:
        group, y, weights = _two_per_end(groups.counts, source.layout.centre)
    else:
        group, code = np.nonzero(groups.counts)
        y, weights = code.astype(np.int32), groups.counts[group, code]
    example = tuple(cells[group] for cells in groups.example)
    return dataset_of(source.layout, RowBlock(example, y, weights))


def _two_per_end(counts: Floats, centre: float) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Group, target and weight of two rows with the weight, mean and sum of squares of every group."""
    weight, mean = counts[:, 0], counts[:, 1] / counts[:, 0]
    deviation = np.sqrt(np.maximum(counts[:, 2] / weight - mean**2, 0.0))
    y = centre + np.concatenate([mean - deviation, mean + deviation])
    return np.tile(np.arange(len(counts)), 2), y, np.tile(weight / 2, 2)


def _refuse_astray(tree: Tree, source: Source, groups: EndGroups) -> None:
    """InputError for rows that no single branch takes, naming the field of the recipe that says where they go."""
    lost = np.flatnonzero(groups.node >= tree.n_nodes_grown)
    if not lost.size:
        return
    group = int(lost[np.argmax(groups.n_rows[lost])])
    node = int(groups.node[group]) - tree.n_nodes_grown
    name = tree.features[tree.feature[node]].name
    column = [feature.name for feature in source.features].index(name)
    cell, n_rows = groups.example[column][group], int(groups.n_rows[group])
    feature = source.features[column]
    is_missing = np.isnan(cell) if feature.kind == "numeric" else cell == feature.n_values
    if is_missing:
        raise InputError(
            plural(
                n_rows,
                "{n:,} row at node {node} has no value of '{column}', and missing='{policy}' sends it where counts "
                "alone do not tell: use rows in memory, such as source.sample(100_000), or grow with "
                "missing='most_common'.",
                "{n:,} rows at node {node} have no value of '{column}', and missing='{policy}' sends them where counts "
                "alone do not tell: use rows in memory, such as source.sample(100_000), or grow with "
                "missing='most_common'.",
                node=node,
                column=name,
                policy=tree.recipe.missing,
            )
        )
    raise InputError(
        plural(
            n_rows,
            "{n:,} row at node {node} has a value of '{column}' without a branch, and unseen='{policy}' sends it down "
            "every branch: use rows in memory, such as source.sample(100_000), or grow with unseen='heaviest'.",
            "{n:,} rows at node {node} have a value of '{column}' without a branch, and unseen='{policy}' sends them "
            "down every branch: use rows in memory, such as source.sample(100_000), or grow with unseen='heaviest'.",
            node=node,
            column=name,
            policy=tree.recipe.unseen,
        )
    )


def _ends(grown: Tree, source: Source) -> EndGroups:
    """All rows by the node where they end; of a large tree only the upper part is counted by the engine."""
    routing = routing_of(grown, source)
    if len(routing.tests) <= MOST_TESTS:
        return source.engine.ends(routing)
    upper = _upper_part(grown, routing)
    groups = source.engine.ends(upper)
    goes_on = np.isin(groups.node, [test.node for test in routing.tests])
    goes_on &= ~np.isin(groups.node, [test.node for test in upper.tests])
    parts = [_taken(groups, ~goes_on)]
    for nodes in _batches(_taken(groups, goes_on)):
        parts += [_ends_of_block(grown, source, block) for block in source.engine.rows(upper, nodes).values()]
    return _joined(parts)


def _upper_part(grown: Tree, routing: Routing) -> Routing:
    """The tests at the nodes with most training weight: each of them below another one that is among them."""
    nodes = np.array([test.node for test in routing.tests])
    heaviest = np.lexsort((nodes, -grown.weight[nodes]))[:UPPER_TESTS]
    return replace(routing, tests=tuple(routing.tests[position] for position in np.sort(heaviest)))


def _batches(groups: EndGroups) -> Iterator[list[int]]:
    """The nodes of the groups, those with `ROWS_AT_ONCE` rows together."""
    batch = np.array(list(accumulate(groups.n_rows.tolist()))) // ROWS_AT_ONCE
    for which in np.unique(batch):
        yield groups.node[batch == which].tolist()


def _ends_of_block(grown: Tree, source: Source, block: RowBlock) -> EndGroups:
    """Rows in memory by the node where they end; one whose path divides ends astray."""
    frame, plan = plan_for(grown, dataset_of(source.layout, block))
    stops = route(plan, len(frame))
    stops = np.where(stops < 0, astray(grown, -1 - stops), stops)
    node, first, group, n_rows = np.unique(stops, return_index=True, return_inverse=True, return_counts=True)
    contributions = _contributions(source, block)
    sums = [np.bincount(group, column, minlength=len(node)) for column in contributions.T]
    return EndGroups(node, np.column_stack(sums), n_rows, tuple(cells[first] for cells in block.columns))


def _contributions(source: Source, block: RowBlock) -> Floats:
    """What every row of a block adds to counts, [n, K]."""
    weights = np.ones(len(block.y)) if block.weights is None else block.weights
    if not source.is_regression:
        return weights[:, None] * np.eye(len(source.classes))[block.y.astype(np.intp)]
    deviation = block.y - source.layout.centre
    return np.stack([weights, weights * deviation, weights * deviation**2], axis=1)


def _taken(groups: EndGroups, which: NDArray[np.bool_]) -> EndGroups:
    return EndGroups(
        groups.node[which],
        groups.counts[which],
        groups.n_rows[which],
        tuple(cells[which] for cells in groups.example),
    )


def _joined(parts: list[EndGroups]) -> EndGroups:
    """Groups of different nodes, one after the other."""
    node: Ints = np.concatenate([part.node for part in parts])
    counts: Floats = np.concatenate([part.counts for part in parts])
    n_rows: Ints = np.concatenate([part.n_rows for part in parts])
    columns = zip(*(part.example for part in parts), strict=True)
    return EndGroups(node, counts, n_rows, tuple(np.concatenate(cells) for cells in columns))
