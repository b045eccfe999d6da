"""The competition of all features at one node: the best candidate of each, and the winner."""

import numpy as np

from explorer.growing.engine.buffers import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO, Categories
from explorer.growing.engine.categorical_split import PREFIX, gather_two, scan_categories, scan_prefixes
from explorer.growing.engine.numeric_split import scan_threshold, scan_unweighted, sum_of_deviations
from explorer.growing.engine.numeric_split_weighted import scan_weighted
from explorer.growing.engine.partition import node_statistics
from explorer.growing.engine.problem import code_of, column_values, missing_start, row_of, segment_of, weight_of
from explorer.growing.engine.running_best import Criterion, clear, split_information_two
from explorer.jit import borrowing
from explorer.recipe.columns import SUBSET, THRESHOLD
from explorer.recipe.condition import threshold_between
from explorer.recipe.impurity import between_two, node_total_impurity, rounded_to_zero
from explorer.recipe.missing import OWN_BRANCH, by_known_rows
from explorer.recipe.parameters import (
    LOW_DECREASE,
    LOW_SCORE,
    NO_CANDIDATE,
    SPLIT,
    leaf_minimum,
    node_impurity,
    node_weight,
    row_weight,
)
from explorer.recipe.split_score import (
    BY_SQUARED_SHARE,
    at_least,
    fill_scores,
    first_best,
    less_threshold_penalty,
    scale_of,
)

LIVE, CONSTANT, CONSUMED = 0, 1, 2
"""State of a feature on a path: alive, one value only is left, or a branch for each value has used it up."""


@borrowing
def search_feature(problem, parameters, feature, start, end, stats, buffers):
    """The best candidate of one feature into its row of `buffers.results`."""
    known_end, result = end, buffers.results[feature]
    if problem.has_missing[feature] and by_known_rows(parameters.missing):
        known_end = missing_start(problem.keys[feature], start, end, problem.n_values[feature])
    if known_end < end:
        search_known_rows(problem, parameters, feature, start, known_end, end, stats, buffers)
    else:
        search_rows(problem, parameters, feature, start, end, stats, node_impurity(parameters, stats), buffers)
    if parameters.penalty and problem.tests[feature] == THRESHOLD and result[N_ADMISSIBLE] > 0.0:
        gain = less_threshold_penalty(result[GAIN], result[N_ADMISSIBLE], row_weight(parameters, stats))
        result[GAIN] = gain if gain > 0.0 else np.nan


@borrowing
def search_rows(problem, parameters, feature, start, end, stats, scale, buffers):
    """The best test of the feature for the rows [start, end)."""
    if problem.tests[feature] == THRESHOLD:
        scan_threshold(problem, parameters, feature, start, end, stats, scale, buffers)
    else:
        scan_categories(problem, parameters, feature, start, end, stats, scale, buffers)


@borrowing
def search_known_rows(problem, parameters, feature, start, known_end, end, stats, buffers):
    """The best test for the rows that have a value, its numbers put in terms of all rows of the node.

    The gain counts for the known share of the rows, and rows without a value can be an outcome of their own in the
    split information (C4.5, chapter 3).
    """
    keys, known, result = problem.keys[feature], buffers.known_stats, buffers.results[feature]
    clear(result)
    if known_end - start < 2 or code_of(keys[start]) == code_of(keys[known_end - 1]):
        return
    # Statistics of the known rows: for classes those of the node without the missing rows.
    if parameters.regression:
        node_statistics(segment_of(problem, feature, start, known_end), known)
    else:
        for k in range(known.size):
            known[k] = stats[k]
        for i in range(known_end, end):
            k = problem.classes[row_of(keys[i])]
            known[k] = max(known[k] - weight_of(problem.weights, row_of(keys[i])), 0.0)
    impurity, known_weight = node_impurity(parameters, stats), node_weight(parameters, known)
    known_share = known_weight / node_weight(parameters, stats)
    search_rows(problem, parameters, feature, start, known_end, known, impurity / known_share, buffers)
    missing_weight = node_weight(parameters, stats) - known_weight
    result[GAIN] *= known_share
    if parameters.missing_outcome:
        result[SPLIT_INFO] = split_information_two(known_weight, missing_weight) + known_share * result[SPLIT_INFO]
    if parameters.missing == OWN_BRANCH and not np.isnan(result[GAIN]):
        missing_gain = gain_of_missing_branch(parameters, stats, known, buffers.scan.first)
        result[GAIN] = rounded_to_zero(result[GAIN] + missing_gain, impurity)
        known_rows = row_weight(parameters, known)
        missing_rows = row_weight(parameters, stats) - known_rows
        if not (parameters.two_branches or at_least(missing_rows, leaf_minimum(parameters, known_rows))):
            result[GAIN] = np.nan


@borrowing
def gain_of_missing_branch(parameters, stats, known, missing):
    """Decrease of impurity by a branch for the rows without a value; `missing` is working memory."""
    weight, known_weight = node_weight(parameters, stats), node_weight(parameters, known)
    if parameters.regression:
        deviation = known_weight * (known[1] - stats[1])
        return between_two(known_weight, deviation, weight - known_weight, -deviation) / weight
    for k in range(missing.size):
        missing[k] = max(stats[k] - known[k], 0.0)
    after = node_total_impurity(parameters.impurity, known, known_weight)
    after += node_total_impurity(parameters.impurity, missing, weight - known_weight)
    return node_impurity(parameters, stats) - after / weight


@borrowing
def splits_pair_alike(test, has_simple_subsets):
    """Whether a test can split two rows in one way only that counts."""
    return test == THRESHOLD or (has_simple_subsets and test == SUBSET)


@borrowing
def copy_pair_result(test, keys, start, result, earlier):
    """Every feature that separates two rows makes the same two branches: only the values tested are its own."""
    result[GAIN], result[SPLIT_INFO] = earlier[GAIN], earlier[SPLIT_INFO]
    result[N_ADMISSIBLE] = earlier[N_ADMISSIBLE]
    result[FIRST], result[SECOND] = PREFIX, 0.0
    if test == THRESHOLD:
        result[FIRST], result[SECOND] = code_of(keys[start]), code_of(keys[start + 1])


@borrowing
def select_feature(parameters, weight, impurity, total_weight, costs, results, scores):
    """The winning feature and SPLIT, or −1 and the reason to stop."""
    gains, infos = results[:, GAIN], results[:, SPLIT_INFO]
    fill_scores(gains, infos, costs, parameters.score, parameters.mean_filter, parameters.nunez_w, scores)
    winner = first_best(scores, scale_of(parameters.score, impurity))
    if winner < 0:
        return -1, NO_CANDIDATE
    if scores[winner] < parameters.min_score:
        return -1, LOW_SCORE
    if weight / total_weight * results[winner, GAIN] < parameters.min_decrease:
        return -1, LOW_DECREASE
    return winner, SPLIT


@borrowing
def record_evidence(problem, parameters, results, evidence):
    """Copy gain, split information and threshold of every feature's best candidate."""
    for feature in range(results.shape[0]):
        evidence[feature, 0] = results[feature, GAIN]
        evidence[feature, 1] = results[feature, SPLIT_INFO]
        evidence[feature, 2] = np.nan
        if problem.tests[feature] == THRESHOLD and not np.isnan(results[feature, GAIN]):
            low, high = np.int64(results[feature, FIRST]), np.int64(results[feature, SECOND])
            evidence[feature, 2] = threshold_between(
                column_values(problem, feature), low, high, parameters.threshold_at
            )


@borrowing
def search_features(problem, parameters, start, end, stats, states, buffers):
    """Search every feature that is alive; returns the winner and SPLIT, or −1 and a reason. Updates `states`."""
    # The scans for complete columns are called from here, with only what they need: most nodes are small, and there a
    # call of `search_feature` costs as much as the scan.
    # Which scan a feature takes is a chain of conditions, not a table of functions. numba's functions as values are
    # experimental, want C wrappers and one fixed signature, and are called through a pointer, never inlined: 48 ns
    # against 44 ns for a scan of 12 rows, and one table for every type of class codes.
    results, scan, categories = buffers.results, buffers.scan, buffers.categories
    tests, has_missing = problem.tests, problem.has_missing
    has_simple_gains = not parameters.penalty and not parameters.monotone and parameters.score != BY_SQUARED_SHARE
    is_unweighted = problem.weights.size == 0 and has_simple_gains
    is_weighted = problem.weights.size > 0 and has_simple_gains
    has_simple_subsets = (
        is_unweighted and not parameters.regression and parameters.n_stats == 2 and parameters.min_leaf <= 1.0
    )
    impurity = node_impurity(parameters, stats)
    minimum = leaf_minimum(parameters, row_weight(parameters, stats))
    criterion = Criterion(
        parameters.impurity, parameters.regression, stats, impurity, minimum, parameters.row_factor,
        parameters.with_info,
    )  # fmt: skip
    # Of two classes with weights of 1 the gathered weights are those of known rows too.
    subset_criterion = Criterion(
        parameters.impurity, False, stats, impurity, parameters.min_leaf, parameters.row_factor, parameters.with_info
    )
    subset_categories = Categories(
        categories.codes, categories.weights, categories.weights, categories.stats, categories.order,
        categories.order_before, categories.order_keys,
    )  # fmt: skip
    residual, has_residual = 0.0, False
    is_pair, pair_feature = is_unweighted and end - start == 2, -1
    for feature in range(states.size):
        keys, result = problem.keys[feature], results[feature]
        test, is_complete = tests[feature], not has_missing[feature]
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE:
            result[GAIN], result[SPLIT_INFO] = np.nan, 0.0
        elif pair_feature >= 0 and is_complete and splits_pair_alike(test, has_simple_subsets):
            copy_pair_result(test, keys, start, result, results[pair_feature])
        elif test == THRESHOLD and is_complete and is_unweighted:
            segment = segment_of(problem, feature, start, end)
            if not has_residual:
                residual, has_residual = sum_of_deviations(segment, stats), True
            scan_unweighted(segment, criterion, residual, scan, result)
            pair_feature = feature if is_pair else -1
        elif test == THRESHOLD and is_complete and is_weighted:
            scan_weighted(segment_of(problem, feature, start, end), criterion, scan, result)
        elif test == SUBSET and is_complete and has_simple_subsets:
            clear(result)
            n_present = gather_two(segment_of(problem, feature, start, end), subset_categories)
            if n_present > 1:
                scan_prefixes(subset_criterion, impurity, n_present, subset_categories, scan.best, result)
            pair_feature = feature if is_pair else -1
        else:
            search_feature(problem, parameters, feature, start, end, stats, buffers)
    weight = node_weight(parameters, stats)
    return select_feature(parameters, weight, impurity, problem.total_weight, problem.costs, results, buffers.scores)
