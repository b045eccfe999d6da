"""How much each column of a second table differs from the training rows: PSI over bins, KS, medians, missing cells.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from explorer.data.cells import distinct_cells, positions_of
from explorer.data.codes.feature import Feature
from explorer.data.dataset import Dataset
from explorer.data.source_column import SourceColumn
from explorer.errors import InputError
from explorer.evaluation.drift import LEVEL, p_values_of_branches, psi_terms, with_half_rows
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.recipe.columns import FeatureEncoding, quantiles
from explorer.tree.routing import numbers_in_tree
from explorer.values import Value

DECILES = np.arange(1, 10) / 10
"""Numbers are compared over ten bins, each with a tenth of the rows of the first table (Siddiqi 2006)."""


@dataclass(frozen=True, eq=False)
class ColumnDrift:
    """One column: its `psi` over bins or categories, and what is typical of the first table and of the second.

    Of a number `before` and `now` are the medians, and `ks` is the largest difference of the distribution functions. Of
    categories they are the shares of `category`, whose share changed most (None where it is that of unseen values), and
    `ks` is NaN. `missing` are the shares of missing cells. None and NaN without a known cell.
    """

    feature: Feature
    psi: float
    before: Value | None
    now: Value | None
    missing: tuple[float, float]
    ks: float = np.nan
    category: Value | None = None
    p_value: float = np.nan
    is_marked: bool = False
    """Whether the tables differ beyond chance: p ≤ 0.05 divided by how many columns were tested."""


def column_drift(before: Dataset, now: pd.DataFrame) -> list[ColumnDrift]:
    """Compare the features that both tables have, the largest PSI first; rows of `before` count by their weights.

    Raises InputError for a table without rows.

    >>> from explorer import load_sample
    >>> days = load_sample("play_tennis").frame
    >>> overcast = pd.concat([days, pd.DataFrame([days.iloc[2]] * 27)])    # 4 of 14 days, then 31 of 41
    >>> first, *_ = column_drift(Dataset.from_frame(days, "PlayTennis"), overcast)
    >>> first.feature.name, first.category, round(first.before, 3), round(first.now, 3), round(first.psi, 3)
    ('Outlook', 'Overcast', 0.286, 0.756, 0.963)
    """
    if not before.n_rows or not len(now):
        raise InputError(message("The table has no rows. Load one with at least one row under the header."))
    weights = before.weight_of_rows()
    pairs = zip(before.features, before.codes, strict=True)
    compared = [
        _compared(
            feature, np.bincount(codes, weights, feature.n_values + 1).astype(np.float64), now[feature.name], weights
        )
        for feature, codes in pairs
        if feature.name in now.columns
    ]
    n_tested = sum(np.isfinite(each.p_value) for each in compared)
    marked = [replace(each, is_marked=bool(each.p_value * n_tested <= LEVEL)) for each in compared]
    return sorted(marked, key=lambda each: -each.psi)


def _compared(feature: Feature, amounts: Floats, column: pd.Series, weights: Floats) -> ColumnDrift:
    """One column; `amounts` [v + 1] is the weight of each value in the first table, missing cells last."""
    of_kind = _numbers if feature.kind == "numeric" else _categories
    drift, bins = of_kind(feature, amounts, column, len(weights))
    totals = bins.sum(axis=0)
    smoothed = with_half_rows(bins, [float(weights.mean()), 1.0])
    n_rows = np.array([[totals[0] ** 2 / (weights**2).sum(), totals[1]]])
    p_value = p_values_of_branches(bins / totals * n_rows, np.zeros(len(bins), dtype=np.intp), n_rows)[0]
    psi = float(psi_terms(smoothed / smoothed.sum(axis=0)).sum())
    missing = (float(bins[-1, 0] / totals[0]), float(bins[-1, 1] / totals[1]))
    return replace(drift, psi=psi, missing=missing, p_value=float(p_value))


def _numbers(feature: Feature, amounts: Floats, column: pd.Series, n_rows: int) -> tuple[ColumnDrift, Floats]:
    """Medians and KS, and both tables' weights in bins [b, 2]: by deciles, unknown levels, missing cells."""
    frame, encoding = column.to_frame(feature.name), FeatureEncoding(feature.name, "numeric", "threshold")
    numbers = numbers_in_tree(replace(encoding, scale=feature.scale), frame, None)
    known, values, own = numbers[np.isfinite(numbers)], feature.values, amounts[:-1]
    has_rows = own > 0
    values, own = values[has_rows], own[has_rows]
    edges = np.unique(quantiles(values, own, DECILES, n_rows))
    bins = np.zeros((len(edges) + 3, 2))
    bins[:-2, 0] = np.bincount(np.searchsorted(edges, values), own, len(edges) + 1)
    bins[:-2, 1] = np.bincount(np.searchsorted(edges, known), minlength=len(edges) + 1)
    bins[-2, 1], bins[-1] = np.isinf(numbers).sum(), (amounts[-1], np.isnan(numbers).sum())
    drift = ColumnDrift(feature, 0.0, None, None, (0.0, 0.0))
    if not len(known) or not len(values):
        return drift, bins
    points, positions = np.unique(known, return_inverse=True)
    counts = np.bincount(positions).astype(np.float64)
    ks = _largest_gap(values, own, points, counts)
    medians = (_median(feature, values, own), _median(feature, points, counts))
    return replace(drift, before=medians[0], now=medians[1], ks=ks), bins


def _categories(feature: Feature, amounts: Floats, column: pd.Series, _: int) -> tuple[ColumnDrift, Floats]:
    """The category whose share of the known cells changed most, and both weights of each [b, 2], unseen, missing."""
    codes, found = distinct_cells(SourceColumn(column), feature.categories)
    n, position = feature.n_values, positions_of(feature.categories)
    own = [n if (code := position(value)) is None else code for value in found]
    now = np.bincount(np.array([*own, n + 1])[codes], minlength=n + 2)
    bins = np.stack([np.insert(amounts, n, 0.0), now], axis=1).astype(np.float64)
    drift, known = ColumnDrift(feature, 0.0, None, None, (0.0, 0.0)), bins[:-1].sum(axis=0)
    if not known.all():
        return drift, bins
    shares = bins[:-1] / known
    most = int(np.argmax(np.abs(shares[:, 1] - shares[:, 0])))
    category = feature.categories[most] if most < n else None
    return replace(drift, category=category, before=float(shares[most, 0]), now=float(shares[most, 1])), bins


def _median(feature: Feature, values: Floats, amounts: Floats) -> Value:
    """The first value with half the weight at or below it, as cells have it."""
    ends = np.cumsum(amounts)
    number = float(values[np.searchsorted(ends, (0.5 - 1e-12) * ends[-1])])
    return feature.as_cell(number)


def _largest_gap(values: Floats, own: Floats, points: Floats, counts: Floats) -> float:
    """The largest difference of two distribution functions, each given by ascending values and their weights."""
    both = np.concatenate([values, points])
    steps = np.concatenate([own / own.sum(), -counts / counts.sum()])
    order = np.argsort(both, kind="stable")
    is_last = np.append(np.diff(both[order]) > 0, True)
    return float(np.abs(np.cumsum(steps[order])[is_last]).max())
