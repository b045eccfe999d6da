"""Features that leak the target: each of them alone tells it for almost every row.

A feature leaks the target if it alone tells it for almost every row. It tells a class by its value table (the majority
class of the other rows with the same value, missing cells being one more value), by one threshold, or by intervals of a
number, one for each of three or more classes, as for classes that were cut from it. That is a leak if it is right for
more than 99 % of the rows, misses at most a tenth of the rows that the majority class misses, and is no chance: in
fewer than 5 % of all arrangements of the classes over the rows would any of the table's features do as well. That share
is bounded by counting. A table of v values has K^v ways to give them classes, and with e errors describes at most
K^v·C(n, e)·(K − 1)^e arrangements, of n!/Π n_k! in all. A feature with many values therefore needs many rows, and a
small table a clear case.

A feature *nearly* leaks the classes if one split on it, by one threshold or by its categories, is right for at least
90 % of the rows and wrong for at most a sixth of those that the majority class misses, and is no chance either. It may
be known only after the target, as a follow-up time is, or be a fine predictor: only a person can tell. In a large table
it is looked at in all rows only if every eighth row has at most about twice the errors.

A numeric target leaks if a straight line, or the mean of the other rows with the same value, explains more than
99.99 % of its variance, and nearly leaks, in 30 rows or more, if that is at least 90 %. It leaks, too, into a feature
whose values have intervals of the target that do not overlap, as its bins have, unless that may be chance; and into
a number whose order is that of the target, or the reverse, as of its logarithm.

Few features leak, and most are cleared by every eighth row: the errors there, or the squared errors there, are already
more than a leak may have in all rows, and further rows can only add to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.class_intervals import (
    class_order,
    log_ways_of_intervals,
    most_told_by_groups,
    told_by_intervals,
)
from explorer.data.codes.feature import Feature

MISSED = 0.01
"""A leak misses less than this share of the rows."""
OF_MAJORITY = 0.1
"""At most this share of the majority class's errors may remain."""
NEARLY_MISSED, NEARLY_OF_MAJORITY = 0.1, 1 / 6
"""The same of one split that nearly leaks the target."""
FEWEST_IN_ORDER = 10
"""So many different numbers are in one order, and this is no chance."""
MANY_ROWS = 500
"""So many of some rows tell a feature with few errors from one with many."""
FEW_ERRORS = 10
"""What the errors in some rows may be above twice their share by chance."""
BY_CHANCE = 0.05
"""A leak must be rarer than this by chance, over all features of the table."""
EXPLAINED = 0.9999
"""More than this share of the variance of a numeric target must be explained."""
NEARLY_EXPLAINED = 0.9
"""At least this share of it where a feature nearly leaks it."""
FEWEST_ROWS, NEARLY_FEWEST_ROWS = 5, 30
"""Of fewer rows, a straight line through all, or near all, says nothing."""
SOME_ROWS = slice(None, None, 8)
"""The rows by which most features are cleared or told apart; spread over the table, which may be sorted."""
BY_OTHERS, BY_THRESHOLD, BY_INTERVALS, BY_LINE = "values", "threshold", "intervals", "line"
"""What tells the target: the other rows with the value of each, or a threshold, intervals or a line through all."""
MOST_GROUPS = 4096
"""Groups of neighbouring values in which thresholds are first looked for."""


@dataclass(frozen=True, eq=False)
class ClassTarget:
    """What a leak of the classes is measured by: the class of each row [n], and of some rows; the rows of each class.

    A leak has fewer errors than `allowed`, or none, and is rarer by chance than the exponential of `log_level`. One
    split that nearly leaks it has at most `nearly_allowed`.
    """

    y: NDArray[np.int64]
    some_y: NDArray[np.int64]
    class_counts: NDArray[np.int64]
    allowed: float
    nearly_allowed: float
    log_level: float

    @property
    def n_classes(self) -> int:
        """How many classes there are, those without rows included."""
        return len(self.class_counts)

    def is_few(self, errors: int) -> bool:
        """Whether a leak may be wrong for so many rows."""
        return errors < self.allowed or errors == 0


@dataclass(frozen=True, eq=False)
class NumericTarget:
    """What a leak of a number is measured by: the number of each row [n], and its sum of squares about the mean."""

    y: NDArray[np.float64]
    total: float


def class_target(codes: NDArray[np.int32], n_classes: int, n_features: int) -> ClassTarget:
    """What leaks of the classes of a table, coded [n], are measured by."""
    y = codes.astype(np.int64)
    class_counts = np.bincount(y, minlength=n_classes)
    of_majority = len(y) - int(class_counts.max())
    allowed = min(MISSED * len(y), OF_MAJORITY * of_majority)
    nearly_allowed = min(NEARLY_MISSED * len(y), NEARLY_OF_MAJORITY * of_majority)
    log_level = log_arrangements(class_counts) + math.log(BY_CHANCE / max(n_features, 1))
    return ClassTarget(y, y[SOME_ROWS].copy(), class_counts, allowed, nearly_allowed, log_level)


def numeric_target(y: NDArray[np.float64]) -> NumericTarget:
    """What leaks of a numeric target are measured by."""
    return NumericTarget(y, _squares(y))


def _squares(y: NDArray[np.float64]) -> float:
    """The sum of squares about the mean."""
    return float(np.square(y - y.mean()).sum()) if len(y) else 0.0


def fewest_errors(feature: Feature, codes: NDArray[np.int32], target: ClassTarget) -> tuple[int, str] | None:
    """How many rows the best of value table, threshold and intervals gets wrong, and which it is; None for no leak."""
    if target.n_classes < 2 or not target.is_few(_errors_of_any_table(feature, codes, target)):
        return None
    few = [
        (errors, way)
        for errors, log_ways, way in _ways_to_tell(feature, codes, target)
        if target.is_few(errors) and _is_no_chance(errors, log_ways, target)
    ]
    return min(few, key=lambda pair: pair[0], default=None)


def errors_of_one_split(feature: Feature, codes: NDArray[np.int32], target: ClassTarget) -> int | None:
    """How many rows one threshold, or the categories, get wrong; None where that is too many for a near leak."""
    n_values, n_rows, log_classes = feature.n_values + 1, len(codes), math.log(max(target.n_classes, 1))
    if target.n_classes < 2 or feature.n_values < 2 or _has_many_errors(feature, codes, target):
        return None
    if feature.kind == "numeric":
        log_ways = math.log(feature.n_values) + 3.0 * log_classes
        errors = n_rows - _told_by_threshold(codes, target.y, n_values, target.class_counts)
    else:
        log_ways = n_values * log_classes
        if log_ways >= target.log_level:
            return None
        errors = n_rows - _told_by_table(codes, target.y, n_values, target.n_classes)
    return errors if errors <= target.nearly_allowed and _is_no_chance(errors, log_ways, target) else None


def _is_no_chance(errors: int, log_ways: float, target: ClassTarget) -> bool:
    """Whether few arrangements of the classes would be described so well by so many (a logarithm) tables or splits."""
    wrong = _log_choices(len(target.y), errors) + errors * math.log(target.n_classes - 1)
    return log_ways + wrong < target.log_level


def _has_many_errors(feature: Feature, codes: NDArray[np.int32], target: ClassTarget) -> bool:
    """Whether some rows, if they are many, have twice the errors that one split of a near leak may have, and more."""
    some = len(target.some_y)
    if some < MANY_ROWS:
        return False
    if feature.kind == "numeric":
        least = _errors_of_any_threshold(feature.n_values, codes, target)
    else:
        least = _errors_of_any_table(feature, codes, target)
    return least > 2 * target.nearly_allowed * some / len(codes) + FEW_ERRORS


def _errors_of_any_table(feature: Feature, codes: NDArray[np.int32], target: ClassTarget) -> int:
    """Of some rows, how many are not of the majority class of their value: no table or threshold has fewer errors."""
    n_values, n_rows = feature.n_values + 1, len(target.some_y)
    if n_values * target.n_classes > 10 * n_rows:
        return 0
    by_class = _rows_by_class(codes[SOME_ROWS], target.some_y, n_values, target.n_classes)
    return n_rows - int(by_class.max(axis=0).sum())


def _ways_to_tell(feature: Feature, codes: NDArray[np.int32], target: ClassTarget) -> Iterator[tuple[int, float, str]]:
    """Errors, and the log of how many others there are: of the value table, the best threshold, the best intervals."""
    log_classes, n_values, n_rows = math.log(target.n_classes), feature.n_values + 1, len(codes)
    if n_values * log_classes < target.log_level:
        yield n_rows - _told_by_table(codes, target.y, n_values, target.n_classes), n_values * log_classes, BY_OTHERS
    if (
        feature.kind == "numeric"
        and feature.n_values > 1
        and target.is_few(_errors_of_any_threshold(feature.n_values, codes, target))
    ):
        told = _told_by_threshold(codes, target.y, n_values, target.class_counts)
        yield n_rows - told, math.log(feature.n_values) + 3.0 * log_classes, BY_THRESHOLD
    if feature.kind == "numeric" and feature.n_values >= target.n_classes > 2:
        yield from _by_intervals(feature.n_values, codes, target)


def _by_intervals(n_values: int, codes: NDArray[np.int32], target: ClassTarget) -> Iterator[tuple[int, float, str]]:
    """Errors of the best intervals, one for each class, missing cells by their own majority; nothing for too many."""
    some, some_y = codes[SOME_ROWS], target.some_y
    is_known, is_some_known = codes < n_values, some < n_values
    known, y = (codes, target.y) if is_known.all() else (codes[is_known], target.y[is_known])
    order = class_order(known, y, target.n_classes)
    told = most_told_by_groups(some[is_some_known], some_y[is_some_known], n_values, order)
    if target.is_few(int(is_some_known.sum()) - told):
        missing = int(np.bincount(target.y[~is_known], minlength=1).max())
        right = told_by_intervals(known, y, n_values, order) + missing
        yield len(codes) - right, log_ways_of_intervals(n_values, target.n_classes), BY_INTERVALS


def _rows_by_class(codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, n_classes: int) -> NDArray[np.int64]:
    """How many rows have a class and a value, [K, values]."""
    return np.bincount(y * n_values + codes, minlength=n_classes * n_values).reshape(n_classes, n_values)


def _told_by_table(codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, n_classes: int) -> int:
    """Rows whose class is the majority class of the *other* rows with their value: a value seen once tells nothing."""
    if n_values * n_classes <= 10 * len(y):
        second, first = np.partition(_rows_by_class(codes, y, n_values, n_classes), -2, axis=0)[-2:]
    else:
        pairs, counts = np.unique(codes.astype(np.int64) * n_classes + y, return_counts=True)
        value = pairs // n_classes
        order = np.lexsort((counts, value))
        value, counts = value[order], counts[order]
        is_last = np.append(value[1:] != value[:-1], True)
        has_second = np.append(False, value[1:] == value[:-1])[is_last]
        first, second = counts[is_last], np.where(has_second, np.append(0, counts[:-1])[is_last], 0)
    return int(first[first > second + 1].sum())


def _told_by_threshold(
    codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, class_counts: NDArray[np.int64]
) -> int:
    """Rows that the best threshold tells by the two largest classes, one on either side; missing cells by their own."""
    first, second = np.argsort(-class_counts, kind="stable")[:2]
    counts = [np.bincount(codes[y == k], minlength=n_values) for k in (first, second)]
    missing = max(int(of_class[-1]) for of_class in counts)
    below = [np.cumsum(of_class[:-1]) for of_class in counts]
    left_first = below[0] + (below[1][-1] - below[1])
    left_second = below[1] + (below[0][-1] - below[0])
    return missing + int(max(left_first.max(), left_second.max()))


def _errors_of_any_threshold(n_values: int, codes: NDArray[np.int32], target: ClassTarget) -> int:
    """Of some rows, how many any threshold gets wrong at least.

    Neighbouring values are counted together; a threshold among them is taken to be right for all their rows of both
    classes, and for all missing cells.
    """
    known = codes[SOME_ROWS] < n_values
    groups = codes[SOME_ROWS][known] >> max(n_values.bit_length() - MOST_GROUPS.bit_length() + 1, 0)
    first, second = np.argsort(-target.class_counts, kind="stable")[:2]
    counts = [np.bincount(groups[target.some_y[known] == k], minlength=MOST_GROUPS) for k in (first, second)]
    up_to, from_on = [np.cumsum(c) for c in counts], [np.cumsum(c[::-1])[::-1] for c in counts]
    right = max(int((up_to[0] + from_on[1]).max()), int((up_to[1] + from_on[0]).max()))
    return len(groups) - right


def log_arrangements(class_counts: NDArray[np.int64]) -> float:
    """The log of n!/Π n_k!, in how many ways the classes can be given to the rows.

    >>> round(math.exp(log_arrangements(np.array([9, 5]))))    # 14 rows
    2002
    """
    return math.lgamma(int(class_counts.sum()) + 1) - sum(math.lgamma(int(count) + 1) for count in class_counts)


def _log_choices(rows: int, some: int) -> float:
    """The log of C(rows, some)."""
    return math.lgamma(rows + 1) - math.lgamma(some + 1) - math.lgamma(rows - some + 1)


def variance_explained(feature: Feature, codes: NDArray[np.int32], target: NumericTarget) -> tuple[float, str]:
    """The larger R² of a straight line (numeric features without missing cells) and of means of other rows; by which.

    These are the other rows with the same value, or where there is none, all rows. Both are 0 where some rows show that
    neither explains enough for a near leak.
    """
    y, total, n_values = target.y, target.total, feature.n_values + 1
    if len(y) < FEWEST_ROWS or not total > 0 or not np.isfinite(total):
        return 0.0, BY_OTHERS
    some, some_y, line = codes[SOME_ROWS], y[SOME_ROWS], 0.0
    most_left = (1.0 - NEARLY_EXPLAINED) * total
    if len(some_y) >= MANY_ROWS:
        most_left *= 2 * len(some_y) / len(y)
    has_line = feature.kind == "numeric" and feature.n_values > 1
    if has_line and _left_by_line(feature.values, some, some_y) < most_left and int(codes.max()) < feature.n_values:
        line = _squared_correlation(feature.values[codes], y)
    if _left_by_means(some, some_y, n_values) >= most_left:
        return line, BY_LINE
    return max((line, BY_LINE), (1.0 - _left_by_others(codes, y, n_values) / total, BY_OTHERS))


def has_own_intervals(feature: Feature, codes: NDArray[np.int32], target: NumericTarget) -> bool:
    """Whether each value of a feature has an interval of the target of its own, and that is no chance."""
    y, n_values = target.y, feature.n_values + 1
    if not math.isfinite(target.total) or not _are_apart(codes[SOME_ROWS], y[SOME_ROWS], n_values):
        return False
    counts = np.bincount(codes)
    counts = counts[counts > 0]
    if not 2 <= len(counts) <= len(codes) / FEWEST_ROWS:
        return False
    is_no_chance = log_arrangements(counts) > math.lgamma(len(counts) + 1) - math.log(BY_CHANCE)
    return is_no_chance and _are_apart(codes, y, n_values)


def has_order_of_target(feature: Feature, codes: NDArray[np.int32], target: NumericTarget) -> bool:
    """Whether a number never falls where the target rises, or never rises, in 30 rows or more and half of the table."""
    if feature.kind != "numeric" or feature.n_values < FEWEST_IN_ORDER:
        return False
    known = codes < feature.n_values
    x, y = codes[known], target.y[known]
    if len(y) < max(NEARLY_FEWEST_ROWS, len(codes) / 2):
        return False
    parts = slice(None, None, max(1, len(y) // MANY_ROWS)), slice(None)
    is_one = any(all(_rise(x[part], sign * y[part]) for part in parts) for sign in (1.0, -1.0))
    return is_one and min(len(np.unique(x)), len(np.unique(y))) >= FEWEST_IN_ORDER


def _rise(x: NDArray[np.int32], y: NDArray[np.float64]) -> bool:
    """Whether no `y` is below that of a smaller `x`."""
    in_order = y[np.lexsort((y, x))]
    return bool((in_order[1:] >= in_order[:-1]).all())


def _are_apart(codes: NDArray[np.int32], y: NDArray[np.float64], n_values: int) -> bool:
    """Whether the intervals of the target that the values span do not overlap."""
    first, last = np.full(n_values, np.inf), np.full(n_values, -np.inf)
    np.minimum.at(first, codes, y)
    np.maximum.at(last, codes, y)
    used = np.flatnonzero(np.isfinite(first))
    order = used[np.argsort(first[used], kind="stable")]
    return bool((last[order[:-1]] < first[order[1:]]).all())


def _left_by_line(values: NDArray[np.float64], codes: NDArray[np.int32], y: NDArray[np.float64]) -> float:
    """The squared errors that the best straight line leaves in the rows with a value; 0 for fewer than three."""
    known = codes < len(values)
    if np.count_nonzero(known) < 3:
        return 0.0
    return _squares(y[known]) * (1.0 - _squared_correlation(values[codes[known]], y[known]))


def _left_by_means(codes: NDArray[np.int32], y: NDArray[np.float64], n_values: int) -> float:
    """The squared errors that the means of the values leave."""
    means = np.bincount(codes, y, n_values) / np.maximum(np.bincount(codes, minlength=n_values), 1)
    return float(np.square(y - means[codes]).sum())


def _left_by_others(codes: NDArray[np.int32], y: NDArray[np.float64], n_values: int) -> float:
    """The squared errors that the means of the other rows with the same value leave; of all rows for a lone one."""
    counts, sums = np.bincount(codes, minlength=n_values), np.bincount(codes, y, n_values)
    others = counts[codes] - 1
    means = np.where(others > 0, (sums[codes] - y) / np.maximum(others, 1), y.mean())
    return float(np.square(y - means).sum())


def _squared_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = x - x.mean(), y - y.mean()
        x, y = x / np.abs(x).max(), y / np.abs(y).max()
        squared = float(x @ y) ** 2 / (float(x @ x) * float(y @ y))
    return squared if np.isfinite(squared) else 0.0
