"""Trees of LightGBM: the arrays of the model text, and the nested nodes of a dump, as one kind of record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import DEEPEST
from explorer.foreign.limits import MOST_NODES, check_pairs, refusing
from explorer.foreign.record import ModelNodes
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL

Array = NDArray[Any]
LARGEST_CODE = 10_000_000
INFINITE = 1e300
"""What LightGBM writes for an endless threshold: all numbers are up to it, and only missing values beyond."""
BY_CATEGORY, DEFAULT_LEFT = 1, 2
MISSING = {"None": 0, "Zero": 4, "NaN": 8}
"""What counts as missing at a node, as bits beside those of its kind and its default side."""


def no_model(culprit: str) -> InputError:
    """The error of a text that is no model of LightGBM."""
    return InputError(
        message(
            "This is not a model of LightGBM: {culprit}. Write it anew with booster.save_model('model.txt').",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


@dataclass(frozen=True, eq=False)
class Splits:
    """One tree with m splits and m + 1 leaves: of every split its feature, threshold, bits and children, [m] each.

    A child is a split, or leaf ~c where c is negative. `value` and `count` (training rows) are those of leaves.
    `listed` are the categories, by their codes, that a split on categories sends left.
    """

    feature: Array
    threshold: Array
    bits: Array
    left: Array
    right: Array
    value: Array
    count: Array
    listed: Mapping[int, Array]

    @property
    def by_category(self) -> Array:
        """Which splits are on categories, [m]."""
        return (self.bits & BY_CATEGORY).astype(bool)

    @property
    def moves_zero(self) -> Array:
        """The splits that send 0, as a missing value, to the other side than its comparison does."""
        is_zero_missing = (self.bits >> 2 & 3) == MISSING["Zero"] >> 2
        goes_left = (self.bits & DEFAULT_LEFT).astype(bool)
        return np.flatnonzero(is_zero_missing & ~self.by_category & ((self.threshold >= 0) != goes_left))


def splits_from_lines(lines: Mapping[str, str]) -> Splits:
    """The tree from its lines in the model text, by their names."""
    told = Fields({"num_leaves": _whole(lines.get("num_leaves")), "is_linear": lines.get("is_linear", "0")}, no_model)
    n = told.whole("num_leaves", 1, MOST_NODES // 2) - 1
    if told.text("is_linear") != "0":
        refuse_linear()

    def wholes(name: str, count: int, least: int, most: int) -> Array:
        found = [_whole(word) for word in lines.get(name, "").split()]
        return Fields({name: found}, no_model).whole_numbers(name, count, least, most, np.int64)

    count = wholes("leaf_count", n + 1, 0, 2**53) if lines.get("leaf_count") else np.zeros(n + 1, dtype=np.int64)
    value = _numbers(lines, "leaf_value", n + 1, LARGEST_SUMMED)
    if not n:
        none = np.empty(0, dtype=np.int64)
        return Splits(none, np.empty(0), none, none, none, value, count, {})
    bits = wholes("decision_type", n, 0, 15)
    threshold = _numbers(lines, "threshold", n, np.finfo(np.float64).max)
    left, right = (wholes(name, n, -n - 1, n - 1) for name in ("left_child", "right_child"))
    splits = Splits(wholes("split_feature", n, 0, 2**31 - 1), threshold, bits, left, right, value, count, {})
    return splits if not splits.by_category.any() else _with_listed(splits, lines)


def _with_listed(splits: Splits, lines: Mapping[str, str]) -> Splits:
    """The same with the categories of its splits, which the text holds as bits of 32-bit words."""
    words = Fields({"cat_threshold": [_whole(word) for word in lines.get("cat_threshold", "").split()]}, no_model)
    sets = words.whole_numbers("cat_threshold", None, 0, 2**32 - 1, np.int64).astype("<u4")
    told = Fields({"cat_boundaries": [_whole(word) for word in lines.get("cat_boundaries", "").split()]}, no_model)
    ends = told.whole_numbers("cat_boundaries", None, 0, len(sets), np.int64)
    nodes = np.flatnonzero(splits.by_category)
    place = splits.threshold[nodes]
    if (np.diff(ends) < 0).any() or not ((place >= 0) & (place < len(ends) - 1) & (place == np.floor(place))).all():
        refuse(message("its categories do not belong to its nodes"))
    listed = {}
    total = 0
    for node, at in zip(nodes.tolist(), place.astype(np.int64).tolist(), strict=True):
        total += int(ends[at + 1] - ends[at])
        check_pairs(32 * total)
        bits = np.unpackbits(sets[ends[at] : ends[at + 1]].view(np.uint8), bitorder="little")
        listed[node] = np.flatnonzero(bits)
    splits.threshold[nodes] = np.nan
    return replace(splits, listed=listed)


def splits_from_dump(root: object) -> Splits:
    """The tree from its nested nodes in a dump."""
    splits, leaves, listed = list[list[Any]](), list[tuple[float, int]](), dict[int, Array]()
    waiting: list[tuple[object, int, int, int]] = [(root, -1, 0, 0)]
    while waiting:
        content, parent, side, depth = waiting.pop()
        if not isinstance(content, Mapping) or depth > DEEPEST or len(splits) + len(leaves) >= MOST_NODES:
            refuse(message("a node of the dump is no object, or the tree is too large"))
        node = Fields(content, no_model)
        if node.has("leaf_const"):
            refuse_linear()
        is_leaf = "leaf_value" in content
        if parent >= 0:
            splits[parent][3 + side] = ~len(leaves) if is_leaf else len(splits)
        if is_leaf:
            count = node.whole("leaf_count", 0, 2**53) if node.has("leaf_count") else 0
            leaves.append((node.number("leaf_value", LARGEST_SUMMED), count))
            continue
        bits = (DEFAULT_LEFT if node.content.get("default_left") is True else 0) | MISSING[
            node.choice("missing_type", MISSING)
        ]
        threshold = np.nan
        if node.choice("decision_type", ("<=", "==")) == "==":
            bits |= BY_CATEGORY
            listed[len(splits)] = _codes(node.content.get("threshold"))
        else:
            threshold = node.number("threshold", np.finfo(np.float64).max)
        waiting += [(content.get(f"{way}_child"), len(splits), k, depth + 1) for k, way in ((1, "right"), (0, "left"))]
        splits.append([node.whole("split_feature", 0, 2**31 - 1), threshold, bits, 0, 0])
    columns = [*zip(*splits, strict=True)] or [()] * 5
    feature, bits_of, left, right = (np.array(columns[k], dtype=np.int64) for k in (0, 2, 3, 4))
    value, count_of = (np.array([leaf[k] for leaf in leaves]) for k in (0, 1))
    return Splits(feature, np.array(columns[1], dtype=np.float64), bits_of, left, right, value, count_of, listed)


def _codes(told: object) -> Array:
    """The codes that a dump lists, as in "0||6||38"; a single one may be a number."""
    parts = told.split("||") if isinstance(told, str) else [str(told)]
    codes = Fields({"threshold": [_whole(part) for part in parts]}, no_model)
    return np.unique(codes.whole_numbers("threshold", None, 0, LARGEST_CODE, np.int64))


def nodes_of(splits: Splits, features: Sequence[FeatureEncoding]) -> ModelNodes:
    """The nodes as LightGBM walks them: its splits, then its leaves.

    A split for which no value is missing takes one as 0. Categories that a split does not list go right, and so do
    rows without one.
    """
    n = len(splits.feature)
    by_category = splits.by_category
    goes_left = np.where(
        splits.bits >> 2 & 3, (splits.bits & DEFAULT_LEFT).astype(bool), np.nan_to_num(splits.threshold) >= 0
    )
    goes_left &= ~by_category
    ends = np.full(n + 1, -1)

    def with_leaves(of_splits: Array, of_leaves: Any) -> Array:
        return np.concatenate([of_splits, np.broadcast_to(of_leaves, n + 1)])

    left, right = (with_leaves(np.where(side < 0, n + ~side, side), ends) for side in (splits.left, splits.right))
    threshold = np.where(splits.threshold >= INFINITE, ABOVE_ALL, splits.threshold)
    nodes = ModelNodes.of_two_sides(
        left,
        right,
        with_leaves(splits.feature, -1),
        with_leaves(threshold, np.nan),
        with_leaves(goes_left, True),
        with_leaves(np.zeros(n), splits.value),
        with_leaves(np.zeros(n), splits.count),
    )
    if by_category.any():
        nodes.pairs = _pairs(splits, features)
        nodes.unseen_branch = np.where(with_leaves(by_category, False), 1, nodes.missing_branch)
    return nodes


def _pairs(splits: Splits, features: Sequence[FeatureEncoding]) -> Array:
    """Node, code and branch of every category: those that a split lists go left, the others right."""
    nodes = np.flatnonzero(splits.by_category)
    feature = splits.feature[nodes]
    if (feature >= len(features)).any() or any(features[f].test != "subset" for f in feature.tolist()):
        refuse(message("its categories do not belong to its nodes"))
    n_labels = np.array([len(features[f].labels) for f in feature.tolist()])
    check_pairs(int(n_labels.sum()))
    code = np.arange(n_labels.sum()) - np.repeat(np.cumsum(n_labels) - n_labels, n_labels)
    branch = np.ones(len(code), dtype=np.int64)
    for node, f, begin in zip(nodes.tolist(), feature.tolist(), np.cumsum(n_labels) - n_labels, strict=True):
        listed, labels = splits.listed[node], features[f].labels
        known = np.array(labels) if features[f].kind == "numeric" else np.arange(len(labels))
        if not np.isin(listed, known).all():
            refuse(message("its categories do not belong to its nodes"))
        branch[begin + np.searchsorted(known, listed)] = 0
    return np.column_stack([np.repeat(nodes, n_labels), code, branch])


def refuse_linear() -> NoReturn:
    """Raise the error of a model whose leaves hold linear functions."""
    raise InputError(
        message("The model's leaves hold linear functions, which cannot be read: fit it with linear_tree=False.")
    )


def _whole(word: object) -> object:
    """The whole number that a word is; the word itself where it is none."""
    is_short = isinstance(word, str) and word.isascii() and len(word) < 20 and word.removeprefix("-").isdigit()
    return int(word) if is_short else word  # type: ignore[call-overload]


def _numbers(lines: Mapping[str, str], name: str, n: int, largest: float) -> Array:
    """The numbers of a line, [n]."""
    try:
        found = [*map(float, lines.get(name, "").split())]
    except ValueError:
        refuse(message("'{name}' is no finite number", name=name))
    return Fields({name: found}, no_model).numbers(name, n, -largest, largest)
