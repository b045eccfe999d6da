"""What the compiled loops work on: the sorted keys of every column, and the target.

A *key* packs a cell into 64 bits, its rank code in the high half and its row in the low half. Each column's keys are
sorted once, before growing starts (presorting, as in SLIQ: Mehta, Agrawal and Rissanen 1996). A node is the same
segment [start, end) in every column, and a split partitions each segment in place.

Compiled functions take their arguments in one order: problem, parameters, what is looked at (a feature, a segment or a
split), the node's statistics, then working memory and what is written to. A named tuple costs a compiled function
nothing: its fields are passed as if they were arguments of their own.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.quantile_loss import N_SUMS
from explorer.data.dataset import Dataset
from explorer.jit import borrowing, inlined, inner, kernel
from explorer.recipe.columns import TrainingColumn

ROW_BITS = 32
ROW_MASK = (1 << ROW_BITS) - 1
ROWS_TO_SORT_IN_THREADS = 20_000
"""Rows from which sorting or reordering a column is worth handing to another thread."""


class TargetOrder(NamedTuple):
    """The rows of every node in ascending order of a numeric target, where the loss is around a quantile; else empty.

    `keys` [n] are reordered by splits as those of a column are. Of the node that was ranked last, `places` [rows] says
    where each of its rows is there, `end_of` [n], at the node's start, where it ends, and `numbers` and `weights` [n]
    are those of its rows. `one_group` [n] are zeros, `sums` [n, 5] is working memory, at a node's start too.
    """

    keys: NDArray[np.int64]
    places: NDArray[np.int64]
    end_of: NDArray[np.int64]
    one_group: NDArray[np.int64]
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]
    sums: NDArray[np.float64]


def _order_of(keys: NDArray[np.int64], n_rows: int) -> TargetOrder:
    """The order of these keys, for a table of so many rows."""
    n = len(keys)
    numbers, weights = np.zeros((2, n))
    one_group, end_of = np.zeros((2, n), np.int64)
    return TargetOrder(keys, np.zeros(n_rows, np.int64), end_of, one_group, numbers, weights, np.zeros((n, N_SUMS)))


NO_ORDER = _order_of(np.empty(0, np.int64), 0)


class Problem(NamedTuple):
    """Arrays of one run of growing.

    Splits reorder `keys` [F, n] and `by_target`, and rewrite `branch` [n], nothing else. `centre` is what has been
    taken off the numbers, in whose order `by_target` is. `offsets` [F + 1] says where a feature's codes begin in
    `values` and `in_training`: one entry per code, and one for missing cells. `monotone` [F] are the signs of
    constraints, `bounds` [2] what those above the first node allow; `interactions` [S, F] are the sets of features that
    may be tested on a path, those that hold all features tested above the first node, none without constraints.
    """

    keys: NDArray[np.int64]
    classes: NDArray[Any]
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]
    branch: NDArray[np.uint16]
    n_values: NDArray[np.int64]
    tests: NDArray[np.int64]
    has_missing: NDArray[np.bool_]
    missing_codes: NDArray[np.int64]
    in_training: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    values: NDArray[np.float64]
    costs: NDArray[np.float64]
    many_values: NDArray[np.bool_]
    monotone: NDArray[np.int64]
    bounds: NDArray[np.float64]
    interactions: NDArray[np.bool_]
    total_weight: float
    centre: float
    by_target: TargetOrder = NO_ORDER


class Segment(NamedTuple):
    """One column's keys at a node, sorted in [start, end), beside the target and the weight of every row.

    `classes` is empty for a numeric target, `numbers` for classes, `weights` where every row weighs 1.
    """

    keys: NDArray[np.int64]
    classes: NDArray[Any]
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]
    start: int
    end: int


def problem_for(data: Dataset, columns: list[TrainingColumn], pool: Executor) -> Problem:
    """Sort every column's keys (in parallel) and lay out the rest."""
    n = data.n_rows
    keys = np.empty((len(columns), n), dtype=np.int64)
    n_values = np.array([column.n_values for column in columns], dtype=np.int64)

    def sort_column(i: int) -> None:
        sort_keys(columns[i].codes, columns[i].n_values, keys[i])

    map_columns = pool.map if n > ROWS_TO_SORT_IN_THREADS else map
    list(map_columns(sort_column, range(len(columns))))
    offsets = np.concatenate([[0], np.cumsum(n_values + 1)])
    values = np.full(int(offsets[-1]), np.nan)
    for i, column in enumerate(columns):
        values[offsets[i] : offsets[i] + len(column.listed)] = column.listed
    return Problem(
        keys=keys,
        **target_arrays(data, data.y),
        weights=np.empty(0) if data.weights is None else np.ascontiguousarray(data.weights),
        branch=np.zeros(n, dtype=np.uint16),
        n_values=n_values,
        tests=np.array([column.test for column in columns], dtype=np.int64),
        has_missing=np.array([column.in_training[column.n_values] for column in columns]),
        missing_codes=np.array([column.missing_code for column in columns], dtype=np.int64),
        in_training=np.concatenate([column.in_training for column in columns]),
        offsets=offsets,
        values=values,
        costs=np.array([column.cost for column in columns], dtype=np.float64),
        many_values=np.array([column.has_many_values for column in columns], dtype=np.bool_),
        monotone=np.array([column.monotone for column in columns], dtype=np.int64),
        bounds=np.array([-np.inf, np.inf]),
        interactions=_sets_of_interactions(columns),
        total_weight=float(data.weight_of_rows().sum()),
        centre=centre(data) if data.is_regression else 0.0,
    )


def _sets_of_interactions(columns: list[TrainingColumn]) -> NDArray[np.bool_]:
    """Which features each set of interactions holds, [S, F]."""
    own_sets = [column.sets or frozenset() for column in columns]
    return np.array(
        [[which in own for own in own_sets] for which in sorted(frozenset().union(*own_sets))], bool
    ).reshape(-1, len(columns))


def target_arrays(data: Dataset, y: NDArray[Any]) -> dict[str, Any]:
    """The classes or the centred numbers of rows with these targets [n]; `data` has those that are grown on."""
    if data.is_regression:
        return {"classes": np.empty(0, np.uint8), "numbers": np.ascontiguousarray(y - centre(data))}
    fits_a_byte = len(data.classes) <= 256
    return {"classes": y.astype(np.uint8 if fits_a_byte else np.uint16), "numbers": np.empty(0)}


def order_of_target(problem: Problem) -> TargetOrder:
    """All rows of a problem in ascending order of their numbers."""
    rows = problem.keys[0] & ROW_MASK
    return _order_of(rows[np.argsort(problem.numbers[rows], kind="stable")], len(problem.numbers))


@kernel
def sort_keys(codes, n_values, keys):
    """Write the keys of a column's rows into `keys` [n], by code and then by row: a sort that counts the codes."""
    ends = np.zeros(n_values + 2, np.int64)  # the code above all values is that of missing cells
    for code in codes:
        ends[code + 1] += 1
    for code in range(n_values + 1):
        ends[code + 1] += ends[code]
    for row in range(codes.size):
        code = np.int64(codes[row])
        keys[ends[code]] = (code << ROW_BITS) | row
        ends[code] += 1


@kernel
def kept_keys(keys, is_kept, n_kept):
    """The keys of the rows that are kept, in the same order, [F, n_kept]."""
    kept = np.empty((keys.shape[0], n_kept), dtype=np.int64)
    for feature in range(keys.shape[0]):
        position = 0
        for key in keys[feature]:
            row = row_of(key)
            if is_kept[row]:
                kept[feature, position] = key
                position += 1
    return kept


def code_of_each(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rank codes in keys."""
    return keys >> ROW_BITS


def centre(data: Dataset) -> float:
    """The target's mean where taking it off is exact (every value within a factor of 2 of it, Sterbenz), else 0.

    While growing it is taken off, so that a large mean with a small spread costs no digits.
    """
    mean = float(np.average(data.y, weights=data.weights))
    low, high = sorted((mean / 2.0, mean * 2.0))
    return mean if low <= data.y.min() and data.y.max() <= high else 0.0


@kernel
def code_of(key):
    """The rank code in a key."""
    return key >> ROW_BITS


@borrowing
def row_of(key):
    """The row in a key."""
    return key & ROW_MASK


@borrowing
def weight_of(weights, row):
    """A row's weight; no array stands for weights of 1."""
    return weights[row] if weights.size else 1.0


@borrowing
def row_weight_of(problem, parameters, row):
    """A row's weight with class weights and costs taken out again: surrogates count rows of all classes alike."""
    weight = weight_of(problem.weights, row)
    return weight if parameters.row_factor.size == 0 else weight * parameters.row_factor[problem.classes[row]]


@inlined
def column_values(problem, feature):
    """The ascending numbers behind a column's codes."""
    return problem.values[problem.offsets[feature] : problem.offsets[feature + 1] - 1]


@inlined
def segment_of(problem, feature, start, end):
    """The segment [start, end) of a feature's column."""
    return Segment(problem.keys[feature], problem.classes, problem.numbers, problem.weights, start, end)


@borrowing
def missing_start(keys, start, end, missing_code):
    """Where the missing cells begin in a sorted segment: their code is above all others. Found by bisection."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if code_of(keys[middle]) < missing_code:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def lengthened(array, size):
    """The array with room for `size` items."""
    longer = np.empty(size, dtype=array.dtype)
    for i in range(array.size):  # a slice of NumPy's takes a second longer to compile
        longer[i] = array[i]
    return longer


@inner
def with_more_room(problem, n_keys, n_rows):
    """The problem with room for so many keys per column and rows, copies included."""
    keys = problem.keys
    if n_keys > keys.shape[1]:
        keys = np.empty((keys.shape[0], n_keys + n_keys // 2), dtype=np.int64)
        for feature in range(keys.shape[0]):
            keys[feature, : problem.keys.shape[1]] = problem.keys[feature]
    classes, numbers, weights, branch = problem.classes, problem.numbers, problem.weights, problem.branch
    if n_rows > weights.size:
        size = n_rows + n_rows // 2
        weights, branch = lengthened(weights, size), lengthened(branch, size)
        if numbers.size:
            numbers = lengthened(numbers, size)
        else:
            classes = lengthened(classes, size)
    return with_arrays(problem, keys, classes, numbers, weights, branch)


@inner
def with_arrays(problem, keys, classes, numbers, weights, branch):
    """The same problem on other rows."""
    return Problem(
        keys, classes, numbers, weights, branch, problem.n_values, problem.tests, problem.has_missing,
        problem.missing_codes, problem.in_training, problem.offsets, problem.values, problem.costs,
        problem.many_values, problem.monotone, problem.bounds, problem.interactions, problem.total_weight,
        problem.centre, problem.by_target,
    )  # fmt: skip
