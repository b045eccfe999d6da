"""Pruning with a fixed α, bottom-up: every decision as a step (DEFINITIONS section 7)."""

from dataclasses import dataclass, field

import numpy as np

from explorer.pruning.cost_complexity import path_loops as kernels
from explorer.pruning.cost_complexity.base_path import checked_alpha
from explorer.pruning.cost_complexity.path import comparable, pruned_at_alpha
from explorer.pruning.cost_complexity.risk import checked_risk, node_risk
from explorer.tree.tree import Tree, post_order


@dataclass(frozen=True)
class Step:
    """The decision at one node: its penalised loss as a leaf, R(t) + α, against R(T_t) + α·|T_t| of its subtree.

    `risk` is R(t), `risk_below` R(T_t) after the nodes below were decided, `leaves_below` |T_t|. `stack` holds the
    nodes not decided yet, the next one last.
    """

    node: int
    risk: float
    risk_below: float
    leaves_below: int
    penalised_as_leaf: float
    penalised_as_subtree: float
    collapsed: bool
    stack: tuple[int, ...]


@dataclass(frozen=True)
class FixedAlpha:
    """The tree that a fixed α leaves, for every α from `begin` up to, not including, `end`."""

    begin: float
    end: float
    n_leaves: int
    tree: Tree = field(repr=False)


def fixed_alpha_steps(tree: Tree, alpha: float, risk: str = "impurity") -> list[Step]:
    """Decide, children before parents, whether R(t) + α ≤ R(T_t) + α·|T_t|; one step per inner node.

    Pruning the nodes that collapsed gives the tree of `prune_at_alpha`. For "per_node", R(T_t) is Σ (N_l/N_t)·R(l).
    Each step copies the stack: meant for trees small enough to read. Raises InputError as `prune_at_alpha` does.
    """
    checked_risk(tree, risk)
    alpha = checked_alpha(alpha)
    total, unit = comparable(tree, risk)
    own, cost, leaves = node_risk(tree, risk), total.copy(), np.ones(total.size, dtype=np.int64)
    steps = []
    for node, stack in post_order(tree):
        below = list(tree.children_of(node))
        cost[node], leaves[node] = cost[below].sum(), leaves[below].sum()
        subtree_risk, subtree_leaves = float(cost[node] / unit[node]), int(leaves[node])
        collapsed = _is_cheaper_as_leaf(total[node], cost[node], unit[node] * (leaves[node] - 1), alpha)
        if collapsed:
            cost[node], leaves[node] = total[node], 1
        penalised = float(own[node]) + alpha, subtree_risk + alpha * subtree_leaves
        steps.append(Step(node, float(own[node]), subtree_risk, subtree_leaves, *penalised, collapsed, stack))
    return steps


def _is_cheaper_as_leaf(as_leaf: float, as_subtree: float, extra: float, alpha: float) -> bool:
    """Whether R(t) + α ≤ R(T_t) + α·|T_t|, a decrease that is rounding noise counting as 0."""
    return bool(as_leaf - as_subtree <= alpha * extra + kernels.NEGLIGIBLE * as_leaf)


def fixed_alpha_trees(tree: Tree, risk: str = "per_node") -> list[FixedAlpha]:
    """Every tree that pruning with some fixed α can leave, for α rising from 0 to ∞.

    For a risk that adds up over leaves these are the trees of the sequence. For "per_node" they need not be nested: a
    larger α may leave a larger tree. From one α the next is the least at which any decision changes, also below pruned
    nodes; nothing is sampled.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("fixed_alpha").frame, "y", kinds=dict.fromkeys("ABy", "categorical"))
    >>> [(round(interval.begin, 4), interval.n_leaves) for interval in fixed_alpha_trees(grow(data, CART))]
    [(0.0, 3), (0.2222, 1), (0.2449, 2), (0.254, 1)]
    """
    begins, masks = [0.0], []
    while begins[-1] < np.inf:
        pruned, following = pruned_at_alpha(tree, begins[-1], risk)
        masks.append(pruned)
        begins.append(following)
    new = [k for k in range(len(masks)) if k == 0 or (masks[k] != masks[k - 1]).any()]
    ends = [*(begins[k] for k in new[1:]), np.inf]
    trees = [tree.with_pruned(masks[k]) for k in new]
    return [
        FixedAlpha(begins[k], end, pruned.n_leaves, pruned) for k, end, pruned in zip(new, ends, trees, strict=True)
    ]
