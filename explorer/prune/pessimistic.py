"""C4.5's pruning by pessimistic estimates of the training errors (Quinlan 1993, chapter 4; DEFINITIONS section 7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.kernels import path as path_kernels
from explorer.kernels import prune as kernels
from explorer.names import counted
from explorer.prune.given_alpha import post_order
from explorer.prune.raising import LEAF, RAISED, SLACK, Raising
from explorer.prune.upper_error import checked_confidence, upper_errors
from explorer.training import wrong_rows
from explorer.tree import Tree


@dataclass(frozen=True)
class PessimisticStep:
    """The decision at one node: the errors to expect with a leaf, with its subtree, with the largest branch raised.

    `upper_as_leaf` is rows × upper error rate, `upper_below` the sum of that over the `leaves_below`, `upper_raised`
    the same for the largest branch `branch` with all rows of the node (both None where raising was not tried).
    `decision` is "leaf", "raised" or "kept".
    """

    node: int
    rows: float
    errors: float
    upper_as_leaf: float
    upper_below: float
    leaves_below: int
    decision: str
    branch: int | None = None
    upper_raised: float | None = None

    @property
    def pruned(self) -> bool:
        """Whether the node does not stay as it was."""
        return self.decision != "kept"

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        wrong = f"{counted(self.errors, 'error')} in {counted(self.rows, 'row')}"
        leaf = f"a leaf has {wrong}, at worst {self.upper_as_leaf:.4g}"
        below = f"its {self.leaves_below:,} leaves together at worst {self.upper_below:.4g} + {SLACK:g}"
        raised = f", its largest branch in its place {self.upper_raised:.4g}" if self.upper_raised is not None else ""
        verdict = {LEAF: "pruned to a leaf", RAISED: f"replaced by node {self.branch}"}.get(self.decision, "kept")
        return f"Node {self.node}: {leaf}, {below}{raised}: {verdict}."


def pessimistic_prune(
    tree: Tree,
    confidence: float = 0.25,
    raising: bool = False,
    limit: str = "release8",
    train: Dataset | None = None,
) -> Tree:
    """Close every node that, as a leaf, is expected to make at most 0.1 errors more than its subtree.

    Children are decided before their parent, by `upper_error` at this `confidence` (smaller prunes more) and `limit`.
    `raising` also tries the largest branch in the node's place with all its rows; it needs the training rows `train`
    and gives a new tree, numbered anew, whose `origin` leads back to the grown one. Raises InputError for numeric
    targets.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis_noise15").frame, "PlayTennis")
    >>> tree = grow(data, C45)
    >>> tree.n_leaves, pessimistic_prune(tree).n_leaves
    (7, 5)
    """
    _check(tree, confidence, limit)
    if raising:
        return _raised(tree, train, confidence, limit).tree()
    _, _, _, closed = _decided(tree, confidence, limit)
    return tree.with_closed(path_kernels.outermost(tree.parent, closed | tree.closed))


def pessimistic_steps(
    tree: Tree,
    confidence: float = 0.25,
    raising: bool = False,
    limit: str = "release8",
    train: Dataset | None = None,
) -> list[PessimisticStep]:
    """The decisions behind `pessimistic_prune` in the order in which they fall, for trees that somebody reads.

    Node numbers are those of `tree`. A node whose subtree was raised above it is decided again with its new rows.
    """
    _check(tree, confidence, limit)
    if raising:
        return [PessimisticStep(*decision) for decision in _raised(tree, train, confidence, limit).decisions]
    upper, below, leaves, closed = _decided(tree, confidence, limit)
    errors, rows = wrong_rows(tree, tree.stats)
    return [
        PessimisticStep(
            node,
            *(float(rows[node]), float(errors[node]), float(upper[node]), float(below[node])),
            int(leaves[node]),
            LEAF if closed[node] else "kept",
        )
        for node, _ in post_order(tree)
    ]


def _check(tree: Tree, confidence: float, limit: str) -> None:
    checked_confidence(confidence, limit)
    if tree.is_regression:
        raise InputError(
            f"Pessimistic pruning counts errors, but the target '{tree.target}' is numeric: "
            "prune by cost and complexity or on validation rows."
        )


def _decided(
    tree: Tree, confidence: float, limit: str
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Per node: expected errors as a leaf and below, leaves below, and whether it becomes a leaf."""
    upper = upper_errors(*wrong_rows(tree, tree.stats), confidence, limit)
    inner = tree.is_open & ~tree.is_leaf
    none = np.zeros(tree.n_grown)
    decided = kernels.decided_bottom_up(tree.first_child, tree.child_count, inner, none, upper, SLACK, False)
    return upper, *decided


def _raised(tree: Tree, train: Dataset | None, confidence: float, limit: str) -> Raising:
    if train is None:
        raise InputError("Raising a subtree hangs the training rows elsewhere: give them as `train`.")
    raising = Raising(tree, train, lambda errors, rows: upper_errors(errors, rows, confidence, limit))
    raising.run()
    return raising
