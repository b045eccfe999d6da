"""What a node draws: the features that it may test, and their thresholds; and the order of its rows by those alone.

Where few features are drawn, a split need not keep the other columns in order: below some size a node has a list of its
rows only, and sorts them by what it draws. The tree is the same either way.
"""

import numpy as np

from explorer.growing.scans.buffers import FIRST, GAIN, SPLIT_INFO
from explorer.growing.scans.counted import DRAWN
from explorer.growing.scans.keys import STARTS_VALUE, weight_in
from explorer.growing.scans.running_best import split_information_two
from explorer.jit import borrowing
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.feature_draw import draw_first, random_threshold
from explorer.recipe.impurity import gain_of_two_classes, node_total_impurity, rounded_to_zero
from explorer.recipe.missing import median_goes_left

FEW_ROWS, MOST_SHORT = 64, 1 << 26
"""Up to so many rows a node keeps no order, and is sorted by keys of 32 bits where there are at most so many values."""
SMALL_ROWS = 2_048
"""Up to so many rows, those of a node that is not in order are copied, to be side by side."""
LANES, SIX, LAST_SIX, ABOVE_ALL = 8, np.uint32(6), np.uint32(63), np.uint32(2**32 - 1)
STEPS_TO_SORT, STEPS_TO_DIVIDE = 5, 1
"""What it takes, in proportion, to sort a cell of a large node and to divide one that is in order."""
DIGIT_BITS = 9
"""Bits by which a large node is sorted at a time."""
ROW_BITS, LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)


@borrowing
def keeps_order(parameters, n_rows, n_live):
    """Whether it takes less to divide all live columns of a node than to sort what its children draw."""
    if parameters.random_thresholds or n_rows <= FEW_ROWS:
        return False
    return STEPS_TO_DIVIDE * n_live <= STEPS_TO_SORT * parameters.max_features


@borrowing
def differs(codes, column, rows, start, end):
    """Whether the rows [start, end) have two values in a column of these codes."""
    code = codes[rows[start], column]
    for row in rows[start + 1 : end]:  # noqa: SIM110 - a loop that is compiled
        if codes[row, column] != code:
            return True
    return False


@borrowing
def has_two_values(table, feature, rows):
    """Whether the rows of a node have two values of a feature."""
    place, start, end = table.place[feature], rows.start, rows.end
    if table.cells.size and table.tests[feature] == THRESHOLD:
        return differs(table.cells, feature, table.rows, start, end)
    if place < 0:
        return differs(table.codes, -1 - place, table.rows, start, end)
    if not table.has_ties[feature]:
        return end - start > 1
    if not rows.is_ordered:
        return differs(table.ranks, place, table.rows, start, end)
    for key in table.orders[place][start + 1 : end]:  # noqa: SIM110 - a loop that is compiled
        if key >= STARTS_VALUE:
            return True
    return False


@borrowing
def draw_features(table, parameters, rows, n_live, work):
    """Leave only features that have two values at the node live, and mark in `work.is_drawn` which of them it draws.

    Returns how many are live.
    """
    live, is_drawn, items, n_kept = work.live, work.is_drawn, work.items, 0
    for j in range(n_live):
        if has_two_values(table, live[j], rows):
            live[n_kept], items[n_kept] = live[j], n_kept
            n_kept += 1
    draws_all = parameters.max_features >= n_kept
    for j in range(n_kept):
        is_drawn[j] = draws_all
    if not draws_all:
        draw_first(parameters.feature_seed, rows.path, parameters.max_features, items, n_kept)
        for i in range(parameters.max_features):
            is_drawn[items[i]] = True
    return n_kept


@borrowing
def order_rows(table, feature, rows, work):
    """Sort the rows of a node by a feature into `work.keys`, as they stand in a column that is kept in order.

    Few rows by how many are less than each, which the processor counts for eight at a time; more by their digits.
    """
    ranks, place, listed = table.ranks, table.place[feature], table.rows[rows.start : rows.end]
    if listed.size <= FEW_ROWS and table.n_values[feature] <= MOST_SHORT:
        order_few_rows(ranks, place, listed, work.short[0], work.short[1], work.keys)
        return
    keys, result, previous = work.sorted[0], work.keys, LOW_HALF
    for i in range(listed.size):
        keys[i] = (np.uint64(ranks[listed[i], place]) << ROW_BITS) | np.uint64(listed[i])
    sort_by_digits(listed.size, table.n_values[feature], work.sorted, work.digits)
    for i in range(listed.size):
        code = keys[i] >> ROW_BITS
        result[i] = np.uint32(keys[i] & LOW_HALF) | (STARTS_VALUE if code != previous else np.uint32(0))
        previous = code


@borrowing
def order_few_rows(ranks, place, listed, short, ordered, result):
    """As `order_rows`, for up to 64 rows and codes of 26 bits: a key is a code and a position among the rows."""
    padded = (listed.size + LANES - 1) // LANES * LANES
    for i in range(listed.size):
        short[i] = (ranks[listed[i], place] << SIX) | np.uint32(i)
    for i in range(listed.size, padded):
        short[i] = ABOVE_ALL
    keys = short[:padded]
    for i in range(listed.size):
        key, n_less = keys[i], np.uint32(0)
        for other in keys:
            n_less = np.uint32(n_less + np.uint32(other < key))
        ordered[n_less] = key
    previous = ABOVE_ALL
    for i in range(listed.size):
        code = ordered[i] >> SIX
        result[i] = listed[ordered[i] & LAST_SIX] | (STARTS_VALUE if code != previous else np.uint32(0))
        previous = code


@borrowing
def sort_by_digits(n, n_values, keys, counts):
    """Sort the first `n` of `keys[0]`, rows ascending, by their codes, which are below `n_values`; stable."""
    n_bits = 1
    while n_values > 1 << n_bits:
        n_bits += 1
    n_passes = (n_bits + DIGIT_BITS - 1) // DIGIT_BITS
    n_passes += n_passes & 1  # so that it ends where it began
    width = (n_bits + n_passes - 1) // n_passes
    mask = np.uint64((1 << width) - 1)
    for turn in range(n_passes):
        source, target, shift = keys[turn & 1], keys[1 - (turn & 1)], np.uint64(32 + turn * width)
        for digit in range(1 << width):
            counts[digit] = 0
        for key in source[:n]:
            counts[(key >> shift) & mask] += 1
        position = 0
        for digit in range(1 << width):
            position, counts[digit] = position + counts[digit], position
        for key in source[:n]:
            digit = (key >> shift) & mask
            target[counts[digit]] = key
            counts[digit] += 1


@borrowing
def gather_drawn(table, parameters, rows, n_live, work):
    """Copy the numbers of the features that draw a threshold, so that they lie side by side for each, and the classes.

    A row's class is in the upper half of `work.ones`, its weight in the lower one; with two classes, the upper half has
    what it weighs in the second. Any threshold parts two rows, and the first one wins, unless ratios compete.
    """
    columns, n_columns, cells, ones, to = work.items, 0, table.cells, work.ones, work.cells
    classes, weights, listed = table.classes, table.weights, table.rows[rows.start : rows.end]
    takes_first = listed.size == 2 and not parameters.with_info
    for j in range(n_live):
        if work.is_drawn[j] and table.tests[work.live[j]] == THRESHOLD and not (takes_first and n_columns):
            columns[n_columns] = work.live[j]
            n_columns += 1
    is_two = work.sides.shape[1] == 2
    for i in range(np.uint64(listed.size)):
        row = listed[i]
        weight, k = np.uint64(weight_in(weights, row)), np.uint64(classes[row])
        ones[i] = weight | ((k * weight if is_two else k) << ROW_BITS)
    for t in range(n_columns):
        column, of_column = np.uint64(columns[t]), to[t]
        for i in range(np.uint64(listed.size)):
            of_column[i] = cells[listed[i], column]


@borrowing
def count_above(cells, ones, n, cut, counts):
    """Class weights of the first `n` rows with a number above the cut into `counts` [K]."""
    if counts.size == 2:
        above = np.uint64(0)
        for i in range(np.uint64(n)):
            above += ones[i] & (np.uint64(0) - np.uint64(cells[i] > cut))
        counts[1] = above >> ROW_BITS
        counts[0] = (above & LOW_HALF) - (above >> ROW_BITS)
        return
    for k in range(counts.size):
        counts[k] = 0
    for i in range(np.uint64(n)):
        counts[ones[i] >> ROW_BITS] += np.int64(ones[i] & LOW_HALF) * (cells[i] > cut)


@borrowing
def search_drawn_threshold(parameters, number, drawn, rows, node, stats, work, result):
    """The one threshold that the node draws for a feature, into its row of results.

    `number` is the feature's among those that have two values at the node, `drawn` among those that draw a threshold.
    """
    n, cells, right = rows.end - rows.start, work.cells[drawn], np.int64(0)
    left_counts, right_counts = work.sides[0], work.sides[1]
    lowest = highest = cells[0]
    for cell in cells[:n]:
        lowest, highest = cell if cell < lowest else lowest, cell if cell > highest else highest
    cut = random_threshold(parameters.feature_seed, rows.path, number, lowest, highest)
    count_above(cells, work.ones, n, cut, right_counts)
    for k in range(stats.size):
        right += right_counts[k]
        left_counts[k] = np.int64(stats[k]) - right_counts[k]
    left = node.weight - right
    if left < node.least or right < node.least:
        return
    if stats.size == 2:
        b = float(left_counts[1])
        gain = gain_of_two_classes(parameters.impurity, node.total, stats[0], stats[1], float(left), b)
    else:
        after = node_total_impurity(parameters.impurity, left_counts, float(left))
        after += node_total_impurity(parameters.impurity, right_counts, float(right))
        gain = (node.total - after) / float(node.weight)
    result[GAIN], result[FIRST], result[DRAWN] = rounded_to_zero(gain, node.impurity), drawn, cut
    if parameters.with_info:
        result[SPLIT_INFO] = split_information_two(float(left), float(right))


@borrowing
def divide_by_drawn(table, rows, work, result, plan):
    """Divide the rows of a node by the threshold that it drew, and write rows and class weights per branch.

    Returns the branch of the median of the rows.
    """
    listed, cells, cut, buffer = (
        table.rows[rows.start : rows.end],
        work.cells[int(result[FIRST])],
        result[DRAWN],
        work.keys,
    )
    left, right, one = np.uint64(0), np.uint64(0), np.uint64(1)
    for i in range(np.uint64(listed.size)):
        row, goes_right = listed[i], np.uint64(cells[i] > cut)
        listed[left] = row
        buffer[right] = row
        left += one - goes_right
        right += goes_right
    for i in range(right):
        listed[left + i] = buffer[i]
    plan.rows[0], plan.rows[1] = left, right
    count_above(cells, work.ones, listed.size, cut, plan.counts[1])
    left_weight = right_weight = 0.0
    for k in range(plan.node_counts.size):
        plan.counts[0, k] = plan.node_counts[k] - plan.counts[1, k]
        left_weight += plan.counts[0, k]
        right_weight += plan.counts[1, k]
    below, above = -np.inf, np.inf
    if left_weight == right_weight:  # the median lies between the two numbers beside the threshold
        for cell in cells[: listed.size]:
            below = cell if below < cell and cell <= cut else below
            above = cell if cut < cell and cell < above else above
    return 0 if median_goes_left(left_weight, right_weight, below, above, cut) else 1


@borrowing
def copy_rows(table, start, end, small):
    """Copy some rows of a table into a small one, where they are numbered from 0: they fit into the cache there."""
    for i in range(end - start):
        row = table.rows[start + i]
        small.rows[i] = i
        if table.classes.size:
            small.classes[i] = table.classes[row]
        else:
            small.numbers[i] = table.numbers[row]
        copy_weight(table.weights, row, small.weights, i)
        for column in range(table.ranks.shape[1]):
            small.ranks[i, column] = table.ranks[row, column]
        for column in range(table.cells.shape[1]):
            small.cells[i, column] = table.cells[row, column]
        for column in range(table.codes.shape[1]):
            small.codes[i, column] = table.codes[row, column]


@borrowing
def copy_weight(weights, row, small, i):
    """Copy the weight of a row, where rows have weights."""
    if weights is None:
        return
    small[i] = weights[row]
