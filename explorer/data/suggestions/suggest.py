"""What a person would repair in a table: found, worded, and applied only when asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from explorer.data.suggestions.apply import apply_repairs
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
    """What a person would repair, in the whole table first, then by column; a repair once applied is not repeated."""
    found = [*_of_table(table.frame), *_of_columns(table.frame)]
    return tuple(suggestion for suggestion in found if suggestion.repair not in table.repairs)


def _of_table(frame: pd.DataFrame) -> Iterator[Suggestion]:
    for kind in TABLE_KINDS:
        finding = kind.find(frame)
        if finding is not None:
            yield _suggestion(kind.name, "", finding)


def _of_columns(frame: pd.DataFrame) -> Iterator[Suggestion]:
    for name, values in frame.items():
        column = Column(str(name), values, Cells.of(values))
        for kind in COLUMN_KINDS:
            finding = kind.find(column)
            if finding is not None:
                yield _suggestion(kind.name, column.name, finding)
                break


def _suggestion(kind: str, column: str, finding: Finding) -> Suggestion:
    repairs = tuple(Repair(kind, column, options) for options in finding.options)
    return Suggestion(repairs, finding.sentence, tuple(finding.examples), finding.n_cells, finding.is_question)
