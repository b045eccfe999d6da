"""Turn the tables of all jobs into one tree's arrays with breadth-first ids."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import Surrogates
from explorer.jit import kernel


class SurrogateTables(NamedTuple):
    """Surrogates of one job: (node, feature, below, above, pairs) [s, 5], floats [s, 3], (code, branch) [q, 2]."""

    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]


NO_MIMICS = SurrogateTables(np.empty((0, 5), np.int32), np.empty((0, 3)), np.empty((0, 2), np.int32))


class Tables(NamedTuple):
    """Nodes of one job: whole numbers [m, 7], floats [m, 4 + K], (node, category, branch) [p, 3], evidence [m, F, 3].

    Row 0 is the node `at` of the first job's table (the whole tree's root in the first job itself).
    """

    at: int
    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    pairs: NDArray[np.int32]
    evidence: NDArray[np.float64]
    mimics: SurrogateTables = NO_MIMICS


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
    for place in range(n):
        node = order[place]
        for i in range(first[node], first[node + 1]):
            order[filled] = child[i]
            filled += 1
    return order


def join(jobs: list[Tables]) -> Tables:
    """All jobs in one table; a job's row 0 takes the place of the node it hangs at."""
    top = jobs[0]
    ints, floats, pairs, evidence = [top.ints], [top.floats], [top.pairs], [top.evidence]
    mimics = [top.mimics]
    offset = len(top.ints)
    for job in jobs[1:]:
        own = job.ints[0].copy()
        own[:2] = top.ints[job.at, :2]
        top.ints[job.at], top.floats[job.at] = own, job.floats[0]
        if len(job.evidence):
            top.evidence[job.at] = job.evidence[0]
        places = np.arange(len(job.ints)) + offset - 1
        places[0] = job.at
        rest = job.ints[1:].copy()
        rest[:, 0] = places[rest[:, 0]]
        hung = job.pairs.copy()
        hung[:, 0] = places[hung[:, 0]]
        ints.append(rest)
        floats.append(job.floats[1:])
        pairs.append(hung)
        evidence.append(job.evidence[1:])
        moved = job.mimics.ints.copy()
        moved[:, 0] = places[moved[:, 0]]
        mimics.append(job.mimics._replace(ints=moved))
        offset += len(rest)
    joined = SurrogateTables(*(np.concatenate(arrays) for arrays in zip(*mimics, strict=True)))
    nodes = np.concatenate(ints), np.concatenate(floats)
    return Tables(0, *nodes, np.concatenate(pairs), np.concatenate(evidence), joined)


def surrogates_of(mimics: SurrogateTables, place: NDArray[np.int32]) -> Surrogates | None:
    """All surrogates by breadth-first id of their node, `place` [nodes]; None where there are none."""
    ints, floats, pairs = mimics
    if not len(ints):
        return None
    owner = place[ints[:, 0]]
    order = np.argsort(owner, kind="stable")
    first = np.cumsum(ints[:, 4]) - ints[:, 4]
    counts = ints[order, 4]
    taken = np.concatenate([np.arange(first[i], first[i] + ints[i, 4]) for i in order]).astype(np.int64)
    return Surrogates(
        offset=np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(place)))]).astype(np.int64),
        feature=ints[order, 1],
        cut=floats[order, 0],
        below=ints[order, 2],
        above=ints[order, 3],
        agreement=floats[order, 1],
        adjusted=floats[order, 2],
        pair_offset=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        code=pairs[taken, 0],
        branch=pairs[taken, 1],
    )


def tree_arrays(jobs: list[Tables], unit: float) -> dict[str, Any]:
    """The arrays of `Tree` from the tables of all jobs; entropies are turned into the recipe's unit."""
    whole = join(jobs)
    parent, branch, feature, depth, stop, missing_branch, child_count = whole.ints.T
    order = breadth_first(parent, branch, child_count)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    counts = np.ascontiguousarray(child_count[order])
    first = (np.cumsum(counts) - counts + 1).astype(np.int32)
    above = parent[order]
    floats = whole.floats[order]
    pairs = whole.pairs
    owner = place[pairs[:, 0]]
    by_owner = np.argsort(owner, kind="stable")
    return {
        "parent": np.where(above >= 0, place[above], -1).astype(np.int32),
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
        "impurity": floats[:, 1] * unit,
        "missing_weight": floats[:, 3].copy(),
        "stats": np.ascontiguousarray(floats[:, 4:]),
        "stop": np.ascontiguousarray(stop[order]).astype(np.int8),
        "is_pruned": np.zeros(len(order), dtype=bool),
        "surrogates": surrogates_of(whole.mimics, place),
        "evidence": whole.evidence[order] if len(whole.evidence) else None,
    }
