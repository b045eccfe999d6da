"""Which columns of a connected table are features unless the user selects others, by the rules of a table in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from explorer.data.codes.target_names import are_sets, is_of_row_names
from explorer.data.quality import names_sets_text, reason_by_counts
from explorer.messages import Words, message
from explorer.sources.encoding.column_codes import MOST_CATEGORIES, CategoryCoder
from explorer.sources.encoding.table_columns import ColumnFacts, TableColumn, TableReader

ROWS_COUNTED_EXACTLY = 1_000_000
"""In a larger table the estimate decides whether all numbers of a column are different."""
NEARLY_ALL = 0.95
POSSIBLY_ALL = 0.8


@dataclass(frozen=True)
class RowsInUse:
    """The rows whose columns are judged.

    `in_order` gives the numbers of one column in the order of the table's rows, batch by batch.
    """

    reader: TableReader
    in_order: Callable[[TableColumn], Iterable[np.ndarray]]

    def number_reason(self, column: TableColumn, facts: ColumnFacts) -> Words | None:
        """Why a numeric column should be left out; None without a reason."""
        n_known, has_gaps = self.reader.n_rows - facts.n_missing, facts.n_missing > 0
        if n_known == 0 or facts.low == facts.high:
            return reason_by_counts(column.name, "numeric", min(n_known, 1), n_known, bool, bool, has_gaps=has_gaps)
        if facts.has_fractions or facts.high - facts.low + 1 < POSSIBLY_ALL * n_known:
            return None
        if self.reader.n_distinct(column.name) < POSSIBLY_ALL * n_known:
            return None
        n_values = self._n_distinct(column, n_known)
        spans = facts.high - facts.low == n_known - 1
        are_names = is_of_row_names(column.name, facts.high - facts.low, n_known)
        return reason_by_counts(
            column.name,
            "numeric",
            n_values,
            n_known,
            lambda: True,
            lambda: are_names or (spans and self._counts_up(column)),
            has_gaps=has_gaps,
        )

    def category_reason(self, coder: CategoryCoder | None, facts: ColumnFacts) -> Words | None:
        """Why a categorical column should be left out, of which there is no coder where it has too many categories."""
        if coder is not None:
            if are_sets(coder.feature.categories):
                return names_sets_text
            n_values, has_gaps = coder.feature.n_values, coder.n_known < self.reader.n_rows
            return reason_by_counts(facts.name, "categorical", n_values, coder.n_known, bool, bool, has_gaps=has_gaps)
        n_known, about = self.reader.n_rows - facts.n_missing, self.reader.n_distinct(facts.name)
        n_values, has_gaps = min(about, n_known), facts.n_missing > 0
        reason = reason_by_counts(facts.name, "categorical", n_values, n_known, bool, bool, has_gaps=has_gaps)
        return reason or _too_many_text(about)

    def _n_distinct(self, column: TableColumn, n_known: int) -> int:
        if n_known > ROWS_COUNTED_EXACTLY:
            about = self.reader.n_distinct(column.name)
            return n_known if about >= NEARLY_ALL * n_known else about
        query = f"SELECT COUNT(DISTINCT {column.number}) AS n\nFROM origin{self.reader.where}"
        return int(self.reader.run(_whole_text(column.name), query).column("n")[0].as_py())

    def _counts_up(self, column: TableColumn) -> bool:
        """Whether each number is one more than that of the row before."""
        last = None
        for numbers in self.in_order(column):
            known = numbers[~np.isnan(numbers)]
            joined = known if last is None else np.append(last, known)
            if (np.diff(joined) != 1).any():
                return False
            last = joined[-1:]
        return True


def _whole_text(name: str) -> Words:
    return lambda: message("Look whether '{column}' numbers the rows", column=name)


def _too_many_text(count: int) -> Words:
    return lambda: message(
        "too fine: about {count:,} categories, more than {most:,}", count=count, most=MOST_CATEGORIES
    )
