"""Growing with the readable layer alone: slow, and a second witness of what the fast loops do.

It serves small tables while the fast loops are still being compiled, and tests hold the two against each other. It
also grows the nodes that choices are about or below; the branches under these can be handed over to the fast loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.competition import select_split, statistics
from explorer.candidates.counts import Contingency, count_rows
from explorer.candidates.custom_split import CustomSplit
from explorer.candidates.surrogates import SurrogateSplit
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import ConstraintTracker, GrowPosition, NodeConstraints
from explorer.growing.engine.node_tables import SurrogateTables, Tables
from explorer.growing.engine.problem import centre
from explorer.growing.node_rows import NodeRows, send
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.columns import USED_UP, TrainingColumn, kind_of
from explorer.recipe.parameters import (
    EMPTY,
    LOCKED,
    SPLIT,
    node_impurity,
    node_weight,
    parameters_for,
    stop_before_search,
)
from explorer.recipe.recipe import Recipe
from explorer.tree.constraints import branch_text


class Branch(NamedTuple):
    """A part of the table that no choice is about: its node, rows and depth, and the features that are closed to it."""

    node: int
    part: NodeRows
    depth: int
    closed: frozenset[int]


@dataclass
class _Growth:
    """The table of nodes while it is being filled; with `hands_over`, only as far as the choices reach."""

    data: Dataset
    columns: list[TrainingColumn]
    recipe: Recipe
    factors: Floats
    steering: ConstraintTracker | None = None
    hands_over: bool = False
    keep: bool = False
    ints: list[list[int]] = field(default_factory=list)
    floats: list[list[float]] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    evidence: list[Floats] = field(default_factory=list)
    mimic_ints: list[tuple[int, ...]] = field(default_factory=list)
    mimic_floats: list[tuple[float, ...]] = field(default_factory=list)
    mimic_pairs: list[tuple[int, int]] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = parameters_for(self.recipe, self.data, factors=self.factors)
        self.total = float(self.data.weight_of_rows().sum())
        self.shift = centre(self.data) if self.rules.regression else 0.0

    def add(
        self, part: NodeRows, parent: int, branch: int, depth: int, spent: frozenset[int], spot: GrowPosition
    ) -> None:
        """Write a node, choose its test, and go on with its branches."""
        node, stats = self._write(part, parent, branch, depth)
        here = self.steering.at(spot) if self.steering is not None else NodeConstraints(spot)
        closed = spent | here.spot.forbidden.keys()
        if not len(part.rows):
            self._refuse(here, "no training row comes here")
        elif self.hands_over and here.is_quiet and len(closed) < len(self.columns):
            self.branches.append(Branch(node, part, depth, closed))
        else:
            reason, chosen = self._decided(part, stats, depth, closed, node, here)
            self.ints[node][4] = reason
            if chosen is not None:
                self._split(node, part, depth, spent, here.spot, *chosen)

    def _write(self, part: NodeRows, parent: int, branch: int, depth: int) -> tuple[int, Floats]:
        """Add a node to the table; gives its id and its statistics."""
        node, rules, rows = len(self.ints), self.rules, part.rows
        stats = statistics(self.data, rows, part.weights, rules) if len(rows) else np.zeros(rules.n_stats)
        weight = float(node_weight(rules, stats))
        self.ints.append([parent, branch, -1, depth, EMPTY, -1, 0])
        shown = stats - np.array([0.0, self.shift, 0.0]) if rules.regression and len(rows) else stats
        self.floats.append([weight, float(node_impurity(rules, stats)) if weight else 0.0, np.nan, 0.0, *shown])
        if self.keep:
            self.evidence.append(np.full((len(self.columns), 3), np.nan))
        return node, stats

    def _decided(
        self, part: NodeRows, stats: Floats, depth: int, closed: frozenset[int], node: int, here: NodeConstraints
    ) -> tuple[int, tuple[int, FeatureCandidates] | None]:
        """Whether the node stops, and if not, the place and the tests of the column it is split by."""
        asked = self._asked(part, stats, here)
        if isinstance(asked, int):
            return asked, None
        pure = bool(np.ptp(self.data.y[part.rows]) == 0)
        reason = int(stop_before_search(self.rules, stats, pure, depth, len(self.columns) - len(closed)))
        if reason == SPLIT and (asked is None or self.keep):
            features, places = self._search(part, stats, closed)
            self._note(node, features, places)
            contest = select_split(features, stats, self.rules, self.total)
            reason = contest.reason
            if asked is None and reason == SPLIT:
                asked = places[contest.winner], features[contest.winner]
        return (reason, None) if asked is None else (SPLIT, asked)

    def _asked(
        self, part: NodeRows, stats: Floats, here: NodeConstraints
    ) -> int | tuple[int, FeatureCandidates] | None:
        """What a choice makes of the node: LOCKED, or a split; None where no choice can decide it."""
        if self.steering is None or here.deciding is None:
            return None
        question = self.steering.question(here.deciding)
        if question is None:
            return LOCKED
        place = self.steering.places[question.feature]
        try:
            return place, CustomSplit(
                question, self.columns[place], self._counts(place, part, stats), stats, self.rules
            )
        except InputError as error:
            self._refuse(here, str(error))
            return None

    def _refuse(self, here: NodeConstraints, reason: str) -> None:
        if self.steering is not None and here.deciding is not None:
            self.steering.refuse(here.deciding, reason)

    def _counts(self, place: int, part: NodeRows, stats: Floats) -> Contingency:
        mean = stats[1] if self.rules.regression else 0.0
        return count_rows(self.columns[place], part.rows, self.data.y, part.weights, self.rules, mean)

    def _search(
        self, part: NodeRows, stats: Floats, closed: frozenset[int]
    ) -> tuple[list[FeatureCandidates], list[int]]:
        """The features with a test to offer, and their places among the columns."""
        features, places = [], []
        for place, column in enumerate(self.columns):
            counts = self._counts(place, part, stats)
            if place not in closed and len(counts.codes) > 1:
                features.append(FeatureCandidates(column, counts, stats, self.rules))
                places.append(place)
        return features, places

    def _note(self, node: int, features: list[FeatureCandidates], places: list[int]) -> None:
        """Keep gain, split information and threshold of every feature's best candidate."""
        for place, found in zip(places, features, strict=True):
            if self.keep and not np.isnan(found.best_gain):
                cut = found.condition(found.best).threshold
                self.evidence[node][place] = (
                    found.best_gain,
                    found.split_info[found.best],
                    np.nan if cut is None else cut,
                )

    def _split(
        self,
        node: int,
        part: NodeRows,
        depth: int,
        spent: frozenset[int],
        spot: GrowPosition,
        place: int,
        found: FeatureCandidates,
    ) -> None:
        column, classes = self.columns[place], self._classes(part.rows)
        sent = send(found, part, self.columns, place, classes, spot.forbidden)
        self.ints[node][2], self.ints[node][5], self.ints[node][6] = place, sent.missing_branch, len(sent.parts)
        branch_of_code, condition = sent.branch_of_code, found.condition(found.best)
        if condition.threshold is not None:
            self.floats[node][2] = condition.threshold
        else:
            self.pairs += [(node, int(c), int(branch_of_code[c])) for c in np.flatnonzero(branch_of_code >= 0)]
            condition = replace(condition, kind=kind_of(column.encoding.test, [len(b) for b in condition.branches]))
        self.floats[node][3] = float(part.weights[column.codes[part.rows] >= column.missing_code].sum())
        self._keep(node, sent.surrogates)
        below = spent | {place} if condition.kind in USED_UP else spent
        for i, rows in enumerate(sent.parts):
            self.add(rows, node, i, depth + 1, below, spot.below(i, branch_text(condition, i)))

    def _keep(self, node: int, found: list[SurrogateSplit]) -> None:
        """Write the node's surrogates."""
        for one in found:
            codes = np.flatnonzero(one.branch_of_code >= 0) if np.isnan(one.cut) else np.empty(0, np.intp)
            below, above = (-1, -1) if np.isnan(one.cut) else one.branch_of_code[[0, -1]].tolist()
            self.mimic_ints.append((node, one.column_index, below, above, len(codes)))
            self.mimic_floats.append((one.cut, one.agreement, one.adjusted))
            self.mimic_pairs += [(int(code), int(one.branch_of_code[code])) for code in codes]

    def _classes(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The class of each row, 0 for a numeric target."""
        return np.zeros(len(rows), np.intp) if self.rules.regression else self.data.y[rows].astype(np.intp)


def grow_by_definition(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    factors: Floats = NONE,
    steering: ConstraintTracker | None = None,
) -> Tables:
    """The table of nodes of the tree on all rows of `data` (parents before children), steered by choices."""
    return _tables(_grown(_Growth(data, columns, recipe, factors, steering)))


def grow_as_far_as_chosen(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    factors: Floats,
    steering: ConstraintTracker,
    keep: bool,
) -> tuple[Tables, list[Branch]]:
    """The table of the nodes that choices are about or below, and the branches still to be grown under them."""
    growth = _grown(_Growth(data, columns, recipe, factors, steering, hands_over=True, keep=keep))
    return _tables(growth), growth.branches


def _grown(growth: _Growth) -> _Growth:
    data = growth.data
    growth.add(NodeRows(np.arange(data.n_rows), data.weight_of_rows()), -1, 0, 0, frozenset(), GrowPosition())
    return growth


def _tables(growth: _Growth) -> Tables:
    return Tables(
        0,
        np.array(growth.ints, dtype=np.int32),
        np.array(growth.floats, dtype=np.float64),
        np.array(growth.pairs, dtype=np.int32).reshape(-1, 3),
        np.stack(growth.evidence) if growth.keep else np.empty((0, len(growth.columns), 3)),
        SurrogateTables(
            np.array(growth.mimic_ints, dtype=np.int32).reshape(-1, 5),
            np.array(growth.mimic_floats, dtype=np.float64).reshape(-1, 3),
            np.array(growth.mimic_pairs, dtype=np.int32).reshape(-1, 2),
        ),
    )
