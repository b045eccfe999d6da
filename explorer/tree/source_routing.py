"""A grown tree as the tests of an engine that counts, in the codes of a connected table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.cells import positions_of
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.sources.counting import ColumnLayout
from explorer.sources.routing import NodeTest, Routing
from explorer.sources.source import Source
from explorer.tree.routing import SPREAD, branches_for_unknown
from explorer.tree.tree import Tree

NO_EDGES = np.empty(0)
NO_BRANCHES = np.empty(0, dtype=np.int64)


def routing_of(tree: Tree, source: Source) -> Routing:
    """How the rows of a source go down the grown tree, as in prediction; pruning is not regarded.

    Categories are matched by their values, so the tree may have been grown on another table. A row that no single
    branch takes, because it goes down several or by a surrogate split, is sent to node `astray(tree, node)`. Raises
    InputError for a column that the source has not, or has in another kind.
    """
    position = _positions(tree, source)
    unknown = branches_for_unknown(tree)
    by_surrogate = np.zeros(tree.n_nodes_grown, dtype=bool)
    if tree.surrogates is not None:
        by_surrogate = np.diff(tree.surrogates.offset) > 0
    tests = []
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        column = position[int(tree.feature[node])]
        missing, unseen = unknown[node].tolist()
        missing = SPREAD if by_surrogate[node] else missing
        tests.append(_test(tree, node, column, source.layout.columns[column], missing, unseen))
    return replace(source.routing, tests=tuple(tests))


def astray(tree: Tree, node: int) -> int:
    """The number, beyond those of the tree, under which rows are collected that have no single branch at a node."""
    return tree.n_nodes_grown + node


def _positions(tree: Tree, source: Source) -> dict[int, int]:
    """The position in the source of each feature that the grown tree tests."""
    position_of = {feature.name: position for position, feature in enumerate(source.features)}
    used = sorted({int(feature) for feature in tree.feature[tree.feature >= 0]})
    positions = {}
    for feature in used:
        encoding = tree.features[feature]
        if encoding.name not in position_of:
            raise InputError(
                message(
                    "The table has no column '{column}', which the tree splits on: add it (cells may be empty).",
                    column=encoding.name,
                )
            )
        positions[feature] = position_of[encoding.name]
        _check_kind(encoding, source.features[positions[feature]].kind)
    return positions


def _check_kind(encoding: FeatureEncoding, kind: str) -> None:
    if encoding.kind != kind:
        raise InputError(
            message(
                "Column '{column}' is {kind} in the connected table, but {wanted} in the tree: connect the table with "
                "kinds={{'{column}': '{wanted}'}}.",
                column=encoding.name,
                kind=kind,
                wanted=encoding.kind,
            )
        )


def _test(tree: Tree, node: int, position: int, column: ColumnLayout, missing: int, unseen: int) -> NodeTest:
    """The test of one node; a branch SPREAD becomes one more child, where rows astray are collected."""
    encoding, count = tree.features[tree.feature[node]], int(tree.child_count[node])
    children = (*tree.children_of(node), astray(tree, node))
    to = np.array([count, -1, *range(count)])  # SPREAD and STAY first: index by branch + 2
    if encoding.test == "threshold":
        threshold = float(tree.threshold[node])
        return NodeTest(node, position, threshold, NO_BRANCHES, NO_EDGES, int(to[missing + 2]), children)
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    by_code = np.full(len(encoding.labels) + 1, unseen, dtype=np.int64)
    by_code[tree.cat_code[pairs]] = tree.cat_branch[pairs]
    codes, edges = _codes_of(encoding, column)
    return NodeTest(node, position, np.nan, to[by_code[codes] + 2], edges, int(to[missing + 2]), children)


def _codes_of(encoding: FeatureEncoding, column: ColumnLayout) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The tree's code of every code of the source, −1 (the last) for values the tree never saw, and the edges."""
    if encoding.test == "bins":
        return np.arange(len(encoding.edges) + 1), np.asarray(encoding.edges)
    if encoding.kind == "numeric":
        return _codes_of_numbers(encoding)
    code_of = positions_of(encoding.labels)
    codes = [code_of(value) for value in column.feature.categories]
    return np.array([-1 if code is None else code for code in codes], dtype=np.int64), NO_EDGES


def _codes_of_numbers(encoding: FeatureEncoding) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every label x as an interval of its own, from the double below it up to x."""
    labels = np.array([label for label in encoding.labels if label is not None], dtype=np.float64)
    edges = np.unique(np.concatenate([np.nextafter(labels, -np.inf), labels]))
    at = np.searchsorted(labels, edges).clip(max=len(labels) - 1)
    return np.append(np.where(labels[at] == edges, at, -1), -1), edges
