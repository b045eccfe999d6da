"""R(t), the risk of a node as a leaf (DEFINITIONS section 7)."""

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.tree.tree import Tree

RISKS = ("impurity", "error", "unnormalised", "per_node")


def checked_risk(tree: Tree, risk: str) -> str:
    """The name of the risk, if it exists and suits the tree's type of target."""
    if risk not in RISKS:
        raise InputError(
            message("There is no risk called '{risk}': choose one of {risks}.", risk=risk, risks=listing(RISKS))
        )
    if risk == "error" and tree.is_regression:
        raise InputError(
            message(
                "Risk 'error' counts misclassified rows, but the target '{target}' is numeric: choose 'impurity' "
                "(squared error per row) or 'unnormalised' (sum of squared errors).",
                target=tree.target,
            )
        )
    return risk


def node_total_impurity(tree: Tree) -> NDArray[np.float64]:
    """Weight times impurity of every node; for a numeric target the sum of squared errors."""
    return np.asarray(tree.stats[:, 2] if tree.is_regression else tree.weight * tree.impurity, dtype=np.float64)


def node_risk(tree: Tree, risk: str = "impurity") -> NDArray[np.float64]:
    """R(t) of every grown node, [n_nodes_grown]; 0 for an empty branch.

    "impurity": (W_t/W)·impurity; "error": misclassified weight / W (expected cost / W under true priors);
    "unnormalised": W_t·impurity (SSE_t);
    "per_node": impurity. Raises InputError for an unknown risk, or for "error" with a numeric target.
    """
    checked_risk(tree, risk)
    if risk == "error" and tree.costs is not None:
        return np.asarray((tree.prior_stats @ tree.costs).min(axis=1) / tree.weight[0])
    if risk == "error":
        return np.asarray((tree.weight - tree.stats.max(axis=1, initial=0.0)) / tree.weight[0])
    total = node_total_impurity(tree)
    if risk == "unnormalised":
        return total
    if risk == "impurity":
        return total / tree.weight[0]
    return np.divide(total, tree.weight, out=np.zeros_like(total), where=tree.weight > 0)


def additive_risk(tree: Tree, risk: str) -> NDArray[np.float64]:
    """R(t) in the form that adds up over leaves: "per_node" losses are weighted by W_t/W again."""
    return node_risk(tree, "impurity" if risk == "per_node" else risk)
