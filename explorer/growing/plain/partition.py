"""Carry out a split of a plain table: which branch every row takes, and every segment divided by branch."""

import numpy as np

from explorer.growing.engine.partition import number_prefix, number_values, partition_in_two
from explorer.growing.plain.drawing import branch_of_median, count_branches, order_rows
from explorer.growing.plain.search import gather_values
from explorer.growing.scans.branch_gains import node_numbers
from explorer.growing.scans.buffers import FIRST, SECOND
from explorer.growing.scans.counted import DRAWN, ROWS_LEFT
from explorer.growing.scans.keys import ROW_MASK, STARTS_VALUE, is_weighted, row_in, weight_in
from explorer.jit import borrowing
from explorer.recipe.category_order import order_by_mean
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.missing import FRACTIONAL, SURROGATE, heaviest

BY_MEDIAN = -2
"""In place of a branch for missing values: that of the median of the rows at a threshold."""


@borrowing
def branches_by_threshold(keys, table, start, end, n_left, plan):
    """Write the branch of every row of a segment in order, and the rows per branch; the class weights per branch.

    With a numeric target, the weight in place of those of the classes.
    """
    branch, classes, weights, counts = table.branch, table.classes, table.weights, plan.counts
    plan.rows[0], plan.rows[1] = n_left, end - start - n_left
    counts[:2] = 0
    for key in keys[start : start + n_left]:
        branch[row_in(key)] = 0
    for key in keys[start + n_left : end]:
        branch[row_in(key)] = 1
    if classes.size:
        is_small_left = 2 * n_left <= end - start
        first, last = (start, start + n_left) if is_small_left else (start + n_left, end)
        small = counts[0 if is_small_left else 1]
        for key in keys[first:last]:
            small[classes[row_in(key)]] += weight_in(weights, row_in(key))
        for k in range(counts.shape[1]):
            counts[1 if is_small_left else 0, k] = plan.node_counts[k] - small[k]
    elif is_weighted(weights):
        for i in range(start, end):
            row = row_in(keys[i])
            counts[branch[row], 0] += weight_in(weights, row)


@borrowing
def number_the_branches(table, parameters, feature, n_present, categories, result, plan):
    """The branch of every value at the node, and the (code, branch) pairs that the tree keeps.

    Returns (branches, pairs).
    """
    if table.tests[feature] == EACH_VALUE:
        n_values, first = table.n_values[feature], table.offsets[feature]
        in_training = table.in_training[first : first + n_values if parameters.empty_branches else first]
        n_branches = number_values(n_values, in_training, n_present, categories.codes, plan)
        return n_branches, n_branches
    order_by_mean(
        categories.stats, categories.weights, n_present, categories.order_keys, categories.order,
        categories.order_before,
    )  # fmt: skip
    number_prefix(categories.order, np.int64(result[SECOND]), n_present, categories.codes, plan)
    return 2, n_present


@borrowing
def branches_by_category(table, parameters, feature, rows, stats, work, result, plan):
    """As `branches_by_threshold`; returns (branches, pairs, branch of the most common category)."""
    categories, classes, counts = work.categories, table.classes, plan.counts
    n_present = gather_values(table, parameters, feature, rows, stats, work)
    n_branches, n_pairs = number_the_branches(table, parameters, feature, n_present, categories, result, plan)
    for b in range(n_branches):
        plan.rows[b] = 0
        for k in range(counts.shape[1]):
            counts[b, k] = 0
    place, position, start = table.place[feature], -1, rows.start
    keys = (
        table.orders[max(place, 0)] if rows.is_ordered and place >= 0 else work.keys
    )  # in order since they were gathered
    first = start if rows.is_ordered else 0
    if place < 0:
        for position in range(n_present):
            plan.branch_of_code[categories.codes[position]] = plan.branch_of_position[position]
    for i in range(rows.end - start):
        if place >= 0:
            key = keys[first + i]
            row = np.int64(row_in(key))
            position += i == 0 or key >= STARTS_VALUE
            b = plan.branch_of_position[position]
        else:
            row = np.int64(table.rows[start + i])
            b = plan.branch_of_code[table.codes[row, -1 - place]]
        table.branch[row] = b
        plan.rows[b] += 1
        if classes.size:
            counts[b, classes[row]] += weight_in(table.weights, row)
        elif is_weighted(table.weights):
            counts[b, 0] += weight_in(table.weights, row)
    return n_branches, n_pairs, plan.branch_of_position[heaviest(categories.weights[:n_present])]


@borrowing
def branches_by_code(codes, column, highest_left, table, start, end, plan):
    """Write every row's branch by the threshold of an unsorted column, and rows and class weights per branch."""
    rows, classes, weights, branch, counts = table.rows, table.classes, table.weights, table.branch, plan.counts
    n_right, right, right_second = np.int64(0), np.int64(0), np.int64(0)
    if counts.shape[1] > 2:
        counts[:2] = 0
        for i in range(start, end):
            row = rows[i]
            goes_right = np.uint8(codes[row, column] > highest_left)
            branch[row] = goes_right
            n_right += goes_right
            counts[goes_right, classes[row]] += weight_in(weights, row)
        plan.rows[0], plan.rows[1] = end - start - n_right, n_right
        return
    for i in range(start, end):
        row = rows[i]
        goes_right = codes[row, column] > highest_left
        branch[row] = goes_right
        n_right += goes_right
        right += goes_right * weight_in(weights, row)
        right_second += (goes_right & classes[row]) * weight_in(weights, row)
    plan.rows[0], plan.rows[1] = end - start - n_right, n_right
    counts[1, 0], counts[1, 1] = right - right_second, right_second
    counts[0, 0], counts[0, 1] = plan.node_counts[0] - counts[1, 0], plan.node_counts[1] - counts[1, 1]


@borrowing
def is_by_key(table, feature, rows):
    """Whether a node's rows are divided by their keys side by side: by a threshold, where columns are not in order."""
    return table.ones.size > 0 and not rows.is_ordered and table.tests[feature] == THRESHOLD


@borrowing
def assign_branches(table, parameters, feature, rows, stats, work, result, plan):
    """Every row's branch in `table.branch`; rows, class weights and categories of the branches in `plan`.

    Where the rows of the node are not in order and the target is numeric, `work.keys` are in that of the feature; with
    classes and a threshold, their branches are not written, see `is_by_key`.
    Returns (branches, pairs, branch for missing values: −1 none or all, or `BY_MEDIAN`).
    """
    place, start, end, low = table.place[feature], rows.start, rows.end, np.int64(result[FIRST])
    n_branches, n_pairs, missing_branch = 2, 0, BY_MEDIAN
    if table.tests[feature] != THRESHOLD:
        n_branches, n_pairs, missing_branch = branches_by_category(
            table, parameters, feature, rows, stats, work, result, plan
        )
    elif is_by_key(table, feature, rows):
        count_branches(table, feature, rows, work, result, plan)
        if parameters.random_thresholds:
            missing_branch = branch_of_median(table, feature, rows, result[DRAWN], plan)
    elif place < 0:
        branches_by_code(table.codes, -1 - place, low, table, start, end, plan)
    elif rows.is_ordered:
        branches_by_threshold(table.orders[place], table, start, end, np.int64(result[ROWS_LEFT]), plan)
    else:
        order_rows(table, feature, rows, work)
        branches_by_threshold(work.keys, table, 0, end - start, np.int64(result[ROWS_LEFT]), plan)
    if parameters.missing == FRACTIONAL:
        missing_branch = -1
    elif parameters.missing == SURROGATE:
        missing_branch = heaviest_branch(table.weights, n_branches, plan)
    return n_branches, n_pairs, missing_branch


@borrowing
def heaviest_branch(weights, n_branches, plan):
    """The branch with the largest weight, the earlier one on a tie."""
    heaviest_yet, most = 0, -1
    for b in range(n_branches):
        weight = plan.rows[b]
        if is_weighted(weights):
            weight = 0
            for count in plan.counts[b]:
                weight += count
        if weight > most:
            heaviest_yet, most = b, weight
    return heaviest_yet


@borrowing
def partition_sorted(keys, branch, start, end, n_branches, branch_rows, has_ties, buffer):
    """Reorder a sorted column's segment by branch, keeping the order in each, and mark where values start there.

    `buffer` [n] is working memory.
    """
    segment, one = keys[start:end], np.uint64(1)
    left, right = np.uint64(0), np.uint64(0)  # unsigned: no index counts from the end
    if n_branches == 2 and not has_ties:
        partition_in_two(segment, branch, buffer)
    elif n_branches == 2:
        left_bit, right_bit = np.uint32(0), np.uint32(0)
        for i in range(segment.size):
            key = segment[i]
            row, bit = key & ROW_MASK, key & STARTS_VALUE
            goes_right = np.uint32(branch[row])
            left_bit |= bit
            right_bit |= bit
            segment[left] = row | left_bit
            buffer[right] = row | right_bit
            left += one - np.uint64(goes_right)
            right += np.uint64(goes_right)
            left_bit &= np.uint32(0) - goes_right
            right_bit &= goes_right - np.uint32(1)
    else:
        partition_many(keys, branch, start, end, n_branches, branch_rows, buffer)
    for i in range(right):
        segment[left + i] = buffer[i]


@borrowing
def partition_many(keys, branch, start, end, n_branches, branch_rows, buffer):
    """As `partition_sorted` for any number of branches; `branch_rows` has room for twice as many."""
    # The second half of `branch_rows` holds where a branch is filled, the third which value it had last.
    n = branch_rows.size // 3
    positions, last_value = branch_rows[n : 2 * n], branch_rows[2 * n :]
    position = 0
    for b in range(n_branches):
        positions[b], last_value[b] = position, -1
        position += branch_rows[b]
    value = -1  # every segment of a sorted column starts a value; the rows of counted columns have no such bit
    for i in range(start, end):
        row = keys[i] & ROW_MASK
        value += keys[i] >= STARTS_VALUE
        b = branch[row]
        buffer[positions[b]] = row if last_value[b] == value else row | STARTS_VALUE
        last_value[b] = value
        positions[b] += 1
    for i in range(start, end):
        keys[i] = buffer[i - start]


@borrowing
def keep_branch(keys, branch, start, end, kept):
    """Move the keys of one branch to the front of the segment, and mark where values start there."""
    segment, bit, to = keys[start:end], np.uint32(0), np.uint64(0)
    for i in range(segment.size):
        key = segment[i]
        row = key & ROW_MASK
        bit |= key & STARTS_VALUE
        segment[to] = row | bit
        is_kept = np.uint32(branch[row] == kept)
        to += np.uint64(is_kept)
        bit &= is_kept - np.uint32(1)


@borrowing
def root_statistics(table, n_rows, stats):
    """The statistics of all rows into `stats`; whether they agree on the target."""
    if table.numbers.size:
        return node_numbers(table.orders[0], table.numbers, table.weights, 0, n_rows, stats)
    rows = table.rows if table.rows.size else table.orders[0]
    for key in rows[:n_rows]:
        stats[table.classes[row_in(key)]] += weight_in(table.weights, row_in(key))
    n_present = 0
    for weight in stats:
        n_present += weight > 0.0
    return n_present <= 1
