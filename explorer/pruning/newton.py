"""XGBoost's pruning by γ: from the leaves up, splits go whose gain is below γ (ensembles, section 22)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer.errors import InputError
from explorer.messages import message
from explorer.pruning.cost_complexity.path_loops import outermost
from explorer.tree.newton import lambda_of, node_gains, splits_below_gamma
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class NewtonStep:
    """One decision: the gain of a split whose branches are all leaves, beside γ; both in units of XGBoost."""

    node: int
    pruned: bool
    gain: float
    gamma: float
    reg_lambda: float

    @property
    def text(self) -> str:
        """The decision in one sentence."""
        if self.pruned:
            return message("Gain {gain:.6g} is below γ = {gamma:g}: pruned.", gain=self.gain, gamma=self.gamma)
        return message("Gain {gain:.6g} is at least γ = {gamma:g}: kept.", gain=self.gain, gamma=self.gamma)


def newton_prune(tree: Tree, gamma: float = 1.0) -> Tree:
    """Prune as XGBoost does: a split goes if its branches are leaves and its gain is below γ, from the leaves up.

    γ is in units of the library, twice the paper's. λ is that of the tree; a tree grown by another score has λ = 0, and
    the gain is the decrease of squared error. Raises InputError for more than two classes.

    >>> from explorer import CART, Dataset, grow
    >>> import pandas as pd
    >>> table = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": [1, 2, 2.5, 7, 8, 7.5, 3, 2]})
    >>> tree = grow(Dataset.from_frame(table, "y"), CART.replace(score="newton", base_score=0.0, max_depth=2))
    >>> [newton_prune(tree, gamma).n_leaves for gamma in (8, 9, 12.5, 13)]      # gains 12.604 over 8.854
    [3, 2, 2, 1]
    """
    removed = splits_below_gamma(tree, _checked(gamma)) | tree.is_pruned
    return tree.with_pruned(outermost(tree.parent, removed))


def newton_steps(tree: Tree, gamma: float = 1.0) -> list[NewtonStep]:
    """The decisions of `newton_prune` from the leaves up: splits with leaves in every branch."""
    removed, gains = splits_below_gamma(tree, _checked(gamma)), node_gains(tree)
    is_leaf = (tree.feature < 0) | tree.is_pruned | removed
    steps = []
    for node in np.flatnonzero(tree.is_inner)[::-1].tolist():
        children = tree.children_of(node)
        if is_leaf[children.start : children.stop].all():
            steps.append(NewtonStep(node, bool(removed[node]), float(gains[node]), float(gamma), lambda_of(tree)))
    return steps


def _checked(gamma: float) -> float:
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not math.isfinite(gamma) or gamma < 0:
        raise InputError(message("γ is {gamma!r}: give a finite number from 0 on.", gamma=gamma))
    return float(gamma)
