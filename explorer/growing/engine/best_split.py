"""The contest of all features at one node: the best candidate of each, and the winner."""

import numpy as np

from explorer.growing.engine.buffers import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.growing.engine.categorical_split import PREFIX, gather_two, scan_categories, scan_prefixes
from explorer.growing.engine.numeric_split import scan_plain, scan_threshold, sum_of_deviations
from explorer.growing.engine.numeric_split_weighted import scan_weighted
from explorer.growing.engine.partition import node_statistics
from explorer.growing.engine.problem import code_of, column_values, missing_start, row_of, weight_of
from explorer.growing.engine.running_best import clear, split_information_two
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


@borrowing
def search_feature(problem, rules, feature, start, end, stats, scratch):
    """The best candidate of one feature into its row of `scratch.results`."""
    known_end = end
    if problem.has_missing[feature] and by_known_rows(rules.missing):
        known_end = missing_start(problem.keys[feature], start, end, problem.n_values[feature])
    if known_end < end:
        search_known(problem, rules, feature, start, known_end, end, stats, scratch)
    else:
        search_rows(problem, rules, feature, start, end, stats, node_impurity(rules, stats), scratch)
    if rules.penalty and problem.tests[feature] == THRESHOLD and scratch.results[feature, N_ADMISSIBLE] > 0.0:
        gain, count = scratch.results[feature, GAIN], scratch.results[feature, N_ADMISSIBLE]
        rest = less_threshold_penalty(gain, count, row_weight(rules, stats))
        scratch.results[feature, GAIN] = rest if rest > 0.0 else np.nan


@borrowing
def search_rows(problem, rules, feature, start, end, stats, scale, scratch):
    """The best test of the feature for the rows [start, end)."""
    if problem.tests[feature] == THRESHOLD:
        scan_threshold(problem, rules, feature, start, end, stats, scale, scratch)
    else:
        scan_categories(problem, rules, feature, start, end, stats, scale, scratch)


@borrowing
def search_known(problem, rules, feature, start, known_end, end, stats, scratch):
    """The best test for the rows that have a value, its numbers put in terms of all rows of the node."""
    keys, known, row = problem.keys[feature], scratch.known_stats, scratch.results[feature]
    clear(row)
    if known_end - start < 2 or code_of(keys[start]) == code_of(keys[known_end - 1]):
        return
    if rules.regression:
        node_statistics(keys, problem.classes, problem.numbers, problem.weights, start, known_end, known)
    else:
        for k in range(known.size):
            known[k] = stats[k]
        for i in range(known_end, end):
            k = problem.classes[row_of(keys[i])]
            known[k] = max(known[k] - weight_of(problem.weights, row_of(keys[i])), 0.0)
    impurity, known_weight = node_impurity(rules, stats), node_weight(rules, known)
    share = known_weight / node_weight(rules, stats)
    search_rows(problem, rules, feature, start, known_end, known, impurity / share, scratch)
    lacking = node_weight(rules, stats) - known_weight
    row[GAIN] *= share
    if rules.missing_outcome:
        row[SPLIT_INFO] = split_information_two(known_weight, lacking) + share * row[SPLIT_INFO]
    if rules.missing == OWN_BRANCH and not np.isnan(row[GAIN]):
        row[GAIN] = rounded_to_zero(row[GAIN] + gain_of_setting_apart(rules, stats, known, scratch.one), impurity)
        known_rows = row_weight(rules, known)
        lacking_rows = row_weight(rules, stats) - known_rows
        if not (rules.two_branches or at_least(lacking_rows, leaf_minimum(rules, known_rows))):
            row[GAIN] = np.nan


@borrowing
def gain_of_setting_apart(rules, stats, known, missing):
    """Decrease of impurity by parting the rows with a value from those without; `missing` is working memory."""
    weight, known_weight = node_weight(rules, stats), node_weight(rules, known)
    if rules.regression:
        apart = known_weight * (known[1] - stats[1])
        return between_two(known_weight, apart, weight - known_weight, -apart) / weight
    for k in range(missing.size):
        missing[k] = max(stats[k] - known[k], 0.0)
    after = node_total_impurity(rules.impurity, known, known_weight)
    after += node_total_impurity(rules.impurity, missing, weight - known_weight)
    return node_impurity(rules, stats) - after / weight


@borrowing
def is_pair_test(test, simple):
    """Whether a test can only part two rows in one way that counts."""
    return test == THRESHOLD or (simple and test == SUBSET)


@borrowing
def copy_pair(test, keys, start, row, done):
    """Of two rows every feature that tells them apart makes the same two branches: only its values are its own."""
    row[GAIN], row[SPLIT_INFO], row[N_ADMISSIBLE] = done[GAIN], done[SPLIT_INFO], done[N_ADMISSIBLE]
    row[FIRST], row[SECOND] = PREFIX, 0.0
    if test == THRESHOLD:
        row[FIRST], row[SECOND] = code_of(keys[start]), code_of(keys[start + 1])


@borrowing
def choose_feature(rules, weight, impurity, total_weight, costs, results, scores):
    """The winning feature and SPLIT, or −1 and the reason to stop."""
    gains, infos = results[:, GAIN], results[:, SPLIT_INFO]
    fill_scores(gains, infos, costs, rules.score, rules.mean_filter, rules.nunez_w, scores)
    winner = first_best(scores, scale_of(rules.score, impurity))
    if winner < 0:
        return -1, NO_CANDIDATE
    if scores[winner] < rules.min_score:
        return -1, LOW_SCORE
    if weight / total_weight * results[winner, GAIN] < rules.min_decrease:
        return -1, LOW_DECREASE
    return winner, SPLIT


@borrowing
def note_evidence(problem, rules, results, evidence):
    """Copy gain, split information and threshold of every feature's best candidate."""
    for feature in range(results.shape[0]):
        evidence[feature, 0] = results[feature, GAIN]
        evidence[feature, 1] = results[feature, SPLIT_INFO]
        evidence[feature, 2] = np.nan
        if problem.tests[feature] == THRESHOLD and not np.isnan(results[feature, GAIN]):
            low, high = np.int64(results[feature, FIRST]), np.int64(results[feature, SECOND])
            evidence[feature, 2] = threshold_between(column_values(problem, feature), low, high, rules.place)


@borrowing
def search(problem, rules, start, end, stats, states, scratch):
    """Look at every feature that is alive; returns the winner and SPLIT, or −1 and a reason. Updates `states`."""
    all_keys, results, state, left, right = problem.keys, scratch.results, scratch.state, scratch.left, scratch.other
    classes, numbers, tests, has_missing = problem.classes, problem.numbers, problem.tests, problem.has_missing
    plain = problem.weights.size == 0 and not rules.penalty and rules.score != BY_SQUARED_SHARE
    simple = plain and not rules.regression and rules.n_stats == 2 and rules.min_leaf <= 1.0
    codes, weights, table = scratch.category_codes, scratch.category_weights, scratch.category_stats
    order, order_before, order_keys = scratch.order, scratch.order_before, scratch.order_keys
    impurity, kind = node_impurity(rules, stats), rules.impurity
    minimum = leaf_minimum(rules, row_weight(rules, stats))
    weighted = problem.weights.size > 0 and not rules.penalty and rules.score != BY_SQUARED_SHARE
    total, summed, pair_done = 0.0, False, -1
    pair = plain and end - start == 2
    for feature in range(states.size):
        keys, row = all_keys[feature], results[feature]
        if states[feature] == LIVE and code_of(keys[start]) == code_of(keys[end - 1]):
            states[feature] = CONSTANT
        if states[feature] != LIVE:
            row[GAIN], row[SPLIT_INFO] = np.nan, 0.0
        elif pair_done >= 0 and not has_missing[feature] and is_pair_test(tests[feature], simple):
            copy_pair(tests[feature], keys, start, row, results[pair_done])
        elif plain and tests[feature] == THRESHOLD and not has_missing[feature]:
            if not summed:
                total, summed = sum_of_deviations(keys, numbers, start, end, stats), True
            scan_plain(
                keys, classes, numbers, start, end, kind, stats, total, impurity, minimum, rules.with_info, state,
                left, right, row,
            )  # fmt: skip
            pair_done = feature if pair else -1
        elif weighted and tests[feature] == THRESHOLD and not has_missing[feature]:
            scan_weighted(
                keys, classes, numbers, problem.weights, rules.row_factor, start, end, kind, stats, impurity, minimum,
                rules.with_info, state, left, right, row,
            )  # fmt: skip
        elif simple and tests[feature] == SUBSET and not has_missing[feature]:
            clear(row)
            present = gather_two(keys, classes, start, end, codes, weights, table)
            if present > 1:
                scan_prefixes(
                    kind, False, rules.min_leaf, rules.with_info, impurity, impurity, present, table, weights, weights,
                    order, order_before, order_keys, state, row,
                )  # fmt: skip
            pair_done = feature if pair else -1
        else:
            search_feature(problem, rules, feature, start, end, stats, scratch)
    weight = node_weight(rules, stats)
    return choose_feature(rules, weight, impurity, problem.total_weight, problem.costs, results, scratch.scores)
