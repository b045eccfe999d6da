"""Feature importance: by decrease of impurity, or by the loss when a column is shuffled (DEFINITIONS section 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset, FrameRows
from explorer.errors import InputError
from explorer.messages import message
from explorer.pruning.cost_complexity.risk import node_total_impurity
from explorer.recipe.class_weights import Floats
from explorer.recipe.impurity import NEGLIGIBLE
from explorer.tree.metrics import score
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
        return float(self.losses.std())


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
    if isinstance(repeats, bool) or not isinstance(repeats, (int, np.integer)) or repeats < 1:
        raise InputError(
            message("A column cannot be shuffled {repeats!r} times: give a whole number from 1 on.", repeats=repeats)
        )
    generator, used = np.random.default_rng(seed), features_used(tree)
    base, importances = _loss(tree, data), {}
    for done, encoding in enumerate(tree.features, 1):
        losses = np.zeros(repeats)
        if encoding.name in used:
            orders = (generator.permutation(data.n_rows) for _ in range(repeats))
            losses = np.array([_loss(tree, shuffled(data, encoding.name, order)) for order in orders]) - base
        importances[encoding.name] = PermutationImportance(losses)
        if progress is not None:
            progress(done, len(tree.features))
    return importances


def _loss(tree: Tree, data: Dataset) -> float:
    """Error rate, or mean squared error."""
    value = score(tree, data)
    return value if tree.is_regression else 1.0 - value


def features_used(tree: Tree) -> set[str]:
    """Names of the features that the splits of the (pruned) tree or their surrogates test."""
    inner = np.flatnonzero(tree.is_inner)
    columns = set(tree.feature[inner].tolist())
    if tree.surrogates is not None:
        owner = np.repeat(np.arange(tree.n_nodes_grown), np.diff(tree.surrogates.offset))
        columns |= set(tree.surrogates.feature[np.isin(owner, inner)].tolist())
    return {tree.features[column].name for column in columns}


def shuffled(data: Dataset, name: str, order: NDArray[np.intp]) -> Dataset:
    """The same rows, with the values of one column permuted by `order`."""
    cells = data.frame[name].iloc[order].set_axis(data.frame.index)
    codes = data.codes.copy()
    for column, feature in enumerate(data.features):
        if feature.name == name:
            codes[column] = data.codes[column, order]
    return replace(data, codes=codes, cells=FrameRows(data.frame.assign(**{name: cells})))
