"""Predictions for a file that is repaired as the table of the tree was; its own columns stay as they were sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.notes import MissingCells, Note
from explorer.data.suggestions import Repair, apply_repairs
from explorer.data.suggestions.kind import TableKind
from explorer.data.suggestions.registry import KINDS
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.explaining.predict_table import PredictedTable, SentTable, listed_rows, predict_table
from explorer.messages import Words, message, plural, worded
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class RepairedFile:
    """A file after repairs: its `table`, the positions of its rows in the file [n], and what was done, as notes."""

    table: Table
    rows: NDArray[np.intp]
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class PredictedFile:
    """The file as sent with its predictions, warnings first among the notes, and the table that the tree read."""

    predicted: PredictedTable
    read: Table


def predict_file(tree: Tree, train: Dataset, table: Table, repairs: Iterable[Repair] = ()) -> PredictedFile:
    """Predict every row of a file, repaired first; the columns stay as sent, and a removed row has no prediction.

    Raises InputError as `predict_table` does.
    """
    if not len(table.frame) or table.frame.columns.has_duplicates:
        return PredictedFile(predict_table(tree, train, table.frame), table)
    repaired = repair_file(table, repairs)
    if not len(repaired.table.frame):
        raise InputError(
            message("The repairs of the table remove every row of this file. Load a file with rows of data.")
        )
    sent = SentTable(table.frame, repaired.rows)
    predicted = predict_table(tree, train, repaired.table.frame, sent)
    notes = sorted([*repaired.notes, *predicted.notes], key=lambda note: note.level != "warning")
    result = PredictedTable(predicted.frame, predicted.added, tuple(notes), predicted.score)
    return PredictedFile(result, repaired.table)


def repair_file(table: Table, repairs: Iterable[Repair]) -> RepairedFile:
    """The file after the repairs of another table, with notes on those that changed it or could not be done.

    >>> frame = pd.DataFrame({"rate": ["5%", "7%", "high"], "n": [1, 2, 3]})
    >>> per_cent = {"decimal": ".", "group": ""}
    >>> repairs = [Repair(kind, name, per_cent) for kind, name in (("per_cent", "rate"), ("per_cent", "n"))]
    >>> for note in repair_file(Table(frame, (), "rates.csv"), repairs).notes:
    ...     print(f"{note.level}: {note.text}")
    info: Repaired like the table: rate: per cent as a number.
    warning: Column 'rate': 1 cell did not fit and is missing now: 'high'.
    """
    rows, notes = np.arange(len(table.frame)), []
    for repair in repairs:
        before, table = table, apply_repairs(table, [repair])
        kind = KINDS[repair.kind]
        if isinstance(kind, TableKind):
            kept = kind.keep(before.frame, repair.settings)
            notes += [] if kept.all() else [_removed_note(repair, rows[~kept])]
            rows = rows[kept]
            continue
        if _has_changed(before.frame, table.frame, repair.column):
            notes.append(Note(_repaired_text(repair), "info", (repair.column,)))
        level = "warning" if repair.column in before.frame else "info"
        notes += [Note(worded(remark), level, (repair.column,)) for remark in _new_remarks(before, table)]
    return RepairedFile(table, rows, tuple(notes))


def _new_remarks(before: Table, after: Table) -> list[Words]:
    """The remarks of a repair itself; how many cells are missing in all is counted anew with each."""
    known = set(map(id, before.remarks))
    return [remark for remark in after.remarks if id(remark) not in known and not isinstance(remark, MissingCells)]


def _has_changed(before: pd.DataFrame, after: pd.DataFrame, name: str) -> bool:
    """Whether a repair of a column added columns or changed a cell of it."""
    if name not in before or list(before.columns) != list(after.columns):
        return name in before
    old, new = before[name], after[name]
    if pd.api.types.is_numeric_dtype(old) and pd.api.types.is_numeric_dtype(new):
        first, second = (column.to_numpy(np.float64, na_value=np.nan) for column in (old, new))
        return not np.array_equal(first, second, equal_nan=True)
    return not old.equals(new)


def _repaired_text(repair: Repair) -> str:
    return message("Repaired like the table: {column}: {repair}.", column=repair.column, repair=repair.label)


def _removed_note(repair: Repair, rows: NDArray[np.intp]) -> Note:
    done = message("Repaired like the table: {repair}.", repair=repair.label)
    text = plural(
        len(rows),
        "{done} {n:,} row has no prediction ({rows}).",
        "{done} {n:,} rows have no prediction ({rows}).",
        done=done,
        rows=listed_rows(rows + 1),
    )
    return Note(text)
