"""Which rows of a file the tree was grown on, by what their cells hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset

_MISSING = np.uint64(0x5851F42D4C957F2D)
"""Stands for the hash of a missing cell; that of 0 is 0."""


def count_known_rows(train: Dataset, frame: pd.DataFrame) -> int:
    """How many rows of a file equal a training row in all features and the target; 0 where one of them is not there.

    Rows are compared by 64-bit hashes, in which 1, 1.0 and "1" are one value, as in the data set.

    >>> rows = pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "a"]})
    >>> count_known_rows(Dataset.from_frame(rows, "y"), pd.DataFrame({"y": ["a", "b"], "x": ["1.0", "3"]}))
    1
    """
    names = [feature.name for feature in (*train.features, train.target)]
    if not set(names) <= set(frame.columns):
        return 0
    known = np.unique(_hashes(train.frame, names))
    return int(np.isin(_hashes(frame, names), known).sum())


def _hashes(frame: pd.DataFrame, names: list[str]) -> NDArray[np.uint64]:
    """A hash of some cells of every row, [n]."""
    hashes = np.zeros(len(frame), dtype=np.uint64)
    for name in names:
        codes, values = pd.factorize(frame[name])
        of_values = np.append(_value_hashes(pd.Series(values)), _MISSING)  # the last one for missing cells
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + of_values[codes]
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _value_hashes(values: pd.Series) -> NDArray[np.uint64]:
    """A hash of every value: of the number that it is or is written as, else of its text."""
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan) + 0.0
    is_text = np.isnan(numbers)
    hashes: NDArray[np.uint64] = pd.util.hash_array(numbers)
    if is_text.any():
        hashes[is_text] = pd.util.hash_array(values[is_text].astype(str).to_numpy(object))
    return hashes
