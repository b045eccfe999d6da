"""Grow everything below one node in one go, depth first (the story of growing, without the interpreter).

Nodes are rows of two tables, whole numbers and floats; `assemble` turns the tables of all jobs into one tree.
"""

import numpy as np

from explorer.growing.engine.best_split import CONSUMED, LIVE, note_evidence, search
from explorer.growing.engine.partition import mark, node_statistics, partition_column
from explorer.growing.engine.surrogates import send_missing
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.missing import SURROGATE
from explorer.recipe.parameters import EMPTY, SPLIT, node_impurity, node_weight, stop_before_search

PARENT, BRANCH, FEATURE, LEVEL, STOP, MISSING_BRANCH, CHILDREN = range(7)
N_INTS = 7
WEIGHT, IMPURITY, CUT, MISSING_WEIGHT, STATS = range(5)
S_START, S_END, S_NODE, S_CONSUMED = range(4)


@inner
def with_room(table, n_rows):
    """The table, copied into twice the room if it cannot hold `n_rows` rows."""
    if n_rows <= table.shape[0]:
        return table
    wider = np.zeros((max(n_rows, 2 * table.shape[0]), table.shape[1]), dtype=table.dtype)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            wider[i, j] = table[i, j]
    return wider


@inner
def evidence_with_room(table, n_rows):
    """As `with_room`, for the evidence [n, F, 3], nan where nothing was found."""
    if n_rows <= table.shape[0]:
        return table
    wider = np.full((max(n_rows, 2 * table.shape[0]), table.shape[1], 3), np.nan)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            for k in range(3):
                wider[i, j, k] = table[i, j, k]
    return wider


@inner
def tables_of_one(rules, start, end, depth, consumed, stats, states, stack_width):
    """The tables with one node, which waits: nodes (whole numbers, floats), pairs, evidence, stack, features alive."""
    ints, floats = np.zeros((16, N_INTS), dtype=np.int32), np.zeros((16, STATS + rules.n_stats))
    pairs, evidence = np.zeros((16, 3), dtype=np.int32), np.full((16, states.size, 3), np.nan)
    stack, alive = np.zeros((16, stack_width), dtype=np.int64), np.zeros((16, states.size), dtype=np.uint8)
    fill_node(rules, ints, floats, 0, -1, 0, depth, SPLIT, stats)
    stack[0, S_START], stack[0, S_END], stack[0, S_CONSUMED] = start, end, consumed
    alive[0] = states
    return ints, floats, pairs, evidence, stack, alive


@borrowing
def fill_split(ints, floats, node, feature, missing_branch, n_branches, cut, missing_weight):
    """Write down a node's test."""
    ints[node, FEATURE], ints[node, MISSING_BRANCH], ints[node, CHILDREN] = feature, missing_branch, n_branches
    floats[node, CUT], floats[node, MISSING_WEIGHT] = cut, missing_weight


@borrowing
def fill_node(rules, ints, floats, node, parent, branch, depth, stop, stats):
    """Write what is known of a node before its test is."""
    ints[node, PARENT], ints[node, BRANCH], ints[node, LEVEL], ints[node, STOP] = parent, branch, depth, stop
    ints[node, FEATURE], ints[node, MISSING_BRANCH], ints[node, CHILDREN] = -1, -1, 0
    weight = node_weight(rules, stats)
    floats[node, WEIGHT] = weight
    floats[node, IMPURITY] = node_impurity(rules, stats) if weight > 0.0 else 0.0
    floats[node, CUT], floats[node, MISSING_WEIGHT] = np.nan, 0.0
    for k in range(stats.size):
        floats[node, STATS + k] = stats[k]


@borrowing
def add_pairs(pairs, n_pairs, node, found, split):
    """Write down which branch each category of a split takes."""
    for i in range(found):
        pairs[n_pairs + i, 0] = node
        pairs[n_pairs + i, 1] = split.pair_codes[i]
        pairs[n_pairs + i, 2] = split.pair_branches[i]
    return n_pairs + found


@inner
def with_mimics(ints, floats, pairs, n_mimics, n_new, n_pairs, n_new_pairs, node, split):
    """The tables of surrogates with those of one more node."""
    ints, floats = with_room(ints, n_mimics + n_new), with_room(floats, n_mimics + n_new)
    pairs = with_room(pairs, n_pairs + n_new_pairs)
    for i in range(n_new):
        ints[n_mimics + i, 0] = node
        for j in range(4):
            ints[n_mimics + i, 1 + j] = split.mimic_ints[i, j]
        for j in range(3):
            floats[n_mimics + i, j] = split.mimic_floats[i, j]
    for i in range(n_new_pairs):
        pairs[n_pairs + i] = split.mimic_pairs[i]
    return ints, floats, pairs


@borrowing
def add_children(
    rules,
    keys,
    classes,
    numbers,
    weights,
    node,
    start,
    branch_rows,
    n_branches,
    n_left,
    ints,
    floats,
    n_nodes,
    ends,
    stats,
):
    """Write the children of a node whose winning column `keys` is partitioned.

    `ends` [branches, 2] receives the segment of each child that may be split, (0, 0) for the others; `n_left` is how
    many features they have left. Returns how many may be split.
    """
    depth, first, waiting = ints[node, LEVEL] + 1, start, 0
    for branch in range(n_branches):
        last = first + branch_rows[branch]
        for k in range(stats.size):
            stats[k] = 0.0
        reason = EMPTY
        if last > first:
            pure = node_statistics(keys, classes, numbers, weights, first, last, stats)
            reason = stop_before_search(rules, stats, pure, depth, n_left)
        fill_node(rules, ints, floats, n_nodes + branch, node, branch, depth, reason, stats)
        ends[branch, 0], ends[branch, 1] = 0, 0
        if reason == SPLIT:
            ends[branch, 0], ends[branch, 1] = first, last
            waiting += 1
        first = last
    return waiting


@borrowing
def let_wait(stack, alive, n_waiting, ends, n_branches, first_child, consumed, states):
    """Put the children that may be split on the stack; returns how many nodes wait there."""
    for branch in range(n_branches):
        if ends[branch, 1] > 0:
            stack[n_waiting, S_START], stack[n_waiting, S_END] = ends[branch, 0], ends[branch, 1]
            stack[n_waiting, S_NODE], stack[n_waiting, S_CONSUMED] = first_child + branch, consumed
            for feature in range(states.size):
                alive[n_waiting, feature] = states[feature]
            n_waiting += 1
    return n_waiting


@borrowing
def take_next(stack, alive, floats, n_waiting, states, stats):
    """Fetch the last waiting node: its segment, id and number of consumed features; fills `states` and `stats`."""
    for feature in range(states.size):
        states[feature] = alive[n_waiting, feature]
    node = stack[n_waiting, S_NODE]
    for k in range(stats.size):
        stats[k] = floats[node, STATS + k]
    return stack[n_waiting, S_START], stack[n_waiting, S_END], node, stack[n_waiting, S_CONSUMED]


@borrowing
def partition_others(all_keys, branch_of, states, winner, start, end, n_branches, branch_rows, buffer):
    """Reorder the segment of every column that is alive, except the winner's, by branch."""
    for feature in range(states.size):
        if states[feature] == LIVE and feature != winner:
            partition_column(all_keys[feature], branch_of, start, end, n_branches, branch_rows, buffer)


@kernel
def grow_subtree(problem, rules, start, end, depth, root_stats, states, n_consumed, scratch, split, keep, halt):
    """Grow below the node [start, end), which is not pure; `states` [F] says which features are alive there.

    Returns tables of nodes [m, N_INTS] and [m, 4 + K], of (node, category, branch) [p, 3] and of evidence [m, F, 3]
    (empty unless `keep`), and of surrogates: (node and `mimics` numbers) [s, 5], [s, 3] and (code, branch) [q, 2].
    `halt` [1] ends the work early.
    """
    mimic_ints, mimic_floats = np.zeros((16, 5), dtype=np.int32), np.zeros((16, 3))
    mimic_pairs, n_mimics, n_mimic_pairs = np.zeros((16, 2), dtype=np.int32), 0, 0
    all_keys, classes, numbers, weights = problem.keys, problem.classes, problem.numbers, problem.weights
    branch_of, tests, results, branch_rows = problem.branch, problem.tests, scratch.results, split.branch_rows
    buffer, ends = np.empty(end - start, dtype=np.int64), np.zeros((branch_rows.size, 2), dtype=np.int64)
    stats, child_stats, states = root_stats.copy(), np.zeros(rules.n_stats), states.copy()
    ints, floats, pairs, evidence, stack, alive = tables_of_one(
        rules, start, end, depth, n_consumed, stats, states, S_CONSUMED + 1
    )
    n_nodes, n_pairs, n_waiting = 1, 0, 1
    while n_waiting > 0 and halt[0] == 0:
        n_waiting -= 1
        start, end, node, consumed = take_next(stack, alive, floats, n_waiting, states, stats)
        winner, reason = search(problem, rules, start, end, stats, states, scratch)
        if keep:
            evidence = evidence_with_room(evidence, ints.shape[0])
            note_evidence(problem, rules, results, evidence[node])
        ints[node, STOP] = reason
        if reason != SPLIT:
            continue
        n_branches, found, cut, to, missing = mark(problem, rules, winner, start, end, stats, scratch, split)
        if rules.missing == SURROGATE and problem.has_missing[winner]:
            n_new, n_new_pairs, to = send_missing(
                problem, rules, winner, start, end, n_branches, states, split, split.mimic_ints, split.mimic_floats,
                split.mimic_pairs,
            )  # fmt: skip
            mimic_ints, mimic_floats, mimic_pairs = with_mimics(
                mimic_ints, mimic_floats, mimic_pairs, n_mimics, n_new, n_mimic_pairs, n_new_pairs, node, split
            )
            n_mimics += n_new
            n_mimic_pairs += n_new_pairs
        fill_split(ints, floats, node, winner, to, n_branches, cut, missing)
        if found:
            pairs = with_room(pairs, n_pairs + found)
            n_pairs = add_pairs(pairs, n_pairs, node, found, split)
        if n_nodes + n_branches > ints.shape[0]:
            ints, floats = with_room(ints, n_nodes + n_branches), with_room(floats, n_nodes + n_branches)
        if n_waiting + n_branches > stack.shape[0]:
            stack, alive = with_room(stack, n_waiting + n_branches), with_room(alive, n_waiting + n_branches)
        if tests[winner] == EACH_VALUE:
            states[winner] = CONSUMED
            consumed += 1
        partition_column(all_keys[winner], branch_of, start, end, n_branches, branch_rows, buffer)
        waiting = add_children(
            rules, all_keys[winner], classes, numbers, weights, node, start, branch_rows, n_branches,
            states.size - consumed, ints, floats, n_nodes, ends, child_stats,
        )  # fmt: skip
        n_waiting = let_wait(stack, alive, n_waiting, ends, n_branches, n_nodes, consumed, states)
        n_nodes += n_branches
        if waiting:
            partition_others(all_keys, branch_of, states, winner, start, end, n_branches, branch_rows, buffer)
    evidence = evidence_with_room(evidence, n_nodes if keep else 0)
    return (
        ints[:n_nodes], floats[:n_nodes], pairs[:n_pairs], evidence[: n_nodes if keep else 0], mimic_ints[:n_mimics],
        mimic_floats[:n_mimics], mimic_pairs[:n_mimic_pairs],
    )  # fmt: skip
