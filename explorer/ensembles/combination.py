"""How the answers of an ensemble's members become its prediction (DEFINITIONS section 16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.boosting.losses import sigmoid, softmax
from explorer.tree.leaf_mixture import averaged
from explorer.tree.routing import RowValues, routes_of
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
Rows = pd.DataFrame | Dataset | RowValues


def shares_of(tree: Tree, rows: Rows) -> Floats:
    """The class shares in the leaf of every row, [n, K]."""
    return tree.predict_proba(rows)


def votes_of(tree: Tree, rows: Rows) -> Floats:
    """1 for the class that the tree predicts, 0 for the others, [n, K]."""
    return np.eye(len(tree.classes))[tree.predict_encoded(rows)]


def confidences_of(tree: Tree, rows: Rows) -> Floats:
    """C5.0's vote: the confidence (n_c + π_c)/(n + 1) of the leaf for the class c that it predicts, 0 for the others.

    π are the class shares at the tree's root. [n, K].
    """
    totals = tree.prior_stats.sum(axis=1, keepdims=True)
    smoothed = (tree.prior_stats + tree.shares[0]) / (totals + 1.0)
    shares = averaged(routes_of(tree, rows), smoothed)
    return np.where(votes_of(tree, rows) > 0, shares, 0.0)


def numbers_of(tree: Tree, rows: Rows) -> Floats:
    """The number that the tree predicts for every row, [n, 1]."""
    numbers: Floats = tree.predict_encoded(rows)[:, None]
    return numbers


def unchanged(raw: Floats) -> Floats:
    """The score is the prediction."""
    return raw


def shares_of_two(raw: Floats) -> Floats:
    """Shares of two classes from the log-odds of the second, [n, 1] → [n, 2]."""
    return np.hstack([sigmoid(-raw), sigmoid(raw)])


def shares_of_two_by_double(raw: Floats) -> Floats:
    """Shares of two classes from half the log-odds of the second (exponential loss), [n, 1] → [n, 2]."""
    return shares_of_two(2.0 * raw)


def exponential(raw: Floats) -> Floats:
    """e^F, [n, 1], finite for any score."""
    return np.asarray(np.exp(np.minimum(raw, LARGEST_EXPONENT)))


def share_of_one(raw: Floats) -> Floats:
    """A share from its log-odds, [n, 1]."""
    share: Floats = sigmoid(raw)
    return share


LARGEST_EXPONENT = 709.0
"""e to this power is the largest number that still can be doubled."""


@dataclass(frozen=True)
class Combination:
    """One way to combine: `answer` is what a member says [n, width], before it is multiplied by its vote.

    Where `is_mean`, the sum of the answers is divided by the sum of the votes; where `is_normalised`, by the sum of a
    row's scores. `link` turns it into class shares, or the predicted number.
    """

    name: str
    answer: Callable[[Tree, Rows], Floats]
    is_mean: bool
    link: Callable[[Floats], Floats] = unchanged
    is_normalised: bool = False

    @property
    def is_vote(self) -> bool:
        """Whether members answer as the whole does, by classes or a mean, instead of adding to a score."""
        return self.is_mean or self.is_normalised

    def suits(self, width: int, n_classes: int) -> bool:
        """Whether scores of this width become a prediction of so many classes, 0 for a number."""
        if self.answer is not numbers_of or self.link is softmax:
            return width == n_classes >= 1
        return (width, n_classes) == (1, 2 if self.link in (shares_of_two, shares_of_two_by_double) else 0)


COMBINATIONS = {
    combination.name: combination
    for combination in (
        Combination("mean_of_shares", shares_of, is_mean=True),
        Combination("votes", votes_of, is_mean=True),
        Combination("confidences", confidences_of, is_mean=False, is_normalised=True),
        Combination("mean_of_numbers", numbers_of, is_mean=True),
        Combination("sum", numbers_of, is_mean=False),
        Combination("sum_exponential", numbers_of, is_mean=False, link=exponential),
        Combination("sum_to_share", numbers_of, is_mean=False, link=share_of_one),
        Combination("sum_sigmoid", numbers_of, is_mean=False, link=shares_of_two),
        Combination("sum_sigmoid_of_double", numbers_of, is_mean=False, link=shares_of_two_by_double),
        Combination("sum_softmax", numbers_of, is_mean=False, link=softmax),
    )
}
"""Every combination by its name, under which an ensemble is saved."""
