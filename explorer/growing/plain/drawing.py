"""What a node draws: the features that it may test, and their thresholds; and its rows by those alone.

Where few features are drawn, a split need not keep the other columns in order: such a node has a list of its rows, and
looks the drawn columns up in `lines`, which have the cells of a row side by side. The tree is the same either way.
"""

import numpy as np

from explorer.growing.scans.buffers import FIRST, GAIN, SPLIT_INFO
from explorer.growing.scans.counted import COLUMN, DRAWN
from explorer.growing.scans.keys import STARTS_VALUE
from explorer.growing.scans.running_best import split_information_two
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.feature_draw import draw_first, share_of_threshold, threshold_at_share
from explorer.recipe.impurity import ENTROPY, GINI, gain_of_two_classes, node_total_impurity, rounded_to_zero
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
BLOCK = np.uint64(512)
"""Rows whose drawn cells are copied before those of the next: a row's line is in the cache meanwhile."""
ALL_BUT_SIGN, SIGN, WEIGHT_BITS, WEIGHT_MASK = np.int32(2**31 - 1), np.int32(31), np.int32(8), np.int32(255)


@kernel
def key_of(number):
    """A whole number that rises with the number as far as four bytes tell apart."""
    bits = np.float32(number + 0.0).view(np.int32)  # + 0.0 makes −0.0 zero
    return np.int32(bits ^ ((bits >> SIGN) & ALL_BUT_SIGN))


@borrowing
def number_of(key):
    """The number with this key, where four bytes hold it."""
    bits = np.int32(key ^ ((key >> SIGN) & ALL_BUT_SIGN))
    return np.float64(bits.view(np.float32))


@borrowing
def is_bounded(parameters):
    """Whether thresholds are bounded by buckets of rows that are not sorted, see `buckets`."""
    if parameters.regression or parameters.n_stats != 2 or parameters.penalty:
        return False
    return parameters.impurity == GINI or parameters.impurity == ENTROPY


@borrowing
def keeps_order(parameters, n_rows, n_live):
    """Whether it takes less to divide all live columns of a node than to look at what its children draw."""
    if parameters.random_thresholds or n_rows <= FEW_ROWS or is_bounded(parameters):
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
    if place < 0:
        return differs(table.codes, -1 - place, table.rows, start, end)
    if not table.has_ties[feature]:
        return end - start > 1
    if table.cells.size and table.tests[feature] == THRESHOLD:  # keys may agree where numbers do not
        return differs(table.cells, place, table.rows, start, end)
    if not rows.is_ordered:
        return differs(table.lines, place, table.rows, start, end)
    for key in table.orders[place][start + 1 : end]:  # noqa: SIM110 - a loop that is compiled
        if key >= STARTS_VALUE:
            return True
    return False


@borrowing
def draw_features(table, parameters, rows, n_live, work):
    """Leave only features that have two values at the node live, and draw some of them.

    The positions of those drawn are the first of `work.items`, ascending. Returns how many are live and drawn.
    """
    live, items, n_kept = work.live, work.items, 0
    for j in range(n_live):
        if has_two_values(table, live[j], rows):
            live[n_kept], items[n_kept] = live[j], n_kept
            n_kept += 1
    n_drawn = min(parameters.max_features, n_kept)
    if n_drawn < n_kept:
        draw_first(parameters.feature_seed, rows.path, n_drawn, items, n_kept)
        for i in range(1, n_drawn):
            item, at = items[i], i
            while at > 0 and items[at - 1] > item:
                items[at] = items[at - 1]
                at -= 1
            items[at] = item
    return n_kept, n_drawn


@borrowing
def order_rows(table, feature, rows, work):
    """Sort the rows of a node by a feature into `work.keys`, as they stand in a column that is kept in order.

    Few rows by how many are less than each, which the processor counts for eight at a time; more by their digits.
    """
    lines, place, listed = table.lines, table.place[feature], table.rows[rows.start : rows.end]
    if listed.size <= FEW_ROWS and table.n_values[feature] <= MOST_SHORT:
        order_few_rows(lines, place, listed, work.short[0], work.short[1], work.keys)
        return
    keys, result, previous = work.sorted[0], work.keys, LOW_HALF
    for i in range(listed.size):
        keys[i] = (np.uint64(lines[listed[i], place]) << ROW_BITS) | np.uint64(listed[i])
    sort_by_digits(listed.size, table.n_values[feature], work.sorted, work.digits)
    for i in range(listed.size):
        code = keys[i] >> ROW_BITS
        result[i] = np.uint32(keys[i] & LOW_HALF) | (STARTS_VALUE if code != previous else np.uint32(0))
        previous = code


@borrowing
def order_few_rows(lines, place, listed, short, ordered, result):
    """As `order_rows`, for up to 64 rows and codes of 26 bits: a key is a code and a position among the rows."""
    padded = (listed.size + LANES - 1) // LANES * LANES
    for i in range(listed.size):
        short[i] = (np.uint32(lines[listed[i], place]) << SIX) | np.uint32(i)
    for i in range(listed.size, padded):
        short[i] = ABOVE_ALL
    for i in range(listed.size):
        key, n_less = short[i], np.uint32(0)
        for other in range(np.uint64(padded)):
            n_less = np.uint32(n_less + np.uint32(short[other] < key))
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
def gather(table, listed, places, n_columns, work):
    """Copy some columns of `lines` for the rows of a node, so that they lie side by side for each, and `ones`."""
    lines, ones, to_ones, first, n = table.lines, table.ones, work.ones, np.uint64(0), np.uint64(listed.size)
    while first < n:
        last = min(first + BLOCK, n)
        for t in range(n_columns):
            place, to = np.uint64(places[t]), work.cells[t]
            for i in range(first, last):
                to[i] = lines[listed[i], place]
        for i in range(first, last):
            to_ones[i] = np.int32(ones[listed[i]])
        first = last


@borrowing
def gather_drawn(table, parameters, rows, n_drawn, work):
    """Copy the drawn columns whose rows need not be sorted, and draw how far along thresholds lie that are drawn too.

    Any threshold parts two rows, and the first one wins, unless ratios compete.
    """
    n_columns, places, takes_first = 0, work.places, rows.end - rows.start == 2 and not parameters.with_info
    for i in range(n_drawn):
        feature = work.live[work.items[i]]
        if table.tests[feature] == THRESHOLD and table.place[feature] >= 0 and not (takes_first and n_columns):
            places[n_columns] = table.place[feature]
            if parameters.random_thresholds:
                work.shares[n_columns] = share_of_threshold(parameters.feature_seed, rows.path, work.items[i])
            n_columns += 1
    gather(table, table.rows[rows.start : rows.end], places, n_columns, work)


@borrowing
def count_above(keys, ones, n, bound, counts):
    """Class weights of the first `n` rows with a key above the bound into `counts` [K]; returns how many rows."""
    n_above, weight, second = np.int32(0), np.int32(0), np.int32(0)
    if counts.size == 2:
        for i in range(np.uint64(n)):
            mask = np.int32(-np.int32(keys[i] > bound))
            n_above = np.int32(n_above - mask)
            weight = np.int32(weight + (ones[i] & WEIGHT_MASK & mask))
            second = np.int32(second + ((ones[i] >> WEIGHT_BITS) & mask))
        counts[0], counts[1] = weight - second, second
        return np.int64(n_above)
    for k in range(counts.size):
        counts[k] = 0
    for i in range(n):
        is_above = np.int32(keys[i] > bound)
        n_above = np.int32(n_above + is_above)
        counts[ones[i] >> WEIGHT_BITS] += np.int64((ones[i] & WEIGHT_MASK) * is_above)
    return np.int64(n_above)


@borrowing
def exact_end(cells, place, listed, keys, key, sign):
    """The smallest number of the rows with this key, times `sign`: keys hold too few digits to tell."""
    end = np.inf
    for i in range(listed.size):
        if keys[i] == key:
            end = min(end, sign * cells[listed[i], place])
    return sign * end


@borrowing
def bound_for(table, listed, place, keys, cut):
    """The key that those of all numbers above the cut are above, and no other; where digits are lost, keys change."""
    key = key_of(cut)
    if not table.cells.size:
        return np.int32(key - np.int32(number_of(key) > cut))
    for i in range(listed.size):
        if keys[i] == key and table.cells[listed[i], place] > cut:
            keys[i] = np.int32(key + np.int32(1))
    return key


@borrowing
def search_drawn_threshold(table, parameters, drawn, rows, node, stats, work, result):
    """The one threshold that the node draws for a feature, into its row of results.

    `drawn` is the feature's position among those that draw a threshold.
    """
    listed, keys, place, right = table.rows[rows.start : rows.end], work.cells[drawn], work.places[drawn], np.int64(0)
    left_counts, right_counts = work.sides[0], work.sides[1]
    lowest = highest = keys[0]
    for i in range(np.uint64(listed.size)):
        lowest, highest = min(lowest, keys[i]), max(highest, keys[i])
    low, high = number_of(lowest), number_of(highest)
    if table.cells.size:
        low = exact_end(table.cells, place, listed, keys, lowest, 1.0)
        high = exact_end(table.cells, place, listed, keys, highest, -1.0)
    cut = threshold_at_share(work.shares[drawn], low, high)
    bound = bound_for(table, listed, place, keys, cut)
    count_above(keys, work.ones, listed.size, bound, right_counts)
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
    result[GAIN], result[FIRST], result[DRAWN], result[COLUMN] = rounded_to_zero(gain, node.impurity), bound, cut, drawn
    if parameters.with_info:
        result[SPLIT_INFO] = split_information_two(float(left), float(right))


@borrowing
def count_branches(table, feature, rows, work, result, plan):
    """Write rows and class weights per branch of a threshold, by keys that are copied side by side."""
    place, listed = table.place[feature], table.rows[rows.start : rows.end]
    drawn, n = np.int64(result[COLUMN]), rows.end - rows.start
    if drawn < 0 and place >= 0:
        drawn, work.places[0] = np.int64(0), place
        gather(table, listed, work.places, 1, work)
    elif drawn < 0:
        drawn = np.int64(0)
        cells, column = work.cells[0], np.uint64(-1 - place)
        for i in range(n):
            cells[i], work.ones[i] = table.codes[listed[i], column], table.ones[listed[i]]
    n_right = count_above(work.cells[drawn], work.ones, n, np.int32(result[FIRST]), plan.counts[1])
    plan.rows[0], plan.rows[1] = n - n_right, n_right
    for k in range(plan.node_counts.size):
        plan.counts[0, k] = plan.node_counts[k] - plan.counts[1, k]
    result[COLUMN] = drawn


@borrowing
def branch_of_median(table, feature, rows, cut, plan):
    """The branch of the median of the rows, at a threshold that the node drew."""
    left, right, below, above, place = 0.0, 0.0, -np.inf, np.inf, table.place[feature]
    for k in range(plan.node_counts.size):
        left += plan.counts[0, k]
        right += plan.counts[1, k]
    if left == right:  # the median lies between the two numbers beside the threshold
        for row in table.rows[rows.start : rows.end]:
            number = table.cells[row, place] if table.cells.size else number_of(table.lines[row, place])
            below = number if below < number and number <= cut else below
            above = number if cut < number and number < above else above
    return 0 if median_goes_left(left, right, below, above, cut) else 1


@borrowing
def divide_by_key(listed, keys, bound, buffer):
    """Divide the rows of a node: those with a key above the bound go right; the order stays in both."""
    left, right, one = np.uint64(0), np.uint64(0), np.uint64(1)
    for i in range(np.uint64(listed.size)):
        row, goes_right = listed[i], np.uint64(keys[i] > bound)
        listed[left] = row
        buffer[right] = row
        left += one - goes_right
        right += goes_right
    for i in range(right):
        listed[left + i] = buffer[i]


@borrowing
def copy_rows(table, start, end, small):
    """Copy some rows of a table into a small one, where they are numbered from 0: they fit into the cache there."""
    for i in range(end - start):
        row = table.rows[start + i]
        small.rows[i] = i
        if table.classes.size:
            small.classes[i], small.ones[i] = table.classes[row], table.ones[row]
        else:
            small.numbers[i] = table.numbers[row]
        copy_weight(table.weights, row, small.weights, i)
        for column in range(table.lines.shape[1]):
            small.lines[i, column] = table.lines[row, column]
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
