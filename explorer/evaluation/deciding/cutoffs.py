"""Cutoffs for each class of a tree: the best by a score, and that by which a share of the rows is predicted a class.

DEFINITIONS section 8 defines them; `Tree.with_cutoffs` predicts by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.evaluation.evaluation import SAME_DIGITS, evaluated_rows
from explorer.messages import listing, message
from explorer.recipe.class_weights import Floats
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.leaf_mixture import LEAST, Cutoffs, unknown_class
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class _Tried:
    """Cutoffs of a class to try, the highest first [c]; each predicts it the first `reached` groups of `order`."""

    cutoffs: Floats
    order: NDArray[np.intp]
    reached: NDArray[np.intp]

    def sums(self, values: Floats) -> Floats:
        """The sum of values of groups [m] over those that each cutoff predicts the class, [c]."""
        return np.append(0.0, np.cumsum(values[self.order]))[self.reached]


SCORES = ("accuracy", "mean_recall", "cost")
"""What cutoffs can be best for: the largest accuracy or mean recall of the classes, or the least expected cost."""
_SAME_RATIO, _BETTER = 1e-8, 1e-12
_APART = 1e-6
"""The climb starts from cutoffs apart by such a share: a leaf with the shares of all rows ties none of them."""


@dataclass(frozen=True, eq=False)
class _Groups:
    """Rows of equal probabilities: `shares` [m, K], and the weight of every true class among them, `amounts` [m, K]."""

    shares: Floats
    amounts: Floats


def best_cutoffs(tree: Tree, data: Dataset | Source, score: str = "accuracy") -> dict[Value, float]:
    """A cutoff for every class of the tree such that no other one of a single class is better; the largest is 1.

    `score` is one of `SCORES`, of these rows; "cost" takes the costs of the tree's recipe. Raises InputError where the
    tree has no classes, or no costs for that score, or no row has one of its classes.

    >>> from explorer import CART, grow
    >>> import pandas as pd
    >>> table = pd.DataFrame({"x": list("uuuuuvvvvv"), "y": list("aaabbaaaac")})
    >>> tree = grow(Dataset.from_frame(table, "y"), CART)            # u: 3 a, 2 b; v: 4 a, 1 c
    >>> cutoffs = best_cutoffs(tree, Dataset.from_frame(table, "y"), "mean_recall")
    >>> tree.with_cutoffs(cutoffs).predict(table.iloc[[0, 9]]).tolist()    # recall 0, 1 and 1
    ['b', 'c']
    """
    groups = _groups(tree, data)
    values = _values(tree, groups, score)
    rates = np.maximum(groups.amounts.sum(axis=0) / groups.amounts.sum(), LEAST)
    starts = np.array([np.ones(len(rates)), rates]) * (1.0 + _APART) ** np.arange(len(rates))
    ends = [_climbed(groups.shares, values, start) for start in starts]
    worth = [_worth(groups.shares, values, end) for end in ends]
    best = ends[int(worth[1] > worth[0] + _BETTER)]
    if (best == starts[0]).all():
        best = np.ones(len(rates))
    elif best.min() >= LEAST * best.max():
        best = best / best.max()
    return dict(zip(tree.classes, best.tolist(), strict=True))


def cutoff_reaching(
    tree: Tree,
    data: Dataset | Source,
    name: Value,
    share: float,
    cutoffs: Mapping[Value, float] | None = None,
    at_most: bool = False,
) -> float:
    """The highest cutoff of a class by which at least this share of the rows' weight is predicted it.

    `cutoffs` are those of the other classes, 1 where none is given. Where no cutoff reaches the share it is that which
    comes closest. With `at_most` it is the lowest cutoff by which no more than this share is.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(tennis, ID3.replace(max_depth=1))                # Yes: 4 of 4, 3 of 5 and 2 of 5
    >>> cutoff = cutoff_reaching(tree, tennis, "Yes", 0.5)           # between (3/5)/(2/5) and (2/5)/(3/5)
    >>> round(cutoff, 9), list(tree.with_cutoffs({"Yes": cutoff}).predict(tennis)).count("Yes")
    (1.0, 9)
    >>> cutoff = cutoff_reaching(tree, tennis, "Yes", 0.5, at_most=True)
    >>> list(tree.with_cutoffs({"Yes": cutoff}).predict(tennis)).count("Yes")
    4
    """
    groups = _groups(tree, data)
    if name not in tree.classes:
        raise unknown_class(name, tree.classes[:8])
    fixed = np.array([cutoff for _, cutoff in Cutoffs.of(tree.classes, cutoffs or {}).by_class])
    tried, weights = _tried(groups.shares, fixed, tree.classes.index(name)), groups.amounts.sum(axis=1)
    shares = tried.sums(weights) / weights.sum()
    if at_most:
        few = np.flatnonzero(shares <= share + _BETTER)
        return float(tried.cutoffs[few[-1] if len(few) else 0])
    enough = np.flatnonzero(shares >= share - _BETTER)
    return float(tried.cutoffs[enough[0] if len(enough) else -1])


def _groups(tree: Tree, data: Dataset | Source) -> _Groups:
    """The rows of the tree's classes, by their probabilities."""
    if tree.is_regression:
        raise InputError(message("Cutoffs decide between classes, but this tree predicts numbers."))
    n, rows = len(tree.classes), evaluated_rows(tree, as_rows(tree, data))
    shares, place = np.unique(np.round(rows.shares[:, :n], SAME_DIGITS), axis=0, return_inverse=True)
    kept = (rows.true >= 0) & (rows.true < n)
    if not (rows.weights[kept] > 0).any():
        raise InputError(message("None of these rows has a class of the tree: choose other rows."))
    cells = place.ravel()[kept] * n + rows.true[kept]
    amounts = np.bincount(cells, rows.weights[kept], minlength=len(shares) * n).reshape(len(shares), n)
    return _Groups(shares, amounts.astype(np.float64))


def _values(tree: Tree, groups: _Groups, score: str) -> Floats:
    """What it is worth to predict class k for all rows of a group, [m, K], as a mean over the rows."""
    totals = groups.amounts.sum(axis=0)
    if score == "mean_recall":
        known = totals > 0
        return np.asarray(
            np.divide(groups.amounts, totals, where=known, out=np.zeros_like(groups.amounts)) / known.sum()
        )
    if score == "cost":
        if tree.costs is None:
            raise InputError(message("The tree was grown without costs of misclassification: choose another score."))
        return np.asarray(-(groups.amounts @ tree.costs) / totals.sum())
    if score != "accuracy":
        raise InputError(
            message("There is no score {score!r} here: choose one of {scores}.", score=score, scores=listing(SCORES))
        )
    return groups.amounts / totals.sum()


def _worth(shares: Floats, values: Floats, cutoffs: Floats) -> float:
    predicted = (shares / cutoffs).argmax(axis=1)
    return float(values[np.arange(len(values)), predicted].sum())


def _climbed(shares: Floats, values: Floats, start: Floats) -> Floats:
    """The cutoffs once none alone can be changed for the better: each change adds to a finite number of values."""
    cutoffs, now, rest = start.copy(), _worth(shares, values, start), len(start)
    k = 0
    while rest:
        tried = _tried(shares, cutoffs, k)
        others = shares / cutoffs
        others[:, k] = -1.0
        without = values[np.arange(len(values)), others.argmax(axis=1)]
        worth = without.sum() + tried.sums(values[:, k] - without)
        best = int(worth.argmax())
        rest -= 1
        if worth[best] > now + _BETTER * max(1.0, abs(now)):
            cutoffs[k], now, rest = tried.cutoffs[best], float(worth[best]), len(start) - 1
        k = (k + 1) % len(start)
    return cutoffs


def _tried(shares: Floats, cutoffs: Floats, k: int) -> _Tried:
    """The cutoffs of class k that decide differently, the others fixed."""
    others = np.delete(shares / cutoffs, k, axis=1).max(axis=1)
    ratios = np.divide(shares[:, k], others, out=np.full(len(shares), np.inf), where=others > 0)
    order = np.argsort(-ratios, kind="stable")
    falling = ratios[order]
    known = falling[(falling > LEAST) & (falling < 1.0 / LEAST)]
    if not len(known):
        tried = np.array([cutoffs[k]])
    else:
        steps = known[np.append(True, known[1:] < known[:-1] * (1.0 - _SAME_RATIO))]
        tried = np.concatenate([[2.0 * steps[0]], np.sqrt(steps[1:] * steps[:-1]), [0.5 * steps[-1]]])
        tried = tried.clip(LEAST, 1.0 / LEAST)
    return _Tried(tried, order, np.searchsorted(-falling, -tried))
