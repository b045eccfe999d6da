"""Which nodes of a large tree a view leaves out, and the text in their place."""

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message, plural
from explorer.tree.node_loops import added_up
from explorer.tree.tree import Tree


def refuse_hidden(tree: Tree, node: int | None) -> None:
    """InputError unless the node, if one is given, is part of the tree."""
    if node is not None and not (0 <= node < tree.n_nodes_grown and tree.is_kept[node]):
        raise InputError(
            message("Node {node} is not part of this tree: it does not exist or is pruned away.", node=node)
        )


def nodes_below(tree: Tree) -> NDArray[np.int64]:
    """The number of kept nodes below each node, [n_grown]; level by level from the lowest."""
    return added_up(tree.parent, tree.levels, tree.is_kept.astype(np.int64)) - tree.is_kept


def hidden_text(count: int) -> str:
    """The line in place of nodes not shown.

    >>> hidden_text(37), hidden_text(1)
    ('… 37 nodes below', '… 1 node below')
    """
    return plural(count, "… {n} node below", "… {n} nodes below")


def expanded(tree: Tree, max_nodes: int | None, max_depth: int | None, keep: int | None) -> set[int]:
    """The inner nodes whose branches are shown: from the root down, as long as all branches of a node fit.

    The path to node `keep` is expanded first, whatever the limits.
    """
    path = [] if keep is None else [node for node, _ in tree.path_to(keep)]
    chosen = set(path)
    shown = 1 + sum(int(tree.child_count[node]) for node in path)
    level = [0]
    while level:
        following: list[int] = []
        for node in level:
            if tree.is_leaf[node]:
                continue
            branches = int(tree.child_count[node])
            shallow = max_depth is None or tree.depth[node] < max_depth
            if node not in chosen and shallow and (max_nodes is None or shown + branches <= max_nodes):
                chosen.add(node)
                shown += branches
            if node in chosen:
                following.extend(tree.children_of(node))
        level = following
    return chosen
