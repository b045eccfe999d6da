"""Reduced-error pruning: a node becomes a leaf unless that raises the validation loss (DEFINITIONS section 7).

Quinlan (1987) decides children before their parent; Mitchell (1997) removes, again and again, the node whose removal
most increases accuracy on the validation set, until further pruning is harmful.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.formatting import leaves as leaves_words
from explorer.formatting import weighed
from explorer.messages import listing, message, plural
from explorer.pruning import bottom_up_loops as kernels
from explorer.pruning.cost_complexity import path_loops as path_kernels
from explorer.pruning.validation_loss import ValidationLoss, node_validation_losses
from explorer.sources.source import Source
from explorer.tree.tree import Tree, post_order

ORDERS = ("best_first", "bottom_up")
TIES = ("prune", "keep")


@dataclass(frozen=True)
class ReducedErrorStep:
    """One node's removal: its validation rows, their loss with a leaf and with the subtree, and the tree's score.

    `loss_as_leaf` and `loss_below` are weights of wrong rows (numeric targets: sums of squared errors), `leaves_below`
    the leaves that a removal would replace, `before` and `after` the whole tree's accuracy (or mean squared error), and
    `loss_of_tree` the whole tree's loss before, on `all_rows`.
    With rows `in_parts`, which go down several branches, all of these are counted part by part; the tree's prediction
    for such a row averages over leaves, so its accuracy may differ a little.
    """

    node: int
    rows: float
    loss_as_leaf: float
    loss_below: float
    leaves_below: int
    before: float
    after: float
    pruned: bool
    is_regression: bool
    loss_of_tree: float
    all_rows: float
    in_parts: bool = False
    counts_rows: bool = True

    @property
    def text(self) -> str:
        """One sentence with the numbers."""
        if self.rows == 0:
            return message(
                "Node {node}: no validation row reaches it, so {leaves} or one leaf make no difference: {verdict}.",
                node=self.node,
                leaves=leaves_words(self.leaves_below),
                verdict=self._verdict,
            )
        sentence = self._squares() if self.is_regression else self._errors()
        if self.in_parts:
            return message("{sentence} A row in several branches counts in each with its share.", sentence=sentence)
        return sentence

    @property
    def _verdict(self) -> str:
        return message("pruned") if self.pruned else message("kept")

    @property
    def _rows(self) -> str:
        if not self.counts_rows:
            return message("validation rows of {weight}", weight=weighed(self.rows))
        return plural(self.rows, "{n:g} validation row", "{n:g} validation rows")

    def _errors(self) -> str:
        return message(
            "Node {node}: of {rows}, a leaf misclassifies {as_leaf:g} and its {leaves} {below:g}, so accuracy would "
            "change from {before:.1f} % to {after:.1f} %: {verdict}.",
            node=self.node,
            rows=self._rows,
            as_leaf=self.loss_as_leaf,
            leaves=leaves_words(self.leaves_below),
            below=self.loss_below,
            before=100 * self.before,
            after=100 * self.after,
            verdict=self._verdict,
        )

    def _squares(self) -> str:
        return message(
            "Node {node}: on {rows} the squared error is {as_leaf:.4g} with a leaf and {below:.4g} with its {leaves}, "
            "so the tree's mean squared error would change from {before:.4g} to {after:.4g}: {verdict}.",
            node=self.node,
            rows=self._rows,
            as_leaf=self.loss_as_leaf,
            below=self.loss_below,
            leaves=leaves_words(self.leaves_below),
            before=self.before,
            after=self.after,
            verdict=self._verdict,
        )


def reduced_error_prune(tree: Tree, valid: Dataset | Source, order: str = "best_first", ties: str = "prune") -> Tree:
    """Prune the nodes whose removal does not raise the validation loss; node ids stay those of the grown tree.

    `order` "best_first" removes, again and again, the node that lowers the loss most (ties: the one with most leaves,
    then the lower id) until every removal raises it; "bottom_up" decides children before their parent. `ties` "keep"
    removes only what lowers the loss; nodes that no validation row reaches are ties. Raises InputError for other names
    or unfit rows.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> melons, names = load_sample("watermelon_2_0").frame, ["脐部", "色泽", "根蒂", "敲声", "纹理", "触感"]
    >>> data = Dataset.from_frame(melons, "好瓜", features=names)      # the parts of Zhou (2016), section 4.3
    >>> train, valid = data.take([0, 1, 2, 5, 6, 9, 13, 14, 15, 16]), data.take([3, 4, 7, 8, 10, 11, 12])
    >>> tree = grow(train, ID3)
    >>> tree.n_leaves, reduced_error_prune(tree, valid).n_leaves
    (11, 3)
    """
    _check_options(order, ties)
    _, _, _, pruned = _decided(tree, valid, order, ties)
    return tree.with_pruned(path_kernels.outermost(tree.parent, pruned | tree.is_pruned))


def reduced_error_steps(
    tree: Tree, valid: Dataset | Source, order: str = "best_first", ties: str = "prune"
) -> list[ReducedErrorStep]:
    """The decisions behind `reduced_error_prune`, in order; meant for trees small enough to read.

    Bottom-up: one step per inner node. Best first: one per removal, then the best removal that is left, which would
    raise the loss (or, where ties are kept, not lower it).
    """
    _check_options(order, ties)
    losses, subtree_loss, leaves, pruned = _decided(tree, valid, order, ties)
    if order == "bottom_up":
        nodes: Iterator[int] | list[int] = (node for node, _ in post_order(tree))
        return list(_steps_of(tree, losses, subtree_loss, leaves, pruned, nodes))
    decrease = subtree_loss - losses.as_leaf
    removed = np.flatnonzero(path_kernels.outermost(tree.parent, pruned))
    nodes = removed[np.lexsort((removed, -leaves[removed], -decrease[removed]))].tolist()
    steps = list(_steps_of(tree, losses, subtree_loss, leaves, pruned, nodes))
    return [*steps, *_best_left(tree, valid, pruned)]


def _best_left(tree: Tree, valid: Dataset | Source, removed: NDArray[np.bool_]) -> Iterator[ReducedErrorStep]:
    """The best removal in the pruned tree, as a step that was not taken."""
    pruned = tree.with_pruned(path_kernels.outermost(tree.parent, removed | tree.is_pruned))
    inner = np.flatnonzero(pruned.is_inner)
    if inner.size:
        losses, subtree_loss, leaves, improves = _decided(pruned, valid, "best_first", "keep")
        worst_first = np.lexsort((-inner, leaves[inner], (subtree_loss - losses.as_leaf)[inner]))
        yield from _steps_of(pruned, losses, subtree_loss, leaves, improves, [int(inner[worst_first[-1]])])


def _check_options(order: str, ties: str) -> None:
    if order not in ORDERS:
        raise InputError(
            message("There is no order called '{order}': choose one of {orders}.", order=order, orders=listing(ORDERS))
        )
    if ties not in TIES:
        raise InputError(
            message("Ties cannot be treated as '{ties}': choose one of {choices}.", ties=ties, choices=listing(TIES))
        )


def _decided(
    tree: Tree, valid: Dataset | Source, order: str, ties: str
) -> tuple[ValidationLoss, NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Losses, and per node the loss and the leaves below it and whether it is to be removed."""
    losses = node_validation_losses(tree, valid)
    arrays = (tree.first_child, tree.child_count, tree.is_inner, losses.at_node, losses.below)
    if order == "best_first":
        return losses, *kernels.prune_best_first(*arrays, ties == "keep")
    return losses, *kernels.prune_bottom_up(*arrays, 0.0, ties == "keep")


def _steps_of(
    tree: Tree,
    losses: ValidationLoss,
    subtree_loss: NDArray[np.float64],
    leaves: NDArray[np.int64],
    pruned: NDArray[np.bool_],
    nodes: Iterator[int] | list[int],
) -> Iterator[ReducedErrorStep]:
    """One step per node, with the score of the tree after the steps before it."""
    loss, as_leaf = losses.of_tree * losses.total, losses.as_leaf
    for node in nodes:
        after = loss + float(as_leaf[node] - subtree_loss[node])
        is_removed = bool(pruned[node])
        yield ReducedErrorStep(
            node=node,
            rows=float(losses.weight[node]),
            loss_as_leaf=float(as_leaf[node]),
            loss_below=float(subtree_loss[node]),
            leaves_below=int(leaves[node]),
            before=_score(tree, loss / losses.total),
            after=_score(tree, after / losses.total),
            pruned=is_removed,
            is_regression=tree.is_regression,
            loss_of_tree=loss,
            all_rows=losses.total,
            in_parts=losses.in_parts,
            counts_rows=tree.counts_rows,
        )
        loss = after if is_removed else loss


def _score(tree: Tree, mean_loss: float) -> float:
    return max(mean_loss, 0.0) if tree.is_regression else 1.0 - mean_loss
