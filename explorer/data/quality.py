"""What a reader should know of a table before trusting a tree: id-like columns, duplicates, leaks, many levels.

A feature leaks the target if it alone tells it for almost every row. It tells a class by its value table (the majority
class of the other rows with the same value, missing cells being one more value) or by one threshold. That is a leak if
it is right for more than 99 % of the rows, misses at most a tenth of the rows that the majority class misses, and is no
chance: in fewer than 5 % of all arrangements of the classes over the rows would any of the table's features do as well.
That share is bounded by counting. A table of v values has K^v ways to give them classes, and with e errors describes at
most K^v·C(n, e)·(K − 1)^e arrangements, of n!/Π n_k! in all. A feature with many values therefore needs many rows, and
a small table a clear case.

A numeric target leaks if a straight line or the means of the values explain more than 99.99 % of its variance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.data.cells import as_number
from explorer.data.encode import Feature, rounded_example
from explorer.data.notes import ColumnInfo, Note
from explorer.data.values import Value
from explorer.formatting import percent
from explorer.messages import Words, message, plural, worded

if TYPE_CHECKING:
    from explorer.data.dataset import Dataset

MANY_LEVELS = 50
MANY_CLASSES = 50
MISSED = 0.01
"""A leak misses less than this share of the rows."""
OF_MAJORITY = 0.1
"""At most this share of the majority class's errors may remain."""
BY_CHANCE = 0.05
"""A leak must be rarer than this by chance, over all features of the table."""
EXPLAINED = 0.9999
"""More than this share of the variance of a numeric target must be explained."""
FEWEST_ROWS = 5
"""Of fewer rows, a straight line through all says nothing."""
_ID_NAME = re.compile(r"(^|[\W_])(id|uuid|guid|key|index|idx|nr|no|row|serial)([\W_]|$)|编号|序号|学号", re.IGNORECASE)


def left_out_reason(feature: Feature, codes: NDArray[np.int32]) -> Words | None:
    """Why a column should not be split on unless the user selects it; None without such a reason.

    Id-like is text where every row, or most of many, has a distinct value, and a column that numbers the rows.
    """
    known = codes[codes < feature.n_values]
    if feature.n_values == 0:
        return lambda: message("empty: every cell is missing")
    if feature.n_values == 1:
        return lambda: message("constant: one value only")
    all_distinct = feature.n_values == len(known)
    if feature.kind == "categorical":
        mostly_distinct = feature.n_values >= 20 and feature.n_values > len(known) / 2
        return _id_like_text(feature.n_values, len(known)) if all_distinct or mostly_distinct else None
    if not all_distinct or len(known) < 4 or not _whole(feature.values):
        return None
    counts_rows = bool((np.diff(known) == 1).all() and np.ptp(feature.values) == len(known) - 1)
    if counts_rows or _ID_NAME.search(feature.name):
        return lambda: message("id-like: it numbers the rows")
    return None


def _id_like_text(n_values: int, n_rows: int) -> Words:
    return lambda: message("id-like: {values:,} values in {rows:,} rows", values=n_values, rows=n_rows)


def _whole(values: NDArray[np.float64]) -> bool:
    return bool((values == np.floor(values)).all())


def quality_notes(data: Dataset) -> list[Note]:
    """Notes on columns left out, many levels, missing cells, duplicate rows and features that leak the target."""
    notes = []
    left_out = [column for column in data.columns if column.role == "left out" and column.reason]
    if left_out:
        notes.append(Note(lambda: _left_out_text(left_out), "info", tuple(c.name for c in left_out)))
    if len(data.classes) >= MANY_CLASSES:
        notes.append(Note(_many_classes_text(data.target.name, len(data.classes)), "warning", (data.target.name,)))
    for feature, codes in zip(data.features, data.codes, strict=True):
        notes += _feature_notes(feature, codes, data)
    for feature in (data.target, *data.features):
        example = rounded_example(data.frame[feature.name]) if feature.kind == "numeric" else None
        if example is not None:
            notes.append(Note(_rounded_text(feature.name, example), "warning", (feature.name,)))
    repeated = _duplicates(data)
    if repeated:
        notes.append(Note(lambda: _repeated_text(repeated, data.n_rows)))
    return notes


def _left_out_text(columns: list[ColumnInfo]) -> str:
    listed = "; ".join(message("'{column}' is {reason}", column=c.name, reason=c.reason) for c in columns)
    return message("Not used as features unless you select them: {columns}.", columns=listed)


def _rounded_text(name: str, example: Value) -> Words:
    return lambda: message(
        "'{column}' has whole numbers with more digits than a number can hold, so they are rounded: {example} counts "
        "as {rounded:.0f}. Make the column categorical to keep them apart.",
        column=name,
        example=example,
        rounded=as_number(example),
    )


def _repeated_text(repeated: int, n_rows: int) -> str:
    return plural(
        repeated,
        "{n:,} of {rows:,} rows repeats an earlier row in all features and the target.",
        "{n:,} of {rows:,} rows repeat an earlier row in all features and the target.",
        rows=n_rows,
    )


def _feature_notes(feature: Feature, codes: NDArray[np.int32], data: Dataset) -> list[Note]:
    """Notes on a feature."""
    name, notes = feature.name, []
    reason = left_out_reason(feature, codes)
    if reason is not None:
        notes.append(Note(_overfits_text(name, reason), "warning", (name,)))
    elif (leak := leak_text(feature, codes, data)) is not None:
        notes.append(Note(leak, "warning", (name,)))
    elif feature.kind == "categorical" and feature.n_values > MANY_LEVELS:
        notes.append(Note(_many_levels_text(name, feature.n_values), "warning", (name,)))
    missing = int((codes == feature.n_values).sum())
    if missing:
        notes.append(Note(_missing_text(name, missing, len(codes)), "info", (name,)))
    return notes


def _overfits_text(name: str, reason: Words) -> Words:
    return lambda: message(
        "'{column}' is {reason}, yet it is used as a feature: the tree may overfit. Leave it out.",
        column=name,
        reason=worded(reason),
    )


def _many_levels_text(name: str, n_values: int) -> Words:
    return lambda: message(
        "'{column}' has {values:,} categories: a split with a branch for each category gets {values:,} branches. "
        "Group the categories, or leave the column out.",
        column=name,
        values=n_values,
    )


def _many_classes_text(target: str, n_classes: int) -> Words:
    return lambda: message(
        "The target '{target}' has {classes:,} classes: there are few rows of each to learn from, and growing takes "
        "longer. Group the classes, or choose another target.",
        target=target,
        classes=n_classes,
    )


def _missing_text(name: str, missing: int, n_rows: int) -> Words:
    return lambda: message(
        "'{column}' is missing in {missing:,} of {rows:,} rows.", column=name, missing=missing, rows=n_rows
    )


def leak_text(feature: Feature, codes: NDArray[np.int32], data: Dataset) -> Words | None:
    """The warning that a feature leaks the target; None where it does not. `codes` [n] are those of its values."""
    name, target = feature.name, data.target.name
    if data.is_regression:
        explained = _variance_explained(feature, codes, data.y.astype(np.float64))
        if explained <= EXPLAINED:
            return None
        return lambda: message(
            "'{column}' alone explains {share} of the variance of the target '{target}': check that it is known before "
            "the target is.",
            column=name,
            target=target,
            share=percent(explained),
        )
    errors = _fewest_errors(feature, codes, data)
    if errors is None:
        return None
    if errors == 0:
        return lambda: message(
            "'{column}' alone determines the target '{target}' in every row: check that it is known before the target "
            "is.",
            column=name,
            target=target,
        )
    return lambda: message(
        "'{column}' alone tells the target '{target}' in {share} of the rows: check that it is known before the target "
        "is.",
        column=name,
        target=target,
        share=percent(1.0 - errors / data.n_rows),
    )


def _fewest_errors(feature: Feature, codes: NDArray[np.int32], data: Dataset) -> int | None:
    """How many rows the better of value table and threshold gets wrong; None where that is no leak."""
    class_counts = np.bincount(data.y.astype(np.int64), minlength=len(data.classes))
    allowed = min(MISSED * data.n_rows, OF_MAJORITY * (data.n_rows - int(class_counts.max())))
    log_level = _log_arrangements(class_counts) + math.log(BY_CHANCE / len(data.features))
    found = [
        errors
        for errors, log_ways in _ways_to_tell(feature, codes, data, class_counts, log_level)
        if (errors < allowed or errors == 0)
        and log_ways + _log_choices(data.n_rows, errors) + errors * math.log(len(data.classes) - 1) < log_level
    ]
    return min(found, default=None)


def _ways_to_tell(
    feature: Feature, codes: NDArray[np.int32], data: Dataset, class_counts: NDArray[np.int64], log_level: float
) -> Iterator[tuple[int, float]]:
    """Errors, and the log of how many other tables or splits there are: of the value table, of the best threshold."""
    if len(data.classes) < 2:
        return
    log_classes, n_values = math.log(len(data.classes)), feature.n_values + 1
    if n_values * log_classes < log_level:
        yield (
            data.n_rows - _told_by_table(codes, data.y.astype(np.int64), n_values, len(data.classes)),
            (n_values * log_classes),
        )
    if feature.kind == "numeric" and feature.n_values > 1:
        told = _told_by_threshold(codes, data.y.astype(np.int64), n_values, class_counts)
        yield data.n_rows - told, math.log(feature.n_values) + 3.0 * log_classes


def _told_by_table(codes: NDArray[np.int32], y: NDArray[np.int64], n_values: int, n_classes: int) -> int:
    """Rows whose class is the majority class of the *other* rows with their value: a value seen once tells nothing."""
    cells = codes.astype(np.int64) * n_classes + y
    if n_values * n_classes <= 10 * len(y):
        by_value = np.bincount(cells, minlength=n_values * n_classes).reshape(n_values, n_classes)
        second, first = np.partition(by_value, -2, axis=1)[:, -2:].T
    else:
        pairs, counts = np.unique(cells, return_counts=True)
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


def _log_arrangements(class_counts: NDArray[np.int64]) -> float:
    """The log of n!/Π n_k!, in how many ways the classes can be given to the rows.

    >>> round(math.exp(_log_arrangements(np.array([9, 5]))))    # 14 rows
    2002
    """
    return math.lgamma(int(class_counts.sum()) + 1) - sum(math.lgamma(int(count) + 1) for count in class_counts)


def _log_choices(rows: int, some: int) -> float:
    """The log of C(rows, some)."""
    return math.lgamma(rows + 1) - math.lgamma(some + 1) - math.lgamma(rows - some + 1)


def _variance_explained(feature: Feature, codes: NDArray[np.int32], y: NDArray[np.float64]) -> float:
    """The larger R² of a straight line (numeric features without missing cells) and of the means of the values.

    That of the means is adjusted for their number, and 0 where there are fewer than two rows a value.
    """
    known = codes < feature.n_values
    total = float(np.square(y - y.mean()).sum())
    if len(y) < FEWEST_ROWS or not total > 0 or not np.isfinite(total):
        return 0.0
    line = 0.0
    if feature.kind == "numeric" and feature.n_values > 1 and known.all():
        line = _squared_correlation(feature.values[codes], y)
    counts = np.bincount(codes, minlength=feature.n_values + 1)
    used = int(np.count_nonzero(counts))
    if 2 * used > len(y):
        return line
    means = np.bincount(codes, y, feature.n_values + 1) / np.maximum(counts, 1)
    left = float(np.square(y - means[codes]).sum()) / (len(y) - used)
    return max(line, 1.0 - left / (total / (len(y) - 1)))


def _squared_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = x - x.mean(), y - y.mean()
        x, y = x / np.abs(x).max(), y / np.abs(y).max()
        squared = float(x @ y) ** 2 / (float(x @ x) * float(y @ y))
    return squared if np.isfinite(squared) else 0.0


def _duplicates(data: Dataset) -> int:
    """How many rows equal an earlier one, by two independent 64-bit hashes of their codes."""
    target_codes = np.unique(data.y, return_inverse=True)[1]
    seeds = np.random.default_rng(0).integers(1, 2**63, size=(2, len(data.codes) + 1), dtype=np.uint64) | np.uint64(1)
    hashes = np.zeros((2, data.n_rows), dtype=np.uint64)
    for which in range(2):
        for seed, codes in zip(seeds[which], (*data.codes, target_codes), strict=True):
            hashes[which] = (hashes[which] ^ (codes.astype(np.uint64) + seed)) * np.uint64(0x9E3779B97F4A7C15)
            hashes[which] ^= hashes[which] >> np.uint64(29)
    return data.n_rows - len(np.unique(hashes[0] + (hashes[1] << np.uint64(1))))
