"""J48's printed trees: read into nested values, laid out as explorer trees with the table's rows, and compared."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

import explorer as ex
from explorer.recipe.columns import FeatureEncoding
from tests.oracles.handmade import Knot, breadth_first, tree_of

LINE = re.compile(r"^((?:\|   )*)a(\d+) = v(\d+)(?:: v(\d+) \(([\d.]+)(?:/([\d.]+))?\))?$")

Printed = tuple[int, list] | tuple[float, float, int]
"""An inner node (column, branches by value), or a leaf (rows, errors, class)."""


def read(lines: list[str]) -> Printed:
    """The tree behind J48's lines."""
    found = [LINE.match(line) for line in lines]
    assert all(found), "every line is one branch"
    parts = [(len(m[1]) // 4, int(m[2]), int(m[3]), m) for m in found if m]
    return _node(parts, 0)


def _node(parts: list, depth: int) -> Printed:
    starts = [i for i, part in enumerate(parts) if part[0] == depth]
    branches = []
    for begin, end in pairwise([*starts, len(parts)]):
        leaf = parts[begin][3]
        assert parts[begin][2] == len(branches), "branches come in the order of the values"
        if leaf[4] is not None:
            branches.append((float(leaf[5]), float(leaf[6] or 0), int(leaf[4])))
        else:
            branches.append(_node(parts[begin + 1 : end], depth + 1))
    return parts[0][1], branches


def dataset(frame: pd.DataFrame) -> ex.Dataset:
    """The table with all columns as words, values and classes in the order of first appearance."""
    return ex.Dataset.from_frame(
        frame, frame.columns[-1], features=list(frame.columns[:-1]), kinds=dict.fromkeys(frame.columns, "categorical")
    )


def as_tree(printed: Printed, data: ex.Dataset) -> ex.Tree:
    """The printed tests as an explorer tree on the rows of `data`."""
    tested: dict[int, int] = {}
    root = _knot(printed, data, np.arange(data.n_rows), tested)
    nodes = breadth_first(root)
    column = np.array([tested.get(id(node), -1) for node in nodes], dtype=np.int32)
    usages = tuple(FeatureEncoding(f.name, "categorical", "each_value", f.categories) for f in data.features)
    tree = tree_of(root, "entropy")
    recipe = ex.C45.replace(missing="drop")
    return replace(tree, features=usages, feature=column, classes=data.classes, target=data.target.name, recipe=recipe)


def _knot(printed: Printed, data: ex.Dataset, rows: np.ndarray, tested: dict[int, int]) -> Knot:
    counts = tuple(np.bincount(data.y[rows], minlength=len(data.classes)).astype(float))
    if len(printed) == 3:
        node = Knot(counts)
        assert (sum(counts), sum(counts) - counts[printed[2]]) == printed[:2] or sum(counts) == 0
    else:
        column, branches = printed
        parts = [rows[data.codes[column, rows] == value] for value in range(len(branches))]
        node = Knot(counts, [_knot(b, data, part, tested) for b, part in zip(branches, parts, strict=True)])
        tested[id(node)] = column
    return node


def written(tree: ex.Tree, node: int = 0) -> Printed:
    """The kept part of a tree in the same nested values; of a leaf without rows the class is left open (−1)."""
    here = tree.node(node)
    if here.is_leaf:
        label = int(tree.labels[node]) if here.weight else -1
        return here.weight, here.weight - float(here.stats.max()), label
    return int(tree.feature[node]), [written(tree, child) for child in here.children]


def without_empty_labels(printed: Printed) -> Printed:
    """The same with the classes of empty leaves left open."""
    if len(printed) == 3:
        return printed if printed[0] else (0.0, 0.0, -1)
    return printed[0], [without_empty_labels(branch) for branch in printed[1]]
