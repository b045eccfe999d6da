"""Quinlan's fractional instances: a row without a value goes down every branch, each time with a part of its weight.

C4.5, chapter 3: the part of a branch is its share of the weight of the rows that have a value. Here such a row becomes
several *copies*, numbered like rows: the copy in the first filled branch keeps the number, the others take the next
free ones. Depth first, the last branch is finished before the one to its left begins, so both the numbers and the
columns' segments work like a stack: whatever lies beyond the present node is free.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import LIVE
from explorer.growing.engine.partition import keep_branch, partition_column
from explorer.growing.scans.problem import ROW_BITS, ROW_MASK, Problem, code_of, row_of, with_arrays, with_more_room
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.missing import FRACTIONAL

FEW_ROWS, MUCH_SPREAD = 1024, 8
"""Rows whose weights, targets and branches a processor keeps at hand, and over how many times as many numbers the rows
of a node may be spread."""


class Copies(NamedTuple):
    """Where the copies of a node's rows without a value go.

    `number` [n] counts these rows from 0. `offsets` [B] says where each branch's segment begins, from the node's start
    on (−1: no row with a value), `shares` [B] is its share of the known weight; only `wanted` [B] branches are filled.
    `places` [3, B] is working memory.
    """

    number: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    shares: NDArray[np.float64]
    wanted: NDArray[np.bool_]
    places: NDArray[np.int64]


class CopyCount(NamedTuple):
    """How many rows of a node have no value, and the first number that is free for a copy."""

    n_missing: int
    free: int


def has_fractional_rows(problem: Problem, missing: int) -> bool:
    """Whether rows of this problem can go down several branches."""
    return bool(missing == FRACTIONAL and problem.has_missing.any())


def copies_for(n_rows: int, n_branches: int) -> Copies:
    """Room for the copies of so many rows in so many branches, all of them wanted."""
    number, offsets = np.zeros(n_rows, dtype=np.uint32), np.zeros(n_branches, dtype=np.int64)
    places = np.zeros((3, n_branches), dtype=np.int64)
    return Copies(number, offsets, np.zeros(n_branches), np.ones(n_branches, dtype=np.bool_), places)


@borrowing
def plan_copies(problem, node_split, copies, branch_rows):
    """Make room in every filled branch for the rows without a value, which are marked with the number of branches.

    Fills `copies` and adds the rows to `branch_rows`. Returns (rows without a value, filled branches, rows in all
    branches).
    """
    keys, weights, branch_of = problem.keys[node_split.feature], problem.weights, problem.branch
    n_branches, shares = node_split.n_branches, copies.shares
    for branch in range(n_branches):
        shares[branch] = 0.0
    n_missing, known_weight, earlier, of_branch = 0, 0.0, n_branches, 0.0
    for i in range(node_split.start, node_split.end):
        row = row_of(keys[i])
        branch = branch_of[row]
        if branch != earlier:  # most rows take the branch of the row before, whose weight is at hand
            if earlier < n_branches:
                shares[earlier] = of_branch
            of_branch, earlier = shares[min(branch, n_branches - 1)], branch
        if branch == n_branches:
            copies.number[row] = n_missing
            n_missing += 1
        else:
            of_branch += weights[row]
            known_weight += weights[row]
    if earlier < n_branches:
        shares[earlier] = of_branch
    for branch in range(n_branches):
        shares[branch] /= known_weight
    n_filled, offset = lay_out_branches(copies, n_branches, n_missing, branch_rows)
    return n_missing, n_filled, offset


@borrowing
def lay_out_branches(copies, n_branches, n_missing, branch_rows):
    """Where each filled branch begins, with room for the rows without a value, which are added to `branch_rows`.

    Returns (filled branches, rows in all branches).
    """
    n_filled, offset, offsets = 0, 0, copies.offsets
    for branch in range(n_branches):
        offsets[branch] = -1
        if branch_rows[branch] > 0:
            offsets[branch] = offset
            branch_rows[branch] += n_missing
            offset += branch_rows[branch]
            n_filled += 1
    return n_filled, offset


@borrowing
def write_copy(problem, row, copy, weight):
    """Give a copy of a row its target and its weight."""
    problem.weights[copy] = weight
    if problem.numbers.size:
        problem.numbers[copy] = problem.numbers[row]
    else:
        problem.classes[copy] = problem.classes[row]


@borrowing
def renumber_rows(problem, states, start, end, free, number):
    """Give the rows of a node the numbers from `free` on, so that what belongs to them lies side by side."""
    is_numbered = False
    for feature in range(states.size):
        keys = problem.keys[feature, start:end]
        if states[feature] != LIVE:
            continue
        if not is_numbered:
            for i in range(keys.size):
                row = row_of(keys[i])
                number[row] = free + i
                write_copy(problem, row, free + i, problem.weights[row])
            is_numbered = True
        for i in range(keys.size):
            keys[i] = (keys[i] & ~ROW_MASK) | number[row_of(keys[i])]


@borrowing
def make_copies(problem, keys, node_split, copies, count):
    """Give every copy of a row its target and its weight; the first filled branch has the row itself."""
    weights, branch_of = problem.weights, problem.branch
    first_missing = node_split.end - count.n_missing
    for i in range(first_missing, node_split.end):
        row, weight, n_before = row_of(keys[i]), weights[row_of(keys[i])], 0
        for branch in range(node_split.n_branches):
            if copies.offsets[branch] < 0:
                continue
            copy = row if n_before == 0 else count.free + (n_before - 1) * count.n_missing + (i - first_missing)
            write_copy(problem, row, copy, weight * copies.shares[branch])
            branch_of[copy] = node_split.n_branches
            n_before += 1


@borrowing
def partition_fractional_column(keys, branch_of, node_split, copies, count, target):
    """Write a column's segment into `target` by branch, keeping the order within each.

    The rows without a value are only written into wanted branches.
    """
    n_branches, number = node_split.n_branches, copies.number
    positions, wanted, first_copies = copies.places[0], copies.places[1], copies.places[2]
    n_wanted, n_before = 0, 0
    for branch in range(n_branches):
        positions[branch] = copies.offsets[branch]
        if positions[branch] >= 0:
            if copies.wanted[branch]:
                wanted[n_wanted] = branch
                first_copies[n_wanted] = count.free + (n_before - 1) * count.n_missing if n_before > 0 else -1
                n_wanted += 1
            n_before += 1
    for key in keys[node_split.start : node_split.end]:
        row = row_of(key)
        branch = branch_of[row]
        if branch < n_branches:
            target[positions[branch]] = key
            positions[branch] += 1
            continue
        # A row without a value: a key with its code and a copy's number for every filled branch but the first.
        for i in range(n_wanted):
            copy = first_copies[i] + number[row] if first_copies[i] >= 0 else row
            target[positions[wanted[i]]] = (key & ~ROW_MASK) | copy
            positions[wanted[i]] += 1


@borrowing
def partition_fractional_in_two(keys, branch_of, node_split, copies, count, key_buffer):
    """As `partition_fractional_column`, in place and into both of two branches.

    The first branch never overtakes the key that is read. Without a condition, as the processor cannot guess which rows
    lack a value.
    """
    segment, number = keys[node_split.start : node_split.end], copies.number
    left, right = np.uint64(0), np.uint64(0)  # unsigned: no index counts from the end
    for i in range(segment.size):
        key = segment[i]
        row = row_of(key)
        branch, copy = branch_of[row], count.free + number[row]
        segment[left] = key
        left += np.uint64(branch != 1)
        key_buffer[right] = (key & ~ROW_MASK) | (copy if branch == 2 else row)
        right += np.uint64(branch != 0)
    written = keys[node_split.start :]  # the copies need more room than the segment had
    for i in range(right):
        written[left + i] = key_buffer[i]


@inner
def with_numbers(copies, size):
    """The copies with room for the numbers of so many rows."""
    if size <= copies.number.size:
        return copies
    number = np.zeros(size, dtype=np.uint32)
    return Copies(number, copies.offsets, copies.shares, copies.wanted, copies.places)


@kernel
def compacted(problem, start, end, states):
    """The rows of the node [start, end) as a problem of their own, numbered from 0 in the same order.

    Only columns that are alive have been divided like the rows; the others stay empty.
    """
    new = np.full(problem.weights.size, -1, dtype=np.int64)
    for feature in range(states.size):
        if states[feature] == LIVE:
            for i in range(start, end):
                new[row_of(problem.keys[feature, i])] = 0
            break
    n = 0
    for row in range(new.size):
        if new[row] == 0:
            new[row] = n
            n += 1
    size = (end - start) + (end - start) // 4 + 16
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
    keys = np.zeros((problem.keys.shape[0], size), dtype=np.int64)
    for feature in range(keys.shape[0]):
        if states[feature] != LIVE:
            continue
        for i in range(start, end):
            key = problem.keys[feature, i]
            keys[feature, i - start] = (code_of(key) << ROW_BITS) | new[row_of(key)]
    return with_arrays(problem, keys, classes, numbers, weights, branch)


@kernel
def extended(problem, node_split, copies, count, n_filled, n_keys):
    """The problem that the branches of a large node make: its copies beyond the rows, its columns to be filled."""
    larger = with_more_room(problem, 0, count.free + count.n_missing * max(n_filled - 1, 0))
    keys = np.empty((problem.keys.shape[0], n_keys), dtype=np.int64)
    larger = with_arrays(larger, keys, larger.classes, larger.numbers, larger.weights, larger.branch)
    make_copies(larger, problem.keys[node_split.feature], node_split, copies, count)
    return larger


@borrowing
def partition_with_copies(problem, feature, node_split, copies, count, branch_rows, key_buffer):
    """Reorder a column's segment by branch, with the copies of the rows that go down several, if there are any."""
    keys, branch_of, n_branches, start = problem.keys[feature], problem.branch, node_split.n_branches, node_split.start
    if count.n_missing == 0:
        partition_column(keys, branch_of, start, node_split.end, n_branches, branch_rows, key_buffer)
        return
    if n_branches == 2 and copies.offsets[0] >= 0 and copies.offsets[1] >= 0:
        partition_fractional_in_two(keys, branch_of, node_split, copies, count, key_buffer)
        return
    partition_fractional_column(keys, branch_of, node_split, copies, count, key_buffer)
    first = 0
    for branch in range(n_branches):
        if copies.wanted[branch]:
            for i in range(first, first + branch_rows[branch]):
                keys[start + i] = key_buffer[i]
        first += branch_rows[branch]


@borrowing
def keep_branch_with_copies(keys, branch_of, node_split, copies, count, only):
    """As `keep_branch`, with the copies of the rows without a value that go down this branch."""
    n_before = 0
    for branch in range(only):
        n_before += copies.offsets[branch] >= 0
    segment, number, to = keys[node_split.start : node_split.end], copies.number, np.uint64(0)
    first_copy, mark = count.free + (n_before - 1) * count.n_missing, node_split.n_branches
    copied = mark if n_before > 0 else mark + 1  # in the first filled branch rows keep their number
    for i in range(segment.size):
        key = segment[i]
        row = row_of(key)
        branch, copy, is_missing = branch_of[row], first_copy + number[row], branch_of[row] == mark
        segment[to] = (key & ~ROW_MASK) | (copy if branch == copied else row)
        to += np.uint64(is_missing or branch == only)


@borrowing
def partition_other_columns(problem, states, node_split, copies, count, branch_rows, only, key_buffer):
    """Reorder every column that is alive, except the winner's, which has been reordered before.

    Where `only` one branch may be split (−1: several), its rows move to the front.
    """
    start, end = node_split.start, node_split.end
    for feature in range(states.size):
        if states[feature] != LIVE or feature == node_split.feature:
            continue
        if only < 0:
            partition_with_copies(problem, feature, node_split, copies, count, branch_rows, key_buffer)
        elif count.n_missing == 0:
            keep_branch(problem.keys[feature], problem.branch, start, end, only)
        else:
            keep_branch_with_copies(problem.keys[feature], problem.branch, node_split, copies, count, only)


@borrowing
def lay_out_copies(problem, node_split, copies, sums, branch_rows):
    """As `plan_copies`, all branches wanted; those of a threshold weigh `sums`, and both together."""
    for branch in range(node_split.n_branches):
        copies.wanted[branch] = True
    if problem.tests[node_split.feature] != THRESHOLD:
        return plan_copies(problem, node_split, copies, branch_rows)
    keys, branch_of, first_missing = problem.keys[node_split.feature], problem.branch, node_split.end
    while branch_of[row_of(keys[first_missing - 1])] == 2:  # rows without a value are the last
        first_missing -= 1
    for i in range(first_missing, node_split.end):
        copies.number[row_of(keys[i])] = i - first_missing
    copies.shares[0], copies.shares[1] = sums[0] / sums[2], sums[1] / sums[2]
    n_filled, n_keys = lay_out_branches(copies, 2, node_split.end - first_missing, branch_rows)
    return node_split.end - first_missing, n_filled, n_keys
