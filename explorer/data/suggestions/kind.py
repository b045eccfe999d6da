"""What a kind of repair consists of: how it is found, how it is done, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from explorer.data.suggestions.cells import Cells
from explorer.messages import Words

Options = Mapping[str, object]
"""The constants of a repair: texts, numbers, booleans, and tuples of these."""

ENOUGH = 0.95
"""The share of the known cells that must have the form of a repair before it is suggested."""


@dataclass(frozen=True)
class Finding:
    """What a column (or a table) shows: the options to repair it with, the proposed ones first, and its words.

    `examples` are (before, after) pairs, `n_cells` is the number of cells (rows of a table) that change.
    """

    options: Sequence[Options]
    sentence: Words
    examples: Sequence[tuple[str, str]]
    n_cells: int
    is_question: bool = False


@dataclass(frozen=True, eq=False)
class Column:
    """A column under examination: its name, its values, and its cells as text."""

    name: str
    values: pd.Series
    cells: Cells


@dataclass(frozen=True, eq=False)
class Converted:
    """Columns in place of one: by the text after its name ("" keeps the name), and the cells that did not fit."""

    columns: Mapping[str, pd.Series]
    misfits: Sequence[str] = ()


Check = Callable[[object], bool]


@dataclass(frozen=True, eq=False)
class ColumnKind:
    """A kind of repair of one column.

    `options` has a check per option; all are needed. `convert` never raises for cells of any sort.
    """

    name: str
    find: Callable[[Column], Finding | None]
    convert: Callable[[pd.Series, Options], Converted]
    label: Callable[[Options], str]
    options: Mapping[str, Check] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TableKind:
    """A kind of repair that removes rows of a table: `keep` gives the rows that stay, a mask [n]."""

    name: str
    find: Callable[[pd.DataFrame], Finding | None]
    keep: Callable[[pd.DataFrame, Options], pd.Series]
    label: Callable[[Options], str]
    options: Mapping[str, Check] = field(default_factory=dict)


def one_of(*values: object) -> Check:
    """A check that an option has one of some values."""
    return lambda value: any(value == known and type(value) is type(known) for known in values)


def is_text_value(value: object) -> bool:
    """Whether an option is a text."""
    return isinstance(value, str)
