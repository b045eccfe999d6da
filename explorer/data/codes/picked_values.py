"""Columns that have, in the rows of each class, the value of another column: the one that the class picks.

The price that a traveller paid is that of the chosen way beside the prices of all ways. It is known only once the way
is, so it leaks the way; and a target made so is told by the way and those prices together. So is one that is the sum
or the difference of two columns, such as the change of a weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature

MOST_COLUMNS, MOST_CHOICES = 100, 50
"""Of more numeric columns, or classes, none is looked at."""
FEWEST_NUMBERS, FEWEST_ON_AVERAGE = 3, 5
"""So many different numbers a class needs, and classes on average: of fewer, two columns agree by chance."""
_FEWEST_ROWS, _LOOKED_AT, _EXACT = 30, 64, 1e-9
"""Rows that tell a sum, rows that are looked at first, and the part by which rounding may miss it."""
_FIRST_ROWS = 8
"""The rows of each class that tell most columns apart."""


def picked_columns(
    choice: NDArray[np.integer], numbers: Sequence[NDArray[np.float64]], looked_at: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Which of the columns looked at have the number of another one in all rows of each class, and those columns.

    `choice` [n] has the class of each row, from 0 on and each with rows; `numbers` are columns [n], inf for a missing
    cell. A column that one other equals in all rows is picked by no class. Classes with fewer than 3 different numbers
    of a column, or 5 on average, show nothing of it.

    >>> fare, way = [np.arange(10.0), np.arange(10.0) ** 2], np.arange(10) // 5
    >>> list(picked_columns(way, [*fare, np.where(way == 0, *fare)], [2]))
    [(2, (0, 1))]
    """
    n_choices = int(choice.max(initial=-1)) + 1
    if not 2 <= n_choices <= MOST_CHOICES or not 3 <= len(numbers) <= MOST_COLUMNS:
        return
    rows_of = [np.flatnonzero(choice == number) for number in range(n_choices)]
    for column in looked_at:
        equal = [_equal_columns(column, numbers, rows) for rows in rows_of]
        if all(equal) and not set.intersection(*map(set, equal)) and _are_different(numbers[column], rows_of):
            yield column, tuple(columns[0] for columns in equal)


def _equal_columns(column: int, numbers: Sequence[NDArray[np.float64]], rows: NDArray[np.intp]) -> list[int]:
    """The other columns with the same numbers in all of these rows."""
    first, whole = rows[:_FIRST_ROWS], numbers[column]
    return [
        other
        for other, of_other in enumerate(numbers)
        if other != column and (of_other[first] == whole[first]).all() and (of_other[rows] == whole[rows]).all()
    ]


def _are_different(numbers: NDArray[np.float64], rows_of: Sequence[NDArray[np.intp]]) -> bool:
    """Whether the rows of each class have enough different numbers."""
    n_numbers = [len(np.unique(numbers[rows])) for rows in rows_of]
    return min(n_numbers) >= FEWEST_NUMBERS and sum(n_numbers) >= FEWEST_ON_AVERAGE * len(rows_of)


def picked_by_classes(
    target: Feature, features: Sequence[Feature], codes: NDArray[np.int32], y: NDArray[Any]
) -> list[tuple[str, tuple[str, ...]]]:
    """The features that have the numbers that the classes of the target pick, each with the columns picked.

    Of a numeric target that a feature's values pick, the feature and these columns.
    """
    numeric = [place for place, feature in enumerate(features) if feature.kind == "numeric"]
    if len(numeric) > MOST_COLUMNS:
        return []
    numbers = [_numbers_of(features[place], codes[place]) for place in numeric]
    names = [features[place].name for place in numeric]
    if target.kind == "categorical":
        choice = _choice(y.astype(np.int32), len(target.categories))
        found = () if choice is None else picked_columns(choice, numbers, range(len(numbers)))
        return [(names[column], _names(names, picked)) for column, picked in found]
    for place, feature in enumerate(features):
        choice = _choice(codes[place], feature.n_values)
        for _, picked in () if choice is None else picked_columns(choice, [*numbers, y], [len(numbers)]):
            return [(feature.name, _names(names, picked))]
    return []


def _names(names: Sequence[str], picked: Sequence[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names[column] for column in picked))


def _choice(codes: NDArray[np.int32], n_values: int) -> NDArray[np.int32] | None:
    """The codes with rows, numbered from 0 on; None where they are too many for a choice, or a cell is missing."""
    if not 2 <= n_values <= MOST_CHOICES or (codes == n_values).any():
        return None
    return np.unique(codes, return_inverse=True)[1].astype(np.int32)


def _numbers_of(feature: Feature, codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """The numbers of a feature, row by row [n], inf for a missing cell."""
    return np.append(feature.values, np.inf)[codes]


def sums_of_target(
    features: Sequence[Feature], codes: NDArray[np.int32], y: NDArray[np.float64]
) -> Iterator[tuple[str, str, str]]:
    """Two numeric features that add up to a numeric target, or differ by it, in every row with both: (a, "+", b).

    Rounding aside, in 30 rows or more and half of the table. None is constant, and no feature alone is the target.

    >>> from explorer.data.dataset import Dataset
    >>> import pandas as pd
    >>> n = np.arange(40.0)
    >>> table = pd.DataFrame({"before": n % 7, "after": n % 5, "change": n % 5 - n % 7})
    >>> data = Dataset.from_frame(table, "change")
    >>> list(sums_of_target(data.features, data.codes, data.y))
    [('after', '−', 'before')]
    """
    some = [f for f, feature in enumerate(features) if feature.kind == "numeric" and feature.n_values > 1]
    if not 2 <= len(some) <= MOST_COLUMNS or len(y) < _FEWEST_ROWS or not y.min() < y.max():
        return
    rows = slice(None, None, max(1, len(y) // _LOOKED_AT))
    looked_at = np.stack([_numbers_of(features[f], codes[f][rows]) for f in some])
    for first, a in enumerate(looked_at):
        for sign in ("+", "−"):
            for second in np.flatnonzero(_may_add_up(y[rows], a, looked_at, sign)):
                f, g = some[first], some[second]
                whole = _numbers_of(features[f], codes[f]), _numbers_of(features[g], codes[g])
                if (second > first if sign == "+" else second != first) and _adds_up(y, *whole, sign):
                    yield features[f].name, sign, features[g].name


def _may_add_up(
    y: NDArray[np.float64], a: NDArray[np.float64], others: NDArray[np.float64], sign: str
) -> NDArray[np.bool_]:
    """Which of some columns [F, n], by these rows, may make `y` with one of them, [F]."""
    with np.errstate(over="ignore", invalid="ignore"):
        missed = np.abs(others - (y - a if sign == "+" else a - y))
        return np.asarray(~(missed > 4 * _EXACT * (np.abs(others) + np.abs(a))).any(axis=1))


def _adds_up(y: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], sign: str) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        made, size = (a + b if sign == "+" else a - b), np.abs(a) + np.abs(b)
    known = np.isfinite(size)
    if 2 * np.count_nonzero(known) < len(y) or np.count_nonzero(known) < min(_FEWEST_ROWS, len(y)):
        return False
    is_close = np.abs(y[known] / 2 - made[known] / 2) <= _EXACT * size[known]
    return bool(is_close.all() and all(each[known].min() < each[known].max() for each in (a, b)))
