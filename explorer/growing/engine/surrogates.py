"""Surrogate tests, found fast and carried out on a node's rows (`explorer.candidates.surrogates` is the definition)."""

import numpy as np

from explorer.candidates.surrogates import BETTER, LEAST_WEIGHT, MOST, adjusted_agreement, first_largest
from explorer.growing.engine.problem import code_of, column_values, missing_start, row_of, row_weight_of
from explorer.jit import inner, kernel
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.condition import threshold_between

M_FEATURE, M_BELOW, M_ABOVE, M_PAIRS = range(4)
M_CUT, M_AGREEMENT, M_ADJUSTED = range(3)


@kernel
def send_missing(problem, rules, winner, start, end, n_branches, states, split, ints, floats, pairs):
    """Find the surrogates of the winning test, and send the rows without a value (marked with `n_branches`) by them.

    Writes the surrogates, best first, into `ints` [5, 4], `floats` [5, 3] and (code, branch) `pairs`. Returns (how
    many, how many pairs, the heaviest branch, which takes the rows that no surrogate can send).
    """
    totals, low, high = np.zeros(n_branches), np.zeros(n_branches), np.zeros(n_branches)
    keys, weight = problem.keys[winner], 0.0
    known_end = missing_start(keys, start, end, problem.n_values[winner])
    for i in range(start, known_end):
        row = row_of(keys[i])
        totals[problem.branch[row]] += row_weight_of(problem, rules, row)
        weight += row_weight_of(problem, rules, row)
    usual = first_largest(totals)
    n_found = 0
    for feature in range(problem.keys.shape[0]):
        if feature == winner or states[feature] != 0:
            continue
        if problem.tests[feature] == THRESHOLD:
            agreeing, cut, below, above = best_threshold(problem, rules, feature, start, end, n_branches, low, high)
        else:
            agreeing = agreement_of_categories(problem, rules, feature, start, end, n_branches, totals, low, high)
            cut, below, above = np.nan, -1, -1
        better = adjusted_agreement(agreeing, totals[usual], weight)
        if agreeing > 0.0 and better > BETTER:
            n_found = insert(ints, floats, n_found, feature, below, above, cut, agreeing / weight, better, weight)
    n_pairs = 0
    for which in range(n_found):
        ints[which, M_PAIRS] = 0
        if problem.tests[ints[which, M_FEATURE]] != THRESHOLD:
            first = n_pairs
            n_pairs = write_pairs(
                problem, rules, ints[which, M_FEATURE], start, end, n_branches, totals, low, pairs, n_pairs
            )
            ints[which, M_PAIRS] = n_pairs - first
    if known_end < end:
        send(problem, start, end, n_branches, n_found, ints, floats, pairs, split.branch_rows)
        for i in range(known_end, end):
            if problem.branch[row_of(keys[i])] == n_branches:
                problem.branch[row_of(keys[i])] = usual
                split.branch_rows[usual] += 1
    return n_found, n_pairs, usual


@inner
def insert(ints, floats, n_found, feature, below, above, cut, agreement, better, weight):
    """Put a surrogate in its place by agreement, behind those as good; the last of more than `MOST` falls out."""
    place = n_found
    while place > 0 and floats[place - 1, M_AGREEMENT] < agreement - 1e-9 / weight:
        place -= 1
    if place >= MOST:
        return n_found
    n_found = min(n_found + 1, MOST)
    for later in range(n_found - 1, place, -1):
        ints[later], floats[later] = ints[later - 1], floats[later - 1]
    ints[place, M_FEATURE], ints[place, M_BELOW], ints[place, M_ABOVE] = feature, below, above
    floats[place, M_CUT], floats[place, M_AGREEMENT], floats[place, M_ADJUSTED] = cut, agreement, better
    return n_found


@inner
def best_threshold(problem, rules, feature, start, end, n_branches, low, high):
    """The threshold that sends most weight rightly: (that weight, threshold, branch up to it, branch above)."""
    keys, values, branch_of = problem.keys[feature], column_values(problem, feature), problem.branch
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    low[:], high[:], left, right = 0.0, 0.0, 0.0, 0.0
    for i in range(start, known_end):
        row = row_of(keys[i])
        if branch_of[row] < n_branches:
            high[branch_of[row]] += row_weight_of(problem, rules, row)
            right += row_weight_of(problem, rules, row)
    best, cut, below, above, last = -1.0, np.nan, -1, -1, np.int64(-1)
    for i in range(start, known_end):
        row, code = row_of(keys[i]), code_of(keys[i])
        branch = branch_of[row]
        if last >= 0 and code != last and min(left, right) >= LEAST_WEIGHT * (1.0 - 1e-9):
            one, other = first_largest(low), first_largest(high)
            agreeing = low[one] + high[other]
            if agreeing > best + 1e-9 * agreeing:
                best, below, above = agreeing, one, other
                cut = threshold_between(values, last, code, rules.place)
        last = code
        if branch < n_branches:
            one_weight = row_weight_of(problem, rules, row)
            low[branch] += one_weight
            high[branch] = max(high[branch] - one_weight, 0.0)
            left, right = left + one_weight, max(right - one_weight, 0.0)
    return best, cut, below, above


@inner
def branch_of_run(run, totals):
    """The branch that most rows of a category take, on a tie the heavier one of all rows."""
    best = 0
    for branch in range(1, run.size):
        apart = run[branch] - run[best]
        slack = 1e-9 * max(run[best], run[branch])
        if apart > slack or (apart >= -slack and totals[branch] > totals[best]):
            best = branch
    return best


@inner
def run_of(problem, rules, feature, i, known_end, n_branches, run):
    """Weights by branch of the rows with the code at `i` into `run`; returns where the next code begins."""
    keys, code = problem.keys[feature], code_of(problem.keys[feature, i])
    run[:] = 0.0
    while i < known_end and code_of(keys[i]) == code:
        row = row_of(keys[i])
        if problem.branch[row] < n_branches:
            run[problem.branch[row]] += row_weight_of(problem, rules, row)
        i += 1
    return i


@inner
def agreement_of_categories(problem, rules, feature, start, end, n_branches, totals, run, sent):
    """Weight that goes rightly when every category takes its own best branch; 0 where next to nothing leaves one."""
    known_end = missing_start(problem.keys[feature], start, end, problem.n_values[feature])
    agreeing, i = 0.0, start
    sent[:] = 0.0
    while i < known_end:
        i = run_of(problem, rules, feature, i, known_end, n_branches, run)
        to = branch_of_run(run, totals)
        agreeing += run.max()
        sent[to] += run.sum()
    return agreeing if sent.sum() - sent.max() >= LEAST_WEIGHT * (1.0 - 1e-9) else 0.0


@inner
def write_pairs(problem, rules, feature, start, end, n_branches, totals, run, pairs, n_pairs):
    """Write the branch of every category that has rows with a value for the test."""
    known_end = missing_start(problem.keys[feature], start, end, problem.n_values[feature])
    i = start
    while i < known_end:
        code = code_of(problem.keys[feature, i])
        i = run_of(problem, rules, feature, i, known_end, n_branches, run)
        if run.sum() > 0.0:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = code, branch_of_run(run, totals)
            n_pairs += 1
    return n_pairs


@inner
def send(problem, start, end, n_branches, n_found, ints, floats, pairs, branch_rows):
    """Give marked rows the branch of the first surrogate that has one for them."""
    first, branch_of = 0, problem.branch
    for which in range(n_found):
        feature, place = ints[which, M_FEATURE], first
        first += ints[which, M_PAIRS]
        keys, values = problem.keys[feature], column_values(problem, feature)
        known_end = missing_start(keys, start, end, problem.n_values[feature])
        for i in range(start, known_end):
            row, code = row_of(keys[i]), code_of(keys[i])
            if branch_of[row] != n_branches:
                continue
            if problem.tests[feature] == THRESHOLD:
                to = ints[which, M_BELOW] if values[code] <= floats[which, M_CUT] else ints[which, M_ABOVE]
            else:
                while place < first and pairs[place, 0] < code:
                    place += 1
                if place == first or pairs[place, 0] != code:
                    continue
                to = pairs[place, 1]
            branch_of[row] = to
            branch_rows[to] += 1
