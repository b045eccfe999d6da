"""The tree of a training set that grows leaf by leaf, its accuracies, and learning curves."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

import explorer as ex
from explorer.tree.metrics import score
from pages.results.cache import kept
from pages.results.lessons.trees import rows
from pages.settings.growing_options import RECIPES

TRAINING_SHARE = 0.667
SEED = 0


@dataclass(frozen=True, eq=False)
class GrowingSizes:
    """A tree and its splits in best-first order: those that lower the weighted impurity most come first.

    `order` are the nodes as they are split. `train` and `valid` are the accuracies with 1, 2, … leaves; `baseline` is
    that of the majority class on the validation set.
    """

    tree: ex.Tree
    order: tuple[int, ...]
    train: tuple[float, ...]
    valid: tuple[float, ...]
    n_train: int
    n_valid: int

    @property
    def baseline(self) -> float:
        """The validation accuracy of the root alone."""
        return self.valid[0]

    @property
    def best(self) -> int:
        """The position of the best validation accuracy, the smallest tree of equals."""
        return self.valid.index(max(self.valid))


@kept()
def sizes(sample: str, wrong: int = 0) -> GrowingSizes:
    """CART on two thirds of a built-in table, scored with every number of leaves on these and on the rest.

    `wrong` per cent of the training rows have a wrong label.
    """
    train, valid = rows(sample).split(TRAINING_SHARE, seed=SEED)
    train = mislabelled(train, wrong)
    tree = ex.grow(train, RECIPES["CART"])
    order = best_first(tree)
    trees = [tree_of_size(tree, order, n) for n in range(len(order) + 1)]
    scores = [(score(each, train), score(each, valid)) for each in trees]
    on_train, on_valid = zip(*scores, strict=True)
    return GrowingSizes(tree, order, on_train, on_valid, train.n_rows, valid.n_rows)


def mislabelled(data: ex.Dataset, per_cent: int) -> ex.Dataset:
    """The rows, so many of them, drawn at random, with the class that follows theirs."""
    drawn = np.random.default_rng(SEED).choice(data.n_rows, round(per_cent / 100 * data.n_rows), replace=False)
    codes = data.y.copy()
    codes[drawn] = (codes[drawn] + 1) % len(data.classes)
    labels = np.array(data.classes, dtype=object)[codes]
    frame = data.frame.assign(**{data.target.name: labels})
    kinds = {feature.name: feature.given_kind for feature in data.features}
    return ex.Dataset.from_frame(frame, data.target.name, list(kinds), kinds, classes=list(data.classes))


def best_first(tree: ex.Tree) -> tuple[int, ...]:
    """The nodes that split, so that the next one always lowers the weighted impurity most."""
    remaining = tree.weight * tree.impurity

    def entry(node: int) -> tuple[float, int]:
        return float(remaining[list(tree.children_of(node))].sum() - remaining[node]), node

    waiting, order = [entry(0)], list[int]()
    while waiting:
        _, node = heapq.heappop(waiting)
        order.append(node)
        for child in tree.children_of(node):
            if tree.feature[child] >= 0:
                heapq.heappush(waiting, entry(child))
    return tuple(order)


def tree_of_size(tree: ex.Tree, order: tuple[int, ...], n_splits: int) -> ex.Tree:
    """The tree after its first splits in this order."""
    done = set(order[:n_splits])
    pruned = tree.is_pruned.copy()
    pruned[[node for node in order if node not in done]] = True
    return tree.with_pruned(pruned)


@kept()
def learning_curve(sample: str) -> ex.LearningCurve:
    """CART on more and more rows of a built-in table, in five folds."""
    return ex.learning_curve(rows(sample), RECIPES["CART"])
