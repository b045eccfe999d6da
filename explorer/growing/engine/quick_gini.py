"""Compare thresholds of two classes by Gini without a division for each: a first scan, which leaves some in doubt."""

import numpy as np

from explorer.growing.engine.problem import code_of, row_of
from explorer.growing.engine.running_best import DOUBT, FIRST_EQUAL, POSITION
from explorer.jit import borrowing
from explorer.recipe.impurity import GINI, gain_of_two_classes, total_impurity_two


@borrowing
def scan_two_quickly(segment, criterion, best, margin):
    """The best threshold of two classes by Gini to `best`, marked as doubt where an earlier one is about as good.

    As in `explorer.growing.plain.thresholds`, candidates are compared by a fraction that rises with the gain: with
    D = W·b − L·B, the gain is 2·D²/(L·R) over W². Returns how many are admissible.
    """
    classes, start, end, minimum = segment.classes, segment.start, segment.end, criterion.minimum
    weight, n_second, least = end - start, np.int64(criterion.stats[1]), np.int64(np.ceil(minimum - 1e-9 * minimum))
    least = max(1, least)
    if weight < 2 * least:
        return 0
    d, best_d, position, n_admissible = np.int64(0), np.int64(0), -1, 0
    most, most_lr, earlier = -1.0, 1.0, -np.inf
    for key in segment.keys[start : start + least - 1]:
        d += weight * classes[row_of(key)] - n_second
    last, first = segment.keys[start + least - 1 : end - least], segment.keys[start + least : end - least + 1]
    for i in range(first.size):
        d += weight * classes[row_of(last[i])] - n_second
        if code_of(first[i]) == code_of(last[i]):
            continue
        n_admissible += 1
        left = least + i
        lr, squared = float(left * (weight - left)), float(d) * float(d)
        if squared * most_lr > most * lr:
            earlier = most / most_lr if position >= 0 else earlier
            most, most_lr, position, best_d = squared, lr, start + left, d
    if position >= 0:
        left = position - start
        second = (best_d + left * n_second) // weight
        both = criterion.stats[0], criterion.stats[1]
        before = total_impurity_two(GINI, *both)
        best[FIRST_EQUAL] = gain_of_two_classes(GINI, before, *both, float(left), float(second))
        best[POSITION] = position
        near = 10.0 * margin * weight * weight  # twenty times what counts as equal, in terms of the fraction
        best[DOUBT] = 1.0 if earlier >= most / most_lr - near else 0.0
    return n_admissible
