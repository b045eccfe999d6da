"""How far apart two trees are, by their predictions, their partition of the rows, or their splits (section 26)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.stability.tree_loops import matched_nodes, weight_apart
from explorer.errors import InputError
from explorer.evaluation.comparison.agreement import agreement
from explorer.evaluation.comparison.first_difference import check_pair
from explorer.messages import listing, message
from explorer.tree.routing import Plan, plan_for
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]


def tree_distance(a: Tree, b: Tree, data: Dataset, kind: str = "partition") -> float:
    """The distance of two trees on some rows, from 0 (alike) to 1.

    By "answers": the share of row weight with different predictions. By "partition": the share of the pairs of rows
    that are in one leaf of one tree and in two of the other, which is 1 - Rand index; a pair counts the product of its
    weights. By "structure": the share of weight that does not come to a leaf of both by equivalent splits (DEFINITIONS
    section 11). Raises InputError for another kind, and for trees that predict different targets.

    >>> from explorer import ID3, grow, load_sample
    >>> frame = load_sample("play_tennis").frame
    >>> one, other = (Dataset.from_frame(frame, "PlayTennis", [name]) for name in ("Outlook", "Humidity"))
    >>> round(91 * tree_distance(grow(one, ID3), grow(other, ID3), Dataset.from_frame(frame, "PlayTennis")))
    48
    """
    if kind not in KINDS:
        raise InputError(
            message("There is no distance '{kind}': choose one of {kinds}.", kind=kind, kinds=listing(KINDS))
        )
    check_pair(a, b)
    if data.n_rows == 0:
        raise InputError(message("A distance of trees needs rows: give at least one."))
    return KINDS[kind](a, b, data)


def by_answers(a: Tree, b: Tree, data: Dataset) -> float:
    """The share of row weight with different predictions."""
    return 1.0 - agreement(a, b, data).share


def by_partition(a: Tree, b: Tree, data: Dataset) -> float:
    """1 - Rand index of the leaves."""
    leaves = np.stack([leaf_numbers(a, data), leaf_numbers(b, data)])
    return float(partition_distances(leaves, data.weight_of_rows())[0, 1])


def by_structure(a: Tree, b: Tree, data: Dataset) -> float:
    """The share of weight that does not come to a leaf of both trees by equivalent splits."""
    plan_a, plan_b = plan_for(a, data)[1], plan_for(b, data)[1]
    partner, shared, is_alike = matched(plan_a, plan_b, features_of(a, b), np.arange(data.n_rows), data, 0.0)
    reached = partner >= 0
    both_end = reached & (plan_a.first_child < 0) & (plan_b.first_child[partner] < 0)
    alike, parted = shared[both_end].sum(), shared[reached & ~is_alike & ~both_end].sum()
    return float(parted / (alike + parted)) if parted else 0.0


KINDS: Mapping[str, Callable[[Tree, Tree, Dataset], float]] = {
    "answers": by_answers,
    "partition": by_partition,
    "structure": by_structure,
}
"""The distances, by name."""


def features_of(a: Tree, b: Tree) -> NDArray[np.int64]:
    """For every feature of b the index of the feature of a with this name, -1 where a has none."""
    index = {feature.name: position for position, feature in enumerate(a.features)}
    return np.array([index.get(feature.name, -1) for feature in b.features], dtype=np.int64)


def matched(
    plan_a: Plan,
    plan_b: Plan,
    feature_of_b: NDArray[np.int64],
    rows: NDArray[np.intp],
    data: Dataset,
    tolerance: float,
) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
    """Partner, shared weight and whether the splits are alike, of every node of a: see `matched_nodes`."""
    partner, shared, is_alike = matched_nodes(
        plan_a, plan_b, feature_of_b, rows.astype(np.int64), data.weight_of_rows(), tolerance
    )
    return partner, shared, is_alike


def leaf_numbers(tree: Tree, data: Dataset) -> NDArray[np.int32]:
    """The leaf of every row, numbered from 0 in the order of ids, [n]."""
    return np.unique(tree.apply(data), return_inverse=True)[1].astype(np.int32)


def partition_distances(leaves: NDArray[np.int32], weights: Floats) -> Floats:
    """1 - Rand index of every pair of partitions, [t, t], from the leaf of every row in every tree, [t, n].

    Exact, in t²·n steps: the leaves of two trees are crossed, not the pairs of rows.
    """
    apart = weight_apart(leaves, leaves.max(axis=1).astype(np.int64) + 1, weights, 0, len(leaves))
    pairs = (weights.sum() ** 2 - (weights**2).sum()) / 2
    return np.minimum((apart + apart.T) / pairs, 1.0) if pairs > 0 else np.zeros_like(apart)


def order_by_distance(distances: Floats) -> list[int]:
    """The order of the leaves of an average-linkage dendrogram, so that similar trees stand side by side.

    >>> order_by_distance(np.array([[0, 0.9, 0.1], [0.9, 0, 0.8], [0.1, 0.8, 0]]))
    [1, 0, 2]
    """
    if len(distances) < 3:
        return list(range(len(distances)))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    return [int(leaf) for leaf in leaves_list(linkage(squareform(distances, checks=False), "average"))]
