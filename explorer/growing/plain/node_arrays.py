"""Turn the nodes of all jobs into the arrays of one tree, with breadth-first ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.node_tables import TreeArrays
from explorer.growing.plain.subtree import (
    CHILDREN,
    FEATURE,
    FIRST_CHILD,
    HIGH,
    LOW,
    MISSING_BRANCH,
    N_ROWS,
    STOP,
    PlainNodes,
)
from explorer.growing.plain.table import PlainTable
from explorer.jit import kernel
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.condition import threshold_after
from explorer.recipe.missing import median_goes_left
from explorer.recipe.parameters import GrowParameters, node_impurity

BY_MEDIAN = -2
"""In place of a branch for missing values: that of the median of the rows at a threshold."""


def join(upper: PlainNodes, jobs: list[tuple[int, PlainNodes]]) -> PlainNodes:
    """All nodes in one table; row 0 of a job replaces the node of the upper table that it was grown from."""
    if len(upper.ints) == 1 and len(jobs) == 1:
        return jobs[0][1]
    parts, offset = [upper], len(upper.ints)
    for at, job in jobs:
        shift = offset - 1
        ints = job.ints
        has_children = ints[:, CHILDREN] > 0
        ints[has_children, FIRST_CHILD] += shift
        pairs = job.pairs
        pairs[:, 0] = np.where(pairs[:, 0] == 0, at, pairs[:, 0] + shift)
        upper.ints[at] = ints[0]
        if len(job.evidence):
            upper.evidence[at] = job.evidence[0]
        parts.append(PlainNodes(ints[1:], job.moments[1:], job.counts[1:], pairs, job.evidence[1:]))
        offset += len(ints) - 1
    return PlainNodes(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


@kernel
def breadth_first(ints, order, parent, first_child, depth):
    """Order of the nodes by depth, parent and branch, and for each in that order its parent, first child and depth."""
    order[0], parent[0], depth[0] = 0, -1, 0
    filled = 1
    for i in range(ints.shape[0]):
        node = order[i]
        n_children = ints[node, CHILDREN]
        first_child[i] = filled if n_children else -1
        for j in range(n_children):
            order[filled] = ints[node, FIRST_CHILD] + j
            parent[filled], depth[filled] = i, depth[i] + 1
            filled += 1


@kernel
def fill_impurities(parameters, stats, weight, impurity):
    """The impurity of every node from its statistics [n, K], 0 where it has no rows."""
    for node in range(weight.size):
        impurity[node] = node_impurity(parameters, stats[node]) if weight[node] > 0.0 else 0.0


@kernel
def fill_thresholds_of_nodes(values, codes, nodes, low, high, threshold_at, threshold):
    """The thresholds of nodes that test one feature; `codes` [n] turns rows into codes, empty if they are codes."""
    for node in nodes:
        below, above = low[node], high[node]
        if codes.size:
            below, above = codes[below], codes[above]
        low[node], high[node] = below, above
        threshold[node] = threshold_after(values, below, above, threshold_at)


@kernel
def fill_branches_of_median(values, nodes, low, high, first_child, weight, threshold, missing_branch):
    """The branch of missing values at these thresholds: that of the median of the rows."""
    for node in nodes:
        left, right = weight[first_child[node]], weight[first_child[node] + 1]
        below, above = values[low[node]], values[high[node]]
        missing_branch[node] = 0 if median_goes_left(left, right, below, above, threshold[node]) else 1


def node_arrays(
    nodes: PlainNodes, table: PlainTable, columns: list[TrainingColumn], parameters: GrowParameters
) -> TreeArrays:
    """The arrays of `Tree`, with entropies in bits; `evidence` [n, F, 3] has gain, split information and threshold."""
    n = len(nodes.ints)
    order, parent, first_child, depth = (np.empty(n, np.int32) for _ in range(4))
    breadth_first(nodes.ints, order, parent, first_child, depth)
    ints = nodes.ints
    child_count, feature, missing_branch = (ints[order, k] for k in (CHILDREN, FEATURE, MISSING_BRANCH))
    low, high, stop = ints[order, LOW], ints[order, HIGH], ints[order, STOP].astype(np.int8)
    weight = ints[order, N_ROWS].astype(np.float64)
    if parameters.regression:
        stats = np.empty((n, 3))
        stats[:, 0], stats[:, 1:] = weight, nodes.moments[order]
    else:
        stats = nodes.counts[order].astype(np.float64)
    impurity, threshold = np.empty(n), np.full(n, np.nan)
    fill_impurities(parameters, stats, weight, impurity)
    _fill_tests(table, columns, parameters, feature, low, high, first_child, weight, threshold, missing_branch)
    pairs = _pairs_in_order(nodes.pairs, order, feature, table, columns)
    return {
        "parent": parent,
        "first_child": first_child,
        "child_count": child_count,
        "depth": depth,
        "feature": feature,
        "threshold": threshold,
        "cat_offset": np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=n))]).astype(np.int64),
        "cat_code": np.ascontiguousarray(pairs[:, 1]),
        "cat_branch": np.ascontiguousarray(pairs[:, 2]),
        "missing_branch": missing_branch,
        "weight": weight,
        "impurity": impurity,
        "missing_weight": np.zeros(n),
        "stats": stats,
        "stop": stop,
        "is_pruned": np.zeros(n, dtype=bool),
        "surrogates": None,
        "evidence": _evidence(nodes.evidence, order, table, columns, parameters) if len(nodes.evidence) else None,
    }


def _fill_tests(
    table: PlainTable,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
    feature: NDArray[np.int32],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    first_child: NDArray[np.int32],
    weight: NDArray[np.float64],
    threshold: NDArray[np.float64],
    missing_branch: NDArray[np.int32],
) -> None:
    """Thresholds, and where missing values go at them, feature by feature."""
    for index in np.unique(feature[feature >= 0]).tolist():
        if table.tests[index] != THRESHOLD:
            continue
        column, nodes = columns[index], np.flatnonzero(feature == index)
        codes = column.codes if table.place[index] >= 0 else column.codes[:0]
        fill_thresholds_of_nodes(column.values, codes, nodes, low, high, parameters.threshold_at, threshold)
        by_median = nodes[missing_branch[nodes] == BY_MEDIAN]
        fill_branches_of_median(column.values, by_median, low, high, first_child, weight, threshold, missing_branch)


def _pairs_in_order(
    pairs: NDArray[np.int32],
    order: NDArray[np.int32],
    feature: NDArray[np.int32],
    table: PlainTable,
    columns: list[TrainingColumn],
) -> NDArray[np.int32]:
    """(node, code, branch) by breadth-first id; `feature` [n] is what every node tests."""
    if not len(pairs):
        return pairs
    new_id = np.empty(len(order), np.int32)
    new_id[order] = np.arange(len(order), dtype=np.int32)
    owner = new_id[pairs[:, 0]]
    by_owner = np.argsort(owner, kind="stable")
    pairs = np.column_stack([owner[by_owner], pairs[by_owner, 1:]])
    tested = feature[pairs[:, 0]]
    for index in np.unique(tested).tolist():
        if table.place[index] >= 0:
            own = tested == index
            pairs[own, 1] = columns[index].codes[pairs[own, 1]]
    return pairs


def _evidence(
    evidence: NDArray[np.float64],
    order: NDArray[np.int32],
    table: PlainTable,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
) -> NDArray[np.float64]:
    """Gain, split information and threshold of every feature's best candidate, by breadth-first id, [n, F, 3]."""
    best = np.full((len(order), len(columns), 3), np.nan)
    best[:, :, :2] = evidence[order, :, :2]
    for index, column in enumerate(columns):
        if table.tests[index] != THRESHOLD:
            continue
        nodes = np.flatnonzero(~np.isnan(best[:, index, 0]))
        low, high = (np.nan_to_num(evidence[order, index, k], nan=-1.0).astype(np.int32) for k in (2, 3))
        threshold = np.full(len(order), np.nan)
        codes = column.codes if table.place[index] >= 0 else column.codes[:0]
        fill_thresholds_of_nodes(column.values, codes, nodes, low, high, parameters.threshold_at, threshold)
        best[:, index, 2] = threshold
    return best
