"""Find the best test of one categorical feature at one node: each value, one against the rest, or a subset.

The node's *present categories* are runs of equal code in its sorted segment. Their class weights (or centred sums)
are gathered once; every test is then a grouping of a few rows of that table. Missing cells count as the heaviest one.
"""

import numpy as np

from explorer.growing.engine.buffers import FIRST, GAIN, N_ADMISSIBLE, SECOND, SPLIT_INFO
from explorer.growing.engine.numeric_split import gain_of_two
from explorer.growing.engine.problem import code_of, missing_start, row_of
from explorer.growing.engine.running_best import (
    add_row,
    clear,
    ends_walk,
    in_doubt,
    split_information_two,
    start_search,
    write_best,
)
from explorer.jit import borrowing, inner
from explorer.recipe.category_order import EXHAUSTIVE, category_order, order_by_mean, prefixes_are_exact
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST
from explorer.recipe.impurity import (
    between_two,
    node_total_impurity,
    rounded_to_zero,
    total_impurity_two,
    weight_times_error,
    xlog2x,
)
from explorer.recipe.missing import ROUNDING, SAME_CLASS, heaviest
from explorer.recipe.parameters import node_impurity, node_weight, row_weight
from explorer.recipe.split_score import BY_SQUARED_SHARE, at_least, tie_margin

PREFIX, MASK, SINGLE, ALL = 0, 1, 2, 3


@borrowing
def gather(problem, rules, feature, start, end, mean, scratch):
    """Fill the table of present categories; return how many there are and which one the missing cells follow.

    Under "same_class" they follow `scratch.stand_ins`, class by class.
    """
    keys, classes, numbers, weights = problem.keys[feature], problem.classes, problem.numbers, problem.weights
    codes, table_weights, table = scratch.category_codes, scratch.category_weights, scratch.category_stats
    known_end = missing_start(keys, start, end, problem.n_values[feature])
    n_present, last = 0, -1
    if weights.size == 0 and table.shape[1] == 2 and not rules.regression:
        n_present = gather_two(keys, classes, start, known_end, codes, table_weights, table)
    else:
        for i in range(start, known_end):
            code = code_of(keys[i])
            if code != last:
                codes[n_present], table_weights[n_present] = code, 0.0
                for k in range(table.shape[1]):
                    table[n_present, k] = 0.0
                n_present += 1
                last = code
            table_weights[n_present - 1] += add_row(classes, numbers, weights, keys[i], mean, table[n_present - 1])
    if n_present == 0:
        return 0, -1
    for i in range(n_present):
        scratch.known_weights[i] = table_weights[i] if rules.row_factor.size == 0 else row_weight(rules, table[i])
    stand_in = heaviest(table_weights[:n_present])
    if rules.missing == SAME_CLASS and known_end < end:
        find_stand_ins(table, n_present, stand_in, scratch.stand_ins)
        for i in range(known_end, end):
            place = scratch.stand_ins[classes[row_of(keys[i])]]
            table_weights[place] += add_row(classes, numbers, weights, keys[i], mean, table[place])
        return n_present, stand_in
    for i in range(known_end, end):
        table_weights[stand_in] += add_row(classes, numbers, weights, keys[i], mean, table[stand_in])
    return n_present, stand_in


@borrowing
def find_stand_ins(table, n_present, overall, stand_ins):
    """The heaviest category of each class, the earlier one on a tie; the one of all rows where a class has none."""
    for k in range(table.shape[1]):
        best = 0
        for place in range(1, n_present):
            if table[place, k] > table[best, k] * (1.0 + ROUNDING):
                best = place
        stand_ins[k] = best if table[best, k] > 0.0 else overall


@borrowing
def gather_two(keys, classes, start, end, codes, table_weights, table):
    """The table of present categories for two classes and weights of 1: runs of equal codes."""
    n_present, first = 0, start
    while first < end:
        code, second, i = code_of(keys[first]), 0, first
        while i < end and code_of(keys[i]) == code:
            second += classes[row_of(keys[i])]
            i += 1
        codes[n_present], table_weights[n_present] = code, float(i - first)
        table[n_present, 0], table[n_present, 1] = float(i - first - second), float(second)
        n_present += 1
        first = i
    return n_present


@inner
def scan_categories(problem, rules, feature, start, end, stats, scale, scratch):
    """Best test of a categorical feature at the node [start, end) with these statistics.

    Gains are rounding noise, or ties, in comparison with `scale`: the node's impurity.
    """
    clear(scratch.results[feature])
    mean = stats[1] if rules.regression else 0.0
    n_present, _ = gather(problem, rules, feature, start, end, mean, scratch)
    if n_present < 2:
        return
    impurity = node_impurity(rules, stats)
    if problem.tests[feature] == EACH_VALUE:
        scan_each_value(rules, feature, n_present, stats, impurity, scale, scratch)
    elif problem.tests[feature] == ONE_VS_REST:
        scan_groupings(rules, feature, n_present, stats, impurity, scale, scratch, SINGLE)
    else:
        scan_subsets(rules, feature, n_present, stats, impurity, scale, scratch)


@borrowing
def scan_each_value(rules, feature, n_present, stats, impurity, scale, scratch):
    """The one candidate with a branch per present category."""
    weight, reaching, after, between, spread = node_weight(rules, stats), 0, 0.0, 0.0, 0.0
    for i in range(n_present):
        part = scratch.category_weights[i]
        reaching += at_least(scratch.known_weights[i], rules.min_leaf)
        spread += xlog2x(part)
        if rules.score == BY_SQUARED_SHARE:
            after += weight_times_error(part, scratch.category_stats[i, 1], scratch.category_stats[i, 0]) / weight
        elif rules.regression:
            between += scratch.category_stats[i, 0] ** 2 / part
        else:
            after += node_total_impurity(rules.impurity, scratch.category_stats[i], part)
    if reaching < (2 if rules.two_branches else n_present):
        return
    gain = between / weight if rules.regression and rules.score != BY_SQUARED_SHARE else impurity - after / weight
    scratch.results[feature, GAIN] = rounded_to_zero(gain, scale)
    scratch.results[feature, SPLIT_INFO] = (xlog2x(weight) - spread) / weight
    scratch.results[feature, FIRST] = ALL
    scratch.results[feature, N_ADMISSIBLE] = 1


@inner
def scan_subsets(rules, feature, n_present, stats, impurity, scale, scratch):
    """Groupings into two: prefixes of an order where that is exact, else all, else prefixes as an approximation."""
    bound = False
    for i in range(n_present):
        bound = bound or not at_least(scratch.known_weights[i], rules.min_leaf)
    exact = prefixes_are_exact(scratch.category_stats, rules.regression) and rules.score != BY_SQUARED_SHARE
    if exact:
        scan_prefixes(
            rules.impurity, rules.regression, rules.min_leaf, rules.with_info, impurity, scale, n_present,
            scratch.category_stats, scratch.category_weights, scratch.known_weights, scratch.order,
            scratch.order_before, scratch.order_keys, scratch.state, scratch.results[feature],
        )  # fmt: skip
    elif n_present > EXHAUSTIVE:
        scan_groupings(rules, feature, n_present, stats, impurity, scale, scratch, PREFIX)
    if n_present <= EXHAUSTIVE and (bound or not exact):
        before = scratch.results[feature].copy()
        scan_groupings(rules, feature, n_present, stats, impurity, scale, scratch, MASK)
        if before[GAIN] >= scratch.results[feature, GAIN] - tie_margin(0.0, scale):
            scratch.results[feature] = before


@inner
def scan_prefixes(
    kind, regression, min_leaf, with_info, impurity, scale, n_present, table, weights, known, order, order_before,
    order_keys, state, row,
):  # fmt: skip
    """Best prefix of Breiman's order (two classes, or a numeric target) into its results row.

    Takes plain arrays, as `scan_plain` does and for the same reason.
    """
    order_by_mean(table, weights, n_present, order_keys, order, order_before)
    margin, floor, count = tie_margin(0.0, scale), -np.inf, 0
    for _ in range(2):
        start_search(state)
        found = walk_prefixes(
            kind, regression, min_leaf, impurity, n_present, table, weights, known, order, margin, floor, state
        )
        count = max(count, found)  # a second walk may end early
        if not in_doubt(state):
            break
        floor = state[0] - margin
    if count == 0:
        return
    which = write_best(row, state, scale, count)
    row[FIRST], row[SECOND] = PREFIX, which
    row[SPLIT_INFO] = prefix_information(order, which, n_present, weights) if with_info else 0.0


@borrowing
def walk_prefixes(kind, regression, min_leaf, impurity, n_present, table, weights, known, order, margin, floor, state):
    """Walk the prefixes of an order; returns how many are admissible. Gains go to `state`, as in a threshold's scan."""
    last, count = table.shape[1] - 1, 0
    weight, known_weight, total = 0.0, 0.0, 0.0
    for place in range(n_present):
        weight += weights[place]
        known_weight += known[place]
        total += table[place, last]
    left, known_left, part = 0.0, 0.0, 0.0
    for which in range(n_present - 1):
        place = order[which]
        left += weights[place]
        known_left += known[place]
        part += table[place, last]
        if not (at_least(known_left, min_leaf) and at_least(known_weight - known_left, min_leaf)):
            continue
        count += 1
        right, rest = max(weight - left, 0.0), total - part
        if regression:
            gain = between_two(left, part, right, rest) / weight
        else:
            after = total_impurity_two(kind, left - part, part)
            after += total_impurity_two(kind, right - rest, rest)
            gain = impurity - after / weight
        if ends_walk(state, gain, which, margin, floor):
            return count
    return count


@inner
def scan_groupings(rules, feature, n_present, stats, impurity, scale, scratch, mode):
    """Best of the groupings of one mode, in order; a second walk only where the tie rule is in doubt."""
    order = scratch.category_codes  # only read for prefixes, where it is replaced
    if mode == PREFIX:
        table, weights = scratch.category_stats[:n_present], scratch.category_weights[:n_present]
        order = category_order(table, weights, rules.regression)
    before = impurity * node_weight(rules, stats)
    margin, floor, count = tie_margin(0.0, scale), -np.inf, 0
    for _ in range(2):
        start_search(scratch.state)
        found = walk_groupings(rules, before, n_present, mode, order, margin, floor, scratch)
        count = max(count, found)  # a second walk may end early
        if not in_doubt(scratch.state):
            break
        floor = scratch.state[0] - margin
    if count == 0:
        return
    row = scratch.results[feature]
    which = write_best(row, scratch.state, scale, count)
    row[FIRST], row[SECOND] = mode, which
    row[SPLIT_INFO] = grouping_information(mode, which, order, n_present, scratch)


@inner
def walk_groupings(rules, before, n_present, mode, order, margin, floor, scratch):
    """As `walk_prefixes`, for the groupings of any mode."""
    count = 0
    for which in range(grouping_count(mode, n_present)):
        one, other, lighter = sum_groups(rules, mode, which, order, n_present, scratch)
        if not at_least(lighter, rules.min_leaf):
            continue
        count += 1
        gain = gain_of_two(rules, before, scratch.one, one, scratch.other, other)
        if ends_walk(scratch.state, gain, which, margin, floor):
            return count
    return count


@borrowing
def prefix_information(order, which, n_present, weights):
    """Split information of one prefix."""
    left, weight = 0.0, 0.0
    for place in range(n_present):
        weight += weights[place]
    for j in range(which + 1):
        left += weights[order[j]]
    return split_information_two(left, weight - left)


@inner
def grouping_information(mode, which, order, n_present, scratch):
    """Split information of one grouping."""
    other, weight = 0.0, 0.0
    for place in range(n_present):
        weight += scratch.category_weights[place]
        other += scratch.category_weights[place] if in_second(mode, which, place, order) else 0.0
    return split_information_two(weight - other, other)


@inner
def grouping_count(mode, n_present):
    """How many groupings of a mode there are."""
    if mode == PREFIX:
        return n_present - 1
    if mode == MASK:
        return (1 << (n_present - 1)) - 1
    return n_present if n_present > 2 else 1


@inner
def in_second(mode, which, place, order):
    """Whether the category at this place is in the second branch; the first category present is always in the first.

    PREFIX: the first which + 1 categories of the order against the others. MASK: the bits of `which` say who joins
    the first category. SINGLE: category `which` against the rest.
    """
    if mode == SINGLE:
        return (place == which) == (which > 0)
    if mode == MASK:
        return place > 0 and not (which >> (place - 1)) & 1
    first_in_prefix, inside = False, False
    for j in range(which + 1):
        first_in_prefix = first_in_prefix or order[j] == 0
        inside = inside or order[j] == place
    return inside != first_in_prefix


@inner
def sum_groups(rules, mode, which, order, n_present, scratch):
    """Statistics of the two branches into `scratch.one` and `scratch.other`.

    Returns their weights, and the known weight of the one that has less of it.
    """
    if mode == PREFIX and which > 0:
        return move_to_first(rules, order[which], scratch)
    one, other, table, weights = scratch.one, scratch.other, scratch.category_stats, scratch.category_weights
    groups = scratch.groups
    for g in range(4):
        groups[g] = 0.0
    for k in range(one.size):
        one[k], other[k] = 0.0, 0.0
    for place in range(n_present):
        first = place == order[0] if mode == PREFIX else not in_second(mode, which, place, order)
        groups[0 if first else 1] += weights[place]
        groups[2 if first else 3] += scratch.known_weights[place]
        group = one if first else other
        for k in range(group.size):
            group[k] += table[place, k]
    return groups[0], groups[1], min(groups[2], groups[3])


@inner
def move_to_first(rules, place, scratch):
    """The next prefix: one more category leaves the second group for the first."""
    one, other, groups = scratch.one, scratch.other, scratch.groups
    weight, known = scratch.category_weights[place], scratch.known_weights[place]
    for k in range(one.size):
        one[k] += scratch.category_stats[place, k]
        rest = other[k] - scratch.category_stats[place, k]
        other[k] = rest if rules.regression else max(rest, 0.0)  # fractional weights can fall just below zero
    groups[0], groups[1] = groups[0] + weight, max(groups[1] - weight, 0.0)
    groups[2], groups[3] = groups[2] + known, max(groups[3] - known, 0.0)
    return groups[0], groups[1], min(groups[2], groups[3])
