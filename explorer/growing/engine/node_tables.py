"""Turn the tables of all jobs into one tree with breadth-first ids."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import Surrogates, runs
from explorer.data.encode import Heading
from explorer.jit import kernel
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import DATES_AS_DAYS, Remark
from explorer.tree.base_tree import Evidence
from explorer.tree.newton import base_of, node_leaves
from explorer.tree.tree import Tree


class SurrogateTables(NamedTuple):
    """Surrogates of one job: (node, feature, below, above, pairs) [s, 5], floats [s, 3], (code, branch) [q, 2]."""

    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]


NO_SURROGATES = SurrogateTables(np.empty((0, 5), np.int32), np.empty((0, 3)), np.empty((0, 2), np.int32))


class Tables(NamedTuple):
    """Nodes of one job: whole numbers [m, 7], floats [m, 4 + K], (node, category, branch) [p, 3], evidence [m, F, 3].

    Row 0 is the node `at` of the first job's table (the root of the whole tree in the first job itself).
    """

    at: int
    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]
    evidence: NDArray[np.float64]
    surrogates: SurrogateTables = NO_SURROGATES


@kernel
def breadth_first(parent, branch, child_count):
    """Order of the nodes by depth, parent and branch, [n]; node 0 is the root."""
    n = parent.size
    first = np.zeros(n + 1, dtype=np.int64)
    for node in range(n):
        first[node + 1] = first[node] + child_count[node]
    child = np.empty(max(n - 1, 1), dtype=np.int64)
    for node in range(n):
        if parent[node] >= 0:
            child[first[parent[node]] + branch[node]] = node
    order = np.empty(n, dtype=np.int64)
    order[0] = 0
    filled = 1
    for i in range(n):
        node = order[i]
        for j in range(first[node], first[node + 1]):
            order[filled] = child[j]
            filled += 1
    return order


def join(jobs: list[Tables]) -> Tables:
    """All jobs in one table; a job's row 0 replaces the row of the node that it was grown from."""
    upper = jobs[0]
    ints, floats, pairs, evidence = [upper.ints], [upper.floats], [upper.pairs], [upper.evidence]
    surrogates = [upper.surrogates]
    offset = len(upper.ints)
    for job in jobs[1:]:
        root = job.ints[0].copy()
        root[:2] = upper.ints[job.at, :2]  # its parent and branch are those of the upper tree
        upper.ints[job.at], upper.floats[job.at] = root, job.floats[0]
        if len(job.evidence):
            upper.evidence[job.at] = job.evidence[0]
        new_id = np.arange(len(job.ints)) + offset - 1
        new_id[0] = job.at
        rest = job.ints[1:].copy()
        rest[:, 0] = new_id[rest[:, 0]]
        job_pairs = job.pairs.copy()
        job_pairs[:, 0] = new_id[job_pairs[:, 0]]
        ints.append(rest)
        floats.append(job.floats[1:])
        pairs.append(job_pairs)
        evidence.append(job.evidence[1:])
        owners = job.surrogates.ints.copy()
        owners[:, 0] = new_id[owners[:, 0]]
        surrogates.append(job.surrogates._replace(ints=owners))
        offset += len(rest)
    joined = SurrogateTables(*(np.concatenate(arrays) for arrays in zip(*surrogates, strict=True)))
    nodes = np.concatenate(ints), np.concatenate(floats)
    return Tables(0, *nodes, np.concatenate(pairs), np.concatenate(evidence), joined)


def surrogates_of(tables: SurrogateTables, new_id: NDArray[np.int32]) -> Surrogates | None:
    """All surrogates by breadth-first id of their node, `new_id` [nodes]; None where there are none."""
    ints, floats, pairs = tables
    if not len(ints):
        return None
    owner = new_id[ints[:, 0]]
    order = np.argsort(owner, kind="stable")
    first = np.cumsum(ints[:, 4]) - ints[:, 4]
    counts = ints[order, 4]
    pair_order = runs(first[order], counts)
    return Surrogates(
        offset=np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(new_id)))]).astype(np.int64),
        feature=ints[order, 1],
        cut=floats[order, 0],
        below=ints[order, 2],
        above=ints[order, 3],
        agreement=floats[order, 1],
        adjusted=floats[order, 2],
        pair_offset=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        code=pairs[pair_order, 0],
        branch=pairs[pair_order, 1],
    )


TreeArrays = dict[str, Any]
"""The arrays of `Tree` by the names of its fields, with entropies in bits; a numeric target less what was taken off."""


def tree_arrays(jobs: list[Tables]) -> TreeArrays:
    """The arrays of `Tree` from the tables of all jobs, with entropies in bits."""
    whole = join(jobs)
    parent, branch, feature, depth, stop, missing_branch, child_count = np.ascontiguousarray(whole.ints.T)
    order = breadth_first(parent, branch, child_count)
    new_id = np.empty(len(order), dtype=np.int32)
    new_id[order] = np.arange(len(order), dtype=np.int32)
    counts = np.ascontiguousarray(child_count[order])
    first = (np.cumsum(counts) - counts + 1).astype(np.int32)
    above = parent[order]
    floats = whole.floats[order]
    pairs = whole.pairs
    owner = new_id[pairs[:, 0]]
    by_owner = np.argsort(owner, kind="stable")
    return {
        "parent": np.where(above >= 0, new_id[above], -1).astype(np.int32),
        "first_child": np.where(counts > 0, first, -1).astype(np.int32),
        "child_count": counts,
        "depth": np.ascontiguousarray(depth[order]),
        "feature": np.ascontiguousarray(feature[order]),
        "threshold": floats[:, 2].copy(),
        "cat_offset": np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(order)))]).astype(np.int64),
        "cat_code": np.ascontiguousarray(pairs[by_owner, 1]),
        "cat_branch": np.ascontiguousarray(pairs[by_owner, 2]),
        "missing_branch": np.ascontiguousarray(missing_branch[order]),
        "weight": floats[:, 0].copy(),
        "impurity": floats[:, 1],
        "missing_weight": floats[:, 3].copy(),
        "stats": np.ascontiguousarray(floats[:, 4:]),
        "stop": np.ascontiguousarray(stop[order]).astype(np.int8),
        "is_pruned": np.zeros(len(order), dtype=bool),
        "surrogates": surrogates_of(whole.surrogates, new_id),
        "evidence": whole.evidence[order] if len(whole.evidence) else None,
    }


def tree_of(
    data: Heading,
    recipe: Recipe,
    columns: list[TrainingColumn],
    tables: list[Tables],
    centre: float,
    remarks: tuple[Remark, ...] = (),
    factors: Floats = NONE,
) -> Tree:
    """The tree of these tables, in the recipe's units; `centre` has been taken off a numeric target."""
    return tree_of_arrays(data, recipe, columns, tree_arrays(tables), centre, remarks, factors)


def tree_of_arrays(
    data: Heading,
    recipe: Recipe,
    columns: list[TrainingColumn],
    arrays: TreeArrays,
    centre: float,
    remarks: tuple[Remark, ...] = (),
    factors: Floats = NONE,
) -> Tree:
    """The same of the arrays, with entropies in bits."""
    unit = recipe.unit(data.is_regression)
    evidence = arrays.pop("evidence")
    if data.weight_column is not None:
        remarks = (*remarks, Remark("weighted_rows", (data.weight_column,)))
    used = {column.encoding.name for column in columns if column.encoding.kind == "numeric"}
    if dates := tuple(name for name in data.date_columns if name in used):
        remarks = (*remarks, Remark(DATES_AS_DAYS, dates))
    arrays["impurity"] = arrays["impurity"] * unit
    if data.is_regression:
        arrays["stats"][:, 1] += np.where(arrays["weight"] > 0, centre, 0.0)
    best_candidates = (
        None if evidence is None else Evidence(evidence[..., 0] * unit, evidence[..., 1] * unit, evidence[..., 2])
    )
    tree = Tree(
        features=tuple(column.encoding for column in columns),
        target=data.target.name,
        classes=data.classes,
        recipe=recipe,
        remarks=remarks,
        evidence=best_candidates,
        class_factors=factors if factors.size else None,
        **arrays,
    )
    if not (data.is_regression and recipe.score == "newton" and recipe.reg_lambda):
        return tree
    return tree.with_predictions(base_of(tree) + node_leaves(tree))
