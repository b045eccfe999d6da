"""A tree that grows split by split, as small twigs for a picture: where every node stands, and when it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import explorer as ex
from explorer.drawing.pictures.splits.score_curves import Twig


def twigs_of(tree: ex.Tree, order: Sequence[int]) -> tuple[Twig, ...]:
    """All nodes of the tree; position k of the picture is the tree after the first k splits of `order`."""
    across = _places(tree)
    split_at = {node: position + 1 for position, node in enumerate(order)}
    return tuple(
        Twig(
            across=across[node],
            depth=int(tree.depth[node]),
            parent=int(tree.parent[node]),
            code=int(tree.labels[node]),
            since=split_at[int(tree.parent[node])] if node else 0,
            until=split_at.get(node),
        )
        for node in range(tree.n_nodes_grown)
    )


def _places(tree: ex.Tree) -> list[float]:
    """Leaves side by side from 0 to 1, and every other node in the middle of its children."""
    place, n_placed = [0.0] * tree.n_nodes_grown, 0
    for node in reversed(list(tree.preorder())):
        children = list(tree.children_of(node))
        if tree.feature[node] < 0:
            place[node] = 1.0 - (n_placed + 0.5) / tree.n_leaves
            n_placed += 1
        else:
            place[node] = sum(place[child] for child in children) / len(children)
    return place
