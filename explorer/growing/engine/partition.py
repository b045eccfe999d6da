"""Carry out a split: give every row its branch, and reorder each column's segment so that branches are contiguous."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import MOST, first_largest
from explorer.growing.engine.buffers import FIRST, SECOND
from explorer.growing.engine.categorical_split import gather, in_second
from explorer.growing.engine.numeric_split import find_medians
from explorer.growing.engine.problem import (
    Problem,
    code_of,
    column_values,
    missing_start,
    row_of,
    row_weight_of,
    weight_of,
)
from explorer.jit import borrowing, inner, kernel
from explorer.recipe.category_order import category_order
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.condition import threshold_between
from explorer.recipe.missing import FRACTIONAL, OWN_BRANCH, SAME_CLASS, SURROGATE, by_known_rows, median_goes_left


class Split(NamedTuple):
    """Room for one split: rows per branch, the branch of each category that has one, and the test's surrogates."""

    branch_rows: NDArray[np.int64]
    pair_codes: NDArray[np.int64]
    pair_branches: NDArray[np.int64]
    branch_of_place: NDArray[np.int64]
    mimic_ints: NDArray[np.int32]
    mimic_floats: NDArray[np.float64]
    mimic_pairs: NDArray[np.int32]


def split_for(problem: Problem) -> Split:
    """Room for the widest split of this problem."""
    most = max(3, int(problem.n_values[problem.tests != THRESHOLD].max(initial=0)))
    return Split(
        branch_rows=np.zeros(most, dtype=np.int64),
        pair_codes=np.zeros(most, dtype=np.int64),
        pair_branches=np.zeros(most, dtype=np.int64),
        branch_of_place=np.zeros(most, dtype=np.int64),
        mimic_ints=np.zeros((MOST, 4), dtype=np.int32),
        mimic_floats=np.zeros((MOST, 3)),
        mimic_pairs=np.zeros((MOST * most, 2), dtype=np.int32),
    )


@borrowing
def mark_threshold(keys, values, weights, branch_of, start, known_end, low, high, place, branch_rows):
    """Branch 0 up to the code `low`, branch 1 from `high` on.

    Writes the branch of every row that has a value, and the rows per branch; returns whether the median is on the left.
    """
    left, right, first_right = 0.0, 0.0, start
    for i in range(start, known_end):
        row = row_of(keys[i])
        if code_of(keys[i]) > low:
            branch_of[row] = 1
            right += weight_of(weights, row)
        else:
            branch_of[row] = 0
            left += weight_of(weights, row)
            first_right = i + 1
    branch_rows[0], branch_rows[1] = first_right - start, known_end - first_right
    return median_goes_left(left, right, values, low, high, place)


@inner
def mark_categories(problem, rules, feature, start, end, known_end, mean, scratch, split):
    """A branch per category (all of training where empty branches are kept), or two groups, as the winner has it.

    Writes the branch of every row that has a value, and into `split` the rows per branch and the branch of every
    category that has one. Returns (branches, categories that have one, branch of the most common category).
    """
    n_present, stand_in = gather(problem, rules, feature, start, end, mean, scratch)
    if problem.tests[feature] == EACH_VALUE:
        n_branches, n_pairs = name_each_value(problem, rules, feature, n_present, scratch, split)
    else:
        n_branches, n_pairs = name_groups(rules, feature, n_present, scratch, split)
    keys, branch_of = problem.keys[feature], problem.branch
    counts, codes, branch_of_place = split.branch_rows, scratch.category_codes, split.branch_of_place
    counts[:n_branches] = 0
    place = 0
    for i in range(start, known_end):
        while codes[place] != code_of(keys[i]):
            place += 1
        branch_of[row_of(keys[i])] = branch_of_place[place]
        counts[branch_of_place[place]] += 1
    return n_branches, n_pairs, branch_of_place[stand_in]


@borrowing
def mark_missing(problem, rules, feature, known_end, end, n_branches, usual, cut, scratch, split):
    """The branch of every row in [known_end, end), whose value is missing; `usual` is that of the most common value.

    Rows that go down every branch are marked with the number of branches, and in no branch's count.
    """
    keys, branch_of = problem.keys[feature], problem.branch
    for i in range(known_end, end):
        row, branch = row_of(keys[i]), usual
        if rules.missing == SAME_CLASS:
            k = problem.classes[row]
            if problem.tests[feature] == THRESHOLD:
                branch = 0 if scratch.medians[k] <= cut else 1
            else:
                branch = split.branch_of_place[scratch.stand_ins[k]]
        branch_of[row] = branch
        if branch < n_branches:
            split.branch_rows[branch] += 1


@borrowing
def find_medians_again(problem, feature, start, known_end, scratch):
    """The medians by class that the winning threshold was judged with."""
    keys, classes, weights = problem.keys[feature], problem.classes, problem.weights
    for k in range(scratch.known.size):
        scratch.known[k] = 0.0
    for i in range(start, known_end):
        scratch.known[classes[row_of(keys[i])]] += weight_of(weights, row_of(keys[i]))
    find_medians(keys, classes, weights, start, known_end, column_values(problem, feature), scratch)


@borrowing
def weight_missing(problem, feature, start, known_end, end):
    """Weight of the rows in [known_end, end), and of those whose missing value is a category of its own."""
    keys, missing = problem.keys[feature], 0.0
    if problem.missing_codes[feature] < problem.n_values[feature]:
        known_end = missing_start(keys, start, end, problem.missing_codes[feature])
    for i in range(known_end, end):
        missing += weight_of(problem.weights, row_of(keys[i]))
    return missing


@borrowing
def name_each_value(problem, rules, feature, n_present, scratch, split):
    """Number the branches in the order of the categories."""
    branch, place = 0, 0
    for code in range(problem.n_values[feature]):
        here = place < n_present and scratch.category_codes[place] == code
        if here:
            split.branch_of_place[place] = branch
            place += 1
        if here or (rules.empty_branches and problem.in_training[problem.offsets[feature] + code]):
            split.pair_codes[branch] = code
            split.pair_branches[branch] = branch
            branch += 1
    return branch, branch


@inner
def name_groups(rules, feature, n_present, scratch, split):
    """Say which of two branches each present category goes to."""
    mode = int(scratch.results[feature, FIRST])
    which = int(scratch.results[feature, SECOND])
    order = category_order(scratch.category_stats[:n_present], scratch.category_weights[:n_present], rules.regression)
    for place in range(n_present):
        branch = 1 if in_second(mode, which, place, order) else 0
        split.branch_of_place[place] = branch
        split.pair_codes[place] = scratch.category_codes[place]
        split.pair_branches[place] = branch
    return 2, n_present


@kernel
def mark(problem, rules, feature, start, end, stats, scratch, split):
    """Carry out the winning candidate of `feature` as far as the rows' branches go.

    Returns (branches, categories that have one, threshold, branch of missing cells or −1, their weight).
    """
    keys, known_end, apart = problem.keys[feature], end, by_known_rows(rules.missing)
    if problem.has_missing[feature]:
        known_end = missing_start(keys, start, end, problem.n_values[feature])
    missing = weight_missing(problem, feature, start, known_end, end)
    if problem.tests[feature] == THRESHOLD:
        low, high = np.int64(scratch.results[feature, FIRST]), np.int64(scratch.results[feature, SECOND])
        values = column_values(problem, feature)
        to_left = mark_threshold(
            keys, values, problem.weights, problem.branch, start, known_end, low, high, rules.place, split.branch_rows
        )
        n_branches, found, cut, usual = 2, 0, threshold_between(values, low, high, rules.place), 0 if to_left else 1
        if rules.missing == OWN_BRANCH:
            usual = 2 if known_end < end else -1
            n_branches, split.branch_rows[2] = 3 if known_end < end else 2, 0
        elif rules.missing == SAME_CLASS and known_end < end:
            find_medians_again(problem, feature, start, known_end, scratch)
    else:
        judged, mean, cut = known_end if apart else end, stats[1] if rules.regression else 0.0, np.nan
        if apart and rules.regression and known_end < end:
            node_statistics(
                keys, problem.classes, problem.numbers, problem.weights, start, known_end, scratch.known_stats
            )
            mean = scratch.known_stats[1]
        n_branches, found, usual = mark_categories(
            problem, rules, feature, start, judged, known_end, mean, scratch, split
        )
        if rules.missing == OWN_BRANCH:
            usual = branch_of_missing(problem, feature, found, split)
    if rules.missing == SURROGATE:
        usual = heaviest_branch(problem, rules, keys, start, known_end, n_branches, split.branch_rows)
    to = n_branches if rules.missing in (FRACTIONAL, SURROGATE) else usual
    mark_missing(problem, rules, feature, known_end, end, n_branches, to, cut, scratch, split)
    return n_branches, found, cut, -1 if rules.missing == FRACTIONAL else usual, missing


@inner
def heaviest_branch(problem, rules, keys, start, known_end, n_branches, branch_rows):
    """The branch with the largest row weight of rows that have a value, the earlier one on a tie."""
    if problem.weights.size == 0:
        return np.argmax(branch_rows[:n_branches])
    totals = np.zeros(n_branches)
    for i in range(start, known_end):
        row = row_of(keys[i])
        totals[problem.branch[row]] += row_weight_of(problem, rules, row)
    return first_largest(totals)


@inner
def branch_of_missing(problem, feature, n_pairs, split):
    """The branch of the category that stands for a missing value, −1 where no row of the node has it."""
    for i in range(n_pairs):
        if split.pair_codes[i] == problem.missing_codes[feature]:  # never so where missing is no category
            return split.pair_branches[i]
    return -1


@kernel
def partition_column(keys, branch_of, start, end, n_branches, branch_rows, buffer):
    """Reorder a column's segment by branch, keeping the order within each branch. `buffer` holds the segment."""
    if n_branches == 2:
        left, right = start, 0
        for i in range(start, end):
            key = keys[i]
            goes_right = np.int64(branch_of[row_of(key)])
            keys[left] = key
            buffer[right] = key
            left += 1 - goes_right
            right += goes_right
        for i in range(right):
            keys[left + i] = buffer[i]
        return
    places = np.zeros(n_branches, dtype=np.int64)
    for branch in range(1, n_branches):
        places[branch] = places[branch - 1] + branch_rows[branch - 1]
    for i in range(start, end):
        branch = branch_of[row_of(keys[i])]
        buffer[places[branch]] = keys[i]
        places[branch] += 1
    for i in range(start, end):
        keys[i] = buffer[i - start]


@borrowing
def node_statistics(keys, classes, numbers, weights, start, end, stats):
    """Fill the statistics of the rows in a segment; return whether they all agree on the target."""
    for k in range(stats.size):
        stats[k] = 0.0
    if numbers.size == 0:
        for i in range(start, end):
            row = row_of(keys[i])
            stats[classes[row]] += weight_of(weights, row)
        present = 0
        for weight in stats:
            present += weight > 0.0
        return present <= 1
    lowest, highest = np.inf, -np.inf
    for i in range(start, end):
        row = row_of(keys[i])
        weight = weight_of(weights, row)
        stats[0] += weight
        stats[1] += weight * numbers[row]
        lowest, highest = min(lowest, numbers[row]), max(highest, numbers[row])
    stats[1] /= stats[0]
    off = 0.0
    for i in range(start, end):
        row = row_of(keys[i])
        apart = numbers[row] - stats[1]
        off += weight_of(weights, row) * apart
        stats[2] += weight_of(weights, row) * apart * apart
    stats[2] = max(stats[2] - off * off / stats[0], 0.0) if lowest < highest else 0.0
    stats[1] = stats[1] + off / stats[0] if lowest < highest else lowest
    return lowest == highest
