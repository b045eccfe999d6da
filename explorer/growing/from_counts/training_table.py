"""The training rows of a source as counting knows them: their columns, and what is measured on all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.candidates.counts import Bools, Contingency, Floats
from explorer.data.codes.feature import Feature
from explorer.errors import InputError
from explorer.growing.from_counts.cells import Cells, bins_of, cells_of_bins, cells_of_codes, cells_of_values, codes_in
from explorer.growing.from_counts.supported import MOST_VALUES, refuse_missing, refuse_recipe, refuse_values
from explorer.messages import message
from explorer.recipe.class_weights import NONE, factors_of, importance_of
from explorer.recipe.columns import THRESHOLD, TrainingColumn, bin_edges, binned_column, plain_column, with_recipe
from explorer.recipe.parameters import GrowParameters, node_weight, parameters_for
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.sources.counting import Coding, ColumnLayout, NodeTarget
from explorer.sources.routing import Routing
from explorer.sources.source import Source

NO_CODES = np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """What is known of all training rows. `columns` are those that the recipe uses, `codings` how each is counted.

    `routing` has the rows, all at the root; `root` is the target there, `root_counts` [codes + 1, K] those of every
    column, and `remarks` say what was left out.
    """

    source: Source
    recipe: Recipe
    routing: Routing
    root: NodeTarget
    root_counts: list[Floats]
    columns: list[TrainingColumn]
    codings: list[Coding]
    parameters: GrowParameters
    factors: Floats
    remarks: tuple[Remark, ...] = ()
    offset: float = 0.0
    """What is added to means that are shown: 0 while growing, where the layout's centre stays taken off."""

    @property
    def total_weight(self) -> float:
        """The growing weight of all rows."""
        return float(node_weight(self.parameters, self.stats_of(self.root)))

    def layout(self, column: int) -> ColumnLayout:
        """How the engine has the column at a position of `columns`."""
        return self.source.layout.columns[self.codings[column].column]

    def growing(self, counts: Floats) -> Floats:
        """Counts in growing weights."""
        return counts * self.factors if self.factors.size else counts

    def stats_of(self, target: NodeTarget) -> Floats:
        """The statistics of a node, a numeric target less the layout's centre."""
        if not self.source.is_regression:
            return self.growing(target.counts)
        weight, total, squares = target.counts
        if target.low == target.high:
            return np.array([weight, target.low - self.source.layout.centre, 0.0])
        return np.array([weight, total / weight, max(squares - total * total / weight, 0.0)])

    def contingency(self, table: Floats, missing: Floats, stats: Floats) -> Contingency:
        """Counts by code [v, K] of a node with these statistics; all codes have rows."""
        codes = np.arange(len(table))
        if not self.source.is_regression:
            return Contingency(codes, self.growing(table), self.growing(missing), 0.0)
        mean = float(stats[1])
        return Contingency(codes, around(table, mean), around(missing[None], mean)[0], mean + self.offset)

    def contingency_of_codes(self, column: int, counts: Floats, stats: Floats) -> Contingency:
        """Counts [codes + 1, K] of a column whose codes are categories or intervals, missing ones last."""
        known, missing = counts[:-1], counts[-1]
        if self.columns[column].missing_code < self.columns[column].n_values:
            known, missing = counts, np.zeros(counts.shape[1])
        present = np.flatnonzero(known.any(axis=1))
        return replace(self.contingency(known[present], missing, stats), codes=present)


def around(moments: Floats, mean: float) -> Floats:
    """Moments (W, Σd, Σd²) [v, 3] around a mean instead of 0."""
    weight, sums, squares = moments.T
    return np.stack([weight, sums - weight * mean, squares - mean * (2.0 * sums - weight * mean)], axis=1)


def training_table(source: Source, recipe: Recipe, with_info: bool) -> TrainingTable:
    """The training rows of a source for a recipe. Raises InputError where the recipe needs more than counts.

    It is kept with the source until another recipe is asked for: a click on a node asks for the same one again.
    """
    facts, key = source.workspace.facts, (source.part, source.complete, recipe)
    table: TrainingTable | None = facts.get(key)
    if table is None:
        table = _training_table(source, recipe)
        facts.clear()  # another thread may do so at any time
        facts[key] = table
    return replace(table, source=source, parameters=parameters_for(recipe, source, with_info, table.factors))


def training_part(source: Source, recipe: Recipe) -> Source:
    """The rows of a source that growing uses: policy "drop" leaves out those with a missing cell in a feature."""
    return replace(source, complete=_complete(source, recipe, _used(source, recipe)).complete)


def _used(source: Source, recipe: Recipe) -> list[int]:
    """The columns that a tree may test."""
    return [i for i, f in enumerate(source.features) if f.type != "numeric" or recipe.numeric != "leave_out"]


def _training_table(source: Source, recipe: Recipe) -> TrainingTable:
    refuse_recipe(recipe, source)
    used = _used(source, recipe)
    routing = source.routing
    root, complete = _target(source, routing), _complete(source, recipe, used)
    n_rows = root.n_rows
    if complete.complete:
        routing, root = complete, _target(source, complete)
    factors = _factors(source, recipe, root)
    labelled = [_with_labels(source, recipe, i) for i in used]
    intervals = _edges(source, recipe, routing, root.n_rows, factors, dict(zip(used, labelled, strict=True)))
    edges = [intervals.get(i) for i in used]
    codings = [_coding(i, feature, bins) for i, feature, bins in zip(used, labelled, edges, strict=True)]
    found = source.engine.bins(routing, [0], codings)
    root_counts = [found[0, position] for position in range(len(codings))]
    plain = [
        replace(_column(feature, recipe, bins), seen=_seen(feature, recipe, counts))
        for feature, bins, counts in zip(labelled, edges, root_counts, strict=True)
    ]
    names = {feature.name for feature in (*source.features, source.target)}
    size = max(float(root.counts[0] if source.is_regression else root.counts.sum()), float(root.n_rows))
    columns = with_recipe(plain, source, names, recipe, size)
    refuse_missing(recipe, source, columns)
    parameters = parameters_for(recipe, source, factors=factors)
    left_out = n_rows - root.n_rows
    remarks = (Remark("rows_with_missing_cells", (left_out, n_rows)),) if left_out else ()
    return TrainingTable(source, recipe, routing, root, root_counts, columns, codings, parameters, factors, remarks)


def _target(source: Source, routing: Routing) -> NodeTarget:
    found = source.engine.targets(routing, [0])
    if 0 not in found:
        raise InputError(
            message("Every row has a missing cell and policy 'drop' leaves none: use 'most_common' instead.")
            if routing.complete
            else message("The training set has no rows: give at least one.")
        )
    return found[0]


def _complete(source: Source, recipe: Recipe, used: Sequence[int]) -> Routing:
    """The rows that growing uses: policy "drop" leaves out those with a missing cell in a column that has values."""
    routing = source.routing
    lacking = [i for i in used if source.layout.columns[i].n_missing]
    if recipe.missing != "drop" or not lacking:
        return routing
    counts = source.engine.bins(routing, [0], [Coding(i) for i in lacking])
    has_values = [i for position, i in enumerate(lacking) if counts[0, position][:-1].any()]
    return replace(routing, complete=tuple(has_values))


def _factors(source: Source, recipe: Recipe, root: NodeTarget) -> Floats:
    """Growing weight per row weight of every class; empty where all are alike."""
    if recipe.class_pairs is None and recipe.cost_pairs is None:
        return NONE
    return factors_of(importance_of(recipe.class_pairs, recipe.cost_pairs, source), root.counts)


def _with_labels(source: Source, recipe: Recipe, column: int) -> Feature:
    """The feature, with its values where each of them has a branch."""
    layout = source.layout.columns[column]
    if not layout.is_numeric or recipe.numeric != "each_value":
        return layout.feature
    if layout.n_distinct is None or layout.n_distinct > MOST_VALUES:
        refuse_values(layout.feature.name, layout.n_distinct)
    every = np.arange(layout.n_codes, dtype=np.int64)
    values, _ = source.engine.values(Routing(), {(0, column): every})[0, column]
    return replace(layout.feature, listed=values)


def _edges(
    source: Source, recipe: Recipe, routing: Routing, n_rows: int, factors: Floats, features: Mapping[int, Feature]
) -> dict[int, Floats]:
    """The inner edges of the codes of numbers where the recipe's tests are on intervals, by column."""
    numeric = [column for column, feature in features.items() if feature.kind == "numeric"]
    if recipe.numeric == "each_value":
        return {column: features[column].values[:-1] for column in numeric}
    if recipe.numeric != "bins" or not numeric:
        return {}
    return quantile_edges(source, recipe.bins, routing, n_rows, factors, numeric)


def quantile_edges(
    source: Source, bins: int, routing: Routing, n_rows: int, factors: Floats, columns: Sequence[int]
) -> dict[int, Floats]:
    """The edges of equal-frequency bins: cells that hold a quantile are looked into until their values are known."""
    engine, layouts = source.engine, source.layout.columns
    counted = engine.bins(routing, [0], [Coding(column) for column in columns])
    cells = {column: cells_of_bins(layouts[column], counted[0, i]) for i, column in enumerate(columns)}
    n_known = {column: _n_known(source, routing, n_rows, column) for column in columns if len(cells[column])}

    def held(is_open: Callable[[Cells], Bools]) -> dict[int, Bools]:
        """The open cells that hold a quantile."""
        found = {
            column: holds_quantile(cells[column], _weights(source, cells[column], factors), bins, n)
            & is_open(cells[column])
            for column, n in n_known.items()
        }
        return {column: which for column, which in found.items() if which.any()}

    wide = held(lambda of_column: of_column.last > of_column.first)
    wanted = {(0, c): bins_of(layouts[c], cells[c].first[which]) for c, which in wide.items()}
    for (_, c), (codes, counts) in (engine.fine(routing, wanted) if wanted else {}).items():
        cells[c] = cells[c].looked_into(wide[c], cells_of_codes(layouts[c], codes, counts))
    unsure = held(lambda of_column: ~of_column.is_exact)
    wanted = {(0, c): codes_in(cells[c], which) for c, which in unsure.items()}
    for (_, c), (values, counts) in (engine.values(routing, wanted) if wanted else {}).items():
        cells[c] = cells[c].looked_into(unsure[c], cells_of_values(layouts[c], values, counts))
    edges = {}
    for c, n in n_known.items():
        values = np.where(cells[c].is_exact, cells[c].value, np.append(layouts[c].edges, np.inf)[cells[c].last])
        edges[c] = bin_edges(values, _weights(source, cells[c], factors), bins, n)
    return {column: edges.get(column, np.empty(0)) for column in columns}


def _n_known(source: Source, routing: Routing, n_rows: int, column: int) -> int:
    """How many of the rows have a value of a column, some at least."""
    if not source.layout.columns[column].n_missing:
        return n_rows
    return source.engine.targets(replace(routing, complete=(*routing.complete, column)), [0])[0].n_rows


def _weights(source: Source, cells: Cells, factors: Floats) -> Floats:
    """The growing weight of every cell."""
    if source.is_regression:
        return cells.table[:, 0]
    return np.asarray(cells.table @ factors if factors.size else cells.table.sum(axis=1))


def holds_quantile(cells: Cells, weights: Floats, bins: int, n_rows: int) -> Bools:
    """Which cells overlap with a row at a quantile (see `columns.quantiles`), and their neighbours but for rounding."""
    ends = np.cumsum(weights)
    width = min(1.0, ends[-1] / n_rows)
    starts = np.arange(1, bins) / bins * (ends[-1] - width)
    slack = 1e-9 * ends[-1]
    first = np.searchsorted(ends, starts - slack, side="left")
    last = np.minimum(np.searchsorted(ends, starts + width + slack, side="right"), len(ends) - 1)
    held = np.zeros(len(cells), dtype=bool)
    for low, high in zip(first, last, strict=True):
        held[low : high + 1] = True
    return held


def _coding(column: int, feature: Feature, edges: Floats | None) -> Coding:
    return Coding(column, None if edges is None else tuple(edges.tolist()))


def _column(feature: Feature, recipe: Recipe, edges: Floats | None) -> TrainingColumn:
    """A column without codes; a threshold's has one value that stands for any."""
    if feature.kind == "numeric" and recipe.numeric == "bins" and edges is not None:
        return binned_column(feature, NO_CODES, edges)
    column = plain_column(feature, NO_CODES, recipe)
    assert column is not None, "numbers are left out before"
    return replace(column, n_values=1, listed=np.full(1, np.nan)) if column.test == THRESHOLD else column


def _seen(feature: Feature, recipe: Recipe, counts: Floats) -> Bools:
    """Which codes training rows have, that of a missing cell last."""
    has_rows: Bools = (counts != 0).any(axis=1)
    if feature.kind == "numeric" and recipe.numeric == "threshold":
        return np.array([has_rows[:-1].any(), has_rows[len(has_rows) - 1]])
    return has_rows
