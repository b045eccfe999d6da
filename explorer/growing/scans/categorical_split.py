"""Find the best test of one categorical feature at one node: each value, one against the rest, or a subset.

The node's *present categories* are runs of equal code in its sorted segment. Their class weights (or centred sums)
are gathered once; every test is then a grouping of a few rows of that table. Missing cells count as the heaviest one.
"""

import numpy as np

from explorer.candidates.quantile_loss import has_quantiles
from explorer.growing.scans.branch_gains import gain_of_two
from explorer.growing.scans.buffers import FIRST, GAIN, SECOND, SPLIT_INFO
from explorer.growing.scans.problem import code_of, missing_start, row_of, segment_of, weight_of
from explorer.growing.scans.ranked_rows import put_losses_of_branches, rank_categories
from explorer.growing.scans.running_best import (
    add_row,
    clear,
    criterion_of,
    ends_scan,
    needs_scan,
    split_information_two,
    start_scans,
    violates,
    write_best,
)
from explorer.jit import borrowing, inner
from explorer.recipe.category_order import EXHAUSTIVE, category_order, order_by_mean, prefixes_are_exact
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST
from explorer.recipe.impurity import (
    between_mean,
    between_two,
    node_total_impurity,
    rounded_to_zero,
    total_impurity_two,
    weight_times_error,
    xlog2x,
)
from explorer.recipe.missing import SAME_CLASS, heaviest
from explorer.recipe.newton import newton_of_branches
from explorer.recipe.parameters import node_impurity, node_weight, row_weight
from explorer.recipe.split_score import BY_NEWTON, BY_SQUARED_SHARE, TIE, at_least, has_own_gain, tie_margin

PREFIX, MASK, SINGLE = 0, 1, 2
"""How a candidate groups the categories: the first of an order, any subset, or one alone."""


@borrowing
def gather(problem, parameters, feature, start, end, mean, buffers):
    """Fill the table of present categories; return how many there are and which one the missing cells follow.

    Under "same_class" they follow `buffers.imputed_categories`, class by class.
    """
    segment, categories = segment_of(problem, feature, start, end), buffers.categories
    keys, weights, stats = segment.keys, categories.weights, categories.stats
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    n_present, last_code = 0, -1
    if stats.shape[1] == 2 and not parameters.regression:
        n_present = gather_two(segment_of(problem, feature, start, known_end), categories)
    else:
        for i in range(start, known_end):
            code = code_of(keys[i])
            if code != last_code:
                categories.codes[n_present], weights[n_present] = code, 0.0
                for k in range(stats.shape[1]):
                    stats[n_present, k] = 0.0
                n_present += 1
                last_code = code
            weights[n_present - 1] += add_row(segment, keys[i], mean, stats[n_present - 1])
    if n_present == 0:
        return 0, -1
    for i in range(n_present):
        rows = weights[i] if parameters.row_factor.size == 0 else row_weight(parameters, stats[i])
        categories.known_weights[i] = rows
    imputed_category = heaviest(weights[:n_present])
    if parameters.missing == SAME_CLASS and known_end < end:
        find_imputed_categories(stats, n_present, imputed_category, buffers.imputed_categories)
        for i in range(known_end, end):
            position = buffers.imputed_categories[problem.classes[row_of(keys[i])]]
            weights[position] += add_row(segment, keys[i], mean, stats[position])
        return n_present, imputed_category
    for i in range(known_end, end):
        weights[imputed_category] += add_row(segment, keys[i], mean, stats[imputed_category])
    if has_quantiles(parameters):
        rank_categories(problem, parameters, feature, start, known_end, end, imputed_category, n_present, mean, buffers)
    return n_present, imputed_category


@borrowing
def find_imputed_categories(stats, n_present, overall, imputed_categories):
    """The heaviest category of each class, the earlier one on a tie; the one of all rows where a class has none."""
    for k in range(stats.shape[1]):
        best = 0
        for position in range(1, n_present):
            if stats[position, k] > stats[best, k] * (1.0 + TIE):
                best = position
        imputed_categories[k] = best if stats[best, k] > 0.0 else overall


@borrowing
def gather_two(segment, categories):
    """The table of present categories for two classes: runs of equal codes."""
    keys, classes, weights = segment.keys[segment.start : segment.end], segment.classes, segment.weights
    if keys.size == 0:
        return 0
    n_present, code, weight, first, second = np.uint64(0), code_of(keys[0]), 0.0, 0.0, 0.0
    for i in range(keys.size):
        row = row_of(keys[i])
        of_row = weight_of(weights, row)
        in_second = of_row * classes[row]
        weight += of_row
        first += of_row - in_second
        second += in_second
        if i + 1 == keys.size or code_of(keys[i + 1]) != code:
            categories.codes[n_present], categories.weights[n_present] = code, weight
            categories.stats[n_present, 0], categories.stats[n_present, 1] = first, second
            n_present += np.uint64(1)
            code, weight, first, second = code_of(keys[min(i + 1, keys.size - 1)]), 0.0, 0.0, 0.0
    return np.int64(n_present)


@borrowing
def has_simple_gains(parameters):
    """Whether gains are the decrease of impurity, and nothing else is asked of a threshold."""
    return not (parameters.penalty or parameters.monotone or has_own_gain(parameters))


@borrowing
def has_simple_subsets(problem, parameters):
    """Whether the best subset of categories is a prefix of their order, by a gain that `scan_prefixes` knows."""
    has_two_classes = parameters.n_stats == 2 and not parameters.regression
    is_unweighted = problem.weights.size == 0 and parameters.min_leaf <= 1.0
    return is_unweighted and has_two_classes and has_simple_gains(parameters)


@borrowing
def scan_categories(problem, parameters, feature, start, end, stats, scale, buffers):
    """Best test of a categorical feature at the node [start, end) with these statistics.

    Gains are rounding noise, or ties, in comparison with `scale`: the node's impurity.
    """
    categories, test, result = buffers.categories, problem.tests[feature], buffers.results[feature]
    clear(result)
    mean = stats[1] if parameters.regression else 0.0
    n_present, _ = gather(problem, parameters, feature, start, end, mean, buffers)
    if n_present < 2:
        return
    if test == EACH_VALUE:
        scan_each_value(parameters, n_present, stats, scale, categories, result)
    elif test == ONE_VS_REST:
        scan_groupings(parameters, feature, n_present, stats, scale, buffers, SINGLE)
    elif has_simple_subsets(problem, parameters):
        criterion = criterion_of(parameters, stats, scale, parameters.min_leaf)
        scan_prefixes(criterion, node_impurity(parameters, stats), n_present, categories, buffers.scan.best, result)
    else:
        scan_subsets(parameters, feature, n_present, stats, scale, buffers)


@borrowing
def scan_each_value(parameters, n_present, stats, scale, categories, result):
    """The one candidate with a branch per present category."""
    weight, n_large, after, between, sum_xlog2x = node_weight(parameters, stats), 0, 0.0, 0.0, 0.0
    for i in range(n_present):
        branch_weight = categories.weights[i]
        n_large += at_least(categories.known_weights[i], parameters.min_leaf)
        sum_xlog2x += xlog2x(branch_weight)
        if has_quantiles(parameters):
            after += categories.stats[i, 0]  # the loss of its rows
        elif parameters.score == BY_SQUARED_SHARE:
            after += weight_times_error(branch_weight, categories.stats[i, 1], categories.stats[i, 0]) / weight
        elif parameters.regression:
            mean = stats[1] - parameters.base
            between += between_mean(parameters.impurity, mean, branch_weight, categories.stats[i, 0])
        else:
            after += node_total_impurity(parameters.impurity, categories.stats[i], branch_weight)
    if n_large < (2 if parameters.two_branches else n_present):
        return
    if parameters.score == BY_NEWTON:
        column, mean = categories.stats.shape[1] - 1, stats[1] if parameters.regression else 0.0
        gain = newton_of_branches(
            parameters, mean, categories.stats[:n_present, column], categories.weights[:n_present]
        )
    elif parameters.regression and not (parameters.score == BY_SQUARED_SHARE or has_quantiles(parameters)):
        gain = between / weight
    else:
        gain = node_impurity(parameters, stats) - after / weight
    result[GAIN] = rounded_to_zero(gain, scale)
    result[SPLIT_INFO] = (xlog2x(weight) - sum_xlog2x) / weight


@inner
def scan_subsets(parameters, feature, n_present, stats, scale, buffers):
    """Groupings into two: prefixes of an order where that is exact, else all, else prefixes as an approximation.

    Prefixes are exact without a minimum for leaves and without monotone constraints: the best prefix within the limits
    need not be the best subset within them.
    """
    categories, result = buffers.categories, buffers.results[feature]
    has_small_category = False
    for i in range(n_present):
        is_small = not at_least(categories.known_weights[i], parameters.min_leaf)
        has_small_category = has_small_category or is_small
    is_exact = prefixes_are_exact(categories.stats, parameters.regression) and parameters.score != BY_SQUARED_SHARE
    is_exact = is_exact and not has_quantiles(parameters)
    if is_exact and (parameters.monotone or has_own_gain(parameters)):
        scan_groupings(parameters, feature, n_present, stats, scale, buffers, PREFIX)
    elif is_exact:
        criterion = criterion_of(parameters, stats, scale, parameters.min_leaf)
        scan_prefixes(criterion, node_impurity(parameters, stats), n_present, categories, buffers.scan.best, result)
    elif n_present > EXHAUSTIVE:
        scan_groupings(parameters, feature, n_present, stats, scale, buffers, PREFIX)
    if n_present <= EXHAUSTIVE and (has_small_category or parameters.monotone or not is_exact):
        best_prefix = result.copy()
        scan_groupings(parameters, feature, n_present, stats, scale, buffers, MASK)
        if best_prefix[GAIN] >= result[GAIN] - tie_margin(0.0, scale):
            buffers.results[feature] = best_prefix


@borrowing
def scan_prefixes(criterion, impurity, n_present, categories, best, result):
    """Best prefix of Breiman's order into its row of results (two classes, or a numeric target)."""
    # Breiman's ordering: sort the categories by the share of the second class, or by the mean target, and scan as if
    # the feature were numeric. The best of all 2^(C − 1) − 1 subsets is one of these C − 1 prefixes (CART book,
    # theorem 4.5).
    order_by_mean(
        categories.stats, categories.weights, n_present, categories.order_keys, categories.order,
        categories.order_before,
    )  # fmt: skip
    start_scans(best, criterion.scale)
    while needs_scan(best):
        scan_prefix_order(criterion, impurity, n_present, categories, best)
    last = write_best(result, best, criterion.scale)
    if last >= 0:
        result[FIRST], result[SECOND] = PREFIX, last
        result[SPLIT_INFO] = prefix_information(last, n_present, categories) if criterion.with_info else 0.0


@borrowing
def scan_prefix_order(criterion, impurity, n_present, categories, best):
    """Scan the prefixes of the order. Gains go to `best`, as in a threshold's scan."""
    weights, known_weights, order = categories.weights, categories.known_weights, categories.order
    # Of two classes the weight of the second, else the sum of the target.
    sums, minimum, kind = categories.stats, criterion.minimum, criterion.kind
    column = sums.shape[1] - 1
    weight, known_weight, total = 0.0, 0.0, 0.0
    for position in range(n_present):
        weight += weights[position]
        known_weight += known_weights[position]
        total += sums[position, column]
    left, known_left, left_sum = 0.0, 0.0, 0.0
    for last in range(n_present - 1):
        position = order[last]
        left += weights[position]
        known_left += known_weights[position]
        left_sum += sums[position, column]
        if not (at_least(known_left, minimum) and at_least(known_weight - known_left, minimum)):
            continue
        right, right_sum = max(weight - left, 0.0), total - left_sum
        if criterion.regression:
            gain = between_two(left, left_sum, right, right_sum) / weight
        else:
            after = total_impurity_two(kind, left - left_sum, left_sum)
            after += total_impurity_two(kind, right - right_sum, right_sum)
            gain = impurity - after / weight
        if ends_scan(best, gain, last):
            return


@inner
def scan_groupings(parameters, feature, n_present, stats, scale, buffers, mode):
    """Best of the groupings of one mode, in order; a second scan only where the tie rule is in doubt."""
    categories, best, result = buffers.categories, buffers.scan.best, buffers.results[feature]
    order = categories.codes  # only read for prefixes, where it is replaced
    if mode == PREFIX:
        order = prefix_order(parameters, categories, n_present)
    before = node_impurity(parameters, stats) * node_weight(parameters, stats)
    mean = stats[1] if parameters.regression else 0.0
    start_scans(best, scale)
    while needs_scan(best):
        scan_grouping_order(parameters, mean, before, n_present, mode, order, buffers)
    number = write_best(result, best, scale)
    if number >= 0:
        result[FIRST], result[SECOND] = mode, number
        result[SPLIT_INFO] = grouping_information(mode, number, order, n_present, categories)


@inner
def scan_grouping_order(parameters, mean, before, n_present, mode, order, buffers):
    """As `scan_prefix_order`, for the groupings of any mode."""
    scan = buffers.scan
    for number in range(grouping_count(mode, n_present)):
        first_weight, second_weight, lighter = sum_branches(parameters, mode, number, order, n_present, buffers)
        if has_quantiles(parameters):
            name_branches(mode, number, order, n_present, buffers.loss.branches)
            put_losses_of_branches(parameters, buffers)
        if not at_least(lighter, parameters.min_leaf):
            continue
        if parameters.monotone and violates(0, scan.first, first_weight, scan.second, second_weight, buffers.bounds):
            continue
        weight = first_weight + second_weight
        gain = gain_of_two(parameters, mean, before, scan.first, first_weight, scan.second, second_weight, weight)
        if ends_scan(scan.best, gain, number):
            return


@inner
def prefix_order(parameters, categories, n_present):
    """The order along which prefixes are tried: by means, or by the quantiles that stand in place of sums."""
    stats, weights = categories.stats[:n_present], categories.weights[:n_present]
    if has_quantiles(parameters):
        weights = np.ones(n_present)
    return category_order(stats, weights, parameters.regression)


@inner
def name_branches(mode, number, order, n_present, branches):
    """The branch of every present category under a candidate; those of the prefix before it are there already."""
    if mode == PREFIX and number > 0:
        branches[order[number]] = 0
        return
    for position in range(n_present):
        is_second = position != order[0] if mode == PREFIX else is_in_second_branch(mode, number, position, order)
        branches[position] = 1 if is_second else 0


@borrowing
def prefix_information(last, n_present, categories):
    """Split information of the prefix that ends with the category `last` of the order."""
    left, weight = 0.0, 0.0
    for position in range(n_present):
        weight += categories.weights[position]
    for i in range(last + 1):
        left += categories.weights[categories.order[i]]
    return split_information_two(left, weight - left)


@inner
def grouping_information(mode, number, order, n_present, categories):
    """Split information of one grouping."""
    second, weight = 0.0, 0.0
    for position in range(n_present):
        weight += categories.weights[position]
        is_second = is_in_second_branch(mode, number, position, order)
        second += categories.weights[position] if is_second else 0.0
    return split_information_two(weight - second, second)


@inner
def grouping_count(mode, n_present):
    """How many groupings of a mode there are."""
    if mode == PREFIX:
        return n_present - 1
    if mode == MASK:
        return (1 << (n_present - 1)) - 1
    return n_present if n_present > 2 else 1


@inner
def is_in_second_branch(mode, number, position, order):
    """Whether the category at this position goes to the second branch; the first one always goes to the first.

    PREFIX: the first number + 1 categories of the order against the others. MASK: the bits of `number` say who joins
    the first category. SINGLE: category `number` against the rest.
    """
    if mode == SINGLE:
        return (position == number) == (number > 0)
    if mode == MASK:
        return position > 0 and not (number >> (position - 1)) & 1
    first_in_prefix, is_in_prefix = False, False
    for i in range(number + 1):
        first_in_prefix = first_in_prefix or order[i] == 0
        is_in_prefix = is_in_prefix or order[i] == position
    return is_in_prefix != first_in_prefix


@inner
def sum_branches(parameters, mode, number, order, n_present, buffers):
    """Statistics of the two branches into `scan.first` and `scan.second`.

    Returns their weights, and the known weight of the one that has less of it.
    """
    if mode == PREFIX and number > 0:
        return extend_prefix(parameters, order[number], buffers)
    first, second, categories = buffers.scan.first, buffers.scan.second, buffers.categories
    group_weights = buffers.group_weights
    for g in range(4):
        group_weights[g] = 0.0
    for k in range(first.size):
        first[k], second[k] = 0.0, 0.0
    for position in range(n_present):
        is_second = position != order[0] if mode == PREFIX else is_in_second_branch(mode, number, position, order)
        group_weights[1 if is_second else 0] += categories.weights[position]
        group_weights[3 if is_second else 2] += categories.known_weights[position]
        branch_stats = second if is_second else first
        for k in range(branch_stats.size):
            branch_stats[k] += categories.stats[position, k]
    return group_weights[0], group_weights[1], min(group_weights[2], group_weights[3])


@inner
def extend_prefix(parameters, position, buffers):
    """The next prefix: one more category leaves the second group for the first. Returns as `sum_branches`."""
    first, second, group_weights = buffers.scan.first, buffers.scan.second, buffers.group_weights
    stats = buffers.categories.stats
    weight, known = buffers.categories.weights[position], buffers.categories.known_weights[position]
    for k in range(first.size):
        first[k] += stats[position, k]
        rest = second[k] - stats[position, k]
        second[k] = rest if parameters.regression else max(rest, 0.0)  # fractional weights can fall just below zero
    group_weights[0] += weight
    group_weights[1] = max(group_weights[1] - weight, 0.0)
    group_weights[2] += known
    group_weights[3] = max(group_weights[3] - known, 0.0)
    return group_weights[0], group_weights[1], min(group_weights[2], group_weights[3])
