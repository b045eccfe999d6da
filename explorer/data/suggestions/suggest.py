"""What a person would repair in a table: found, worded, and applied only when asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.suggestions.apply import (
    AnyTable,
    BaseTable,
    apply_repairs,
    settled,
    with_one_origin,
    without_rows,
)
from explorer.data.suggestions.cells import Cells, folded, is_text
from explorer.data.suggestions.dates import DATES
from explorer.data.suggestions.kind import Column, ColumnKind, Finding, texts
from explorer.data.suggestions.levels import LEVELS
from explorer.data.suggestions.missing_codes import MISSING_CODES
from explorer.data.suggestions.repair import COLUMN_KINDS, KINDS, TABLE_KINDS, Repair
from explorer.formatting import number_text, shortened
from explorer.messages import Worded, Words, message
from explorer.values import MISSING_MARKERS

_FIRST_LOOK, _EXAMINED = 200, 2_000
"""How many cells of a long column show whether there is anything to repair, and what it is."""
_SHOWN = 60
"""Signs of a cell that an example shows."""
_FEW = 500
"""Up to this many values among the cells examined, the whole column is examined."""


@dataclass(frozen=True)
class Suggestion:
    """A repair that a table seems to need; nothing is done until it is applied.

    `column` is "" for the whole table. `sentence` says what was found, `examples` are up to three (before, after)
    pairs of the proposed repair, `n_cells` is how many cells (rows for the whole table) change. `alternatives` are the
    repairs to choose from, the proposed one first; `is_question` says that the table cannot tell which is right, and
    `n_lost` how many cells become missing because they do not fit.
    """

    alternatives: tuple[Repair, ...]
    sentence: Worded = Worded()
    examples: tuple[tuple[str, str], ...] = ()
    n_cells: int = 0
    is_question: bool = False
    n_lost: int = 0

    @property
    def is_certain(self) -> bool:
        """Whether it needs no answer: there is no question, and no cell is lost."""
        return not self.is_question and not self.n_lost

    @property
    def repair(self) -> Repair:
        """The proposed repair."""
        return self.alternatives[0]

    def examples_of(self, repair: Repair) -> tuple[tuple[str, str], ...]:
        """The examples as one of the alternatives converts them."""
        kind = KINDS[repair.kind]
        if repair == self.repair or not isinstance(kind, ColumnKind):
            return self.examples
        before = [text for text, _ in self.examples]
        after = kind.convert(pd.Series(before, dtype="str"), repair.settings).columns[""]
        return tuple(
            (text, number_text(value) if known else "")
            for text, value, known in zip(before, after, after.notna(), strict=True)
        )

    @property
    def column(self) -> str:
        """The column that it is about, "" for the whole table."""
        return self.repair.column

    def apply(self, table: AnyTable) -> AnyTable:
        """A new table with the proposed repair applied; the given one stays as it is."""
        return apply_repairs(table, settled(table, [self.repair]))


def suggestions_of(table: BaseTable) -> tuple[Suggestion, ...]:
    """What a person would repair, in the whole table first, then by column; a repair once applied is not repeated.

    Columns are examined as if the repairs of the whole table were done. A usual mark for missing cells that the reader
    has taken off the marks, such as NA for Namibia, is no longer taken for one.
    """
    frame, found = table.frame, []
    for table_kind in TABLE_KINDS:
        finding = table_kind.find(frame)
        if finding is not None:
            found.append(_suggestion(table_kind.name, "", finding))
            frame = without_rows(frame, table_kind.keep(frame, found[-1].repair.settings))
    for name, values in frame.items():
        found += _of_column(str(name), values)
    return tuple(
        suggestion
        for suggestion in _with_one_origin(found, table)
        if suggestion.repair not in table.repairs and not _is_decided(suggestion.repair, table)
    )


def _with_one_origin(found: Iterable[Suggestion], table: BaseTable) -> Iterable[Suggestion]:
    """The suggestions; where several columns hold dates, all count from one day."""
    found = tuple(found)
    if not table.dates and sum(each.repair.kind == DATES.name for each in found) < 2:
        yield from found
        return
    repairs = iter(with_one_origin((repair for each in found for repair in each.alternatives), table.dates))
    for each in found:
        alternatives = tuple(islice(repairs, len(each.alternatives)))
        is_same = alternatives == each.alternatives
        yield each if is_same else replace(each, alternatives=alternatives, examples=each.examples_of(alternatives[0]))


def _is_decided(repair: Repair, table: BaseTable) -> bool:
    """Whether the column is in order by then, or marks set by hand say that none of these words is a missing cell."""
    options = table.options
    if repair.kind == LEVELS.name:
        return repair.column in table.kinds
    if options.missing is None or repair.kind != MISSING_CODES.name:
        return False
    codes = set(texts(repair.settings["codes"]))
    return bool(codes) and codes <= {folded(mark) for mark in MISSING_MARKERS.difference(options.missing)}


def _of_column(name: str, values: pd.Series) -> Iterable[Suggestion]:
    """The suggestions for one column, from all of its cells or from a sample of them.

    A long column of text is examined in three steps, so that it takes far less time than to read it: 200 of its cells
    show whether anything is to be repaired; 2,000 show how many values there are; a column with few values is then
    examined as a whole, and the numbers of one with many are estimated from the sample.
    """
    if not is_text(values) or len(values) <= _EXAMINED:
        return _found(Column(name, values))
    sample = Cells.of(_every(values, _EXAMINED))
    if len(sample.texts) <= _FEW:
        return _found(Column(name, values))
    kinds = {
        suggestion.repair.kind for suggestion in _found(Column(name, values, Cells.of(_every(values, _FIRST_LOOK))))
    }
    if not kinds:
        return ()
    n_known = len(values) - int(values.isna().sum())
    estimated = Column(name, values, Cells(sample.texts, _scaled(sample.counts, n_known), sample.codes))
    return [replace(suggestion, sentence=_estimated_text(suggestion)) for suggestion in _found(estimated, kinds)]


def _scaled(counts: NDArray[np.intp], total: int) -> NDArray[np.intp]:
    """Counts [d] in about the same proportions, and whole numbers again, that sum to the total."""
    up_to = np.cumsum(counts)
    return np.diff(np.rint(up_to * (total / max(up_to[-1], 1))).astype(np.intp), prepend=0)


def _every(values: pd.Series, n: int) -> pd.Series:
    """About n cells, evenly spaced."""
    return values.iloc[:: max(len(values) // n, 1)]


def _estimated_text(suggestion: Suggestion) -> Words:
    return lambda: message(
        "{sentence} (Estimated from {n:,} cells of the column.)", sentence=suggestion.sentence, n=_EXAMINED
    )


def _found(column: Column, kinds: Collection[str] = KINDS) -> list[Suggestion]:
    """The suggestions of the kinds that leave the rest of the column to others, and of the first other kind."""
    found = []
    for kind in (kind for kind in COLUMN_KINDS if kind.name in kinds):
        finding = kind.find(column)
        if finding is None:
            continue
        found.append(_suggestion(kind.name, column.name, finding))
        if kind.rest is None:
            break
        column = kind.rest(column, found[-1].repair.settings)
    return found


def _suggestion(kind: str, column: str, finding: Finding) -> Suggestion:
    repairs = tuple(Repair(kind, column, options) for options in finding.options)
    examples = tuple((shortened(before, _SHOWN), shortened(after, _SHOWN)) for before, after in finding.examples)
    return Suggestion(repairs, finding.sentence, examples, finding.n_cells, finding.is_question, finding.n_lost)
