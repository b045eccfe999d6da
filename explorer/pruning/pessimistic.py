"""C4.5's pruning by pessimistic estimates of the training errors (Quinlan 1993, chapter 4; DEFINITIONS section 7)."""

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.training_rows import wrong_rows
from explorer.messages import message
from explorer.pruning import bottom_up_loops as kernels
from explorer.pruning.cost_complexity import path_loops as path_kernels
from explorer.pruning.error_bound import checked_confidence, upper_errors
from explorer.pruning.pessimistic_step import KEPT, LEAF, SLACK, PessimisticStep
from explorer.pruning.subtree_raising import Raising
from explorer.tree.tree import Tree, post_order


def pessimistic_prune(
    tree: Tree,
    confidence: float = 0.25,
    raising: bool = False,
    limit: str = "release8",
    train: Dataset | None = None,
) -> Tree:
    """Prune every node that, as a leaf, is expected to make at most 0.1 errors more than its subtree.

    Children are decided before their parent, by `upper_error` at this `confidence` (smaller prunes more) and `limit`.
    `raising` also tries to replace the node by its largest branch, with all rows of the node; it needs the training
    rows `train` and returns a new tree, numbered anew, whose `origin` maps its ids to those of the grown tree. Raises
    InputError for numeric targets.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis_noise15").frame, "PlayTennis")
    >>> tree = grow(data, C45)
    >>> tree.n_leaves, pessimistic_prune(tree).n_leaves
    (7, 5)
    """
    _check(tree, confidence, limit)
    if raising:
        return _raising(tree, train, confidence, limit).run()
    _, _, _, pruned = _decided(tree, confidence, limit)
    return tree.with_pruned(path_kernels.outermost(tree.parent, pruned | tree.is_pruned))


def pessimistic_steps(
    tree: Tree,
    confidence: float = 0.25,
    raising: bool = False,
    limit: str = "release8",
    train: Dataset | None = None,
) -> list[PessimisticStep]:
    """The decisions behind `pessimistic_prune`, in order; meant for trees small enough to read.

    Node ids are those of `tree`. A node of a raised subtree is decided again, with its new rows.
    """
    _check(tree, confidence, limit)
    if raising:
        return _raising(tree, train, confidence, limit).steps()
    upper, below, leaves, pruned = _decided(tree, confidence, limit)
    errors, rows = wrong_rows(tree, tree.stats)
    return [
        PessimisticStep(
            node,
            *(float(rows[node]), float(errors[node]), float(upper[node]), float(below[node])),
            int(leaves[node]),
            LEAF if pruned[node] else KEPT,
            counts_rows=tree.counts_rows,
        )
        for node, _ in post_order(tree)
    ]


def _check(tree: Tree, confidence: float, limit: str) -> None:
    checked_confidence(confidence, limit)
    if tree.is_regression:
        raise InputError(
            message(
                "Pessimistic pruning counts errors, but the target '{target}' is numeric: use cost-complexity pruning "
                "or reduced-error pruning.",
                target=tree.target,
            )
        )


def _decided(
    tree: Tree, confidence: float, limit: str
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Per node: expected errors as a leaf and of its subtree, leaves of the subtree, and whether it becomes a leaf.

    Quinlan sums the upper limits U(E, N)·N over the leaves and replaces a subtree that is no better than a leaf.
    """
    upper = upper_errors(*wrong_rows(tree, tree.stats), confidence, limit)
    inner = tree.is_inner
    none = np.zeros(tree.n_nodes_grown)
    decided = kernels.prune_bottom_up(tree.first_child, tree.child_count, inner, none, upper, SLACK, False)
    return upper, *decided


def _raising(tree: Tree, train: Dataset | None, confidence: float, limit: str) -> Raising:
    if train is None:
        raise InputError(message("Raising a subtree moves training rows to other nodes: give them as `train`."))
    return Raising(tree, train, confidence, limit)
