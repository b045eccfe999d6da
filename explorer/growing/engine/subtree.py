"""Grow the whole subtree below one node, depth first.

Nodes are rows of two tables, whole numbers and floats; `node_tables` turns the tables of all jobs into one tree.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import CONSUMED, LIVE, record_evidence, search_feature, search_features
from explorer.growing.engine.node_tables import SurrogateTables
from explorer.growing.engine.p_values import select_by_p_value
from explorer.growing.engine.partition import NodeSplit, assign_branches, keep_branch, node_statistics, partition_column
from explorer.growing.engine.problem import segment_of
from explorer.growing.engine.surrogates import route_missing_by_surrogates
from explorer.jit import borrowing, inner
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.feature_draw import path_below
from explorer.recipe.missing import SURROGATE
from explorer.recipe.monotone import slack_of
from explorer.recipe.parameters import EMPTY, SPLIT, node_impurity, node_weight, stop_before_search
from explorer.recipe.split_score import BY_P_VALUE

PARENT, BRANCH, FEATURE, LEVEL, STOP, MISSING_BRANCH, CHILDREN = range(7)
N_INTS = 7
WEIGHT, IMPURITY, CUT, MISSING_WEIGHT, STATS = range(5)
STACK_START, STACK_END, STACK_NODE, STACK_CONSUMED, STACK_PATH = range(5)
GROW, SEARCH_FEATURE, CARRY_OUT = range(3)
"""What is done with a node: grow below it, search one feature of it, or carry out its split as far as branches go."""
TOO_LARGE, CELLS_OF_A_NODE = 2, 50
"""How a subtree says that there is no room for it, and how many keys of rows take as much of it as a node."""


class SubtreeJob(NamedTuple):
    """The root of a subtree to grow: its rows [start, end), depth and statistics.

    `states` [F] says which features are alive there, `n_consumed` how many a branch for each value has used up; `path`
    is the hash of its path. Above `most_nodes` the work ends early.
    """

    start: int
    end: int
    depth: int
    stats: NDArray[np.float64]
    states: NDArray[np.uint8]
    n_consumed: int
    path: int
    most_nodes: int


class NodeTable(NamedTuple):
    """What is known of the nodes: whole numbers [m, N_INTS] and floats [m, 4 + K]."""

    ints: NDArray[np.int32]
    floats: NDArray[np.float64]


class WaitingNodes(NamedTuple):
    """A stack of nodes to be split: numbers about each [w, 5 or 6], and its feature states [w, F].

    The numbers are its segment, id, number of consumed features, the hash of its path and, where rows are fractional,
    the first number that is free for a copy.
    """

    stack: NDArray[np.int64]
    states: NDArray[np.uint8]


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
    """As `with_capacity`, for the evidence [n, F, 3], nan where a feature has no candidate."""
    if n_rows <= table.shape[0]:
        return table
    wider = np.full((max(n_rows, 2 * table.shape[0]), table.shape[1], 3), np.nan)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            for k in range(3):
                wider[i, j, k] = table[i, j, k]
    return wider


@inner
def tables_of_root(parameters, job, stack_width):
    """The tables with one node, which waits: nodes, (node, category, branch), evidence, waiting nodes."""
    nodes = NodeTable(np.zeros((16, N_INTS), dtype=np.int32), np.zeros((16, STATS + parameters.n_stats)))
    pairs, evidence = np.zeros((16, 3), dtype=np.int32), np.full((16, job.states.size, 3), np.nan)
    stack, states = np.zeros((16, stack_width), dtype=np.int64), np.zeros((16, job.states.size), dtype=np.uint8)
    write_node(parameters, nodes, 0, -1, 0, job.depth, SPLIT, job.stats)
    stack[0, STACK_START], stack[0, STACK_END], stack[0, STACK_CONSUMED] = job.start, job.end, job.n_consumed
    stack[0, STACK_PATH], states[0] = job.path, job.states
    return nodes, pairs, evidence, WaitingNodes(stack, states)


@borrowing
def write_split(nodes, split, missing_branch, cut, missing_weight):
    """Write down a node's test."""
    nodes.ints[split.node, FEATURE], nodes.ints[split.node, CHILDREN] = split.feature, split.n_branches
    nodes.ints[split.node, MISSING_BRANCH] = missing_branch
    nodes.floats[split.node, CUT], nodes.floats[split.node, MISSING_WEIGHT] = cut, missing_weight


@borrowing
def write_node(parameters, nodes, node, parent, branch, depth, stop, stats):
    """Write what is known of a node before its test is."""
    ints, floats = nodes.ints, nodes.floats
    ints[node, PARENT], ints[node, BRANCH], ints[node, LEVEL], ints[node, STOP] = parent, branch, depth, stop
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
        sign, branch = problem.monotone[ints[above, FEATURE]], ints[child, BRANCH]
        if sign != 0:
            first = child - branch
            middle = (
                constrained_value(parameters, floats, first) + constrained_value(parameters, floats, first + 1)
            ) / 2.0
            if (branch == 0) == (sign > 0):
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
def append_categories(pairs, n_pairs, node, n_categories, split):
    """Write down which branch each category of a split takes."""
    for i in range(n_categories):
        pairs[n_pairs + i, 0] = node
        pairs[n_pairs + i, 1] = split.pair_codes[i]
        pairs[n_pairs + i, 2] = split.pair_branches[i]
    return n_pairs + n_categories


@inner
def room_for_surrogates(tables, n_surrogates, n_pairs):
    """The tables with room for so many surrogates and pairs."""
    return SurrogateTables(
        with_capacity(tables.ints, n_surrogates),
        with_capacity(tables.floats, n_surrogates),
        with_capacity(tables.pairs, n_pairs),
    )


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
    """Write the children of a node whose winning column is partitioned, from `start` on.

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
            is_pure = node_statistics(segment_of(problem, node_split.feature, first, last), stats)
            reason = stop_before_search(parameters, stats, is_pure, depth, n_left)
        write_node(parameters, nodes, n_nodes + branch, node_split.node, branch, depth, reason, stats)
        ends[branch, 0], ends[branch, 1] = 0, 0
        if reason == SPLIT:
            ends[branch, 0], ends[branch, 1] = first, last
            n_splittable += 1
        first = last
    return n_splittable


@borrowing
def push_children(waiting, n_waiting, ends, n_branches, first_child, n_consumed, path, states):
    """Put the children that may be split on the stack; returns how many nodes wait there."""
    stack = waiting.stack
    for branch in range(n_branches):
        if ends[branch, 1] > 0:
            stack[n_waiting, STACK_START], stack[n_waiting, STACK_END] = ends[branch, 0], ends[branch, 1]
            stack[n_waiting, STACK_NODE], stack[n_waiting, STACK_CONSUMED] = first_child + branch, n_consumed
            stack[n_waiting, STACK_PATH] = path_below(path, branch)
            for feature in range(states.size):
                waiting.states[n_waiting, feature] = states[feature]
            n_waiting += 1
    return n_waiting


@borrowing
def pop_node(waiting, position, nodes, states, stats):
    """Fetch the waiting node at the top of the stack: its segment, id and number of consumed features.

    Fills `states` and `stats`.
    """
    stack = waiting.stack
    for feature in range(states.size):
        states[feature] = waiting.states[position, feature]
    node = stack[position, STACK_NODE]
    for k in range(stats.size):
        stats[k] = nodes.floats[node, STATS + k]
    return stack[position, STACK_START], stack[position, STACK_END], node, stack[position, STACK_CONSUMED]


@borrowing
def partition_other_columns(problem, node_split, states, branch_rows, only, key_buffer):
    """Reorder the segment of every column that is alive, except the winner's, by branch.

    Where `only` one branch may be split (−1: several), its rows move to the front.
    """
    start, end, n_branches = node_split.start, node_split.end, node_split.n_branches
    for feature in range(states.size):
        if states[feature] != LIVE or feature == node_split.feature:
            continue
        if only >= 0:
            keep_branch(problem.keys[feature], problem.branch, start, end, only)
        else:
            partition_column(problem.keys[feature], problem.branch, start, end, n_branches, branch_rows, key_buffer)


@borrowing
def move_only_branch(keys, start, n_splittable, ends):
    """The one branch that may be split, moved to the front of the winner's segment, and −1 where there are several."""
    if n_splittable != 1:
        return -1
    only = 0
    while ends[only, 1] == 0:
        only += 1
    first, n_rows = ends[only, 0], ends[only, 1] - ends[only, 0]
    if first != start:
        for i in range(n_rows):
            keys[start + i] = keys[first + i]
    ends[only, 0], ends[only, 1] = start, start + n_rows
    return only


@inner
def grow_whole_rows(problem, parameters, job, buffers, split, step, feature, keep, halt):
    """Grow below a node that is not pure; or search one `feature` of it, or carry out the split that won there.

    Returns tables of nodes [m, N_INTS] and [m, 4 + K], of (node, category, branch) [p, 3] and of evidence [m, F, 3]
    (empty unless `keep`), and of surrogates: (node and `surrogates` numbers) [s, 5], [s, 3] and (code, branch) [q, 2].
    `halt` [1] ends the work early; it becomes TOO_LARGE where there is no room for all nodes.
    """
    surrogates = SurrogateTables(np.zeros((16, 5), np.int32), np.zeros((16, 3)), np.zeros((16, 2), np.int32))
    n_surrogates, n_surrogate_pairs = 0, 0
    branch_rows = split.branch_rows
    key_buffer = np.empty(job.end - job.start, dtype=np.int64)
    ends = np.zeros((branch_rows.size, 2), dtype=np.int64)
    stats, child_stats, states = job.stats.copy(), np.zeros(parameters.n_stats), job.states.copy()
    nodes, pairs, evidence, waiting = tables_of_root(parameters, job, STACK_PATH + 1)
    n_nodes, n_pairs, n_waiting = 1, 0, 1
    if step == SEARCH_FEATURE:
        search_feature(problem, parameters, feature, job.start, job.end, job.stats, buffers)
        n_waiting = 0
    while n_waiting > 0 and halt[0] == 0:
        # The node that waits on top of the stack, and its best split.
        n_waiting -= 1
        start, end, node, consumed = pop_node(waiting, n_waiting, nodes, states, stats)
        path, winner, reason = waiting.stack[n_waiting, STACK_PATH], feature, SPLIT
        if step == GROW:
            if parameters.monotone:
                put_bounds(problem, parameters, nodes, node, stats, buffers.bounds)
            winner, reason = search_features(problem, parameters, path, start, end, stats, states, keep, buffers)
            if parameters.score == BY_P_VALUE:
                winner, reason = select_by_p_value(problem, parameters, start, end, stats, buffers)
            if keep:
                evidence = evidence_with_capacity(evidence, nodes.ints.shape[0])
                record_evidence(problem, parameters, buffers.results, evidence[node])
        nodes.ints[node, STOP] = reason
        if reason != SPLIT:
            continue

        # Every row's branch, rows without a value by the recipe's policy.
        n_branches, n_categories, cut, missing_branch, missing_weight = assign_branches(
            problem, parameters, winner, start, end, stats, buffers, split
        )
        node_split = NodeSplit(node, start, end, winner, n_branches)
        if parameters.missing == SURROGATE and problem.has_missing[winner]:
            n_new, n_new_pairs, missing_branch = route_missing_by_surrogates(
                problem, parameters, node_split, states, split
            )
            all_surrogates, all_pairs = n_surrogates + n_new, n_surrogate_pairs + n_new_pairs
            if all_surrogates > surrogates.ints.shape[0] or all_pairs > surrogates.pairs.shape[0]:
                surrogates = room_for_surrogates(surrogates, all_surrogates, all_pairs)
            append_surrogates(surrogates, n_surrogates, n_new, n_surrogate_pairs, n_new_pairs, node, split)
            n_surrogates, n_surrogate_pairs = all_surrogates, all_pairs
        write_split(nodes, node_split, missing_branch, cut, missing_weight)
        if n_categories:
            pairs = with_capacity(pairs, n_pairs + n_categories)
            n_pairs = append_categories(pairs, n_pairs, node, n_categories, split)
        if step == CARRY_OUT:
            break
        if n_nodes + n_branches > nodes.ints.shape[0]:
            n_rows = n_nodes + n_branches
            if n_rows > job.most_nodes:
                halt[0] = TOO_LARGE
                break
            nodes = NodeTable(with_capacity(nodes.ints, n_rows), with_capacity(nodes.floats, n_rows))
        if n_waiting + n_branches > waiting.stack.shape[0]:
            n_rows = n_waiting + n_branches
            waiting = WaitingNodes(with_capacity(waiting.stack, n_rows), with_capacity(waiting.states, n_rows))
        if problem.tests[winner] == EACH_VALUE:
            states[winner] = CONSUMED
            consumed += 1

        # The winner's column is partitioned first: the children's statistics say whether the others need to be.
        partition_column(problem.keys[winner], problem.branch, start, end, n_branches, branch_rows, key_buffer)
        n_splittable = write_children(
            problem,
            parameters,
            node_split,
            start,
            branch_rows,
            states.size - consumed,
            nodes,
            n_nodes,
            ends,
            child_stats,
        )
        only = move_only_branch(problem.keys[winner], start, n_splittable, ends)
        n_waiting = push_children(waiting, n_waiting, ends, n_branches, n_nodes, consumed, path, states)
        n_nodes += n_branches
        if n_splittable:
            partition_other_columns(problem, node_split, states, branch_rows, only, key_buffer)
    evidence = evidence_with_capacity(evidence, n_nodes if keep else 0)
    return (
        nodes.ints[:n_nodes], nodes.floats[:n_nodes], pairs[:n_pairs], evidence[: n_nodes if keep else 0],
        surrogates.ints[:n_surrogates], surrogates.floats[:n_surrogates], surrogates.pairs[:n_surrogate_pairs],
    )  # fmt: skip
