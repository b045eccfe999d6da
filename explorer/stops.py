"""Stops that judge a split by its branches: the χ² test, and validation rows (DEFINITIONS section 5).

Both look at nothing but the node's own split, whatever becomes of the rest. So the tree is grown as if they were off
and judged from the root down; what lies below a split that fails is taken away, and the ids close up behind it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.dataset import Dataset
from explorer.limits import NOT_BETTER, NOT_SIGNIFICANT
from explorer.targets import predictions, targets_of
from explorer.tree import Tree

Floats = NDArray[np.float64]
ROUNDING = 1e-12
"""A validation score that rises by less than this share has not risen."""


@dataclass(frozen=True)
class Chi2:
    """A χ² test: the statistic, its degrees of freedom, and the chance p of one as large if nothing is related."""

    statistic: float
    df: int
    p: float


def chi2_test(table: ArrayLike) -> Chi2:
    """Pearson's χ² test of row weights by branch and class, [branches, K], without Yates' correction.

    Empty branches and absent classes count for nothing (Quinlan 1986). Outlook in play tennis:

    >>> found = chi2_test([[2, 3], [4, 0], [3, 2]])
    >>> round(found.statistic, 3), found.df, round(found.p, 3)
    (3.547, 2, 0.17)
    """
    counts = np.asarray(table, dtype=np.float64)
    statistic, df = pearson(counts, np.zeros(len(counts), dtype=np.intp), 1)
    return Chi2(float(statistic[0]), int(df[0]), upper_tail(float(statistic[0]), int(df[0])))


def pearson(counts: Floats, owner: NDArray[Any], n: int) -> tuple[Floats, NDArray[Any]]:
    """χ² = Σ (observed − expected)²/expected and df of `n` tables at once; row i of `counts` is one of `owner[i]`'s."""
    columns = np.stack([np.bincount(owner, of_class, minlength=n) for of_class in counts.T], axis=1)
    rows = counts.sum(axis=1)
    share = columns / np.maximum(columns.sum(axis=1), 1e-300)[:, None]
    expected = rows[:, None] * share[owner]
    off = np.divide((counts - expected) ** 2, expected, out=np.zeros_like(counts), where=expected > 0)
    branches = np.bincount(owner[rows > 0], minlength=n)
    classes = (columns > 0).sum(axis=1)
    statistic = np.bincount(owner, off.sum(axis=1), minlength=n).astype(np.float64)
    return statistic, np.maximum((branches - 1) * (classes - 1), 0)


def upper_tail(statistic: float, df: int) -> float:
    """Chance that a χ² variable is larger: a finite sum for whole degrees of freedom.

    >>> round(upper_tail(3.841, 1), 3), round(upper_tail(5.991, 2), 3)
    (0.05, 0.05)
    """
    half = statistic / 2.0
    if df < 1 or half <= 0.0:
        return 1.0
    odd = df % 2
    powers = [i + odd / 2.0 for i in range(df // 2)]
    total = erfc(sqrt(half)) if odd else 0.0
    return min(total + sum(exp(power * log(half) - half - lgamma(power + 1.0)) for power in powers), 1.0)


def judge(tree: Tree, validation: Dataset | None) -> Tree:
    """The tree without the splits that χ² or (with `prepruning`) the validation rows speak against."""
    level, reasons = tree.recipe.chi2_level, np.zeros(tree.n_grown, dtype=np.int8)
    if level is not None:
        reasons[chance_of_split(tree) > level] = NOT_SIGNIFICANT
    if tree.recipe.prepruning and validation is not None:
        tree, better = _with_validation(tree, validation, reasons)
        reasons[(reasons == 0) & ~better] = NOT_BETTER
    reasons[tree.feature < 0] = 0
    return _stopped(tree, reasons)


def chance_of_split(tree: Tree) -> Floats:
    """The p of every grown node's split, [n]; 0 where there is none."""
    owner = tree.parent[1:]
    statistic, df = pearson(tree.row_stats[1:], owner, tree.n_grown)
    chance = np.zeros(tree.n_grown)
    for node in np.flatnonzero(tree.feature >= 0):
        chance[node] = upper_tail(float(statistic[node]), int(df[node]))
    return chance


def _with_validation(tree: Tree, valid: Dataset, reasons: NDArray[np.int8]) -> tuple[Tree, NDArray[np.bool_]]:
    """The tree with its record of the score before and after each split judged, and which of them are for the better.

    Nodes are judged in the order of their ids, each in the tree as the splits before it have left it.
    """
    as_leaf, as_split, total = _scores(tree, valid)
    change = as_split - as_leaf
    better = change < -ROUNDING * as_leaf if tree.is_regression else change > ROUNDING * total
    record, alive = np.full((tree.n_grown, 2), np.nan), np.zeros(tree.n_grown, dtype=bool)
    score, alive[0] = as_leaf[0], True
    for node in np.flatnonzero(tree.feature >= 0):
        if not alive[node] or reasons[node]:
            continue
        record[node] = score / total, (score + change[node]) / total
        if better[node]:
            score += change[node]
            alive[list(tree.children_of(int(node)))] = True
    return replace(tree, validation=np.maximum(record, 0.0)), better


def _scores(tree: Tree, valid: Dataset) -> tuple[Floats, Floats, float]:
    """Right weight (or squared error) of the rows that pass each node, as a leaf and with its split; all weight."""
    targets, weights = targets_of(tree, valid)
    answers, n = predictions(tree), tree.n_grown
    node, rows = np.asarray(tree.apply(valid), dtype=np.intp), np.arange(valid.n_rows)
    as_leaf = np.zeros(n)
    stopping: Floats | None = None
    while rows.size:
        off = targets[rows] - answers[node]
        value = off**2 if tree.is_regression else off == 0
        here: Floats = np.bincount(node, weights[rows] * value, minlength=n).astype(np.float64)
        stopping = here if stopping is None else stopping
        as_leaf += here
        above = tree.parent[node].astype(np.intp)
        node, rows = above[above >= 0], rows[above >= 0]
    assert stopping is not None
    as_split = stopping + np.bincount(tree.parent[1:], as_leaf[1:], minlength=n)
    return as_leaf, as_split, float(weights.sum())


def _stopped(tree: Tree, reasons: NDArray[np.int8]) -> Tree:
    """The tree with the splits of some nodes (a reason [n], 0 for none) taken back and the ids closed up."""
    if not reasons.any():
        return tree
    kept = np.ones(tree.n_grown, dtype=bool)
    for node in range(1, tree.n_grown):
        above = tree.parent[node]
        kept[node] = kept[above] and not reasons[above]
    leaf = reasons > 0
    number = (np.cumsum(kept) - 1).astype(np.int32)
    pairs = np.repeat(kept & ~leaf, np.diff(tree.cat_offset))
    lengths = np.where(leaf, 0, np.diff(tree.cat_offset))[kept]
    changed: dict[str, Any] = {
        "parent": np.where(tree.parent >= 0, number[tree.parent], -1),
        "first_child": np.where(leaf | (tree.first_child < 0), -1, number[tree.first_child]),
        "child_count": np.where(leaf, 0, tree.child_count),
        "feature": np.where(leaf, -1, tree.feature),
        "threshold": np.where(leaf, np.nan, tree.threshold),
        "missing_branch": np.where(leaf, -1, tree.missing_branch),
        "missing_weight": np.where(leaf, 0.0, tree.missing_weight),
        "stop": np.where(leaf, reasons, tree.stop),
    }
    arrays: dict[str, Any] = {name: array[kept] for name, array in _per_node(tree).items()}
    for name, array in changed.items():
        arrays[name] = array.astype(arrays[name].dtype)[kept]
    arrays["cat_offset"] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if tree.evidence is not None:
        parts = dataclasses.fields(tree.evidence)
        arrays["evidence"] = replace(tree.evidence, **{p.name: getattr(tree.evidence, p.name)[kept] for p in parts})
    return replace(tree, cat_code=tree.cat_code[pairs], cat_branch=tree.cat_branch[pairs], **arrays)


def _per_node(tree: Tree) -> dict[str, NDArray[Any]]:
    """The arrays of a tree that have one entry per node, by name."""
    found = {field.name: getattr(tree, field.name) for field in dataclasses.fields(tree)}
    others = ("cat_offset", "cat_code", "cat_branch", "class_factors")
    return {k: v for k, v in found.items() if isinstance(v, np.ndarray) and k not in others}
