"""What is written down of the nodes of a subtree while it grows: `node_tables` makes one tree of all jobs."""

import numpy as np

from explorer.candidates.quantile_loss import has_quantiles
from explorer.growing.engine.best_split import CONSUMED
from explorer.growing.engine.node_tables import (
    CHILDREN,
    CUT,
    FEATURE,
    FIRST_CHILD,
    IMPURITY,
    LEVEL,
    MISSING_BRANCH,
    MISSING_WEIGHT,
    PARENT,
    STATS,
    STOP,
    WEIGHT,
    SurrogateTables,
    Tables,
)
from explorer.growing.scans.branch_gains import node_statistics
from explorer.growing.scans.problem import segment_of
from explorer.growing.scans.ranked_rows import put_quantile
from explorer.jit import borrowing, inner
from explorer.recipe.feature_constraints import slack_of
from explorer.recipe.parameters import EMPTY, SPLIT, node_impurity, node_weight, stop_before_search


@inner
def with_capacity(table, n_rows):
    """The table, copied into twice the room if it cannot hold `n_rows` rows."""
    if n_rows <= table.shape[0]:
        return table
    wider = np.zeros((max(n_rows, 2 * table.shape[0]), table.shape[1]), dtype=table.dtype)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            wider[i, j] = table[i, j]
    return wider


@inner
def evidence_with_capacity(table, n_rows):
    """As `with_capacity`, for the evidence [n, F, 3 or 4], nan where a feature has no candidate."""
    if n_rows <= table.shape[0]:
        return table
    wider = np.full((max(n_rows, 2 * table.shape[0]), table.shape[1], table.shape[2]), np.nan)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            for k in range(table.shape[2]):
                wider[i, j, k] = table[i, j, k]
    return wider


@inner
def with_room(nodes, n_nodes, n_pairs, n_surrogates, n_surrogate_pairs):
    """The tables with room for so many nodes, pairs, surrogates, and pairs of these."""
    surrogates = nodes.surrogates
    return Tables(
        nodes.at,
        with_capacity(nodes.ints, n_nodes),
        with_capacity(nodes.floats, n_nodes if nodes.floats.shape[0] else 0),
        with_capacity(nodes.pairs, n_pairs),
        evidence_with_capacity(nodes.evidence, n_nodes if nodes.evidence.shape[0] else 0),
        SurrogateTables(
            with_capacity(surrogates.ints, n_surrogates),
            with_capacity(surrogates.floats, n_surrogates),
            with_capacity(surrogates.pairs, n_surrogate_pairs),
        ),
        with_capacity(nodes.counts, n_nodes if nodes.counts.shape[0] else 0),
        with_capacity(nodes.cuts, n_nodes if nodes.cuts.shape[0] else 0),
    )


@borrowing
def write_split(nodes, split, first_child, missing_branch, cut, missing_weight):
    """Write down a node's test."""
    nodes.ints[split.node, FIRST_CHILD] = first_child
    nodes.ints[split.node, FEATURE], nodes.ints[split.node, CHILDREN] = split.feature, split.n_branches
    nodes.ints[split.node, MISSING_BRANCH] = missing_branch
    nodes.floats[split.node, CUT], nodes.floats[split.node, MISSING_WEIGHT] = cut, missing_weight


@borrowing
def write_node(parameters, nodes, node, parent, depth, stop, stats):
    """Write what is known of a node before its test is."""
    ints, floats = nodes.ints, nodes.floats
    ints[node, PARENT], ints[node, LEVEL], ints[node, STOP], ints[node, FIRST_CHILD] = parent, depth, stop, -1
    ints[node, FEATURE], ints[node, MISSING_BRANCH], ints[node, CHILDREN] = -1, -1, 0
    weight = node_weight(parameters, stats)
    floats[node, WEIGHT] = weight
    floats[node, IMPURITY] = node_impurity(parameters, stats) if weight > 0.0 else 0.0
    floats[node, CUT], floats[node, MISSING_WEIGHT] = np.nan, 0.0
    for k in range(stats.size):
        floats[node, STATS + k] = stats[k]


@borrowing
def find_bounds(problem, parameters, nodes, node, bounds):
    """Between which values the branches of a node must lie, by the monotone constraints above it, into `bounds`."""
    ints, floats = nodes.ints, nodes.floats
    bounds[0], bounds[1] = problem.bounds[0], problem.bounds[1]
    child, above = node, ints[node, PARENT]
    while above >= 0:
        sign, first = problem.monotone[ints[above, FEATURE]], ints[above, FIRST_CHILD]
        if sign != 0:
            middle = (
                constrained_value(parameters, floats, first) + constrained_value(parameters, floats, first + 1)
            ) / 2.0
            if (child == first) == (sign > 0):
                bounds[1] = min(bounds[1], middle)
            else:
                bounds[0] = max(bounds[0], middle)
        child, above = above, ints[above, PARENT]


@borrowing
def constrained_value(parameters, floats, node):
    """What monotone constraints compare of a node: its mean, or the share of the second class."""
    if parameters.regression:
        return floats[node, STATS + 1]
    return floats[node, STATS + 1] / (floats[node, STATS] + floats[node, STATS + 1])


@borrowing
def put_bounds(problem, parameters, nodes, node, stats, bounds):
    """Write a node's bounds as the scans compare them: less its mean, and with the slack that rounding needs."""
    find_bounds(problem, parameters, nodes, node, bounds)
    bounds[2] = slack_of(parameters, stats)
    if parameters.regression:
        bounds[0] -= stats[1]
        bounds[1] -= stats[1]


@borrowing
def exclude_features(problem, ints, node, feature, states):
    """Mark as CONSUMED what no set of interactions holds beside `feature` and those tested above it; returns how many.

    Those tested are a node's and, by the rows `ints` of nodes, its parents'.
    """
    sets, is_held, n_excluded = problem.interactions, 4, 0
    for i in range(sets.shape[0]):
        holds_all, above = sets[i, feature], ints[node, PARENT]
        while holds_all and above >= 0:
            holds_all, above = sets[i, ints[above, FEATURE]], ints[above, PARENT]
        for other in range(states.size if holds_all else 0):
            if sets[i, other]:
                states[other] |= is_held
    for other in range(states.size):
        if states[other] & is_held:
            states[other] ^= is_held
        elif states[other] != CONSUMED:
            states[other] = CONSUMED
            n_excluded += 1
    return n_excluded


@borrowing
def append_categories(pairs, n_pairs, node, n_categories, split):
    """Write down which branch each category of a split takes."""
    for i in range(n_categories):
        pairs[n_pairs + i, 0] = node
        pairs[n_pairs + i, 1] = split.pair_codes[i]
        pairs[n_pairs + i, 2] = split.pair_branches[i]
    return n_pairs + n_categories


@borrowing
def append_surrogates(tables, n_surrogates, n_new, n_pairs, n_new_pairs, node, split):
    """Write down the surrogates of one more node."""
    ints, floats, pairs = tables.ints, tables.floats, tables.pairs
    for i in range(n_new):
        ints[n_surrogates + i, 0] = node
        for j in range(4):
            ints[n_surrogates + i, 1 + j] = split.surrogate_ints[i, j]
        for j in range(3):
            floats[n_surrogates + i, j] = split.surrogate_floats[i, j]
    for i in range(n_new_pairs):
        pairs[n_pairs + i, 0], pairs[n_pairs + i, 1] = split.surrogate_pairs[i, 0], split.surrogate_pairs[i, 1]


@borrowing
def write_children(problem, parameters, node_split, start, branch_rows, n_left, nodes, n_nodes, ends, stats):
    """Write the children of a node whose winning column is partitioned, and the order of the target, from `start` on.

    `ends` [branches, 2] receives the segment of each child that may be split, (0, 0) for the others; `n_left` is how
    many features they have left, `stats` working memory. Returns how many may be split.
    """
    depth, first, n_splittable = nodes.ints[node_split.node, LEVEL] + 1, start, 0
    for branch in range(node_split.n_branches):
        last = first + branch_rows[branch]
        for k in range(stats.size):
            stats[k] = 0.0
        reason = EMPTY
        if last > first:
            is_pure = node_statistics(parameters, segment_of(problem, node_split.feature, first, last), stats)
            if has_quantiles(parameters):
                put_quantile(problem, parameters, first, last, stats)
            reason = stop_before_search(parameters, stats, is_pure, depth, n_left)
        write_node(parameters, nodes, n_nodes + branch, node_split.node, depth, reason, stats)
        ends[branch, 0], ends[branch, 1] = 0, 0
        if reason == SPLIT:
            ends[branch, 0], ends[branch, 1] = first, last
            n_splittable += 1
        first = last
    return n_splittable


@borrowing
def move_only_branch(keys, by_target, start, n_splittable, ends):
    """The one branch that may be split, moved to the front of the winner's segment, and −1 where there are several.

    So is its part of the order of the target, where there is one.
    """
    if n_splittable != 1:
        return -1
    only = 0
    while ends[only, 1] == 0:
        only += 1
    first, n_rows = ends[only, 0], ends[only, 1] - ends[only, 0]
    if first != start:
        for i in range(n_rows):
            keys[start + i] = keys[first + i]
        for i in range(n_rows if by_target.size else 0):
            by_target[start + i] = by_target[first + i]
    ends[only, 0], ends[only, 1] = start, start + n_rows
    return only
