"""Manual pruning: collapse or restore one node after another (DEFINITIONS section 7)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.pruning.cost_complexity.base_path import no_position
from explorer.pruning.cost_complexity.path import Path
from explorer.ranges import is_whole
from explorer.tree.tree import Tree

OPERATIONS = ("collapse", "restore")


def pruned_at(path: Path, position: int) -> NDArray[np.bool_]:
    """Which nodes are pruned at a position of the sequence, each by its own critical α, [n].

    A node below a pruned one keeps its own flag, so that a node restored by hand shows its branches as they are at
    that α.
    """
    if not 0 <= position < len(path):
        raise InputError(no_position(path, position))
    own = path.collapse_position
    return path.tree.is_pruned | ((own > 0) & (own <= position))


def prune_by_hand(tree: Tree, steps: Iterable[tuple[str, int]]) -> Tree:
    """Apply steps ("collapse" or "restore", node) in order; of two steps on one node the later one counts.

    Collapsing prunes a node to a leaf. Restoring keeps it and every node above it as inner nodes; nodes below
    keep their own flag. Raises InputError for an operation or node that does not exist, or a node that was never split.
    """
    pruned = tree.is_pruned.copy()
    for operation, node in steps:
        _check_step(tree, operation, node)
        pruned[node] = operation == "collapse"
        if operation == "restore":
            pruned[[above for above, _ in tree.path_to(node)]] = False
    return tree.with_pruned(pruned)


def _check_step(tree: Tree, operation: str, node: int) -> None:
    if operation not in OPERATIONS:
        raise InputError(
            message(
                "There is no step called '{step}': choose one of {steps}.", step=operation, steps=listing(OPERATIONS)
            )
        )
    if not is_whole(node, 0, tree.n_nodes_grown - 1):
        raise InputError(
            message("There is no node {node}: ids go from 0 to {last}.", node=node, last=tree.n_nodes_grown - 1)
        )
    if tree.feature[node] >= 0:
        return
    if operation == "collapse":
        raise InputError(message("Node {node} is already a leaf: collapse an internal node.", node=node))
    raise InputError(message("Node {node} was grown as a leaf: restore a node that was pruned.", node=node))
