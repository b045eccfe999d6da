"""Nodes that have become small are fetched, and their subtrees grown in memory by the compiled loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.data.dataset import Dataset
from explorer.growing.engine.branches import BranchPlace, WholeTable, grow_branch
from explorer.growing.engine.node_tables import Tables
from explorer.growing.from_counts.counted_node import OpenNode
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.recipe.columns import THRESHOLD, TrainingColumn
from explorer.recipe.feature_constraints import Bounds
from explorer.sources.counting import RowBlock
from explorer.sources.rows_in_memory import dataset_of


def grow_fetched(table: TrainingTable, node: OpenNode, block: RowBlock, keep: bool) -> Tables:
    """The table of nodes below a node, from its rows."""
    data = rows_of_block(table, block)
    centre = table.source.layout.centre
    bounds = Bounds(node.bounds.lower + centre, node.bounds.upper + centre)
    place = BranchPlace(node.node, node.depth, node.path, bounds, node.tested)
    whole = WholeTable(table.total_weight, centre)
    return grow_branch(data, columns_of_rows(table, data), node.excluded, table.parameters, whole, place, keep)


def rows_of_block(table: TrainingTable, block: RowBlock) -> Dataset:
    """Rows in memory with growing weights; numbers have the values of these rows."""
    data, factors = dataset_of(table.source.layout, block), table.factors
    return replace(data, weights=data.weight_of_rows() * factors[data.y]) if factors.size else data


def columns_of_rows(table: TrainingTable, data: Dataset) -> list[TrainingColumn]:
    """The training columns with the codes of these rows."""
    places = zip(table.columns, table.codings, strict=True)
    return [_with_codes(column, coding.edges, data, coding.column) for column, coding in places]


def _with_codes(
    column: TrainingColumn, edges: tuple[float, ...] | None, data: Dataset, position: int
) -> TrainingColumn:
    feature, codes = data.features[position], data.codes[position]
    if column.test == THRESHOLD:
        seen = np.append(np.ones(feature.n_values, dtype=bool), column.lacks_values)
        return replace(column, codes=codes, n_values=feature.n_values, listed=feature.listed, seen=seen)
    if edges is not None:
        code_of_value = np.append(np.searchsorted(edges, feature.values), len(edges) + 1)
        codes = code_of_value[codes].astype(np.int32)
    return replace(column, codes=codes)
