"""How a recipe uses each feature: which test, over which codes (DEFINITIONS sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Feature
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.formatting import number_text
from explorer.messages import message
from explorer.recipe.recipe import Recipe

THRESHOLD, EACH_VALUE, ONE_VS_REST, SUBSET = 0, 1, 2, 3
TESTS = {
    "threshold": THRESHOLD,
    "each_value": EACH_VALUE,
    "bins": EACH_VALUE,
    "one_vs_rest": ONE_VS_REST,
    "subset": SUBSET,
}
USED_UP = ("each_value", "bins")
"""Kinds of tests after which a feature is not tested again further down."""
MOST_BRANCHES = 65_535


def kind_of(test: str, sizes: Sequence[int]) -> str:
    """What a test on categories is, from the usual test of its tree and the number of categories per branch.

    The two differ where a person chose the test: (1, 1, 1) is each value in any tree, (2, 1) is a subset in ID3's.

    >>> kind_of("subset", (1, 1, 1)), kind_of("each_value", (2, 1)), kind_of("each_value", (1, 1))
    ('each_value', 'subset', 'each_value')
    """
    if all(size == 1 for size in sizes):
        return test if test in USED_UP or len(sizes) == 2 else "each_value"
    return test if test == "one_vs_rest" and len(sizes) == 2 and 1 in sizes else "subset"


@dataclass(frozen=True)
class FeatureEncoding:
    """What a tree holds of a feature: its test and the values that its codes stand for.

    `labels` are the categories (or numbers taken as categories, or intervals) behind the codes, None among them the
    missing value where it is a category; `edges` the upper ends of all bins but the last. Nothing is kept for a
    threshold.
    """

    name: str
    kind: str
    test: str
    labels: tuple[Value | None, ...] = ()
    edges: tuple[float, ...] = ()


@dataclass(frozen=True)
class TrainingColumn:
    """A feature as one run of growing sees it: codes [n] in 0..n_values−1, n_values where the cell is missing."""

    encoding: FeatureEncoding
    codes: NDArray[np.int32]
    n_values: int
    values: NDArray[np.float64]
    """Ascending numbers behind the codes, for thresholds."""
    cost: float = 1.0
    """What it costs to know the feature's value."""

    @property
    def missing_code(self) -> int:
        """The code of a missing cell: one past the values, or the last value where missing is a category."""
        return self.n_values - 1 if self.encoding.labels and self.encoding.labels[-1] is None else self.n_values

    @cached_property
    def training_codes(self) -> NDArray[np.intp]:
        """The codes that a training row has, ascending."""
        return np.flatnonzero(np.bincount(self.codes, minlength=self.n_values + 1)[: self.n_values])

    @property
    def test(self) -> int:
        """The test's number: THRESHOLD, EACH_VALUE, ONE_VS_REST or SUBSET."""
        return TESTS[self.encoding.test]


def columns_for(data: Dataset, recipe: Recipe) -> list[TrainingColumn]:
    """Every feature that the recipe uses, in order; InputError when there is none."""
    used = [_column(f, codes, data, recipe) for f, codes in zip(data.features, data.codes, strict=True)]
    costs = _feature_costs(data, recipe)
    columns = [replace(c, cost=costs.get(c.encoding.name, 1.0)) for c in used if c is not None]
    if recipe.missing == "own_branch":
        columns = [_with_missing_as_category(column) for column in columns]
    if not columns:
        raise InputError(
            message("The settings leave out numeric features, and the table has no others: use thresholds or bins.")
        )
    return columns


def _feature_costs(data: Dataset, recipe: Recipe) -> dict[Value, float]:
    """The named costs; InputError for a column that the table does not have."""
    costs = recipe.cost_per_feature
    unknown = [name for name in costs if name not in data.cells.columns]
    if unknown:
        raise InputError(
            message(
                "feature_costs names {name!r}, which is not a column of the table: correct the name.", name=unknown[0]
            )
        )
    return costs


def _column(feature: Feature, codes: NDArray[np.int32], data: Dataset, recipe: Recipe) -> TrainingColumn | None:
    if feature.kind == "categorical":
        encoding = FeatureEncoding(feature.name, feature.kind, recipe.categorical, labels=feature.categories)
        _refuse_too_many(encoding)
        return TrainingColumn(encoding, codes, feature.n_values, np.empty(0))
    if recipe.numeric == "leave_out":
        return None
    if recipe.numeric == "bins":
        return _binned(feature, codes, data, recipe.bins)
    if recipe.numeric == "each_value":
        labels = tuple(int(value) if value.is_integer() else value for value in feature.values.tolist())
        encoding = FeatureEncoding(feature.name, feature.kind, "each_value", labels=labels)
        _refuse_too_many(encoding)
        return TrainingColumn(encoding, codes, feature.n_values, np.empty(0))
    values = feature.values
    if recipe.threshold_at == "c45":
        values = _floor_to_present(values, codes)
    return TrainingColumn(FeatureEncoding(feature.name, feature.kind, "threshold"), codes, feature.n_values, values)


def _with_missing_as_category(column: TrainingColumn) -> TrainingColumn:
    """The column with its missing cells as one more category, the last one; a threshold needs none."""
    if column.test == THRESHOLD or not (column.codes == column.n_values).any():
        return column
    encoding = replace(column.encoding, labels=(*column.encoding.labels, None))
    return replace(column, encoding=encoding, n_values=column.n_values + 1)


def _refuse_too_many(encoding: FeatureEncoding) -> None:
    if encoding.test == "each_value" and len(encoding.labels) > MOST_BRANCHES:
        raise InputError(
            message(
                "Column '{column}' has {categories:,} categories, but a split has at most {most:,} branches: leave the "
                "column out, group its values, or split on subsets.",
                column=encoding.name,
                categories=len(encoding.labels),
                most=MOST_BRANCHES,
            )
        )


def _floor_to_present(values: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Each value lowered to the largest one that a training row has: thresholds then lie on training values."""
    present = np.zeros(len(values) + 1, dtype=bool)
    present[codes] = True
    positions = np.maximum.accumulate(np.where(present[:-1], np.arange(len(values)), 0))
    return values[positions]


def _binned(feature: Feature, codes: NDArray[np.int32], data: Dataset, bins: int) -> TrainingColumn:
    """Equal-frequency bins, x ≤ edge, made once from the training values."""
    weighted = np.bincount(codes, weights=data.weight_of_rows(), minlength=feature.n_values + 1)
    counts = weighted[: feature.n_values].astype(np.float64)
    inner = quantiles(feature.values, counts, np.arange(1, bins) / bins)
    edges = np.unique(inner[inner < feature.values[np.flatnonzero(counts)[-1]]]) if counts.any() else inner[:0]
    bin_of_value = np.searchsorted(edges, feature.values, side="left")
    recode = np.append(bin_of_value, len(edges) + 1).astype(np.int32)
    encoding = FeatureEncoding(
        feature.name, feature.kind, "bins", labels=interval_labels(edges), edges=tuple(edges.tolist())
    )
    return TrainingColumn(encoding, recode[codes], len(edges) + 1, np.empty(0))


def quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Quantiles of weighted ascending values, as `np.quantile` gives them for repeated rows.

    Whole weights count as repeated rows, with linear interpolation; other weights use the inverted distribution.

    >>> quantiles(np.array([1.0, 2.0]), np.array([2.0, 2.0]), np.array([0.5]))
    array([1.5])
    """
    if (weights == np.round(weights)).all():
        ends = np.cumsum(weights)
        positions = shares * (ends[-1] - 1)
        low = values[np.searchsorted(ends, np.floor(positions), side="right")]
        high = values[np.searchsorted(ends, np.minimum(np.floor(positions) + 1, ends[-1] - 1), side="right")]
        part = positions - np.floor(positions)
        return np.where(part >= 0.5, high - (high - low) * (1 - part), low + (high - low) * part)
    return np.quantile(values, shares, weights=weights, method="inverted_cdf")


def _short(edges: NDArray[np.float64]) -> list[str]:
    """The edges with four digits, or as many more as it takes to tell them from one another."""
    for digits in range(4, 12):
        texts = [number_text(edge, digits) for edge in edges]
        if len({float(text) for text in texts}) == len(texts) and not any("e" in text for text in texts):
            return texts
    return [number_text(edge) for edge in edges]


def interval_labels(edges: NDArray[np.float64]) -> tuple[str, ...]:
    """Bins in words.

    >>> interval_labels(np.array([10.0, 20.0]))
    ('≤ 10', '10 < … ≤ 20', '> 20')
    """
    texts = _short(edges)
    if not texts:
        return ("any value",)
    middle = [f"{low} < … ≤ {high}" for low, high in pairwise(texts)]
    return (f"≤ {texts[0]}", *middle, f"> {texts[-1]}")
