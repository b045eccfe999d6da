"""Grow the whole subtree below one node, depth first."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import CONSUMED, record_evidence, search_features
from explorer.growing.engine.fractional_rows import (
    FEW_ROWS,
    MUCH_SPREAD,
    CopyCount,
    lay_out_copies,
    make_copies,
    partition_other_columns,
    partition_with_copies,
    renumber_rows,
    with_numbers,
)
from explorer.growing.engine.node_tables import N_INTS, STATS, STOP, SurrogateTables, Tables
from explorer.growing.engine.nodes import (
    append_categories,
    append_surrogates,
    exclude_features,
    move_only_branch,
    put_bounds,
    with_capacity,
    with_room,
    write_children,
    write_node,
    write_split,
)
from explorer.growing.engine.p_values import select_by_p_value
from explorer.growing.engine.partition import NodeSplit, assign_branches, partition_column
from explorer.growing.engine.surrogates import route_missing_by_surrogates
from explorer.growing.scans.problem import with_more_room
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.feature_draw import path_below
from explorer.recipe.missing import SURROGATE
from explorer.recipe.parameters import SPLIT
from explorer.recipe.split_score import BY_P_VALUE

STACK_START, STACK_END, STACK_NODE, STACK_CONSUMED, STACK_PATH, STACK_FREE, STACK_SPREAD = range(7)
GROW, SEARCH, CARRY_OUT = range(3)
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


class WaitingNodes(NamedTuple):
    """A stack of nodes to be split: numbers about each [w, 7], and its feature states [w, F].

    The numbers are its segment, id, number of consumed features, the hash of its path and, where rows are fractional,
    the first number that is free for a copy, and over how many numbers its rows are spread.
    """

    stack: NDArray[np.int64]
    states: NDArray[np.uint8]


class SubtreeRoom(NamedTuple):
    """Room for the nodes of a subtree, with a key buffer [n], and for one node: child segments, statistics, states."""

    nodes: Tables
    waiting: WaitingNodes
    key_buffer: NDArray[np.int64]
    ends: NDArray[np.int64]
    stats: NDArray[np.float64]
    child_stats: NDArray[np.float64]
    states: NDArray[np.uint8]


@inner
def room_of_root(parameters, job, n_keys, n_branches, keep):
    """Room with one node, which waits."""
    n_features, n_stats = job.states.size, parameters.n_stats
    surrogates = SurrogateTables(np.zeros((16, 5), np.int32), np.zeros((16, 3)), np.zeros((16, 2), np.int32))
    nodes = Tables(
        np.int64(0), np.zeros((16, N_INTS), np.int32), np.zeros((16, STATS + n_stats)), np.zeros((16, 3), np.int32),
        np.full((16 if keep else 0, n_features, 3), np.nan), surrogates, np.empty((0, 1), np.int32), np.empty((0, 1)),
    )  # fmt: skip
    stack, states = np.zeros((16, STACK_SPREAD + 1), dtype=np.int64), np.zeros((16, n_features), dtype=np.uint8)
    write_node(parameters, nodes, 0, -1, job.depth, SPLIT, job.stats)
    stack[0, STACK_START], stack[0, STACK_END], stack[0, STACK_CONSUMED] = job.start, job.end, job.n_consumed
    stack[0, STACK_PATH], states[0] = job.path, job.states
    stack[0, STACK_FREE], stack[0, STACK_SPREAD] = job.end, job.end
    return SubtreeRoom(
        nodes,
        WaitingNodes(stack, states),
        np.empty(n_keys, dtype=np.int64),
        np.zeros((n_branches, 2), dtype=np.int64),
        np.zeros(n_stats),
        np.zeros(n_stats),
        job.states.copy(),
    )


@borrowing
def has_room(room, filled, split):
    """Whether one more node can be split: its branches, their categories, its surrogates, and those that wait then."""
    n_nodes, n_pairs, n_waiting, n_surrogates, n_surrogate_pairs = filled
    nodes, n_more, most = room.nodes, split.branch_rows.size, split.surrogate_ints.shape[0]
    if n_nodes + n_more > nodes.ints.shape[0] or n_pairs + n_more > nodes.pairs.shape[0]:
        return False
    if n_surrogates + most > nodes.surrogates.ints.shape[0]:
        return False
    if n_surrogate_pairs + most * n_more > nodes.surrogates.pairs.shape[0]:
        return False
    return n_waiting + n_more <= room.waiting.stack.shape[0]


@inner
def wider(room, filled, split, n_keys):
    """The room, larger where one more node might not fit in, and for so many keys."""
    n_nodes, n_pairs, n_waiting, n_surrogates, n_surrogate_pairs = filled
    n_more, most, waiting = split.branch_rows.size, split.surrogate_ints.shape[0], room.waiting
    return SubtreeRoom(
        with_room(
            room.nodes, n_nodes + n_more, n_pairs + n_more, n_surrogates + most, n_surrogate_pairs + most * n_more
        ),
        WaitingNodes(
            with_capacity(waiting.stack, n_waiting + n_more), with_capacity(waiting.states, n_waiting + n_more)
        ),
        room.key_buffer if n_keys <= room.key_buffer.size else np.empty(n_keys, np.int64),
        room.ends,
        room.stats,
        room.child_stats,
        room.states,
    )


@borrowing
def push_children(
    waiting, n_waiting, ends, node_split, branch_rows, first_child, n_consumed, path, states, count, spread
):
    """Put the children that may be split on the stack; returns how many nodes wait there.

    Each has the numbers that are free for copies when its turn comes.
    """
    stack, n_before = waiting.stack, 0
    for branch in range(node_split.n_branches):
        if ends[branch, 1] > 0:
            stack[n_waiting, STACK_START], stack[n_waiting, STACK_END] = ends[branch, 0], ends[branch, 1]
            stack[n_waiting, STACK_NODE], stack[n_waiting, STACK_CONSUMED] = first_child + branch, n_consumed
            stack[n_waiting, STACK_PATH] = path_below(path, branch)
            stack[n_waiting, STACK_FREE] = count.free + n_before * count.n_missing
            stack[n_waiting, STACK_SPREAD] = spread
            for feature in range(states.size):
                waiting.states[n_waiting, feature] = states[feature]
            n_waiting += 1
        n_before += branch_rows[branch] > 0
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
def is_spread(waiting):
    """Whether the rows of a waiting node are spread over so many numbers that new ones side by side are faster."""
    n_rows = waiting[STACK_END] - waiting[STACK_START]
    return waiting[STACK_SPREAD] > FEW_ROWS and waiting[STACK_SPREAD] >= MUCH_SPREAD * n_rows


@borrowing
def search_node(problem, parameters, nodes, node, path, start, end, stats, states, only, keep, buffers):
    """The winning feature of a node and SPLIT, or −1 and the reason to stop; with what there is to `keep`.

    With `only` a feature, not −1, it is searched alone.
    """
    if parameters.monotone and only < 0:
        put_bounds(problem, parameters, nodes, node, stats, buffers.bounds)
    winner, reason = search_features(problem, parameters, path, start, end, stats, states, only, buffers)
    if parameters.score == BY_P_VALUE and only < 0:
        winner, reason = select_by_p_value(problem, parameters, start, end, stats, buffers)
    if keep:
        record_evidence(problem, parameters, buffers.results, nodes.evidence[node])
    return winner, reason


@borrowing
def open_children(
    problem, parameters, node_split, copies, count, path, spread, consumed, split, room, first_child, n_waiting
):
    """Divide the rows of a node and put the children that may be split on the stack; returns how many nodes wait.

    The winner's column is partitioned first: the children's statistics say whether the others need to be.
    """
    winner, start, ends, branch_rows, states = (
        node_split.feature, node_split.start, room.ends, split.branch_rows, room.states,
    )  # fmt: skip
    if problem.tests[winner] == EACH_VALUE:
        states[winner] = CONSUMED
        consumed += 1
    partition_with_copies(problem, winner, node_split, copies, count, branch_rows, room.key_buffer)
    by_target = problem.by_target.keys
    if by_target.size:
        end, n_branches = node_split.end, node_split.n_branches
        partition_column(by_target, problem.branch, start, end, n_branches, branch_rows, room.key_buffer)
    n_splittable = write_children(
        problem, parameters, node_split, start, branch_rows, states.size - consumed, room.nodes, first_child, ends,
        room.child_stats,
    )  # fmt: skip
    only = move_only_branch(problem.keys[winner], by_target, start, n_splittable, ends)
    n_waiting = push_children(
        room.waiting, n_waiting, ends, node_split, branch_rows, first_child, consumed, path, states, count, spread
    )
    if n_splittable:
        for branch in range(node_split.n_branches if count.n_missing else 0):
            copies.wanted[branch] = ends[branch, 1] > 0
        partition_other_columns(problem, states, node_split, copies, count, branch_rows, only, room.key_buffer)
    return n_waiting


@borrowing
def grow_node(problem, parameters, buffers, split, copies, step, feature, keep, most_nodes, room, filled, needed, halt):
    """Split the node on top of the stack, if a test is found, and put its children there that may be split.

    `filled` are the nodes, pairs, waiting nodes, surrogates and their pairs so far; returns the same afterwards. Where
    copies lack room, the node waits on, and `needed` [2] are keys and rows for which there has to be some.
    """
    n_nodes, n_pairs, n_waiting, n_surrogates, n_surrogate_pairs = filled
    nodes, waiting, branch_rows, states, stats = room.nodes, room.waiting, split.branch_rows, room.states, room.stats
    is_fractional, n_waiting, winner, reason = copies.number.size > 0, n_waiting - 1, feature, SPLIT
    path, row_of_stack = waiting.stack[n_waiting, STACK_PATH], waiting.stack[n_waiting]
    start, end, node, consumed = pop_node(waiting, n_waiting, nodes, states, stats)
    if is_fractional and is_spread(row_of_stack):
        if row_of_stack[STACK_FREE] + end - start > problem.weights.size:
            needed[1] = row_of_stack[STACK_FREE] + end - start
            return filled
        renumber_rows(problem, states, start, end, row_of_stack[STACK_FREE], copies.number)
        row_of_stack[STACK_FREE] += end - start
        row_of_stack[STACK_SPREAD] = end - start
    free, spread = row_of_stack[STACK_FREE], row_of_stack[STACK_SPREAD]
    if step != CARRY_OUT:
        winner, reason = search_node(
            problem, parameters, nodes, node, path, start, end, stats, states, feature, keep, buffers
        )
    if step == SEARCH:
        return n_nodes, n_pairs, np.int64(0), n_surrogates, n_surrogate_pairs
    nodes.ints[node, STOP] = reason
    if reason != SPLIT:
        return n_nodes, n_pairs, n_waiting, n_surrogates, n_surrogate_pairs

    if problem.interactions.size:
        consumed += exclude_features(problem, nodes.ints, node, winner, states)

    # Every row's branch, rows without a value by the recipe's policy, or marked.
    n_branches, n_categories, cut, missing_branch, missing_weight, sums = assign_branches(
        problem, parameters, winner, start, end, stats, buffers, split
    )
    node_split = NodeSplit(node, start, end, winner, n_branches)
    if parameters.missing == SURROGATE and problem.has_missing[winner]:
        n_new, n_new_pairs, missing_branch = route_missing_by_surrogates(problem, parameters, node_split, states, split)
        append_surrogates(nodes.surrogates, n_surrogates, n_new, n_surrogate_pairs, n_new_pairs, node, split)
        n_surrogates, n_surrogate_pairs = n_surrogates + n_new, n_surrogate_pairs + n_new_pairs
    n_missing = 0
    if is_fractional and step == GROW:  # the marked rows are divided: a copy for every filled branch
        n_missing, n_filled, n_keys = lay_out_copies(problem, node_split, copies, sums, branch_rows)
        if start + n_keys > problem.keys.shape[1] or free + n_missing * n_filled > problem.weights.size:
            needed[0], needed[1] = start + n_keys, free + n_missing * n_filled
            halt[0] = TOO_LARGE if (start + n_keys) * states.size > CELLS_OF_A_NODE * most_nodes else halt[0]
            return filled
        if n_missing:
            make_copies(problem, problem.keys[winner], node_split, copies, CopyCount(n_missing, free))
    write_split(nodes, node_split, n_nodes, missing_branch, cut, missing_weight)
    n_pairs = append_categories(nodes.pairs, n_pairs, node, n_categories, split)
    if step == CARRY_OUT:
        return n_nodes, n_pairs, np.int64(0), n_surrogates, n_surrogate_pairs
    n_waiting = open_children(
        problem, parameters, node_split, copies, CopyCount(n_missing, free), path, spread, consumed, split, room,
        n_nodes, n_waiting,
    )  # fmt: skip
    return n_nodes + n_branches, n_pairs, n_waiting, n_surrogates, n_surrogate_pairs


@borrowing
def grow_nodes(
    problem, parameters, buffers, split, copies, step, feature, keep, most_nodes, room, filled, needed, halt
):
    """Split nodes until none waits, or there is no room."""
    needed[0] = needed[1] = 0
    while filled[2] > 0 and halt[0] == 0 and needed[1] == 0 and has_room(room, filled, split):
        filled = grow_node(
            problem, parameters, buffers, split, copies, step, feature, keep, most_nodes, room, filled, needed, halt
        )
        if filled[0] > most_nodes:
            halt[0] = TOO_LARGE
    return filled


@kernel
def grow_subtree(problem, parameters, job, buffers, split, copies, step, feature, keep, halt):
    """GROW below a node that is not pure, SEARCH into `buffers`, or CARRY_OUT the split by a feature that won.

    Where there is room for `copies`, rows without a value go down several branches, and the node has the first rows of
    a problem of its own. Returns tables of nodes [m, N_INTS] and [m, 4 + K], of (node, category, branch) [p, 3] and of
    evidence [m, F, 3] (empty unless `keep`), and of surrogates: (node and `surrogates` numbers) [s, 5], [s, 3] and
    (code, branch) [q, 2]. `halt` [1] ends the work early; it becomes TOO_LARGE where there is no room for all nodes.
    """
    is_fractional, one, zero = copies.number.size > 0, np.int64(1), np.int64(0)
    n_keys = problem.keys.shape[1] if is_fractional else job.end - job.start
    room = room_of_root(parameters, job, n_keys, split.branch_rows.size, keep)
    filled, needed = (one, zero, one, zero, zero), np.zeros(2, np.int64)
    while filled[2] > 0 and halt[0] == 0:
        if is_fractional:
            problem = with_more_room(problem, needed[0], needed[1])
            copies, n_keys = with_numbers(copies, problem.weights.size), problem.keys.shape[1]
        room = wider(room, filled, split, n_keys)
        filled = grow_nodes(
            problem, parameters, buffers, split, copies, step, feature, keep, job.most_nodes, room, filled, needed, halt
        )
    n_nodes, n_pairs, _, n_surrogates, n_surrogate_pairs = filled
    nodes, surrogates = room.nodes, room.nodes.surrogates
    return (
        nodes.ints[:n_nodes], nodes.floats[:n_nodes], nodes.pairs[:n_pairs], nodes.evidence[: n_nodes if keep else 0],
        surrogates.ints[:n_surrogates], surrogates.floats[:n_surrogates], surrogates.pairs[:n_surrogate_pairs],
    )  # fmt: skip
