"""What every kind of test on a feature has in common: which are admissible, their gains and split information.

An *enumerator* lists all tests of one kind at a node, in the order of the tie rule, as arrays over the tests:
`threshold`, `grouping` (one against the rest, subsets) and `each_value` (a branch per category or interval). None of
them knows a score, and `FeatureCandidates` only compares their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from explorer.candidates.counts import (
    Bools,
    Contingency,
    Floats,
    newton_sums,
    pair_gains,
    pair_split_information,
    row_weights,
    weights_of,
)
from explorer.candidates.missing_rows import MissingRows, threshold_of
from explorer.candidates.quantile_loss import ABSENT, KNOWN, MISSING, side_losses
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.condition import Condition
from explorer.recipe.impurity import node_total_impurity, weight_times_error
from explorer.recipe.newton import newton_pairs
from explorer.recipe.parameters import GrowParameters, node_impurity, node_weight
from explorer.recipe.split_score import BY_NEWTON, BY_SQUARED_SHARE, at_least


@dataclass(frozen=True, eq=False)
class NodeFeature:
    """One feature at one node: its counts there, the node's statistics [K], and the recipe's parameters."""

    column: TrainingColumn
    counts: Contingency
    stats: Floats
    parameters: GrowParameters

    @cached_property
    def impurity(self) -> float:
        """Impurity of the node."""
        return float(node_impurity(self.parameters, self.stats))

    @cached_property
    def weight(self) -> float:
        """Weight of the node."""
        return float(node_weight(self.parameters, self.stats))

    @cached_property
    def missing(self) -> MissingRows:
        """The rows of the node without a value of the feature."""
        return MissingRows(self.column, self.counts, self.parameters)

    @cached_property
    def known_rows(self) -> Floats:
        """Row weight [v] of every value present: what minima are about."""
        return row_weights(self.counts.table, self.parameters)

    @cached_property
    def row_table(self) -> Floats:
        """Row weights by value and class of the rows that have a value, [v, K]: what χ² is about."""
        factor = self.parameters.row_factor
        return self.counts.table * factor if factor.size else self.counts.table

    def thresholds(self) -> list[float]:
        """The thresholds between neighbouring values of the node's rows, ascending."""
        codes = self.counts.codes
        return [threshold_of(self.column, low, high, self.parameters) for low, high in pairwise(codes)]

    @property
    def by_squared_share(self) -> bool:
        """Whether tests compete by squared shares of the rows (section 4)."""
        return self.parameters.score == BY_SQUARED_SHARE

    @property
    def by_newton(self) -> bool:
        """Whether tests compete by Newton's gain (section 22 of the definitions of ensembles)."""
        return self.parameters.score == BY_NEWTON

    @cached_property
    def total_before(self) -> float:
        """Weight times impurity of the rows that a test is evaluated on (not used where sums of numbers are enough)."""
        if self.judged is not None:
            return float(self.judged[2])
        if self.parameters.regression:
            return 0.0
        class_weights = self.missing.table.sum(axis=0)
        return float(node_total_impurity(self.parameters.impurity, class_weights, class_weights.sum()))

    @cached_property
    def judged(self) -> Floats | None:
        """(W, quantile, total loss) of the rows that a test is evaluated on; None where the loss is another."""
        if self.counts.ranked is None:
            return None
        one_group = np.zeros(len(self.counts.codes), dtype=np.intp)
        of_missing = -1 if self.missing.by_known_rows else 0
        return self.counts.statistics_of_groups(one_group, of_missing, self.parameters)[0]

    @cached_property
    def sums_of_values(self) -> Floats:
        """(W, quantile less the node's, total loss) [v, 3] of each value present, with rows that count as having it."""
        ranked, missing = self.counts.ranked, self.missing
        assert ranked is not None, "a loss around a quantile needs rows"
        imputed = int(missing.imputed_categories[0]) if missing.imputed else -1
        return ranked.sums(np.arange(len(self.counts.codes)), imputed, self.parameters)

    @cached_property
    def losses_at_thresholds(self) -> Floats:
        """Total losses on both sides of a cut after none, one, two, … of the values present, [4, v + 1].

        Of the rows up to it, the same with the rows without a value, those above it, and the same with these.
        """
        ranked = self.counts.ranked
        assert ranked is not None, "a loss around a quantile needs rows"
        without = ABSENT if self.missing.by_known_rows else MISSING
        kinds = np.where(ranked.positions >= 0, KNOWN, without)
        order = np.argsort(ranked.positions, kind="stable")[np.count_nonzero(kinds != KNOWN) :]
        losses = side_losses(self.parameters, ranked.numbers, ranked.weights, kinds, order)
        n_up_to = np.searchsorted(ranked.positions[order], np.arange(len(self.counts.codes) + 1))
        return np.asarray(losses)[:, n_up_to]


class Splits:
    """All tests of one kind on a feature at a node; `admissible` [tests] says which keep to the recipe's limits.

    `minimum` is the row weight that every branch needs. `approximate` says that better tests may be missing from the
    list.
    """

    feature: NodeFeature
    minimum: float
    admissible: Bools
    approximate: bool = False

    def decreases(self) -> Floats:
        """Decrease of the recipe's impurity by every test, rounding noise included."""
        raise NotImplementedError

    def branches(self) -> list[Floats]:
        """Statistics [tests, K] of every branch of the tests."""
        raise NotImplementedError

    def newton_gains(self) -> Floats:
        """Newton's gain of every test, per weight of the node."""
        raise NotImplementedError

    def gains(self) -> Floats:
        """What the tests of a feature compete by under the recipe's score, rounding noise included."""
        if self.feature.by_squared_share:
            return self.squared_share_gains()
        return self.newton_gains() if self.feature.by_newton else self.decreases()

    def split_information(self) -> Floats:
        """Entropy of the branch sizes of every test, in bits."""
        raise NotImplementedError

    def condition(self, which: int) -> Condition:
        """The test at a position, in the feature's own values."""
        raise NotImplementedError

    def branch_counts(self, which: int) -> Floats:
        """Counts of each branch of the test at a position, [branches, K]."""
        raise NotImplementedError

    def branch_of_missing(self, which: int) -> int:
        """The branch of rows without a value that count as having one, under the test at a position."""
        raise NotImplementedError

    def squared_share_gains(self) -> Floats:
        """Impurity less Σ (W_m/W)²·impurity_m: squared errors multiplied once more by the rows they come from."""
        branches = self.branches()
        after = np.zeros(len(branches[0]))
        for branch in branches:
            after += [weight_times_error(*stats[:3]) for stats in branch]
        moments = self.feature.missing.table.sum(axis=0)
        before = weight_times_error(moments[0], moments[1], moments[2])
        gains: Floats = (before - after) / (moments[0] * self.feature.weight)
        return gains


class TwoBranchSplits(Splits):
    """Tests with two branches, from the statistics of both, [tests, K]."""

    def __init__(
        self, feature: NodeFeature, first: Floats, second: Floats, known: tuple[Floats, Floats], minimum: float
    ) -> None:
        """Find the admissible tests; `known` is the row weight in each branch whose value is known."""
        self.feature, self.first, self.second, self.minimum = feature, first, second, minimum
        lighter = np.minimum(*known)
        self.admissible = at_least(lighter, minimum) & (lighter > 0)
        if feature.missing.own_branch:
            self.admissible &= feature.missing.own_branch_is_allowed(minimum)

    def decreases(self) -> Floats:
        """Impurity before less that after, with what a branch for missing values has gained already."""
        feature = self.feature
        of_own_branch = feature.missing.own_branch_gain(feature.impurity, feature.weight)
        gains = pair_gains(
            feature.parameters,
            feature.counts.mean,
            feature.total_before,
            feature.weight,
            self.first,
            self.second,
            of_own_branch,
        )
        return np.asarray(gains)

    def newton_gains(self) -> Floats:
        """Newton's gain of the two branches, with that of a branch for missing values."""
        feature, parameters = self.feature, self.feature.parameters
        weights = [weights_of(branch, parameters) for branch in self.branches()]
        first, second = (newton_sums(branch, parameters) for branch in self.branches())
        gains = newton_pairs(parameters, feature.counts.mean, first, second, *weights)
        of_own_branch = feature.missing.own_branch_newton_gain()
        return np.asarray(gains * (weights[0] + weights[1]) / feature.weight + of_own_branch)

    def branches(self) -> list[Floats]:
        """The two branches."""
        return [self.first, self.second]

    def split_information(self) -> Floats:
        """Entropy of the two weights, and of the missing rows where they count as an outcome."""
        left, right = (weights_of(branch, self.feature.parameters) for branch in self.branches())
        return np.asarray(pair_split_information(left, right, self.feature.missing.outcome))

    def branch_counts(self, which: int) -> Floats:
        """The two branches of a test, then that of missing values if it has one."""
        missing = self.feature.missing
        third = [missing.counts.missing] if missing.own_branch else []
        return np.stack([self.first[which], self.second[which], *third])
