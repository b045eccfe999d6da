"""The record of the nodes of a plain table: room for it, and what is written down of each node."""

from __future__ import annotations

import numpy as np

from explorer.growing.engine.node_tables import (
    CHILDREN,
    FEATURE,
    FIRST_CHILD,
    HIGH,
    LOW,
    MISSING_BRANCH,
    N_INTS,
    STOP,
    WHOLE_WEIGHT,
    Tables,
)
from explorer.growing.plain.partition import root_statistics
from explorer.growing.scans.buffers import FIRST, GAIN, SECOND, SPLIT_INFO
from explorer.growing.scans.counted import DRAWN
from explorer.jit import borrowing
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.parameters import SPLIT, GrowParameters, node_weight, stop_before_search
from explorer.scratch import scratch

MOST_ROOM = 1 << 24
"""Numbers for which there is room before a subtree is grown; tables that need more are copied into larger ones."""


def nodes_below(n_rows: int, n_features: int, parameters: GrowParameters, keep: bool) -> Tables:
    """Room for all nodes of a subtree of so many rows, if no branch is empty; what is never written takes no memory."""
    return nodes_for(min(2 * n_rows + 16, MOST_ROOM // (N_INTS + parameters.n_stats)), n_features, parameters, keep)


def nodes_for(most: int, n_features: int, parameters: GrowParameters, keep: bool) -> Tables:
    """Room for so many nodes, and for the evidence of one, if that is to be kept."""
    is_class = not parameters.regression
    return Tables(
        at=0,
        ints=scratch((most, N_INTS), np.int32),
        floats=scratch((0 if is_class else most, 2)),
        pairs=np.empty((0, 3), np.int32),
        evidence=np.full((int(keep), n_features, 4), np.nan),
        counts=scratch((most if is_class else 0, parameters.n_stats), np.int32),
        cuts=scratch((most if parameters.random_thresholds else 0, 1)),
    )


@borrowing
def read_statistics(parameters, nodes, node, stats):
    """The statistics of a node as the search reads them, into `stats` [K]."""
    if parameters.regression:
        stats[0] = nodes.ints[node, WHOLE_WEIGHT]
        stats[1], stats[2] = nodes.floats[node, 0], nodes.floats[node, 1]
    else:
        for k in range(stats.size):
            stats[k] = nodes.counts[node, k]


@borrowing
def write_statistics(parameters, nodes, node, stats):
    """The opposite of `read_statistics`."""
    nodes.ints[node, WHOLE_WEIGHT] = np.int32(node_weight(parameters, stats))
    if parameters.regression:
        nodes.floats[node, 0], nodes.floats[node, 1] = stats[1], stats[2]
    else:
        for k in range(stats.size):
            nodes.counts[node, k] = np.int32(stats[k])


@borrowing
def write_root(table, parameters, n_rows, nodes, stats):
    """Node 0 of a tree, with its statistics, which go into `stats` too. Returns why it is not split, or SPLIT."""
    is_pure = root_statistics(table, n_rows, stats)
    write_leaf(nodes, 0, SPLIT)
    write_statistics(parameters, nodes, 0, stats)
    nodes.ints[0, STOP] = stop_before_search(parameters, stats, is_pure, 0, table.tests.size)
    return nodes.ints[0, STOP]


@borrowing
def write_leaf(nodes, node, reason):
    """A node that tests nothing, for this reason or not yet."""
    ints = nodes.ints
    ints[node, FEATURE], ints[node, STOP], ints[node, FIRST_CHILD], ints[node, CHILDREN] = -1, reason, -1, 0
    ints[node, LOW], ints[node, HIGH], ints[node, MISSING_BRANCH] = -1, -1, -1
    if nodes.cuts.size:
        nodes.cuts[node, 0] = np.nan


@borrowing
def write_evidence(work, n_live, evidence):
    """Copy gain, split information and values of every live feature's best candidate into a node's rows [F, 4]."""
    for feature in range(evidence.shape[0]):
        evidence[feature, 1] = 0.0
    for j in range(n_live):
        row, result = evidence[work.live[j]], work.results[j]
        row[0], row[1], row[2], row[3] = result[GAIN], result[SPLIT_INFO], result[FIRST], result[SECOND]


@borrowing
def write_test(table, nodes, node, feature, children, n_pairs, n_new_pairs, result, plan):
    """What a node tests; `children` is (first child, branches, branch of missing values)."""
    ints, pairs, place, lines = nodes.ints, nodes.pairs, table.place[feature], table.lines
    ints[node, FEATURE] = feature
    ints[node, FIRST_CHILD], ints[node, CHILDREN], ints[node, MISSING_BRANCH] = children
    if table.tests[feature] == THRESHOLD:
        if nodes.cuts.size:
            nodes.cuts[node, 0] = result[DRAWN]
        else:
            ints[node, LOW], ints[node, HIGH] = np.int64(result[FIRST]), np.int64(result[SECOND])
    for i in range(n_new_pairs):
        pairs[n_pairs + i, 0] = node
        pairs[n_pairs + i, 1], pairs[n_pairs + i, 2] = plan.pair_codes[i], plan.pair_branches[i]
        if lines.size and place >= 0:
            pairs[n_pairs + i, 1] = lines[plan.pair_codes[i], place]
