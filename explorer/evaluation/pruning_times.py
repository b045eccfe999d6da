"""What trees cost that are pruned while they grow, or afterwards: the time to grow and the time to predict."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from explorer.data.dataset import Dataset
from explorer.growing.grow import grow
from explorer.pruning.reduced_error import reduced_error_prune
from explorer.recipe.recipe import Recipe
from explorer.tree.metrics import score
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class PruningTime:
    """A tree, its score on the validation rows, and the seconds to grow it, pruning included, and to predict them."""

    tree: Tree
    score: float
    grow: float
    predict: float


def pruning_times(
    train: Dataset, valid: Dataset, recipe: Recipe, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> dict[str, PruningTime]:
    """The tree "unpruned", "pre"-pruned, and "post"-pruned by reduced error from the bottom up, on the same rows.

    Times are the shortest of `runs`, which are taken in turn, so that the load of the machine falls on all alike.
    """
    full = recipe.replace(prepruning=False)
    ways: dict[str, Callable[[], Tree]] = {
        "unpruned": lambda: grow(train, full),
        "pre": lambda: grow(train, full.replace(prepruning=True), validation=valid),
        "post": lambda: reduced_error_prune(grow(train, full), valid, order="bottom_up"),
    }
    trees = {name: make() for name, make in ways.items()}
    growing, predicting = ({name: float("inf") for name in ways} for _ in range(2))
    for _ in range(runs):
        for name, make in ways.items():
            begun = clock()
            make()
            grown = clock()
            trees[name].predict_encoded(valid)
            growing[name] = min(growing[name], grown - begun)
            predicting[name] = min(predicting[name], clock() - grown)
    return {
        name: PruningTime(tree, score(tree, valid), growing[name], predicting[name]) for name, tree in trees.items()
    }
