"""A node searched by counts: its candidates at the ends of cells, and the cells that could hold a better one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from explorer.candidates.candidates import FeatureCandidates, can_split
from explorer.candidates.competition import Competition, drawn_features, select_split
from explorer.candidates.counts import Bools, Contingency, Floats, weights_of
from explorer.growing.from_counts.bounds import least_that_can_win, upper_gains
from explorer.growing.from_counts.cells import Cells, cells_of_bins, column_of
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.feature_constraints import Bounds
from explorer.recipe.missing import MOST_COMMON, past_half
from explorer.recipe.parameters import node_impurity


@dataclass(frozen=True, eq=False)
class OpenNode:
    """A node still to be split: its place, statistics and rows, the columns that it may not test and those above it."""

    node: int
    path: tuple[int, ...]
    stats: Floats
    n_rows: int
    excluded: frozenset[int]
    bounds: Bounds
    tested: tuple[int, ...] = ()

    @property
    def depth(self) -> int:
        """How many tests lead to the node."""
        return len(self.path)


@dataclass(eq=False)
class CountedFeature:
    """A feature at a node: by its codes, or by cells that are looked into where a threshold inside could win."""

    column: TrainingColumn
    counts: Contingency
    candidates: FeatureCandidates | None
    cells: Cells | None = None

    @property
    def is_settled(self) -> bool:
        """Whether every cell has a single value."""
        return self.cells is None or bool(self.cells.is_exact.all())

    @property
    def may_split(self) -> bool:
        """Whether it is not known yet that the rows have two values, as all are in one cell that is not exact."""
        return self.candidates is None and not self.is_settled

    @property
    def n_boundaries(self) -> int:
        """How many candidates are boundaries between cells."""
        return max(len(self.counts.codes) - 1, 0)

    def undecided(self) -> Bools:
        """Which boundaries send the missing rows to a side that depends on the values beside them, [v − 1].

        It is so where missing rows follow the median and half of the others lie on either side.
        """
        if self.cells is None or self.candidates is None or not self.counts.missing.any():
            return np.zeros(self.n_boundaries, dtype=bool)
        if self.candidates.parameters.missing != MOST_COMMON:
            return np.zeros(self.n_boundaries, dtype=bool)
        weights = np.cumsum(weights_of(self.counts.table, self.candidates.parameters))
        at_half = [past_half(weight, weights[-1]) == 0 for weight in weights[:-1]]
        return ~self.cells.has_decided & np.array(at_half, dtype=bool)

    @property
    def best_gain(self) -> float:
        """The largest gain of a test that is sure to be a candidate of the recipe; −inf without one."""
        if self.candidates is None:
            return -np.inf
        competes = self.candidates.admissible.copy()
        if self.cells is not None:
            competes[: self.n_boundaries] &= ~self.undecided()
        return float(self.candidates.gain[competes].max(initial=-np.inf))


@dataclass(eq=False)
class CountedNode:
    """All features of a node that it may test, by column index."""

    table: TrainingTable
    open: OpenNode
    features: dict[int, CountedFeature] = field(default_factory=dict)
    per_feature: bool = False
    """Whether every feature's best test must be exact, not only the winner's."""

    def count(self, counts: list[Floats]) -> None:
        """Take the counts [codes + 1, K] of every column."""
        for column in range(len(self.table.columns)):
            if column in self.open.excluded:
                continue
            if self.table.columns[column].test == THRESHOLD:
                self.put(column, cells_of_bins(self.table.layout(column), counts[column]))
            else:
                contingency = self.table.contingency_of_codes(column, counts[column], self.open.stats)
                self.features[column] = self._feature(self.table.columns[column], contingency)

    def put(self, column: int, cells: Cells) -> None:
        """Take the cells of a numeric column, some of them looked into."""
        training = self.table.columns[column]
        own = column_of(training, cells, self.table.layout(column), self.table.parameters.threshold_at)
        contingency = self.table.contingency(cells.table, cells.missing, self.open.stats)
        self.features[column] = self._feature(own, contingency, cells)

    def _feature(self, column: TrainingColumn, counts: Contingency, cells: Cells | None = None) -> CountedFeature:
        parameters, candidates = self.table.parameters, None
        if can_split(column, counts, parameters):
            candidates = FeatureCandidates(column, counts, self.open.stats, parameters, bounds=self.open.bounds)
        return CountedFeature(column, counts, candidates, cells)

    @property
    def splittable(self) -> list[int]:
        """The columns that have candidates, ascending."""
        return [column for column, feature in self.features.items() if feature.candidates is not None]

    @property
    def draws(self) -> bool:
        """Whether the node tests some of its features only."""
        return self.table.parameters.max_features < len(self.table.columns)

    def drawn(self) -> Bools | None:
        """Which of the splittable features compete; None where all do."""
        return drawn_features(len(self.splittable), self.open.path, self.table.parameters)

    def wanted(self) -> dict[int, Bools]:
        """The cells to be looked into, by column: those that could hold a test at least as good as the best known."""
        unsure = {column: feature for column, feature in self.features.items() if feature.may_split}
        if self.draws and unsure:  # what a node draws from depends on how many features have two values
            return {column: np.ones(1, dtype=bool) for column, feature in unsure.items() if len(feature.counts.codes)}
        drawn, splittable = self.drawn(), self.splittable
        competing = splittable if drawn is None else [c for c, may in zip(splittable, drawn, strict=True) if may]
        common = max((self.features[column].best_gain for column in competing), default=-np.inf)
        found = dict[int, Bools]()
        for column in (*competing, *unsure):
            feature = self.features[column]
            which = self._alive(feature, feature.best_gain if self.per_feature else common)
            if which.any():
                found[column] = which
        return found

    def _alive(self, feature: CountedFeature, floor: float) -> Bools:
        """The cells of a feature in which, or at whose ends, a test may gain as much as the floor but for rounding."""
        if feature.cells is None or feature.is_settled:
            return np.zeros(len(feature.counts.codes), dtype=bool)
        parameters, stats = self.table.parameters, self.open.stats
        limit = least_that_can_win(floor, float(node_impurity(parameters, stats))) if floor > -np.inf else -np.inf
        alive = upper_gains(feature.counts, stats, feature.column, parameters, limit) >= limit
        if feature.candidates is not None:
            ends = feature.candidates.admissible & (feature.candidates.gain >= limit)
            reaching = ends[: feature.n_boundaries] | feature.undecided()
            alive[:-1] |= reaching
            alive[1:] |= reaching
        return alive & ~feature.cells.is_exact

    def greatest_unlisted(self) -> float | None:
        """The most that a threshold inside a cell could gain; None where every cell has a single value."""
        bounds = [
            upper_gains(f.counts, self.open.stats, f.column, self.table.parameters)[~f.cells.is_exact].max()
            for f in self.features.values()
            if f.cells is not None and not f.is_settled
        ]
        return float(max(bounds)) if bounds else None

    def compete(self) -> tuple[Competition, list[int]]:
        """The competition of the features, and the columns that they are."""
        splittable = self.splittable
        features = [f for column in splittable if (f := self.features[column].candidates) is not None]
        stats, parameters = self.open.stats, self.table.parameters
        return select_split(features, stats, parameters, self.table.total_weight, is_drawn=self.drawn()), splittable
