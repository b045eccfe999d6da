"""Greedy growth beside the best trees of the same sizes, on the rows they learned from and on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.messages import message
from explorer.optimal.best_subtree import BestSubtree, best_subtree
from explorer.recipe.class_weights import cost_matrix, importance_of
from explorer.recipe.complete_rows import complete_rows
from explorer.recipe.recipe import CART, Recipe
from explorer.tree.tree import Tree

MOST_LEAVES = 8
"""Sizes that are compared: from 2 leaves to as many as the depth allows, at most so many."""


@dataclass(frozen=True, eq=False)
class SizePair:
    """Both trees of at most so many leaves, and their losses per weight of row.

    `greedy_held_out` and `held_out` are those on held-out rows, None without any; `difference` is the second less the
    first with its standard error, by rows that both trees predict.
    """

    leaves: int
    best: BestSubtree
    greedy_loss: float
    loss: float
    lower_bound: float
    greedy_held_out: float | None
    held_out: float | None
    difference: tuple[float, float] | None

    @property
    def is_better_on_held_out(self) -> bool:
        """Whether the best tree loses less on held-out rows by more than two standard errors."""
        return self.difference is not None and self.difference[0] < -2.0 * self.difference[1]


@dataclass(frozen=True, eq=False)
class GreedyAndOptimal:
    """A pair of trees for every size, within one depth; `n_rows` and `n_held_out` have a value in every cell."""

    depth: int
    n_rows: int
    n_held_out: int
    pairs: tuple[SizePair, ...]


def greedy_and_optimal(
    train: Dataset,
    depth: int,
    recipe: Recipe = CART,
    held_out: Dataset | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> GreedyAndOptimal:
    """Grow greedily, and search for the best tree, for every number of leaves within a depth.

    Rows with missing cells are left out of all. `seconds` are for each search. `progress(sizes done, sizes)` may raise
    `Stopped`. Raises InputError for what `best_subtree` does not cover.

    >>> from explorer import Dataset, load_sample
    >>> data = Dataset.from_frame(load_sample("xor_six_rows").frame, "class")
    >>> [(pair.leaves, round(pair.greedy_loss, 2), round(pair.loss, 2)) for pair in greedy_and_optimal(data, 2).pairs]
    [(2, 0.33, 0.33), (3, 0.17, 0.17), (4, 0.17, 0.0)]
    """
    recipe, sizes = recipe.replace(missing="drop"), range(2, min(2**depth, MOST_LEAVES) + 1)
    rows = train.take(complete_rows(train, recipe))
    apart = None if held_out is None else held_out.take(complete_rows(held_out, recipe))
    pairs = list[SizePair]()
    for done, leaves in enumerate(sizes):
        if progress is not None:
            progress(done, len(sizes))
        pairs.append(_pair(best_subtree(rows, depth, recipe, leaves, seconds=seconds), leaves, rows, apart))
    return GreedyAndOptimal(depth, rows.n_rows, 0 if apart is None else apart.n_rows, tuple(pairs))


def _pair(best: BestSubtree, leaves: int, rows: Dataset, apart: Dataset | None) -> SizePair:
    weight = float(rows.weight_of_rows().sum())
    held_out: tuple[float | None, float | None] = (None, None)
    difference = None
    if apart is not None and apart.n_rows > 1:
        weights = apart.weight_of_rows() / apart.weight_of_rows().sum()
        greedy, own = (_losses(tree, apart) for tree in (best.greedy, best.tree))
        held_out = float(weights @ greedy), float(weights @ own)
        apart_by = own - greedy
        mean = float(weights @ apart_by)
        spread = float(weights @ (apart_by - mean) ** 2)
        difference = mean, math.sqrt(spread / max(apart.n_rows - 1, 1))
    return SizePair(
        leaves=leaves,
        best=best,
        greedy_loss=best.greedy_loss / weight,
        loss=best.loss / weight,
        lower_bound=best.lower_bound / weight,
        greedy_held_out=held_out[0],
        held_out=held_out[1],
        difference=difference,
    )


def _losses(tree: Tree, rows: Dataset) -> NDArray[np.float64]:
    """What each row loses, [n]: 1 or a cost where its class is another, or the squared error.

    Class weights count as in the search, in proportion, so that all rows weigh together what they weigh without.
    """
    predicted = tree.predict(rows)
    if tree.is_regression:
        return np.asarray((predicted.astype(np.float64) - rows.y) ** 2)
    codes = np.array([tree.classes.index(value) for value in predicted.tolist()])
    costs = cost_matrix(tree.recipe.cost_pairs or (), tree.classes)
    true = [tree.classes.index(rows.classes[code]) if rows.classes[code] in tree.classes else -1 for code in rows.y]
    losses = np.array([costs[t, p] if t >= 0 else 1.0 for t, p in zip(true, codes.tolist(), strict=True)])
    if tree.recipe.class_pairs is None:
        return losses
    weights, factors = rows.weight_of_rows(), importance_of(tree.recipe.class_pairs, None, rows)[rows.y]
    return losses * factors * (weights.sum() / (weights @ factors))


def held_out_sentence(pair: SizePair, n_held_out: int, is_share: bool) -> str:
    """Whether the best tree of a size is better on rows that it has not seen; two standard errors decide.

    Shares of misclassified rows are told in percentage points.
    """
    if pair.difference is None:
        return message("No held-out rows say whether the best tree is better on new rows.")
    if pair.difference == (0.0, 0.0):
        return message("On {rows:,} held-out rows both trees predict alike.", rows=n_held_out)
    mean, error = (
        (f"{100.0 * value:.1f}" if is_share else f"{value:.2f}").replace("-", "−") for value in pair.difference
    )
    unit = message("percentage points") if is_share else ""
    fields = {"rows": n_held_out, "difference": mean, "error": error, "unit": unit}
    if pair.is_better_on_held_out:
        return message(
            "On {rows:,} held-out rows the best tree loses less too: {difference} ± {error} {unit} (± one standard "
            "error).",
            **fields,
        )
    return message(
        "On {rows:,} held-out rows the best tree is **not clearly better**: it loses {difference} ± {error} {unit} "
        "against greedy growth (± one standard error).",
        **fields,
    )
