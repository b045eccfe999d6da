"""What a row can hold in each feature, for a form to fill in, and the row that a filled form makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import NUMBERS, Ordered, Scale
from explorer.data.dataset import Dataset
from explorer.messages import message
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True)
class Input:
    """The field of a form for a feature; `is_asked`: the pruned tree tests the feature, in a split or a surrogate.

    Numbers have the least and the largest training value (None where every cell is missing), and the
    `scale` that writes them; ordered levels are categories, in their order. `usual` is the median (a value that
    occurs), or the most frequent category.
    """

    name: str
    is_asked: bool
    usual: Value | None
    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    scale: Scale = NUMBERS
    categories: tuple[Value, ...] | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether the feature is numeric."""
        return self.categories is None

    @property
    def never_seen(self) -> str:
        """A value that is none of the categories.

        >>> Input("colour", True, "red", categories=("red", "a value not seen in training")).never_seen
        'a value not seen in training (2)'
        """
        return free_name(message("a value not seen in training"), map(str, self.categories or ()))


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it if it is taken.

    >>> free_name("leaf", ["age"]), free_name("leaf", ["leaf", "leaf (2)"])
    ('leaf', 'leaf (3)')
    """
    used, number, candidate = set(taken), 1, name
    while candidate in used:
        number += 1
        candidate = f"{name} ({number})"
    return candidate


def inputs(tree: Tree, train: Dataset) -> tuple[Input, ...]:
    """The fields of all features of the training set, in their order.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> fields = inputs(grow(tennis, ID3), tennis)
    >>> [field.name for field in fields if field.is_asked], fields[0].categories, fields[0].usual
    (['Outlook', 'Humidity', 'Wind'], ('Sunny', 'Overcast', 'Rain'), 'Sunny')
    """
    tested = {tree.features[feature].name for feature in tree.tested_features()}
    pairs = zip(train.features, train.codes, strict=True)
    return tuple(_input(feature, codes, feature.name in tested) for feature, codes in pairs)


def by_first_use(fields: Iterable[Input], tree: Tree) -> list[Input]:
    """The fields that the pruned tree tests, those tested nearest the root first; surrogates alone come last.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, ID3)
    >>> [field.name for field in by_first_use(inputs(tree, tennis), tree)]
    ['Outlook', 'Humidity', 'Wind']
    """
    nodes = np.flatnonzero(tree.is_inner)
    first: dict[str, int] = {}
    for node in nodes[np.argsort(tree.depth[nodes], kind="stable")].tolist():
        first.setdefault(tree.features[int(tree.feature[node])].name, len(first))
    return sorted((field for field in fields if field.is_asked), key=lambda field: first.get(field.name, len(first)))


def surrogates_alone(tree: Tree) -> dict[str, list[str]]:
    """The features that the pruned tree tests only in surrogates, with those whose missing values they stand in for.

    Both in the order of the tree's features.
    """
    found = tree.surrogates
    if found is None:
        return {}
    split_on = set(tree.feature[tree.is_inner].tolist())
    pairs = {
        (surrogate, int(tree.feature[node]))
        for node, surrogate in zip(found.node.tolist(), found.feature.tolist(), strict=True)
        if tree.is_inner[node] and surrogate not in split_on
    }
    stand_ins: dict[str, list[str]] = {}
    for surrogate, feature in sorted(pairs):
        stand_ins.setdefault(tree.features[surrogate].name, []).append(tree.features[feature].name)
    return stand_ins


def _input(feature: Feature, codes: NDArray[np.int32], is_tested: bool) -> Input:
    known = codes[codes < feature.n_values]
    if feature.kind == "categorical":
        usual = feature.categories[int(np.bincount(known).argmax())] if known.size else None
        return Input(feature.name, is_tested, usual, categories=feature.categories)
    if isinstance(feature.scale, Ordered):
        usual = feature.value(int(np.sort(known)[(known.size - 1) // 2])) if known.size else None
        return Input(feature.name, is_tested, usual, categories=feature.scale.levels)
    if not known.size:
        return Input(feature.name, is_tested, None, scale=feature.scale)
    numbers = np.sort(feature.values[known])
    low, middle, high = (float(numbers[index]) for index in (0, (len(numbers) - 1) // 2, -1))
    is_whole = bool((numbers == np.floor(numbers)).all())
    return Input(feature.name, is_tested, middle, low, high, is_whole, feature.scale)


def cells_at(data: Dataset, row: int) -> dict[str, Value | None]:
    """The feature cells of the row at a position of the data, None where they are missing."""
    cells: dict[str, Value | None] = {}
    for feature, codes in zip(data.features, data.codes, strict=True):
        code = int(codes[row])
        if code == feature.n_values:
            cells[feature.name] = None
        else:
            cells[feature.name] = feature.value(code)
    return cells


def row_of(fields: Sequence[Input], cells: Mapping[str, Value | None]) -> pd.DataFrame:
    """The row of a filled form: a frame whose columns a tree reads as it reads the training rows.

    >>> row_of([Input("age", True, 30.0)], {"age": None})["age"].isna().tolist()
    [True]
    """
    columns = {
        field.name: pd.Series([cells[field.name]], dtype=np.float64 if field.is_numeric else object) for field in fields
    }
    return pd.DataFrame(columns, index=[0])
