"""The weakest links: R(T_t), |T_t| and g(t) just before node t collapses (DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.pruning.cost_complexity import path_loops as kernels
from explorer.pruning.cost_complexity.path import Path, comparable
from explorer.pruning.cost_complexity.risk import node_risk


@dataclass(frozen=True)
class WeakestLinks:
    """Per grown node: R(t), and R(T_t) and |T_t| in the subtree from which it collapses, all [n].

    A node that never collapses by itself (not split, or a node above it goes first) has nan and 0. For "per_node",
    R(T_t) is Σ (N_l/N_t)·R(l): all risks are then measured on the node's own rows.
    """

    risk: NDArray[np.float64]
    risk_below: NDArray[np.float64]
    leaves_below: NDArray[np.int64]

    @property
    def link_strength(self) -> NDArray[np.float64]:
        """g(t) = (R(t) − R(T_t)) / (|T_t| − 1), which is the node's critical α up to rounding."""
        return (self.risk - self.risk_below) / np.maximum(self.leaves_below - 1, 1)


def links(path: Path) -> WeakestLinks:
    """The weakest links of a sequence, each with its numbers at the α where it is the weakest.

    >>> from explorer import CART, Dataset, cost_complexity_path, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> path = cost_complexity_path(grow(data, CART.replace(categorical="one_vs_rest")))
    >>> root = links(path)
    >>> int(root.leaves_below[0]), round(float(root.risk_below[0]), 4), round(float(root.link_strength[0]), 4)
    (3, 0.2286, 0.1153)
    """
    tree, own = path.tree, path.collapse_position
    total, unit = comparable(tree, path.risk)
    inner = tree.is_inner
    collapsing = np.flatnonzero(inner & (own == path.leaf_from))
    order = collapsing[np.lexsort((-collapsing, own[collapsing]))]
    cost, leaves = kernels.before_collapse(tree.parent, inner, total, np.column_stack([order, own[order]]))
    below = np.divide(cost, unit, out=np.full(cost.size, np.nan), where=leaves > 0)
    return WeakestLinks(node_risk(tree, path.risk), below, leaves)
