"""Trees of CatBoost: symmetric ones, whose nodes of a level share their test, and nested ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import DEEPEST
from explorer.foreign.limits import MOST_NODES
from explorer.messages import message
from explorer.plain_fields import LARGEST, Fields
from explorer.ranges import LARGEST_SUMMED

Array = NDArray[Any]
MOST_LEVELS = 16
"""CatBoost's own limit."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of one tree, the root first, [n]: children −1 for a leaf, `value` [n, width] and `weight` of leaves.

    `feature` counts among those of numbers or of categories; `category` is the hash of the one that goes right.
    """

    left: Array
    right: Array
    feature: Array
    by_category: Array
    border: Array
    category: Array
    value: Array
    weight: Array


def from_symmetric(tree: Fields, width: int) -> Nodes:
    """The tree from its tests, one a level, and its leaves: the answer to the first test is the lowest bit."""
    tests = tree.records("splits") if tree.has("splits") else []
    depth = len(tests)
    if depth > MOST_LEVELS:
        raise tree.refusal(message("a node of the dump is no object, or the tree is too large"))
    n_inner, n_leaves = 2**depth - 1, 2**depth
    value = tree.numbers("leaf_values", n_leaves * width, -LARGEST_SUMMED, LARGEST_SUMMED).reshape(-1, width)
    has_weight = tree.has("leaf_weights")
    weight = tree.numbers("leaf_weights", n_leaves, 0, LARGEST_SUMMED) if has_weight else np.zeros(n_leaves)
    level = np.repeat(np.arange(depth), 2 ** np.arange(depth))
    # Breadth-first, a leaf's place has the first answer as its highest bit.
    places, of_leaf = np.arange(n_leaves), np.zeros(n_leaves, dtype=np.int64)
    for bit in range(depth):
        of_leaf |= (places >> (depth - 1 - bit) & 1) << bit
    read = [_test(test) for test in tests] or [(0, False, 0.0, 0)]
    feature, by_category, border, category = (np.array([test[k] for test in read]) for k in range(4))
    padding = np.zeros(n_leaves, dtype=np.int64)
    inner = np.arange(n_inner)

    def of_levels(each: Array) -> Array:
        return np.concatenate([each[level], padding.astype(each.dtype)])

    return Nodes(
        np.concatenate([2 * inner + 1, padding - 1]),
        np.concatenate([2 * inner + 2, padding - 1]),
        of_levels(feature),
        of_levels(by_category),
        of_levels(border),
        of_levels(category),
        np.concatenate([np.zeros((n_inner, width)), value[of_leaf]]),
        np.concatenate([np.zeros(n_inner), weight[of_leaf]]),
    )


def from_nested(root: object, width: int, refusal: Callable[[str], InputError]) -> Nodes:
    """The tree from nodes within nodes."""
    children: tuple[list[int], list[int]] = ([], [])
    tests, values, weights = list[tuple[int, bool, float, int]](), list[Array](), list[float]()
    waiting: list[tuple[object, int, int, int]] = [(root, -1, 0, 0)]
    while waiting:
        content, parent, side, depth = waiting.pop()
        if not isinstance(content, Mapping) or depth > DEEPEST or len(tests) >= MOST_NODES:
            raise refusal(message("a node of the dump is no object, or the tree is too large"))
        place, node = len(tests), Fields(content, refusal)
        if parent >= 0:
            children[side][parent] = place
        for each in children:
            each.append(-1)
        if "value" in content:
            found = content["value"] if isinstance(content["value"], list) else [content["value"]]
            told = Fields({"value": found}, refusal)
            values.append(told.numbers("value", width, -LARGEST_SUMMED, LARGEST_SUMMED))
            weights.append(node.number("weight", LARGEST_SUMMED) if node.has("weight") else 0.0)
            tests.append((0, False, 0.0, 0))
            continue
        tests.append(_test(node.record("split")))
        values.append(np.zeros(width))
        weights.append(0.0)
        waiting += [(content.get("right"), place, 1, depth + 1), (content.get("left"), place, 0, depth + 1)]
    feature, by_category, border, category = (np.array([test[k] for test in tests]) for k in range(4))
    left, right = map(np.array, children)
    return Nodes(left, right, feature, by_category, border, category, np.array(values), np.array(weights))


def _test(test: Fields) -> tuple[int, bool, float, int]:
    """The feature of a test, whether it is on categories, its border, and its category's hash without sign."""
    kind = test.content.get("split_type")
    if kind == "FloatFeature":
        return test.whole("float_feature_index", 0, 2**31 - 1), False, test.number("border", LARGEST), 0
    if kind == "OneHotFeature":
        value = test.whole("value", -(2**31), 2**32 - 1) % 2**32
        return test.whole("cat_feature_index", 0, 2**31 - 1), True, 0.0, value
    raise InputError(
        message(
            "The model has splits of type '{kind}', which stand for statistics of the target and cannot be read: fit "
            "it with a larger one_hot_max_size, or on numeric features.",
            kind=str(kind)[:40],
        )
    )
