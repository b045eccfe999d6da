"""A tree as pictures of lessons draw it: every node at its place, with its test, its branch and its class shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.formatting import number_text, value_text, visible
from explorer.growing.consistent_trees import Shape
from explorer.growing.shortest_tree import EMPTY, MIXED, ShortestTree
from explorer.messages import message
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class LessonNode:
    """A node: `x` from 0 (left) to 1, its depth, `branch` the value that leads to it, `test` its feature ("": a leaf).

    `shares` are class shares in class order (none of numbers); `counts` is how many rows of every class reach it;
    `predicted` is the position of its class, −1 where it has none.
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
    """The nodes of a tree, each after its parent; `depth` is that of the deepest."""

    nodes: tuple[LessonNode, ...]
    depth: int


def lesson_tree(tree: Tree, words: Mapping[str, str] | None = None, as_pruned: bool = False) -> LessonTree:
    """The tree as it was grown (or `as_pruned`); its leaves stand side by side at equal distances.

    `words` are shown for names of features, categories and classes.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("fixed_alpha").frame, "y", kinds=dict.fromkeys("ABy", "categorical"))
    >>> [(node.test, node.branch, round(node.x, 3), node.counts) for node in lesson_tree(grow(data, CART)).nodes][:3]
    [('B', '', 0.583, '6 : 3'), ('A', '= 0', 0.333, '6 : 1'), ('', '= 1', 0.833, '0 : 2')]
    """
    shown = list(tree.preorder()) if as_pruned else list(range(tree.n_nodes_grown))
    across = _places({node: int(tree.parent[node]) for node in (shown if as_pruned else _preorder(tree))})
    nodes = tuple(_node(tree, number, across[number], words or {}, as_pruned) for number in sorted(shown))
    return LessonTree(nodes, int(tree.depth[shown].max()))


def searched_tree(found: ShortestTree, shape: Shape) -> LessonTree:
    """A tree that a search has looked at; it need not be consistent, and nobody has grown it."""
    nodes, depths = found.nodes_of(shape), list[int]()
    across, seen = _places(dict(enumerate(parent for parent, _, _ in nodes))), [0] * len(nodes)
    made = []
    for number, (parent, feature, code) in enumerate(nodes):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        branch = ""
        if parent >= 0:
            branch = value_text(found.greedy.features[nodes[parent][1]].labels[seen[parent]])
            seen[parent] += 1
        label = message("mixed") if code == MIXED else "–" if code == EMPTY else value_text(found.greedy.classes[code])
        label, test = ("", found.features[feature]) if feature >= 0 else (label, "")
        place = round(across[number], 4)
        made.append(LessonNode(number, parent, place, depths[-1], test, branch, (), "", label, max(code, -1)))
    return LessonTree(tuple(made), max(depths))


def _places(parents: Mapping[int, int]) -> dict[int, float]:
    """The x of nodes in preorder: leaves at equal distances, every other node midway between its outer children."""
    inner = set(parents.values())
    leaves = [node for node in parents if node not in inner]
    across = {node: (index + 0.5) / len(leaves) for index, node in enumerate(leaves)}
    for node in reversed(parents):
        children = [across[child] for child, parent in parents.items() if parent == node] if node in inner else []
        if children:
            across[node] = (children[0] + children[-1]) / 2
    return across


def _preorder(tree: Tree) -> list[int]:
    nodes, waiting = list[int](), [0]
    while waiting:
        nodes.append(waiting.pop())
        if tree.child_count[nodes[-1]]:
            waiting.extend(reversed(tree.children_of(nodes[-1])))
    return nodes


def _node(tree: Tree, number: int, x: float, words: Mapping[str, str], as_pruned: bool) -> LessonNode:
    def worded(text: str) -> str:
        return words.get(text) or visible(text)

    condition, parent = tree.condition(number), int(tree.parent[number])
    is_leaf, is_number = condition is None or (as_pruned and tree.is_leaf[number]), tree.is_regression
    name = "" if is_number else str(tree.classes[tree.labels[number]])
    return LessonNode(
        number=number,
        parent=parent,
        x=x,
        depth=int(tree.depth[number]),
        test="" if condition is None or is_leaf else worded(condition.feature),
        branch=worded(_branch(tree, number)) if parent >= 0 else "",
        shares=() if is_number else tuple(float(share) for share in tree.shares[number]),
        counts="" if is_number else " : ".join(number_text(float(count), 4) for count in tree.stats[number]),
        label=number_text(float(tree.values[number]), 4) if is_number else worded(name),
        predicted=-1 if is_number else int(tree.labels[number]),
    )


def _branch(tree: Tree, number: int) -> str:
    """What leads from the node above to this one; a category alone where every one has its branch."""
    parent = int(tree.parent[number])
    above = tree.condition(parent)
    assert above is not None
    text = above.branch_word(number - int(tree.first_child[parent]))
    return text.removeprefix("= ") if above.kind == "each_value" else text
