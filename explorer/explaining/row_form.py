"""What a row can hold in each feature, for a form to fill in, and the row that a filled form makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Feature
from explorer.data.values import Value
from explorer.tree.tree import Tree

NEVER_SEEN = "a value never seen"
DAYS = "days since 1970-01-01"


@dataclass(frozen=True)
class Input:
    """One feature as a form asks for it; `is_asked` says whether the open tree does, in a test or a surrogate.

    Numbers have the least and the largest training value (None where every cell is missing), and `unit` where it is
    not that of the file. `usual` is the median (a value that occurs), or the most frequent category.
    """

    name: str
    is_asked: bool
    usual: Value | None
    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    unit: str = ""
    categories: tuple[Value, ...] | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether it takes numbers."""
        return self.categories is None

    @property
    def never_seen(self) -> str:
        """A value that is none of the categories.

        >>> Input("colour", True, "red", categories=("red", NEVER_SEEN)).never_seen
        'a value never seen (2)'
        """
        return free_name(NEVER_SEEN, map(str, self.categories or ()))


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it if it is taken.

    >>> free_name("leaf", ["age"]), free_name("leaf", ["leaf", "leaf (2)"])
    ('leaf', 'leaf (3)')
    """
    used, number, found = set(taken), 1, name
    while found in used:
        number += 1
        found = f"{name} ({number})"
    return found


def inputs(tree: Tree, train: Dataset) -> tuple[Input, ...]:
    """Every feature of the training rows, in their order.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> found = inputs(grow(tennis, ID3), tennis)
    >>> [one.name for one in found if one.is_asked], found[0].categories, found[0].usual
    (['Outlook', 'Humidity', 'Wind'], ('Sunny', 'Overcast', 'Rain'), 'Sunny')
    """
    asked = {tree.features[place].name for place in tested_features(tree)}
    pairs = zip(train.features, train.codes, strict=True)
    return tuple(_input(feature, codes, feature.name in asked, train) for feature, codes in pairs)


def tested_features(tree: Tree) -> list[int]:
    """The features that the open tree asks for in tests and surrogates, as places in `tree.features`."""
    is_open_split = tree.is_inner
    asked = set(tree.feature[is_open_split].tolist())
    if tree.surrogates is not None:
        of_node = np.repeat(np.arange(tree.n_nodes_grown), np.diff(tree.surrogates.offset))
        asked |= set(tree.surrogates.feature[is_open_split[of_node]].tolist())
    return sorted(asked)


def _input(feature: Feature, codes: NDArray[np.int32], is_asked: bool, train: Dataset) -> Input:
    known = codes[codes < feature.n_values]
    if feature.kind == "categorical":
        usual = feature.categories[int(np.bincount(known).argmax())] if known.size else None
        return Input(feature.name, is_asked, usual, categories=feature.categories)
    unit = DAYS if pd.api.types.is_datetime64_any_dtype(train.frame[feature.name].dtype) else ""
    if not known.size:
        return Input(feature.name, is_asked, None, unit=unit)
    numbers = np.sort(feature.values[known])
    low, middle, high = (float(numbers[place]) for place in (0, (len(numbers) - 1) // 2, -1))
    whole = bool((numbers == np.floor(numbers)).all())
    return Input(feature.name, is_asked, middle, low, high, whole, unit)


def cells_at(data: Dataset, row: int) -> dict[str, Value | None]:
    """The feature cells of the row at a position of the data, None where they are missing."""
    found: dict[str, Value | None] = {}
    for feature, codes in zip(data.features, data.codes, strict=True):
        code = int(codes[row])
        if code == feature.n_values:
            found[feature.name] = None
        else:
            found[feature.name] = float(feature.values[code]) if feature.kind == "numeric" else feature.categories[code]
    return found


def row_of(asked: Sequence[Input], cells: Mapping[str, Value | None]) -> pd.DataFrame:
    """The one row that a form makes: a frame whose columns a tree reads as it reads the training rows.

    >>> row_of([Input("age", True, 30.0)], {"age": None})["age"].isna().tolist()
    [True]
    """
    columns = {one.name: pd.Series([cells[one.name]], dtype=np.float64 if one.is_numeric else object) for one in asked}
    return pd.DataFrame(columns, index=[0])
