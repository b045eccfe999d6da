"""Turn the nodes of all jobs into the arrays of one tree, with breadth-first ids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.node_tables import TreeArrays
from explorer.growing.plain.partition import BY_MEDIAN
from explorer.growing.plain.subtree import (
    CHILDREN,
    FEATURE,
    FIRST_CHILD,
    HIGH,
    LOW,
    MISSING_BRANCH,
    STOP,
    WEIGHT,
    PlainNodes,
    read_statistics,
)
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.condition import threshold_after
from explorer.recipe.missing import median_goes_left
from explorer.recipe.parameters import GrowParameters, node_impurity
from explorer.threads import ROWS_OF_A_BLOCK, in_blocks, shared_pool


def join(upper: PlainNodes, places: list[int], jobs: list[PlainNodes]) -> PlainNodes:
    """All nodes in one table; row 0 of a job replaces the node of the upper table that it was grown from."""
    if len(upper.ints) == 1 and len(jobs) == 1:
        return jobs[0]
    parts, offset = [upper], len(upper.ints)
    for at, job in zip(places, jobs, strict=True):
        shift = offset - 1
        ints, pairs = job.ints, job.pairs
        ints[:, FIRST_CHILD] += shift  # that of a leaf is not read
        pairs[:, 0] = np.where(pairs[:, 0] == 0, at, pairs[:, 0] + shift)
        upper.ints[at] = ints[0]
        if len(job.evidence):
            upper.evidence[at] = job.evidence[0]
        if len(job.cuts):
            upper.cuts[at] = job.cuts[0]
        parts.append(PlainNodes(ints[1:], job.moments[1:], job.counts[1:], pairs, job.evidence[1:], job.cuts[1:]))
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


class NodeColumns(NamedTuple):
    """What there is of every node, by breadth-first id; `stats` [n, K] as in `Tree`.

    `low` and `high` are rows of the values on both sides of a threshold, and codes once that is worked out.
    """

    child_count: NDArray[np.int32]
    feature: NDArray[np.int32]
    missing_branch: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    stop: NDArray[np.int8]
    weight: NDArray[np.float64]
    impurity: NDArray[np.float64]
    threshold: NDArray[np.float64]
    stats: NDArray[np.float64]


def _room_for(n: int, n_stats: int) -> NodeColumns:
    """Columns of `n` nodes, not yet filled."""
    (child_count, feature, missing_branch), (low, high) = np.empty((3, n), np.int32), np.empty((2, n), np.int32)
    weight, impurity, threshold = np.empty((3, n))
    stop, stats = np.empty(n, np.int8), np.empty((n, n_stats))
    return NodeColumns(child_count, feature, missing_branch, low, high, stop, weight, impurity, threshold, stats)


@borrowing
def fill_nodes(parameters, nodes, order, start, end, filled):
    """Put the nodes [start, end) of a breadth-first `order` in their place, with their impurities."""
    ints, stats = nodes.ints, filled.stats
    for i in range(start, end):
        node = order[i]
        filled.child_count[i], filled.feature[i] = ints[node, CHILDREN], ints[node, FEATURE]
        filled.low[i], filled.high[i] = ints[node, LOW], ints[node, HIGH]
        filled.missing_branch[i], filled.stop[i] = ints[node, MISSING_BRANCH], np.int8(ints[node, STOP])
        filled.weight[i] = float(ints[node, WEIGHT])
        filled.threshold[i] = nodes.cuts[node, 0] if nodes.cuts.size else np.nan
        read_statistics(parameters, nodes, node, stats[i])
        filled.impurity[i] = node_impurity(parameters, stats[i]) if ints[node, WEIGHT] > 0 else 0.0


@kernel
def fill_thresholds_of_nodes(values, codes, nodes, low, high, threshold_at, threshold):
    """The thresholds of nodes that test one feature; `codes` [n] turns rows into codes, and is empty for codes."""
    for node in nodes:
        if codes.size:
            low[node], high[node] = codes[low[node]], codes[high[node]]
        threshold[node] = threshold_after(values, low[node], high[node], threshold_at)


@kernel
def fill_tests_of_feature(
    index, values, codes, feature, first_child, threshold_at, low, high, weight, threshold, branch
):
    """The thresholds of the nodes that test the feature at this `index`, and their branches of missing values.

    That is the branch of the median of the rows, where it is to be that. `codes` as for `fill_thresholds_of_nodes`.
    """
    for node in range(feature.size):
        if feature[node] != index or not np.isnan(threshold[node]):  # another's, or drawn
            continue
        if codes.size:
            low[node], high[node] = codes[low[node]], codes[high[node]]
        below, above = values[low[node]], values[high[node]]
        threshold[node] = threshold_after(values, low[node], high[node], threshold_at)
        if branch[node] == BY_MEDIAN:
            left, right = weight[first_child[node]], weight[first_child[node] + 1]
            branch[node] = 0 if median_goes_left(left, right, below, above, threshold[node]) else 1


def node_arrays(
    nodes: PlainNodes, place: NDArray[np.int64], columns: list[TrainingColumn], parameters: GrowParameters
) -> TreeArrays:
    """The arrays of `Tree`, with entropies in bits; `evidence` [n, F, 3] has gain, split information and threshold.

    `place` [F] is that of `PlainTable`.
    """
    n = len(nodes.ints)
    order, parent, first_child, depth = (np.empty(n, np.int32) for _ in range(4))
    breadth_first(nodes.ints, order, parent, first_child, depth)
    filled = _room_for(n, parameters.n_stats)
    in_blocks(lambda start, end: fill_nodes(parameters, nodes, order, start, end, filled), n)
    _fill_tests(columns, place, parameters, first_child, filled)
    owner, code, branch = _pairs_in_order(nodes.pairs, order, filled.feature, place, columns)
    cat_offset = np.zeros(n + 1, np.int64)
    if len(owner):
        np.cumsum(np.bincount(owner, minlength=n), out=cat_offset[1:])
    return {
        "parent": parent,
        "first_child": first_child,
        "child_count": filled.child_count,
        "depth": depth,
        "feature": filled.feature,
        "threshold": filled.threshold,
        "cat_offset": cat_offset,
        "cat_code": code,
        "cat_branch": branch,
        "missing_branch": filled.missing_branch,
        "weight": filled.weight,
        "impurity": filled.impurity,
        "missing_weight": np.zeros(n),
        "stats": filled.stats,
        "stop": filled.stop,
        "is_pruned": np.zeros(n, dtype=bool),
        "surrogates": None,
        "evidence": _evidence(nodes.evidence, order, columns, place, parameters) if len(nodes.evidence) else None,
    }


def _rows_to_codes(column: TrainingColumn, place: int) -> NDArray[np.int32]:
    """The codes of the rows [n] of a sorted column; empty for a counted one, whose nodes have codes already."""
    return column.codes if place >= 0 else column.codes[:0]


def _fill_tests(
    columns: list[TrainingColumn],
    place: NDArray[np.int64],
    parameters: GrowParameters,
    first_child: NDArray[np.int32],
    filled: NodeColumns,
) -> None:
    """Thresholds, and where missing values go at them, feature by feature."""

    def fill_one(index: int) -> None:
        column = columns[index]
        fill_tests_of_feature(
            index, np.asarray(column.listed), _rows_to_codes(column, place[index]), filled.feature, first_child,
            parameters.threshold_at, filled.low, filled.high, filled.weight, filled.threshold, filled.missing_branch,
        )  # fmt: skip

    is_tested = np.bincount(filled.feature + 1, minlength=len(columns) + 1)[1:] > 0
    tested = [f for f in np.flatnonzero(is_tested).tolist() if columns[f].test == THRESHOLD]
    list((shared_pool().map if len(first_child) > ROWS_OF_A_BLOCK else map)(fill_one, tested))


def _pairs_in_order(
    pairs: NDArray[np.int32],
    order: NDArray[np.int32],
    feature: NDArray[np.int32],
    place: NDArray[np.int64],
    columns: list[TrainingColumn],
) -> tuple[NDArray[np.int32], ...]:
    """Node, code and branch of every pair, by breadth-first id; `feature` [n] is what every node tests."""
    if not len(pairs):
        return tuple(pairs.T)
    new_id = np.empty(len(order), np.int32)
    new_id[order] = np.arange(len(order), dtype=np.int32)
    owner = new_id[pairs[:, 0]]
    by_owner = np.argsort(owner, kind="stable")
    owner, code, branch = owner[by_owner], pairs[by_owner, 1], pairs[by_owner, 2]
    tested = feature[owner]
    for index in np.unique(tested).tolist():
        if place[index] >= 0:
            own = tested == index
            code[own] = columns[index].codes[code[own]]
    return owner, code, branch


def _evidence(
    evidence: NDArray[np.float64],
    order: NDArray[np.int32],
    columns: list[TrainingColumn],
    place: NDArray[np.int64],
    parameters: GrowParameters,
) -> NDArray[np.float64]:
    """Gain, split information and threshold of every feature's best candidate, by breadth-first id, [n, F, 3]."""
    best = np.full((len(order), len(columns), 3), np.nan)
    best[:, :, :2] = evidence[order, :, :2]
    for index, column in enumerate(columns):
        if column.test != THRESHOLD:
            continue
        nodes = np.flatnonzero(~np.isnan(best[:, index, 0]))
        low, high = (np.nan_to_num(evidence[order, index, k], nan=-1.0).astype(np.int32) for k in (2, 3))
        threshold, codes = np.full(len(order), np.nan), _rows_to_codes(column, place[index])
        fill_thresholds_of_nodes(np.asarray(column.listed), codes, nodes, low, high, parameters.threshold_at, threshold)
        best[:, index, 2] = threshold
    return best
