"""The score of an ensemble on rows that it was not grown on, where no member left any out: by cross-validation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.dataset import Dataset
from explorer.ensembles.members import Ensemble
from explorer.evaluation.folds import folds_for


def cross_validated_score(
    data: Dataset,
    grow: Callable[[Dataset], Ensemble],
    folds: int | ArrayLike = 10,
    seed: int = 0,
    metric: str | None = None,
) -> float:
    """The score of whole ensembles on the rows of each fold, grown on those of the others; a mean by row weight.

    `folds` are their number, or that of every row; `metric` as in `Ensemble.staged_scores`, which has to be a mean over
    rows. Raises InputError.

    >>> from explorer import bagging, load_sample
    >>> from explorer.evaluation.folds import one_left_out
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> cross_validated_score(tennis, lambda rows: bagging(rows, n_estimators=1, bootstrap=False), one_left_out(tennis))
    0.5
    """
    scores, weights = list[float](), list[float]()
    for growing, held_out in folds_for(data, folds, seed).subsets():
        rows = data.take(held_out)
        scores.append(float(grow(data.take(growing)).staged_scores(rows, metric)[-1]))
        weights.append(float(rows.weight_of_rows().sum()))
    return float(np.average(scores, weights=weights))
