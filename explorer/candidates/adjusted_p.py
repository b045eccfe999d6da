"""How likely a test is by chance: χ² of its branches and the classes, adjusted for the ways of cutting the feature."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Floats
from explorer.candidates.splits import NodeFeature
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.significance import chi2_of, log_adjusted, log_upper_tail, log_ways, log_worth
from explorer.recipe.split_score import ADJUST_NONE, ADJUST_SIDAK

LARGEST_LOG = 700.0
"""The logarithm of the largest numbers that a float holds."""


@dataclass(frozen=True)
class AdjustedP:
    """The χ² test of a candidate on the rows that have a value, and its p as natural logarithms.

    `log_p` is not adjusted; `log_ways` is that of the number of ways in which the feature could have been cut.
    `observed` are the row weights by branch and class, [branches, K]. `n_features` compete at the node, and
    `adjustment` is how p allows for that (see `P_ADJUSTMENTS`).
    """

    chi2: float
    df: int
    log_p: float
    log_ways: float
    observed: Floats = field(compare=False, repr=False)
    n_features: int = 1
    adjustment: int = ADJUST_NONE

    @property
    def p(self) -> float:
        """The p of the χ² test alone."""
        return math.exp(self.log_p)

    @property
    def ways(self) -> float:
        """The number of ways in which the feature could have been cut (Kass 1980); infinite beyond a float."""
        return float(round(math.exp(self.log_ways))) if self.log_ways < LARGEST_LOG else math.inf

    @property
    def log_within(self) -> float:
        """Logarithm of the ways of cutting times p, at most 0."""
        return min(self.log_p + self.log_ways, 0.0)

    @property
    def within(self) -> float:
        """The ways of cutting times p, at most 1: the adjusted p of the feature by itself."""
        return math.exp(self.log_within)

    @property
    def log_worth(self) -> float:
        """−log₁₀ of that."""
        return -self.log_within / math.log(10.0) + 0.0

    @property
    def adjusted(self) -> float:
        """The p that also allows for the number of features."""
        return math.exp(log_adjusted(self.log_within, self.n_features, self.adjustment))

    @property
    def best_of_all(self) -> float:
        """The p of the best split of the node, by Šidák for the number of features, whatever the recipe adjusts."""
        return math.exp(log_adjusted(self.log_within, self.n_features, ADJUST_SIDAK))

    @property
    def score(self) -> float:
        """−log₁₀ of that: what features compete by under the score "p_value"."""
        return float(log_worth(self.log_within, self.n_features, self.adjustment))


def adjusted_p(
    feature: NodeFeature, branch_of_values: NDArray[np.intp], n_features: int, merged_ways: float | None = None
) -> AdjustedP | None:
    """The test that sends every value to its branch, by χ², where so many features compete; None for a numeric target.

    `merged_ways` is the logarithm of the ways of cutting the feature where its values were merged.
    """
    if feature.parameters.regression:
        return None
    table = _known_table(feature, branch_of_values)
    chi2, df = chi2_of(table)
    ways = merged_ways
    if ways is None:
        ways = 0.0 if feature.column.test == EACH_VALUE else log_ways(feature.column.test, len(feature.counts.codes))
    log_p, adjustment = float(log_upper_tail(chi2, df)), feature.parameters.p_adjustment
    return AdjustedP(float(chi2), int(df), log_p, float(ways), table, n_features, adjustment)


def _known_table(feature: NodeFeature, branch: NDArray[np.intp]) -> Floats:
    """Row weights by branch and class of the rows that have a value, [branches, K]."""
    counts = feature.row_table
    table = np.zeros((int(branch.max(initial=0)) + 1, counts.shape[1]))
    np.add.at(table, branch, counts)
    return table
