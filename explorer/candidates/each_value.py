"""The test with a branch for every category, or for every interval of a binned number (section 3; ID3, C4.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.counts import Floats, weights_of
from explorer.candidates.splits import NodeFeature, Splits
from explorer.recipe.condition import Condition
from explorer.recipe.impurity import between_mean, node_total_impurity, split_information
from explorer.recipe.newton import newton_of_branches
from explorer.recipe.split_score import at_least


class EachValueSplit(Splits):
    """The single such test of a feature; none where its rows have a single value."""

    def __init__(self, feature: NodeFeature) -> None:
        """Find out whether enough branches have the rows that they need."""
        self.feature, self.minimum = feature, feature.parameters.min_leaf
        self.table = feature.missing.table
        self.weights = weights_of(self.table, feature.parameters)
        n_branches = len(self.table)
        self.n_tests = int(n_branches >= 2)
        needed = min(2, n_branches) if feature.parameters.two_branches else n_branches
        n_large = int(at_least(feature.known_rows, self.minimum).sum())
        self.admissible = np.array([n_large >= needed] * self.n_tests, dtype=bool)

    def decreases(self) -> Floats:
        """Impurity before less that of the branches."""
        return np.full(self.n_tests, self._decrease())

    def _decrease(self) -> float:
        feature, weights = self.feature, self.weights
        if feature.counts.ranked is not None:
            return float(feature.total_before - feature.sums_of_values[:, 2].sum()) / feature.weight
        if feature.parameters.regression:
            of, mean, sums = feature.parameters.impurity, feature.counts.mean, self.table[:, 1]
            after = sum(between_mean(of, mean, *branch) for branch in zip(weights, sums, strict=True))
            before = between_mean(of, mean, weights.sum(), sums.sum()) if feature.missing.by_known_rows else 0.0
            return float(after - before) / feature.weight
        kind = feature.parameters.impurity
        after = sum(node_total_impurity(kind, branch, w) for branch, w in zip(self.table, weights, strict=True))
        return float((feature.total_before - after) / feature.weight)

    def newton_gains(self) -> Floats:
        """Newton's gain of all branches."""
        feature, parameters = self.feature, self.feature.parameters
        sums = np.ascontiguousarray(self.table[:, 1])
        gain = newton_of_branches(parameters, feature.counts.mean, sums, self.weights) if self.n_tests else 0.0
        return np.full(self.n_tests, gain * self.weights.sum() / feature.weight)

    def branches(self) -> list[Floats]:
        """One branch per category present."""
        return list(self.table[:, None][:, : self.n_tests])

    def split_information(self) -> Floats:
        """Entropy of the branch sizes, and of the missing rows where they count as an outcome."""
        return np.array([split_information([*self.weights, self.feature.missing.outcome])] * self.n_tests)

    def condition(self, which: int) -> Condition:
        """A branch for every category, also for those without rows where such branches are kept."""
        encoding = self.feature.column.encoding
        names = [encoding.labels[code] for code in self._codes]
        branches = tuple((name,) for name in names)
        return Condition(encoding.name, encoding.test, None, branches, has_intervals=encoding.is_binned)

    @property
    def _codes(self) -> NDArray[np.intp]:
        """The codes that have a branch: those present, or those of all training rows where empty branches are kept."""
        keep_empty = self.feature.parameters.empty_branches
        return self.feature.column.training_codes if keep_empty else self.feature.counts.codes

    def branch_of_missing(self, which: int) -> int:
        """That of the most common category."""
        return int(self.feature.missing.imputed_categories[0])

    def branch_counts(self, which: int) -> Floats:
        """The counts of each category that has a branch."""
        codes = self._codes
        counts = np.zeros((len(codes), self.table.shape[1]))
        counts[np.searchsorted(codes, self.feature.counts.codes)] = self.table
        return counts
