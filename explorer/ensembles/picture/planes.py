"""What can be drawn of an ensemble on one or two numeric features: its fit, its vote, its regions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.drawing.ensemble_view.records import Regions, Scatter, VoteLine
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from explorer.ranges import between, middles, widened
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]
MOST_INTERVALS, CELLS, MOST_CELLS = 400, 48, 1_500_000
"""Intervals of a staircase; cells along each side of a grid, fewer where all stages would have more than this many."""
_MARGIN = 0.04
"""How far a picture goes beyond the outermost rows, as a share of their range."""


def numeric_features(data: Dataset) -> list[str]:
    """The features, where all of them are numbers, no cell is missing, and an axis has a finite length; else none."""
    if any(feature.type != "numeric" for feature in data.features):
        return []
    with np.errstate(over="ignore"):
        if any(np.isinf(np.subtract(*_range(feature.values))) for feature in data.features):
            return []
    has_missing = any((row == feature.n_values).any() for feature, row in zip(data.features, data.codes, strict=True))
    return [] if has_missing else [feature.name for feature in data.features]


def numbers_of(data: Dataset, name: str) -> Floats:
    """The numbers of a feature, [n]."""
    position = [feature.name for feature in data.features].index(name)
    return np.asarray(data.features[position].values[data.codes[position]], dtype=np.float64)


def fit_on_line(ensemble: Ensemble, train: Dataset, shown: Positions) -> Scatter | None:
    """The fit of every stage on one numeric feature, beside what the next tree is grown on; None for other tables.

    Numbers, and two classes whose log-odds add up: there y is 0 or 1 and the fit the probability of the second class.
    """
    names = numeric_features(train)
    adds_up = not ensemble.combination.is_mean
    is_odds = adds_up and len(ensemble.classes) == 2 and ensemble.width == 1
    if len(names) != 1 or not (ensemble.is_regression or is_odds) or not ensemble.members:
        return None
    edges = intervals(ensemble, train, names[0])
    inside = pd.DataFrame({names[0]: middles(edges)})
    fitted = np.array([_numbers(ensemble, raw, stage) for stage, raw in enumerate(ensemble.staged_raw(inside))])
    firsts = {member.stage: member for member in reversed(ensemble.members)}
    answers = np.array([_on_gradients(firsts[stage].tree).predict_encoded(inside) for stage in sorted(firsts)])
    has_targets = all(member.target is not None for member in ensemble.members)
    targets = None
    if has_targets:
        grown_on = [np.asarray(firsts[stage].target)[shown] for stage in sorted(firsts)]
        targets = np.array([*grown_on, _residuals(ensemble, train, shown)])
    return Scatter(
        feature=names[0],
        target=ensemble.target,
        x=numbers_of(train, names[0])[shown],
        y=np.asarray(train.y, dtype=np.float64)[shown],
        edges=edges,
        fitted=fitted,
        targets=targets,
        answers=answers if has_targets else None,
        target_name=target_name(ensemble) if has_targets else "",
        rows=train.row_numbers[shown],
    )


def _on_gradients(tree: Tree) -> Tree:
    """The tree with the means of what it was grown on, before its leaves were given their values by the loss."""
    return replace(tree, predictions=None)


def target_name(ensemble: Ensemble) -> str:
    """What a member of an additive ensemble is grown on."""
    if ensemble.method == "newton_boosting" and not ensemble.is_regression:
        return "−g/h"
    squared = ensemble.is_regression and ensemble.options.get("loss", "squared_error") == "squared_error"
    return message("residual") if squared else message("negative gradient")


def _residuals(ensemble: Ensemble, train: Dataset, shown: Positions) -> Floats:
    """What is left after the last stage, where that is the residual; else unknown."""
    if not ensemble.is_regression or ensemble.options.get("loss", "squared_error") != "squared_error":
        return np.full(len(shown), np.nan)
    return np.asarray(train.y[shown] - ensemble.raw(train.take(shown))[:, 0])


def _numbers(ensemble: Ensemble, raw: Floats, stage: int) -> Floats:
    """The predicted number, or the probability of the last class, [n]."""
    return ensemble.from_raw(raw, stage)[:, -1]


def intervals(ensemble: Ensemble, train: Dataset, feature: str) -> Floats:
    """The ends of the intervals in which every member is constant; even ones where there are too many."""
    values = numbers_of(train, feature)
    low, high = _range(values)
    cuts = [member.tree.threshold[member.tree.is_inner] for member in ensemble.members]
    inside = np.unique(np.concatenate(cuts)) if cuts else np.empty(0)
    inside = inside[(inside > low) & (inside < high)]
    if len(inside) + 1 > MOST_INTERVALS:
        return between(low, high, np.linspace(0.0, 1.0, MOST_INTERVALS + 1))
    return np.array([low, *inside, high])


def _range(values: Floats) -> tuple[float, float]:
    return widened(float(np.nanmin(values)), float(np.nanmax(values)), _MARGIN)


def votes_on_line(ensemble: Ensemble, train: Dataset, shown: Positions) -> VoteLine | None:
    """The running vote on one numeric feature, for classes that members vote for; None for other ensembles."""
    names = numeric_features(train)
    if len(names) != 1 or ensemble.is_regression or not ensemble.combination.is_mean or not ensemble.members:
        return None
    edges = intervals(ensemble, train, names[0])
    inside = pd.DataFrame({names[0]: middles(edges)})
    votes = np.array([raw.T for raw in ensemble.staged_raw(inside)])
    return VoteLine(
        feature=names[0],
        x=numbers_of(train, names[0])[shown],
        classes_of_rows=np.asarray(train.y)[shown],
        edges=edges,
        votes=votes,
        answers=np.array([member.tree.predict_encoded(inside) for member in ensemble.members]),
    )


def regions_of(ensemble: Ensemble, train: Dataset, shown: Positions) -> Regions | None:
    """What every stage predicts over two numeric features; None for other tables."""
    names = numeric_features(train)
    if len(names) != 2 or not ensemble.members:
        return None
    across, up = names
    side = min(CELLS, int(np.sqrt(MOST_CELLS / (ensemble.n_stages + 1))))
    (x_low, x_high), (y_low, y_high) = _range(numbers_of(train, across)), _range(numbers_of(train, up))
    x, y = (between(*ends, (np.arange(side) + 0.5) / side) for ends in ((x_low, x_high), (y_low, y_high)))
    grid = pd.DataFrame({across: np.tile(x, side), up: np.repeat(y, side)})
    shares = [ensemble.from_raw(raw, stage) for stage, raw in enumerate(ensemble.staged_raw(grid))]
    codes, certainty, value_range = _cells(ensemble, shares)
    return Regions(
        x_feature=across,
        y_feature=up,
        x_range=(x_low, x_high),
        y_range=(y_low, y_high),
        n_x=side,
        n_y=side,
        codes=codes,
        x=numbers_of(train, across)[shown],
        y=numbers_of(train, up)[shown],
        values=np.asarray(train.y, dtype=np.float64)[shown],
        certainty=certainty,
        value_range=value_range,
        rows=train.row_numbers[shown],
    )


def _cells(
    ensemble: Ensemble, shares: list[Floats]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None, tuple[float, float] | None]:
    """Class codes with the share of that class, or numbers as 256 steps between the least and the largest."""
    if not ensemble.is_regression:
        codes = np.array([ensemble.encoded_from(of_stage) for of_stage in shares])
        largest = np.array([of_stage.max(axis=1) for of_stage in shares])
        return codes.astype(np.uint8), np.round(255 * np.clip(largest, 0, 1)).astype(np.uint8), None
    numbers = np.array([of_stage[:, 0] for of_stage in shares])
    low, high = float(numbers.min()), float(numbers.max())
    return np.round(255 * (numbers - low) / ((high - low) or 1.0)).astype(np.uint8), None, (low, high)
