"""Two orders of pruning on a small table: g(t) worked out again after every cut, or once, the largest first."""

from __future__ import annotations

import numpy as np
import pandas as pd

import explorer as ex
from pages.results.cache import kept
from pages.results.lessons import pruning, trees

_ROWS = ("0011", "0100", "0111", "0111", "0111", "0110", "1010", "1010", "1010", "1111", "1110")
"""Values of A, B, C and the class y: made up so that the two orders differ."""


@kept()
def path() -> ex.Path:
    """The subtree sequence of the CART tree of the eleven rows."""
    names = ["A", "B", "C", "y"]
    frame = pd.DataFrame([[*row] for row in _ROWS], columns=names)
    data = ex.Dataset.from_frame(frame, "y", features=names[:-1], kinds=dict.fromkeys(names, "categorical"))
    return ex.cost_complexity_path(ex.grow(data, ex.CART))


@kept()
def random_rows() -> ex.CrossValidation:
    """Ten folds over the sequence of a tree of depth 3 on 100 rows whose features and class are random digits."""
    data = trees.rows("seed004_random")
    return ex.cross_validate_path(data, ex.CART.replace(max_depth=3), folds=10, seed=0, metric="error")


def strengths() -> dict[int, float]:
    """g(t) of every split node of the full tree."""
    return {node: link.strength for node, link in pruning.links(path().tree, ()).items()}


def cut_at(tree: ex.Tree, nodes: tuple[int, ...]) -> ex.Tree:
    """The tree with these nodes made leaves."""
    return tree.with_pruned(tree.is_pruned | np.isin(np.arange(len(tree.parent)), nodes))


def of_fixed_strengths(leaves: int) -> tuple[ex.Tree, float]:
    """The tree with so many leaves, and its R(T), where each node is pruned at its g(t) in the full tree."""
    tree, strength = path().tree, strengths()
    for alpha in sorted(strength.values()):
        pruned = tuple(node for node, value in strength.items() if value <= alpha)
        found = cut_at(tree, pruned)
        if found.n_leaves == leaves:
            return found, pruning.links(tree, pruned)[0].risk_below
    raise AssertionError("the fixed order has a tree of this size")
