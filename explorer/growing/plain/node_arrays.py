"""Turn the nodes of all jobs into the arrays of one tree, with breadth-first ids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.node_tables import (
    CHILDREN,
    FEATURE,
    HIGH,
    LOW,
    MISSING_BRANCH,
    STOP,
    WHOLE_WEIGHT,
    Tables,
    TreeArrays,
    arrays_in_order,
    join,
    order_of,
)
from explorer.growing.plain.node_record import read_statistics
from explorer.growing.plain.partition import BY_MEDIAN
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.condition import threshold_after
from explorer.recipe.missing import median_goes_left
from explorer.recipe.parameters import GrowParameters, node_impurity
from explorer.threads import ROWS_OF_A_BLOCK, in_blocks, shared_pool


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
        filled.weight[i] = float(ints[node, WHOLE_WEIGHT])
        filled.threshold[i] = nodes.cuts[node, 0] if nodes.cuts.size else np.nan
        read_statistics(parameters, nodes, node, stats[i])
        filled.impurity[i] = node_impurity(parameters, stats[i]) if ints[node, WHOLE_WEIGHT] > 0 else 0.0


@kernel
def fill_thresholds_of_nodes(values, codes, nodes, low, high, threshold_at, threshold):
    """The thresholds of nodes that test one feature; `codes` [n] turns rows into codes, and is empty for codes."""
    for node in nodes:
        if codes.size:
            low[node], high[node] = codes[low[node]], codes[high[node]]
        threshold[node] = threshold_after(values, low[node], high[node], threshold_at)


@kernel
def fill_tests_of_nodes(values, codes, nodes, first_child, threshold_at, low, high, weight, threshold, branch):
    """The thresholds of nodes that test one feature, and their branches of missing values.

    That is the branch of the median of the rows, where it is to be that. `codes` as for `fill_thresholds_of_nodes`.
    """
    for node in nodes:
        if codes.size:
            low[node], high[node] = codes[low[node]], codes[high[node]]
        below, above = values[low[node]], values[high[node]]
        threshold[node] = threshold_after(values, low[node], high[node], threshold_at)
        if branch[node] == BY_MEDIAN:
            left, right = weight[first_child[node]], weight[first_child[node] + 1]
            branch[node] = 0 if median_goes_left(left, right, below, above, threshold[node]) else 1


def node_arrays(
    jobs: list[Tables], place: NDArray[np.int64], columns: list[TrainingColumn], parameters: GrowParameters
) -> TreeArrays:
    """The arrays of `Tree`, with entropies in bits; `evidence` [n, F, 3] has gain, split information and threshold.

    `place` [F] is that of `PlainTable`.
    """
    nodes = join(jobs)
    jobs.clear()  # what one step made is given back before the next needs memory
    order, n = order_of(nodes.ints), len(nodes.ints)
    filled = _room_for(n, parameters.n_stats)
    in_blocks(lambda start, end: fill_nodes(parameters, nodes, order.nodes, start, end, filled), n)
    if not nodes.cuts.size:  # otherwise thresholds are drawn
        _fill_tests(columns, place, parameters, order.first_child, filled)
    pairs = _pairs_with_codes(nodes, place, columns)
    evidence = _evidence(nodes.evidence, order.nodes, columns, place, parameters) if len(nodes.evidence) else None
    of_nodes = {name: column for name, column in filled._asdict().items() if name not in ("low", "high")}
    return arrays_in_order(nodes, order, pairs, evidence, missing_weight=np.zeros(n), **of_nodes)


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
        fill_tests_of_nodes(
            np.asarray(column.listed), _rows_to_codes(column, place[index]), np.flatnonzero(filled.feature == index),
            first_child, parameters.threshold_at, filled.low, filled.high, filled.weight, filled.threshold,
            filled.missing_branch,
        )  # fmt: skip

    is_tested = np.bincount(filled.feature + 1, minlength=len(columns) + 1)[1:] > 0
    tested = [f for f in np.flatnonzero(is_tested).tolist() if columns[f].test == THRESHOLD]
    list((shared_pool().map if len(first_child) > ROWS_OF_A_BLOCK else map)(fill_one, tested))


def _pairs_with_codes(nodes: Tables, place: NDArray[np.int64], columns: list[TrainingColumn]) -> NDArray[np.int32]:
    """The pairs, with codes in place of rows of sorted columns."""
    pairs = nodes.pairs
    tested = nodes.ints[pairs[:, 0], FEATURE]
    for index in np.unique(tested).tolist():
        if place[index] >= 0:
            own = tested == index
            pairs[own, 1] = columns[index].codes[pairs[own, 1]]
    return pairs


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
