"""Feature importance: by decrease of impurity, or by the loss when a column is shuffled (DEFINITIONS section 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.evaluation.shuffled_columns import ShuffledColumns
from explorer.messages import message
from explorer.pruning.cost_complexity.risk import node_total_impurity
from explorer.ranges import deviation, is_whole
from explorer.recipe.class_weights import Floats
from explorer.recipe.impurity import NEGLIGIBLE
from explorer.threads import WORTH_A_THREAD, side_by_side
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree


def importance(tree: Tree) -> dict[str, float]:
    """Share of each feature in the total decrease of impurity by the tree's splits, weighted by their nodes' rows.

    The shares add up to 1, or are all 0 in a tree that is a single leaf. Breiman et al. (1984), section 5.3.4; the same
    as scikit-learn's `feature_importances_` on the same tree.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> {name: round(share, 3) for name, share in importance(grow(tennis, ID3)).items()}
    {'Outlook': 0.262, 'Temperature': 0.0, 'Humidity': 0.369, 'Wind': 0.369}
    """
    by_feature = decreases(tree)
    shares = by_feature / (by_feature.sum() or 1.0)
    return {encoding.name: float(share) for encoding, share in zip(tree.features, shares, strict=True)}


def decreases(tree: Tree) -> Floats:
    """The decrease of impurity by all splits on each feature, weighted by their nodes' rows, [F]."""
    total = node_total_impurity(tree)
    below = np.bincount(tree.parent[1:], total[1:], minlength=tree.n_nodes_grown)
    inner = np.flatnonzero(tree.is_inner)
    decrease = total[inner] - below[inner]
    decrease = np.where(decrease > NEGLIGIBLE * total[inner], decrease, 0.0)
    return np.bincount(tree.feature[inner], decrease, minlength=len(tree.features)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class PermutationImportance:
    """The added loss when a feature's column is shuffled, per repeat [repeats]: error rate, or mean squared error."""

    losses: Floats = field(repr=False)

    @property
    def mean(self) -> float:
        """The mean loss; below 0 where the feature misleads."""
        return float(self.losses.mean())

    @property
    def standard_deviation(self) -> float:
        """Standard deviation over the repeats."""
        return float(deviation(self.losses))


def permutation_importance(
    tree: Tree,
    data: Dataset,
    repeats: int = 10,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, PermutationImportance]:
    """The added loss on `data` when one column is shuffled among the rows, for each feature.

    The loss is the error rate, or the mean squared error for numeric targets. A feature that the tree uses neither in a
    test nor in a surrogate has exactly 0. Breiman (2001). `progress(features done, features in all)` may raise
    `Stopped`. Raises InputError for less than one repeat, or rows that do not go together with the tree.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> importances = permutation_importance(grow(tennis, ID3), tennis, repeats=3)
    >>> importances["Temperature"].mean, importances["Outlook"].mean > 0
    (0.0, True)
    """
    if not is_whole(repeats, 1):
        raise InputError(
            message("A column cannot be shuffled {repeats!r} times: give a whole number from 1 on.", repeats=repeats)
        )
    generator, shuffled = np.random.default_rng(seed), ShuffledColumns(tree, data)
    importances: dict[str, PermutationImportance] = {}
    targets, weights = targets_of(tree, data)

    def loss(predictions: NDArray[Any]) -> float:
        """Error rate, or mean squared error."""
        if tree.is_regression:
            return float(np.average((predictions - targets) ** 2, weights=weights))
        return 1.0 - float(np.average(predictions == targets, weights=weights))

    def loss_of(shuffle: tuple[int, NDArray[np.intp]]) -> float:
        return loss(shuffled.predictions(*shuffle))

    shuffles = (
        (position, generator.permutation(data.n_rows)) for position in tree.tested_features() for _ in range(repeats)
    )

    def report(done: int = 0) -> None:
        if progress is not None:
            progress(done, len(tree.features))

    is_small = data.codes.size < WORTH_A_THREAD
    losses = map(loss_of, shuffles) if is_small else side_by_side(loss_of, shuffles, lambda: report(len(importances)))
    base = loss(shuffled.predictions())
    for position, encoding in enumerate(tree.features):
        of_feature = np.zeros(repeats)
        if position in shuffled.tested:
            of_feature = np.array(list(islice(losses, repeats))) - base
        importances[encoding.name] = PermutationImportance(of_feature)
        report(position + 1)
    return importances
