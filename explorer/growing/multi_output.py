"""One tree for several targets (section 23 of explorer/ensembles/DEFINITIONS.md; de'Ath 2002, scikit-learn).

A node's impurity is the mean of the targets' impurities, so that a split serves all targets at once. Growing follows
the readable layer, node by node, with the candidates of `explorer.candidates.joint`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.candidates.candidates import NO_BOUNDS, Candidate, FeatureCandidates
from explorer.candidates.competition import Competition, RankedCandidates, select_split, statistics
from explorer.candidates.counts import Bools, Contingency, count_rows
from explorer.candidates.joint import JointCandidates, NodeTargets
from explorer.candidates.threshold import CustomThreshold
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import excluded_features
from explorer.growing.engine.node_tables import tree_arrays
from explorer.growing.grow import tree_from_arrays
from explorer.growing.multi_output_data import MultiOutputData
from explorer.growing.node_rows import NodeRows, node_rows_at
from explorer.growing.reference import ReferenceTree, grow_from_root
from explorer.messages import message
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.columns import TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.feature_constraints import Bounds
from explorer.recipe.parameters import GrowParameters, node_impurity, parameters_for
from explorer.recipe.recipe import CART, Recipe, has_loss_of_its_own
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Progress = Callable[[int, int], None]
_SCORES = ("gain", "gain_ratio", "decrease")
_MISSING_BY_TARGET = ("same_class", "default_direction")
_UNUSED = {
    "class_weights": None,
    "costs": None,
    "max_impurity": None,
    "min_squared_error": None,
    "chi2_level": None,
    "merge_level": None,
    "mdl_stop": False,
    "prepruning": False,
    "release8_penalty": False,
    "release8_numeric_minimum": False,
    "monotone": None,
    "max_leaf_nodes": None,
    "max_features": None,
    "random_thresholds": False,
}
"""Fields that are about one target or one member of a forest, and their values when they are off."""


@dataclass(frozen=True, eq=False)
class MultiOutputTree:
    """One tree for q targets, as an ordinary `Tree` for each: the same nodes and tests, its own statistics.

    `scales` [q] are what each target's decrease is divided by: its impurity at the root, or 1.
    """

    trees: tuple[Tree, ...]
    scales: Floats

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the targets."""
        return tuple(tree.target for tree in self.trees)

    @property
    def is_standardised(self) -> bool:
        """Whether decreases count as shares of the targets' impurities at the root."""
        return not bool((self.scales == 1.0).all())

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return self.trees[0].n_leaves

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.trees[0].n_nodes

    def predict(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The predicted class or mean of each target, [n, q], with the targets as columns."""
        return pd.DataFrame({tree.target: tree.predict(rows) for tree in self.trees}, index=rows.index)


@dataclass(frozen=True)
class JointCandidate:
    """A candidate split with the decrease of every target [q]; `shares` [q] are these divided by the scales."""

    candidate: Candidate
    decreases: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def gain(self) -> float:
        """What candidates compete by: the mean of the shares."""
        return float(np.mean(self.shares))


@dataclass(frozen=True)
class JointDecision:
    """The candidates at a node of a tree for several targets, the best of each feature first.

    `impurities` [q] are the node's. `chosen` is None at a leaf, and `stop_reason` says why.
    """

    node: int
    n_rows: int
    impurities: tuple[float, ...]
    candidates: tuple[JointCandidate, ...]
    chosen: JointCandidate | None
    stop_reason: str | None


def grow_multi_output(
    data: MultiOutputData, recipe: Recipe = CART, standardise: bool | None = None, progress: Progress | None = None
) -> MultiOutputTree:
    """Grow one tree that predicts all targets of `data`.

    With `standardise`, a target's decrease counts as a share of its impurity at the root; otherwise the target with the
    largest unit decides. None: standardised unless all targets are classes. Raises InputError where the recipe, or the
    mixture of types, does not allow it.

    >>> frame = pd.DataFrame({"x": [1, 2, 3, 4], "a": [0.0, 0.0, 1.0, 1.0], "b": [5.0, 5.0, 9.0, 9.0]})
    >>> tree = grow_multi_output(MultiOutputData.from_frame(frame, ["a", "b"]))
    >>> tree.trees[0].condition(0).text[:7], tree.n_leaves
    ('x ≤ 2.5', 2)
    """
    _check(data, recipe, standardise)
    outputs, remarks = _training_outputs(data, recipe)
    columns, parameters = columns_for(outputs[0], recipe), [parameters_for(recipe, one) for one in outputs]
    joint = _JointTree(outputs[0], columns, recipe, NONE)
    joint.begin(outputs, parameters, _scales(outputs, parameters, standardise), progress)
    tables = grow_from_root(joint).nodes.tables()
    whole = tree_from_arrays(outputs[0], recipe, columns, tree_arrays([tables]), remarks, NONE)
    return MultiOutputTree(tuple(_trees(whole, outputs, parameters)), joint.scales)


def decide_multi_output(tree: MultiOutputTree, data: MultiOutputData, node: int) -> JointDecision:
    """Search one node again, on the rows it had in training; `data` is what the tree was grown on."""
    first = tree.trees[0]
    reason = first.node(node).stop_reason
    outputs, _ = _training_outputs(data, first.recipe)
    at_node = node_rows_at(first, outputs[0], node)
    impurities = tuple(float(one.impurity[node]) for one in tree.trees)
    if not len(at_node.rows):
        return JointDecision(node, 0, impurities, (), None, reason)
    parameters = [parameters_for(first.recipe, one) for one in outputs]
    columns = columns_for(outputs[0], first.recipe)
    targets = _node_targets(outputs, parameters, tree.scales, at_node)
    features = []
    for index, column in enumerate(columns):
        counts = _counts(outputs, parameters, targets, column, at_node)
        if index not in excluded_features(first, node) and len(counts[0].codes) > 1:
            features.append(JointCandidates(column, counts, targets))
    competition = _compete(features, targets, float(outputs[0].weight_of_rows().sum()))
    if reason is not None:
        competition = replace(competition, reason=int(first.stop[node]))
    ranked = RankedCandidates(competition, first.recipe, first.recipe.impurity_for(outputs[0].is_regression), 1.0)
    listed = tuple(_joint(ranked, features, i, which) for i, which in _by_rank(features, competition))
    chosen = None
    if reason is None:
        chosen = _joint(ranked, features, competition.winner, features[competition.winner].best)
    return JointDecision(node, len(at_node.rows), impurities, listed, chosen, reason)


def _by_rank(features: list[JointCandidates], competition: Competition) -> list[tuple[int, int]]:
    """Index of every feature with an admissible test, and its best: the winner's first, then by gain."""
    best = [(i, feature.best) for i, feature in enumerate(features) if feature.best >= 0]
    return sorted(best, key=lambda pair: (pair[0] != competition.winner, -features[pair[0]].gain[pair[1]]))


def _joint(ranked: RankedCandidates, features: list[JointCandidates], index: int, which: int) -> JointCandidate:
    feature = features[index]
    decreases = feature.decreases[:, which]
    shares = decreases / feature.targets.scales
    return JointCandidate(ranked.make(index, which), tuple(decreases.tolist()), tuple(shares.tolist()))


class _JointTree(ReferenceTree):
    """The table of nodes while it is being filled; every row of it has the statistics of the other targets too."""

    def begin(
        self,
        outputs: tuple[Dataset, ...],
        parameters: list[GrowParameters],
        scales: Floats,
        progress: Progress | None,
    ) -> None:
        self.outputs, self.each, self.scales, self.progress = outputs, parameters, scales, progress
        self.shift = 0.0

    def write(self, at_node: NodeRows) -> tuple[int, Floats]:
        node, stats = super().write(at_node)
        for data, parameters in zip(self.outputs[1:], self.each[1:], strict=True):
            own = np.zeros(parameters.n_stats)
            if len(at_node.rows):
                own = statistics(data, at_node.rows, at_node.weights, parameters)
            self.nodes.floats[node] += [float(node_impurity(parameters, own)) if len(at_node.rows) else 0.0, *own]
        if self.progress is not None:
            self.progress(min(self.done, self.data.n_rows), self.data.n_rows)
        return node, stats

    def _is_pure(self, at_node: NodeRows) -> bool:
        """Whether the rows agree in every target."""
        return all(np.ptp(data.y[at_node.rows]) == 0 for data in self.outputs)

    def _candidates(
        self,
        column_index: int,
        at_node: NodeRows,
        counts: Contingency,
        stats: Floats,
        drawn: CustomThreshold | None = None,
        bounds: Bounds = NO_BOUNDS,
    ) -> FeatureCandidates:
        targets = _node_targets(self.outputs, self.each, self.scales, at_node)
        column = self.columns[column_index]
        return JointCandidates(column, _counts(self.outputs, self.each, targets, column, at_node), targets)

    def _compete(self, features: list[FeatureCandidates], stats: Floats, is_drawn: Bools | None = None) -> Competition:
        joint = [feature for feature in features if isinstance(feature, JointCandidates)]
        targets = joint[0].targets if joint else None
        return _compete(joint, targets, self.total_weight) if targets else super()._compete(features, stats)


def _compete(features: list[JointCandidates], targets: NodeTargets, total_weight: float) -> Competition:
    return select_split(features, targets.stats[0], targets.parameters[0], total_weight, targets.impurity)


def _node_targets(
    outputs: tuple[Dataset, ...], parameters: list[GrowParameters], scales: Floats, at_node: NodeRows
) -> NodeTargets:
    pairs = zip(outputs, parameters, strict=True)
    stats = tuple(statistics(data, at_node.rows, at_node.weights, each) for data, each in pairs)
    return NodeTargets(stats, tuple(parameters), scales)


def _counts(
    outputs: tuple[Dataset, ...],
    parameters: list[GrowParameters],
    targets: NodeTargets,
    column: TrainingColumn,
    at_node: NodeRows,
) -> list[Contingency]:
    """A column's counts at a node, for every target."""
    counted = []
    for data, each, stats in zip(outputs, parameters, targets.stats, strict=True):
        mean = float(stats[1]) if each.regression else 0.0
        counted.append(count_rows(column, at_node.rows, data.y, at_node.weights, each, mean))
    return counted


def _trees(whole: Tree, outputs: tuple[Dataset, ...], parameters: list[GrowParameters]) -> list[Tree]:
    """The tree of each target, from one table with the statistics of all of them."""
    trees, begin = [], 0
    for data, each in zip(outputs, parameters, strict=True):
        impurity = whole.impurity
        if begin:
            unit = whole.recipe.unit(data.is_regression)
            impurity, begin = whole.stats[:, begin] * unit, begin + 1
        stats = np.ascontiguousarray(whole.stats[:, begin : begin + each.n_stats])
        begin += each.n_stats
        trees.append(replace(whole, target=data.target.name, classes=data.classes, stats=stats, impurity=impurity))
    return trees


def _scales(outputs: tuple[Dataset, ...], parameters: list[GrowParameters], standardise: bool | None) -> Floats:
    """What every target's decrease is divided by, [q]."""
    if standardise is None:
        standardise = any(one.is_regression for one in outputs)
    if not standardise:
        return np.ones(len(outputs))
    everything: NDArray[np.intp] = np.arange(outputs[0].n_rows)
    root = NodeRows(everything, outputs[0].weight_of_rows())
    impurities = _node_targets(outputs, parameters, np.ones(len(outputs)), root).impurities
    return np.where(impurities > 0.0, impurities, 1.0)


def _training_outputs(data: MultiOutputData, recipe: Recipe) -> tuple[tuple[Dataset, ...], tuple[Remark, ...]]:
    """The rows that growing uses, for every target."""
    used = [training_rows(one, recipe) for one in data.outputs]
    return tuple(one for one, _ in used), used[0][1]


def _check(data: MultiOutputData, recipe: Recipe, standardise: bool | None) -> None:
    """InputError for choices that are about one target, and for a mixture that cannot be added up."""
    changed = [field for field, off in _UNUSED.items() if getattr(recipe, field) != off]
    if recipe.score not in _SCORES:
        changed.append("score")
    if has_loss_of_its_own(recipe):
        changed.append("impurity")
    if recipe.missing in _MISSING_BY_TARGET:
        changed.append("missing")
    if changed:
        raise InputError(
            message(
                "Recipe field '{field}' is {value:.60}, which one tree for several targets does not know: leave it "
                "out.",
                field=changed[0],
                value=repr(getattr(recipe, changed[0])),
            )
        )
    kinds = {one.is_regression for one in data.outputs}
    if standardise is False and len(kinds) > 1:
        raise InputError(
            message(
                "The targets are numeric and categorical: their impurities have no common unit. Use standardise=True."
            )
        )
