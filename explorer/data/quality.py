"""What a reader should know of a table before trusting a tree: id-like columns, duplicates, leaks, many levels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.data.encode import Feature
from explorer.data.notes import Note

if TYPE_CHECKING:
    from explorer.data.dataset import Dataset

MANY_LEVELS = 50
_ID_NAME = re.compile(r"(^|[\W_])(id|uuid|guid|key|index|idx|nr|no|row|serial)([\W_]|$)|编号|序号|学号", re.IGNORECASE)


def left_out_reason(feature: Feature, codes: NDArray[np.int32]) -> str | None:
    """Why a column should not be split on unless the user selects it; None without such a reason.

    Id-like is text where every row, or most of many, has a distinct value, and a column that numbers the rows.
    """
    known = codes[codes < feature.n_values]
    if feature.n_values == 0:
        return "empty: every cell is missing"
    if feature.n_values == 1:
        return "constant: one value only"
    all_distinct = feature.n_values == len(known)
    if feature.kind == "categorical":
        mostly_distinct = feature.n_values >= 20 and feature.n_values > len(known) / 2
        return f"id-like: {feature.n_values} values in {len(known)} rows" if all_distinct or mostly_distinct else None
    if not all_distinct or len(known) < 4 or not _whole(feature.values):
        return None
    counts_rows = bool((np.diff(known) == 1).all() and np.ptp(feature.values) == len(known) - 1)
    return "id-like: it numbers the rows" if counts_rows or _ID_NAME.search(feature.name) else None


def _whole(values: NDArray[np.float64]) -> bool:
    return bool((values == np.floor(values)).all())


def quality_notes(data: Dataset) -> list[Note]:
    """Notes on columns left out, many levels, missing cells, duplicate rows and features that leak the target."""
    notes = []
    left_out = [column for column in data.columns if column.role == "left out" and column.reason]
    if left_out:
        listed = "; ".join(f"'{column.name}' is {column.reason}" for column in left_out)
        notes.append(Note(f"Left out unless you take them in: {listed}.", "info", tuple(c.name for c in left_out)))
    for feature, codes in zip(data.features, data.codes, strict=True):
        notes += _feature_notes(feature, codes, data)
    repeated = _duplicates(data)
    if repeated:
        notes.append(Note(f"{repeated} of {data.n_rows} rows repeat an earlier one in all features and the target."))
    return notes


def _feature_notes(feature: Feature, codes: NDArray[np.int32], data: Dataset) -> list[Note]:
    """Notes on a feature."""
    name, notes = feature.name, []
    reason = left_out_reason(feature, codes)
    if reason:
        text = f"'{name}' is {reason}, yet it is used as a feature: a tree may learn it by heart."
        notes.append(Note(text, "warning", (name,)))
    elif feature.kind == "categorical" and feature.n_values > MANY_LEVELS:
        text = f"'{name}' has {feature.n_values} categories: a test with a branch for each value splits into as many."
        notes.append(Note(text, "warning", (name,)))
    elif _leaks_target(feature, codes, data):
        text = f"'{name}' alone tells the target '{data.target.name}' of every row: is it known before the target is?"
        notes.append(Note(text, "warning", (name,)))
    missing = int((codes == feature.n_values).sum())
    if missing:
        notes.append(Note(f"'{name}' is missing in {missing} of {len(codes)} rows.", "info", (name,)))
    return notes


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
