"""Tables of nodes, whichever loops wrote them, and the tree of all of them, with breadth-first ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Bools
from explorer.candidates.surrogates import Surrogates, runs
from explorer.data.codes.scale import Dates
from explorer.data.encode import Heading
from explorer.jit import kernel
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.parameters import EMPTY, SPLIT, GrowParameters, node_impurity, node_weight
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import DATES_AS_DAYS, DAYS_SINCE, Remark
from explorer.tree.base_tree import Evidence
from explorer.tree.newton import base_of, node_leaves
from explorer.tree.tree import Tree


class SurrogateTables(NamedTuple):
    """Surrogates of one job: (node, feature, below, above, pairs) [s, 5], floats [s, 3], (code, branch) [q, 2]."""

    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]


NO_SURROGATES = SurrogateTables(np.empty((0, 5), np.int32), np.empty((0, 3)), np.empty((0, 2), np.int32))


FIRST_CHILD, CHILDREN, FEATURE, STOP, MISSING_BRANCH, PARENT, LEVEL, WHOLE_WEIGHT = range(8)
LOW, HIGH, N_INTS = PARENT, LEVEL, 8
"""Whole numbers of a node. Loops for complete tables keep the values beside its threshold, and a weight without digits
behind the point; others its parent and depth, while they grow."""
WEIGHT, IMPURITY, CUT, MISSING_WEIGHT, STATS = range(5)
"""Other numbers of a node, but for complete tables."""


class Tables(NamedTuple):
    """Nodes of one job: whole numbers [m, 8], floats [m, 4 + K], (node, category, branch) [p, 3], evidence [m, F, 3].

    The children of a node are side by side. Row 0 is the node `at` of the first job's table (the root of the whole tree
    in the first job itself). `evidence` has no rows unless it is kept.

    Loops for complete tables write mean and squared deviations of a numeric target into `floats` [m, 2], or class
    weights into `counts` [m, K]. In pairs, as in LOW and HIGH, a row of the value is in place of the code of a sorted
    column, unless nodes draw; `evidence` [m, F, 4] ends with the same two numbers. `cuts` [m, 1] are the thresholds
    that nodes have drawn, nan for none. Arrays that a grower does not need have no rows.
    """

    at: int
    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]
    evidence: NDArray[np.float64]
    surrogates: SurrogateTables = NO_SURROGATES
    counts: NDArray[np.int32] = np.empty((0, 1), np.int32)
    cuts: NDArray[np.float64] = np.empty((0, 1))


def with_rows(nodes: Tables, n: int) -> Tables:
    """The tables with so many new nodes, leaves so far."""

    def longer(rows: NDArray[Any], value: float) -> NDArray[Any]:
        more = np.full((n, *rows.shape[1:]), value, rows.dtype)
        return np.concatenate([rows, more]) if len(rows) else rows

    ints = longer(nodes.ints, -1)
    ints[-n:, CHILDREN] = 0
    return nodes._replace(
        ints=ints,
        floats=longer(nodes.floats, 0.0),
        evidence=longer(nodes.evidence, np.nan),
        counts=longer(nodes.counts, 0),
        cuts=longer(nodes.cuts, np.nan),
    )


class NodeList:
    """Nodes that are written one at a time, children after their parents."""

    def __init__(self, parameters: GrowParameters, n_columns: int, keep: bool) -> None:
        self.parameters, self.n_columns, self.keep = parameters, n_columns, keep
        self.ints, self.floats = list[list[int]](), list[list[float]]()
        self.pairs, self.evidence = list[tuple[int, int, int]](), list[Floats]()
        self.surrogate_ints, self.surrogate_floats = list[tuple[int, ...]](), list[tuple[float, ...]]()
        self.surrogate_pairs = list[tuple[int, int]]()

    def add(self, stats: Floats, shown: Floats | None = None) -> int:
        """A leaf with these statistics, and what is shown of them if that differs; returns its id."""
        weight = float(node_weight(self.parameters, stats))
        impurity = float(node_impurity(self.parameters, stats)) if weight else 0.0
        self.ints.append([-1, 0, -1, EMPTY, -1, -1, -1, 0])
        self.floats.append([weight, impurity, np.nan, 0.0, *(stats if shown is None else shown)])
        if self.keep:
            self.evidence.append(np.full((self.n_columns, 3), np.nan))
        return len(self.ints) - 1

    def split(
        self,
        node: int,
        feature: int,
        n_branches: int,
        missing: tuple[int, float],
        cut: float | None,
        branch_of: NDArray[Any],
    ) -> None:
        """What a node tests: its children come next. `missing` is the branch of rows without a value and their weight.

        Without a threshold, `branch_of` are the branches of all codes, −1 for none.
        """
        self.ints[node][:5] = len(self.ints), n_branches, feature, SPLIT, missing[0]
        self.floats[node][MISSING_WEIGHT] = missing[1]
        if cut is not None:
            self.floats[node][CUT] = cut
        else:
            self.pairs += [(node, int(code), int(branch_of[code])) for code in np.flatnonzero(branch_of >= 0)]

    def record_evidence(
        self, node: int, features: Sequence[FeatureCandidates], columns: Sequence[int], is_drawn: Bools | None
    ) -> None:
        """Write gain, split information and threshold of the best candidate of every feature that competes."""
        competes = np.ones(len(features), dtype=bool) if is_drawn is None else is_drawn
        for column, candidates, may_win in zip(columns, features, competes, strict=True):
            if self.keep and may_win and not np.isnan(candidates.best_gain):
                cut = candidates.condition(candidates.best).threshold
                info = candidates.split_info[candidates.best]
                self.evidence[node][column] = candidates.best_gain, info, np.nan if cut is None else cut

    def tables(self) -> Tables:
        """The nodes as arrays."""
        return Tables(
            0,
            np.array(self.ints, dtype=np.int32),
            np.array(self.floats, dtype=np.float64),
            np.array(self.pairs, dtype=np.int32).reshape(-1, 3),
            np.stack(self.evidence) if self.keep else np.empty((0, self.n_columns, 3)),
            SurrogateTables(
                np.array(self.surrogate_ints, dtype=np.int32).reshape(-1, 5),
                np.array(self.surrogate_floats, dtype=np.float64).reshape(-1, 3),
                np.array(self.surrogate_pairs, dtype=np.int32).reshape(-1, 2),
            ),
        )


@kernel
def breadth_first(ints, order, parent, first_child, depth):
    """Order of the nodes by depth, parent and branch, and for each in that order its parent, first child and depth."""
    order[0], parent[0], depth[0] = 0, -1, 0
    filled = 1
    for i in range(ints.shape[0]):
        node = order[i]
        n_children = ints[node, CHILDREN]
        first_child[i] = filled if n_children else -1
        for j in range(n_children):
            order[filled] = ints[node, FIRST_CHILD] + j
            parent[filled], depth[filled] = i, depth[i] + 1
            filled += 1


def join(jobs: list[Tables]) -> Tables:
    """All jobs in one table; a job's row 0 replaces the node that it was grown from. Tables of jobs are rewritten."""
    upper = jobs[0]
    if len(upper.ints) == 1 and len(jobs) == 2:
        return jobs[1]._replace(at=0)
    parts, offset = [upper], len(upper.ints)
    for job in jobs[1:]:
        shift = offset - 1
        job.ints[:, FIRST_CHILD] += shift  # that of a leaf is not read
        for owner in (job.pairs[:, 0], job.surrogates.ints[:, 0]):
            owner[:] = np.where(owner == 0, job.at, owner + shift)
        of_nodes = ("ints", "floats", "evidence", "counts", "cuts")
        for name in of_nodes:
            for row in getattr(job, name)[:1]:
                getattr(upper, name)[job.at] = row
        parts.append(job._replace(**{name: getattr(job, name)[1:] for name in of_nodes}))
        offset += len(job.ints) - 1
    surrogates = SurrogateTables(*map(np.concatenate, zip(*(part.surrogates for part in parts), strict=True)))
    joined = zip(*(part[1:5] + part[6:] for part in parts), strict=True)
    ints, floats, pairs, evidence, counts, cuts = map(np.concatenate, joined)
    return Tables(0, ints, floats, pairs, evidence, surrogates, counts, cuts)


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


class Order(NamedTuple):
    """The nodes in breadth-first order, and of each in that order its parent, first child and depth."""

    nodes: NDArray[np.int32]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    depth: NDArray[np.int32]


def order_of(ints: NDArray[np.int32]) -> Order:
    """The breadth-first order of nodes."""
    order = Order(*(np.empty(len(ints), np.int32) for _ in range(4)))
    breadth_first(ints, *order)
    return order


def arrays_in_order(
    nodes: Tables, order: Order, pairs: NDArray[np.int32], evidence: NDArray[np.float64] | None, **columns: Any
) -> TreeArrays:
    """The arrays of `Tree` from the `columns` that are in order, and (node, category, branch) pairs that are not."""
    n = len(order.nodes)
    new_id = np.empty(n, dtype=np.int32)
    new_id[order.nodes] = np.arange(n, dtype=np.int32)
    owner = new_id[pairs[:, 0]]
    by_owner = np.argsort(owner, kind="stable")
    return columns | {
        "parent": order.parent,
        "first_child": order.first_child,
        "depth": order.depth,
        "cat_offset": np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))]).astype(np.int64),
        "cat_code": np.ascontiguousarray(pairs[by_owner, 1]),
        "cat_branch": np.ascontiguousarray(pairs[by_owner, 2]),
        "is_pruned": np.zeros(n, dtype=bool),
        "surrogates": surrogates_of(nodes.surrogates, new_id),
        "evidence": evidence,
    }


def tree_arrays(jobs: list[Tables]) -> TreeArrays:
    """The arrays of `Tree` from the tables of all jobs, with entropies in bits."""
    nodes = join(jobs)
    order = order_of(nodes.ints)
    ints, floats = nodes.ints[order.nodes], nodes.floats[order.nodes]
    return arrays_in_order(
        nodes,
        order,
        nodes.pairs,
        nodes.evidence[order.nodes] if len(nodes.evidence) else None,
        child_count=ints[:, CHILDREN].copy(),
        feature=ints[:, FEATURE].copy(),
        missing_branch=ints[:, MISSING_BRANCH].copy(),
        stop=ints[:, STOP].astype(np.int8),
        weight=floats[:, WEIGHT].copy(),
        impurity=floats[:, IMPURITY],
        threshold=floats[:, CUT].copy(),
        missing_weight=floats[:, MISSING_WEIGHT].copy(),
        stats=np.ascontiguousarray(floats[:, STATS:]),
    )


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
    scales = {column.encoding.name: column.encoding.scale for column in columns if column.encoding.name not in dates}
    counted = [(name, scale.since[:10]) for name, scale in scales.items() if isinstance(scale, Dates)]
    remarks = (*remarks, *(Remark(DAYS_SINCE, name_and_date) for name_and_date in counted))
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
