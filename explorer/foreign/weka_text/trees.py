"""J48 and REPTree of Weka: the tree behind the printed lines, whose branches take parts of rows without a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from explorer.foreign.assembly import DEEPEST, trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import MOST_CLASSES, check_pairs
from explorer.foreign.record import Model, ModelNodes
from explorer.foreign.weka_text.printed import Branch, Leaf, Printed, has_tree, printed_tree, refuse
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.impurity import impurity_of
from explorer.recipe.recipe import C45, CART
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

ALMOST_NONE = 1e-9
"""What an empty leaf weighs where its class is not that of the node above."""

_ROUNDED = 0.005
"""By so much may a printed number of rows be off."""


@dataclass
class _Node:
    """A node of the lines: its branches in order with the nodes below, or its leaf."""

    leaf: Leaf | None
    branches: list[Branch] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


def is_weka(content: Content) -> bool:
    """Whether a file is the text of a tree of Weka."""
    return has_tree(content.text)


def tree_from_weka(content: Content, target: str) -> Tree:
    """The tree that the text shows; InputError for lines that cannot be read."""
    printed = printed_tree(content.text or "")
    nodes = _nodes(printed)
    features, is_named = _features(nodes)
    classes = _classes(printed, nodes)
    place = {feature.name: position for position, feature in enumerate(features)}
    n, numbers = len(nodes), np.zeros(len(nodes), dtype=np.int64)
    feature, threshold, others = np.full(n, -1), np.full(n, np.nan), np.full(n, -1)
    pairs: list[tuple[int, int, int]] = []
    for number, node in enumerate(nodes):
        numbers[number] = len(node.below)
        if node.leaf is not None:
            continue
        feature[number] = place[node.branches[0].attribute]
        labels = {label: code for code, label in enumerate(features[feature[number]].labels)}
        for branch, test in enumerate(node.branches):
            if test.sign == "=":
                pairs.append((number, labels[test.value], branch))
            elif test.sign == "!=":
                others[number] = branch
            elif branch == 0:
                limit = float(test.value)
                threshold[number] = np.nextafter(limit, -np.inf) if test.sign == "<" else limit
    check_pairs(len(pairs))
    value, weight = _told(printed, nodes, classes)
    library, sign = ("Weka REPTree", "<") if printed.is_rep else ("Weka J48", "≤")
    rounded = Remark("from_weka_text", (library, sign))
    model = Model(library, features, target, classes, is_strict=printed.is_rep, remark=rounded)
    given = ModelNodes(
        child_count=numbers,
        children=np.array([child for node in nodes for child in node.below], dtype=np.int64),
        feature=feature,
        threshold=threshold,
        missing_branch=np.full(n, -1),
        value=value,
        weight=np.maximum(weight, ALMOST_NONE),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 3),
        unseen_branch=others,
    )
    (tree,) = trees_of([given], model, refuse)
    return _finished(tree, printed, is_named)


def _nodes(printed: Printed) -> list[_Node]:
    """The nodes breadth-first; InputError where lines do not make a tree."""
    if printed.root is not None:
        return [_Node(printed.root)]
    lines, depths = printed.branches, [branch.depth for branch in printed.branches]
    if depths[0] != 0 or max(depths) > DEEPEST or any(after > before + 1 for before, after in pairwise(depths)):
        refuse(message("the children of a tree do not form a tree"))
    above, stack = dict[int, list[int]](), list[int]()
    for number, depth in enumerate(depths):
        del stack[depth:]
        above.setdefault(stack[-1] if stack else -1, []).append(number)
        stack.append(number)
    nodes, waiting = list[_Node](), [-1]
    for line in waiting:
        children = above.get(line, [])
        nodes.append(_Node(lines[line].leaf if line >= 0 else None, [lines[child] for child in children]))
        if children:
            _check_siblings(nodes[-1].branches)
            nodes[-1].below = [*range(len(waiting), len(waiting) + len(children))]
            waiting.extend(children)
    return nodes


def _check_siblings(branches: Sequence[Branch]) -> None:
    """InputError unless the branches of a node are those of one test."""
    signs, values = tuple(branch.sign for branch in branches), [branch.value for branch in branches]
    of_one = len({branch.attribute for branch in branches}) == 1
    two_sides = signs in (("<=", ">"), ("<", ">="), ("=", "!=")) and values[0] == values[1]
    if not of_one or not (two_sides or (set(signs) == {"="} and len(set(values)) == len(values) > 1)):
        refuse(message("the branches below '{test}' are not those of one test", test=branches[0].attribute[:40]))


def _features(nodes: Sequence[_Node]) -> tuple[tuple[FeatureEncoding, ...], bool]:
    """The attributes that are tested, by their first place, and whether some are of categories."""
    values: dict[str, dict[str, None]] = {}
    is_binary: dict[str, bool] = {}
    for node in nodes:
        for branch in node.branches:
            is_category = branch.sign in ("=", "!=")
            if is_category != bool(values.setdefault(branch.attribute, {"": None} if is_category else {})):
                refuse(message("'{column}' is compared with numbers and with names", column=branch.attribute[:40]))
            if is_category:
                values[branch.attribute][branch.value] = None
                is_binary[branch.attribute] = is_binary.get(branch.attribute, False) or branch.sign == "!="
    return tuple(
        FeatureEncoding(
            name,
            "categorical",
            "one_vs_rest" if is_binary[name] else "each_value",
            tuple(each for each in listed if each),
        )
        if listed
        else FeatureEncoding(name, "numeric", "threshold")
        for name, listed in values.items()
    ), bool(is_binary)


def _classes(printed: Printed, nodes: Sequence[_Node]) -> tuple[str, ...]:
    """The classes in the order of the confusion matrix, or of the leaves; none where all leaves hold numbers."""
    labels = list(dict.fromkeys(node.leaf.label for node in nodes if node.leaf is not None))
    if printed.is_rep and not printed.classes and all(_number(label) is not None for label in labels):
        return ()
    known = printed.classes if set(labels) <= set(printed.classes) else tuple(labels)
    if len(known) > MOST_CLASSES:
        refuse(message("its classes are not a list of different values"))
    return known


def _number(label: str) -> float | None:
    try:
        number = float(label)
    except ValueError:
        return None
    return number if abs(number) <= LARGEST_SUMMED else None


def _told(printed: Printed, nodes: Sequence[_Node], classes: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Value of every node [n] or [n, K], and weight [n]; those of nodes above leaves follow."""
    n, width = len(nodes), max(len(classes), 1)
    value, weight = np.zeros((n, width)), np.zeros(n)
    for number, node in enumerate(nodes):
        leaf = node.leaf
        if leaf is None:
            continue
        weight[number] = leaf.rows
        if not classes:
            value[number] = _number(leaf.label)
            continue
        code, rows = classes.index(leaf.label), leaf.rows + leaf.pruning_rows
        wrong = min(leaf.errors + leaf.pruning_errors, rows)
        if width > 1:
            value[number] = wrong / (width - 1)
        value[number, code] = rows - wrong
        if not value[number].any():
            value[number, code] = 1.0
    weight = _whole_in_sum(weight)
    return (value, weight) if classes else (value[:, 0], weight)


def _whole_in_sum(weight: np.ndarray) -> np.ndarray:
    """The weights of leaves [n], of which parts of rows are printed with two decimals, such that all rows are whole.

    Where the sum is off by no more than rounding, each part takes an equal share of that.

    >>> _whole_in_sum(np.array([2.0, 1.34, 1.67])).round(9).tolist()
    [2.0, 1.335, 1.665]
    """
    is_part, off = weight % 1.0 != 0.0, float(weight.sum().round() - weight.sum())
    n_parts = int(is_part.sum())
    if not n_parts or abs(off) > n_parts * _ROUNDED + 1e-9:
        return weight
    return np.where(is_part, weight + off / n_parts, weight)


def _finished(tree: Tree, printed: Printed, is_named: bool) -> Tree:
    """The tree with the recipe of its program, and leaves without rows as such where the node above says the same."""
    stats, weight = tree.stats.copy(), tree.weight.copy()
    empty = np.flatnonzero((weight <= ALMOST_NONE) & (tree.feature < 0))
    if tree.classes:
        same = tree.labels[np.maximum(tree.parent[empty], 0)] == tree.labels[empty]
        empty = empty[same & (tree.parent[empty] >= 0)]
        stats[empty], weight[empty] = 0.0, 0.0
    base = CART if printed.is_rep else C45
    kind = "entropy" if tree.classes else "variance"
    recipe = base.replace(name="REPTree" if printed.is_rep else "J48", impurity=kind, missing="fractional")
    if printed.is_rep and is_named:
        recipe = recipe.replace(categorical="each_value")
    impurity = np.array([impurity_of(kind, each) for each in stats]) if tree.classes else tree.impurity
    others = any(node.leaf.errors + node.leaf.pruning_errors > 0 for node in printed.branches if node.leaf is not None)
    remarks = (Remark("weka_errors_shared"),) if len(tree.classes) > 2 and others else ()
    return replace(
        tree, recipe=recipe, stats=stats, weight=weight, impurity=impurity, remarks=(*tree.remarks, *remarks)
    )
