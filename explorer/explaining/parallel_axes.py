"""Columns as parallel axes: where each row's value lies between the least and the largest of its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.formatting import value_text
from explorer.recipe.class_weights import Floats


@dataclass(frozen=True, eq=False)
class ParallelAxis:
    """A column's name, the texts of both ends, and of rows [n] the places from 0 to 1, NaN where missing, and texts."""

    name: str
    ends: tuple[str, str]
    places: Floats
    texts: list[str]


def parallel_axes(data: Dataset, names: Sequence[str], rows: NDArray[np.intp]) -> list[ParallelAxis]:
    """The named features as axes for some rows [n], in this order.

    Numbers lie by their size between the least and the largest of all rows, categories in their order at equal steps;
    a column of one value lies in the middle.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"x": [2.0, 4.0, 6.0, None], "c": list("uvwu"), "y": list("abab")})
    >>> first, second = parallel_axes(Dataset.from_frame(table, "y"), ["c", "x"], np.array([1, 2, 3]))
    >>> first.places.tolist(), second.places.tolist(), second.ends
    ([0.5, 1.0, 0.0], [0.5, 1.0, nan], ('2', '6'))
    """
    position = {feature.name: at for at, feature in enumerate(data.features)}
    return [_axis(data.features[position[name]], data.codes[position[name]][rows]) for name in names]


def _axis(feature: Feature, codes: NDArray[np.int32]) -> ParallelAxis:
    n, is_number = feature.n_values, feature.kind == "numeric"
    values = feature.values if is_number else np.arange(n, dtype=np.float64)
    words = (
        [feature.scale.text(float(value)) for value in values]
        if is_number
        else list(map(value_text, feature.categories))
    )
    spread = float(values[-1] - values[0]) if n else 0.0
    places = (values - values[0]) / spread if spread > 0 else np.full(n, 0.5)
    texts = [words[code] if code < n else "–" for code in codes.tolist()]
    return ParallelAxis(feature.name, (words[0], words[-1]) if n else ("", ""), np.append(places, np.nan)[codes], texts)
