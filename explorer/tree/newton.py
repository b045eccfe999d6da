"""A grown tree by XGBoost's objective: G, H, leaf values and gains of its nodes, and what γ prunes (section 22)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.newton import MEAN, default_base, gradient_sums, newton_leaves, newton_scores
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]


def base_of(tree: Tree) -> float:
    """F_0 of the rows that the tree was grown on: a number, or with two classes a probability."""
    base = tree.recipe.base_score
    if tree.recipe.score != "newton" or base is None:
        return default_base(tree.is_regression)
    if base != MEAN:
        return float(base)
    return float(tree.stats[0, 1] if tree.is_regression else tree.stats[0, 1] / tree.stats[0].sum())


def node_sums(tree: Tree) -> tuple[Floats, Floats]:
    """G and H of every node, [n] each; InputError with more than two classes."""
    if not tree.is_regression and len(tree.classes) != 2:
        raise InputError(
            message(
                "Gradients need a numeric target or two classes, but the target '{target}' has {n} classes: choose "
                "another pruning method.",
                target=tree.target,
                n=len(tree.classes),
            )
        )
    return gradient_sums(tree.stats, base_of(tree), tree.is_regression)


def lambda_of(tree: Tree) -> float:
    """The λ that the tree was grown with: 0 under other scores, where the gain is the decrease of squared error."""
    return float(tree.recipe.reg_lambda) if tree.recipe.score == "newton" else 0.0


def node_leaves(tree: Tree) -> Floats:
    """What every node adds to F_0 as a leaf, −G/(H + λ), [n]; an empty branch has its parent's."""
    leaves = newton_leaves(*node_sums(tree), lambda_of(tree))
    empty = np.flatnonzero(tree.weight == 0)
    leaves[empty] = leaves[tree.parent[empty]]
    return leaves


def node_gains(tree: Tree) -> Floats:
    """The gain of every grown split in units of XGBoost, [n]; nan where there is none."""
    scores = newton_scores(*node_sums(tree), lambda_of(tree))
    below = np.bincount(tree.parent[1:], scores[1:], minlength=tree.n_nodes_grown)
    return np.where(tree.feature >= 0, below - scores, np.nan)


def splits_below_gamma(tree: Tree, gamma: float, fixed: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Which splits γ removes, [n]: from the leaves up those with leaves in every branch and a gain below γ.

    A weak split above a strong one stays (XGBoost's pruner), and so do those that are `fixed` [n].
    """
    gains, removed = node_gains(tree), np.zeros(tree.n_nodes_grown, dtype=bool)
    is_leaf = (tree.feature < 0) | tree.is_pruned
    for node in np.flatnonzero(~is_leaf)[::-1]:
        children = tree.children_of(int(node))
        if fixed is not None and fixed[node]:
            continue
        if is_leaf[children.start : children.stop].all() and gains[node] < gamma:
            removed[node] = is_leaf[node] = True
    return removed
