"""Two trees on the same rows: who predicts what, and on which rows they agree (DEFINITIONS section 11)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.comparison.first_difference import Rows, check_pair
from explorer.recipe.columns import quantiles
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree
from explorer.values import Value

QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Predictions of two trees: `counts` [K, K] is the weight of rows by the prediction of a (rows) and b (columns).

    `predictions_a`, `predictions_b` and `truth` [n] are class codes; `differ` are the positions of the rows with two
    different predictions.
    """

    classes: tuple[Value, ...]
    counts: NDArray[np.float64] = field(repr=False)
    share: float
    predictions_a: NDArray[np.intp] = field(repr=False)
    predictions_b: NDArray[np.intp] = field(repr=False)
    truth: NDArray[np.intp] = field(repr=False)
    differ: Rows = field(repr=False)

    def right(self, rows: Rows) -> tuple[int, int, int]:
        """Of some rows: how many only a predicts right, only b, and neither."""
        own, other = self.predictions_a[rows] == self.truth[rows], self.predictions_b[rows] == self.truth[rows]
        return int((own & ~other).sum()), int((other & ~own).sum()), int((~own & ~other).sum())

    @property
    def differing_cells(self) -> list[tuple[int, int]]:
        """The pairs of different predictions that some row has, the most frequent first."""
        cells = [(int(i), int(j)) for i, j in np.argwhere(self.counts > 0) if i != j]
        return sorted(cells, key=lambda cell: -self.counts[cell])

    def rows(self, prediction_a: int, prediction_b: int) -> Rows:
        """Positions of the rows with these predictions of a and b (class codes)."""
        return np.flatnonzero((self.predictions_a == prediction_a) & (self.predictions_b == prediction_b))


@dataclass(frozen=True, eq=False)
class PredictionDifferences:
    """How far the predictions of two regression trees differ: `differences` [n] are those of b minus those of a.

    `quantiles` are those of the differences at `QUANTILES`, by weight; `differ` are the positions of the rows with
    different predictions, the largest difference first. `typical` is the median size of the differences, `far` the size
    that a tenth of the rows exceeds, both in the target's unit.
    """

    share: float
    predictions_a: NDArray[np.float64] = field(repr=False)
    predictions_b: NDArray[np.float64] = field(repr=False)
    truth: NDArray[np.float64] = field(repr=False)
    differences: NDArray[np.float64] = field(repr=False)
    quantiles: NDArray[np.float64] = field(repr=False)
    differ: Rows = field(repr=False)
    typical: float
    far: float


def agreement(tree_a: Tree, tree_b: Tree, data: Dataset) -> Agreement | PredictionDifferences:
    """On which rows two trees make the same prediction; `share` is the weight of those among all.

    Raises InputError for trees with different targets, or rows with another kind of target.

    >>> from explorer import CART, ID3, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> stump = grow(data, ID3.replace(max_depth=1))
    >>> compared = agreement(grow(data, ID3), stump, data)
    >>> compared.classes, compared.counts.tolist(), len(compared.differ)
    (('No', 'Yes'), [[3.0, 2.0], [2.0, 7.0]], 4)
    """
    check_pair(tree_a, tree_b)
    truth, weights = targets_of(tree_a, data)
    predictions = tree_a.predict_encoded(data), tree_b.predict_encoded(data)
    if tree_a.is_regression:
        return _prediction_differences(predictions[0], predictions[1], truth, weights)
    n_classes = len(tree_a.classes)
    cells = predictions[0].astype(np.intp) * n_classes + predictions[1]
    counts = np.bincount(cells, weights=weights, minlength=n_classes**2).reshape(n_classes, n_classes)
    return Agreement(
        classes=tree_a.classes,
        counts=counts.astype(np.float64),
        share=float(np.trace(counts) / counts.sum()),
        predictions_a=predictions[0].astype(np.intp),
        predictions_b=predictions[1].astype(np.intp),
        truth=truth.astype(np.intp),
        differ=np.flatnonzero(predictions[0] != predictions[1]),
    )


def _prediction_differences(
    predictions_a: NDArray[np.float64],
    predictions_b: NDArray[np.float64],
    truth: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> PredictionDifferences:
    differences = predictions_b - predictions_a
    is_other = np.abs(differences) > 1e-9 * np.maximum(np.abs(predictions_a), np.abs(predictions_b))
    order = np.argsort(differences, kind="stable")
    largest_first = np.argsort(-np.abs(differences), kind="stable")
    smallest_first = largest_first[::-1]
    typical, far = quantiles(np.abs(differences)[smallest_first], weights[smallest_first], np.array([0.5, 0.9]))
    return PredictionDifferences(
        share=float(weights[~is_other].sum() / weights.sum()),
        predictions_a=predictions_a,
        predictions_b=predictions_b,
        truth=truth,
        differences=differences,
        quantiles=quantiles(differences[order], weights[order], np.array(QUANTILES)),
        differ=largest_first[is_other[largest_first]],
        typical=float(typical),
        far=float(far),
    )
