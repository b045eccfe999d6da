"""How a recipe uses each feature: which test, over which codes (DEFINITIONS sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.late_values import Listed, values_of
from explorer.data.codes.scale import NUMBERS, Ordered, Scale
from explorer.data.dataset import Dataset
from explorer.data.encode import Heading
from explorer.errors import InputError
from explorer.messages import message
from explorer.ranges import scale_of
from explorer.recipe.condition import ANY_VALUE, decimal_near
from explorer.recipe.feature_constraints import KEEPS_MONOTONE, sets_of_features
from explorer.recipe.missing import MISSING_AS_CATEGORY
from explorer.recipe.recipe import Recipe
from explorer.recipe.split_score import TIE
from explorer.values import Value

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
MOST_MERGED = 500
"""Values up to which all pairs are compared where values are merged."""
MANY_VALUES = 0.3
"""Values per row from which a feature with a branch for each is left out of the mean gain."""


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
    scale: Scale = NUMBERS
    """What its numbers stand for."""

    @property
    def is_binned(self) -> bool:
        """Whether its codes are intervals of a number."""
        return bool(self.edges)

    @property
    def words(self) -> tuple[Value | None, ...] | None:
        """The categories or levels that cells hold; None where they are numbers."""
        if isinstance(self.scale, Ordered):
            return self.scale.levels
        return self.labels if self.kind == "categorical" else None


@dataclass(frozen=True)
class TrainingColumn:
    """A feature as one run of growing sees it: codes [n] in 0..n_values−1, n_values where the cell is missing."""

    encoding: FeatureEncoding
    codes: NDArray[np.int32]
    n_values: int
    listed: Listed
    """Ascending numbers behind the codes, for thresholds."""
    cost: float = 1.0
    """What it costs to know the feature's value."""
    monotone: int = 0
    """+1 where predictions must rise with the feature, −1 where they must fall, 0 without a constraint."""
    sets: frozenset[int] | None = None
    """Which sets of interaction constraints hold the feature; None where there are none."""
    seen: NDArray[np.bool_] | None = None
    """Which codes training rows have, [n_values + 1], where `codes` are not those of all of them; None where they are.
    """
    has_many_values: bool = False
    """Whether its gain is left out of the mean gain (`have_many_values`)."""
    cuts: NDArray[np.float64] | None = None
    """The threshold above each value but the last, [n_values − 1], where it does not follow from the two values."""
    merge_level: float | None = None
    """The level of χ² above which values are merged; None where they are not."""
    is_ordered: bool = False
    """Whether its categories are in order, so that only neighbours are merged."""

    @property
    def values(self) -> NDArray[np.float64]:
        """The same as an array, which is kept."""
        return values_of(self.listed)

    @property
    def missing_code(self) -> int:
        """The code of a missing cell: one past the values, or the last value where missing is a category."""
        return self.n_values - 1 if self.encoding.labels and self.encoding.labels[-1] is None else self.n_values

    @cached_property
    def in_training(self) -> NDArray[np.bool_]:
        """Which codes the training rows have, that of a missing cell included, [n_values + 1]."""
        if self.seen is not None:
            return self.seen
        return np.asarray(np.bincount(self.codes, minlength=self.n_values + 1) > 0)

    @property
    def training_codes(self) -> NDArray[np.intp]:
        """The codes that a training row has, ascending; that of a missing cell only where it is a category."""
        return np.flatnonzero(self.in_training[: self.n_values])

    @property
    def is_empty(self) -> bool:
        """Whether no training row has a value: such a feature offers no test at any node."""
        if self.seen is None:
            return not bool((self.codes < self.missing_code).any())
        return not self.seen[: self.missing_code].any()

    @property
    def lacks_values(self) -> bool:
        """Whether a training row has no value of the feature."""
        return bool(self.in_training[self.missing_code :].any())

    @property
    def test(self) -> int:
        """The test's number: THRESHOLD, EACH_VALUE, ONE_VS_REST or SUBSET."""
        return TESTS[self.encoding.test]

    @property
    def merges(self) -> bool:
        """Whether its test has a branch for each group of merged values, instead of each value."""
        return self.merge_level is not None and self.test == EACH_VALUE


def columns_for(data: Dataset, recipe: Recipe) -> list[TrainingColumn]:
    """Every feature that the recipe uses, in order; InputError when there is none."""
    last = _LAST.get(data)
    if last is not None and last[0] == recipe:
        return list(last[1])
    used = [_column(f, codes, data, recipe) for f, codes in zip(data.features, data.codes, strict=True)]
    size = max(float(data.weight_of_rows().sum()), float(data.n_rows))
    columns = with_recipe(used, data, data.cells.columns, recipe, size)
    if not any(column.encoding.is_binned for column in columns):  # whose codes take as much memory as the data
        _LAST[data] = recipe, tuple(columns)
    return columns


_LAST: WeakKeyDictionary[Dataset, tuple[Recipe, tuple[TrainingColumn, ...]]] = WeakKeyDictionary()
"""The columns of the last recipe of every data set: growing a tree and searching its nodes again need the same."""


def with_recipe(
    used: Sequence[TrainingColumn | None], data: Heading, names: Collection[str], recipe: Recipe, size: float
) -> list[TrainingColumn]:
    """The columns that are used, with costs, constraints and missing cells as the recipe has them.

    `names` are those of all columns of the table, `size` is what the training rows count. Raises InputError for a
    recipe that does not go with them.
    """
    costs, signs = _feature_costs(names, recipe), _monotone_signs(data, names, recipe)
    columns = [c for c in used if c is not None]
    if costs or signs:
        columns = [
            replace(c, cost=costs.get(c.encoding.name, 1.0), monotone=signs.get(c.encoding.name, 0)) for c in columns
        ]
    if signs:
        for column in columns:
            _check_monotone(column, recipe)
    feature_sets = recipe.feature_sets
    if feature_sets:
        _check_known("interactions", [name for members in feature_sets for name in members], names)
        own_sets = sets_of_features(feature_sets, [column.encoding.name for column in columns])
        columns = [replace(column, sets=own) for column, own in zip(columns, own_sets, strict=True)]
    if recipe.missing in MISSING_AS_CATEGORY:
        columns = [_with_missing_as_category(column) for column in columns]
    if recipe.merge_level is not None:
        columns = [replace(column, merge_level=recipe.merge_level) for column in columns]
        _refuse_long_merging(columns)
    if not columns:
        raise InputError(
            message("The settings leave out numeric features, and the table has no others: use thresholds or bins.")
        )
    if recipe.score == "gain_ratio" and any(column.test == EACH_VALUE for column in columns):
        n_values = [int(column.in_training[: column.missing_code].sum()) for column in columns]
        many = have_many_values(np.array(n_values), np.array([column.test for column in columns]), size)
        columns = [replace(c, has_many_values=True) if flag else c for c, flag in zip(columns, many, strict=True)]
    return columns


def have_many_values(n_values: NDArray[Any], tests: NDArray[Any], size: float) -> NDArray[np.bool_]:
    """Which features are left out of the mean gain, from the values in their training rows and their tests, [F] each.

    Those with a branch for each of at least 0.3·size values, unless all features are such (C4.5, release 8).

    >>> have_many_values(np.array([3, 5]), np.array([EACH_VALUE, EACH_VALUE]), 14).tolist()
    [False, True]
    """
    many = (tests == EACH_VALUE) & (n_values >= MANY_VALUES * size * (1.0 - TIE))
    return many & (not many.all())


def empty_columns(columns: Sequence[TrainingColumn]) -> frozenset[int]:
    """The positions of the columns without any value, which do not count as features that are left."""
    return frozenset(position for position, column in enumerate(columns) if column.is_empty)


def _feature_costs(names: Collection[str], recipe: Recipe) -> dict[Value, float]:
    """The named costs; InputError for a column that the table does not have."""
    costs = recipe.cost_per_feature
    _check_known("feature_costs", costs, names)
    return costs


def _check_known(field: str, named: Collection[Value], names: Collection[str]) -> None:
    """InputError where a field of the recipe names a column that the table does not have."""
    unknown = [name for name in named if name not in names]
    if unknown:
        raise InputError(
            message(
                "{field} names {name!r}, which is not a column of the table: correct the name.",
                field=field,
                name=unknown[0],
            )
        )


def _monotone_signs(data: Heading, names: Collection[str], recipe: Recipe) -> dict[str, int]:
    """The constrained features; InputError where the table or its target can have no constraint."""
    signs = recipe.monotone_signs
    _check_known("monotone", signs, names)
    if signs and not data.is_regression and len(data.classes) != 2:
        raise InputError(
            message(
                "Monotone constraints need a numeric target or two classes, but '{target}' has {count} classes: remove "
                "them, or group the classes into two.",
                target=data.target.name,
                count=len(data.classes),
            )
        )
    return signs


def _check_monotone(column: TrainingColumn, recipe: Recipe) -> None:
    """InputError for a column whose tests cannot keep monotone constraints."""
    encoding = column.encoding
    if column.monotone and encoding.kind != "numeric":
        raise InputError(
            message(
                "Column '{column}' is categorical, so predictions cannot rise or fall with it: remove its monotone "
                "constraint, or make it numeric.",
                column=encoding.name,
            )
        )
    if column.test == EACH_VALUE:
        raise InputError(
            message(
                "Monotone constraints need splits into two branches, but '{column}' has a branch for each value: split "
                "numbers at thresholds and categories by subset or one against the rest.",
                column=encoding.name,
            )
        )
    if column.lacks_values and recipe.missing not in KEEPS_MONOTONE:
        raise InputError(
            message(
                "Column '{column}' has missing values, and rows without a value join the branches only after the "
                "split is chosen, so that monotone constraints could break: choose missing 'most_common' or 'drop'.",
                column=encoding.name,
            )
        )


def _column(feature: Feature, codes: NDArray[np.int32], data: Dataset, recipe: Recipe) -> TrainingColumn | None:
    if feature.kind == "numeric" and recipe.numeric == "bins":
        return _binned(feature, codes, data, recipe.bins)
    return plain_column(feature, codes, recipe)


def plain_column(feature: Feature, codes: NDArray[np.int32], recipe: Recipe) -> TrainingColumn | None:
    """A column with the codes of its feature, for any recipe but one that divides numbers into bins."""
    if feature.kind == "categorical":
        encoding = FeatureEncoding(feature.name, feature.kind, recipe.categorical, labels=feature.categories)
        _refuse_too_many(encoding)
        return TrainingColumn(encoding, codes, feature.n_values, np.empty(0))
    if isinstance(feature.scale, Ordered) and recipe.numeric in ("leave_out", "each_value"):
        labels = tuple(map(feature.scale.level, feature.values.tolist()))
        test = "each_value" if recipe.numeric == "each_value" else recipe.categorical
        return TrainingColumn(
            FeatureEncoding(feature.name, "categorical", test, labels),
            codes,
            len(labels),
            np.empty(0),
            is_ordered=True,
        )
    if recipe.numeric == "leave_out":
        return None
    if recipe.numeric == "each_value":
        labels = tuple(int(value) if value.is_integer() else value for value in feature.values.tolist())
        encoding = FeatureEncoding(feature.name, feature.kind, "each_value", labels=labels)
        _refuse_too_many(encoding)
        return TrainingColumn(encoding, codes, feature.n_values, np.empty(0), is_ordered=True)
    values = feature.listed
    if recipe.threshold_at == "c45":
        values = _floor_to_present(np.asarray(values), codes)
    encoding = FeatureEncoding(feature.name, feature.kind, "threshold", scale=feature.scale)
    return TrainingColumn(encoding, codes, feature.n_values, values)


def _with_missing_as_category(column: TrainingColumn) -> TrainingColumn:
    """The column with its missing cells as one more category, the last one; a threshold needs none."""
    if column.test == THRESHOLD or not column.lacks_values:
        return column
    encoding = replace(column.encoding, labels=(*column.encoding.labels, None))
    seen = None if column.seen is None else np.append(column.seen, False)
    return replace(column, encoding=encoding, n_values=column.n_values + 1, seen=seen)


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


def _refuse_long_merging(columns: Sequence[TrainingColumn]) -> None:
    """InputError for a column of which too many pairs of values would be compared."""
    for column in columns:
        if column.merges and column.n_values > MOST_MERGED:
            raise InputError(
                message(
                    "Column '{column}' has {values:,} values, but at most {most:,} are merged: leave the column out, "
                    "group its values, or leave merge_level out.",
                    column=column.encoding.name,
                    values=column.n_values,
                    most=MOST_MERGED,
                )
            )


def _floor_to_present(values: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Each value lowered to the largest one that a training row has: thresholds then lie on training values."""
    present = np.zeros(len(values) + 1, dtype=bool)
    present[codes] = True
    positions = np.maximum.accumulate(np.where(present[:-1], np.arange(len(values)), 0))
    return values[positions]


def _binned(feature: Feature, codes: NDArray[np.int32], data: Dataset, bins: int) -> TrainingColumn:
    """Equal-frequency bins, x ≤ edge, made once from the training values; each of them has training rows."""
    weighted = np.bincount(codes, weights=data.weight_of_rows(), minlength=feature.n_values + 1).astype(np.float64)
    present = np.flatnonzero(weighted[: feature.n_values])
    values, n_rows = feature.values[present], int((codes < feature.n_values).sum())
    edges = bin_edges(values, weighted[present], bins, n_rows)
    bin_of_value = np.searchsorted(edges, feature.values, side="left")
    recode = np.append(bin_of_value, len(edges) + 1).astype(np.int32)
    return binned_column(feature, recode[codes], edges)


def binned_column(feature: Feature, codes: NDArray[np.int32], edges: NDArray[np.float64]) -> TrainingColumn:
    """A numeric column whose codes [n] are bins, x ≤ edge."""
    encoding = FeatureEncoding(
        name=feature.name,
        kind=feature.kind,
        test="bins",
        labels=interval_labels(edges, feature.scale),
        edges=tuple(edges.tolist()),
        scale=feature.scale,
    )
    return TrainingColumn(encoding, codes, len(edges) + 1, np.empty(0), is_ordered=True)


def bin_edges(values: NDArray[np.float64], weights: NDArray[np.float64], bins: int, n_rows: int) -> NDArray[np.float64]:
    """The inner edges of equal-frequency bins of ascending values with these weights, [v] both; `quantiles` of them."""
    return _edges_between(values, quantiles(values, weights, np.arange(1, bins) / bins, n_rows))


def _edges_between(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The edges with values on both sides, and of those that divide the values alike the first.

    >>> _edges_between(np.array([0.0, 1.0, 3.0]), np.array([0.0, 0.5, 2.0, 3.0]))
    array([0., 2.])
    """
    n_below = np.searchsorted(values, edges, side="right")
    _, first = np.unique(n_below, return_index=True)
    kept = first[(n_below[first] > 0) & (n_below[first] < len(values))]
    return np.array([_as_decimal(values[n_below[i] - 1], edges[i], values[n_below[i]]) for i in kept])


def _as_decimal(below: float, edge: float, above: float) -> float:
    """An edge without the rounding of its two neighbouring values, where it still lies between them."""
    short = float(decimal_near(edge, max(abs(below), abs(above))))
    return short if below <= short < above else float(edge)


def quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], shares: NDArray[np.float64], n_rows: int | None = None
) -> NDArray[np.float64]:
    """Quantiles of weighted ascending values [v] (DEFINITIONS section 5, bins): `np.quantile` of repeated rows.

    The rows lie side by side, each as wide as its weight. With δ the width of one row (1, or the mean weight of the
    `n_rows` rows if that is less), the quantile of a share q is the mean of the values from q·(W − δ) to q·(W − δ) + δ;
    those of 0 and 1 are the extremes. `n_rows` None stands for a row per value. Without values there are no quantiles.

    >>> quantiles(np.array([1.0, 2.0]), np.array([2.0, 2.0]), np.array([0.5]))
    array([1.5])
    >>> quantiles(np.array([1.0, 2.0, 4.0]), np.array([1.0, 0.5, 1.5]), np.array([0.5]))  # (0.5·2 + 0.5·4)/1
    array([3.])
    """
    if not len(values):
        return np.empty(0)
    ends = np.cumsum(weights)
    width = min(1.0, ends[-1] / (n_rows or np.count_nonzero(weights)))
    starts = _at_ends(np.maximum(shares * (ends[-1] - width), 0.0), ends)
    first = np.searchsorted(ends, starts, side="right")
    last = np.searchsorted(ends, _at_ends(np.minimum(starts + width, ends[-1]), ends), side="left")
    windows = zip(starts.tolist(), first.tolist(), last.tolist(), strict=True)
    inside = np.array([_mean_between(values, ends, width, *window) for window in windows])
    return np.where(shares <= 0, values[0], np.where(shares >= 1, values[-1], inside))


def _at_ends(positions: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """The positions, those that miss an end by the rounding of weights put on it."""
    above = np.searchsorted(ends, positions).clip(max=len(ends) - 1)
    below = (above - 1).clip(min=0)
    nearest = np.where(positions - ends[below] < ends[above] - positions, ends[below], ends[above])
    return np.where(np.abs(positions - nearest) <= TIE * ends[-1], nearest, positions)


def _mean_between(
    values: NDArray[np.float64], ends: NDArray[np.float64], width: float, start: float, first: int, last: int
) -> float:
    """The mean of the values from `start` on, over this width, which reaches from the first to the last of them."""
    low = float(values[first])
    if last <= first:
        return low
    if np.isinf(float(values[last]) - low):
        scale = scale_of(values)
        return _mean_between(values * scale, ends, width, start, first, last) / scale
    overlaps = np.minimum(ends[first + 1 : last + 1], start + width) - ends[first:last]
    if np.count_nonzero(overlaps) > 1:
        return low + float((values[first + 1 : last + 1] - low) @ overlaps) / width
    high, part = float(values[last]), (start - (float(ends[first]) - width)) / width
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def interval_labels(edges: NDArray[np.float64], scale: Scale = NUMBERS) -> tuple[str, ...]:
    """Bins in words, their ends as the scale writes them.

    >>> interval_labels(np.array([10.0, 20.0]))
    ('≤ 10', '10 < … ≤ 20', '> 20')
    >>> from explorer.data.codes.scale import Dates
    >>> interval_labels(np.array([30.5]), Dates("2023-01-01"))
    ('≤ 2023-01-31', '> 2023-01-31')
    >>> from explorer.data.codes.scale import Ordered
    >>> interval_labels(np.array([1.5, 2.5]), Ordered(["low", "medium", "high", "top"]))
    ('= low', '= medium', '> medium')
    """
    ends: list[float] = edges.tolist()
    if not ends:
        return (ANY_VALUE,)
    texts = [scale.text(end) for end in ends]
    middle = [f"{low} < … ≤ {high}" for low, high in pairwise(texts)]
    words = (f"≤ {texts[0]}", *middle, f"> {texts[-1]}")
    levels = [scale.only_level(low, high) for low, high in pairwise([-np.inf, *ends, np.inf])]
    return tuple(f"= {level}" if level else word for level, word in zip(levels, words, strict=True))
