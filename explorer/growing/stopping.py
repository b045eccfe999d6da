"""Stopping rules that evaluate a split by its branches: χ², description length, validation set (DEFINITIONS section 5).

They depend on the node's own split only, not on the splits below (but for γ). So the tree is grown without them and
then checked from the root down. A split that fails is undone with everything below it, and the nodes are numbered anew.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field, replace
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.description_length import description_bits, saves_bits
from explorer.messages import message
from explorer.recipe.parameters import BELOW_GAMMA, NOT_BETTER, NOT_SHORTER, NOT_SIGNIFICANT
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.leaf_mixture import Routes, predictions_of_shares
from explorer.tree.metrics import node_predictions, targets_of
from explorer.tree.newton import splits_below_gamma
from explorer.tree.routing import routes_of
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
Changes = tuple[NDArray[np.intp], Floats]
ROUNDING = 1e-12
"""A validation score that rises by less than this share has not risen."""


@dataclass(frozen=True)
class Chi2:
    """A χ² test: the statistic, its degrees of freedom, and p.

    p is the probability of a statistic at least as large if branches and classes are independent. `observed` are the
    row weights by branch and class that were tested, [branches, K].
    """

    statistic: float
    df: int
    p: float
    observed: Floats = field(compare=False, repr=False)


def chi2_test(table: ArrayLike) -> Chi2:
    """Pearson's χ² test of row weights by branch and class, [branches, K], without Yates' correction.

    Empty branches and absent classes count for nothing (Quinlan 1986). Outlook in play tennis:

    >>> outlook = chi2_test([[2, 3], [4, 0], [3, 2]])
    >>> round(outlook.statistic, 3), outlook.df, round(outlook.p, 3)
    (3.547, 2, 0.17)
    """
    counts = np.asarray(table, dtype=np.float64)
    statistic, df = pearson(counts, np.zeros(len(counts), dtype=np.intp), 1)
    return Chi2(float(statistic[0]), int(df[0]), upper_tail(float(statistic[0]), int(df[0])), counts)


def pearson(counts: Floats, owner: NDArray[Any], n: int) -> tuple[Floats, NDArray[Any]]:
    """χ² = Σ (observed − expected)²/expected and df of `n` tables at once; row i of `counts` is in table `owner[i]`."""
    columns = np.stack([np.bincount(owner, of_class, minlength=n) for of_class in counts.T], axis=1)
    rows = counts.sum(axis=1)
    share = columns / np.maximum(columns.sum(axis=1), 1e-300)[:, None]
    expected = rows[:, None] * share[owner]
    terms = np.divide((counts - expected) ** 2, expected, out=np.zeros_like(counts), where=expected > 0)
    branches = np.bincount(owner[rows > 0], minlength=n)
    classes = (columns > 0).sum(axis=1)
    statistic = np.bincount(owner, terms.sum(axis=1), minlength=n).astype(np.float64)
    return statistic, np.maximum(branches - 1, 0) * np.maximum(classes - 1, 0)


def upper_tail(statistic: float, df: int) -> float:
    """Probability that a χ² variable is larger: a finite sum for whole degrees of freedom.

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


def undo_failing_splits(tree: Tree, train: Dataset | None, validation: Dataset | Source | None) -> Tree:
    """The tree without the splits that fail: by χ², by their bits, on the validation set (`prepruning`), or below γ.

    Splits that a person chose stay. γ comes last: it goes from the leaves up. `train` None stands for a table that is
    only counted, which has no bits.
    """
    level, reasons = tree.recipe.chi2_level, np.zeros(tree.n_nodes_grown, dtype=np.int8)
    if level is not None and tree.recipe.score != "p_value":  # by p-values the level was compared before the split
        reasons[(chance_of_split(tree) > level) & ~_forced(tree)] = NOT_SIGNIFICANT
    if tree.recipe.mdl_stop and train is not None:
        reasons[(reasons == 0) & ~is_shorter(tree, train) & ~_forced(tree)] = NOT_SHORTER
    if tree.recipe.prepruning and validation is not None:
        tree, better = _with_validation(tree, validation, reasons)
        reasons[(reasons == 0) & ~better] = NOT_BETTER
    reasons[tree.feature < 0] = 0
    tree = without_splits(tree, reasons)
    if tree.recipe.score != "newton" or not tree.recipe.gamma:
        return tree
    below_gamma = splits_below_gamma(tree, tree.recipe.gamma, _forced(tree))
    return without_splits(tree, np.where(below_gamma, BELOW_GAMMA, 0).astype(np.int8))


def _forced(tree: Tree) -> NDArray[np.bool_]:
    """The nodes whose split a person chose, [n]."""
    return np.zeros(tree.n_nodes_grown, dtype=bool) if tree.forced is None else tree.forced


def chance_of_split(tree: Tree) -> Floats:
    """The p of every grown node's split, [n]; 0 where there is none."""
    owner = tree.parent[1:]
    statistic, df = pearson(tree.row_stats[1:], owner, tree.n_nodes_grown)
    chance = np.zeros(tree.n_nodes_grown)
    for node in np.flatnonzero(tree.feature >= 0):
        chance[node] = upper_tail(float(statistic[node]), int(df[node]))
    return chance


def is_shorter(tree: Tree, train: Dataset) -> NDArray[np.bool_]:
    """Whether a node's split, with its branches as leaves, takes fewer bits than the node as a leaf, [n]."""
    bits = description_bits(tree, train)
    branches = np.bincount(tree.parent[1:], bits.as_leaf[1:], minlength=tree.n_nodes_grown)
    return saves_bits(bits.as_leaf, bits.as_split + branches)


def _with_validation(tree: Tree, valid: Dataset | Source, reasons: NDArray[np.int8]) -> tuple[Tree, NDArray[np.bool_]]:
    """The tree with the score before and after each split that was checked, and which of them are kept.

    Nodes are checked in the order of their ids, each in the tree as the splits before it have left it.
    """
    if isinstance(valid, Source) and tree.recipe.impurity in VALIDATED_BY:
        raise InputError(
            message(
                "Pre-pruning by impurity '{impurity}' evaluates rows one by one, which a connected table does not "
                "give: validate on a sample, source.sample(100_000).",
                impurity=tree.recipe.impurity,
            )
        )
    rows = as_rows(tree, valid)
    routes, (targets, weights) = routes_of(tree, rows), targets_of(tree, rows)
    as_leaf, as_split = _scores(tree, routes, targets, weights)
    fractional = FractionalValidation(tree, routes, targets, weights)
    total = float(weights.sum())
    better, record = np.zeros(tree.n_nodes_grown, dtype=bool), np.full((tree.n_nodes_grown, 2), np.nan)
    score, is_reached = as_leaf[0] + fractional.score(), np.zeros(tree.n_nodes_grown, dtype=bool)
    is_reached[0], forced = True, _forced(tree)
    for node in np.flatnonzero(tree.feature >= 0):
        if not is_reached[node] or reasons[node]:
            continue
        before, after = fractional.score_of_split(int(node))
        change = as_split[node] - as_leaf[node] + (after - before)
        least = ROUNDING * (as_leaf[node] + before if tree.is_regression else total)
        record[node] = score / total, (score + change) / total
        better[node] = forced[node] or (change < -least if tree.is_regression else change > least)
        if better[node]:
            score += change
            fractional.split(int(node))
            is_reached[list(tree.children_of(int(node)))] = True
    return replace(tree, validation=np.maximum(record, 0.0)), better


VALIDATED_BY = {"poisson": "poisson_deviance", "absolute_error": "mae", "quantile": "quantile_loss"}
"""The mean loss that pre-pruning lowers on validation rows, by the impurity of numbers; "mse" for any other."""


def row_scores(tree: Tree, targets: Floats, predictions: Floats) -> Floats:
    """Whether each row is predicted correctly; of a numeric target its loss by the recipe's impurity.

    That is the squared or absolute error, the loss of the recipe's quantile, or the Poisson deviance.
    """
    rest = targets - predictions
    if not tree.is_regression:
        return (rest == 0).astype(np.float64)
    loss = VALIDATED_BY.get(tree.recipe.impurity_for(True), "mse")
    if loss == "mse":
        return np.asarray(rest**2)
    if loss == "mae":
        return np.abs(rest)
    if loss == "quantile_loss":
        return np.maximum(tree.recipe.quantile * rest, (tree.recipe.quantile - 1.0) * rest)
    with np.errstate(divide="ignore"):  # 0 predicted for a number above it: the deviance is infinite
        logs = np.log(np.divide(targets, predictions, out=np.ones_like(rest), where=targets > 0))
    return np.asarray(2.0 * (np.maximum(targets, 0.0) * logs - rest))


def _scores(tree: Tree, routes: Routes, targets: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Correct weight (or loss) of the rows with one path that pass each node, as a leaf and with its split."""
    predictions, n = node_predictions(tree), tree.n_nodes_grown
    rows = np.flatnonzero(routes.stops >= 0)
    node = routes.stops[rows].astype(np.intp)
    as_leaf, at_node = np.zeros(n), np.zeros(n)
    for first in (True, *(False,) * int(tree.depth.max())):
        value = row_scores(tree, targets[rows], predictions[node])
        passing: Floats = np.bincount(node, weights[rows] * value, minlength=n).astype(np.float64)
        at_node = passing if first else at_node
        as_leaf += passing
        above = tree.parent[node].astype(np.intp)
        node, rows = above[above >= 0], rows[above >= 0]
    return as_leaf, at_node + np.bincount(tree.parent[1:], as_leaf[1:], minlength=n)


class FractionalValidation:
    """Validation rows with several paths, predicted by averaging over leaves, as splits are added in turn."""

    def __init__(self, tree: Tree, routes: Routes, targets: Floats, weights: Floats) -> None:
        """All rows at the root, and how each split would change their predictions."""
        self.tree, self.values = tree, tree.values[:, None] if tree.is_regression else tree.shares
        rows, row = np.unique(routes.rows, return_inverse=True)
        self.targets, self.weights = targets[rows], weights[rows]
        self.prediction = np.repeat(self.values[:1], len(rows), axis=0)
        self.changes = self._changes(row, routes.nodes, routes.parts)

    def _changes(self, row: NDArray[np.intp], node: NDArray[Any], part: Floats) -> dict[int, Changes]:
        """For every node with such rows: (rows, what its split adds to their averages)."""
        below, rows, parts = list[NDArray[Any]](), list[NDArray[np.intp]](), list[Floats]()
        while row.size:
            down = node > 0
            row, node, part = row[down], node[down], part[down]
            below, rows, parts = [*below, node], [*rows, row], [*parts, part]
            node = self.tree.parent[node]
        if not rows or not np.concatenate(rows).size:
            return {}
        child, row_of_child = np.concatenate(below), np.concatenate(rows)
        above = self.tree.parent[child]
        added = np.concatenate(parts)[:, None] * (self.values[child] - self.values[above])
        order = np.argsort(above, kind="stable")
        nodes, starts = np.unique(above[order], return_index=True)
        groups = np.split(order, starts[1:])
        return {
            int(node): _summed_by_row(row_of_child[group], added[group])
            for node, group in zip(nodes, groups, strict=True)
        }

    def _value(self, prediction: Floats, rows: NDArray[np.intp] | slice) -> float:
        """Correct weight, or loss, of some rows with these averages."""
        if self.tree.is_regression:
            return float((self.weights[rows] * row_scores(self.tree, self.targets[rows], prediction[:, 0])).sum())
        is_correct = predictions_of_shares(prediction, self.tree.costs) == self.targets[rows]
        return float(self.weights[rows][is_correct].sum())

    def score(self) -> float:
        """Correct weight, or loss, of all these rows as they are predicted now."""
        return self._value(self.prediction, slice(None))

    def score_of_split(self, node: int) -> tuple[float, float]:
        """The same for the rows that the node's split affects, before and after it."""
        if node not in self.changes:
            return 0.0, 0.0
        rows, added = self.changes[node]
        return self._value(self.prediction[rows], rows), self._value(self.prediction[rows] + added, rows)

    def split(self, node: int) -> None:
        """Predict the rows by the node's branches from now on."""
        if node in self.changes:
            rows, added = self.changes[node]
            self.prediction[rows] += added


def _summed_by_row(rows: NDArray[np.intp], added: Floats) -> Changes:
    """One entry per row, the sum of all that its paths add."""
    unique, index = np.unique(rows, return_inverse=True)
    total = np.zeros((len(unique), added.shape[1]))
    np.add.at(total, index, added)
    return unique, total


def without_splits(tree: Tree, reasons: NDArray[np.int8]) -> Tree:
    """The tree with the splits of some nodes (a reason [n], 0 for none) undone and the nodes numbered anew."""
    if not reasons.any():
        return tree
    kept = np.ones(tree.n_nodes_grown, dtype=bool)
    for node in range(1, tree.n_nodes_grown):
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
    if tree.surrogates is not None:
        arrays["surrogates"] = tree.surrogates.taken(np.flatnonzero(kept), ~leaf[kept])
    return replace(tree, cat_code=tree.cat_code[pairs], cat_branch=tree.cat_branch[pairs], **arrays)


def _per_node(tree: Tree) -> dict[str, NDArray[Any]]:
    """The arrays of a tree that have one entry per node, by name."""
    values = {field.name: getattr(tree, field.name) for field in dataclasses.fields(tree)}
    others = ("cat_offset", "cat_code", "cat_branch", "class_factors")
    return {k: v for k, v in values.items() if isinstance(v, np.ndarray) and k not in others}
