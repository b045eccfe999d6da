"""The competition of the features at one node of a plain table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import draws, select_feature
from explorer.growing.plain.buckets import MOST_BOUNDED, Buckets, buckets_for, search_in_buckets
from explorer.growing.plain.drawing import (
    DIGIT_BITS,
    FEW_ROWS,
    draw_features,
    gather_drawn,
    is_bounded,
    order_rows,
    search_drawn_threshold,
)
from explorer.growing.plain.table import MOST_COUNTED
from explorer.growing.scans.buffers import (
    BEST_WIDTH,
    FIRST,
    GAIN,
    N_ADMISSIBLE,
    RESULT_WIDTH,
    SECOND,
    SPLIT_INFO,
    Categories,
)
from explorer.growing.scans.categorical_split import scan_each_value, scan_prefixes
from explorer.growing.scans.counted import COLUMN, ROWS_LEFT, WEIGHTS, Tally, count_rows, search_cuts, tally_for
from explorer.growing.scans.counted_classes import count_rows_by_class, search_class_cuts
from explorer.growing.scans.keys import STARTS_VALUE, is_weighted, row_in
from explorer.growing.scans.running_best import clear, criterion_of, split_information_two
from explorer.growing.scans.thresholds import CLOSE, best_threshold, count_thresholds, limits_of, sum_of_deviations
from explorer.growing.scans.values import count_values, sum_values
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.impurity import rounded_to_zero
from explorer.recipe.parameters import leaf_minimum, node_impurity, node_weight
from explorer.recipe.split_score import less_threshold_penalty


class Work(NamedTuple):
    """Working memory of one thread.

    `results` [F, 8] has a row for every live feature, `live` [F] says which features these are; all `costs` are 1;
    `many_values` are those of the live features, filled where gain ratios compete;
    `counts` [256, K + 1] are zero between two uses, `tally` is for columns that are counted all in one pass, `sides`
    [2, K] are the classes of both branches, `best` belongs to scans of subsets. `items` [F] are the positions of
    the features that a node draws. `keys` [n] are the rows of a node in the order of a feature, `sorted` [2, n],
    `short` [2, 64] and `digits` [D] what it takes to sort them. `cells` [d, n] are columns of `lines`, those at
    `places` [F], and `ones` [n] those of the table, for the rows of the node; `shares` [F] say how far along drawn
    thresholds lie. `residual` [1] is what rounding leaves of the sum of deviations from the mean; nan where the first
    column that is searched says.
    """

    results: NDArray[np.float64]
    scores: NDArray[np.float64]
    costs: NDArray[np.float64]
    many_values: NDArray[np.bool_]
    live: NDArray[np.int64]
    counts: NDArray[np.int64]
    tally: Tally
    sides: NDArray[np.int64]
    categories: Categories
    best: NDArray[np.float64]
    items: NDArray[np.int64]
    keys: NDArray[np.uint32]
    sorted: NDArray[np.uint64]
    short: NDArray[np.uint32]
    digits: NDArray[np.int64]
    cells: NDArray[np.int32]
    ones: NDArray[np.int32]
    places: NDArray[np.int64]
    shares: NDArray[np.float64]
    buckets: Buckets
    residual: NDArray[np.float64]


@kernel
def work_for(table, parameters):
    """Fresh working memory for this table."""
    n_features, n_stats = table.tests.size, 1 if parameters.regression else parameters.n_stats
    n_drawn = table.rows.size if draws(parameters, n_features) else 0
    n_columns = min(parameters.max_features, n_features) if n_drawn else 0
    n_counted = most = MOST_COUNTED if table.codes.size else 0
    for feature in range(n_features):
        if table.tests[feature] != THRESHOLD:
            most = max(most, table.n_values[feature])
    weights = np.zeros(most)
    return Work(
        results=np.full((n_features, RESULT_WIDTH), np.nan),
        scores=np.zeros(n_features),
        costs=np.ones(n_features),
        many_values=np.zeros(n_features, np.bool_),
        live=np.zeros(n_features, np.int64),
        counts=np.zeros((n_counted, n_stats + 1), np.int64),
        tally=tally_for(table, n_stats),
        sides=np.zeros((2, n_stats), np.int64),
        categories=Categories(
            codes=np.zeros(most, np.int64),
            weights=weights,
            known_weights=weights,  # every row has a value
            stats=np.zeros((most, n_stats)),
            order=np.zeros(most, np.int64),
            order_before=np.zeros(most, np.int64),
            order_keys=np.zeros(most),
        ),
        best=np.zeros(BEST_WIDTH),
        items=np.zeros(n_features, np.int64),
        keys=np.empty(n_drawn, np.uint32),
        sorted=np.empty((2, n_drawn), np.uint64),
        short=np.empty((2, FEW_ROWS), np.uint32),
        digits=np.zeros(1 << DIGIT_BITS, np.int64),
        cells=np.empty((n_columns, n_drawn), np.int32),
        ones=np.empty(n_drawn, np.int32),
        places=np.zeros(n_features, np.int64),
        shares=np.zeros(n_features),
        buckets=buckets_for(n_drawn),
        residual=np.full(1, np.nan),
    )


@borrowing
def node_limits(parameters, stats):
    """What the searches of all features at a node have in common."""
    weight = node_weight(parameters, stats)
    impurity, minimum = node_impurity(parameters, stats), leaf_minimum(parameters, weight)
    return limits_of(parameters.impurity, parameters.regression, stats, weight, impurity, minimum)


@borrowing
def has_one_value(keys, start, end):
    """Whether all rows [start, end) of a sorted column have the same value."""
    for key in keys[start + 1 : end]:  # noqa: SIM110 - a loop that is compiled
        if key >= STARTS_VALUE:
            return False
    return True


@borrowing
def gather_values(table, parameters, feature, rows, stats, work):
    """Fill the table of the values that a categorical feature has at the node; returns how many there are."""
    place, start, end, weights = table.place[feature], rows.start, rows.end, table.weights
    if place < 0:
        codes = table.codes[:, -1 - place]
        return count_values(codes, table.rows, table.classes, weights, start, end, work.counts, work.categories)
    keys, mean = table.orders[place], stats[1] if parameters.regression else 0.0
    if not rows.is_ordered:
        order_rows(table, feature, rows, work)
        keys, start, end = work.keys, 0, end - start
    return sum_values(keys, table.classes, table.numbers, weights, start, end, mean, work.categories)


@borrowing
def search_values(table, parameters, feature, rows, stats, node, work, result):
    """The best test on the values of a column without thresholds; whether the node has two of them."""
    n_present = gather_values(table, parameters, feature, rows, stats, work)
    if n_present < 2:
        return False
    categories = work.categories
    if table.tests[feature] == EACH_VALUE:
        scan_each_value(parameters, n_present, stats, node.impurity, categories, result)
    else:
        criterion = criterion_of(parameters, stats, node.impurity, parameters.min_leaf)
        scan_prefixes(criterion, node.impurity, n_present, categories, work.best, result)
    return True


@borrowing
def count_rows_of_features(table, rows, n_searched, is_drawing, work):
    """Count the rows of a node in all columns that it searches for a cut in their values."""
    n_columns, tally, live, start, end = 0, work.tally, work.live, rows.start, rows.end
    for i in range(n_searched):
        feature = live[work.items[i] if is_drawing else i]
        if table.place[feature] < 0 and table.tests[feature] != EACH_VALUE:
            tally.columns[n_columns] = -1 - table.place[feature]
            n_columns += 1
    if n_columns and tally.by_class.size:
        count_rows_by_class(
            table.codes, table.rows, table.classes, table.weights, start, end, n_columns, tally.columns, tally.bases,
            tally.by_class, tally.present,
        )  # fmt: skip
    elif n_columns:
        count_rows(
            table.codes, table.rows, table.classes, table.weights, start, end, n_columns, tally.columns, tally.bases,
            tally.counts, tally.present,
        )  # fmt: skip


@borrowing
def count_cuts(least, weight, n_present, weights):
    """How many thresholds between the values of a counted column are admissible."""
    n_admissible, left = 0, 0
    for i in range(n_present - 1):
        left += weights[i]
        n_admissible += least <= left and left <= weight - least
    return n_admissible


@borrowing
def finish_threshold(result, left, node, n_admissible, logs, with_info, penalty):
    """Split information, and the penalty for choosing among thresholds, of a feature's best threshold or subset."""
    result[N_ADMISSIBLE], weight = n_admissible, float(node.weight)
    if with_info and logs.size:
        result[SPLIT_INFO] = (logs[node.weight] - logs[left] - logs[node.weight - left]) / weight
    elif with_info:
        result[SPLIT_INFO] = split_information_two(float(left), weight - float(left))
    if penalty:
        gain = less_threshold_penalty(result[GAIN], float(n_admissible), weight)
        result[GAIN] = gain if gain > 0.0 else np.nan


@borrowing
def copy_for_two_rows(table, feature, rows, work, result, earlier):
    """The result of any threshold that parts the two rows of a node: but for the values it is the same for all.

    Returns whether this one does.
    """
    for j in range(result.size):
        result[j] = earlier[j]
    result[ROWS_LEFT] = 1.0
    if rows.is_ordered:
        keys = table.orders[table.place[feature], rows.start : rows.end]
        result[FIRST], result[SECOND] = row_in(keys[0]), row_in(keys[1])
        return keys[1] >= STARTS_VALUE
    one = table.lines[table.rows[rows.start], table.place[feature]]
    other = table.lines[table.rows[rows.start + 1], table.place[feature]]
    result[FIRST], result[SECOND] = min(one, other), max(one, other)
    return one != other


@borrowing
def search_sorted(table, parameters, feature, rows, stats, node, residual, has_residual, drawn, work, result):
    """The best threshold of a sorted column; whether the node has two of its values, and what is left of a sum."""
    keys, first, last, place = work.keys, 0, rows.end - rows.start, table.place[feature]
    has_ties, left, result[COLUMN] = table.has_ties[feature], CLOSE, drawn
    if rows.is_ordered:
        keys, first, last = table.orders[place], rows.start, rows.end
        if has_ties and has_one_value(keys, first, last):
            return False, residual
    elif drawn >= 0:
        left = search_in_buckets(table, parameters, feature, drawn, last, node, stats, work, result)
    if left == CLOSE:
        if not rows.is_ordered:
            order_rows(table, feature, rows, work)
        if parameters.regression and not has_residual:
            # With weights or the penalty all gains are compared: each column sums in its own order.
            residual = sum_of_deviations(keys, table.numbers, table.weights, first, last, stats[1])
        position, left, gain = best_threshold(
            keys, table.classes, table.numbers, table.weights, table.logs, first, last, has_ties, node,
            parameters.impurity, stats, residual, work.sides, work.best,
        )  # fmt: skip
        if position >= 0:
            result[FIRST], result[SECOND] = row_in(keys[position - 1]), row_in(keys[position])
            if table.lines.size:
                result[FIRST] = table.lines[row_in(keys[position - 1]), place]
                result[SECOND] = table.lines[row_in(keys[position]), place]
            result[GAIN], result[ROWS_LEFT] = rounded_to_zero(gain, node.impurity), position - first
    if result[GAIN] == result[GAIN] and (parameters.penalty or parameters.with_info):
        n_admissible = 0
        if parameters.penalty:
            n_admissible = count_thresholds(keys, table.weights, first, last, has_ties, node)
        finish_threshold(result, left, node, n_admissible, table.logs, parameters.with_info, parameters.penalty)
    return True, residual


@borrowing
def search_counted(table, parameters, feature, rows, stats, node, work, result):
    """The best cut in the values of a column that was counted; whether the node has two of them."""
    is_subset, n_rows = table.tests[feature] != THRESHOLD, rows.end - rows.start
    column, n_values, tally, result[COLUMN] = -1 - table.place[feature], table.n_values[feature], work.tally, -1
    if stats.size == 2:
        n_present, left = search_cuts(
            is_subset, parameters.impurity, stats, node, n_rows, column, n_values, tally, work.categories.order_keys,
            result,
        )  # fmt: skip
    else:
        n_present, left = search_class_cuts(stats, node, column, n_values, tally, work.sides, work.best, result)
    has_penalty = parameters.penalty and not is_subset
    if result[GAIN] == result[GAIN] and (has_penalty or parameters.with_info):
        weights = tally.values[WEIGHTS]
        n_admissible = count_cuts(node.least, node.weight, n_present, weights) if has_penalty else 0
        finish_threshold(result, left, node, n_admissible, table.logs, parameters.with_info, has_penalty)
    return n_present > 1


@borrowing
def select_live(table, parameters, node, n_results, work):
    """The winner's position among the live features and SPLIT, or −1 and a reason.

    `work.items` are the positions that the rows of results belong to; the winner's row moves to its own.
    """
    results = work.results
    if parameters.with_info:
        for i in range(n_results):
            work.many_values[i] = table.many_values[work.live[work.items[i]]]
    winner, reason = select_feature(
        parameters, float(node.weight), node.impurity, table.total_weight, work.costs[:n_results],
        work.many_values[:n_results], results[:n_results], work.scores[:n_results],
    )  # fmt: skip
    position = work.items[winner] if winner >= 0 else winner
    if position != winner:
        for k in range(results.shape[1]):
            results[position, k] = results[winner, k]
    return position, reason


@borrowing
def search_node(table, parameters, rows, stats, n_live, work):
    """The winner's position among the live features and SPLIT, or −1 and a reason; and how many features stay live.

    Their best candidates are the first rows of `work.results`; where nodes draw, only that of the winner is there.
    """
    node, live, results, residual, pair = node_limits(parameters, stats), work.live, work.results, work.residual[0], -1
    is_drawing, has_residual = draws(parameters, table.tests.size), not np.isnan(residual)
    n_kept, n_results, n_cuts, n_searched, copies_pairs = 0, 0, 0, n_live, rows.end - rows.start == 2
    copies_pairs = copies_pairs and not parameters.penalty
    if is_drawing:
        n_kept, n_searched = draw_features(table, parameters, rows, n_live, work)
    are_bounded = is_drawing and is_bounded(parameters) and not rows.is_ordered
    are_bounded = are_bounded and rows.end - rows.start > FEW_ROWS and node.weight <= MOST_BOUNDED
    if parameters.random_thresholds or are_bounded:
        gather_drawn(table, parameters, rows, n_searched, work)
    count_rows_of_features(table, rows, n_searched, is_drawing, work)
    for i in range(n_searched):
        j = work.items[i] if is_drawing else i
        feature, result = live[j], results[n_results]
        is_counted, is_threshold = table.place[feature] < 0, table.tests[feature] == THRESHOLD
        if parameters.random_thresholds and is_threshold:
            if n_cuts and copies_pairs and not parameters.with_info:
                continue
            clear(result)
            search_drawn_threshold(table, parameters, n_cuts, rows, node, stats, work, result)
            n_cuts += 1
        elif is_threshold and not is_counted and copies_pairs and pair >= 0:
            # Without ratios only the first of equal candidates can win, and both rows end in leaves.
            if not parameters.with_info or not copy_for_two_rows(table, feature, rows, work, result, results[pair]):
                continue
        elif is_threshold and not is_counted:
            clear(result)
            has_values, residual = search_sorted(
                table, parameters, feature, rows, stats, node, residual, has_residual, n_cuts if are_bounded else -1,
                work, result,
            )  # fmt: skip
            n_cuts += 1
            if not has_values:
                continue
            has_residual = has_residual or not (np.isnan(residual) or parameters.penalty or is_weighted(table.weights))
            pair = n_results if pair < 0 else pair
        else:
            clear(result)
            is_cut = is_counted and table.tests[feature] != EACH_VALUE
            if is_cut and not search_counted(table, parameters, feature, rows, stats, node, work, result):
                continue
            if not is_cut and not search_values(table, parameters, feature, rows, stats, node, work, result):
                continue
        if not is_drawing:
            live[n_kept], j = feature, n_kept
            n_kept += 1
        work.items[n_results] = j
        n_results += 1
    winner, reason = select_live(table, parameters, node, n_results, work)
    return winner, reason, n_kept
