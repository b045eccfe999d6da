"""Grow everything below one node in one go, depth first (the story of growing, without the interpreter).

Nodes are rows of two tables, whole numbers and floats; `assemble` turns the tables of all jobs into one tree.
"""

import numpy as np

from explorer.conditions import threshold_between
from explorer.jit import inner, kernel
from explorer.kernels.categories import PREFIX, gather_two, scan_categories, scan_prefixes
from explorer.kernels.partition import mark, node_statistics, partition_column
from explorer.kernels.problem import code_of, column_values
from explorer.kernels.scan import scan_plain, scan_threshold, sum_of_deviations
from explorer.kernels.scratch import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.kernels.weighted import scan_weighted
from explorer.limits import (
    EMPTY,
    LOW_DECREASE,
    LOW_SCORE,
    NO_CANDIDATE,
    SPLIT,
    leaf_minimum,
    node_impurity,
    node_weight,
    row_weight,
    stop_before_search,
)
from explorer.selection import BY_SEED000, fill_scores, first_best, price_paid, scale_of
from explorer.usage import EACH_VALUE, SUBSET, THRESHOLD

PARENT, BRANCH, FEATURE, LEVEL, STOP, MISSING_BRANCH, CHILDREN = range(7)
N_INTS = 7
WEIGHT, IMPURITY, CUT, MISSING_WEIGHT, STATS = range(5)
LIVE, CONSTANT, CONSUMED = 0, 1, 2
S_START, S_END, S_NODE, S_CONSUMED = range(4)


@kernel
def search_feature(problem, rules, feature, start, end, stats, scratch):
    """The best candidate of one feature into its row of `scratch.results`."""
    if problem.tests[feature] == THRESHOLD:
        scan_threshold(problem, rules, feature, start, end, stats, scratch)
    else:
        scan_categories(problem, rules, feature, start, end, stats, scratch)
    if rules.penalty and problem.tests[feature] == THRESHOLD and scratch.results[feature, N_ADMISSIBLE] > 0.0:
        gain, count = scratch.results[feature, GAIN], scratch.results[feature, N_ADMISSIBLE]
        rest = price_paid(gain, count, row_weight(rules, stats))
        scratch.results[feature, GAIN] = rest if rest > 0.0 else np.nan


@inner
def is_pair_test(test, simple):
    """Whether a test can only part two rows in one way that counts."""
    return test == THRESHOLD or (simple and test == SUBSET)


@inner
def copy_pair(test, keys, start, row, done):
    """Of two rows every feature that tells them apart makes the same two branches: only its values are its own."""
    row[GAIN], row[SPLIT_INFO], row[N_ADMISSIBLE] = done[GAIN], done[SPLIT_INFO], done[N_ADMISSIBLE]
    row[FIRST], row[SECOND] = PREFIX, 0.0
    if test == THRESHOLD:
        row[FIRST], row[SECOND] = code_of(keys[start]), code_of(keys[start + 1])


@kernel
def choose_feature(rules, weight, impurity, total_weight, costs, results, scores):
    """The winning feature and SPLIT, or −1 and the reason to stop."""
    gains, infos = results[:, GAIN], results[:, SPLIT_INFO]
    fill_scores(gains, infos, costs, rules.score, rules.mean_filter, rules.nunez_w, scores)
    winner = first_best(scores, scale_of(rules.score, impurity))
    if winner < 0:
        return -1, NO_CANDIDATE
    if scores[winner] < rules.min_score:
        return -1, LOW_SCORE
    if weight / total_weight * results[winner, GAIN] < rules.min_decrease:
        return -1, LOW_DECREASE
    return winner, SPLIT


@kernel
def note_evidence(problem, rules, results, evidence):
    """Copy gain, split information and threshold of every feature's best candidate."""
    for feature in range(results.shape[0]):
        evidence[feature, 0] = results[feature, GAIN]
        evidence[feature, 1] = results[feature, SPLIT_INFO]
        evidence[feature, 2] = np.nan
        if problem.tests[feature] == THRESHOLD and not np.isnan(results[feature, GAIN]):
            low, high = np.int64(results[feature, FIRST]), np.int64(results[feature, SECOND])
            evidence[feature, 2] = threshold_between(column_values(problem, feature), low, high, rules.place)


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


@kernel
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


@kernel
def add_pairs(pairs, n_pairs, node, found, split):
    """Write down which branch each category of a split takes."""
    for i in range(found):
        pairs[n_pairs + i, 0] = node
        pairs[n_pairs + i, 1] = split.pair_codes[i]
        pairs[n_pairs + i, 2] = split.pair_branches[i]
    return n_pairs + found


@kernel
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


@inner
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


@inner
def take_next(stack, alive, floats, n_waiting, states, stats):
    """Fetch the last waiting node: its segment, id and number of consumed features; fills `states` and `stats`."""
    for feature in range(states.size):
        states[feature] = alive[n_waiting, feature]
    node = stack[n_waiting, S_NODE]
    for k in range(stats.size):
        stats[k] = floats[node, STATS + k]
    return stack[n_waiting, S_START], stack[n_waiting, S_END], node, stack[n_waiting, S_CONSUMED]


@kernel
def grow_subtree(problem, rules, start, end, depth, root_stats, states, n_consumed, scratch, split, keep, halt):
    """Grow below the node [start, end), which is not pure; `states` [F] says which features are alive there.

    Returns tables of nodes [m, N_INTS] and [m, 4 + K], of (node, category, branch) [p, 3] and of evidence [m, F, 3]
    (empty unless `keep`). `halt` [1] ends the work early.
    """
    all_keys, classes, numbers, weights = problem.keys, problem.classes, problem.numbers, problem.weights
    branch_of, tests, results, branch_rows = problem.branch, problem.tests, scratch.results, split.branch_rows
    n_features = all_keys.shape[0]
    ints, floats = np.zeros((16, N_INTS), dtype=np.int32), np.zeros((16, STATS + rules.n_stats))
    pairs, evidence = np.zeros((16, 3), dtype=np.int32), np.full((16, n_features, 3), np.nan)
    stack, alive = np.zeros((16, 4), dtype=np.int64), np.zeros((16, n_features), dtype=np.uint8)
    buffer, ends = np.empty(end - start, dtype=np.int64), np.zeros((branch_rows.size, 2), dtype=np.int64)
    stats, child_stats, states = root_stats.copy(), np.zeros(rules.n_stats), states.copy()
    fill_node(rules, ints, floats, 0, -1, 0, depth, SPLIT, stats)
    stack[0, S_START], stack[0, S_END], stack[0, S_CONSUMED] = start, end, n_consumed
    alive[0] = states
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
        ints[node, FEATURE], ints[node, MISSING_BRANCH], ints[node, CHILDREN] = winner, to, n_branches
        floats[node, CUT], floats[node, MISSING_WEIGHT] = cut, missing
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
            n_features - consumed, ints, floats, n_nodes, ends, child_stats,
        )  # fmt: skip
        n_waiting = let_wait(stack, alive, n_waiting, ends, n_branches, n_nodes, consumed, states)
        n_nodes += n_branches
        if waiting:
            for feature in range(n_features):
                if states[feature] == LIVE and feature != winner:
                    partition_column(all_keys[feature], branch_of, start, end, n_branches, branch_rows, buffer)
    evidence = evidence_with_room(evidence, n_nodes if keep else 0)
    return ints[:n_nodes], floats[:n_nodes], pairs[:n_pairs], evidence[: n_nodes if keep else 0]


@inner
def search(problem, rules, start, end, stats, states, scratch):
    """Look at every feature that is alive; returns the winner and SPLIT, or −1 and a reason. Updates `states`."""
    all_keys, results, state, left, right = problem.keys, scratch.results, scratch.state, scratch.left, scratch.other
    classes, numbers, tests, has_missing = problem.classes, problem.numbers, problem.tests, problem.has_missing
    plain = problem.weights.size == 0 and not rules.penalty and rules.score != BY_SEED000
    simple = plain and not rules.regression and rules.n_stats == 2 and rules.min_leaf <= 1.0
    codes, weights, table = scratch.category_codes, scratch.category_weights, scratch.category_stats
    order, order_before, order_keys = scratch.order, scratch.order_before, scratch.order_keys
    impurity, kind = node_impurity(rules, stats), rules.impurity
    minimum = leaf_minimum(rules, row_weight(rules, stats))
    weighted = problem.weights.size > 0 and not rules.penalty and rules.score != BY_SEED000
    total, summed, pair_done = 0.0, False, -1
    pair = plain and end - start == 2
    for feature in range(states.size):
        keys, row = all_keys[feature], results[feature]
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE:
            row[GAIN], row[SPLIT_INFO] = np.nan, 0.0
        elif pair_done >= 0 and not has_missing[feature] and is_pair_test(tests[feature], simple):
            copy_pair(tests[feature], keys, start, row, results[pair_done])
        elif plain and tests[feature] == THRESHOLD and not has_missing[feature]:
            if not summed:
                total, summed = sum_of_deviations(keys, numbers, start, end, stats), True
            scan_plain(
                keys, classes, numbers, start, end, kind, stats, total, impurity, minimum, rules.with_info, state,
                left, right, row,
            )  # fmt: skip
            pair_done = feature if pair else -1
        elif weighted and tests[feature] == THRESHOLD and not has_missing[feature]:
            scan_weighted(
                keys, classes, numbers, problem.weights, rules.row_factor, start, end, kind, stats, impurity, minimum,
                rules.with_info, state, left, right, row,
            )  # fmt: skip
        elif simple and tests[feature] == SUBSET and not has_missing[feature]:
            row[GAIN], row[SPLIT_INFO], row[N_ADMISSIBLE] = np.nan, 0.0, 0.0
            present = gather_two(keys, classes, start, end, codes, weights, table)
            if present > 1:
                scan_prefixes(
                    kind, False, rules.min_leaf, rules.with_info, impurity, present, table, weights, weights, order,
                    order_before, order_keys, state, row,
                )  # fmt: skip
            pair_done = feature if pair else -1
        else:
            search_feature(problem, rules, feature, start, end, stats, scratch)
    weight = node_weight(rules, stats)
    return choose_feature(rules, weight, impurity, problem.total_weight, problem.costs, results, scratch.scores)
