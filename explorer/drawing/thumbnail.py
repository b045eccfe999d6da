"""The top of a tree as a small picture: places of nodes and branches, for lists and small multiples of trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.tree.tree import Tree

WIDTH, HEIGHT = 64, 40
MOST_LEVELS, MOST_LEAVES = 4, 32
TENTHS = 10
"""How many colours the means of a regression tree have."""
_MARGIN = 3.0


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """The nodes of a small picture in preorder, so that every parent stands before its children: arrays [k].

    `x` and `y` run from 0 to 1, from left to right and from the root down. `code` is that of a leaf's colour: the
    class, or the tenth of the range of means in a regression tree; -1 for an internal node. `feature` is the index of
    the feature that a node splits on, -1 for a leaf. `has_more` marks nodes whose children are not drawn. `node` are
    ids in the tree, `share` the shares of the root's weight.
    """

    x: NDArray[np.float64] = field(repr=False)
    y: NDArray[np.float64] = field(repr=False)
    parent: NDArray[np.intp]
    code: NDArray[np.intp] = field(repr=False)
    feature: NDArray[np.intp] = field(repr=False)
    share: NDArray[np.float64] = field(repr=False)
    has_more: NDArray[np.bool_] = field(repr=False)
    node: NDArray[np.intp] = field(repr=False)
    root_feature: str
    """The feature of the root; empty for a tree that is a leaf."""
    n_leaves: int
    """The leaves of the whole tree."""
    depth: int
    """The depth of the whole tree."""


def thumbnail(tree: Tree) -> Thumbnail:
    """The top of a tree: at most 4 levels of splits, fewer where that leaves more than 32 ends.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> small = thumbnail(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> small.root_feature, small.parent.tolist(), small.code.tolist()
    ('Outlook', [-1, 0, 1, 1, 0, 0, 5, 5], [-1, -1, 0, 1, 1, -1, 1, 0])
    """
    nodes = _top(tree)
    row_of = {int(node): row for row, node in enumerate(nodes)}
    parent = np.array([row_of.get(int(tree.parent[node]), -1) for node in nodes], dtype=np.intp)
    is_end = ~np.isin(np.arange(len(nodes)), parent)
    level = tree.depth[nodes].astype(np.float64)
    root = int(tree.feature[0]) if tree.is_inner[0] else -1
    return Thumbnail(
        x=slots(parent),
        y=level / (level.max() or 1.0),
        parent=parent,
        code=np.where(is_end, leaf_codes(tree)[nodes], -1).astype(np.intp),
        feature=np.where(tree.is_inner[nodes], tree.feature[nodes], -1).astype(np.intp),
        share=tree.weight[nodes] / tree.weight[0],
        has_more=is_end & tree.is_inner[nodes],
        node=nodes,
        root_feature=tree.features[root].name if root >= 0 else "",
        n_leaves=tree.n_leaves,
        depth=tree.max_depth,
    )


def _top(tree: Tree) -> NDArray[np.intp]:
    """The nodes that are drawn, in preorder."""
    for levels in range(MOST_LEVELS, 0, -1):
        ends = np.count_nonzero(tree.is_leaf & (tree.depth < levels)) + np.count_nonzero(
            tree.is_kept & (tree.depth == levels)
        )
        if ends <= MOST_LEAVES:
            break
    return np.fromiter(_preorder(tree, 0, levels), dtype=np.intp)


def _preorder(tree: Tree, node: int, levels: int) -> Iterator[int]:
    yield node
    if levels and tree.is_inner[node]:
        for child in tree.children_of(node):
            yield from _preorder(tree, child, levels - 1)


def leaf_codes(tree: Tree) -> NDArray[np.int64]:
    """The code of every node's colour, [n]: its class, or the tenth of the range of means."""
    if not tree.is_regression:
        return tree.labels.astype(np.int64)
    values, kept = tree.values, tree.values[tree.is_kept]
    spread = float(np.ptp(kept)) or 1.0
    return np.clip((values - kept.min()) / spread * TENTHS, 0, TENTHS - 1).astype(np.int64)


def slots(parent: NDArray[np.intp]) -> NDArray[np.float64]:
    """Places from 0 to 1 from left to right, [k]: ends stand evenly, a node in the middle of its first and last child.

    `parent` has the rows of the parents, in preorder, -1 for the root.

    >>> (12 * slots(np.array([-1, 0, 0, 2, 2]))).round().tolist()
    [5.0, 2.0, 8.0, 6.0, 10.0]
    """
    children: list[list[int]] = [[] for _ in parent]
    for row, above in enumerate(parent.tolist()):
        if above >= 0:
            children[above].append(row)
    ends = [row for row, below in enumerate(children) if not below]
    x = np.zeros(len(parent))
    x[ends] = (np.arange(len(ends)) + 0.5) / len(ends)
    for row in range(len(parent) - 1, -1, -1):  # preorder reversed: children before their parent
        if children[row]:
            x[row] = (x[children[row][0]] + x[children[row][-1]]) / 2
    return x


def thumbnail_svg(picture: Thumbnail, colour: str, leaf_colours: Sequence[str] = ()) -> str:
    """The picture as an SVG document of 64 × 40: lines and internal nodes in one colour, leaves in that of their code.

    Without `leaf_colours`, leaves are drawn in `colour` too.

    >>> from explorer import CART, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> iris = Dataset.from_frame(load_sample("iris").frame, "class")
    >>> thumbnail_svg(thumbnail(grow(iris, CART.replace(max_depth=1))), "#333333").count("<circle")
    3
    """
    x = _MARGIN + picture.x * (WIDTH - 2 * _MARGIN)
    y = _MARGIN + 1 + picture.y * (HEIGHT - 2 * _MARGIN - 2)
    lines = "".join(
        f"M{x[above]:.1f} {y[above]:.1f}L{x[row]:.1f} {y[row]:.1f}"
        for row, above in enumerate(picture.parent.tolist())
        if above >= 0
    )
    radius = min(3.2, (WIDTH - 2 * _MARGIN) / int((picture.code >= 0).sum()) * 0.45)
    dots = "".join(
        f'<circle cx="{x[row]:.1f}" cy="{y[row]:.1f}" '
        + (
            f'r="1.4" fill="{colour}"/>'
            if code < 0
            else f'r="{radius:.1f}" fill="{_fill(code, colour, leaf_colours)}"/>'
        )
        for row, code in enumerate(picture.code.tolist())
    )
    path = f'<path d="{lines}" fill="none" stroke="{colour}" stroke-width="1"/>' if lines else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{path}{dots}</svg>'
    )


def _fill(code: int, colour: str, leaf_colours: Sequence[str]) -> str:
    return leaf_colours[code % len(leaf_colours)] if leaf_colours else colour
