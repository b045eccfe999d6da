"""The table of one of many trees on the same rows: some of the rows, with weights and targets of its own."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.growing.engine.best_split import draws
from explorer.growing.plain.drawing import keeps_order, key_of
from explorer.growing.plain.table import PlainTable, table_of_logs, target_of
from explorer.growing.scans.keys import ROW_MASK, STARTS_VALUE, weight_in
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
    """The table with what nodes that draw look up by row: codes of the sorted columns, or keys for thresholds."""
    place, is_threshold, has_ties = table.place.copy(), table.tests == THRESHOLD, table.has_ties
    if random_thresholds:  # of counted columns too
        is_new = is_threshold & (place < 0)
        place[is_new] = len(table.orders) + np.arange(is_new.sum())
        has_ties = has_ties | is_new
    in_order = np.flatnonzero(place >= 0).tolist()
    n, lines = len(table.branch), np.empty((len(table.branch), len(in_order)), np.int32)
    lost = False
    for feature in in_order:
        lines[:, place[feature]] = columns[feature].codes
        if random_thresholds and is_threshold[feature]:
            numbers = _numbers_of(columns[feature])
            lines[:, place[feature]] = keys_of(numbers)[columns[feature].codes]
            with np.errstate(over="ignore"):
                lost |= bool((numbers.astype(np.float32) != numbers).any() or np.signbit(numbers[numbers == 0.0]).any())
    cells = np.zeros((n, len(in_order) if lost else 0))
    for feature in in_order if lost else ():
        if is_threshold[feature]:
            cells[:, place[feature]] = _numbers_of(columns[feature])[columns[feature].codes]
    return table._replace(lines=lines, cells=cells, place=place, has_ties=has_ties)


def _numbers_of(column: TrainingColumn) -> NDArray[np.float64]:
    """The values of a numeric column, ascending."""
    return np.asarray(column.listed, np.float64)


@kernel
def keys_of(numbers):
    """The key of each number."""
    keys = np.empty(numbers.size, np.int32)
    for i in range(numbers.size):
        keys[i] = key_of(numbers[i])
    return keys


@kernel
def ones_of(classes, weights, n_classes):
    """Weight and class of each row, as `PlainTable.ones` has them."""
    ones = np.empty(classes.size, np.uint16)
    for row in range(classes.size):
        weight, k = weight_in(weights, row), np.int64(classes[row])
        ones[row] = weight | ((k * weight if n_classes == 2 else k) << 8)
    return ones


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
    total, of_target = float(data.weight_of_rows().sum()), target_of(data, y)
    table = table._replace(
        orders=orders,
        rows=rows,
        **of_target,
        weights=weights,
        ones=ones_of(of_target["classes"], weights, parameters.n_stats) if is_drawing else table.ones,
        branch=np.zeros_like(table.branch),
        total_weight=total,
        logs=table_of_logs(int(total)) if table.logs.size <= total and table.logs.size else table.logs,
    )
    if used is not None:
        seen = [_seen_codes(column, used) for column in columns if column.test == EACH_VALUE]
        table = table._replace(in_training=np.concatenate([np.empty(0, np.bool_), *seen]))
    if parameters.score == BY_GAIN_RATIO:
        n_values = np.array([table.in_training[start:end].sum() for start, end in pairwise(table.offsets)])
        many_values = have_many_values(n_values, table.tests, max(total, float(n_rows)))
        table = table._replace(many_values=many_values)
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
