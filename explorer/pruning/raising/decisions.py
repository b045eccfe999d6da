"""Quinlan's choice at every node, children before their parent: a leaf, the subtree, or its largest branch."""

from __future__ import annotations

import numpy as np

from explorer.jit import borrowing, inner, kernel
from explorer.pruning.raising.limits import expected_errors
from explorer.pruning.raising.pruning_state import (
    current_node,
    has_ending_rows,
    is_inner,
    row_weights,
    segment_of_node,
    wrong_and_all,
)
from explorer.pruning.raising.routing import (
    FEW,
    count_classes,
    divide,
    journey_for,
    send_to_children,
    send_to_leaves,
    set_out,
)
from explorer.pruning.raising.rows_of_nodes import divide_nodes
from explorer.tree.routing import longer

LEAF, RAISED, KEPT = range(3)
ROWS, ERRORS, AS_LEAF, BELOW, BRANCH_RAISED = range(5)
MARGIN = 1e-6
"""By how much, relative, two sums have to differ so that rounding does not matter."""


@borrowing
def expected_at(training, limit, beta_quantile, stats, counted):
    """Expected errors among the class weights `counted` [K] at a node with the class weights `stats` [K]."""
    wrong, rows = wrong_and_all(training, stats, counted)
    return expected_errors(limit, beta_quantile, wrong, rows)


@borrowing
def expected_as_leaf(training, limit, beta_quantile, stats):
    """Expected errors of a leaf with the class weights `stats` [K]."""
    if not training.has_whole_rows:
        return expected_at(training, limit, beta_quantile, stats, stats)
    rows, right = 0.0, 0.0
    for k in range(stats.size):
        rows += stats[k]
        right = max(right, stats[k])
    return expected_errors(limit, beta_quantile, rows - right, rows)


@kernel
def find_rows(plan, training, state, limit, beta_quantile, nodes):
    """Send the rows of nodes to their children, and fill in what nodes expect as leaves, before anything is decided.

    A node comes before those below it. Class weights that end at a node are counted where it has a test.
    """
    divide_nodes(plan, state, nodes)
    for node in nodes:
        if plan.first_child[node] >= 0 and has_ending_rows(state, node):
            first = state.first[node]
            own_rows = state.rows[state.begins[first] : state.begins[first + 1]]
            count_classes(training, own_rows, state.ending[node])
        state.as_leaf[node] = expected_as_leaf(training, limit, beta_quantile, state.stats[node])
        state.expected[node] = state.as_leaf[node]


@borrowing
def sums_below(plan, training, state, node):
    """Expected errors, those above the leaves and leaves of the current children, and the one with the most rows."""
    expected, inside, leaves, largest, most = 0.0, 0.0, 0, node, -1.0
    for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
        current = current_node(state.raised_to, child)
        expected += state.expected[current]
        inside += state.inside[current]
        leaves += state.leaves[current]
        weight = row_weights(training.factors, state.stats[current])
        if weight > most:
            largest, most = current, weight
    return expected, inside, leaves, largest


@borrowing
def change_at_leaf(training, state, limit, beta_quantile, journey, node, rows):
    """By how much the expected errors of a leaf change with these rows more."""
    arriving = journey.arriving
    if training.has_whole_rows:  # the order of the additions does not matter
        for k in range(arriving.size):
            arriving[k] = state.stats[node, k]
        for i in range(rows.size):
            arriving[training.classes[rows[i]]] += training.weights[rows[i]]
    else:
        count_classes(training, rows, arriving)
        for k in range(arriving.size):
            arriving[k] += state.stats[node, k]
    return expected_as_leaf(training, limit, beta_quantile, arriving) - state.as_leaf[node]


@borrowing
def change_above_leaves(training, state, limit, beta_quantile, journey, node, rows, n_ending):
    """Expected errors of rows that end at an inner node, before and after `rows` arrive; the first ones end there."""
    arriving, ending = journey.arriving, journey.ending
    if n_ending == 0 and not has_ending_rows(state, node):
        return 0.0, 0.0
    count_classes(training, rows, arriving)
    count_classes(training, rows[:n_ending], ending)
    for k in range(arriving.size):
        arriving[k] += state.stats[node, k]
        ending[k] += state.ending[node, k]
    before = expected_at(training, limit, beta_quantile, state.stats[node], state.ending[node])
    return before, expected_at(training, limit, beta_quantile, arriving, ending)


@borrowing
def with_few_rows(training, state, limit, beta_quantile, journey, rows, expected, most):
    """Expected errors once `rows` [m] have come to the leaves `journey.nodes`; what is above `most` may lack some."""
    first = 0
    for i in range(1, rows.size + 1):
        if i == rows.size or journey.nodes[i] != journey.nodes[first]:
            node = journey.nodes[first]
            expected += change_at_leaf(training, state, limit, beta_quantile, journey, node, rows[first:i])
            first = i
            if expected > most:
                break
    return expected


@borrowing
def with_all_rows(plan, training, state, limit, beta_quantile, journey, node, branch, enough):
    """Expected errors of a branch with all rows of a node above it; only the rows from outside it are sent down.

    Infinite once they are certain to be above `enough`: every row that arrives at a leaf only adds to them, and those
    of the rows that end above the leaves are not negative.
    """
    bound, expected, may_go = enough + MARGIN * (1.0 + enough), state.expected[branch], state.inside[branch]
    if not (training.has_whole_rows and limit.never_falls):
        bound = np.inf
    n_waiting = min(set_out(state, journey, node, branch), 1)
    while n_waiting > 0 and expected - may_go <= bound:
        n_waiting -= 1
        at, start, end = journey.waiting[n_waiting, 0], journey.waiting[n_waiting, 1], journey.waiting[n_waiting, 2]
        rows = journey.rows[start:end]
        if not is_inner(plan, state, at):
            expected += change_at_leaf(training, state, limit, beta_quantile, journey, at, rows)
            continue
        if rows.size <= FEW and state.inside[at] == 0.0 and send_to_leaves(plan, state, journey, at, rows):
            most = bound + may_go
            expected = with_few_rows(training, state, limit, beta_quantile, journey, rows, expected, most)
            continue
        divide(plan, state, journey.division, journey.rows, start, end, at)
        n_ending = journey.division.begins[0] - start
        n_waiting = send_to_children(plan, state, journey, at, n_waiting)
        before, after = change_above_leaves(training, state, limit, beta_quantile, journey, at, rows, n_ending)
        expected += after - before
        may_go -= before
    return expected if n_waiting == 0 else np.inf


@borrowing
def decide(plan, training, state, limit, beta_quantile, journey, node, keeps_numbers, numbers):
    """Decide one node. Returns the decision, its branch tried (−1: none) and its leaves.

    Fills `numbers` [5]; unless it `keeps_numbers`, a branch's is infinite where it need not be known.
    """
    expected, inside, leaves, branch = sums_below(plan, training, state, node)
    ending = 0.0
    if has_ending_rows(state, node):
        ending = expected_at(training, limit, beta_quantile, state.stats[node], state.ending[node])
    expected += ending
    state.expected[node], state.inside[node], state.leaves[node] = expected, inside + ending, leaves
    as_leaf, raised, tries = state.as_leaf[node], np.nan, is_inner(plan, state, branch)
    if tries:
        enough = np.inf if keeps_numbers else expected + limit.slack
        if as_leaf <= expected + limit.slack and not keeps_numbers:
            enough = as_leaf - limit.slack  # only a branch that is better than a leaf by that much keeps it from one
        raised = with_all_rows(plan, training, state, limit, beta_quantile, journey, node, branch, enough)
    if keeps_numbers:
        numbers[ERRORS], numbers[ROWS] = wrong_and_all(training, state.stats[node], state.stats[node])
        numbers[AS_LEAF], numbers[BELOW], numbers[BRANCH_RAISED] = as_leaf, expected, raised
    # C4.5 prefers a leaf, then the branch, even if it is expected to make up to 0.1 errors more
    decision = KEPT
    if as_leaf <= expected + limit.slack and (not tries or as_leaf <= raised + limit.slack):
        decision = LEAF
        state.pruned[node] = True
        state.expected[node], state.inside[node], state.leaves[node] = as_leaf, 0.0, 1
    elif tries and raised <= expected + limit.slack:
        decision = RAISED
    return decision, branch if tries else -1, leaves


@inner
def raise_branch(plan, training, state, limit, beta_quantile, journey, node, branch):
    """Replace a node by a branch, and send the rows from outside it on to the leaves of the grown tree."""
    n_rows = set_out(state, journey, node, branch)
    n_waiting = min(n_rows, 1)
    state.raised_to[node] = branch
    while n_waiting > 0:
        n_waiting -= 1
        at, start, end = journey.waiting[n_waiting, 0], journey.waiting[n_waiting, 1], journey.waiting[n_waiting, 2]
        rows, n_ending = journey.rows[start:end], end - start
        count_classes(training, rows, journey.arriving)
        if plan.first_child[at] >= 0:
            divide(plan, state, journey.division, journey.rows, start, end, at)
            n_ending = journey.division.begins[0] - start
            n_waiting = send_to_children(plan, state, journey, at, n_waiting)
        journey.ends[start : start + n_ending] = state.first[at]
        count_classes(training, rows[:n_ending], journey.ending)
        for k in range(journey.arriving.size):
            state.stats[at, k] += journey.arriving[k]
            state.ending[at, k] += journey.ending[k]
        state.has_new_rows[at] = True
        state.as_leaf[at] = expected_as_leaf(training, limit, beta_quantile, state.stats[at])
        if not is_inner(plan, state, at):
            state.expected[at] = state.as_leaf[at]
    merge_rows(state, node, branch, journey.rows[:n_rows], journey.ends)


@inner
def merge_rows(state, node, branch, outside, ends):
    """Bring the rows from `outside` a branch among its own, by the positions where they end, which ascend.

    Of rows that end at one position those of the branch come first.
    """
    start = state.begins[state.first[node]]
    inside_start, inside_end = segment_of_node(state, branch)
    own, filled, begin, n_merged = state.rows[inside_start:inside_end].copy(), start, start, 0
    for position in range(state.first[node], state.first[node] + state.size[node]):
        end = state.begins[position + 1]
        state.begins[position] = filled
        for i in range(max(begin, inside_start), min(end, inside_end)):
            state.rows[filled] = own[i - inside_start]
            filled += 1
        while n_merged < outside.size and ends[n_merged] == position:
            state.rows[filled] = outside[n_merged]
            filled, n_merged = filled + 1, n_merged + 1
        begin = end


@inner
def to_decide_again(plan, state, branch, every):
    """The nodes with a test in a raised branch whose rows have changed, or `every` one of them, by their ids."""
    found, n_found = np.empty(16, dtype=np.int64), 0
    waiting, n_waiting = np.empty(16, dtype=np.int64), 1
    waiting[0] = branch
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if not is_inner(plan, state, node) or not (every or state.has_new_rows[node]):
            continue
        found = longer(found, n_found + 1)
        found[n_found] = node
        n_found += 1
        waiting = longer(waiting, n_waiting + plan.child_count[node])
        for child in range(plan.first_child[node], plan.first_child[node] + plan.child_count[node]):
            waiting[n_waiting] = current_node(state.raised_to, child)
            n_waiting += 1
    return np.sort(found[:n_found])


@kernel
def decide_nodes(plan, training, state, limit, beta_quantile, nodes, keeps_steps):
    """Decide nodes from the last to the first, children before their parent; those of a raised branch once more.

    Returns, if `keeps_steps`, (node, decision, branch tried, leaves below) [s, 4] and the numbers [s, 5] of every
    decision, also of those that a raise cannot change; else none.
    """
    undecided, n_undecided, most_rows, most_nodes = nodes.copy(), nodes.size, 0, 0
    for node in nodes:
        start, end = segment_of_node(state, node)
        most_rows, most_nodes = max(most_rows, end - start), max(most_nodes, state.size[node])
    journey = journey_for(most_rows, most_nodes, plan.child_count.max(), state.stats.shape[1])
    steps, numbers, n_steps = np.empty((16, 4), dtype=np.int64), np.empty((16, 5)), 0
    while n_undecided > 0:
        n_undecided -= 1
        node = undecided[n_undecided]
        if n_steps == steps.shape[0]:
            steps, numbers = doubled(steps), doubled(numbers)
        decision, branch, leaves = decide(
            plan, training, state, limit, beta_quantile, journey, node, keeps_steps, numbers[n_steps]
        )
        if keeps_steps:
            steps[n_steps, 0], steps[n_steps, 1], steps[n_steps, 2], steps[n_steps, 3] = node, decision, branch, leaves
            n_steps += 1
        if decision == RAISED:
            raise_branch(plan, training, state, limit, beta_quantile, journey, node, branch)
            again = to_decide_again(plan, state, branch, keeps_steps)
            undecided = longer(undecided, n_undecided + again.size)
            for other in again:
                undecided[n_undecided] = other
                n_undecided += 1
    return steps[:n_steps], numbers[:n_steps]


@inner
def doubled(table):
    """The table with twice as many rows."""
    longer_table = np.empty((2 * table.shape[0], table.shape[1]), dtype=table.dtype)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            longer_table[i, j] = table[i, j]
    return longer_table
