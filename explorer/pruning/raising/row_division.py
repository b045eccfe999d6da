"""Divide the rows of a node among its branches, in place: the rows of every node then lie side by side, in order.

Where many rows go down a tree this reads a test once for all rows of its node, and the next row waits for no other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.jit import borrowing, kernel
from explorer.threads import shared_pool
from explorer.tree.packed_tests import CATEGORIES, MASK_WIDTH, OTHER, SLOT_BITS, SLOT_MASK
from explorer.tree.routing import MISSING, Plan, codes_in_tree, plan_of, used_features, values_and_ranks
from explorer.tree.tree import Tree

MOST_RANKS = 1 << 24
"""Whole numbers up to this one are floats of 32 bits."""


Ids = NDArray[np.int64]


class Division(NamedTuple):
    """Buffers for dividing up to m rows, and its result.

    `first` and `second` [m] are the rows of two branches, `branches` [m] the branch of every row, −1 where its decision
    path ends. `begins` [b + 1] are where the rows of every branch begin, and where those of the last one end; rows
    without a branch come before all.
    """

    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    branches: NDArray[np.int64]
    begins: NDArray[np.int64]


def plan_by_column(tree: Tree, data: Dataset, by_rank: bool) -> Plan:
    """The plan to divide rows of `data`; `by_rank` its numbers are ranks in a column, thresholds between two ranks.

    Ranks have half the width of values, which pays where rows are read often; thresholds take time to find. There are
    two rows and columns or more, so that compiled loops see arrays of one kind.
    """
    cells, surrogates, cuts = data.cells, tree.surrogates, tree.threshold.copy()
    used = used_features(tree, cells.columns)
    numeric = [f for f in used if tree.features[f].test == "threshold"]
    others = [f for f in used if tree.features[f].test != "threshold"]
    shape = max(data.n_rows, 2), max(len(numeric), 2)
    absent = np.empty(0), np.zeros(data.n_rows, np.int32)
    encodings = [tree.features[f] for f in numeric]
    columns = [values_and_ranks(each, cells, data) if each.name in cells.columns else absent for each in encodings]
    is_exact = max((values.size for values, _ in columns), default=0) <= MOST_RANKS
    numbers = np.empty(shape, np.float32 if by_rank and is_exact else np.float64, "F")
    codes, slot = np.empty((shape[0], max(len(others), 2)), np.int32, "F"), np.zeros(len(tree.features), np.int64)
    tests = [(tree.feature, cuts)]
    if surrogates is not None:
        surrogates = replace(surrogates, cut=surrogates.cut.copy())
        tests.append((surrogates.feature, surrogates.cut))

    def rank(position: int, values: NDArray[np.float64], ranks: NDArray[np.int32]) -> None:
        column = numbers[: data.n_rows, position]
        if not by_rank:
            np.take(np.append(values, np.nan), ranks, out=column, mode="clip")
            return
        column[:] = ranks
        column[ranks == values.size] = np.nan
        for tested, cut in tests:
            here = np.flatnonzero(tested == numeric[position])
            here = here[np.argsort(cut[here])]  # a search for numbers that ascend takes half as long
            cut[here] = np.searchsorted(values, cut[here], "right") - 0.5

    def read(position: int) -> None:
        feature = tree.features[others[position]]
        column = codes_in_tree(feature, cells, data) if feature.name in cells.columns else MISSING
        codes[: data.n_rows, position] = column

    slot[numeric], slot[others] = np.arange(len(numeric)), -1 - np.arange(len(others))
    kinds = {feature.name: feature.kind for feature in data.features}
    is_in_data = all(kinds.get(tree.features[f].name) == tree.features[f].kind for f in others)
    read_all = (shared_pool().map if is_in_data else map)(read, range(len(others)))  # else an error may be told
    list(shared_pool().map(rank, range(len(numeric)), *zip(*columns, strict=True)))
    list(read_all)
    return plan_of(replace(tree, threshold=cuts, surrogates=surrogates), numbers, codes, slot)


def in_order(plan: Plan, rows: NDArray[np.uint32], *columns: NDArray[Any]) -> tuple[Ids, list[NDArray[Any]]]:
    """Number rows anew, in the order of `rows` [n], which are then 0, 1, …: that order, and columns [n] in it.

    The plan changes in place. Rows that are divided together lie side by side in memory then.
    """
    order = rows.astype(np.int64)
    rows[:] = np.arange(rows.size)

    def put(column: NDArray[Any]) -> None:
        column[: order.size] = np.take(column, order, mode="clip")

    ordered = shared_pool().map(lambda column: np.take(column, order, mode="clip"), columns)
    list(shared_pool().map(put, [*plan.numbers.T, *plan.codes.T]))
    return order, list(ordered)


@kernel
def division_for(n_rows, n_branches):
    """Buffers for so many rows and branches."""
    first, second = np.empty(n_rows, dtype=np.uint32), np.empty(n_rows, dtype=np.uint32)
    return Division(first, second, np.empty(n_rows, dtype=np.int64), np.empty(n_branches + 1, dtype=np.int64))


@borrowing
def copy_rows(rows, to):
    """Copy `rows` [m] to the beginning of another array."""
    for i in range(rows.size):
        to[i] = rows[i]


@borrowing
def put_back(division, rows, start, end, n_first):
    """Put the rows of two branches back."""
    middle = start + n_first
    copy_rows(division.first[:n_first], rows[start:middle])
    copy_rows(division.second[: end - middle], rows[middle:end])
    division.begins[0], division.begins[1], division.begins[2] = start, middle, end


@borrowing
def divide_by_threshold(division, column, cut, rows, start, end):
    """Divide `rows` [start, end) by their values in a column; False, and nothing done, where one lacks a value."""
    part, n_first, n_second, n_missing = rows[start:end], np.uint64(0), np.uint64(0), 0
    for i in range(part.size):
        row = part[i]
        value = column[row]
        is_second = np.uint64(value > cut)
        division.first[n_first], division.second[n_second] = row, row
        n_second += is_second
        n_first += np.uint64(1) - is_second
        n_missing += np.isnan(value)
    if n_missing > 0:
        return False
    put_back(division, rows, start, end, np.int64(n_first))
    return True


@borrowing
def divide_by_categories(division, column, known, second, rows, start, end):
    """The same by categories, given those that have a branch and those of the second; all others lack a value."""
    part, n_first, n_second, n_missing = rows[start:end], np.uint64(0), np.uint64(0), 0
    for i in range(part.size):
        row = part[i]
        code = np.int64(column[row])
        bit = code & (MASK_WIDTH - 1)
        n_missing += 1 - ((known >> bit) & (code == bit))
        is_second = np.uint64((second >> bit) & 1)
        division.first[n_first], division.second[n_second] = row, row
        n_second += is_second
        n_first += np.uint64(1) - is_second
    if n_missing > 0:
        return False
    put_back(division, rows, start, end, np.int64(n_first))
    return True


@borrowing
def divide_packed(plan, division, rows, start, end, node):
    """Divide `rows` [start, end) of a node by its packed test; False, and nothing done, where a row needs a rule."""
    head = plan.packed.ints[node, 0]
    if not 0 <= head < OTHER:
        return False
    slot = (head >> SLOT_BITS) & SLOT_MASK
    if head < CATEGORIES:
        return divide_by_threshold(division, plan.numbers[:, slot], plan.packed.floats[node, 1], rows, start, end)
    known, second = plan.packed.ints[node, 1], plan.packed.second[node]
    return divide_by_categories(division, plan.codes[:, slot], known, second, rows, start, end)


@borrowing
def divide_by_branches(division, rows, start, end, n_branches):
    """Divide `rows` [start, end) by `division.branches`, those of the rows from `start` on: a counting sort."""
    begins, branches, old = division.begins, division.branches[: end - start], division.first
    begins[: n_branches + 1] = 0
    for i in range(branches.size):
        old[i] = rows[start + i]
        begins[branches[i] + 1] += 1
    filled = start
    for place in range(n_branches + 1):
        n_here, begins[place] = begins[place], filled
        filled += n_here
    for i in range(branches.size):  # this ends with every place where the next one begins
        place = branches[i] + 1
        rows[begins[place]] = old[i]
        begins[place] += 1
