"""A tree as pictures of lessons draw it: every node at its place, with its test, its branch and its class shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.formatting import visible
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class LessonNode:
    """A node: `x` from 0 (left) to 1, its depth, `branch` the value that leads to it, `test` its feature ("": a leaf).

    `shares` are class shares in class order; `counts` is how many rows of every class reach it; `predicted` is the
    position of its class.
    """

    number: int
    parent: int
    x: float
    depth: int
    test: str
    branch: str
    shares: tuple[float, ...]
    counts: str
    label: str
    predicted: int


@dataclass(frozen=True)
class LessonTree:
    """The nodes of a classification tree as grown, each after its parent; `depth` is that of the deepest."""

    nodes: tuple[LessonNode, ...]
    depth: int


def lesson_tree(tree: Tree, words: Mapping[str, str] | None = None) -> LessonTree:
    """The tree as it was grown, pruned or not; its leaves stand side by side at equal distances.

    `words` are shown for names of features, categories and classes.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("fixed_alpha").frame, "y", kinds=dict.fromkeys("ABy", "categorical"))
    >>> [(node.test, node.branch, round(node.x, 3), node.counts) for node in lesson_tree(grow(data, CART)).nodes][:3]
    [('B', '', 0.583, '6 : 3'), ('A', '= 0', 0.333, '6 : 1'), ('', '= 1', 0.833, '0 : 2')]
    """
    across = _places(tree)
    nodes = tuple(_node(tree, number, across[number], words or {}) for number in range(tree.n_nodes_grown))
    return LessonTree(nodes, int(tree.depth.max()))


def _places(tree: Tree) -> dict[int, float]:
    """The x of every node: leaves at equal distances, every other node midway between its first and last child."""
    leaves = [node for node in _preorder(tree) if tree.child_count[node] == 0]
    across = {node: (index + 0.5) / len(leaves) for index, node in enumerate(leaves)}
    for node in reversed(range(tree.n_nodes_grown)):
        if tree.child_count[node]:
            children = tree.children_of(node)
            across[node] = (across[children[0]] + across[children[-1]]) / 2
    return across


def _preorder(tree: Tree) -> list[int]:
    nodes, waiting = list[int](), [0]
    while waiting:
        nodes.append(waiting.pop())
        if tree.child_count[nodes[-1]]:
            waiting.extend(reversed(tree.children_of(nodes[-1])))
    return nodes


def _node(tree: Tree, number: int, x: float, words: Mapping[str, str]) -> LessonNode:
    def worded(text: str) -> str:
        return words.get(text) or visible(text)

    condition, parent = tree.condition(number), int(tree.parent[number])
    return LessonNode(
        number=number,
        parent=parent,
        x=x,
        depth=int(tree.depth[number]),
        test=worded(condition.feature) if condition is not None else "",
        branch=worded(_branch(tree, number)) if parent >= 0 else "",
        shares=tuple(float(share) for share in tree.shares[number]),
        counts=" : ".join(f"{count:g}" for count in tree.stats[number]),
        label=worded(str(tree.classes[tree.labels[number]])),
        predicted=int(tree.labels[number]),
    )


def _branch(tree: Tree, number: int) -> str:
    """What leads from the node above to this one; a category alone where every one has its branch."""
    parent = int(tree.parent[number])
    above = tree.condition(parent)
    assert above is not None
    text = above.branch_word(number - int(tree.first_child[parent]))
    return text.removeprefix("= ") if above.kind == "each_value" else text
