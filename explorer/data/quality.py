"""What a reader should know of a table before trusting a tree: id-like columns, duplicates, leaks, many levels.

A feature leaks the target if it alone tells it for almost every row. It tells a class by its value table (the majority
class of the other rows with the same value, missing cells being one more value) or by one threshold. That is a leak if
it is right for more than 99 % of the rows, misses at most a tenth of the rows that the majority class misses, and is no
chance: in fewer than 5 % of all arrangements of the classes over the rows would any of the table's features do as well.
That share is bounded by counting. A table of v values has K^v ways to give them classes, and with e errors describes at
most K^v·C(n, e)·(K − 1)^e arrangements, of n!/Π n_k! in all. A feature with many values therefore needs many rows, and
a small table a clear case.

A numeric target leaks if a straight line or the means of the values explain more than 99.99 % of its variance.

Few features leak, and most are cleared by every eighth row: the errors there, or the squared errors there, are already
more than a leak may have in all rows, and further rows can only add to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import durations_note
from explorer.data.cells import as_number, is_rounded
from explorer.data.codes.repeats import equal_features, repeated_rows
from explorer.data.encode import Feature, rounded_example
from explorer.data.notes import (
    ColumnInfo,
    Note,
    listed_names,
    many_determine_text,
    many_gaps_text,
    many_levels_text,
    many_missing_text,
    many_overfit_text,
    many_same_text,
    many_tell_text,
)
from explorer.data.values import Value
from explorer.formatting import percent
from explorer.messages import Words, clauses, message, plural, worded

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
SOME_ROWS = slice(None, None, 8)
"""The rows by which most features are cleared; spread over the table, which may be sorted."""
MOST_GROUPS = 4096
"""Groups of neighbouring values in which thresholds are first looked for."""
MOST_REASONS = 8
"""Columns left out that are listed with their reasons."""
_ID_NAME = re.compile(r"(^|[\W_])(id|uuid|guid|key|index|idx|nr|no|row|serial)([\W_]|$)|编号|序号|学号", re.IGNORECASE)


def left_out_reason(feature: Feature, codes: NDArray[np.int32]) -> Words | None:
    """Why a column should not be split on unless the user selects it; None without such a reason."""
    known = codes[codes < feature.n_values]

    def counts_rows() -> bool:
        return bool((np.diff(known) == 1).all() and np.ptp(feature.values) == len(known) - 1)

    return reason_by_counts(
        feature.name,
        feature.kind,
        feature.n_values,
        len(known),
        lambda: _whole(np.asarray(feature.listed)),
        counts_rows,
        has_gaps=len(known) < len(codes),
    )


def reason_by_counts(
    name: str,
    kind: str,
    n_values: int,
    n_known: int,
    is_whole: Callable[[], bool],
    counts_rows: Callable[[], bool],
    *,
    has_gaps: bool,
) -> Words | None:
    """The same from the number of different values and of cells with a value; the functions are asked when needed.

    Id-like is text where every row, or most of many, has a distinct value, and a column that numbers the rows.
    """
    if n_values == 0:
        return lambda: message("empty: every cell is missing")
    if n_values == 1 and has_gaps:
        return lambda: message("constant: one value, and missing cells")
    if n_values == 1:
        return lambda: message("constant: one value only")
    all_distinct = n_values == n_known
    if kind == "categorical":
        mostly_distinct = n_values >= 20 and n_values > n_known / 2
        return _id_like_text(n_values, n_known) if all_distinct or mostly_distinct else None
    if not all_distinct or n_known < 4 or not is_whole():
        return None
    if _ID_NAME.search(name) or counts_rows():
        return lambda: message("id-like: it numbers the rows")
    return None


def _id_like_text(n_values: int, n_rows: int) -> Words:
    return lambda: message("id-like: {values:,} values in {rows:,} rows", values=n_values, rows=n_rows)


def _whole(values: NDArray[np.float64]) -> bool:
    return bool((values == np.floor(values)).all())


def quality_notes(data: Dataset) -> list[Note]:
    """Notes on columns left out, many levels, missing cells, equal columns, equal rows, and leaks of the target."""
    notes = []
    left_out = [column for column in data.columns if column.role == "left out" and column.reason]
    if left_out:
        notes.append(Note(lambda: left_out_text(left_out), "info", tuple(c.name for c in left_out)))
        notes += [_gaps_note(c.name, c.n_missing) for c in left_out if c.n_values == 1 and c.n_missing]
    if len(data.classes) >= MANY_CLASSES:
        notes.append(Note(_many_classes_text(data.target.name, len(data.classes)), "warning", (data.target.name,)))
    target = _numeric_target(data) if data.is_regression else _class_target(data)
    for feature, codes in zip(data.features, data.codes, strict=True):
        notes += _feature_notes(feature, codes, data, target)
    for name, other in equal_features(data.features, data.codes):
        notes.append(Note(_same_text(name, other), "info", (name,), many_same_text))
    notes += _durations_note(data)
    for feature in data.features:
        if feature.kind == "categorical" and _are_long(feature.categories):
            notes.append(Note(too_long_text(feature.name), "warning", (feature.name,)))
    for feature in (data.target, *data.features):
        example = rounded_example(data.frame[feature.name]) if feature.kind == "numeric" else None
        if example is not None:
            notes.append(Note(rounded_text(feature.name, example), "warning", (feature.name,)))
    repeated = repeated_rows(data)
    if repeated:
        notes.append(Note(lambda: _repeated_text(repeated, data.n_rows)))
    return notes


def _gaps_note(name: str, missing: int) -> Note:
    """The note on a column with one value and missing cells, which say something only where they are told apart."""
    return Note(lambda: _gaps_text(missing, name), "info", (name,), many_gaps_text)


def _gaps_text(missing: int, name: str) -> str:
    return plural(
        missing,
        "'{column}' has one value, and {n:,} row lacks it, which may tell the target. To split on that, select the "
        "column and give missing cells a branch or a direction of their own.",
        "'{column}' has one value, and {n:,} rows lack it, which may tell the target. To split on that, select the "
        "column and give missing cells a branch or a direction of their own.",
        column=name,
    )


def too_long_text(name: str) -> Words:
    """The sentence on whole numbers that are categories, since a float would change them."""
    return lambda: message(
        "'{column}' has whole numbers beyond 2⁵³ = 9,007,199,254,740,992, which a double would round, so they are "
        "categories. Make the column numeric if they are quantities.",
        column=name,
    )


def _are_long(categories: Sequence[Value]) -> bool:
    """Whether categories are numbers, and some too long for a float."""
    return (
        bool(categories) and not any(map(math.isnan, map(as_number, categories))) and any(map(is_rounded, categories))
    )


def _durations_note(data: Dataset) -> list[Note]:
    """A note on each feature that is a duration."""
    cells = data.cells.whole
    names = [feature.name for feature in data.features if pd.api.types.is_timedelta64_dtype(cells[feature.name].dtype)]
    return [Note(durations_note(name), "info", (name,)) for name in names]


def _same_text(name: str, other: str) -> Words:
    return lambda: message(
        "'{column}' has the same values as '{other}' in every row: one of them is enough.", column=name, other=other
    )


def left_out_text(columns: list[ColumnInfo]) -> str:
    """The sentence on columns that are no features unless the user selects them."""
    if len(columns) > MOST_REASONS:
        return message(
            "{n:,} columns are not used as features unless you select them, for the reasons in the table of columns: "
            "{names}.",
            n=len(columns),
            names=listed_names([c.name for c in columns]),
        )
    listed = clauses(message("'{column}' is {reason}", column=c.name, reason=c.reason) for c in columns)
    return message("Not used as features unless you select them: {columns}.", columns=listed)


def rounded_text(name: str, example: Value) -> Words:
    """The sentence on a numeric column of whole numbers too long for a float."""
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


def _feature_notes(
    feature: Feature, codes: NDArray[np.int32], data: Dataset, target: _ClassTarget | _NumericTarget
) -> list[Note]:
    """Notes on a feature."""
    name, notes = feature.name, []
    reason = left_out_reason(feature, codes)
    missing = int((codes == feature.n_values).sum())
    if feature.n_values == 1 and missing:
        notes.append(_gaps_note(name, missing))
    elif reason is not None:
        notes.append(Note(_overfits_text(name, reason), "warning", (name,), many_overfit_text))
    elif (leak := _leak_note(feature, codes, data.target.name, target)) is not None:
        notes.append(leak)
    elif feature.kind == "categorical" and feature.n_values > MANY_LEVELS:
        notes.append(Note(_levels_text(name, feature.n_values), "warning", (name,), many_levels_text))
    if missing:
        notes.append(Note(_missing_text(name, missing, len(codes)), "info", (name,), many_missing_text))
    return notes


def _overfits_text(name: str, reason: Words) -> Words:
    return lambda: message(
        "'{column}' is {reason}, yet it is used as a feature: the tree may overfit. Leave it out.",
        column=name,
        reason=worded(reason),
    )


def _levels_text(name: str, n_values: int) -> Words:
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


@dataclass(frozen=True, eq=False)
class _ClassTarget:
    """What a leak of the classes is measured by: the class of each row [n], and of some rows; the rows of each class.

    A leak has fewer errors than `allowed`, or none, and is rarer by chance than the exponential of `log_level`.
    """

    y: NDArray[np.int64]
    some_y: NDArray[np.int64]
    class_counts: NDArray[np.int64]
    allowed: float
    log_level: float

    @property
    def n_classes(self) -> int:
        """How many classes there are, those without rows included."""
        return len(self.class_counts)

    def is_few(self, errors: int) -> bool:
        """Whether a leak may be wrong for so many rows."""
        return errors < self.allowed or errors == 0


@dataclass(frozen=True, eq=False)
class _NumericTarget:
    """What a leak of a number is measured by: the number of each row [n], and its sum of squares about the mean."""

    y: NDArray[np.float64]
    total: float


def _class_target(data: Dataset) -> _ClassTarget:
    y = data.y.astype(np.int64)
    class_counts = np.bincount(y, minlength=len(data.classes))
    allowed = min(MISSED * data.n_rows, OF_MAJORITY * (data.n_rows - int(class_counts.max())))
    log_level = _log_arrangements(class_counts) + math.log(BY_CHANCE / max(len(data.features), 1))
    return _ClassTarget(y, y[SOME_ROWS].copy(), class_counts, allowed, log_level)


def _numeric_target(data: Dataset) -> _NumericTarget:
    y = data.y.astype(np.float64)
    return _NumericTarget(y, _squares(y))


def _squares(y: NDArray[np.float64]) -> float:
    """The sum of squares about the mean."""
    return float(np.square(y - y.mean()).sum()) if len(y) else 0.0


def _leak_note(
    feature: Feature, codes: NDArray[np.int32], target_name: str, target: _ClassTarget | _NumericTarget
) -> Note | None:
    """The warning that a feature leaks the target; None where it does not. `codes` [n] are those of its values."""
    if isinstance(target, _NumericTarget):
        explained = _variance_explained(feature, codes, target)
        words, of_many = _explains_text(feature.name, target_name, explained), many_tell_text
        return Note(words, "warning", (feature.name,), of_many) if explained > EXPLAINED else None
    errors = _fewest_errors(feature, codes, target)
    if errors is None:
        return None
    words, of_many = _tells_text(feature.name, target_name, errors / len(codes)), many_tell_text
    if errors == 0:
        words, of_many = _determines_text(feature.name, target_name), many_determine_text
    return Note(words, "warning", (feature.name,), of_many)


def _explains_text(name: str, target: str, explained: float) -> Words:
    return lambda: message(
        "'{column}' alone explains {share} of the variance of the target '{target}': check that it is known before "
        "the target is.",
        column=name,
        target=target,
        share=percent(explained),
    )


def _determines_text(name: str, target: str) -> Words:
    return lambda: message(
        "'{column}' alone determines the target '{target}' in every row: check that it is known before the target is.",
        column=name,
        target=target,
    )


def _tells_text(name: str, target: str, wrong: float) -> Words:
    return lambda: message(
        "'{column}' alone tells the target '{target}' in {share} of the rows: check that it is known before the target "
        "is.",
        column=name,
        target=target,
        share=percent(1.0 - wrong),
    )


def _fewest_errors(feature: Feature, codes: NDArray[np.int32], target: _ClassTarget) -> int | None:
    """How many rows the better of value table and threshold gets wrong; None where that is no leak."""
    if target.n_classes < 2 or not target.is_few(_errors_of_any_table(feature, codes, target)):
        return None
    log_wrong_class = math.log(target.n_classes - 1)
    few = [
        errors
        for errors, log_ways in _ways_to_tell(feature, codes, target)
        if target.is_few(errors)
        and log_ways + _log_choices(len(codes), errors) + errors * log_wrong_class < target.log_level
    ]
    return min(few, default=None)


def _errors_of_any_table(feature: Feature, codes: NDArray[np.int32], target: _ClassTarget) -> int:
    """Of some rows, how many are not of the majority class of their value: no table or threshold has fewer errors."""
    n_values, n_rows = feature.n_values + 1, len(target.some_y)
    if n_values * target.n_classes > 10 * n_rows:
        return 0
    by_class = _rows_by_class(codes[SOME_ROWS], target.some_y, n_values, target.n_classes)
    return n_rows - int(by_class.max(axis=0).sum())


def _ways_to_tell(feature: Feature, codes: NDArray[np.int32], target: _ClassTarget) -> Iterator[tuple[int, float]]:
    """Errors, and the log of how many other tables or splits there are: of the value table, of the best threshold."""
    log_classes, n_values, n_rows = math.log(target.n_classes), feature.n_values + 1, len(codes)
    if n_values * log_classes < target.log_level:
        yield n_rows - _told_by_table(codes, target.y, n_values, target.n_classes), n_values * log_classes
    if (
        feature.kind == "numeric"
        and feature.n_values > 1
        and target.is_few(_errors_of_any_threshold(feature.n_values, codes, target))
    ):
        told = _told_by_threshold(codes, target.y, n_values, target.class_counts)
        yield n_rows - told, math.log(feature.n_values) + 3.0 * log_classes


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


def _errors_of_any_threshold(n_values: int, codes: NDArray[np.int32], target: _ClassTarget) -> int:
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


def _log_arrangements(class_counts: NDArray[np.int64]) -> float:
    """The log of n!/Π n_k!, in how many ways the classes can be given to the rows.

    >>> round(math.exp(_log_arrangements(np.array([9, 5]))))    # 14 rows
    2002
    """
    return math.lgamma(int(class_counts.sum()) + 1) - sum(math.lgamma(int(count) + 1) for count in class_counts)


def _log_choices(rows: int, some: int) -> float:
    """The log of C(rows, some)."""
    return math.lgamma(rows + 1) - math.lgamma(some + 1) - math.lgamma(rows - some + 1)


def _variance_explained(feature: Feature, codes: NDArray[np.int32], target: _NumericTarget) -> float:
    """The larger R² of a straight line (numeric features without missing cells) and of the means of the values.

    That of the means is adjusted for their number, and 0 where there are fewer than two rows a value. Both are 0 where
    some rows show that neither explains enough for a leak.
    """
    y, total, n_values = target.y, target.total, feature.n_values + 1
    if len(y) < FEWEST_ROWS or not total > 0 or not np.isfinite(total):
        return 0.0
    some, some_y, most_left, line = codes[SOME_ROWS], y[SOME_ROWS], (1.0 - EXPLAINED) * total, 0.0
    has_line = feature.kind == "numeric" and feature.n_values > 1
    if has_line and _left_by_line(feature.values, some, some_y) < most_left and int(codes.max()) < feature.n_values:
        line = _squared_correlation(feature.values[codes], y)
    if _left_by_means(some, some_y, n_values) >= most_left:
        return line
    used = int(np.count_nonzero(np.bincount(codes, minlength=n_values)))
    if 2 * used > len(y):
        return line
    left = _left_by_means(codes, y, n_values) / (len(y) - used)
    return max(line, 1.0 - left / (total / (len(y) - 1)))


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


def _squared_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        x, y = x - x.mean(), y - y.mean()
        x, y = x / np.abs(x).max(), y / np.abs(y).max()
        squared = float(x @ y) ** 2 / (float(x @ x) * float(y @ y))
    return squared if np.isfinite(squared) else 0.0
