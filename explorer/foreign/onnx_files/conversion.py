"""The tests of ONNX's trees as those of ours: thresholds in the bits of their numbers, and sets of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.foreign.limits import MOST_NODES, check_pairs
from explorer.foreign.onnx_files.attributes import refuse
from explorer.foreign.onnx_files.graph import Column
from explorer.foreign.onnx_files.operators import EQ, GT, GTE, LEAF, LEQ, LT, MEMBER, NEQ, TreeNodes
from explorer.foreign.record import ModelNodes
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL, BELOW_ALL
from explorer.tree.from_sklearn import thresholds_before_rounding

Array = NDArray[Any]
LISTED = (EQ, NEQ, MEMBER)


def encodings(nodes: TreeNodes, columns: Sequence[Column]) -> tuple[FeatureEncoding, ...]:
    """The features: those whose values are listed by tests have these as labels, all others have thresholds."""
    inner = nodes.mode != LEAF
    listed = np.isin(nodes.mode, LISTED)
    by_feature: dict[int, list[float]] = {}
    for feature, values in _listed_values(nodes):
        by_feature.setdefault(feature, []).extend(values)
    is_known = (nodes.mode == LEQ) & np.isposinf(nodes.value)  # any number but a missing one
    compared = set(nodes.feature[inner & ~listed & ~is_known].tolist())
    found = []
    for position, column in enumerate(columns):
        if column.codes:
            labels = tuple(text for text, code in column.codes.items() if not np.isnan(code))
            found.append(FeatureEncoding(column.name, "categorical", "subset", labels))
        elif position in by_feature:
            listed_here = tuple(sorted({_decimal(value, column) for value in by_feature[position]}))
            found.append(FeatureEncoding(column.name, "numeric", "subset", listed_here))
        else:
            found.append(FeatureEncoding(column.name, "numeric", "threshold"))
        if found[-1].test == "subset" and position in compared:
            refuse(message("column '{name}' is compared by some tests and listed by others", name=column.name))
    return tuple(found)


def _listed_values(nodes: TreeNodes) -> list[tuple[int, list[float]]]:
    """The feature and the values of every test that lists values."""
    equal = np.flatnonzero(np.isin(nodes.mode, (EQ, NEQ)))
    one = zip(nodes.feature[equal].tolist(), nodes.value[equal, None].tolist(), strict=True)
    sets = zip(nodes.feature.tolist(), nodes.source.tolist(), (nodes.mode == MEMBER).tolist(), strict=True)
    return [*one, *((feature, nodes.sets[source].tolist()) for feature, source, is_set in sets if is_set)]


def _decimal(value: float, column: Column) -> float:
    """What a table holds of a listed number: the shortest decimal that is this 32-bit number."""
    if value in column.instead:
        return column.instead[value]
    if not np.isfinite(value):
        refuse(message("a split has no threshold, or one on categories"))
    narrow = np.float32(value)
    return float(str(narrow)) if column.is_narrow and float(narrow) == value else value


def model_nodes(
    nodes: TreeNodes,
    value: Array,
    columns: Sequence[Column],
    features: Sequence[FeatureEncoding],
    of_class: Sequence[tuple[int, int]] | None = None,
) -> list[ModelNodes]:
    """The nodes of every tree with `value` [n, K], or of every tree and column of `value` that `of_class` names."""
    inner = nodes.mode != LEAF
    listed = inner & np.array([each.test == "subset" for each in features])[np.maximum(nodes.feature, 0)]
    turned = np.isin(nodes.mode, (GT, GTE))  # true where x is above: branch 1
    left, right = np.where(turned, nodes.false, nodes.true), np.where(turned, nodes.true, nodes.false)
    missing_true = nodes.tracks | (nodes.mode == NEQ)
    missing_left = np.where(turned, ~missing_true, missing_true)
    threshold = np.where(inner & ~listed, _thresholds(nodes, inner & ~listed, columns), np.nan)
    pairs = _pairs(nodes, np.flatnonzero(listed), columns, features)
    unseen = np.where(listed, np.isin(nodes.mode, (MEMBER, EQ)), np.where(inner, 1 - missing_left.astype(int), -1))
    starts = np.searchsorted(nodes.tree, np.arange(nodes.tree[-1] + 2))
    if (np.diff(starts) > MOST_NODES).any():
        n = int(np.diff(starts).max())
        refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    ends_of_pairs = np.searchsorted(pairs[:, 0], starts)
    found = []
    for tree, k in of_class if of_class is not None else [(tree, -1) for tree in range(len(starts) - 1)]:
        start, cut = starts[tree], slice(starts[tree], starts[tree + 1])
        own = pairs[ends_of_pairs[tree] : ends_of_pairs[tree + 1]]
        found.append(
            ModelNodes.of_two_sides(
                _below(left[cut], start),
                _below(right[cut], start),
                nodes.feature[cut],
                threshold[cut],
                missing_left[cut],
                value[cut] if k < 0 else value[cut, k],
                np.zeros(cut.stop - cut.start),
                pairs=own - (start, 0, 0) if len(own) else None,
                unseen_branch=unseen[cut],
            )
        )
    return found


def _below(side: Array, start: int) -> Array:
    return np.where(side >= 0, side - start, -1)


def _thresholds(nodes: TreeNodes, compared: Array, columns: Sequence[Column]) -> Array:
    """The largest 64-bit number that is on the lower side of every threshold, [n]."""
    told = np.where(compared, nodes.value, 0.0)
    if np.isnan(told).any():
        refuse(message("a split has no threshold, or one on categories"))
    is_strict = np.isin(nodes.mode, (LT, GTE))
    told = np.clip(told, BELOW_ALL, ABOVE_ALL)
    with np.errstate(over="ignore"):
        wide = np.where(is_strict & (told > BELOW_ALL), np.nextafter(told, -np.inf), told)
        below = told.astype(np.float32)
        is_above = below.astype(np.float64) > told
        lower = np.nextafter(below, np.float32(-np.inf))
        below = np.where(is_above | (is_strict & (below.astype(np.float64) == told)), lower, below)
        largest = thresholds_before_rounding(below.astype(np.float64))
    is_narrow = np.array([column.is_narrow for column in columns])[np.maximum(nodes.feature, 0)]
    return np.where(is_narrow, np.where(np.isneginf(below), BELOW_ALL, largest), wide)


def _pairs(nodes: TreeNodes, tested: Array, columns: Sequence[Column], features: Sequence[FeatureEncoding]) -> Array:
    """Node, code and branch of every label at the tests that list values: branch 0 is that of true."""
    sizes = [len(features[feature].labels) for feature in nodes.feature[tested].tolist()]
    check_pairs(sum(sizes))
    code_of: dict[int, dict[float, int]] = {}
    for feature in np.unique(nodes.feature[tested]).tolist():
        codes, labels = columns[feature].codes, features[feature].labels
        numbers = [codes[str(label)] if codes else float(label) for label in labels]
        code_of[feature] = {number: code for code, number in enumerate(numbers)}
        if len(code_of[feature]) < len(labels):
            refuse(message("two categories have the same name"))
    tables = [np.empty((0, 3), dtype=np.int64)]
    for node, size in zip(tested.tolist(), sizes, strict=True):
        known = code_of[int(nodes.feature[node])]
        alone = [float(nodes.value[node])] if nodes.mode[node] in (EQ, NEQ) else []  # any known value takes branch 0
        values = nodes.sets[int(nodes.source[node])].tolist() if nodes.mode[node] == MEMBER else alone
        column = columns[int(nodes.feature[node])]
        values = values if column.codes else [_decimal(one, column) for one in values]
        in_set = [known[one] for one in values if one in known]
        branch = np.full(size, int(nodes.mode[node] in (MEMBER, EQ)))
        branch[in_set] = int(nodes.mode[node] == NEQ)
        tables.append(np.column_stack([np.full(size, node), np.arange(size), branch]))
    return np.concatenate(tables)
