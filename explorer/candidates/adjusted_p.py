"""How likely a test is by chance: χ² of its branches and the classes, adjusted for the ways of cutting the feature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.candidates.counts import Floats
from explorer.recipe.columns import EACH_VALUE
from explorer.recipe.significance import chi2_of, log_adjusted, log_upper_tail, log_ways, log_worth

if TYPE_CHECKING:
    from explorer.candidates.candidates import FeatureCandidates


@dataclass(frozen=True)
class AdjustedP:
    """The χ² test of a candidate on the rows that have a value, and its p as natural logarithms.

    `log_p` is not adjusted; `log_ways` is that of the number of ways in which the feature could have been cut.
    """

    chi2: float
    df: int
    log_p: float
    log_ways: float

    @property
    def p(self) -> float:
        """The p of the χ² test alone."""
        return math.exp(self.log_p)

    @property
    def ways(self) -> float:
        """The number of ways in which the feature could have been cut (Kass 1980); infinite beyond a float."""
        return float(round(math.exp(self.log_ways))) if self.log_ways < 700 else math.inf

    @property
    def log_adjusted(self) -> float:
        """Logarithm of the ways of cutting times p, at most 0."""
        return min(self.log_p + self.log_ways, 0.0)

    @property
    def adjusted(self) -> float:
        """The ways of cutting times p, at most 1."""
        return math.exp(self.log_adjusted)

    @property
    def log_worth(self) -> float:
        """−log₁₀ of the adjusted p."""
        return -self.log_adjusted / math.log(10.0) + 0.0

    def between(self, n_features: int, adjustment: int) -> float:
        """The adjusted p, allowing for the number of features that compete too (see `P_ADJUSTMENTS`)."""
        return math.exp(log_adjusted(self.log_adjusted, n_features, adjustment))

    def log_worth_between(self, n_features: int, adjustment: int) -> float:
        """−log₁₀ of that."""
        return float(log_worth(self.log_adjusted, n_features, adjustment))


def adjusted_p(feature: FeatureCandidates, which: int) -> AdjustedP | None:
    """The test at a position by χ²; None for a numeric target."""
    if feature.parameters.regression:
        return None
    chi2, df = chi2_of(known_table(feature, which))
    ways = 0.0 if feature.column.test == EACH_VALUE else log_ways(feature.column.test, len(feature.counts.codes))
    return AdjustedP(float(chi2), int(df), float(log_upper_tail(chi2, df)), float(ways))


def known_table(feature: FeatureCandidates, which: int) -> Floats:
    """Row weights by branch and class of the rows that have a value, [branches, K]."""
    counts, parameters = feature.counts.table, feature.parameters
    if parameters.row_factor.size:
        counts = counts * parameters.row_factor
    branch = feature.branch_of_values(which)
    table = np.zeros((int(branch.max(initial=0)) + 1, counts.shape[1]))
    np.add.at(table, branch, counts)
    return table


def ways_nominal(categories: int, groups: int) -> int:
    """Ways of merging categories into groups: the Stirling number of the second kind.

    >>> ways_nominal(4, 2), ways_nominal(4, 3), ways_nominal(10, 2)
    (7, 6, 511)
    """
    terms = ((-1) ** i * math.comb(groups, i) * (groups - i) ** categories for i in range(groups + 1))
    return sum(terms) // math.factorial(groups)


def ways_ordered(values: int, groups: int) -> int:
    """Ways of cutting values in order into groups of neighbours.

    >>> ways_ordered(14, 2), ways_ordered(4, 3)
    (13, 3)
    """
    return math.comb(values - 1, groups - 1)
