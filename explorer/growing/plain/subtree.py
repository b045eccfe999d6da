"""Grow the subtree below one node of a plain table, depth first, in one compiled call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import draws
from explorer.growing.engine.node_tables import STOP, Tables
from explorer.growing.engine.nodes import with_capacity, with_room
from explorer.growing.engine.subtree import SEARCH
from explorer.growing.plain.drawing import SMALL_ROWS, copy_rows, divide_by_key, keeps_order
from explorer.growing.plain.node_record import read_statistics, write_evidence, write_leaf, write_statistics, write_test
from explorer.growing.plain.partition import assign_branches, is_by_key, keep_branch, partition_sorted
from explorer.growing.plain.search import search_node, work_for
from explorer.growing.plain.table import MOST_COUNTED, NodeRows
from explorer.growing.scans.branch_gains import node_numbers
from explorer.growing.scans.buffers import FIRST, RESULT_WIDTH
from explorer.growing.scans.counted import COLUMN
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.feature_draw import path_below
from explorer.recipe.parameters import EMPTY, SPLIT, stop_before_search

STACK_START, STACK_END, STACK_NODE, STACK_LIVE, STACK_CONSUMED, STACK_DEPTH, STACK_PATH, STACK_ORDERED = range(8)
N_STACK = 8


class SplitPlan(NamedTuple):
    """Room for one split of B branches at most: rows [3·B] and class weights [B, K] per branch, and its categories.

    `node_counts` [K] are the class weights of the node, `branch_of_position` and `branch_of_code` say which branch a
    value takes. `ends` [B, 2] are the segments of children that may be split.
    """

    rows: NDArray[np.int64]
    counts: NDArray[np.int64]
    node_counts: NDArray[np.int64]
    branch_of_position: NDArray[np.int64]
    branch_of_code: NDArray[np.uint8]
    pair_codes: NDArray[np.int64]
    pair_branches: NDArray[np.int64]
    ends: NDArray[np.int64]


NO_RESULTS = np.empty((0, RESULT_WIDTH))


class PlainJob(NamedTuple):
    """The root of a subtree to grow: its rows, statistics and depth.

    `live` are the features that may have two values there, `n_consumed` how many a branch for each value has used up.
    `nodes` are not filled yet. To search the node alone, `residual` is that of `Work`, and `results` [F, 8] receive the
    best candidate of each feature that stays in `live`; −1 comes after them. There are no rows of it otherwise.
    """

    rows: NodeRows
    stats: NDArray[np.float64]
    depth: int
    live: NDArray[np.int64]
    n_consumed: int
    nodes: Tables
    residual: float = np.nan
    results: NDArray[np.float64] = NO_RESULTS


@kernel
def plan_for(table, parameters):
    """Room for the widest split of this table."""
    n_values = n_branches = 2
    for feature in range(table.tests.size):
        if table.tests[feature] != THRESHOLD:
            n_values = max(n_values, table.n_values[feature])
        if table.tests[feature] == EACH_VALUE:
            n_branches = max(n_branches, table.n_values[feature])
    n_stats = 1 if parameters.regression else parameters.n_stats
    return SplitPlan(
        rows=np.zeros(3 * n_branches, np.int64),
        counts=np.zeros((n_branches, n_stats), np.int64),
        node_counts=np.zeros(n_stats, np.int64),
        branch_of_position=np.zeros(n_values, np.int64),
        branch_of_code=np.zeros(MOST_COUNTED, np.uint8),
        pair_codes=np.zeros(n_values, np.int64),
        pair_branches=np.zeros(n_values, np.int64),
        ends=np.zeros((n_branches, 2), np.int64),
    )


@borrowing
def write_children(table, parameters, split, plan, nodes, keys, first_key, stats):
    """Write the children of a node, and the segments of those that may be split into `plan.ends`, others as (0, 0).

    `split` is (start, first child, branches, depth of the children, features left). With a numeric target, `keys` are
    those of the winner from `first_key` on, divided by branch. Returns how many may be split, and the last of them.
    """
    first, first_child, n_branches, depth, n_left = split
    n_splittable, last_splittable = 0, 0
    for b in range(n_branches):
        n_rows = plan.rows[b]
        child, reason, is_pure = first_child + b, EMPTY, False
        for k in range(stats.size):
            stats[k] = 0.0
        if n_rows > 0:
            if parameters.regression:
                is_pure = node_numbers(keys, table.numbers, table.weights, first_key, first_key + n_rows, stats)
            else:
                n_present = 0
                for k in range(stats.size):
                    stats[k] = plan.counts[b, k]
                    n_present += plan.counts[b, k] > 0
                is_pure = n_present == 1
            reason = stop_before_search(parameters, stats, is_pure, depth, n_left)
        write_leaf(nodes, child, reason)
        write_statistics(parameters, nodes, child, stats)
        plan.ends[b, 0], plan.ends[b, 1] = 0, 0
        if reason == SPLIT:
            plan.ends[b, 0], plan.ends[b, 1] = first, first + n_rows
            n_splittable += 1
            last_splittable = b
        first += n_rows
        first_key += n_rows
    return n_splittable, last_splittable


@borrowing
def divide(table, feature, rows, n_branches, n_splittable, only, live, n_live, is_winner_done, plan, buffer):
    """Divide the rows, and the segments of the first `n_live` of the live features.

    Where one branch alone may be split, keep that at the front of them.
    """
    start, end = rows.start, rows.end
    for j in range(n_live):
        place = table.place[live[j]]
        if place < 0 or (live[j] == feature and is_winner_done):
            continue
        keys = table.orders[place]
        if n_splittable == 1:
            keep_branch(keys, table.branch, start, end, only)
        else:
            has_ties = table.has_ties[live[j]]
            partition_sorted(keys, table.branch, start, end, n_branches, plan.rows, has_ties, buffer)
    if table.rows.size:
        if n_splittable == 1:
            keep_branch(table.rows, table.branch, start, end, only)
        else:
            partition_sorted(table.rows, table.branch, start, end, n_branches, plan.rows, False, buffer)


@borrowing
def move_only_branch(table, feature, start, is_divided, only, plan):
    """Move the one branch that may be split to the front of the winner's segment, if that is divided."""
    if is_divided and plan.ends[only, 0] != start:
        keys = table.orders[table.place[feature]]
        for i in range(plan.rows[only]):
            keys[start + i] = keys[plan.ends[only, 0] + i]
    plan.ends[only, 0], plan.ends[only, 1] = start, start + plan.rows[only]


@borrowing
def push_children(stack, live_of, n_waiting, first_child, n_branches, numbers, live, n_live, plan):
    """Put the children that may be split on the stack; returns how many nodes wait.

    `numbers` are (features used up, depth, path of the parent, whether rows are in order).
    """
    consumed, depth, path, is_ordered = numbers
    for b in range(n_branches):
        if plan.ends[b, 1] > 0:
            stack[n_waiting, STACK_START], stack[n_waiting, STACK_END] = plan.ends[b, 0], plan.ends[b, 1]
            stack[n_waiting, STACK_NODE], stack[n_waiting, STACK_LIVE] = first_child + b, n_live
            stack[n_waiting, STACK_CONSUMED], stack[n_waiting, STACK_DEPTH] = consumed, depth
            stack[n_waiting, STACK_PATH], stack[n_waiting, STACK_ORDERED] = path_below(path, b), is_ordered
            for j in range(n_live):
                live_of[n_waiting, j] = live[j]
            n_waiting += 1
    return n_waiting


@borrowing
def open_children(
    table, parameters, rows, numbers, first_child, n_branches, waiting, n_live, work, result, plan, buffer
):
    """Divide the rows of a node and put the children that may be split on the stack; returns how many nodes wait.

    `numbers` are (feature, children that may be split, the last of them, whether the winner's column is divided,
    features used up, depth of the children), `waiting` the stack, the features of its nodes, and how many wait.
    """
    (feature, n_splittable, only, is_divided, consumed, depth), (stack, live_of, n_waiting) = numbers, waiting
    is_ordered, live = rows.is_ordered, work.live
    if draws(parameters, table.tests.size):
        most = 0
        for b in range(n_branches):
            most = max(most, plan.ends[b, 1] - plan.ends[b, 0])
        is_ordered = is_ordered and keeps_order(parameters, most, n_live)
    if is_by_key(table, feature, rows):
        keys, bound = work.cells[np.int64(result[COLUMN])], np.int32(result[FIRST])
        divide_by_key(table.rows[rows.start : rows.end], keys, bound, buffer)
    else:
        if n_splittable == 1:
            move_only_branch(table, feature, rows.start, is_divided, only, plan)
        n_divided = n_live if is_ordered else 0
        divide(table, feature, rows, n_branches, n_splittable, only, live, n_divided, is_divided, plan, buffer)
    below = (consumed, depth, rows.path, is_ordered)
    return push_children(stack, live_of, n_waiting, first_child, n_branches, below, live, n_live, plan)


@borrowing
def grow_node(table, parameters, step, nodes, stack, live_of, filled, work, plan, memory, keep):
    """Split the node on top of the stack, if a test is found, and put its children there that may be split.

    `filled` are the nodes, pairs and waiting nodes so far, `memory` is (statistics [K] of the node, the same of a
    child, keys [n]). Returns `filled` as it is then.
    """
    # Its rows, features that are live, and best split.
    (n_nodes, n_pairs, n_waiting), (stats, child_stats, buffer) = filled, memory
    n_waiting -= 1
    start, end, node = stack[n_waiting, STACK_START], stack[n_waiting, STACK_END], stack[n_waiting, STACK_NODE]
    rows = NodeRows(start, end, stack[n_waiting, STACK_ORDERED] != 0, stack[n_waiting, STACK_PATH])
    n_live, consumed = stack[n_waiting, STACK_LIVE], stack[n_waiting, STACK_CONSUMED]
    depth, live = stack[n_waiting, STACK_DEPTH] + 1, work.live
    for j in range(n_live):
        live[j] = live_of[n_waiting, j]
    read_statistics(parameters, nodes, node, stats)
    winner, reason, n_live = search_node(table, parameters, rows, stats, n_live, work)
    if step == SEARCH:
        for j in range(n_live, live.size):
            live[j] = -1
        return n_nodes, n_pairs, np.int64(0)
    if keep:
        write_evidence(work, n_live, nodes.evidence[node])
    nodes.ints[node, STOP] = reason
    if reason != SPLIT:
        return n_nodes, n_pairs, n_waiting

    # Every row's branch, and the children.
    feature, result = live[winner], work.results[winner]
    for k in range(plan.node_counts.size):
        plan.node_counts[k] = np.int64(stats[k])
    n_branches, n_new_pairs, missing_branch = assign_branches(
        table, parameters, feature, rows, stats, work, result, plan
    )
    write_test(table, nodes, node, feature, (n_nodes, n_branches, missing_branch), n_pairs, n_new_pairs, result, plan)
    is_sorted = table.place[feature] >= 0 and rows.is_ordered
    is_divided, first_key = table.tests[feature] == THRESHOLD and is_sorted, start if rows.is_ordered else 0
    keys = table.orders[table.place[feature]] if is_sorted else work.keys
    if parameters.regression and table.tests[feature] != THRESHOLD:  # numbers are summed in the order of the winner's
        partition_sorted(keys, table.branch, first_key, first_key + end - start, n_branches, plan.rows, True, buffer)
        is_divided = is_sorted
    if table.tests[feature] == EACH_VALUE:
        consumed += 1
        for j in range(winner, n_live - 1):
            live[j] = live[j + 1]
        n_live -= 1
    split = (start, n_nodes, n_branches, depth, table.tests.size - consumed)
    n_splittable, only = write_children(table, parameters, split, plan, nodes, keys, first_key, child_stats)

    if n_splittable:
        numbers = (feature, n_splittable, only, is_divided, consumed, depth)
        n_waiting = open_children(
            table, parameters, rows, numbers, n_nodes, n_branches, (stack, live_of, n_waiting), n_live, work, result,
            plan, buffer,
        )  # fmt: skip
    return n_nodes + n_branches, n_pairs + n_new_pairs, n_waiting


@borrowing
def has_room(nodes, stack, filled, plan, keep):
    """Whether one more node can be split: its branches, their categories, and those that wait then."""
    n_nodes, n_pairs, n_waiting = filled
    n_more, n_more_pairs = plan.ends.shape[0], plan.pair_codes.size
    if n_nodes + n_more > nodes.ints.shape[0] or n_pairs + n_more_pairs > nodes.pairs.shape[0]:
        return False
    return n_waiting + n_more <= stack.shape[0] and not (keep and n_nodes + n_more > nodes.evidence.shape[0])


@borrowing
def is_small(stack, top):
    """Whether a waiting node has few rows, which are not in order."""
    return not stack[top, STACK_ORDERED] and stack[top, STACK_END] - stack[top, STACK_START] <= SMALL_ROWS


@borrowing
def grow_nodes(table, parameters, step, nodes, stack, live_of, filled, n_below, work, plan, memory, keep, halt):
    """Split nodes until no more than `n_below` wait, or there is no room; with −1 also until the next one is small.

    `filled` is as in `grow_node`.
    """
    while filled[2] > max(n_below, 0) and halt[0] == 0 and has_room(nodes, stack, filled, plan, keep):
        if n_below < 0 and is_small(stack, filled[2] - 1):
            break
        filled = grow_node(table, parameters, step, nodes, stack, live_of, filled, work, plan, memory, keep)
    return filled


@kernel
def grow_plain_subtree(table, small, parameters, job, step, keep, halt):
    """GROW below a node that may be split, or SEARCH it. Returns arrays of `Tables`, row 0 the node itself.

    `small` is a table with room for SMALL_ROWS rows, where nodes draw. `halt` [1] ends the work early.
    """
    work, plan = work_for(table, parameters), plan_for(table, parameters)
    # Numbers, since numba compiles `grow_nodes` once more for constants.
    nodes, filled, n_below = job.nodes, (np.int64(1), np.int64(0), np.int64(1)), np.int64(-1)
    work.residual[0] = job.residual
    write_leaf(nodes, 0, SPLIT)
    write_statistics(parameters, nodes, 0, job.stats)
    stack, live_of = np.zeros((16, N_STACK), np.int64), np.zeros((16, table.tests.size), np.int64)
    memory = np.zeros(job.stats.size), np.zeros(job.stats.size), np.empty(job.rows.end - job.rows.start, np.uint32)
    stack[0, STACK_START], stack[0, STACK_END], stack[0, STACK_DEPTH] = job.rows.start, job.rows.end, job.depth
    stack[0, STACK_PATH], stack[0, STACK_ORDERED] = job.rows.path, job.rows.is_ordered
    stack[0, STACK_LIVE], stack[0, STACK_CONSUMED] = job.live.size, job.n_consumed
    for j in range(job.live.size):
        live_of[0, j] = job.live[j]
    while filled[2] > 0 and halt[0] == 0:
        if not has_room(nodes, stack, filled, plan, keep):
            n_more, n_waiting = plan.ends.shape[0], filled[2] + plan.ends.shape[0]
            nodes = with_room(nodes, filled[0] + n_more, filled[1] + plan.pair_codes.size, 0, 0)
            stack, live_of = with_capacity(stack, n_waiting), with_capacity(live_of, n_waiting)
        top = filled[2] - 1
        if n_below < 0 and is_small(stack, top):  # its rows, and those of all nodes below it, in a place of their own
            copy_rows(table, stack[top, STACK_START], stack[top, STACK_END], small)
            stack[top, STACK_START], stack[top, STACK_END] = 0, stack[top, STACK_END] - stack[top, STACK_START]
            n_below = top
        if n_below >= 0:
            filled = grow_nodes(
                small, parameters, step, nodes, stack, live_of, filled, n_below, work, plan, memory, keep, halt
            )
        else:
            filled = grow_nodes(
                table, parameters, step, nodes, stack, live_of, filled, n_below, work, plan, memory, keep, halt
            )
        if filled[2] <= n_below:
            n_below = np.int64(-1)
    for j in range(job.results.shape[0]):
        job.live[j] = work.live[j]
        for k in range(job.results.shape[1]):
            job.results[j, k] = work.results[j, k]
    n_nodes, n_pairs, _ = filled
    return (
        nodes.ints[:n_nodes], nodes.floats[:n_nodes], nodes.pairs[:n_pairs], nodes.evidence[:n_nodes],
        nodes.counts[:n_nodes], nodes.cuts[:n_nodes],
    )  # fmt: skip
