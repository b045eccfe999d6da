"""Growing with the readable layer alone: slow, and the reference that the compiled loops are tested against.

It serves small tables while the compiled loops are not ready yet. It also grows the nodes that choices are about, and
those above them; the branches below can be handed over to the compiled loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import NO_BOUNDS, FeatureCandidates, can_split
from explorer.candidates.competition import Competition, drawn_features, select_split, statistics
from explorer.candidates.counts import Bools, Contingency, count_rows
from explorer.candidates.custom_split import CustomSplit
from explorer.candidates.surrogates import SurrogateSplit
from explorer.candidates.threshold import CustomThreshold, draw_threshold
from explorer.data.dataset import Dataset
from explorer.growing.constraints import ConstraintTracker, GrowPosition, NodeConstraints, excluded_beside
from explorer.growing.engine.node_tables import STOP, NodeList, Tables
from explorer.growing.engine.upper_tree import Progress
from explorer.growing.node_rows import NodeRows, split_rows
from explorer.growing.scans.problem import centre
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.columns import USED_UP, TrainingColumn, empty_columns, kind_of
from explorer.recipe.feature_constraints import Bounds, not_beside, value_of
from explorer.recipe.parameters import LOCKED, SPLIT, parameters_for, stop_before_search
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import ImpossibleSplitError, Remark
from explorer.tree.constraints import branch_text


class Branch(NamedTuple):
    """A subtree that no choice is about: its root with its rows and depth, and the features that it may not test."""

    node: int
    at_node: NodeRows
    depth: int
    excluded: frozenset[int]
    path: tuple[int, ...]
    bounds: Bounds
    tested: tuple[int, ...]


@dataclass
class ReferenceTree:
    """The table of nodes while it is being filled; with `hands_over`, only nodes with choices and those above them."""

    data: Dataset
    columns: list[TrainingColumn]
    recipe: Recipe
    factors: Floats
    tracker: ConstraintTracker | None = None
    hands_over: bool = False
    keep: bool = False
    branches: list[Branch] = field(default_factory=list)
    bounds: dict[int, Bounds] = field(default_factory=dict)
    """Of every node searched here, those that monotone constraints above it set."""
    open_nodes: list[Callable[[], None]] = field(default_factory=list)
    """What grows the nodes that are written and not yet searched, the next one last."""
    done: int = 0
    """How many rows are in leaves."""

    def __post_init__(self) -> None:
        self.parameters = parameters_for(self.recipe, self.data, factors=self.factors)
        self.nodes = NodeList(self.parameters, len(self.columns), self.keep)
        self.sets = [column.sets for column in self.columns]
        self.total_weight = float(self.data.weight_of_rows().sum())
        self.shift = centre(self.data) if self.parameters.regression else 0.0

    def grow(
        self,
        node: int,
        stats: Floats,
        at_node: NodeRows,
        depth: int,
        used_up: frozenset[int],
        position: GrowPosition,
        bounds: Bounds = NO_BOUNDS,
    ) -> None:
        """Choose the test of a node that is written, and open its branches."""
        constraints = self.tracker.at(position) if self.tracker is not None else NodeConstraints(position)
        kept_out = not_beside(self.sets, position.tested)
        excluded = used_up | constraints.position.forbidden.keys() | kept_out.keys()
        if not len(at_node.rows):
            self._refuse(constraints, Remark("no_training_row"))
        elif self.hands_over and constraints.is_quiet and len(excluded) < len(self.columns):
            self.branches.append(Branch(node, at_node, depth, excluded, position.path, bounds, position.tested))
        else:
            self.bounds[node] = bounds
            reason, chosen = self._choose_split(at_node, stats, depth, excluded, node, constraints)
            self.nodes.ints[node][STOP] = reason
            if chosen is not None:
                self._split(node, at_node, depth, used_up, constraints.position, *chosen)
            else:
                self.done += len(at_node.rows)

    def write(self, at_node: NodeRows) -> tuple[int, Floats]:
        """Add a node to the table; returns its id and its statistics."""
        parameters, rows = self.parameters, at_node.rows
        stats = statistics(self.data, rows, at_node.weights, parameters) if len(rows) else np.zeros(parameters.n_stats)
        is_shifted = parameters.regression and len(rows)
        return self.nodes.add(stats, stats - np.array([0.0, self.shift, 0.0]) if is_shifted else stats), stats

    def _choose_split(
        self,
        at_node: NodeRows,
        stats: Floats,
        depth: int,
        excluded: frozenset[int],
        node: int,
        constraints: NodeConstraints,
    ) -> tuple[int, tuple[int, FeatureCandidates] | None]:
        """Why the node stops, or SPLIT with the index and the candidates of the column that it is split by."""
        requested = self._requested_split(at_node, stats, constraints)
        if isinstance(requested, int):
            return requested, None
        is_pure, n_left = self._is_pure(at_node), len(self.columns) - len(excluded)
        reason = int(stop_before_search(self.parameters, stats, is_pure, depth, n_left))
        if reason == SPLIT and (requested is None or self.keep):
            path = constraints.position.path
            features, column_indices = self._search(at_node, stats, excluded, path, self.bounds[node])
            is_drawn = drawn_features(len(features), path, self.parameters)
            self.nodes.record_evidence(node, features, column_indices, is_drawn)
            competition = self._compete(features, stats, is_drawn)
            reason = competition.reason
            if requested is None and reason == SPLIT:
                requested = column_indices[competition.winner], features[competition.winner]
        return (reason, None) if requested is None else (SPLIT, requested)

    def _is_pure(self, at_node: NodeRows) -> bool:
        """Whether all rows of the node agree in the target."""
        return bool(np.ptp(self.data.y[at_node.rows]) == 0)

    def _compete(self, features: list[FeatureCandidates], stats: Floats, is_drawn: Bools | None = None) -> Competition:
        """Let the features compete, or those that are drawn."""
        return select_split(features, stats, self.parameters, self.total_weight, is_drawn=is_drawn)

    def _requested_split(
        self, at_node: NodeRows, stats: Floats, constraints: NodeConstraints
    ) -> int | tuple[int, FeatureCandidates] | None:
        """What a choice makes of the node: LOCKED, or a split; None where no choice decides it."""
        if self.tracker is None or constraints.deciding is None:
            return None
        request = self.tracker.request(constraints.deciding)
        if request is None:
            return LOCKED
        column_index = self.tracker.column_indices[request.feature]
        beside = not_beside(self.sets, constraints.position.tested).get(column_index)
        if beside is not None:
            self._refuse(constraints, excluded_beside([column.encoding.name for column in self.columns], beside))
            return None
        try:
            return column_index, CustomSplit(
                request, self.columns[column_index], self._counts(column_index, at_node, stats), stats, self.parameters
            )
        except ImpossibleSplitError as error:
            self._refuse(constraints, error.remark)
            return None

    def _refuse(self, constraints: NodeConstraints, reason: Remark) -> None:
        if self.tracker is not None and constraints.deciding is not None:
            self.tracker.refuse(constraints.deciding, reason)

    def _counts(self, column_index: int, at_node: NodeRows, stats: Floats) -> Contingency:
        mean = stats[1] if self.parameters.regression else 0.0
        return count_rows(self.columns[column_index], at_node.rows, self.data.y, at_node.weights, self.parameters, mean)

    def _candidates(
        self,
        column_index: int,
        at_node: NodeRows,
        counts: Contingency,
        stats: Floats,
        drawn: CustomThreshold | None = None,
        bounds: Bounds = NO_BOUNDS,
    ) -> FeatureCandidates:
        """A column's candidates at the node, with the threshold that is drawn there."""
        return FeatureCandidates(self.columns[column_index], counts, stats, self.parameters, drawn, bounds)

    def _search(
        self, at_node: NodeRows, stats: Floats, excluded: frozenset[int], path: tuple[int, ...], bounds: Bounds
    ) -> tuple[list[FeatureCandidates], list[int]]:
        """The features that have candidates, and their column indices."""
        features, column_indices = list[FeatureCandidates](), list[int]()
        for column_index, column in enumerate(self.columns):
            counts = self._counts(column_index, at_node, stats)
            if column_index not in excluded and can_split(self.columns[column_index], counts, self.parameters):
                drawn = draw_threshold(column, counts, path, len(features), self.parameters)
                candidates = self._candidates(column_index, at_node, counts, stats, drawn, bounds)
                if len(candidates):  # not where all values are merged
                    features.append(candidates)
                    column_indices.append(column_index)
        return features, column_indices

    def _split(
        self,
        node: int,
        at_node: NodeRows,
        depth: int,
        used_up: frozenset[int],
        position: GrowPosition,
        column_index: int,
        candidates: FeatureCandidates,
    ) -> None:
        """Carry out a node's split, and grow its branches."""
        column, classes = self.columns[column_index], self._classes(at_node.rows)
        no_surrogates = {**position.forbidden, **not_beside(self.sets, (*position.tested, column_index))}
        split = split_rows(candidates, at_node, self.columns, column_index, classes, no_surrogates)
        condition = candidates.condition(candidates.best)
        missing_weight = float(at_node.weights[column.codes[at_node.rows] >= column.missing_code].sum())
        self.nodes.split(
            node, column_index, len(split.branches), (split.missing_branch, missing_weight), condition.threshold,
            split.branch_of_code,
        )  # fmt: skip
        if condition.threshold is None:
            condition = replace(condition, kind=kind_of(column.encoding.test, [len(b) for b in condition.branches]))
        self._write_surrogates(node, split.surrogates)
        below = used_up | {column_index} if condition.kind in USED_UP else used_up
        bounds = self._bounds_below(node, column.monotone, split.branches)
        written = [self.write(rows) for rows in split.branches]
        children = list(enumerate(zip(split.branches, written, strict=True)))
        for i, (rows, (child, stats)) in reversed(children):  # the first branch is the next to be taken
            place = position.below(i, branch_text(condition, i), column_index)
            self.open_nodes.append(partial(self.grow, child, stats, rows, depth + 1, below, place, bounds[i]))

    def _bounds_below(self, node: int, sign: int, branches: list[NodeRows]) -> list[Bounds]:
        """The bounds of every branch, by monotone constraints."""
        own = self.bounds[node]
        if sign == 0:
            return [own] * len(branches)
        stats = (statistics(self.data, rows.rows, rows.weights, self.parameters) for rows in branches)
        first, second = (float(value_of(self.parameters, numbers)) for numbers in stats)
        return [own.below(sign, branch, first, second) for branch in range(2)]

    def _write_surrogates(self, node: int, surrogates: list[SurrogateSplit]) -> None:
        """Write the node's surrogates."""
        for surrogate in surrogates:
            codes = np.flatnonzero(surrogate.branch_of_code >= 0) if np.isnan(surrogate.cut) else np.empty(0, np.intp)
            below, above = (-1, -1) if np.isnan(surrogate.cut) else surrogate.branch_of_code[[0, -1]].tolist()
            self.nodes.surrogate_ints.append((node, surrogate.column_index, below, above, len(codes)))
            self.nodes.surrogate_floats.append((surrogate.cut, surrogate.agreement, surrogate.adjusted))
            self.nodes.surrogate_pairs += [(int(code), int(surrogate.branch_of_code[code])) for code in codes]

    def _classes(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The class of each row, 0 for a numeric target."""
        return np.zeros(len(rows), np.intp) if self.parameters.regression else self.data.y[rows].astype(np.intp)


def grow_by_definition(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    factors: Floats = NONE,
    tracker: ConstraintTracker | None = None,
    progress: Progress | None = None,
    keep: bool = False,
) -> Tables:
    """The table of nodes of the tree on all rows of `data` (parents before children), constrained by choices."""
    return grow_from_root(ReferenceTree(data, columns, recipe, factors, tracker, keep=keep), progress).nodes.tables()


def grow_constrained_nodes(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    factors: Floats,
    tracker: ConstraintTracker,
    keep: bool,
) -> tuple[Tables, list[Branch]]:
    """The table of the nodes that choices are about, those above them included, and the branches still to be grown."""
    reference = grow_from_root(ReferenceTree(data, columns, recipe, factors, tracker, hands_over=True, keep=keep))
    return reference.nodes.tables(), reference.branches


def grow_from_root(reference: ReferenceTree, progress: Progress | None = None) -> ReferenceTree:
    """Fill the table, beginning with all rows at the root; `progress` is called at every node and may stop it."""
    at_root = NodeRows(np.arange(reference.data.n_rows), reference.data.weight_of_rows())
    node, stats = reference.write(at_root)
    reference.grow(node, stats, at_root, 0, empty_columns(reference.columns), GrowPosition())
    while reference.open_nodes:
        if progress is not None:
            progress(min(reference.done, reference.data.n_rows), reference.data.n_rows)
        reference.open_nodes.pop()()
    return reference
