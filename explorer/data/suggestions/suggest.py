"""What a person would repair in a table: found, worded, and applied only when asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from explorer.data.suggestions.apply import apply_repairs, without_rows
from explorer.data.suggestions.cells import Cells
from explorer.data.suggestions.kind import Column, Finding
from explorer.data.suggestions.registry import COLUMN_KINDS, TABLE_KINDS
from explorer.data.suggestions.repair import Repair
from explorer.messages import Worded

if TYPE_CHECKING:
    from explorer.data.table import Table


@dataclass(frozen=True)
class Suggestion:
    """A repair that a table seems to need; nothing is done until it is applied.

    `column` is "" for the whole table. `sentence` says what was found, `examples` are up to three (before, after)
    pairs, `n_cells` is how many cells (rows for the whole table) change. `alternatives` are the repairs to choose
    from, the proposed one first; `is_question` says that the table cannot tell which is right.
    """

    alternatives: tuple[Repair, ...]
    sentence: Worded = Worded()
    examples: tuple[tuple[str, str], ...] = ()
    n_cells: int = 0
    is_question: bool = False

    @property
    def repair(self) -> Repair:
        """The proposed repair."""
        return self.alternatives[0]

    @property
    def column(self) -> str:
        """The column that it is about, "" for the whole table."""
        return self.repair.column

    def apply(self, table: Table) -> Table:
        """A new table with the proposed repair applied; the given one stays as it is."""
        return apply_repairs(table, [self.repair])


def suggestions_of(table: Table) -> tuple[Suggestion, ...]:
    """What a person would repair, in the whole table first, then by column; a repair once applied is not repeated.

    Columns are examined as if the repairs of the whole table were done.
    """
    frame, found = table.frame, []
    for table_kind in TABLE_KINDS:
        finding = table_kind.find(frame)
        if finding is not None:
            found.append(_suggestion(table_kind.name, "", finding))
            frame = without_rows(frame, table_kind.keep(frame, found[-1].repair.settings))
    for name, values in frame.items():
        found += _of_column(str(name), values)
    return tuple(suggestion for suggestion in found if suggestion.repair not in table.repairs)


def _of_column(name: str, values: pd.Series) -> Iterator[Suggestion]:
    """The suggestions for one column: kinds that leave the rest to others, and the first of these."""
    column = Column(name, values, Cells.of(values))
    for kind in COLUMN_KINDS:
        finding = kind.find(column) if column.cells.texts else None
        if finding is None:
            continue
        suggestion = _suggestion(kind.name, name, finding)
        yield suggestion
        if kind.rest is None:
            return
        column = kind.rest(column, suggestion.repair.settings)


def _suggestion(kind: str, column: str, finding: Finding) -> Suggestion:
    repairs = tuple(Repair(kind, column, options) for options in finding.options)
    return Suggestion(repairs, finding.sentence, tuple(finding.examples), finding.n_cells, finding.is_question)
