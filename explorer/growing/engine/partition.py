"""Carry out a split: give every row its branch, and reorder each column's segment so that branches are contiguous."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import MOST, first_largest
from explorer.growing.scans.branch_gains import find_medians, node_statistics
from explorer.growing.scans.buffers import DIRECTION, FIRST, SECOND
from explorer.growing.scans.categorical_split import PREFIX, gather, is_in_second_branch, prefix_order
from explorer.growing.scans.keys import row_in
from explorer.growing.scans.missing_rows import cut_between
from explorer.growing.scans.problem import (
    Problem,
    code_of,
    column_values,
    missing_start,
    row_of,
    row_weight_of,
    segment_of,
    weight_of,
)
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.missing import (
    DEFAULT_DIRECTION,
    FRACTIONAL,
    OWN_BRANCH,
    SAME_CLASS,
    SURROGATE,
    by_known_rows,
    median_goes_left,
)

NO_ROWS = -1
"""In place of a branch: no row of the node lacks a value."""


class Split(NamedTuple):
    """Room for one split: rows per branch, the branch of each category that has one, and the test's surrogates.

    `branch_of_position` is the branch of each category that is present, in the order of the codes; `weights` [3, B]
    is working memory for the weights of branches.
    """

    branch_rows: NDArray[np.int64]
    pair_codes: NDArray[np.int64]
    pair_branches: NDArray[np.int64]
    branch_of_position: NDArray[np.int64]
    surrogate_ints: NDArray[np.int32]
    surrogate_floats: NDArray[np.float64]
    surrogate_pairs: NDArray[np.int32]
    weights: NDArray[np.float64]


class NodeSplit(NamedTuple):
    """Which node is split, by which feature, and into how many branches; its rows are [start, end) in every column."""

    node: int
    start: int
    end: int
    feature: int
    n_branches: int


def split_for(problem: Problem) -> Split:
    """Room for the widest split of this problem."""
    most = max(3, int(problem.n_values[problem.tests != THRESHOLD].max(initial=0)))
    return Split(
        branch_rows=np.zeros(most, dtype=np.int64),
        pair_codes=np.zeros(most, dtype=np.int64),
        pair_branches=np.zeros(most, dtype=np.int64),
        branch_of_position=np.zeros(most, dtype=np.int64),
        surrogate_ints=np.zeros((MOST, 4), dtype=np.int32),
        surrogate_floats=np.zeros((MOST, 3)),
        surrogate_pairs=np.zeros((MOST * most, 2), dtype=np.int32),
        weights=np.zeros((3, most)),
    )


@borrowing
def assign_threshold_branches(problem, feature, start, known_end, low, split):
    """Branch 0 up to the code `low`, branch 1 above it, for every row that has a value, and the rows per branch.

    Returns the weights of the two branches and of both, each added up in the order of the keys.
    """
    keys, weights, branch_of = problem.keys[feature], problem.weights, problem.branch
    left, right, first_right = 0.0, 0.0, missing_start(keys, start, known_end, low + 1)
    for key in keys[start:first_right]:
        branch_of[row_of(key)] = 0
        left += weight_of(weights, row_of(key))
    both = left
    for key in keys[first_right:known_end]:
        branch_of[row_of(key)] = 1
        right += weight_of(weights, row_of(key))
        both += weight_of(weights, row_of(key))
    split.branch_rows[0], split.branch_rows[1] = first_right - start, known_end - first_right
    return left, right, both


@borrowing
def assign_by_category(problem, feature, start, known_end, n_branches, codes, split):
    """The branch of every row that has a value, and the rows per branch, from the present categories' branches."""
    keys, branch_of, branch_of_position = problem.keys[feature], problem.branch, split.branch_of_position
    branch_rows, position = split.branch_rows, 0
    for branch in range(n_branches):
        branch_rows[branch] = 0
    for i in range(start, known_end):
        # Keys and present categories are both sorted by code, so one walk along both finds every row's category.
        while codes[position] != code_of(keys[i]):
            position += 1
        branch_of[row_of(keys[i])] = branch_of_position[position]
        branch_rows[branch_of_position[position]] += 1


@borrowing
def assign_category_branches(problem, parameters, feature, start, end, known_end, mean, buffers, split):
    """A branch per category (all of training where empty branches are kept), or two groups, as the winner has it.

    Writes the branch of every row that has a value, and into `split` the rows per branch and the branch of every
    category that has one. Returns (branches, categories that have one, branch of the most common category).
    """
    n_present, imputed_category = gather(problem, parameters, feature, start, end, mean, buffers)
    if problem.tests[feature] == EACH_VALUE:
        n_branches = n_categories = number_branches_by_value(problem, parameters, feature, n_present, buffers, split)
    else:
        number_branches_by_group(parameters, feature, n_present, buffers, split)
        n_branches, n_categories = 2, n_present
    assign_by_category(problem, feature, start, known_end, n_branches, buffers.categories.codes, split)
    return n_branches, n_categories, split.branch_of_position[imputed_category]


@borrowing
def assign_missing_rows(problem, parameters, feature, known_end, end, n_branches, usual_branch, cut, buffers, split):
    """The branch of every row in [known_end, end), whose value is missing, as the recipe's policy has it.

    `usual_branch` is that of the most common value; under "same_class" it is looked up by the row's class. Rows that go
    down every branch are marked with the number of branches, and in no branch's count.
    """
    keys, branch_of = problem.keys[feature], problem.branch
    for i in range(known_end, end):
        row, branch = row_of(keys[i]), usual_branch
        if parameters.missing == SAME_CLASS:
            k = problem.classes[row]
            if problem.tests[feature] == THRESHOLD:
                branch = 0 if buffers.medians[k] <= cut else 1
            else:
                branch = split.branch_of_position[buffers.imputed_categories[k]]
        branch_of[row] = branch
        if branch < n_branches:
            split.branch_rows[branch] += 1


@borrowing
def recompute_medians(problem, feature, start, known_end, buffers):
    """The medians by class that the winning threshold was compared with."""
    segment, known = segment_of(problem, feature, start, known_end), buffers.known
    for k in range(known.size):
        known[k] = 0.0
    for i in range(start, known_end):
        row = row_of(segment.keys[i])
        known[segment.classes[row]] += weight_of(segment.weights, row)
    find_medians(segment, column_values(problem, feature), buffers)


@borrowing
def missing_weight_of(problem, feature, start, known_end, end):
    """Weight of the rows in [known_end, end), and of those whose missing value is a category of its own."""
    keys, weight = problem.keys[feature], 0.0
    if problem.missing_codes[feature] < problem.n_values[feature]:
        known_end = missing_start(keys, start, end, problem.missing_codes[feature])
    for i in range(known_end, end):
        weight += weight_of(problem.weights, row_of(keys[i]))
    return weight


@borrowing
def number_values(n_values, in_training, n_present, codes, split):
    """A branch for each value that is present, and for those `in_training`, by their codes; returns how many."""
    branch, position = 0, 0
    for code in range(n_values):
        is_present = position < n_present and codes[position] == code
        if is_present:
            split.branch_of_position[position] = branch
            position += 1
        if is_present or (code < in_training.size and in_training[code]):
            split.pair_codes[branch], split.pair_branches[branch] = code, branch
            branch += 1
    return branch


@borrowing
def number_prefix(order, last, n_present, codes, split):
    """One of two branches for each category: those up to the `last` of the order part from the others."""
    branches = split.branch_of_position
    for position in range(n_present):
        branches[position] = 0
    for i in range(last + 1):
        branches[order[i]] = 1
    is_swapped = branches[0] == 1  # the first category goes to the first branch
    for position in range(n_present):
        branches[position] = 1 - branches[position] if is_swapped else branches[position]
        split.pair_codes[position], split.pair_branches[position] = codes[position], branches[position]


@borrowing
def number_branches_by_value(problem, parameters, feature, n_present, buffers, split):
    """Number the branches in the order of the categories; returns how many there are."""
    n_values, first = problem.n_values[feature], problem.offsets[feature]
    in_training = problem.in_training[first : first + n_values if parameters.empty_branches else first]
    return number_values(n_values, in_training, n_present, buffers.categories.codes, split)


@inner
def number_branches_by_group(parameters, feature, n_present, buffers, split):
    """Say which of two branches each present category goes to."""
    categories, result = buffers.categories, buffers.results[feature]
    mode, number = int(result[FIRST]), int(result[SECOND])
    if mode == PREFIX:
        order = prefix_order(parameters, categories, n_present)
        number_prefix(order, number, n_present, categories.codes, split)
        return
    for position in range(n_present):
        branch = 1 if is_in_second_branch(mode, number, position, categories.order) else 0
        split.branch_of_position[position] = split.pair_branches[position] = branch
        split.pair_codes[position] = categories.codes[position]


@borrowing
def assign_branches(problem, parameters, feature, start, end, stats, buffers, split):
    """Carry out the winning candidate of `feature` as far as the rows' branches go.

    Returns (branches, categories that have one, threshold, branch of missing cells or −1, their weight, weights of the
    two branches of a threshold and of both).
    """
    keys, known_end, sums = problem.keys[feature], end, (0.0, 0.0, 0.0)
    is_by_known_rows = by_known_rows(parameters.missing)
    if problem.has_missing[feature]:
        known_end = missing_start(keys, start, end, problem.n_values[feature])
    missing_weight = missing_weight_of(problem, feature, start, known_end, end)

    # Rows that have a value: by threshold, or by category.
    if problem.tests[feature] == THRESHOLD:
        low, high = np.int64(buffers.results[feature, FIRST]), np.int64(buffers.results[feature, SECOND])
        values = column_values(problem, feature)
        sums = assign_threshold_branches(problem, feature, start, known_end, low, split)
        n_branches, n_categories = 2, 0
        cut = cut_between(parameters, values, low, high, buffers.results[feature])
        if parameters.missing == DEFAULT_DIRECTION:
            missing_branch = int(buffers.results[feature, DIRECTION]) if known_end < end else NO_ROWS
        else:
            missing_branch = 0 if median_goes_left(sums[0], sums[1], values[low], values[high], cut) else 1
        if parameters.missing == OWN_BRANCH:
            missing_branch = 2 if known_end < end else -1
            n_branches, split.branch_rows[2] = 3 if known_end < end else 2, 0
        elif parameters.missing == SAME_CLASS and known_end < end:
            recompute_medians(problem, feature, start, known_end, buffers)
    else:
        searched_end, cut = known_end if is_by_known_rows else end, np.nan
        mean = stats[1] if parameters.regression else 0.0
        if is_by_known_rows and parameters.regression and known_end < end:
            node_statistics(parameters, segment_of(problem, feature, start, known_end), buffers.known_stats)
            mean = buffers.known_stats[1]
        n_branches, n_categories, missing_branch = assign_category_branches(
            problem, parameters, feature, start, searched_end, known_end, mean, buffers, split
        )
        if parameters.missing == OWN_BRANCH or parameters.missing == DEFAULT_DIRECTION:
            missing_branch = branch_of_missing_category(problem, feature, n_categories, split)

    # Rows without a value: the policy's branch, or a mark for those that go down every branch or by surrogates.
    if parameters.missing == DEFAULT_DIRECTION and missing_branch == NO_ROWS:
        lacks_values = problem.has_missing[feature] or problem.missing_codes[feature] < problem.n_values[feature]
        missing_branch = 0
        if lacks_values:
            rows = split.branch_rows
            missing_branch = heaviest_branch(problem, parameters, keys, start, known_end, n_branches, rows)
    if parameters.missing == SURROGATE:
        missing_branch = heaviest_branch(problem, parameters, keys, start, known_end, n_branches, split.branch_rows)
    mark = n_branches if parameters.missing in (FRACTIONAL, SURROGATE) else missing_branch
    assign_missing_rows(problem, parameters, feature, known_end, end, n_branches, mark, cut, buffers, split)
    if parameters.missing == FRACTIONAL:
        missing_branch = -1
    return n_branches, n_categories, cut, missing_branch, missing_weight, sums


@inner
def heaviest_branch(problem, parameters, keys, start, known_end, n_branches, branch_rows):
    """The branch with the largest row weight of rows that have a value, the earlier one on a tie."""
    if problem.weights.size == 0:
        return np.argmax(branch_rows[:n_branches])
    totals = np.zeros(n_branches)
    for i in range(start, known_end):
        row = row_of(keys[i])
        totals[problem.branch[row]] += row_weight_of(problem, parameters, row)
    return first_largest(totals)


@inner
def branch_of_missing_category(problem, feature, n_categories, split):
    """The branch of the category that stands for a missing value, −1 where no row of the node has it."""
    for i in range(n_categories):
        if split.pair_codes[i] == problem.missing_codes[feature]:  # never so where missing is no category
            return split.pair_branches[i]
    return -1


@borrowing
def partition_in_two(segment, branch_of, buffer):
    """As `partition_column` and `partition_sorted`, for two branches."""
    # In place for the left branch, whose end never passes the key that is read; the right one waits in the buffer.
    # Both writes happen for every key, as a step without a branch of the program is faster than the right choice.
    left, right, one = np.uint64(0), np.uint64(0), np.uint64(1)  # unsigned: no index counts from the end
    for i in range(segment.size):
        key = segment[i]
        goes_right = np.uint64(branch_of[row_in(key)])
        segment[left] = key
        buffer[right] = key
        left += one - goes_right
        right += goes_right
    for i in range(right):
        segment[left + i] = buffer[i]


@kernel
def partition_column(keys, branch_of, start, end, n_branches, branch_rows, key_buffer):
    """Reorder a column's segment by branch, keeping the order within each. `key_buffer` holds the segment.

    A stable partition of sorted keys leaves every branch sorted, so that no node sorts again.
    """
    if n_branches == 2:
        partition_in_two(keys[start:end], branch_of, key_buffer)
        return
    # More branches: a counting sort by branch.
    positions = np.zeros(n_branches, dtype=np.int64)
    for branch in range(1, n_branches):
        positions[branch] = positions[branch - 1] + branch_rows[branch - 1]
    for i in range(start, end):
        branch = branch_of[row_of(keys[i])]
        key_buffer[positions[branch]] = keys[i]
        positions[branch] += 1
    for i in range(start, end):
        keys[i] = key_buffer[i - start]


@borrowing
def keep_branch(keys, branch_of, start, end, kept):
    """Move the keys of one branch to the front of a column's segment, where the others are not needed any more."""
    segment, to = keys[start:end], np.uint64(0)
    for i in range(segment.size):
        key = segment[i]
        segment[to] = key
        to += np.uint64(branch_of[row_of(key)] == kept)
