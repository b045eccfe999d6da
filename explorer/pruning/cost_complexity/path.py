"""Cost-complexity pruning: the subtree sequence, and the critical α of every node (DEFINITIONS section 7).

Breiman, Friedman, Olshen and Stone (1984), chapter 3: collapse the weakest links, raise α, repeat. Here the critical α,
at which a node collapses, is computed directly in one sweep; every subtree, its size, risk and score follow from it.
"""

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.pruning.cost_complexity import path_loops as kernels
from explorer.pruning.cost_complexity.base_path import MERGE, BasePath, checked_alpha
from explorer.pruning.cost_complexity.path_scores import curve
from explorer.pruning.cost_complexity.risk import additive_risk, checked_risk
from explorer.sources.source import Source
from explorer.tree.tree import Tree


class Path(BasePath):
    """The nested subtrees of one tree, and their scores: see `BasePath` for the fields."""

    def curve(self, valid: Dataset | Source, metric: str | None = None) -> NDArray[np.float64]:
        """Score of every subtree on validation rows (or a connected table), one value per position.

        `metric`: "accuracy" (the default), "error", "log_loss" (nats, shares clipped to 1e-15), "auc", "expected_cost"
        (the mean cost of a row's prediction, if the recipe has costs), or "mse" (the only one for a numeric target).
        """
        return curve(self, valid, metric)


def cost_complexity_path(tree: Tree, risk: str = "impurity") -> Path:
    """The subtree sequence of a (pruned) tree, for α rising from 0.

    `risk` is "impurity" (scikit-learn's scale of α), "error", "unnormalised", or "per_node" (a demonstration: losses
    divided by each node's own weight; `risks` stay those of "impurity"). Raises InputError for any other.
    """
    checked_risk(tree, risk)
    total, unit = comparable(tree, risk)
    inner = tree.is_inner
    if risk == "per_node":
        alpha = kernels.local_collapse_alphas(tree.parent, inner, total, unit)
    else:
        alpha = kernels.collapse_alphas(tree.first_child, tree.child_count, inner, total)
    alpha[inner] = merged(alpha[inner])
    return _path(tree, risk, inner, alpha)


def unpruned(tree: Tree) -> Path:
    """The first entry alone of the tree's sequence: `curve` then scores the (pruned) tree as it is and no other."""
    return Path(
        tree=tree,
        risk="impurity",
        alphas=np.zeros(1),
        n_leaves=np.array([tree.n_leaves]),
        risks=additive_risk(tree, "impurity")[tree.is_leaf].sum(keepdims=True),
        collapse_alpha=np.where(tree.is_inner, np.inf, 0.0),
        leaf_from=tree.is_inner.astype(np.int64),
        leaf_until=np.ones(tree.n_nodes_grown, dtype=np.int64),
    )


def _path(tree: Tree, risk: str, inner: NDArray[np.bool_], alpha: NDArray[np.float64]) -> Path:
    """The sequence that follows from the critical α of every node."""
    least = kernels.least_on_path(tree.parent, np.where(inner, alpha, np.inf))
    steps = np.unique(least[inner])
    leaf_from = np.where(inner, 1 + np.searchsorted(steps, least), 0)
    leaf_until = leaf_from[tree.parent]
    leaf_until[0] = steps.size + 1
    ones, own = np.ones(alpha.size), additive_risk(tree, risk)
    return Path(
        tree=tree,
        risk=risk,
        alphas=np.concatenate([[0.0], steps]),
        n_leaves=np.rint(per_position(ones, leaf_from, leaf_until)).astype(np.int64),
        risks=np.maximum(per_position(own, leaf_from, leaf_until), 0.0),
        collapse_alpha=alpha,
        leaf_from=leaf_from,
        leaf_until=leaf_until,
    )


def per_position(values: NDArray[np.float64], begin: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sum of `values` over the intervals [begin, end) that contain each position.

    >>> per_position(np.array([1.0, 5.0]), np.array([0, 1]), np.array([2, 3])).tolist()
    [1.0, 6.0, 5.0]
    """
    used = begin < end
    n = int(end.max()) + 1
    arriving = np.bincount(begin[used], values[used], minlength=n)
    leaving = np.bincount(end[used], values[used], minlength=n)
    return np.cumsum(arriving - leaving)[: n - 1]


def merged(alphas: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same numbers, each replaced by the least of those that differ from it by rounding only.

    >>> merged(np.array([0.3, 0.1 + 0.2, 0.0])).tolist()
    [0.3, 0.3, 0.0]
    """
    values, index = np.unique(alphas, return_inverse=True)
    starts = np.append(True, values[1:] > values[:-1] * (1.0 + MERGE))[: values.size]
    return values[starts][np.cumsum(starts)[index] - 1]


def comparable(tree: Tree, risk: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per node: the loss that adds up over leaves, and one leaf's α on the same scale.

    "per_node" compares R(t) + α with Σ (N_l/N_t)·R(l) + α|T_t|; times N_t/N both sides add up, and α becomes α·N_t/N.
    """
    share = tree.weight / tree.weight[0]
    return additive_risk(tree, risk), share if risk == "per_node" else np.ones_like(share)


def prune_at_alpha(tree: Tree, alpha: float, risk: str = "impurity") -> Tree:
    """Collapse, from the leaves up, every node t with R(t) + α ≤ R(T_t) + α·|T_t|.

    For a risk that adds up over leaves this is the subtree T(α) of the sequence. For "per_node" it is not: a larger α
    may then leave a larger tree. Raises InputError for a negative α or a risk that does not suit the target.
    """
    pruned, _ = pruned_at_alpha(tree, checked_alpha(alpha), risk)
    return tree.with_pruned(pruned)


def prune_at_position(tree: Tree, position: int, risk: str = "impurity") -> Tree:
    """The subtree at a position of the tree's sequence under `risk`; InputError if there is none."""
    return cost_complexity_path(tree, risk).subtree(position=position)


def pruned_at_alpha(tree: Tree, alpha: float, risk: str) -> tuple[NDArray[np.bool_], float]:
    """The nodes that a fixed α prunes, [n], and the next α at which a decision changes, also below pruned nodes."""
    checked_risk(tree, risk)
    total, unit = comparable(tree, risk)
    inner = tree.is_inner
    pruned, following = kernels.collapsed_bottom_up(tree.first_child, tree.child_count, inner, total, unit, alpha)
    already = tree.is_pruned & tree.is_leaf & (tree.feature >= 0)
    return kernels.outermost(tree.parent, pruned | already), float(following)
