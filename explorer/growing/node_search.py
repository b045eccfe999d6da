"""A grown node searched again: on its training rows, on those fetched from a connected table, or on counts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from explorer.candidates.candidates import NO_BOUNDS, FeatureCandidates, can_split
from explorer.candidates.competition import Competition, drawn_features, statistics
from explorer.candidates.counts import Bools, Contingency, count_rows
from explorer.candidates.custom_split import CustomSplit
from explorer.candidates.threshold import draw_threshold
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import excluded_features, used_up_features
from explorer.growing.description_length import SplitBits, bits_of_split
from explorer.growing.from_counts.counted_node import CountedNode, OpenNode
from explorer.growing.from_counts.fetch import columns_of_rows, rows_of_block
from explorer.growing.from_counts.search import search_alone
from explorer.growing.from_counts.training_table import TrainingTable, training_table
from explorer.growing.node_rows import NodeRows, node_rows_at, split_rows
from explorer.growing.stopping import Chi2, chi2_test
from explorer.growing.training_rows import training_rows_of
from explorer.messages import message
from explorer.recipe.class_weights import NONE, Floats, as_row_weights
from explorer.recipe.columns import TESTS, TrainingColumn, columns_for, empty_columns
from explorer.recipe.condition import Condition, SplitRequest
from explorer.recipe.feature_constraints import Bounds, value_of
from explorer.recipe.parameters import (
    BELOW_GAMMA,
    EMPTY,
    LOCKED,
    MOST_LEAVES,
    NOT_BETTER,
    NOT_SHORTER,
    NOT_SIGNIFICANT,
    SPLIT,
    GrowParameters,
    parameters_for,
    stop_before_search,
)
from explorer.recipe.remarks import Remark
from explorer.sources.counting import NodeTarget
from explorer.sources.routing import Routing
from explorer.sources.source import Source
from explorer.threads import shared_pool
from explorer.tree.source_routing import routing_of
from explorer.tree.tree import Tree

_UNDONE = (NOT_SIGNIFICANT, NOT_SHORTER, NOT_BETTER, BELOW_GAMMA, MOST_LEAVES)
"""Why the split of a node was undone after growing."""
ROWS_TO_LIST_IN_THREADS = 50_000
"""Below this many rows at a node, handing its columns to threads costs more than it saves."""
ROWS_TO_FETCH = 200_000
"""Rows up to which a node of a connected table is fetched to list every threshold."""


@dataclass(frozen=True)
class TestedSplit:
    """The best test of a feature, or the one a person chose, and the index of its column."""

    candidates: FeatureCandidates
    column_index: int
    kind: int | None = None

    @property
    def test(self) -> int:
        """The kind of test; the column's own unless a person chose another."""
        return self.candidates.column.test if self.kind is None else self.kind


@dataclass(frozen=True)
class NodeSearch:
    """A grown node, its statistics [K], what it may test, and the weight of all training rows.

    Subclasses have its rows, or their counts.
    """

    tree: Tree
    node: int
    columns: list[TrainingColumn]
    parameters: GrowParameters
    stats: Floats
    total_weight: float

    @cached_property
    def excluded(self) -> dict[int, Remark]:
        """The features that the node may not test, and why."""
        return excluded_features(self.tree, self.node)

    @cached_property
    def bounds(self) -> Bounds:
        """Between which values its branches must lie, by the monotone constraints above it."""
        bounds = NO_BOUNDS
        for above, branch in self.tree.path_to(self.node) if self.parameters.monotone else ():
            sign = self.columns[int(self.tree.feature[above])].monotone
            if sign:
                values = (value_of(self.parameters, self.tree.stats[child]) for child in self.tree.children_of(above))
                bounds = bounds.below(sign, branch, *map(float, values))
        return bounds

    @property
    def condition(self) -> Condition:
        """The test that the node was split by; only read where there is one."""
        condition = self.tree.condition(self.node)
        assert condition is not None, "a split node has a test"
        return condition

    @property
    def n_features(self) -> int:
        """How many features are left that the node may test; those without any value do not count."""
        return len(self.columns) - len(self.excluded.keys() | empty_columns(self.training_columns))

    @property
    def training_columns(self) -> list[TrainingColumn]:
        """The columns as all training rows have them."""
        return self.columns

    @property
    def n_rows(self) -> int:
        """How many training rows the node has."""
        raise NotImplementedError

    @property
    def is_pure(self) -> bool:
        """Whether all rows of the node agree in the target."""
        raise NotImplementedError

    def feature_candidates(self) -> tuple[list[FeatureCandidates], list[int], dict[str, Remark]]:
        """The features that have candidates, their column indices, and why the others have none."""
        raise NotImplementedError

    def forced_split(self) -> TestedSplit:
        """The test that a person chose for the node."""
        raise NotImplementedError

    def branch_stats(self, tested: TestedSplit) -> Floats:
        """Class weights of a test's branches, [branches, K], rows without a value included."""
        tree, is_own = self.tree, tested.kind is not None or not self.is_by_hand
        if is_own and tree.feature[self.node] >= 0 and tree.origin is None:
            return tree.stats[list(tree.children_of(self.node))]
        return self.stats_of_branches(tested)

    def stats_of_branches(self, tested: TestedSplit) -> Floats:
        """The same of a test that the node was not split by."""
        raise NotImplementedError

    def bits(self, tested: TestedSplit) -> SplitBits | None:
        """The node and a test's branches in bits; None where the thresholds of the node are not all known."""
        raise NotImplementedError

    def unlisted_gain(self, features: Sequence[FeatureCandidates]) -> float | None:
        """The most that a threshold not among the candidates could gain; None where all are."""
        return None

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The branches from the root to the node, by which it draws features and thresholds."""
        return tuple(branch for _, branch in self.tree.path_to(self.node))

    def drawn(self, features: list[FeatureCandidates]) -> Bools | None:
        """Which of the features with candidates the node drew; None where all compete."""
        return drawn_features(len(features), self.path, self.parameters)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person decided the node."""
        return self.tree.node(self.node).is_forced or self.tree.stop[self.node] == LOCKED

    def reason_to_undo(self, winner: TestedSplit) -> int:
        """Why χ² or bits would undo the winning split where a person decided otherwise; SPLIT if they would not."""
        recipe = self.tree.recipe
        by_p = recipe.score == "p_value"
        if recipe.chi2_level is not None and not by_p and self.chi2(winner).p > recipe.chi2_level:
            return NOT_SIGNIFICANT
        return NOT_SHORTER if recipe.mdl_stop and not self._is_shorter(winner) else SPLIT

    def stop_reason(self, competition: Competition, winner: TestedSplit | None) -> int:
        """Why the node is a leaf by the recipe; SPLIT where it is none."""
        depth = int(self.tree.depth[self.node])
        reason = int(stop_before_search(self.parameters, self.stats, self.is_pure, depth, self.n_features))
        reason = reason or competition.reason
        stopped = int(self.tree.stop[self.node])
        if reason == SPLIT and self.is_by_hand and winner is not None:
            return self.reason_to_undo(winner)
        return stopped if reason == SPLIT and stopped in _UNDONE else reason

    def chi2(self, tested: TestedSplit) -> Chi2:
        """The χ² test of a test's branches and the classes."""
        return chi2_test(as_row_weights(self.branch_stats(tested), self.tree.class_factors))

    def _is_shorter(self, winner: TestedSplit) -> bool:
        """Whether the winning split takes fewer bits than a leaf."""
        bits = self.bits(winner)
        return bits is None or bits.is_shorter


@dataclass(frozen=True)
class RowSearch(NodeSearch):
    """A node with the rows that it had in training."""

    used: Dataset
    at_node: NodeRows

    @property
    def n_rows(self) -> int:
        """How many training rows the node has."""
        return len(self.at_node.rows)

    @property
    def is_pure(self) -> bool:
        """Whether all rows of the node agree in the target."""
        return bool(np.ptp(self.used.y[self.at_node.rows]) == 0)

    def counts(self, column_index: int) -> Contingency:
        """A column's counts at the node."""
        mean = self.stats[1] if self.parameters.regression else 0.0
        rows, weights = self.at_node.rows, self.at_node.weights
        return count_rows(self.columns[column_index], rows, self.used.y, weights, self.parameters, mean)

    def feature_candidates(
        self, only: Sequence[int] | None = None
    ) -> tuple[list[FeatureCandidates], list[int], dict[str, Remark]]:
        """The features (`only` some columns) that have candidates, their column indices, and why others have none."""
        map_columns = shared_pool().map if len(self.at_node.rows) > ROWS_TO_LIST_IN_THREADS else map
        features, column_indices, absent = list[FeatureCandidates](), list[int](), dict[str, Remark]()
        searched = range(len(self.columns)) if only is None else only
        for index, candidates in zip(searched, map_columns(self.candidates_of, searched), strict=True):
            if isinstance(candidates, FeatureCandidates):
                candidates = self.with_drawn_threshold(candidates, len(features))
                features.append(candidates)
                column_indices.append(index)
            else:
                absent[self.columns[index].encoding.name] = candidates
        return features, column_indices, absent

    def candidates_of(self, column_index: int) -> FeatureCandidates | Remark:
        """A column's candidates at the node, or why it has none."""
        return self.excluded[column_index] if column_index in self.excluded else self.candidates_in(column_index)

    def candidates_in(self, column_index: int) -> FeatureCandidates | Remark:
        """The same for a column that the node may test."""
        counts = self.counts(column_index)
        if not can_split(self.columns[column_index], counts, self.parameters):
            return Remark("one_value" if len(counts.codes) else "all_missing")
        column = self.columns[column_index]
        candidates = FeatureCandidates(column, counts, self.stats, self.parameters, bounds=self.bounds)
        return candidates if len(candidates) else Remark("values_merged")

    def with_drawn_threshold(self, candidates: FeatureCandidates, position: int) -> FeatureCandidates:
        """The candidates of a numeric feature with the threshold that the node drew, where it draws thresholds."""
        column, counts = candidates.column, candidates.counts
        drawn = draw_threshold(column, counts, self.path, position, self.parameters)
        if drawn is None:
            return candidates
        return FeatureCandidates(column, counts, self.stats, self.parameters, drawn, self.bounds)

    def forced_split(self) -> TestedSplit:
        """The test that a person chose for the node."""
        column_index, request = int(self.tree.feature[self.node]), SplitRequest.of(self.condition)
        counts = self.counts(column_index)
        column = self.columns[column_index]
        custom_split = CustomSplit(request, column, counts, self.stats, self.parameters, self.bounds)
        return TestedSplit(custom_split, column_index, TESTS[self.condition.kind])

    def stats_of_branches(self, tested: TestedSplit) -> Floats:
        """Class weights of the branches that a test divides the rows into, [branches, K]."""
        classes = self.used.y[self.at_node.rows].astype(np.intp)
        excluded = excluded_features(self.tree, self.node, tested.column_index)
        split = split_rows(tested.candidates, self.at_node, self.columns, tested.column_index, classes, excluded)
        branches = [statistics(self.used, branch.rows, branch.weights, self.parameters) for branch in split.branches]
        return np.stack(branches)

    def bits(self, tested: TestedSplit) -> SplitBits | None:
        """The node and a test's branches in bits; a feature forbidden by hand counts as a feature to choose from."""
        features = len(self.columns) - len(used_up_features(self.tree, self.node))
        stats = np.vstack([self.stats, self.branch_stats(tested)])
        return bits_of_split(self.tree, stats, features, tested.test, len(tested.candidates.counts.codes))


@dataclass(frozen=True)
class FetchedSearch(RowSearch):
    """A node of a connected table with its rows, which were fetched; the rest of the table is known by counts."""

    table: TrainingTable

    @property
    def training_columns(self) -> list[TrainingColumn]:
        """The columns as all training rows have them."""
        return self.table.columns


@dataclass(frozen=True)
class CountedSearch(NodeSearch):
    """A node of a connected table with its counts: of every feature, the best candidate and those at ends of cells."""

    counted: CountedNode
    target: NodeTarget

    @property
    def n_rows(self) -> int:
        """How many training rows the node has."""
        return self.target.n_rows

    @property
    def is_pure(self) -> bool:
        """Whether all rows of the node agree in the target."""
        if self.parameters.regression:
            return self.target.low == self.target.high
        return int((self.stats > 0).sum()) <= 1

    def feature_candidates(self) -> tuple[list[FeatureCandidates], list[int], dict[str, Remark]]:
        """The features that have candidates, their column indices, and why the others have none."""
        features, column_indices, absent = list[FeatureCandidates](), list[int](), dict[str, Remark]()
        for index, column in enumerate(self.columns):
            feature = self.counted.features.get(index)
            if feature is not None and feature.candidates is not None:
                features.append(feature.candidates)
                column_indices.append(index)
            elif index in self.excluded:
                absent[column.encoding.name] = self.excluded[index]
            else:
                has_values = feature is not None and len(feature.counts.codes)
                absent[column.encoding.name] = Remark("one_value" if has_values else "all_missing")
        return features, column_indices, absent

    def stats_of_branches(self, tested: TestedSplit) -> Floats:
        """Class weights of a test's branches, [branches, K]."""
        return tested.candidates.branches(tested.candidates.best)

    def bits(self, tested: TestedSplit) -> SplitBits | None:
        """None, as not every threshold of the node is known."""
        return None

    def unlisted_gain(self, features: Sequence[FeatureCandidates]) -> float | None:
        """The most that a threshold inside a cell of several values could gain; None where there is no such cell."""
        return self.counted.greatest_unlisted()


def node_search(tree: Tree, data: Dataset | Source, node: int) -> NodeSearch | None:
    """A node with its training rows, ready to be searched; None for an empty branch.

    A large node of a connected table has counts instead, and a small one is fetched.
    """
    tree.node(node)
    if isinstance(data, Source):
        return None if tree.stop[node] == EMPTY else _search_of_source(tree, data, node)
    return row_search(tree, data, node)


def row_search(tree: Tree, data: Dataset, node: int) -> RowSearch | None:
    """A node with its training rows in memory; None for an empty branch."""
    used = training_rows_of(tree, data)
    columns = columns_for(used, tree.recipe)
    _check_columns(tree, columns)
    if tree.stop[node] == EMPTY:
        return None
    parameters = parameters_for(tree.recipe, used, factors=NONE if tree.class_factors is None else tree.class_factors)
    at_node = node_rows_at(tree, used, node)
    stats = statistics(used, at_node.rows, at_node.weights, parameters)
    return RowSearch(tree, node, columns, parameters, stats, float(used.weight_of_rows().sum()), used, at_node)


def _check_columns(tree: Tree, columns: Sequence[TrainingColumn]) -> None:
    if [column.encoding.name for column in columns] != [usage.name for usage in tree.features]:
        raise InputError(message("These rows have other features than the tree was grown on: give its training set."))


def _search_of_source(tree: Tree, source: Source, node: int) -> NodeSearch:
    """A node of a connected table: its rows where they are few, else counts."""
    source.workspace.check_unchanged()
    if (source.target.name, source.classes) != (tree.target, tree.classes):
        raise InputError(message("The tree predicts another target than the connected table has: grow on this table."))
    table = training_table(source, tree.recipe, with_info=True)
    _check_columns(tree, table.columns)
    if abs(table.total_weight - tree.weight[0]) > 1e-9 * tree.weight[0]:
        raise InputError(message("The tree was not grown on these rows: give its training set."))
    routing = _routing_to(tree, table, node)
    target = source.engine.targets(routing, [node])[node]
    if target.n_rows <= ROWS_TO_FETCH:
        data = rows_of_block(table, source.engine.rows(routing, [node])[node])
        at_node = NodeRows(np.arange(data.n_rows), data.weight_of_rows())
        stats = statistics(data, at_node.rows, at_node.weights, table.parameters)
        columns = columns_of_rows(table, data)
        return FetchedSearch(tree, node, columns, table.parameters, stats, table.total_weight, data, at_node, table)
    stats = table.stats_of(target)
    search = NodeSearch(tree, node, table.columns, table.parameters, stats, table.total_weight)
    centre = source.layout.centre
    bounds = Bounds(search.bounds.lower - centre, search.bounds.upper - centre)
    excluded = frozenset(search.excluded) | empty_columns(table.columns)
    open_node = OpenNode(node, search.path, stats, target.n_rows, excluded, bounds)
    counted = search_alone(replace(table, offset=centre), routing, open_node)
    return CountedSearch(tree, node, table.columns, table.parameters, stats, table.total_weight, counted, target)


def _routing_to(tree: Tree, table: TrainingTable, node: int) -> Routing:
    """The tests that lead to a node of a grown tree."""
    above = {step for step, _ in tree.path_to(node)}
    tests = [test for test in routing_of(tree, table.source).tests if test.node in above]
    return replace(table.routing, tests=tuple(tests))
