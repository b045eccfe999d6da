"""Every candidate of one node with its numbers: the readable definition (DEFINITIONS sections 3 and 4).

The enumerators `threshold`, `grouping` and `each_value` list the tests of a feature, all of them groupings of the rows
of its contingency table; `missing_rows` says what rows without a value count as.
`FeatureCandidates` compares the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.adjusted_p import AdjustedP, adjusted_p
from explorer.candidates.counts import Bools, Contingency, Floats, branch_values
from explorer.candidates.each_value import EachValueSplit
from explorer.candidates.grouping import GroupingSplits, grouping_splits
from explorer.candidates.merging import ComparedGroups, MergedSplit
from explorer.candidates.missing_rows import MissingRows
from explorer.candidates.quantile_loss import has_quantiles
from explorer.candidates.splits import NodeFeature, Splits
from explorer.candidates.threshold import CustomThreshold, ThresholdSplits
from explorer.recipe.columns import EACH_VALUE, THRESHOLD, TrainingColumn
from explorer.recipe.condition import Condition
from explorer.recipe.feature_constraints import KEPT, WRONG_DIRECTION, Bounds, slack_of, violations
from explorer.recipe.impurity import NEGLIGIBLE
from explorer.recipe.newton import gradient_sums, newton_leaves, newton_scores
from explorer.recipe.parameters import GrowParameters, row_weight
from explorer.recipe.remarks import Remark
from explorer.recipe.split_score import BY_P_VALUE, first_best, has_own_gain, less_threshold_penalty, scores_of


@dataclass(frozen=True)
class NewtonNumbers:
    """A test by XGBoost's objective (section 22 of the definitions of ensembles).

    `gain` is in units of the library, twice the paper's, and `gain_less_gamma` what γ leaves of it. `gradients` (G),
    `hessians` (H) and `leaves`, −G/(H + λ), go by branch; `gradient`, `hessian` and `leaf` are the node's.
    """

    gain: float
    gain_less_gamma: float
    gradients: tuple[float, ...]
    hessians: tuple[float, ...]
    leaves: tuple[float, ...]
    gradient: float
    hessian: float
    leaf: float


def newton_numbers(branches: Floats, parameters: GrowParameters) -> NewtonNumbers | None:
    """A test's numbers by XGBoost's objective from its branches [branches, K]; None with more than two classes."""
    if has_quantiles(parameters) or (not parameters.regression and parameters.n_stats != 2):
        return None
    gradients, hessians = gradient_sums(branches, parameters.base, parameters.regression)
    node = gradients.sum(keepdims=True), hessians.sum(keepdims=True)
    before = newton_scores(*node, parameters.reg_lambda)[0]
    gain = float(newton_scores(gradients, hessians, parameters.reg_lambda).sum() - before)
    return NewtonNumbers(
        gain=gain,
        gain_less_gamma=gain - parameters.gamma,
        gradients=tuple(gradients.tolist()),
        hessians=tuple(hessians.tolist()),
        leaves=tuple(newton_leaves(gradients, hessians, parameters.reg_lambda).tolist()),
        gradient=float(node[0][0]),
        hessian=float(node[1][0]),
        leaf=float(newton_leaves(*node, parameters.reg_lambda)[0]),
    )


NO_BOUNDS = Bounds()


@dataclass(frozen=True)
class Candidate:
    """One test that a node could use, with the numbers it competes by.

    `gain` is the decrease of the recipe's impurity, less a penalty for thresholds; `gain_ratio` is gain by split
    information; `score` is what features compete by, with the feature's `cost` where the recipe's score uses it.
    `rejection` says why the test does not compete, None if it does. `is_best` marks the best of its feature.
    `branch_stats` [branches, K] are class weights, or (W, mean, M2); `impurities` and `weights` go by branch. Where
    rows without a value are left out of the comparison (`missing_weight`) they are not in these either; `known_share`
    is the share of the others, and the gain is already multiplied by it. `missing_branch` is the better
    side of a threshold for rows without a value, where both are tried. `filled_weight` is the weight of rows without a
    value that count as having another. `n_thresholds` are those that the penalty counts, 0 without one.
    """

    feature: str
    condition: Condition
    gain: float
    split_info: float
    gain_ratio: float | None
    score: float | None
    rejection: Remark | None
    is_best: bool
    approximate: bool
    branch_stats: Floats = field(compare=False)
    weights: tuple[float, ...]
    impurities: tuple[float, ...]
    missing_branch: int | None = None
    significance: AdjustedP | None = None
    """The test by χ² and its adjusted p; None for a numeric target."""
    cost: float = 1.0
    known_share: float = 1.0
    missing_weight: float = 0.0
    n_thresholds: int = 0
    filled_weight: float = 0.0
    judged: Floats | None = field(default=None, compare=False)
    """(W, quantile, total loss) of the rows that the test is evaluated on, where branches do not add up to them."""
    merges: tuple[ComparedGroups, ...] = ()
    """The pairs of groups that were compared in turn, where the feature's values were merged."""
    parameters: GrowParameters | None = field(default=None, repr=False, compare=False)

    @cached_property
    def newton(self) -> NewtonNumbers | None:
        """The numbers by XGBoost's objective; None with more than two classes, and for a quantile."""
        return None if self.parameters is None else newton_numbers(self.branch_stats, self.parameters)

    @property
    def rejected(self) -> str | None:
        """Why the test does not compete, in the language in force; None if it does."""
        return None if self.rejection is None else self.rejection.text

    @property
    def weighted_impurity(self) -> float:
        """Impurity left after the test, Σ W_m/W · impurity_m: what CART's books print as the Gini of a split."""
        return float(np.dot(self.weights, self.impurities) / np.sum(self.weights))


def can_split(column: TrainingColumn, counts: Contingency, parameters: GrowParameters) -> bool:
    """Whether a feature divides the rows of a node: by its values, or by which rows have one."""
    if len(counts.codes) > 1:
        return True
    return bool(len(counts.codes)) and MissingRows(column, counts, parameters).both_ways


class FeatureCandidates:
    """All tests of one feature at one node as arrays, in the order of the tie rule; numbers are in bits.

    `gain` is what the tests of a feature compete by, `decrease` that of the impurity: the same but under the scores
    "squared_share_weighting" and "newton" (whose gain is that of the whole node, here per weight).
    """

    def __init__(
        self,
        column: TrainingColumn,
        counts: Contingency,
        stats: Floats,
        parameters: GrowParameters,
        drawn_threshold: CustomThreshold | None = None,
        bounds: Bounds = NO_BOUNDS,
    ) -> None:
        """Enumerate the tests and work out their gains. `stats` [K] are the node's statistics.

        Of a numeric feature with a `drawn_threshold` no other may win; `bounds` are those that monotone constraints
        above the node set.
        """
        self.column, self.counts, self.stats, self.parameters = column, counts, stats, parameters
        self.drawn_threshold, self.bounds = drawn_threshold, bounds
        self.at_node = NodeFeature(column, counts, stats, parameters)
        self.splits = self._enumerate()
        self.admissible: Bools = self._keeping_constraints()
        if drawn_threshold is not None:
            self.admissible = self.admissible & (np.arange(len(self.admissible)) == drawn_threshold.position)
        self.split_info: Floats = self.splits.split_information()
        self.decrease: Floats = self._rounded(self.splits.decreases())
        self.gain: Floats = self.decrease
        if has_own_gain(parameters) and len(self.gain):
            self.gain = self._rounded(self.splits.gains())
        self.n_thresholds = 0
        if parameters.penalty and column.test == THRESHOLD and self.admissible.any():
            self.n_thresholds = int(self.admissible.sum())
            rows = float(row_weight(parameters, stats))
            self.decrease = self.gain = less_threshold_penalty(self.gain, self.n_thresholds, rows)

    def _enumerate(self) -> Splits:
        """The tests of the kind that the recipe allows."""
        if self.column.merges:
            return MergedSplit(self.at_node)
        if self.column.test == EACH_VALUE:
            return EachValueSplit(self.at_node)
        if self.column.test == THRESHOLD:
            return ThresholdSplits(self.at_node, self.drawn_threshold)
        return grouping_splits(self.at_node)

    def _keeping_constraints(self) -> Bools:
        """Which tests are admissible: those within the recipe's limits that keep the monotone constraints."""
        within_limits: Bools = self.splits.admissible
        return within_limits & (self.violations == KEPT) if self.parameters.monotone else within_limits

    @cached_property
    def violations(self) -> NDArray[np.int64]:
        """What of the monotone constraints each test violates, [tests]; nothing where it has more than two branches."""
        if self.column.test == EACH_VALUE:  # only where a person chose such a test
            return np.full(len(self.splits.admissible), KEPT)
        first, second = (branch_values(branch, self.parameters) for branch in self.splits.branches()[:2])
        mean = float(self.stats[1]) if self.parameters.regression else 0.0
        slack = slack_of(self.parameters, self.stats)
        lower, upper = self.bounds.lower - mean, self.bounds.upper - mean
        return np.asarray(violations(self.column.monotone, first, second, lower, upper, slack))

    @property
    def best_violating(self) -> int:
        """Position of the best test that only monotone constraints rule out; −1 without such a test."""
        if not self.parameters.monotone:
            return -1
        ruled_out = self.splits.admissible & (self.violations != KEPT)
        return int(first_best(np.where(ruled_out, self.gain, np.nan), self.impurity))

    def limit(self, which: int) -> Remark | None:
        """Why a test is not admissible; None where it is."""
        if self.admissible[which]:
            return None
        if self.drawn_threshold is not None and self.drawn_threshold.position != which:
            return Remark("threshold_not_drawn")
        if not self.splits.admissible[which]:
            return Remark("few_rows_in_branch", (float(self.splits.minimum),))
        if self.violations[which] == WRONG_DIRECTION:
            return Remark("violates_monotone", (self.column.encoding.name, self.column.monotone))
        return Remark("beyond_monotone_bounds", tuple(self.bounds))

    def _rounded(self, gains: Floats) -> Floats:
        """`impurity.rounded_to_zero` of many gains at once: a number with many values has as many tests."""
        return np.where(np.abs(gains) > NEGLIGIBLE * self.impurity, gains, 0.0)

    def __len__(self) -> int:
        """How many tests there are."""
        return len(self.gain)

    @property
    def impurity(self) -> float:
        """Impurity of the node."""
        return self.at_node.impurity

    @property
    def missing(self) -> MissingRows:
        """The rows of the node without a value of the feature."""
        return self.at_node.missing

    @cached_property
    def best(self) -> int:
        """Position of the best admissible test: the first whose gain equals the largest; −1 if there is none."""
        return int(first_best(np.where(self.admissible, self.gain, np.nan), self.impurity))

    @property
    def best_gain(self) -> float:
        """Gain of the best test; nan where there is none, or where the penalty leaves nothing."""
        if self.best < 0 or (self.n_thresholds and not self.gain[self.best] > 0.0):
            return float("nan")
        return float(self.gain[self.best])

    @cached_property
    def scores(self) -> Floats:
        """What each test would compete by, [tests]."""
        parameters = self.parameters
        if parameters.score == BY_P_VALUE:
            return self.log_worths(1)
        scores = scores_of(self.gain, self.split_info, self.column.cost, parameters.score, parameters.nunez_w)
        return np.asarray(scores, dtype=np.float64)

    def log_worths(self, n_features: int) -> Floats:
        """LogWorth of each test, [tests], allowing for so many features."""
        tests = (self.significance(which, n_features) for which in range(len(self)))
        return np.array([test.score for test in tests if test is not None])

    @property
    def log_p(self) -> float:
        """Logarithm of the best test's p, adjusted for the ways of cutting the feature; nan where there is none."""
        test = self.significance(self.best) if self.best >= 0 else None
        return float("nan") if test is None else test.log_within

    def branch_of_values(self, which: int) -> NDArray[np.intp]:
        """The branch of every value that rows of the node have, under a test."""
        positions = np.arange(len(self.counts.codes))
        if isinstance(self.splits, ThresholdSplits):
            return (positions > which).astype(np.intp)
        if isinstance(self.splits, GroupingSplits):
            return self.splits.in_second(which).astype(np.intp)
        return self.splits.groups if isinstance(self.splits, MergedSplit) else positions

    def significance(self, which: int, n_features: int = 1) -> AdjustedP | None:
        """The test at a position by χ², and its p adjusted for so many features; None for a numeric target."""
        ways = self.splits.log_ways if isinstance(self.splits, MergedSplit) else None
        return adjusted_p(self.at_node, self.branch_of_values(which), n_features, ways)

    def missing_branch(self, which: int) -> int | None:
        """The branch of rows without a value under a threshold, where both are tried; None where none are."""
        if self.missing.both_ways and isinstance(self.splits, ThresholdSplits):
            return 0 if self.splits.missing_left[which] else 1
        return None

    @property
    def tests_missing(self) -> bool:
        """Whether the best test is "missing or not"."""
        return self.missing.both_ways and self.best == len(self.counts.codes) - 1

    def median_is_left(self, left: Floats, right: Floats) -> Bools:
        """Whether the median is left of each threshold, from the known weights of its two branches."""
        assert isinstance(self.splits, ThresholdSplits), "only numbers have a median"
        return self.splits.median_is_left(left, right)

    def condition(self, which: int) -> Condition:
        """The test at a position, in the feature's own values."""
        return self.splits.condition(which)

    def branches(self, which: int) -> Floats:
        """Statistics of each branch of a test, [branches, K]."""
        counts = self.splits.branch_counts(which)
        if self.counts.ranked is not None:
            return self._ranked_branches(which, counts)
        return self.counts.statistics(counts, self.parameters) if self.parameters.regression else counts

    def _ranked_branches(self, which: int, counts: Floats) -> Floats:
        """The same from the rows; `counts` have the branches' weights, 0 for those of values without rows."""
        branch_of_value, missing, of_missing = self.branch_of_values(which), self.missing, -1
        if missing.own_branch:
            of_missing = 2
        elif missing.both_ways and which == len(self.counts.codes) - 1:  # "missing or not"
            branch_of_value, of_missing = np.ones_like(branch_of_value), 0
        elif missing.weight > 0.0 and not missing.by_known_rows:
            of_missing = self.splits.branch_of_missing(which)
        stats = np.zeros((len(counts), 3))
        has_rows = counts[:, 0] > 0.0
        stats[has_rows] = self.counts.statistics_of_groups(branch_of_value, of_missing, self.parameters)
        return stats
