"""Trees and features of XGBoost from JSON: the arrays of `save_model`, and the nested nodes of a dump, as records.

Whatever the text holds, the result is a tree or an InputError: the numbers are checked before anything reads them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import DEEPEST
from explorer.foreign.limits import MOST_NODES, check_pairs, refusing
from explorer.foreign.record import ModelNodes
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import BELOW_ALL
from explorer.tree.from_sklearn import numeric_features, thresholds_before_rounding
from explorer.values import Value

MOST_CATEGORIES = 100_000


def no_model(culprit: str) -> InputError:
    """The error of a text that is no model of XGBoost."""
    return InputError(
        message(
            "This is not a model of XGBoost: {culprit}. Write it anew with booster.save_model('model.json').",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


def nodes_from_arrays(tree: Fields, features: Sequence[FeatureEncoding]) -> ModelNodes:
    """The nodes from the arrays of one tree in the file of `save_model`; leaves may hold a number for each class."""
    left = _whole_numbers(tree, "left_children", None)
    n = len(left)
    if not 1 <= n <= MOST_NODES:
        refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    cover = optional_numbers(tree, "sum_hessian", n)
    feature = _whole_numbers(tree, "split_indices", n)  # of leaves, and of nodes that pruning has left behind, any
    right = _whole_numbers(tree, "right_children", n)
    kinds = optional_numbers(tree, "split_type", n)
    by_category = kinds == 1 if len(kinds) else np.zeros(n, dtype=bool)
    vector = _leaf_vectors(tree, left, right)
    if vector is not None:
        right = np.where(left < 0, -1, right)
    told = tree.items("split_conditions", n)
    unread = by_category if vector is None else by_category | (left < 0)  # nan, as some versions write there
    told = [0.0 if is_unread else value for value, is_unread in zip(told, unread.tolist(), strict=True)]
    condition = Fields({"split_conditions": told}, no_model).numbers(
        "split_conditions", n, -LARGEST_SUMMED, LARGEST_SUMMED
    )
    default_left = tree.flags("default_left", n)
    nodes = _nodes(left, right, feature, condition, default_left, cover if len(cover) else np.zeros(n))
    if by_category.any():
        nodes.threshold[by_category] = np.nan
        nodes.pairs = _pairs(tree, by_category, nodes.feature, features)
        if not any(each.kind == "categorical" for each in features):  # codes alone: one that no split lists goes left
            nodes.unseen_branch = np.where(by_category, 0, nodes.missing_branch)
    if vector is not None:
        nodes.value = vector
    return nodes


def _leaf_vectors(tree: Fields, left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64] | None:
    """The numbers of every leaf, [n, K]; None where each has one.

    Since version 3.1 they are listed leaf after leaf, and `right_children` says which are a leaf's.
    """
    width = str(tree.record("tree_param").content.get("size_leaf_vector", 1)) if tree.has("tree_param") else "1"
    if width in ("0", "1"):
        return None
    size = int(width) if width.isascii() and width.isdigit() and len(width) < 5 else 0
    values = np.zeros((len(left), max(size, 1)))
    is_leaf = left < 0
    if tree.has("leaf_weights"):
        listed = tree.numbers("leaf_weights", None, -LARGEST_SUMMED, LARGEST_SUMMED)
        place = right[is_leaf]
        if not size or listed.size % size or ((place < 0) | (place >= listed.size // size)).any():
            refuse(message("the numbers of its leaves do not fit"))
        values[is_leaf] = listed.reshape(-1, size)[place]
    else:
        listed = tree.numbers("base_weights", len(left) * size, -LARGEST_SUMMED, LARGEST_SUMMED)
        values[is_leaf] = listed.reshape(-1, max(size, 1))[is_leaf]
    return values


def _pairs(
    tree: Fields, by_category: NDArray[np.bool_], feature: NDArray[Any], features: Sequence[FeatureEncoding]
) -> NDArray[np.int64]:
    """Node, code and branch of every category: those that the file lists go right, the others left."""
    nodes = np.flatnonzero(by_category & (feature >= 0))
    told = _whole_numbers(tree, "categories_nodes", None)
    sizes, starts = (_whole_numbers(tree, f"categories_{name}", len(told)) for name in ("sizes", "segments"))
    codes = _whole_numbers(tree, "categories", None)
    ends = starts + sizes
    is_there = (feature[nodes] < len(features)).all() and not set(nodes.tolist()) - set(told.tolist())
    if not is_there or (starts < 0).any() or (sizes < 0).any() or (ends > len(codes)).any():
        refuse(message("its categories do not belong to its nodes"))
    listed = {
        node: codes[start:end] for node, start, end in zip(told.tolist(), starts.tolist(), ends.tolist(), strict=True)
    }
    n_labels = [len(features[position].labels) for position in feature[nodes].tolist()]
    check_pairs(sum(n_labels))
    tables = []
    for node, n in zip(nodes.tolist(), n_labels, strict=True):
        if (listed[node] >= n).any() or (listed[node] < 0).any():
            refuse(message("its categories do not belong to its nodes"))
        branch = np.zeros(n, dtype=np.int64)
        branch[listed[node]] = 1
        tables.append(np.column_stack([np.full(n, node), np.arange(n), branch]))
    return np.concatenate(tables) if tables else np.empty((0, 3), dtype=np.int64)


def _nodes(
    left: ArrayLike,
    right: ArrayLike,
    feature: ArrayLike,
    condition: ArrayLike,
    default_left: ArrayLike,
    cover: ArrayLike,
) -> ModelNodes:
    """The nodes whose condition is a threshold, or the number of a leaf."""
    if ((np.asarray(left) < 0) != (np.asarray(right) < 0)).any():
        refuse(message("a node has one child"))
    threshold = largest_to_the_left(np.asarray(condition))
    return ModelNodes.of_two_sides(left, right, feature, threshold, default_left, condition, cover)


def nodes_from_dump(root: object, names: dict[str, int]) -> ModelNodes:
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
                refuse(message("a leaf of the dump holds several numbers"))
            conditions.append(fields.number("leaf", LARGEST_SUMMED))
            features.append(-1)
            defaults.append(True)
            continue
        left, right, threshold, default_left = _split(fields)
        conditions.append(threshold)
        features.append(names.setdefault(str(content.get("split"))[:200], len(names)))
        defaults.append(default_left)
        waiting += [(right, node, True, depth + 1), (left, node, False, depth + 1)]
    return _nodes(*children, features, conditions, defaults, covers)


def _split(fields: Fields) -> tuple[object, object, float, bool]:
    """Left and right child, threshold, and whether rows without a value go left.

    A split on a truth value has no threshold: the child of smaller id is "false", and missing rows go to "no".
    """
    content = fields.content
    yes, no = _children(content)
    if "split_condition" not in content:
        return (yes, no, 1.0, False) if content["yes"] < content["no"] else (no, yes, 1.0, True)
    if isinstance(content["split_condition"], list):
        refuse(message("a dump does not name the categories that its splits list"))
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


def used_features(trees: Sequence[Fields]) -> int:
    """One more than the largest position of a feature that a split names."""
    pairs = (zip(listed(tree, "left_children"), listed(tree, "split_indices"), strict=False) for tree in trees)
    used = (feature for tree in pairs for left, feature in tree if left != -1)
    largest = max(used, key=_number, default=0)
    return whole(max(largest, 0) if isinstance(largest, int) else largest, "split_indices") + 1


def features_of(
    names: Sequence[str], kinds: Sequence[object], model: Fields, trees: Sequence[Fields]
) -> tuple[FeatureEncoding, ...]:
    """The features, those of categories with their names; before version 3.1 a file has codes only."""
    if "c" not in kinds:
        return numeric_features(names)
    told = listed(model.record("cats"), "enc") if model.has("cats") else []
    largest = max((max(listed(tree, "categories"), key=_number, default=0) for tree in trees), key=_number, default=0)
    codes = tuple(map(float, range(min(whole(largest, "categories"), MOST_CATEGORIES) + 1)))
    features = []
    for position, name in enumerate(names):
        if position >= len(kinds) or kinds[position] != "c":
            features.append(FeatureEncoding(name, "numeric", "threshold"))
        elif position < len(told):
            features.append(
                FeatureEncoding(name, "categorical", "subset", _category_names(Fields(told[position], no_model)))
            )
        else:
            features.append(FeatureEncoding(name, "numeric", "subset", codes))
    return tuple(features)


def _category_names(told: Fields) -> tuple[Value, ...]:
    """The categories of a feature in the order of their codes: texts as UTF-8 in signed bytes, or numbers."""
    values = told.whole_numbers("values", None, -(2**63), 2**63 - 1, np.int64)
    if not told.has("offsets"):
        return tuple(values.tolist())
    offsets = told.whole_numbers("offsets", None, 0, len(values), np.int64)
    data = (values % 256).astype(np.uint8).tobytes()
    names = [data[start:end].decode("utf-8", "replace") for start, end in pairwise(offsets.tolist())]
    if len(set(names)) < len(names):
        refuse(message("two categories have the same name"))
    return tuple(names)


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and value == value else math.inf


def listed(fields: Fields, name: str) -> list[Any]:
    """A list of a record; empty where it has none of this name."""
    return fields.items(name) if fields.content.get(name) else []


def whole(value: object, name: str) -> int:
    """A whole number, which XGBoost writes as text."""
    is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
    if not is_text and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31):
        refuse(message("'{name}' is no whole number", name=name))
    return int(value)  # type: ignore[call-overload]
