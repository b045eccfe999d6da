"""Trees written down by hand: nested tuples of class counts, laid out as the explorer's arrays."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.parameters import EMPTY, PURE, SPLIT
from explorer.recipe.recipe import CART, ID3
from explorer.tree.tree import Tree

LETTERS = "abcdefghij"


@dataclass
class Knot:
    """One node: class counts, or (W, mean, M2) for regression, and the nodes below it."""

    stats: tuple[float, ...]
    children: list[Knot] = field(default_factory=list)


def knot(*parts: Knot | tuple[int, ...]) -> Knot:
    """A node from its class counts, or from its branches (whose counts it adds up)."""
    children = [part if isinstance(part, Knot) else Knot(part) for part in parts]
    return Knot(tuple(sum(counts) for counts in zip(*(child.stats for child in children), strict=True)), children)


def breadth_first(root: Knot) -> list[Knot]:
    """All nodes, level by level."""
    order = [root]
    for node in order:
        order.extend(node.children)
    return order


def impurity(kind: str, stats: tuple[float, ...]) -> float:
    """Impurity by the textbook formulas."""
    weight = stats[0] if kind == "variance" else sum(stats)
    if weight == 0:
        return 0.0
    if kind == "variance":
        return stats[2] / weight
    shares = [count / weight for count in stats if count > 0]
    return 1 - sum(p * p for p in shares) if kind == "gini" else -sum(p * np.log2(p) for p in shares) + 0.0


def tree_of(root: Knot, kind: str = "gini") -> Tree:
    """The explorer's tree; node i tests its own categorical feature "f<i>" with values a, b, c and so on."""
    nodes = breadth_first(root)
    number_of = {id(node): number for number, node in enumerate(nodes)}
    above = {number_of[id(child)]: number_of[id(node)] for node in nodes for child in node.children}
    counts = np.array([len(node.children) for node in nodes], dtype=np.int32)
    inner = np.flatnonzero(counts)
    depth = np.zeros(len(nodes), dtype=np.int32)
    for child, parent in sorted(above.items()):
        depth[child] = depth[parent] + 1
    stats = np.array([node.stats for node in nodes], dtype=np.float64)
    weight = stats[:, 0] if kind == "variance" else stats.sum(axis=1)
    branches = np.concatenate([np.arange(count) for count in counts]).astype(np.int32)
    feature = np.full(len(nodes), -1, dtype=np.int32)
    feature[inner] = np.arange(inner.size)
    stop = np.where(weight == 0, EMPTY, np.where(counts > 0, SPLIT, PURE)).astype(np.int8)
    return Tree(
        features=tuple(
            FeatureEncoding(f"f{i}", "categorical", "each_value", tuple(LETTERS[: counts[i]])) for i in inner
        ),
        target="goal",
        classes=() if kind == "variance" else tuple(f"class {k}" for k in range(stats.shape[1])),
        recipe=CART if kind in ("gini", "variance") else ID3,
        parent=np.array([above.get(i, -1) for i in range(len(nodes))], dtype=np.int32),
        first_child=np.array([number_of[id(n.children[0])] if n.children else -1 for n in nodes], dtype=np.int32),
        child_count=counts,
        depth=depth,
        feature=feature,
        threshold=np.full(len(nodes), np.nan),
        cat_offset=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        cat_code=branches,
        cat_branch=branches,
        missing_branch=np.full(len(nodes), -1, dtype=np.int32),
        weight=weight,
        stats=stats,
        impurity=np.array([impurity(kind, node.stats) for node in nodes]),
        stop=stop,
        missing_weight=np.zeros(len(nodes)),
        is_pruned=np.zeros(len(nodes), dtype=bool),
    )


NASTY_NAMES = [
    "天气",
    "🌧️👨‍👩‍👧",
    'say "hi"',
    "<script>alert(1)</script>",
    "<b>bold</b>",
    "C:\\new\\table",
    "ends in \\",
    "two\nlines\r\n",
    "\\N\\G\\l",
    "&lt;&#65;&amp;",
    "a\x00b\x1b[31m",
    "turned\u202eback",
    "x" * 300,
    "]; n9 [label=pwned",
    "} digraph {",
    "",
]


# Outlook = Sunny (then Humidity) | Overcast | Rain (then Wind), class counts (Yes, No)
TENNIS = knot(knot((0, 3), (2, 0)), (4, 0), knot((3, 0), (0, 2)))


def renamed(root: Knot, feature: str, labels: tuple[str, ...], classes: tuple[str, ...], kind: str = "gini") -> Tree:
    """A handmade tree with other names; every inner node tests a feature of that name."""
    tree = tree_of(root, kind)
    encodings = tuple(
        FeatureEncoding(feature, "categorical", "each_value", labels[: len(encoding.labels)])
        for encoding in tree.features
    )
    return replace(tree, features=encodings, classes=classes, target=feature)


def tennis_tree() -> Tree:
    """The textbook's tree."""
    tree = renamed(TENNIS, "Outlook", ("Sunny", "Overcast", "Rain"), ("Yes", "No"))
    return replace(
        tree,
        target="PlayTennis",
        features=(
            tree.features[0],
            FeatureEncoding("Humidity", "categorical", "each_value", ("High", "Normal")),
            FeatureEncoding("Wind", "categorical", "each_value", ("Weak", "Strong")),
        ),
    )


# Outlook = Overcast | Humidity = High (Sunny; else Wind) | Wind (Weak; else Temperature ...), class counts (Yes, No)
BINARY_TENNIS = knot((4, 0), knot(knot((0, 3), knot((1, 0), (0, 1))), knot((3, 0), knot((1, 0), (0, 1)))))


COUNTEREXAMPLE_1 = knot(knot((6, 0), (0, 1)), (0, 2))


def knots(classes: int = 2) -> st.SearchStrategy[Knot]:
    """Random trees of up to ten leaves, two or three branches a node, with some empty branches."""
    counts = st.tuples(*[st.integers(0, 4)] * classes)
    leaf = counts.map(Knot)
    tree = st.recursive(
        leaf, lambda node: st.lists(node, min_size=2, max_size=3).map(lambda b: knot(*b)), max_leaves=10
    )
    return tree.filter(lambda root: no_empty_inner_node(root) and sum(root.stats) > 0)


def no_empty_inner_node(node: Knot) -> bool:
    """A node without rows is never split."""
    return not node.children or (sum(node.stats) > 0 and all(map(no_empty_inner_node, node.children)))
