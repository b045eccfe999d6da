"""Surrogate splits, found and carried out on a node's rows (`explorer.candidates.surrogates` is the definition).

CART book, section 5.3: for the winning split, every other feature is searched for the split that agrees with it on the
most rows. A surrogate is kept when it does better than the rule "send every row to the heaviest branch". A row without
a value takes the branch of the best surrogate that it has a value for.
"""

from typing import NamedTuple

import numpy as np

from explorer.candidates.surrogates import BETTER, LEAST_WEIGHT, MOST, adjusted_agreement, first_largest
from explorer.growing.scans.problem import code_of, column_values, missing_start, row_of, row_weight_of
from explorer.jit import borrowing
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.condition import threshold_between

SURROGATE_FEATURE, SURROGATE_BELOW, SURROGATE_ABOVE, SURROGATE_PAIRS = range(4)
SURROGATE_CUT, SURROGATE_AGREEMENT, SURROGATE_ADJUSTED = range(3)


class SurrogateSplit(NamedTuple):
    """One surrogate: its feature, the branches up to its threshold and above it, and how well it agrees.

    A surrogate of categories has no threshold (nan, and branches of −1). `agreement` is the share of weight that takes
    the same branch, `adjusted` that share beyond the heaviest branch's.
    """

    feature: int
    below: int
    above: int
    cut: float
    agreement: float
    adjusted: float


@borrowing
def route_missing_by_surrogates(problem, parameters, node, states, split):
    """Find the surrogates of a node's winning split, and send the rows without a value (marked) by them.

    Writes the surrogates, best first, into `split.surrogate_ints` [5, 4], `surrogate_floats` [5, 3] and (code, branch)
    `surrogate_pairs`. Returns (how many, how many pairs, the heaviest branch, which takes the rows that no surrogate
    can send).
    """
    keys, ints = problem.keys[node.feature], split.surrogate_ints
    known_end = missing_start(keys, node.start, node.end, problem.n_values[node.feature])
    if node.n_branches == 2 and problem.weights.size == 0 and parameters.row_factor.size == 0:
        n_surrogates, heaviest = surrogates_of_two(problem, parameters, node, states, split)
    else:
        n_surrogates, heaviest = surrogates_of_any(problem, parameters, node, known_end, states, split)

    # Which branch the surrogates of categories give to each category.
    n_pairs, totals, has_totals = 0, split.weights[0][: node.n_branches], False
    for rank in range(n_surrogates):
        ints[rank, SURROGATE_PAIRS] = 0
        if problem.tests[ints[rank, SURROGATE_FEATURE]] != THRESHOLD:
            if not has_totals:
                find_known_totals(problem, parameters, node, known_end, totals)
                has_totals = True
            first, feature = n_pairs, ints[rank, SURROGATE_FEATURE]
            n_pairs = write_category_branches(
                problem,
                parameters,
                node,
                feature,
                totals,
                split.weights[1][: node.n_branches],
                split.surrogate_pairs,
                n_pairs,
            )
            ints[rank, SURROGATE_PAIRS] = n_pairs - first

    if known_end < node.end:
        route_by_surrogates(problem, node, node.end - known_end, n_surrogates, split)
        for i in range(known_end, node.end):
            if problem.branch[row_of(keys[i])] == node.n_branches:
                problem.branch[row_of(keys[i])] = heaviest
                split.branch_rows[heaviest] += 1
    return n_surrogates, n_pairs, heaviest


@borrowing
def find_known_totals(problem, parameters, node, known_end, totals):
    """Row weight of each branch of the winning split, of the rows with a value, into `totals`."""
    keys = problem.keys[node.feature]
    totals[:] = 0.0
    for i in range(node.start, known_end):
        row = row_of(keys[i])
        totals[problem.branch[row]] += row_weight_of(problem, parameters, row)


@borrowing
def surrogates_of_any(problem, parameters, node, known_end, states, split):
    """The best surrogate of every other feature, ranked by agreement. Returns (how many, the heaviest branch)."""
    n_branches, n_surrogates, weight = node.n_branches, 0, 0.0
    totals, low, high = split.weights[0][:n_branches], split.weights[1][:n_branches], split.weights[2][:n_branches]
    find_known_totals(problem, parameters, node, known_end, totals)
    for i in range(node.start, known_end):
        weight += row_weight_of(problem, parameters, row_of(problem.keys[node.feature, i]))
    heaviest = first_largest(totals)
    for feature in range(problem.keys.shape[0]):
        if feature == node.feature or states[feature] != 0:
            continue
        if problem.tests[feature] == THRESHOLD:
            agreeing, cut, below, above = agreeing_threshold(problem, parameters, node, feature, low, high)
        else:
            agreeing = best_category_agreement(problem, parameters, node, feature, totals, low, high)
            cut, below, above = np.nan, -1, -1
        adjusted = adjusted_agreement(agreeing, totals[heaviest], weight)
        if agreeing > 0.0 and adjusted > BETTER:
            surrogate = SurrogateSplit(feature, below, above, cut, agreeing / weight, adjusted)
            n_surrogates = insert_ranked(split, n_surrogates, surrogate, weight)
    return n_surrogates, heaviest


@borrowing
def surrogates_of_two(problem, parameters, node, states, split):
    """As `surrogates_of_any`, for two branches and rows that all count 1: in whole numbers, without arrays."""
    totals = split.branch_rows[0], split.branch_rows[1]
    heaviest, n_surrogates, weight = 0 if totals[0] >= totals[1] else 1, 0, float(totals[0] + totals[1])
    if min(totals[0], totals[1]) < LEAST_WEIGHT:  # a side for the other branch would hold mostly rows of the heaviest
        return 0, heaviest
    for feature in range(problem.keys.shape[0]):
        if feature == node.feature or states[feature] != 0:
            continue
        keys, cut, below, above = problem.keys[feature], np.nan, -1, -1
        known_end = missing_start(keys, node.start, node.end, problem.n_values[feature])
        if problem.tests[feature] == THRESHOLD:
            ends = node.start, known_end, node.end
            agreeing, low, high, below, above = agreeing_threshold_of_two(keys, problem.branch, ends, totals)
        else:
            agreeing = category_agreement_of_two(keys, problem.branch, node.start, known_end, totals)
        adjusted = adjusted_agreement(float(agreeing), float(totals[heaviest]), weight)
        if agreeing > 0 and adjusted > BETTER:
            if problem.tests[feature] == THRESHOLD:
                cut = threshold_between(column_values(problem, feature), low, high, parameters.threshold_at)
            surrogate = SurrogateSplit(feature, below, above, cut, agreeing / weight, adjusted)
            n_surrogates = insert_ranked(split, n_surrogates, surrogate, weight)
    return n_surrogates, heaviest


@borrowing
def agreeing_threshold_of_two(keys, branch_of, ends, totals):
    """The threshold of a column that agrees with the branches 0 and 1 on most rows, in one pass by its sorted keys.

    `ends` are the start of the node, and the ends of its rows with and without a value; `totals` its rows by branch,
    from which the rows without a value are taken. Returns (agreeing rows, the codes on either side, the branch up to
    the threshold, the branch above), with no rows agreeing where none is better than the heaviest branch.

    Where the rows of the first branch less those of the second are d up to the threshold and r above it, the rows that
    agree are (rows + |d| + |r|)/2.
    """
    start, known_end, end = ends
    rows, difference = totals[0] + totals[1], totals[0] - totals[1]
    for key in keys[known_end:end]:
        branch = branch_of[row_of(key)]
        rows -= branch < 2
        difference -= np.int64(branch == 0) - np.int64(branch == 1)
    left, d, best_d, position, least, most = 0, 0, 0, -1, LEAST_WEIGHT, 2 * max(totals[0], totals[1]) - rows
    last, first = keys[start : max(known_end - 1, start)], keys[start + 1 : max(known_end, start + 1)]
    for i in range(first.size):
        branch = branch_of[row_of(last[i])]
        left += branch < 2
        d += np.int64(branch == 0) - np.int64(branch == 1)
        spread = abs(d) + abs(difference - d)
        if spread > most and code_of(first[i]) != code_of(last[i]) and min(left, rows - left) >= least:
            most, best_d, position = spread, d, start + 1 + i
    if position < 0:
        return 0, np.int64(-1), np.int64(-1), -1, -1
    below, above = 0 if best_d >= 0 else 1, 0 if difference >= best_d else 1
    return (rows + most) // 2, code_of(keys[position - 1]), code_of(keys[position]), below, above


@borrowing
def category_agreement_of_two(keys, branch_of, start, end, totals):
    """As `best_category_agreement`, for the branches 0 and 1 and rows that all count 1."""
    # Of one category: its rows, and how many more of them take the first branch than the second.
    agreeing, sent_first, sent_second, rows, difference = 0, 0, 0, 0, 0
    segment, least_for_first = keys[start:end], 1 if totals[1] > totals[0] else 0
    for i in range(segment.size):
        branch = branch_of[row_of(segment[i])]
        rows += branch < 2
        difference += np.int64(branch == 0) - np.int64(branch == 1)
        if i + 1 == segment.size or code_of(segment[i + 1]) != code_of(segment[i]):
            agreeing += rows + abs(difference)
            goes_first = difference >= least_for_first
            sent_first += rows if goes_first else 0
            sent_second += 0 if goes_first else rows
            rows, difference = 0, 0
    return agreeing // 2 if min(sent_first, sent_second) >= LEAST_WEIGHT else 0


@borrowing
def insert_ranked(split, n_surrogates, surrogate, weight):
    """Insert a surrogate by its agreement, behind those as good; the last of more than `MOST` falls out."""
    ints, floats = split.surrogate_ints, split.surrogate_floats
    rank = n_surrogates
    while rank > 0 and floats[rank - 1, SURROGATE_AGREEMENT] < surrogate.agreement - 1e-9 / weight:
        rank -= 1
    if rank >= MOST:
        return n_surrogates
    n_surrogates = min(n_surrogates + 1, MOST)
    for later in range(n_surrogates - 1, rank, -1):
        for j in range(ints.shape[1]):
            ints[later, j] = ints[later - 1, j]
        for j in range(floats.shape[1]):
            floats[later, j] = floats[later - 1, j]
    ints[rank, SURROGATE_FEATURE] = surrogate.feature
    ints[rank, SURROGATE_BELOW], ints[rank, SURROGATE_ABOVE] = surrogate.below, surrogate.above
    floats[rank, SURROGATE_CUT] = surrogate.cut
    floats[rank, SURROGATE_AGREEMENT], floats[rank, SURROGATE_ADJUSTED] = surrogate.agreement, surrogate.adjusted
    return n_surrogates


@borrowing
def agreeing_threshold(problem, parameters, node, feature, low, high):
    """The threshold that agrees with the winning split on most weight.

    `low` and `high` are working memory: weight by branch on either side. Returns (the agreeing weight, threshold,
    branch up to it, branch above).
    """
    keys, values, branch_of = problem.keys[feature], column_values(problem, feature), problem.branch
    start, n_branches = node.start, node.n_branches
    known_end = missing_start(keys, start, node.end, problem.n_values[feature])
    low[:], high[:], left, right = 0.0, 0.0, 0.0, 0.0
    for i in range(start, known_end):
        row = row_of(keys[i])
        if branch_of[row] < n_branches:
            high[branch_of[row]] += row_weight_of(problem, parameters, row)
            right += row_weight_of(problem, parameters, row)
    best, cut, below, above, last_code = -1.0, np.nan, -1, -1, np.int64(-1)
    for i in range(start, known_end):
        row, code = row_of(keys[i]), code_of(keys[i])
        branch = branch_of[row]
        if last_code >= 0 and code != last_code and min(left, right) >= LEAST_WEIGHT * (1.0 - 1e-9):
            left_branch, right_branch = first_largest(low), first_largest(high)
            agreeing = low[left_branch] + high[right_branch]
            if agreeing > best + 1e-9 * agreeing:
                best, below, above = agreeing, left_branch, right_branch
                cut = threshold_between(values, last_code, code, parameters.threshold_at)
        last_code = code
        if branch < n_branches:
            weight = row_weight_of(problem, parameters, row)
            low[branch] += weight
            high[branch] = max(high[branch] - weight, 0.0)
            left, right = left + weight, max(right - weight, 0.0)
    return best, cut, below, above


@borrowing
def majority_branch(branch_weights, totals):
    """The branch that most rows of a category take, on a tie the heavier one of all rows."""
    best = 0
    for branch in range(1, branch_weights.size):
        lead = branch_weights[branch] - branch_weights[best]
        slack = 1e-9 * max(branch_weights[best], branch_weights[branch])
        if lead > slack or (lead >= -slack and totals[branch] > totals[best]):
            best = branch
    return best


@borrowing
def weigh_category(problem, parameters, n_branches, feature, i, known_end, branch_weights):
    """Weights by branch of the rows with the code at position `i`; returns the position where the next code begins."""
    keys, code = problem.keys[feature], code_of(problem.keys[feature, i])
    branch_weights[:] = 0.0
    while i < known_end and code_of(keys[i]) == code:
        row = row_of(keys[i])
        if problem.branch[row] < n_branches:
            branch_weights[problem.branch[row]] += row_weight_of(problem, parameters, row)
        i += 1
    return i


@borrowing
def best_category_agreement(problem, parameters, node, feature, totals, branch_weights, sent):
    """Agreeing weight when every category takes its own best branch; 0 where next to nothing leaves one branch."""
    known_end = missing_start(problem.keys[feature], node.start, node.end, problem.n_values[feature])
    agreeing, i = 0.0, node.start
    sent[:] = 0.0
    while i < known_end:
        i = weigh_category(problem, parameters, node.n_branches, feature, i, known_end, branch_weights)
        agreeing += branch_weights[np.argmax(branch_weights)]
        sent[majority_branch(branch_weights, totals)] += branch_weights.sum()
    return agreeing if sent.sum() - sent[np.argmax(sent)] >= LEAST_WEIGHT * (1.0 - 1e-9) else 0.0


@borrowing
def write_category_branches(problem, parameters, node, feature, totals, branch_weights, pairs, n_pairs):
    """Write the branch of every category that has rows with a value for the split; returns the number of pairs.

    `totals` is the row weight of every branch, `branch_weights` working memory.
    """
    known_end = missing_start(problem.keys[feature], node.start, node.end, problem.n_values[feature])
    i = node.start
    while i < known_end:
        code = code_of(problem.keys[feature, i])
        i = weigh_category(problem, parameters, node.n_branches, feature, i, known_end, branch_weights)
        if branch_weights.sum() > 0.0:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = code, majority_branch(branch_weights, totals)
            n_pairs += 1
    return n_pairs


@borrowing
def route_by_surrogates(problem, node, n_marked, n_surrogates, split):
    """Give the marked rows, so many, the branch of the first surrogate that has one for them."""
    ints, pairs, branch_of = split.surrogate_ints, split.surrogate_pairs, problem.branch
    next_pair = 0
    for rank in range(n_surrogates):
        feature, pair = ints[rank, SURROGATE_FEATURE], next_pair
        next_pair += ints[rank, SURROGATE_PAIRS]
        cut = split.surrogate_floats[rank, SURROGATE_CUT]
        below, above = ints[rank, SURROGATE_BELOW], ints[rank, SURROGATE_ABOVE]
        keys, values = problem.keys[feature], column_values(problem, feature)
        known_end = missing_start(keys, node.start, node.end, problem.n_values[feature])
        for i in range(node.start, known_end):
            row, code = row_of(keys[i]), code_of(keys[i])
            if branch_of[row] != node.n_branches:
                continue
            if problem.tests[feature] == THRESHOLD:
                branch = below if values[code] <= cut else above
            else:
                # Keys and pairs are both sorted by code, so one walk along both finds every row's category.
                while pair < next_pair and pairs[pair, 0] < code:
                    pair += 1
                if pair == next_pair or pairs[pair, 0] != code:
                    continue
                branch = pairs[pair, 1]
            branch_of[row] = branch
            split.branch_rows[branch] += 1
            n_marked -= 1
            if n_marked == 0:
                return
