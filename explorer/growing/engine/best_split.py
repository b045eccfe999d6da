"""The competition of all features at one node: the best candidate of each, and the winner."""

import numpy as np

from explorer.growing.scans.branch_gains import node_statistics
from explorer.growing.scans.buffers import (
    DRAWN_THRESHOLD,
    FIRST,
    GAIN,
    KNOWN,
    LATE,
    N_ADMISSIBLE,
    SECOND,
    SPLIT_INFO,
    Categories,
)
from explorer.growing.scans.categorical_split import PREFIX, gather_two, scan_categories, scan_prefixes, scan_values
from explorer.growing.scans.missing_rows import cut_between
from explorer.growing.scans.numeric_split import deviations_of, scan_threshold, scan_unweighted
from explorer.growing.scans.problem import (
    ROW_BITS,
    Segment,
    code_of,
    column_values,
    missing_start,
    row_of,
    segment_of,
    weight_of,
)
from explorer.growing.scans.running_best import clear, criterion_of, split_information_two, write_threshold
from explorer.growing.scans.weighted_classes import information_of_rows, scan_two_weighted_classes
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import EACH_VALUE, SUBSET, THRESHOLD
from explorer.recipe.feature_draw import draw_first, random_threshold
from explorer.recipe.impurity import between_two, newton_pair_gain, node_total_impurity, rounded_to_zero
from explorer.recipe.missing import DEFAULT_DIRECTION, FRACTIONAL, OWN_BRANCH, SURROGATE, by_known_rows
from explorer.recipe.newton import hessian_of
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
    BY_NEWTON,
    at_least,
    fill_scores,
    first_best,
    has_own_gain,
    less_threshold_penalty,
    mean_gain_of,
    passes_mean,
    scale_of,
    score_limit,
)

LIVE, CONSTANT, CONSUMED = 0, 1, 2
"""State of a feature on a path: alive, one value only is left, or a branch for each value has used it up."""


@borrowing
def search_feature(problem, parameters, feature, start, end, stats, buffers):
    """The best candidate of one feature into its row of `buffers.results`."""
    known_end, result = end, buffers.results[feature]
    if by_known_rows(parameters.missing):
        known_end = end_of_known(problem, feature, start, end)
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
    elif problem.tests[feature] == EACH_VALUE:
        scan_values(problem, parameters, feature, start, end, stats, scale, buffers)
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
    known_statistics(segment_of(problem, feature, start, end), known_end, stats, known)
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
def search_in_two(segment, test, criterion, impurity, residual, categories, scan, result):
    """The best threshold or simple subset of rows that all have a value, where gains are the decrease of impurity.

    Most nodes are small, and there passing whole records costs more than the scan: so it takes only what it needs.
    """
    if test == SUBSET:
        clear(result)
        n_present = gather_two(segment, categories)
        if n_present > 1:
            scan_prefixes(criterion, impurity, n_present, categories, scan.best, result)
    elif segment.weights.size == 0:
        scan_unweighted(segment, criterion, False, residual, scan, result)
    else:
        scan_two_weighted_classes(segment, criterion, True, scan, result)


@borrowing
def search_known_in_two(segment, test, parameters, known_end, stats, impurity, known, categories, scan, result):
    """As `search_known_rows` for a threshold or a simple subset, where missing is no branch or category of its own."""
    clear(result)
    keys, start = segment.keys, segment.start
    if known_end - start < 2 or code_of(keys[start]) == code_of(keys[known_end - 1]):
        return
    rows = Segment(keys, segment.classes, segment.numbers, segment.weights, start, known_end)
    known_statistics(segment, known_end, stats, known)
    known_weight, weight = node_weight(parameters, known), node_weight(parameters, stats)
    known_share, missing_weight = known_weight / weight, weight - known_weight
    minimum = parameters.min_leaf
    if test == THRESHOLD:
        minimum = leaf_minimum(parameters, row_weight(parameters, known))
    criterion = criterion_of(parameters, known, impurity / known_share, minimum)
    residual = deviations_of(rows, known)
    search_in_two(rows, test, criterion, node_impurity(parameters, known), residual, categories, scan, result)
    result[KNOWN] = known_weight
    result[GAIN] *= known_share
    if parameters.missing_outcome and result[SPLIT_INFO] != LATE:
        result[SPLIT_INFO] = split_information_two(known_weight, missing_weight) + known_share * result[SPLIT_INFO]


@borrowing
def known_statistics(segment, known_end, stats, known):
    """Statistics of the rows of a node that have a value: for classes those of the node without the others."""
    if segment.numbers.size:
        node_statistics(
            Segment(segment.keys, segment.classes, segment.numbers, segment.weights, segment.start, known_end), known
        )
        return
    for k in range(known.size):
        known[k] = stats[k]
    if known.size == 2:
        first, second = known[0], known[1]
        for i in range(known_end, segment.end):
            row = row_of(segment.keys[i])
            of_row = weight_of(segment.weights, row)
            in_second = of_row * segment.classes[row]
            first, second = max(first - (of_row - in_second), 0.0), max(second - in_second, 0.0)
        known[0], known[1] = first, second
        return
    for i in range(known_end, segment.end):
        row = row_of(segment.keys[i])
        k = segment.classes[row]
        known[k] = max(known[k] - weight_of(segment.weights, row), 0.0)


@borrowing
def gain_of_missing_branch(parameters, stats, known, missing):
    """Decrease of impurity by a branch for the rows without a value; `missing` is working memory."""
    weight, known_weight = node_weight(parameters, stats), node_weight(parameters, known)
    if parameters.score == BY_NEWTON:
        return newton_of_missing_branch(parameters, stats, known)
    if parameters.regression:
        deviation = known_weight * (known[1] - stats[1])
        return between_two(known_weight, deviation, weight - known_weight, -deviation) / weight
    for k in range(missing.size):
        missing[k] = max(stats[k] - known[k], 0.0)
    after = node_total_impurity(parameters.impurity, known, known_weight)
    after += node_total_impurity(parameters.impurity, missing, weight - known_weight)
    return node_impurity(parameters, stats) - after / weight


@borrowing
def newton_of_missing_branch(parameters, stats, known):
    """The same by Newton's gain."""
    weight, known_weight = node_weight(parameters, stats), node_weight(parameters, known)
    missing_weight = weight - known_weight
    if parameters.regression:
        deviation, offset = known_weight * (known[1] - stats[1]), stats[1] - parameters.base
        known_sum, missing_sum = deviation + known_weight * offset, missing_weight * offset - deviation
    else:
        known_sum = known[1] - parameters.base * known_weight
        missing_sum = max(stats[1] - known[1], 0.0) - parameters.base * missing_weight
    h = hessian_of(parameters)
    gain = newton_pair_gain(h * known_weight, known_sum, h * missing_weight, missing_sum, parameters.reg_lambda)
    return gain / weight


@borrowing
def draws(parameters, n_features):
    """Whether nodes draw their features, or thresholds."""
    return parameters.max_features < n_features or parameters.random_thresholds


@borrowing
def end_of_known(problem, feature, start, end):
    """Where the missing cells begin in the segment [start, end) of a column."""
    keys, n_values = problem.keys[feature], problem.n_values[feature]
    if not problem.has_missing[feature] or code_of(keys[end - 1]) < n_values:
        return end
    return missing_start(keys, start, end, n_values)


@kernel
def draw_features(problem, parameters, path, start, end, states, draw):
    """Draw features among those that have two values at the node; those with one code are CONSTANT from now on."""
    n_items = 0
    for feature in range(states.size):
        keys = problem.keys[feature]
        draw.is_drawn[feature] = False
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE:
            continue
        known_end = end  # with a default direction "missing or not" is a test too
        if parameters.missing != DEFAULT_DIRECTION:
            known_end = end_of_known(problem, feature, start, end)
        if known_end - start > 1 and code_of(keys[start]) != code_of(keys[known_end - 1]):
            draw.items[n_items], draw.position[feature] = feature, n_items
            n_items += 1
    if parameters.max_features < n_items:
        draw_first(parameters.feature_seed, path, parameters.max_features, draw.items, n_items)
        n_items = parameters.max_features
    for i in range(n_items):
        draw.is_drawn[draw.items[i]] = True


@kernel
def search_random_threshold(problem, parameters, path, feature, start, end, stats, buffers):
    """The threshold that the node draws for a feature, into its row of results.

    For the search, all values up to the threshold count as one and all values above it as another: a single test.
    """
    keys, values = problem.keys[feature], column_values(problem, feature)
    known_end, result = end_of_known(problem, feature, start, end), buffers.results[feature]
    before = keys[start:known_end].copy()
    lowest, highest = values[code_of(keys[start])], values[code_of(keys[known_end - 1])]
    cut = random_threshold(parameters.feature_seed, path, buffers.draw.position[feature], lowest, highest)
    first_above = start
    while values[code_of(keys[first_above])] <= cut:
        first_above += 1
    low, high = code_of(keys[first_above - 1]), code_of(keys[first_above])
    for i in range(start, known_end):
        keys[i] = ((low if i < first_above else high) << ROW_BITS) | row_of(keys[i])
    result[DRAWN_THRESHOLD] = cut
    search_feature(problem, parameters, feature, start, end, stats, buffers)
    for i in range(start, known_end):
        keys[i] = before[i - start]


@borrowing
def copy_pair_result(test, keys, start, result, earlier):
    """Every feature that separates two rows makes the same two branches: only the values tested are its own."""
    result[GAIN], result[SPLIT_INFO] = earlier[GAIN], earlier[SPLIT_INFO]
    result[N_ADMISSIBLE] = earlier[N_ADMISSIBLE]
    result[FIRST], result[SECOND] = PREFIX, 0.0
    if test == THRESHOLD:
        write_threshold(result, keys, start + 1)


@borrowing
def select_feature(parameters, weight, impurity, total_weight, costs, many_values, results, scores):
    """The winning feature and SPLIT, or −1 and the reason to stop."""
    gains, infos = results[:, GAIN], results[:, SPLIT_INFO]
    rule = parameters.mean_filter
    fill_scores(gains, infos, costs, many_values, parameters.score, rule, parameters.nunez_w, scores)
    winner = first_best(scores, scale_of(parameters.score, impurity))
    if winner < 0:
        return -1, NO_CANDIDATE
    if scores[winner] < score_limit(parameters.score, parameters.min_score, weight):
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
            evidence[feature, 2] = cut_between(parameters, column_values(problem, feature), low, high, results[feature])


@borrowing
def search_features(problem, parameters, path, start, end, stats, states, keep, buffers):
    """Search every feature that is alive, or those that the node draws; `path` is the hash of its path.

    Returns the winner and SPLIT, or −1 and a reason. Updates `states`. To `keep` evidence, all results are complete.
    """
    # Which scan a feature takes is a chain of conditions, not a table of functions. numba's functions as values are
    # experimental, want C wrappers and one fixed signature, and are called through a pointer, never inlined: 48 ns
    # against 44 ns for a scan of 12 rows, and one table for every type of class codes.
    results, scan, categories = buffers.results, buffers.scan, buffers.categories
    has_two_classes = parameters.n_stats == 2 and not parameters.regression
    has_simple_gains = not (parameters.penalty or parameters.monotone or has_own_gain(parameters.score))
    is_unweighted = problem.weights.size == 0 and has_simple_gains
    is_weighted = problem.weights.size > 0 and has_simple_gains and has_two_classes
    searches_known = parameters.missing in (FRACTIONAL, SURROGATE)
    has_simple_subsets = is_unweighted and has_two_classes and parameters.min_leaf <= 1.0
    impurity = node_impurity(parameters, stats)
    minimum = leaf_minimum(parameters, row_weight(parameters, stats))
    # Of two classes with weights of 1 the gathered weights are those of known rows too.
    categories = Categories(
        categories.codes, categories.weights, categories.weights, categories.stats, categories.order,
        categories.order_before, categories.order_keys,
    )  # fmt: skip
    residual, is_pair, pair_feature = np.nan, is_unweighted and end - start == 2, -1
    is_drawing = draws(parameters, states.size)
    if is_drawing:
        draw_features(problem, parameters, path, start, end, states, buffers.draw)
    for feature in range(states.size):
        keys, result, test = problem.keys[feature], results[feature], problem.tests[feature]
        has_missing, known_end = problem.has_missing[feature], end_of_known(problem, feature, start, end)
        copies_pair = not (has_missing and parameters.regression)  # there the last digit could differ
        is_simple = (is_unweighted or is_weighted) if test == THRESHOLD else has_simple_subsets and test == SUBSET
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE or (is_drawing and not buffers.draw.is_drawn[feature]):
            result[GAIN], result[SPLIT_INFO] = np.nan, 0.0
        elif parameters.random_thresholds and test == THRESHOLD:
            search_random_threshold(problem, parameters, path, feature, start, end, stats, buffers)
        elif not is_simple or (known_end < end and not searches_known):
            search_feature(problem, parameters, feature, start, end, stats, buffers)
        elif known_end < end:
            search_known_in_two(
                segment_of(problem, feature, start, end), test, parameters, known_end, stats, impurity,
                buffers.known_stats, categories, scan, result,
            )  # fmt: skip
        elif pair_feature >= 0 and copies_pair:
            copy_pair_result(test, keys, start, result, results[pair_feature])
        else:
            segment = segment_of(problem, feature, start, end)
            deviations = deviations_of(segment, stats) if has_missing or np.isnan(residual) else residual
            residual = residual if has_missing else deviations
            criterion = criterion_of(parameters, stats, impurity, minimum if test == THRESHOLD else parameters.min_leaf)
            search_in_two(segment, test, criterion, impurity, deviations, categories, scan, result)
            pair_feature = feature if is_pair and copies_pair else pair_feature
    if is_weighted and parameters.with_info:
        add_late_information(problem, parameters, start, end, stats, keep, buffers)
    weight = node_weight(parameters, stats)
    return select_feature(
        parameters, weight, impurity, problem.total_weight, problem.costs, problem.many_values, results, buffers.scores
    )


@borrowing
def add_late_information(problem, parameters, start, end, stats, keep, buffers):
    """Work out the split information of the thresholds whose gain passes the mean-gain filter, or of all to `keep`."""
    results, weight = buffers.results, node_weight(parameters, stats)
    gains, infos = results[:, GAIN], results[:, SPLIT_INFO]
    mean = mean_gain_of(gains, infos, problem.many_values)
    for feature in range(gains.size):
        passes = keep or passes_mean(gains[feature], mean, parameters.mean_filter)
        if infos[feature] != LATE or not passes:
            continue
        keys, known_end = problem.keys[feature], end_of_known(problem, feature, start, end)
        rows = Segment(keys, problem.classes, problem.numbers, problem.weights, start, known_end)
        infos[feature] = information_of_rows(rows, results[feature])
        if known_end < end and parameters.missing_outcome:
            known_weight = results[feature, KNOWN]
            of_missing = split_information_two(known_weight, weight - known_weight)
            infos[feature] = of_missing + known_weight / weight * infos[feature]
