"""Small trees with their tests and leaves written out: a few side by side, or all trees of some depth as a gallery."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from explorer.drawing.pictures.picture import Picture
from explorer.drawing.thumbnail import slots
from explorer.drawing.tree_view.payload import branch_texts
from explorer.formatting import number_text, value_text
from explorer.growing.consistent_trees import Shape
from explorer.growing.shortest_tree import EMPTY, MIXED, ShortestTree
from explorer.messages import message
from explorer.tree.tree import Tree

TEST, ANY, NONE = -1, -2, -3
"""Instead of a class: a test, a leaf with rows of several classes, and one without rows."""


@dataclass(frozen=True)
class SmallNode:
    """A node: `x` from 0 to 1 and `level` place it, `parent` is −1 at the root.

    `text` is what it tests or predicts, `below` what is written under it, `branch` the branch into it; `code` is
    the class of a leaf, or `TEST`, `ANY` or `NONE`.
    """

    parent: int
    x: float
    level: int
    text: str
    branch: str
    code: int
    below: str = ""


@dataclass(frozen=True)
class SmallTree:
    """A tree in preorder under its title; `is_best` frames it. Nodes of the same `key` and path move between steps."""

    key: str
    title: str
    nodes: tuple[SmallNode, ...]
    note: str = ""
    is_best: bool = False


@dataclass(frozen=True, kw_only=True)
class SmallTrees(Picture):
    """One to three trees side by side."""

    kind: ClassVar[str] = "small_trees"
    trees: tuple[SmallTree, ...]


@dataclass(frozen=True, kw_only=True)
class TreeGallery(Picture):
    """Many trees as a grid of small shapes, the best ones framed; the one pointed at is drawn with its tests."""

    kind: ClassVar[str] = "tree_gallery"
    title: str
    trees: tuple[SmallTree, ...]
    selected: int = 0


def small_tree(
    tree: Tree,
    key: str,
    title: str = "",
    *,
    note: str = "",
    is_best: bool = False,
    counts: bool = False,
) -> SmallTree:
    """A grown tree; `counts` writes the rows of every class under each leaf."""
    nodes = list(tree.preorder())
    row_of = {node: row for row, node in enumerate(nodes)}
    parents = [row_of.get(int(tree.parent[node]), -1) for node in nodes]
    codes, texts = branch_texts(tree)
    places = slots(np.array(parents, dtype=np.intp))
    return SmallTree(
        key=key,
        title=title,
        note=note,
        is_best=is_best,
        nodes=tuple(
            SmallNode(
                parent=parent,
                x=round(float(x), 4),
                level=int(tree.depth[node]),
                text=_node_text(tree, node),
                branch=texts[codes[node]].removeprefix("= "),
                code=_code(tree, node),
                below=_counts(tree, node) if counts and tree.is_leaf[node] else "",
            )
            for node, parent, x in zip(nodes, parents, places, strict=True)
        ),
    )


def _node_text(tree: Tree, node: int) -> str:
    """The feature of a test, the answer of a leaf."""
    if tree.is_inner[node]:
        return tree.features[int(tree.feature[node])].name
    if tree.is_regression:
        return number_text(float(tree.values[node]), 4)
    return value_text(tree.classes[int(tree.labels[node])])


def _code(tree: Tree, node: int) -> int:
    if tree.is_inner[node]:
        return TEST
    return 0 if tree.is_regression else int(tree.labels[node])


def _counts(tree: Tree, node: int) -> str:
    return " : ".join(number_text(float(count), 4) for count in tree.row_stats[node])


def searched_tree(found: ShortestTree, shape: Shape, key: str, is_best: bool) -> SmallTree:
    """A tree that a search has looked at; it need not be consistent, and nobody has grown it."""
    nodes = found.nodes_of(shape)
    parents = [parent for parent, _, _ in nodes]
    levels: list[int] = []
    for parent in parents:
        levels.append(levels[parent] + 1 if parent >= 0 else 0)
    rows = zip(nodes, slots(np.array(parents, dtype=np.intp)), levels, _branches(found, nodes), strict=True)
    return SmallTree(
        key=key,
        title="",
        is_best=is_best,
        nodes=tuple(
            SmallNode(
                parent=parent,
                x=round(float(x), 4),
                level=level,
                text=found.features[feature] if feature >= 0 else _leaf_text(found, code),
                branch=branch,
                code=TEST if feature >= 0 else {MIXED: ANY, EMPTY: NONE}.get(code, code),
            )
            for (parent, feature, code), x, level, branch in rows
        ),
    )


def _leaf_text(found: ShortestTree, code: int) -> str:
    if code == MIXED:
        return message("mixed")
    return "–" if code == EMPTY else value_text(found.greedy.classes[code])


def _branches(found: ShortestTree, nodes: Sequence[tuple[int, int, int]]) -> list[str]:
    """The category of the branch into each node: branches are in the order of the training categories."""
    seen = [0] * len(nodes)
    texts = []
    for parent, _, _ in nodes:
        if parent < 0:
            texts.append("")
            continue
        texts.append(value_text(found.greedy.features[nodes[parent][1]].labels[seen[parent]]))
        seen[parent] += 1
    return texts
