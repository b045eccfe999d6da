"""What the loops for plain tables work on: four bytes for a cell, or one where its column is counted.

A column is *sorted* or *counted*. Of a sorted one there is the order of the rows by its value, and a bit that marks the
first row of every value; a node is the same segment [start, end) in every order, and a split divides each segment in
place (SLIQ: Mehta, Agrawal and Rissanen 1996). Of a counted one there are the codes: a node counts its classes by value
in a pass over its rows (as SPRINT does for categories: Shafer, Agrawal and Mehta 1996), and a split divides only the
list of rows. Counted are columns whose tests have a branch for each value, with two classes all of ≤ 256 values, and
with more classes by Gini those of few values.
"""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.growing.scans.keys import STARTS_VALUE
from explorer.growing.scans.problem import centre
from explorer.jit import kernel
from explorer.recipe.columns import EACH_VALUE, TrainingColumn
from explorer.recipe.impurity import ENTROPY, GINI, xlog2x
from explorer.recipe.parameters import GrowParameters
from explorer.threads import by_all_threads

MOST_COUNTED = 256
"""Values up to which a column is counted: its codes fit into a byte."""
MOST_COUNTS = 200
"""Values times classes up to which counting a column with more than two classes takes less time than sorting it."""


class PlainTable(NamedTuple):
    """Arrays of one run of growing. `orders`, `rows` and `branch` are rewritten by splits, nothing else.

    `orders` [s, n] are the keys of the sorted columns, row and bit; `rows` [n] the rows of the nodes and `codes` [n, c]
    for counted columns, both empty where there are none. `place` [F] is the row of a column in `orders`, or −1 less its
    column in `codes`. `has_ties` [F] says whether rows agree in a value, `offsets` [F + 1] where the codes of a column
    begin in `in_training`, which is filled for tests with a branch per value. `logs` [W + 1] is w·log2 w of every whole
    weight, empty where no sorted column is searched by entropy. `weights` [n] are whole numbers, None where every row
    weighs 1: loops are compiled for either. Where nodes draw, `lines` [n, s] are the codes of the sorted columns, and
    of those whose thresholds are drawn keys of four bytes that rise with the numbers (`key_of`); `cells` [n, s] are
    these numbers, where keys lose digits. `ones` [n] are then a row's weight in the lower byte, and in the upper one
    its class or, with two classes, its weight in the second.
    """

    orders: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    codes: NDArray[np.uint8]
    lines: NDArray[np.int32]
    cells: NDArray[np.float64]
    ones: NDArray[np.uint16]
    classes: NDArray[np.uint8]
    numbers: NDArray[np.float64]
    weights: NDArray[np.uint8] | None
    branch: NDArray[np.uint8]
    place: NDArray[np.int64]
    tests: NDArray[np.int64]
    n_values: NDArray[np.int64]
    has_ties: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    in_training: NDArray[np.bool_]
    many_values: NDArray[np.bool_]
    logs: NDArray[np.float64]
    total_weight: float


class NodeRows(NamedTuple):
    """The rows of a node: [start, end) of the list of rows and, if it `is_ordered`, of every sorted column.

    `path` is the hash of the node's path, by which it draws.
    """

    start: int
    end: int
    is_ordered: bool
    path: int


def plain_table(data: Dataset, columns: list[TrainingColumn], parameters: GrowParameters) -> PlainTable:
    """Sort or copy every column (in parallel)."""
    n = data.n_rows
    tests = np.array([column.test for column in columns], dtype=np.int64)
    n_values = np.array([column.n_values for column in columns], dtype=np.int64)
    is_counted, sorted_at, counted_at = _are_counted(tests, n_values, parameters).tolist(), count(0), count(-1, -1)
    place = np.array([next(counted_at if is_one else sorted_at) for is_one in is_counted], dtype=np.int64)
    n_counted = sum(is_counted)
    orders = np.empty((len(columns) - n_counted, n), np.uint32)
    codes = np.empty((n, n_counted), np.uint8)

    def lay_out(column_at: tuple[TrainingColumn, int]) -> bool:
        column, at = column_at
        if at >= 0:
            return bool(sort_rows(column.codes, column.n_values, orders[at]) < n)
        codes[:, -1 - at] = column.codes
        return True

    has_ties = np.array(by_all_threads(lay_out, list(zip(columns, place.tolist(), strict=True)), n))
    has_logs = parameters.impurity == ENTROPY and not data.is_regression and orders.size
    by_value = tests == EACH_VALUE
    seen = [columns[i].in_training[: columns[i].n_values] for i in np.flatnonzero(by_value)]
    return PlainTable(
        orders=orders,
        rows=np.arange(n if codes.size else 0, dtype=np.uint32),
        codes=codes,
        lines=np.empty((0, len(orders)), np.int32),
        cells=np.empty((0, 0)),
        ones=np.empty(0, np.uint16),
        **target_of(data, data.y),
        weights=None,
        branch=np.zeros(n, np.uint8),
        place=place,
        tests=tests,
        n_values=n_values,
        has_ties=has_ties,
        offsets=np.concatenate([[0], np.cumsum(np.where(by_value, n_values, 0))]),
        in_training=np.concatenate([np.empty(0, np.bool_), *seen]),
        many_values=np.array([column.has_many_values for column in columns], dtype=np.bool_),
        logs=table_of_logs(n) if has_logs else np.empty(0),
        total_weight=float(n),
    )


def _are_counted(
    tests: NDArray[np.int64], n_values: NDArray[np.int64], parameters: GrowParameters
) -> NDArray[np.bool_]:
    """Which columns with these tests and numbers of values are counted, [F]."""
    if parameters.regression:
        return np.zeros(len(tests), dtype=bool)
    n_classes = parameters.n_stats
    most = MOST_COUNTED if n_classes == 2 else min(MOST_COUNTED, MOST_COUNTS // n_classes)
    has_few = (n_values <= most) if n_classes == 2 or parameters.impurity == GINI else np.zeros(len(tests), dtype=bool)
    return (tests == EACH_VALUE) | has_few


def target_of(data: Dataset, y: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The classes or the centred numbers of rows with these targets [n]; `data` has those that are grown on."""
    if data.is_regression:
        return {"classes": np.empty(0, np.uint8), "numbers": np.ascontiguousarray(y - centre(data))}
    return {"classes": y.astype(np.uint8), "numbers": np.empty(0)}


def small_table(table: PlainTable, n: int) -> PlainTable:
    """A table like this one with room for `n` rows that are not in order."""
    return table._replace(
        rows=np.empty(n, np.uint32),
        codes=np.empty((n, table.codes.shape[1]), np.uint8),
        lines=np.empty((n, table.lines.shape[1]), np.int32),
        cells=np.empty((n, table.cells.shape[1])),
        ones=np.empty(n if table.ones.size else 0, np.uint16),
        classes=np.empty(n if table.classes.size else 0, np.uint8),
        numbers=np.empty(n if table.numbers.size else 0),
        weights=None if table.weights is None else np.empty(n, np.uint8),
        branch=np.empty(n, np.uint8),
    )


@kernel
def sort_rows(codes, n_values, order):
    """Write the rows by code, equal ones ascending, into `order`, with the bit at the first row of every value.

    Returns how many of the values the rows have.
    """
    ends = np.zeros(n_values + 1, np.int32)
    for code in codes:
        ends[code + 1] += 1
    for code in range(n_values):
        ends[code + 1] += ends[code]
    for row in range(codes.size):
        order[ends[codes[row]]] = row
        ends[codes[row]] += 1
    start, n_present = 0, 0
    for code in range(n_values):  # every end is now that of its own code
        if ends[code] > start:
            order[start] |= STARTS_VALUE
            n_present += 1
        start = ends[code]
    return n_present


@kernel
def table_of_logs(n):
    """w·log2 w of the whole weights up to `n`, [n + 1]."""
    logs = np.empty(n + 1)
    for weight in range(n + 1):
        logs[weight] = xlog2x(float(weight))
    return logs
