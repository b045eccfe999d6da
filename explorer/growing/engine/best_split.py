"""The competition of all features at one node: the best candidate of each, and the winner."""

import numpy as np

from explorer.candidates.quantile_loss import has_quantiles
from explorer.growing.scans.branch_gains import node_statistics
from explorer.growing.scans.buffers import DRAWN_THRESHOLD, FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.growing.scans.categorical_split import has_simple_gains, scan_categories
from explorer.growing.scans.missing_rows import cut_between
from explorer.growing.scans.numeric_split import deviations_of, scan_threshold
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
from explorer.growing.scans.ranked_rows import put_known_quantile, rank_rows
from explorer.growing.scans.running_best import clear, split_information_two, write_threshold
from explorer.jit import borrowing, kernel
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.feature_draw import draw_first, random_threshold
from explorer.recipe.impurity import between_branches, newton_pair_gain, node_total_impurity, rounded_to_zero
from explorer.recipe.missing import DEFAULT_DIRECTION, OWN_BRANCH, by_known_rows
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
    less_threshold_penalty,
    scale_of,
    score_limit,
)

LIVE, CONSTANT, CONSUMED = 0, 1, 2
"""State of a feature on a path: alive, one value only is left, or a branch for each value has used it up."""


@borrowing
def search_feature(problem, parameters, feature, start, end, stats, impurity, buffers):
    """The best candidate of one feature into its row of `buffers.results`.

    By some policies only rows with a value are searched: see `put_in_terms_of_all`.
    """
    keys, test, result, known = problem.keys[feature], problem.tests[feature], buffers.results[feature], stats
    known_end, known_share = end, 1.0
    clear(result)
    if by_known_rows(parameters.missing):
        known_end = end_of_known(problem, feature, start, end)
    if known_end < end:
        if known_end - start < 2 or code_of(keys[start]) == code_of(keys[known_end - 1]):
            return
        known = buffers.known_stats
        known_statistics(parameters, segment_of(problem, feature, start, end), known_end, stats, known)
        if has_quantiles(parameters):
            put_known_quantile(problem, parameters, feature, start, known_end, end, known, buffers.loss)
        known_share = node_weight(parameters, known) / node_weight(parameters, stats)
    scale = impurity / known_share
    if test == THRESHOLD:
        scan_threshold(problem, parameters, feature, start, known_end, known, scale, buffers)
    else:
        scan_categories(problem, parameters, feature, start, known_end, known, scale, buffers)
    if known_end < end:
        if has_quantiles(parameters):
            buffers.scan.first[0] = buffers.loss.of_missing[0]
        put_in_terms_of_all(parameters, stats, known, known_share, impurity, buffers.scan.first, result)
    if parameters.penalty and test == THRESHOLD and result[N_ADMISSIBLE] > 0.0:
        gain = less_threshold_penalty(result[GAIN], result[N_ADMISSIBLE], row_weight(parameters, stats))
        result[GAIN] = gain if gain > 0.0 else np.nan


@borrowing
def put_in_terms_of_all(parameters, stats, known, known_share, impurity, missing, result):
    """Put the numbers of a test of the rows that have a value in terms of all rows of the node.

    The gain counts for the known share of the rows, and rows without a value can be an outcome of their own in the
    split information (C4.5, chapter 3). `missing` is working memory.
    """
    result[GAIN] *= known_share
    if parameters.missing_outcome:
        known_weight = node_weight(parameters, known)
        missing_weight = node_weight(parameters, stats) - known_weight
        result[SPLIT_INFO] = split_information_two(known_weight, missing_weight) + known_share * result[SPLIT_INFO]
    if parameters.missing == OWN_BRANCH and not np.isnan(result[GAIN]):
        missing_gain = gain_of_missing_branch(parameters, stats, known, missing)
        result[GAIN] = rounded_to_zero(result[GAIN] + missing_gain, impurity)
        known_rows = row_weight(parameters, known)
        missing_rows = row_weight(parameters, stats) - known_rows
        if not (parameters.two_branches or at_least(missing_rows, leaf_minimum(parameters, known_rows))):
            result[GAIN] = np.nan


@borrowing
def known_statistics(parameters, segment, known_end, stats, known):
    """Statistics of the rows of a node that have a value: for classes those of the node without the others."""
    if segment.numbers.size:
        rows = Segment(segment.keys, segment.classes, segment.numbers, segment.weights, segment.start, known_end)
        node_statistics(parameters, rows, known)
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
    """Decrease of impurity by a branch for the rows without a value.

    `missing` is working memory; where the loss is around a quantile it has theirs.
    """
    weight, known_weight = node_weight(parameters, stats), node_weight(parameters, known)
    if parameters.score == BY_NEWTON:
        return newton_of_missing_branch(parameters, stats, known)
    if has_quantiles(parameters):
        return (stats[2] - known[2] - missing[0]) / weight
    if parameters.regression:
        deviation = known_weight * (known[1] - stats[1])
        kind, mean = parameters.impurity, stats[1] - parameters.base
        return between_branches(kind, mean, known_weight, deviation, weight - known_weight, -deviation) / weight
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


@borrowing
def leave_drawn_threshold(problem, parameters, path, feature, start, end, buffers):
    """Draw a threshold and leave no other: values up to it count as one, those above as another.

    `draw.keys` has the keys as they were; returns how many have a value.
    """
    keys, values, draw = problem.keys[feature], column_values(problem, feature), buffers.draw
    known_end = end_of_known(problem, feature, start, end)
    lowest, highest = values[code_of(keys[start])], values[code_of(keys[known_end - 1])]
    cut = random_threshold(parameters.feature_seed, path, draw.position[feature], lowest, highest)
    first_above = start
    while values[code_of(keys[first_above])] <= cut:
        first_above += 1
    low, high = code_of(keys[first_above - 1]), code_of(keys[first_above])
    for i in range(start, known_end):
        draw.keys[i - start] = keys[i]
        keys[i] = ((low if i < first_above else high) << ROW_BITS) | row_of(keys[i])
    buffers.results[feature, DRAWN_THRESHOLD] = cut
    return known_end - start


@borrowing
def copy_pair_result(keys, start, result, earlier):
    """Every feature that separates two rows makes the same two branches: only the values tested are its own."""
    result[GAIN], result[SPLIT_INFO] = earlier[GAIN], earlier[SPLIT_INFO]
    result[N_ADMISSIBLE] = earlier[N_ADMISSIBLE]
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
def search_features(problem, parameters, path, start, end, stats, states, only, buffers):
    """Search every feature that is alive, or those that the node draws; `path` is the hash of its path.

    With `only` a feature, not −1, that one is searched, and all is drawn before. Returns the winner and SPLIT, or −1
    and a reason. Updates `states`.
    """
    # Which scan a feature takes is a chain of conditions, not a table of functions. numba's functions as values are
    # experimental, want C wrappers and one fixed signature, and are called through a pointer, never inlined: 48 ns
    # against 44 ns for a scan of 12 rows, and one table for every type of class codes. Every function on the way to a
    # scan is called in one place: so LLVM takes it into its caller, and no records are passed.
    results, residual, draw, pair_feature, n_drawn = buffers.results, buffers.residual, buffers.draw, -1, 0
    is_unweighted = problem.weights.size == 0 and has_simple_gains(parameters)
    is_drawing, impurity = draws(parameters, states.size), node_impurity(parameters, stats)
    if only < 0:
        residual[0] = np.nan
        if has_quantiles(parameters):
            rank_rows(problem, start, end)
        if is_drawing:
            draw_features(problem, parameters, path, start, end, states, draw)
    for feature in range(max(only, 0), only + 1 if only >= 0 else states.size):
        keys, result, test = problem.keys[feature], results[feature], problem.tests[feature]
        draws_threshold, has_missing = parameters.random_thresholds and test == THRESHOLD, problem.has_missing[feature]
        copies_pair = is_unweighted and end - start == 2 and test == THRESHOLD and not draws_threshold
        if has_missing:  # with numbers the last digit could differ
            copies_pair = (
                copies_pair and not problem.numbers.size and code_of(keys[end - 1]) < problem.n_values[feature]
            )
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE or (is_drawing and not draw.is_drawn[feature]):
            result[GAIN], result[SPLIT_INFO] = np.nan, 0.0
            continue
        if pair_feature >= 0 and copies_pair:
            copy_pair_result(keys, start, result, results[pair_feature])
            continue
        if draws_threshold:
            n_drawn = leave_drawn_threshold(problem, parameters, path, feature, start, end, buffers)
        elif np.isnan(residual[0]) and is_unweighted and test == THRESHOLD and not has_missing:
            residual[0] = deviations_of(segment_of(problem, feature, start, end), stats)
        search_feature(problem, parameters, feature, start, end, stats, impurity, buffers)
        pair_feature = feature if copies_pair else pair_feature
        for i in range(n_drawn if draws_threshold else 0):
            keys[start + i] = draw.keys[i]
    weight = node_weight(parameters, stats)
    return select_feature(
        parameters, weight, impurity, problem.total_weight, problem.costs, problem.many_values, results, buffers.scores
    )
