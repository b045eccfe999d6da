"""The rows of a node, their weights there, and the branches that its test sends them to (DEFINITIONS section 6)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.branches import Branches, branch_of_missing, branches_of_codes
from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.competition import statistics
from explorer.candidates.counts import Floats, count_rows
from explorer.candidates.surrogates import SurrogateSplit, find_surrogates, send_by_surrogates
from explorer.data.dataset import Dataset
from explorer.recipe.class_weights import NONE, rows_that_count, with_growing_weights
from explorer.recipe.columns import THRESHOLD, TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.missing import FRACTIONAL, SAME_CLASS, SURROGATE
from explorer.recipe.parameters import parameters_for
from explorer.tree.tree import Tree

EVERY_BRANCH = -2
"""Instead of a branch number: the row goes down every branch, as a fractional instance."""


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Positions of the training rows at a node, and the weight of each there: less than its own if it is fractional."""

    rows: NDArray[np.intp]
    weights: Floats


def branches_of_missing(candidates: FeatureCandidates, branches: Branches, cut: float | None) -> Branches:
    """The branch that a missing cell takes, by its row's class [K], or EVERY_BRANCH. `cut` is the threshold."""
    usual_branch, n_classes = branch_of_missing(candidates, branches), candidates.counts.table.shape[1]
    if candidates.parameters.missing == FRACTIONAL:
        return np.full(n_classes, EVERY_BRANCH)
    if candidates.parameters.missing != SAME_CLASS:
        return np.full(n_classes, usual_branch)
    if candidates.column.test != THRESHOLD:
        return branches[candidates.counts.codes[candidates.missing.imputed_categories]]
    assert cut is not None, "a threshold has a number"
    return (candidates.missing.class_medians > cut).astype(np.int64)


def split_into_branches(
    at_node: NodeRows, is_missing: NDArray[np.bool_], branch: Branches, to: Branches, n_branches: int
) -> list[NodeRows]:
    """The rows of every branch: rows with a value take `branch` [rows], those without take `to` [rows]."""
    branch = np.where(is_missing, to, branch)
    if not (is_missing & (to == EVERY_BRANCH)).any():
        return [NodeRows(at_node.rows[branch == i], at_node.weights[branch == i]) for i in range(n_branches)]
    # Quinlan's fractional instances: each branch takes its share of every row without a value.
    known = np.bincount(branch[~is_missing], weights=at_node.weights[~is_missing], minlength=n_branches)
    return [_branch_with_fractions(at_node, branch == i, is_missing, known[i] / known.sum()) for i in range(n_branches)]


def _branch_with_fractions(
    at_node: NodeRows, is_inside: NDArray[np.bool_], is_missing: NDArray[np.bool_], share: float
) -> NodeRows:
    """The rows of one branch, and a part of each row whose value is missing (C4.5, chapter 3)."""
    is_in_branch = is_inside | is_missing if share > 0.0 else is_inside
    return NodeRows(
        at_node.rows[is_in_branch], np.where(is_missing, share * at_node.weights, at_node.weights)[is_in_branch]
    )


@dataclass(frozen=True, eq=False)
class SplitRows:
    """A node's rows after a split: the rows of every branch, and the surrogates that sent rows without a value."""

    branch_of_code: Branches
    missing_branch: int
    branches: list[NodeRows]
    surrogates: list[SurrogateSplit]


def split_rows(
    candidates: FeatureCandidates,
    at_node: NodeRows,
    columns: Sequence[TrainingColumn],
    column_index: int,
    classes: NDArray[np.intp],
    forbidden: Container[int] = (),
) -> SplitRows:
    """Carry out the best test of the column at `column_index`; `classes` [rows] are 0 for a numeric target.

    No `forbidden` column serves as a surrogate.
    """
    column, codes = columns[column_index], columns[column_index].codes[at_node.rows]
    branch_of_code = branches_of_codes(candidates)
    usual_branch, cut = branch_of_missing(candidates, branch_of_code), candidates.condition(candidates.best).threshold
    to = branches_of_missing(candidates, branch_of_code, cut)[classes]
    n_branches = int(branch_of_code.max()) + 1 + int(candidates.missing.own_branch)
    branch, is_missing = np.append(branch_of_code, -1)[codes], codes == column.n_values
    surrogates: list[SurrogateSplit] = []
    if candidates.parameters.missing == SURROGATE and column.lacks_values:
        weights = at_node.weights * (
            candidates.parameters.row_factor[classes] if candidates.parameters.row_factor.size else 1.0
        )
        surrogates = find_surrogates(
            columns,
            column_index,
            at_node.rows,
            weights,
            branch,
            n_branches,
            candidates.parameters.threshold_at,
            forbidden,
        )
        to = send_by_surrogates(surrogates, at_node.rows, branch, usual_branch)
    return SplitRows(
        branch_of_code, usual_branch, split_into_branches(at_node, is_missing, branch, to, n_branches), surrogates
    )


def grown_rows(tree: Tree, data: Dataset) -> Dataset:
    """The rows of `data` that growing used, with the weights that they grew by; `data` is the tree's training set."""
    counted, _ = rows_that_count(data, tree.recipe.class_pairs, tree.recipe.cost_pairs)
    used, _ = training_rows(counted, tree.recipe)
    return with_growing_weights(used, NONE if tree.class_factors is None else tree.class_factors)


def node_rows_at(tree: Tree, data: Dataset, node: int) -> NodeRows:
    """The rows at a node of the grown tree with their weights; `data` are the `grown_rows`."""
    weights = data.weight_of_rows()
    if tree.recipe.missing not in ("fractional", "same_class"):
        rows = tree.rows_at(data, node)
        return NodeRows(rows, weights[rows])
    columns = columns_for(data, tree.recipe)
    at_node = NodeRows(np.arange(data.n_rows), weights)
    for step, branch in tree.path_to(node):
        at_node = _split_as_grown(tree, data, step, columns[int(tree.feature[step])], at_node)[branch]
    return at_node


def rows_by_node(tree: Tree, data: Dataset) -> Iterator[tuple[int, NodeRows]]:
    """Every node of the grown tree that rows pass, with them, as `node_rows_at` gives them; in no certain order."""
    weights = data.weight_of_rows()
    if tree.recipe.missing in ("fractional", "same_class"):
        yield from _rows_as_grown(tree, data)
        return
    rows, nodes, _ = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)).routes(data)
    for level in reversed(tree.levels):  # from the deepest nodes up: rows count where they end, then above
        pairs = np.unique(np.column_stack([nodes, rows])[nodes >= level.start], axis=0)
        starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
        for start, end in pairwise([*starts.tolist(), len(pairs)]):
            at_node = pairs[start:end, 1]
            yield int(pairs[start, 0]), NodeRows(at_node, weights[at_node])
        nodes = np.where(nodes >= level.start, tree.parent[nodes], nodes)


def _rows_as_grown(tree: Tree, data: Dataset) -> Iterator[tuple[int, NodeRows]]:
    """The same, level by level, where the rows of a node decide what becomes of those without a value."""
    columns = columns_for(data, tree.recipe)
    waiting = {0: NodeRows(np.arange(data.n_rows), data.weight_of_rows())}
    for node in range(tree.n_nodes_grown):
        at_node = waiting.pop(node)
        if tree.feature[node] >= 0:
            below = _split_as_grown(tree, data, node, columns[int(tree.feature[node])], at_node)
            waiting.update(zip(tree.children_of(node), below, strict=True))
        if len(at_node.rows):
            yield node, at_node


def ending_nodes(tree: Tree, data: Dataset) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every (row, node) where the path of a training row ended while growing; `data` are the `grown_rows`."""
    if tree.recipe.missing != "same_class":
        rows, nodes, _ = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)).routes(data)
        return rows, nodes
    ends = [(at_node.rows, node) for node, at_node in _rows_as_grown(tree, data) if tree.feature[node] < 0]
    rows = np.concatenate([rows for rows, _ in ends]).astype(np.int64)
    return rows, np.repeat([node for _, node in ends], [len(rows) for rows, _ in ends]).astype(np.int64)


def _split_as_grown(tree: Tree, data: Dataset, node: int, column: TrainingColumn, at_node: NodeRows) -> list[NodeRows]:
    """The rows of every branch of a node's own test."""
    n_branches, codes = int(tree.child_count[node]), column.codes[at_node.rows]
    is_missing = codes == column.n_values
    branches = branches_at(tree, node, column)
    if tree.recipe.missing == "fractional":
        to = np.full(len(codes), EVERY_BRANCH)
    elif is_missing.any():
        parameters = parameters_for(
            tree.recipe, data, factors=NONE if tree.class_factors is None else tree.class_factors
        )
        counts = count_rows(column, at_node.rows, data.y, at_node.weights, parameters, 0.0)
        candidates = FeatureCandidates(
            column, counts, statistics(data, at_node.rows, at_node.weights, parameters), parameters
        )
        to = branches_of_missing(candidates, branches, float(tree.threshold[node]))[
            data.y[at_node.rows].astype(np.intp)
        ]
    else:
        to = np.zeros(len(codes), dtype=np.int64)
    return split_into_branches(at_node, is_missing, np.append(branches, -1)[codes], to, n_branches)


def branches_at(tree: Tree, node: int, column: TrainingColumn) -> Branches:
    """The branch of every code under a node's own test, −1 where it has none."""
    if column.test == THRESHOLD:
        return (column.values > tree.threshold[node]).astype(np.int64)
    branches = np.full(column.n_values, -1, dtype=np.int64)
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    branches[tree.cat_code[pairs]] = tree.cat_branch[pairs]
    return branches


def missing_row_branches(tree: Tree, data: Dataset, node: int) -> tuple[float, ...]:
    """Weight of the rows at a node whose tested value is missing, by the branch that they took.

    `data` is the tree's training set; weights are those that rows grow by. A node without a test has no branches.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("golf_missing").frame, "class")
    >>> [round(13 * weight) for weight in missing_row_branches(grow(data, C45.replace(score="gain")), data, 0)]
    [5, 3, 5]
    """
    if tree.feature[node] < 0:
        return ()
    data = grown_rows(tree, data)
    column = columns_for(data, tree.recipe)[int(tree.feature[node])]
    is_missing = column.codes >= column.missing_code
    below = [node_rows_at(tree, data, child) for child in tree.children_of(node)]
    return tuple(float(at_node.weights[is_missing[at_node.rows]].sum()) for at_node in below)
