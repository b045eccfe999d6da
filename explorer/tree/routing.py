"""Route rows through a tree: predict new tables, and find the training rows of a node."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import as_pandas
from explorer.data.cells import distinct_cells, positions_of
from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import Ordered
from explorer.data.dataset import Dataset
from explorer.data.encode import encode_columns, ranks_of_levels, refuse_infinite, with_text_names
from explorer.data.source_column import FrameRows, SourceColumn
from explorer.errors import InputError
from explorer.jit import borrowing, inner, kernel
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.complete_rows import complete_rows
from explorer.recipe.missing import heaviest
from explorer.sources.source import Source
from explorer.threads import ROWS_OF_A_BLOCK, in_blocks, shared_pool
from explorer.tree.base_tree import BaseTree
from explorer.tree.leaf_mixture import Routes, averaged, predictions_of_shares
from explorer.tree.packed_tests import SIDE_BY_SIDE, PackedTests, follow_packed, follow_side_by_side, packed_tests
from explorer.values import Value

MISSING, UNSEEN = -1, -2
STAY, SPREAD = -1, -2
"""Instead of a branch number: the decision path ends at the node, or continues in every branch."""


class Plan(NamedTuple):
    """The tests of a tree and the values of some rows, as the loops read them.

    `numbers` [n, F'] are values (nan is missing, inf an unknown level), `codes` [n, F''] categories (−1 missing, −2
    unknown), those of a row side by side because a row is sent down to its end; `slot` [F] says where a feature lies,
    numbers at slot, categories at −slot − 1. A node without children (or pruned, with `first_child` −1) ends the path.
    `unknown_branches` [m, 2] are those for a missing and an unseen value, or STAY or SPREAD; `shares` [m] is the part
    of its parent's training weight that each node has. `packed` are the same tests side by side.
    """

    numbers: NDArray[np.float64]
    codes: NDArray[np.int32]
    slot: NDArray[np.int64]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    offsets: NDArray[np.int64]
    pair_codes: NDArray[np.int32]
    pair_branches: NDArray[np.int32]
    unknown_branches: NDArray[np.int32]
    shares: NDArray[np.float64]
    surrogate_offset: NDArray[np.int64]
    surrogate_feature: NDArray[np.int32]
    surrogate_cut: NDArray[np.float64]
    surrogate_sides: NDArray[np.int32]
    surrogate_pair_offset: NDArray[np.int64]
    surrogate_pairs: NDArray[np.int32]
    packed: PackedTests


@dataclass(frozen=True, eq=False)
class RowValues:
    """The values of some rows, read once for many trees of the same features; the arrays are those of `Plan`.

    `names` are the features that were read.
    """

    n_rows: int
    names: frozenset[str]
    numbers: NDArray[np.float64]
    codes: NDArray[np.int32]
    slot: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of rows."""
        return self.n_rows

    def take(self, rows: NDArray[np.intp]) -> RowValues:
        """The rows at these positions."""
        return replace(self, n_rows=len(rows), numbers=self.numbers[rows], codes=self.codes[rows])


def row_values(features: Sequence[FeatureEncoding], used: list[int], rows: pd.DataFrame | Dataset) -> RowValues:
    """Read the features at these positions; a tree that splits on one that the rows do not have refuses them."""
    frame, data = _cells_of(rows)
    names = frozenset(features[position].name for position in used if features[position].name in frame.columns)
    return RowValues(len(frame), names, *_values_of(features, frame, data, used))


@borrowing
def branch_by_surrogates(plan, row, node):
    """The branch of a row without a value: that of the first surrogate it has a value for, or the node's default."""
    if plan.surrogate_offset.size == 0:
        return plan.unknown_branches[node, 0]
    for which in range(plan.surrogate_offset[node], plan.surrogate_offset[node + 1]):
        slot = plan.slot[plan.surrogate_feature[which]]
        if not np.isnan(plan.surrogate_cut[which]):
            value = plan.numbers[row, slot]
            if np.isfinite(value):
                return plan.surrogate_sides[which, 0 if value <= plan.surrogate_cut[which] else 1]
            continue
        code = plan.codes[row, -slot - 1]
        for pair in range(plan.surrogate_pair_offset[which], plan.surrogate_pair_offset[which + 1]):
            if plan.surrogate_pairs[pair, 0] == code:
                return plan.surrogate_pairs[pair, 1]
    return plan.unknown_branches[node, 0]


@borrowing
def branch_of_code(plan, node, code):
    """The branch of a category at a node, −1 where the node does not list it."""
    pair, end = plan.offsets[node], plan.offsets[node + 1]
    while pair < end:  # the codes of a node ascend
        middle = (pair + end) // 2
        if plan.pair_codes[middle] < code:
            pair = middle + 1
        else:
            end = middle
    return plan.pair_branches[pair] if pair < plan.offsets[node + 1] and plan.pair_codes[pair] == code else -1


@borrowing
def branch_taken(plan, row, node):
    """The branch of a row at a node; STAY or SPREAD where its value gives none."""
    slot = plan.slot[plan.feature[node]]
    if slot >= 0 and not np.isnan(plan.threshold[node]):
        value = plan.numbers[row, slot]
        branch = 0 if value <= plan.threshold[node] else 1
        if not np.isfinite(value):
            branch = branch_by_surrogates(plan, row, node) if np.isnan(value) else plan.unknown_branches[node, 1]
    else:
        code = plan.codes[row, -slot - 1]
        branch = branch_of_code(plan, node, code)
        if branch < 0:
            branch = branch_by_surrogates(plan, row, node) if code == MISSING else plan.unknown_branches[node, 1]
    return branch if branch < plan.child_count[node] else STAY


@kernel
def route_on(plan, start, nodes):
    """Send the rows from `start` on from their nodes to their ends, in place, [m].

    −1 − node stands for a path that goes on in every branch; rows at a negative node are left there.
    """
    waiting, rows = np.empty(SIDE_BY_SIDE, dtype=np.int64), np.arange(start, start + nodes.size)
    for first in range(0, nodes.size, SIDE_BY_SIDE):
        block_nodes, block_rows = nodes[first : first + SIDE_BY_SIDE], rows[first : first + SIDE_BY_SIDE]
        follow_side_by_side(plan.packed, plan.numbers, plan.codes, block_rows, block_nodes, waiting)
        for i in range(block_nodes.size):
            if block_nodes[i] >= 0 and plan.first_child[block_nodes[i]] >= 0:
                block_nodes[i] = end_from(plan, start + first + i, block_nodes[i])


@borrowing
def end_from(plan, row, node):
    """Where a row ends that has come to an inner node; −1 − node where its path goes on in every branch."""
    while plan.first_child[node] >= 0:
        branch = branch_taken(plan, row, node)
        if branch < 0:
            return -1 - node if branch == SPREAD else node
        below = plan.first_child[node] + branch
        node = follow_packed(plan.packed, plan.numbers, plan.codes, row, below)
    return node


def route(plan: Plan, n_rows: int) -> Any:
    """The node where each row ends, [n]; −1 − node where its path goes on in every branch."""
    ends = np.zeros(n_rows, dtype=np.int64)
    in_blocks(lambda start, end: route_on(plan, start, ends[start:end]), n_rows)
    return ends


@inner
def longer(array, size):
    """The array with room for `size` items, twice as many as before or more."""
    if size <= array.size:
        return array
    wider = np.empty(max(size, 2 * array.size), dtype=array.dtype)
    for i in range(array.size):  # a slice of NumPy's takes a second longer to compile
        wider[i] = array[i]
    return wider


@kernel
def route_parts(plan, rows, begin):
    """(row, node, part) for every end of the rows with several paths, each from the node where they divide.

    Quinlan's fractional instances (C4.5, chapter 3): every branch takes a part as large as its share of the training
    weight.
    """
    row_of, node_of, part_of = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16)
    waiting, weight = np.empty(16, np.int64), np.empty(16)
    filled = 0
    for which in range(rows.size):
        row, n_waiting = rows[which], 1
        waiting[0], weight[0] = begin[which], 1.0
        while n_waiting > 0:
            n_waiting -= 1
            node, part, branch = waiting[n_waiting], weight[n_waiting], STAY
            if plan.first_child[node] >= 0:
                branch = branch_taken(plan, row, node)
            if branch == STAY:
                row_of, node_of = longer(row_of, filled + 1), longer(node_of, filled + 1)
                part_of = longer(part_of, filled + 1)
                row_of[filled], node_of[filled], part_of[filled] = row, node, part
                filled += 1
                continue
            count = plan.child_count[node]
            waiting, weight = longer(waiting, n_waiting + count), longer(weight, n_waiting + count)
            for to in range(count - 1, -1, -1):
                child = plan.first_child[node] + to
                share = plan.shares[child] if branch == SPREAD else (1.0 if to == branch else 0.0)
                if share > 0.0:
                    waiting[n_waiting], weight[n_waiting] = child, part * share
                    n_waiting += 1
    return row_of[:filled], node_of[:filled], part_of[:filled]


def routes_of(tree: BaseTree, rows: pd.DataFrame | Dataset | RowValues) -> Routes:
    """Where each row ends in the tree, in one node or in several."""
    frame, plan = plan_for(tree, rows)
    return routes_to(plan, np.asarray(route(plan, len(frame))))


def routes_to(plan: Plan, ends: NDArray[np.int64]) -> Routes:
    """The routes of rows with these ends, as `route` gives them; those of several paths are followed further."""
    empty = np.empty(0, dtype=np.int64)
    spread = np.flatnonzero(ends < 0)
    if not spread.size:
        return Routes(ends, empty, empty, np.empty(0))
    parts = route_parts(plan, spread, -1 - ends[spread])
    ends[spread] = -1
    return Routes(ends, *parts)


def apply_tree(tree: BaseTree, rows: pd.DataFrame | Dataset) -> NDArray[np.int32]:
    """The node where each row ends, [n]; of several nodes that with the largest part, of equal parts the first id."""
    routes = routes_of(tree, rows)
    ends = routes.stops.copy()
    order = np.lexsort((-routes.nodes, routes.parts, routes.rows))
    ends[routes.rows[order]] = routes.nodes[order]  # the last entry of a row stays
    return ends.astype(np.int32)


def predictions_of(tree: BaseTree, rows: pd.DataFrame | Dataset | RowValues) -> NDArray[Any]:
    """The predicted class code or mean of each row, [n]; several ends are averaged by their parts."""
    return predictions_at(tree, routes_of(tree, rows))


def predictions_at(tree: BaseTree, routes: Routes) -> NDArray[Any]:
    """The same for rows that end there."""
    if tree.is_regression:
        return averaged(routes, tree.values[:, None])[:, 0]
    codes = tree.labels[np.maximum(routes.stops, 0)]
    several = np.unique(routes.rows)
    if several.size:
        codes[several] = predictions_of_shares(averaged(routes, tree.deciding_shares)[several], tree.deciding_costs)
    return codes


@overload
def plan_for(tree: BaseTree, rows: pd.DataFrame) -> tuple[pd.DataFrame, Plan]: ...
@overload
def plan_for(tree: BaseTree, rows: pd.DataFrame | Dataset) -> tuple[pd.DataFrame | FrameRows, Plan]: ...
@overload
def plan_for(
    tree: BaseTree, rows: pd.DataFrame | Dataset | RowValues
) -> tuple[pd.DataFrame | FrameRows | RowValues, Plan]: ...
def plan_for(
    tree: BaseTree, rows: pd.DataFrame | Dataset | RowValues
) -> tuple[pd.DataFrame | FrameRows | RowValues, Plan]:
    """The cells, and the plan for routing them; InputError if one lacks."""
    if isinstance(rows, RowValues):
        used_features(tree, rows.names)
        return rows, plan_of(tree, rows.numbers, rows.codes, rows.slot)
    frame, data = _cells_of(rows)
    return frame, plan_of(tree, *_values_of(tree.features, frame, data, used_features(tree, frame.columns)))


def _cells_of(rows: pd.DataFrame | Dataset) -> tuple[pd.DataFrame | FrameRows, Dataset | None]:
    """The cells of the rows, and the data set with their codes if there is one; InputError for anything else."""
    rows = as_pandas(rows)
    if not isinstance(rows, (Dataset, Source, pd.DataFrame)):
        raise InputError(
            message(
                "Rows must be a pandas frame or a Dataset, not {type}: make a frame of them.", type=type(rows).__name__
            )
        )
    frame = with_text_names(rows) if isinstance(rows, pd.DataFrame) else rows.cells  # a Source refuses
    if frame.columns.has_duplicates:
        name = frame.columns[frame.columns.duplicated()][0]
        raise InputError(message("Two columns are named '{column}': rename one of them.", column=name))
    return frame, rows if isinstance(rows, Dataset) else None


def used_features(tree: BaseTree, names: Container[str]) -> list[int]:
    """Positions of the features that the tree and its surrogates split on; InputError where the tree's are absent."""
    used = np.flatnonzero(np.bincount((tree.feature + 1) * tree.is_inner)[1:]).tolist()
    absent = [tree.features[f].name for f in used if tree.features[f].name not in names]
    if absent:
        raise InputError(
            message(
                "The table has no column '{column}', which the tree splits on: add it (cells may be empty).",
                column=absent[0],
            )
        )
    return used if tree.surrogates is None else tree.tested_features()


def plan_of(tree: BaseTree, numbers: NDArray[Any], codes: NDArray[np.int32], slot: NDArray[np.int64]) -> Plan:
    """The plan of a tree for rows with these values."""
    first_child = np.where(tree.is_leaf, -1, tree.first_child).astype(np.int32)
    tests, pairs = (tree.child_count, tree.feature, tree.threshold), (tree.cat_offset, *_sorted_pairs(tree))
    fields: tuple[Any, ...] = (
        *(numbers, codes, slot, first_child),
        *tests,
        *pairs,
        branches_for_unknown(tree),
        training_shares(tree),
        *_surrogate_arrays(tree),
        packed_tests(first_child, *tests, slot, *pairs),
    )
    return Plan(*fields)


def _sorted_pairs(tree: BaseTree) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Codes and branches of all nodes; the codes of each node ascend, also in a tree that another program made."""
    codes, branches = tree.cat_code, tree.cat_branch
    if not codes.size:
        return codes, branches
    node = np.repeat(np.arange(tree.n_nodes_grown), np.diff(tree.cat_offset))
    if ((np.diff(codes) < 0) & (np.diff(node) == 0)).any():
        order = np.lexsort((codes, node))
        return np.ascontiguousarray(codes[order]), np.ascontiguousarray(branches[order])
    return codes, branches


def _surrogate_arrays(tree: BaseTree) -> tuple[NDArray[Any], ...]:
    """The surrogates as `Plan` holds them."""
    surrogates = tree.surrogates
    if surrogates is None:
        offsets, numbers = np.empty(0, np.int64), np.empty(0, np.int32)
        return offsets, numbers, np.empty(0), numbers.reshape(0, 2), offsets, numbers.reshape(0, 2)
    sides = np.column_stack([surrogates.below, surrogates.above])
    pairs = np.column_stack([surrogates.code, surrogates.branch])
    return surrogates.offset, surrogates.feature, surrogates.cut, sides, surrogates.pair_offset, pairs


def training_shares(tree: BaseTree) -> NDArray[np.float64]:
    """The part of its parent's training weight that every node has, [m]; 1 at the root, 0 below an empty node."""
    above = tree.weight[np.maximum(tree.parent, 0)]
    return np.divide(tree.weight, above, out=np.zeros(len(above)), where=above > 0)


def branches_for_unknown(tree: BaseTree) -> NDArray[np.int32]:
    """Branches for a missing and for an unseen value at every node, or STAY or SPREAD, [m, 2]."""
    unseen = _unseen_branches(tree)
    if tree.recipe.missing == "fractional":
        missing = np.full(tree.n_nodes_grown, SPREAD, dtype=np.int32)
    elif tree.recipe.missing == "drop":
        missing = unseen
    else:
        missing = np.where(tree.missing_branch >= 0, tree.missing_branch, unseen)
    return np.ascontiguousarray(np.stack([missing, unseen], axis=1), dtype=np.int32)


def _unseen_branches(tree: BaseTree) -> NDArray[np.int32]:
    """The branch of an unseen value at every node, [m]."""
    if tree.unseen_branch is not None:
        return tree.unseen_branch
    if tree.recipe.unseen in ("node", "fractional"):
        return np.full(tree.n_nodes_grown, STAY if tree.recipe.unseen == "node" else SPREAD, dtype=np.int32)
    unseen = np.full(tree.n_nodes_grown, STAY, dtype=np.int32)
    random_numbers = np.random.default_rng(0).random(tree.n_nodes_grown)
    for node in np.flatnonzero(tree.feature >= 0):
        children = tree.children_of(int(node))
        weights = tree.weight[children.start : children.stop]
        branches = np.flatnonzero(weights)
        at_random = branches[int(random_numbers[node] * branches.size)]
        unseen[node] = int(heaviest(weights)) if tree.recipe.unseen == "heaviest" else at_random
    return unseen


def _values_of(
    features: Sequence[FeatureEncoding], frame: pd.DataFrame | FrameRows, data: Dataset | None, used: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Values of the used features, numbers and categories separately, and the slot of each feature."""
    numeric = [f for f in used if features[f].test == "threshold"]
    others = [f for f in used if features[f].test != "threshold"]
    numbers = np.empty((len(frame), len(numeric)))
    codes, slot = np.empty((len(frame), len(others)), dtype=np.int32), np.zeros(len(features), dtype=np.int64)

    def fill(position: int) -> None:
        encoding, slot[numeric[position]] = features[numeric[position]], position
        numbers[:, position] = numbers_in_tree(encoding, frame, data) if encoding.name in frame.columns else np.nan

    is_in_data = all(_numeric_of(features[f], data) for f in numeric)  # else an error may be told
    list((shared_pool().map if is_in_data and len(frame) >= ROWS_OF_A_BLOCK else map)(fill, range(len(numeric))))
    for position, f in enumerate(others):
        encoding, slot[f] = features[f], -position - 1
        codes[:, position] = codes_in_tree(encoding, frame, data) if encoding.name in frame.columns else MISSING
    return numbers, codes, slot


def _feature_of(name: str, data: Dataset | None, kind: str) -> tuple[Feature, NDArray[np.int32]] | None:
    """A feature of a dataset with its codes; None where it has none of this name and kind."""
    if data is None:
        return None
    pairs = zip(data.features, data.codes, strict=True)
    return next((pair for pair in pairs if (pair[0].name, pair[0].kind) == (name, kind)), None)


def _numeric_of(encoding: FeatureEncoding, data: Dataset | None) -> tuple[Feature, NDArray[np.int32]] | None:
    """A numeric feature of a dataset with its codes; None where its numbers are not those of the tree."""
    pair = _feature_of(encoding.name, data, "numeric")
    if pair is None or pair[0].scale == encoding.scale:
        return pair
    return None if Ordered in (type(pair[0].scale), type(encoding.scale)) else pair


def numbers_in_tree(
    encoding: FeatureEncoding, frame: pd.DataFrame | FrameRows, data: Dataset | None
) -> NDArray[np.float64]:
    """A column as numbers, ranks for ordered levels: nan where a cell is missing, inf for a level that is unknown."""
    column, is_ordered = frame[encoding.name], isinstance(encoding.scale, Ordered)
    if data is None and not is_ordered and column.dtype.kind in "iuf":
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        refuse_infinite(numbers, SourceColumn(column))
        return numbers
    values, ranks = values_and_ranks(encoding, frame, data)
    return np.take(np.append(values, np.nan), ranks, mode="clip")


def values_and_ranks(
    encoding: FeatureEncoding, frame: pd.DataFrame | FrameRows, data: Dataset | None
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The different numbers of a column, ascending, and where every row's is among them (after all: missing)."""
    known, name = _numeric_of(encoding, data), encoding.name
    if known is None and isinstance(encoding.scale, Ordered):
        return ranks_of_levels(frame[name], encoding.scale)
    if known is None:
        features, codes_of = encode_columns([frame[name]], {name: "numeric"})
        known = features[0], codes_of[0]
    return known[0].values, known[1]


def codes_in_tree(
    encoding: FeatureEncoding, frame: pd.DataFrame | FrameRows, data: Dataset | None
) -> NDArray[np.int32]:
    """A column in the tree's own codes: −1 missing, −2 a value the tree never saw."""
    if encoding.kind == "numeric":
        numbers = numbers_in_tree(encoding, frame, data)
        if encoding.test == "bins":
            codes = np.searchsorted(np.asarray(encoding.edges), numbers, side="left").astype(np.int32)
            codes[np.isinf(numbers)] = UNSEEN
            return np.where(np.isnan(numbers), np.int32(MISSING), codes)
        labels = np.asarray(encoding.labels, dtype=np.float64)
        position = np.searchsorted(labels, numbers).clip(max=len(labels) - 1)
        codes = np.where(labels[position] == numbers, position, UNSEEN).astype(np.int32)
        return np.where(np.isnan(numbers), np.int32(MISSING), codes)
    codes, values = _distinct(encoding, frame, data)
    if encoding.labels[: len(values)] == values:  # as where the tree was grown on them
        return np.where(codes < len(values), codes, np.int32(MISSING))
    code_of = positions_of(encoding.labels)
    recode = [UNSEEN if (code := code_of(value)) is None else code for value in values]
    return np.take(np.array([*recode, MISSING], dtype=np.int32), codes, mode="clip")


def _distinct(
    encoding: FeatureEncoding, frame: pd.DataFrame | FrameRows, data: Dataset | None
) -> tuple[NDArray[np.int32], Sequence[Value]]:
    """The code of every cell of a column, and its distinct values."""
    feature_and_codes = _feature_of(encoding.name, data, "categorical")
    if feature_and_codes is not None:
        return feature_and_codes[1], feature_and_codes[0].categories
    return distinct_cells(SourceColumn(frame[encoding.name]), encoding.labels)


def rows_passing(tree: BaseTree, data: Dataset, node: int) -> NDArray[np.intp]:
    """Positions of the rows of `data` that pass a node of the grown tree, [m]."""
    if tree.recipe.missing == "drop" and len(complete := complete_rows(data, tree.recipe)) < data.n_rows:
        return complete[rows_passing(tree, data.take(complete), node)]
    above = [step for step, _ in tree.path_to(node)]  # of all features only those tested there are read
    routes = routes_of(tree.with_pruned(~np.isin(np.arange(tree.n_nodes_grown), above)), data)
    passing = routes.stops == node
    passing[routes.rows[routes.nodes == node]] = True
    return np.flatnonzero(passing)
