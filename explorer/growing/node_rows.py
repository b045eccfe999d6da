"""Who goes where: the rows of a node, their weights there, and the branches of its test (DEFINITIONS section 6)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.competition import statistics
from explorer.candidates.counts import Floats, count_rows
from explorer.candidates.surrogates import SurrogateSplit, find_surrogates, first_largest, send_by_surrogates
from explorer.data.dataset import Dataset
from explorer.recipe.class_weights import NONE, rows_that_count, with_growing_weights
from explorer.recipe.columns import EACH_VALUE, THRESHOLD, TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.missing import FRACTIONAL, OWN_BRANCH, SAME_CLASS, SURROGATE, heaviest
from explorer.recipe.parameters import node_weight, parameters_for, row_weight
from explorer.tree.tree import Tree

Branches = NDArray[np.int64]
SPREAD = -2
"""In place of a branch: every branch, in shares."""


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Positions of some training rows, and the weight of each there: a share of its own where it was spread."""

    rows: NDArray[np.intp]
    weights: Floats


def branches_of_codes(found: FeatureCandidates) -> Branches:
    """The branch of every code of a feature under its best test, −1 where the node has no row of it."""
    column, codes = found.column, found.counts.codes
    branches = np.full(column.n_values, -1, dtype=np.int64)
    if column.test == THRESHOLD:
        return (np.arange(column.n_values) > codes[found.best]).astype(np.int64)
    if column.test == EACH_VALUE:
        kept = column.training_codes if found.parameters.empty_branches else codes
        branches[kept] = np.arange(len(kept))
    elif found.in_second is not None:
        branches[codes] = found.in_second[found.best]
    return branches


def branch_of_missing(found: FeatureCandidates, branches: Branches) -> int:
    """The branch of the median or of the most common category, or that of missing values; −1 where there is none."""
    column, table, policy = found.column, found.counts.table, found.parameters.missing
    if policy == FRACTIONAL:
        return -1
    if policy == OWN_BRANCH:
        if column.test == THRESHOLD:
            return 2 if found.missing.own_branch else -1
        return int(branches[column.missing_code]) if column.missing_code < column.n_values else -1
    if policy == SURROGATE:
        rows = np.array([row_weight(found.parameters, row) for row in table])
        return int(first_largest(np.bincount(branches[found.counts.codes], weights=rows)))
    weights = np.array([node_weight(found.parameters, row) for row in table])
    if column.test != THRESHOLD:
        return int(branches[found.counts.codes[heaviest(weights)]])
    known = np.cumsum(weights)
    left = found.median_is_left(known[:-1], known[-1] - known[:-1])
    return 0 if left[found.best] else 1


def branches_of_missing(found: FeatureCandidates, branches: Branches, cut: float | None) -> Branches:
    """The branch that a missing cell takes, by the class of its row [K]; SPREAD for all. `cut` is the threshold."""
    usual, n_classes = branch_of_missing(found, branches), found.counts.table.shape[1]
    if found.parameters.missing == FRACTIONAL:
        return np.full(n_classes, SPREAD)
    if found.parameters.missing != SAME_CLASS:
        return np.full(n_classes, usual)
    if found.column.test != THRESHOLD:
        return branches[found.counts.codes[found.missing.imputed_categories]]
    assert cut is not None, "a threshold has a number"
    return (found.missing.class_medians > cut).astype(np.int64)


def parts_of(
    part: NodeRows, lacking: NDArray[np.bool_], branch: Branches, to: Branches, n_branches: int
) -> list[NodeRows]:
    """The rows of every branch: `branch` [rows] for those with a value, `to` [rows] where it is `lacking`."""
    branch = np.where(lacking, to, branch)
    if not (lacking & (to == SPREAD)).any():
        return [NodeRows(part.rows[branch == i], part.weights[branch == i]) for i in range(n_branches)]
    known = np.bincount(branch[~lacking], weights=part.weights[~lacking], minlength=n_branches)
    return [_with_share(part, branch == i, lacking, known[i] / known.sum()) for i in range(n_branches)]


def _with_share(part: NodeRows, inside: NDArray[np.bool_], lacking: NDArray[np.bool_], share: float) -> NodeRows:
    """The rows of one branch, and a share of each row whose value is missing."""
    kept = inside | lacking if share > 0.0 else inside
    return NodeRows(part.rows[kept], np.where(lacking, share * part.weights, part.weights)[kept])


@dataclass(frozen=True, eq=False)
class SplitRows:
    """What a feature's best test makes of a node: its branches, the rows in each, and the surrogates that helped."""

    branch_of_code: Branches
    missing_branch: int
    parts: list[NodeRows]
    surrogates: list[SurrogateSplit]


def send(
    found: FeatureCandidates, part: NodeRows, columns: Sequence[TrainingColumn], place: int, classes: NDArray[np.intp],
    forbidden: Container[int] = (),
) -> SplitRows:  # fmt: skip
    """Carry out the best test of the column at `place`; `classes` [rows] are 0 for a numeric target.

    No `forbidden` column serves as a surrogate.
    """
    column, codes = columns[place], columns[place].codes[part.rows]
    branch_of_code = branches_of_codes(found)
    usual, cut = branch_of_missing(found, branch_of_code), found.condition(found.best).threshold
    to = branches_of_missing(found, branch_of_code, cut)[classes]
    n_branches = int(branch_of_code.max()) + 1 + int(found.missing.own_branch)
    branch, lacking = np.append(branch_of_code, -1)[codes], codes == column.n_values
    surrogates: list[SurrogateSplit] = []
    if found.parameters.missing == SURROGATE and (column.codes == column.n_values).any():
        weights = part.weights * (found.parameters.row_factor[classes] if found.parameters.row_factor.size else 1.0)
        surrogates = find_surrogates(
            columns, place, part.rows, weights, branch, n_branches, found.parameters.place, forbidden
        )
        to = send_by_surrogates(surrogates, part.rows, branch, usual)
    return SplitRows(branch_of_code, usual, parts_of(part, lacking, branch, to, n_branches), surrogates)


def grown_rows(tree: Tree, data: Dataset) -> Dataset:
    """The rows of `data` that growing used, with the weights that they grew by; `data` is the tree's training part."""
    counted, _ = rows_that_count(data, tree.recipe.class_pairs, tree.recipe.cost_pairs)
    used, _ = training_rows(counted, tree.recipe)
    return with_growing_weights(used, NONE if tree.class_factors is None else tree.class_factors)


def part_at(tree: Tree, data: Dataset, node: int) -> NodeRows:
    """The rows at a node of the grown tree with their weights; `data` are the `grown_rows`."""
    weights = data.weight_of_rows()
    if tree.recipe.missing not in ("fractional", "same_class"):
        rows = tree.rows_at(data, node)
        return NodeRows(rows, weights[rows])
    columns = columns_for(data, tree.recipe)
    part = NodeRows(np.arange(data.n_rows), weights)
    for step, branch in tree.path_to(node):
        part = _branches_at(tree, data, step, columns[int(tree.feature[step])], part)[branch]
    return part


def training_ends(tree: Tree, data: Dataset) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and grown node of every end of every row's way while growing; `data` are the `grown_rows`."""
    if tree.recipe.missing != "same_class":
        rows, nodes, _ = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)).routes(data)
        return rows, nodes
    columns, found = columns_for(data, tree.recipe), list[tuple[NDArray[np.intp], int]]()
    parts = {0: NodeRows(np.arange(data.n_rows), data.weight_of_rows())}
    for node in range(tree.n_nodes_grown):
        part = parts.pop(node)
        if tree.feature[node] < 0:
            found.append((part.rows, node))
            continue
        below = _branches_at(tree, data, node, columns[int(tree.feature[node])], part)
        parts.update(zip(tree.children_of(node), below, strict=True))
    rows = np.concatenate([rows for rows, _ in found]).astype(np.int64)
    return rows, np.repeat([node for _, node in found], [len(rows) for rows, _ in found]).astype(np.int64)


def _branches_at(tree: Tree, data: Dataset, node: int, column: TrainingColumn, part: NodeRows) -> list[NodeRows]:
    """The rows of every branch of a node's own test."""
    n_branches, codes = int(tree.child_count[node]), column.codes[part.rows]
    lacking = codes == column.n_values
    branches = branches_at(tree, node, column)
    if tree.recipe.missing == "fractional":
        to = np.full(len(codes), SPREAD)
    elif lacking.any():
        rules = parameters_for(tree.recipe, data, factors=NONE if tree.class_factors is None else tree.class_factors)
        counts = count_rows(column, part.rows, data.y, part.weights, rules, 0.0)
        found = FeatureCandidates(column, counts, statistics(data, part.rows, part.weights, rules), rules)
        to = branches_of_missing(found, branches, float(tree.threshold[node]))[data.y[part.rows].astype(np.intp)]
    else:
        to = np.zeros(len(codes), dtype=np.int64)
    return parts_of(part, lacking, np.append(branches, -1)[codes], to, n_branches)


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

    `data` is the tree's training part; weights are those that rows grow by. A node without a test has no branches.

    >>> from explorer import C45, Dataset, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("golf_missing").frame, "class")
    >>> [round(13 * weight) for weight in missing_row_branches(grow(data, C45.replace(score="gain")), data, 0)]
    [5, 3, 5]
    """
    if tree.feature[node] < 0:
        return ()
    data = grown_rows(tree, data)
    column = columns_for(data, tree.recipe)[int(tree.feature[node])]
    lacking = column.codes >= column.missing_code
    below = [part_at(tree, data, child) for child in tree.children_of(node)]
    return tuple(float(part.weights[lacking[part.rows]].sum()) for part in below)
