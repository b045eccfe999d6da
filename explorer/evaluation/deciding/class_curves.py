"""How well a tree ranks rows by predicted probability of one class: ROC, precision and recall, lift (section 8).

Every predicted probability is a *threshold*: predict the class for all rows with at least that probability. All three
curves are computed from the same thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.evaluation.evaluation import SAME_DIGITS, area_under_curve, evaluated_rows, has_both
from explorer.messages import message
from explorer.recipe.class_weights import Floats
from explorer.sources.source import Source
from explorer.tree.grouped_rows import as_rows
from explorer.tree.leaf_mixture import unknown_class
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class ClassCurves:
    """One class against the rest at every threshold [m], the highest first; at the first (∞) no row is predicted it.

    `recall` (the true positive rate) is the share of the class's weight that is predicted the class, `false_alarms`
    (the false positive rate) that of the rest; `depth` the share of all weight. ROC is recall over false alarms, with
    `area` below it; precision over recall has the `average_precision`; lift over depth compares the precision with the
    class's share of all weight (nan where no row is predicted the class yet).
    """

    name: Value
    share: float
    thresholds: Floats
    false_alarms: Floats
    recall: Floats
    area: float
    average_precision: float

    @property
    def depth(self) -> Floats:
        """Share of all weight that is predicted the class."""
        return self.share * self.recall + (1.0 - self.share) * self.false_alarms

    @property
    def precision(self) -> Floats:
        """Share of the weight predicted the class that is of the class; nan before the first row."""
        true_positives = self.share * self.recall
        out = np.full_like(true_positives, np.nan)
        return np.divide(true_positives, self.depth, out=out, where=self.depth > 0)

    @property
    def lift(self) -> Floats:
        """How many times as frequent the class is among the rows predicted it as among all rows."""
        return self.precision / self.share

    @property
    def gini(self) -> float:
        """The Gini coefficient (accuracy ratio) of the ranking: 2·AUC − 1."""
        return 2.0 * self.area - 1.0

    @property
    def gaps(self) -> Floats:
        """By how much recall is above the false alarms at every threshold; the largest is KS (Kolmogorov–Smirnov)."""
        return self.recall - self.false_alarms

    @property
    def ks(self) -> float:
        """The largest distance between the class and the rest in their shares that reach a threshold."""
        return float(self.gaps.max())

    @property
    def f1(self) -> Floats:
        """The harmonic mean of precision and recall."""
        return 2.0 * self.share * self.recall / (self.depth + self.share)

    @property
    def accuracy(self) -> Floats:
        """The share of the weight that is decided correctly."""
        return self.share * self.recall + (1.0 - self.share) * (1.0 - self.false_alarms)

    def profit(self, hit: float = 1.0, false_alarm: float = -1.0, miss: float = 0.0, rest: float = 0.0) -> Floats:
        """The mean profit of a row: a row of the class brings `hit` if it is predicted the class, else `miss`.

        Any other row brings `false_alarm` if it is predicted the class, else `rest`. Costs are negative.
        """
        found, alarmed = self.share * self.recall, (1.0 - self.share) * self.false_alarms
        return found * hit + (self.share - found) * miss + alarmed * false_alarm + (1.0 - self.share - alarmed) * rest

    def best(self, values: Floats) -> int:
        """The position of the threshold with the largest of these values [m]; of equal ones the highest threshold.

        It is 0, the threshold that no row reaches, only where no other is as good.
        """
        known = np.where(np.isnan(values), -np.inf, values)
        largest = float(known.max())
        equal = np.flatnonzero(known >= largest - SAME * max(1.0, abs(largest)))
        return int(equal[min(int(equal[0] == 0), len(equal) - 1)])

    def reaching(self, share: float) -> int:
        """The position of the highest threshold that at least this share of all weight reaches: the top so many %."""
        return min(int(np.searchsorted(self.depth, share - SAME)), len(self.thresholds) - 1)


SAME = 1e-12
"""Values that differ by less are equal: sums of the same weights in another order."""


def class_curves(tree: Tree, data: Dataset | Source, name: Value) -> ClassCurves:
    """The curves of one class of the tree on some rows; InputError unless some rows have it and some have not.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> curves = class_curves(grow(tennis, ID3.replace(max_depth=1)), tennis, "Yes")
    >>> curves.thresholds.tolist(), (9 * curves.recall).round(9).tolist(), (5 * curves.false_alarms).round(9).tolist()
    ([inf, 1.0, 0.6, 0.4], [0.0, 4.0, 7.0, 9.0], [0.0, 0.0, 2.0, 5.0])
    """
    from sklearn import metrics  # takes a second: not before a score needs it

    if tree.is_regression or name not in tree.classes:
        raise unknown_class(name, tree.classes[:8])
    rows, code = evaluated_rows(tree, as_rows(tree, data)), tree.classes.index(name)
    own = rows.true == code
    if not has_both(rows, code):
        raise InputError(_one_class_text(name, own.all()))
    shares = np.round(rows.shares[:, code], SAME_DIGITS)
    false_alarms, recall, thresholds = metrics.roc_curve(
        own, shares, sample_weight=rows.weights, drop_intermediate=False
    )
    precision = metrics.average_precision_score(own, shares, sample_weight=rows.weights)
    share = float(np.average(own, weights=rows.weights))
    return ClassCurves(name, share, thresholds, false_alarms, recall, area_under_curve(rows, code), float(precision))


def _one_class_text(name: Value, are_all: bool) -> str:
    if are_all:
        return message(
            "All rows have class {name!r}, so there is no other class to compare it with: choose another class or more "
            "rows.",
            name=name,
        )
    return message("No row has class {name!r}: choose another class or more rows.", name=name)
