"""Quinlan's choice at every node, children before their parent: a leaf, the subtree, or its largest branch."""

from __future__ import annotations

import numpy as np

from explorer.jit import borrowing, inner, kernel
from explorer.pruning.raising.limits import expected_errors
from explorer.pruning.raising.pruning_state import (
    current_node,
    make_leaf,
    put_in_place,
    row_weights,
    segment_of_node,
    wrong_and_all,
)
from explorer.pruning.raising.routing import arrivals_for, forget, send_through, send_to_leaves
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


@kernel
def fill_as_leaf(training, state, limit, beta_quantile):
    """The expected errors of every node as a leaf, before anything is decided."""
    for node in range(state.as_leaf.size):
        stats = state.stats[node]
        state.as_leaf[node] = expected_at(training, limit, beta_quantile, stats, stats)
        state.expected[node] = state.as_leaf[node]


@borrowing
def is_inner(plan, state, node):
    """Whether a node still has a test."""
    return plan.first_child[node] >= 0 and not state.pruned[node]


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
def change_at(plan, training, state, limit, beta_quantile, arrivals, slot):
    """By how much the expected errors at a reached node change."""
    node = arrivals.nodes[slot]
    stats, arriving, ending = state.stats[node], arrivals.arriving[slot], arrivals.ending[slot]
    before = state.as_leaf[node]
    is_leaf = not is_inner(plan, state, node)
    if not is_leaf:
        before = expected_at(training, limit, beta_quantile, stats, state.ending[node])
    for k in range(stats.size):
        arriving[k] += stats[k]
        ending[k] += state.ending[node, k]
    return expected_at(training, limit, beta_quantile, arriving, arriving if is_leaf else ending) - before


@borrowing
def with_all_rows(plan, training, state, limit, beta_quantile, arrivals, node, branch, enough):
    """Expected errors of a branch with all rows of a node above it; only the rows from outside it are sent down.

    Infinite once they are certain to be above `enough`: every row that arrives at a leaf only adds to them, and those
    of the rows that end above the leaves are not negative.
    """
    start, end = segment_of_node(state, node, 0, state.rows.size)
    inside_start, inside_end = segment_of_node(state, branch, start, end)
    bound, inside = enough + MARGIN * (1.0 + enough), state.inside[branch]
    if not (training.has_whole_rows and limit.never_falls):
        bound = np.inf
    n_reached, n_inside, least = 0, 0, state.expected[branch] - inside
    for first, last in ((start, inside_start), (inside_end, end)):
        n_reached, n_inside, least = send_to_leaves(
            plan,
            training,
            state,
            limit,
            beta_quantile,
            arrivals,
            branch,
            first,
            last,
            n_reached,
            n_inside,
            least,
            bound,
        )
    if least > bound:
        forget(arrivals, n_reached)
        return np.inf
    if n_inside > 0 or inside > 0.0:
        forget(arrivals, n_reached)
        none = arrivals.slot[:0]
        n_reached = send_through(plan, training, state, arrivals, branch, start, inside_start, 0, False, none)
        n_reached = send_through(plan, training, state, arrivals, branch, inside_end, end, n_reached, False, none)
    expected = state.expected[branch]
    for slot in range(n_reached):
        expected += change_at(plan, training, state, limit, beta_quantile, arrivals, slot)
    forget(arrivals, n_reached)
    return expected


@borrowing
def decide(plan, training, state, limit, beta_quantile, arrivals, node, keeps_numbers, numbers):
    """Decide one node. Returns the decision, its branch tried (−1: none) and its leaves.

    Fills `numbers` [5]; unless it `keeps_numbers`, a branch's is infinite where it need not be known.
    """
    expected, inside, leaves, branch = sums_below(plan, training, state, node)
    ending = expected_at(training, limit, beta_quantile, state.stats[node], state.ending[node])
    expected += ending
    state.expected[node], state.inside[node], state.leaves[node] = expected, inside + ending, leaves
    as_leaf, raised, tries = state.as_leaf[node], np.nan, is_inner(plan, state, branch)
    if tries:
        enough = np.inf if keeps_numbers else expected + limit.slack
        raised = with_all_rows(plan, training, state, limit, beta_quantile, arrivals, node, branch, enough)
    numbers[ERRORS], numbers[ROWS] = wrong_and_all(training, state.stats[node], state.stats[node])
    numbers[AS_LEAF], numbers[BELOW], numbers[BRANCH_RAISED] = as_leaf, expected, raised
    # C4.5 prefers a leaf, then the branch, even if it is expected to make up to 0.1 errors more
    decision = KEPT
    if as_leaf <= expected + limit.slack and (not tries or as_leaf <= raised + limit.slack):
        decision = LEAF
        make_leaf(state, node)
        state.expected[node], state.inside[node], state.leaves[node] = as_leaf, 0.0, 1
    elif tries and raised <= expected + limit.slack:
        decision = RAISED
    return decision, branch if tries else -1, leaves


@inner
def raise_branch(plan, training, state, limit, beta_quantile, arrivals, node, branch):
    """Replace a node by a branch, and send the rows from outside it to its leaves.

    Returns how many nodes they reached, which stay in `arrivals`.
    """
    start, end = segment_of_node(state, node, 0, state.rows.size)
    inside_start, inside_end = segment_of_node(state, branch, start, end)
    n_before, n_outside = inside_start - start, end - start - (inside_end - inside_start)
    put_in_place(state, node, branch)
    ends = np.empty(n_outside, dtype=np.int64)
    n_reached = send_through(plan, training, state, arrivals, branch, start, inside_start, 0, True, ends)
    n_reached = send_through(plan, training, state, arrivals, branch, inside_end, end, n_reached, True, ends[n_before:])
    merge_rows(state, start, end, inside_start, inside_end, state.first[ends])
    for slot in range(n_reached):
        reached = arrivals.nodes[slot]
        for k in range(state.stats.shape[1]):
            state.stats[reached, k] += arrivals.arriving[slot, k]
            state.ending[reached, k] += arrivals.ending[slot, k]
        state.has_new_rows[reached] = True
        stats = state.stats[reached]
        state.as_leaf[reached] = expected_at(training, limit, beta_quantile, stats, stats)
        if not is_inner(plan, state, reached):
            state.expected[reached] = state.as_leaf[reached]
    return n_reached


@inner
def merge_rows(state, start, end, inside_start, inside_end, stops):
    """Bring the rows from outside a branch among its own, by their `stops`; of equal stops its own come first."""
    outside = np.concatenate((state.rows[start:inside_start], state.rows[inside_end:end]))
    inside, inside_stops = state.rows[inside_start:inside_end].copy(), state.stops[inside_start:inside_end].copy()
    order = np.argsort(stops, kind="mergesort")
    i, j = 0, 0
    for position in range(start, end):
        if i < inside.size and (j == outside.size or inside_stops[i] <= stops[order[j]]):
            state.rows[position], state.stops[position] = inside[i], inside_stops[i]
            i += 1
        else:
            state.rows[position], state.stops[position] = outside[order[j]], stops[order[j]]
            j += 1


@inner
def to_decide_again(plan, state, arrivals, branch, every):
    """The nodes with a test in a raised branch whose rows have changed, or `every` one of them, by their ids."""
    found, n_found = np.empty(16, dtype=np.int64), 0
    waiting, n_waiting = np.empty(16, dtype=np.int64), 1
    waiting[0] = branch
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if not is_inner(plan, state, node) or not (every or arrivals.slot[node] >= 0):
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
    """Decide nodes, whose ids ascend, from the last to the first; those of a raised branch once more.

    Returns, if `keeps_steps`, (node, decision, branch tried, leaves below) [s, 4] and the numbers [s, 5] of every
    decision, also of those that a raise cannot change; else none.
    """
    undecided, n_undecided, most_reached = nodes.copy(), nodes.size, 0
    for node in nodes:
        most_reached = max(most_reached, state.size[node])
    arrivals = arrivals_for(state.pruned.size, most_reached, state.stats.shape[1])
    steps, numbers, n_steps = np.empty((16, 4), dtype=np.int64), np.empty((16, 5)), 0
    while n_undecided > 0:
        n_undecided -= 1
        node = undecided[n_undecided]
        if n_steps == steps.shape[0]:
            steps, numbers = doubled(steps), doubled(numbers)
        decision, branch, leaves = decide(
            plan, training, state, limit, beta_quantile, arrivals, node, keeps_steps, numbers[n_steps]
        )
        if keeps_steps:
            steps[n_steps, 0], steps[n_steps, 1], steps[n_steps, 2], steps[n_steps, 3] = node, decision, branch, leaves
            n_steps += 1
        if decision == RAISED:
            n_reached = raise_branch(plan, training, state, limit, beta_quantile, arrivals, node, branch)
            again = to_decide_again(plan, state, arrivals, branch, keeps_steps)
            forget(arrivals, n_reached)
            undecided = longer(undecided, n_undecided + again.size)
            undecided[n_undecided : n_undecided + again.size] = again
            n_undecided += again.size
    return steps[:n_steps], numbers[:n_steps]


@inner
def doubled(table):
    """The table with twice as many rows."""
    longer_table = np.empty((2 * table.shape[0], table.shape[1]), dtype=table.dtype)
    longer_table[: table.shape[0]] = table
    return longer_table
