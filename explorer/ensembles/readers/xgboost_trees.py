"""Trees of XGBoost from JSON: the arrays of `save_model`, and the nested nodes of a dump, as one kind of record.

Whatever the text holds, the result is a tree or an InputError: the numbers are checked before anything reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.condition import BELOW_ALL
from explorer.tree.from_sklearn import refuse_categories, thresholds_before_rounding

MOST_NODES = 200_000
"""The most nodes of a single tree."""
MOST_NODES_IN_ALL = 1_200_000
DEEPEST = 1_000


def no_model(culprit: str) -> InputError:
    """The error of a text that is no model of XGBoost."""
    return InputError(
        message(
            "This is not a model of XGBoost: {culprit}. Write it anew with booster.save_model('model.json').",
            culprit=culprit,
        )
    )


def refuse(culprit: str) -> NoReturn:
    """Raise it."""
    raise no_model(culprit)


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

    left: Sequence[int] | NDArray[Any]
    right: Sequence[int] | NDArray[Any]
    feature: Sequence[int] | NDArray[Any]
    condition: Sequence[float] | NDArray[Any]
    default_left: Sequence[bool] | NDArray[Any]
    cover: Sequence[float] | NDArray[Any]


def nodes_from_arrays(tree: Fields) -> XgboostNodes:
    """The nodes from the arrays of one tree in the file of `save_model`."""
    left = _whole_numbers(tree, "left_children", None)
    n = len(left)
    if not 1 <= n <= MOST_NODES:
        refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    if tree.has("tree_param") and str(tree.record("tree_param").content.get("size_leaf_vector", 1)) not in ("0", "1"):
        refuse_vectors()
    if tree.content.get("categories_nodes") or optional_numbers(tree, "split_type", n).any():
        refuse_categories()
    cover = optional_numbers(tree, "sum_hessian", n)
    feature = _whole_numbers(tree, "split_indices", n)  # of leaves, and of nodes that pruning has left behind, any
    return XgboostNodes(
        left,
        _whole_numbers(tree, "right_children", n),
        np.where(left >= 0, feature, -1),
        tree.numbers("split_conditions", n, -LARGEST_SUMMED, LARGEST_SUMMED),
        tree.flags("default_left", n),
        cover if len(cover) else np.zeros(n),
    )


def nodes_from_dump(root: object, names: dict[str, int]) -> XgboostNodes:
    """The nodes from one tree of a dump; `names` numbers the features by name and grows as new ones appear."""
    children: tuple[list[int], list[int]] = ([], [])
    features, conditions, defaults, covers = list[int](), list[float](), list[bool](), list[float]()
    waiting: list[tuple[object, int, bool, int]] = [(root, -1, False, 0)]
    while waiting:
        content, parent, is_right, depth = waiting.pop()
        if not isinstance(content, Mapping) or depth > DEEPEST or len(features) >= MOST_NODES:
            refuse(message("a node of the dump is no object, or the tree is too large"))
        node = len(features)
        if parent >= 0:
            children[is_right][parent] = node
        for side in children:
            side.append(-1)
        fields = Fields(content, no_model)
        covers.append(fields.number("cover", LARGEST_SUMMED) if "cover" in content else 0.0)
        if "leaf" in content:
            if isinstance(content["leaf"], list):
                refuse_vectors()
            conditions.append(fields.number("leaf", LARGEST_SUMMED))
            features.append(-1)
            defaults.append(True)
            continue
        left, right, threshold, default_left = _split(fields)
        conditions.append(threshold)
        features.append(names.setdefault(str(content.get("split"))[:200], len(names)))
        defaults.append(default_left)
        waiting += [(right, node, True, depth + 1), (left, node, False, depth + 1)]
    return XgboostNodes(*children, features, conditions, defaults, covers)


def _split(fields: Fields) -> tuple[object, object, float, bool]:
    """Left and right child, threshold, and whether rows without a value go left.

    A split on a truth value has no threshold: the child of smaller id is "false", and missing rows go to "no".
    """
    content = fields.content
    yes, no = _children(content)
    if "split_condition" not in content:
        return (yes, no, 1.0, False) if content["yes"] < content["no"] else (no, yes, 1.0, True)
    if isinstance(content["split_condition"], list):
        refuse_categories()
    threshold = fields.number("split_condition", LARGEST_SUMMED)
    return yes, no, threshold, content.get("missing") != content.get("no")


def _children(content: Mapping[str, Any]) -> tuple[object, object]:
    """The nodes "yes" and "no" of a dumped split."""
    children = content.get("children")
    if not isinstance(children, list) or len(children) != 2 or not all(isinstance(c, Mapping) for c in children):
        refuse(message("a split of the dump has not two children"))
    ids = [*(child.get("nodeid") for child in children), content.get("yes"), content.get("no")]
    if not all(isinstance(number, int) for number in ids):
        refuse(message("the children of a split are not those that 'yes' and 'no' name"))
    by_id = {child.get("nodeid"): child for child in children}
    if len(by_id) != 2 or set(by_id) != {content.get("yes"), content.get("no")}:
        refuse(message("the children of a split are not those that 'yes' and 'no' name"))
    return by_id[content["yes"]], by_id[content["no"]]


def largest_to_the_left(thresholds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The largest number that XGBoost sends left of each threshold: x < t in 32 bits.

    >>> largest_to_the_left(np.array([1.5])) < 1.5, largest_to_the_left(np.array([1.5])) > 1.4999999
    (array([ True]), array([ True]))
    """
    with np.errstate(over="ignore"):
        below = np.nextafter(np.asarray(thresholds, dtype=np.float32), np.float32(-np.inf))
    return np.where(np.isneginf(below), BELOW_ALL, thresholds_before_rounding(below.astype(np.float64)))


def optional_numbers(fields: Fields, name: str, n: int) -> NDArray[np.float64]:
    """A list of n finite numbers, empty where it is not there."""
    return fields.numbers(name, n, -LARGEST_SUMMED, LARGEST_SUMMED) if fields.content.get(name) else np.empty(0)


def _whole_numbers(tree: Fields, name: str, n: int | None) -> NDArray[np.int64]:
    return tree.whole_numbers(name, n, -(2**31), 2**31 - 1, np.int64)
