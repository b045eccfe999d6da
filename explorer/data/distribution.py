"""How the values of a column are distributed, as a few counts that fit into a cell of a table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explorer.data.dataset import Dataset

BINS = 12


def column_distribution(data: Dataset, name: str) -> tuple[int, ...]:
    """The rows of a column in at most 12 bars: equal bins from least to largest number, or its categories by count.

    Of more categories the 12 most frequent are counted. Missing cells are in no bar; () for a column not encoded.

    >>> from explorer.data.samples import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> column_distribution(data, "PlayTennis"), column_distribution(data, "Outlook")
    ((9, 5), (5, 5, 4))
    """
    if name == data.target.name:
        values = data.y.astype(np.float64)
        kind = data.target.kind
        return _numbers(values) if kind == "numeric" else _categories(data.y, data.target.n_values)
    features, codes = data.encoded
    position = next((i for i, feature in enumerate(features) if feature.name == name), None)
    if position is None:
        return ()
    feature, own = features[position], codes[position]
    known = own[own < feature.n_values]
    if feature.kind == "numeric":
        return _numbers(feature.values[known])
    return _categories(known, feature.n_values)


def _numbers(values: np.ndarray) -> tuple[int, ...]:
    """Counts in equal bins, as many as there are distinct numbers up to 12."""
    if not len(values):
        return ()
    bins = min(BINS, len(pd.unique(values)))
    scale = float(np.abs(values).max()) or 1.0  # so that the range of huge numbers stays finite
    counts, _ = np.histogram(values / scale, bins=bins)
    return tuple(int(count) for count in counts)


def _categories(codes: np.ndarray, n_values: int) -> tuple[int, ...]:
    counts = np.sort(np.bincount(codes, minlength=n_values))[::-1]
    return tuple(int(count) for count in counts[:BINS])
