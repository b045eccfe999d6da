"""The competition of the features by adjusted p-values: χ² of every feature's best test (score "p_value")."""

import numpy as np

from explorer.growing.scans.buffers import FIRST, GAIN, SECOND
from explorer.growing.scans.categorical_split import gather, is_in_second_branch
from explorer.growing.scans.problem import code_of, missing_start, row_of, row_weight_of
from explorer.jit import inner, kernel
from explorer.recipe.category_order import category_order
from explorer.recipe.columns import EACH_VALUE, THRESHOLD
from explorer.recipe.missing import by_known_rows
from explorer.recipe.parameters import LOW_DECREASE, LOW_SCORE, NO_CANDIDATE, NOT_SIGNIFICANT, SPLIT, node_weight
from explorer.recipe.significance import chi2_of, fill_log_worths, log_upper_tail, log_ways
from explorer.recipe.split_score import BY_P_VALUE, first_best, scale_of


@inner
def branches_of_categories(problem, parameters, feature, start, end, buffers):
    """The branch of every category that is present, under the feature's best test."""
    n_present, _ = gather(problem, parameters, feature, start, end, 0.0, buffers)
    branches = np.arange(n_present)
    if problem.tests[feature] == EACH_VALUE:
        return branches
    categories, result = buffers.categories, buffers.results[feature]
    order = category_order(categories.stats[:n_present], categories.weights[:n_present], parameters.regression)
    for position in range(n_present):
        is_second = is_in_second_branch(int(result[FIRST]), int(result[SECOND]), position, order)
        branches[position] = 1 if is_second else 0
    return branches


@inner
def log_p_of(problem, parameters, feature, start, end, buffers):
    """Logarithm of the p of a feature's best test, adjusted for the ways of cutting it.

    As in `explorer.candidates.adjusted_p`, the rows that have a value count.
    """
    keys, test = problem.keys[feature], problem.tests[feature]
    known_end = missing_start(keys, start, end, problem.n_values[feature]) if problem.has_missing[feature] else end
    branches = np.zeros(2, dtype=np.int64)
    if test != THRESHOLD:
        searched_end = known_end if by_known_rows(parameters.missing) else end
        branches = branches_of_categories(problem, parameters, feature, start, searched_end, buffers)
    low = buffers.results[feature, FIRST]
    table = np.zeros((max(branches.size, 2), parameters.n_stats))
    n_values, last_code = 0, -1
    for i in range(start, known_end):
        code, row = code_of(keys[i]), row_of(keys[i])
        if code != last_code:
            n_values, last_code = n_values + 1, code
        branch = (1 if code > low else 0) if test == THRESHOLD else branches[n_values - 1]
        table[branch, problem.classes[row]] += row_weight_of(problem, parameters, row)
    statistic, df = chi2_of(table)
    return min(log_upper_tail(statistic, df) + log_ways(test, n_values), 0.0)


@kernel
def select_by_p_value(problem, parameters, start, end, stats, buffers):
    """The winning feature and SPLIT, or −1 and the reason to stop; the features' best tests are in `results`."""
    gains = buffers.results[:, GAIN].copy()
    log_ps = np.full(gains.size, np.nan)
    for feature in range(gains.size):
        if not np.isnan(gains[feature]):
            log_ps[feature] = log_p_of(problem, parameters, feature, start, end, buffers)
    fill_log_worths(log_ps, gains, parameters.p_adjustment, buffers.scores)
    winner = first_best(buffers.scores, scale_of(BY_P_VALUE, 0.0))
    if winner < 0:
        return -1, NO_CANDIDATE
    if buffers.scores[winner] < parameters.min_log_worth:
        return -1, NOT_SIGNIFICANT
    if buffers.scores[winner] < parameters.min_score:
        return -1, LOW_SCORE
    if node_weight(parameters, stats) / problem.total_weight * gains[winner] < parameters.min_decrease:
        return -1, LOW_DECREASE
    return winner, SPLIT
