"""Send rows down a tree: new tables by their values, and the training table to find a node's rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.dataset import Dataset
from explorer.encode import Feature, encode_columns, refuse_infinite, with_text_names
from explorer.errors import InputError
from explorer.jit import kernel
from explorer.missing import complete_rows
from explorer.usage import Usage

if TYPE_CHECKING:
    from explorer.tree import Tree

MISSING, UNSEEN = -1, -2


@kernel
def route(numbers, codes, slot, first_child, child_count, feature, threshold, offsets, pair_codes, pair_branches, ways):
    """The node where each row ends, [n].

    `numbers` [F', n] are values (nan is missing), `codes` [F'', n] categories (−1 missing, −2 unknown); `slot` [F]
    says where a feature lies, numbers at slot, categories at −slot − 1. A node without children (or closed, with
    `first_child` −1) ends the way. `ways` [m, 2] are the branches for a missing and an unseen value, −1 to stop.
    """
    n = numbers.shape[1] if numbers.shape[0] else codes.shape[1]
    ends = np.zeros(n, dtype=np.int32)
    for row in range(n):
        node = 0
        while first_child[node] >= 0:
            place = slot[feature[node]]
            if place >= 0 and not np.isnan(threshold[node]):
                value = numbers[place, row]
                branch = ways[node, 0] if np.isnan(value) else (0 if value <= threshold[node] else 1)
            else:
                code = codes[-place - 1, row]
                branch = ways[node, 0] if code == MISSING else ways[node, 1]
                for pair in range(offsets[node], offsets[node + 1]):
                    if pair_codes[pair] == code:
                        branch = pair_branches[pair]
                        break
            if branch < 0 or branch >= child_count[node]:
                break
            node = first_child[node] + branch
        ends[row] = node
    return ends


def apply_tree(tree: Tree, rows: pd.DataFrame | Dataset) -> NDArray[np.int32]:
    """The open node where each row ends, [n]."""
    if not isinstance(rows, (Dataset, pd.DataFrame)):
        raise InputError(
            f"Rows come as a pandas frame or a Dataset, not as {type(rows).__name__}: make a frame of them."
        )
    frame = rows.frame if isinstance(rows, Dataset) else with_text_names(rows)
    if frame.columns.has_duplicates:
        raise InputError(f"Two columns are named '{frame.columns[frame.columns.duplicated()][0]}': rename one of them.")
    used = sorted({int(f) for f in tree.feature[tree.is_open & ~tree.is_leaf]})
    absent = [tree.features[f].name for f in used if tree.features[f].name not in frame.columns]
    if absent:
        raise InputError(f"The table lacks column '{absent[0]}', which the tree asks for: add it (cells may be empty).")
    numbers, codes, slot = _values_of(tree, frame, rows if isinstance(rows, Dataset) else None, used)
    if not len(frame):
        return np.empty(0, dtype=np.int32)
    first_child = np.where(tree.is_leaf, -1, tree.first_child).astype(np.int32)
    arrays = (tree.child_count, tree.feature, tree.threshold, tree.cat_offset, tree.cat_code, tree.cat_branch)
    return route(numbers, codes, slot, first_child, *arrays, ways_out(tree))


def ways_out(tree: Tree) -> NDArray[np.int32]:
    """Branches for a missing and for an unseen value at every node, [m, 2]; −1 stays at the node."""
    unseen = np.full(tree.n_grown, -1, dtype=np.int32)
    if tree.recipe.unseen == "heaviest":
        for node in np.flatnonzero(tree.feature >= 0):
            children = tree.children_of(int(node))
            unseen[node] = int(np.argmax(tree.weight[children.start : children.stop]))
    missing = tree.missing_branch if tree.recipe.missing == "most_common" else unseen
    return np.ascontiguousarray(np.stack([missing, unseen], axis=1), dtype=np.int32)


def _values_of(
    tree: Tree, frame: pd.DataFrame, data: Dataset | None, used: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Values of the used features, numbers and categories apart, and where each feature lies."""
    numeric = [f for f in used if tree.features[f].test == "threshold"]
    others = [f for f in used if tree.features[f].test != "threshold"]
    numbers = np.empty((len(numeric), len(frame)))
    codes = np.empty((len(others), len(frame)), dtype=np.int32)
    slot = np.zeros(len(tree.features), dtype=np.int64)
    for place, f in enumerate(numeric):
        numbers[place], slot[f] = _numbers(tree.features[f].name, frame, data), place
    for place, f in enumerate(others):
        codes[place], slot[f] = _codes(tree.features[f], frame, data), -place - 1
    return numbers, codes, slot


def _encoded(name: str, frame: pd.DataFrame, data: Dataset | None, kind: str) -> tuple[Feature, NDArray[np.int32]]:
    if data is not None:
        for feature, codes in zip(data.features, data.codes, strict=True):
            if feature.name == name and feature.kind == kind:
                return feature, codes
    features, found = encode_columns([frame[name]], {name: kind})
    return features[0], found[0]


def _numbers(name: str, frame: pd.DataFrame, data: Dataset | None) -> NDArray[np.float64]:
    if data is None and frame[name].dtype.kind in "iuf":
        numbers = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
        refuse_infinite(numbers, name)
        return numbers
    feature, codes = _encoded(name, frame, data, "numeric")
    return np.append(feature.values, np.nan)[codes]


def _codes(usage: Usage, frame: pd.DataFrame, data: Dataset | None) -> NDArray[np.int32]:
    """A column in the tree's own codes: −1 missing, −2 a value the tree never saw."""
    if usage.kind == "numeric":
        numbers = _numbers(usage.name, frame, data)
        if usage.test == "bins":
            codes = np.searchsorted(np.asarray(usage.edges), numbers, side="left").astype(np.int32)
            return np.where(np.isnan(numbers), np.int32(MISSING), codes)
        known = np.asarray(usage.labels, dtype=np.float64)
        place = np.searchsorted(known, numbers).clip(max=len(known) - 1)
        codes = np.where(known[place] == numbers, place, UNSEEN).astype(np.int32)
        return np.where(np.isnan(numbers), np.int32(MISSING), codes)
    feature, codes = _encoded(usage.name, frame, data, "categorical")
    position = {value: i for i, value in enumerate(usage.labels)}
    by_text = {str(value): i for i, value in enumerate(usage.labels)}
    recode = [position.get(value, by_text.get(str(value), UNSEEN)) for value in feature.categories]
    return np.array([*recode, MISSING], dtype=np.int32)[codes]


def rows_passing(tree: Tree, data: Dataset, node: int) -> NDArray[np.intp]:
    """Positions of the rows of `data` that pass a node of the grown tree, [m]."""
    if tree.recipe.missing == "drop":
        complete = complete_rows(data, tree.recipe)
        if len(complete) < data.n_rows:
            return complete[rows_passing(tree, data.take(complete), node)]
    only_here = tree.with_closed(np.arange(tree.n_grown) == node)
    return np.flatnonzero(apply_tree(only_here, data) == node)
