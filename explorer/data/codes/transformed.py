"""Columns made of another one: its logarithm, its square, its change from the row above, or its value there.

A column is made of another one if it is linear in such a function of it, rounding aside, and far less so in the other
column itself. Of the two, the column that is made so is the copy: few predict the square of what they could predict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_MOST_COLUMNS, _MOST_ROWS, _LOOKED_AT = 200, 2000, 100
"""Numeric columns that are looked at, rows of them, and those of these that tell most pairs apart."""
_FEWEST_ROWS, _FEWEST_VALUES = 10, 5
_LEFT, _LEFT_OF_CHANGES, _OF_LINE = 1e-4, 1e-6, 0.1
"""The share of the variance that may be left, and what part of that which a line through the other column leaves."""
_SAME_LETTERS = 3
"""The first letters of a column's name, which also stand in those of its square and its change, such as agesq."""

Numbers = NDArray[np.float64]


def made_of_others(frame: pd.DataFrame) -> Mapping[str, str]:
    """Each numeric column that is made of another one, with the name of that one.

    >>> wage = np.array([3.1, 3.2, 3.0, 6.0, 5.3, 8.8, 11.2, 5.0, 3.6, 18.2])
    >>> made_of_others(pd.DataFrame({"wage": wage, "lwage": np.log(wage), "wagesq": wage**2, "half": wage / 2}))
    {'lwage': 'wage', 'wagesq': 'wage'}
    """
    rows = frame.iloc[:_MOST_ROWS]
    names = [str(name) for name in rows.columns if _is_number(rows[name])]
    numbers = [rows[name].to_numpy(np.float64, na_value=np.nan) for name in names]
    if not 2 <= len(names) <= _MOST_COLUMNS or len(rows) < _FEWEST_ROWS:
        return {}
    has_values = [len(np.unique(column[np.isfinite(column)])) >= _FEWEST_VALUES for column in numbers]
    kept = [place for place, has in enumerate(has_values) if has]
    if len(kept) < 2:
        return {}
    names, columns = [names[place] for place in kept], np.stack([numbers[place] for place in kept])
    found: dict[str, str] = {}
    for place, whole in enumerate(columns):
        for made in _made_of(whole, columns, place, names):
            if names[made] not in found and found.get(names[place]) != names[made]:
                found[names[made]] = names[place]
    return found


def is_change_of(column: Numbers, y: Numbers) -> bool:
    """Whether a column [n], nan for a missing cell, is the change of `y` from the row above, or of its logarithm."""
    return any(_is_linear(column, made, y, left) for kind, made, left in _functions_of(y) if kind == "change")


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)


def _made_of(whole: Numbers, columns: Numbers, place: int, names: Sequence[str]) -> Iterator[int]:
    """The places of the columns [F, n] that are made of the one at a place."""
    some = np.unique(np.linspace(0, len(whole) - 1, _LOOKED_AT).astype(int))
    some_columns = columns[:, some]
    for kind, made, left in _functions_of(whole):
        may_be = _left_by_line(some_columns, made[some]) <= max(2 * left, 1e-9)
        for other in np.flatnonzero(may_be):
            is_named = kind not in ("square", "change") or _is_in_name(names[place], names[int(other)])
            if other != place and is_named and _is_linear(columns[other], made, whole, left):
                yield int(other)


def _functions_of(numbers: Numbers) -> Iterator[tuple[str, Numbers, float]]:
    """Functions of a column, each with its kind and the share of its variance that may be left."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logarithm = np.where(numbers > 0, np.log(numbers), np.nan)
        before, above = _above(numbers), _above(logarithm)
        yield "log", logarithm, _LEFT
        yield "log", np.where(numbers >= 0, np.log1p(numbers), np.nan), _LEFT
        yield "square", np.square(numbers), _LEFT
        yield "lag", before, _LEFT_OF_CHANGES
        yield "change", numbers - before, _LEFT_OF_CHANGES
        yield "change", logarithm - above, _LEFT_OF_CHANGES
        yield "change", (numbers - before) / before, _LEFT_OF_CHANGES


def _above(numbers: Numbers) -> Numbers:
    return np.append(np.nan, numbers[:-1])


def _is_in_name(name: str, other: str) -> bool:
    return name[:_SAME_LETTERS].casefold() in other.casefold()


def _is_linear(column: Numbers, made: Numbers, of: Numbers, left: float) -> bool:
    """Whether a column is linear in what is made of another one, and far less in that other one."""
    known = np.isfinite(column) & np.isfinite(made) & np.isfinite(of)
    if np.count_nonzero(known) < max(_FEWEST_ROWS, np.count_nonzero(np.isfinite(column)) / 2):
        return False
    if len(np.unique(column[known])) < _FEWEST_VALUES or len(np.unique(made[known])) < _FEWEST_VALUES:
        return False
    by_made, by_other = (float(_left_by_line(column[None, known], x[known])[0]) for x in (made, of))
    return by_made <= left and by_made < _OF_LINE * by_other


def _left_by_line(columns: Numbers, x: Numbers) -> Numbers:
    """The share of the variance of each column [F, n] that a line in `x` [n] leaves, [F]; 1 where it has none."""
    known = np.isfinite(columns) & np.isfinite(x)
    n = np.maximum(known.sum(axis=1), 1)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        ys = np.where(known, columns, 0.0)
        xs = np.where(known, x, 0.0)
        ys = np.where(known, ys - (ys.sum(axis=1) / n)[:, None], 0.0)
        xs = np.where(known, xs - (xs.sum(axis=1) / n)[:, None], 0.0)
        squared = np.square((ys * xs).sum(axis=1)) / (np.square(ys).sum(axis=1) * np.square(xs).sum(axis=1))
    return np.where(np.isfinite(squared), 1.0 - squared, 1.0)
