"""A small picture of one of the trees that a search has looked at, which nobody has grown."""

from __future__ import annotations

import numpy as np

from explorer.drawing.thumbnail import Thumbnail, slots
from explorer.growing.consistent_trees import Shape
from explorer.growing.shortest_tree import EMPTY, MIXED, ShortestTree


def shape_thumbnail(found: ShortestTree, shape: Shape) -> Thumbnail:
    """The whole tree. Leaves have the codes of their classes, K where they hold several classes, K + 1 without rows.

    >>> from explorer import Dataset, load_sample, shortest_tree
    >>> found = shortest_tree(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"))
    >>> small = shape_thumbnail(found, found.shapes[0])
    >>> small.root_feature, small.parent.tolist(), small.code.tolist()
    ('Outlook', [-1, 0, 1, 1, 0, 0, 5, 5], [-1, -1, 0, 1, 1, -1, 1, 0])
    """
    parents, features, classes = (
        np.array(column, dtype=np.intp) for column in zip(*found.nodes_of(shape), strict=True)
    )
    n_classes = len(found.greedy.classes)
    level = np.zeros(len(parents))
    for node in range(1, len(parents)):
        level[node] = level[parents[node]] + 1
    is_leaf = features < 0
    code = np.where(classes == MIXED, n_classes, np.where(classes == EMPTY, n_classes + 1, classes))
    return Thumbnail(
        x=slots(parents),
        y=level / (level.max() or 1.0),
        parent=parents,
        code=np.where(is_leaf, code, -1).astype(np.intp),
        feature=features,
        share=np.ones(len(parents)),
        has_more=np.zeros(len(parents), dtype=bool),
        node=np.arange(len(parents)),
        root_feature="" if shape.feature is None else found.features[shape.feature],
        n_leaves=int(is_leaf.sum()),
        depth=shape.depth,
    )
