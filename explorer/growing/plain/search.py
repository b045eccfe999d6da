"""The competition of the features at one node of a plain table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.best_split import select_feature
from explorer.growing.engine.buffers import FIRST, GAIN, N_ADMISSIBLE, RESULT_WIDTH, SECOND, SPLIT_INFO, Categories
from explorer.growing.engine.running_best import clear, split_information_two
from explorer.growing.plain.counted import ROWS_LEFT, WEIGHTS, Tally, count_rows, search_cuts, tally_for
from explorer.growing.plain.counted_classes import count_rows_by_class, search_class_cuts
from explorer.growing.plain.table import MOST_COUNTED, STARTS_VALUE, row_in
from explorer.growing.plain.thresholds import (
    scan_classes_by_entropy,
    scan_classes_by_gini,
    scan_classes_exactly,
    scan_numbers,
    scan_numbers_exactly,
    scan_two_by_entropy,
    scan_two_by_gini,
)
from explorer.growing.plain.values import (
    best_subset,
    branch_for_each_value,
    count_values,
    sum_values,
)
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.impurity import ENTROPY, GINI, node_total_impurity, rounded_to_zero, total_impurity_two
from explorer.recipe.parameters import leaf_minimum, node_impurity, node_weight
from explorer.recipe.split_score import less_threshold_penalty, tie_margin


class Work(NamedTuple):
    """Working memory of one thread.

    `results` [F, 8] has a row for every live feature, `live` [F] says which features these are; all `costs` are 1;
    `many_values` are those of the live features, filled where gain ratios compete;
    `counts` [256, K + 1] are zero between two uses, `tally` is for columns that are counted all in one pass, `sides`
    [2, K] are the classes of both branches, `best` [4] belongs to scans of subsets.
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


class NodeLimits(NamedTuple):
    """What the searches of all features at a node compare with: its impurity, the same times its rows, least branch.

    Gains closer than `margin` are equal.
    """

    impurity: float
    total: float
    least: int
    margin: float


@kernel
def work_for(table, parameters):
    """Fresh working memory for this table."""
    n_features, n_stats = table.tests.size, 1 if parameters.regression else parameters.n_stats
    n_counted = most = MOST_COUNTED if table.codes.size else 0
    for feature in range(n_features):
        if table.tests[feature] != THRESHOLD:
            most = max(most, table.n_values[feature])
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
            weights=np.zeros(most),
            known_weights=np.zeros(most),
            stats=np.zeros((most, n_stats)),
            order=np.zeros(most, np.int64),
            order_before=np.zeros(most, np.int64),
            order_keys=np.zeros(most),
        ),
        best=np.zeros(4),
    )


@borrowing
def least_branch(parameters, n_rows):
    """The least number of rows that a branch of a threshold needs."""
    minimum = leaf_minimum(parameters, float(n_rows))
    return max(1, np.int64(np.ceil(minimum - 1e-9 * minimum)))


@borrowing
def node_limits(parameters, n_rows, stats):
    """What the searches of all features at a node have in common."""
    impurity = node_impurity(parameters, stats)
    if parameters.regression:
        total = stats[2]
    elif stats.size == 2:
        total = total_impurity_two(parameters.impurity, stats[0], stats[1])
    else:
        total = node_total_impurity(parameters.impurity, stats, node_weight(parameters, stats))
    return NodeLimits(impurity, total, least_branch(parameters, n_rows), tie_margin(0.0, impurity))


@borrowing
def sum_of_deviations(keys, numbers, start, end, mean):
    """What rounding leaves of Σ(y − mean) over a node."""
    total = 0.0
    for key in keys[start:end]:
        total += numbers[row_in(key)] - mean
    return total


@borrowing
def has_one_value(keys, start, end):
    """Whether all rows [start, end) of a sorted column have the same value."""
    for key in keys[start + 1 : end]:  # noqa: SIM110 - a loop that is compiled
        if key >= STARTS_VALUE:
            return False
    return True


@borrowing
def scan_exactly(keys, classes, numbers, start, end, least, kind, stats, total, residual, margin, sides):
    """Best threshold of a sorted column from the gains of all: (position, gain); −1 where none is admissible."""
    floor, position, gain = np.inf, -1, 0.0
    for _ in range(2):
        if numbers.size:
            position, gain = scan_numbers_exactly(keys, numbers, start, end, least, stats, residual, floor)
        else:
            position, gain = scan_classes_exactly(keys, classes, start, end, least, kind, stats, total, floor, sides)
        floor = gain - margin
    return position, gain


@borrowing
def count_thresholds(keys, start, end, least):
    """How many thresholds of a sorted column are admissible."""
    n_admissible = 0
    for i in range(start + least, end - least + 1):
        n_admissible += keys[i] >= STARTS_VALUE
    return n_admissible


@borrowing
def gather_values(table, parameters, feature, start, end, stats, work):
    """Fill the table of the values that a categorical feature has at the node; returns how many there are."""
    place = table.place[feature]
    if place >= 0:
        mean = stats[1] if parameters.regression else 0.0
        return sum_values(table.orders[place], table.classes, table.numbers, start, end, mean, work.categories)
    codes = table.codes[:, -1 - place]
    return count_values(codes, table.rows, table.classes, start, end, work.counts, work.categories)


@borrowing
def search_values(table, parameters, feature, start, end, stats, node, work, result):
    """The best test on the values of a column without thresholds; whether the node has two of them."""
    n_present = gather_values(table, parameters, feature, start, end, stats, work)
    if n_present < 2:
        return False
    categories = work.categories
    if table.tests[feature] == EACH_VALUE:
        branch_for_each_value(
            parameters.impurity, parameters.two_branches, parameters.min_leaf, n_present, float(end - start),
            node.impurity, categories, result,
        )  # fmt: skip
    else:
        best_subset(
            parameters.impurity, parameters.regression, parameters.min_leaf, parameters.with_info,
            parameters.row_factor, n_present, stats, node.impurity, categories, work.best, result,
        )  # fmt: skip
    return True


@borrowing
def count_rows_of_features(table, start, end, n_live, live, tally):
    """Count the rows of a node in all columns among the live features of which a cut in their values is searched."""
    n_columns = 0
    for j in range(n_live):
        if table.place[live[j]] < 0 and table.tests[live[j]] != EACH_VALUE:
            tally.columns[n_columns] = -1 - table.place[live[j]]
            n_columns += 1
    if n_columns and tally.by_class.size:
        count_rows_by_class(
            table.codes, table.rows, table.classes, start, end, n_columns, tally.columns, tally.bases, tally.by_class,
            tally.present,
        )  # fmt: skip
    elif n_columns:
        count_rows(
            table.codes, table.rows, table.classes, start, end, n_columns, tally.columns, tally.bases, tally.counts,
            tally.present,
        )  # fmt: skip


@borrowing
def count_cuts(least, n_rows, n_present, weights):
    """How many thresholds between the values of a counted column are admissible."""
    n_admissible, left = 0, 0
    for i in range(n_present - 1):
        left += weights[i]
        n_admissible += least <= left and left <= n_rows - least
    return n_admissible


@borrowing
def finish_threshold(result, left, weight, n_admissible, logs, with_info, penalty):
    """Split information, and the penalty for choosing among thresholds, of a feature's best threshold or subset."""
    result[N_ADMISSIBLE] = n_admissible
    if with_info and logs.size:
        n_left, n_rows = np.int64(left), np.int64(weight)
        result[SPLIT_INFO] = (logs[n_rows] - logs[n_left] - logs[n_rows - n_left]) / weight
    elif with_info:
        result[SPLIT_INFO] = split_information_two(left, weight - left)
    if penalty:
        gain = less_threshold_penalty(result[GAIN], float(n_admissible), weight)
        result[GAIN] = gain if gain > 0.0 else np.nan


@borrowing
def copy_for_two_rows(table, feature, start, result, earlier):
    """The result of any threshold that parts the two rows of a node: but for the values it is the same for all.

    Returns whether this one does.
    """
    keys = table.orders[table.place[feature]]
    for j in range(result.size):
        result[j] = earlier[j]
    result[FIRST], result[SECOND] = row_in(keys[start]), row_in(keys[start + 1])
    result[ROWS_LEFT] = 1.0
    return keys[start + 1] >= STARTS_VALUE


@borrowing
def search_node(table, parameters, start, end, stats, n_live, residual, work):
    """The winner's position among the live features and SPLIT, or −1 and a reason; and how many features stay live.

    Their best candidates are the first rows of `work.results`. `residual` is what rounding leaves of the sum of
    deviations from the mean; where it is nan, the first column that is searched says.
    """
    # The scans of sorted columns are called from here with only what they need: most nodes are small, and there passing
    # whole records costs more than the scan.
    node = node_limits(parameters, end - start, stats)
    live, results, n_kept, pair = work.live, work.results, 0, -1
    least, total, margin, kind, weight = node.least, node.total, node.margin, parameters.impurity, float(end - start)
    classes, numbers, logs, sides = table.classes, table.numbers, table.logs, work.sides
    copies_pairs = end - start == 2 and not parameters.penalty
    is_two, is_numeric, has_residual = stats.size == 2, parameters.regression, not np.isnan(residual)
    count_rows_of_features(table, start, end, n_live, live, work.tally)
    for j in range(n_live):
        feature, result = live[j], results[n_kept]
        is_counted = table.place[feature] < 0
        is_threshold = table.tests[feature] == THRESHOLD and not is_counted
        if copies_pairs and pair >= 0 and is_threshold:
            if not parameters.with_info:
                continue  # only the first of equal candidates can win, and both rows end in leaves
            if copy_for_two_rows(table, feature, start, result, results[pair]):
                live[n_kept] = feature
                n_kept += 1
            continue
        clear(result)
        if is_threshold:
            keys, has_ties = table.orders[table.place[feature]], table.has_ties[feature]
            if has_ties and has_one_value(keys, start, end):
                continue
            if is_numeric:
                if not has_residual:  # with the penalty all gains are compared: each column sums in its own order
                    residual = sum_of_deviations(keys, numbers, start, end, stats[1])
                    has_residual = not parameters.penalty
                position, gain = scan_numbers(keys, numbers, start, end, least, stats, residual, has_ties)
            elif kind == GINI and is_two:
                position, gain = scan_two_by_gini(keys, classes, start, end, least, stats, total, has_ties)
            elif kind == GINI:
                position, gain = scan_classes_by_gini(keys, classes, start, end, least, stats, total, has_ties, sides)
            elif kind == ENTROPY and is_two:
                position, gain = scan_two_by_entropy(keys, classes, start, end, least, stats, total, has_ties, logs)
            elif kind == ENTROPY:
                position, gain = scan_classes_by_entropy(
                    keys, classes, start, end, least, stats, total, has_ties, logs, sides
                )
            else:
                position, gain = -2, 0.0
            if position == -2:
                position, gain = scan_exactly(
                    keys, classes, numbers, start, end, least, kind, stats, total, residual, margin, sides
                )
            if position >= 0:
                left, n_admissible = float(position - start), 0
                result[FIRST], result[SECOND] = row_in(keys[position - 1]), row_in(keys[position])
                result[GAIN], result[ROWS_LEFT] = rounded_to_zero(gain, node.impurity), left
                if parameters.penalty:
                    n_admissible = count_thresholds(keys, start, end, least)
                if parameters.penalty or parameters.with_info:
                    finish_threshold(result, left, weight, n_admissible, logs, parameters.with_info, parameters.penalty)
        elif is_counted and table.tests[feature] != EACH_VALUE:
            is_subset, tally = table.tests[feature] != THRESHOLD, work.tally
            column, n_values = -1 - table.place[feature], table.n_values[feature]
            if is_two:
                n_present = search_cuts(
                    is_subset, kind, stats, node, end - start, column, n_values, tally, work.categories.order_keys,
                    result,
                )  # fmt: skip
            else:
                n_present = search_class_cuts(stats, node, end - start, column, n_values, tally, sides, result)
            if n_present < 2:
                continue
            has_penalty = parameters.penalty and not is_subset
            if result[GAIN] == result[GAIN] and (has_penalty or parameters.with_info):
                n_admissible = count_cuts(least, end - start, n_present, tally.values[WEIGHTS]) if has_penalty else 0
                finish_threshold(
                    result, result[ROWS_LEFT], weight, n_admissible, logs, parameters.with_info, has_penalty
                )
        elif not search_values(table, parameters, feature, start, end, stats, node, work, result):
            continue
        pair = n_kept if is_threshold and pair < 0 else pair
        live[n_kept] = feature
        n_kept += 1
    if parameters.with_info:
        for j in range(n_kept):
            work.many_values[j] = table.many_values[live[j]]
    winner, reason = select_feature(
        parameters, weight, node.impurity, float(table.branch.size), work.costs[:n_kept], work.many_values[:n_kept],
        results[:n_kept], work.scores[:n_kept],
    )  # fmt: skip
    return winner, reason, n_kept
