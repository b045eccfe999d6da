"""The tests of a feature where one tree predicts several targets (section 23 of explorer/ensembles/DEFINITIONS.md).

Every target has counts of its own over the same rows, and all of them see the same list of tests. A test's decrease is
the mean of the targets' decreases, each divided by the target's scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Contingency, Floats, weights_of
from explorer.candidates.each_value import EachValueSplit
from explorer.candidates.grouping import Groupings, GroupingSplits, Listed, OneVsRest, PrefixesOfEach, every_subset
from explorer.candidates.splits import NodeFeature, Splits
from explorer.candidates.threshold import ThresholdSplits
from explorer.recipe.category_order import EXHAUSTIVE, category_order
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST, THRESHOLD, TrainingColumn
from explorer.recipe.impurity import NEGLIGIBLE
from explorer.recipe.parameters import GrowParameters, node_impurity


@dataclass(frozen=True, eq=False)
class NodeTargets:
    """What a node knows of every target: its statistics there, the recipe's parameters for it, and its scale [q].

    The scale is the target's impurity at the root, or 1 where targets are not standardised.
    """

    stats: tuple[Floats, ...]
    parameters: tuple[GrowParameters, ...]
    scales: Floats

    @cached_property
    def impurities(self) -> Floats:
        """Impurity of every target at the node, [q]."""
        pairs = zip(self.parameters, self.stats, strict=True)
        return np.array([float(node_impurity(parameters, stats)) for parameters, stats in pairs])

    @property
    def impurity(self) -> float:
        """Mean of the targets' impurities, each divided by its scale."""
        return float((self.impurities / self.scales).mean())


class JointCandidates(FeatureCandidates):
    """All tests of one feature at one node, compared by the mean of the targets' decreases.

    `decreases` [q, tests] are those of each target, in its own unit.
    """

    def __init__(self, column: TrainingColumn, counts: Sequence[Contingency], targets: NodeTargets) -> None:
        """Enumerate the tests once for all targets. `counts` are the feature's, one per target."""
        self.targets = targets
        parts = zip(counts, targets.stats, targets.parameters, strict=True)
        self.nodes = [NodeFeature(column, own, stats, parameters) for own, stats, parameters in parts]
        super().__init__(column, counts[0], targets.stats[0], targets.parameters[0])
        listed = [self.splits, *(self._splits_of(node) for node in self.nodes[1:])]
        self.decreases: Floats = np.stack(
            [_rounded(splits.decreases(), node.impurity) for splits, node in zip(listed, self.nodes, strict=True)]
        )
        self.decrease = self.gain = (self.decreases / targets.scales[:, None]).mean(axis=0)

    def _enumerate(self) -> Splits:
        return self._splits_of(self.nodes[0])

    def _splits_of(self, node: NodeFeature) -> Splits:
        """The tests as one target sees them, in the order that all targets share."""
        if self.column.test == THRESHOLD:
            return ThresholdSplits(node)
        if self.column.test == EACH_VALUE:
            return EachValueSplit(node)
        return GroupingSplits(node, self._groupings, approximate=self._is_approximate)

    @property
    def impurity(self) -> float:
        """Mean of the targets' impurities at the node."""
        return self.targets.impurity

    @cached_property
    def _groupings(self) -> Groupings:
        """The groupings of the categories present: all of them if few, else the prefixes of each target's order."""
        n_present = len(self.nodes[0].counts.codes)
        if n_present < 2:
            return Listed(np.zeros((0, n_present), dtype=bool))
        if self.column.test == ONE_VS_REST:
            return OneVsRest(n_present)
        if not self._is_approximate:
            return Listed(every_subset(n_present))
        return PrefixesOfEach([_order(node) for node in self.nodes])

    @property
    def _is_approximate(self) -> bool:
        """Whether there are too many categories to list every subset; no order of them is sure to hold the best."""
        return self.column.test != ONE_VS_REST and len(self.nodes[0].counts.codes) > EXHAUSTIVE


def _order(node: NodeFeature) -> NDArray[np.intp]:
    """Breiman's order of the categories for one target."""
    table, regression = node.missing.table, node.parameters.regression
    means_of = np.ascontiguousarray(table[:, 1:2] if regression else table)
    return np.asarray(category_order(means_of, weights_of(table, node.parameters), regression))


def _rounded(gains: Floats, impurity: float) -> Floats:
    """Gains without rounding noise."""
    return np.where(np.abs(gains) > NEGLIGIBLE * impurity, gains, 0.0)
