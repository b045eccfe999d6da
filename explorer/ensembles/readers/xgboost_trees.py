"""Trees of XGBoost from JSON: the arrays of `save_model`, and the nested nodes of a dump, as one kind of record.

Whatever the text holds, the result is a tree or an InputError: the numbers are checked before anything reads them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import BELOW_ALL
from explorer.recipe.parameters import SPLIT
from explorer.recipe.recipe import CART
from explorer.recipe.remarks import Remark
from explorer.tree.from_sklearn import breadth_first, refuse_categories, thresholds_before_rounding
from explorer.tree.tree import Tree

MOST_NODES = 200_000
"""The most nodes of a single tree."""
MOST_NODES_IN_ALL = 5_000_000
DEEPEST = 1_000
LARGEST = 1e100
"""Numbers above this would overflow in products of their sums."""


def refuse(culprit: str) -> NoReturn:
    """Raise the error of a text that is no model of XGBoost."""
    raise InputError(
        message(
            "This is not a model of XGBoost: {culprit}. Write it anew with booster.save_model('model.json').",
            culprit=culprit,
        )
    )


def refuse_vectors() -> NoReturn:
    """Raise the error of a model whose leaves hold a number for every class or target."""
    raise InputError(
        message(
            "A leaf of the model holds several numbers (multi_strategy='multi_output_tree'), which cannot be read: fit "
            "it with multi_strategy='one_output_per_tree'."
        )
    )


@dataclass
class XgboostNodes:
    """The nodes of one tree: children (−1 for a leaf), feature, threshold (or leaf value), default side, and cover."""

    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    condition: list[float] = field(default_factory=list)
    default_left: list[bool] = field(default_factory=list)
    cover: list[float] = field(default_factory=list)


def nodes_from_arrays(content: object) -> XgboostNodes:
    """The nodes from the arrays of one tree in the file of `save_model`."""
    if not isinstance(content, Mapping):
        refuse(message("a tree is no object"))
    left = _whole_numbers(content, "left_children", None)
    n = len(left)
    if not 1 <= n <= MOST_NODES:
        refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    parameters = content.get("tree_param")
    if isinstance(parameters, Mapping) and str(parameters.get("size_leaf_vector", 1)) not in ("0", "1"):
        refuse_vectors()
    if content.get("categories_nodes") or any(numbers_in(content, "split_type", n, optional=True)):
        refuse_categories()
    cover = numbers_in(content, "sum_hessian", n, optional=True) or [0.0] * n
    defaults = [bool(value) for value in numbers_in(content, "default_left", n)]
    feature = _whole_numbers(content, "split_indices", n)  # of leaves, and of nodes that pruning has left behind, any
    return XgboostNodes(
        left,
        _whole_numbers(content, "right_children", n),
        [number if child >= 0 else -1 for number, child in zip(feature, left, strict=True)],
        numbers_in(content, "split_conditions", n),
        defaults,
        cover,
    )


def nodes_from_dump(root: object, names: dict[str, int]) -> XgboostNodes:
    """The nodes from one tree of a dump; `names` numbers the features by name and grows as new ones appear."""
    nodes, waiting = XgboostNodes(), [(root, -1, False, 0)]
    while waiting:
        content, parent, is_right, depth = waiting.pop()
        if not isinstance(content, Mapping) or depth > DEEPEST or len(nodes.left) >= MOST_NODES:
            refuse(message("a node of the dump is no object, or the tree is too large"))
        node = len(nodes.left)
        if parent >= 0:
            (nodes.right if is_right else nodes.left)[parent] = node
        is_leaf = "leaf" in content
        nodes.left.append(-1)
        nodes.right.append(-1)
        nodes.cover.append(_number(content.get("cover", 0.0), "cover"))
        if is_leaf:
            nodes.condition.append(_leaf(content["leaf"]))
            nodes.feature.append(-1)
            nodes.default_left.append(True)
            continue
        left, right, threshold, default_left = _split(content)
        nodes.condition.append(threshold)
        nodes.feature.append(names.setdefault(str(content.get("split")), len(names)))
        nodes.default_left.append(default_left)
        waiting += [(right, node, True, depth + 1), (left, node, False, depth + 1)]
    return nodes


def _leaf(value: object) -> float:
    if isinstance(value, list):
        refuse_vectors()
    return _number(value, "leaf")


def _split(content: Mapping[str, Any]) -> tuple[object, object, float, bool]:
    """Left and right child, threshold, and whether rows without a value go left.

    A split on a truth value has no threshold: the child of smaller id is "false", and missing rows go to "no".
    """
    yes, no = _children(content)
    if "split_condition" not in content:
        ids = content["yes"], content["no"]
        if not all(isinstance(number, int) for number in ids):
            refuse(message("the children of a split are not those that 'yes' and 'no' name"))
        return (yes, no, 1.0, False) if ids[0] < ids[1] else (no, yes, 1.0, True)
    if isinstance(content["split_condition"], list):
        refuse_categories()
    threshold = _number(content["split_condition"], "split_condition")
    return yes, no, threshold, content.get("missing") != content.get("no")


def _children(content: Mapping[str, Any]) -> tuple[object, object]:
    """The nodes "yes" and "no" of a dumped split."""
    children = content.get("children")
    if not isinstance(children, list) or len(children) != 2 or not all(isinstance(c, Mapping) for c in children):
        refuse(message("a split of the dump has not two children"))
    by_id = {child.get("nodeid"): child for child in children}
    if len(by_id) != 2 or content.get("yes") not in by_id or content.get("no") not in by_id:
        refuse(message("the children of a split are not those that 'yes' and 'no' name"))
    return by_id[content["yes"]], by_id[content["no"]]


def tree_of(nodes: XgboostNodes, features: Sequence[str], target: str) -> Tree:
    """The tree of these nodes: rows take the same branches, and leaves predict the same numbers.

    XGBoost sends x < t to the left, both rounded to 32 bits; here x ≤ the largest 64-bit number for which that holds.
    A node above leaves predicts their mean by cover.
    """
    left, right = np.array(nodes.left, dtype=np.int64), np.array(nodes.right, dtype=np.int64)
    _check_structure(nodes, left, right, len(features))
    order, depth = breadth_first(left, right)
    split = left[order] >= 0
    counts = np.where(split, 2, 0).astype(np.int32)
    condition = np.array(nodes.condition)[order]
    first_child = np.where(split, np.cumsum(counts) - counts + 1, -1).astype(np.int32)
    weight, values = _weights_and_values(np.array(nodes.cover)[order], condition, first_child)
    n = len(order)
    return Tree(
        features=tuple(FeatureEncoding(name, "numeric", "threshold") for name in features),
        target=target,
        classes=(),
        recipe=CART.replace(name="XGBoost", missing="default_direction"),
        parent=np.concatenate([[-1], np.repeat(np.flatnonzero(split), 2)]).astype(np.int32),
        first_child=first_child,
        child_count=counts,
        depth=depth,
        feature=np.where(split, np.array(nodes.feature)[order], -1).astype(np.int32),
        threshold=np.where(split, largest_to_the_left(condition), np.nan),
        cat_offset=np.zeros(n + 1, dtype=np.int64),
        cat_code=np.empty(0, dtype=np.int32),
        cat_branch=np.empty(0, dtype=np.int32),
        missing_branch=np.where(split, 1 - np.array(nodes.default_left)[order].astype(np.int32), -1).astype(np.int32),
        weight=weight,
        stats=np.column_stack([weight, values, np.zeros(n)]),
        impurity=np.zeros(n),
        stop=np.full(n, SPLIT, dtype=np.int8),
        missing_weight=np.zeros(n),
        is_pruned=np.zeros(n, dtype=bool),
        remarks=(Remark("from_xgboost"),),
        predictions=values,
    )


def largest_to_the_left(thresholds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The largest number that XGBoost sends left of each threshold: x < t in 32 bits.

    >>> largest_to_the_left(np.array([1.5])) < 1.5, largest_to_the_left(np.array([1.5])) > 1.4999999
    (array([ True]), array([ True]))
    """
    with np.errstate(over="ignore"):
        below = np.nextafter(np.asarray(thresholds, dtype=np.float32), np.float32(-np.inf))
    return np.where(np.isneginf(below), BELOW_ALL, thresholds_before_rounding(below.astype(np.float64)))


def _weights_and_values(
    cover: np.ndarray[Any, Any], condition: np.ndarray[Any, Any], first_child: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Weight and prediction of every node from those of the leaves; leaves weigh alike where no cover is known."""
    is_leaf = first_child < 0
    weight = np.where(is_leaf, cover if (cover[is_leaf] > 0).all() else 1.0, 0.0)
    values = np.where(is_leaf, condition, 0.0)
    for node in np.flatnonzero(~is_leaf)[::-1]:
        children = slice(int(first_child[node]), int(first_child[node]) + 2)
        weight[node] = weight[children].sum()
        values[node] = np.average(values[children], weights=weight[children])
    return weight, values


def _check_structure(
    nodes: XgboostNodes, left: np.ndarray[Any, Any], right: np.ndarray[Any, Any], n_features: int
) -> None:
    """InputError unless the nodes reached from the root are one tree whose splits name known features."""
    reached, waiting, seen = np.zeros(len(left), dtype=bool), [(0, 0)], 0
    while waiting:
        node, depth = waiting.pop()
        if not 0 <= node < len(left) or reached[node] or depth > DEEPEST:
            refuse(message("the children of a tree do not form a tree"))
        reached[node] = True
        seen += 1
        if (left[node] < 0) != (right[node] < 0):
            refuse(message("a node has one child"))
        if left[node] >= 0:
            if not 0 <= nodes.feature[node] < n_features:
                refuse(message("a split names feature {number}, which is not there", number=nodes.feature[node]))
            waiting += [(int(left[node]), depth + 1), (int(right[node]), depth + 1)]


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        refuse(message("'{name}' is no finite number", name=name))
    return float(value)


def numbers_in(content: Mapping[str, Any], name: str, n: int | None, optional: bool = False) -> list[float]:
    """A list of n finite numbers."""
    values = content.get(name)
    if optional and not values:
        return []
    if not isinstance(values, list) or (n is not None and len(values) != n):
        refuse(message("'{name}' is no list with a number for every node", name=name))
    return [float(value) if isinstance(value, bool) else _number(value, name) for value in values]


def _whole_numbers(content: Mapping[str, Any], name: str, n: int | None) -> list[int]:
    values = numbers_in(content, name, n)
    if not all(value == math.floor(value) and abs(value) < 2**31 for value in values):
        refuse(message("'{name}' has a number that is not whole", name=name))
    return [int(value) for value in values]
