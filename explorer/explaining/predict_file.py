"""Predictions for a file read as the table of the tree was: its columns found, repaired, its categories matched.

Its own columns stay as they were sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import as_pandas
from explorer.data.dataset import Dataset
from explorer.data.encode import with_text_names
from explorer.data.notes import MissingCells, Note, many_repaired_text
from explorer.data.suggestions import Repair, apply_repairs
from explorer.data.suggestions.kind import TableKind
from explorer.data.suggestions.repair import KINDS
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.explaining.file_names import (
    AS_WRITTEN,
    FileNames,
    OtherValue,
    match_columns,
    other_values,
    renamed,
    with_categories,
)
from explorer.explaining.predict_table import PredictedTable, Predictor, SentTable, listed_rows, predict_table
from explorer.messages import Words, message, plural, worded
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class RepairedFile:
    """A file after repairs: its `table`, the positions of its rows in the file [n], and what was done, as notes."""

    table: Table
    rows: NDArray[np.intp]
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class ReadFile:
    """A file as the tree reads it: after repairs, under the tree's names.

    `columns` has the file's column for each one that is asked for ("" for none), `others` its values that are no
    categories of the tree and what they stand for.
    """

    repaired: RepairedFile
    columns: Mapping[str, str]
    others: tuple[OtherValue, ...]


@dataclass(frozen=True, eq=False)
class PredictedFile:
    """The file as sent with its predictions, warnings first among the notes, and the table that the tree read."""

    predicted: PredictedTable
    read: Table


def predict_file(
    tree: Predictor,
    train: Dataset | None,
    table: Table,
    repairs: Iterable[Repair] = (),
    chosen: FileNames = AS_WRITTEN,
) -> PredictedFile:
    """Predict every row of a file, read as `read_file` does; the columns stay as sent.

    A removed row has no prediction. Raises InputError as `predict_table` does.
    """
    return predict_read(tree, train, table, read_file(tree, train, table, repairs, chosen))


def predict_read(tree: Predictor, train: Dataset | None, table: Table, read: ReadFile) -> PredictedFile:
    """Predict every row of a file that was read; raises InputError as `predict_table` does."""
    repaired = read.repaired
    if not len(table.frame) or table.frame.columns.has_duplicates:
        return PredictedFile(predict_table(tree, train, table.frame), table)
    if not len(repaired.table.frame):
        raise InputError(
            message("The repairs of the table remove every row of this file. Load a file with rows of data.")
        )
    sent = SentTable(table.frame, repaired.rows, {in_file: name for name, in_file in read.columns.items()})
    predicted = predict_table(tree, train, repaired.table.frame, sent)
    notes = sorted([*repaired.notes, *predicted.notes], key=lambda note: note.level != "warning")
    return PredictedFile(replace(predicted, notes=tuple(notes)), repaired.table)


def read_file(
    tree: Predictor,
    train: Dataset | None,
    table: Table,
    repairs: Iterable[Repair] = (),
    chosen: FileNames = AS_WRITTEN,
) -> ReadFile:
    """The file under the tree's names, after the repairs of the tree's table, its values as the tree's categories.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> file = Table(pd.DataFrame({"outlook": ["SUNNY", "Hail"], "humidity": ["High", "High"]}), (), "days.csv")
    >>> read = read_file(grow(tennis, ID3), tennis, file)
    >>> read.columns["Outlook"], [(other.value, other.category) for other in read.others]
    ('outlook', [('SUNNY', 'Sunny'), ('Hail', '')])
    """
    repairs = tuple(repairs)
    frame = with_text_names(as_pandas(table.frame))
    if frame.columns.has_duplicates:
        return ReadFile(RepairedFile(table, np.arange(len(frame)), ()), {}, ())
    columns = match_columns(wanted_columns(tree, repairs), list(map(str, frame.columns)), chosen)
    repaired = repair_file(replace(table, frame=renamed(frame, columns)), repairs)
    frame, others = repaired.table.frame, list[OtherValue]()
    for name, labels, known in _categories(tree, train):
        if name in frame.columns:
            found = other_values(name, frame[name], labels, known, chosen)
            frame = frame.assign(**{name: with_categories(frame[name], found)})
            others += found
    return ReadFile(replace(repaired, table=replace(repaired.table, frame=frame)), columns, tuple(others))


def wanted_columns(tree: Predictor, repairs: Sequence[Repair]) -> list[str]:
    """The columns that a file is asked for: the target, those tested, and those that repairs make tested ones of."""
    done = [repair for repair in repairs if not _is_for_growing(repair)]
    repaired = [repair.column or str(repair.settings.get("column", "")) for repair in done]
    made = tuple(f"{name} (" for name in repaired if name)  # what a repair puts in place of a column
    tested = [tree.features[feature].name for feature in tree.tested_features()]
    own = [name for name in (tree.target, *tested) if not (made and name.startswith(made))]
    return [*own, *filter(None, repaired)]


def _categories(
    tree: Predictor, train: Dataset | None
) -> Iterator[tuple[str, Sequence[Value | None], Sequence[Value]]]:
    """The columns with categories: their labels, and values that are known beside them."""
    if not tree.is_regression:
        yield tree.target, tree.classes, [] if train is None else [value for value, _ in train.class_labels]
    for feature in tree.tested_features():
        encoding = tree.features[feature]
        if encoding.words is not None:
            yield encoding.name, encoding.words, ()


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
        if _is_for_growing(repair):
            continue
        kind = KINDS[repair.kind]
        before, table = table, apply_repairs(table, [repair])
        if isinstance(kind, TableKind):
            kept = kind.keep(before.frame, repair.settings)
            notes += [] if kept.all() else [_removed_note(repair, rows[~kept])]
            rows = rows[kept]
            continue
        if _has_changed(before.frame, table.frame, repair.column):
            notes.append(Note(_repaired_text(repair), "info", (repair.column,), many_repaired_text))
        level = "warning" if repair.column in before.frame else "info"
        notes += [Note(worded(remark), level, (repair.column,)) for remark in _new_remarks(before, table)]
    return RepairedFile(table, rows, tuple(notes))


def _is_for_growing(repair: Repair) -> bool:
    kind = KINDS[repair.kind]
    return isinstance(kind, TableKind) and kind.for_growing


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
