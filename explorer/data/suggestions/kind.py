"""What a kind of repair consists of: how it is found, how it is done, its options with their checks, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.cells import Cells
from explorer.formatting import shortened
from explorer.messages import Words, listing_with_more, plural

Check = Callable[[object], bool]

Options = Mapping[str, object]
"""The constants of a repair: texts, numbers, booleans, and tuples of these."""

ENOUGH = 0.95
"""The share of the known cells that must have the form of a repair before it is suggested."""
_LISTED, _LONGEST_SHOWN = 5, 60


@dataclass(frozen=True)
class Finding:
    """What a column (or a table) shows: the options to repair it with, the proposed ones first, and its words.

    `examples` are (before, after) pairs with "" for a missing cell, `n_cells` is how many cells (rows of a table)
    change, and `n_lost` how many of a column become missing because they do not fit.
    """

    options: Sequence[Options]
    sentence: Words
    examples: Sequence[tuple[str, str]]
    n_cells: int
    is_question: bool = False
    n_lost: int = 0


@dataclass(frozen=True, eq=False)
class Column:
    """A column under examination: its name, its values, and its cells as text (`given`, or else those of the values).

    `is_rest` says that cells were taken out of it by an earlier kind, which reads plain numbers by itself.
    """

    name: str
    values: pd.Series
    given: Cells | None = None
    is_rest: bool = False

    @cached_property
    def cells(self) -> Cells:
        """The known cells as text; numbers are turned into text only if a kind asks for them."""
        return Cells.of(self.values) if self.given is None else self.given

    def without(self, texts: Sequence[str]) -> Column:
        """The column as if the cells with these texts were missing."""
        return replace(self, given=self.cells.without(texts), is_rest=True)


@dataclass(frozen=True, eq=False)
class Converted:
    """Columns in place of one, and the texts of the cells that did not fit and are missing now.

    The key of a column is the part of its name in brackets; "" keeps the name.
    """

    columns: Mapping[str, pd.Series]
    misfits: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class ColumnKind:
    """A kind of repair of one column.

    `options` has a check per option; all are needed. `convert` never raises for cells of any sort. A kind that leaves
    the rest of the column to others has `rest`: the column as the later kinds are to see it. Where options may be a
    choice, `choice` says in a few words what is chosen with them. A kind whose options may have been estimated from
    some cells has `settle`: the options as all cells of the column have them. `defaults` has the options that may be
    left out.
    """

    name: str
    find: Callable[[Column], Finding | None]
    convert: Callable[[pd.Series, Options], Converted]
    label: Callable[[Options], str]
    options: Mapping[str, Check] = field(default_factory=dict)
    rest: Callable[[Column, Options], Column] | None = None
    choice: Callable[[Options], str] | None = None
    settle: Callable[[pd.Series, Options], Options] | None = None
    defaults: Options = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TableKind:
    """A kind of repair of the rows of a table: `keep` gives those that stay, a mask [n].

    A kind that does more has `carry_out`: the table after it. Of a kind that is `for_growing`, a file to be predicted
    keeps all rows.
    """

    name: str
    find: Callable[[pd.DataFrame], Finding | None]
    keep: Callable[[pd.DataFrame, Options], NDArray[np.bool_]]
    label: Callable[[Options], str]
    options: Mapping[str, Check] = field(default_factory=dict)
    for_growing: bool = False
    carry_out: Callable[[pd.DataFrame, Options], pd.DataFrame] | None = None


def one_of(*values: object) -> Check:
    """A check that an option is one of some values."""
    return lambda value: any(type(value) is type(known) and value == known for known in values)


def is_text_option(value: object) -> bool:
    """Whether an option is a text."""
    return isinstance(value, str)


def is_number_option(value: object) -> bool:
    """Whether an option is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def tuple_of(check: Check) -> Check:
    """A check that an option is a tuple of values that pass another check."""
    return lambda value: isinstance(value, tuple) and all(map(check, value))


def pair_of(first: Check, second: Check) -> Check:
    """A check that an option is a pair."""
    return lambda value: isinstance(value, tuple) and len(value) == 2 and first(value[0]) and second(value[1])


def pairs(value: object) -> list[tuple[str, object]]:
    """The pairs of an option that its check has let pass."""
    return [(str(first), second) for first, second in value] if isinstance(value, tuple) else []


def texts(value: object) -> list[str]:
    """The texts of an option that its check has let pass."""
    return list(map(str, value)) if isinstance(value, tuple) else []


def listed(cells: Sequence[str], most: int = _LISTED) -> str:
    """The first cells in quotation marks; an ellipsis stands for further ones."""
    return listing_with_more((f"'{shortened(text, _LONGEST_SHOWN)}'" for text in cells[:most]), len(cells) > most)


def with_misfits(sentence: str, misfits: Sequence[str], n_cells: int) -> str:
    """A sentence, and which cells become missing because they do not fit, if there are any."""
    if not misfits:
        return sentence
    return plural(
        n_cells,
        "{sentence} {n:,} cell does not fit and becomes missing: {cells}.",
        "{sentence} {n:,} cells do not fit and become missing: {cells}.",
        sentence=sentence,
        cells=listed(misfits),
    )


def fits(cells: Cells, misfits: Sequence[str], enough: float = ENOUGH) -> bool:
    """Whether enough known cells are left when the misfits are taken out, and they differ."""
    return len(cells.texts) - len(misfits) >= 2 and cells.n_known - cells.count(misfits) >= enough * cells.n_known
