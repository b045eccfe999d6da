"""What a reader should know of a table before trusting a tree: id-like columns, duplicates, leaks, many levels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.data.cells import as_number
from explorer.data.encode import Feature, rounded_example
from explorer.data.notes import ColumnInfo, Note
from explorer.data.values import Value
from explorer.messages import Words, message, plural, worded

if TYPE_CHECKING:
    from explorer.data.dataset import Dataset

MANY_LEVELS = 50
MANY_CLASSES = 50
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
    elif feature.kind == "categorical" and feature.n_values > MANY_LEVELS:
        notes.append(Note(_many_levels_text(name, feature.n_values), "warning", (name,)))
    elif _leaks_target(feature, codes, data):
        notes.append(Note(_leak_text(name, data.target.name), "warning", (name,)))
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


def _leak_text(name: str, target: str) -> Words:
    return lambda: message(
        "'{column}' alone determines the target '{target}' in every row: check that it is known before the target is.",
        column=name,
        target=target,
    )


def _missing_text(name: str, missing: int, n_rows: int) -> Words:
    return lambda: message(
        "'{column}' is missing in {missing:,} of {rows:,} rows.", column=name, missing=missing, rows=n_rows
    )


def _leaks_target(feature: Feature, codes: NDArray[np.int32], data: Dataset) -> bool:
    """Whether every value of a feature with far fewer values than rows goes with one value of the target."""
    if data.n_rows < 20 or feature.n_values > data.n_rows / 10 or data.is_regression:
        return False
    pairs = np.unique(codes.astype(np.int64) * len(data.classes) + data.y)
    return len(np.unique(pairs // len(data.classes))) == len(pairs)


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
