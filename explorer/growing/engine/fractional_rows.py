"""Fractional weights: a row whose tested value is missing goes down every branch, each time with a part of its weight.

Such a row becomes several *copies*, numbered like rows: the copy in the first filled branch keeps the number, the
others take the next free ones. Depth first, the last branch is finished before the one to its left begins, so both the
numbers and the columns' segments work like a stack: whatever lies beyond the present node is free.
"""

import numpy as np

from explorer.growing.engine.best_split import CONSUMED, LIVE, note_evidence, search
from explorer.growing.engine.partition import mark, partition_column
from explorer.growing.engine.problem import ROW_BITS, ROW_MASK, Problem, code_of, row_of
from explorer.growing.engine.subtree import (
    S_CONSUMED,
    S_END,
    S_NODE,
    S_START,
    STOP,
    add_children,
    add_pairs,
    evidence_with_room,
    fill_split,
    tables_of_one,
    take_next,
    with_room,
)
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.missing import FRACTIONAL
from explorer.recipe.parameters import SPLIT

S_FREE = 4


def spreads(problem: Problem, missing: int) -> bool:
    """Whether rows of this problem can go down several branches."""
    return bool(missing == FRACTIONAL and problem.has_missing.any())


@borrowing
def branch_places(keys, weights, branch_of, spot, start, end, n_branches, branch_rows, places, shares):
    """Make room in every filled branch for the rows to be spread, which are marked with `n_branches`.

    Numbers these rows in `spot`, writes where each branch's segment begins into `places` (−1: no row with a value) and
    its share of the known weight into `shares`, and adds the rows to `branch_rows`. Returns (rows to spread, filled
    branches, rows in all branches).
    """
    for branch in range(n_branches):
        shares[branch] = 0.0
    n_missing, known = 0, 0.0
    for i in range(start, end):
        row = row_of(keys[i])
        if branch_of[row] == n_branches:
            spot[row] = n_missing
            n_missing += 1
        else:
            shares[branch_of[row]] += weights[row]
            known += weights[row]
    filled, place = 0, 0
    for branch in range(n_branches):
        shares[branch] /= known
        places[branch] = -1
        if branch_rows[branch] > 0:
            places[branch] = place
            branch_rows[branch] += n_missing
            place += branch_rows[branch]
            filled += 1
    return n_missing, filled, place


@borrowing
def make_copies(problem, keys, end, n_branches, n_missing, free, places, shares):
    """Give every copy of a row its target and its weight; the first filled branch has the row itself."""
    classes, numbers, weights, branch_of = problem.classes, problem.numbers, problem.weights, problem.branch
    for i in range(end - n_missing, end):
        row, weight, order = row_of(keys[i]), weights[row_of(keys[i])], 0
        for branch in range(n_branches):
            if places[branch] < 0:
                continue
            copy = row if order == 0 else free + (order - 1) * n_missing + (i - end + n_missing)
            weights[copy] = weight * shares[branch]
            branch_of[copy] = n_branches
            if numbers.size:
                numbers[copy] = numbers[row]
            else:
                classes[copy] = classes[row]
            order += 1


@kernel
def spread_column(keys, branch_of, spot, start, end, n_branches, n_missing, free, places, wanted, room):
    """Write a column's segment into `room` by branch, keeping the order within each; only into `wanted` branches."""
    ends = places[:n_branches].copy()
    for i in range(start, end):
        key = keys[i]
        row = row_of(key)
        branch = branch_of[row]
        if branch < n_branches:
            if wanted[branch]:
                room[ends[branch]] = key
                ends[branch] += 1
            continue
        order = 0
        for to in range(n_branches):
            if places[to] >= 0:
                if wanted[to]:
                    copy = row if order == 0 else free + (order - 1) * n_missing + spot[row]
                    room[ends[to]] = (key & ~ROW_MASK) | copy
                    ends[to] += 1
                order += 1


@borrowing
def spread_in_two(keys, branch_of, spot, start, end, free, room):
    """As `spread_column`, in place and into both of two branches: the first never overtakes the row that is read."""
    left, right = start, 0
    for i in range(start, end):
        key, row = keys[i], row_of(keys[i])
        branch = branch_of[row]
        keys[left] = key
        left += branch != 1
        if branch == 2:
            key = (key & ~ROW_MASK) | (free + spot[row])
        room[right] = key
        right += branch != 0
    for i in range(right):
        keys[left + i] = room[i]


@inner
def lengthened(array, size):
    """The array with room for `size` items."""
    longer = np.empty(size, dtype=array.dtype)
    longer[: array.size] = array
    return longer


@inner
def with_more_room(problem, n_keys, n_rows):
    """The problem with room for so many keys per column and rows, copies included."""
    keys = problem.keys
    if n_keys > keys.shape[1]:
        keys = np.empty((keys.shape[0], n_keys + n_keys // 2), dtype=np.int64)
        for feature in range(keys.shape[0]):
            keys[feature, : problem.keys.shape[1]] = problem.keys[feature]
    classes, numbers, weights, branch = problem.classes, problem.numbers, problem.weights, problem.branch
    if n_rows > weights.size:
        size = n_rows + n_rows // 2
        weights, branch = lengthened(weights, size), lengthened(branch, size)
        if numbers.size:
            numbers = lengthened(numbers, size)
        else:
            classes = lengthened(classes, size)
    return with_arrays(problem, keys, classes, numbers, weights, branch)


@inner
def with_arrays(problem, keys, classes, numbers, weights, branch):
    """The same problem on other rows."""
    return Problem(
        keys, classes, numbers, weights, branch, problem.n_values, problem.tests, problem.has_missing,
        problem.missing_codes, problem.in_training, problem.offsets, problem.values, problem.costs,
        problem.total_weight,
    )  # fmt: skip


@kernel
def compacted(problem, start, end):
    """The rows of the node [start, end) as a problem of their own, numbered from 0 in the same order."""
    new = np.full(problem.weights.size, -1, dtype=np.int64)
    for i in range(start, end):
        new[row_of(problem.keys[0, i])] = 0
    n = 0
    for row in range(new.size):
        if new[row] == 0:
            new[row] = n
            n += 1
    size = n + n // 4 + 16
    weights, branch = np.empty(size), np.zeros(size, dtype=np.uint16)
    classes = np.empty(0 if problem.numbers.size else size, dtype=problem.classes.dtype)
    numbers = np.empty(size if problem.numbers.size else 0)
    for row in range(new.size):
        if new[row] >= 0:
            weights[new[row]] = problem.weights[row]
            if numbers.size:
                numbers[new[row]] = problem.numbers[row]
            else:
                classes[new[row]] = problem.classes[row]
    keys = np.empty((problem.keys.shape[0], size), dtype=np.int64)
    for feature in range(keys.shape[0]):
        for i in range(start, end):
            key = problem.keys[feature, i]
            keys[feature, i - start] = (code_of(key) << ROW_BITS) | new[row_of(key)]
    return with_arrays(problem, keys, classes, numbers, weights, branch)


@kernel
def extended(problem, start, end, winner, n_branches, n_missing, filled, n_keys, places, shares):
    """The problem that the branches of a large node make: its copies beyond the rows, its columns to be filled."""
    free = problem.weights.size
    larger = with_more_room(problem, 0, free + n_missing * max(filled - 1, 0))
    keys = np.empty((problem.keys.shape[0], n_keys), dtype=np.int64)
    larger = with_arrays(larger, keys, larger.classes, larger.numbers, larger.weights, larger.branch)
    make_copies(larger, problem.keys[winner], end, n_branches, n_missing, free, places, shares)
    return larger


@borrowing
def let_wait_spread(stack, alive, n_waiting, ends, n_branches, first_child, consumed, states, places, free, n_missing):
    """Put the children that may be split on the stack, with the numbers that are taken when their turn comes."""
    order = 0
    for branch in range(n_branches):
        if places[branch] < 0:
            continue
        if ends[branch, 1] > 0:
            stack[n_waiting, S_START], stack[n_waiting, S_END] = ends[branch, 0], ends[branch, 1]
            stack[n_waiting, S_NODE], stack[n_waiting, S_CONSUMED] = first_child + branch, consumed
            stack[n_waiting, S_FREE] = free + order * n_missing
            for feature in range(states.size):
                alive[n_waiting, feature] = states[feature]
            n_waiting += 1
        order += 1
    return n_waiting


@borrowing
def move(problem, feature, spot, start, end, n_branches, n_missing, free, places, wanted, branch_rows, room):
    """Reorder a column's segment by branch, with the copies of the rows that go down several."""
    keys = problem.keys[feature]
    if n_missing == 0:
        partition_column(keys, problem.branch, start, end, n_branches, branch_rows, room)
        return
    if n_branches == 2 and places[0] >= 0 and places[1] >= 0:
        spread_in_two(keys, problem.branch, spot, start, end, free, room)
        return
    spread_column(keys, problem.branch, spot, start, end, n_branches, n_missing, free, places, wanted, room)
    first = 0
    for branch in range(n_branches):
        if wanted[branch]:
            for i in range(first, first + branch_rows[branch]):
                keys[start + i] = room[i]
        first += branch_rows[branch]


@borrowing
def move_others(
    problem, states, winner, spot, start, end, n_branches, n_missing, free, places, wanted, branch_rows, room
):
    """`move` every column that is alive, except the winner's, which has been moved before."""
    for feature in range(states.size):
        if states[feature] == LIVE and feature != winner:
            move(problem, feature, spot, start, end, n_branches, n_missing, free, places, wanted, branch_rows, room)


@kernel
def grow_spreading(problem, rules, n_rows, depth, root_stats, states, n_consumed, scratch, split, keep, halt):
    """As `grow_subtree`, below a node that has the first `n_rows` rows of a problem of its own."""
    tests, results, branch_rows = problem.tests, scratch.results, split.branch_rows
    room, ends = np.empty(problem.keys.shape[1], dtype=np.int64), np.zeros((branch_rows.size, 2), dtype=np.int64)
    spot, places = np.zeros(n_rows, dtype=np.int64), np.zeros(branch_rows.size, np.int64)
    shares, wanted = np.zeros(branch_rows.size), np.ones(branch_rows.size, dtype=np.bool_)
    stats, child_stats, states = root_stats.copy(), np.zeros(rules.n_stats), states.copy()
    ints, floats, pairs, evidence, stack, alive = tables_of_one(
        rules, 0, n_rows, depth, n_consumed, stats, states, S_FREE + 1
    )
    stack[0, S_FREE] = n_rows
    n_nodes, n_pairs, n_waiting = 1, 0, 1
    while n_waiting > 0 and halt[0] == 0:
        n_waiting -= 1
        free = stack[n_waiting, S_FREE]
        start, end, node, consumed = take_next(stack, alive, floats, n_waiting, states, stats)
        winner, reason = search(problem, rules, start, end, stats, states, scratch)
        if keep:
            evidence = evidence_with_room(evidence, ints.shape[0])
            note_evidence(problem, rules, results, evidence[node])
        ints[node, STOP] = reason
        if reason != SPLIT:
            continue
        n_branches, found, cut, to, missing = mark(problem, rules, winner, start, end, stats, scratch, split)
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
        if spot.size < problem.weights.size:
            spot = np.zeros(problem.weights.size, dtype=np.int64)
        n_missing, filled, total = branch_places(
            problem.keys[winner], problem.weights, problem.branch, spot, start, end, n_branches, branch_rows, places,
            shares,
        )  # fmt: skip
        if start + total > problem.keys.shape[1] or free + n_missing * filled > problem.weights.size:
            problem = with_more_room(problem, start + total, free + n_missing * filled)
        if total > room.size:
            room = np.empty(total + total // 2, dtype=np.int64)
        if n_missing:
            make_copies(problem, problem.keys[winner], end, n_branches, n_missing, free, places, shares)
        wanted[:] = True
        move(problem, winner, spot, start, end, n_branches, n_missing, free, places, wanted, branch_rows, room)
        waiting = add_children(
            rules, problem.keys[winner], problem.classes, problem.numbers, problem.weights, node, start, branch_rows,
            n_branches, states.size - consumed, ints, floats, n_nodes, ends, child_stats,
        )  # fmt: skip
        n_waiting = let_wait_spread(
            stack, alive, n_waiting, ends, n_branches, n_nodes, consumed, states, places, free, n_missing
        )
        n_nodes += n_branches
        if waiting:
            for branch in range(n_branches):
                wanted[branch] = ends[branch, 1] > 0
            move_others(
                problem, states, winner, spot, start, end, n_branches, n_missing, free, places, wanted, branch_rows,
                room,
            )  # fmt: skip
    evidence = evidence_with_room(evidence, n_nodes if keep else 0)
    return ints[:n_nodes], floats[:n_nodes], pairs[:n_pairs], evidence[: n_nodes if keep else 0]
