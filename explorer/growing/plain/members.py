"""The table of one of many trees on the same rows: some of the rows, with weights and targets of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.growing.engine.best_split import draws
from explorer.growing.plain.drawing import keeps_order
from explorer.growing.plain.table import PlainTable, table_of_logs, target_of
from explorer.growing.scans.keys import ROW_MASK, STARTS_VALUE
from explorer.jit import kernel
from explorer.recipe.columns import EACH_VALUE, THRESHOLD, TrainingColumn, have_many_values
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import BY_GAIN_RATIO

HEAVIEST, MOST_WEIGHT = 255, (1 << 31) - 1
"""Whole weights up to the first fit into a byte; sums up to the second into the four bytes that a node has for each."""
MOST_LOGS = 1 << 22
"""So many logarithms are looked up at most, unless there are rows for half of them: they take 8 bytes each."""


def most_weight(table: PlainTable) -> int:
    """The largest sum of weights with which these loops grow from a table."""
    return max(MOST_LOGS, 2 * table.logs.size) if table.logs.size else MOST_WEIGHT


def whole_weights(weights: NDArray[np.float64] | None, most: int = MOST_WEIGHT) -> NDArray[np.uint8] | None:
    """Weights [n] as whole numbers, no array where all rows that have one weigh 1.

    Raises ValueError if they are not whole, or add up to more than `most`.
    """
    if weights is None or ((weights == 1.0) | (weights == 0.0)).all():
        return None
    whole = np.minimum(weights, HEAVIEST).astype(np.uint8)
    if not np.array_equal(whole, weights):
        raise ValueError("weights are not whole")
    if int(whole.sum(dtype=np.int64)) > most:
        raise ValueError("weights add up to too much")
    return whole


def with_draws(table: PlainTable, columns: list[TrainingColumn], random_thresholds: bool) -> PlainTable:
    """The table with what nodes that draw look up by row: codes of the sorted columns, or the numbers of thresholds."""
    n, in_order = len(table.branch), np.flatnonzero(table.place >= 0).tolist()
    has_ranks = not random_thresholds or bool((table.tests[in_order] != THRESHOLD).any())
    ranks = np.empty((n, len(in_order) if has_ranks else 0), np.uint32)
    for i, feature in enumerate(in_order if has_ranks else ()):
        ranks[:, i] = columns[feature].codes
    cells = np.zeros((n, len(columns) if random_thresholds else 0))
    for feature in np.flatnonzero(table.tests == THRESHOLD).tolist() if random_thresholds else ():
        cells[:, feature] = np.asarray(columns[feature].listed, np.float64)[columns[feature].codes]
    return table._replace(ranks=ranks, cells=cells)


def table_of_member(
    table: PlainTable,
    columns: list[TrainingColumn],
    parameters: GrowParameters,
    data: Dataset,
    y: NDArray[Any],
    used: NDArray[np.bool_] | None,
    weights: NDArray[np.uint8] | None,
) -> PlainTable:
    """A table to be divided, on the rows that are `used` [n], None for all, of these weights and targets `y` [n].

    `data` are these rows, without their codes.
    """
    is_drawing, n_rows = draws(parameters, len(columns)), data.n_rows
    rows = table.rows.copy()
    if is_drawing or (rows.size and used is not None):
        rows = np.arange(len(y), dtype=np.uint32) if used is None else np.flatnonzero(used).astype(np.uint32)
    if is_drawing and not data.is_regression and not keeps_order(parameters, n_rows, len(columns)):
        orders = np.empty((len(table.orders), 0), np.uint32)
    else:
        orders = table.orders.copy() if used is None else kept_orders(table.orders, used, n_rows)
    total = float(data.weight_of_rows().sum())
    table = table._replace(
        orders=orders,
        rows=rows,
        **target_of(data, y),
        weights=weights,
        branch=np.zeros_like(table.branch),
        total_weight=total,
        logs=table_of_logs(int(total)) if table.logs.size <= total and table.logs.size else table.logs,
    )
    if used is None:
        return table
    seen = [_seen_codes(column, used) if column.test == EACH_VALUE else np.empty(0, np.bool_) for column in columns]
    table = table._replace(in_training=np.concatenate([np.empty(0, np.bool_), *seen]))
    if parameters.score == BY_GAIN_RATIO:
        n_values, size = np.array([of_column.sum() for of_column in seen]), max(total, float(n_rows))
        table = table._replace(many_values=have_many_values(n_values, table.tests, size))
    return table


def _seen_codes(column: TrainingColumn, used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which values of a column the rows that are used have."""
    return np.bincount(column.codes[used], minlength=column.n_values) > 0


@kernel
def kept_orders(orders, is_kept, n_kept):
    """The keys of the rows that are kept, in the same order, [s, n_kept + 1], with the bits of their values."""
    kept = np.empty((orders.shape[0], n_kept + 1), np.uint32)
    for column in range(orders.shape[0]):
        position, bit, of_column = np.uint64(0), np.uint32(0), kept[column]
        for key in orders[column]:
            row = key & ROW_MASK
            bit |= key & STARTS_VALUE
            of_column[position] = row | bit
            is_one = np.uint32(is_kept[row])
            position += np.uint64(is_one)
            bit &= is_one - np.uint32(1)
    return kept
