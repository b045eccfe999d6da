"""What only a person can say about a table: which categories are one, where to cut a number, which rows to look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.cells import Cells, as_read, is_number
from explorer.data.suggestions.kind import (
    ColumnKind,
    Converted,
    Options,
    TableKind,
    is_number_option,
    is_text_option,
    listed,
    pair_of,
    pairs,
    texts,
    tuple_of,
)
from explorer.formatting import number_text
from explorer.messages import message


def _recoded(column: pd.Series, options: Options) -> Converted:
    """The column with the cells that are named as others; all others stay."""
    new, cells = {old: str(value) for old, value in pairs(options["values"])}, Cells.of(column)
    if new.keys().isdisjoint(cells.texts):
        return Converted({"": column})
    return Converted({"": as_read(cells.mapped(lambda text: new.get(text, text) or None, column.index))})


def _recode_label(options: Options) -> str:
    merged: dict[str, list[str]] = {}
    for old, value in pairs(options["values"]):
        merged.setdefault(str(value), []).append(old)
    return "; ".join(message("{old} → {new}", old=listed(old), new=listed([new])) for new, old in merged.items())


def _numbers(value: object) -> list[float]:
    """The numbers of an option that its check has let pass, ascending and each once."""
    return sorted({float(number) for number in value}) if isinstance(value, tuple) else []


def names_of(edges: Sequence[float]) -> list[str]:
    """What the intervals between ascending edges are called; each holds its upper end.

    >>> names_of([18, 65])
    ['≤ 18', '18 < … ≤ 65', '> 65']
    """
    ends = list(map(number_text, edges))
    return [f"≤ {ends[0]}", *(f"{low} < … ≤ {high}" for low, high in pairwise(ends)), f"> {ends[-1]}"]


def _in_intervals(column: pd.Series, options: Options) -> Converted:
    """The interval of each number; a column of no numbers stays as it is."""
    edges = _numbers(options["edges"])
    if not is_number(column):
        return Converted({"": column})
    numbers = column.to_numpy(np.float64, na_value=np.nan)
    names = np.array([*names_of(edges), None], dtype=object)
    place = np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="left"))
    return Converted({"": pd.Series(names[place], index=column.index, dtype="str")})


def _intervals_label(options: Options) -> str:
    return message("in intervals: {names}", names=listed(names_of(_numbers(options["edges"])), 4))


def _kept(frame: pd.DataFrame, options: Options) -> NDArray[np.bool_]:
    """Which rows hold one of the values, or a number from `low` to `high`; all where the column is not there."""
    name = str(options["column"])
    if list(frame.columns).count(name) != 1:
        return np.ones(len(frame), dtype=bool)
    column = frame[name]
    if options["values"]:
        cells, wanted = Cells.of(column), set(texts(options["values"]))
        return np.array([*(text in wanted for text in cells.texts), False])[cells.codes]
    if not is_number(column):
        return np.ones(len(frame), dtype=bool)
    numbers = column.to_numpy(np.float64, na_value=np.nan)
    low, high = (np.inf * sign if options[end] is None else options[end] for end, sign in (("low", -1), ("high", 1)))
    return np.asarray((numbers >= low) & (numbers <= high))  # unknown ones are in no interval


def _kept_label(options: Options) -> str:
    column, low, high = str(options["column"]), options["low"], options["high"]
    if options["values"]:
        return message("only rows where '{column}' is {values}", column=column, values=listed(texts(options["values"])))
    ends = [f"{sign} {number_text(end)}" for sign, end in (("≥", low), ("≤", high)) if isinstance(end, int | float)]
    return message("only rows where '{column}' is {values}", column=column, values=", ".join(ends) or message("known"))


def _first_of_each(frame: pd.DataFrame, options: Options) -> NDArray[np.bool_]:
    """Which rows do not equal an earlier one in the columns named; missing cells equal each other."""
    names = [name for name in texts(options["columns"]) if list(frame.columns).count(name) == 1]
    if not names:
        return np.ones(len(frame), dtype=bool)
    return np.asarray(~frame.duplicated(names), dtype=bool)


def _is_end(value: object) -> bool:
    return value is None or is_number_option(value)


def _are_edges(value: object) -> bool:
    return bool(value) and tuple_of(is_number_option)(value)


def _nothing(_: object) -> None:
    """Only a person finds this."""


RECODED = ColumnKind(
    "recoded", _nothing, _recoded, _recode_label, {"values": tuple_of(pair_of(is_text_option, is_text_option))}
)
"""Categories renamed or merged: `values` holds pairs (cell as text, new text; "" for missing)."""
INTERVALS = ColumnKind("intervals", _nothing, _in_intervals, _intervals_label, {"edges": _are_edges})
"""A number as the interval it lies in."""
KEPT_ROWS = TableKind(
    "kept_rows",
    _nothing,
    _kept,
    _kept_label,
    {"column": is_text_option, "values": tuple_of(is_text_option), "low": _is_end, "high": _is_end},
)
"""Only the rows whose cell is one of `values` or, where there are none, known and from `low` to `high`."""
ONE_OF_EACH = TableKind(
    "one_of_each",
    _nothing,
    _first_of_each,
    lambda options: message("one of each repeated row kept"),
    {"columns": tuple_of(is_text_option)},
    for_growing=True,
)
"""Of rows that are equal in `columns` only the first."""
